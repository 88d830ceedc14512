/* Looking at the file: everything that a decision is made from, read as of one moment and checked
 * like anything else from outside, and the trials one by one. */
#include "core/error.h"
#include "core/text.h"
#include "study/study_state.h"

#include <math.h>
#include <stdlib.h>

besd_status study_read_budget(besd_study *s, besd_error *error) {
    char *text = NULL;
    double budget = INFINITY;
    besd_status status = store_get_text(s->store, STUDY_BUDGET_KEY, &text, error);
    if (status == BESD_OK && text) {
        besd_error reason;
        status = spec_read_budget(text, &budget, &reason);
        if (status != BESD_OK) {
            text_clean(reason.message); /* which may quote the file */
            besd_error_set(error, status, "%s: %s", store_path(s->store), reason.message);
        }
    }
    if (status == BESD_OK)
        s->spec.options.budget = budget;
    free(text);
    return status;
}

/* Larger numbers are never told (tell.c), and could not be computed with. */
static bool has_sound_scores(const trial_record *r) {
    return r->trial.score_count >= 1 && isfinite(r->trial.mean) && fabs(r->model_mean) < 1e150 &&
           r->within >= 0 && r->within < 1e300;
}

static bool is_sound(const study_spec *spec, const trial_record *r) {
    const besd_trial *t = &r->trial;
    if (t->id < 1 || spec_tau_level(spec, t->tau) < 0 || spec_reps_level(spec, t->reps) < 0 ||
        !besd_trial_state_name((size_t)t->state) || !besd_reason_name((size_t)t->reason) ||
        t->seed > INT64_MAX || !(t->cost >= 0 && t->cost <= 1e300) ||
        t->score_count > BESD_MAX_REPS || t->repeats < 0 || t->repeats >= t->id)
        return false;
    for (size_t i = 0; i < spec->options.dimension; i++)
        if (!(t->theta[i] >= spec->low[i] && t->theta[i] <= spec->high[i]))
            return false;
    return t->state != BESD_TRIAL_TOLD || has_sound_scores(r);
}

static besd_status check_trial(const besd_study *s, const trial_record *r, besd_error *error) {
    return is_sound(&s->spec, r) ? BESD_OK
                                 : besd_fail(error, BESD_IO, "%s: trial %lld is damaged",
                                             store_path(s->store), (long long)r->trial.id);
}

besd_status study_get_trial(besd_study *s, int64_t id, trial_record *t, besd_error *error) {
    besd_status status = store_get_trial(s->store, s->spec.options.dimension, id, t, error);
    return status == BESD_OK ? check_trial(s, t, error) : status;
}

static besd_status look_at_trials(besd_study *s, evidence *e, besd_error *error) {
    trial_record *trials = NULL;
    size_t count = 0;
    besd_status status =
        store_list_trials(s->store, s->spec.options.dimension, &trials, &count, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        status = check_trial(s, &trials[i], error);
        if (status == BESD_OK && trials[i].trial.id != (int64_t)i + 1)
            status = besd_fail(error, BESD_IO, "%s: it is damaged: trial %zu is missing",
                               store_path(s->store), i + 1);
    }
    if (status == BESD_OK)
        return evidence_init(e, &s->spec, trials, count, error);
    free(trials);
    return status;
}

static besd_status look_at_fit(besd_study *s, const evidence *e, kept_fit *kept,
                               besd_error *error) {
    char *text = NULL;
    bool usable = false;
    *kept = (kept_fit){.told = (int64_t)e->told};
    besd_status status = store_get_fit(s->store, &kept->told, &text, error);
    if (status == BESD_OK)
        status = store_last_full_fit(s->store, &kept->last_full, error);
    if (status == BESD_OK && text)
        status = fitting_read(&s->spec, text, &kept->drawn, &usable, error);
    if (!usable)
        kept->told = 0;
    free(text);
    return status;
}

besd_status study_look(besd_study *s, view *v, besd_error *error) {
    besd_status status = study_read_budget(s, error);
    if (status == BESD_OK)
        status = look_at_trials(s, &v->evidence, error);
    if (status != BESD_OK)
        return status;
    status = look_at_fit(s, &v->evidence, &v->kept, error);
    if (status != BESD_OK)
        evidence_free(&v->evidence);
    return status;
}

besd_status study_glance(besd_study *s, view *v, besd_error *error) {
    besd_status status = store_begin_reading(s->store, error);
    if (status != BESD_OK)
        return status;
    status = study_look(s, v, error);
    store_end_reading(s->store);
    return status;
}

void view_free(view *v) {
    evidence_free(&v->evidence);
}

besd_status study_model(besd_study *s, const view *v, bool with_pending, fitting *fit,
                        mixture *model, besd_error *error) {
    besd_status status = fitting_settle(&s->spec, &v->evidence, &v->kept, &s->looked, fit, error);
    return status == BESD_OK
               ? fitting_condition(&v->evidence, &fit->drawn, with_pending, model, error)
               : status;
}

besd_status besd_study_trial_count(besd_study *s, int64_t *count, besd_error *error) {
    return store_count_trials(s->store, count, error);
}

besd_status besd_study_trial(besd_study *s, int64_t id, besd_trial *trial, besd_error *error) {
    trial_record t;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        *trial = t.trial;
    return status;
}

/* The trial and its scores of one moment: between two looks somebody may tell it. */
static besd_status read_scores(besd_study *s, int64_t id, double *scores, size_t capacity,
                               size_t *count, besd_error *error) {
    trial_record t;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = store_get_scores(s->store, id, scores, capacity, count, error);
    if (status != BESD_OK)
        return status;
    size_t expected = t.trial.score_count < capacity ? t.trial.score_count : capacity;
    if (*count && *count != expected) /* none: only a summary was told */
        return besd_fail(error, BESD_IO, "%s: scores of trial %lld are missing",
                         store_path(s->store), (long long)id);
    return BESD_OK;
}

besd_status besd_study_scores(besd_study *s, int64_t id, double *scores, size_t capacity,
                              size_t *count, besd_error *error) {
    besd_status status = store_begin_reading(s->store, error);
    if (status != BESD_OK)
        return status;
    status = read_scores(s, id, scores, capacity, count, error);
    store_end_reading(s->store);
    return status;
}

besd_status besd_study_spent(besd_study *s, double *cost, besd_error *error) {
    view v;
    besd_status status = study_glance(s, &v, error);
    if (status != BESD_OK)
        return status;
    *cost = v.evidence.spent;
    view_free(&v);
    return BESD_OK;
}
