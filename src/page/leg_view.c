#include "page/leg_view.h"

#include "core/error.h"
#include "core/json.h"
#include "study/leg_survey.h"
#include "study/recommend.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

/* More arrows than this would hide each other on any map. */
enum { MOST_TRIED = 120 };

/* Null for a place that is not known. */
static json_t *place_json(const double *place, size_t coordinates) {
    return isnan(place[0]) ? json_null() : json_numbers(place, coordinates);
}

static json_t *leg_json(const leg_known *leg, size_t coordinates) {
    return json_pack("{s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:b}", "from",
                     place_json(leg->from, coordinates), "to", place_json(leg->to, coordinates),
                     "first", leg->is_first, "last", leg->is_last, "value", json_number(leg->value),
                     "low", json_number(leg->low), "high", json_number(leg->high), "mean",
                     json_number(leg->mean), "sd", json_number(leg->sd), "tried",
                     (json_int_t)leg->tried, "worked", (json_int_t)leg->worked, "seen",
                     (json_int_t)leg->seen, "doubtful", leg->is_doubtful);
}

static json_t *legs_json(const leg_known *legs, size_t count, size_t coordinates) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_add(&list, leg_json(&legs[i], coordinates));
    return list;
}

/* Do both paths visit the same places? */
static bool is_same(const leg_survey *a, const leg_survey *b, size_t coordinates) {
    bool same = a->design_count == b->design_count;
    for (size_t i = 0; same && i + 1 < a->design_count; i++)
        same = !memcmp(a->of_design[i].to, b->of_design[i].to, coordinates * sizeof(double));
    return same;
}

/* The path of the best legs; null when none can be composed. */
static json_t *composed_json(besd_study *study, const leg_survey *recommended, size_t coordinates,
                             besd_error *error) {
    leg_survey s;
    if (isnan(recommended->composed_promise))
        return json_null();
    if (leg_survey_init(&s, study, recommended->composed, 0, 0, error) != BESD_OK)
        return NULL;
    json_t *object = json_pack("{s:o, s:b, s:o}", "promise", json_number(s.promise), "same",
                               is_same(recommended, &s, coordinates), "legs",
                               legs_json(s.of_design, s.design_count, coordinates));
    leg_survey_free(&s);
    return object;
}

/* The newest trial, and the newest that was chosen for its legs; 0: there is none. */
typedef struct newest {
    besd_trial any, for_legs;
} newest;

static besd_status note_newest(void *context, const trial_facts *f, bool *go_on,
                               besd_error *error) {
    newest *n = context;
    (void)error;
    *go_on = true;
    n->any = f->trial;
    if (f->trial.reason == BESD_REASON_LEGS)
        n->for_legs = f->trial;
    return BESD_OK;
}

/* Was the trial to teach something, and did nobody void it? */
static bool could_teach(const besd_trial *t) {
    return t->id && t->reason != BESD_REASON_CONFIRM && t->reason != BESD_REASON_ADDED &&
           t->state != BESD_TRIAL_VOIDED;
}

static besd_status add_before(json_t **list, besd_study *study, const besd_trial *trial,
                              size_t coordinates, besd_error *error) {
    besd_trial t;
    leg_survey s;
    if (!could_teach(trial))
        return BESD_OK;
    besd_status status = besd_study_trial(study, trial->id, &t, error);
    if (status == BESD_OK)
        status = leg_survey_init(&s, study, t.theta, 0, t.id, error);
    if (status != BESD_OK) /* nothing was known of legs then */
        return status == BESD_UNSUPPORTED ? BESD_OK : status;
    json_add(list, json_pack("{s:I, s:o}", "trial", (json_int_t)t.id, "legs",
                             legs_json(s.of_design, s.design_count, coordinates)));
    leg_survey_free(&s);
    return BESD_OK;
}

static json_t *before_json(besd_study *study, size_t coordinates, besd_error *error) {
    newest n = {0};
    json_t *list = json_array();
    besd_status status = study_list(study, 0, note_newest, &n, error);
    if (status == BESD_OK)
        status = add_before(&list, study, &n.any, coordinates, error);
    if (status == BESD_OK && n.for_legs.id != n.any.id)
        status = add_before(&list, study, &n.for_legs, coordinates, error);
    if (status == BESD_OK)
        return list;
    json_decref(list);
    return NULL;
}

/* What to expect of how many points; null where their number is fixed. */
static json_t *numbers_json(besd_study *study, const besd_recommendation *at, besd_error *error) {
    path_curve curve;
    json_t *points = json_array();
    besd_status status = path_curve_find(study, at, &curve, error);
    for (size_t i = 0; status == BESD_OK && i < curve.count; i++)
        json_add(&points,
                 json_pack("{s:I, s:o, s:o, s:o}", "points", (json_int_t)curve.of[i].points,
                           "value", json_number(curve.of[i].value), "low",
                           json_number(curve.of[i].low), "high", json_number(curve.of[i].high)));
    if (status == BESD_OK && curve.count) {
        size_t rival = path_curve_rival(&curve, besd_study_get_options(study)->direction);
        return json_pack("{s:I, s:I, s:o}", "visits", (json_int_t)curve.visits, "rival",
                         (json_int_t)rival, "points", points);
    }
    json_decref(points);
    return status == BESD_OK ? json_null() : NULL;
}

json_t *leg_view(besd_study *study, const besd_recommendation *at, besd_error *error) {
    besd_path path;
    leg_survey s;
    bool is_time = besd_study_get_options(study)->direction == BESD_MINIMIZE;
    besd_study_get_path(study, &path);
    if (!path.points) {
        besd_error_set(error, BESD_UNSUPPORTED, "legs: theta of this study is no path");
        return NULL;
    }
    if (leg_survey_init(&s, study, at->theta, MOST_TRIED, 0, error) != BESD_OK)
        return NULL;
    size_t coordinates = path.coordinates;
    besd_error_set(error, BESD_MEMORY, "out of memory while telling legs");
    json_t *object = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "counts", is_time ? "time" : "earned",
        "promise", json_number(s.promise), "spread", json_number(s.spread), "path",
        legs_json(s.of_design, s.design_count, coordinates), "composed",
        composed_json(study, &s, coordinates, error), "tried",
        legs_json(s.tried, s.tried_count, coordinates), "untold", (json_int_t)s.untold, "before",
        before_json(study, coordinates, error), "numbers", numbers_json(study, at, error));
    leg_survey_free(&s);
    return object;
}
