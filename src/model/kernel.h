/* The prior covariance of the surrogate (paper section 4.1).
 *
 * Inside the model theta lies in the unit cube and tau is a share t of tau_max. With the basis
 * phi(t) = (1, t) the kernel is
 *
 *     k = m(theta, theta') * phi(t)^T Sigma phi(t')
 *
 * m is a Matérn-5/2 correlation with a length scale per coordinate. Theta may have parts that mean
 * different things, such as where a leg begins and where it ends; m is then a product of one
 * correlation for each part. Sigma = L L^T carries the signal variance. A trial of q replications
 * has the mean y ~ N(f, env + rep / q) with variances of its tau level; fit.h and draws.h make them
 * the same for all levels.
 *
 * The kernel is linear in phi(t'), so that one projection serves every tau (gp_project).
 */
#ifndef BESD_MODEL_KERNEL_H
#define BESD_MODEL_KERNEL_H

#include "model/tasks.h"

#include <stddef.h>

enum { MODEL_MAX_DIMENSION = 64, MODEL_MAX_LEVELS = 16, MODEL_BASIS = 2 };

typedef struct hyperparameters {
    double prior_mean, prior_slope; /* of the process: prior_mean + prior_slope (1 - t) */
    size_t parts; /* of theta, of equal length, over which m is a product; 0 means 1 */
    double lengthscale[MODEL_MAX_DIMENSION]; /* in unit-cube coordinates */
    double sigma_root[3];                    /* L: l11, l21, l22 */
    double env_variance[MODEL_MAX_LEVELS], rep_variance[MODEL_MAX_LEVELS];
    task_parameters tasks;
} hyperparameters;

/* Priors of hyperparameters (fit.h, draws.h) expect of a design what the paper takes for granted:
 * when it is good after a short training, it is not bad after a long one. Without that a few
 * unlucky trials at tau_max can turn the correlation between the lengths negative, and then every
 * failure of a short training counts as a promise. So the prior of the correlation r between the
 * shortest and the full training is proportional to 1 / (1 + exp(-r / w)), w this width: it costs
 * nothing for positive r, and 1 / w = 20 nats per unit of negative r. The covariance with the full
 * training is linear in tau, so the shortest training stands for all. */
static const double AGREEMENT_WIDTH = 0.05;

/* The Matérn-5/2 correlation and its derivatives, over points scaled by their length scales:
 *
 *     m(r) = (1 + s + s^2 / 3) e^-s,   s = sqrt(5) r,   r = |x - y|
 *     dm/dx_i = -(5/3) (1 + s) e^-s (x_i - y_i)
 *
 * r^2 between two scaled points: */
double matern_squared_distance(const double *x, const double *y, size_t dimension);

/* m for a squared distance. */
double matern_correlation(double squared_distance);

/* g with dm/dx_i = -g (x_i - y_i); dm/d(log l_i) = g (x_i - y_i)^2 in scaled coordinates. */
double matern_slope(double squared_distance);

/* Both for many points: correlation[j] between x and row j of points [count * dimension]; slope may
 * be NULL. */
void matern_row(const double *x, const double *points, size_t count, size_t dimension,
                double *correlation, double *slope);

/* Sigma phi(t): phi(t)^T Sigma phi(t') = weight[0] + weight[1] t'. */
void kernel_weights(const hyperparameters *h, double share, double weight[2]);

/* phi(t)^T Sigma phi(t'). */
double kernel_tau(const hyperparameters *h, double share, double other);

/* The prior variance of f, which is the same for every theta. */
double kernel_variance(const hyperparameters *h, double share);

/* The prior covariance of f at two places. */
double kernel_covariance(const hyperparameters *h, size_t dimension, const double *theta,
                         double share, const double *other_theta, double other_share);

/* theta over the length scales. */
void kernel_scale(const hyperparameters *h, size_t dimension, const double *theta, double *scaled);

/* Scaled thetas of many places, part after part: kernel_put writes number j of `count` into
 * scaled [count * dimension]; kernel_correlate fills in m between x, which is scaled, and the first
 * `some` of them. */
void kernel_put(const hyperparameters *h, size_t dimension, const double *theta, size_t j,
                size_t count, double *scaled);
void kernel_correlate(const hyperparameters *h, size_t dimension, const double *x,
                      const double *scaled, size_t count, size_t some, double *row);

/* The prior covariances of a place at `share` with places at `shares` [count], from the
 * correlations of their thetas; `row` may be `correlation`. */
void kernel_row(const hyperparameters *h, double share, const double *shares, size_t count,
                const double *correlation, double *row);

/* The prior mean, the same for every theta. */
double kernel_mean(const hyperparameters *h, double share);

/* env + rep / q of a trial at this level. */
double noise_variance(const hyperparameters *h, int level, double reps);

#endif
