/* Draws of hyperparameters from their posterior (Snoek, Larochelle and Adams 2012; Murray and Adams
 * 2010). One maximum stands either for a long, noisy landscape or for a short, exact one. Draws
 * keep both as long as the trials allow both, so an average over draws shows the doubt.
 *
 * The kernel is that of kernel.h in other coordinates. With g the performance at tau_max and h how
 * it differs before, f(theta, t) = g(theta) + (1 - t) h(theta), sd(g) = a, sd(h) = b, their
 * correlation c. The prior is on
 *
 *     log l_i ~ N(log 0.4, 0.8^2)      from cliffs to the whole box; or as the options say
 *     log (a / s) ~ N(0, 0.5^2)        s^2 a rough estimate of the signal variance
 *     log (b / a) ~ N(log 0.7, 0.7^2)  so the variance at tau_max cannot vanish beside that before
 *     atanh c ~ N(0, 1)
 *
 *     rho = logistic(2 u), u ~ N(0, 1)     tasks (tasks.h): from nothing in common to everything
 *     log feature scale ~ N(log 0.7, 0.7^2), log (level sd / a) ~ N(log 0.5, 0.7^2)
 *     kappa = tanh(1.5 u) for u > 0, else 0, u ~ N(0, 1)      a source is unrelated in half of all
 *     log (gamma a) ~ N(0, 0.5^2)          cases; its rows have about the standard deviation 1
 *
 * and, as in fit.h, on the agreement of short and full trainings and on the noise. Slice sampling
 * (Neal 2003, stepping out) updates every chain coordinate by coordinate. A chain goes on from
 * where it was, so a few sweeps are enough. A sweep costs about five likelihoods, O(n^3 / 3) each,
 * per coordinate.
 */
#ifndef BESD_MODEL_DRAWS_H
#define BESD_MODEL_DRAWS_H

#include "model/kernel.h"
#include "model/observations.h"

#include <stdbool.h>
#include <stdint.h>

enum { DRAWS_MOST = 16 };

/* Equally likely sets of hyperparameters. A single one is the maximum of fit.h. */
typedef struct draws {
    size_t count;
    hyperparameters of[DRAWS_MOST];
} draws;

typedef struct draws_options {
    int levels;     /* tau levels in use */
    size_t parts;   /* of theta (kernel.h) */
    bool one_noise; /* replications are independent: no part of the noise is shared by a trial */
    double prior_mean, prior_slope; /* of the process */
    uint64_t seed, told;            /* of the study; chains are streams of (seed, told, chain) */
    int sweeps;                     /* of every chain */
    double lengthscale_mean, lengthscale_sd; /* of the prior of log l; 0, 0: as above */
} draws_options;

/* Makes `count` draws. `from` is where the chains were. When it is NULL or has another number, the
 * chains start at fixed places that cover both kinds of landscape, and make some more sweeps. */
besd_status draws_run(const observations *o, const draws_options *options, const draws *from,
                      size_t count, draws *drawn, besd_error *error);

#endif
