/* Telling what came of a trial: scores, a summary, or a failure. Then the same as JSON (told_write,
 * told_read). */
#include "study/tell.h"

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "study/legs.h"
#include "study/path.h"
#include "study/study_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

besd_status scores_check(const study_spec *spec, const double *scores, size_t count,
                         besd_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(scores[i]))
            return besd_fail(error, BESD_INVALID, "scores[%zu]: expected a finite number, got %g",
                             i, scores[i]);
        if (spec->options.transform == BESD_TRANSFORM_LOG && scores[i] <= 0)
            return besd_fail(error, BESD_INVALID,
                             "scores[%zu]: expected a positive number, because the study takes "
                             "logarithms, got %g",
                             i, scores[i]);
    }
    return BESD_OK;
}

besd_status scores_check_cost(double cost, besd_error *error) {
    if (cost >= 0 && cost <= LARGEST_SUM)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID, "cost: expected a number from 0 to 1e300, got %g", cost);
}

besd_status scores_check_legs(const study_spec *spec, const besd_leg *legs, size_t count,
                              besd_error *error) {
    if (!spec->path.points)
        return besd_fail(error, BESD_INVALID, "legs: theta of this study is no path");
    return legs_check(&spec->path, legs, count, error);
}

/* A score as the model sees it, with the price of the visited points. */
static double seen(const study_spec *spec, double price, double score) {
    bool less_is_better = spec->options.direction == BESD_MINIMIZE;
    return spec_to_model(spec, less_is_better ? score + price : score - price);
}

besd_status scores_summarise(const study_spec *spec, const double *scores, size_t count,
                             trial_record *t, besd_error *error) {
    double sum = 0, model_sum = 0, price = path_price(spec, t->trial.theta);
    for (size_t i = 0; i < count; i++) {
        sum += scores[i];
        model_sum += seen(spec, price, scores[i]);
    }
    t->trial.mean = sum / (double)count;
    t->trial.score_count = count;
    t->model_mean = model_sum / (double)count;
    t->within = 0;
    for (size_t i = 0; i < count; i++) {
        double deviation = seen(spec, price, scores[i]) - t->model_mean;
        t->within += deviation * deviation;
    }
    return scores_check_summary(t, error);
}

besd_status scores_check_summary(const trial_record *t, besd_error *error) {
    if (fabs(t->model_mean) < LARGEST_MODEL_MEAN && t->within < LARGEST_SUM &&
        isfinite(t->trial.mean))
        return BESD_OK;
    return besd_fail(
        error, BESD_INVALID,
        "scores: their mean %g and spread %g are too large to compute with; scale them",
        isfinite(t->trial.mean) ? t->model_mean : t->trial.mean, sqrt(t->within));
}

static besd_status check_scores(const besd_study *s, const besd_trial *trial, const double *scores,
                                size_t count, besd_error *error) {
    if (count != (size_t)trial->reps)
        return besd_fail(error, BESD_INVALID,
                         "scores: trial %lld has %d replication%s, got %zu score%s",
                         (long long)trial->id, trial->reps, trial->reps == 1 ? "" : "s", count,
                         count == 1 ? "" : "s");
    return scores_check(&s->spec, scores, count, error);
}

static besd_status check_not_voided(const besd_trial *t, besd_error *error) {
    return t->state != BESD_TRIAL_VOIDED
               ? BESD_OK
               : besd_fail(error, BESD_INVALID, "trial %lld was voided; restore it first",
                           (long long)t->id);
}

/* Telling a trial twice is fine when both times say the same: BESD_REPEATED. */
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
        besd_error_set(error, BESD_REPEATED,
                       "trial %lld was told these scores before; nothing changed",
                       (long long)trial->id);
        return BESD_REPEATED;
    }
    return besd_fail(
        error, BESD_INVALID,
        "trial %lld has been told already, with other scores; they stay unless they are "
        "replaced ('besd tell --replace')",
        (long long)trial->id);
}

static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Compares legs with those that a trial was told with. */
typedef struct leg_comparison {
    const besd_leg *legs;
    size_t count;
    bool labelled, seen, same;
} leg_comparison;

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

/* Writes what the first tell of a trial says. */
static besd_status write_first(besd_study *s, trial_record *t, const double *scores,
                               const besd_leg *legs, size_t count, double cost, besd_error *error) {
    int64_t id = t->trial.id;
    besd_status status = scores_summarise(&s->spec, scores, count, t, error);
    t->trial.cost = cost < 0 ? planned_cost(s, &t->trial) : cost;
    if (status == BESD_OK)
        status = store_tell(s->store, t, scores, count, error);
    if (status == BESD_OK && legs)
        status = store_add_legs(s->store, id, legs, count * (s->spec.path.points + 1),
                                s->spec.path.labels > 0, error);
    return status == BESD_OK ? study_record(s, "told", id, NULL, error) : status;
}

/* What is told of a trial that was told before. */
static besd_status check_again(besd_study *s, const besd_trial *t, const besd_outcome *o,
                               double cost, besd_error *error) {
    besd_status status = check_repetition(s, t, o->scores, o->count, cost, error);
    if (status != BESD_REPEATED || !o->legs)
        return status;
    besd_error reason;
    besd_status legs =
        check_repeated_legs(s, t->id, o->legs, o->count * (s->spec.path.points + 1), &reason);
    if (legs != BESD_OK && error)
        *error = reason;
    return legs == BESD_OK ? status : legs;
}

static besd_status tell_scores(besd_study *s, trial_record *t, const besd_outcome *o,
                               besd_error *error) {
    double cost = o->cost ? *o->cost : -1;
    besd_status status = check_scores(s, &t->trial, o->scores, o->count, error);
    if (status == BESD_OK && o->legs)
        status = scores_check_legs(&s->spec, o->legs, o->count, error);
    if (status != BESD_OK)
        return status;
    return t->trial.state == BESD_TRIAL_TOLD
               ? check_again(s, &t->trial, o, cost, error)
               : write_first(s, t, o->scores, o->legs, o->count, cost, error);
}

static besd_status check_summary(const besd_outcome *o, besd_error *error) {
    const besd_summary *m = o->summary;
    if (isfinite(m->mean) && isfinite(m->variance) && m->variance >= 0 && o->count >= 1 &&
        o->count <= BESD_MAX_REPS)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "summary: expected a finite mean, a variance from 0 and a count from 1 to %d, "
                     "got %g, %g and %zu",
                     BESD_MAX_REPS, m->mean, m->variance, o->count);
}

static besd_status tell_summary(besd_study *s, trial_record *t, const besd_outcome *o,
                                besd_error *error) {
    double sign = s->spec.options.direction == BESD_MINIMIZE ? -1 : 1;
    double mean = sign * o->summary->mean, within = o->summary->variance * (double)(o->count - 1);
    int64_t id = t->trial.id;
    if (t->trial.state == BESD_TRIAL_TOLD && t->model_mean == mean && t->within == within &&
        t->trial.score_count == o->count) {
        besd_error_set(error, BESD_REPEATED,
                       "trial %lld was told this summary before; nothing changed", (long long)id);
        return BESD_REPEATED;
    }
    if (t->trial.state == BESD_TRIAL_TOLD)
        return besd_fail(error, BESD_INVALID,
                         "trial %lld has been told already, with other scores; they stay unless "
                         "they are replaced",
                         (long long)id);
    t->model_mean = mean;
    t->trial.mean = spec_score(&s->spec.options, t->model_mean);
    t->trial.score_count = o->count;
    t->trial.cost = o->cost ? *o->cost : planned_cost(s, &t->trial);
    t->within = within;
    besd_status status = scores_check_summary(t, error);
    if (status == BESD_OK)
        status = store_tell(s->store, t, NULL, 0, error);
    return status == BESD_OK ? study_record(s, "told", id, NULL, error) : status;
}

/* Nobody checks the lease of the trial here, and that is on purpose: scores are taken from a worker
 * whose lease has ended, and from anybody else, as long as they are the first. Training is
 * expensive, and a late score is as true as a timely one. The worker who was given the trial next
 * finds it told: the same scores are fine, others are refused. */
besd_status besd_study_tell(besd_study *s, int64_t id, const besd_outcome *o, besd_error *error) {
    trial_record t;
    besd_status status = o->cost ? scores_check_cost(*o->cost, error) : BESD_OK;
    if (status == BESD_OK && o->summary)
        status = check_summary(o, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = check_not_voided(&t.trial, error);
    if (status == BESD_OK)
        status = (o->summary ? tell_summary : tell_scores)(s, &t, o, error);
    return store_end(s->store, status, error);
}

besd_status besd_study_fail(besd_study *s, int64_t id, const double *cost, const char *note,
                            besd_error *error) {
    trial_record t;
    char kept[BESD_MAX_NOTE];
    besd_status status = cost ? scores_check_cost(*cost, error) : BESD_OK;
    if (note && strlen(note) >= sizeof kept) { /* what failed is known, if not at length */
        snprintf(kept, sizeof kept, "%.*s...", (int)text_cut(note, sizeof kept - 4), note);
        note = kept;
    }
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
        status = store_fail(s->store, id, cost ? *cost : planned_cost(s, &t.trial), note, error);
    if (status == BESD_OK)
        status = study_record(s, "failed", id, NULL, error);
    return store_end(s->store, status, error);
}

/* Legs have numbers that JSON does not: never reached (NaN), nothing known (-infinity), and
 * infinity, which may stand behind a leg of which nothing is known and has no meaning there. */
static json_t *leg_number(double value) {
    return isinf(value) ? json_string(value < 0 ? "unknown" : "infinity") : json_number(value);
}

static bool read_leg_number(const json_t *json, double *value) {
    const char *text = json_string_value(json);
    if (json_is_null(json))
        *value = NAN;
    else if (text)
        *value = strcmp(text, "unknown") == 0 ? -INFINITY : INFINITY;
    else
        *value = json_number_value(json);
    return json_is_null(json) || json_is_number(json) ||
           (text && (isinf(*value) && (*value < 0 || !strcmp(text, "infinity"))));
}

static bool is_labelled(const told_scores *told) {
    for (size_t i = 0; i < told->leg_count; i++)
        if (told->legs[i].label)
            return true;
    return false;
}

static json_t *write_labels(const told_scores *told) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < told->leg_count; i++)
        if (json_array_append_new(list, json_integer(told->legs[i].label))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *write_legs(const told_scores *told) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < told->leg_count; i++)
        if (json_array_append_new(list, leg_number(told->legs[i].reached)) ||
            json_array_append_new(list, leg_number(told->legs[i].earned))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

besd_status told_write(const told_scores *told, const char *why, char **text, besd_error *error) {
    const besd_trial *t = &told->record.trial;
    json_t *object =
        json_pack("{s:s, s:f, s:I, s:f, s:f, s:f}", "why", why ? why : "", "cost", t->cost, "count",
                  (json_int_t)t->score_count, "mean", t->mean, "model_mean",
                  told->record.model_mean, "within", told->record.within);
    int failed = !object;
    if (object && told->scores)
        failed |= json_object_set_new(object, "scores", json_numbers(told->scores, t->score_count));
    if (object && told->legs)
        failed |= json_object_set_new(object, "legs", write_legs(told));
    if (object && told->legs && is_labelled(told))
        failed |= json_object_set_new(object, "labels", write_labels(told));
    *text = failed ? NULL : json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return *text ? BESD_OK : besd_fail_memory(error, "what was told before");
}

static bool read_scores(const json_t *list, size_t count, double *scores) {
    if (json_array_size(list) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_number(value))
            return false;
        scores[i] = json_number_value(value);
    }
    return true;
}

/* Without a list of labels all labels are 0. */
static bool read_legs(const json_t *list, const json_t *labels, size_t count, besd_leg *legs) {
    if (labels && json_array_size(labels) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *label = json_array_get(labels, i);
        if (!read_leg_number(json_array_get(list, 2 * i), &legs[i].reached) ||
            !read_leg_number(json_array_get(list, 2 * i + 1), &legs[i].earned) ||
            (labels && !json_is_integer(label)))
            return false;
        legs[i].label = json_integer_value(label);
    }
    return true;
}

static besd_status fail_damaged(besd_error *error) {
    return besd_fail(error, BESD_IO, "what the trial was told before is damaged");
}

static besd_status read_lists(const json_t *object, told_scores *told, besd_error *error) {
    const json_t *scores = json_object_get(object, "scores"),
                 *legs = json_object_get(object, "legs");
    size_t numbers = json_array_size(legs);
    if (numbers % 2 || (legs && !json_is_array(legs)))
        return fail_damaged(error);
    size_t count = told->record.trial.score_count;
    double *values = scores ? malloc(count * sizeof *values) : NULL;
    besd_leg *parts = numbers ? malloc(numbers / 2 * sizeof *parts) : NULL;
    told->scores = values;
    told->legs = parts;
    told->leg_count = numbers / 2;
    if ((scores && !values) || (numbers && !parts))
        return besd_fail_memory(error, "what was told before");
    bool sound =
        (!scores || read_scores(scores, count, values)) &&
        (!numbers || read_legs(legs, json_object_get(object, "labels"), numbers / 2, parts));
    return sound ? BESD_OK : fail_damaged(error);
}

besd_status told_read(const char *text, told_scores *told, besd_error *error) {
    json_error_t fault;
    json_int_t count = 0;
    trial_record *r = &told->record;
    *told = (told_scores){0};
    json_t *object = json_read(text, strlen(text), 0, &fault);
    if (!object && json_lacked_memory(&fault))
        return besd_fail_memory(error, "what was told before");
    besd_status status =
        json_unpack(object, "{s:F, s:I, s:F, s:F, s:F}", "cost", &r->trial.cost, "count", &count,
                    "mean", &r->trial.mean, "model_mean", &r->model_mean, "within", &r->within) ||
                count < 1 || count > BESD_MAX_REPS
            ? fail_damaged(error)
            : BESD_OK;
    r->trial.score_count = (size_t)count;
    if (status == BESD_OK)
        status = read_lists(object, told, error);
    json_decref(object);
    if (status != BESD_OK)
        told_free(told);
    return status;
}

void told_free(told_scores *told) {
    free((void *)told->scores);
    free((void *)told->legs);
    *told = (told_scores){0};
}
