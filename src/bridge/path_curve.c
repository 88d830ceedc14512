#include "bridge/path_curve.h"

#include "bridge/recommendation_json.h"

#include <math.h>

besd_status path_curve_find(besd_study *s, const besd_recommendation *r, path_curve *curve,
                            besd_error *error) {
    besd_path p;
    besd_status status = BESD_OK;
    *curve = (path_curve){0};
    if (!recommendation_points_vary(s, &p))
        return BESD_OK;
    curve->visits = besd_study_visited(s, r->theta, NULL);
    size_t first = curve->visits < p.fewest ? curve->visits : p.fewest;
    for (size_t k = first; status == BESD_OK && k <= p.points; k++) {
        path_curve_point *at = &curve->of[curve->count++];
        besd_forecast f;
        status = recommendation_of_points(s, r, k, &f, &at->known, error);
        at->points = k;
        at->value = f.value;
        at->low = f.low;
        at->high = f.high;
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
