/* What came of a trial: scores, a summary, or nothing. */
#include "study/study_state.h"

#include "core/error.h"
#include "study/scores.h"

#include <math.h>

static besd_status check_scores(const besd_study *s, const besd_trial *trial, const double *scores,
                                size_t count, besd_error *error) {
    if (count != (size_t)trial->reps)
        return besd_fail(error, BESD_INVALID,
                         "scores: trial %lld has %d replications, got %zu scores",
                         (long long)trial->id, trial->reps, count);
    return scores_check(&s->spec, scores, count, error);
}

static besd_status check_not_voided(const besd_trial *t, besd_error *error) {
    return t->state != BESD_TRIAL_VOIDED
               ? BESD_OK
               : besd_fail(error, BESD_INVALID, "trial %lld was voided; restore it first",
                           (long long)t->id);
}

/* Telling twice is fine when it says the same. */
static besd_status check_repetition(besd_study *s, const besd_trial *trial, const double *scores,
                                    size_t count, double cost, besd_error *error) {
    double told[BESD_MAX_REPS];
    size_t told_count;
    besd_status status =
        store_get_scores(s->store, trial->id, told, BESD_MAX_REPS, &told_count, error);
    if (status != BESD_OK)
        return status;
    bool same = told_count == count;
    for (size_t i = 0; same && i < count; i++)
        same = told[i] == scores[i];
    if (same && cost >= 0 && cost != trial->cost)
        return besd_fail(error, BESD_INVALID,
                         "trial %lld has been told already, with a cost of %.12g; it stays",
                         (long long)trial->id, trial->cost);
    if (same) {
        besd_error_set(error, BESD_OK, "trial %lld was told these scores before; nothing changed",
                       (long long)trial->id);
        return BESD_OK;
    }
    return besd_fail(
        error, BESD_INVALID,
        "trial %lld has been told already, with other scores; they stay unless they are "
        "replaced ('besd tell --replace')",
        (long long)trial->id);
}

/* The legs that a trial was told with, compared one by one. */
typedef struct leg_comparison {
    const besd_leg *legs;
    size_t count;
    bool labelled, seen, same;
} leg_comparison;

static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static besd_status compare_legs(void *context, int64_t id, const besd_leg *told, size_t count,
                                besd_error *error) {
    leg_comparison *c = context;
    (void)id;
    (void)error;
    c->seen = true;
    c->same = count == c->count;
    for (size_t i = 0; c->same && i < count; i++)
        c->same = same_number(told[i].reached, c->legs[i].reached) &&
                  same_number(told[i].earned, c->legs[i].earned) &&
                  (!c->labelled || told[i].label == c->legs[i].label);
    return BESD_OK;
}

static besd_status check_repeated_legs(besd_study *s, int64_t id, const besd_leg *legs,
                                       size_t count, besd_error *error) {
    leg_comparison c = {.legs = legs, .count = count, .labelled = s->spec.path.labels > 0};
    besd_status status =
        store_list_legs(s->store, id, s->spec.path.labels > 0, compare_legs, &c, error);
    if (status != BESD_OK || c.same)
        return status;
    return besd_fail(error, BESD_INVALID, "trial %lld has been told already, %s", (long long)id,
                     c.seen ? "with other legs; they stay" : "without legs");
}

static double planned_cost(const besd_study *s, const besd_trial *t) {
    return spec_cost(&s->spec, spec_tau_level(&s->spec, t->tau),
                     spec_reps_level(&s->spec, t->reps));
}

/* cost < 0: as planned; legs NULL: none are known. */
static besd_status tell(besd_study *s, int64_t id, const double *scores, const besd_leg *legs,
                        size_t count, double cost, besd_error *error) {
    trial_record t;
    if (error)
        error->message[0] = 0;
    besd_status status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = check_not_voided(&t.trial, error);
    if (status == BESD_OK)
        status = check_scores(s, &t.trial, scores, count, error);
    if (status == BESD_OK && legs)
        status = scores_check_legs(&s->spec, legs, count, error);
    if (status == BESD_OK && t.trial.state == BESD_TRIAL_TOLD) {
        status = check_repetition(s, &t.trial, scores, count, cost, error);
        if (status == BESD_OK && legs)
            status = check_repeated_legs(s, id, legs, count * (s->spec.path.points + 1), error);
    } else if (status == BESD_OK) {
        status = scores_summarise(&s->spec, scores, count, &t, error);
        t.trial.cost = cost < 0 ? planned_cost(s, &t.trial) : cost;
        if (status == BESD_OK)
            status = store_tell(s->store, &t, scores, count, error);
        if (status == BESD_OK && legs)
            status = store_add_legs(s->store, id, legs, count * (s->spec.path.points + 1),
                                    s->spec.path.labels > 0, error);
        if (status == BESD_OK)
            status = study_record(s, "told", id, NULL, error);
    }
    return store_end(s->store, status, error);
}

besd_status besd_study_tell(besd_study *s, int64_t id, const double *scores, size_t count,
                            besd_error *error) {
    return tell(s, id, scores, NULL, count, -1, error);
}

besd_status besd_study_tell_cost(besd_study *s, int64_t id, const double *scores, size_t count,
                                 double cost, besd_error *error) {
    besd_status status = scores_check_cost(cost, error);
    return status ? status : tell(s, id, scores, NULL, count, cost, error);
}

besd_status besd_study_tell_legs(besd_study *s, int64_t id, const double *scores,
                                 const besd_leg *legs, size_t count, double cost,
                                 besd_error *error) {
    besd_status status = cost < 0 ? BESD_OK : scores_check_cost(cost, error);
    return status ? status : tell(s, id, scores, legs, count, cost, error);
}

besd_status besd_study_tell_summary(besd_study *s, int64_t id, double mean, double variance,
                                    size_t count, besd_error *error) {
    trial_record t;
    if (!isfinite(mean) || !isfinite(variance) || variance < 0 || count < 1 ||
        count > BESD_MAX_REPS)
        return besd_fail(error, BESD_INVALID,
                         "summary: expected a finite mean, a variance from 0 and a count from 1 to "
                         "%d, got %g, %g and %zu",
                         BESD_MAX_REPS, mean, variance, count);
    if (error)
        error->message[0] = 0;
    besd_status status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = check_not_voided(&t.trial, error);
    double sign = s->spec.options.direction == BESD_MINIMIZE ? -1 : 1;
    double within = variance * (double)(count - 1);
    if (status == BESD_OK && t.trial.state == BESD_TRIAL_TOLD) {
        if (t.model_mean != sign * mean || t.within != within || t.trial.score_count != count)
            status = besd_fail(
                error, BESD_INVALID,
                "trial %lld has been told already, with other scores; they stay unless they are "
                "replaced",
                (long long)id);
    } else if (status == BESD_OK) {
        t.model_mean = sign * mean;
        t.trial.mean = spec_score(&s->spec.options, t.model_mean);
        t.trial.score_count = count;
        t.trial.cost = planned_cost(s, &t.trial);
        t.within = within;
        status = scores_check_summary(&t, error);
        if (status == BESD_OK)
            status = store_tell(s->store, &t, NULL, 0, error);
        if (status == BESD_OK)
            status = study_record(s, "told", id, NULL, error);
    }
    return store_end(s->store, status, error);
}

besd_status besd_study_fail(besd_study *s, int64_t id, double cost, const char *note,
                            besd_error *error) {
    trial_record t;
    besd_status status = cost < 0 ? BESD_OK : scores_check_cost(cost, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = check_not_voided(&t.trial, error);
    if (status == BESD_OK && t.trial.state == BESD_TRIAL_TOLD)
        status = besd_fail(error, BESD_INVALID, "trial %lld has been told; it cannot fail any more",
                           (long long)id);
    if (status == BESD_OK)
        status = store_fail(s->store, id, cost < 0 ? planned_cost(s, &t.trial) : cost, note, error);
    if (status == BESD_OK)
        status = study_record(s, "failed", id, NULL, error);
    return store_end(s->store, status, error);
}
