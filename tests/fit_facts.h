/* Fits as the tests pose them. */
#ifndef BESD_TESTS_FIT_FACTS_H
#define BESD_TESTS_FIT_FACTS_H

#include "model_facts.h"

#include "model/fit.h"

static inline fit_problem *pose(const observations *o, int starts, const hyperparameters *warm) {
    fit_options options = {
        .levels = FACTS_LEVELS, .prior_mean = 0.3, .starts = starts, .warm = warm};
    fit_problem *p = NULL;
    besd_error error;
    assert_ok(fit_create(o, &options, &p, &error), &error);
    return p;
}

/* A random place well inside the bounds of the search, whose covariance is well conditioned. */
static inline void draw_parameters(rng *stream, const fit_problem *p, const observations *o,
                                   double *x) {
    hyperparameters h = facts_draw_hyperparameters(stream, o->dimension);
    fit_pack(p, &h, x);
}

/* Between the shortest training in the data and the full one, of the part that both share. */
static inline double correlation_of_lengths(const observations *o, const hyperparameters *h) {
    double share = 1;
    for (size_t j = 0; j < o->count; j++)
        share = fmin(share, o->share[j]);
    return kernel_tau(h, share, 1) / sqrt(kernel_tau(h, share, share) * kernel_tau(h, 1, 1));
}

#endif
