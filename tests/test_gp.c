/* The posterior against the dense textbook formula, its derivatives against differences. */
#include "model_facts.h"

#include "model/blas.h"

enum { MOST = 40 };

static double noise_free_variance(const hyperparameters *h, size_t d, const double *x, double t) {
    return (double)facts_kernel(h, d, x, t, x, t);
}

static gp *condition(const observations *o, size_t told, const hyperparameters *h) {
    gp *g = NULL;
    besd_error error;
    assert_ok(gp_create(o, told, h, &g, &error), &error);
    return g;
}

/* Places to ask about: anywhere, and now and then where a trial was. */
static void draw_place(rng *stream, const observations *o, double *theta, double *share) {
    size_t d = o->dimension;
    facts_draw_theta(stream, d, theta);
    *share = rng_below(stream, 2) ? 1 : rng_between(stream, 0.05, 1);
    if (o->count && rng_below(stream, 4) == 0) {
        size_t j = (size_t)rng_below(stream, o->count);
        memcpy(theta, o->theta + j * d, d * sizeof *theta);
        *share = o->share[j];
    }
}

/* Mean, variance and covariance at random pairs of places. */
static void assert_matches(const gp *g, const facts_posterior *p, rng *stream, double tolerance) {
    size_t d = p->o->dimension;
    for (int trial = 0; trial < 12; trial++) {
        double x[MODEL_MAX_DIMENSION], y[MODEL_MAX_DIMENSION], t, u, variance, mean;
        besd_error error;
        draw_place(stream, p->o, x, &t);
        draw_place(stream, p->o, y, &u);
        double expected = facts_mean(p, x, t), size = noise_free_variance(&p->h, d, x, t);
        assert_close(gp_predict(g, x, t, &variance, NULL), expected,
                     tolerance * fmax(1, fabs(expected)));
        assert_close(variance, facts_covariance(p, x, t, x, t), tolerance * size);
        assert_ok(gp_predict_many(g, x, &t, 1, &mean, &variance, &error), &error);
        assert_close(mean, expected, tolerance * fmax(1, fabs(expected)));
        assert_close(variance, facts_covariance(p, x, t, x, t), tolerance * size);
        size = fmax(size, noise_free_variance(&p->h, d, y, u));
        assert_close(gp_covariance(g, x, t, y, u), facts_covariance(p, x, t, y, u),
                     tolerance * size);
    }
}

/* Sizes from nothing to MOST, one to twenty dimensions, none to a third of the trials
 * pending. Condition numbers stay below 1e6, so rounding below 1e-10. */
static void test_matches_dense_formula(void **state) {
    (void)state;
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    const size_t sizes[] = {0, 1, 2, 5, 17, MOST}, dimensions[] = {1, 2, 5, 20};
    for (int round = 0; round < 2; round++)
        for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
            for (size_t b = 0; b < sizeof dimensions / sizeof *dimensions; b++) {
                observations o;
                facts_draw_trials(&stream, &o, sizes[a], dimensions[b]);
                hyperparameters h = facts_draw_hyperparameters(&stream, dimensions[b]);
                size_t told = sizes[a] - (size_t)rng_below(&stream, sizes[a] / 3 + 1);
                facts_posterior p = facts_condition(&o, told, &h);
                gp *g = condition(&o, told, &h);
                assert_int_equal(gp_count(g), sizes[a]);
                assert_int_equal(gp_dimension(g), dimensions[b]);
                assert_memory_equal(gp_hyperparameters(g), &h, sizeof h);
                assert_matches(g, &p, &stream, 1e-10);
                gp_destroy(g);
                facts_forget(&p);
                observations_free(&o);
            }
}

/* With nothing told the posterior is the prior. */
static void test_prior(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    observations o;
    facts_draw_trials(&stream, &o, 0, 3);
    hyperparameters h = facts_draw_hyperparameters(&stream, 3);
    gp *g = condition(&o, 0, &h);
    double x[3] = {0.1, 0.5, 0.9}, variance, gradient[3] = {1, 1, 1};
    assert_true(gp_predict(g, x, 0.3, &variance, gradient) == kernel_mean(&h, 0.3));
    assert_close(variance, noise_free_variance(&h, 3, x, 0.3), 1e-15);
    assert_true(gradient[0] == 0 && gradient[1] == 0 && gradient[2] == 0);
    gp_destroy(g);
    gp_destroy(NULL);
    observations_free(&o);
}

/* One trial at theta, seen again at theta: the shrinkage that everyone can do in their head. */
static void test_one_trial(void **state) {
    (void)state;
    besd_error error;
    observations o;
    double x = 0.4, variance;
    hyperparameters h = {.prior_mean = 1, .lengthscale = {0.3}, .sigma_root = {0.6, 0, 0.8}};
    h.env_variance[0] = 0.25;
    h.rep_variance[0] = 3;
    assert_ok(observations_init(&o, 1, &error), &error);
    assert_ok(observations_add(&o, &x, 1, 0, 4, 5, 0, &error), &error);
    gp *g = condition(&o, 1, &h);
    /* prior variance 0.36 + 0.64 = 1, noise 0.25 + 3 / 4 = 1: half the way from 1 to 5 */
    assert_close(gp_predict(g, &x, 1, &variance, NULL), 3, 1e-15);
    assert_close(variance, 0.5, 1e-15);
    gp_destroy(g);
    observations_free(&o);
}

/* A pending trial takes its share of the uncertainty as if it were told, and no mean moves. */
static void test_pending_shrinks_and_says_nothing(void **state) {
    (void)state;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 2; round++) {
        observations o;
        facts_draw_trials(&stream, &o, 24, 2);
        hyperparameters h = facts_draw_hyperparameters(&stream, 2);
        gp *all_told = condition(&o, 24, &h), *some_pending = condition(&o, 18, &h);
        o.count = 18;
        gp *without = condition(&o, 18, &h);
        o.count = 24;
        for (int trial = 0; trial < 30; trial++) {
            double x[2], y[2], t, u, told, pending, before;
            draw_place(&stream, &o, x, &t);
            draw_place(&stream, &o, y, &u);
            gp_predict(all_told, x, t, &told, NULL);
            double mean = gp_predict(without, x, t, &before, NULL);
            assert_close(gp_predict(some_pending, x, t, &pending, NULL), mean, 1e-13);
            assert_close(pending, told, 1e-13);
            assert_true(pending <= before + 1e-13);
            assert_close(gp_covariance(some_pending, x, t, y, u),
                         gp_covariance(all_told, x, t, y, u), 1e-13);
        }
        /* At a pending trial itself the variance has dropped for good. */
        double pending, before;
        const double *theta = o.theta + 20 * 2;
        gp_predict(some_pending, theta, o.share[20], &pending, NULL);
        gp_predict(without, theta, o.share[20], &before, NULL);
        assert_true(pending < 0.95 * before);
        gp_destroy(all_told);
        gp_destroy(some_pending);
        gp_destroy(without);
        observations_free(&o);
    }
}

static void test_order_does_not_matter(void **state) {
    (void)state;
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    besd_error error;
    for (int trial = 0; trial < 10; trial++) {
        size_t d = 1 + (size_t)rng_below(&stream, 5), n = MOST, place[MOST];
        observations o, shuffled;
        facts_draw_trials(&stream, &o, n, d);
        hyperparameters h = facts_draw_hyperparameters(&stream, d);
        for (size_t j = 0; j < n; j++)
            place[j] = j;
        for (size_t j = n; j > 1; j--) {
            size_t other = (size_t)rng_below(&stream, j), swapped = place[j - 1];
            place[j - 1] = place[other];
            place[other] = swapped;
        }
        assert_ok(observations_init(&shuffled, d, &error), &error);
        for (size_t k = 0; k < n; k++) {
            size_t j = place[k];
            assert_ok(observations_add(&shuffled, o.theta + j * d, o.share[j], o.level[j],
                                       o.reps[j], o.mean[j], o.within[j], &error),
                      &error);
        }
        gp *one = condition(&o, n, &h), *other = condition(&shuffled, n, &h);
        for (int k = 0; k < 20; k++) {
            double x[5], y[5], t, u, variance, same;
            draw_place(&stream, &o, x, &t);
            draw_place(&stream, &o, y, &u);
            double mean = gp_predict(one, x, t, &variance, NULL);
            assert_close(gp_predict(other, x, t, &same, NULL), mean, 1e-9 * fmax(1, fabs(mean)));
            assert_close(same, variance, 1e-9);
            assert_close(gp_covariance(other, x, t, y, u), gp_covariance(one, x, t, y, u), 1e-9);
        }
        gp_destroy(one);
        gp_destroy(other);
        observations_free(&o);
        observations_free(&shuffled);
    }
}

/* Differences of fourth order, step h: error h^4 and 1e-12 / h, for length scales above 0.15. */
static void test_gradient_of_the_mean(void **state) {
    (void)state;
    rng stream = rng_open(7, RNG_TEST, 0, 0, 0);
    const double step = 1e-3;
    for (int trial = 0; trial < 40; trial++) {
        size_t d = trial % 10 == 0 ? 20 : 1 + (size_t)rng_below(&stream, 4), n = 25;
        observations o;
        facts_draw_trials(&stream, &o, n, d);
        hyperparameters h = facts_draw_hyperparameters(&stream, d);
        gp *g = condition(&o, n - 5, &h);
        double x[20], t, gradient[20], largest = 0;
        draw_place(&stream, &o, x, &t);
        double mean = gp_predict(g, x, t, NULL, gradient);
        assert_true(mean == gp_predict(g, x, t, NULL, NULL));
        for (size_t i = 0; i < d; i++)
            largest = fmax(largest, fabs(gradient[i]));
        for (size_t i = 0; i < d; i++) {
            double at = x[i], f[4];
            for (int k = 0; k < 4; k++) {
                x[i] = at + step * (double[]){-2, -1, 1, 2}[k];
                f[k] = gp_predict(g, x, t, NULL, NULL);
            }
            x[i] = at;
            double slope = (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * step);
            assert_close(gradient[i], slope, 1e-6 * fmax(1, largest));
        }
        gp_destroy(g);
        observations_free(&o);
    }
}

/* Means and covariances that the projection promises, against the functions for one place. */
static void assert_projection_agrees(const gp *g, const double *thetas, size_t count) {
    const hyperparameters *h = gp_hyperparameters(g);
    size_t n = gp_count(g), d = gp_dimension(g);
    double *roots = malloc((MODEL_BASIS * n * count + 1) * sizeof *roots);
    double *slopes = malloc(MODEL_BASIS * count * sizeof *slopes);
    assert_true(roots && slopes);
    gp_project(g, thetas, count, roots, slopes);
    for (size_t c = 0; c < count; c++)
        for (int a = 0; a < FACTS_LEVELS; a++) {
            const double *x = thetas + c * d, *y = thetas + (count - 1 - c) * d;
            double t = facts_shares[a], u = facts_shares[FACTS_LEVELS - 1 - a];
            double mean = kernel_mean(h, t) + slopes[c] + t * slopes[count + c];
            double expected = gp_predict(g, x, t, NULL, NULL);
            assert_close(mean, expected, 1e-10 * fmax(1, fabs(expected)));
            double covariance = (double)facts_kernel(h, d, x, t, y, u);
            for (size_t j = 0; j < n; j++) {
                const double *first = roots + j * count, *second = first + n * count;
                size_t e = count - 1 - c;
                covariance -= (first[c] + t * second[c]) * (first[e] + u * second[e]);
            }
            assert_close(covariance, gp_covariance(g, x, t, y, u), 1e-11);
        }
    free(roots);
    free(slopes);
}

static void test_projection(void **state) {
    (void)state;
    rng stream = rng_open(8, RNG_TEST, 0, 0, 0);
    const size_t told[] = {0, 0, 1, 12, 30}, pending[] = {0, 4, 0, 7, 0};
    for (int round = 0; round < 2; round++)
        for (size_t a = 0; a < sizeof told / sizeof *told; a++)
            for (size_t count = 1; count <= 70; count += 23) {
                size_t d = 1 + (size_t)rng_below(&stream, 6);
                double thetas[70 * 6];
                observations o;
                facts_draw_trials(&stream, &o, told[a] + pending[a], d);
                hyperparameters h = facts_draw_hyperparameters(&stream, d);
                facts_draw_theta(&stream, count * d, thetas);
                gp *g = condition(&o, told[a], &h);
                assert_projection_agrees(g, thetas, count);
                gp_destroy(g);
                observations_free(&o);
            }
}

/* The explained covariance of (x, t) with (y, u) is k - covariance; its gradient by x is the pull
 * back of y's root. What the gradient held before stays in it. */
static void test_pull_back(void **state) {
    (void)state;
    rng stream = rng_open(9, RNG_TEST, 0, 0, 0);
    const double step = 1e-3;
    for (int trial = 0; trial < 30; trial++) {
        size_t d = 1 + (size_t)rng_below(&stream, 4), n = 20;
        observations o;
        facts_draw_trials(&stream, &o, n, d);
        hyperparameters h = facts_draw_hyperparameters(&stream, d);
        gp *g = condition(&o, n - 6, &h);
        double x[4], y[4], t, u, roots[2 * 20], slopes[2], root[20], gradient[4];
        draw_place(&stream, &o, x, &t);
        draw_place(&stream, &o, y, &u);
        gp_project(g, y, 1, roots, slopes);
        for (size_t j = 0; j < n; j++)
            root[j] = roots[j] + u * roots[n + j];
        for (size_t i = 0; i < d; i++)
            gradient[i] = (double)i;
        gp_pull_back(g, x, t, root, gradient);
        for (size_t i = 0; i < d; i++) {
            double at = x[i], f[4];
            for (int k = 0; k < 4; k++) {
                x[i] = at + step * (double[]){-2, -1, 1, 2}[k];
                f[k] = (double)facts_kernel(&h, d, x, t, y, u) - gp_covariance(g, x, t, y, u);
            }
            x[i] = at;
            double slope = (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * step);
            assert_close(gradient[i] - (double)i, slope, 1e-6 * fmax(1, fabs(slope)));
        }
        gp_destroy(g);
        observations_free(&o);
    }
}

/* Without jitter. */
static bool can_be_factorised(const observations *o, const hyperparameters *h) {
    size_t n = o->count, d = o->dimension;
    double *matrix = calloc(n * n, sizeof *matrix), *room = calloc(n * n, sizeof *room);
    assert_true(matrix && room);
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k <= j; k++)
            matrix[j * n + k] = kernel_covariance(h, d, o->theta + j * d, o->share[j],
                                                  o->theta + k * d, o->share[k]);
        matrix[j * n + j] += noise_variance(h, o->level[j], o->reps[j]);
    }
    bool factorised = cholesky_factorise(matrix, n, room);
    free(matrix);
    free(room);
    return factorised;
}

/* Fifty trials within 1e-9 of one another with next to no noise: the plain factorisation cannot
 * succeed, the ladder of jitter must, and twice with the same bytes. */
static void test_near_duplicates_factorise(void **state) {
    (void)state;
    rng stream = rng_open(10, RNG_TEST, 0, 0, 0);
    besd_error error;
    for (int trial = 0; trial < 10; trial++) {
        observations o;
        hyperparameters h = facts_draw_hyperparameters(&stream, 2);
        for (int level = 0; level < FACTS_LEVELS; level++)
            h.env_variance[level] = h.rep_variance[level] = 1e-30;
        assert_ok(observations_init(&o, 2, &error), &error);
        double centre[2] = {0.3, 0.7};
        for (int j = 0; j < 50; j++) {
            double theta[2] = {centre[0] + 1e-9 * rng_uniform(&stream),
                               centre[1] + 1e-9 * rng_uniform(&stream)};
            assert_ok(
                observations_add(&o, theta, 1, 3, 1, 2 + 1e-9 * rng_normal(&stream), 0, &error),
                &error);
        }
        assert_false(can_be_factorised(&o, &h));
        gp *one = condition(&o, 50, &h), *two = condition(&o, 50, &h);
        double size = noise_free_variance(&h, 2, centre, 1), variance, same;
        double mean = gp_predict(one, centre, 1, &variance, NULL);
        assert_true(mean == gp_predict(two, centre, 1, &same, NULL) && variance == same);
        assert_close(mean, 2, 1e-3);
        assert_true(variance >= 0 && variance < 1e-3 * size);
        gp_destroy(one);
        gp_destroy(two);
        observations_free(&o);
    }
}

static void test_bytes_repeat(void **state) {
    (void)state;
    rng stream = rng_open(12, RNG_TEST, 0, 0, 0);
    observations o;
    facts_draw_trials(&stream, &o, MOST, 4);
    hyperparameters h = facts_draw_hyperparameters(&stream, 4);
    gp *one = condition(&o, MOST - 3, &h), *two = condition(&o, MOST - 3, &h);
    for (int trial = 0; trial < 20; trial++) {
        double x[4], t, variance, same, gradient[4], same_gradient[4];
        draw_place(&stream, &o, x, &t);
        assert_true(gp_predict(one, x, t, &variance, gradient) ==
                    gp_predict(two, x, t, &same, same_gradient));
        assert_true(variance == same);
        assert_memory_equal(gradient, same_gradient, sizeof gradient);
    }
    gp_destroy(one);
    gp_destroy(two);
    observations_free(&o);
}

/* What is handed in is copied: the caller may change or free it. */
static void test_arguments_are_copied(void **state) {
    (void)state;
    rng stream = rng_open(13, RNG_TEST, 0, 0, 0);
    observations o;
    facts_draw_trials(&stream, &o, 10, 2);
    hyperparameters h = facts_draw_hyperparameters(&stream, 2);
    gp *g = condition(&o, 10, &h);
    double x[2] = {0.2, 0.6}, variance, same, mean = gp_predict(g, x, 1, &variance, NULL);
    memset(&h, 0, sizeof h);
    observations_free(&o);
    assert_true(gp_predict(g, x, 1, &same, NULL) == mean && same == variance);
    gp_destroy(g);
}

/* A kernel of two parts: the dense formula once more; and the means at all pairs of a first part
 * and a second, with trials told, pending or none at all. */
static void test_pairs_of_parts(void **state) {
    (void)state;
    enum { ROWS = 7, COLUMNS = 5, LONGEST = 4 };
    const size_t sizes[] = {0, 1, 6, MOST};
    rng stream = rng_open(15, RNG_TEST, 0, 0, 0);
    besd_error error;
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
        for (size_t half = 1; half <= LONGEST; half++) {
            size_t n = sizes[a], told = n - n / 3, d = 2 * half;
            observations o;
            double firsts[ROWS * LONGEST], seconds[COLUMNS * LONGEST], means[ROWS * COLUMNS];
            double variances[ROWS * COLUMNS];
            double before[ROWS * COLUMNS], theta[2 * LONGEST], share = half % 2 ? 1 : 0.4;
            facts_draw_trials(&stream, &o, n, d);
            hyperparameters h = facts_draw_hyperparameters(&stream, d);
            h.parts = 2;
            gp *g = condition(&o, told, &h);
            facts_posterior p = facts_condition(&o, told, &h);
            assert_matches(g, &p, &stream, 1e-9);
            facts_draw_theta(&stream, ROWS * half, firsts);
            facts_draw_theta(&stream, COLUMNS * half, seconds);
            assert_ok(gp_predict_pairs(g, firsts, ROWS, seconds, COLUMNS, share, means, &error),
                      &error);
            assert_ok(
                gp_pair_variances(g, firsts, ROWS, seconds, COLUMNS, share, variances, &error),
                &error);
            for (size_t i = 0; i < ROWS; i++)
                for (size_t j = 0; j < COLUMNS; j++) {
                    double variance;
                    memcpy(theta, firsts + i * half, half * sizeof *theta);
                    memcpy(theta + half, seconds + j * half, half * sizeof *theta);
                    double expected = gp_predict(g, theta, share, &variance, NULL);
                    assert_close(means[i * COLUMNS + j], expected, 1e-10 * fmax(1, fabs(expected)));
                    assert_close(variances[i * COLUMNS + j], variance, 1e-10 * fmax(1, variance));
                }
            gp_destroy(g);
            g = NULL; /* without those that are on their way */
            o.count = told;
            g = condition(&o, told, &h);
            assert_ok(gp_predict_pairs(g, firsts, ROWS, seconds, COLUMNS, share, before, &error),
                      &error);
            for (size_t i = 0; i < ROWS * COLUMNS; i++)
                assert_close(means[i], before[i], 1e-10 * fmax(1, fabs(before[i])));
            gp_destroy(g);
            facts_forget(&p);
            observations_free(&o);
        }
}

/* No jitter helps a model without any variance, and it is relative to the variance there is. */
static void test_no_variance_is_an_error(void **state) {
    (void)state;
    rng stream = rng_open(14, RNG_TEST, 0, 0, 0);
    besd_error error;
    observations o;
    facts_draw_trials(&stream, &o, 5, 2);
    hyperparameters h = {.lengthscale = {1, 1}};
    gp *g = NULL;
    assert_fails(gp_create(&o, 5, &h, &g, &error), BESD_NUMERIC, &error, "5 trials");
    assert_null(g);
    observations_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches_dense_formula),
        cmocka_unit_test(test_prior),
        cmocka_unit_test(test_one_trial),
        cmocka_unit_test(test_pending_shrinks_and_says_nothing),
        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_gradient_of_the_mean),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_pull_back),
        cmocka_unit_test(test_near_duplicates_factorise),
        cmocka_unit_test(test_bytes_repeat),
        cmocka_unit_test(test_arguments_are_copied),
        cmocka_unit_test(test_pairs_of_parts),
        cmocka_unit_test(test_no_variance_is_an_error),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
