/* The surrogate (paper section 4.1): a Gaussian process over (theta, tau) with replicated noise.
 *
 * Inside the model theta lies in the unit cube and tau is a share of tau_max. With the basis
 * phi(t) = (1, t) the kernel is
 *
 *     k = m(theta, theta') * phi(t)^T Sigma phi(t')  [ + v (1-t)(1-t') m'(theta, theta') ]
 *
 * m and m' Matérn-5/2 correlations, m with a length scale per coordinate, m' isotropic. Sigma =
 * L L^T carries the signal variance. The term in brackets is the extended model's discrepancy: what
 * a short training says that the full one does not; it vanishes at tau_max. A trial of q
 * replications has the mean y ~ N(f, env + rep / q) with variances of its tau level (one for all
 * levels in the paper's model) and the sum of squares S about it, S / rep ~ chi^2 with q - 1.
 *
 * Everything is a plain function of (observations, hyperparameters): O(n^3) once, O(n^2) for
 * another observation, O(n d) for a prediction of the mean.
 */
#ifndef BESD_MODEL_GP_H
#define BESD_MODEL_GP_H

#include "besd/status.h"

#include <stdbool.h>

enum { MODEL_MAX_DIMENSION = 64, MODEL_MAX_LEVELS = 16, MODEL_MAX_BASIS = 3 };

/* MODEL_NOISE: the paper's kernel with noise per tau level. */
typedef enum model_kind { MODEL_PAPER, MODEL_EXTENDED, MODEL_NOISE } model_kind;

/* What was observed; rows are trials. */
typedef struct observations {
    size_t count, capacity, dimension;
    double *theta;  /* [count * dimension], unit cube */
    double *share;  /* tau / tau_max, in (0, 1] */
    int *level;     /* number of the tau level, from 0 */
    double *reps;   /* q */
    double *mean;   /* of the q scores, to be maximised */
    double *within; /* sum of squares about it */
} observations;

typedef struct hyperparameters {
    double prior_mean;
    double lengthscale[MODEL_MAX_DIMENSION];              /* in unit-cube coordinates */
    double sigma_root[3];                                 /* L: l11, l21, l22 */
    double discrepancy_variance, discrepancy_lengthscale; /* 0 in the paper's model */
    double env_variance[MODEL_MAX_LEVELS], rep_variance[MODEL_MAX_LEVELS];
} hyperparameters;

besd_status observations_init(observations *o, size_t dimension, besd_error *error);
void observations_free(observations *o);

/* Appends a trial; `mean` and `within` may be 0 for one that is not told yet. */
besd_status observations_add(observations *o, const double *theta, double share, int level,
                             double reps, double mean, double within, besd_error *error);

/* phi(t)^T Sigma phi(t'). */
double kernel_tau(const hyperparameters *h, double share, double other);

/* env + rep / q of a trial at this level. */
double noise_variance(const hyperparameters *h, int level, double reps);

/* The number of basis functions of tau, 2 or 3, and their values: (1, t, 1 - t). */
int basis_count(const hyperparameters *h);
void basis_values(double share, double *basis);

/* A model has room of its own for what it computes: one thread at a time, also to predict. */
typedef struct gp gp;

/* Conditions on the first `told` observations, and for covariances only on the rest, which are
 * pending. `o` and `h` are copied. */
besd_status gp_create(const observations *o, size_t told, const hyperparameters *h, gp **created,
                      besd_error *error);
void gp_destroy(gp *g);

/* Adds one told observation, O(n^2); only while nothing is pending. */
besd_status gp_add(gp *g, const double *theta, double share, int level, double reps, double mean,
                   besd_error *error);

/* Adds one pending observation, O(n^2). */
besd_status gp_add_pending(gp *g, const double *theta, double share, int level, double reps,
                           besd_error *error);

size_t gp_count(const gp *g); /* told and pending */
size_t gp_dimension(const gp *g);
const hyperparameters *gp_hyperparameters(const gp *g);

/* Added to the diagonal to make the covariance positive definite; 0 hardly ever is not enough. */
double gp_jitter(const gp *g);

/* Posterior of the latent f. variance and gradient (of the mean, in unit-cube coordinates) may be
 * NULL. */
double gp_predict(const gp *g, const double *theta, double share, double *variance,
                  double *gradient);

/* The same at many places, thetas [count * dimension], without gradients. */
besd_status gp_predict_many(const gp *g, const double *thetas, const double *shares, size_t count,
                            double *means, double *variances, besd_error *error);

/* Posterior covariance of f at two places. */
double gp_covariance(const gp *g, const double *theta, double share, const double *other_theta,
                     double other_share);

/* J^T K^-1 r for the gradient of covariances with observations: adds sum_j weight_j * d k_j / d
 * theta to gradient, where weight = L^-T root and k_j the prior covariance of (theta, share) with
 * observation j. `root` [n] is overwritten. */
void gp_pull_back(const gp *g, const double *theta, double share, double *root, double *gradient);

/* For many thetas at once, everything that predictions at any tau need. The prior covariance of
 * observation j with (theta_c, t) is sum_p basis_p(t) * B_p[j, c]; roots holds the solves L^-1 B_p,
 * [p][j * count + c], and slopes, [p * count + c], B_p^T alpha, so that
 *     mean(theta_c, t) = prior_mean + sum_p basis_p(t) slopes[p, c]
 *     covariance((theta_c, t), (theta_d, t')) = k - sum_j root_c,t[j] root_d,t'[j]
 * with root_c,t = sum_p basis_p(t) roots[p][., c]. One kernel block, one triangular solve. */
besd_status gp_project(const gp *g, const double *thetas, size_t count, double *roots,
                       double *slopes, besd_error *error);

#endif
