#include "json/trial.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/json.h"
#include "core/rng.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_seed(json_writer *w, uint64_t seed, rng_purpose purpose, int replication) {
    json_write_integer(w, (int64_t)(rng_seed(seed, purpose, 0, (uint64_t)replication, 0) >> 11));
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

static void write_no_theta(json_writer *w) {
    json_write_name(w, "theta");
    json_write_null(w);
    json_write_name(w, "theta_array");
    json_write_null(w);
}

/* The numbers are written twice, and printing them takes most of the time. */
static void write_theta(json_writer *w, const char *const *names, const double *theta,
                        size_t count) {
    char text[BESD_MAX_DIMENSION][JSON_LONGEST_NUMBER];
    size_t length[BESD_MAX_DIMENSION];
    if (isnan(theta[0])) {
        write_no_theta(w);
        return;
    }
    json_write_name(w, "theta");
    json_write_begin(w, '{');
    for (size_t i = 0; i < count; i++) {
        length[i] = json_number_text(theta[i], text[i]);
        json_write_name(w, names[i]);
        json_write_value(w, text[i], length[i]);
    }
    json_write_end(w, '}');
    json_write_name(w, "theta_array");
    json_write_begin(w, '[');
    for (size_t i = 0; i < count; i++)
        json_write_value(w, text[i], length[i]);
    json_write_end(w, ']');
}

static void write_integer(json_writer *w, const char *name, int64_t value) {
    json_write_name(w, name);
    json_write_integer(w, value);
}

static void write_number(json_writer *w, const char *name, double value) {
    json_write_name(w, name);
    json_write_number(w, value);
}

/* All members of a request, without its brackets. */
static void write_task(json_writer *w, const besd_tasks *tasks, int64_t task) {
    json_write_name(w, "task");
    if (task >= 0 && task < (int64_t)tasks->count)
        json_write_text(w, tasks->names[task]);
    else
        json_write_value(w, "null", 4);
}

static void write_request(json_writer *w, const besd_study_options *study, const besd_tasks *tasks,
                          const answer_route *route, const besd_trial *t) {
    write_integer(w, "trial", t->id);
    if (tasks && tasks->count)
        write_task(w, tasks, t->task);
    write_theta(w, study->names, t->theta, study->dimension);
    write_integer(w, "tau", t->tau);
    write_integer(w, "reps", t->reps);
    write_integer(w, "seed", (int64_t)t->seed);
    write_integer(w, "seed32", (int64_t)(t->seed & 0xffffffff));
    json_write_name(w, "instance_seed");
    write_seed(w, t->seed, RNG_INSTANCE, 0);
    json_write_name(w, "replication_seeds");
    json_write_begin(w, '[');
    for (int i = 0; i < t->reps; i++)
        write_seed(w, t->seed, RNG_AGENT, i);
    json_write_end(w, ']');
    if (route) {
        json_write_name(w, "points");
        json_write_tree(w, answer_points(route, t->theta));
    }
}

void request_write(json_writer *w, const besd_study_options *study, const besd_tasks *tasks,
                   const answer_route *route, const besd_trial *t) {
    json_write_begin(w, '{');
    write_request(w, study, tasks, route, t);
    json_write_end(w, '}');
}

/* Writes a text that a person or trainer wrote, when there is one. */
static void write_foreign(json_writer *w, const char *member, const char *text) {
    char copy[BESD_MAX_NOTE];
    snprintf(copy, sizeof copy, "%s", text ? text : "");
    text_clean(copy);
    if (!copy[0])
        return;
    json_write_name(w, member);
    json_write_text(w, copy);
}

static void write_tags(json_writer *w, const char *tags) {
    char copy[BESD_MAX_TAGS], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", tags);
    text_clean(copy);
    char *tag = strtok_r(copy, ",", &rest);
    if (!tag)
        return;
    json_write_name(w, "tags");
    json_write_begin(w, '[');
    for (; tag; tag = strtok_r(NULL, ",", &rest))
        json_write_text(w, tag);
    json_write_end(w, ']');
}

static void write_tree(json_writer *w, const char *member, json_t *value) {
    json_write_name(w, member);
    json_write_tree(w, value);
}

static void write_scores(json_writer *w, const besd_study *s, const trial_facts *f) {
    json_write_name(w, "scores");
    json_write_numbers(w, f->scores, f->score_count);
    write_number(w, "mean", f->trial.mean);
    if (!f->leg_count)
        return;
    besd_path p;
    besd_study_get_path(s, &p);
    write_tree(w, "legs", answer_show_legs(f->legs, f->leg_count, p.points));
    if (besd_study_get_options(s)->direction == BESD_MAXIMIZE)
        write_tree(w, "earned", answer_show_earned(f->legs, f->leg_count, p.points));
    if (p.labels)
        write_tree(w, "labels", answer_show_labels(f->legs, f->leg_count, p.points));
}

static bool is_pending(const besd_trial *t) {
    return t->state == BESD_TRIAL_ASKED || t->state == BESD_TRIAL_WAITING;
}

static void write_state(json_writer *w, const trial_facts *f) {
    const besd_trial *t = &f->trial;
    json_write_name(w, "state");
    json_write_text(w, besd_trial_state_name((size_t)t->state));
    json_write_name(w, "reason");
    json_write_text(w, besd_reason_name((size_t)t->reason));
    write_number(w, "cost", t->cost);
    if (t->repeats)
        write_integer(w, "repeats", t->repeats);
    write_foreign(w, "worker", f->work->worker);
    if (is_pending(t) && isfinite(f->work->until)) /* the end of its lease */
        write_number(w, "lease_until", f->work->until);
}

/* To the millisecond, as dates are kept; never negative, because clocks can be set back. */
static double seconds_between(double begin, double end) {
    return fmax(0, round(1e3 * (end - begin)) / 1e3);
}

static void write_times(json_writer *w, const trial_facts *f) {
    const besd_work *work = f->work;
    write_number(w, "asked_at", work->asked);
    if (is_pending(&f->trial))
        write_number(w, "age", seconds_between(work->asked, clock_date()));
    if (work->ended > 0)
        write_number(w, "ended_at", work->ended);
    if (work->ended > 0 && f->trial.reason != BESD_REASON_ADDED) /* else it is not known */
        write_number(w, "duration", seconds_between(work->asked, work->ended));
}

void trial_write(json_writer *w, const besd_study *s, const trial_facts *f) {
    answer_route route;
    besd_tasks tasks;
    bool is_path = answer_route_of(s, f->trial.theta, &route);
    besd_study_get_tasks(s, &tasks);
    json_write_begin(w, '{');
    write_request(w, besd_study_get_options(s), &tasks, is_path ? &route : NULL, &f->trial);
    write_state(w, f);
    write_foreign(w, "note", f->note);
    write_tags(w, f->tags);
    write_foreign(w, "why", f->work->why);
    if (f->work->replaced)
        write_integer(w, "replaced", f->work->replaced);
    if (f->trial.state == BESD_TRIAL_TOLD || f->trial.state == BESD_TRIAL_VOIDED)
        write_scores(w, s, f);
    write_times(w, f);
    json_write_end(w, '}');
}

typedef struct one_trial {
    besd_study *study;
    int64_t id;
    json_writer text;
    bool found;
} one_trial;

static besd_status write_one(void *context, const trial_facts *f, bool *go_on, besd_error *error) {
    one_trial *one = context;
    (void)error;
    *go_on = false;
    one->found = true;
    trial_write(&one->text, one->study, f);
    return BESD_OK;
}

char *trial_text(besd_study *s, int64_t id, size_t *size, besd_error *error) {
    besd_trial t;
    one_trial one = {.study = s, .id = id};
    /* This also has the sentence for a trial that does not exist. */
    besd_status status = besd_study_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = study_list(s, id - 1, write_one, &one, error);
    if (status == BESD_OK && (one.text.failed || !one.found))
        status = besd_fail_memory(error, "a trial");
    if (status == BESD_OK) {
        *size = one.text.size;
        return one.text.text;
    }
    json_writer_clear(&one.text);
    return NULL;
}

json_t *trial_json(besd_study *s, int64_t id, besd_error *error) {
    json_error_t fault;
    size_t size;
    char *text = trial_text(s, id, &size, error);
    json_t *object = text ? json_read(text, size, 0, &fault) : NULL;
    if (text && !object)
        besd_fail_memory(error, "a trial");
    free(text);
    return object;
}

json_t *done_json(const besd_study *s, const char *reason) {
    return json_pack("{s:b, s:s, s:s}", "done", 1, "reason", reason, "stopped",
                     besd_stop_name(besd_study_stopped(s)));
}
