/* The best design the model knows: the maximum of the posterior mean at tau_max. */
#ifndef BESD_DECIDE_MAXIMISE_H
#define BESD_DECIDE_MAXIMISE_H

#include "model/mixture.h"

/* Starts from the best few of `points` [count * dimension] and, unless `discrete`, climbs inside
 * the unit cube. theta and mean receive the maximiser and its posterior mean. count >= 1. */
besd_status maximise_mean(const mixture *model, const double *points, size_t count, bool discrete,
                          double *theta, double *mean, besd_error *error);

#endif
