#include "bridge/path_curve.h"

#include "bridge/recommendation_json.h"

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
