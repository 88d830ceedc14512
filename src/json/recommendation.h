/* A recommendation as JSON, and what is to be said of it where the number of points of a path
 * varies. */
#ifndef BESD_JSON_RECOMMENDATION_H
#define BESD_JSON_RECOMMENDATION_H

#include "besd/besd.h"

#include <jansson.h>

/* NULL and a sentence when it cannot be had. */
json_t *recommendation_json(besd_study *study, const besd_recommendation *r, besd_error *error);

/* What is expected of a design at this tau: theta, tau, mean, sd, value, low, high, tried and
 * better, which is null without a baseline. NULL without memory. */
json_t *forecast_json(const besd_study_options *study, const double *theta, int64_t tau,
                      const besd_forecast *forecast);

#endif
