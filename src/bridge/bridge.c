#include "bridge/bridge.h"

#include "core/error.h"

#include <stdio.h>
#include <string.h>

/* x1, y1, x2, y2, ... */
static void name_coordinates(bridge *b, int count, int position) {
    static const char letters[] = "xyzuvwst";
    for (int k = 0; k < count; k++)
        for (int i = 0; i < position; i++) {
            int at = k * position + i;
            snprintf(b->name_text[at], sizeof b->name_text[at], "%c%d", letters[i], k + 1);
            b->names[at] = b->name_text[at];
        }
}

static size_t count_levels(const domain *d, bool tau) {
    size_t count = 0;
    while (count < DOMAIN_MAX_LEVELS && (tau ? d->tau[count] : d->reps[count]))
        count++;
    return count;
}

besd_status bridge_init(bridge *b, const domain *d, besd_error *error) {
    besd_env *env = NULL;
    besd_env_spec spec;
    memset(b, 0, sizeof *b);
    b->domain = d;
    besd_status status = domain_open(d, &env, error);
    if (status != BESD_OK)
        return status;
    d->methods->spec(env, &spec);
    d->methods->destroy(env);
    int count = (int)d->value[PARAMETER_SUBGOALS];
    if (count * spec.position > BESD_MAX_DIMENSION)
        return besd_fail(error, BESD_INVALID, "subgoals: %d of %d coordinates are over %d numbers",
                         count, spec.position, BESD_MAX_DIMENSION);
    for (int i = 0; i < count * spec.position; i++) {
        b->low[i] = spec.subgoal_low[i % spec.position];
        b->high[i] = spec.subgoal_high[i % spec.position];
    }
    name_coordinates(b, count, spec.position);
    bool steps = d->objective == OBJECTIVE_STEPS;
    besd_study_options *o = &b->options;
    *o = besd_study_options_default();
    o->dimension = (size_t)(count * spec.position);
    o->low = b->low;
    o->high = b->high;
    o->names = b->names;
    o->taus = d->tau;
    o->tau_count = count_levels(d, true);
    o->reps = d->reps;
    o->reps_count = count_levels(d, false);
    o->direction = steps ? BESD_MINIMIZE : BESD_MAXIMIZE;
    o->transform = steps ? BESD_TRANSFORM_LOG : BESD_TRANSFORM_NONE;
    o->instances = BESD_INSTANCES_FRESH; /* drawing one is free */
    if (d->initial_designs)              /* 0: it does not say */
        o->initial_designs = d->initial_designs;
    return BESD_OK;
}

besd_status bridge_train(const bridge *b, const besd_trial *trial, double *scores,
                         besd_error *error) {
    trial_request r = {.domain = b->domain,
                       .theta = trial->theta,
                       .theta_length = b->options.dimension,
                       .tau = trial->tau,
                       .reps = trial->reps,
                       .instances = 1,
                       .seed = trial->seed,
                       .fresh_instances = b->options.instances == BESD_INSTANCES_FRESH,
                       .threads = b->threads};
    trial_result result;
    besd_status status = trial_run(&r, &result, error);
    if (status != BESD_OK)
        return status;
    memcpy(scores, result.final, result.agents * sizeof *scores);
    trial_result_free(&result);
    return BESD_OK;
}

besd_status bridge_test(const bridge *b, const double *theta, int64_t instances, uint64_t seed,
                        trial_result *result, besd_error *error) {
    trial_request r = {.domain = b->domain,
                       .theta = theta,
                       .theta_length = b->options.dimension,
                       .tau = domain_tau_max(b->domain),
                       .reps = 1,
                       .instances = instances,
                       .seed = seed,
                       .threads = b->threads};
    return trial_run(&r, result, error);
}
