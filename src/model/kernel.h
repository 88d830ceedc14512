/* The prior covariance of the surrogate (paper section 4.1).
 *
 * Inside the model theta lies in the unit cube and tau is a share t of tau_max. With the basis
 * phi(t) = (1, t) the kernel is
 *
 *     k = m(theta, theta') * phi(t)^T Sigma phi(t')  [ + v (1-t)(1-t') m'(theta, theta') ]
 *
 * m and m' Matérn-5/2 correlations (matern.h), m with a length scale per coordinate, m' isotropic.
 * Where theta has parts that mean different things, such as where a leg begins and where it ends,
 * m is the product of one correlation for each.
 * Sigma = L L^T carries the signal variance. The term in brackets is the extended model's
 * discrepancy: what a short training says that the full one does not; it vanishes at tau_max. A
 * trial of q replications has the mean y ~ N(f, env + rep / q) with variances of its tau level (one
 * for all levels in the paper's model).
 *
 * The kernel is linear in basis(t') = (1, t', 1 - t'), which is what lets one projection serve
 * every tau (gp_project).
 */
#ifndef BESD_MODEL_KERNEL_H
#define BESD_MODEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

enum { MODEL_MAX_DIMENSION = 64, MODEL_MAX_LEVELS = 16, MODEL_MAX_BASIS = 3 };

/* MODEL_NOISE: the paper's kernel with noise per tau level. */
typedef enum model_kind { MODEL_PAPER, MODEL_EXTENDED, MODEL_NOISE } model_kind;

typedef struct hyperparameters {
    double prior_mean, prior_slope; /* of the process: prior_mean + prior_slope (1 - t) */
    size_t parts; /* m is a product over so many parts of theta, of equal length; 0 means 1 */
    double lengthscale[MODEL_MAX_DIMENSION];              /* in unit-cube coordinates */
    double sigma_root[3];                                 /* L: l11, l21, l22 */
    double discrepancy_variance, discrepancy_lengthscale; /* 0 in the paper's model */
    double env_variance[MODEL_MAX_LEVELS], rep_variance[MODEL_MAX_LEVELS];
} hyperparameters;

/* Sigma phi(t): phi(t)^T Sigma phi(t') = weight[0] + weight[1] t'. */
void kernel_weights(const hyperparameters *h, double share, double weight[2]);

/* phi(t)^T Sigma phi(t'). */
double kernel_tau(const hyperparameters *h, double share, double other);

/* v (1-t)(1-t'); 0 in the paper's model, which has no discrepancy. */
bool kernel_has_discrepancy(const hyperparameters *h);
double kernel_discrepancy(const hyperparameters *h, double share, double other);

/* The prior variance of f, which is the same for every theta. */
double kernel_variance(const hyperparameters *h, double share);

/* The prior covariance of f at two places. */
double kernel_covariance(const hyperparameters *h, size_t dimension, const double *theta,
                         double share, const double *other_theta, double other_share);

/* theta over the length scales of m, and of m' unless disc_scaled is NULL. */
void kernel_scale(const hyperparameters *h, size_t dimension, const double *theta, double *scaled,
                  double *disc_scaled);

/* Scaled thetas of many places, part after part: kernel_put writes number j of `count` into
 * scaled [count * dimension]; kernel_correlate fills in m between x, which is scaled, and the first
 * `some` of them. */
void kernel_put(const hyperparameters *h, size_t dimension, const double *theta, size_t j,
                size_t count, double *scaled);
void kernel_correlate(const hyperparameters *h, size_t dimension, const double *x,
                      const double *scaled, size_t count, size_t some, double *row);

/* The prior covariances of a place at `share` with places at `shares` [count], from the
 * correlations m and m' of their thetas; disc_correlation NULL without discrepancy. `row` may be
 * `correlation`. */
void kernel_row(const hyperparameters *h, double share, const double *shares, size_t count,
                const double *correlation, const double *disc_correlation, double *row);

/* What is expected before any trial, everywhere in theta. */
double kernel_mean(const hyperparameters *h, double share);

/* env + rep / q of a trial at this level. */
double noise_variance(const hyperparameters *h, int level, double reps);

/* The number of basis functions of tau, 2 or 3, and their values: (1, t, 1 - t). */
int basis_count(const hyperparameters *h);
void basis_values(double share, double *basis);

#endif
