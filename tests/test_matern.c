/* The Matérn-5/2 correlation against its formula, its derivatives against differences, and its
 * matrices against Cholesky. */
#include "testing.h"

#include "core/rng.h"
#include "model/matern.h"

#include <stdlib.h>

static const double root5 = 2.2360679774997896964;

/* The textbook's m and g with dm/dx = -g (x - y), from the same rounded sqrt(5) r: its rounding
 * alone moves e^-s by s units in the last place, whoever computes it. */
static double correlation_of(double r) {
    long double s = root5 * r;
    return (double)((1 + s + s * s / 3) * expl(-s));
}

static double slope_of(double r) {
    long double s = root5 * r;
    return (double)(5.0L / 3 * (1 + s) * expl(-s));
}

/* Every operation of row and scalar is good to half a unit, 1.1e-16, the exponential of the row to
 * 3e-16: five of them cannot add up to 1e-15. */
static void assert_matches_formula(double r) {
    double origin = 0, correlation, slope, expected = correlation_of(r), steep = slope_of(r);
    matern_row(&origin, &r, 1, 1, &correlation, &slope);
    assert_close(correlation, expected, 1e-15 * expected);
    assert_close(slope, steep, 1e-15 * steep);
    assert_close(matern_correlation(r * r), expected, 1e-15 * expected);
    assert_close(matern_slope(r * r), steep, 1e-15 * steep);
}

/* A sweep that ends where the row stops counting, at s = 700. Squares of r are exact, because r has
 * 24 bits. */
static void test_formula_from_zero_to_far(void **state) {
    (void)state;
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    assert_matches_formula(0);
    for (int trial = 0; trial < 50000; trial++) {
        assert_matches_formula((float)pow(10, rng_between(&stream, -12, 2.495)));
        assert_matches_formula((float)rng_between(&stream, 0, 313));
    }
}

/* At the same place the correlation is one to the last bit: variances and differences of equal
 * points rely on it. */
static void test_same_place(void **state) {
    (void)state;
    double x[3] = {0.3, 1e9, -7}, correlation, slope;
    matern_row(x, x, 1, 3, &correlation, &slope);
    assert_true(correlation == 1 && matern_correlation(0) == 1);
    assert_true(slope == 5.0 / 3 && matern_slope(0) == 5.0 / 3);
}

/* Beyond e^-700 the result is nothing, not garbage of a shifted exponent. The longest distance a
 * model can ask for is sqrt(64) / 0.01 = 800 in 64 dimensions. */
static void test_underflow_is_quiet(void **state) {
    (void)state;
    const double far[] = {313.1, 320, 333, 340, 400, 800, 1e4};
    double origin = 0, correlation, slope;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        matern_row(&origin, &far[i], 1, 1, &correlation, &slope);
        assert_true(correlation >= 0 && correlation < 1e-290);
        assert_true(slope >= 0 && slope < 1e-290);
        double scalar = matern_correlation(far[i] * far[i]);
        assert_true(scalar >= 0 && scalar < 1e-290);
    }
}

static void draw_points(rng *stream, double *points, size_t numbers, double width) {
    for (size_t i = 0; i < numbers; i++)
        points[i] = width * rng_uniform(stream);
}

/* The row works in chunks of 64: sizes on both sides of their borders, each entry against the
 * scalar functions, and nothing written beyond the end. The distances are the same to the bit. */
static void test_row_matches_scalars(void **state) {
    (void)state;
    enum { MOST = 200 };
    static double points[MOST * 20];
    const size_t sizes[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, MOST - 1};
    const size_t dimensions[] = {1, 2, 3, 8, 20};
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
        for (size_t b = 0; b < sizeof dimensions / sizeof *dimensions; b++) {
            size_t n = sizes[a], d = dimensions[b];
            double x[20], correlation[MOST], slope[MOST], alone[MOST];
            draw_points(&stream, points, n * d, 3);
            draw_points(&stream, x, d, 3);
            correlation[n] = slope[n] = alone[n] = -5;
            matern_row(x, points, n, d, correlation, slope);
            matern_row(x, points, n, d, alone, NULL);
            assert_true(correlation[n] == -5 && slope[n] == -5 && alone[n] == -5);
            assert_memory_equal(correlation, alone, n * sizeof *alone);
            for (size_t j = 0; j < n; j++) {
                double squares = matern_squared_distance(x, points + j * d, d), by_hand = 0;
                for (size_t i = 0; i < d; i++)
                    by_hand += pow(x[i] - points[j * d + i], 2);
                assert_close(squares, by_hand, 1e-14 * by_hand);
                double m = matern_correlation(squares), g = matern_slope(squares);
                assert_close(correlation[j], m, 1.5e-15 * m);
                assert_close(slope[j], g, 1.5e-15 * g);
            }
        }
}

static long double textbook(const double *x, const double *y, size_t d, size_t moved,
                            long double step, long double stretch) {
    long double squares = 0;
    for (size_t i = 0; i < d; i++) {
        long double difference = (long double)x[i] - (long double)y[i];
        if (i == moved)
            difference = (difference + step) * stretch;
        squares += difference * difference;
    }
    long double s = sqrtl(5 * squares);
    return (1 + s + s * s / 3) * expl(-s);
}

/* Central differences in long double: the step squared is 1e-12, rounding 1e-19 / 1e-6. */
static void test_slope_matches_differences(void **state) {
    (void)state;
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    const long double step = 1e-6L;
    for (int trial = 0; trial < 2000; trial++) {
        size_t d = 1 + (size_t)rng_below(&stream, 6), i = (size_t)rng_below(&stream, d);
        double x[6], y[6], width = pow(10, rng_between(&stream, -2, 1));
        draw_points(&stream, x, d, width);
        draw_points(&stream, y, d, width);
        double g = matern_slope(matern_squared_distance(x, y, d)), apart = x[i] - y[i];
        long double by_place =
            (textbook(x, y, d, i, step, 1) - textbook(x, y, d, i, -step, 1)) / (2 * step);
        assert_close(-g * apart, (double)by_place, 1e-10);
        /* A longer length scale shrinks the difference: d/d(log l). */
        long double by_scale =
            (textbook(x, y, d, i, 0, expl(-step)) - textbook(x, y, d, i, 0, expl(step))) /
            (2 * step);
        assert_close(g * apart * apart, (double)by_scale, 1e-10 * fmax(1, apart * apart));
    }
}

/* Lower Cholesky factor in place; false when a pivot is not positive. */
static bool cholesky(double *k, size_t n) {
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            double sum = k[i * n + j];
            for (size_t l = 0; l < j; l++)
                sum -= k[i * n + l] * k[j * n + l];
            if (i == j && !(sum > 0))
                return false;
            k[i * n + j] = i == j ? sqrt(sum) : sum / k[j * n + j];
        }
    return true;
}

/* A jitter of n units of rounding is all that a positive semi-definite matrix may need; a wrong
 * formula (say s^2 / 2 for s^2 / 3) is indefinite by far more. Points crowd and repeat. */
static void test_matrices_are_positive(void **state) {
    (void)state;
    enum { N = 150 };
    static double points[N * 20], k[N * N];
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 20; trial++) {
        size_t d = trial % 2 ? 1 + (size_t)rng_below(&stream, 3) : 20;
        draw_points(&stream, points, N * d, pow(10, rng_between(&stream, -1, 1.5)));
        memcpy(points, points + (N - 1) * d, d * sizeof *points);
        for (size_t j = 0; j < N; j++)
            matern_row(points + j * d, points, N, d, k + j * N, NULL);
        for (size_t j = 0; j < N; j++)
            for (size_t l = 0; l < j; l++)
                assert_true(k[j * N + l] == k[l * N + j]);
        for (size_t j = 0; j < N; j++)
            k[j * N + j] += 1e-13;
        assert_true(cholesky(k, N));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formula_from_zero_to_far),
        cmocka_unit_test(test_same_place),
        cmocka_unit_test(test_underflow_is_quiet),
        cmocka_unit_test(test_row_matches_scalars),
        cmocka_unit_test(test_slope_matches_differences),
        cmocka_unit_test(test_matrices_are_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
