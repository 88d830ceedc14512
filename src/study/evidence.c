#include "study/evidence.h"

#include "core/error.h"
#include "study/subset.h"

#include <stdlib.h>
#include <string.h>

/* The trial that a retry, or a retry of a retry, was asked for in the first place. */
static int64_t first_asked(const evidence *e, const besd_trial *t) {
    while (t->repeats > 0 && t->repeats < t->id)
        t = &e->trials[t->repeats - 1].trial;
    return t->id;
}

bool evidence_confirms(const evidence *e, const besd_trial *t) {
    return e->trials[first_asked(e, t) - 1].trial.reason == BESD_REASON_CONFIRM;
}

bool evidence_teaches(const evidence *e, size_t trial) {
    return record_is_told(&e->trials[trial]) && !evidence_confirms(e, &e->trials[trial].trial);
}

static besd_status observe(evidence *e, const study_spec *spec, const trial_record *r,
                           besd_error *error) {
    double unit[BESD_MAX_DIMENSION];
    const besd_trial *t = &r->trial;
    spec_to_unit(spec, t->theta, unit);
    besd_status status = observations_add(
        &e->observed, unit, spec_share(spec, t->tau), spec_tau_level(spec, t->tau),
        record_is_told(r) ? (double)t->score_count : t->reps, record_is_told(r) ? r->model_mean : 0,
        record_is_told(r) ? r->within : 0, error);
    if (status == BESD_OK)
        e->observed.task[e->observed.count - 1] = spec_task(spec, t);
    return status;
}

/* Told trials first, then pending ones, each by id. */
static besd_status observe_all(evidence *e, const study_spec *spec, besd_error *error) {
    besd_status status = observations_init(&e->observed, spec->options.dimension, error);
    e->observed.tasks = spec_tasks(spec);
    for (int pending = 0; pending < 2; pending++)
        for (size_t i = 0; status == BESD_OK && i < e->count; i++)
            if (!evidence_confirms(e, &e->trials[i].trial) &&
                (pending ? record_is_pending : record_is_told)(&e->trials[i]))
                status = observe(e, spec, &e->trials[i], error);
    return status;
}

/* Are replications independent, so that the model's noise is theirs alone? */
static bool are_independent(const study_spec *spec) {
    const besd_study_options *o = &spec->options;
    return o->instances == BESD_INSTANCES_FRESH && o->model == BESD_MODEL_AVERAGED &&
           o->method != BESD_METHOD_EI_PAPER;
}

/* A large study is cut down to the rows that a model can have. */
static besd_status look_at_some(evidence *e, const study_spec *spec, besd_error *error) {
    subset_rule rule = {
        .rows = SUBSET_ROWS, .pending = SUBSET_PENDING, .independent = are_independent(spec)};
    e->rows = e->told;
    if (e->observed.count <= rule.rows)
        return BESD_OK;
    bool *of_rows = malloc((e->told + 1) * sizeof *of_rows);
    e->looked_at = malloc(e->count * sizeof *e->looked_at);
    besd_status status = of_rows && e->looked_at ? BESD_OK : besd_fail_memory(error, "the trials");
    if (status == BESD_OK)
        status = subset_take(&e->observed, &e->rows, &rule, of_rows, error);
    for (size_t i = 0, row = 0; status == BESD_OK && i < e->count; i++)
        e->looked_at[i] = evidence_teaches(e, i) ? of_rows[row++] : true;
    free(of_rows);
    return status;
}

/* A told retry takes the place of the failed trial. */
static void stand_in(evidence *e, const trial_record *retry) {
    int64_t first = first_asked(e, &retry->trial);
    size_t last = (size_t)first < e->place_count ? (size_t)first : e->place_count;
    for (size_t i = last; i-- > 0;) /* trial number n has one of the first n places */
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
                      t->reason != BESD_REASON_RETRY && t->reason != BESD_REASON_SOURCE;
        e->spent += t->cost;
        bool told = record_is_told(&e->trials[i]), confirms = evidence_confirms(e, t);
        e->told += told && !confirms;
        e->added += told && t->reason == BESD_REASON_ADDED;
        e->confirmed += told && confirms;
        e->sourced += t->reason == BESD_REASON_SOURCE;
        e->chosen += chosen;
        e->chosen_at_tau_max += chosen && t->tau == spec_tau_max(spec);
        e->chosen_for_legs += t->reason == BESD_REASON_LEGS;
        e->chosen_cost += chosen ? t->cost : 0;
        e->legs_cost += t->reason == BESD_REASON_LEGS ? t->cost : 0;
    }
}

/* Sums over trials of x = 1 - tau / tau_max and y, the outcome. */
typedef struct line_sums {
    double count, x, y, xx, xy;
} line_sums;

static void add_to_line(line_sums *s, const study_spec *spec, const trial_record *r) {
    double x = 1 - spec_share(spec, r->trial.tau);
    s->count++;
    s->x += x;
    s->y += r->model_mean;
    s->xx += x * x;
    s->xy += x * r->model_mean;
}

static line_sums sum_all(const study_spec *spec, const evidence *e) {
    line_sums s = {0};
    for (size_t i = 0; i < e->count; i++)
        if (evidence_teaches(e, i))
            add_to_line(&s, spec, &e->trials[i]);
    return s;
}

/* Results from elsewhere stand in for the initial design, so they count here as well: a single
 * initial trial beside many of them would say little. */
static line_sums sum_initial(const study_spec *spec, const evidence *e) {
    line_sums s = {0};
    for (size_t i = 0; e->added && i < e->count; i++)
        if (record_is_told(&e->trials[i]) && e->trials[i].trial.reason == BESD_REASON_ADDED)
            add_to_line(&s, spec, &e->trials[i]);
    for (size_t i = 0; i < e->place_count; i++) {
        const evidence_place *place = &e->places[i];
        if (record_is_told(place->record) && place->reason == BESD_REASON_INITIAL)
            add_to_line(&s, spec, place->record);
    }
    return s;
}

/* What the model expects far from everything that was tried: the mean of the initial trials, as in
 * the paper. Initial trials are spread over the space. Chosen trials crowd where the scores are
 * best, and their mean would promise such scores everywhere. The averaged model expects more of
 * longer trainings, by a straight line through the initial trials. */
static void set_prior_mean(evidence *e, const study_spec *spec) {
    line_sums s = sum_initial(spec, e);
    if (s.count == 0 || spec->options.mean_of_all)
        s = sum_all(spec, e);
    double apart = s.xx - s.x * s.x / s.count;
    bool tilted = spec->options.model == BESD_MODEL_AVERAGED && s.count > 2 && apart > 1e-9;
    e->prior_slope = tilted ? (s.xy - s.x * s.y / s.count) / apart : 0;
    e->prior_mean = s.count > 0 ? (s.y - e->prior_slope * s.x) / s.count : 0;
}

besd_status evidence_init(evidence *e, const study_spec *spec, trial_record *trials, size_t count,
                          besd_error *error) {
    *e = (evidence){.trials = trials, .count = count};
    count_trials(e, spec);
    besd_status status = give_places(e, error);
    if (status == BESD_OK)
        status = observe_all(e, spec, error);
    if (status == BESD_OK)
        status = look_at_some(e, spec, error);
    if (status != BESD_OK) {
        evidence_free(e);
        return status;
    }
    set_prior_mean(e, spec);
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
    free(e->looked_at);
    free(e->places);
    free(e->trials);
    *e = (evidence){0};
}
