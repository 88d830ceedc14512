#include "study/advisor.h"

#include "core/error.h"
#include "core/rng.h"
#include "decide/improvement.h"
#include "decide/latin.h"
#include "decide/maximise.h"
#include "model/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A knowledge gradient below this share of the prior standard deviation changes nothing. */
static const double NEGLIGIBLE = 1e-12;

/* Long studies stay fast: so many trials are fitted to, so many tried designs are targets. */
enum { MOST_FITTED = 600, MOST_TRIED = 500 };

void advisor_to_unit(const study_spec *spec, const double *theta, double *unit) {
    for (size_t i = 0; i < spec->options.dimension; i++)
        unit[i] = (theta[i] - spec->low[i]) / (spec->high[i] - spec->low[i]);
}

void advisor_to_user(const study_spec *spec, const double *unit, double *theta) {
    for (size_t i = 0; i < spec->options.dimension; i++)
        theta[i] = fmin(spec->low[i] + unit[i] * (spec->high[i] - spec->low[i]), spec->high[i]);
}

/* How many of the tau levels, counted from the largest, each design of the initial ones is tried
 * at. */
static size_t initial_levels(const study_spec *spec) {
    switch (method_describe(spec->options.method)->start) {
    case START_AT_EVERY_TAU:
        return spec->options.tau_count;
    case START_AT_TAU_MAX:
        return 1;
    case START_AT_ONCE:
        break;
    }
    return 0;
}

static besd_status add_trial(evidence *e, const study_spec *spec, const stored_trial *t,
                             besd_error *error) {
    double unit[BESD_MAX_DIMENSION];
    bool told = t->trial.state == BESD_TRIAL_TOLD;
    double reps = told ? (double)t->trial.score_count : t->trial.reps;
    advisor_to_unit(spec, t->trial.theta, unit);
    return observations_add(&e->trials, unit, (double)t->trial.tau / (double)spec_tau_max(spec),
                            spec_tau_level(spec, t->trial.tau), reps, told ? t->model_mean : 0,
                            told ? t->within : 0, error);
}

/* A told retry takes the place of the failed trial that it repeats. */
static void stand_in(evidence *e, const stored_trial *retry) {
    const besd_trial *t = &retry->trial;
    for (size_t i = e->listed; t->state == BESD_TRIAL_TOLD && i-- > 0;) {
        besd_trial *failed = &e->list[i].trial;
        if (failed->state == BESD_TRIAL_FAILED && failed->tau == t->tau &&
            failed->reps == t->reps && !memcmp(failed->theta, t->theta, sizeof t->theta)) {
            besd_reason reason = failed->reason;
            e->list[i] = *retry;
            e->list[i].trial.reason = reason;
            return;
        }
    }
}

besd_status evidence_init(evidence *e, const study_spec *spec, const stored_trial *trials,
                          size_t count, besd_error *error) {
    memset(e, 0, sizeof *e);
    e->next_id = (int64_t)count + 1;
    double initial_sum = 0, all_sum = 0;
    size_t initial_count = 0;
    besd_status status = observations_init(&e->trials, spec->options.dimension, error);
    e->list = calloc(count + 1, sizeof *e->list);
    if (status == BESD_OK && !e->list)
        status = besd_fail_memory(error, "the trials");
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        const besd_trial *t = &trials[i].trial;
        e->spent += t->cost;
        if (t->reason == BESD_REASON_RETRY)
            stand_in(e, &trials[i]);
        else
            e->list[e->listed++] = trials[i];
        if (t->reason != BESD_REASON_INITIAL && t->reason != BESD_REASON_RETRY) {
            e->chosen++;
            e->chosen_at_tau_max += t->tau == spec_tau_max(spec);
        }
        if (t->state != BESD_TRIAL_TOLD)
            continue;
        status = add_trial(e, spec, &trials[i], error);
        e->told++;
        all_sum += trials[i].model_mean;
    }
    for (size_t i = 0; e->list && i < e->listed; i++)
        if (e->list[i].trial.state == BESD_TRIAL_TOLD &&
            e->list[i].trial.reason == BESD_REASON_INITIAL) {
            initial_sum += e->list[i].model_mean;
            initial_count++;
        }
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        if (trials[i].trial.state == BESD_TRIAL_ASKED)
            status = add_trial(e, spec, &trials[i], error);
    if (initial_count && !spec->options.mean_of_all)
        e->prior_mean = initial_sum / (double)initial_count;
    else if (e->told)
        e->prior_mean = all_sum / (double)e->told;
    if (status != BESD_OK)
        evidence_free(e);
    return status;
}

void evidence_free(evidence *e) {
    observations_free(&e->trials);
    free(e->list);
    e->list = NULL;
}

/* The told trials that hyperparameters are fitted to: pending ones say nothing of them, and of a
 * long study every so many'th is enough, because a fit costs the cube of their number. */
static besd_status thin_out(const evidence *e, observations *some, besd_error *error) {
    const observations *o = &e->trials;
    size_t kept = e->told < MOST_FITTED ? e->told : MOST_FITTED;
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < kept; i++) {
        size_t j = i * e->told / kept;
        status = observations_add(some, o->theta + j * o->dimension, o->share[j], o->level[j],
                                  o->reps[j], o->mean[j], o->within[j], error);
    }
    return status;
}

besd_status advisor_fit(const study_spec *spec, evidence *e, const hyperparameters *warm,
                        int starts, hyperparameters *h, besd_error *error) {
    static const model_kind kinds[] = {[BESD_MODEL_DEFAULT] = MODEL_PAPER,
                                       [BESD_MODEL_PAPER] = MODEL_PAPER,
                                       [BESD_MODEL_EXTENDED] = MODEL_EXTENDED,
                                       [BESD_MODEL_NOISE] = MODEL_NOISE};
    fit_options options = {.kind = kinds[spec->options.model],
                           .levels = (int)spec->options.tau_count,
                           .prior_mean = e->prior_mean,
                           .starts = starts,
                           .isotropic = spec->options.method == BESD_METHOD_EI_PAPER,
                           .no_prior = spec->options.method == BESD_METHOD_EI_PAPER,
                           .warm = warm};
    fit_problem *p = NULL;
    observations some;
    double value;
    besd_status status = observations_init(&some, spec->options.dimension, error);
    if (status == BESD_OK)
        status = thin_out(e, &some, error);
    if (status == BESD_OK)
        status = fit_create(&some, &options, &p, error);
    if (status == BESD_OK)
        status = fit_run(p, h, &value, error);
    fit_destroy(p);
    observations_free(&some);
    return status;
}

bool advisor_initial(const study_spec *spec, const evidence *e, besd_trial *trial,
                     besd_error *error, besd_status *status) {
    const besd_study_options *o = &spec->options;
    size_t levels = initial_levels(spec), trials = (size_t)o->initial_designs * levels;
    *status = BESD_OK;
    if (e->listed >= trials)
        return false;
    size_t trials_each = o->initial_crossed ? levels : 1, designs = trials / trials_each;
    double *points = malloc(designs * o->dimension * sizeof *points);
    if (!points) {
        *status = besd_fail_memory(error, "the initial design");
        return true;
    }
    latin_hypercube(o->seed, RNG_INITIAL_DESIGN, designs, o->dimension, points);
    advisor_to_user(spec, points + e->listed / trials_each * o->dimension, trial->theta);
    trial->tau = spec->taus[o->tau_count - levels + e->listed % levels];
    trial->reps = o->initial_reps;
    trial->reason = BESD_REASON_INITIAL;
    free(points);
    return true;
}

const stored_trial *advisor_incumbent(const evidence *e, bool over_all) {
    const stored_trial *best = NULL;
    for (size_t i = 0; i < e->listed; i++) {
        const stored_trial *t = &e->list[i];
        if (t->trial.state != BESD_TRIAL_TOLD)
            continue;
        bool comparable = best && (over_all || t->trial.tau == best->trial.tau);
        if (!best ||
            (comparable ? t->model_mean > best->model_mean : t->trial.tau > best->trial.tau))
            best = t;
    }
    return best;
}

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

besd_status advisor_best(const study_spec *spec, const gp *model, const evidence *e, targets *t,
                         double *unit, double *mean, besd_error *error) {
    t->count = t->fixed;
    double spread[BESD_MAX_DIMENSION], first[BESD_MAX_DIMENSION];
    const hyperparameters *h = gp_hyperparameters(model);
    if (spec->options.discrete)
        return maximise_mean(model, t->points, t->fixed, true, unit, mean, error);
    for (size_t i = 0; i < spec->options.dimension; i++)
        spread[i] = 0.25 * fmin(h->lengthscale[i], 1);
    double *means = malloc((e->trials.count + 1) * sizeof *means);
    besd_status status = means ? BESD_OK : besd_fail_memory(error, "the tried designs");
    if (status == BESD_OK)
        status = maximise_mean(model, t->points, t->fixed, false, first, mean, error);
    for (size_t j = 0; status == BESD_OK && j < e->trials.count; j++) {
        const double *tried = e->trials.theta + j * t->dimension;
        means[j] = gp_predict(model, tried, 1, NULL, NULL);
        if (means[j] > *mean) {
            *mean = means[j];
            memcpy(first, tried, t->dimension * sizeof *first);
        }
    }
    observations promising = {0};
    if (status == BESD_OK)
        status = maximise_mean(model, first, 1, false, unit, mean, error);
    if (status == BESD_OK)
        status = observations_init(&promising, t->dimension, error);
    if (status == BESD_OK)
        status = choose_promising(&e->trials, means, &promising, error);
    if (status == BESD_OK)
        status = targets_adapt(t, &promising, unit, spread, spec->options.seed, e->told, error);
    observations_free(&promising);
    free(means);
    return status;
}

besd_status advisor_recommend(const study_spec *spec, const gp *model, const evidence *e,
                              targets *t, double *unit, besd_error *error) {
    double mean;
    besd_status status = advisor_best(spec, model, e, t, unit, &mean, error);
    if (status != BESD_OK || spec->options.caution <= 0)
        return status;
    improvement cautious = {.kind = IMPROVEMENT_BOUND, .width = -spec->options.caution};
    if (spec->options.discrete)
        return improvement_maximise(model, &cautious, t->points, t->fixed, true, unit, error);
    size_t d = t->dimension;
    double *starts = malloc((e->told + 1) * d * sizeof *starts);
    if (!starts)
        return besd_fail_memory(error, "the tried designs");
    memcpy(starts, e->trials.theta, e->told * d * sizeof *starts);
    memcpy(starts + e->told * d, unit, d * sizeof *starts);
    status = improvement_maximise(model, &cautious, starts, e->told + 1, false, unit, error);
    free(starts);
    return status;
}

/* Levers with the costs of the study; what is out of reach or not wanted costs infinity. */
static bool fill_levers(const study_spec *spec, double affordable, bool only_tau_max,
                        kg_levers *levers) {
    const besd_study_options *o = &spec->options;
    bool any = false;
    levers->tau_count = (int)o->tau_count;
    levers->reps_count = (int)o->reps_count;
    for (int t = 0; t < levers->tau_count; t++) {
        levers->share[t] = (double)spec->taus[t] / (double)spec_tau_max(spec);
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

/* Tests the recommendation again: largest affordable tau, fewest replications. */
static void exploit(const kg_levers *levers, const double *best, size_t dimension, advice *a) {
    a->reason = BESD_REASON_EXPLOIT;
    memcpy(a->choice.theta, best, dimension * sizeof *best);
    for (int t = levers->tau_count - 1; t >= 0; t--)
        for (int r = 0; r < levers->reps_count; r++)
            if (isfinite(levers->cost[t][r])) {
                a->choice.tau = t;
                a->choice.reps = r;
                a->choice.log_kg = a->choice.log_score = -INFINITY;
                return;
            }
}

static bool tau_max_is_due(const study_spec *spec, const evidence *e) {
    double share = spec->options.tau_max_share;
    return share > 0 && (double)e->chosen_at_tau_max < share * (double)(e->chosen + 1);
}

/* The levers with the most value per cost at the chosen theta; stays with what it is unless better.
 */
static void pick_levers(const kg_levers *levers, advice *a) {
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

static besd_status search(const study_spec *spec, kg *k, const kg_levers *levers,
                          const double *best, advice *a, besd_error *error) {
    besd_status status =
        kg_search(k, true, a->candidates, ADVISOR_RUNNERS_UP, &a->candidate_count, error);
    if (status != BESD_OK)
        return status;
    a->evaluated = kg_evaluated(k);
    a->kept = kg_kept(k);
    double scale = 0.5 * log(kernel_tau(gp_hyperparameters(kg_model(k)), 1, 1));
    for (size_t i = 0; i < a->candidate_count; i++) {
        kg_choice choice = a->candidates[i];
        if (!spec->options.discrete && i < 2)
            status = kg_refine(k, &choice, error);
        if (status != BESD_OK)
            return status;
        if (i == 0 || choice.log_score > a->choice.log_score)
            a->choice = choice;
    }
    if (!a->candidate_count || a->choice.log_kg < scale + log(NEGLIGIBLE)) {
        exploit(levers, best, spec->options.dimension, a);
        kg_evaluate(k, a->choice.theta, a->log_kg);
        return BESD_OK;
    }
    kg_evaluate(k, a->choice.theta, a->log_kg);
    pick_levers(levers, a); /* theta has moved since they were chosen */
    return BESD_OK;
}

/* The number of the exploring trial that is due, or -1. None is in the last third of the budget:
 * what it found could not be followed up. */
static int64_t exploring(const study_spec *spec, const evidence *e, double affordable) {
    double share = fmax(spec->options.explore, 0), chosen = (double)e->chosen;
    double before = floor(chosen * share), after = floor((chosen + 1) * share);
    return after > before && !(affordable < spec->options.budget / 3) ? (int64_t)before : -1;
}

/* A point of the fixed discretisation, which is a Latin hypercube; levers by value per cost. */
static void explore(const study_spec *spec, kg *k, const kg_levers *levers, const targets *t,
                    int64_t number, advice *a) {
    const double *theta = t->points + (size_t)number % t->fixed * t->dimension;
    kg_evaluate(k, theta, a->log_kg);
    exploit(levers, theta, spec->options.dimension, a); /* unless some levers have a value */
    a->reason = BESD_REASON_EXPLORE;
    pick_levers(levers, a);
}

besd_status advisor_choose(const study_spec *spec, const gp *model, const evidence *e, targets *t,
                           double affordable, advice *a, besd_error *error) {
    kg_levers levers;
    kg *k = NULL;
    double best[BESD_MAX_DIMENSION], mean;
    memset(a, 0, sizeof *a);
    bool due = tau_max_is_due(spec, e);
    int64_t number = exploring(spec, e, affordable);
    if (!fill_levers(spec, affordable, due, &levers)) {
        due = false;
        if (!fill_levers(spec, affordable, false, &levers))
            return besd_fail(error, BESD_DONE, "the budget is spent");
    }
    a->reason = due ? BESD_REASON_SHARE : BESD_REASON_KG;
    besd_status status = advisor_best(spec, model, e, t, best, &mean, error);
    if (status == BESD_OK)
        status = kg_create(model, &levers, t->points, t->count, &k, error);
    if (status == BESD_OK && number >= 0)
        explore(spec, k, &levers, t, number, a);
    else if (status == BESD_OK)
        status = search(spec, k, &levers, best, a, error);
    kg_destroy(k);
    return status;
}
