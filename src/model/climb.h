/* A local search uphill inside a box, by NLopt: with the gradient (L-BFGS) or without (subplex).
 *
 *     climb c = {.kind = CLIMB_BY_GRADIENT, .objective = height, .context = model, .dimension = d,
 *                .least_move = 1e-6, .evaluations = 60};
 *     status = climb_run(&c, x, &value, error);
 */
#ifndef BESD_MODEL_CLIMB_H
#define BESD_MODEL_CLIMB_H

#include "besd/status.h"

/* The height at x [dimension], a finite number, and its gradient, which is NULL in a climb by
 * value. */
typedef double climb_objective(const double *x, double *gradient, void *context);

/* A height for places that no climb may end at: an objective must be finite. */
static const double CLIMB_HOPELESS = -1e300;

typedef struct climb {
    enum { CLIMB_BY_GRADIENT, CLIMB_BY_VALUE } kind;
    climb_objective *objective;
    void *context;
    size_t dimension;
    const double *low, *high; /* [dimension]; NULL: the unit cube */
    double first_step;        /* by value only: along every coordinate */
    /* The climb ends when a step gains or moves less than this, 0 for no such rule; */
    double least_gain;       /* in height */
    double least_gain_share; /* in height, of the height */
    double least_move;       /* along every coordinate */
    int evaluations;         /* or, at the end of a step, after this number of heights */
} climb;

/* Climbs from x, which is first moved into the box. x receives the end of the climb, value the
 * height there. */
besd_status climb_run(const climb *c, double *x, double *value, besd_error *error);

#endif
