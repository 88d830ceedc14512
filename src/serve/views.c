#include "serve/views.h"

#include "core/error.h"
#include "core/json.h"
#include "serve/ended.h"
#include "study/method.h"
#include "study/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *make_point(double cost, double best, const remembered *r) {
    json_t *point = json_pack("{s:o, s:o}", "cost", json_number(cost), "best", json_number(best));
    if (point && r) {
        json_object_set_new(point, "value", json_number(r->value));
        json_object_set_new(point, "low", json_number(r->low));
        json_object_set_new(point, "high", json_number(r->high));
    }
    return point;
}

json_t *view_curve(besd_study *study, const recommendations *recommended, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(study);
    double cost = 0, best = NAN;
    int64_t told = 0;
    size_t count;
    ended_trial *list;
    json_t *points = NULL;
    if (ended_read(study, &list, &count, error) == BESD_OK)
        points = json_array();
    for (size_t i = 0; points && i < count; i++) {
        const ended_trial *e = &list[i];
        bool better =
            e->told && e->full &&
            (isnan(best) || (o->direction == BESD_MINIMIZE ? e->mean < best : e->mean > best));
        cost += e->cost;
        told += e->told;
        best = better ? e->mean : best;
        const remembered *r = e->told ? memory_at(recommended, told) : NULL;
        if (better || r || i + 1 == count)
            json_array_append_new(points, make_point(cost, best, r));
    }
    free(list);
    return points ? json_pack("{s:o}", "points", points) : NULL;
}

enum { STEPS = 41 };

static json_t *make_slice(const besd_study_options *o, size_t coordinate, const double *thetas,
                          const besd_forecast *forecasts) {
    double x[STEPS], value[STEPS], low[STEPS], high[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        x[i] = thetas[i * o->dimension + coordinate];
        value[i] = forecasts[i].value;
        low[i] = forecasts[i].low;
        high[i] = forecasts[i].high;
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", o->names[coordinate], "x",
                     json_numbers(x, STEPS), "value", json_numbers(value, STEPS), "low",
                     json_numbers(low, STEPS), "high", json_numbers(high, STEPS));
}

/* Slice after slice. */
static void choose_places(const besd_study_options *o, const double *at, double *thetas,
                          int64_t *taus, size_t count) {
    size_t d = o->dimension;
    for (size_t i = 0; i < count; i++) {
        size_t c = i / STEPS, step = i % STEPS;
        memcpy(thetas + i * d, at, d * sizeof *thetas);
        thetas[i * d + c] = o->low[c] + (o->high[c] - o->low[c]) * (double)step / (STEPS - 1);
        taus[i] = o->taus[o->tau_count - 1];
    }
}

json_t *view_slices(besd_study *study, const besd_recommendation *at, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(study);
    size_t d = o->dimension, count = d * STEPS;
    if (!method_describe(o->method)->has_model) {
        besd_error_set(error, BESD_UNSUPPORTED, "slices: the method %s has no model",
                       besd_method_name((size_t)o->method));
        return NULL;
    }
    double *thetas = malloc(count * d * sizeof *thetas);
    int64_t *taus = malloc(count * sizeof *taus);
    besd_forecast *forecasts = malloc(count * sizeof *forecasts);
    json_t *list = NULL;
    if (!thetas || !taus || !forecasts) {
        besd_fail_memory(error, "the slices");
    } else {
        choose_places(o, at->theta, thetas, taus, count);
        if (besd_study_forecast_many(study, thetas, taus, count, forecasts, error) == BESD_OK)
            list = json_array();
    }
    for (size_t c = 0; list && c < d; c++)
        json_array_append_new(list,
                              make_slice(o, c, thetas + c * STEPS * d, forecasts + c * STEPS));
    free(thetas);
    free(taus);
    free(forecasts);
    return list ? json_pack("{s:o, s:o}", "at", json_numbers(at->theta, d), "coordinates", list)
                : NULL;
}
