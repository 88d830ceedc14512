#include "testing.h"

#include "core/rng.h"
#include "learn/epsilon_greedy.h"
static void test_the_multiplier_is_the_least_common_multiple(void **state) {
    (void)state;
    for (int actions = 1; actions <= 20; actions++) {
        uint64_t multiple = choice_multiplier(actions);
        for (uint64_t n = 1; n <= (uint64_t)actions; n++)
            assert_true(multiple % n == 0);
        for (uint64_t part = 2; part <= 20; part++) { /* no smaller one does: try its divisors */
            bool divides_all = multiple % part == 0;
            for (uint64_t n = 1; divides_all && n <= (uint64_t)actions; n++)
                divides_all = multiple / part % n == 0;
            assert_false(divides_all);
        }
    }
    assert_int_equal(choice_multiplier(4), 12);
    assert_int_equal(choice_multiplier(20), 232792560);
    assert_true(choice_multiplier(21) == UINT64_C(1) << 32);
    assert_true(choice_multiplier(64) == UINT64_C(1) << 32);
}

static void test_the_threshold(void **state) {
    (void)state;
    assert_true(choice_threshold(0) == 0);
    assert_true(choice_threshold(0.25) == UINT64_C(1) << 62);
    assert_true(choice_threshold(0.5) == UINT64_C(1) << 63);
    assert_true(choice_threshold(1) == UINT64_MAX);
    assert_close(ldexp((double)choice_threshold(0.2), -64), 0.2, 1e-15);
}

/* Against a plain search, with many ties; both zeros are equal. */
static void test_the_best_actions(void **state) {
    (void)state;
    rng r = rng_open(1, RNG_TEST, 10, 0, 0);
    for (int n = 0; n < 20000; n++) {
        int actions = 1 + (int)rng_below(&r, 64);
        double values[64] = {0}, largest = -INFINITY;
        uint64_t expected = 0;
        for (int a = 0; a < actions; a++) {
            double magnitude = (double)rng_below(&r, 3);
            values[a] = rng_uniform(&r) < 0.5 ? -magnitude : magnitude;
            largest = fmax(largest, values[a]);
        }
        for (int a = 0; a < actions; a++)
            if (values[a] >= largest)
                expected |= UINT64_C(1) << a;
        assert_true(choice_largest(values, actions) == largest);
        assert_true(choice_best(values, actions) == expected);
    }
}

/* Without exploration: one draw of every remainder r hits each of c best actions 12 / c times,
 * exactly, for every set of best actions out of four. */
static void test_ties_of_four_without_any_bias(void **state) {
    (void)state;
    for (unsigned mask = 1; mask < 16; mask++) {
        int counts[4] = {0};
        for (uint64_t r = 0; r < 12; r++) {
            uint64_t u = UINT64_MAX / 12 * r + UINT64_MAX / 24;
            counts[choice_take(mask, 4, choice_multiplier(4), 0, u)]++;
        }
        for (int a = 0; a < 4; a++)
            assert_int_equal(counts[a], mask >> a & 1 ? 12 / __builtin_popcount(mask) : 0);
    }
}

/* Draws: the best actions share 1 - epsilon, all actions share epsilon. */
static void check_shares(uint64_t seed, uint64_t mask, int actions, double epsilon) {
    enum { COUNT = TEST_SIZE(100000, 20000) };
    uint64_t counts[64] = {0}, compact[64] = {0};
    double probabilities[64];
    uint64_t multiplier = choice_multiplier(actions), threshold = choice_threshold(epsilon);
    size_t classes = 0;
    rng r = rng_open(seed, RNG_TEST, 11, mask, 0);
    for (int i = 0; i < COUNT; i++) {
        int action = choice_take(mask, actions, multiplier, threshold, rng_next(&r));
        assert_in_range(action, 0, actions - 1);
        counts[action]++;
    }
    for (int a = 0; a < actions; a++) {
        bool best = mask >> a & 1;
        double p = epsilon / actions + (best ? (1 - epsilon) / __builtin_popcountll(mask) : 0);
        if (p == 0)
            assert_int_equal(counts[a], 0);
        if (p == 0)
            continue;
        compact[classes] = counts[a];
        probabilities[classes++] = p;
    }
    if (classes > 1)
        assert_distributed(compact, probabilities, classes, "choices");
}

static void test_ties_are_uniform(void **state) {
    (void)state;
    static const uint64_t of_seven[] = {0x7f, 0x55, 0x61, 0x03, 0x7e};
    static const uint64_t of_thirty[] = {0x3fffffff, 0x15555555, 0x20000401, 0x3ffffff8};
    for (uint64_t mask = 1; mask < 16; mask++)
        check_shares(1, mask, 4, 0);
    for (size_t i = 0; i < 5; i++)
        check_shares(2, of_seven[i], 7, 0);
    for (size_t i = 0; i < 4; i++)
        check_shares(3, of_thirty[i], 30, 0);
    check_shares(4, UINT64_MAX, 64, 0);
}

static void test_the_share_of_exploration(void **state) {
    (void)state;
    static const double epsilons[] = {0.01, 0.2, 0.5, 1};
    for (size_t i = 0; i < 4; i++) {
        for (uint64_t mask = 1; mask < 16; mask++)
            check_shares(5 + i, mask, 4, epsilons[i]);
        check_shares(5 + i, 0x4, 3, epsilons[i]);
        check_shares(5 + i, 0x21, 7, epsilons[i]);
        check_shares(5 + i, 0x20000001, 30, epsilons[i]);
        check_shares(5 + i, UINT64_C(1) << 63, 64, epsilons[i]);
    }
}

/* A single best action is taken whatever the number, when there is no exploration. */
static void test_a_single_best_action(void **state) {
    (void)state;
    static const uint64_t numbers[] = {0, 1, UINT64_MAX / 2, UINT64_MAX};
    for (int action = 0; action < 64; action++)
        for (int i = 0; i < 4; i++)
            assert_int_equal(
                choice_take(UINT64_C(1) << action, 64, choice_multiplier(64), 0, numbers[i]),
                action);
}

/* Each lane makes the numbers of its own stream, however many at a time. */
static void test_lanes_are_streams(void **state) {
    (void)state;
    static const int counts[] = {1, LOCKSTEP_BLOCK, 7, LOCKSTEP_BLOCK, 0, 2};
    lockstep_random r;
    rng streams[LOCKSTEP_LANES];
    for (int lane = 0; lane < LOCKSTEP_LANES; lane++) {
        streams[lane] = rng_open(1, RNG_TEST, 20, (uint64_t)lane, 0);
        lockstep_random_set(&r, lane, &streams[lane]);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        lockstep_random_fill(&r, counts[i]);
        for (int n = 0; n < counts[i]; n++)
            for (int lane = 0; lane < LOCKSTEP_LANES; lane++)
                assert_true(r.next[n][lane] == rng_next(&streams[lane]));
    }
}

/* A lane that is set anew begins anew; the others go on. */
static void test_setting_one_lane(void **state) {
    (void)state;
    lockstep_random r = {0};
    rng a = rng_open(1, RNG_TEST, 21, 0, 0), b = rng_open(1, RNG_TEST, 21, 1, 0), again = a;
    lockstep_random_set(&r, 0, &a);
    lockstep_random_set(&r, 1, &b);
    lockstep_random_fill(&r, 5);
    lockstep_random_set(&r, 0, &again);
    lockstep_random_fill(&r, 1);
    for (int i = 0; i < 5; i++)
        rng_next(&b);
    assert_true(r.next[0][0] == rng_next(&a));
    assert_true(r.next[0][1] == rng_next(&b));
}

/* Against epsilon_greedy.h, with many ties, both zeros and minus infinity, which stands for no
 * action. */
static void test_the_best_of_four(void **state) {
    (void)state;
    static const double palette[] = {-INFINITY, -1, -0.0, 0.0, 0.5, 1e300};
    for (int n = 0; n < 6 * 6 * 6 * 6; n++) {
        _Alignas(16) double values[4] = {palette[n % 6], palette[n / 6 % 6], palette[n / 36 % 6],
                                         palette[n / 216]};
        double largest;
        assert_int_equal(lockstep_best(values, &largest), choice_best(values, 4));
        assert_true(largest == choice_largest(values, 4));
    }
}

static void compare_takes(const lockstep_picks *p, unsigned mask, int actions, double epsilon,
                          uint64_t random) {
    uint64_t threshold = choice_threshold(epsilon);
    assert_int_equal(lockstep_take(p, mask, actions, threshold, random),
                     choice_take(mask, actions, choice_multiplier(actions), threshold, random));
}

static void test_taking_as_choice_does(void **state) {
    (void)state;
    static const double epsilons[] = {0, 0.2, 1};
    static const uint64_t edges[] = {0, 1, UINT64_MAX / 2, UINT64_MAX - 1, UINT64_MAX};
    lockstep_picks p;
    rng r = rng_open(1, RNG_TEST, 22, 0, 0);
    lockstep_picks_init(&p);
    for (int actions = 2; actions <= 4; actions++)
        for (unsigned mask = 1; mask < 1u << actions; mask++)
            for (int e = 0; e < 3; e++) {
                for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
                    compare_takes(&p, mask, actions, epsilons[e], edges[i]);
                for (int i = 0; i < 1000; i++)
                    compare_takes(&p, mask, actions, epsilons[e], rng_next(&r));
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_multiplier_is_the_least_common_multiple),
        cmocka_unit_test(test_the_threshold),
        cmocka_unit_test(test_the_best_actions),
        cmocka_unit_test(test_ties_of_four_without_any_bias),
        cmocka_unit_test(test_ties_are_uniform),
        cmocka_unit_test(test_the_share_of_exploration),
        cmocka_unit_test(test_a_single_best_action),
        cmocka_unit_test(test_lanes_are_streams),
        cmocka_unit_test(test_setting_one_lane),
        cmocka_unit_test(test_the_best_of_four),
        cmocka_unit_test(test_taking_as_choice_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
