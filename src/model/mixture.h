/* Several posteriors of the same trials, one for each draw of the hyperparameters, all equally
 * likely. A mixture of one computes the same bytes as the posterior itself. */
#ifndef BESD_MODEL_MIXTURE_H
#define BESD_MODEL_MIXTURE_H

#include "model/draws.h"
#include "model/gp.h"

typedef struct mixture {
    size_t count; /* 1 to DRAWS_MOST */
    gp *models[DRAWS_MOST];
    const task_set *tasks; /* of the observations, borrowed; NULL: one task */
} mixture;

/* One model for every draw (gp_create). On failure there is nothing to free. */
besd_status mixture_init(mixture *m, const observations *o, size_t told, const draws *drawn,
                         besd_error *error);
void mixture_free(mixture *m);

/* The task that predictions are about from now on (gp_set_task). */
void mixture_set_task(mixture *m, int task);

size_t mixture_dimension(const mixture *m);

/* Mean and variance of f. The variance is that within the draws plus that between their means. The
 * gradient is that of the mean. variance and gradient may be NULL. */
double mixture_predict(const mixture *m, const double *theta, double share, double *variance,
                       double *gradient);
besd_status mixture_predict_many(const mixture *m, const double *thetas, const double *shares,
                                 size_t count, double *means, double *variances, besd_error *error);

/* Means at pairs of two parts of theta (gp_predict_pairs). */
besd_status mixture_predict_pairs(const mixture *m, const double *firsts, size_t rows,
                                  const double *seconds, size_t columns, double share,
                                  double *means, besd_error *error);

/* Posterior covariance of f at two places, between the draws included. */
double mixture_covariance(const mixture *m, const double *theta, double share,
                          const double *other_theta, double other_share);

/* The mean over the draws of the prior variance at tau_max, and of the noise of a trial. */
double mixture_prior_variance(const mixture *m);
double mixture_noise(const mixture *m, int level, double reps);

/* The geometric mean over the draws of a length scale, in unit-cube coordinates. */
double mixture_lengthscale(const mixture *m, size_t coordinate);

#endif
