#include "contest/transfer.h"

#include "core/rng.h"
#include "learn/trial.h"

typedef struct transfer {
    const domain *domain;
    agent *agent;
    besd_env *env, *evaluation_env;
    int64_t cap;
} transfer;

static besd_status enter(const transfer *t, besd_env *env, uint64_t seed, uint64_t instance,
                         besd_error *error) {
    return t->domain->methods->instance(env, rng_seed(seed, RNG_INSTANCE, instance, 0, 0), error);
}

/* Learns from nothing in a stored instance. Trained anew for every test instance that starts from
 * it: the same seeds give the same values. */
static besd_status train_source(transfer *t, uint64_t seed, uint64_t source, besd_error *error) {
    agent_seeds seeds = trial_training_seeds(seed, source, 0);
    int64_t tau = domain_tau_max(t->domain);
    besd_status status = enter(t, t->env, seed, source, error);
    if (status != BESD_OK)
        return status;
    agent_place(t->agent, t->domain->methods, t->env, &seeds);
    return agent_train(t->agent, 0, tau, tau, NULL, NULL, error);
}

static besd_status test_instance(transfer *t, uint64_t seed, uint64_t instance, double *score,
                                 besd_error *error) {
    int64_t tau = domain_tau_max(t->domain);
    agent_seeds training = trial_training_seeds(seed, instance, 0);
    agent_seeds evaluation = trial_evaluation_seeds(seed, instance, 0, tau);
    agent_episode episode;
    besd_status status = enter(t, t->env, seed, instance, error);
    if (status == BESD_OK)
        status = enter(t, t->evaluation_env, seed, instance, error);
    if (status != BESD_OK)
        return status;
    agent_move(t->agent, t->domain->methods, t->env, &training);
    status = agent_train(t->agent, 0, tau, tau, NULL, NULL, error);
    if (status == BESD_OK)
        status =
            agent_evaluate(t->agent, t->evaluation_env, &evaluation, NULL, NULL, &episode, error);
    if (status == BESD_OK)
        *score = trial_score(t->domain, t->cap, &episode);
    return status;
}

besd_status transfer_test(const domain *d, int stored, uint64_t source_seed, int64_t instances,
                          uint64_t test_seed, double *scores, besd_error *error) {
    transfer t = {.domain = d};
    besd_env_spec spec;
    subgoals none;
    learning rule = learning_of(d, LEARNING_Q);
    besd_status status = domain_open(d, &t.env, error);
    if (status == BESD_OK)
        status = domain_open(d, &t.evaluation_env, error);
    if (status == BESD_OK) {
        d->methods->spec(t.env, &spec);
        t.cap = spec.cap;
        status = subgoals_init(&none, &spec, 0, NULL, 0, d->value[PARAMETER_HEIGHT],
                               d->value[PARAMETER_WIDTH], error);
    }
    if (status == BESD_OK)
        status = agent_create(&spec, &none, &rule, &t.agent, error);
    for (int64_t i = 0; status == BESD_OK && i < instances; i++) {
        rng stream = rng_open(source_seed, RNG_TRANSFER, (uint64_t)i, 0, 0);
        status = train_source(&t, source_seed, rng_below(&stream, (uint64_t)stored), error);
        if (status == BESD_OK)
            status = test_instance(&t, test_seed, (uint64_t)i, &scores[i], error);
    }
    agent_destroy(t.agent);
    d->methods->destroy(t.env);
    d->methods->destroy(t.evaluation_env);
    return status;
}
