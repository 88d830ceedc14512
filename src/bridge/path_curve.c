#include "bridge/path_curve.h"

#include "study/method.h"

#include <math.h>

/* Does the study choose how many points its path has? Of the methods that have no model nothing can
 * be said. */
static bool points_vary(const besd_study *s, besd_path *p) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_study_get_path(s, p);
    return p->fewest > 0 && p->points > 1 && method_describe(o->method)->has_model;
}

/* The best path of so many points, which is the recommended one when it has as many. */
static besd_status find_point(besd_study *s, const besd_recommendation *r, path_curve_point *at,
                              besd_error *error) {
    double theta[BESD_MAX_DIMENSION];
    besd_forecast f = {.value = r->value, .low = r->low, .high = r->high};
    besd_status status = BESD_OK;
    if (besd_study_visited(s, r->theta, NULL) != at->points)
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
    if (!points_vary(s, &p))
        return BESD_OK;
    curve->visits = besd_study_visited(s, r->theta, NULL);
    size_t first = curve->visits < p.fewest ? curve->visits : p.fewest;
    for (size_t k = first; status == BESD_OK && k <= p.points; k++) {
        curve->of[curve->count].points = k;
        status = find_point(s, r, &curve->of[curve->count++], error);
    }
    return status;
}

size_t path_curve_rival(const path_curve *curve, besd_direction direction) {
    double chosen = NAN, sign = direction == BESD_MINIMIZE ? -1 : 1;
    for (size_t i = 0; i < curve->count; i++)
        if (curve->of[i].points == curve->visits)
            chosen = curve->of[i].value;
    for (size_t i = 0; i < curve->count; i++) {
        const path_curve_point *at = &curve->of[i];
        if (at->known && at->points != curve->visits && sign * at->value >= sign * chosen)
            return at->points;
    }
    return 0;
}
