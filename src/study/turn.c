#include "study/turn.h"

#include "core/error.h"
#include "decide/maximise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double turn_affordable(const study_spec *spec, const evidence *e) {
    double budget = spec->options.budget;
    return isinf(budget) ? INFINITY : budget - e->spent + TURN_ROUNDING * budget;
}

bool turn_search_is_over(const study_spec *spec, double affordable) {
    const besd_study_options *o = &spec->options;
    return isfinite(o->budget) && affordable < o->budget * (1 - o->search_until);
}

void turn_take(turn *t, const double *unit, int tau_level, int reps_level, besd_reason reason) {
    spec_to_user(t->spec, unit, t->trial->theta);
    t->trial->tau = t->spec->taus[tau_level];
    t->trial->reps = t->spec->reps[reps_level];
    t->trial->reason = reason;
}

void turn_take_full(turn *t, const double *unit, besd_reason reason) {
    const besd_study_options *o = &t->spec->options;
    turn_take(t, unit, (int)o->tau_count - 1, (int)o->reps_count - 1, reason);
}

void turn_lower(turn *t) {
    int tau = spec_tau_level(t->spec, t->trial->tau);
    int reps = spec_reps_level(t->spec, t->trial->reps);
    while (spec_cost(t->spec, tau, reps) > t->affordable && (tau || reps))
        tau ? tau-- : reps--;
    t->trial->tau = t->spec->taus[tau];
    t->trial->reps = t->spec->reps[reps];
}

besd_status turn_stop_for_budget(turn *t, double next, besd_error *error) {
    double budget = t->spec->options.budget, spent = t->evidence->spent;
    if (spent >= budget * (1 - TURN_ROUNDING)) {
        t->stop = BESD_STOP_BUDGET;
        return besd_fail(error, BESD_DONE, "the budget of %.12g is spent", budget);
    }
    t->stop = BESD_STOP_REMAINDER;
    return besd_fail(error, BESD_DONE,
                     "%.12g of the budget of %.12g is left, and the next trial costs %.12g",
                     budget - spent, budget, next);
}

bool advice_fill_levers(const study_spec *spec, double affordable, bool only_tau_max,
                        kg_levers *levers) {
    const besd_study_options *o = &spec->options;
    bool any = false;
    levers->tau_count = (int)o->tau_count;
    levers->reps_count = (int)o->reps_count;
    for (int t = 0; t < levers->tau_count; t++) {
        levers->share[t] = spec_share(spec, spec->taus[t]);
        for (int r = 0; r < levers->reps_count; r++) {
            double cost = spec_cost(spec, t, r);
            bool allowed = cost <= affordable && (!only_tau_max || t + 1 == levers->tau_count);
            levers->reps[r] = spec->reps[r];
            levers->cost[t][r] = allowed ? cost : INFINITY;
            any = any || allowed;
        }
    }
    return any;
}

void advice_pick_levers(const kg_levers *levers, advice *a) {
    for (int tau = 0; tau < levers->tau_count; tau++)
        for (int reps = 0; reps < levers->reps_count; reps++) {
            double log_kg = a->log_kg[tau * levers->reps_count + reps];
            double log_score = log_kg - log(levers->cost[tau][reps]);
            if (!(log_score > a->choice.log_score))
                continue;
            a->choice.tau = tau;
            a->choice.reps = reps;
            a->choice.log_kg = log_kg;
            a->choice.log_score = log_score;
        }
}

static void explain_levers(const turn *t, const advice *a, besd_explanation *x) {
    const study_spec *spec = t->spec;
    const double *theta = a->choice.theta;
    double final_variance;
    mixture_predict(t->model, theta, 1, &final_variance, NULL);
    x->lever_count = spec->options.tau_count * spec->options.reps_count;
    for (size_t i = 0; i < x->lever_count; i++) {
        int tau = (int)(i / spec->options.reps_count), reps = (int)(i % spec->options.reps_count);
        double share = spec_share(spec, spec->taus[tau]), variance;
        besd_lever_value *v = &x->levers[i];
        v->tau = spec->taus[tau];
        v->reps = spec->reps[reps];
        v->cost = spec_cost(spec, tau, reps);
        v->log_kg = a->log_kg[i];
        v->kg = exp(v->log_kg);
        v->mean = mixture_predict(t->model, theta, share, &variance, NULL);
        v->sd = sqrt(variance);
        double scale = sqrt(variance * final_variance);
        v->correlation =
            scale > 0 ? fmin(1, mixture_covariance(t->model, theta, share, theta, 1) / scale) : 1;
    }
}

static void explain_candidates(const turn *t, const advice *a, besd_explanation *x) {
    const study_spec *spec = t->spec;
    x->candidate_count = a->candidate_count;
    for (size_t i = 0; i < a->candidate_count; i++) {
        const kg_choice *c = &a->candidates[i];
        spec_to_user(spec, c->theta, x->candidates[i].theta);
        x->candidates[i].tau = spec->taus[c->tau];
        x->candidates[i].reps = spec->reps[c->reps];
        x->candidates[i].log_kg = c->log_kg;
        x->candidates[i].kg = exp(c->log_kg);
        x->candidates[i].cost = spec_cost(spec, c->tau, c->reps);
    }
}

void advice_explain(const turn *t, const advice *a) {
    static const char *const reasons[] = {
        [BESD_REASON_KG] = "largest knowledge gradient per cost",
        [BESD_REASON_EXPLOIT] = "no trial promises to change the recommendation, so it is tested "
                                "again",
        [BESD_REASON_EXPLORE] =
            "the share of trials spread over the space is due; levers by knowledge "
            "gradient per cost",
        [BESD_REASON_SHARE] = "largest knowledge gradient per cost at the largest tau, whose "
                              "minimum share is due"};
    besd_explanation *x = t->explanation;
    if (!x)
        return;
    memset(x, 0, sizeof *x);
    snprintf(x->why, sizeof x->why, "%s", a->why ? a->why : reasons[a->reason]);
    explain_levers(t, a, x);
    explain_candidates(t, a, x);
    x->targets = t->targets->count;
    x->kept = a->kept;
    x->evaluated = a->evaluated;
    x->missed = a->missed;
}

/* In a long study only this many tried designs become targets: those with the largest posterior
 * means. A target that cannot become the recommendation changes no knowledge gradient. */
enum { MOST_TRIED = 500 };

/* The size of the cloud around the best design, in length scales. Within a quarter of a length
 * scale the mean hardly changes; the next improvement is looked for there. */
static const double CLOUD = 0.25;

static int descending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

/* The tried designs with the largest posterior means, in the order of the trials. */
static besd_status choose_promising(const observations *o, const double *means,
                                    observations *promising, besd_error *error) {
    double least = -INFINITY;
    if (o->count > MOST_TRIED) {
        double *sorted = malloc(o->count * sizeof *sorted);
        if (!sorted)
            return besd_fail_memory(error, "the tried designs");
        memcpy(sorted, means, o->count * sizeof *sorted);
        qsort(sorted, o->count, sizeof *sorted, descending);
        least = sorted[MOST_TRIED - 1];
        free(sorted);
    }
    besd_status status = BESD_OK;
    for (size_t j = 0; status == BESD_OK && j < o->count; j++)
        if (means[j] >= least)
            status = observations_add(promising, o->theta + j * o->dimension, 1, 0, 1, 0, 0, error);
    return status;
}

/* Climbs from the best point of the discretisation and of the tried designs. Fills `means` with the
 * means of the tried designs. */
static besd_status find_best(const mixture *model, const observations *tried, const targets *t,
                             double *means, double *unit, double *mean, besd_error *error) {
    double first[BESD_MAX_DIMENSION], best;
    besd_status status = maximise_mean(model, t->points, t->fixed, false, first, &best, error);
    if (status != BESD_OK)
        return status;
    for (size_t j = 0; j < tried->count; j++) {
        const double *theta = tried->theta + j * t->dimension;
        means[j] = mixture_predict(model, theta, 1, NULL, NULL);
        if (means[j] > best) {
            best = means[j];
            memcpy(first, theta, t->dimension * sizeof *first);
        }
    }
    return maximise_mean(model, first, 1, false, unit, mean, error);
}

static void fill_spread(const mixture *model, size_t dimension, double *spread) {
    for (size_t i = 0; i < dimension; i++)
        spread[i] = CLOUD * fmin(mixture_lengthscale(model, i), 1);
}

/* Adapts the targets to the best design. */
static besd_status follow(const study_spec *spec, const mixture *model, const evidence *e,
                          const double *means, const double *unit, targets *t, besd_error *error) {
    double spread[BESD_MAX_DIMENSION];
    fill_spread(model, t->dimension, spread);
    observations promising;
    besd_status status = observations_init(&promising, t->dimension, error);
    if (status == BESD_OK)
        status = choose_promising(&e->observed, means, &promising, error);
    if (status == BESD_OK)
        status = targets_adapt(t, &promising, unit, spread, spec->options.seed, e->told, error);
    observations_free(&promising);
    return status;
}

besd_status best_designs(const study_spec *spec, mixture *model, const evidence *e, targets *t,
                         besd_error *error) {
    size_t tasks = spec->tasks.own, d = t->dimension;
    double mean, spread[BESD_MAX_DIMENSION];
    double *best = malloc(tasks * d * sizeof *best);
    if (!best)
        return besd_fail_memory(error, "the best designs");
    besd_status status = BESD_OK;
    for (size_t c = tasks; status == BESD_OK && c-- > 0;) { /* task 0 leaves the tried designs */
        mixture_set_task(model, (int)c);
        status = best_design(spec, model, e, t, best + c * d, &mean, error);
    }
    fill_spread(model, d, spread);
    for (size_t c = 1; status == BESD_OK && !spec->options.discrete && c < tasks; c++)
        status = targets_add_cloud(t, best + c * d, spread, spec->options.seed, e->told, c,
                                   TARGETS_NEARBY / tasks, error);
    free(best);
    return status;
}

besd_status best_design(const study_spec *spec, const mixture *model, const evidence *e, targets *t,
                        double *unit, double *mean, besd_error *error) {
    t->count = t->fixed;
    if (spec->options.discrete)
        return maximise_mean(model, t->points, t->fixed, true, unit, mean, error);
    double *means = malloc((e->observed.count + 1) * sizeof *means);
    if (!means)
        return besd_fail_memory(error, "the tried designs");
    besd_status status = find_best(model, &e->observed, t, means, unit, mean, error);
    if (status == BESD_OK)
        status = follow(spec, model, e, means, unit, t, error);
    free(means);
    return status;
}
