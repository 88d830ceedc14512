#include "testing.h"

#include "core/rng.h"
#include "world/mountain_car.h"

static const besd_env_methods *const m = &mountain_car_methods;

static const mountain_car_config standard = {.start_low = -0.6,
                                             .start_high = -0.4,
                                             .goal = 0.5,
                                             .force = 0.001,
                                             .gravity = 0.0025,
                                             .max_speed = 0.07,
                                             .goal_reward = 1,
                                             .cap = 1000};

static besd_env *open_car(const mountain_car_config *config, uint64_t instance) {
    besd_error error = {BESD_OK, ""};
    besd_env *env = NULL;
    assert_ok(mountain_car_create(config, &env, &error), &error);
    assert_ok(m->instance(env, instance, &error), &error);
    m->seed(env, 1);
    return env;
}

/* The facts' formula with a in {-1, 0, 1}:
 * v' = clip(v + 0.001 a - 0.0025 cos 3x, +-0.07), x' = clip(x + v', -1.2, 0.6), and at the left
 * wall v' = max(v', 0). */
static void formula(double *x, double *v, int a) {
    *v += 0.001 * a - 0.0025 * cos(3 * *x);
    *v = fmin(fmax(*v, -0.07), 0.07);
    *x = fmin(fmax(*x + *v, -1.2), 0.6);
    if (*x == -1.2)
        *v = fmax(*v, 0);
}

/* A policy that sees both walls of the valley, then random pushes, step by step. The two sides
 * may round differently: a step is a handful of operations on numbers below 2. */
static void test_steps_against_the_formula(void **state) {
    (void)state;
    besd_env *env = open_car(&standard, 1);
    rng r = rng_open(1, RNG_TEST, 6, 0, 0);
    besd_env_outcome out;
    int walls = 0, goals = 0;
    for (int episode = 0; episode < 100; episode++) {
        m->reset(env, &out);
        assert_true(out.observation[1] == 0 && out.reward == 0);
        assert_false(out.terminated || out.truncated);
        for (int step = 1; !out.terminated && !out.truncated; step++) {
            double x = out.observation[0], v = out.observation[1];
            int a = rng_uniform(&r) < 0.9 ? (v < 0 ? -1 : 1) : (int)rng_below(&r, 3) - 1;
            formula(&x, &v, a);
            m->step(env, a + 1, &out);
            assert_close(out.observation[0], x, 1e-15);
            assert_close(out.observation[1], v, 1e-16);
            assert_int_equal(out.terminated, out.observation[0] >= 0.5);
            assert_true(out.reward == (out.terminated ? 1 : 0));
            assert_int_equal(out.truncated, !out.terminated && step == 1000);
            walls += out.observation[0] == -1.2;
            goals += out.terminated;
        }
    }
    assert_true(walls > 0 && goals > 0);
    m->destroy(env);
}

/* Against the left wall the car stops dead, and a push to the right takes it away again. */
static void test_the_left_wall(void **state) {
    (void)state;
    mountain_car_state hit = mountain_car_move(&standard, (mountain_car_state){-1.15, -0.07}, 0);
    assert_true(hit.x == -1.2 && hit.v == 0);
    mountain_car_state away = mountain_car_move(&standard, hit, 2);
    assert_close(away.v, 0.001 - 0.0025 * cos(-3.6), 1e-18);
    assert_close(away.x, -1.2 + away.v, 1e-15);
}

static void test_speed_is_clipped(void **state) {
    (void)state;
    mountain_car_state slope = {-1.0, 0.0695}, back = {-0.1, -0.0695};
    assert_true(mountain_car_move(&standard, slope, 2).v == 0.07);
    assert_true(mountain_car_move(&standard, back, 0).v == -0.07);
    mountain_car_config slow = standard;
    slow.max_speed = 0.01;
    assert_true(mountain_car_move(&slow, slope, 2).v == 0.01);
}

/* Past the goal there is room up to 0.6, where the position is clipped and the speed is not. */
static void test_the_right_end(void **state) {
    (void)state;
    mountain_car_state end = mountain_car_move(&standard, (mountain_car_state){0.58, 0.05}, 2);
    assert_true(end.x == 0.6 && end.v > 0.04);
}

static void test_the_levers_of_the_dynamics(void **state) {
    (void)state;
    mountain_car_config other = standard;
    other.force = 0.003;
    other.gravity = 0;
    assert_close(mountain_car_move(&other, (mountain_car_state){-0.5, 0.01}, 0).v, 0.007, 1e-17);
    assert_close(mountain_car_move(&other, (mountain_car_state){-0.5, 0.01}, 1).v, 0.01, 1e-17);
    assert_close(mountain_car_move(&other, (mountain_car_state){-0.5, 0.01}, 2).v, 0.013, 1e-17);
}

/* Goal, reward and cap are those of the configuration; the goal on the cap terminates. */
static void test_goal_and_cap(void **state) {
    (void)state;
    mountain_car_config config = standard;
    config.start_low = config.start_high = -0.5;
    config.goal = -0.4995;
    config.goal_reward = 3;
    config.cap = 1;
    besd_env *env = open_car(&config, 1);
    besd_env_outcome out;
    m->reset(env, &out);
    m->step(env, 2, &out); /* v = 0.001 - 0.0025 cos(-1.5) = 0.00082 */
    assert_true(out.terminated && !out.truncated && out.reward == 3);
    m->reset(env, &out);
    m->step(env, 1, &out);
    assert_true(!out.terminated && out.truncated && out.reward == 0);
    m->destroy(env);
}

static void test_truncation_at_exactly_the_cap(void **state) {
    (void)state;
    besd_env *env = open_car(&standard, 1);
    besd_env_outcome out;
    for (int episode = 0; episode < 2; episode++) {
        m->reset(env, &out);
        for (int step = 1; step <= 1000; step++) {
            m->step(env, 1, &out);
            assert_int_equal(out.truncated, step == 1000);
        }
    }
    m->destroy(env);
}

static void test_the_spec(void **state) {
    (void)state;
    besd_env *env = open_car(&standard, 1);
    besd_env_spec spec;
    m->spec(env, &spec);
    assert_int_equal(spec.actions, 3);
    assert_int_equal(spec.states, 0);
    assert_int_equal(spec.observation, 2);
    assert_int_equal(spec.position, 1);
    assert_int_equal(spec.reach, BESD_REACH_CROSS);
    assert_int_equal(spec.cap, 1000);
    assert_true(spec.low[0] == -1.2 && spec.high[0] == 0.6);
    assert_true(spec.low[1] == -0.07 && spec.high[1] == 0.07);
    assert_true(spec.subgoal_low[0] == -1.2 && spec.subgoal_high[0] == 0.5);
    assert_null(m->table);
    m->destroy(env);
}

/* Starts are uniform in [-0.6, -0.4], at rest, and the same in every episode of an instance. */
static void test_the_distribution_of_starts(void **state) {
    (void)state;
    enum { COUNT = 50000, BINS = 20 };
    uint64_t counts[BINS] = {0};
    besd_error error = {BESD_OK, ""};
    besd_env *env = open_car(&standard, 0);
    for (uint64_t i = 0; i < COUNT; i++) {
        besd_env_outcome out;
        assert_ok(m->instance(env, rng_seed(4, RNG_INSTANCE, i, 0, 0), &error), &error);
        double start = mountain_car_start(env);
        assert_true(start >= -0.6 && start < -0.4);
        m->reset(env, &out);
        assert_true(out.observation[0] == start && out.observation[1] == 0);
        counts[(int)((start + 0.6) / 0.2 * BINS)]++;
    }
    assert_uniform(counts, BINS, "starts");
    m->destroy(env);
}

static void test_fingerprint_and_determinism(void **state) {
    (void)state;
    besd_env *one = open_car(&standard, 5), *same = open_car(&standard, 5);
    besd_env *other = open_car(&standard, 6);
    assert_true(m->fingerprint(one) == m->fingerprint(same));
    assert_true(mountain_car_start(one) == mountain_car_start(same));
    assert_true(m->fingerprint(one) != m->fingerprint(other));
    besd_env_outcome a, b;
    m->reset(one, &a);
    m->reset(same, &b);
    m->reset(other, &b);
    m->reset(same, &b);
    for (int i = 0; i < 300; i++) {
        besd_env_outcome ignored;
        m->step(one, i / 40 % 3, &a);
        m->step(other, 2, &ignored);
        m->step(same, i / 40 % 3, &b);
        assert_memory_equal(a.observation, b.observation, 2 * sizeof(double));
    }
    m->destroy(one);
    m->destroy(same);
    m->destroy(other);
    m->destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_against_the_formula),
        cmocka_unit_test(test_the_left_wall),
        cmocka_unit_test(test_speed_is_clipped),
        cmocka_unit_test(test_the_right_end),
        cmocka_unit_test(test_the_levers_of_the_dynamics),
        cmocka_unit_test(test_goal_and_cap),
        cmocka_unit_test(test_truncation_at_exactly_the_cap),
        cmocka_unit_test(test_the_spec),
        cmocka_unit_test(test_the_distribution_of_starts),
        cmocka_unit_test(test_fingerprint_and_determinism),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
