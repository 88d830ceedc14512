/* The options that say when a subgoal is reached: in cells of some side, within a radius, or by
 * crossing. The environment has them, its settings and the user's --set change them, and the domain
 * keeps them. This file only reads, checks and writes the options; the rule itself, whether a move
 * reaches a subgoal, is subgoals_reached in learn/subgoals.c.
 *
 *     reach=cell       cell_size=0.08 origin=0.4,0    a move ends in the subgoal's cell
 *     reach=radius     radius=0.04                    it ends so near to the subgoal
 *     reach=cross                                     it passes over it
 *
 * cell_size and origin imply reach=cell, radius implies reach=radius; contradictions are refused.
 */
#ifndef BESD_WORLD_REACH_OPTIONS_H
#define BESD_WORLD_REACH_OPTIONS_H

#include "besd/env.h"

/* In `how` cell_size is above 0 for cells and 0 otherwise. */
typedef struct reach_options {
    besd_env_reaching how;
    besd_env_reach plain; /* the reach of the spec */
    int origin_count;     /* numbers given for the origin: 0, 1 for all coordinates, or one each */
    unsigned said;        /* which names the current speaker has set: environment or user */
} reach_options;

/* The reach of a spec and no numbers. */
void reach_options_init(reach_options *r, besd_env_reach reach);

/* Takes what an environment tells by its method, and checks it against the spec. */
besd_status reach_options_take(reach_options *r, const besd_env_reaching *told,
                               const besd_env_spec *spec, besd_error *error);

/* The names of the options: reach, cell_size, origin, radius; NULL past the last. */
const char *reach_options_name(size_t index);

/* "cell", "cross" or "radius". */
const char *reach_options_word(besd_env_reach reach);

/* Sets an option from text. BESD_UNKNOWN, without a message, when there is no option of this name.
 */
besd_status reach_options_set(reach_options *r, const char *name, const char *text,
                              besd_error *error);

/* Another speaker begins: it may contradict what was set before. */
void reach_options_listen(reach_options *r);

/* Do the options fit the environment? */
besd_status reach_options_check(const reach_options *r, const besd_env_spec *spec,
                                besd_error *error);

/* Are the options those of the spec alone? */
bool reach_options_is_plain(const reach_options *r);

enum { REACH_OPTIONS_TEXT_SIZE = 320 };

/* "reach=cell cell_size=0.08 origin=0.4,0": what reach_options_set takes, word by word. */
void reach_options_text(const reach_options *r, char *text, size_t size);

/* The side of the cubes whose points count as one place: that of a cell, or of the cube that fits
 * into the ball of a radius; 0 where every point is a place of its own. */
double reach_options_cell(const besd_env_reaching *how, int dimension);

#endif
