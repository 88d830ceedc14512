#include "study/choose_kg.h"

#include "core/error.h"
#include "study/best_design.h"
#include "study/choose_exploit.h"
#include "study/choose_explore.h"
#include "study/choose_legs.h"
#include "study/confirm.h"

#include <math.h>

/* Climbs begin from the best two of the discretisation: the second wins often enough, a third
 * hardly ever. */
enum { REFINED = 2 };

static bool tau_max_is_due(const study_spec *spec, const evidence *e) {
    double share = spec->options.tau_max_share;
    return share > 0 && (double)e->chosen_at_tau_max < share * (double)(e->chosen + 1);
}

/* The best trial of the discretisation, then of its neighbourhood. */
static besd_status search(const turn *t, kg_average *k, const kg_levers *levers, const double *best,
                          advice *a, besd_error *error) {
    besd_status status =
        kg_average_search(k, a->candidates, BESD_MAX_CANDIDATES, &a->candidate_count, error);
    if (status != BESD_OK)
        return status;
    a->evaluated = k->evaluated;
    a->kept = kg_average_kept(k);
    for (size_t i = 0; i < a->candidate_count; i++) {
        kg_choice choice = a->candidates[i];
        if (!t->spec->options.discrete && i < REFINED)
            status = kg_average_refine(k, &choice, error);
        if (status != BESD_OK)
            return status;
        if (i == 0 || choice.log_score > a->choice.log_score)
            a->choice = choice;
    }
    a->worthless = exploit_is_due(t->model, a);
    if (a->worthless && t->spec->options.model == BESD_MODEL_AVERAGED)
        status = choose_unsure(t, levers, a, error);
    else if (a->worthless)
        choose_exploit(levers, best, t->spec->options.dimension, a);
    kg_average_evaluate(k, a->choice.theta, a->log_kg);
    if (!a->worthless)
        advice_pick_levers(levers, a); /* theta has moved since they were chosen */
    if (!a->worthless && t->explanation)
        a->missed = exp(fmax(0, kg_average_best_score(k) - a->choice.log_score));
    return status;
}

static besd_status advise(turn *t, advice *a, besd_error *error) {
    kg_levers levers;
    kg_average k = {0};
    double best[BESD_MAX_DIMENSION], mean;
    bool due = tau_max_is_due(t->spec, t->evidence);
    int64_t number = explore_due(t->spec, t->evidence, t->affordable);
    if (due && !advice_fill_levers(t->spec, t->affordable, true, &levers))
        due = false;
    if (!due && !advice_fill_levers(t->spec, t->affordable, false, &levers))
        return turn_stop_for_budget(t, spec_cost(t->spec, 0, 0), error);
    a->reason = due ? BESD_REASON_SHARE : BESD_REASON_KG;
    besd_status status =
        best_design(t->spec, t->model, t->evidence, t->targets, best, &mean, error);
    if (status == BESD_OK)
        status =
            kg_average_init(&k, t->model, &levers, t->targets->points, t->targets->count, error);
    if (status == BESD_OK && explore_is_blind(t->spec, t->evidence))
        choose_blindly(t, &k, &levers, a);
    else if (status == BESD_OK && number >= 0)
        choose_explore(t, &k, &levers, number, a);
    else if (status == BESD_OK)
        status = search(t, &k, &levers, best, a, error);
    kg_average_free(&k);
    return status;
}

/* Exploring trials are not asked for because of their value, unless there is no other. */
static besd_status check_value(turn *t, const advice *a, besd_error *error) {
    double least = t->spec->options.stop_below;
    bool explores = a->reason == BESD_REASON_EXPLORE && !a->worthless;
    if (!(least > 0) || explores || a->choice.log_score >= log(least))
        return BESD_OK;
    t->stop = BESD_STOP_VALUE;
    return besd_fail(error, BESD_DONE,
                     "the best knowledge gradient per cost is %g, below the stopping value %g",
                     exp(a->choice.log_score), least);
}

besd_status choose_kg(turn *t, besd_error *error) {
    advice a = {0};
    if (confirm_is_due(t->spec, t->evidence, t->affordable))
        return choose_confirm(t, error);
    if (legs_are_due(t->spec, t->evidence, t->affordable)) {
        bool taken;
        besd_status status = choose_legs(t, &taken, error);
        if (status != BESD_OK || taken)
            return status;
    }
    besd_status status = advise(t, &a, error);
    if (status == BESD_OK)
        status = check_value(t, &a, error);
    if (status != BESD_OK)
        return status;
    turn_take(t, a.choice.theta, a.choice.tau, a.choice.reps, a.reason);
    t->used_targets = true;
    advice_explain(t, &a);
    return BESD_OK;
}
