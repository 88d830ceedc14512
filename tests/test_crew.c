#include "fake_env.h"
#include "fixture.h"

#include "learn/crew.h"

#include <sys/resource.h>
#include <unistd.h>

typedef struct scenario {
    const char *domain, *settings;
    size_t length;
    double theta[6];
} scenario;

/* A crew and, for comparison, agents with the same seeds in the same instances. Lanes 2 n and
 * 2 n + 1 share instance n. */
typedef struct troop {
    domain d;
    besd_env *env[CREW_LANES], *evaluation_env[CREW_LANES], *agent_env[CREW_LANES];
    besd_env_spec spec;
    subgoals goals;
    learning learning;
    crew *crew;
    agent *agents[CREW_LANES];
    int lanes;
} troop;

/* map NULL: the domain's own. */
static void troop_open(troop *t, const scenario *s, const char *map, int lanes) {
    besd_error error = {BESD_OK, ""};
    *t = (troop){.lanes = lanes};
    fixture_domain(&t->d, s->domain, s->settings);
    if (map)
        assert_ok(domain_set_map(&t->d, map, &error), &error);
    for (int i = 0; i < lanes; i++) {
        assert_ok(domain_open(&t->d, &t->env[i], &error), &error);
        assert_ok(domain_open(&t->d, &t->evaluation_env[i], &error), &error);
        assert_ok(domain_open(&t->d, &t->agent_env[i], &error), &error);
        uint64_t seed = rng_seed(5, RNG_INSTANCE, (uint64_t)i / 2, 0, 0);
        assert_ok(t->d.methods->instance(t->env[i], seed, &error), &error);
        assert_ok(t->d.methods->instance(t->evaluation_env[i], seed, &error), &error);
        assert_ok(t->d.methods->instance(t->agent_env[i], seed, &error), &error);
    }
    domain_spec(&t->d, t->env[0], &t->spec);
    t->learning = learning_of(&t->d, LEARNING_Q);
    const double *theta = s->length ? s->theta : NULL;
    assert_ok(subgoals_of(&t->goals, &t->d, &t->spec, theta, s->length, &error), &error);
    assert_true(crew_serves(&t->spec, &t->learning));
    assert_ok(crew_create(&t->spec, &t->goals, &t->learning, &t->crew, &error), &error);
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
    crew_destroy(t->crew);
}

static void troop_place(troop *t, bool by_calls, uint64_t seed) {
    besd_error error = {BESD_OK, ""};
    for (int i = 0; i < t->lanes; i++) {
        agent_seeds seeds = trial_training_seeds(seed, (uint64_t)i / 2, (uint64_t)i % 2);
        agent_place(t->agents[i], t->d.methods, t->agent_env[i], &seeds);
        if (by_calls) {
            assert_ok(crew_place_caller(t->crew, i, t->d.methods, t->env[i], t->evaluation_env[i],
                                        &seeds, &error),
                      &error);
            continue;
        }
        if (i % 2 == 0)
            assert_ok(crew_compile(t->crew, i / 2, t->d.methods, t->env[i], &error), &error);
        crew_place(t->crew, i, i / 2, &seeds);
    }
}

static void compare_episodes(const agent_episode *crews, const agent_episode *agents) {
    assert_int_equal(crews->steps, agents->steps);
    assert_true(crews->discounted_return == agents->discounted_return);
    assert_int_equal(crews->reached_goal, agents->reached_goal);
    assert_int_equal(crews->stage, agents->stage);
    assert_memory_equal(crews->reached, agents->reached, sizeof crews->reached);
    assert_memory_equal(crews->earned, agents->earned, sizeof crews->earned);
}

/* Trains both to `until`, compares every action value, then compares greedy episodes. */
static void troop_compare(troop *t, int64_t from, int64_t until, int64_t total, uint64_t seed) {
    besd_error error = {BESD_OK, ""};
    agent_seeds seeds[CREW_LANES];
    agent_episode episodes[CREW_LANES], expected;
    size_t bytes = (size_t)t->spec.states * 4 * sizeof(double);
    assert_ok(crew_train(t->crew, t->lanes, from, until, total, &error), &error);
    for (int i = 0; i < t->lanes; i++)
        seeds[i] = trial_evaluation_seeds(seed, (uint64_t)i / 2, (uint64_t)i % 2, until);
    assert_ok(crew_evaluate(t->crew, t->lanes, seeds, episodes, &error), &error);
    for (int i = 0; i < t->lanes; i++) {
        assert_ok(agent_train(t->agents[i], from, until, total, NULL, NULL, &error), &error);
        for (int stage = 0; stage <= t->goals.count; stage++)
            assert_memory_equal(crew_values(t->crew, i, stage, 0),
                                agent_values(t->agents[i], stage, 0), bytes);
        /* The evaluation has a handle of its own in the crew; the agent may share this one. */
        assert_ok(agent_evaluate(t->agents[i], t->evaluation_env[i], &seeds[i], NULL, NULL,
                                 &expected, &error),
                  &error);
        compare_episodes(&episodes[i], &expected);
    }
}

static const scenario scenarios[] = {
    {"gw10", "", 4, {7.5, 3.5, 1.5, 8.5}},
    {"gw10", "", 0, {0}},
    {"gw10", "reach=radius radius=1.2", 4, {7.1, 3.5, 1.5, 8.5}},
    {"gw10", "cell_size=2.5 origin=0.5,1", 4, {7.5, 3.5, 1.5, 8.5}},
    {"gw10", "wind=0.3 epsilon_end=0.01 initial_noise=0.5 cap=37", 4, {7.5, 0.5, 6.5, 9.5}},
    {"gw10", "wind=1 gamma=0.9", 4, {10, 10, 0, 0}},
    {"gw10", "epsilon=1 alpha=1 alpha_decay=0", 4, {1.5, 0.5, 1.5, 0.5}},
    {"gw10", "epsilon=0 initial_value=1 subgoals=1", 2, {2.5, 2.5}},
    {"gw10", "cap=1", 4, {1.5, 0.5, 0.5, 1.5}},
    {"gw20", "", 4, {12.5, 8.5, 12.5, 15.5}},
    {"gw20", "wind=0.1 epsilon_start=1 epsilon_end=0 alpha_power=3", 0, {0}},
    {"tr", "", 4, {8.5, 2.5, 8.5, 8.5}},
    {"tr", "wind=0.2 cap=64 initial_noise=0.1", 4, {8.5, 2.5, 8.5, 8.5}},
    {"key2", "", 4, {8.5, 3.5, 1.5, 8.5}},
    {"key2", "initial_value=-1 epsilon_end=0.5", 0, {0}},
    {"key3", "", 6, {1.5, 2.5, 8.5, 3.5, 1.5, 8.5}},
    {"key3", "wind=0.05 cap=65", 6, {1.5, 2.5, 8.5, 3.5, 1.5, 8.5}},
};

enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static void check_scenario(const scenario *s, int lanes, bool by_calls) {
    troop t;
    troop_open(&t, s, NULL, lanes);
    troop_place(&t, by_calls, 17);
    /* Parts that are and are not whole blocks of random numbers, and one that is a single step. */
    troop_compare(&t, 0, 1, 3000, 17);
    troop_compare(&t, 1, 129, 3000, 17);
    troop_compare(&t, 129, 3000, 3000, 17);
    troop_place(&t, by_calls, 18); /* a used crew is as good as a new one */
    troop_compare(&t, 0, 1500, 1500, 18);
    troop_close(&t);
}

static void test_by_table_bit_for_bit(void **state) {
    (void)state;
    for (int i = 0; i < SCENARIOS; i++)
        check_scenario(&scenarios[i], CREW_LANES, false);
}

static void test_by_calls_bit_for_bit(void **state) {
    (void)state;
    for (int i = 0; i < SCENARIOS; i++)
        check_scenario(&scenarios[i], CREW_LANES, true);
}

static void test_every_number_of_lanes(void **state) {
    (void)state;
    for (int lanes = 1; lanes <= CREW_LANES; lanes++)
        for (int by_calls = 0; by_calls <= 1; by_calls++) {
            check_scenario(&scenarios[2], lanes, by_calls);
            check_scenario(&scenarios[13], lanes, by_calls);
        }
}

/* Thousands of goals: the step size runs off the end of its table. */
static void test_many_goals(void **state) {
    (void)state;
    const scenario corridor = {"gw10", "cap=200 wind=0.1", 4, {1.5, 0.5, 2.5, 0.5}};
    for (int by_calls = 0; by_calls <= 1; by_calls++) {
        troop t;
        troop_open(&t, &corridor, "S..G", 3);
        troop_place(&t, by_calls, 19);
        troop_compare(&t, 0, 40000, 40000, 19);
        troop_close(&t);
    }
}

/* A passage that is not gone back through, a decoy, and wind that blows against both. */
static void test_one_way_cells(void **state) {
    (void)state;
    static const char map[] = "G....\n#>#V#\n.....\n#^#a#\nS..b.\nchoose wall: a | b\n";
    const scenario rooms = {"gw10", "cap=60 wind=0.2", 4, {1.5, 2.5, 2.5, 4.5}};
    for (int by_calls = 0; by_calls <= 1; by_calls++) {
        troop t;
        troop_open(&t, &rooms, map, CREW_LANES);
        troop_place(&t, by_calls, 23);
        troop_compare(&t, 0, 4000, 4000, 23);
        troop_close(&t);
    }
}

static void test_whom_it_serves(void **state) {
    (void)state;
    domain d;
    fixture_domain(&d, "gw10", "");
    learning q = learning_of(&d, LEARNING_Q), sarsa = learning_of(&d, LEARNING_SARSA);
    besd_env_spec spec = {.actions = 4, .states = 10, .observation = 2, .position = 2, .cap = 1};
    assert_true(crew_serves(&spec, &q));
    assert_false(crew_serves(&spec, &sarsa));
    spec.actions = 3;
    assert_false(crew_serves(&spec, &q));
    spec.actions = 4;
    spec.states = 0;
    assert_false(crew_serves(&spec, &q));
    spec.states = 1 << 18; /* a million values: eight tables of eight megabytes */
    assert_true(crew_serves(&spec, &q));
    spec.states++;
    assert_false(crew_serves(&spec, &q));
    spec.states = INT64_MAX;
    assert_false(crew_serves(&spec, &q));
    spec.states = 10;
    spec.reach = BESD_REACH_CROSS;
    assert_false(crew_serves(&spec, &q));
}

/* Bytes of address space that the program has taken. */
static size_t taken(void) {
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu", &pages), 1);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Grounds are for those who compile: the largest crew takes eight tables of 8 MiB and little else,
 * where grounds would take 192 MiB more. */
static void test_the_memory_of_a_crew(void **state) {
    (void)state;
    if (TEST_SIZE(false, true)) /* sanitizers take address space of their own */
        skip();
    domain d;
    besd_error error = {BESD_OK, ""};
    besd_env honest = {.actions = 4, .states = 1 << 18, .cap = 10};
    besd_env_spec spec;
    subgoals none;
    crew *c = NULL;
    struct rlimit usual, little;
    fixture_domain(&d, "gw10", "");
    learning q = learning_of(&d, LEARNING_Q);
    fake_spec(&honest, &spec);
    assert_ok(plain_subgoals(&none, &spec, 0, NULL, 0, 0.2, 10, &error), &error);
    getrlimit(RLIMIT_AS, &usual);
    little = usual;
    little.rlim_cur = taken() + (96 << 20);
    setrlimit(RLIMIT_AS, &little);
    besd_status status = crew_create(&spec, &none, &q, &c, &error);
    setrlimit(RLIMIT_AS, &usual);
    assert_ok(status, &error);
    crew_destroy(c);
}

static void test_a_table_of_another_shape(void **state) {
    (void)state;
    troop t;
    fixture f;
    besd_error error = {BESD_OK, ""};
    troop_open(&t, &scenarios[0], NULL, 1);
    fixture_open(&f, "tr", "", NULL, 0, 1);
    assert_fails(crew_compile(t.crew, 0, f.d.methods, f.env, &error), BESD_ENVIRONMENT, &error,
                 "its table has 200 states and 4 actions, its spec 100 and 4");
    fixture_close(&f);
    troop_close(&t);
}

/* A crew of callers in fake environments, one of which breaks the contract. */
typedef struct puppets {
    besd_env env[CREW_LANES], evaluation_env[CREW_LANES];
    besd_env_spec spec;
    subgoals goals;
    learning learning;
    crew *crew;
} puppets;

static besd_status puppets_open(puppets *p, besd_env culprit, bool evaluating, besd_error *error) {
    domain d;
    besd_env honest = {.actions = 4, .states = 7, .cap = 10};
    fixture_domain(&d, "gw10", "");
    fake_spec(&honest, &p->spec);
    p->learning = learning_of(&d, LEARNING_Q);
    assert_ok(plain_subgoals(&p->goals, &p->spec, 0, NULL, 0, 0.2, 10, error), error);
    assert_ok(crew_create(&p->spec, &p->goals, &p->learning, &p->crew, error), error);
    besd_status status = BESD_OK;
    for (int i = 0; status == BESD_OK && i < CREW_LANES; i++) {
        agent_seeds seeds = trial_training_seeds(1, 0, (uint64_t)i);
        p->env[i] = i == CREW_LANES - 2 && !evaluating ? culprit : honest;
        p->evaluation_env[i] = i == CREW_LANES - 2 && evaluating ? culprit : honest;
        status = crew_place_caller(p->crew, i, &fake_methods, &p->env[i], &p->evaluation_env[i],
                                   &seeds, error);
    }
    return status;
}

static besd_status puppets_play(puppets *p, besd_error *error) {
    agent_seeds seeds[CREW_LANES];
    agent_episode episodes[CREW_LANES];
    for (int i = 0; i < CREW_LANES; i++)
        seeds[i] = trial_evaluation_seeds(1, 0, (uint64_t)i, 100);
    besd_status status = crew_train(p->crew, CREW_LANES, 0, 100, 100, error);
    return status ? status : crew_evaluate(p->crew, CREW_LANES, seeds, episodes, error);
}

static void test_broken_contracts_through_calls(void **state) {
    (void)state;
    static const struct {
        fake_fault fault;
        int64_t step;
    } faults[] = {
        {FAKE_HONEST, 0},         {FAKE_NAN_REWARD, 8},       {FAKE_INFINITE_REWARD, 8},
        {FAKE_NEGATIVE_STATE, 8}, {FAKE_LARGE_STATE, 8},      {FAKE_NEGATIVE_STATE, 10},
        {FAKE_LARGE_START, 2},    {FAKE_NAN_START_REWARD, 2}, {FAKE_NAN_START_OBSERVATION, 2}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (int evaluating = 0; evaluating <= 1; evaluating++) {
            puppets p;
            besd_error error = {BESD_OK, ""};
            besd_env culprit = {.actions = 4, .states = 7, .cap = 10, .fault = faults[i].fault};
            culprit.fault_step = faults[i].step;
            if (faults[i].fault >= FAKE_LARGE_START && evaluating)
                culprit.fault_step = 1; /* an evaluation resets once */
            assert_ok(puppets_open(&p, culprit, evaluating, &error), &error);
            if (faults[i].fault == FAKE_HONEST)
                assert_ok(puppets_play(&p, &error), &error);
            else
                assert_fails(puppets_play(&p, &error), BESD_ENVIRONMENT, &error,
                             "environment fake");
            crew_destroy(p.crew);
        }
}

static void test_a_broken_start_through_calls(void **state) {
    (void)state;
    static const fake_fault faults[] = {FAKE_LARGE_START, FAKE_NAN_START_REWARD,
                                        FAKE_NAN_START_OBSERVATION};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        puppets p;
        besd_error error = {BESD_OK, ""};
        besd_env culprit = {.actions = 4, .states = 7, .cap = 10, .fault = faults[i]};
        culprit.fault_step = 1;
        assert_fails(puppets_open(&p, culprit, false, &error), BESD_ENVIRONMENT, &error,
                     "environment fake: it told a state, a reward or an observation out of range");
        crew_destroy(p.crew);
    }
}

/* The public interface is called exactly once per interaction. */
static void test_the_number_of_calls(void **state) {
    (void)state;
    puppets p;
    besd_error error = {BESD_OK, ""};
    besd_env honest = {.actions = 4, .states = 7, .cap = 10};
    assert_ok(puppets_open(&p, honest, false, &error), &error);
    assert_ok(puppets_play(&p, &error), &error);
    for (int i = 0; i < CREW_LANES; i++) {
        assert_int_equal(p.env[i].total_steps, 100);
        assert_int_equal(p.env[i].resets, 11);
        assert_int_equal(p.evaluation_env[i].total_steps, 10);
        assert_int_equal(p.evaluation_env[i].resets, 1);
    }
    crew_destroy(p.crew);
    crew_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_table_bit_for_bit),
        cmocka_unit_test(test_by_calls_bit_for_bit),
        cmocka_unit_test(test_every_number_of_lanes),
        cmocka_unit_test(test_many_goals),
        cmocka_unit_test(test_one_way_cells),
        cmocka_unit_test(test_whom_it_serves),
        cmocka_unit_test(test_the_memory_of_a_crew),
        cmocka_unit_test(test_a_table_of_another_shape),
        cmocka_unit_test(test_broken_contracts_through_calls),
        cmocka_unit_test(test_a_broken_start_through_calls),
        cmocka_unit_test(test_the_number_of_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
