/* What was observed: one row for every trial, in the units of the model, and rough estimates of
 * variances from it. */
#ifndef BESD_MODEL_OBSERVATIONS_H
#define BESD_MODEL_OBSERVATIONS_H

#include "besd/status.h"
#include "model/kernel.h"

typedef struct observations {
    size_t count, capacity, dimension;
    const task_set *tasks; /* borrowed; NULL: all rows are of one task */
    double *theta;         /* [count * dimension], unit cube */
    double *share;         /* tau / tau_max, in (0, 1] */
    int *level;            /* number of the tau level, from 0 */
    double *reps;          /* q */
    double *mean;          /* of the q scores, to be maximised */
    double *within;        /* sum of squares about it */
    int *task;             /* number of the task (tasks.h); 0 without tasks */
} observations;

besd_status observations_init(observations *o, size_t dimension, besd_error *error);
void observations_free(observations *o);

/* Appends a trial; `mean` and `within` may be 0 for one that is not told yet. */
besd_status observations_add(observations *o, const double *theta, double share, int level,
                             double reps, double mean, double within, besd_error *error);

/* Appends row j of other observations of the same dimension, with its task. */
besd_status observations_copy(observations *to, const observations *from, size_t j,
                              besd_error *error);

/* What a model expects of row j far from everything else, and the variance of its noise. Rows of
 * sources are centred, and have a noise of their own. */
double observation_mean(const observations *o, const hyperparameters *h, size_t j);
double observation_noise(const observations *o, const hyperparameters *h, size_t j);

/* Of one replication. */
double observation_rep_variance(const observations *o, const hyperparameters *h, size_t j);

/* Makes `some` of so many of the first `count` rows, evenly spread over them; of all, when they are
 * fewer. */
besd_status observations_thin(const observations *o, size_t count, size_t wanted,
                              observations *some, besd_error *error);

/* Rough estimates of variances before there is any model: pooled within trials, and of the trial
 * means. They set the scale on which hyperparameters are searched. Rows of sources do not count. */
typedef struct variance_estimates {
    double signal;   /* s^2 */
    double env, rep; /* noise that all replications of a trial share, and of one replication */
} variance_estimates;

variance_estimates estimate_variances(const observations *o);

#endif
