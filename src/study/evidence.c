#include "study/evidence.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* The trial that a retry, or a retry of one, was asked for in the first place. */
static int64_t first_asked(const evidence *e, const besd_trial *t) {
    while (t->repeats > 0 && t->repeats < t->id)
        t = &e->trials[t->repeats - 1].trial;
    return t->id;
}

bool evidence_confirms(const evidence *e, const besd_trial *t) {
    return e->trials[first_asked(e, t) - 1].trial.reason == BESD_REASON_CONFIRM;
}

static besd_status observe(evidence *e, const study_spec *spec, const trial_record *r,
                           besd_error *error) {
    double unit[BESD_MAX_DIMENSION];
    const besd_trial *t = &r->trial;
    spec_to_unit(spec, t->theta, unit);
    return observations_add(
        &e->observed, unit, (double)t->tau / (double)spec_tau_max(spec),
        spec_tau_level(spec, t->tau), record_is_told(r) ? (double)t->score_count : t->reps,
        record_is_told(r) ? r->model_mean : 0, record_is_told(r) ? r->within : 0, error);
}

/* Told ones first, then pending ones, each by id. */
static besd_status observe_all(evidence *e, const study_spec *spec, besd_error *error) {
    besd_status status = observations_init(&e->observed, spec->options.dimension, error);
    for (int pending = 0; pending < 2; pending++)
        for (size_t i = 0; status == BESD_OK && i < e->count; i++)
            if (!evidence_confirms(e, &e->trials[i].trial) &&
                (pending ? record_is_pending : record_is_told)(&e->trials[i]))
                status = observe(e, spec, &e->trials[i], error);
    return status;
}

static void stand_in(evidence *e, const trial_record *retry) {
    int64_t first = first_asked(e, &retry->trial);
    for (size_t i = 0; i < e->place_count; i++)
        if (e->places[i].record->trial.id == first) {
            if (e->places[i].record->trial.state == BESD_TRIAL_FAILED)
                e->places[i].record = retry;
            return;
        }
}

static besd_status give_places(evidence *e, besd_error *error) {
    e->places = calloc(e->count + 1, sizeof *e->places);
    e->place_count = 0;
    if (!e->places)
        return besd_fail_memory(error, "the trials");
    for (size_t i = 0; i < e->count; i++) {
        const trial_record *r = &e->trials[i];
        if (!record_is_own(r))
            continue;
        if (r->trial.reason != BESD_REASON_RETRY)
            e->places[e->place_count++] = (evidence_place){r, r->trial.reason};
        else if (record_is_told(r))
            stand_in(e, r);
    }
    return BESD_OK;
}

static void count_trials(evidence *e, const study_spec *spec) {
    e->spent = spec->options.baseline_cost;
    for (size_t i = 0; i < e->count; i++) {
        const besd_trial *t = &e->trials[i].trial;
        bool chosen = record_is_own(&e->trials[i]) && t->reason != BESD_REASON_INITIAL &&
                      t->reason != BESD_REASON_RETRY;
        e->spent += t->cost;
        bool told = record_is_told(&e->trials[i]), confirms = evidence_confirms(e, t);
        e->told += told && !confirms;
        e->added += told && t->reason == BESD_REASON_ADDED;
        e->confirmed += told && confirms;
        e->chosen += chosen;
        e->chosen_at_tau_max += chosen && t->tau == spec_tau_max(spec);
        e->chosen_for_legs += t->reason == BESD_REASON_LEGS;
        e->chosen_cost += chosen ? t->cost : 0;
        e->legs_cost += t->reason == BESD_REASON_LEGS ? t->cost : 0;
    }
}

besd_status evidence_init(evidence *e, const study_spec *spec, trial_record *trials, size_t count,
                          besd_error *error) {
    *e = (evidence){.trials = trials, .count = count};
    count_trials(e, spec);
    besd_status status = give_places(e, error);
    if (status == BESD_OK)
        status = observe_all(e, spec, error);
    if (status != BESD_OK) {
        evidence_free(e);
        return status;
    }
    prior_mean(spec, e, &e->prior_mean, &e->prior_slope);
    return BESD_OK;
}

size_t evidence_legs(const evidence *e, size_t trial, const besd_leg **legs) {
    if (!e->legs)
        return 0;
    *legs = e->legs + e->leg_first[trial];
    return e->leg_first[trial + 1] - e->leg_first[trial];
}

void evidence_free(evidence *e) {
    observations_free(&e->observed);
    free(e->legs);
    free(e->leg_first);
    free(e->places);
    free(e->trials);
    *e = (evidence){0};
}
