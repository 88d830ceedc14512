#include "bridge/recommendation_json.h"

#include "bridge/trial_json.h"
#include "core/error.h"
#include "core/json.h"
#include "study/method.h"

#include <math.h>

bool recommendation_points_vary(const besd_study *s, besd_path *p) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_study_get_path(s, p);
    return p->fewest > 0 && p->points > 1 && method_describe(o->method)->has_model;
}

besd_status recommendation_of_points(besd_study *s, const besd_recommendation *r, size_t points,
                                     besd_forecast *f, bool *known, besd_error *error) {
    double theta[BESD_MAX_DIMENSION];
    *known = besd_study_visited(s, r->theta, NULL) == points;
    *f = (besd_forecast){.value = r->value, .low = r->low, .high = r->high};
    if (*known)
        return BESD_OK;
    besd_status status = besd_study_path_forecast(s, points, theta, f, error);
    *known = status == BESD_OK;
    if (!*known)
        f->value = f->low = f->high = NAN;
    return status == BESD_UNKNOWN ? BESD_OK : status;
}

static json_t *describe_points(besd_study *s, const besd_recommendation *r, besd_error *error) {
    besd_path p;
    if (!recommendation_points_vary(s, &p)) {
        json_t *nothing = json_object();
        if (!nothing)
            besd_fail_memory(error, "the recommendation");
        return nothing;
    }
    json_t *list = json_array();
    size_t visits = besd_study_visited(s, r->theta, NULL);
    for (size_t k = visits < p.fewest ? visits : p.fewest; k <= p.points; k++) {
        besd_forecast f;
        bool known;
        if (recommendation_of_points(s, r, k, &f, &known, error) != BESD_OK) {
            json_decref(list);
            return NULL;
        }
        if (json_array_append_new(list,
                                  json_pack("{s:I, s:o, s:o, s:o}", "points", (json_int_t)k,
                                            "value", json_number(f.value), "low",
                                            json_number(f.low), "high", json_number(f.high)))) {
            besd_fail_memory(error, "the recommendation");
            json_decref(list);
            return NULL;
        }
    }
    json_t *object = json_pack("{s:I, s:o}", "visits", (json_int_t)visits, "by_points", list);
    if (!object)
        besd_fail_memory(error, "the recommendation");
    return object;
}

json_t *recommendation_json(besd_study *s, const besd_recommendation *r, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    json_t *json = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o}", "theta", trial_theta(o, r->theta),
        "theta_array", json_numbers(r->theta, o->dimension), "mean", json_number(r->mean), "sd",
        json_number(r->sd), "value", json_number(r->value), "low", json_number(r->low), "high",
        json_number(r->high), "tried", (json_int_t)r->tried, "trials", (json_int_t)r->trials,
        "cost", json_number(r->cost));
    if (json && !isnan(r->better) &&
        (json_object_set_new(json, "baseline", json_number(o->baseline)) ||
         json_object_set_new(json, "better", json_number(r->better)))) {
        json_decref(json);
        json = NULL;
    }
    json_t *points = json ? describe_points(s, r, error) : NULL;
    if (json && !points) {
        json_decref(json);
        return NULL;
    }
    json = json_joined(json, points);
    if (!json)
        besd_fail_memory(error, "the recommendation");
    return json;
}
