#include "testing.h"

#include "learn/lockstep.h"

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

/* Against choice.h, with many ties, both zeros and minus infinity, which stands for no action. */
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
        cmocka_unit_test(test_lanes_are_streams),
        cmocka_unit_test(test_setting_one_lane),
        cmocka_unit_test(test_the_best_of_four),
        cmocka_unit_test(test_taking_as_choice_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
