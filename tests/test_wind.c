#include "testing.h"

#include "world/wind.h"

enum { COUNT = 400000 };

/* Action 2 of `actions` under wind p: it happens with 1 - p + p/n, each other one with p/n. */
static void check_shares(uint64_t seed, double p, int actions) {
    uint64_t counts[8] = {0};
    double probabilities[8];
    wind w = wind_start(seed, p);
    for (int i = 0; i < COUNT; i++) {
        int action = wind_blow(&w, 2, actions);
        assert_in_range(action, 0, actions - 1);
        counts[action]++;
    }
    for (int a = 0; a < actions; a++)
        probabilities[a] = p / actions + (a == 2 ? 1 - p : 0);
    assert_distributed(counts, probabilities, (size_t)actions, "actions under wind");
}

static void test_the_share_of_every_action(void **state) {
    (void)state;
    check_shares(1, 0.01, 4);
    check_shares(2, 0.2, 4);
    check_shares(3, 0.9, 4);
    check_shares(4, 0.5, 7);
    check_shares(5, 1, 4);
    check_shares(6, 1, 3);
}

static void test_calm(void **state) {
    (void)state;
    wind w = wind_start(7, 0);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(wind_blow(&w, i % 4, 4), i % 4);
}

/* As coins would: whether one step is moved says nothing of the next. With 100 actions a gust
 * shows itself by its action, but for one in a hundred. */
static void test_gusts_are_independent(void **state) {
    (void)state;
    const double p = 0.3, q = p * 0.99;
    const double probabilities[4] = {(1 - q) * (1 - q), q * (1 - q), q * (1 - q), q * q};
    uint64_t pairs[4] = {0}, before_first[6] = {0};
    wind w = wind_start(8, p);
    for (int i = 0; i < COUNT; i++) {
        int first = wind_blow(&w, 0, 100) != 0, second = wind_blow(&w, 0, 100) != 0;
        pairs[2 * first + second]++;
    }
    assert_distributed(pairs, probabilities, 4, "pairs of steps");
    double first_gust[6];
    for (uint64_t seed = 0; seed < COUNT / 8; seed++) {
        uint64_t steps = 0;
        for (w = wind_start(seed, p); steps < 5 && wind_blow(&w, 0, 100) == 0;)
            steps++;
        before_first[steps]++;
    }
    for (int i = 0; i < 6; i++)
        first_gust[i] = pow(1 - q, i) * (i < 5 ? q : 1);
    assert_distributed(before_first, first_gust, 6, "steps before the first gust");
}

static void test_determinism_per_seed(void **state) {
    (void)state;
    wind one = wind_start(9, 0.5), same = wind_start(9, 0.5), other = wind_start(10, 0.5);
    int differences = 0;
    for (int i = 0; i < 1000; i++) {
        int action = wind_blow(&one, 0, 4);
        assert_int_equal(wind_blow(&same, 0, 4), action);
        differences += wind_blow(&other, 0, 4) != action;
    }
    assert_true(differences > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_share_of_every_action),
        cmocka_unit_test(test_calm),
        cmocka_unit_test(test_gusts_are_independent),
        cmocka_unit_test(test_determinism_per_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
