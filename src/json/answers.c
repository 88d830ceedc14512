#include "json/answers.h"

#include "core/error.h"
#include "core/json.h"
#include "study/recommend.h"
#include "study/study.h"
#include "json/trial.h"

#include <math.h>
#include <string.h>

json_t *event_json(const besd_event *e) {
    json_error_t fault;
    json_t *detail = e->detail && e->detail[0] ? json_read(e->detail, strlen(e->detail), 0, &fault)
                                               : json_null();
    return json_pack("{s:I, s:o, s:s+, s:s, s:o, s:o}", "id", (json_int_t)e->id, "at",
                     json_number(e->at), "who", e->who ? e->who : "", "", "what", e->what, "trial",
                     e->trial ? json_integer(e->trial) : json_null(), "detail", detail);
}

static json_t *describe_candidate(const besd_study_options *o, const besd_candidate *c) {
    return json_joined(theta_json(o->names, c->theta, o->dimension),
                       json_pack("{s:I, s:i, s:o, s:o, s:o}", "tau", (json_int_t)c->tau, "reps",
                                 c->reps, "cost", json_number(c->cost), "kg", json_number(c->kg),
                                 "log_kg", json_number(c->log_kg)));
}

json_t *explanation_json(const besd_study_options *o, const besd_explanation *x) {
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; i < x->candidate_count; i++)
        failed |= json_array_append_new(list, describe_candidate(o, &x->candidates[i]));
    json_t *candidates = failed ? NULL : json_pack("{s:O}", "candidates", list);
    json_decref(list);
    return json_joined(explanation_kept(x), candidates);
}

static json_t *describe_point(const path_curve_point *at) {
    return json_pack("{s:I, s:o, s:o, s:o}", "points", (json_int_t)at->points, "value",
                     json_number(at->value), "low", json_number(at->low), "high",
                     json_number(at->high));
}

static json_t *describe_points(besd_study *s, const besd_recommendation *r, besd_error *error) {
    path_curve curve;
    if (path_curve_find(s, r, &curve, error) != BESD_OK)
        return NULL;
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; i < curve.count; i++)
        failed |= json_array_append_new(list, describe_point(&curve.of[i]));
    json_t *object = failed        ? NULL
                     : curve.count ? json_pack("{s:I, s:O}", "visits", (json_int_t)curve.visits,
                                               "by_points", list)
                                   : json_object();
    json_decref(list);
    if (!object)
        besd_fail_memory(error, "the recommendation");
    return object;
}

static json_t *describe_promise(const besd_study_options *o, const besd_recommendation *r) {
    return json_joined(theta_json(o->names, r->theta, o->dimension),
                       json_pack("{s:o, s:o, s:o, s:o, s:o, s:I}", "mean", json_number(r->mean),
                                 "sd", json_number(r->sd), "value", json_number(r->value), "low",
                                 json_number(r->low), "high", json_number(r->high), "tried",
                                 (json_int_t)r->tried));
}

/* A design for every task, and what it is worth to know the task. */
static json_t *describe_tasks(besd_study *s, const besd_tasks *tasks, besd_error *error) {
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; !failed && i < tasks->count; i++) {
        besd_recommendation r;
        failed = besd_study_recommend_task(s, (int64_t)i, &r, error) != BESD_OK;
        json_t *one = failed ? NULL
                             : json_joined(json_pack("{s:s, s:o}", "task", tasks->names[i],
                                                     "weight", json_number(tasks->weights[i])),
                                           describe_promise(besd_study_get_options(s), &r));
        failed = failed || json_array_append_new(list, one);
    }
    besd_task_worth worth;
    failed = failed || besd_study_task_worth(s, &worth, error) != BESD_OK;
    json_t *object = failed ? NULL
                            : json_pack("{s:O, s:{s:o, s:o, s:o}}", "tasks", list, "task_worth",
                                        "value", json_number(worth.value), "low",
                                        json_number(worth.low), "high", json_number(worth.high));
    json_decref(list);
    return object;
}

static json_t *describe_source(const besd_source *from) {
    return json_pack("{s:s+, s:s+, s:I, s:I, s:o, s:o, s:o}", "name", from->name, "", "matched",
                     from->matched, "", "trials", (json_int_t)from->trials, "rows",
                     (json_int_t)from->rows, "likeness", json_number(from->likeness), "related",
                     json_number(from->related), "share", json_number(from->share));
}

json_t *sources_json(besd_study *s, besd_error *error) {
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; !failed && i < besd_study_source_count(s); i++) {
        besd_source from;
        failed = besd_study_source(s, i, &from, error) != BESD_OK ||
                 json_array_append_new(list, describe_source(&from));
    }
    json_t *object = failed ? NULL : json_pack("{s:O}", "sources", list);
    json_decref(list);
    return object;
}

/* The warning, or null. */
static json_t *describe_warning(const besd_recommendation *r) {
    char text[BESD_ERROR_MESSAGE_SIZE];
    besd_recommendation_warning(r, text);
    return *text ? json_string(text) : json_null();
}

json_t *recommendation_json(besd_study *s, const besd_recommendation *r, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    json_t *json =
        json_joined(theta_json(o->names, r->theta, o->dimension),
                    json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:I, s:o}", "mean",
                              json_number(r->mean), "sd", json_number(r->sd), "value",
                              json_number(r->value), "low", json_number(r->low), "high",
                              json_number(r->high), "tried", (json_int_t)r->tried, "alike",
                              (json_int_t)r->alike, "warning", describe_warning(r), "trials",
                              (json_int_t)r->trials, "cost", json_number(r->cost)));
    if (json && !isinf(o->baseline) &&
        (json_object_set_new(json, "baseline", json_number(o->baseline)) ||
         json_object_set_new(json, "baseline_error", json_number(o->baseline_error)) ||
         json_object_set_new(json, "better", json_number(r->better)))) {
        json_decref(json);
        json = NULL;
    }
    besd_tasks tasks;
    besd_study_get_tasks(s, &tasks);
    if (json && tasks.count)
        json = json_joined(json, describe_tasks(s, &tasks, error));
    if (json && besd_study_source_count(s))
        json = json_joined(json, sources_json(s, error));
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

json_t *forecast_json(const besd_study_options *o, const double *theta, int64_t tau,
                      const besd_forecast *f) {
    return json_joined(theta_json(o->names, theta, o->dimension),
                       json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:o}", "tau", (json_int_t)tau,
                                 "mean", json_number(f->mean), "sd", json_number(f->sd), "value",
                                 json_number(f->value), "low", json_number(f->low), "high",
                                 json_number(f->high), "tried", (json_int_t)f->tried, "better",
                                 json_number(f->better)));
}

json_t *budget_json(double budget, double spent) {
    return json_pack("{s:o, s:o}", "budget", json_number(budget), "spent", json_number(spent));
}

json_t *added_json(int64_t first, size_t added, size_t skipped) {
    return json_pack("{s:I, s:I, s:I}", "first", (json_int_t)first, "added", (json_int_t)added,
                     "skipped", (json_int_t)skipped);
}
