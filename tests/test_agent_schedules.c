#include "testing.h"

#include "learn/agent.h"

static learning made(const char *name, const char *setting) {
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_find(name, &d, &error), &error);
    if (setting)
        assert_ok(domain_set(&d, setting, &error), &error);
    return learning_of(&d, LEARNING_Q);
}

/* 0.11 * 100 / (100 + n^1.1), on both sides of the table's end. */
static void test_the_step_size(void **state) {
    (void)state;
    learning l = made("gw10", NULL);
    assert_true(learning_alpha(&l, 0) == 0.11);
    for (int64_t n = 0; n < 3 * LEARNING_STEP_SIZES; n++) {
        assert_close(learning_alpha(&l, n), 11 / (100 + exp(1.1 * log((double)n))), 1e-15);
        assert_true(n == 0 || learning_alpha(&l, n) < learning_alpha(&l, n - 1));
    }
    assert_close(learning_alpha(&l, 1000000000), 11 / (100 + 1e9 * pow(10, 0.9)), 1e-20);
}

static void test_a_constant_step_size(void **state) {
    (void)state;
    learning car = made("mc", NULL), grid = made("gw10", "alpha_decay=0");
    const int64_t goals[] = {0, 1, LEARNING_STEP_SIZES, 1000000};
    for (int i = 0; i < 4; i++) {
        assert_true(learning_alpha(&car, goals[i]) == 0.5 / 8);
        assert_true(learning_alpha(&grid, goals[i]) == 0.11);
    }
}

/* Linear, and exact at both ends: the first interaction is 0, the last total - 1. */
static void test_the_exploration_schedule(void **state) {
    (void)state;
    learning l = made("gw10", "epsilon_end=0.05");
    assert_true(learning_epsilon(&l, 0, 1001) == 0.2);
    assert_close(learning_epsilon(&l, 1000, 1001), 0.05, 1e-16);
    for (int64_t t = 0; t <= 1000; t++)
        assert_close(learning_epsilon(&l, t, 1001), 0.2 - 0.15 * (double)t / 1000, 1e-15);
    assert_true(learning_epsilon(&l, 0, 1) == 0.2);
}

static void test_constant_exploration(void **state) {
    (void)state;
    learning l = made("gw10", NULL);
    for (int64_t t = 0; t < 1000; t += 111)
        assert_true(learning_epsilon(&l, t, 1000) == 0.2);
}

static void test_the_names_of_methods(void **state) {
    (void)state;
    assert_string_equal(learning_method_name(LEARNING_Q), "q");
    assert_string_equal(learning_method_name(LEARNING_SARSA), "sarsa");
    assert_string_equal(learning_method_name(LEARNING_DOUBLE_Q), "double-q");
    assert_null(learning_method_name(3));
}

/* Every lever arrives. */
static void test_learning_of_a_domain(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    static const char *const settings[] = {
        "gamma=0.3",     "epsilon_start=0.4", "epsilon_end=0.1", "alpha=0.7", "alpha_decay=9",
        "alpha_power=2", "initial_value=5",   "initial_noise=6", "tilings=7", "tiles=11"};
    assert_ok(domain_find("mc", &d, &error), &error);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        assert_ok(domain_set(&d, settings[i], &error), &error);
    learning l = learning_of(&d, LEARNING_SARSA);
    assert_int_equal(l.method, LEARNING_SARSA);
    assert_true(l.gamma == 0.3 && l.epsilon_start == 0.4 && l.epsilon_end == 0.1);
    assert_true(l.alpha == 0.7 && l.alpha_decay == 9 && l.alpha_power == 2);
    assert_true(l.initial_value == 5 && l.initial_noise == 6);
    assert_true(l.tilings == 7 && l.tiles == 11);
    assert_close(learning_alpha(&l, 3), 0.7 * 9 / (9 + 9), 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_step_size),
        cmocka_unit_test(test_a_constant_step_size),
        cmocka_unit_test(test_the_exploration_schedule),
        cmocka_unit_test(test_constant_exploration),
        cmocka_unit_test(test_the_names_of_methods),
        cmocka_unit_test(test_learning_of_a_domain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
