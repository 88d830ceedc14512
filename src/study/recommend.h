/* What a study answers from what it was told: the design to recommend, and the curve over the
 * number of points for studies that choose that number. */
#ifndef BESD_STUDY_RECOMMEND_H
#define BESD_STUDY_RECOMMEND_H

#include "decide/targets.h"
#include "model/mixture.h"
#include "study/evidence.h"

/* What a recommendation is made from. */
typedef struct recommending {
    const study_spec *spec;
    const evidence *evidence;
    const mixture *model; /* without pending trials; empty for methods that have no model */
    targets *targets;
} recommending;

/* theta of r by the model: the largest mean - caution * sd at tau_max, found by climbing from the
 * best design under the model and from the tried designs. */
besd_status recommend_maximum(const recommending *from, besd_recommendation *r, besd_error *error);

/* theta, mean and sd of the trial with the best mean score: at the largest tau so far, or over all
 * tau levels. */
besd_status recommend_incumbent(const recommending *from, besd_recommendation *r,
                                besd_error *error);
besd_status recommend_incumbent_of_all(const recommending *from, besd_recommendation *r,
                                       besd_error *error);

/* What to expect from a path of so many points. */
typedef struct path_curve_point {
    size_t points;
    bool known; /* false: no such path was tried and none can be composed; the rest is NaN then */
    double value, low, high;
} path_curve_point;

typedef struct path_curve {
    size_t visits; /* points of the recommendation, which is on the curve */
    size_t count;  /* 0: the number of points is fixed, or the method has no model */
    path_curve_point of[BESD_MAX_DIMENSION];
} path_curve;

/* From the fewest points, or those of the recommendation if they are fewer, to the most. */
besd_status path_curve_find(besd_study *study, const besd_recommendation *r, path_curve *curve,
                            besd_error *error);

/* The smallest other number of points of which at least as much is expected as of the recommended
 * number; 0: there is none. */
size_t path_curve_rival(const path_curve *curve, besd_direction direction);

#endif
