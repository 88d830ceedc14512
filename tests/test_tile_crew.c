#include "fake_env.h"
#include "fixture.h"

#include "learn/tile_crew.h"
#include "learn/tiles.h"

/* A crew and, for comparison, agents with the same seeds in the same instances. */
typedef struct troop {
    domain d;
    besd_env *env[TILE_CREW_LANES], *evaluation_env[TILE_CREW_LANES], *agent_env[TILE_CREW_LANES];
    besd_env_spec spec;
    subgoals goals;
    learning learning;
    tile_crew *crew;
    agent *agents[TILE_CREW_LANES];
    int lanes;
} troop;

static void troop_open(troop *t, const char *settings, const double *theta, size_t length,
                       int lanes) {
    besd_error error = {BESD_OK, ""};
    *t = (troop){.lanes = lanes};
    fixture_domain(&t->d, "mc", settings);
    for (int i = 0; i < lanes; i++) {
        besd_env **handles[] = {&t->env[i], &t->evaluation_env[i], &t->agent_env[i]};
        uint64_t seed = rng_seed(5, RNG_INSTANCE, (uint64_t)i / 2, 0, 0);
        for (int k = 0; k < 3; k++) {
            assert_ok(domain_open(&t->d, handles[k], &error), &error);
            assert_ok(t->d.methods->instance(*handles[k], seed, &error), &error);
        }
    }
    domain_spec(&t->d, t->env[0], &t->spec);
    t->learning = learning_of(&t->d, LEARNING_Q);
    assert_ok(subgoals_of(&t->goals, &t->d, &t->spec, theta, length, &error), &error);
    assert_true(tile_crew_serves(&t->spec, &t->learning));
    assert_ok(tile_crew_create(&t->spec, &t->goals, &t->learning, &t->crew, &error), &error);
    for (int i = 0; i < lanes; i++)
        assert_ok(agent_create(&t->spec, &t->goals, &t->learning, &t->agents[i], &error), &error);
}

static void troop_close(troop *t) {
    for (int i = 0; i < t->lanes; i++) {
        agent_destroy(t->agents[i]);
        t->d.methods->destroy(t->env[i]);
        t->d.methods->destroy(t->evaluation_env[i]);
        t->d.methods->destroy(t->agent_env[i]);
    }
    tile_crew_destroy(t->crew);
}

static void troop_place(troop *t, uint64_t seed) {
    besd_error error = {BESD_OK, ""};
    for (int i = 0; i < t->lanes; i++) {
        agent_seeds seeds = trial_training_seeds(seed, (uint64_t)i / 2, (uint64_t)i % 2);
        agent_place(t->agents[i], t->d.methods, t->agent_env[i], &seeds);
        assert_ok(tile_crew_place(t->crew, i, t->d.methods, t->env[i], t->evaluation_env[i], &seeds,
                                  &error),
                  &error);
    }
}

static void compare_weights(const troop *t, int lane, int stage) {
    tile_coder coder;
    besd_error error = {BESD_OK, ""};
    assert_ok(tiles_init(&coder, &t->spec, t->learning.tilings, t->learning.tiles, &error), &error);
    for (int64_t i = 0; i < tiles_count(&coder); i++)
        assert_memory_equal(tile_crew_weights(t->crew, lane, stage, i),
                            agent_values(t->agents[lane], stage, i),
                            (size_t)t->spec.actions * sizeof(double));
}

/* Trains both to `until`, compares all weights, then compares greedy episodes. */
static void troop_compare(troop *t, int64_t from, int64_t until, int64_t total, uint64_t seed) {
    besd_error error = {BESD_OK, ""};
    agent_seeds seeds[TILE_CREW_LANES];
    agent_episode episodes[TILE_CREW_LANES], expected;
    assert_ok(tile_crew_train(t->crew, t->lanes, from, until, total, &error), &error);
    for (int i = 0; i < t->lanes; i++)
        seeds[i] = trial_evaluation_seeds(seed, (uint64_t)i / 2, (uint64_t)i % 2, until);
    assert_ok(tile_crew_evaluate(t->crew, t->lanes, seeds, episodes, &error), &error);
    for (int i = 0; i < t->lanes; i++) {
        assert_ok(agent_train(t->agents[i], from, until, total, NULL, NULL, &error), &error);
        for (int stage = 0; stage <= t->goals.count; stage++)
            compare_weights(t, i, stage);
        assert_ok(agent_evaluate(t->agents[i], t->evaluation_env[i], &seeds[i], NULL, NULL,
                                 &expected, &error),
                  &error);
        assert_int_equal(episodes[i].steps, expected.steps);
        assert_true(episodes[i].discounted_return == expected.discounted_return);
        assert_int_equal(episodes[i].reached_goal, expected.reached_goal);
        assert_int_equal(episodes[i].stage, expected.stage);
        assert_memory_equal(episodes[i].reached, expected.reached, sizeof expected.reached);
        assert_memory_equal(episodes[i].earned, expected.earned, sizeof expected.earned);
    }
}

static const double pair[] = {-0.82, 0.47}, triple[] = {-0.6, -0.5, -0.9};

static void check_settings(const char *settings, const double *theta, size_t length, int lanes) {
    troop t;
    troop_open(&t, settings, theta, length, lanes);
    troop_place(&t, 17);
    troop_compare(&t, 0, 1, 5000, 17);
    troop_compare(&t, 1, 129, 5000, 17);
    troop_compare(&t, 129, 5000, 5000, 17);
    troop_place(&t, 18); /* a used crew is as good as a new one */
    troop_compare(&t, 0, 1000, 1000, 18);
    troop_close(&t);
}

static void test_bit_for_bit(void **state) {
    (void)state;
    check_settings("", pair, 2, TILE_CREW_LANES);
    check_settings("", NULL, 0, TILE_CREW_LANES);
    check_settings("cap=150 epsilon_end=0.01", pair, 2, TILE_CREW_LANES);
    check_settings("tilings=5 tiles=3 subgoals=3", triple, 3, TILE_CREW_LANES);
    check_settings("tilings=32 tiles=2 initial_value=1 gamma=1", pair, 2, 2);
    check_settings("tilings=1 tiles=64 epsilon=1", pair, 2, 2);
    check_settings("reach=radius radius=0.02", pair, 2, 3);
    check_settings("cell_size=0.1 origin=0.05", pair, 2, 3);
    check_settings("initial_value=-0.5 initial_noise=0.1", pair, 2, 3);
    check_settings("initial_value=-0 potential_height=0 goal_reward=0", pair, 2,
                   2); /* signs of zeros */
    /* an easy hill, so that goals and step sizes come into play */
    check_settings("force=0.01 alpha=0.5 alpha_decay=2 cap=300", pair, 2, TILE_CREW_LANES);
}

static void test_every_number_of_lanes(void **state) {
    (void)state;
    for (int lanes = 1; lanes <= TILE_CREW_LANES; lanes++)
        check_settings("cap=200", pair, 2, lanes);
}

static void test_whom_it_serves(void **state) {
    (void)state;
    domain d;
    fixture_domain(&d, "mc", "");
    learning q = learning_of(&d, LEARNING_Q), sarsa = learning_of(&d, LEARNING_SARSA);
    besd_env_spec spec = {.actions = 3, .observation = 2, .position = 1, .cap = 1};
    assert_true(tile_crew_serves(&spec, &q));
    assert_false(tile_crew_serves(&spec, &sarsa));
    spec.states = 10;
    assert_false(tile_crew_serves(&spec, &q));
    spec.states = 0;
    spec.observation = 5; /* 8 tilings of 9^5 tiles for 3 actions */
    assert_false(tile_crew_serves(&spec, &q));
}

/* A crew in fake environments, one of which breaks the contract. */
typedef struct puppets {
    besd_env env[TILE_CREW_LANES], evaluation_env[TILE_CREW_LANES];
    besd_env_spec spec;
    subgoals goals;
    learning learning;
    tile_crew *crew;
} puppets;

static void puppets_open(puppets *p, besd_env culprit, bool evaluating, int actions) {
    domain d;
    besd_error error = {BESD_OK, ""};
    besd_env honest = {.actions = actions, .states = 7, .cap = 10, .reward = 0.5};
    fixture_domain(&d, "mc", "");
    fake_spec(&honest, &p->spec);
    p->spec.states = 0; /* the observation is the state */
    p->learning = learning_of(&d, LEARNING_Q);
    assert_ok(
        plain_subgoals(&p->goals, &p->spec, 1, (const double[]){3.5, 0.5}, 2, 0.2, 10, &error),
        &error);
    assert_ok(tile_crew_create(&p->spec, &p->goals, &p->learning, &p->crew, &error), &error);
    for (int i = 0; i < TILE_CREW_LANES; i++) {
        agent_seeds seeds = trial_training_seeds(1, 0, (uint64_t)i);
        p->env[i] = i == TILE_CREW_LANES - 2 && !evaluating ? culprit : honest;
        p->evaluation_env[i] = i == TILE_CREW_LANES - 2 && evaluating ? culprit : honest;
        assert_ok(tile_crew_place(p->crew, i, &fake_methods, &p->env[i], &p->evaluation_env[i],
                                  &seeds, &error),
                  &error);
    }
}

static besd_status puppets_play(puppets *p, besd_error *error) {
    agent_seeds seeds[TILE_CREW_LANES];
    agent_episode episodes[TILE_CREW_LANES];
    for (int i = 0; i < TILE_CREW_LANES; i++)
        seeds[i] = trial_evaluation_seeds(1, 0, (uint64_t)i, 100);
    besd_status status = tile_crew_train(p->crew, TILE_CREW_LANES, 0, 100, 100, error);
    return status ? status : tile_crew_evaluate(p->crew, TILE_CREW_LANES, seeds, episodes, error);
}

static void test_broken_contracts(void **state) {
    (void)state;
    static const struct {
        fake_fault fault;
        const char *message;
    } faults[] = {{FAKE_NAN_REWARD, "environment fake: the reward is nan"},
                  {FAKE_INFINITE_REWARD, "environment fake: the reward is -inf"},
                  {FAKE_NAN_OBSERVATION, "environment fake: observation[1] is nan"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (int evaluating = 0; evaluating <= 1; evaluating++) {
            puppets p;
            besd_error error = {BESD_OK, ""};
            besd_env culprit = {.actions = 3, .states = 7, .cap = 10, .fault = faults[i].fault};
            culprit.fault_step = 8;
            puppets_open(&p, culprit, evaluating, 3);
            assert_fails(puppets_play(&p, &error), BESD_ENVIRONMENT, &error, faults[i].message);
            tile_crew_destroy(p.crew);
        }
}

static void test_an_environment_that_never_truncates(void **state) {
    (void)state;
    puppets p;
    besd_error error = {BESD_OK, ""};
    besd_env culprit = {.actions = 3, .states = 7, .cap = 10, .fault = FAKE_NO_TRUNCATION};
    puppets_open(&p, culprit, true, 3);
    assert_fails(puppets_play(&p, &error), BESD_ENVIRONMENT, &error,
                 "expected truncation after the cap of 10 steps");
    tile_crew_destroy(p.crew);
}

/* Any number of actions, one call an interaction, and the weights of an agent. */
static void test_numbers_of_actions(void **state) {
    (void)state;
    static const int actions[] = {2, 3, 4, 5, 30, 64};
    for (size_t n = 0; n < sizeof actions / sizeof *actions; n++) {
        puppets p;
        besd_error error = {BESD_OK, ""};
        besd_env honest = {.actions = actions[n], .states = 7, .cap = 10, .reward = 0.5};
        agent *reference;
        agent_seeds seeds = trial_training_seeds(1, 0, 1);
        puppets_open(&p, honest, false, actions[n]);
        assert_ok(puppets_play(&p, &error), &error);
        assert_int_equal(p.env[1].total_steps, 100);
        assert_int_equal(p.env[1].resets, 11);
        assert_ok(agent_create(&p.spec, &p.goals, &p.learning, &reference, &error), &error);
        agent_place(reference, &fake_methods, &honest, &seeds);
        assert_ok(agent_train(reference, 0, 100, 100, NULL, NULL, &error), &error);
        troop t = {.spec = p.spec, .learning = p.learning, .crew = p.crew};
        t.agents[1] = reference;
        for (int stage = 0; stage <= 1; stage++)
            compare_weights(&t, 1, stage);
        agent_destroy(reference);
        tile_crew_destroy(p.crew);
    }
    tile_crew_destroy(NULL);
}

static void test_too_many_features(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    subgoals none;
    tile_crew *crew = NULL;
    besd_env_spec spec = {.actions = 3, .observation = 8, .position = 1, .cap = 1};
    for (int i = 0; i < 8; i++)
        spec.high[i] = 1;
    fixture_domain(&d, "mc", "");
    learning q = learning_of(&d, LEARNING_Q);
    assert_ok(plain_subgoals(&none, &spec, 0, NULL, 0, 0.2, 10, &error), &error);
    assert_fails(tile_crew_create(&spec, &none, &q, &crew, &error), BESD_INVALID, &error,
                 "more than 16777216 features");
    assert_null(crew);
}

static void test_an_environment_without_bounds(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    subgoals none;
    tile_crew *crew = NULL;
    static const double highs[] = {0, -1, INFINITY, NAN};
    fixture_domain(&d, "mc", "");
    learning q = learning_of(&d, LEARNING_Q);
    for (size_t i = 0; i < sizeof highs / sizeof *highs; i++) {
        besd_env_spec spec = {.actions = 3, .observation = 2, .position = 1, .cap = 1};
        spec.high[0] = 1;
        spec.high[1] = highs[i];
        assert_ok(plain_subgoals(&none, &spec, 0, NULL, 0, 0.2, 10, &error), &error);
        assert_fails(tile_crew_create(&spec, &none, &q, &crew, &error), BESD_ENVIRONMENT, &error,
                     "tiles: expected finite bounds of observation[1], got [0, ");
        assert_null(crew);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bit_for_bit),
        cmocka_unit_test(test_every_number_of_lanes),
        cmocka_unit_test(test_whom_it_serves),
        cmocka_unit_test(test_broken_contracts),
        cmocka_unit_test(test_an_environment_that_never_truncates),
        cmocka_unit_test(test_numbers_of_actions),
        cmocka_unit_test(test_too_many_features),
        cmocka_unit_test(test_an_environment_without_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
