/* The next trial. It is planned on a view of the file, which takes its time and keeps no tell
 * waiting. Then it is written in a short transaction, provided that no other trial was asked for
 * meanwhile: two processes with the same view would plan the same trial. Processes take turns
 * (queue.h), so that this hardly ever happens. If it does, the trial is planned again, with the
 * other trials pending, and after a few spoiled plans with the file locked, which ends it. What was
 * told meanwhile does not spoil a plan.
 *
 * At the end: why a trial was chosen, as JSON. */
#include "study/study_state.h"

#include "core/error.h"
#include "core/json.h"
#include "core/rng.h"
#include "study/choose.h"
#include "study/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double *besd_study_targets(const besd_study *s, size_t *count) {
    *count = s->user_targets ? s->user_target_count : 0;
    return s->user_targets;
}

besd_stop besd_study_stopped(const besd_study *s) {
    return s->stopped;
}

static void forget_targets(besd_study *s) {
    free(s->user_targets);
    s->user_targets = NULL;
}

static besd_status remember_targets(besd_study *s, besd_error *error) {
    size_t d = s->targets.dimension;
    double *points = malloc(s->targets.count * d * sizeof *points);
    if (!points)
        return besd_fail_memory(error, "the targets");
    for (size_t i = 0; i < s->targets.count; i++)
        spec_to_user(&s->spec, s->targets.points + i * d, points + i * d);
    forget_targets(s);
    s->user_targets = points;
    s->user_target_count = s->targets.count;
    return BESD_OK;
}

/* Fits the model if the next chooser needs one, and chooses. */
static besd_status choose(besd_study *s, const view *v, turn *t, fitting *fit, besd_error *error) {
    mixture model = {0};
    besd_status status = BESD_OK;
    if (choose_needs_model(&s->spec, &v->evidence)) {
        status = study_model(s, v, true, fit, &model, error);
        t->model = &model;
    }
    if (status == BESD_OK)
        status = choose_trial(t, error);
    t->model = NULL;
    mixture_free(&model);
    return status;
}

/* Repeats a failed trial. */
static besd_status repeat(besd_study *s, int64_t failed, besd_trial *trial, besd_error *error) {
    trial_record old;
    besd_status status = study_get_trial(s, failed, &old, error);
    if (status != BESD_OK)
        return status;
    if (old.trial.state != BESD_TRIAL_FAILED)
        return besd_fail(error, BESD_INVALID,
                         "trial %lld is %s; only a failed trial can be asked again",
                         (long long)failed, besd_trial_state_name((size_t)old.trial.state));
    memcpy(trial->theta, old.trial.theta, sizeof trial->theta);
    trial->tau = old.trial.tau;
    trial->reps = old.trial.reps;
    trial->task = old.trial.task;
    trial->repeats = failed;
    trial->reason = BESD_REASON_RETRY;
    return BESD_OK;
}

uint64_t study_trial_seed(const besd_study *s, int64_t id) {
    return rng_seed(s->spec.options.seed, RNG_TRIAL, (uint64_t)id, 0, 0) >> 11;
}

/* Plans on a view; failed = 0: a new trial. BESD_DONE, with the reason in s->stopped, when there is
 * no trial. */
static besd_status plan(besd_study *s, const view *v, const asker *by, int64_t failed,
                        besd_trial *trial, besd_explanation *explanation, fitting *fit,
                        besd_error *error) {
    turn t = {.spec = &s->spec,
              .evidence = &v->evidence,
              .targets = &s->targets,
              .legs = &s->legs,
              .task = by->task,
              .affordable = turn_affordable(&s->spec, &v->evidence),
              .trial = trial,
              .explanation = explanation};
    memset(trial, 0, sizeof *trial);
    trial->id = (int64_t)v->evidence.count + 1;
    trial->seed = study_trial_seed(s, trial->id);
    besd_status status = failed ? repeat(s, failed, trial, error) : choose(s, v, &t, fit, error);
    if (status == BESD_OK) {
        trial->cost = spec_cost(&s->spec, spec_tau_level(&s->spec, trial->tau),
                                spec_reps_level(&s->spec, trial->reps));
        if (trial->cost > t.affordable)
            status = turn_stop_for_budget(&t, trial->cost, error);
    }
    s->stopped = t.stop;
    return status == BESD_OK && t.used_targets ? remember_targets(s, error) : status;
}

static besd_status keep_fit(besd_study *s, const fitting *fit, besd_error *error) {
    char *text = NULL;
    if (!fit->is_new)
        return BESD_OK;
    besd_status status = fitting_write(&s->spec, &fit->drawn, &text, error);
    if (status == BESD_OK)
        status = store_set_fit(s->store, fit->told, fit->is_full, text, error);
    free(text);
    return status;
}

/* Writes the trial, its worker and the fit behind it. If another trial was asked for since the view
 * was taken, it writes the fit alone, which the next plan can use. A fit to scores that were
 * changed meanwhile is not written. Inside a transaction. */
static besd_status write_plan(besd_study *s, const asker *by, const besd_trial *trial,
                              const besd_explanation *explanation, const fitting *fit,
                              int64_t changes_seen, bool *written, besd_error *error) {
    int64_t newest = 0, changes = 0;
    besd_status status = store_newest_trial(s->store, &newest, error);
    if (status == BESD_OK)
        status = store_count_changes(s->store, &changes, error);
    if (status == BESD_OK && changes == changes_seen)
        status = keep_fit(s, fit, error);
    if (status != BESD_OK || newest + 1 != trial->id)
        return status;
    *written = true;
    status = store_add_trial(s->store, s->spec.options.dimension, trial, error);
    return status == BESD_OK ? study_give(s, by, trial->id, explanation, error) : status;
}

/* Looks, plans and writes. With `locked` all of it is one transaction: nothing can spoil the plan,
 * and other processes have to wait. */
static besd_status plan_and_write(besd_study *s, const asker *by, int64_t failed, bool locked,
                                  besd_trial *trial, besd_explanation *explanation, bool *written,
                                  besd_error *error) {
    view v;
    fitting fit = {0};
    int64_t changes = 0;
    s->stopped = BESD_STOP_NONE;
    *written = false;
    if (explanation)
        memset(explanation, 0, sizeof *explanation);
    besd_status status =
        locked ? store_begin(s->store, error) : store_begin_reading(s->store, error);
    if (status != BESD_OK)
        return status;
    status = study_look(s, &v, error);
    if (!locked)
        store_end_reading(s->store);
    if (status == BESD_OK) {
        status = plan(s, &v, by, failed, trial, explanation, &fit, error);
        changes = v.evidence.changes;
        view_free(&v);
    }
    if (status == BESD_OK && !locked)
        status = store_begin(s->store, error);
    if (status == BESD_OK)
        status = write_plan(s, by, trial, explanation, &fit, changes, written, error);
    return store_end(s->store, status, error);
}

/* After this many plans that other processes have spoiled, the file is locked for the next one. */
enum { MOST_SPOILED = 8 };

static besd_status ask(besd_study *s, const asker *by, besd_trial *trial,
                       besd_explanation *explanation, besd_error *error) {
    bool written = false;
    forget_targets(s);
    if (explanation)
        memset(explanation, 0, sizeof *explanation);
    besd_status status = study_give_waiting(s, by, trial, &written, error);
    for (int spoiled = 0; status == BESD_OK && !written; spoiled++) {
        turn_lock lock;
        turn_lock_take(&lock, store_file(s->store));
        status =
            study_give_waiting(s, by, trial, &written, error); /* the turn may have taken long */
        if (status == BESD_OK && !written)
            status = plan_and_write(s, by, 0, spoiled >= MOST_SPOILED, trial, explanation, &written,
                                    error);
        turn_lock_leave(&lock);
    }
    return status;
}

/* A failed trial once more. Its plan is cheap, so the file is locked for it. */
static besd_status ask_again(besd_study *s, const asker *by, int64_t failed, besd_trial *trial,
                             besd_error *error) {
    bool written; /* always true */
    if (failed < 1)
        return besd_fail(error, BESD_UNKNOWN, "trial %lld: there is none", (long long)failed);
    forget_targets(s);
    return plan_and_write(s, by, failed, true, trial, NULL, &written, error);
}

/* Where the world says which task is next, every ask has to. */
static besd_status check_task(const besd_study *s, const int64_t *task, besd_error *error) {
    const besd_tasks *t = &s->tasks.tasks;
    if (!task && t->given)
        return besd_fail(error, BESD_INVALID,
                         "task: the study is told which task is next, as by 'besd ask --task'; "
                         "expected one of its %zu, such as '%s'",
                         t->count, t->names[0]);
    if (task && !(*task >= 0 && *task < (int64_t)t->count))
        return besd_fail(error, BESD_INVALID, "task: expected a number from 0 to %lld, got %lld%s",
                         (long long)t->count - 1, (long long)*task,
                         t->count ? "" : "; the study has no tasks");
    return BESD_OK;
}

besd_status besd_study_ask(besd_study *s, const besd_ask *how, besd_trial *trial,
                           besd_error *error) {
    static const besd_ask anybody = {0};
    how = how ? how : &anybody;
    asker by = {.worker = how->worker, .lease = how->lease ? *how->lease : INFINITY};
    by.task = how->task;
    besd_status status = asker_check(&by, error);
    if (status == BESD_OK && !how->again)
        status = check_task(s, how->task, error);
    if (status != BESD_OK)
        return status;
    return how->again ? ask_again(s, &by, *how->again, trial, error)
                      : ask(s, &by, trial, how->explanation, error);
}

static json_t *describe_lever(const besd_lever_value *l) {
    return json_pack("{s:I, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "tau", (json_int_t)l->tau,
                     "reps", l->reps, "cost", json_number(l->cost), "kg", json_number(l->kg),
                     "log_kg", json_number(l->log_kg), "kg_per_cost", json_number(l->kg / l->cost),
                     "mean", json_number(l->mean), "sd", json_number(l->sd), "correlation",
                     json_number(l->correlation));
}

json_t *explanation_kept(const besd_explanation *x) {
    json_t *levers = json_array();
    int failed = !levers;
    for (size_t i = 0; i < x->lever_count; i++)
        failed |= json_array_append_new(levers, describe_lever(&x->levers[i]));
    json_t *object =
        json_pack("{s:s, s:o, s:I, s:I, s:I, s:o}", "why", x->why, "levers", levers, "targets",
                  (json_int_t)x->targets, "kept", (json_int_t)x->kept, "evaluated",
                  (json_int_t)x->evaluated, "missed", json_number(x->missed));
    if (object && failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

char *explanation_text(const besd_explanation *x) {
    json_t *object = explanation_kept(x);
    if (!object)
        return NULL;
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}
