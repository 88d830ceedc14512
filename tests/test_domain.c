#include "found_domain.h"

/* The table of the facts, typed in once more. NaN: the domain has no such parameter. */
typedef struct facts {
    const char *name;
    domain_kind kind;
    domain_objective objective;
    int64_t tau[4];
    int reps[3];
    int initial_designs;
    double subgoals, gamma, cap, width, alpha, alpha_decay, goal_reward;
    double wind_low, wind_high, treasure_reward;
} facts;

#define NONE (double)NAN

static const facts table[] = {
    {"gw10",
     DOMAIN_GRID,
     OBJECTIVE_STEPS,
     {200, 600, 1000},
     {5, 20},
     10,
     2,
     1,
     500,
     10,
     0.11,
     100,
     1,
     0,
     0.02,
     0},
    {"gw20",
     DOMAIN_GRID,
     OBJECTIVE_STEPS,
     {4000, 7000, 10000},
     {20},
     10,
     2,
     1,
     1000,
     10,
     0.11,
     100,
     1,
     0,
     0.02,
     0},
    {"tr",
     DOMAIN_GRID,
     OBJECTIVE_RETURN,
     {400, 1200, 2000},
     {5, 20},
     10,
     2,
     0.98,
     500,
     10,
     0.11,
     100,
     10,
     0,
     0,
     10},
    {"key2",
     DOMAIN_GRID,
     OBJECTIVE_STEPS,
     {400, 700, 1000},
     {5, 20},
     10,
     2,
     0.999,
     500,
     10,
     0.11,
     100,
     1,
     0,
     0,
     0},
    {"key3",
     DOMAIN_GRID,
     OBJECTIVE_STEPS,
     {400, 700, 1000},
     {5, 20},
     15,
     3,
     0.999,
     500,
     10,
     0.11,
     100,
     1,
     0,
     0,
     0},
    {"mc",
     DOMAIN_MOUNTAIN_CAR,
     OBJECTIVE_STEPS,
     {4000, 7000, 10000},
     {10, 50},
     10,
     2,
     0.98,
     1000,
     2,
     0.0625,
     0,
     1,
     NONE,
     NONE,
     NONE},
};

enum { DOMAINS = sizeof table / sizeof *table };

static void test_the_names(void **state) {
    (void)state;
    for (size_t i = 0; i < DOMAINS; i++)
        assert_string_equal(domain_name(i), table[i].name);
    assert_null(domain_name(DOMAINS));
}

static void test_levels_and_kinds(void **state) {
    (void)state;
    for (size_t i = 0; i < DOMAINS; i++) {
        const facts *f = &table[i];
        domain d = found(f->name);
        assert_string_equal(d.name, f->name);
        assert_true(strlen(d.title) > 10);
        assert_int_equal(d.kind, f->kind);
        assert_int_equal(d.objective, f->objective);
        assert_int_equal(d.initial_designs, f->initial_designs);
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(d.tau[k], f->tau[k]);
        for (size_t k = 0; k < 3; k++)
            assert_int_equal(d.reps[k], f->reps[k]);
        int64_t largest = f->tau[2];
        assert_int_equal(domain_tau_max(&d), largest);
    }
}

static void test_every_constant(void **state) {
    (void)state;
    assert_int_equal(PARAMETER_COUNT, 31); /* a new parameter wants a line below */
    for (size_t i = 0; i < DOMAINS; i++) {
        const facts *f = &table[i];
        domain d = found(f->name);
        bool car = f->kind == DOMAIN_MOUNTAIN_CAR;
        check_value(&d, PARAMETER_SUBGOALS, f->subgoals);
        check_value(&d, PARAMETER_GAMMA, f->gamma);
        check_value(&d, PARAMETER_CAP, f->cap);
        check_value(&d, PARAMETER_HEIGHT, 0.2);
        check_value(&d, PARAMETER_WIDTH, f->width);
        check_value(&d, PARAMETER_EPSILON, 0.2);
        check_value(&d, PARAMETER_EPSILON_END, 0.2);
        check_value(&d, PARAMETER_ALPHA, f->alpha);
        check_value(&d, PARAMETER_ALPHA_DECAY, f->alpha_decay);
        check_value(&d, PARAMETER_ALPHA_POWER, 1.1);
        check_value(&d, PARAMETER_INITIAL_VALUE, 0);
        check_value(&d, PARAMETER_INITIAL_NOISE, 0);
        check_value(&d, PARAMETER_GOAL_REWARD, f->goal_reward);
        check_value(&d, PARAMETER_TREASURE_REWARD, f->treasure_reward);
        check_value(&d, PARAMETER_WIND_LOW, f->wind_low);
        check_value(&d, PARAMETER_WIND_HIGH, f->wind_high);
        check_value(&d, PARAMETER_TILINGS, car ? 8 : NONE);
        check_value(&d, PARAMETER_TILES, car ? 8 : NONE);
        check_value(&d, PARAMETER_START_LOW, car ? -0.6 : NONE);
        check_value(&d, PARAMETER_START_HIGH, car ? -0.4 : NONE);
        check_value(&d, PARAMETER_GOAL_POSITION, car ? 0.5 : NONE);
        check_value(&d, PARAMETER_FORCE, car ? 0.001 : NONE);
        check_value(&d, PARAMETER_GRAVITY, car ? 0.0025 : NONE);
        check_value(&d, PARAMETER_MAX_SPEED, car ? 0.07 : NONE);
        check_value(&d, PARAMETER_RESET_TIMEOUT, NONE);
        check_value(&d, PARAMETER_STEP_TIMEOUT, NONE);
        check_value(&d, PARAMETER_FEWEST_SUBGOALS, 0);
        check_value(&d, PARAMETER_SUBGOAL_PRICE, 0);
        check_value(&d, PARAMETER_LABELS, car ? NONE : 0);
        check_value(&d, PARAMETER_TASKS, car ? NONE : 0);
        check_value(&d, PARAMETER_MOVES, car ? NONE : 4);
    }
}

/* Defaults lie in the ranges that are enforced on users. */
static void test_defaults_are_in_range(void **state) {
    (void)state;
    for (size_t i = 0; i < DOMAINS; i++) {
        domain d = found(table[i].name);
        for (int p = 0; p < PARAMETER_COUNT; p++) {
            const domain_parameter_info *info = &domain_parameter_infos[p];
            double value = d.value[p];
            assert_true(isnan(value) || (value >= info->low && value <= info->high));
            assert_true(isnan(value) || !info->integer || value == floor(value));
            assert_true(strlen(info->name) > 0 && strlen(info->text) > 0);
        }
    }
}

static void test_names_in_any_case(void **state) {
    (void)state;
    assert_string_equal(found("GW10").name, "gw10");
    assert_string_equal(found("Mc").name, "mc");
}

static void test_unknown_domains(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_fails(domain_find("gw11", &d, &error), BESD_UNKNOWN, &error,
                 "there is no 'gw11', did you mean 'gw10'");
    assert_fails(domain_find("kye3", &d, &error), BESD_UNKNOWN, &error, "did you mean 'key3'");
    assert_fails(domain_find("pendulum", &d, &error), BESD_UNKNOWN, &error,
                 "there is no 'pendulum'; known are gw10, gw20, tr, key2, key3, mc");
    assert_fails(domain_find("", &d, &error), BESD_UNKNOWN, &error, "there is no ''");
}

static void test_inverted_ranges_are_refused_at_opening(void **state) {
    (void)state;
    besd_env *env = NULL;
    besd_error error = {BESD_OK, ""};
    domain d = found("gw10");
    assert_ok(domain_set(&d, "wind_low=0.5", &error), &error);
    assert_fails(domain_open(&d, &env, &error), BESD_INVALID, &error,
                 "wind_low: expected at most wind_high = 0.02, got 0.5");
    d = found("mc");
    assert_ok(domain_set(&d, "start_low=-0.3", &error), &error);
    assert_fails(domain_open(&d, &env, &error), BESD_INVALID, &error,
                 "start_low: expected at most start_high = -0.4, got -0.3");
    d = found("mc");
    assert_ok(domain_set(&d, "goal_position=-0.5", &error), &error);
    assert_fails(domain_open(&d, &env, &error), BESD_INVALID, &error,
                 "start_high: expected at most goal_position = -0.5, got -0.4");
    assert_null(env);
}

/* What is set arrives in the environment. */
static void test_settings_reach_the_environment(void **state) {
    (void)state;
    besd_env *env = NULL;
    besd_env_spec spec;
    besd_env_outcome out;
    besd_error error = {BESD_OK, ""};
    domain d = found("gw10");
    assert_ok(domain_set_map(&d, "STG", &error), &error);
    assert_ok(domain_set(&d, "cap=33", &error), &error);
    assert_ok(domain_set(&d, "wind=0", &error), &error);
    assert_ok(domain_set(&d, "goal_reward=4", &error), &error);
    assert_ok(domain_set(&d, "treasure_reward=7", &error), &error);
    assert_ok(domain_open(&d, &env, &error), &error);
    d.methods->spec(env, &spec);
    assert_int_equal(spec.cap, 33);
    assert_true(spec.subgoal_high[0] == 3 && spec.subgoal_high[1] == 1);
    assert_ok(d.methods->instance(env, 1, &error), &error);
    assert_true(d.methods->table(env)->wind == 0);
    d.methods->seed(env, 1);
    d.methods->reset(env, &out);
    d.methods->step(env, 1, &out);
    assert_true(out.reward == 7);
    d.methods->step(env, 1, &out);
    assert_true(out.reward == 4 && out.terminated);
    d.methods->destroy(env);
}

static void test_the_mountain_of_a_domain(void **state) {
    (void)state;
    domain d = found("mc");
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_set(&d, "force=0.002", &error), &error);
    mountain_car_config c = domain_mountain_car(&d);
    assert_true(c.start_low == -0.6 && c.start_high == -0.4 && c.goal == 0.5);
    assert_true(c.force == 0.002 && c.gravity == 0.0025 && c.max_speed == 0.07);
    assert_true(c.goal_reward == 1 && c.cap == 1000);
}

static void test_maps_of_one_s_own(void **state) {
    (void)state;
    domain d = found("key2"), car = found("mc");
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_set_map(&d, "S.\n.G\n", &error), &error);
    assert_int_equal(d.map.width, 2);
    assert_fails(domain_set_map(&car, "SG", &error), BESD_INVALID, &error,
                 "domain mc is not a grid world");
    assert_fails(domain_set_map(&d, "S.\n.?\n", &error), BESD_INVALID, &error,
                 "line 2, column 2: '?'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_names),
        cmocka_unit_test(test_levels_and_kinds),
        cmocka_unit_test(test_every_constant),
        cmocka_unit_test(test_defaults_are_in_range),
        cmocka_unit_test(test_names_in_any_case),
        cmocka_unit_test(test_unknown_domains),
        cmocka_unit_test(test_inverted_ranges_are_refused_at_opening),
        cmocka_unit_test(test_settings_reach_the_environment),
        cmocka_unit_test(test_the_mountain_of_a_domain),
        cmocka_unit_test(test_maps_of_one_s_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
