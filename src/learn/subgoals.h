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
    int points; /* of theta; when a study chooses K, a point in the place of the one before it is no
                   subgoal */
    int stage[SUBGOALS_MAX]; /* [point]: which subgoal it is, or the one before it is */
    int dimension;           /* of a position */
    besd_subgoals_reach reach;
    double radius;
    double cell_size, origin[BESD_SUBGOALS_MAX_DIMENSION]; /* 0: there are no cells */
    double height, width;                                  /* w1, w2 */
    double target[SUBGOALS_MAX][BESD_SUBGOALS_MAX_DIMENSION];
    double cell[SUBGOALS_MAX][BESD_SUBGOALS_MAX_DIMENSION];      /* number of the target's cell, */
    double cell_low[SUBGOALS_MAX][BESD_SUBGOALS_MAX_DIMENSION];  /* where it begins, */
    double cell_high[SUBGOALS_MAX][BESD_SUBGOALS_MAX_DIMENSION]; /* and ends, exclusive */
} subgoals;

/* Places the subgoals of a strategy whose other members are set. Checks theta (subgoal after
 * subgoal, `length` numbers for `count` subgoals) against its box, as many numbers of `low` and
 * `high`. count = 0 makes the empty strategy and ignores theta. */
besd_status subgoals_place(subgoals *s, int count, const double *theta, size_t length,
                           const double *low, const double *high, besd_error *error);

/* Removes subgoals that are in the same cell, or place, as the one before them. */
void subgoals_merge(subgoals *s);

/* A strategy in the space of the environment; `how` says when a subgoal is reached. */
besd_status subgoals_init(subgoals *s, const besd_env_spec *spec, const besd_env_reaching *how,
                          int count, const double *theta, size_t length, double height,
                          double width, besd_error *error);

/* The same for a design of a domain, which may let the design choose the number of subgoals; theta
 * NULL: no subgoals. */
besd_status subgoals_of(subgoals *s, const domain *d, const besd_env_spec *spec,
                        const double *theta, size_t length, besd_error *error);

/* Phi_{stage+1}(position); 0 at stage K. */
double subgoals_potential(const subgoals *s, int stage, const double *position);

/* Does a move between these positions reach subgoal stage + 1? Never at stage K. This is the rule;
 * world/reach_options.h has its options. */
bool subgoals_reached(const subgoals *s, int stage, const double *from, const double *to);

/* What a move pays under subgoals, and the stage after it. Every learner uses these functions: the
 * agent and besd/subgoals.h for whole moves; a tile crew for the two halves of a move, which it
 * does at different times; a crew only the formula, because it knows all potentials beforehand. */

/* How far an agent has come in an episode. */
typedef struct subgoals_progress {
    double potential; /* Phi_{stage+1} where it is */
    int stage;        /* subgoals completed */
} subgoals_progress;

static inline subgoals_progress subgoals_progress_at(const subgoals *s, int stage,
                                                     const double *position) {
    return (subgoals_progress){.potential = subgoals_potential(s, stage, position), .stage = stage};
}

/* gamma * Phi(s') - Phi(s) with Phi(terminal) = 0; both of the stage before the move. */
static inline double shaping_of(double gamma, double before, double after, bool terminated) {
    return gamma * (terminated ? 0 : after) - before;
}

/* First half of a move: what it pays. */
static inline double shaping_pay(const subgoals *s, subgoals_progress *p, double gamma,
                                 const double *to, bool terminated) {
    double before = p->potential;
    p->potential = subgoals_potential(s, p->stage, to);
    return shaping_of(gamma, before, p->potential, terminated);
}

/* Second half: the next stage, when the move reaches the subgoal of this one. */
static inline bool shaping_advance(const subgoals *s, subgoals_progress *p, const double *from,
                                   const double *to) {
    if (!subgoals_reached(s, p->stage, from, to))
        return false;
    *p = subgoals_progress_at(s, p->stage + 1, to);
    return true;
}

static inline double shaping_move(const subgoals *s, subgoals_progress *p, double gamma,
                                  const double *from, const double *to, bool terminated) {
    double paid = shaping_pay(s, p, gamma, to, terminated);
    shaping_advance(s, p, from, to);
    return paid;
}

#endif
