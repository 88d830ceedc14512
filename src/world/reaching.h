/* When a subgoal is reached, in numbers: cells of some side, a radius, or crossing. The environment
 * says it, its settings and the user's --set change it; whoever asks later finds it in the domain.
 *
 *     reach=cell       cell_size=0.08 origin=0.4,0    a move ends in the subgoal's cell
 *     reach=radius     radius=0.04                    it ends so near to the subgoal
 *     reach=cross                                     it passes over it
 *
 * cell_size and origin imply cell, radius implies radius; what does not go together is refused.
 */
#ifndef BESD_WORLD_REACHING_H
#define BESD_WORLD_REACHING_H

#include "besd/env.h"

/* `how` is settled: cell_size is above 0 for cells and 0 otherwise. */
typedef struct reaching {
    besd_env_reaching how;
    besd_env_reach plain; /* as the spec alone has it */
    int origin_count;     /* numbers that were given for the origin: 0, 1 for all, or one each */
    unsigned said;        /* which of the names were set by whoever speaks now */
} reaching;

/* The reach of a spec and no numbers. */
void reaching_init(reaching *r, besd_env_reach reach);

/* What an environment tells by its method, checked against its spec. */
besd_status reaching_take(reaching *r, const besd_env_reaching *told, const besd_env_spec *spec,
                          besd_error *error);

/* Is it one of reach, cell_size, origin, radius? The name, NULL past the last. */
const char *reaching_name(size_t index);

/* "cell", "cross" or "radius". */
const char *reaching_word(besd_env_reach reach);

/* Sets one of them from text. BESD_UNKNOWN, without a message, when the name is none of them. */
besd_status reaching_set(reaching *r, const char *name, const char *text, besd_error *error);

/* Another one speaks: what was said before may be said otherwise. */
void reaching_listen(reaching *r);

/* Does it fit the environment? */
besd_status reaching_check(const reaching *r, const besd_env_spec *spec, besd_error *error);

/* Is it what the spec alone says? */
bool reaching_is_plain(const reaching *r);

enum { REACHING_TEXT_SIZE = 320 };

/* "reach=cell cell_size=0.08 origin=0.4,0": what reaching_set takes, word by word. */
void reaching_text(const reaching *r, char *text, size_t size);

/* The side of the cubes whose points count as one place: cells; for a radius the cubes that fit
 * into its ball; 0 where every point is a place of its own. */
double reaching_cell(const besd_env_reaching *how, int dimension);

#endif
