#include "learn/pupil.h"

#include "learn/trial.h"

#include <string.h>

besd_status pupil_open(pupil *p, const domain *d, const double *theta, size_t length,
                       besd_error *error) {
    memset(p, 0, sizeof *p);
    p->domain = d;
    p->learning = learning_of(d, LEARNING_Q);
    besd_status status = domain_open(d, &p->env, error);
    if (status == BESD_OK)
        status = domain_open(d, &p->evaluation_env, error);
    if (status != BESD_OK)
        return status;
    domain_spec(d, p->env, &p->spec);
    status = subgoals_of(&p->goals, d, &p->spec, theta, length, error);
    if (status == BESD_OK)
        status = agent_create(&p->spec, &p->goals, &p->learning, &p->agent, error);
    return status;
}

void pupil_close(pupil *p) {
    if (!p->domain)
        return;
    agent_destroy(p->agent);
    p->domain->methods->destroy(p->env);
    p->domain->methods->destroy(p->evaluation_env);
    memset(p, 0, sizeof *p);
}

besd_status pupil_enter(pupil *p, uint64_t instance, besd_error *error) {
    besd_status status = p->domain->methods->instance(p->env, instance, error);
    if (status == BESD_OK)
        status = p->domain->methods->instance(p->evaluation_env, instance, error);
    return status;
}

besd_status pupil_train(pupil *p, uint64_t seed, uint64_t number, int64_t tau, besd_error *error) {
    agent_seeds seeds = trial_training_seeds(seed, number, 0);
    agent_place(p->agent, p->domain->methods, p->env, &seeds);
    return agent_train(p->agent, 0, tau, tau, NULL, NULL, error);
}

besd_status pupil_train_on(pupil *p, uint64_t seed, uint64_t number, int64_t tau,
                           besd_error *error) {
    agent_seeds seeds = trial_training_seeds(seed, number, 0);
    agent_move(p->agent, p->domain->methods, p->env, &seeds);
    return agent_train(p->agent, 0, tau, tau, NULL, NULL, error);
}

besd_status pupil_test(pupil *p, uint64_t seed, uint64_t number, int64_t tau,
                       agent_observer *observer, void *context, agent_episode *episode,
                       besd_error *error) {
    agent_seeds seeds = trial_evaluation_seeds(seed, number, 0, tau);
    return agent_evaluate(p->agent, p->evaluation_env, &seeds, observer, context, episode, error);
}
