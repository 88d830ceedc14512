/* The next trial: the initial design, then what the study's method chooses. */
#include "study/study_state.h"

#include "core/error.h"
#include "core/rng.h"
#include "decide/hyperband.h"
#include "decide/improvement.h"
#include "decide/latin.h"
#include "study/method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        [BESD_REASON_EXPLORE] =
            "the share of trials spread over the space is due; levers by knowledge "
            "gradient per cost",
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

besd_stop besd_study_stopped(const besd_study *s) {
    return s->stopped;
}

static besd_status stop_budget(besd_study *s, const evidence *e, besd_error *error) {
    double budget = s->spec.options.budget;
    if (e->spent >= budget * (1 - 1e-9)) {
        s->stopped = BESD_STOP_BUDGET;
        return besd_fail(error, BESD_DONE, "the budget of %.12g is spent", budget);
    }
    s->stopped = BESD_STOP_REMAINDER;
    return besd_fail(error, BESD_DONE,
                     "%.12g of the budget of %.12g is left, less than the next trial costs",
                     budget - e->spent, budget);
}

/* What a method is given, and fills in: theta, tau, reps and reason of the trial. */
typedef struct turn {
    besd_study *study;
    evidence *evidence;
    double affordable;
    besd_trial *trial;
    besd_explanation *explanation; /* or NULL */
} turn;

static void take_dearest(turn *t, const double *unit, besd_reason reason) {
    const study_spec *spec = &t->study->spec;
    advisor_to_user(spec, unit, t->trial->theta);
    t->trial->tau = spec_tau_max(spec);
    t->trial->reps = spec->reps[spec->options.reps_count - 1];
    t->trial->reason = reason;
}

static besd_status choose_by_kg(turn *t, besd_error *error) {
    besd_study *s = t->study;
    gp *model = NULL;
    advice a = {0};
    besd_status status = study_model(s, t->evidence, true, true, &model, error);
    if (status == BESD_OK)
        status =
            advisor_choose(&s->spec, model, t->evidence, &s->targets, t->affordable, &a, error);
    if (status == BESD_DONE)
        status = stop_budget(s, t->evidence, error);
    double stop = s->spec.options.stop_below;
    if (status == BESD_OK && stop > 0 && a.reason != BESD_REASON_EXPLORE &&
        !(a.choice.log_score >= log(stop))) {
        s->stopped = BESD_STOP_VALUE;
        status =
            besd_fail(error, BESD_DONE,
                      "the best knowledge gradient per cost is %g, below the stopping value %g",
                      exp(a.choice.log_score), stop);
    }
    if (status == BESD_OK) {
        advisor_to_user(&s->spec, a.choice.theta, t->trial->theta);
        t->trial->tau = s->spec.taus[a.choice.tau];
        t->trial->reps = s->spec.reps[a.choice.reps];
        t->trial->reason = a.reason;
        if (t->explanation)
            explain(s, model, &a, t->explanation);
        status = remember_targets(s, error);
    }
    gp_destroy(model);
    return status;
}

/* The best posterior mean at tau_max among the designs that were tried. */
static double best_tried(const gp *model, const evidence *e) {
    double best = -INFINITY;
    for (size_t j = 0; j < e->told; j++)
        best =
            fmax(best, gp_predict(model, e->trials.theta + j * e->trials.dimension, 1, NULL, NULL));
    return best;
}

/* As GPyOpt has it: a hundredth of the scores' standard deviation, and noise in the variance. */
static void imitate_gpyopt(const gp *model, const evidence *e, int tau_level, int reps,
                           improvement *a) {
    double mean = 0, variance = 0, n = (double)e->told;
    for (size_t j = 0; j < e->told; j++)
        mean += e->trials.mean[j] / n;
    for (size_t j = 0; j < e->told; j++)
        variance += (e->trials.mean[j] - mean) * (e->trials.mean[j] - mean) / n;
    a->jitter = 0.01 * sqrt(variance);
    a->noise = noise_variance(gp_hyperparameters(model), tau_level, reps);
}

static besd_status choose_by_improvement(turn *t, besd_error *error) {
    besd_study *s = t->study;
    const besd_study_options *o = &s->spec.options;
    double unit[BESD_MAX_DIMENSION], mean;
    gp *model = NULL;
    besd_status status = study_model(s, t->evidence, true, true, &model, error);
    if (status == BESD_OK)
        status = advisor_best(&s->spec, model, t->evidence, &s->targets, unit, &mean, error);
    if (status == BESD_OK) {
        bool bound = o->method == BESD_METHOD_LCB;
        improvement a = {.kind = bound ? IMPROVEMENT_BOUND : IMPROVEMENT_EXPECTED, .width = 2};
        a.incumbent = best_tried(model, t->evidence);
        if (o->method == BESD_METHOD_EI_PAPER)
            imitate_gpyopt(model, t->evidence, (int)o->tau_count - 1,
                           s->spec.reps[o->reps_count - 1], &a);
        status = improvement_maximise(model, &a, s->targets.points, s->targets.count, o->discrete,
                                      unit, error);
        take_dearest(t, unit, bound ? BESD_REASON_BOUND : BESD_REASON_IMPROVEMENT);
        if (status == BESD_OK)
            status = remember_targets(s, error);
    }
    gp_destroy(model);
    return status;
}

/* Longer Latin hypercubes are hardly more even than independent points. */
static const double LONGEST_LATIN = 1e5;

/* The next point of a Latin hypercube that is as long as the budget; without a budget, or before a
 * method has what it needs, a uniform one. */
static besd_status choose_at_random(turn *t, besd_error *error) {
    const study_spec *spec = &t->study->spec;
    const besd_study_options *o = &spec->options;
    double unit[BESD_MAX_DIMENSION];
    double dearest = spec_cost(spec, (int)o->tau_count - 1, (int)o->reps_count - 1);
    double length = floor(o->budget * (1 + 1e-9) / dearest);
    if (o->method == BESD_METHOD_RANDOM && length > (double)t->evidence->listed &&
        length < LONGEST_LATIN) {
        double *axis = malloc((size_t)length * sizeof *axis);
        if (!axis)
            return besd_fail_memory(error, "the Latin hypercube");
        latin_point(o->seed, RNG_CHOICE, (size_t)length, o->dimension, t->evidence->listed, axis,
                    unit);
        free(axis);
    } else {
        rng stream = rng_open(o->seed, RNG_CHOICE, (uint64_t)t->trial->id, 0, 1);
        for (size_t i = 0; i < o->dimension; i++)
            unit[i] = rng_uniform(&stream);
    }
    take_dearest(t, unit, BESD_REASON_RANDOM);
    return BESD_OK;
}

/* The largest tau that is not above this many times the smallest. */
static int64_t tau_of_resource(const study_spec *spec, int64_t units) {
    size_t level = spec->options.tau_count - 1;
    while (level > 0 && (double)spec->taus[level] > (double)spec->taus[0] * (double)units)
        level--;
    return spec->taus[level];
}

static besd_status take_new_design(turn *t, const hyperband_place *place, besd_error *error) {
    const besd_study_options *o = &t->study->spec.options;
    double *points = malloc(place->designs * o->dimension * sizeof *points);
    if (!points)
        return besd_fail_memory(error, "the designs of a bracket");
    uint64_t seed = rng_seed(o->seed, RNG_CHOICE, place->pass, (uint64_t)place->bracket, 2);
    latin_hypercube(seed, RNG_CHOICE, place->designs, o->dimension, points);
    take_dearest(t, points + place->index * o->dimension, BESD_REASON_BRACKET);
    free(points);
    return BESD_OK;
}

static bool is_promoted(const stored_trial *promoted, size_t count, const stored_trial *t) {
    for (size_t i = 0; i < count; i++)
        if (!memcmp(promoted[i].trial.theta, t->trial.theta, sizeof t->trial.theta))
            return true;
    return false;
}

/* The best of the rung before that has not been promoted; what is not told counts as worst. Scores
 * that arrive late, from trials run at the same time, are seen by the promotions that follow. */
static besd_status promote(turn *t, const hyperband_place *place, besd_error *error) {
    const stored_trial *before = t->evidence->list + place->previous;
    double *scores = malloc(place->count * sizeof *scores);
    size_t *candidates = malloc(place->count * sizeof *candidates), count = 0;
    besd_status status = scores && candidates ? BESD_OK : besd_fail_memory(error, "a rung");
    for (size_t i = 0; status == BESD_OK && i < place->count; i++)
        if (!is_promoted(before + place->count, place->index, &before[i])) {
            scores[count] = before[i].trial.state == BESD_TRIAL_TOLD ? before[i].model_mean : NAN;
            candidates[count++] = i;
        }
    if (status == BESD_OK) {
        const besd_trial *best = &before[candidates[hyperband_survivor(scores, count)]].trial;
        memcpy(t->trial->theta, best->theta, sizeof t->trial->theta);
        t->trial->reps = best->reps;
        t->trial->reason = BESD_REASON_PROMOTED;
    }
    free(scores);
    free(candidates);
    return status;
}

static besd_status choose_by_bracket(turn *t, besd_error *error) {
    hyperband_place place = hyperband_at(t->evidence->listed);
    besd_status status = place.rung ? promote(t, &place, error) : take_new_design(t, &place, error);
    t->trial->tau = tau_of_resource(&t->study->spec, place.resource);
    return status;
}

static besd_status (*const choosers[])(turn *t, besd_error *error) = {
    [BESD_METHOD_BESD] = choose_by_kg,
    [BESD_METHOD_RANDOM] = choose_at_random,
    [BESD_METHOD_EI] = choose_by_improvement,
    [BESD_METHOD_EI_PAPER] = choose_by_improvement,
    [BESD_METHOD_LCB] = choose_by_improvement,
    [BESD_METHOD_HYPERBAND] = choose_by_bracket,
    [BESD_METHOD_HYPERBAND_PAPER] = choose_by_bracket};

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

/* Fills in a trial that the initial design or the method wants next. */
static besd_status plan(turn *t, besd_error *error) {
    besd_status status = BESD_OK;
    besd_method method = t->study->spec.options.method;
    if (advisor_initial(&t->study->spec, t->evidence, t->trial, error, &status))
        return status;
    bool ready = t->evidence->told || method_describe(method)->keeps_incumbent;
    return ready ? choosers[method](t, error) : choose_at_random(t, error);
}

/* Fills in a failed trial again. */
static besd_status repeat(turn *t, int64_t failed, besd_error *error) {
    stored_trial old;
    besd_status status = study_get_trial(t->study, failed, &old, error);
    if (status != BESD_OK)
        return status;
    if (old.trial.state != BESD_TRIAL_FAILED)
        return besd_fail(error, BESD_INVALID,
                         "trial %lld is %s; only a failed trial can be asked again",
                         (long long)failed, besd_trial_state_name((size_t)old.trial.state));
    memcpy(t->trial->theta, old.trial.theta, sizeof t->trial->theta);
    t->trial->tau = old.trial.tau;
    t->trial->reps = old.trial.reps;
    t->trial->reason = BESD_REASON_RETRY;
    return BESD_OK;
}

/* failed = 0: a new trial. */
static besd_status plan_trial(besd_study *s, evidence *e, int64_t failed, besd_trial *trial,
                              besd_explanation *explanation, besd_error *error) {
    const besd_study_options *o = &s->spec.options;
    /* three trials of 0.2 fit into a budget of 0.6, whatever rounding says */
    double affordable = o->budget > 0 ? o->budget - e->spent + 1e-9 * o->budget : INFINITY;
    turn t = {s, e, affordable, trial, explanation};
    memset(trial, 0, sizeof *trial);
    trial->id = e->next_id;
    trial->seed = rng_seed(o->seed, RNG_TRIAL, (uint64_t)trial->id, 0, 0) >> 1;
    besd_status status = failed ? repeat(&t, failed, error) : plan(&t, error);
    if (status != BESD_OK)
        return status;
    trial->cost = spec_cost(&s->spec, spec_tau_level(&s->spec, trial->tau),
                            spec_reps_level(&s->spec, trial->reps));
    return trial->cost > affordable ? stop_budget(s, e, error) : BESD_OK;
}

static besd_status ask(besd_study *s, int64_t failed, besd_trial *trial,
                       besd_explanation *explanation, besd_error *error) {
    evidence e;
    free(s->user_targets);
    s->user_targets = NULL;
    s->stopped = BESD_STOP_NONE;
    if (explanation)
        memset(explanation, 0, sizeof *explanation);
    besd_status status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = refresh_budget(s, error);
    if (status == BESD_OK)
        status = study_load(s, &e, error);
    if (status == BESD_OK) {
        status = plan_trial(s, &e, failed, trial, explanation, error);
        if (status == BESD_OK)
            status = store_add_trial(s->store, s->spec.options.dimension, trial, error);
        evidence_free(&e);
    }
    return study_end(s, status, error);
}

besd_status besd_study_ask_explained(besd_study *s, besd_trial *trial,
                                     besd_explanation *explanation, besd_error *error) {
    return ask(s, 0, trial, explanation, error);
}

besd_status besd_study_ask_again(besd_study *s, int64_t failed, besd_trial *trial,
                                 besd_error *error) {
    if (failed < 1)
        return besd_fail(error, BESD_UNKNOWN, "trial %lld: there is none", (long long)failed);
    return ask(s, failed, trial, NULL, error);
}

besd_status besd_study_ask(besd_study *s, besd_trial *trial, besd_error *error) {
    return besd_study_ask_explained(s, trial, NULL, error);
}
