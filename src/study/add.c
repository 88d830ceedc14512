/* Trials that the study did not think of: results from elsewhere, and wishes. */
#include "core/error.h"
#include "core/rng.h"
#include "core/text.h"
#include "study/scores.h"
#include "study/store_acts.h"
#include "study/study_state.h"
#include "study/turn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    return status;
}

/* A new row for a trial of somebody else's choice; its state, cost and reason are in it. */
static besd_status add_row(besd_study *s, const double *theta, const char *note, besd_trial *t,
                           besd_error *error) {
    for (size_t i = 0; i < s->spec.options.dimension; i++)
        t->theta[i] = theta[i] + 0.0; /* designs are compared bit by bit: no negative zero */
    t->seed = rng_seed(s->spec.options.seed, RNG_TRIAL, (uint64_t)t->id, 0, 0) >> 11;
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
                                .state = BESD_TRIAL_ASKED, /* until it is told, a moment later */
                                .cost = r->cost}};
    besd_status status = check_result(&s->spec, r, error);
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
                    .reason = BESD_REASON_ENQUEUED};
    besd_status status = check_theta(spec, theta, error);
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
