/* The knowledge gradient of random studies against a naive computation: every covariance by itself,
 * every line kept, the envelope by comparing all pairs. Bounds against values, one case against the
 * future itself. */
#include "kg_facts.h"

/* h(-c) for c >= 0; the cancellation costs c^2 units of the long double. */
static long double improvement(long double c) {
    long double density = expl(-c * c / 2) / sqrtl(2 * 3.14159265358979323846L);
    return density - c * erfcl(c / sqrtl(2)) / 2;
}

/* sum_j (b_{j+1} - b_j) h(-|c_j|), from the lines that are highest somewhere and those that take
 * over from them. */
static long double naive_kg(const double *a, const long double *b, size_t n) {
    long double sum = 0;
    for (size_t i = 0; i < n; i++) {
        long double low = -INFINITY, high = INFINITY;
        size_t next = n;
        for (size_t j = 0; j < n && low < high; j++) {
            long double above = (long double)a[j] - (long double)a[i];
            if (b[j] < b[i])
                low = fmaxl(low, above / (b[i] - b[j]));
            else if (b[j] > b[i]) {
                long double cut = above / (b[i] - b[j]);
                /* of several that take over at one place the steepest does */
                if (cut < high || (cut == high && next < n && b[j] > b[next])) {
                    high = cut;
                    next = j;
                }
            } else if (above > 0 || (above == 0 && j < i))
                high = -INFINITY;
        }
        if (low < high && next < n)
            sum += (b[next] - b[i]) * improvement(fabsl(high));
    }
    return sum;
}

/* nu of one theta for all levers, and the size of the largest slope. */
static void naive_levers(const study *s, const double *theta, long double *nu, double *steepest) {
    size_t m = s->target_count, d = s->dimension;
    double *a = malloc(m * sizeof *a), *covariance = malloc(m * sizeof *covariance);
    long double *b = malloc(m * sizeof *b);
    assert_true(a && b && covariance);
    for (size_t i = 0; i < m; i++)
        a[i] = gp_predict(s->model, s->targets + i * d, 1, NULL, NULL);
    *steepest = 0;
    for (int t = 0; t < TAUS; t++) {
        double variance;
        gp_predict(s->model, theta, facts_shares[t], &variance, NULL);
        for (size_t i = 0; i < m; i++)
            covariance[i] = gp_covariance(s->model, s->targets + i * d, 1, theta, facts_shares[t]);
        for (int r = 0; r < REPS; r++) {
            for (size_t i = 0; i < m; i++) {
                b[i] = covariance[i] / sqrtl(variance + facts_noise(&s->h, t, reps[r]));
                *steepest = fmax(*steepest, fabs((double)b[i]));
            }
            nu[t * REPS + r] = naive_kg(a, b, m);
        }
    }
    free(a);
    free(b);
    free(covariance);
}

/* Means are good to 3e-13 and covariances to 3e-15, here as there, which moves nu by as much of the
 * slopes; where nu is small the cuts are far out and it counts many times. What is left out beyond
 * |Z| = 9 is worth up to 1e-19 of the steepest. */
static int compare(const study *s, rng *stream) {
    int compared = 0;
    for (int place = 0; place < 8; place++) {
        double theta[4], log_kg[LEVERS], steepest;
        long double naive[LEVERS];
        facts_draw_theta(stream, s->dimension, theta);
        if (place % 2) /* half of them are targets */
            memcpy(theta, s->targets + (size_t)rng_below(stream, s->target_count) * s->dimension,
                   s->dimension * sizeof *theta);
        kg_evaluate(s->k, theta, log_kg);
        naive_levers(s, theta, naive, &steepest);
        for (int l = 0; l < LEVERS; l++) {
            double expected = (double)naive[l];
            double tolerance = fmin(1e-11 * steepest, 1e-6 * expected);
            assert_close(exp(log_kg[l]), expected, tolerance + 1e-19 * steepest);
            compared += expected > 1e-2 * steepest;
        }
    }
    return compared;
}

static void test_matches_naive_computation(void **state) {
    (void)state;
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    int compared = 0;
    for (int trial = 0; trial < TEST_SIZE(24, 12); trial++) {
        study s;
        open_random_study(&s, &stream, FEW, trial);
        compared += compare(&s, &stream);
        close_study(&s);
    }
    assert_true(compared > TEST_SIZE(1200, 500));
}

/* Half of the told trials are a source's. What is left in doubt of the study's level is the same
 * for all designs, so no trial is worth more for it. */
static void test_matches_with_a_source(void **state) {
    (void)state;
    rng stream = rng_open(11, RNG_TEST, 0, 0, 0);
    besd_error error;
    int compared = 0;
    const task_set set = {.own = 1, .weight = {1}, .sources = 1};
    for (int trial = 0; trial < 6; trial++) {
        study s;
        open_random_study(&s, &stream, FEW, 3 + trial % 3);
        s.o.tasks = &set;
        for (size_t j = 0; j < s.o.count / 2; j++)
            s.o.task[j] = tasks_source(&set, 0);
        s.h.tasks = (task_parameters){.level_variance = rng_between(&stream, 0.05, 2),
                                      .kappa = {trial % 2 ? 0.8 : 0},
                                      .gamma = {1.2},
                                      .noise = {0.1}};
        kg_destroy(s.k);
        gp_destroy(s.model);
        assert_ok(gp_create(&s.o, s.o.count - (trial % 3 == 2 ? 7 : 0), &s.h, &s.model, &error),
                  &error);
        open_kg(&s);
        compared += compare(&s, &stream);
        close_study(&s);
    }
    assert_true(compared > 200);
}

/* The trial happens: an outcome is drawn, told to the model, and the targets are looked at again.
 * The mean of today's best target goes up as often as down, so that nu is the mean lead of the best
 * one over it, within four standard errors. */
static void test_matches_the_future(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    besd_error error;
    study s;
    const int draws = TEST_SIZE(20000, 2000), tau = 1, q = 1;
    open_study(&s, &stream, FEW, 6, 0, 2);
    s.target_count = 12;
    kg_destroy(s.k);
    open_kg(&s);
    double theta[2], variance, sum = 0, squares = 0, drift = 0, drift_squares = 0, nu = 0;
    for (int k = 0; k < 50; k++) { /* a candidate that is worth something */
        double other[2], log_kg[LEVERS];
        facts_draw_theta(&stream, 2, other);
        kg_evaluate(s.k, other, log_kg);
        if (exp(log_kg[tau * REPS + q]) > nu) {
            nu = exp(log_kg[tau * REPS + q]);
            memcpy(theta, other, sizeof theta);
        }
    }
    const double *best = s.targets;
    double before = gp_predict(s.model, best, 1, NULL, NULL);
    for (size_t i = 1; i < s.target_count; i++) {
        double other = gp_predict(s.model, s.targets + 2 * i, 1, NULL, NULL);
        best = other > before ? s.targets + 2 * i : best;
        before = fmax(before, other);
    }
    double mean = gp_predict(s.model, theta, facts_shares[tau], &variance, NULL);
    double sd = sqrt(variance + noise_variance(&s.h, tau, reps[q]));
    for (int k = 0; k < draws; k++) {
        gp *future = NULL;
        double highest = -INFINITY, score = mean + sd * rng_normal(&stream);
        assert_ok(observations_add(&s.o, theta, facts_shares[tau], tau, reps[q], score, 0, &error),
                  &error);
        assert_ok(gp_create(&s.o, s.o.count, &s.h, &future, &error), &error);
        s.o.count--;
        for (size_t i = 0; i < s.target_count; i++)
            highest = fmax(highest, gp_predict(future, s.targets + 2 * i, 1, NULL, NULL));
        double after = gp_predict(future, best, 1, NULL, NULL), lead = highest - after;
        gp_destroy(future);
        sum += lead;
        squares += lead * lead;
        drift += after - before;
        drift_squares += (after - before) * (after - before);
    }
    double lead = sum / draws, error_of_lead = sqrt((squares / draws - lead * lead) / draws);
    assert_true(nu > TEST_SIZE(50, 15) * error_of_lead);
    assert_close(lead, nu, 4 * error_of_lead);
    assert_close(drift / draws, 0, 4 * sqrt(drift_squares) / draws);
    close_study(&s);
}

/* Every lever of every target of many studies. */
static void test_bound_is_never_violated(void **state) {
    (void)state;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    size_t cases = 0;
    double loosest = 0;
    for (int trial = 0; trial < TEST_SIZE(84, 12); trial++) {
        study s;
        open_random_study(&s, &stream, FEW, trial);
        for (size_t c = 0; c < s.target_count; c++) {
            double log_kg[LEVERS];
            kg_evaluate(s.k, s.targets + c * s.dimension, log_kg);
            for (int l = 0; l < LEVERS; l++, cases++) {
                double bound = kg_bound(s.k, c, l / REPS, l % REPS);
                if (!(log_kg[l] <= bound + 1e-12))
                    fail_msg("study %d, target %zu, lever %d: log nu %.17g above its bound %.17g",
                             trial, c, l, log_kg[l], bound);
                if (log_kg[l] > -10)
                    loosest = fmax(loosest, bound - log_kg[l]);
            }
        }
        close_study(&s);
    }
    assert_true(cases >= TEST_SIZE(100000, 10000));
    assert_true(loosest < 20); /* a bound of infinity would be safe too */
}

/* With one target there is nothing to choose between. */
static void test_one_target_is_worth_nothing(void **state) {
    (void)state;
    rng stream = rng_open(8, RNG_TEST, 0, 0, 0);
    study s;
    kg_choice choice;
    size_t found;
    open_study(&s, &stream, FEW, 10, 2, 2);
    kg_destroy(s.k);
    s.target_count = 1;
    open_kg(&s);
    double theta[2] = {0.3, 0.3}, log_kg[LEVERS], gradient[2] = {1, 1};
    kg_evaluate(s.k, theta, log_kg);
    for (int l = 0; l < LEVERS; l++) {
        assert_true(log_kg[l] == -INFINITY);
        assert_true(kg_bound(s.k, 0, l / REPS, l % REPS) == -INFINITY);
    }
    assert_true(kg_gradient(s.k, theta, 1, 1, gradient) == -INFINITY);
    assert_true(gradient[0] == 0 && gradient[1] == 0);
    for (int prune = 0; prune < 2; prune++) {
        search(&s, prune, &choice, 1, &found);
        assert_int_equal(found, 0);
    }
    close_study(&s);
    kg_destroy(NULL);
}

/* Everything is known: all targets were tried at all tau with next to no noise, in every other
 * study with the same score, so that rounding decides which is best. What is left to gain is of the
 * order of the noise or of the root of rounding, and it must not become NaN. */
static void test_nothing_left_to_learn(void **state) {
    (void)state;
    enum { KNOWN = 30 };
    rng stream = rng_open(9, RNG_TEST, 0, 0, 0);
    besd_error error;
    for (int trial = 0; trial < 24; trial++) {
        study s = {.dimension = 2, .target_count = KNOWN};
        kg_choice choices[3];
        size_t found;
        double noise = pow(10, -6 - 0.5 * trial);
        s.h = facts_draw_hyperparameters(&stream, 2);
        for (int level = 0; level < TAUS; level++)
            s.h.env_variance[level] = s.h.rep_variance[level] = noise;
        s.targets = malloc(2 * KNOWN * sizeof *s.targets);
        assert_non_null(s.targets);
        latin_hypercube((uint64_t)trial, RNG_TEST, KNOWN, 2, s.targets);
        assert_ok(observations_init(&s.o, 2, &error), &error);
        for (size_t c = 0; c < KNOWN; c++)
            for (int level = 0; level < TAUS; level++)
                assert_ok(observations_add(&s.o, s.targets + 2 * c, facts_shares[level], level, 1,
                                           trial % 2 ? 1 : sin(9 * s.targets[2 * c]), 0, &error),
                          &error);
        assert_ok(gp_create(&s.o, s.o.count, &s.h, &s.model, &error), &error);
        open_kg(&s);
        for (size_t c = 0; c < KNOWN; c++) {
            double log_kg[LEVERS], gradient[2];
            kg_evaluate(s.k, s.targets + 2 * c, log_kg);
            for (int l = 0; l < LEVERS; l++) {
                assert_true(log_kg[l] < log(sqrt(noise) + 1e-6)); /* false for NaN as well */
                assert_true(!isnan(kg_bound(s.k, c, l / REPS, l % REPS)));
                double value = kg_gradient(s.k, s.targets + 2 * c, l / REPS, l % REPS, gradient);
                assert_true(!isnan(value) && isfinite(gradient[0]) && isfinite(gradient[1]));
            }
        }
        search(&s, true, choices, 3, &found);
        assert_true(found == 3 || !(trial % 2));
        for (size_t i = 0; i < found; i++) {
            assert_ok(kg_refine(s.k, &choices[i], &error), &error);
            assert_true(isfinite(choices[i].log_score));
        }
        close_study(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches_naive_computation),
        cmocka_unit_test(test_matches_with_a_source),
        cmocka_unit_test(test_matches_the_future),
        cmocka_unit_test(test_bound_is_never_violated),
        cmocka_unit_test(test_one_target_is_worth_nothing),
        cmocka_unit_test(test_nothing_left_to_learn),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
