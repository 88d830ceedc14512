/* The prior covariance against a second writing of it, its pieces by hand, and that everybody who
 * needs it takes the same. */
#include "testing.h"

#include "model_facts.h"

#include "core/rng.h"
#include "decide/kg.h"
#include "model/blas.h"
#include "model/kernel.h"

#include <stdlib.h>
/* The pieces the kernel is made of, by hand: Sigma = ((4, 2), (2, 10)). */
static void test_pieces(void **state) {
    (void)state;
    hyperparameters h = {.sigma_root = {2, 1, 3}};
    h.env_variance[2] = 0.5;
    h.rep_variance[2] = 8;
    double weight[2];
    assert_close(kernel_tau(&h, 0.5, 0.25), 4 + 2 * 0.75 + 10 * 0.125, 1e-15);
    assert_close(kernel_tau(&h, 1, 1), 18, 1e-15);
    kernel_weights(&h, 0.5, weight);
    assert_true(weight[0] == 4 + 2 * 0.5 && weight[1] == 2 + 10 * 0.5);
    assert_close(noise_variance(&h, 2, 4), 2.5, 0);
    assert_true(kernel_variance(&h, 0.5) == kernel_tau(&h, 0.5, 0.5));
    h.prior_mean = 5;
    h.prior_slope = -2;
    assert_true(kernel_mean(&h, 1) == 5 && kernel_mean(&h, 0.25) == 3.5);
}

/* One to twenty dimensions: two places, and a row of them, against the formula. */
static void test_matches_second_writing(void **state) {
    (void)state;
    enum { PLACES = 50 };
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 60; trial++) {
        size_t d = trial % 10 == 0 ? 20 : 1 + (size_t)rng_below(&stream, 6);
        hyperparameters h = facts_draw_hyperparameters(&stream, d);
        double thetas[PLACES * 20], shares[PLACES], scaled[PLACES * 20];
        double correlation[PLACES], row[PLACES];
        for (size_t j = 0; j < PLACES; j++) {
            facts_draw_theta(&stream, d, thetas + j * d);
            shares[j] = rng_below(&stream, 3) ? rng_uniform(&stream) : 1;
            kernel_scale(&h, d, thetas + j * d, scaled + j * d);
        }
        matern_row(scaled, scaled, PLACES, d, correlation, NULL);
        kernel_row(&h, shares[0], shares, PLACES, correlation, row);
        double size = kernel_variance(&h, 0) + kernel_variance(&h, 1);
        for (size_t j = 0; j < PLACES; j++) {
            double expected =
                (double)facts_kernel(&h, d, thetas, shares[0], thetas + j * d, shares[j]);
            double got = kernel_covariance(&h, d, thetas, shares[0], thetas + j * d, shares[j]);
            double turned = kernel_covariance(&h, d, thetas + j * d, shares[j], thetas, shares[0]);
            assert_close(got, expected, 1e-14 * size);
            assert_close(turned, got, 1e-15 * size);
            assert_close(row[j], expected, 1e-14 * size);
        }
        double own = kernel_covariance(&h, d, thetas, shares[0], thetas, shares[0]);
        assert_true(own == kernel_variance(&h, shares[0]));
        kernel_row(&h, shares[0], shares, PLACES, correlation, correlation); /* in place */
        assert_memory_equal(correlation, row, sizeof row);
    }
}

/* Parts of theta: a product of one correlation for each, at two places and in rows that are longer
 * than what is multiplied at once. No parts and one part are the same to the bit. */
static void test_parts(void **state) {
    (void)state;
    enum { PLACES = 150, LONGEST = 12 };
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    double thetas[PLACES * LONGEST], scaled[PLACES * LONGEST], x[LONGEST], row[PLACES + 1];
    for (int trial = 0; trial < 40; trial++) {
        size_t parts = 1 + (size_t)trial % 4, d = parts * (1 + (size_t)rng_below(&stream, 3));
        hyperparameters h = facts_draw_hyperparameters(&stream, d), none = h;
        size_t some = 1 + (size_t)rng_below(&stream, PLACES);
        h.parts = parts;
        for (size_t j = 0; j < PLACES; j++)
            facts_draw_theta(&stream, d, thetas + j * d);
        for (size_t j = PLACES; j-- > 0;)
            kernel_put(&h, d, thetas + j * d, j, PLACES, scaled);
        kernel_scale(&h, d, thetas, x);
        row[some] = -7;
        kernel_correlate(&h, d, x, scaled, PLACES, some, row);
        assert_true(row[some] == -7);
        for (size_t j = 0; j < some; j++) {
            const double *y = thetas + j * d;
            double expected = (double)facts_kernel(&h, d, thetas, 0.3, y, 0.8);
            double got = kernel_covariance(&h, d, thetas, 0.3, y, 0.8);
            double without = kernel_covariance(&none, d, thetas, 0.3, y, 0.8);
            assert_close(got, expected, 1e-14 * kernel_variance(&h, 1));
            assert_close(row[j] * kernel_tau(&h, 0.3, 0.8), expected,
                         1e-14 * kernel_variance(&h, 1));
            if (parts == 1)
                assert_true(got == without);
            else if (j > 0)
                assert_true(got != without);
        }
    }
}

/* No combination of values of f has a negative variance: with a billionth of the variance on the
 * diagonal, which is more than rounding takes away, every matrix has a Cholesky factor. */
static void test_positive_semidefinite(void **state) {
    (void)state;
    enum { MOST = 60 };
    static double matrix[MOST * MOST], room[MOST * MOST], thetas[MOST * 8], shares[MOST];
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 200; trial++) {
        size_t d = 1 + (size_t)rng_below(&stream, 8), n = 1 + (size_t)rng_below(&stream, MOST);
        hyperparameters h = facts_draw_hyperparameters(&stream, d);
        h.sigma_root[1] = rng_between(&stream, -3, 3);
        h.sigma_root[2] = trial % 5 ? h.sigma_root[2] : 0; /* Sigma of rank one */
        for (size_t j = 0; j < n; j++) {
            bool again = j > 0 && rng_below(&stream, 3) == 0; /* the same theta at another tau */
            facts_draw_theta(&stream, d, thetas + j * d);
            if (again)
                memcpy(thetas + j * d, thetas + (j - 1) * d, d * sizeof *thetas);
            shares[j] = rng_uniform(&stream);
            for (size_t k = 0; k <= j; k++)
                matrix[j * n + k] =
                    kernel_covariance(&h, d, thetas + j * d, shares[j], thetas + k * d, shares[k]);
            matrix[j * n + j] += 1e-9 * (kernel_variance(&h, 0) + kernel_variance(&h, 1));
        }
        assert_true(cholesky_factorise(matrix, n, room));
    }
}

/* Before anything is observed the model's variance is the prior's, to the bit, one by one and many
 * at once. */
static void test_model_takes_this_variance(void **state) {
    (void)state;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    besd_error error;
    for (int round = 0; round < 2; round++) {
        observations o;
        gp *g = NULL;
        double thetas[20 * 2], shares[20], means[20], variances[20];
        assert_ok(observations_init(&o, 2, &error), &error);
        hyperparameters h = facts_draw_hyperparameters(&stream, 2);
        assert_ok(gp_create(&o, 0, &h, &g, &error), &error);
        for (size_t i = 0; i < 20; i++) {
            double variance;
            facts_draw_theta(&stream, 2, thetas + 2 * i);
            shares[i] = rng_uniform(&stream);
            gp_predict(g, thetas + 2 * i, shares[i], &variance, NULL);
            assert_true(variance == kernel_variance(&h, shares[i]));
        }
        assert_ok(gp_predict_many(g, thetas, shares, 20, means, variances, &error), &error);
        for (size_t i = 0; i < 20; i++)
            assert_true(variances[i] == kernel_variance(&h, shares[i]));
        gp_destroy(g);
    }
}

/* And so is the acquisition's: two targets with equal means are worth |b - b'| phi(0), where b is
 * the covariance with the trial over the root of its variance and noise. */
static void test_acquisition_takes_this_variance(void **state) {
    (void)state;
    rng stream = rng_open(5, RNG_TEST, 0, 0, 0);
    besd_error error;
    for (int trial = 0; trial < 40; trial++) {
        observations o;
        gp *g = NULL;
        kg *k = NULL;
        kg_levers levers = {.tau_count = 2, .reps_count = 1, .share = {0.3, 1}, .reps = {5}};
        levers.cost[0][0] = levers.cost[1][0] = 1;
        double targets[4], log_kg[2];
        hyperparameters h = facts_draw_hyperparameters(&stream, 2);
        facts_draw_theta(&stream, 4, targets);
        assert_ok(observations_init(&o, 2, &error), &error);
        assert_ok(gp_create(&o, 0, &h, &g, &error), &error);
        assert_ok(kg_create(g, &levers, targets, 2, &k, &error), &error);
        kg_evaluate(k, targets, log_kg);
        for (int tau = 0; tau < 2; tau++) {
            double share = levers.share[tau];
            double sd = sqrt(kernel_variance(&h, share) + noise_variance(&h, tau, 5));
            double b = kernel_covariance(&h, 2, targets, 1, targets, share) / sd;
            double other = kernel_covariance(&h, 2, targets + 2, 1, targets, share) / sd;
            double expected = log(fabs(b - other) / sqrt(2 * 3.14159265358979323846));
            assert_close(log_kg[tau], expected, 1e-12);
        }
        kg_destroy(k);
        gp_destroy(g);
    }
}

/* The Matérn-5/2 correlation against its formula, its derivatives against differences, and its
 * matrices against Cholesky. */

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
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_matches_second_writing),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_positive_semidefinite),
        cmocka_unit_test(test_model_takes_this_variance),
        cmocka_unit_test(test_acquisition_takes_this_variance),
        cmocka_unit_test(test_formula_from_zero_to_far),
        cmocka_unit_test(test_same_place),
        cmocka_unit_test(test_underflow_is_quiet),
        cmocka_unit_test(test_row_matches_scalars),
        cmocka_unit_test(test_slope_matches_differences),
        cmocka_unit_test(test_matrices_are_positive),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
