/* What to expect from how many points, for studies that choose their number. */
#ifndef BESD_BRIDGE_PATH_CURVE_H
#define BESD_BRIDGE_PATH_CURVE_H

#include "besd/besd.h"

typedef struct path_curve_point {
    size_t points;
    bool known; /* else none was tried and none can be composed, and the rest is NaN */
    double value, low, high;
} path_curve_point;

typedef struct path_curve {
    size_t visits; /* points of the recommendation, one of the curve */
    size_t count;  /* 0: the number is fixed, or the method has no model that could say */
    path_curve_point of[BESD_MAX_DIMENSION];
} path_curve;

/* From the fewest points, or those of the recommendation, to the most. */
besd_status path_curve_find(besd_study *study, const besd_recommendation *r, path_curve *curve,
                            besd_error *error);

/* Another number, the fewest such, of which no less is expected than of the recommended one; 0:
 * there is none. */
size_t path_curve_rival(const path_curve *curve, besd_direction direction);

#endif
