/* The fill distance against exact cases and fine grids; the Lipschitz constants against difference
 * quotients of the kernel. */
#include "testing.h"

#include "core/rng.h"
#include "decide/certificate.h"
#include "decide/latin.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 6 };

/* Bounds that are in order, as tight as asked, and hold the true value. */
static void assert_fill(const double *points, size_t n, size_t m, const double *low,
                        const double *high, double tolerance, double expected) {
    besd_error error;
    double lower, upper;
    assert_ok(fill_distance(points, n, m, low, high, tolerance, &lower, &upper, &error), &error);
    if (!(lower <= expected * (1 + 1e-13) && expected <= upper * (1 + 1e-13)))
        fail_msg("expected %.17g between %.17g and %.17g", expected, lower, upper);
    assert_true(upper <= lower * (1 + tolerance) * (1 + 1e-13));
}

static const double zeros[MOST] = {0}, ones[MOST] = {1, 1, 1, 1, 1, 1};

static void test_one_point(void **state) {
    (void)state;
    const double low[] = {-1, 2, 0, -3, 0, 10}, high[] = {1, 5, 0.5, 3, 8, 11};
    double centre[MOST], squares = 0, whole = 0;
    for (size_t m = 1; m <= MOST; m++) {
        double edge = high[m - 1] - low[m - 1];
        centre[m - 1] = low[m - 1] + edge / 2;
        squares += edge * edge / 4;
        whole += edge * edge;
        assert_fill(centre, 1, m, low, high, 1e-6, sqrt(squares)); /* to a corner */
        assert_fill(low, 1, m, low, high, 1e-6, sqrt(whole));      /* to the opposite one */
    }
    const double outside[] = {4, 5};
    assert_fill(outside, 1, 2, zeros, ones, 1e-6, sqrt(41));
}

/* The corners of a box are farthest from its centre. */
static void test_corners(void **state) {
    (void)state;
    const double low[] = {0, 0, 0, 0}, high[] = {1, 2, 3, 0.5};
    double corners[16 * 4], squares = 0;
    for (size_t k = 0; k < 16; k++)
        for (size_t i = 0; i < 4; i++)
            corners[4 * k + i] = k >> i & 1 ? high[i] : low[i];
    for (size_t i = 0; i < 4; i++)
        squares += high[i] * high[i] / 4;
    assert_fill(corners, 16, 4, low, high, 1e-4, sqrt(squares));
}

/* The centres of k^m equal cells: half the diagonal of a cell, at every corner of every cell. */
static size_t cell_centres(size_t k, size_t m, const double *high, double *points) {
    size_t n = 1;
    for (size_t i = 0; i < m; i++)
        n *= k;
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0, rest = p; i < m; i++, rest /= k)
            points[p * m + i] = high[i] * ((double)(rest % k) + 0.5) / (double)k;
    return n;
}

static void test_regular_grids(void **state) {
    (void)state;
    const double high[] = {1, 3, 0.7, 2};
    double points[81 * 4 + 125 * 3];
    for (size_t m = 1; m <= 4; m++)
        for (size_t k = 1; k <= (m < 4 ? 5 : 3); k++) {
            size_t n = cell_centres(k, m, high, points);
            double squares = 0;
            for (size_t i = 0; i < m; i++)
                squares += pow(high[i] / (double)(2 * k), 2);
            assert_fill(points, n, m, zeros, high, 1e-3, sqrt(squares));
        }
}

static int by_size(const void *l, const void *r) {
    double x = *(const double *)l, y = *(const double *)r;
    return (x > y) - (x < y);
}

/* On a line: half the largest gap, or the distance of an end. */
static void test_line(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 50; trial++) {
        double points[200];
        size_t n = 1 + (size_t)rng_below(&stream, 200);
        for (size_t k = 0; k < n; k++)
            points[k] = rng_uniform(&stream);
        qsort(points, n, sizeof *points, by_size);
        double expected = fmax(points[0], 1 - points[n - 1]);
        for (size_t k = 1; k < n; k++)
            expected = fmax(expected, (points[k] - points[k - 1]) / 2);
        assert_fill(points, n, 1, zeros, ones, 1e-5, expected);
    }
}

static double distance_to_set(const double *place, const double *points, size_t n, size_t m) {
    double nearest = INFINITY;
    for (size_t k = 0; k < n; k++) {
        double squares = 0;
        for (size_t i = 0; i < m; i++)
            squares += pow(place[i] - points[k * m + i], 2);
        nearest = fmin(nearest, squares);
    }
    return sqrt(nearest);
}

/* No place is farther from the nearest grid node than half the diagonal of a grid cell, and the
 * distance to the set changes by no more than that on the way. */
static void test_fine_grids(void **state) {
    (void)state;
    const size_t nodes[] = {0, 20001, TEST_SIZE(301, 101), TEST_SIZE(61, 31)};
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (size_t m = 1; m <= 3; m++)
        for (int trial = 0; trial < 3; trial++) {
            double points[60 * 3], place[3], farthest = 0, step = 1 / (double)(nodes[m] - 1);
            size_t n = 60, total = 1;
            for (size_t k = 0; k < n * m; k++)
                points[k] = rng_uniform(&stream);
            for (size_t i = 0; i < m; i++)
                total *= nodes[m];
            for (size_t node = 0; node < total; node++) {
                for (size_t i = 0, rest = node; i < m; i++, rest /= nodes[m])
                    place[i] = step * (double)(rest % nodes[m]);
                farthest = fmax(farthest, distance_to_set(place, points, n, m));
            }
            besd_error error;
            double lower, upper, slack = step * sqrt((double)m) / 2;
            assert_ok(fill_distance(points, n, m, zeros, ones, 1e-4, &lower, &upper, &error),
                      &error);
            assert_true(farthest <= upper);
            assert_true(lower <= farthest + slack);
            assert_true(upper <= lower * (1 + 1.001e-4));
        }
}

/* Ranges known for Latin hypercubes of 3000 points. Single ones can be a little outside (of six for
 * m = 4, the smallest is 0.238 and the largest 0.275), their mean is inside. */
static void test_latin_hypercubes(void **state) {
    (void)state;
    const struct {
        size_t m;
        double least, most;
    } known[] = {{2, 0.035, 0.042}, {4, 0.24, 0.27}, {6, 0.50, 0.55}};
    const uint64_t seeds = TEST_SIZE(6, 1);
    double *points = malloc(3000 * 6 * sizeof *points);
    assert_non_null(points);
    for (size_t k = 0; k < 3; k++) {
        double sum = 0;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            besd_error error;
            double lower, upper;
            latin_hypercube(seed, RNG_TEST, 3000, known[k].m, points);
            assert_ok(
                fill_distance(points, 3000, known[k].m, zeros, ones, 1e-3, &lower, &upper, &error),
                &error);
            assert_true(upper <= lower * 1.00101);
            sum += lower;
        }
        assert_true(sum / (double)seeds >= known[k].least);
        assert_true(sum / (double)seeds <= known[k].most);
    }
    free(points);
}

/* Twice as large a world, twice the distance; shifted, the same. */
static void test_units_and_order(void **state) {
    (void)state;
    double points[50 * 3], moved[50 * 3], low[3], high[3], lower, upper, again, scaled;
    latin_hypercube(9, RNG_TEST, 50, 3, points);
    for (size_t i = 0; i < 3; i++) {
        low[i] = 4;
        high[i] = 6;
    }
    for (size_t k = 0; k < 50; k++) /* the order of the points is turned round */
        for (size_t i = 0; i < 3; i++)
            moved[3 * (49 - k) + i] = 4 + 2 * points[3 * k + i];
    besd_error error;
    assert_ok(fill_distance(points, 50, 3, zeros, ones, 1e-6, &lower, &upper, &error), &error);
    assert_ok(fill_distance(moved, 50, 3, low, high, 1e-6, &again, &scaled, &error), &error);
    assert_close(again, 2 * lower, 4e-6 * lower);
    assert_close(scaled, 2 * upper, 4e-6 * upper);
}

/* Three cells along each of seven axes, which bisection never meets: 4^7 corners of cells are
 * equally far, and the work runs out before the tolerance is met. The bounds must be true all the
 * same. */
static void test_stops_with_honest_bounds(void **state) {
    (void)state;
    const double high[] = {1, 1, 1, 1, 1, 1, 1};
    double *points = malloc(2187 * 7 * sizeof *points), lower, upper, expected = sqrt(7) / 6;
    assert_non_null(points);
    besd_error error;
    size_t n = cell_centres(3, 7, high, points);
    assert_int_equal(n, 2187);
    const double low[7] = {0};
    assert_ok(fill_distance(points, n, 7, low, high, 1e-6, &lower, &upper, &error), &error);
    assert_true(lower <= expected && expected <= upper);
    assert_true(upper > lower * (1 + 1e-6) && upper < 2 * lower);
    free(points);
}

static void test_flat_boxes(void **state) {
    (void)state;
    const double point[] = {0.25, 0.5}, high[] = {1, 0.5}, low[] = {0, 0.5};
    assert_fill(point, 1, 2, low, high, 1e-6, 0.75);
    besd_error error;
    double lower, upper;
    assert_ok(fill_distance(point, 1, 2, point, point, 1e-6, &lower, &upper, &error), &error);
    assert_true(lower == 0 && upper == 0);
}

static void test_bad_input_is_refused(void **state) {
    (void)state;
    besd_error error;
    double lower = -1, upper = -1, point[] = {0.5, 0.5}, wrong[] = {0.5, NAN};
    assert_fails(fill_distance(point, 0, 2, zeros, ones, 0.1, &lower, &upper, &error), BESD_INVALID,
                 &error, "got 0 in 2");
    assert_fails(fill_distance(point, 1, 0, zeros, ones, 0.1, &lower, &upper, &error), BESD_INVALID,
                 &error, "got 1 in 0");
    assert_fails(fill_distance(point, 1, 2, ones, zeros, 0.1, &lower, &upper, &error), BESD_INVALID,
                 &error, "low <= high within +-1e+140 along axis 0, got 1 and 0");
    assert_fails(fill_distance(wrong, 1, 2, zeros, ones, 0.1, &lower, &upper, &error), BESD_INVALID,
                 &error, "in point 0");
    assert_fails(fill_distance(point, 1, 2, zeros, wrong, 0.1, &lower, &upper, &error),
                 BESD_INVALID, &error, "axis 1");
    assert_fails(fill_distance(point, 1, 2, zeros, ones, 0, &lower, &upper, &error), BESD_INVALID,
                 &error, "positive tolerance, got 0");
    assert_true(lower == -1 && upper == -1);
}

/* The covariance of the derivatives along axis i, at the difference x of the two places. */
static double derivative_kernel(double amplitude, const double *l, size_t m, size_t i,
                                const double *x) {
    double squares = 0;
    for (size_t j = 0; j < m; j++)
        squares += x[j] * x[j] / (l[j] * l[j]);
    double s = sqrt(5 * squares), along = x[i] / l[i];
    return 5 * amplitude / (3 * l[i] * l[i]) * exp(-s) * (1 + s - 5 * along * along);
}

static double matern(double amplitude, const double *l, size_t m, const double *x) {
    double squares = 0;
    for (size_t j = 0; j < m; j++)
        squares += x[j] * x[j] / (l[j] * l[j]);
    double s = sqrt(5 * squares);
    return amplitude * (1 + s + s * s / 3) * exp(-s);
}

/* It is minus the second derivative of the kernel by the difference along axis i. */
static void test_derivative_kernel_is_the_derivative(void **state) {
    (void)state;
    const double l[] = {0.7, 1.3, 2}, step = 1e-3;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 200; trial++) {
        double x[3];
        for (size_t j = 0; j < 3; j++)
            x[j] = rng_normal(&stream);
        double at = matern(2, l, 3, x);
        x[0] += step;
        double above = matern(2, l, 3, x);
        x[0] -= 2 * step;
        double below = matern(2, l, 3, x);
        x[0] += step;
        double second = (above - 2 * at + below) / (step * step);
        assert_close(-second, derivative_kernel(2, l, 3, 0, x), 5e-4);
    }
}

static void test_constants_have_their_digits(void **state) {
    (void)state;
    const double one[] = {1}, short_other[] = {2, 0.125, 3};
    assert_close(derivative_lipschitz(1, one, 1, 0), 2.979595011595829, 1e-15);
    assert_close(derivative_lipschitz(1, short_other, 3, 0), 2 * 1.3710057299732998, 2e-15);
    assert_close(derivative_lipschitz(7, short_other, 3, 1), 7 * 512 * 2.979595011595829, 1e-11);
}

/* Difference quotients never exceed the constant, and come close to it. Places are drawn where the
 * kernel is steep, and half of them near an axis, where the steepest ones are. */
static double steepest_quotient(rng *stream, const double *l, size_t m, size_t i, int trials) {
    double steepest = 0;
    for (int trial = 0; trial < trials; trial++) {
        double x[MOST], y[MOST], squares = 0, reach = pow(10, rng_between(stream, -4, 0));
        size_t axis = (size_t)rng_below(stream, m);
        for (size_t j = 0; j < m; j++) {
            double spread = trial % 2 && j != axis ? 0.01 : 1;
            x[j] = l[j] * spread * rng_between(stream, -1.2, 1.2);
            double move = l[j] * spread * reach * rng_between(stream, -1, 1);
            y[j] = x[j] + move;
            squares += move * move;
        }
        double rise = derivative_kernel(1, l, m, i, x) - derivative_kernel(1, l, m, i, y);
        steepest = fmax(steepest, fabs(rise) / sqrt(squares));
    }
    return steepest;
}

static void test_quotients_stay_below_the_constant(void **state) {
    (void)state;
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 30; trial++) {
        size_t m = 1 + (size_t)rng_below(&stream, 4);
        double l[MOST];
        for (size_t j = 0; j < m; j++)
            l[j] = pow(10, rng_between(&stream, -0.5, 0.5));
        for (size_t i = 0; i < m; i++) {
            double constant = derivative_lipschitz(1, l, m, i);
            double steepest = steepest_quotient(&stream, l, m, i, TEST_SIZE(40000, 10000));
            assert_true(steepest <= constant * (1 + 1e-9));
            assert_true(steepest >= 0.9 * constant);
        }
    }
}

/* The slope itself, over radius and direction, for every ratio of the own length scale to the
 * other: nowhere in between is it steeper than along the two axes. */
static void test_steepest_on_an_axis(void **state) {
    (void)state;
    for (int k = -60; k <= 60; k++) {
        const double ratio = pow(1.05, k), l[] = {1, ratio};
        double constant = derivative_lipschitz(1, l, 2, 0), steepest = 0;
        for (int radius = 1; radius <= 400; radius++)
            for (int turn = 0; turn <= 80; turn++) {
                double s = 0.02 * radius, angle = 1.5707963267948966 * turn / 80;
                double w = s * cos(angle), v = s * sin(angle);
                double by_own = exp(-s) * (w / s) * (w * w - 3 * s);
                double by_other = exp(-s) * (v / s) * (w * w - s) / ratio;
                steepest = fmax(steepest, 5 * sqrt(5) / 3 * hypot(by_own, by_other));
            }
        assert_true(steepest <= constant * (1 + 1e-12));
        assert_true(steepest >= 0.999 * constant);
    }
}

/* Worked by hand for A = 2, l = (0.5, 2), D = 3, delta = 0.1:
 * k = (3.6514837167, 0.9128709292), Lip = (47.6735201855, 1.3710057300 = 2 C2 / (4 * 0.5)). */
static void test_lipschitz_bound_by_hand(void **state) {
    (void)state;
    const double l[] = {0.5, 2};
    double bound[2], norm, quantile = sqrt(2 * log(40)), entropy = 12 * sqrt(12);
    lipschitz_bound(2, l, 2, 3, 0.1, bound, &norm);
    assert_close(bound[0], 3.6514837167011074 * quantile + entropy * sqrt(3 * 47.67352018553326),
                 1e-10);
    assert_close(bound[1], 0.9128709291752769 * quantile + entropy * sqrt(3 * 1.3710057299732998),
                 1e-10);
    assert_close(norm, hypot(bound[0], bound[1]), 1e-10);
    /* In a small box the derivative's own size is the larger of the two. */
    lipschitz_bound(2, l, 2, 1e-6, 0.1, bound, &norm);
    assert_close(bound[0], 3.6514837167011074 * (quantile + entropy), 1e-10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_point),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_regular_grids),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_fine_grids),
        cmocka_unit_test(test_latin_hypercubes),
        cmocka_unit_test(test_units_and_order),
        cmocka_unit_test(test_stops_with_honest_bounds),
        cmocka_unit_test(test_flat_boxes),
        cmocka_unit_test(test_bad_input_is_refused),
        cmocka_unit_test(test_derivative_kernel_is_the_derivative),
        cmocka_unit_test(test_constants_have_their_digits),
        cmocka_unit_test(test_quotients_stay_below_the_constant),
        cmocka_unit_test(test_steepest_on_an_axis),
        cmocka_unit_test(test_lipschitz_bound_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
