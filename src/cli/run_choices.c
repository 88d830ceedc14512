/* What the command line says of a study, whoever trains it. */
#include "cli/run.h"

#include "cli/common.h"
#include "core/error.h"
#include "study/method.h"

#include <limits.h>
#include <math.h>

besd_status check_first_trial(const besd_study_options *options, besd_error *error) {
    besd_study *probe = NULL;
    besd_trial t;
    besd_status status = besd_study_open(&probe, NULL, options, error);
    if (status == BESD_OK)
        status = besd_study_ask(probe, &t, error);
    besd_study_close(probe);
    return status == BESD_DONE
               ? besd_fail(error, BESD_INVALID, "budget: %.12g does not pay for a single trial",
                           options->budget)
               : status;
}

besd_status check_begun(besd_study *study, besd_error *error) {
    int64_t trials = 0;
    besd_status status = besd_study_trial_count(study, &trials, error);
    return status == BESD_OK && !trials ? check_first_trial(besd_study_get_options(study), error)
                                        : status;
}

/* So large a number is refused by the study, not wrapped round. */
static int to_int(int64_t value) {
    return value > INT_MAX ? INT_MAX : value < -1 ? -1 : (int)value;
}

/* All that --method takes; the learners have been taken care of before. */
static const char *method_or_learner(size_t index) {
    static const char *const learners[] = {"ql", "tql", NULL};
    size_t methods = 0;
    while (besd_method_name(methods))
        methods++;
    return index < methods ? besd_method_name(index) : learners[index - methods];
}

bool run_choices_apply(const verb *v, const run_choices *c, besd_study_options *o) {
    int number;
    if (!isnan(c->budget))
        o->budget = c->budget;
    if (!isnan(c->tau_max_share))
        o->tau_max_share = c->tau_max_share;
    if (!isnan(c->explore))
        o->explore = c->explore == 0 ? -1 : c->explore; /* 0 is the library's word for default */
    if (!isnan(c->caution))
        o->caution = c->caution == 0 ? -1 : c->caution;
    if (!isnan(c->stop_below))
        o->stop_below = c->stop_below;
    if (c->seed != UINT64_MAX)
        o->seed = c->seed;
    if (c->targets != INT64_MIN)
        o->target_count = to_int(c->targets);
    if (c->initial_designs != INT64_MIN)
        o->initial_designs = to_int(c->initial_designs);
    if (c->initial_reps != INT64_MIN)
        o->initial_reps = to_int(c->initial_reps);
    o->discrete = o->discrete || c->discrete;
    o->initial_crossed = o->initial_crossed || c->crossed;
    if (c->method) {
        number = method_find(c->method); /* an alias, perhaps */
        if (number < 0 && !choose_name(v, "method", c->method, method_or_learner, &number))
            return false;
        o->method = (besd_method)number;
    }
    if (c->model && !choose_name(v, "model", c->model, besd_model_name, &number))
        return false;
    if (c->model)
        o->model = (besd_model)number;
    return true;
}
