/* The log posterior of the hyperparameters against a second writing of it, its gradient against
 * differences. */
#include "fit_facts.h"

/* The rough variances around which the priors of fit.h stand: s^2 = var(y) - noise, a tenth of
 * var(y) for the noise between trials, the pooled variance within them. */
typedef struct rough {
    double signal, env, rep;
} rough;

static rough estimate(const observations *o) {
    double n = (double)o->count, mean = 0, total = 0, within = 0, freedom = 0, inverse_reps = 0;
    for (size_t j = 0; j < o->count; j++) {
        mean += o->mean[j] / n;
        within += o->within[j];
        freedom += o->reps[j] - 1;
        inverse_reps += 1 / o->reps[j] / n;
    }
    for (size_t j = 0; j < o->count; j++)
        total += pow(o->mean[j] - mean, 2) / (n - 1);
    rough r = {.env = 0.1 * total, .rep = within / freedom};
    r.signal = total - r.env - r.rep * inverse_reps;
    /* the floors of degenerate data are not what is tested here */
    assert_true(r.signal > 0.1 * total && r.rep > 1e-3 * total && total > 1e-3);
    return r;
}

static long double squared(double value, double mean, double sd) {
    long double z = ((long double)value - (long double)mean) / (long double)sd;
    return z * z;
}

static long double log_prior(const observations *o, const hyperparameters *h, const rough *r) {
    long double sum = 0;
    size_t d = o->dimension;
    double l11 = h->sigma_root[0], l21 = h->sigma_root[1], l22 = h->sigma_root[2];
    for (size_t i = 0; i < d; i++)
        sum += squared(h->lengthscale[i], 1, 0.5);
    sum += squared(l11 * l11 / r->signal, 1, 0.5);
    sum += squared(l11 * l21 / r->signal, 0, 0.5);
    sum += squared((l21 * l21 + l22 * l22) / r->signal, 1, 0.5);
    sum += squared(log(h->env_variance[0]), log(r->env), 2);
    sum += squared(log(h->rep_variance[0]), log(r->rep), 2);
    return -sum / 2 - logl(1 + expl(-correlation_of_lengths(o, h) / 0.05L));
}

/* log N(y | m, K + noise) without its 2 pi: the determinant is the product of the pivots of plain
 * elimination, the quadratic form comes with it. */
static long double log_normal(const observations *o, const hyperparameters *h) {
    size_t n = o->count;
    long double *k = facts_covariance_matrix(o, h, n), *y = malloc(n * sizeof *y), sum = 0;
    assert_non_null(y);
    for (size_t j = 0; j < n; j++)
        y[j] = (long double)o->mean[j] - (long double)h->prior_mean;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j + 1; i < n; i++) {
            long double factor = k[i * n + j] / k[j * n + j];
            for (size_t l = j; l < n; l++)
                k[i * n + l] -= factor * k[j * n + l];
            y[i] -= factor * y[j];
        }
        sum += logl(k[j * n + j]) + y[j] * y[j] / k[j * n + j];
    }
    free(k);
    free(y);
    return -sum / 2;
}

/* The density of S = rep X, X chi-square with q - 1 degrees of freedom, without what depends on S
 * alone. */
static long double log_chi_square(const observations *o, const hyperparameters *h) {
    long double sum = 0;
    for (size_t j = 0; j < o->count; j++) {
        double rep = h->rep_variance[o->level[j]];
        sum -= (o->reps[j] - 1) / 2 * logl(rep) + o->within[j] / (2 * rep);
    }
    return sum;
}

static void test_value_matches_second_writing(void **state) {
    (void)state;
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 20; trial++) {
        size_t d = 1 + (size_t)rng_below(&stream, 4);
        observations o;
        facts_draw_trials(&stream, &o, 10 + (size_t)rng_below(&stream, 30), d);
        fit_problem *p = pose(&o, 1, NULL);
        rough r = estimate(&o);
        for (int point = 0; point < 5; point++) {
            double x[FIT_MAX_PARAMETERS], gradient[FIT_MAX_PARAMETERS];
            hyperparameters h;
            draw_parameters(&stream, p, &o, x);
            if (point == 0)
                x[d + 1] = -4 * fabs(x[d + 1]) - 2; /* short against full */
            fit_unpack(p, x, &h);
            double expected =
                (double)(log_normal(&o, &h) + log_chi_square(&o, &h) + log_prior(&o, &h, &r));
            double got = fit_log_posterior(p, x, NULL);
            assert_close(got, expected, 1e-10 * fmax(1, fabs(expected)));
            assert_true(fit_log_posterior(p, x, gradient) == got);
        }
        fit_destroy(p);
        observations_free(&o);
    }
}

/* Differences of fourth order: their error is the step to the fourth power, 1e-12, times the fifth
 * derivative, which the quartic exponents of the prior and lengths of 0.1 make large; and rounding,
 * 1e-13 of the value over the step. */
static void test_gradient_matches_differences(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    const double step = 1e-3;
    for (int trial = 0; trial < 20; trial++) {
        size_t d = 1 + (size_t)rng_below(&stream, 5);
        observations o;
        facts_draw_trials(&stream, &o, 30, d);
        fit_problem *p = pose(&o, 1, NULL);
        int count = fit_parameters(p);
        assert_int_equal(count, (int)d + 3 + 2);
        for (int point = 0; point < 3; point++) {
            double x[FIT_MAX_PARAMETERS], gradient[FIT_MAX_PARAMETERS];
            draw_parameters(&stream, p, &o, x);
            if (point == 0)
                x[d + 1] = -1.5; /* short against full */
            fit_log_posterior(p, x, gradient);
            for (int i = 0; i < count; i++) {
                double at = x[i], f[4];
                for (int k = 0; k < 4; k++) {
                    x[i] = at + step * (double[]){-2, -1, 1, 2}[k];
                    f[k] = fit_log_posterior(p, x, NULL);
                }
                x[i] = at;
                double slope = (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * step);
                assert_close(gradient[i], slope, 1e-6 * fmax(1, fabs(slope)));
            }
        }
        fit_destroy(p);
        observations_free(&o);
    }
}

/* Packing is the inverse of unpacking, and all levels have the same noise. */
static void test_pack_and_unpack(void **state) {
    (void)state;
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 3; round++) {
        observations o;
        facts_draw_trials(&stream, &o, 12, 3);
        fit_problem *p = pose(&o, 1, NULL);
        double x[FIT_MAX_PARAMETERS] = {0}, y[FIT_MAX_PARAMETERS] = {0};
        hyperparameters h;
        for (int i = 0; i < fit_parameters(p); i++)
            x[i] = rng_between(&stream, -1, 1);
        fit_unpack(p, x, &h);
        fit_pack(p, &h, y);
        for (int i = 0; i < fit_parameters(p); i++)
            assert_close(y[i], x[i], 1e-14);
        assert_true(h.prior_mean == 0.3);
        for (int level = 1; level < FACTS_LEVELS; level++)
            assert_true(h.env_variance[level] == h.env_variance[0] &&
                        h.rep_variance[level] == h.rep_variance[0]);
        fit_destroy(p);
        observations_free(&o);
    }
}

/* Scores may stand anywhere on their scale: what counts is how they differ. */
static void test_an_offset_changes_nothing(void **state) {
    (void)state;
    rng stream = rng_open(11, RNG_TEST, 0, 0, 0);
    const double offsets[] = {1e3, 1e6, 1e9};
    for (size_t i = 0; i < 3; i++) {
        double offset = offsets[i];
        observations o;
        besd_error error;
        double x[FIT_MAX_PARAMETERS];
        fit_problem *moved = NULL;
        facts_draw_trials(&stream, &o, 30, 2);
        fit_problem *p = pose(&o, 1, NULL);
        draw_parameters(&stream, p, &o, x);
        double value = fit_log_posterior(p, x, NULL);
        fit_options options = {.levels = FACTS_LEVELS, .prior_mean = offset + 0.3, .starts = 1};
        for (size_t j = 0; j < o.count; j++)
            o.mean[j] += offset;
        assert_ok(fit_create(&o, &options, &moved, &error), &error);
        assert_close(fit_log_posterior(moved, x, NULL), value, 1e-15 * offset * fabs(value) + 1e-9);
        fit_destroy(moved);
        fit_destroy(p);
        observations_free(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_matches_second_writing),
        cmocka_unit_test(test_gradient_matches_differences),
        cmocka_unit_test(test_pack_and_unpack),
        cmocka_unit_test(test_an_offset_changes_nothing),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
