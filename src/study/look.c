/* Looking at the file: everything that a decision is made from, read as of one moment, and trials
 * one by one. A file comes from outside, so everything that is read is checked. */
#include "core/error.h"
#include "core/text.h"
#include "study/legs.h"
#include "study/study_state.h"
#include "study/tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

besd_status study_read_budget(besd_study *s, besd_error *error) {
    char *text = NULL;
    double budget = INFINITY;
    besd_status status = store_get_text(s->store, STUDY_BUDGET_KEY, &text, error);
    if (status == BESD_OK && text) {
        besd_error reason;
        status = spec_read_budget(text, &budget, &reason);
        if (status != BESD_OK) {
            text_clean(reason.message); /* it may quote the file */
            besd_error_set(error, status, "%s: %s", store_path(s->store), reason.message);
        }
    }
    if (status == BESD_OK)
        s->spec.options.budget = budget;
    free(text);
    return status;
}

static bool has_sound_scores(const trial_record *r) {
    return r->trial.score_count >= 1 && isfinite(r->trial.mean) &&
           fabs(r->model_mean) < LARGEST_MODEL_MEAN && r->within >= 0 && r->within < LARGEST_SUM;
}

/* Only results from elsewhere may have other replications than the study's levels: no cost is ever
 * planned by their replications. */
static bool has_sound_reps(const study_spec *spec, const trial_record *r) {
    const besd_trial *t = &r->trial;
    if (t->reason != BESD_REASON_ADDED)
        return spec_reps_level(spec, t->reps) >= 0;
    return record_has_scores(r) && t->reps >= 1 && t->reps <= BESD_MAX_REPS;
}

static bool has_sound_task(const study_spec *spec, const besd_trial *t) {
    if (!spec_has_tasks(spec))
        return t->task == 0;
    return t->task == BESD_ALL_TASKS || (t->task >= 0 && t->task < (int64_t)spec->tasks.own);
}

static bool is_sound(const study_spec *spec, const trial_record *r) {
    const besd_trial *t = &r->trial;
    if (t->id < 1 || spec_tau_level(spec, t->tau) < 0 || !has_sound_reps(spec, r) ||
        !besd_trial_state_name((size_t)t->state) || !besd_reason_name((size_t)t->reason) ||
        t->seed > INT64_MAX || !(t->cost >= 0 && t->cost <= LARGEST_SUM) ||
        t->score_count > BESD_MAX_REPS || !has_sound_task(spec, t) || t->repeats < 0 ||
        t->repeats >= t->id)
        return false;
    for (size_t i = 0; i < spec->options.dimension; i++)
        if (!(t->theta[i] >= spec->low[i] && t->theta[i] <= spec->high[i]))
            return false;
    return !record_has_scores(r) || has_sound_scores(r);
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

/* Collects the legs of all trials. */
typedef struct collector {
    const besd_study *study;
    evidence *e;
    size_t count, capacity;
    int64_t last; /* the newest trial that had legs */
} collector;

static besd_status collect_legs(void *context, int64_t id, const besd_leg *legs, size_t count,
                                besd_error *error) {
    collector *c = context;
    evidence *e = c->e;
    const besd_path *p = &c->study->spec.path;
    bool known = id >= 1 && id <= (int64_t)e->count && record_has_scores(&e->trials[id - 1]);
    size_t replications = known ? e->trials[id - 1].trial.score_count : 0;
    if (!known || count != replications * (p->points + 1) ||
        legs_check(p, legs, replications, NULL) != BESD_OK)
        return besd_fail(error, BESD_IO, "%s: the legs of trial %lld are damaged",
                         store_path(c->study->store), (long long)id);
    if (c->count + count > c->capacity) {
        size_t capacity = 2 * (c->count + count);
        besd_leg *grown = realloc(e->legs, capacity * sizeof *grown);
        if (!grown)
            return besd_fail_memory(error, "the legs");
        e->legs = grown;
        c->capacity = capacity;
    }
    memcpy(e->legs + c->count, legs, count * sizeof *legs);
    for (; c->last < id; c->last++)
        e->leg_first[c->last] = c->count;
    c->count += count;
    return BESD_OK;
}

static besd_status look_at_legs(besd_study *s, evidence *e, besd_error *error) {
    collector c = {.study = s, .e = e, .capacity = 64};
    if (!s->spec.path.points)
        return BESD_OK;
    e->legs = malloc(c.capacity * sizeof *e->legs);
    e->leg_first = calloc(e->count + 1, sizeof *e->leg_first);
    if (!e->legs || !e->leg_first)
        return besd_fail_memory(error, "the legs");
    besd_status status =
        store_list_legs(s->store, 0, s->spec.path.labels > 0, collect_legs, &c, error);
    for (; c.last <= (int64_t)e->count; c.last++)
        e->leg_first[c.last] = c.count;
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
    if (status == BESD_OK && !s->sources_final) {
        status = study_read_tasks(s, error);
        status = status == BESD_OK ? study_read_sources(s, error) : status;
    }
    if (status == BESD_OK)
        status = look_at_trials(s, &v->evidence, error);
    if (status != BESD_OK)
        return status;
    s->sources_final = v->evidence.count > 0;
    v->evidence.sources = &s->sources;
    status = store_count_changes(s->store, &v->evidence.changes, error);
    if (status == BESD_OK)
        status = look_at_legs(s, &v->evidence, error);
    if (status == BESD_OK)
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
    if (status == BESD_OK)
        status = fitting_condition(&v->evidence, &fit->drawn, with_pending, model, error);
    if (status == BESD_OK)
        mixture_set_task(model, tasks_mean(&s->spec.tasks));
    return status;
}

besd_status study_census(besd_study *s, int64_t counts[CENSUS_STATES], besd_error *error) {
    return store_count_states(s->store, counts, CENSUS_STATES, error);
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

typedef struct trial_visit {
    const besd_study *study;
    besd_trial_visitor *visit;
    void *context;
} trial_visit;

static besd_status visit_checked(void *context, const trial_record *t, bool *go_on,
                                 besd_error *error) {
    const trial_visit *v = context;
    besd_status status = check_trial(v->study, t, error);
    if (status == BESD_OK)
        *go_on = v->visit(v->context, &t->trial);
    return status;
}

besd_status besd_study_trials(besd_study *s, int64_t after, besd_trial_visitor *visit,
                              void *context, besd_error *error) {
    trial_visit v = {s, visit, context};
    int64_t count;
    /* Counting notices a lost trial before the visitor has seen any. */
    besd_status status = store_count_trials(s->store, &count, error);
    if (status != BESD_OK)
        return status;
    return store_visit_trials(s->store, s->spec.options.dimension, after, visit_checked, &v, error);
}

typedef struct listing {
    const besd_study *study;
    study_list_visitor *visit;
    void *context;
    int64_t last; /* the trial before */
} listing;

/* The ids are 1, 2, 3, ..., so a gap is a trial that was lost. */
static besd_status visit_listed(void *context, const listed_trial *t, bool *go_on,
                                besd_error *error) {
    listing *l = context;
    int64_t id = t->record.trial.id, expected = l->last + 1;
    l->last = id;
    if (id != expected)
        return besd_fail(error, BESD_IO, "%s: it is damaged: trial %lld is missing",
                         store_path(l->study->store), (long long)expected);
    besd_status status = check_trial(l->study, &t->record, error);
    trial_facts f = {.trial = t->record.trial,
                     .work = &t->work,
                     .note = t->note,
                     .tags = t->tags,
                     .scores = t->scores,
                     .score_count = t->score_count,
                     .legs = t->legs,
                     .leg_count = t->leg_count};
    return status == BESD_OK ? l->visit(l->context, &f, go_on, error) : status;
}

besd_status study_list(besd_study *s, int64_t after, study_list_visitor *visit, void *context,
                       besd_error *error) {
    listing l = {s, visit, context, after};
    besd_status status = store_begin_reading(s->store, error);
    if (status != BESD_OK)
        return status;
    status = store_visit_listing(s->store, s->spec.options.dimension, s->spec.path.points > 0,
                                 s->spec.path.labels > 0, after, visit_listed, &l, error);
    store_end_reading(s->store);
    return status;
}

/* In one transaction, so that the scores are those of the trial: between two transactions another
 * process may tell it. */
static besd_status read_scores(besd_study *s, int64_t id, double *scores, size_t capacity,
                               size_t *count, besd_error *error) {
    trial_record t;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = store_get_scores(s->store, id, scores, capacity, count, error);
    if (status != BESD_OK)
        return status;
    size_t expected = t.trial.score_count < capacity ? t.trial.score_count : capacity;
    if (*count && *count != expected) /* 0: only a summary was told */
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

/* Where the legs of one trial are copied to. */
typedef struct leg_copier {
    besd_leg *legs;
    size_t capacity, count;
} leg_copier;

static besd_status copy_legs(void *context, int64_t id, const besd_leg *legs, size_t count,
                             besd_error *error) {
    leg_copier *c = context;
    (void)id;
    (void)error;
    c->count = count < c->capacity ? count : c->capacity;
    if (c->count) /* the caller need not have room for none */
        memcpy(c->legs, legs, c->count * sizeof *legs);
    return BESD_OK;
}

besd_status besd_study_legs(besd_study *s, int64_t id, besd_leg *legs, size_t capacity,
                            size_t *count, besd_error *error) {
    trial_record t;
    leg_copier c = {.legs = legs, .capacity = capacity};
    besd_status status =
        id < 1 ? besd_fail(error, BESD_UNKNOWN, "trial %lld: there is none", (long long)id)
               : store_begin_reading(s->store, error);
    if (status != BESD_OK)
        return status;
    status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = store_list_legs(s->store, id, s->spec.path.labels > 0, copy_legs, &c, error);
    store_end_reading(s->store);
    *count = c.count;
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
