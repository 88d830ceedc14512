/* What people do to a study: correct what was told (void, replace, restore), change the budget, add
 * results from elsewhere, enqueue trials of their own choice, write notes and tags. Every act
 * leaves an event in the file, in the same transaction. A correction also drops the fits:
 * they belong to other scores. */
#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "study/legs.h"
#include "study/study_state.h"
#include "study/tell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

besd_status besd_study_set_who(besd_study *s, const char *who, besd_error *error) {
    if (strlen(who) >= sizeof s->who || !text_is_utf8(who))
        return besd_fail(error, BESD_INVALID,
                         "who: expected a name of UTF-8 shorter than %d bytes, got '%.20s...'",
                         BESD_MAX_NAME, who);
    snprintf(s->who, sizeof s->who, "%s", who);
    return BESD_OK;
}

besd_status study_record(besd_study *s, const char *what, int64_t trial, const char *detail,
                         besd_error *error) {
    store_event event = {.who = s->who, .what = what, .trial = trial, .detail = detail};
    return store_add_event(s->store, &event, error);
}

/* Passes events on to the caller's visitor, who may rely on their details being JSON. */
typedef struct guide {
    const besd_study *study;
    besd_event_visitor *visit;
    void *context;
    besd_status status;
    besd_error *error;
} guide;

static bool show_event(void *context, const besd_event *e) {
    guide *g = context;
    json_error_t fault;
    json_t *detail =
        e->detail[0] ? json_read(e->detail, strlen(e->detail), 0, &fault) : json_object();
    if (!detail && (!e->detail[0] || json_lacked_memory(&fault)))
        g->status = besd_fail_memory(g->error, "an event");
    else if (!json_is_object(detail))
        g->status = besd_fail(g->error, BESD_IO, "%s: the event %lld is damaged",
                              store_path(g->study->store), (long long)e->id);
    json_decref(detail);
    return g->status == BESD_OK && g->visit(g->context, e);
}

besd_status besd_study_events(besd_study *s, int64_t after, besd_event_visitor *visit,
                              void *context, besd_error *error) {
    guide g = {.study = s, .visit = visit, .context = context, .error = error};
    besd_status status = store_list_events(s->store, after, show_event, &g, error);
    return g.status == BESD_OK ? status : g.status;
}

besd_status study_newest_event(besd_study *s, int64_t *id, besd_error *error) {
    return store_newest_event(s->store, id, error);
}

/* {"key": "value"} as the detail of an event; NULL without memory. */
static char *write_detail(const char *key, const char *value) {
    json_t *object = json_pack("{s:s}", key, value);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

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

/* Records a change of what was told. */
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
    char *detail = write_detail("why", why ? why : "");
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

/* Could this have been told? It was read from the file. */
static bool is_sound(const study_spec *spec, const told_scores *told) {
    const trial_record *r = &told->record;
    return r->within >= 0 && scores_check_cost(r->trial.cost, NULL) == BESD_OK &&
           scores_check_summary(r, NULL) == BESD_OK &&
           (!told->scores ||
            scores_check(spec, told->scores, r->trial.score_count, NULL) == BESD_OK) &&
           has_sound_legs(spec, told);
}

/* All that a trial was told. The caller calls told_free, also after a failure. */
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
    if (status == BESD_OK && count && count != told->record.trial.score_count)
        status = besd_fail(error, BESD_IO, "%s: scores of trial %lld are missing",
                           store_path(s->store), (long long)id);
    if (status == BESD_OK)
        status = store_list_legs(s->store, id, s->spec.path.labels > 0, copy_legs, told, error);
    if (status == BESD_OK && !has_sound_legs(&s->spec, told))
        status = besd_fail(error, BESD_IO, "%s: the legs of trial %lld are damaged",
                           store_path(s->store), (long long)id);
    return status;
}

/* Replaces what the trial was told by this. */
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
        status = besd_fail(
            error, BESD_INVALID, "scores: trial %lld has %d replication%s, got %zu score%s",
            (long long)t->id, t->reps, t->reps == 1 ? "" : "s", count, count == 1 ? "" : "s");
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

besd_status besd_study_replace(besd_study *s, int64_t id, const besd_outcome *o, const char *why,
                               besd_error *error) {
    besd_status status = o->cost ? scores_check_cost(*o->cost, error) : BESD_OK;
    if (status == BESD_OK && !o->scores)
        status = besd_fail(error, BESD_INVALID, "scores: expected those that replace, got none");
    if (status == BESD_OK)
        status = check_why(why, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = replace(s, id, o->scores, o->legs, o->count, o->cost ? *o->cost : -1, why, error);
    return store_end(s->store, status, error);
}

/* The reason of the newest replacement that still stands; empty when there is none, or when it is
 * damaged. */
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

/* Restores the scores from before the newest replacement that still stands. */
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

static besd_status fail_event(int64_t id, int64_t event, besd_error *error) {
    return besd_fail(error, BESD_INVALID,
                     "trial %lld: the event %lld is not what was last done to its scores; GET its "
                     "events and name the newest voided or replaced",
                     (long long)id, (long long)event);
}

/* Is this event still to be undone? It must be of this trial, and the newest that stands. */
static besd_status check_event(besd_study *s, int64_t id, int64_t event, bool *is_undone,
                               besd_error *error) {
    int64_t of = 0, newest[2] = {0};
    char *detail = NULL;
    static const char *const acts[] = {"voided", "replaced"};
    besd_status status = store_find_undoing(s->store, event, &of, is_undone, error);
    for (size_t i = 0; status == BESD_OK && i < 2; i++) {
        status = store_last_event(s->store, id, acts[i], &newest[i], &detail, error);
        free(detail);
    }
    if (status != BESD_OK || *is_undone)
        return status == BESD_OK && of != id ? fail_event(id, event, error) : status;
    int64_t last = newest[0] > newest[1] ? newest[0] : newest[1];
    return of == id && event == last ? BESD_OK : fail_event(id, event, error);
}

/* Inside a transaction. */
static besd_status restore_event(besd_study *s, int64_t id, int64_t event, besd_error *error) {
    bool is_undone = false;
    besd_status status = event ? check_event(s, id, event, &is_undone, error) : BESD_OK;
    return status == BESD_OK && !is_undone ? restore(s, id, error) : status;
}

besd_status study_restore(besd_study *s, int64_t id, int64_t event, besd_error *error) {
    besd_status status = store_begin(s->store, error);
    return status == BESD_OK ? store_end(s->store, restore_event(s, id, event, error), error)
                             : status;
}

besd_status besd_study_restore(besd_study *s, int64_t id, besd_error *error) {
    return study_restore(s, id, 0, error);
}

besd_status study_find_answer(besd_study *s, const char *key, const char *digest, kept_answer *a,
                              besd_error *error) {
    return store_find_answer(s->store, key, digest, a, error);
}

besd_status study_keep_answer(besd_study *s, const char *key, const char *digest,
                              const kept_answer *a, besd_error *error) {
    besd_status status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    return store_end(s->store, store_keep_answer(s->store, key, digest, a, error), error);
}

void study_name_asks(besd_study *s, const char *key, const char *digest) {
    snprintf(s->ask_key, sizeof s->ask_key, "%s", key ? key : "");
    snprintf(s->ask_digest, sizeof s->ask_digest, "%s", key ? digest : "");
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
    if (!(budget >= 0) || (isfinite(budget) && budget > LARGEST_SUM))
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

static besd_status check_theta(const study_spec *spec, const double *theta, besd_error *error) {
    for (size_t i = 0; i < spec->options.dimension; i++)
        if (!(theta[i] >= spec->low[i] && theta[i] <= spec->high[i]))
            return besd_fail(error, BESD_INVALID,
                             "theta[%zu]: expected %s between %.12g and %.12g, got %.12g", i,
                             spec->options.names[i], spec->low[i], spec->high[i], theta[i]);
    return BESD_OK;
}

/* "100, 400 or 1000" */
static void list_levels(const study_spec *spec, bool taus, char *text, size_t size) {
    size_t count = taus ? spec->options.tau_count : spec->options.reps_count, used = 0;
    text[0] = 0;
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(
            text + used, size - used, "%s%lld",
            !i              ? ""
            : i + 1 < count ? ", "
                            : " or ",
            (long long)(taus ? spec->options.taus[i] : (int64_t)spec->options.reps[i]));
}

static besd_status check_tau(const study_spec *spec, int64_t tau, besd_error *error) {
    char levels[400];
    if (spec_tau_level(spec, tau) >= 0)
        return BESD_OK;
    list_levels(spec, true, levels, sizeof levels);
    return besd_fail(error, BESD_INVALID, "tau: expected %s, got %lld", levels, (long long)tau);
}

static besd_status check_reps(const study_spec *spec, int reps, besd_error *error) {
    char levels[400];
    if (spec_reps_level(spec, reps) >= 0)
        return BESD_OK;
    list_levels(spec, false, levels, sizeof levels);
    return besd_fail(error, BESD_INVALID, "reps: expected %s, got %d", levels, reps);
}

/* The task of a trial that the study did not choose. */
static int64_t task_or_all(const study_spec *spec, const int64_t *task) {
    return task ? *task : spec_has_tasks(spec) ? BESD_ALL_TASKS : 0;
}

static besd_status check_result(const study_spec *spec, const besd_result *r, besd_error *error) {
    besd_status status = check_theta(spec, r->theta, error);
    if (status == BESD_OK)
        status = check_tau(spec, r->tau, error);
    if (status == BESD_OK && (r->count < 1 || r->count > BESD_MAX_REPS))
        status = besd_fail(error, BESD_INVALID, "scores: expected 1 to %d of them, got %zu",
                           BESD_MAX_REPS, r->count);
    if (status == BESD_OK)
        status = scores_check(spec, r->scores, r->count, error);
    if (status == BESD_OK)
        status = scores_check_cost(r->cost, error);
    if (status == BESD_OK && r->legs)
        status = scores_check_legs(spec, r->legs, r->count, error);
    int64_t most = spec_has_tasks(spec) ? (int64_t)spec->tasks.own - 1 : 0;
    if (status == BESD_OK && r->task && !(*r->task >= 0 && *r->task <= most))
        status = besd_fail(error, BESD_INVALID, "task: expected a number from 0 to %lld, got %lld",
                           (long long)most, (long long)*r->task);
    return status;
}

/* A new row for a trial that the study did not choose. State, cost and reason are set already. */
static besd_status add_row(besd_study *s, const double *theta, const char *note, besd_trial *t,
                           besd_error *error) {
    for (size_t i = 0; i < s->spec.options.dimension; i++)
        t->theta[i] = theta[i] + 0.0; /* designs are compared bit by bit: no negative zero */
    t->seed = study_trial_seed(s, t->id);
    besd_status status = store_add_trial(s->store, s->spec.options.dimension, t, error);
    if (status == BESD_OK && note && *note)
        status = store_set_trial_note(s->store, t->id, note, error);
    return status;
}

static besd_status add_result(besd_study *s, const besd_result *r, int64_t id, besd_error *error) {
    trial_record t = {.trial = {.id = id,
                                .tau = r->tau,
                                .reps = (int)r->count,
                                .reason = BESD_REASON_ADDED,
                                .state = BESD_TRIAL_ASKED, /* until store_tell below */
                                .task = task_or_all(&s->spec, r->task),
                                .cost = r->cost}};
    besd_status status = check_result(&s->spec, r, error);
    if (status == BESD_OK)
        status = study_check_note(r->note, error);
    if (status == BESD_OK)
        status = add_row(s, r->theta, r->note, &t.trial, error);
    if (status == BESD_OK)
        status = scores_summarise(&s->spec, r->scores, r->count, &t, error);
    if (status == BESD_OK)
        status = store_tell(s->store, &t, r->scores, r->count, error);
    if (status == BESD_OK && r->legs)
        status = store_add_legs(s->store, id, r->legs, r->count * (s->spec.path.points + 1),
                                s->spec.path.labels > 0, error);
    return status == BESD_OK ? study_record(s, "added", id, NULL, error) : status;
}

besd_status besd_study_add(besd_study *s, const besd_result *results, size_t count, int64_t *first,
                           besd_error *error) {
    int64_t newest = 0;
    besd_error reason = {0};
    besd_status status =
        count ? store_begin(s->store, error)
              : besd_fail(error, BESD_INVALID, "results: expected at least one, got none");
    if (status != BESD_OK)
        return status;
    status = store_newest_trial(s->store, &newest, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        status = add_result(s, &results[i], newest + 1 + (int64_t)i, &reason);
        if (status == BESD_INVALID)
            besd_error_set(error, status, "results[%zu]: %s", i, reason.message);
        else if (status != BESD_OK)
            besd_error_set(error, status, "%s", reason.message);
    }
    if (status == BESD_OK)
        status = store_forget_fits(s->store, error);
    status = store_end(s->store, status, error);
    if (status == BESD_OK && first)
        *first = newest + 1;
    return status;
}

static besd_status check_affordable(besd_study *s, double cost, besd_error *error) {
    view v;
    besd_status status = study_look(s, &v, error);
    if (status != BESD_OK)
        return status;
    double affordable = turn_affordable(&s->spec, &v.evidence), spent = v.evidence.spent;
    view_free(&v);
    return cost <= affordable
               ? BESD_OK
               : besd_fail(error, BESD_INVALID,
                           "budget: the trial costs %.12g, and %.12g are left; raise the budget "
                           "first",
                           cost, fmax(0, s->spec.options.budget - spent));
}

besd_status besd_study_enqueue(besd_study *s, const double *theta, int64_t tau, int reps,
                               const char *note, int64_t *id, besd_error *error) {
    const study_spec *spec = &s->spec;
    besd_trial t = {.tau = tau ? tau : spec_tau_max(spec),
                    .reps = reps ? reps : spec->options.reps[0],
                    .state = BESD_TRIAL_WAITING,
                    .task = task_or_all(spec, NULL),
                    .reason = BESD_REASON_ENQUEUED};
    besd_status status = check_theta(spec, theta, error);
    if (status == BESD_OK)
        status = study_check_note(note, error);
    if (status == BESD_OK)
        status = check_tau(spec, t.tau, error);
    if (status == BESD_OK)
        status = check_reps(spec, t.reps, error);
    if (status != BESD_OK)
        return status;
    t.cost = spec_cost(spec, spec_tau_level(spec, t.tau), spec_reps_level(spec, t.reps));
    status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = check_affordable(s, t.cost, error);
    if (status == BESD_OK)
        status = store_newest_trial(s->store, &t.id, error);
    t.id++;
    if (status == BESD_OK)
        status = add_row(s, theta, note, &t, error);
    if (status == BESD_OK)
        status = study_record(s, "enqueued", t.id, NULL, error);
    status = store_end(s->store, status, error);
    if (status == BESD_OK && id)
        *id = t.id;
    return status;
}

static besd_status check_tag(const char *tag, besd_error *error) {
    size_t length = strlen(tag);
    if (length >= 1 && length < BESD_MAX_NAME && !strchr(tag, ',') && text_is_utf8(tag))
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "tag: expected a word of 1 to %d bytes without commas, got '%.30s'",
                     BESD_MAX_NAME - 1, tag);
}

/* Callers that read tags have room for BESD_MAX_TAGS bytes. */
static besd_status check_room(besd_study *s, int64_t id, const char *tag, besd_error *error) {
    char *tags = NULL;
    besd_status status = store_get_tags(s->store, id, &tags, error);
    if (status == BESD_OK && tags && strlen(tags) + 1 + strlen(tag) >= BESD_MAX_TAGS)
        status = besd_fail(error, BESD_INVALID,
                           "tag: the tags of trial %lld would be %zu bytes long, expected fewer "
                           "than %d; take one off first",
                           (long long)id, strlen(tags) + 1 + strlen(tag), BESD_MAX_TAGS);
    free(tags);
    return status;
}

/* Inside a transaction. */
static besd_status set_tag(besd_study *s, int64_t id, const char *tag, bool on, besd_error *error) {
    besd_status status = on ? check_room(s, id, tag, error) : BESD_OK;
    if (status == BESD_OK)
        status = store_set_tag(s->store, id, tag, on, error);
    char *detail = write_detail("tag", tag);
    if (status == BESD_OK)
        status = detail ? study_record(s, on ? "tagged" : "untagged", id, detail, error)
                        : besd_fail_memory(error, "an event");
    free(detail);
    return status;
}

besd_status study_check_note(const char *note, besd_error *error) {
    if (!note || strlen(note) < BESD_MAX_NOTE)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "note: expected at most %d bytes, got %zu; keep a longer text in a file and "
                     "note its name",
                     BESD_MAX_NOTE - 1, strlen(note));
}

/* Inside a transaction. The event keeps the note that is replaced. */
static besd_status set_note(besd_study *s, int64_t id, const char *note, besd_error *error) {
    char *before = NULL, *detail = NULL;
    besd_status status = store_get_trial_note(s->store, id, &before, error);
    if (status == BESD_OK && before && *before) {
        text_clean(before);
        detail = write_detail("before", before);
        if (!detail)
            status = besd_fail_memory(error, "an event");
    }
    if (status == BESD_OK)
        status = store_set_trial_note(s->store, id, note, error);
    if (status == BESD_OK)
        status = study_record(s, "noted", id, detail, error);
    free(before);
    free(detail);
    return status;
}

static besd_status annotate(besd_study *s, int64_t id, const char *note, const tag_change *tags,
                            size_t count, besd_error *error) {
    trial_record t;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK && note)
        status = set_note(s, id, note, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = set_tag(s, id, tags[i].tag, tags[i].on, error);
    return status;
}

besd_status study_annotate(besd_study *s, int64_t id, const char *note, const tag_change *tags,
                           size_t count, besd_error *error) {
    besd_status status = study_check_note(note, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = check_tag(tags[i].tag, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    return store_end(s->store, annotate(s, id, note, tags, count, error), error);
}

besd_status besd_study_tag(besd_study *s, int64_t id, const char *tag, bool on, besd_error *error) {
    tag_change change = {tag, on};
    return study_annotate(s, id, NULL, &change, 1, error);
}

besd_status besd_study_set_trial_note(besd_study *s, int64_t id, const char *text,
                                      besd_error *error) {
    return study_annotate(s, id, text, NULL, 0, error);
}

besd_status besd_study_tags(besd_study *s, int64_t id, char *text, size_t size, besd_error *error) {
    trial_record t;
    char *tags = NULL;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = store_get_tags(s->store, id, &tags, error);
    if (status == BESD_OK)
        snprintf(text, size, "%s", tags ? tags : "");
    free(tags);
    return status;
}
