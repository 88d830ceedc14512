/* The search for hyperparameters on data whose answer is known or that has no answer. */
#include "fit_facts.h"

static hyperparameters fit(const observations *o, int starts, const hyperparameters *warm,
                           double *value) {
    besd_error error;
    hyperparameters h;
    double own_value;
    fit_problem *p = pose(o, starts, warm);
    assert_ok(fit_run(p, &h, value ? value : &own_value, &error), &error);
    fit_destroy(p);
    return h;
}

/* Scores drawn from the model itself: f at the trials by Cholesky of the noise-free covariance, a
 * shift per trial, q scores about it. */
static void draw_from_model(rng *stream, const hyperparameters *h, observations *o) {
    enum { MOST = 200 };
    static long double k[MOST * MOST];
    double z[MOST];
    size_t n = o->count, d = o->dimension;
    assert_true(n <= MOST);
    for (size_t j = 0; j < n; j++) {
        z[j] = rng_normal(stream);
        for (size_t l = 0; l <= j; l++) {
            long double sum =
                facts_kernel(h, d, o->theta + j * d, o->share[j], o->theta + l * d, o->share[l]);
            for (size_t i = 0; i < l; i++)
                sum -= k[j * n + i] * k[l * n + i];
            k[j * n + l] = j == l ? sqrtl(sum + 1e-12L) : sum / k[l * n + l];
        }
    }
    for (size_t j = 0; j < n; j++) {
        long double f = h->prior_mean;
        for (size_t l = 0; l <= j; l++)
            f += k[j * n + l] * z[l];
        double scores[64], centre = (double)f;
        centre += sqrt(h->env_variance[o->level[j]]) * rng_normal(stream);
        o->mean[j] = o->within[j] = 0;
        size_t q = (size_t)o->reps[j];
        for (size_t i = 0; i < q; i++) {
            scores[i] = centre + sqrt(h->rep_variance[o->level[j]]) * rng_normal(stream);
            o->mean[j] += scores[i] / (double)q;
        }
        for (size_t i = 0; i < q; i++)
            o->within[j] += pow(scores[i] - o->mean[j], 2);
    }
}

static void assert_within_factor(double got, double expected, double factor) {
    if (!(got <= expected * factor && got >= expected / factor))
        fail_msg("expected %g within a factor of %g, got %g", expected, factor, got);
}

/* 180 trials of 10 scores in the square. The variance of a score has 1620 degrees of freedom: it is
 * known to 4 %. Length scales, signal and the noise of trials are known less well; the factors are
 * a little more than the extremes over twelve other seeds. */
static void test_recovers_the_paper_model(void **state) {
    (void)state;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    hyperparameters truth = {
        .prior_mean = 0.3, .lengthscale = {0.25, 0.8}, .sigma_root = {0.7, 0.6, 0.5}};
    for (int level = 0; level < FACTS_LEVELS; level++) {
        truth.env_variance[level] = 0.01;
        truth.rep_variance[level] = 0.25;
    }
    observations o;
    facts_draw_trials(&stream, &o, 180, 2);
    for (size_t j = 0; j < o.count; j++)
        o.reps[j] = 10;
    draw_from_model(&stream, &truth, &o);
    hyperparameters h = fit(&o, 4, NULL, NULL);
    assert_within_factor(h.rep_variance[0], 0.25, 1.15);
    assert_within_factor(h.env_variance[0], 0.01, 3);
    assert_within_factor(h.lengthscale[0], 0.25, 2.2);
    assert_within_factor(h.lengthscale[1], 0.8, 2.2);
    for (int level = 0; level < FACTS_LEVELS; level++) {
        double t = facts_shares[level];
        assert_within_factor(kernel_tau(&h, t, t), kernel_tau(&truth, t, t), 3.2);
    }
    /* a short training tells of a long one as it should: correlation of f between the levels */
    double correlation =
        kernel_tau(&h, 0.125, 1) / sqrt(kernel_tau(&h, 0.125, 0.125) * kernel_tau(&h, 1, 1));
    double expected = kernel_tau(&truth, 0.125, 1) /
                      sqrt(kernel_tau(&truth, 0.125, 0.125) * kernel_tau(&truth, 1, 1));
    assert_close(correlation, expected, 0.1);
    observations_free(&o);
}

/* Finite and positive in all parts, and a posterior can be made of it. */
static void assert_usable(const observations *o) {
    double value;
    hyperparameters h = fit(o, 3, NULL, &value);
    assert_true(isfinite(value) && value > -1e200);
    for (size_t i = 0; i < o->dimension; i++)
        assert_true(h.lengthscale[i] >= 0.0099 && h.lengthscale[i] <= 4.01);
    assert_true(h.sigma_root[0] > 0 && h.sigma_root[2] > 0 && isfinite(h.sigma_root[1]));
    for (int level = 0; level < FACTS_LEVELS; level++) {
        assert_true(h.env_variance[level] > 0 && isfinite(h.env_variance[level]));
        assert_true(h.rep_variance[level] > 0 && isfinite(h.rep_variance[level]));
    }
    gp *g = NULL;
    besd_error error;
    assert_ok(gp_create(o, o->count, &h, &g, &error), &error);
    double variance, mean = gp_predict(g, o->theta, 1, &variance, NULL);
    assert_true(isfinite(mean) && isfinite(variance));
    gp_destroy(g);
}

typedef enum trouble {
    SCORES_EQUAL,     /* within trials, as when every agent runs into the cap */
    ALL_SCORES_EQUAL, /* and between them */
    TRIALS_EQUAL,     /* the same theta, tau, q again and again */
    ALL_EQUAL,        /* with the same scores */
    ONE_TRIAL,
    ONE_LEVEL,
    ONE_SCORE_EACH,
    ONE_SCORE, /* one trial of it */
    HUGE_SCORES,
    TROUBLES
} trouble;

static void make_trouble(observations *o, trouble kind) {
    for (size_t j = 0; j < o->count; j++) {
        if (kind == SCORES_EQUAL || kind == ALL_SCORES_EQUAL || kind == ALL_EQUAL)
            o->within[j] = 0;
        if (kind == ALL_SCORES_EQUAL || kind == ALL_EQUAL)
            o->mean[j] = -7.25;
        if (kind == TRIALS_EQUAL || kind == ALL_EQUAL) {
            memcpy(o->theta + j * o->dimension, o->theta, o->dimension * sizeof *o->theta);
            o->reps[j] = o->reps[0];
        }
        if (kind == TRIALS_EQUAL || kind == ALL_EQUAL || kind == ONE_LEVEL) {
            o->share[j] = 1;
            o->level[j] = 3;
        }
        if (kind == ONE_SCORE_EACH || kind == ONE_SCORE) {
            o->reps[j] = 1;
            o->within[j] = 0;
        }
        if (kind == HUGE_SCORES) {
            o->mean[j] *= 1e8;
            o->within[j] *= 1e16;
        }
    }
    if (kind == ONE_TRIAL || kind == ONE_SCORE)
        o->count = 1;
}

/* Short trainings that say the opposite of full ones are taken for uninformative, not reversed: the
 * likelihood wants a correlation near -1 and gets as far as 20 nats per unit let it. */
static void test_lengths_hardly_contradict(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        rng stream = rng_open(seed, RNG_TEST, 77, 0, 0);
        observations o;
        besd_error error;
        assert_int_equal(observations_init(&o, 1, &error), BESD_OK);
        for (int j = 0; j < 40; j++) {
            double theta = rng_uniform(&stream), wave = sin(6 * theta);
            bool brief = j % 2;
            double mean = (brief ? -wave : wave) + 0.1 * rng_normal(&stream);
            assert_int_equal(
                observations_add(&o, &theta, brief ? 0.2 : 1, brief ? 0 : 2, 5, mean, 0.05, &error),
                BESD_OK);
        }
        for (int round = 0; round < 3; round++) {
            fit_problem *p = pose(&o, FIT_MAX_STARTS, NULL);
            hyperparameters h;
            double value;
            assert_int_equal(fit_run(p, &h, &value, &error), BESD_OK);
            assert_true(correlation_of_lengths(&o, &h) > -0.25);
            fit_destroy(p);
        }
        observations_free(&o);
    }
}

static void test_troubled_data(void **state) {
    (void)state;
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 3; round++)
        for (int what = 0; what < TROUBLES; what++) {
            observations o;
            facts_draw_trials(&stream, &o, 20, 3);
            make_trouble(&o, (trouble)what);
            assert_usable(&o);
            observations_free(&o);
        }
}

/* Scores at the cap are all equal; their trials must not claim to know f there without error, or
 * one of them would outweigh everything. */
static void test_equal_scores_keep_noise(void **state) {
    (void)state;
    rng stream = rng_open(7, RNG_TEST, 0, 0, 0);
    observations o;
    double variance = 0;
    facts_draw_trials(&stream, &o, 40, 2);
    for (size_t j = 0; j < o.count; j++) {
        o.within[j] = 0;
        variance += o.mean[j] * o.mean[j] / (double)o.count;
    }
    hyperparameters h = fit(&o, 4, NULL, NULL);
    assert_true(h.env_variance[0] > 1e-7 * variance && h.rep_variance[0] > 1e-7 * variance);
    assert_true(h.rep_variance[0] < 0.1 * variance);
    observations_free(&o);
}

/* From random places, also near the end of a search: never worse than the place itself, and what
 * is reported is the value of what is returned. */
static void test_warm_start_never_ends_worse(void **state) {
    (void)state;
    rng stream = rng_open(8, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 30; trial++) {
        observations o;
        facts_draw_trials(&stream, &o, 25, 2);
        fit_problem *p = pose(&o, 1, NULL);
        double x[FIT_MAX_PARAMETERS], value;
        hyperparameters start;
        draw_parameters(&stream, p, &o, x);
        fit_unpack(p, x, &start);
        for (int round = 0; round < 3; round++) {
            fit_pack(p, &start, x);
            double before = fit_log_posterior(p, x, NULL);
            hyperparameters end = fit(&o, 1, &start, &value);
            assert_true(value >= before - 1e-9 * fabs(before));
            fit_pack(p, &end, x);
            assert_close(fit_log_posterior(p, x, NULL), value, 1e-9 * fmax(1, fabs(value)));
            start = end;
        }
        fit_destroy(p);
        observations_free(&o);
    }
}

/* More starts cannot end lower. */
static void test_more_starts_are_no_worse(void **state) {
    (void)state;
    rng stream = rng_open(9, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 6; trial++) {
        observations o;
        double before = -INFINITY, value;
        facts_draw_trials(&stream, &o, 25, 2);
        for (int starts = 1; starts <= FIT_MAX_STARTS; starts++) {
            fit(&o, starts, NULL, &value);
            assert_true(value >= before);
            before = value;
        }
        observations_free(&o);
    }
}

/* No single parameter moved up or down gains anything that matters. */
static void test_ends_at_a_maximum(void **state) {
    (void)state;
    rng stream = rng_open(10, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 8; trial++) {
        observations o;
        facts_draw_trials(&stream, &o, 30, 2);
        double value, x[FIT_MAX_PARAMETERS];
        hyperparameters h = fit(&o, 3, NULL, &value);
        fit_problem *p = pose(&o, 1, NULL);
        fit_pack(p, &h, x);
        for (int i = 0; i < fit_parameters(p); i++)
            for (int k = -4; k <= 4; k++) {
                double at = x[i];
                x[i] += 0.025 * k;
                assert_true(fit_log_posterior(p, x, NULL) < value + 1e-4);
                x[i] = at;
            }
        fit_destroy(p);
        observations_free(&o);
    }
}

static void test_bytes_repeat(void **state) {
    (void)state;
    rng stream = rng_open(11, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 3; round++) {
        observations o;
        facts_draw_trials(&stream, &o, 30, 3);
        double value, same;
        hyperparameters one = fit(&o, 3, NULL, &value);
        hyperparameters two = fit(&o, 3, NULL, &same);
        assert_memory_equal(&one, &two, sizeof one);
        assert_true(value == same);
        observations_free(&o);
    }
}

/* Nothing to fit to, and more starts than there are. */
static void test_nonsense_is_refused(void **state) {
    (void)state;
    besd_error error;
    observations o;
    fit_options options = {.levels = 1, .starts = 1};
    fit_problem *p = NULL;
    assert_ok(observations_init(&o, 2, &error), &error);
    assert_fails(fit_create(&o, &options, &p, &error), BESD_INVALID, &error, "no told trials");
    double theta[2] = {0.5, 0.5};
    assert_ok(observations_add(&o, theta, 1, 0, 1, 3, 0, &error), &error);
    options.starts = FIT_MAX_STARTS + 1;
    assert_fails(fit_create(&o, &options, &p, &error), BESD_INVALID, &error, "1 to 4 starts");
    options.starts = 0;
    assert_fails(fit_create(&o, &options, &p, &error), BESD_INVALID, &error, "got 0");
    assert_null(p);
    observations_free(&o);
    fit_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovers_the_paper_model),
        cmocka_unit_test(test_lengths_hardly_contradict),
        cmocka_unit_test(test_troubled_data),
        cmocka_unit_test(test_equal_scores_keep_noise),
        cmocka_unit_test(test_warm_start_never_ends_worse),
        cmocka_unit_test(test_more_starts_are_no_worse),
        cmocka_unit_test(test_ends_at_a_maximum),
        cmocka_unit_test(test_bytes_repeat),
        cmocka_unit_test(test_nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
