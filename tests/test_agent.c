/* How an agent conducts itself: interactions, exploration, evaluation, what it refuses. What it
 * learns is in test_agent_learning.c. */
#include "puppet.h"

/* Exactly as many steps as asked for, in one go or in parts, and a reset after each end. */
static void test_the_number_of_interactions(void **state) {
    (void)state;
    puppet p;
    besd_error error = {BESD_OK, ""};
    besd_env env = {.actions = 4, .states = 7, .cap = 10};
    puppet_open(&p, env, LEARNING_Q, "");
    assert_int_equal(p.env.total_steps, 0);
    assert_int_equal(p.env.resets, 1);
    assert_int_equal(p.env.seeds, 1);
    assert_ok(agent_train(p.agent, 0, 29, 100, NULL, NULL, &error), &error);
    assert_int_equal(p.env.total_steps, 29);
    assert_int_equal(p.env.resets, 3);
    assert_ok(agent_train(p.agent, 29, 29, 100, NULL, NULL, &error), &error);
    assert_int_equal(p.env.total_steps, 29);
    assert_ok(agent_train(p.agent, 29, 100, 100, NULL, NULL, &error), &error);
    assert_int_equal(p.env.total_steps, 100);
    assert_int_equal(p.env.resets, 11);
    assert_int_equal(p.env.seeds, 1);
    agent_destroy(p.agent);
}

static void test_an_environment_that_breaks_its_contract(void **state) {
    (void)state;
    static const struct {
        fake_fault fault;
        const char *message;
    } faults[] = {{FAKE_NAN_REWARD, "environment fake: the reward is nan"},
                  {FAKE_INFINITE_REWARD, "environment fake: the reward is -inf"},
                  {FAKE_NEGATIVE_STATE, "expected a state in [0, 7), got -1"},
                  {FAKE_LARGE_STATE, "expected a state in [0, 7), got 7"},
                  {FAKE_NAN_OBSERVATION, "observation[1] is nan"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        puppet p;
        besd_error error = {BESD_OK, ""};
        besd_env env = {.actions = 4, .states = 7, .cap = 10, .fault = faults[i].fault};
        env.fault_step = 20;
        agent_episode episode;
        agent_seeds seeds = trial_evaluation_seeds(1, 0, 0, 1);
        puppet_open(&p, env, LEARNING_Q, "");
        assert_ok(agent_train(p.agent, 0, 19, 100, NULL, NULL, &error), &error);
        assert_fails(agent_train(p.agent, 19, 100, 100, NULL, NULL, &error), BESD_ENVIRONMENT,
                     &error, faults[i].message);
        assert_int_equal(p.env.total_steps, 20);
        p.env.fault_step = 23;
        assert_fails(agent_evaluate(p.agent, &p.env, &seeds, NULL, NULL, &episode, &error),
                     BESD_ENVIRONMENT, &error, faults[i].message);
        agent_destroy(p.agent);
    }
}

/* An evaluation would never end. */
static void test_an_environment_that_never_truncates(void **state) {
    (void)state;
    puppet p;
    besd_error error = {BESD_OK, ""};
    besd_env env = {.actions = 4, .states = 7, .cap = 10, .fault = FAKE_NO_TRUNCATION};
    agent_episode episode;
    agent_seeds seeds = trial_evaluation_seeds(1, 0, 0, 1);
    puppet_open(&p, env, LEARNING_Q, "");
    assert_fails(agent_evaluate(p.agent, &p.env, &seeds, NULL, NULL, &episode, &error),
                 BESD_ENVIRONMENT, &error, "expected truncation after the cap of 10 steps");
    p.env.fault = FAKE_HONEST;
    assert_ok(agent_evaluate(p.agent, &p.env, &seeds, NULL, NULL, &episode, &error), &error);
    assert_int_equal(episode.steps, 10);
    assert_false(episode.reached_goal);
    agent_destroy(p.agent);
}

/* Counts the actions that were not the best, before and after the middle of the training. */
typedef struct explorer {
    const puppet *p;
    int64_t seen;
    double strayed[2];
} explorer;

static void watch_choices(void *context, const agent_transition *t) {
    explorer *e = context;
    const double *values = agent_values(e->p->agent, 0, t->state);
    bool best = values[t->action] == largest(values, e->p->env.actions);
    e->strayed[e->seen++ >= 50000] += !best;
}

/* epsilon falls from 0.4 to 0: 0.3 in the mean of the first half, 0.1 of the second, and one
 * random action in four is the best one. The values are drawn apart and hardly move. */
static void test_the_rate_of_exploration(void **state) {
    (void)state;
    puppet p;
    besd_error error = {BESD_OK, ""};
    besd_env env = {.actions = 4, .states = 7, .cap = 10};
    puppet_open(&p, env, LEARNING_Q, "alpha=1e-9 initial_noise=1 epsilon_start=0.4 epsilon_end=0");
    explorer e = {.p = &p};
    assert_ok(agent_train(p.agent, 0, 100000, 100000, watch_choices, &e, &error), &error);
    assert_mean(e.strayed[0] / 50000, 0.3 * 0.75, 0.225 * 0.775, 50000);
    assert_mean(e.strayed[1] / 50000, 0.1 * 0.75, 0.075 * 0.925, 50000);
    agent_destroy(p.agent);
}

static void count_actions(void *context, const agent_transition *t) {
    uint64_t *counts = context;
    counts[t->action]++;
}

/* Equal values are no reason for a preference, in training and in evaluation; 30 actions. */
static void test_ties_are_broken_uniformly(void **state) {
    (void)state;
    puppet p;
    besd_error error = {BESD_OK, ""};
    besd_env env = {.actions = 30, .states = 3, .cap = 100};
    uint64_t counts[30] = {0}, greedy[30] = {0};
    puppet_open(&p, env, LEARNING_Q, "epsilon=0");
    assert_ok(agent_train(p.agent, 0, 60000, 60000, count_actions, counts, &error), &error);
    assert_uniform(counts, 30, "actions in training");
    for (uint64_t seed = 0; seed < 600; seed++) {
        agent_episode episode;
        agent_seeds seeds = trial_evaluation_seeds(seed, 0, 0, 1);
        assert_ok(agent_evaluate(p.agent, &p.env, &seeds, count_actions, greedy, &episode, &error),
                  &error);
    }
    assert_uniform(greedy, 30, "actions in evaluation");
    agent_destroy(p.agent);
}

/* Adds up what an evaluation should report, and checks that it is greedy. Legs are told by where
 * the agent is, whatever its stage. */
typedef struct judge {
    const fixture *f;
    const double *theta;
    int stage, stages;
    int64_t reached[2];
    double earned[3];
    int64_t steps;
    double raw, discount, shaping;
    bool terminated, truncated;
} judge;

static void judge_step(void *context, const agent_transition *t) {
    judge *j = context;
    const double *values = agent_values(j->f->agent, t->stage, t->state);
    assert_true(values[t->action] == largest(values, 4));
    assert_false(j->terminated || j->truncated);
    j->raw += j->discount * t->raw_reward;
    j->earned[j->stage] += j->discount * t->raw_reward;
    if (j->stage < j->stages && floor(t->next_observation[0]) == floor(j->theta[2 * j->stage]) &&
        floor(t->next_observation[1]) == floor(j->theta[2 * j->stage + 1]))
        j->reached[j->stage++] = j->steps + 1;
    j->shaping += fabs(t->shaping);
    j->discount *= j->f->d.value[PARAMETER_GAMMA];
    j->steps++;
    j->terminated = t->terminated;
    j->truncated = t->truncated;
}

/* Steps, raw discounted return and legs of a greedy episode, with shaping seen but not counted. */
static void test_the_report_of_an_evaluation(void **state) {
    (void)state;
    const double theta[] = {8.5, 2.5, 8.5, 8.5};
    int goals = 0, caps = 0, both = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        fixture f;
        besd_error error = {BESD_OK, ""};
        agent_episode episode;
        fixture_open(&f, "tr", "wind=0.05", theta, 4, seed);
        fixture_train(&f, seed < 15 ? 3000 : 100);
        judge j = {.f = &f, .theta = theta, .stages = 2, .discount = 1};
        agent_seeds seeds = trial_evaluation_seeds(seed, 0, 0, 1);
        assert_ok(
            agent_evaluate(f.agent, f.evaluation_env, &seeds, judge_step, &j, &episode, &error),
            &error);
        assert_int_equal(episode.steps, j.steps);
        assert_close(episode.discounted_return, j.raw, 1e-12);
        assert_int_equal(episode.reached_goal, j.terminated);
        assert_true(j.terminated || (j.truncated && j.steps == 500));
        assert_true(j.shaping > 0);
        assert_int_equal(episode.stage, j.stage);
        for (int k = 0; k < j.stage; k++)
            assert_int_equal(episode.reached[k], j.reached[k]);
        for (int k = 0; k <= 2; k++)
            assert_close(episode.earned[k], j.earned[k], 1e-12);
        both += j.stage == 2;
        goals += j.terminated;
        caps += j.truncated;
        fixture_close(&f);
    }
    assert_true(goals > 0 && caps > 0 && both > 0);
}

/* Looking does not change: with or without evaluations on the way, the same values. */
static void test_evaluation_leaves_the_training_alone(void **state) {
    (void)state;
    const double theta[] = {7.5, 3.5, 1.5, 8.5};
    for (int tiled = 0; tiled <= 1; tiled++) {
        fixture watched, alone;
        besd_error error = {BESD_OK, ""};
        const char *name = tiled ? "mc" : "gw10", *settings = tiled ? "" : "wind=0.3";
        const double car[] = {-0.82, 0.47};
        fixture_open(&watched, name, settings, tiled ? car : theta, tiled ? 2 : 4, 8);
        fixture_open(&alone, name, settings, tiled ? car : theta, tiled ? 2 : 4, 8);
        for (int part = 0; part < 10; part++) {
            assert_ok(
                agent_train(watched.agent, part * 500, part * 500 + 500, 5000, NULL, NULL, &error),
                &error);
            fixture_evaluate(&watched, (uint64_t)part);
        }
        fixture_train(&alone, 5000);
        assert_memory_equal(agent_values(watched.agent, 0, 0), agent_values(alone.agent, 0, 0),
                            4 * 100 * sizeof(double));
        assert_int_equal(fixture_evaluate(&watched, 99).steps, fixture_evaluate(&alone, 99).steps);
        fixture_close(&watched);
        fixture_close(&alone);
    }
}

/* More action values than 32 bits can count are refused before anything is taken for them. */
static void test_tables_that_are_too_large(void **state) {
    (void)state;
    static const struct {
        int64_t states;
        int observation, subgoals;
        const char *message;
    } cases[] = {
        {0, 6, 8, "got 4251528 tiles x 9 stages x 64 actions"}, /* 9^6 tiles in 8 tilings */
        {INT64_C(1) << 30, 2, 0, "got 1073741824 states x 1 stages x 64 actions"},
        {INT64_MAX, 2, 8, "got 9223372036854775807 states x 9 stages x 64 actions"},
    };
    const double theta[16] = {0};
    domain d;
    fixture_domain(&d, "mc", "");
    learning q = learning_of(&d, LEARNING_Q);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_error error = {BESD_OK, ""};
        besd_env_spec spec = {.actions = 64, .states = cases[i].states, .position = 2, .cap = 1};
        subgoals goals;
        agent *a = NULL;
        spec.observation = cases[i].observation;
        for (int k = 0; k < BESD_ENV_MAX_OBSERVATION; k++)
            spec.high[k] = spec.subgoal_high[k] = 1;
        assert_ok(plain_subgoals(&goals, &spec, cases[i].subgoals, theta,
                                 2 * (size_t)cases[i].subgoals, 0.2, 10, &error),
                  &error);
        assert_fails(agent_create(&spec, &goals, &q, &a, &error), BESD_INVALID, &error,
                     "learner: expected at most 2147483647 action values");
        assert_non_null(strstr(error.message, cases[i].message));
        assert_null(a);
    }
}

static void test_destroying_nothing(void **state) {
    (void)state;
    agent_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_number_of_interactions),
        cmocka_unit_test(test_an_environment_that_breaks_its_contract),
        cmocka_unit_test(test_an_environment_that_never_truncates),
        cmocka_unit_test(test_the_rate_of_exploration),
        cmocka_unit_test(test_ties_are_broken_uniformly),
        cmocka_unit_test(test_the_report_of_an_evaluation),
        cmocka_unit_test(test_evaluation_leaves_the_training_alone),
        cmocka_unit_test(test_tables_that_are_too_large),
        cmocka_unit_test(test_destroying_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
