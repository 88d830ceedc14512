/* The next trial. It is planned on a view of the file, which takes as long as it takes and keeps no
 * tell waiting, and then written in a short transaction, provided that no other trial was asked
 * meanwhile: two askers with the same view would plan the same trial. Askers take turns
 * (turn_lock), so that this hardly happens; if it does, it is planned again, with the others'
 * trials pending, and after a few spoiled plans with the file locked, which ends it. What was told
 * meanwhile does not spoil a plan. */
#include "study/study_state.h"

#include "core/error.h"
#include "core/rng.h"
#include "study/choose_initial.h"
#include "study/choose_random.h"
#include "study/method.h"
#include "study/store_acts.h"
#include "study/turn_lock.h"

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

static besd_status choose_by_model(besd_study *s, const view *v, turn *t, fitting *fit,
                                   besd_error *error) {
    mixture model = {0};
    besd_status status = study_model(s, v, true, fit, &model, error);
    t->model = &model;
    if (status == BESD_OK)
        status = method_describe(s->spec.options.method)->choose(t, error);
    t->model = NULL;
    mixture_free(&model);
    return status;
}

/* What the initial design, or then the study's method, wants next. */
static besd_status choose(besd_study *s, const view *v, turn *t, fitting *fit, besd_error *error) {
    const method_info *method = method_describe(s->spec.options.method);
    bool blind = method->has_model && !v->evidence.told;
    besd_status status = BESD_OK;
    if (initial_is_due(&s->spec, &v->evidence))
        status = choose_initial(t, error);
    else if (!method->has_model)
        return method->choose(t, error);
    else if (blind)
        choose_uniform(t);
    else
        return choose_by_model(s, v, t, fit, error);
    if (status == BESD_OK && blind && method->start == START_AT_EVERY_TAU)
        turn_lower(t); /* rather a cheap trial than none */
    return status;
}

/* A failed trial once more. */
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
    trial->repeats = failed;
    trial->reason = BESD_REASON_RETRY;
    return BESD_OK;
}

/* Plans on a view; failed = 0: a new trial. BESD_DONE, with the reason in s->stopped, when there is
 * none. */
static besd_status plan(besd_study *s, const view *v, int64_t failed, besd_trial *trial,
                        besd_explanation *explanation, fitting *fit, besd_error *error) {
    const besd_study_options *o = &s->spec.options;
    turn t = {.spec = &s->spec,
              .evidence = &v->evidence,
              .targets = &s->targets,
              .legs = &s->legs,
              .affordable = turn_affordable(&s->spec, &v->evidence),
              .trial = trial,
              .explanation = explanation};
    memset(trial, 0, sizeof *trial);
    trial->id = (int64_t)v->evidence.count + 1;
    trial->seed =
        rng_seed(o->seed, RNG_TRIAL, (uint64_t)trial->id, 0, 0) >> 11; /* JSON knows no more */
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

/* Writes the trial, whose it is, and the fit behind it, unless another trial was asked since the
 * view was taken: then the fit alone, which the next plan can use. A fit to scores that were
 * changed meanwhile is forgotten like all others. Inside a transaction. */
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

/* From a look to a trial. With `locked` the whole of it is one transaction, which nothing can
 * spoil, and which others have to wait for. */
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
        status = plan(s, &v, failed, trial, explanation, &fit, error);
        changes = v.evidence.changes;
        view_free(&v);
    }
    if (status == BESD_OK && !locked)
        status = store_begin(s->store, error);
    if (status == BESD_OK)
        status = write_plan(s, by, trial, explanation, &fit, changes, written, error);
    return store_end(s->store, status, error);
}

/* So many plans may be spoiled by others before one is made that cannot be. */
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
        status = study_give_waiting(s, by, trial, &written, error); /* it may have taken long */
        if (status == BESD_OK && !written)
            status = plan_and_write(s, by, 0, spoiled >= MOST_SPOILED, trial, explanation, &written,
                                    error);
        turn_lock_leave(&lock);
    }
    return status;
}

besd_status besd_study_ask_explained(besd_study *s, besd_trial *trial,
                                     besd_explanation *explanation, besd_error *error) {
    return besd_study_ask_for(s, NULL, INFINITY, trial, explanation, error);
}

besd_status besd_study_ask_for(besd_study *s, const char *worker, double lease, besd_trial *trial,
                               besd_explanation *explanation, besd_error *error) {
    asker by = {.worker = worker, .lease = lease};
    besd_status status = asker_check(&by, error);
    return status == BESD_OK ? ask(s, &by, trial, explanation, error) : status;
}

besd_status besd_study_ask_again(besd_study *s, int64_t failed, besd_trial *trial,
                                 besd_error *error) {
    if (failed < 1)
        return besd_fail(error, BESD_UNKNOWN, "trial %lld: there is none", (long long)failed);
    bool written; /* always: it is cheap to plan, so the file is locked from the look on */
    asker nobody = {.lease = INFINITY};
    forget_targets(s);
    return plan_and_write(s, &nobody, failed, true, trial, NULL, &written, error);
}

besd_status besd_study_ask(besd_study *s, besd_trial *trial, besd_error *error) {
    return besd_study_ask_explained(s, trial, NULL, error);
}
