/* The prior covariance against a second writing of it, its pieces by hand, and that everybody who
 * needs it takes the same. */
#include "model_facts.h"

#include "decide/kg.h"
#include "model/cholesky.h"
#include "model/matern.h"

/* The pieces the kernel is made of, by hand: Sigma = ((4, 2), (2, 10)). */
static void test_pieces(void **state) {
    (void)state;
    hyperparameters h = {.sigma_root = {2, 1, 3}};
    h.env_variance[2] = 0.5;
    h.rep_variance[2] = 8;
    double basis[MODEL_MAX_BASIS], weight[2];
    assert_close(kernel_tau(&h, 0.5, 0.25), 4 + 2 * 0.75 + 10 * 0.125, 1e-15);
    assert_close(kernel_tau(&h, 1, 1), 18, 1e-15);
    kernel_weights(&h, 0.5, weight);
    assert_true(weight[0] == 4 + 2 * 0.5 && weight[1] == 2 + 10 * 0.5);
    assert_close(noise_variance(&h, 2, 4), 2.5, 0);
    basis_values(0.75, basis);
    assert_true(basis[0] == 1 && basis[1] == 0.75 && basis[2] == 0.25);
    assert_int_equal(basis_count(&h), 2);
    assert_false(kernel_has_discrepancy(&h));
    assert_true(kernel_variance(&h, 0.5) == kernel_tau(&h, 0.5, 0.5));
    h.discrepancy_variance = 8;
    assert_int_equal(basis_count(&h), 3);
    assert_true(kernel_has_discrepancy(&h));
    assert_true(kernel_discrepancy(&h, 0.5, 0.75) == 1);
    assert_true(kernel_variance(&h, 0.5) == kernel_tau(&h, 0.5, 0.5) + 2);
}

/* All kinds, one to twenty dimensions: two places, and a row of them, against the formula. */
static void test_matches_second_writing(void **state) {
    (void)state;
    enum { PLACES = 50 };
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 60; trial++) {
        size_t d = trial % 10 == 0 ? 20 : 1 + (size_t)rng_below(&stream, 6);
        hyperparameters h = facts_draw_hyperparameters(&stream, d, (model_kind)(trial % 3));
        double thetas[PLACES * 20], shares[PLACES], scaled[PLACES * 20], disc_scaled[PLACES * 20];
        double correlation[PLACES], disc_correlation[PLACES], row[PLACES];
        bool extended = kernel_has_discrepancy(&h);
        for (size_t j = 0; j < PLACES; j++) {
            facts_draw_theta(&stream, d, thetas + j * d);
            shares[j] = rng_below(&stream, 3) ? rng_uniform(&stream) : 1;
            kernel_scale(&h, d, thetas + j * d, scaled + j * d,
                         extended ? disc_scaled + j * d : NULL);
        }
        matern_row(scaled, scaled, PLACES, d, correlation, NULL);
        if (extended)
            matern_row(disc_scaled, disc_scaled, PLACES, d, disc_correlation, NULL);
        kernel_row(&h, shares[0], shares, PLACES, correlation, extended ? disc_correlation : NULL,
                   row);
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
        kernel_row(&h, shares[0], shares, PLACES, correlation, extended ? disc_correlation : NULL,
                   correlation); /* in place */
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
        hyperparameters h = facts_draw_hyperparameters(&stream, d, MODEL_NOISE), none = h;
        size_t some = 1 + (size_t)rng_below(&stream, PLACES);
        h.parts = parts;
        for (size_t j = 0; j < PLACES; j++)
            facts_draw_theta(&stream, d, thetas + j * d);
        for (size_t j = PLACES; j-- > 0;)
            kernel_put(&h, d, thetas + j * d, j, PLACES, scaled);
        kernel_scale(&h, d, thetas, x, NULL);
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

/* The discrepancy says nothing of full trainings. */
static void test_discrepancy_vanishes_at_tau_max(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 50; trial++) {
        hyperparameters h = facts_draw_hyperparameters(&stream, 3, MODEL_EXTENDED), plain = h;
        double x[3], y[3], share = rng_uniform(&stream);
        plain.discrepancy_variance = 0;
        facts_draw_theta(&stream, 3, x);
        facts_draw_theta(&stream, 3, y);
        assert_true(kernel_covariance(&h, 3, x, share, y, 1) ==
                    kernel_covariance(&plain, 3, x, share, y, 1));
        assert_true(kernel_variance(&h, 1) == kernel_variance(&plain, 1));
        assert_true(kernel_covariance(&h, 3, x, share, y, 0.5) >
                    kernel_covariance(&plain, 3, x, share, y, 0.5));
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
        hyperparameters h = facts_draw_hyperparameters(&stream, d, (model_kind)(trial % 3));
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
    for (int kind = MODEL_PAPER; kind <= MODEL_EXTENDED; kind++) {
        observations o;
        gp *g = NULL;
        double thetas[20 * 2], shares[20], means[20], variances[20];
        assert_ok(observations_init(&o, 2, &error), &error);
        hyperparameters h = facts_draw_hyperparameters(&stream, 2, (model_kind)kind);
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
        hyperparameters h =
            facts_draw_hyperparameters(&stream, 2, trial % 2 ? MODEL_PAPER : MODEL_EXTENDED);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_matches_second_writing),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_discrepancy_vanishes_at_tau_max),
        cmocka_unit_test(test_positive_semidefinite),
        cmocka_unit_test(test_model_takes_this_variance),
        cmocka_unit_test(test_acquisition_takes_this_variance),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
