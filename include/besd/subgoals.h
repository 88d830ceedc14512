/* Subgoals for an agent of your own: from the theta of a trial to the rewards it learns from.
 *
 * A design places K subgoals, which the agent reaches in their order. At stage i it has completed i
 * of them in this episode and looks for the next; a move from s to s' then pays, on top of the
 * task's own reward,
 *
 *     gamma * Phi(s') - Phi(s),   Phi(s) = height * exp(-|s - subgoal|^2 / (2 width)),
 *
 * with the stage before the move, and Phi(s') = 0 when the task ended with it. A move completes at
 * most one subgoal; at stage K nothing is paid. The built-in learner stands on the same code.
 *
 *     besd_subgoals *goals;  besd_error err;              // K = 2 in the plane, in the study's box
 *     besd_subgoals_options o = {.count = 2, .dimension = 2, .low = low, .high = high,
 *                                .gamma = 0.99};
 *     besd_subgoals_create(&goals, trial.theta, 4, &o, &err);
 *     for (...) {
 *         int stage = 0;                                  // an episode begins
 *         my_reset(&here);
 *         for (bool terminated = false; !terminated && !my_time_is_up();) {
 *             int before = stage, action = my_choice(stage, here);
 *             double reward = my_step(action, &next, &terminated);
 *             besd_subgoals_shape(goals, &stage, here.xy, next.xy, terminated, &reward, &err);
 *             my_learning(before, here, action, reward, stage, next, terminated);
 *             here = next;
 *         }
 *     }
 *     besd_subgoals_destroy(goals);
 *
 * What such an agent needs: it must see the stage, because what is right to do depends on it; it
 * learns with the same gamma; and its score is made of the task's own rewards. examples/own_agent.c
 * is a whole one.
 *
 * Rules: a handle is never changed by its use, so threads and episodes may share it; the stage is
 * yours, one for each episode under way. Positions are `dimension` numbers in the units of theta.
 */
#ifndef BESD_SUBGOALS_H
#define BESD_SUBGOALS_H

#include "besd/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BESD_SUBGOALS_MAX 8
#define BESD_SUBGOALS_MAX_DIMENSION 8

/* When a move completes a subgoal. */
typedef enum besd_subgoals_reach {
    BESD_SUBGOALS_CELL = 0,  /* it ends in the cell that contains the subgoal, of side 1 or as told
                                to besd_subgoals_create_in_cells; the upper border of the box
                                belongs to the last cell */
    BESD_SUBGOALS_CROSS = 1, /* it passes over the subgoal (positions of one number) */
    BESD_SUBGOALS_RADIUS = 2 /* it ends at most `radius` away from the subgoal */
} besd_subgoals_reach;

/* Zero means default. Arrays are copied. */
typedef struct besd_subgoals_options {
    int count;                /* K, 0 to BESD_SUBGOALS_MAX; 0: no subgoals, no theta, no box */
    int dimension;            /* of a position, 1 to BESD_SUBGOALS_MAX_DIMENSION */
    const double *low, *high; /* the box of theta as the study has it, [count * dimension] each */
    besd_subgoals_reach reach;
    double radius; /* for BESD_SUBGOALS_RADIUS, above 0 */
    double gamma;  /* the learner's discount, in (0, 1]; there is no default */
    double height; /* of a potential; 0: 0.2, which suits rewards of about 1 */
    double width;  /* 0: a tenth of the mean squared side of the box, 10 for sides of 10 */
} besd_subgoals_options;

typedef struct besd_subgoals besd_subgoals;

/* theta holds one subgoal after the other, `length` = count * dimension numbers inside the box.
 * Whatever is wrong with it or with the options is BESD_INVALID; *goals is NULL then. */
BESD_API besd_status besd_subgoals_create(besd_subgoals **goals, const double *theta, size_t length,
                                          const besd_subgoals_options *options, besd_error *error);

/* The same with cells of your own, for positions in metres: reach is BESD_SUBGOALS_CELL, cell_size
 * is above 0, and one of the cells begins at the origin, `dimension` numbers (NULL: all 0). */
BESD_API besd_status besd_subgoals_create_in_cells(besd_subgoals **goals, const double *theta,
                                                   size_t length,
                                                   const besd_subgoals_options *options,
                                                   double cell_size, const double *origin,
                                                   besd_error *error);
BESD_API void besd_subgoals_destroy(besd_subgoals *goals);

/* K: stages are 0, ..., K. */
BESD_API int besd_subgoals_count(const besd_subgoals *goals);

/* Phi of the subgoal looked for at this stage; 0 at stage K, NaN at a stage that does not exist. */
BESD_API double besd_subgoals_potential(const besd_subgoals *goals, int stage,
                                        const double *position);

/* Does a move complete the subgoal looked for at this stage? Never at stage K. Where an
 * episode starts is no move: a subgoal there is completed by the first move that ends in it. */
BESD_API bool besd_subgoals_reached(const besd_subgoals *goals, int stage, const double *from,
                                    const double *to);

/* One move. *reward is the task's own before and the one to learn from afterwards, *stage moves on
 * when a subgoal is completed. `terminated` means that the task ended with this move; an episode
 * that is merely cut off has not. A stage that does not exist, a position or a reward that is no
 * finite number is BESD_INVALID, and both stay as they were. */
BESD_API besd_status besd_subgoals_shape(const besd_subgoals *goals, int *stage, const double *from,
                                         const double *to, bool terminated, double *reward,
                                         besd_error *error);

#ifdef __cplusplus
}
#endif
#endif
