/* The maximum of the posterior mean against a fine grid. */
#include "testing.h"

#include "model_facts.h"

#include "core/rng.h"
#include "decide/latin.h"
#include "decide/maximise.h"

#include <math.h>
/* As few as a study may have: with a hundred, corners of the square are missed now and then. */
enum { POINTS = 500 };

static gp *draw_model(rng *stream, size_t n, size_t d) {
    observations o;
    gp *g = NULL;
    besd_error error;
    facts_draw_trials(stream, &o, n, d);
    hyperparameters h = facts_draw_hyperparameters(stream, d);
    assert_ok(gp_create(&o, n, &h, &g, &error), &error);
    observations_free(&o);
    return g;
}

/* The largest mean on a grid of `steps` intervals along each of two axes, or of one. */
static double best_on_grid(const gp *g, int steps) {
    double best = -INFINITY;
    int second = gp_dimension(g) == 2 ? steps : 0;
    for (int a = 0; a <= steps; a++)
        for (int b = 0; b <= second; b++) {
            double theta[2] = {(double)a / steps, (double)b / steps};
            best = fmax(best, gp_predict(g, theta, 1, NULL, NULL));
        }
    return best;
}

/* maximise_mean, which has to succeed. */
static double maximum(gp *g, const double *points, size_t count, bool discrete, double *theta) {
    double mean;
    besd_error error;
    const mixture one = {.count = 1, .models = {g}};
    assert_ok(maximise_mean(&one, points, count, discrete, theta, &mean, &error), &error);
    return mean;
}

static void assert_in_cube(const double *theta, size_t d) {
    for (size_t i = 0; i < d; i++)
        assert_true(theta[i] >= 0 && theta[i] <= 1);
}

/* Nothing on the grid is higher. The search stops where a step is below 1e-6, and near a maximum
 * that changes the mean by the square of it. */
static void test_no_grid_point_is_higher(void **state) {
    (void)state;
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    int at_border = 0, inside = 0;
    for (int trial = 0; trial < 60; trial++) {
        size_t d = 1 + (size_t)trial % 2;
        gp *g = draw_model(&stream, 15, d);
        static double points[POINTS * 2];
        double theta[2];
        latin_hypercube((uint64_t)trial, RNG_TEST, POINTS, d, points);
        double best = maximum(g, points, POINTS, false, theta);
        assert_true(best == gp_predict(g, theta, 1, NULL, NULL));
        assert_in_cube(theta, d);
        assert_true(best >= best_on_grid(g, d == 1 ? 2000 : TEST_SIZE(100, 30)) - 1e-9);
        bool border = false;
        for (size_t i = 0; i < d; i++)
            border = border || theta[i] == 0 || theta[i] == 1;
        at_border += border;
        inside += !border;
        gp_destroy(g);
    }
    assert_true(at_border > 5 && inside > 5); /* both kinds of maximum were met */
}

/* Where it stops inside the cube the mean is flat, and at a border it rises outwards. */
static void test_ends_at_a_stationary_point(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 40; trial++) {
        size_t d = 1 + (size_t)rng_below(&stream, 6);
        gp *g = draw_model(&stream, 30, d);
        static double points[POINTS * 6];
        double theta[6], gradient[6];
        latin_hypercube((uint64_t)trial, RNG_TEST, POINTS, d, points);
        maximum(g, points, POINTS, false, theta);
        gp_predict(g, theta, 1, NULL, gradient);
        assert_in_cube(theta, d);
        for (size_t i = 0; i < d; i++) {
            if (theta[i] == 0)
                assert_true(gradient[i] < 1e-3);
            else if (theta[i] == 1)
                assert_true(gradient[i] > -1e-3);
            else
                assert_close(gradient[i], 0, 1e-3);
        }
        gp_destroy(g);
    }
}

/* Discrete: one of the points, and none of them is better. */
static void test_discrete_returns_the_best_point(void **state) {
    (void)state;
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 40; trial++) {
        size_t d = 1 + (size_t)rng_below(&stream, 5);
        size_t count = 1 + (size_t)rng_below(&stream, POINTS), best = 0;
        gp *g = draw_model(&stream, 12, d);
        static double points[POINTS * 5], means[POINTS];
        double theta[5];
        latin_hypercube((uint64_t)trial, RNG_TEST, count, d, points);
        for (size_t c = 0; c < count; c++) {
            means[c] = gp_predict(g, points + c * d, 1, NULL, NULL);
            best = means[c] > means[best] ? c : best;
        }
        assert_true(maximum(g, points, count, true, theta) == means[best]);
        assert_memory_equal(theta, points + best * d, d * sizeof *theta);
        gp_destroy(g);
    }
}

/* Never lower than the best of the points, however few and wherever they are: also corners. */
static void test_no_worse_than_its_starts(void **state) {
    (void)state;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 60; trial++) {
        size_t d = 1 + (size_t)rng_below(&stream, 8), count = 1 + (size_t)rng_below(&stream, 4);
        gp *g = draw_model(&stream, 20, d);
        double points[4 * 8], theta[8], discrete[8];
        for (size_t i = 0; i < count * d; i++)
            points[i] = trial % 3 ? (double)rng_below(&stream, 2) : rng_uniform(&stream);
        double best = maximum(g, points, count, false, theta);
        assert_true(best >= maximum(g, points, count, true, discrete));
        assert_in_cube(theta, d);
        gp_destroy(g);
    }
}

/* With nothing told the mean is flat: the first point will do. */
static void test_flat_mean(void **state) {
    (void)state;
    rng stream = rng_open(5, RNG_TEST, 0, 0, 0);
    gp *g = draw_model(&stream, 0, 3);
    double points[10 * 3], theta[3];
    latin_hypercube(5, RNG_TEST, 10, 3, points);
    assert_true(maximum(g, points, 10, false, theta) == gp_hyperparameters(g)->prior_mean);
    assert_memory_equal(theta, points, sizeof theta);
    gp_destroy(g);
}

static void test_bytes_repeat(void **state) {
    (void)state;
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    gp *g = draw_model(&stream, 25, 4);
    static double points[POINTS * 4];
    double one[4], two[4];
    latin_hypercube(6, RNG_TEST, POINTS, 4, points);
    assert_true(maximum(g, points, POINTS, false, one) == maximum(g, points, POINTS, false, two));
    assert_memory_equal(one, two, sizeof one);
    gp_destroy(g);
}

/* Expected improvement against Monte Carlo and quadrature; the maximum against a fine grid. */

static mixture *small_model(void) {
    besd_error error = {BESD_OK, ""};
    observations o;
    static mixture model;
    draws drawn = {1,
                   {{.prior_mean = 0.2,
                     .lengthscale = {0.3, 0.4},
                     .sigma_root = {0.8, 0.3, 0.5},
                     .env_variance = {0.01},
                     .rep_variance = {0.05}}}};
    rng stream = rng_open(5, RNG_TEST, 0, 0, 0);
    assert_ok(observations_init(&o, 2, &error), &error);
    for (int i = 0; i < 12; i++) {
        double theta[2] = {rng_uniform(&stream), rng_uniform(&stream)};
        double y = sin(4 * theta[0]) * cos(3 * theta[1]) + 0.1 * rng_normal(&stream);
        assert_ok(observations_add(&o, theta, 1, 0, 5, y, 0.2, &error), &error);
    }
    assert_ok(mixture_init(&model, &o, o.count, &drawn, &error), &error);
    observations_free(&o);
    return &model;
}

/* E[(f - incumbent - jitter)^+] as an integral over the posterior, by the trapezium rule. */
static double by_quadrature(const mixture *model, const improvement *a, const double *theta) {
    double variance, mean = mixture_predict(model, theta, 1, &variance, NULL);
    double sd = sqrt(variance + a->noise), sum = 0, step = 1e-4;
    for (int i = 0; i < 200000; i++) {
        double z = -10 + i * step;
        double gain = mean + sd * z - a->incumbent - a->jitter;
        if (gain > 0)
            sum += gain * exp(-0.5 * z * z) / sqrt(2 * M_PI) * step;
    }
    return sum;
}

/* Places that are ruled out by their means are none of the best. */
static void test_starts(void **state) {
    enum { PLACES = 300 };
    (void)state;
    mixture *model = small_model();
    rng stream = rng_open(8, RNG_TEST, 0, 0, 0);
    static double points[PLACES][2];
    for (int round = 0; round < 20; round++) {
        improvement a = {.kind = IMPROVEMENT_BOUND, .width = -0.25 * round};
        best_few all = {.wanted = 3};
        for (size_t i = 0; i < PLACES; i++) {
            points[i][0] = rng_uniform(&stream);
            points[i][1] = rng_uniform(&stream);
            best_few_offer(&all, i, improvement_at(model, &a, points[i]));
        }
        best_few starts = improvement_starts(model, &a, points[0], PLACES);
        assert_int_equal(starts.found, 3);
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(starts.place[i], all.place[i]);
    }
    mixture_free(model);
}

static void test_expected_improvement(void **state) {
    (void)state;
    mixture *model = small_model();
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    for (int i = 0; i < 20; i++) {
        double theta[2] = {rng_uniform(&stream), rng_uniform(&stream)};
        improvement a = {.incumbent = 0.7, .jitter = 0.01 * i, .noise = i % 2 ? 0.02 : 0};
        double exact = exp(improvement_at(model, &a, theta));
        double integral = by_quadrature(model, &a, theta);
        assert_true(fabs(exact - integral) < 1e-7 + 1e-5 * integral);
    }
    /* far from any hope it is tiny and finite, not zero */
    improvement hopeless = {.incumbent = 100};
    double value = improvement_at(model, &hopeless, (double[]){0.5, 0.5});
    assert_true(isfinite(value) && value < -1000);
    mixture_free(model);
}

static void test_bound(void **state) {
    (void)state;
    mixture *model = small_model();
    double theta[2] = {0.3, 0.8}, variance,
           mean = mixture_predict(model, theta, 1, &variance, NULL);
    improvement a = {.kind = IMPROVEMENT_BOUND, .width = 2};
    assert_true(fabs(improvement_at(model, &a, theta) - mean - 2 * sqrt(variance)) < 1e-14);
    a.width = -1;
    assert_true(fabs(improvement_at(model, &a, theta) - mean + sqrt(variance)) < 1e-14);
    mixture_free(model);
}

/* The climb ends at least as high as the best point of a grid of 201 x 201. */
static void test_maximum(void **state) {
    (void)state;
    mixture *model = small_model();
    double points[200], theta[2];
    besd_error error;
    rng stream = rng_open(7, RNG_TEST, 0, 0, 0);
    for (int i = 0; i < 200; i++)
        points[i] = rng_uniform(&stream);
    for (int kind = 0; kind < 2; kind++) {
        improvement a = {.kind = kind ? IMPROVEMENT_BOUND : IMPROVEMENT_EXPECTED,
                         .incumbent = 0.5,
                         .width = kind ? -1 : 0};
        double among[2];
        assert_ok(improvement_maximise(model, &a, points, 100, false, theta, &error), &error);
        assert_ok(improvement_maximise(model, &a, points, 100, true, among, &error), &error);
        double found = improvement_at(model, &a, theta);
        double listed = improvement_at(model, &a, among), best_listed = -INFINITY;
        for (size_t i = 0; i < 100; i++)
            best_listed = fmax(best_listed, improvement_at(model, &a, points + 2 * i));
        assert_true(listed == best_listed);
        double best = -INFINITY;
        for (int i = 0; i <= 200; i++)
            for (int j = 0; j <= 200; j++)
                best = fmax(best, improvement_at(model, &a, (double[]){i / 200.0, j / 200.0}));
        assert_true(found >= best - 1e-3);
        assert_true(listed <= found);
        assert_true(theta[0] >= 0 && theta[0] <= 1 && theta[1] >= 0 && theta[1] <= 1);
    }
    mixture_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_grid_point_is_higher),
        cmocka_unit_test(test_ends_at_a_stationary_point),
        cmocka_unit_test(test_discrete_returns_the_best_point),
        cmocka_unit_test(test_no_worse_than_its_starts),
        cmocka_unit_test(test_flat_mean),
        cmocka_unit_test(test_bytes_repeat),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_expected_improvement),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_maximum),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
