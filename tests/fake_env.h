/* An environment made to order: it walks through its states one after the other, whatever the
 * action, counts how it is used, and breaks its contract when told to. */
#ifndef BESD_TESTS_FAKE_ENV_H
#define BESD_TESTS_FAKE_ENV_H

#include "besd/env.h"

#include <math.h>

typedef enum fake_fault {
    FAKE_HONEST,
    FAKE_NAN_REWARD,
    FAKE_INFINITE_REWARD,
    FAKE_NEGATIVE_STATE,
    FAKE_LARGE_STATE,
    FAKE_NAN_OBSERVATION,
    FAKE_NO_TRUNCATION,
    FAKE_LARGE_START, /* from here on at reset number fault_step */
    FAKE_NAN_START_REWARD,
    FAKE_NAN_START_OBSERVATION
} fake_fault;

struct besd_env {
    int actions;
    int64_t states, cap;
    int64_t length; /* steps until the task terminates; 0: never */
    double reward;  /* of every step */
    fake_fault fault;
    int64_t fault_step; /* the step, counted over the life from 1, that breaks the contract */
    int64_t state, steps;
    int64_t total_steps, resets, seeds; /* counted */
};

static inline void fake_spec(const besd_env *env, besd_env_spec *spec) {
    *spec = (besd_env_spec){.actions = env->actions,
                            .states = env->states,
                            .observation = 2,
                            .position = 2,
                            .high = {(double)env->states, 1},
                            .subgoal_high = {(double)env->states, 1},
                            .reach = BESD_REACH_CELL,
                            .cap = env->cap};
}

static inline void fake_seed(besd_env *env, uint64_t seed) {
    (void)seed;
    env->seeds++;
}

static inline void fake_tell(const besd_env *env, besd_env_outcome *out) {
    out->state = env->state;
    out->observation[0] = (double)env->state + 0.5;
    out->observation[1] = 0.5;
}

static inline void fake_reset(besd_env *env, besd_env_outcome *out) {
    env->state = env->steps = 0;
    env->resets++;
    *out = (besd_env_outcome){0};
    fake_tell(env, out);
    if (env->resets != env->fault_step)
        return;
    if (env->fault == FAKE_LARGE_START)
        out->state = env->states;
    else if (env->fault == FAKE_NAN_START_REWARD)
        out->reward = NAN;
    else if (env->fault == FAKE_NAN_START_OBSERVATION)
        out->observation[1] = NAN;
}

static inline void fake_break(const besd_env *env, besd_env_outcome *out) {
    if (env->fault == FAKE_NAN_REWARD)
        out->reward = NAN;
    else if (env->fault == FAKE_INFINITE_REWARD)
        out->reward = -INFINITY;
    else if (env->fault == FAKE_NEGATIVE_STATE)
        out->state = -1;
    else if (env->fault == FAKE_LARGE_STATE)
        out->state = env->states;
    else if (env->fault == FAKE_NAN_OBSERVATION)
        out->observation[1] = NAN;
}

static inline void fake_step(besd_env *env, int action, besd_env_outcome *out) {
    (void)action;
    env->state = (env->state + 1) % env->states;
    env->steps++;
    env->total_steps++;
    out->reward = env->reward;
    out->terminated = env->steps == env->length;
    out->truncated = !out->terminated && env->steps >= env->cap && env->fault != FAKE_NO_TRUNCATION;
    fake_tell(env, out);
    if (env->total_steps == env->fault_step)
        fake_break(env, out);
}

static const besd_env_methods fake_methods = {.version = BESD_ENV_VERSION,
                                              .size = sizeof(besd_env_methods),
                                              .name = "fake",
                                              .spec = fake_spec,
                                              .seed = fake_seed,
                                              .reset = fake_reset,
                                              .step = fake_step};

#endif
