/* One agent in a fake environment. */
#ifndef BESD_TESTS_PUPPET_H
#define BESD_TESTS_PUPPET_H

#include "fake_env.h"
#include "fixture.h"

#include "learn/agent.h"

typedef struct puppet {
    besd_env env;
    besd_env_spec spec;
    subgoals goals;
    learning learning;
    agent *agent;
} puppet;

static inline void puppet_open(puppet *p, besd_env env, learning_method method,
                               const char *settings) {
    domain d;
    besd_error error = {BESD_OK, ""};
    fixture_domain(&d, "gw10", settings);
    p->env = env;
    fake_spec(&p->env, &p->spec);
    p->learning = learning_of(&d, method);
    assert_ok(plain_subgoals(&p->goals, &p->spec, 0, NULL, 0, 0.2, 10, &error), &error);
    assert_ok(agent_create(&p->spec, &p->goals, &p->learning, &p->agent, &error), &error);
    agent_seeds seeds = trial_training_seeds(1, 0, 0);
    agent_place(p->agent, &fake_methods, &p->env, &seeds);
}

static inline double largest(const double *values, int count) {
    double best = values[0];
    for (int i = 1; i < count; i++)
        best = fmax(best, values[i]);
    return best;
}

#endif
