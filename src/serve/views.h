/* What the live page draws: curves over cost, slices of the posterior, and the map. */
#ifndef BESD_SERVE_VIEWS_H
#define BESD_SERVE_VIEWS_H

#include "serve/memory.h"

#include <jansson.h>

/* The best mean score at the largest tau, and what was recommended, over the cost of the trials in
 * the order in which they ended: {"points": [...]}, a point where something changes. */
json_t *view_curve(besd_study *study, const recommendations *recommended, besd_error *error);

/* What the model expects along each coordinate, the others kept at the recommendation, in the units
 * of the scores; BESD_INVALID or BESD_UNSUPPORTED when there is no model. */
json_t *view_slices(besd_study *study, const besd_recommendation *at, besd_error *error);

/* The ground of the study's designs: a built-in domain's map or mountain, the map that the study
 * keeps, or the box of a path's points; BESD_UNKNOWN when it is about none. Nothing that the study
 * names is opened or run. */
json_t *view_map(besd_study *study, besd_error *error);

#endif
