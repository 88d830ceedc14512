/* Corrections: a told trial voided or told anew, both undone by restoring; the budget. What the
 * model has learned from other scores is forgotten. */
#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "study/legs.h"
#include "study/scores.h"
#include "study/store_acts.h"
#include "study/study_state.h"
#include "study/told_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static besd_status check_state(const besd_trial *t, besd_trial_state wanted, const char *act,
                               besd_error *error) {
    if (t->state == wanted)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID, "trial %lld is %s; only a %s trial can be %s%s",
                     (long long)t->id, besd_trial_state_name((size_t)t->state),
                     besd_trial_state_name((size_t)wanted), act,
                     t->state == BESD_TRIAL_VOIDED ? ", so restore it first" : "");
}

static besd_status check_why(const char *why, besd_error *error) {
    besd_work work;
    if (!why || (strlen(why) < sizeof work.why && text_is_utf8(why)))
        return BESD_OK;
    return besd_fail(error, BESD_INVALID, "why: expected UTF-8 shorter than %zu bytes, got %zu",
                     sizeof work.why, strlen(why));
}

static char *write_why(const char *why) {
    json_t *object = json_pack("{s:s}", "why", why ? why : "");
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

/* What was told is another from now on. */
static besd_status note_change(besd_study *s, int64_t id, const char *why, const store_event *event,
                               besd_error *error) {
    besd_status status = store_set_why(s->store, id, why ? why : "", error);
    if (status == BESD_OK)
        status = store_forget_fits(s->store, error);
    return status == BESD_OK ? store_add_event(s->store, event, error) : status;
}

static besd_status void_trial(besd_study *s, int64_t id, const char *why, besd_error *error) {
    trial_record t;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = check_state(&t.trial, BESD_TRIAL_TOLD, "voided", error);
    if (status == BESD_OK)
        status = store_set_state(s->store, id, BESD_TRIAL_VOIDED, error);
    if (status != BESD_OK)
        return status;
    char *detail = write_why(why);
    store_event event = {.who = s->who, .what = "voided", .trial = id, .detail = detail};
    status = detail ? note_change(s, id, why, &event, error) : besd_fail_memory(error, "an event");
    free(detail);
    return status;
}

besd_status besd_study_void(besd_study *s, int64_t id, const char *why, besd_error *error) {
    besd_status status = check_why(why, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    return status == BESD_OK ? store_end(s->store, void_trial(s, id, why, error), error) : status;
}

static besd_status copy_legs(void *context, int64_t id, const besd_leg *legs, size_t count,
                             besd_error *error) {
    told_scores *told = context;
    (void)id;
    besd_leg *copy = malloc(count * sizeof *copy);
    if (!copy)
        return besd_fail_memory(error, "the legs");
    memcpy(copy, legs, count * sizeof *copy);
    told->legs = copy;
    told->leg_count = count;
    return BESD_OK;
}

static bool has_sound_legs(const study_spec *spec, const told_scores *told) {
    size_t replications = told->record.trial.score_count;
    return !told->legs ||
           (spec->path.points && told->leg_count == replications * (spec->path.points + 1) &&
            legs_check(&spec->path, told->legs, replications, NULL) == BESD_OK);
}

/* Could it have been told? It comes out of the file. */
static bool is_sound(const study_spec *spec, const told_scores *told) {
    const trial_record *r = &told->record;
    return r->within >= 0 && scores_check_cost(r->trial.cost, NULL) == BESD_OK &&
           scores_check_summary(r, NULL) == BESD_OK &&
           (!told->scores ||
            scores_check(spec, told->scores, r->trial.score_count, NULL) == BESD_OK) &&
           has_sound_legs(spec, told);
}

/* All that a trial was told; told_free it, also after a failure. */
static besd_status read_told(besd_study *s, int64_t id, told_scores *told, besd_error *error) {
    size_t count = 0;
    *told = (told_scores){0};
    besd_status status = study_get_trial(s, id, &told->record, error);
    if (status != BESD_OK)
        return status;
    double *scores = malloc(BESD_MAX_REPS * sizeof *scores);
    if (!scores)
        return besd_fail_memory(error, "the scores");
    status = store_get_scores(s->store, id, scores, BESD_MAX_REPS, &count, error);
    if (count)
        told->scores = scores;
    else
        free(scores); /* only a summary was told */
    if (status == BESD_OK && count && count != told->record.trial.score_count) {
        status = besd_fail(error, BESD_IO, "%s: scores of trial %lld are missing",
                           store_path(s->store), (long long)id);
    }
    if (status == BESD_OK)
        status = store_list_legs(s->store, id, s->spec.path.labels > 0, copy_legs, told, error);
    if (status == BESD_OK && !has_sound_legs(&s->spec, told))
        status = besd_fail(error, BESD_IO, "%s: the legs of trial %lld are damaged",
                           store_path(s->store), (long long)id);
    return status;
}

/* In the place of what was told. */
static besd_status write_told(besd_study *s, const told_scores *told, besd_error *error) {
    int64_t id = told->record.trial.id;
    besd_status status = store_remove_scores(s->store, id, error);
    if (status == BESD_OK)
        status = store_tell(s->store, &told->record, told->scores,
                            told->scores ? told->record.trial.score_count : 0, error);
    if (status == BESD_OK && told->legs)
        status = store_add_legs(s->store, id, told->legs, told->leg_count, s->spec.path.labels > 0,
                                error);
    return status;
}

static besd_status check_replacement(const besd_study *s, const besd_trial *t, const double *scores,
                                     const besd_leg *legs, size_t count, besd_error *error) {
    besd_status status = check_state(t, BESD_TRIAL_TOLD, "told anew", error);
    if (status == BESD_OK && count != (size_t)t->reps)
        status =
            besd_fail(error, BESD_INVALID, "scores: trial %lld has %d replications, got %zu scores",
                      (long long)t->id, t->reps, count);
    if (status == BESD_OK)
        status = scores_check(&s->spec, scores, count, error);
    if (status == BESD_OK && legs)
        status = scores_check_legs(&s->spec, legs, count, error);
    return status;
}

static besd_status replace(besd_study *s, int64_t id, const double *scores, const besd_leg *legs,
                           size_t count, double cost, const char *why, besd_error *error) {
    told_scores before;
    char *detail = NULL;
    besd_status status = read_told(s, id, &before, error);
    if (status == BESD_OK)
        status = check_replacement(s, &before.record.trial, scores, legs, count, error);
    told_scores after = {.record = before.record,
                         .scores = scores,
                         .legs = legs,
                         .leg_count = legs ? count * (s->spec.path.points + 1) : 0};
    if (cost >= 0)
        after.record.trial.cost = cost;
    if (status == BESD_OK)
        status = scores_summarise(&s->spec, scores, count, &after.record, error);
    if (status == BESD_OK)
        status = told_write(&before, why, &detail, error);
    if (status == BESD_OK)
        status = write_told(s, &after, error);
    store_event event = {.who = s->who, .what = "replaced", .trial = id, .detail = detail};
    if (status == BESD_OK)
        status = note_change(s, id, why, &event, error);
    free(detail);
    told_free(&before);
    return status;
}

besd_status besd_study_replace(besd_study *s, int64_t id, const double *scores,
                               const besd_leg *legs, size_t count, double cost, const char *why,
                               besd_error *error) {
    besd_status status = cost < 0 ? BESD_OK : scores_check_cost(cost, error);
    if (status == BESD_OK)
        status = check_why(why, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = replace(s, id, scores, legs, count, cost, why, error);
    return store_end(s->store, status, error);
}

/* Why the scores are others than were told first; a reason that is damaged is none. */
static besd_status read_standing_why(besd_study *s, int64_t id, char why[], size_t size,
                                     besd_error *error) {
    int64_t replaced = 0;
    char *detail = NULL;
    const char *text = NULL;
    why[0] = 0;
    besd_status status = store_last_event(s->store, id, "replaced", &replaced, &detail, error);
    if (status == BESD_OK && replaced) {
        json_error_t fault;
        json_t *object = json_read(detail, strlen(detail), 0, &fault);
        if (!object && json_lacked_memory(&fault))
            status = besd_fail_memory(error, "an event");
        text = json_string_value(json_object_get(object, "why"));
        if (text && strlen(text) < size)
            snprintf(why, size, "%s", text);
        json_decref(object);
    }
    free(detail);
    return status;
}

static besd_status note_restored(besd_study *s, int64_t id, int64_t undone, besd_error *error) {
    besd_work work;
    store_event event = {.who = s->who, .what = "restored", .trial = id, .undoes = undone};
    besd_status status = store_forget_fits(s->store, error);
    if (status == BESD_OK)
        status = store_add_event(s->store, &event, error);
    if (status == BESD_OK)
        status = read_standing_why(s, id, work.why, sizeof work.why, error);
    return status == BESD_OK ? store_set_why(s->store, id, work.why, error) : status;
}

/* The scores of before the newest replacement that still stands. */
static besd_status undo_replacement(besd_study *s, const besd_trial *t, besd_error *error) {
    int64_t replaced = 0;
    char *detail = NULL;
    told_scores before = {0};
    besd_status status = store_last_event(s->store, t->id, "replaced", &replaced, &detail, error);
    if (status == BESD_OK && !replaced)
        status =
            besd_fail(error, BESD_INVALID,
                      "trial %lld was neither voided nor replaced; there is nothing to restore",
                      (long long)t->id);
    if (status == BESD_OK)
        status = told_read(detail, &before, error);
    if (status == BESD_IO || (status == BESD_OK && !is_sound(&s->spec, &before)))
        status = besd_fail(error, BESD_IO, "%s: what trial %lld was told before is damaged",
                           store_path(s->store), (long long)t->id);
    before.record.trial.id = t->id;
    if (status == BESD_OK)
        status = write_told(s, &before, error);
    if (status == BESD_OK)
        status = note_restored(s, t->id, replaced, error);
    told_free(&before);
    free(detail);
    return status;
}

static besd_status undo_voiding(besd_study *s, const besd_trial *t, besd_error *error) {
    int64_t voided = 0;
    char *detail = NULL;
    besd_status status = store_last_event(s->store, t->id, "voided", &voided, &detail, error);
    free(detail);
    if (status == BESD_OK)
        status = store_set_state(s->store, t->id, BESD_TRIAL_TOLD, error);
    return status == BESD_OK ? note_restored(s, t->id, voided, error) : status;
}

static besd_status restore(besd_study *s, int64_t id, besd_error *error) {
    trial_record t;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status != BESD_OK)
        return status;
    if (t.trial.state == BESD_TRIAL_VOIDED)
        return undo_voiding(s, &t.trial, error);
    if (t.trial.state == BESD_TRIAL_TOLD)
        return undo_replacement(s, &t.trial, error);
    return besd_fail(error, BESD_INVALID, "trial %lld is %s; there is nothing to restore",
                     (long long)id, besd_trial_state_name((size_t)t.trial.state));
}

besd_status besd_study_restore(besd_study *s, int64_t id, besd_error *error) {
    besd_status status = store_begin(s->store, error);
    return status == BESD_OK ? store_end(s->store, restore(s, id, error), error) : status;
}

besd_status study_change_budget(besd_study *s, double budget, besd_error *error) {
    json_t *object = json_pack("{s:o, s:o}", "from", json_number(s->spec.options.budget), "to",
                               json_number(budget));
    char *detail = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (!detail)
        return besd_fail_memory(error, "an event");
    besd_status status = study_write_budget(s, budget, error);
    if (status == BESD_OK)
        status = study_record(s, "budget", 0, detail, error);
    free(detail);
    if (status == BESD_OK)
        s->spec.options.budget = budget;
    return status;
}

besd_status besd_study_set_budget(besd_study *s, double budget, besd_error *error) {
    if (!(budget >= 0) || (isfinite(budget) && budget > 1e300))
        return besd_fail(error, BESD_INVALID,
                         "budget: expected a number from 0 to 1e300, or infinity, got %g", budget);
    besd_status status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = study_read_budget(s, error);
    if (status == BESD_OK)
        status = study_change_budget(s, budget, error);
    return store_end(s->store, status, error);
}
