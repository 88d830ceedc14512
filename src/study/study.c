/* The public face of a study: besd/besd.h. Every call reads the file, so that several processes can
 * work on one study; a handle keeps only what never changes. Fitted hyperparameters are kept in the
 * file with the number of told trials they belong to, because a warm start makes them depend on
 * those before: a resumed study must continue with the same ones. */
#include "besd/besd.h"

#include "core/error.h"
#include "core/rng.h"
#include "decide/certificate.h"
#include "study/advisor.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FULL_FIT_STARTS = 4 };

struct besd_study {
    store *store;
    study_spec spec;
    targets targets;
    double *user_targets; /* what besd_study_targets shows, or NULL */
    size_t user_target_count;
};

const besd_study_options *besd_study_get_options(const besd_study *s) {
    return &s->spec.options;
}

void besd_study_close(besd_study *s) {
    if (!s)
        return;
    store_close(s->store);
    targets_free(&s->targets);
    free(s->user_targets);
    free(s);
}

static besd_status write_spec(besd_study *s, besd_error *error) {
    char *text = NULL;
    besd_status status = spec_write(&s->spec, &text, error);
    if (status == BESD_OK)
        status = store_set_text(s->store, "spec", text, error);
    free(text);
    return status;
}

/* Reads the description, or writes the first one; inside a transaction. */
static besd_status settle_spec(besd_study *s, const char *path, const study_spec *given,
                               besd_error *error) {
    char *text = NULL;
    besd_status status = store_get_text(s->store, "spec", &text, error);
    if (status != BESD_OK)
        return status;
    if (!text) {
        if (!given)
            return besd_fail(error, BESD_IO, "%s: it is an empty study without a description",
                             path);
        return spec_init(&s->spec, &given->options, error) ? error->status : write_spec(s, error);
    }
    status = spec_read(&s->spec, text, error);
    free(text);
    if (status == BESD_OK && given)
        status = spec_compare(&s->spec, given, error);
    double budget = s->spec.options.budget; /* 0: no limit, which no number raises */
    if (status == BESD_OK && given && budget > 0 && given->options.budget > budget) {
        s->spec.options.budget = given->options.budget;
        status = write_spec(s, error);
    }
    return status;
}

besd_status besd_study_open(besd_study **study, const char *path, const besd_study_options *options,
                            besd_error *error) {
    besd_error own_error;
    error = error ? error : &own_error;
    study_spec *given = NULL;
    bool created;
    besd_status status = BESD_OK;
    if (!path || !*path || !strcmp(path, ":memory:"))
        return besd_fail(error, BESD_INVALID, "study: expected the name of a file, got '%s'",
                         path ? path : "(null)");
    openblas_set_num_threads(1);
    besd_study *s = calloc(1, sizeof *s);
    if (!s)
        return besd_fail_memory(error, "the study");
    if (options && options->dimension) {
        given = malloc(sizeof *given);
        status = given ? spec_init(given, options, error)
                       : besd_fail_memory(error, "the study's description");
    }
    if (status == BESD_OK)
        status = store_open(path, given != NULL, &s->store, &created, error);
    if (status == BESD_OK && given)
        status = store_begin(s->store, error);
    if (status == BESD_OK) {
        status = settle_spec(s, path, given, error);
        if (given && status == BESD_OK)
            status = store_commit(s->store, error);
        else if (given)
            store_rollback(s->store);
    }
    if (status == BESD_OK)
        status =
            targets_init(&s->targets, s->spec.options.seed, (size_t)s->spec.options.target_count,
                         s->spec.options.dimension, error);
    free(given);
    if (status != BESD_OK) {
        besd_study_close(s);
        return status;
    }
    *study = s;
    return BESD_OK;
}

/* What comes out of the file is checked like anything else from outside. */
static besd_status check_trial(const besd_study *s, const stored_trial *t, besd_error *error) {
    const study_spec *spec = &s->spec;
    const besd_trial *x = &t->trial;
    bool right = spec_tau_level(spec, x->tau) >= 0 && spec_reps_level(spec, x->reps) >= 0 &&
                 besd_trial_state_name((size_t)x->state) && besd_reason_name((size_t)x->reason) &&
                 isfinite(x->cost) && x->cost >= 0 && x->score_count <= BESD_MAX_REPS;
    for (size_t i = 0; right && i < spec->options.dimension; i++)
        right = x->theta[i] >= spec->low[i] && x->theta[i] <= spec->high[i];
    if (right && x->state == BESD_TRIAL_TOLD)
        right =
            x->score_count >= 1 && isfinite(t->model_mean) && isfinite(t->within) && t->within >= 0;
    return right ? BESD_OK
                 : besd_fail(error, BESD_IO, "trial %lld is damaged in the study's file",
                             (long long)x->id);
}

static besd_status get_trial(besd_study *s, int64_t id, stored_trial *t, besd_error *error) {
    besd_status status = store_get_trial(s->store, s->spec.options.dimension, id, t, error);
    return status == BESD_OK ? check_trial(s, t, error) : status;
}

static besd_status load(besd_study *s, evidence *e, besd_error *error) {
    stored_trial *trials = NULL;
    size_t count;
    besd_status status =
        store_list_trials(s->store, s->spec.options.dimension, &trials, &count, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = check_trial(s, &trials[i], error);
    if (status == BESD_OK)
        status = evidence_init(e, &s->spec, trials, count, error);
    free(trials);
    return status;
}

/* Positive and far from where squares leave the range of doubles. */
static bool positive(double value) {
    return value > 1e-300 && value < 1e302;
}

/* Are these hyperparameters that a model can work with? */
static bool usable(const hyperparameters *h, size_t dimension, size_t levels) {
    bool good = fabs(h->prior_mean) < 1e151 && h->sigma_root[0] > 0 && h->sigma_root[0] < 1e151 &&
                fabs(h->sigma_root[1]) < 1e151 && h->sigma_root[2] > 0 &&
                h->sigma_root[2] < 1e151 &&
                (h->discrepancy_variance == 0 ||
                 (positive(h->discrepancy_variance) && positive(h->discrepancy_lengthscale)));
    for (size_t i = 0; i < dimension; i++)
        good = good && positive(h->lengthscale[i]);
    for (size_t i = 0; i < levels; i++)
        good = good && positive(h->env_variance[i]) && positive(h->rep_variance[i]);
    return good;
}

/* The hyperparameters that belong to the told trials: kept ones, or fitted from the newest kept. A
 * fit from several starts is made anew whenever the trials have grown by a fifth. */
static besd_status fit(besd_study *s, evidence *e, bool keep, hyperparameters *h,
                       besd_error *error) {
    int64_t told = (int64_t)e->told, fitted = told, last_full = 0;
    bool full = false;
    hyperparameters kept;
    if (!told)
        return besd_fail(error, BESD_INVALID, "model: no trial has been told yet");
    besd_status status = store_get_fit(s->store, &fitted, &full, &kept, sizeof kept, error);
    if (status == BESD_OK)
        status = store_last_full_fit(s->store, &last_full, error);
    if (status != BESD_OK)
        return status;
    if (fitted && !usable(&kept, s->spec.options.dimension, s->spec.options.tau_count))
        fitted = 0;
    if (fitted == told) {
        *h = kept;
        return BESD_OK;
    }
    full = !fitted || !last_full || 5 * (told - last_full) >= told;
    status = advisor_fit(&s->spec, e, fitted ? &kept : NULL, full ? FULL_FIT_STARTS : 1, h, error);
    if (status == BESD_OK && keep)
        status = store_set_fit(s->store, told, full, h, sizeof *h, error);
    return status;
}

/* The model of the told trials, with or without pending ones. */
static besd_status build_model(besd_study *s, evidence *e, bool with_pending, bool keep, gp **model,
                               besd_error *error) {
    hyperparameters h;
    besd_status status = fit(s, e, keep, &h, error);
    if (status != BESD_OK)
        return status;
    size_t count = e->trials.count;
    if (!with_pending)
        e->trials.count = e->told;
    status = gp_create(&e->trials, e->told, &h, model, error);
    e->trials.count = count;
    return status;
}

static void explain_levers(const besd_study *s, const gp *model, const advice *a,
                           besd_explanation *x) {
    const study_spec *spec = &s->spec;
    const double *theta = a->choice.theta;
    double final_variance;
    gp_predict(model, theta, 1, &final_variance, NULL);
    x->lever_count = spec->options.tau_count * spec->options.reps_count;
    for (size_t i = 0; i < x->lever_count; i++) {
        int tau = (int)(i / spec->options.reps_count), reps = (int)(i % spec->options.reps_count);
        double share = (double)spec->taus[tau] / (double)spec_tau_max(spec), variance;
        besd_lever_value *v = &x->levers[i];
        v->tau = spec->taus[tau];
        v->reps = spec->reps[reps];
        v->cost = spec_cost(spec, tau, reps);
        v->log_kg = a->log_kg[i];
        v->kg = exp(v->log_kg);
        v->mean = gp_predict(model, theta, share, &variance, NULL);
        v->sd = sqrt(variance);
        double scale = sqrt(variance * final_variance);
        v->correlation =
            scale > 0 ? fmin(1, gp_covariance(model, theta, share, theta, 1) / scale) : 1;
    }
}

static void explain(const besd_study *s, const gp *model, const advice *a, besd_explanation *x) {
    const study_spec *spec = &s->spec;
    static const char *const reasons[] = {
        [BESD_REASON_KG] = "largest knowledge gradient per cost",
        [BESD_REASON_EXPLOIT] = "no trial promises to change the recommendation, so it is tested "
                                "again",
        [BESD_REASON_SHARE] = "largest knowledge gradient per cost at the largest tau, whose "
                              "minimum share is due"};
    memset(x, 0, sizeof *x);
    snprintf(x->why, sizeof x->why, "%s", reasons[a->reason]);
    explain_levers(s, model, a, x);
    x->targets = s->targets.count;
    x->kept = a->kept;
    x->evaluated = a->evaluated;
    x->candidate_count = a->candidate_count;
    for (size_t i = 0; i < a->candidate_count; i++) {
        const kg_choice *c = &a->candidates[i];
        advisor_to_user(spec, c->theta, x->candidates[i].theta);
        x->candidates[i].tau = spec->taus[c->tau];
        x->candidates[i].reps = spec->reps[c->reps];
        x->candidates[i].log_kg = c->log_kg;
        x->candidates[i].kg = exp(c->log_kg);
        x->candidates[i].cost = spec_cost(spec, c->tau, c->reps);
    }
}

static besd_status remember_targets(besd_study *s, besd_error *error) {
    size_t d = s->targets.dimension;
    double *points = malloc(s->targets.count * d * sizeof *points);
    if (!points)
        return besd_fail_memory(error, "the targets");
    for (size_t i = 0; i < s->targets.count; i++)
        advisor_to_user(&s->spec, s->targets.points + i * d, points + i * d);
    free(s->user_targets);
    s->user_targets = points;
    s->user_target_count = s->targets.count;
    return BESD_OK;
}

const double *besd_study_targets(const besd_study *s, size_t *count) {
    *count = s->user_targets ? s->user_target_count : 0;
    return s->user_targets;
}

static besd_status fail_budget(const besd_study *s, const evidence *e, besd_error *error) {
    double budget = s->spec.options.budget;
    if (e->spent >= budget * (1 - 1e-9))
        return besd_fail(error, BESD_DONE, "the budget of %g is spent", budget);
    return besd_fail(error, BESD_DONE,
                     "%g of the budget of %g is left, less than the next trial costs",
                     budget - e->spent, budget);
}

/* By the knowledge gradient. */
static besd_status choose(besd_study *s, evidence *e, double affordable, besd_trial *trial,
                          besd_explanation *explanation, besd_error *error) {
    gp *model = NULL;
    advice a;
    besd_status status = build_model(s, e, true, true, &model, error);
    if (status == BESD_OK)
        status = advisor_choose(&s->spec, model, e, &s->targets, affordable, &a, error);
    if (status == BESD_DONE)
        status = fail_budget(s, e, error);
    double stop = s->spec.options.stop_below;
    if (status == BESD_OK && stop > 0 && !(a.choice.log_score >= log(stop)))
        status =
            besd_fail(error, BESD_DONE,
                      "the best knowledge gradient per cost is %g, below the stopping value %g",
                      exp(a.choice.log_score), stop);
    if (status == BESD_OK) {
        advisor_to_user(&s->spec, a.choice.theta, trial->theta);
        trial->tau = s->spec.taus[a.choice.tau];
        trial->reps = s->spec.reps[a.choice.reps];
        trial->reason = a.reason;
        if (explanation)
            explain(s, model, &a, explanation);
        status = remember_targets(s, error);
    }
    gp_destroy(model);
    return status;
}

static besd_status choose_at_random(besd_study *s, evidence *e, double affordable,
                                    besd_trial *trial, besd_explanation *explanation,
                                    besd_error *error) {
    (void)e;
    (void)affordable;
    (void)explanation;
    (void)error;
    advisor_random(&s->spec, trial->id, trial);
    return BESD_OK;
}

/* A method chooses theta, tau, reps and the reason of the next trial after the initial design. */
typedef besd_status method(besd_study *s, evidence *e, double affordable, besd_trial *trial,
                           besd_explanation *explanation, besd_error *error);

static method *const methods[] = {
    [BESD_METHOD_BESD] = choose, [BESD_METHOD_RANDOM] = choose_at_random};

/* Another process may have raised the budget since this handle was opened. */
static besd_status refresh_budget(besd_study *s, besd_error *error) {
    char *text = NULL;
    besd_status status = store_get_text(s->store, "spec", &text, error);
    study_spec *stored = malloc(sizeof *stored);
    if (status == BESD_OK && !stored)
        status = besd_fail_memory(error, "the study's description");
    if (status == BESD_OK)
        status = spec_read(stored, text ? text : "", error);
    if (status == BESD_OK)
        s->spec.options.budget = stored->options.budget;
    free(stored);
    free(text);
    return status;
}

static besd_status plan_trial(besd_study *s, evidence *e, besd_trial *trial,
                              besd_explanation *explanation, besd_error *error) {
    const besd_study_options *o = &s->spec.options;
    besd_status status = BESD_OK;
    /* three trials of 0.2 fit into a budget of 0.6, whatever rounding says */
    double affordable = o->budget > 0 ? o->budget - e->spent + 1e-9 * o->budget : INFINITY;
    memset(trial, 0, sizeof *trial);
    trial->id = e->next_id;
    trial->seed = rng_seed(o->seed, RNG_TRIAL, (uint64_t)trial->id, 0, 0) >> 1;
    if (!advisor_initial(&s->spec, trial->id, trial, error, &status)) {
        /* a method that needs a model waits for the first told trial */
        besd_method used = e->told ? o->method : BESD_METHOD_RANDOM;
        status = methods[used](s, e, affordable, trial, explanation, error);
    }
    if (status != BESD_OK)
        return status;
    trial->cost = spec_cost(&s->spec, spec_tau_level(&s->spec, trial->tau),
                            spec_reps_level(&s->spec, trial->reps));
    return trial->cost > affordable ? fail_budget(s, e, error) : BESD_OK;
}

besd_status besd_study_ask_explained(besd_study *s, besd_trial *trial,
                                     besd_explanation *explanation, besd_error *error) {
    evidence e;
    free(s->user_targets);
    s->user_targets = NULL;
    if (explanation)
        memset(explanation, 0, sizeof *explanation);
    besd_status status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = refresh_budget(s, error);
    if (status == BESD_OK)
        status = load(s, &e, error);
    if (status == BESD_OK) {
        status = plan_trial(s, &e, trial, explanation, error);
        if (status == BESD_OK)
            status = store_add_trial(s->store, s->spec.options.dimension, trial, error);
        evidence_free(&e);
    }
    if (status == BESD_OK)
        return store_commit(s->store, error);
    store_rollback(s->store);
    return status;
}

besd_status besd_study_ask(besd_study *s, besd_trial *trial, besd_error *error) {
    return besd_study_ask_explained(s, trial, NULL, error);
}

/* A score as the model sees it. */
static double to_model(const study_spec *spec, double score) {
    double value = spec->options.transform == BESD_TRANSFORM_LOG ? log(score) : score;
    return spec->options.direction == BESD_MINIMIZE ? -value : value;
}

static double from_model(const study_spec *spec, double value) {
    value = spec->options.direction == BESD_MINIMIZE ? -value : value;
    return spec->options.transform == BESD_TRANSFORM_LOG ? exp(value) : value;
}

static besd_status check_scores(const besd_study *s, const besd_trial *trial, const double *scores,
                                size_t count, besd_error *error) {
    if (count != (size_t)trial->reps)
        return besd_fail(error, BESD_INVALID,
                         "scores: trial %lld has %d replications, got %zu scores",
                         (long long)trial->id, trial->reps, count);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(scores[i]))
            return besd_fail(error, BESD_INVALID, "scores[%zu]: expected a finite number, got %g",
                             i, scores[i]);
        if (s->spec.options.transform == BESD_TRANSFORM_LOG && scores[i] <= 0)
            return besd_fail(error, BESD_INVALID,
                             "scores[%zu]: expected a positive number, because the study takes "
                             "logarithms, got %g",
                             i, scores[i]);
    }
    return BESD_OK;
}

/* Telling twice is fine when it says the same. */
static besd_status check_repetition(besd_study *s, const besd_trial *trial, const double *scores,
                                    size_t count, besd_error *error) {
    double told[BESD_MAX_REPS];
    size_t told_count;
    besd_status status =
        store_get_scores(s->store, trial->id, told, BESD_MAX_REPS, &told_count, error);
    if (status != BESD_OK)
        return status;
    bool same = told_count == count;
    for (size_t i = 0; same && i < count; i++)
        same = told[i] == scores[i];
    if (same) {
        besd_error_set(error, BESD_OK, "trial %lld was told these scores before; nothing changed",
                       (long long)trial->id);
        return BESD_OK;
    }
    return besd_fail(error, BESD_INVALID,
                     "trial %lld has been told already, with other scores; they stay",
                     (long long)trial->id);
}

static void summarise(const study_spec *spec, const double *scores, size_t count, stored_trial *t) {
    double sum = 0, model_sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += scores[i];
        model_sum += to_model(spec, scores[i]);
    }
    t->trial.mean = sum / (double)count;
    t->trial.score_count = count;
    t->model_mean = model_sum / (double)count;
    t->within = 0;
    for (size_t i = 0; i < count; i++) {
        double deviation = to_model(spec, scores[i]) - t->model_mean;
        t->within += deviation * deviation;
    }
}

static besd_status check_summary(const stored_trial *t, besd_error *error) {
    if (fabs(t->model_mean) < 1e150 && t->within < 1e300)
        return BESD_OK;
    return besd_fail(
        error, BESD_INVALID,
        "scores: their mean %g and spread %g are too large to compute with; scale them",
        t->model_mean, sqrt(t->within));
}

/* Ends a transaction one way or the other. */
static besd_status conclude(besd_study *s, besd_status status, besd_error *error) {
    if (status == BESD_OK)
        return store_commit(s->store, error);
    store_rollback(s->store);
    return status;
}

static besd_status check_cost(double cost, besd_error *error) {
    if (isfinite(cost) && cost >= 0)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID, "cost: expected a number from 0, got %g", cost);
}

/* cost < 0: as planned. */
static besd_status tell(besd_study *s, int64_t id, const double *scores, size_t count, double cost,
                        besd_error *error) {
    stored_trial t;
    if (error)
        error->message[0] = 0;
    besd_status status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = check_scores(s, &t.trial, scores, count, error);
    if (status == BESD_OK && t.trial.state == BESD_TRIAL_TOLD) {
        status = check_repetition(s, &t.trial, scores, count, error);
    } else if (status == BESD_OK) {
        summarise(&s->spec, scores, count, &t);
        status = check_summary(&t, error);
        t.trial.cost = cost < 0 ? t.trial.cost : cost;
        if (status == BESD_OK)
            status = store_tell(s->store, &t, scores, count, error);
    }
    return conclude(s, status, error);
}

besd_status besd_study_tell(besd_study *s, int64_t id, const double *scores, size_t count,
                            besd_error *error) {
    return tell(s, id, scores, count, -1, error);
}

besd_status besd_study_tell_cost(besd_study *s, int64_t id, const double *scores, size_t count,
                                 double cost, besd_error *error) {
    besd_status status = check_cost(cost, error);
    return status ? status : tell(s, id, scores, count, cost, error);
}

besd_status besd_study_tell_summary(besd_study *s, int64_t id, double mean, double variance,
                                    size_t count, besd_error *error) {
    stored_trial t;
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
    status = get_trial(s, id, &t, error);
    double sign = s->spec.options.direction == BESD_MINIMIZE ? -1 : 1;
    double within = variance * (double)(count - 1);
    if (status == BESD_OK && t.trial.state == BESD_TRIAL_TOLD) {
        if (t.model_mean != sign * mean || t.within != within || t.trial.score_count != count)
            status = besd_fail(error, BESD_INVALID,
                               "trial %lld has been told already, with other scores; they stay",
                               (long long)id);
    } else if (status == BESD_OK) {
        t.model_mean = sign * mean;
        t.trial.mean = from_model(&s->spec, t.model_mean);
        t.trial.score_count = count;
        t.within = within;
        status = check_summary(&t, error);
        if (status == BESD_OK)
            status = store_tell(s->store, &t, NULL, 0, error);
    }
    return conclude(s, status, error);
}

besd_status besd_study_fail(besd_study *s, int64_t id, double cost, const char *note,
                            besd_error *error) {
    stored_trial t;
    besd_status status = cost < 0 ? BESD_OK : check_cost(cost, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = get_trial(s, id, &t, error);
    if (status == BESD_OK && t.trial.state == BESD_TRIAL_TOLD)
        status = besd_fail(error, BESD_INVALID, "trial %lld has been told; it cannot fail any more",
                           (long long)id);
    if (status == BESD_OK)
        status = store_fail(s->store, id, cost < 0 ? t.trial.cost : cost, note, error);
    return conclude(s, status, error);
}

besd_status besd_study_recommend(besd_study *s, besd_recommendation *r, besd_error *error) {
    evidence e;
    gp *model = NULL;
    double unit[BESD_MAX_DIMENSION], variance;
    besd_status status = load(s, &e, error);
    if (status != BESD_OK)
        return status;
    memset(r, 0, sizeof *r);
    status = build_model(s, &e, false, false, &model, error);
    if (status == BESD_OK)
        status = advisor_best(&s->spec, model, &e, &s->targets, unit, &r->mean, error);
    if (status == BESD_OK) {
        advisor_to_user(&s->spec, unit, r->theta);
        r->mean = gp_predict(model, unit, 1, &variance, NULL);
        r->sd = sqrt(variance);
        r->value = from_model(&s->spec, r->mean);
        r->trials = (int64_t)e.told;
        r->cost = e.spent;
    }
    gp_destroy(model);
    evidence_free(&e);
    return status;
}

besd_status besd_study_predict(besd_study *s, const double *theta, int64_t tau, double *mean,
                               double *sd, besd_error *error) {
    const study_spec *spec = &s->spec;
    evidence e;
    gp *model = NULL;
    double unit[BESD_MAX_DIMENSION], variance;
    for (size_t i = 0; i < spec->options.dimension; i++)
        if (!(theta[i] >= spec->low[i] && theta[i] <= spec->high[i]))
            return besd_fail(error, BESD_INVALID, "%s: expected a number in [%g, %g], got %g",
                             spec->names[i], spec->low[i], spec->high[i], theta[i]);
    if (spec_tau_level(spec, tau) < 0)
        return besd_fail(error, BESD_INVALID, "tau: %lld is none of the study's levels",
                         (long long)tau);
    besd_status status = load(s, &e, error);
    if (status != BESD_OK)
        return status;
    status = build_model(s, &e, false, false, &model, error);
    if (status == BESD_OK) {
        advisor_to_unit(spec, theta, unit);
        *mean = gp_predict(model, unit, (double)tau / (double)spec_tau_max(spec), &variance, NULL);
        *sd = sqrt(variance);
    }
    gp_destroy(model);
    evidence_free(&e);
    return status;
}

besd_status besd_study_hyperparameters(besd_study *s, besd_hyperparameters *out,
                                       besd_error *error) {
    evidence e;
    hyperparameters h;
    besd_status status = load(s, &e, error);
    if (status != BESD_OK)
        return status;
    status = fit(s, &e, false, &h, error);
    evidence_free(&e);
    if (status != BESD_OK)
        return status;
    memset(out, 0, sizeof *out);
    out->prior_mean = h.prior_mean;
    for (size_t i = 0; i < s->spec.options.dimension; i++)
        out->lengthscales[i] = h.lengthscale[i] * (s->spec.high[i] - s->spec.low[i]);
    const double *l = h.sigma_root;
    out->sigma_phi[0][0] = l[0] * l[0];
    out->sigma_phi[0][1] = out->sigma_phi[1][0] = l[0] * l[1];
    out->sigma_phi[1][1] = l[1] * l[1] + l[2] * l[2];
    out->discrepancy_sd = sqrt(h.discrepancy_variance);
    out->discrepancy_lengthscale = h.discrepancy_lengthscale;
    out->level_count = s->spec.options.tau_count;
    for (size_t i = 0; i < out->level_count; i++) {
        out->env_sd[i] = sqrt(h.env_variance[i]);
        out->rep_sd[i] = sqrt(h.rep_variance[i]);
    }
    return BESD_OK;
}

besd_status besd_study_certify(besd_study *s, double delta, besd_certificate *c,
                               besd_error *error) {
    const study_spec *spec = &s->spec;
    size_t d = spec->options.dimension;
    besd_hyperparameters h;
    double diameter = 0;
    if (!(delta > 0 && delta <= 1))
        return besd_fail(error, BESD_INVALID, "delta: expected a number in (0, 1], got %g", delta);
    besd_status status = besd_study_hyperparameters(s, &h, error);
    if (status != BESD_OK)
        return status;
    double *points = malloc(s->targets.fixed * d * sizeof *points);
    if (!points)
        return besd_fail_memory(error, "the targets");
    for (size_t i = 0; i < s->targets.fixed; i++)
        advisor_to_user(spec, s->targets.points + i * d, points + i * d);
    for (size_t i = 0; i < d; i++)
        diameter = hypot(diameter, spec->high[i] - spec->low[i]);
    double amplitude = h.sigma_phi[0][0] + 2 * h.sigma_phi[0][1] + h.sigma_phi[1][1];
    memset(c, 0, sizeof *c);
    c->delta = delta;
    c->targets = s->targets.fixed;
    c->prior_sd = sqrt(amplitude);
    status = fill_distance(points, s->targets.fixed, d, spec->low, spec->high, 1e-3,
                           &c->fill_distance_low, &c->fill_distance, error);
    lipschitz_bound(amplitude, h.lengthscales, d, diameter, delta, c->lipschitz,
                    &c->lipschitz_norm);
    c->bound = c->fill_distance * c->lipschitz_norm;
    free(points);
    return status;
}

besd_status besd_study_trial_count(besd_study *s, int64_t *count, besd_error *error) {
    return store_count_trials(s->store, count, error);
}

besd_status besd_study_trial(besd_study *s, int64_t id, besd_trial *trial, besd_error *error) {
    stored_trial t;
    besd_status status = get_trial(s, id, &t, error);
    if (status == BESD_OK)
        *trial = t.trial;
    return status;
}

besd_status besd_study_scores(besd_study *s, int64_t id, double *scores, size_t capacity,
                              size_t *count, besd_error *error) {
    stored_trial t;
    besd_status status = get_trial(s, id, &t, error);
    if (status != BESD_OK)
        return status;
    return store_get_scores(s->store, id, scores, capacity, count, error);
}

besd_status besd_study_spent(besd_study *s, double *cost, besd_error *error) {
    evidence e;
    besd_status status = load(s, &e, error);
    if (status != BESD_OK)
        return status;
    *cost = e.spent;
    evidence_free(&e);
    return BESD_OK;
}

besd_status besd_study_set_note(besd_study *s, const char *key, const char *text,
                                besd_error *error) {
    char name[80];
    snprintf(name, sizeof name, "note:%.60s", key);
    return store_set_text(s->store, name, text, error);
}

besd_status besd_study_get_note(besd_study *s, const char *key, char *text, size_t size,
                                besd_error *error) {
    char name[80], *stored = NULL;
    snprintf(name, sizeof name, "note:%.60s", key);
    besd_status status = store_get_text(s->store, name, &stored, error);
    if (status == BESD_OK)
        snprintf(text, size, "%s", stored ? stored : "");
    free(stored);
    return status;
}
