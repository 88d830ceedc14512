#include "json/trial.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/json.h"
#include "core/rng.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *make_seed(uint64_t seed, rng_purpose purpose, int replication) {
    return json_integer((json_int_t)(rng_seed(seed, purpose, 0, (uint64_t)replication, 0) >> 11));
}

json_t *theta_json(const char *const *names, const double *theta, size_t count) {
    if (!theta)
        return json_pack("{s:n, s:n}", "theta", "theta_array");
    json_t *named = json_object(), *array = json_numbers(theta, count), *both = NULL;
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        failed |= json_object_set_new(named, names[i], json_number(theta[i]));
    if (!failed)
        both = json_pack("{s:O, s:O}", "theta", named, "theta_array", array);
    json_decref(named);
    json_decref(array);
    return both;
}

json_t *request_json(const besd_study_options *study, const answer_route *route,
                     const besd_trial *trial) {
    json_t *seeds = json_array();
    int failed = !seeds;
    for (int i = 0; i < trial->reps; i++)
        failed |= json_array_append_new(seeds, make_seed(trial->seed, RNG_AGENT, i));
    json_t *request = json_joined(json_pack("{s:I}", "trial", (json_int_t)trial->id),
                                  theta_json(study->names, trial->theta, study->dimension));
    request = json_joined(
        request, json_pack("{s:I, s:i, s:I, s:I, s:o, s:o}", "tau", (json_int_t)trial->tau, "reps",
                           trial->reps, "seed", (json_int_t)trial->seed, "seed32",
                           (json_int_t)(trial->seed & 0xffffffff), "instance_seed",
                           make_seed(trial->seed, RNG_INSTANCE, 0), "replication_seeds", seeds));
    if (request && route)
        failed |= json_object_set_new(request, "points", answer_points(route, trial->theta));
    if (request && failed) {
        json_decref(request);
        return NULL;
    }
    return request;
}

/* Sets a member. The value is NULL only when memory is short. */
static besd_status set(json_t *object, const char *member, json_t *value, besd_error *error) {
    return json_object_set_new(object, member, value) ? besd_fail_memory(error, "a trial")
                                                      : BESD_OK;
}

static besd_status add_legs(besd_study *s, const besd_trial *t, json_t *object, besd_error *error) {
    besd_path p;
    besd_study_get_path(s, &p);
    size_t capacity = t->score_count * (p.points + 1), count = 0;
    besd_leg *legs = p.points ? malloc((capacity + 1) * sizeof *legs) : NULL;
    if (!legs)
        return p.points ? besd_fail_memory(error, "the legs") : BESD_OK;
    besd_status status = besd_study_legs(s, t->id, legs, capacity, &count, error);
    if (status == BESD_OK && count)
        status = set(object, "legs", answer_show_legs(legs, count, p.points), error);
    if (status == BESD_OK && count && besd_study_get_options(s)->direction == BESD_MAXIMIZE)
        status = set(object, "earned", answer_show_earned(legs, count, p.points), error);
    if (status == BESD_OK && count && p.labels)
        status = set(object, "labels", answer_show_labels(legs, count, p.points), error);
    free(legs);
    return status;
}

static besd_status add_scores(besd_study *s, const besd_trial *t, json_t *object,
                              besd_error *error) {
    double scores[BESD_MAX_REPS];
    size_t count = 0;
    besd_status status = besd_study_scores(s, t->id, scores, BESD_MAX_REPS, &count, error);
    if (status == BESD_OK)
        status = set(object, "scores", json_numbers(scores, count), error);
    if (status == BESD_OK)
        status = set(object, "mean", json_number(t->mean), error);
    return status == BESD_OK ? add_legs(s, t, object, error) : status;
}

/* Sets a text that a person or trainer wrote, when there is one. */
static besd_status set_text(json_t *object, const char *member, char *text, besd_error *error) {
    text_clean(text);
    return text[0] ? set(object, member, json_string(text), error) : BESD_OK;
}

static besd_status add_tags(besd_study *s, int64_t id, json_t *object, besd_error *error) {
    char tags[BESD_MAX_TAGS] = "", *rest = NULL;
    besd_status status = besd_study_tags(s, id, tags, sizeof tags, error);
    json_t *list = json_array();
    text_clean(tags);
    for (char *tag = strtok_r(tags, ",", &rest); status == BESD_OK && tag;
         tag = strtok_r(NULL, ",", &rest))
        if (json_array_append_new(list, json_string(tag)))
            status = besd_fail_memory(error, "the tags");
    if (status != BESD_OK || !json_array_size(list)) {
        json_decref(list);
        return status;
    }
    return set(object, "tags", list, error);
}

static besd_status add_texts(besd_study *s, int64_t id, json_t *object, besd_error *error) {
    char note[1024];
    besd_status status = besd_study_get_trial_note(s, id, note, sizeof note, error);
    if (status == BESD_OK)
        status = set_text(object, "note", note, error);
    return status == BESD_OK ? add_tags(s, id, object, error) : status;
}

static bool is_pending(const besd_trial *t) {
    return t->state == BESD_TRIAL_ASKED || t->state == BESD_TRIAL_WAITING;
}

/* The worker that has the trial, and the end of its lease. */
static besd_status add_worker(const besd_trial *t, besd_work *work, json_t *object,
                              besd_error *error) {
    besd_status status = set_text(object, "worker", work->worker, error);
    if (status == BESD_OK && is_pending(t) && isfinite(work->until))
        status = set(object, "lease_until", json_number(work->until), error);
    return status;
}

/* To the millisecond, as dates are kept; never negative, because clocks can be set back. */
static double seconds_between(double begin, double end) {
    return fmax(0, round(1e3 * (end - begin)) / 1e3);
}

static besd_status add_times(const besd_trial *t, const besd_work *work, json_t *object,
                             besd_error *error) {
    besd_status status = set(object, "asked_at", json_number(work->asked), error);
    if (status == BESD_OK && is_pending(t))
        status = set(object, "age", json_number(seconds_between(work->asked, clock_date())), error);
    if (status == BESD_OK && work->ended > 0)
        status = set(object, "ended_at", json_number(work->ended), error);
    if (status == BESD_OK && work->ended > 0 &&
        t->reason != BESD_REASON_ADDED) /* how long an added one took is not known */
        status =
            set(object, "duration", json_number(seconds_between(work->asked, work->ended)), error);
    return status;
}

static besd_status add_state(const besd_trial *t, json_t *object, besd_error *error) {
    besd_status status =
        set(object, "state", json_string(besd_trial_state_name((size_t)t->state)), error);
    if (status == BESD_OK)
        status = set(object, "reason", json_string(besd_reason_name((size_t)t->reason)), error);
    if (status == BESD_OK)
        status = set(object, "cost", json_number(t->cost), error);
    if (status == BESD_OK && t->repeats)
        status = set(object, "repeats", json_integer(t->repeats), error);
    return status;
}

static besd_status add_told(besd_study *s, const besd_trial *t, besd_work *work, json_t *object,
                            besd_error *error) {
    besd_status status = add_texts(s, t->id, object, error);
    if (status == BESD_OK)
        status = set_text(object, "why", work->why, error);
    if (status == BESD_OK && work->replaced)
        status = set(object, "replaced", json_integer(work->replaced), error);
    if (status == BESD_OK && (t->state == BESD_TRIAL_TOLD || t->state == BESD_TRIAL_VOIDED))
        status = add_scores(s, t, object, error);
    return status == BESD_OK ? add_times(t, work, object, error) : status;
}

json_t *trial_json(besd_study *s, const besd_trial *t, besd_error *error) {
    answer_route route;
    besd_work work;
    bool is_path = answer_route_of(s, t->theta, &route);
    json_t *object = request_json(besd_study_get_options(s), is_path ? &route : NULL, t);
    besd_status status = object ? BESD_OK : besd_fail_memory(error, "a trial");
    if (status == BESD_OK)
        status = besd_study_work(s, t->id, &work, error);
    if (status == BESD_OK)
        status = add_state(t, object, error);
    if (status == BESD_OK)
        status = add_worker(t, &work, object, error);
    if (status == BESD_OK)
        status = add_told(s, t, &work, object, error);
    if (status == BESD_OK)
        return object;
    json_decref(object);
    return NULL;
}

json_t *done_json(const besd_study *s, const char *reason) {
    return json_pack("{s:b, s:s, s:s}", "done", 1, "reason", reason, "stopped",
                     besd_stop_name(besd_study_stopped(s)));
}
