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

/* Ninety percent of a normal distribution are within so many standard deviations. */
static const double NINETY = 1.6448536269514722;

/* What the forecast at the recommendation adds to the latent performance there: a mean of scores is
 * not the score of a mean logarithm, and the model has a doubt in itself. It is taken for the same
 * everywhere, because a forecast at every place would cost a model each. */
typedef struct correction {
    double shift, doubt; /* doubt: a variance */
} correction;

static double to_model(const besd_study_options *o, double score) {
    double value = o->transform == BESD_TRANSFORM_LOG ? log(score) : score;
    return o->direction == BESD_MINIMIZE ? -value : value;
}

static correction correct(const besd_study_options *o, const besd_recommendation *r, double mean,
                          double sd) {
    double shift = o->transform == BESD_TRANSFORM_LOG ? to_model(o, r->value) - mean : 0;
    double half = fabs(to_model(o, r->high) - to_model(o, r->low)) / 2 / NINETY;
    double doubt = half * half - sd * sd;
    return (correction){isfinite(shift) ? shift : 0, isfinite(doubt) && doubt > 0 ? doubt : 0};
}

/* No score is better than the best possible. */
static double possible(const besd_study_options *o, double score) {
    return isinf(o->best_possible)         ? score
           : o->direction == BESD_MINIMIZE ? fmax(score, o->best_possible)
                                           : fmin(score, o->best_possible);
}

static json_t *make_slice(const besd_study_options *o, size_t coordinate, const double *thetas,
                          const double *means, const double *sds, const correction *c) {
    double x[STEPS], value[STEPS], low[STEPS], high[STEPS];
    for (size_t i = 0; i < STEPS; i++) {
        double mean = means[i] + c->shift, half = NINETY * sqrt(sds[i] * sds[i] + c->doubt);
        double one = possible(o, spec_score(o, mean - half));
        double other = possible(o, spec_score(o, mean + half));
        x[i] = thetas[i * o->dimension + coordinate];
        value[i] = possible(o, spec_score(o, mean));
        low[i] = fmin(one, other);
        high[i] = fmax(one, other);
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", o->names[coordinate], "x",
                     json_numbers(x, STEPS), "value", json_numbers(value, STEPS), "low",
                     json_numbers(low, STEPS), "high", json_numbers(high, STEPS));
}

/* The recommendation first, then slice after slice. */
static void choose_places(const besd_study_options *o, const double *at, double *thetas,
                          int64_t *taus, size_t count) {
    size_t d = o->dimension;
    for (size_t i = 0; i < count; i++) {
        memcpy(thetas + i * d, at, d * sizeof *thetas);
        taus[i] = o->taus[o->tau_count - 1];
    }
    for (size_t i = 1; i < count; i++) {
        size_t c = (i - 1) / STEPS, step = (i - 1) % STEPS;
        thetas[i * d + c] = o->low[c] + (o->high[c] - o->low[c]) * (double)step / (STEPS - 1);
    }
}

json_t *view_slices(besd_study *study, const besd_recommendation *at, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(study);
    size_t d = o->dimension, count = 1 + d * STEPS;
    if (!method_describe(o->method)->has_model) {
        besd_error_set(error, BESD_UNSUPPORTED, "slices: the method %s has no model",
                       besd_method_name((size_t)o->method));
        return NULL;
    }
    double *thetas = malloc(count * d * sizeof *thetas), *means = malloc(count * sizeof *means);
    double *sds = malloc(count * sizeof *sds);
    int64_t *taus = malloc(count * sizeof *taus);
    json_t *list = NULL;
    if (!thetas || !means || !sds || !taus) {
        besd_fail_memory(error, "the slices");
    } else {
        choose_places(o, at->theta, thetas, taus, count);
        if (besd_study_predict_many(study, thetas, taus, count, means, sds, error) == BESD_OK)
            list = json_array();
    }
    for (size_t c = 0; list && c < d; c++) {
        const correction own = correct(o, at, means[0], sds[0]);
        size_t first = 1 + c * STEPS;
        json_array_append_new(
            list, make_slice(o, c, thetas + first * d, means + first, sds + first, &own));
    }
    free(thetas);
    free(means);
    free(sds);
    free(taus);
    return list ? json_pack("{s:o, s:o}", "at", json_numbers(at->theta, d), "coordinates", list)
                : NULL;
}
