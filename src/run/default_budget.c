#include "run/default_budget.h"

#include "core/error.h"
#include "study/method.h"

#include <math.h>

double budget_round(double budget) {
    if (!(budget > 0 && isfinite(budget)))
        return budget;
    double unit = pow(10, fmax(floor(log10(budget)) - 2, 0));
    return ceil(budget / unit - 1e-9) * unit;
}

besd_status budget_default(const besd_study_options *options, double *budget, besd_error *error) {
    besd_study_options o = *options;
    besd_study *probe = NULL;
    if (method_describe(o.method)->start == START_AT_ONCE)
        o.method = BESD_METHOD_BESD;
    o.budget = INFINITY;
    besd_status status = besd_study_open(&probe, NULL, &o, error);
    if (status == BESD_OK)
        *budget = budget_round(initial_cost(besd_study_get_options(probe)) / BUDGET_INITIAL_SHARE);
    besd_study_close(probe);
    return status;
}

/* What to say instead of a budget that is too small: what the first trial costs, and what the whole
 * of a small study does. */
static besd_status advise_budget(const besd_study_options *options, besd_error *error) {
    besd_study_options unlimited = *options;
    besd_study *probe = NULL;
    besd_trial t = {.cost = NAN};
    double whole = NAN;
    unlimited.budget = INFINITY;
    if (besd_study_open(&probe, NULL, &unlimited, NULL) == BESD_OK &&
        besd_study_ask(probe, NULL, &t, NULL) == BESD_OK)
        whole = initial_cost(besd_study_get_options(probe)) / BUDGET_INITIAL_SHARE;
    besd_study_close(probe);
    if (!isfinite(whole) || whole < t.cost)
        whole = t.cost;
    return besd_fail(error, BESD_INVALID,
                     "budget: %.12g does not pay for a single trial; the first costs %.12g, and "
                     "%.12g would do for a small study",
                     options->budget, t.cost, budget_round(whole));
}

besd_status budget_check(const besd_study_options *options, besd_error *error) {
    besd_study *probe = NULL;
    besd_trial t;
    besd_status status = besd_study_open(&probe, NULL, options, error);
    if (status == BESD_OK)
        status = besd_study_ask(probe, NULL, &t, error);
    besd_study_close(probe);
    return status == BESD_DONE ? advise_budget(options, error) : status;
}

besd_status budget_check_begun(besd_study *study, double budget, besd_error *error) {
    int64_t trials = 0;
    besd_study_options o = *besd_study_get_options(study);
    besd_status status = besd_study_trial_count(study, &trials, error);
    o.budget = budget;
    return status == BESD_OK && !trials ? budget_check(&o, error) : status;
}
