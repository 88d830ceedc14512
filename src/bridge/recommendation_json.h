/* A recommendation as JSON, and what is to be said of it where the number of points of a path
 * varies. */
#ifndef BESD_BRIDGE_RECOMMENDATION_JSON_H
#define BESD_BRIDGE_RECOMMENDATION_JSON_H

#include "besd/besd.h"

#include <jansson.h>

/* NULL and a sentence when it cannot be had. */
json_t *recommendation_json(besd_study *study, const besd_recommendation *r, besd_error *error);

/* Does the study choose how many points its path has? Of the methods that have no model nothing can
 * be said. */
bool recommendation_points_vary(const besd_study *study, besd_path *path);

/* The best path of so many points, which is the recommended one when it has as many; not known:
 * none was tried, and none can be composed. */
besd_status recommendation_of_points(besd_study *study, const besd_recommendation *r, size_t points,
                                     besd_forecast *f, bool *known, besd_error *error);

#endif
