/* A recommendation as JSON, and what is to be said of it where the number of points of a path
 * varies. */
#ifndef BESD_BRIDGE_RECOMMENDATION_JSON_H
#define BESD_BRIDGE_RECOMMENDATION_JSON_H

#include "besd/besd.h"

#include <jansson.h>

/* NULL and a sentence when it cannot be had. */
json_t *recommendation_json(besd_study *study, const besd_recommendation *r, besd_error *error);

#endif
