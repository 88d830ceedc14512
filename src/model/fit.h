/* Hyperparameters by maximum a posteriori (paper appendix B).
 *
 * Maximised is log N(y | m, K + noise) + the chi-square likelihood of the within-trial sums of
 * squares + log hyper-prior, over logarithms of what must be positive, with analytic gradients and
 * L-BFGS from several fixed starts. An evaluation costs O(n^3 + n^2 d).
 *
 * The hyper-prior is normal with sd = mean / 2. Length scales have the width of their interval (1
 * in the unit cube) as mean, the diagonal of Sigma / s^2 has 1, its off-diagonal 0 +- 1/2, where
 * s^2 = var(y) - noise. Short and full trainings are expected to agree (AGREEMENT_WIDTH in
 * kernel.h).
 *
 * The paper gives no prior for noise variances. Here they have a log-normal prior of sd 2 around
 * rough estimates (pooled within trials; a tenth of var(y)), and a floor of a millionth of the
 * whole variance, which keeps trials whose scores are all equal from claiming no noise.
 */
#ifndef BESD_MODEL_FIT_H
#define BESD_MODEL_FIT_H

#include "model/kernel.h"
#include "model/observations.h"

#include <stdbool.h>

enum { FIT_MAX_STARTS = 4 };

typedef struct fit_options {
    int levels;                  /* tau levels in use, 1 to MODEL_MAX_LEVELS */
    double prior_mean;           /* of the process */
    int starts;                  /* 1 to FIT_MAX_STARTS; with `warm` the first start is warm */
    bool isotropic;              /* one length scale for all coordinates */
    bool no_prior;               /* maximum likelihood: only the noise keeps its prior */
    const hyperparameters *warm; /* NULL: fixed starts only */
} fit_options;

typedef struct fit_problem fit_problem;

/* `o` is borrowed for the life of the problem. */
besd_status fit_create(const observations *o, const fit_options *options, fit_problem **created,
                       besd_error *error);
void fit_destroy(fit_problem *p);

/* The best of all starts. */
besd_status fit_run(fit_problem *p, hyperparameters *h, double *log_posterior, besd_error *error);

/* What the search climbs; the tests compare it with independent computations. The search moves
 * through x: logarithms of the length scales (one when isotropic), then of the kernel's L / s as
 * (log l11, l21, log l22), and of the noise variances env and rep. s^2 is the rough estimate of the
 * signal variance. */
enum { FIT_MAX_PARAMETERS = MODEL_MAX_DIMENSION + 3 + 2 };

/* The length of x. */
int fit_parameters(const fit_problem *p);

/* Between the coordinates of the search and hyperparameters. */
void fit_unpack(const fit_problem *p, const double *x, hyperparameters *h);
void fit_pack(const fit_problem *p, const hyperparameters *h, double *x);

/* The log posterior density up to a constant, -INFINITY where the covariance cannot be factorised;
 * gradient may be NULL. */
double fit_log_posterior(fit_problem *p, const double *x, double *gradient);

#endif
