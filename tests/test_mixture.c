/* Several posteriors at once: what they say together against the formulas over the posteriors of
 * model_facts.h, and one alone against its own bytes. */
#include "model_facts.h"

#include "model/mixture.h"

enum { TRIALS = 14, PENDING = 3, MOST = 4, PLACES = 20 };

/* Trials, some draws, and the posterior of each by hand. */
typedef struct several {
    observations o;
    draws drawn;
    mixture m;
    facts_posterior facts[MOST];
} several;

static void open_several(several *s, size_t count, size_t dimension, uint64_t seed) {
    besd_error error;
    rng stream = rng_open(seed, RNG_TEST, count, dimension, 0);
    memset(s, 0, sizeof *s);
    facts_draw_trials(&stream, &s->o, TRIALS, dimension);
    s->drawn.count = count;
    for (size_t i = 0; i < count; i++) {
        s->drawn.of[i] = facts_draw_hyperparameters(&stream, dimension);
        s->facts[i] = facts_condition(&s->o, TRIALS - PENDING, &s->drawn.of[i]);
    }
    assert_ok(mixture_init(&s->m, &s->o, TRIALS - PENDING, &s->drawn, &error), &error);
    assert_int_equal(s->m.count, count);
    assert_int_equal(mixture_dimension(&s->m), dimension);
}

static void close_several(several *s) {
    for (size_t i = 0; i < s->drawn.count; i++)
        facts_forget(&s->facts[i]);
    mixture_free(&s->m);
    assert_int_equal(s->m.count, 0);
    observations_free(&s->o);
}

/* E f = mean of the means; cov(f, f') = mean of E[f f'] less the product of the means. */
static void test_moments(void **state) {
    (void)state;
    for (size_t count = 1; count <= MOST; count++) {
        several s;
        size_t d = 1 + count % 3;
        rng stream = rng_open(3, RNG_TEST, count, 0, 0);
        open_several(&s, count, d, 21);
        for (int i = 0; i < PLACES; i++) {
            double x[3], y[3], t = i % 3 ? 1 : 0.3, u = i % 2 ? 1 : 0.6, variance;
            long double first = 0, second = 0, product = 0, square = 0, n = (long double)count;
            facts_draw_theta(&stream, d, x);
            facts_draw_theta(&stream, d, y);
            for (size_t k = 0; k < count; k++) {
                const facts_posterior *p = &s.facts[k];
                long double a = facts_mean(p, x, t), b = facts_mean(p, y, u);
                first += a / n;
                second += b / n;
                product += (facts_covariance(p, x, t, y, u) + a * b) / n;
                square += (facts_covariance(p, x, t, x, t) + a * a) / n;
            }
            double mean = mixture_predict(&s.m, x, t, &variance, NULL);
            assert_close(mean, (double)first, 1e-9);
            assert_close(variance, (double)(square - first * first), 1e-9);
            assert_close(mixture_covariance(&s.m, x, t, y, u), (double)(product - first * second),
                         1e-9);
            assert_close(mixture_covariance(&s.m, x, t, x, t), variance, 1e-9);
            assert_true(mean == mixture_predict(&s.m, x, t, NULL, NULL));
        }
        close_several(&s);
    }
}

static void test_gradient(void **state) {
    (void)state;
    const double step = 1e-5;
    for (size_t count = 1; count <= MOST; count++) {
        several s;
        rng stream = rng_open(4, RNG_TEST, count, 0, 0);
        open_several(&s, count, 3, 22);
        for (int i = 0; i < PLACES; i++) {
            double x[3], gradient[3], other[3], variance, again;
            facts_draw_theta(&stream, 3, x);
            double mean = mixture_predict(&s.m, x, 0.6, &variance, gradient);
            assert_true(mean == mixture_predict(&s.m, x, 0.6, &again, NULL) && again == variance);
            mixture_predict(&s.m, x, 0.6, NULL, other);
            assert_memory_equal(gradient, other, sizeof other);
            for (int k = 0; k < 3; k++) {
                double kept = x[k];
                x[k] = kept + step;
                double above = mixture_predict(&s.m, x, 0.6, NULL, NULL);
                x[k] = kept - step;
                double below = mixture_predict(&s.m, x, 0.6, NULL, NULL);
                x[k] = kept;
                assert_close(gradient[k], (above - below) / (2 * step),
                             1e-5 * (1 + fabs(gradient[k])));
            }
        }
        close_several(&s);
    }
}

static void test_many(void **state) {
    (void)state;
    for (size_t count = 1; count <= MOST; count++) {
        several s;
        besd_error error;
        double thetas[PLACES * 2], shares[PLACES], means[PLACES], variances[PLACES];
        rng stream = rng_open(5, RNG_TEST, count, 0, 0);
        open_several(&s, count, 2, 23);
        for (int i = 0; i < PLACES; i++) {
            facts_draw_theta(&stream, 2, thetas + 2 * i);
            shares[i] = facts_shares[i % FACTS_LEVELS];
        }
        assert_ok(mixture_predict_many(&s.m, thetas, shares, PLACES, means, variances, &error),
                  &error);
        for (int i = 0; i < PLACES; i++) {
            double variance;
            assert_close(means[i],
                         mixture_predict(&s.m, thetas + 2 * i, shares[i], &variance, NULL), 1e-10);
            assert_close(variances[i], variance, 1e-10);
        }
        assert_ok(mixture_predict_many(&s.m, thetas, shares, 0, means, variances, &error), &error);
        close_several(&s);
    }
}

/* A mixture of one, and of one several times. */
static void test_one(void **state) {
    (void)state;
    several s, twice;
    besd_error error;
    open_several(&s, 1, 2, 24);
    gp *alone;
    assert_ok(gp_create(&s.o, TRIALS - PENDING, &s.drawn.of[0], &alone, &error), &error);
    twice = s;
    twice.drawn = (draws){3, {s.drawn.of[0], s.drawn.of[0], s.drawn.of[0]}};
    assert_ok(mixture_init(&twice.m, &s.o, TRIALS - PENDING, &twice.drawn, &error), &error);
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    for (int i = 0; i < PLACES; i++) {
        double x[2], y[2], v, w, g[2], h[2], share = facts_shares[i % 4], mean, variance;
        facts_draw_theta(&stream, 2, x);
        facts_draw_theta(&stream, 2, y);
        double expected = gp_predict(alone, x, share, &v, g);
        assert_true(mixture_predict(&s.m, x, share, &w, h) == expected);
        assert_true(v == w && g[0] == h[0] && g[1] == h[1]);
        assert_true(mixture_covariance(&s.m, x, share, y, 1) ==
                    gp_covariance(alone, x, share, y, 1));
        assert_close(mixture_predict(&twice.m, x, share, &w, h), expected, 1e-12);
        assert_close(w, v, 1e-12);
        assert_close(h[1], g[1], 1e-12 * (1 + fabs(g[1])));
        assert_ok(mixture_predict_many(&s.m, x, &share, 1, &mean, &variance, &error), &error);
        double alone_mean, alone_variance;
        assert_ok(gp_predict_many(alone, x, &share, 1, &alone_mean, &alone_variance, &error),
                  &error);
        assert_true(mean == alone_mean && variance == alone_variance);
    }
    for (size_t k = 0; k < 2; k++)
        assert_true(mixture_lengthscale(&s.m, k) == s.drawn.of[0].lengthscale[k]);
    mixture_free(&twice.m);
    gp_destroy(alone);
    close_several(&s);
}

/* The means at all pairs of a first part of theta and a second, from kernels of two parts. */
static void test_pairs(void **state) {
    (void)state;
    enum { ROWS = 6, COLUMNS = 4 };
    besd_error error;
    for (size_t count = 1; count <= MOST; count++) {
        several s;
        mixture m = {0};
        double firsts[ROWS * 2], seconds[COLUMNS * 2], means[ROWS * COLUMNS];
        rng stream = rng_open(7, RNG_TEST, count, 0, 0);
        open_several(&s, count, 4, 26);
        for (size_t i = 0; i < count; i++)
            s.drawn.of[i].parts = 2;
        assert_ok(mixture_init(&m, &s.o, TRIALS - PENDING, &s.drawn, &error), &error);
        facts_draw_theta(&stream, ROWS * 2, firsts);
        facts_draw_theta(&stream, COLUMNS * 2, seconds);
        assert_ok(mixture_predict_pairs(&m, firsts, ROWS, seconds, COLUMNS, 0.6, means, &error),
                  &error);
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            const double *a = firsts + i / COLUMNS * 2, *b = seconds + i % COLUMNS * 2;
            const double theta[] = {a[0], a[1], b[0], b[1]};
            assert_close(means[i], mixture_predict(&m, theta, 0.6, NULL, NULL), 1e-10);
        }
        mixture_free(&m);
        close_several(&s);
    }
}

/* Of the hyperparameters: means of variances, the geometric mean of length scales. */
static void test_summaries(void **state) {
    (void)state;
    several s;
    open_several(&s, 3, 2, 25);
    double origin[2] = {0}, product = 1, prior = 0, noise = 0;
    for (size_t i = 0; i < 3; i++) {
        const hyperparameters *h = &s.drawn.of[i];
        product *= h->lengthscale[1];
        prior += (double)facts_kernel(h, 2, origin, 1, origin, 1) / 3;
        noise += (double)facts_noise(h, 2, 5) / 3;
    }
    assert_close(mixture_lengthscale(&s.m, 1), cbrt(product), 1e-12);
    assert_close(mixture_prior_variance(&s.m), prior, 1e-12);
    assert_close(mixture_noise(&s.m, 2, 5), noise, 1e-12);
    close_several(&s);
}

/* Draws that disagree by little about scores around 1e8: a place goes with itself, at any tau, and
 * no two places with each other more than that. */
static void test_far_from_zero(void **state) {
    (void)state;
    besd_error error;
    for (size_t count = 2; count <= MOST; count++) {
        several s;
        mixture far = {0};
        rng stream = rng_open(8, RNG_TEST, count, 0, 0);
        open_several(&s, count, 2, 27);
        for (size_t j = 0; j < TRIALS; j++)
            s.o.mean[j] += 1e8;
        for (size_t i = 0; i < count; i++)
            s.drawn.of[i].prior_mean += 1e8;
        assert_ok(mixture_init(&far, &s.o, TRIALS - PENDING, &s.drawn, &error), &error);
        for (int i = 0; i < PLACES; i++) {
            double x[2], y[2], v, w, t = facts_shares[i % FACTS_LEVELS];
            facts_draw_theta(&stream, 2, x);
            facts_draw_theta(&stream, 2, y);
            mixture_predict(&far, x, t, &v, NULL);
            mixture_predict(&far, y, 1, &w, NULL);
            assert_close(mixture_covariance(&far, x, t, x, t) / v, 1, 1e-6);
            assert_true(fabs(mixture_covariance(&far, x, t, y, 1)) <= sqrt(v * w) * (1 + 1e-6));
            assert_close(mixture_covariance(&far, x, t, y, 1), mixture_covariance(&s.m, x, t, y, 1),
                         1e-5);
        }
        mixture_free(&far);
        close_several(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),   cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_many),      cmocka_unit_test(test_one),
        cmocka_unit_test(test_pairs),     cmocka_unit_test(test_far_from_zero),
        cmocka_unit_test(test_summaries),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
