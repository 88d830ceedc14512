#include "study/turn.h"

#include "core/error.h"

#include <math.h>

/* Trials whose costs are fractions may add up to a little less than the budget they spend. */
static const double ROUNDING = 1e-9;

double turn_affordable(const study_spec *spec, const evidence *e) {
    double budget = spec->options.budget;
    return isinf(budget) ? INFINITY : budget - e->spent + ROUNDING * budget;
}

bool turn_is_late(const study_spec *spec, double affordable) {
    const besd_study_options *o = &spec->options;
    return isfinite(o->budget) && affordable < o->budget * (1 - o->explore_until);
}

void turn_take(turn *t, const double *unit, int tau_level, int reps_level, besd_reason reason) {
    spec_to_user(t->spec, unit, t->trial->theta);
    t->trial->tau = t->spec->taus[tau_level];
    t->trial->reps = t->spec->reps[reps_level];
    t->trial->reason = reason;
}

void turn_take_dearest(turn *t, const double *unit, besd_reason reason) {
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
    if (spent >= budget * (1 - ROUNDING)) {
        t->stop = BESD_STOP_BUDGET;
        return besd_fail(error, BESD_DONE, "the budget of %.12g is spent", budget);
    }
    t->stop = BESD_STOP_REMAINDER;
    return besd_fail(error, BESD_DONE,
                     "%.12g of the budget of %.12g is left, and the next trial costs %.12g",
                     budget - spent, budget, next);
}
