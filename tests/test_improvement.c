/* Expected improvement against Monte Carlo and quadrature; the maximum against a fine grid. */
#include "testing.h"

#include "core/rng.h"
#include "decide/improvement.h"

#include <math.h>

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
    enum { POINTS = 300 };
    (void)state;
    mixture *model = small_model();
    rng stream = rng_open(8, RNG_TEST, 0, 0, 0);
    static double points[POINTS][2];
    for (int round = 0; round < 20; round++) {
        improvement a = {.kind = IMPROVEMENT_BOUND, .width = -0.25 * round};
        best_few all = {.wanted = 3};
        for (size_t i = 0; i < POINTS; i++) {
            points[i][0] = rng_uniform(&stream);
            points[i][1] = rng_uniform(&stream);
            best_few_offer(&all, i, improvement_at(model, &a, points[i]));
        }
        best_few starts = improvement_starts(model, &a, points[0], POINTS);
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
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_expected_improvement),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_maximum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
