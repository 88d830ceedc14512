/* The surrogate (paper section 4.1): the posterior of a Gaussian process over (theta, tau) with the
 * kernel of kernel.h, given replicated and pending trials.
 *
 * Everything is a plain function of (observations, hyperparameters): O(n^3) once, O(n d) for a
 * prediction of the mean, O(n^2) for one with variance.
 */
#ifndef BESD_MODEL_GP_H
#define BESD_MODEL_GP_H

#include "model/kernel.h"
#include "model/observations.h"

/* A model has its own work space: one thread at a time, also to predict. */
typedef struct gp gp;

/* Conditions on the first `told` observations. The rest are pending: only covariances are
 * conditioned on them. `o` and `h` are copied. */
besd_status gp_create(const observations *o, size_t told, const hyperparameters *h, gp **created,
                      besd_error *error);
void gp_destroy(gp *g);

size_t gp_count(const gp *g); /* told and pending */
size_t gp_dimension(const gp *g);
const hyperparameters *gp_hyperparameters(const gp *g);

/* The task that predictions and projections are about from now on (tasks.h); at first it is 0. */
void gp_set_task(gp *g, int task);

int gp_task(const gp *g);

/* How much of its landscape that task shares with another one (B of tasks.h); 1 without tasks. */
double gp_bond(const gp *g, int other);

/* The prior variance of f of that task, which is the same for every theta. */
double gp_prior_variance(const gp *g, double share);

/* Posterior of the latent f. variance and gradient (of the mean, in unit-cube coordinates) may be
 * NULL. */
double gp_predict(const gp *g, const double *theta, double share, double *variance,
                  double *gradient);

/* The same at many places, thetas [count * dimension], without gradients. */
besd_status gp_predict_many(const gp *g, const double *thetas, const double *shares, size_t count,
                            double *means, double *variances, besd_error *error);

/* For a kernel of two parts (kernel.h): the means at every pair of a first part, firsts [rows *
 * dimension / 2], and a second part, in means [rows * columns]. It takes one matrix product, where
 * single predictions would take a row of the kernel each. */
besd_status gp_predict_pairs(const gp *g, const double *firsts, size_t rows, const double *seconds,
                             size_t columns, double share, double *means, besd_error *error);

/* The variances at these pairs: a triangular solve for every first part. */
besd_status gp_pair_variances(const gp *g, const double *firsts, size_t rows, const double *seconds,
                              size_t columns, double share, double *variances, besd_error *error);

/* Posterior covariance of f at two places. */
double gp_covariance(const gp *g, const double *theta, double share, const double *other_theta,
                     double other_share);

/* J^T K^-1 r for the gradient of covariances with observations: adds sum_j weight_j * d k_j / d
 * theta to gradient, where weight = L^-T root and k_j the prior covariance of (theta, share) with
 * observation j. `root` [n] is overwritten. */
void gp_pull_back(const gp *g, const double *theta, double share, double *root, double *gradient);

/* For many thetas, everything that predictions at any tau need. Like all gradients it is for
 * kernels of one part. The prior covariance of observation j with (theta_c, t) is B_0[j, c] + t *
 * B_1[j, c]; roots holds the solves L^-1 B_p, [p][j * count + c], and slopes, [p * count + c],
 * B_p^T alpha, so that mean(theta_c, t) = kernel_mean(t) + slopes[0, c] + t slopes[1, c]
 *     covariance((theta_c, t), (theta_d, t')) = k - sum_j root_c,t[j] root_d,t'[j]
 * with root_c,t = roots[0][., c] + t roots[1][., c]. One kernel block, one triangular solve. */
void gp_project(const gp *g, const double *thetas, size_t count, double *roots, double *slopes);

#endif
