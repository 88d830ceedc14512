/* What a move pays under subgoals, and where it leaves the agent among them (paper section 3.2;
 * subgoals.h has the formulas). Every learner stands on these lines: the agent and besd/subgoals.h
 * on whole moves, a tile crew on the two halves of a move, which it does at different times, and a
 * crew on the formula alone, because it knows all potentials beforehand.
 */
#ifndef BESD_LEARN_SHAPING_H
#define BESD_LEARN_SHAPING_H

#include "learn/subgoals.h"

/* How far an agent has come in an episode. */
typedef struct progress {
    double potential; /* Phi_{stage+1} where it is */
    int stage;        /* subgoals completed */
} progress;

static inline progress progress_at(const subgoals *s, int stage, const double *position) {
    return (progress){.potential = subgoals_potential(s, stage, position), .stage = stage};
}

/* gamma * Phi(s') - Phi(s) with Phi(terminal) = 0; both of the stage before the move. */
static inline double shaping_of(double gamma, double before, double after, bool terminated) {
    return gamma * (terminated ? 0 : after) - before;
}

/* First half of a move: what it pays. */
static inline double shaping_pay(const subgoals *s, progress *p, double gamma, const double *to,
                                 bool terminated) {
    double before = p->potential;
    p->potential = subgoals_potential(s, p->stage, to);
    return shaping_of(gamma, before, p->potential, terminated);
}

/* Second half: the next stage, when the move completes the subgoal of this one. */
static inline bool shaping_advance(const subgoals *s, progress *p, const double *from,
                                   const double *to) {
    if (!subgoals_reached(s, p->stage, from, to))
        return false;
    *p = progress_at(s, p->stage + 1, to);
    return true;
}

static inline double shaping_move(const subgoals *s, progress *p, double gamma, const double *from,
                                  const double *to, bool terminated) {
    double paid = shaping_pay(s, p, gamma, to, terminated);
    shaping_advance(s, p, from, to);
    return paid;
}

#endif
