#include "page/views.h"

#include "core/error.h"
#include "core/json.h"
#include "study/method.h"
#include "json/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The index of this number of trials, or where it would be inserted. */
static size_t place_of(const recommendations *m, int64_t trials) {
    size_t at = m->count;
    while (at > 0 && m->of[at - 1].trials >= trials)
        at--;
    return at;
}

/* Forgets every second one, but neither the first nor the newest. */
static void thin_out(recommendations *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->count; i++)
        if (i % 2 == 0 || i + 1 == m->count)
            m->of[kept++] = m->of[i];
    m->count = kept;
}

void recommendations_keep(recommendations *m, const besd_recommendation *r) {
    remembered new = {r->trials, r->value, r->low, r->high};
    size_t at = place_of(m, r->trials);
    if (at < m->count && m->of[at].trials == r->trials) {
        m->of[at] = new;
        return;
    }
    if (m->count == RECOMMENDATIONS_MOST) {
        thin_out(m);
        at = place_of(m, r->trials);
    }
    memmove(m->of + at + 1, m->of + at, (m->count - at) * sizeof *m->of);
    m->of[at] = new;
    m->count++;
}

const remembered *recommendations_at(const recommendations *m, int64_t trials) {
    size_t at = place_of(m, trials);
    return at < m->count && m->of[at].trials == trials ? &m->of[at] : NULL;
}

/* A trial that is over. */
typedef struct ended_trial {
    int64_t id;
    double at, cost, mean;
    bool told, full; /* full: at the largest tau */
} ended_trial;

static int compare_ends(const void *a, const void *b) {
    const ended_trial *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->id > y->id) - (x->id < y->id);
}

static besd_status read_ended_trial(besd_study *s, int64_t id, ended_trial *e, bool *over,
                                    besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_trial t;
    besd_work w;
    besd_status status = besd_study_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = besd_study_work(s, id, &w, error);
    if (status != BESD_OK)
        return status;
    *over = t.state != BESD_TRIAL_ASKED && t.state != BESD_TRIAL_WAITING;
    *e = (ended_trial){.id = id,
                       .at = w.ended,
                       .cost = t.cost,
                       .mean = t.mean,
                       .told = t.state == BESD_TRIAL_TOLD,
                       .full = t.tau == o->taus[o->tau_count - 1]};
    return BESD_OK;
}

/* The trials that are over, in the order in which they ended. The caller frees the list, also after
 * a failure. */
static besd_status read_ended(besd_study *s, ended_trial **list, size_t *count, besd_error *error) {
    int64_t trials = 0;
    *count = 0;
    besd_status status = besd_study_trial_count(s, &trials, error);
    *list = status == BESD_OK ? malloc(((size_t)trials + 1) * sizeof **list) : NULL;
    if (status == BESD_OK && !*list)
        return besd_fail_memory(error, "the trials");
    for (int64_t id = 1; status == BESD_OK && id <= trials; id++) {
        bool over = false;
        status = read_ended_trial(s, id, *list + *count, &over, error);
        *count += over;
    }
    if (status == BESD_OK)
        qsort(*list, *count, sizeof **list, compare_ends);
    return status;
}

static json_t *make_point(double cost, double best, const remembered *r) {
    json_t *point = json_pack("{s:o, s:o}", "cost", json_number(cost), "best", json_number(best));
    if (r) {
        json_put(&point, "value", json_number(r->value));
        json_put(&point, "low", json_number(r->low));
        json_put(&point, "high", json_number(r->high));
    }
    return point;
}

json_t *view_curve(besd_study *study, const recommendations *recommended, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(study);
    double cost = 0, best = NAN;
    int64_t told = 0;
    size_t count;
    ended_trial *list;
    json_t *points = json_array(), *curve = NULL;
    besd_status status = read_ended(study, &list, &count, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        const ended_trial *e = &list[i];
        bool better =
            e->told && e->full &&
            (isnan(best) || (o->direction == BESD_MINIMIZE ? e->mean < best : e->mean > best));
        cost += e->cost;
        told += e->told;
        best = better ? e->mean : best;
        const remembered *r = e->told ? recommendations_at(recommended, told) : NULL;
        if (better || r || i + 1 == count)
            json_add(&points, make_point(cost, best, r));
    }
    free(list);
    if (status == BESD_OK && !(curve = json_pack("{s:O}", "points", points)))
        besd_fail_memory(error, "the curve");
    json_decref(points);
    return curve;
}

/* Hindsight begins at so many trials, and cuts the curve into so many parts. */
enum { FEWEST = 3, PARTS = 12 };

int64_t hindsight_next(const recommendations *known, int64_t told) {
    int64_t before = FEWEST - 1, widest = told / PARTS > 1 ? told / PARTS : 1, middle = 0;
    for (size_t i = 0; i <= known->count; i++) {
        int64_t here = i < known->count && known->of[i].trials < told ? known->of[i].trials : told;
        if (here - before > widest) {
            widest = here - before;
            middle = before + (here - before) / 2;
        }
        before = here > before ? here : before;
    }
    return told <= HINDSIGHT_MOST && middle >= FEWEST ? middle : 0;
}

static besd_status copy_legs(besd_study *study, const ended_trial *e, size_t scores,
                             besd_leg **legs, besd_error *error) {
    besd_path p;
    size_t count = 0;
    besd_study_get_path(study, &p);
    *legs = NULL;
    if (!p.points)
        return BESD_OK;
    *legs = malloc(scores * (p.points + 1) * sizeof **legs);
    if (!*legs)
        return besd_fail_memory(error, "the legs");
    besd_status status =
        besd_study_legs(study, e->id, *legs, scores * (p.points + 1), &count, error);
    if (!count) {
        free(*legs);
        *legs = NULL;
    }
    return status;
}

static besd_status copy_trial(besd_study *study, const ended_trial *e, besd_study *copy,
                              besd_error *error) {
    double scores[BESD_MAX_REPS];
    besd_trial t;
    besd_leg *legs;
    size_t count = 0;
    int64_t id;
    besd_status status = besd_study_trial(study, e->id, &t, error);
    if (status == BESD_OK)
        status = besd_study_scores(study, e->id, scores, BESD_MAX_REPS, &count, error);
    if (status == BESD_OK && !count)
        return besd_fail(error, BESD_UNSUPPORTED,
                         "trial %lld was told as a summary, without scores", (long long)e->id);
    if (status == BESD_OK)
        status = copy_legs(study, e, count, &legs, error);
    if (status != BESD_OK)
        return status;
    besd_result r = {.theta = t.theta,
                     .tau = t.tau,
                     .scores = scores,
                     .count = count,
                     .cost = t.cost,
                     .legs = legs};
    status = besd_study_add(copy, &r, 1, &id, error);
    free(legs);
    return status;
}

/* A study in memory with the same space and options, and no budget. */
static besd_status begin_copy(besd_study *study, besd_study **copy, besd_error *error) {
    besd_study_options o = *besd_study_get_options(study);
    besd_path p;
    o.budget = INFINITY;
    besd_study_get_path(study, &p);
    besd_status status = besd_study_open(copy, NULL, &o, error);
    return status == BESD_OK && p.points ? besd_study_set_path(*copy, &p, error) : status;
}

besd_status hindsight_recommend(besd_study *study, int64_t told, besd_recommendation *r,
                                besd_error *error) {
    besd_study *copy = NULL;
    ended_trial *list = NULL;
    size_t count = 0;
    const besd_study_options *o = besd_study_get_options(study);
    if (!method_describe(o->method)->has_model)
        return besd_fail(error, BESD_UNSUPPORTED, "the method %s has no model to look back with",
                         besd_method_name((size_t)o->method));
    besd_status status = read_ended(study, &list, &count, error);
    if (status == BESD_OK)
        status = begin_copy(study, &copy, error);
    for (size_t i = 0; status == BESD_OK && told > 0 && i < count; i++)
        if (list[i].told) {
            status = copy_trial(study, &list[i], copy, error);
            told--;
        }
    if (status == BESD_OK)
        status = besd_study_recommend(copy, r, error);
    besd_study_close(copy);
    free(list);
    return status;
}

/* Places along one slice. */
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

/* The places of all slices, one slice after the other. */
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
    json_t *list = json_array(), *slices = NULL;
    besd_status status = BESD_MEMORY;
    if (thetas && taus && forecasts) {
        choose_places(o, at->theta, thetas, taus, count);
        status = besd_study_forecast_many(study, thetas, taus, count, forecasts, error);
    }
    for (size_t c = 0; status == BESD_OK && c < d; c++)
        json_add(&list, make_slice(o, c, thetas + c * STEPS * d, forecasts + c * STEPS));
    if (status == BESD_OK)
        slices = json_joined(theta_json(o->names, at->theta, d),
                             json_pack("{s:O}", "coordinates", list));
    if (!slices && (status == BESD_OK || status == BESD_MEMORY))
        besd_fail_memory(error, "the slices");
    json_decref(list);
    free(thetas);
    free(taus);
    free(forecasts);
    return slices;
}
