#include "testing.h"

#include "core/rng.h"
#include "core/stats.h"

static void test_a_small_sample_by_hand(void **state) {
    (void)state;
    sample_summary s = stats_summarise((const double[]){1, 2, 3, 6}, 4);
    assert_int_equal(s.count, 4);
    assert_close(s.mean, 3, 1e-15);
    assert_close(s.variance, 14.0 / 3, 1e-15);
    assert_close(s.se, sqrt(14.0 / 12), 1e-15);
}

static void test_none_and_one(void **state) {
    (void)state;
    sample_summary none = stats_summarise(NULL, 0);
    sample_summary one = stats_summarise((const double[]){7}, 1);
    assert_true(none.count == 0 && none.mean == 0 && none.variance == 0 && none.se == 0);
    assert_true(one.count == 1 && one.mean == 7 && one.variance == 0 && one.se == 0);
}

/* Values that differ in their tenth digit; a one-pass sum of squares would have nothing left. */
static void test_nearly_equal_values(void **state) {
    (void)state;
    sample_summary s = stats_summarise((const double[]){1e9 + 1, 1e9 + 2, 1e9 + 3}, 3);
    assert_close(s.mean, 1e9 + 2, 0);
    assert_close(s.variance, 1, 1e-12);
}

/* Three groups by hand: means 2, 4, 9 around 5. */
static void test_groups_by_hand(void **state) {
    (void)state;
    const double values[] = {1, 3, 4, 4, 8, 10};
    sample_summary s = stats_summarise_groups(values, 3, 2);
    assert_int_equal(s.count, 3);
    assert_close(s.mean, 5, 1e-15);
    assert_close(s.variance, 13, 1e-14);
    assert_close(s.se, sqrt(13.0 / 3), 1e-15);
}

static void test_groups_of_one_are_values(void **state) {
    (void)state;
    const double values[] = {1, 3, 4, 4, 8, 10};
    sample_summary grouped = stats_summarise_groups(values, 6, 1);
    sample_summary plain = stats_summarise(values, 6);
    assert_memory_equal(&grouped, &plain, sizeof plain);
}

static void test_one_group_falls_back_to_its_values(void **state) {
    (void)state;
    const double values[] = {1, 3, 4, 4, 8, 10};
    sample_summary grouped = stats_summarise_groups(values, 1, 6);
    sample_summary plain = stats_summarise(values, 6);
    assert_memory_equal(&grouped, &plain, sizeof plain);
}

/* The reason for groups: with a shared part of variance 4 and an own part of variance 1, the mean
 * of 10 groups of 5 has variance (4 + 1/5) / 10. The squared standard error estimates it without
 * bias and has the relative variance 2/9; ignoring groups it would be a fifth of the truth. */
static void test_the_error_of_grouped_means_is_calibrated(void **state) {
    (void)state;
    enum { SAMPLES = 4000, GROUPS = 10, SIZE = 5 };
    const double truth = (4 + 1.0 / SIZE) / GROUPS;
    rng r = rng_open(1, RNG_TEST, 0, 0, 0);
    double estimate = 0, squares = 0;
    for (int n = 0; n < SAMPLES; n++) {
        double values[GROUPS * SIZE];
        for (int g = 0; g < GROUPS; g++) {
            double shared = 2 * rng_normal(&r);
            for (int i = 0; i < SIZE; i++)
                values[g * SIZE + i] = shared + rng_normal(&r);
        }
        sample_summary s = stats_summarise_groups(values, GROUPS, SIZE);
        estimate += s.se * s.se;
        squares += s.mean * s.mean;
    }
    assert_mean(estimate / SAMPLES, truth, truth * truth * 2 / 9, SAMPLES);
    assert_mean(squares / SAMPLES, truth, truth * truth * 2, SAMPLES);
}

static const char *printed(double mean, double se, int width) {
    static char text[80];
    return stats_print((sample_summary){.mean = mean, .se = se}, width, text, sizeof text);
}

static void test_a_mean_has_the_digits_of_its_error(void **state) {
    (void)state;
    assert_string_equal(printed(463.66, 6.50, 0), "463.7 +- 6.5");
    assert_string_equal(printed(463.66, 65.04, 0), "464 +- 65");
    assert_string_equal(printed(4638.2, 650.4, 0), "4638 +- 650");
    assert_string_equal(printed(20.3817, 0.0604, 9), "   20.382 +- 0.060");
    assert_string_equal(printed(-1.23456789, 0.000123, 0), "-1.23457 +- 0.00012");
    assert_string_equal(printed(99.96, 9.951, 0), "100 +- 10"); /* which is rounded up */
    assert_string_equal(printed(99.96, 9.949, 0), "100.0 +- 9.9");
    assert_string_equal(printed(20, 0, 4), "  20 +- 0");
    assert_string_equal(printed(0.0012345, 0, 0), "0.0012345 +- 0");
    assert_int_equal(stats_decimals(0), 12);
    assert_int_equal(stats_decimals(1e300), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_small_sample_by_hand),
        cmocka_unit_test(test_none_and_one),
        cmocka_unit_test(test_nearly_equal_values),
        cmocka_unit_test(test_groups_by_hand),
        cmocka_unit_test(test_groups_of_one_are_values),
        cmocka_unit_test(test_one_group_falls_back_to_its_values),
        cmocka_unit_test(test_the_error_of_grouped_means_is_calibrated),
        cmocka_unit_test(test_a_mean_has_the_digits_of_its_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
