#include "testing.h"

#include "contest/statistics.h"
#include "core/rng.h"

/* Of four values the middle two count; of five the outer quarters are 1.25 values wide. */
static void test_interquartile_means_by_hand(void **state) {
    (void)state;
    double four[] = {9, 1, 2, 4}, five[] = {5, 1, 100, 2, 3}, one[] = {7};
    assert_close(statistics_iqm(four, 4), 3, 1e-15);
    assert_close(statistics_iqm(five, 5), (0.75 * 2 + 3 + 0.75 * 5) / 2.5, 1e-15);
    assert_close(statistics_iqm(one, 1), 7, 0);
}

/* The same from a sample in which every value stands four times: exact quarters. */
static void test_interquartile_mean_against_fourfold_sample(void **state) {
    (void)state;
    for (size_t n = 1; n <= 23; n++) {
        double values[23], fourfold[92], sum = 0;
        rng r = rng_open(n, RNG_TEST, 0, 0, 0);
        for (size_t i = 0; i < n; i++)
            values[i] = rng_normal(&r);
        double iqm = statistics_iqm(values, n); /* sorted from here on */
        for (size_t i = 0; i < 4 * n; i++)
            fourfold[i] = values[i / 4];
        for (size_t i = n; i < 3 * n; i++)
            sum += fourfold[i];
        assert_close(iqm, sum / (double)(2 * n), 1e-14);
    }
}

/* The percentile points of the mean of two values, of which a bootstrap draws 1, 1.5 or 2 with
 * probabilities 1/4, 1/2, 1/4: both ends are the extremes. */
static void test_bootstrap_of_two_values(void **state) {
    (void)state;
    const double values[] = {1, 2};
    interval i = statistics_mean_interval(&(stratum){values, 2}, 1, 1);
    assert_close(i.value, 1.5, 0);
    assert_close(i.low, 1, 0);
    assert_close(i.high, 2, 0);
}

/* For 200 normal values the interval of the mean is about mean +- 1.96 s.e. The end points of 2000
 * resamples have a standard error of about 0.06 s.e. (density 0.058 at the 2.5 % point). */
static void test_bootstrap_of_a_mean_is_calibrated(void **state) {
    (void)state;
    double values[200], sum = 0, squares = 0;
    rng r = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int i = 0; i < 200; i++) {
        values[i] = rng_normal(&r);
        sum += values[i];
        squares += values[i] * values[i];
    }
    double mean = sum / 200, se = sqrt((squares / 200 - mean * mean) / 200);
    interval i = statistics_mean_interval(&(stratum){values, 200}, 1, 1);
    assert_close(i.low, mean - 1.96 * se, 0.3 * se);
    assert_close(i.high, mean + 1.96 * se, 0.3 * se);
}

static void test_difference_by_hand(void **state) {
    (void)state;
    const double a[] = {1, 1, 1}, b[] = {4, 4};
    interval i = statistics_difference((stratum){a, 3}, (stratum){b, 2}, 1);
    assert_true(i.value == -3 && i.low == -3 && i.high == -3);
}

/* All pairs, ties as halves, the mean over strata. */
static void test_improvement_against_brute_force(void **state) {
    (void)state;
    const double a[] = {1, 2, 3}, b[] = {2, 2, 5, 0}, c[] = {1}, d[] = {1};
    const stratum left[] = {{a, 3}, {c, 1}}, right[] = {{b, 4}, {d, 1}};
    double wins = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            wins += a[i] < b[j] ? 1 : a[i] == b[j] ? 0.5 : 0;
    interval i = statistics_improvement(left, right, 2, 1);
    assert_close(i.value, (wins / 12 + 0.5) / 2, 1e-15);
    assert_true(i.low <= i.value && i.value <= i.high && i.low >= 0 && i.high <= 1);
}

static void test_profile_by_hand(void **state) {
    (void)state;
    const double a[] = {0.1, 0.2, 0.3, 0.4}, b[] = {0.2};
    const stratum strata[] = {{a, 4}, {b, 1}};
    assert_close(statistics_profile(strata, 2, 0.2, 1).value, (0.5 + 1) / 2, 1e-15);
    assert_close(statistics_profile(strata, 2, 0.05, 1).value, 0, 0);
    assert_close(statistics_profile(strata, 2, 1, 1).value, 1, 0);
}

static void test_same_seed_same_interval_and_nothing_from_nothing(void **state) {
    (void)state;
    const double values[] = {3, 1, 4, 1, 5, 9, 2, 6};
    stratum s = {values, 8}, none = {NULL, 0};
    interval first = statistics_iqm_interval(&s, 1, 7), again = statistics_iqm_interval(&s, 1, 7);
    interval other = statistics_iqm_interval(&s, 1, 8);
    assert_memory_equal(&first, &again, sizeof first);
    assert_true(other.value == first.value);
    assert_true(isnan(statistics_iqm_interval(&none, 1, 1).value));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interquartile_means_by_hand),
        cmocka_unit_test(test_interquartile_mean_against_fourfold_sample),
        cmocka_unit_test(test_bootstrap_of_two_values),
        cmocka_unit_test(test_bootstrap_of_a_mean_is_calibrated),
        cmocka_unit_test(test_difference_by_hand),
        cmocka_unit_test(test_improvement_against_brute_force),
        cmocka_unit_test(test_profile_by_hand),
        cmocka_unit_test(test_same_seed_same_interval_and_nothing_from_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
