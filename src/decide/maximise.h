/* The best design by a number that each design has at tau_max: the posterior mean, its expected
 * improvement, or a confidence bound. The best few of a list of points are found first, and then
 * climbed from.
 */
#ifndef BESD_DECIDE_MAXIMISE_H
#define BESD_DECIDE_MAXIMISE_H

#include "model/mixture.h"

/* Finds the maximum of the posterior mean: begins at the best few of `points` [count * dimension]
 * and, unless `discrete`, climbs inside the unit cube. theta and mean receive the maximiser and its
 * posterior mean. count >= 1. */
besd_status maximise_mean(const mixture *model, const double *points, size_t count, bool discrete,
                          double *theta, double *mean, besd_error *error);

typedef struct improvement {
    enum { IMPROVEMENT_EXPECTED, IMPROVEMENT_BOUND } kind;
    double incumbent; /* EI: the value to improve upon */
    double jitter;    /* EI: by at least this much */
    double noise;     /* variance added to the latent one */
    double width;     /* bound: mean + width * sd */
} improvement;

/* log E[(f - incumbent - jitter)^+], or the bound. */
double improvement_at(const mixture *model, const improvement *a, const double *theta);

/* Finds the maximum of that in the same way; theta receives it. count >= 1. */
besd_status improvement_maximise(const mixture *model, const improvement *a, const double *points,
                                 size_t count, bool discrete, double *theta, besd_error *error);

/* The few largest of many values, best first, earlier first among equals. */
enum { BEST_FEW_MOST = 8 };

typedef struct best_few {
    size_t wanted, found; /* wanted: 1 to BEST_FEW_MOST */
    size_t place[BEST_FEW_MOST];
    double value[BEST_FEW_MOST];
} best_few;

void best_few_offer(best_few *b, size_t place, double value);

/* The best few of `points` for improvement_maximise. The tests compare them with a full search. */
best_few improvement_starts(const mixture *model, const improvement *a, const double *points,
                            size_t count);

#endif
