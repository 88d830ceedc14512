/* Rough estimates of variances, before any model: pooled within trials, and of the trial means. The
 * scale on which hyperparameters are looked for. */
#ifndef BESD_MODEL_VARIANCES_H
#define BESD_MODEL_VARIANCES_H

#include "model/observations.h"

typedef struct variance_estimates {
    double signal, env, rep; /* s^2; noise that a trial shares, and of one replication */
} variance_estimates;

variance_estimates estimate_variances(const observations *o);

#endif
