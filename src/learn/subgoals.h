/* The subgoal strategy: targets, potentials and the stage counter (paper section 3.2).
 *
 * A design theta = (theta_1, ..., theta_K) places K subgoals in the space of positions. They are
 * reached in strict order: at stage i the agent looks for subgoal i + 1, and reaching it moves to
 * stage i + 1, at most once a step. At stage i < K a move from s to s' pays
 *
 *     F = gamma * Phi_{i+1}(s') - Phi_{i+1}(s),   Phi_k(s) = w1 * exp(-|s - theta_k|^2 / (2 w2))
 *
 * with the stage before the move, and Phi(terminal) = 0. At stage K nothing is paid. Within a
 * stage this is potential-based; a completed subgoal leaves up to w1 behind, which is the
 * incentive to complete it. (The paper's sum has k from 1, which would never shape stage 0; k
 * from 0 is meant.)
 */
#ifndef BESD_LEARN_SUBGOALS_H
#define BESD_LEARN_SUBGOALS_H

#include "besd/env.h"
#include "besd/subgoals.h"
#include "world/domain.h"

#include <stddef.h>

enum { SUBGOALS_MAX = BESD_SUBGOALS_MAX };

typedef struct subgoals {
    int count;  /* K; 0 means none */
    int points; /* of theta, when K was chosen: one in the place of its predecessor is none */
    int stage[SUBGOALS_MAX]; /* [point]: the subgoal it is, or that its predecessor is */
    int dimension;           /* of a position */
    besd_subgoals_reach reach;
    double radius;
    double cell_size, origin[BESD_SUBGOALS_MAX_DIMENSION]; /* 0: there are no cells */
    double height, width;                                  /* w1, w2 */
    double target[SUBGOALS_MAX][BESD_SUBGOALS_MAX_DIMENSION];
    double cell[SUBGOALS_MAX][BESD_SUBGOALS_MAX_DIMENSION];     /* numbers of each target's cell, */
    double cell_low[SUBGOALS_MAX][BESD_SUBGOALS_MAX_DIMENSION]; /* where it begins, */
    double cell_high[SUBGOALS_MAX][BESD_SUBGOALS_MAX_DIMENSION]; /* and ends: no part of it */
} subgoals;

/* Places the subgoals of a strategy whose other members are set. Checks theta (subgoal after
 * subgoal, `length` numbers for `count` subgoals) against its box, `low` and `high`, which have as
 * many. count = 0 makes the empty strategy and ignores theta. */
besd_status subgoals_place(subgoals *s, int count, const double *theta, size_t length,
                           const double *low, const double *high, besd_error *error);

/* Takes out subgoals that are in the same cell, or place, as the one before them. */
void subgoals_merge(subgoals *s);

/* A strategy in the space of the environment, reached as it says: in cells of side 1 unless `how`
 * is given. */
besd_status subgoals_init(subgoals *s, const besd_env_spec *spec, int count, const double *theta,
                          size_t length, double height, double width, besd_error *error);
besd_status subgoals_init_reaching(subgoals *s, const besd_env_spec *spec,
                                   const besd_env_reaching *how, int count, const double *theta,
                                   size_t length, double height, double width, besd_error *error);

/* The same for a design of a domain, whose number of subgoals may be a matter of the design; theta
 * NULL: none. */
besd_status subgoals_of(subgoals *s, const domain *d, const besd_env_spec *spec,
                        const double *theta, size_t length, besd_error *error);

/* Phi_{stage+1}(position); 0 at stage K. */
double subgoals_potential(const subgoals *s, int stage, const double *position);

/* Does a move between these positions complete subgoal stage + 1? Never at stage K. */
bool subgoals_reached(const subgoals *s, int stage, const double *from, const double *to);

#endif
