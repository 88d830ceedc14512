/* Acquisitions that look at one design at a time, always at tau_max: expected improvement and the
 * confidence bound. */
#ifndef BESD_DECIDE_IMPROVEMENT_H
#define BESD_DECIDE_IMPROVEMENT_H

#include "decide/best_few.h"
#include "model/mixture.h"

typedef struct improvement {
    enum { IMPROVEMENT_EXPECTED, IMPROVEMENT_BOUND } kind;
    double incumbent; /* EI: the value to improve upon */
    double jitter;    /* EI: by at least this much */
    double noise;     /* variance added to the latent one */
    double width;     /* bound: mean + width * sd */
} improvement;

/* log E[(f - incumbent - jitter)^+], or the bound. */
double improvement_at(const mixture *model, const improvement *a, const double *theta);

/* The best few of `points` [count * dimension], from which to climb. */
best_few improvement_starts(const mixture *model, const improvement *a, const double *points,
                            size_t count);

/* The best of `points` [count * dimension], then, unless `discrete`, climbed from; theta receives
 * it. count >= 1. */
besd_status improvement_maximise(const mixture *model, const improvement *a, const double *points,
                                 size_t count, bool discrete, double *theta, besd_error *error);

#endif
