#include "study/path_curve.h"

#include "study/method.h"

#include <math.h>

static bool number_varies(const besd_study *s, besd_path *p) {
    besd_study_get_path(s, p);
    return p->fewest > 0 && p->points > 1 &&
           method_describe(besd_study_get_options(s)->method)->has_model;
}

/* The best path of so many points, which is the recommended one when it has as many. */
static besd_status expect(besd_study *s, const besd_recommendation *r, size_t visits,
                          path_curve_point *at, besd_error *error) {
    double theta[BESD_MAX_DIMENSION];
    besd_forecast f = {.value = r->value, .low = r->low, .high = r->high};
    besd_status status = BESD_OK;
    if (visits != at->points)
        status = besd_study_path_forecast(s, at->points, theta, &f, error);
    at->known = status == BESD_OK;
    at->value = at->known ? f.value : NAN;
    at->low = at->known ? f.low : NAN;
    at->high = at->known ? f.high : NAN;
    return status == BESD_UNKNOWN ? BESD_OK : status;
}

besd_status path_curve_find(besd_study *s, const besd_recommendation *r, path_curve *curve,
                            besd_error *error) {
    besd_path p;
    besd_status status = BESD_OK;
    *curve = (path_curve){0};
    if (!number_varies(s, &p))
        return BESD_OK;
    curve->visits = besd_study_visited(s, r->theta, NULL);
    size_t first = curve->visits < p.fewest ? curve->visits : p.fewest;
    for (size_t k = first; status == BESD_OK && k <= p.points; k++) {
        path_curve_point *at = &curve->of[curve->count++];
        at->points = k;
        status = expect(s, r, curve->visits, at, error);
    }
    return status;
}
