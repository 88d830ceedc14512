/* What fit.c and fit_posterior.c share. The tests of the density and its gradient include it too;
 * nobody else does.
 *
 * The search moves through x: logarithms of the length scales (one when isotropic), then of the
 * kernel's L / s as (log l11, l21, log l22), of the discrepancy's variance / s^2 and length scale
 * (extended model), and of the noise variances env and rep, a pair for all levels (paper's model)
 * or for each. s^2 is the rough estimate of the signal variance.
 */
#ifndef BESD_MODEL_FIT_STATE_H
#define BESD_MODEL_FIT_STATE_H

#include "model/fit.h"

/* At most: length scales, L, the discrepancy and the noise of every level. */
enum { FIT_MAX_PARAMETERS = MODEL_MAX_DIMENSION + 3 + 2 + 2 * MODEL_MAX_LEVELS };

struct fit_problem {
    const observations *o;
    fit_options options;
    int parameters, noise_levels;        /* noise levels: 1 in the paper's model */
    double shortest;                     /* told training, as a share of tau_max */
    double signal, noise_rep, noise_env; /* rough estimates of variances: s^2 and the noise */
    double *covariance;                  /* [n * n]: K, then its factor, then its inverse */
    double *correlation, *disc_correlation, *slope, *disc_slope; /* [n * n], lower triangle */
    double *room;                                                /* [n * n]: work */
    double *alpha, *scaled, *disc_scaled;
};

/* Where each parameter stands in the vector x. */
static inline int fit_at_lengthscale(const fit_problem *p, size_t coordinate) {
    return p->options.isotropic ? 0 : (int)coordinate;
}

static inline int fit_at_root(const fit_problem *p) {
    return fit_at_lengthscale(p, p->o->dimension - 1) + 1;
}

static inline int fit_at_discrepancy(const fit_problem *p) {
    return fit_at_root(p) + 3;
}

static inline bool fit_extended(const fit_problem *p) {
    return p->options.kind == MODEL_EXTENDED;
}

static inline int fit_at_noise(const fit_problem *p) {
    return fit_at_discrepancy(p) + (fit_extended(p) ? 2 : 0);
}

static inline int fit_noise_level(const fit_problem *p, int level) {
    return p->noise_levels == 1 ? 0 : level;
}

/* Between the optimiser's coordinates and hyperparameters. */
void fit_unpack(const fit_problem *p, const double *x, hyperparameters *h);
void fit_pack(const fit_problem *p, const hyperparameters *h, double *x);

/* The log posterior density up to a constant, -INFINITY where the covariance cannot be factorised;
 * gradient may be NULL. */
double fit_log_posterior(fit_problem *p, const double *x, double *gradient);

#endif
