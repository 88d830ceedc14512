/* One agent in one instance of a domain, with everything it borrows. */
#ifndef BESD_TESTS_FIXTURE_H
#define BESD_TESTS_FIXTURE_H

#include "testing.h"

#include "core/rng.h"
#include "learn/agent.h"
#include "learn/trial.h"

#include <stdio.h>

/* Subgoals that are reached as the spec alone says: in cells of side 1, or by crossing. */
static inline besd_status plain_subgoals(subgoals *s, const besd_env_spec *spec, int count,
                                         const double *theta, size_t length, double height,
                                         double width, besd_error *error) {
    reach_options plain;
    reach_options_init(&plain, spec->reach);
    return subgoals_init(s, spec, &plain.how, count, theta, length, height, width, error);
}

typedef struct fixture {
    domain d;
    besd_env *env, *evaluation_env;
    besd_env_spec spec;
    subgoals goals;
    learning learning;
    agent *agent;
} fixture;

/* A domain with settings such as "gamma=1 wind=0", parted by blanks. */
static inline void fixture_domain(domain *d, const char *name, const char *settings) {
    besd_error error = {BESD_OK, ""};
    char text[256];
    assert_ok(domain_find(name, d, &error), &error);
    snprintf(text, sizeof text, "%s", settings);
    for (char *rest, *one = strtok_r(text, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
        assert_ok(domain_set(d, one, &error), &error);
}

/* From a domain that is already in f->d; length 0 means no subgoals. */
static inline void fixture_start(fixture *f, learning_method method, const double *theta,
                                 size_t length, uint64_t instance) {
    besd_error error = {BESD_OK, ""};
    f->env = f->evaluation_env = NULL;
    assert_ok(domain_open(&f->d, &f->env, &error), &error);
    assert_ok(domain_open(&f->d, &f->evaluation_env, &error), &error);
    f->d.methods->spec(f->env, &f->spec);
    f->learning = learning_of(&f->d, method);
    int count = length ? (int)f->d.value[PARAMETER_SUBGOALS] : 0;
    assert_ok(plain_subgoals(&f->goals, &f->spec, count, theta, length,
                             f->d.value[PARAMETER_HEIGHT], f->d.value[PARAMETER_WIDTH], &error),
              &error);
    assert_ok(agent_create(&f->spec, &f->goals, &f->learning, &f->agent, &error), &error);
    assert_ok(f->d.methods->instance(f->env, instance, &error), &error);
    assert_ok(f->d.methods->instance(f->evaluation_env, instance, &error), &error);
    agent_seeds seeds = trial_training_seeds(instance, 0, 0);
    agent_place(f->agent, f->d.methods, f->env, &seeds);
}

static inline void fixture_open(fixture *f, const char *name, const char *settings,
                                const double *theta, size_t length, uint64_t instance) {
    fixture_domain(&f->d, name, settings);
    fixture_start(f, LEARNING_Q, theta, length, instance);
}

/* All interactions of a training. */
static inline void fixture_train(fixture *f, int64_t interactions) {
    besd_error error = {BESD_OK, ""};
    assert_ok(agent_train(f->agent, 0, interactions, interactions, NULL, NULL, &error), &error);
}

/* A greedy episode. */
static inline agent_episode fixture_evaluate(fixture *f, uint64_t seed) {
    agent_episode episode;
    besd_error error = {BESD_OK, ""};
    agent_seeds seeds = trial_evaluation_seeds(seed, 0, 0, 1);
    assert_ok(agent_evaluate(f->agent, f->evaluation_env, &seeds, NULL, NULL, &episode, &error),
              &error);
    return episode;
}

static inline void fixture_close(fixture *f) {
    agent_destroy(f->agent);
    f->d.methods->destroy(f->env);
    f->d.methods->destroy(f->evaluation_env);
}

#endif
