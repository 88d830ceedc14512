/* The normal distribution against 60-digit values and its own derivatives. */
#include "testing.h"

#include "core/normal.h"

typedef struct reference {
    double u, log_improvement, log_cdf;
} reference;

/* mpmath, 60 digits plus those that cancel; the asymptotic series below -1000. */
static const reference references[] = {
    {1e9, 20.723265836946411156, 0},
    {1e4, 9.2103403719761827361, 0},
    {40, 3.6888794541139363029, 0},
    {10, 2.302585092994045684, -7.619853024160526066e-24},
    {5, 1.6094379231264313851, -2.8665161296376359338e-7},
    {2.5, 0.91709206559216451701, -0.006229025485860002381},
    {1, 0.080026218849306940029, -0.17275377902344988953},
    {0.9, 0.0004310441737820508654, -0.20341460975574689694},
    {0.8994, -0.000058380638271110048729, -0.20361034707470951129},
    {0.5, -0.35982768374506381859, -0.36894641528865639307},
    {0.1, -0.79643133955074712734, -0.61650501011502628874},
    {0, -0.91893853320467274178, -0.69314718055994530942},
    {-0.1, -1.0471533140728460042, -0.77615459273027332557},
    {-0.5, -1.6205162643873199193, -1.1759117615936186089},
    {-0.75, -2.031284584632082045, -1.484448229919656292},
    {-0.999, -2.4832171154475854412, -1.8394969101647779061},
    {-1, -2.4851210257126413368, -1.8410216450092635058},
    {-1.001, -2.4870256579553892129, -1.8425471807560767678},
    {-1.5, -3.5299359208057098515, -2.705944400823889807},
    {-2, -4.7687835239171141569, -3.7831843336820319488},
    {-2.5, -6.2125416454435128635, -5.0816482772786904984},
    {-3, -7.8696860596030285171, -6.6077262215103495433},
    {-3.5, -9.7468100377653867369, -8.366065308344092935},
    {-3.999, -11.844629552292603786, -10.355876356043406171},
    {-4, -11.849061577550663111, -10.360101486527290828},
    {-4.001, -11.853494519785877781, -10.364327570338338172},
    {-4.5, -14.180488381868340313, -12.592419735713078666},
    {-5, -16.744301162660990143, -15.064998393988725736},
    {-6, -22.578879392169797367, -20.736768949974705655},
    {-8, -37.122364261692633, -35.013437159914549896},
    {-10, -55.553122036122355927, -53.231285150512470578},
    {-15, -118.84817068411358416, -116.13138484571169524},
    {-20, -206.91783850942509785, -203.91715537109726394},
    {-26, -345.43954672231803297, -342.17850892992783169},
    {-30, -457.72465376059800405, -454.32124395634319711},
    {-37, -692.64296016327040574, -689.0305855768905936},
    {-38, -730.19618340211373916, -726.5572160188201301},
    {-40, -808.29856835661996024, -804.60844201375378817},
    {-45, -1021.0337424419136116, -1017.2260942419523707},
    {-60, -1809.1084601822721794, -1805.0135606805671387},
    {-100, -5010.1295788002497923, -5005.5242086942050886},
    {-1000, -500014.73445209115845, -500007.82669481218431},
    {-1e4, -50000019.339619307157, -50000010.129278915181},
    {-1e5, -5000000023.9447894634, -5000000012.4318639983},
    {-1e6, -500000000028.54995965, -500000000014.73444909},
    {-1e7, -50000000000033.15513, -50000000000017.037034},
    {-0.99e8, -4900500000000037.7402, -4900500000000019.3296},
    {-1e8, -5000000000000037.7603, -5000000000000019.3396},
    {-1.01e8, -5100500000000037.7802, -5100500000000019.3496},
    {-1e9, -500000000000000042.37, -500000000000000021.64},
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

static void test_log_cdf_matches_many_digits(void **state) {
    (void)state;
    for (size_t i = 0; i < REFERENCES; i++) {
        reference r = references[i];
        assert_close(normal_log_cdf(r.u), r.log_cdf, 1e-13 * fabs(r.log_cdf));
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
    assert_close(normal_log_cdf(above), normal_log_cdf(-4), 1e-14 * size);
    for (int step = -50 * 1024; step < 10 * 1024; step++) {
        double u = 0x1p-10 * step;
        assert_true(normal_log_improvement(u + 0x1p-10) > normal_log_improvement(u));
        assert_true(normal_log_cdf(u + 0x1p-10) >= normal_log_cdf(u));
    }
}

/* h' = Phi, so (log h)' = Phi / h; the central difference is off by its third derivative, below 1,
 * times step^2 / 6, and by the rounding of log h over the step. */
static void test_derivative_is_the_distribution(void **state) {
    (void)state;
    const double step = 0x1p-12;
    for (int k = -4000; k < 800; k++) {
        double u = 0.01 * k;
        double slope =
            (normal_log_improvement(u + step) - normal_log_improvement(u - step)) / (2 * step);
        double expected = exp(normal_log_cdf(u) - normal_log_improvement(u));
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
    assert_true(isnan(normal_log_cdf(NAN)));
    assert_true(normal_log_cdf(-INFINITY) == -INFINITY);
    assert_true(normal_log_cdf(INFINITY) == 0);
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
        cmocka_unit_test(test_log_improvement_matches_many_digits),
        cmocka_unit_test(test_log_cdf_matches_many_digits),
        cmocka_unit_test(test_density_and_distribution),
        cmocka_unit_test(test_no_jump_where_formulas_meet),
        cmocka_unit_test(test_derivative_is_the_distribution),
        cmocka_unit_test(test_ends_of_the_line),
        cmocka_unit_test(test_log_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
