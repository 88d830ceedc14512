/* Hyperparameters by maximum a posteriori (paper appendix B).
 *
 * Maximised is log N(y | m, K + noise) + the chi-square likelihood of the within-trial sums of
 * squares + log hyper-prior, over logarithms of what must be positive, with analytic gradients and
 * L-BFGS from several fixed starts. The hyper-prior is normal with sd = mean / 2: length scales
 * have the width of their interval (1 in the unit cube) as mean, the diagonal of Sigma / s^2 has 1,
 * its off-diagonal 0 +- 1/2, where s^2 = var(y) - noise. On top of it comes what the paper takes
 * for granted: designs that are good after a short training are not bad after a long one. Without
 * it a few unlucky trials at tau_max can turn the correlation between the lengths negative, and
 * every failure of a short training then counts as a promise. So the prior of that correlation r
 * is proportional to 1 / (1 + exp(-r / w)), which costs nothing for positive r and 1 / w nats per
 * unit of negative r. The covariance with the full training is linear in tau, hence the shortest
 * training stands for all. The discrepancy's variance over s^2 and its length scale have mean 1.
 * Noise variances, for which the paper gives no prior, get a log-normal one of sd 2 around rough
 * estimates (pooled within trials; a tenth of var(y)) and a floor of a millionth of the whole
 * variance, which keeps a level whose scores are all equal from claiming no noise. An evaluation
 * costs O(n^3 + n^2 d).
 */
#ifndef BESD_MODEL_FIT_H
#define BESD_MODEL_FIT_H

#include "model/kernel.h"
#include "model/observations.h"

enum { FIT_MAX_STARTS = 4 };

typedef struct fit_options {
    model_kind kind;
    int levels;        /* tau levels in use, 1 to MODEL_MAX_LEVELS */
    double prior_mean; /* of the process */
    int starts;        /* 1 to FIT_MAX_STARTS; with `warm` the first start is warm */
    bool isotropic;    /* one length scale for all coordinates */
    bool no_prior;     /* maximum likelihood: the hyper-prior is left to the noise alone */
    const hyperparameters *warm; /* NULL: fixed starts only */
} fit_options;

typedef struct fit_problem fit_problem;

besd_status fit_create(const observations *o, const fit_options *options, fit_problem **created,
                       besd_error *error);
void fit_destroy(fit_problem *p);

/* The best of all starts. */
besd_status fit_run(fit_problem *p, hyperparameters *h, double *log_posterior, besd_error *error);

#endif
