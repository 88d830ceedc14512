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

/* The normal distribution against 60-digit values and its own derivatives. */

typedef struct reference {
    double u, log_improvement;
} reference;

/* mpmath, 60 digits plus those that cancel; the asymptotic series below -1000. */
static const reference references[] = {
    {1e9, 20.723265836946411156},
    {1e4, 9.2103403719761827361},
    {40, 3.6888794541139363029},
    {10, 2.302585092994045684},
    {5, 1.6094379231264313851},
    {2.5, 0.91709206559216451701},
    {1, 0.080026218849306940029},
    {0.9, 0.0004310441737820508654},
    {0.8994, -0.000058380638271110048729},
    {0.5, -0.35982768374506381859},
    {0.1, -0.79643133955074712734},
    {0, -0.91893853320467274178},
    {-0.1, -1.0471533140728460042},
    {-0.5, -1.6205162643873199193},
    {-0.75, -2.031284584632082045},
    {-0.999, -2.4832171154475854412},
    {-1, -2.4851210257126413368},
    {-1.001, -2.4870256579553892129},
    {-1.5, -3.5299359208057098515},
    {-2, -4.7687835239171141569},
    {-2.5, -6.2125416454435128635},
    {-3, -7.8696860596030285171},
    {-3.5, -9.7468100377653867369},
    {-3.999, -11.844629552292603786},
    {-4, -11.849061577550663111},
    {-4.001, -11.853494519785877781},
    {-4.5, -14.180488381868340313},
    {-5, -16.744301162660990143},
    {-6, -22.578879392169797367},
    {-8, -37.122364261692633},
    {-10, -55.553122036122355927},
    {-15, -118.84817068411358416},
    {-20, -206.91783850942509785},
    {-26, -345.43954672231803297},
    {-30, -457.72465376059800405},
    {-37, -692.64296016327040574},
    {-38, -730.19618340211373916},
    {-40, -808.29856835661996024},
    {-45, -1021.0337424419136116},
    {-60, -1809.1084601822721794},
    {-100, -5010.1295788002497923},
    {-1000, -500014.73445209115845},
    {-1e4, -50000019.339619307157},
    {-1e5, -5000000023.9447894634},
    {-1e6, -500000000028.54995965},
    {-1e7, -50000000000033.15513},
    {-0.99e8, -4900500000000037.7402},
    {-1e8, -5000000000000037.7603},
    {-1.01e8, -5100500000000037.7802},
    {-1e9, -500000000000000042.37},
};

enum { REFERENCES = sizeof references / sizeof *references };

static void test_log_improvement_matches_many_digits(void **state) {
    (void)state;
    for (size_t i = 0; i < REFERENCES; i++) {
        reference r = references[i];
        double size = fabs(r.log_improvement);
        assert_close(normal_log_improvement(r.u), r.log_improvement,
                     size < 0.1 ? 1e-15 : 1e-14 * size);
    }
}

static void test_density_and_distribution(void **state) {
    (void)state;
    assert_close(normal_pdf(0), 0.3989422804014326779, 1e-16);
    assert_close(normal_pdf(-1), 0.2419707245191433498, 1e-16);
    assert_close(normal_pdf(3), 0.004431848411938007176, 1e-17);
    assert_close(normal_cdf(1), 0.8413447460685429486, 2e-16);
    assert_close(normal_cdf(-3), 0.001349898031630094527, 3e-18);
    assert_close(normal_cdf(-10), 7.619853024160526066e-24, 2e-37);
    for (int step = -20; step <= 20; step++) {
        double x = 0.4 * step;
        assert_close(normal_cdf(x) + normal_cdf(-x), 1, 3e-16);
        assert_close(exp(normal_log_pdf(x)), normal_pdf(x), 1e-14 * normal_pdf(x));
    }
}

/* Where one formula gives way to the other the values may not jump, and they must rise everywhere.
 */
static void test_no_jump_where_formulas_meet(void **state) {
    (void)state;
    double above = nextafter(-4, 0), size = fabs(normal_log_improvement(-4));
    assert_close(normal_log_improvement(above), normal_log_improvement(-4), 1e-14 * size);
    for (int step = -50 * 1024; step < 10 * 1024; step++) {
        double u = 0x1p-10 * step;
        assert_true(normal_log_improvement(u + 0x1p-10) > normal_log_improvement(u));
    }
}

/* h' = Phi, so (log h)' = Phi / h; the central difference is off by its third derivative, below 1,
 * times step^2 / 6, and by the rounding of log h over the step. Below -37 Phi underflows. */
static void test_derivative_is_the_distribution(void **state) {
    (void)state;
    const double step = 0x1p-12;
    for (int k = -3700; k < 800; k++) {
        double u = 0.01 * k;
        double slope =
            (normal_log_improvement(u + step) - normal_log_improvement(u - step)) / (2 * step);
        double expected = exp(log(normal_cdf(u)) - normal_log_improvement(u));
        double rounding = 5e-15 * (1 + fabs(normal_log_improvement(u))) / step;
        assert_close(slope, expected, step * step + rounding);
    }
}

static void test_ends_of_the_line(void **state) {
    (void)state;
    assert_true(normal_log_improvement(-INFINITY) == -INFINITY);
    assert_true(normal_log_improvement(INFINITY) == INFINITY);
    assert_true(normal_log_improvement(-1e200) == -INFINITY);
    assert_true(isfinite(normal_log_improvement(-1e150)));
    assert_true(isnan(normal_log_improvement(NAN)));
    assert_true(normal_cdf(-INFINITY) == 0 && normal_cdf(INFINITY) == 1);
}

static void test_log_add(void **state) {
    (void)state;
    assert_close(log_add(log(2), log(3)), log(5), 1e-15);
    assert_close(log_add(log(3), log(2)), log(5), 1e-15);
    assert_close(log_add(-2000, -2000), -2000 + log(2), 1e-12);
    assert_close(log_add(1000, 0), 1000, 0);
    assert_close(log_add(0, -40), exp(-40), 1e-30);
    assert_true(log_add(-INFINITY, -3) == -3);
    assert_true(log_add(-3, -INFINITY) == -3);
    assert_true(log_add(-INFINITY, -INFINITY) == -INFINITY);
    assert_true(log_add(INFINITY, 1) == INFINITY);
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
        cmocka_unit_test(test_log_improvement_matches_many_digits),
        cmocka_unit_test(test_density_and_distribution),
        cmocka_unit_test(test_no_jump_where_formulas_meet),
        cmocka_unit_test(test_derivative_is_the_distribution),
        cmocka_unit_test(test_ends_of_the_line),
        cmocka_unit_test(test_log_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
