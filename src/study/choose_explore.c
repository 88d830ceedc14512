#include "study/choose_explore.h"

#include "core/error.h"
#include "study/choose_exploit.h"
#include "study/path.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every 1 / explore'th of the chosen trials, while enough of the budget is left to follow up what
 * it finds. Where that is the turn of legs, which go first, it is not made up for. */
int64_t explore_due(const study_spec *spec, const evidence *e, double affordable) {
    const besd_study_options *o = &spec->options;
    double chosen = (double)e->chosen;
    double before = floor(chosen * o->explore), after = floor((chosen + 1) * o->explore);
    return after > before && !turn_is_late(spec, affordable) ? (int64_t)before : -1;
}

/* The fixed discretisation is a Latin hypercube, so its points in turn are spread evenly. */
static void spread_design(const turn *t, int64_t number, double *theta) {
    const targets *all = t->targets;
    memcpy(theta, all->points + (size_t)number % all->fixed * all->dimension,
           all->dimension * sizeof *theta);
    path_cut(t->spec, (size_t)number, theta);
}

void choose_explore(const turn *t, kg_average *k, const kg_levers *levers, int64_t number,
                    advice *a) {
    double theta[BESD_MAX_DIMENSION];
    spread_design(t, number, theta);
    kg_average_evaluate(k, theta, a->log_kg);
    choose_exploit(levers, theta, t->targets->dimension, a); /* unless some levers have a value */
    a->reason = BESD_REASON_EXPLORE;
    advice_pick_levers(levers, a);
}

/* Means of the same score, but for what rounding makes of sums of so many. */
static bool are_same(const observations *o, size_t i, size_t j) {
    double rounding = (o->reps[i] + o->reps[j]) * DBL_EPSILON * fabs(o->mean[j]);
    return fabs(o->mean[i] - o->mean[j]) <= rounding;
}

double explore_flatness(const evidence *e) {
    size_t worst = 0, same = 0;
    for (size_t j = 1; j < e->told; j++)
        if (e->observed.mean[j] < e->observed.mean[worst])
            worst = j;
    for (size_t j = 0; j < e->told; j++)
        same += are_same(&e->observed, worst, j);
    return e->told ? (double)same / (double)e->told : 0;
}

bool explore_is_blind(const study_spec *spec, const evidence *e) {
    if (spec->options.model != BESD_MODEL_AVERAGED || e->told < 2)
        return false;
    for (size_t j = 1; j < e->told; j++)
        if (!are_same(&e->observed, 0, j))
            return false;
    return true;
}

/* Adds what was spent at each tau so far. */
static void count_costs(const turn *t, double *spent) {
    for (size_t i = 0; i < t->evidence->count; i++) {
        const besd_trial *trial = &t->evidence->trials[i].trial;
        spent[spec_tau_level(t->spec, trial->tau)] += trial->cost;
    }
}

/* Nobody knows which training is long enough to show a difference, so each gets the same share of
 * what is spent: many short ones, and a long one now and then. */
void choose_blindly(const turn *t, kg_average *k, const kg_levers *levers, advice *a) {
    double theta[BESD_MAX_DIMENSION], least = INFINITY, spent[KG_MAX_LEVELS] = {0};
    spread_design(t, t->evidence->chosen, theta);
    count_costs(t, spent);
    kg_average_evaluate(k, theta, a->log_kg);
    memcpy(a->choice.theta, theta, t->targets->dimension * sizeof *theta);
    for (int tau = 0; tau < levers->tau_count; tau++)
        for (int reps = 0; reps < levers->reps_count; reps++)
            if (spent[tau] + levers->cost[tau][reps] < least) {
                least = spent[tau] + levers->cost[tau][reps];
                a->choice.tau = tau;
                a->choice.reps = reps;
                a->choice.log_kg = a->log_kg[tau * levers->reps_count + reps];
            }
    a->choice.log_score = a->choice.log_kg - log(levers->cost[a->choice.tau][a->choice.reps]);
    a->reason = BESD_REASON_EXPLORE;
    a->why = "all trials have scored the same, so designs are spread over the space and costs over "
             "the trainings";
}

besd_status choose_unsure(const turn *t, const kg_levers *levers, advice *a, besd_error *error) {
    const targets *all = t->targets;
    size_t unsure = 0, n = all->count;
    double *shares = calloc(3 * n, sizeof *shares);
    if (!shares)
        return besd_fail_memory(error, "the model's doubts");
    double *means = shares + n, *variances = means + n;
    for (size_t c = 0; c < n; c++)
        shares[c] = 1;
    besd_status status =
        mixture_predict_many(t->model, all->points, shares, n, means, variances, error);
    for (size_t c = 1; status == BESD_OK && c < n; c++)
        if (variances[c] > variances[unsure])
            unsure = c;
    free(shares);
    choose_exploit(levers, all->points + unsure * all->dimension, all->dimension, a);
    a->reason = BESD_REASON_EXPLORE;
    a->why = "no trial promises to change the recommendation, so the least known design is tried";
    return status;
}
