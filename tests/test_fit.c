/* The log posterior of the hyperparameters against a second writing of it, its gradient against
 * differences, and the search on data whose answer is known or that has no answer. */
#include "model_facts.h"

#include "model/fit.h"

static fit_problem *pose(const observations *o, model_kind kind, int starts,
                         const hyperparameters *warm) {
    fit_options options = {
        .kind = kind, .levels = FACTS_LEVELS, .prior_mean = 0.3, .starts = starts, .warm = warm};
    fit_problem *p = NULL;
    besd_error error;
    assert_ok(fit_create(o, &options, &p, &error), &error);
    return p;
}

/* A random place well inside the bounds of the search, whose covariance is well conditioned. */
static void draw_parameters(rng *stream, const fit_problem *p, const observations *o,
                            model_kind kind, double *x) {
    hyperparameters h = facts_draw_hyperparameters(stream, o->dimension, kind);
    fit_pack(p, &h, x);
}

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

/* Between the shortest training in the data and the full one, of the part that both share. */
static double correlation_of_lengths(const observations *o, const hyperparameters *h) {
    double share = 1;
    for (size_t j = 0; j < o->count; j++)
        share = fmin(share, o->share[j]);
    return kernel_tau(h, share, 1) / sqrt(kernel_tau(h, share, share) * kernel_tau(h, 1, 1));
}

static long double log_prior(const observations *o, const hyperparameters *h, const rough *r,
                             model_kind kind) {
    long double sum = 0;
    size_t d = o->dimension;
    double l11 = h->sigma_root[0], l21 = h->sigma_root[1], l22 = h->sigma_root[2];
    for (size_t i = 0; i < d; i++)
        sum += squared(h->lengthscale[i], 1, 0.5);
    sum += squared(l11 * l11 / r->signal, 1, 0.5);
    sum += squared(l11 * l21 / r->signal, 0, 0.5);
    sum += squared((l21 * l21 + l22 * l22) / r->signal, 1, 0.5);
    if (kind == MODEL_EXTENDED) {
        sum += squared(h->discrepancy_variance / r->signal, 1, 0.5);
        sum += squared(h->discrepancy_lengthscale, 1, 0.5);
    }
    for (int level = 0; level < (kind == MODEL_PAPER ? 1 : FACTS_LEVELS); level++) {
        sum += squared(log(h->env_variance[level]), log(r->env), 2);
        sum += squared(log(h->rep_variance[level]), log(r->rep), 2);
    }
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
        model_kind kind = (model_kind)(trial % 3);
        size_t d = 1 + (size_t)rng_below(&stream, 4);
        observations o;
        facts_draw_trials(&stream, &o, 10 + (size_t)rng_below(&stream, 30), d);
        fit_problem *p = pose(&o, kind, 1, NULL);
        rough r = estimate(&o);
        for (int point = 0; point < 5; point++) {
            double x[FIT_MAX_PARAMETERS], gradient[FIT_MAX_PARAMETERS];
            hyperparameters h;
            draw_parameters(&stream, p, &o, kind, x);
            if (point == 0)
                x[d + 1] = -4 * fabs(x[d + 1]) - 2; /* short against full */
            fit_unpack(p, x, &h);
            double expected =
                (double)(log_normal(&o, &h) + log_chi_square(&o, &h) + log_prior(&o, &h, &r, kind));
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
        model_kind kind = (model_kind)(trial % 3);
        size_t d = 1 + (size_t)rng_below(&stream, 5);
        observations o;
        facts_draw_trials(&stream, &o, 30, d);
        fit_problem *p = pose(&o, kind, 1, NULL);
        int count = fit_parameter_count(p);
        int noise = kind == MODEL_PAPER ? 2 : 2 * FACTS_LEVELS;
        assert_int_equal(count, (int)d + 3 + (kind == MODEL_EXTENDED ? 2 : 0) + noise);
        for (int point = 0; point < 3; point++) {
            double x[FIT_MAX_PARAMETERS], gradient[FIT_MAX_PARAMETERS];
            draw_parameters(&stream, p, &o, kind, x);
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

/* Packing is the inverse of unpacking, and the paper's model has one noise for all levels. */
static void test_pack_and_unpack(void **state) {
    (void)state;
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int kind = MODEL_PAPER; kind <= MODEL_NOISE; kind++) {
        observations o;
        facts_draw_trials(&stream, &o, 12, 3);
        fit_problem *p = pose(&o, (model_kind)kind, 1, NULL);
        double x[FIT_MAX_PARAMETERS] = {0}, y[FIT_MAX_PARAMETERS] = {0};
        hyperparameters h;
        for (int i = 0; i < fit_parameter_count(p); i++)
            x[i] = rng_between(&stream, -1, 1);
        fit_unpack(p, x, &h);
        fit_pack(p, &h, y);
        for (int i = 0; i < fit_parameter_count(p); i++)
            assert_close(y[i], x[i], 1e-14);
        assert_true(h.prior_mean == 0.3);
        assert_true((h.discrepancy_variance > 0) == (kind == MODEL_EXTENDED));
        for (int level = 1; level < FACTS_LEVELS; level++) {
            bool same = h.env_variance[level] == h.env_variance[0] &&
                        h.rep_variance[level] == h.rep_variance[0];
            assert_true(same == (kind == MODEL_PAPER));
        }
        fit_destroy(p);
        observations_free(&o);
    }
}

static hyperparameters fit(const observations *o, model_kind kind, int starts,
                           const hyperparameters *warm, double *value) {
    besd_error error;
    hyperparameters h;
    double own_value;
    fit_problem *p = pose(o, kind, starts, warm);
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
    hyperparameters h = fit(&o, MODEL_PAPER, 4, NULL, NULL);
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

/* Noise per level, hundredfold from one level to the last, and a discrepancy. */
static void test_recovers_the_extended_model(void **state) {
    (void)state;
    rng stream = rng_open(5, RNG_TEST, 0, 0, 0);
    hyperparameters truth = {.prior_mean = 0.3,
                             .lengthscale = {0.3, 0.6},
                             .sigma_root = {0.5, 0.5, 0.7},
                             .discrepancy_variance = 0.8,
                             .discrepancy_lengthscale = 0.3};
    for (int level = 0; level < FACTS_LEVELS; level++) {
        truth.env_variance[level] = 0.005;
        truth.rep_variance[level] = pow(10, -2.5 + 2.0 * level / 3);
    }
    observations o;
    facts_draw_trials(&stream, &o, 200, 2);
    for (size_t j = 0; j < o.count; j++)
        o.reps[j] = 10;
    draw_from_model(&stream, &truth, &o);
    hyperparameters h = fit(&o, MODEL_EXTENDED, 4, NULL, NULL);
    for (int level = 0; level < FACTS_LEVELS; level++) {
        double t = facts_shares[level];
        assert_within_factor(h.rep_variance[level], truth.rep_variance[level], 1.4);
        assert_within_factor(
            kernel_tau(&h, t, t) + h.discrepancy_variance * (1 - t) * (1 - t),
            kernel_tau(&truth, t, t) + truth.discrepancy_variance * (1 - t) * (1 - t), 3.2);
    }
    assert_within_factor(h.discrepancy_variance, 0.8, 4);
    assert_within_factor(h.discrepancy_lengthscale, 0.3, 2);
    assert_within_factor(h.lengthscale[0], 0.3, 2);
    assert_within_factor(h.lengthscale[1], 0.6, 2);
    observations_free(&o);
}

/* Finite and positive in all parts, and a posterior can be made of it. */
static void assert_usable(const observations *o, model_kind kind) {
    double value;
    hyperparameters h = fit(o, kind, 3, NULL, &value);
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
        for (int kind = MODEL_PAPER; kind <= MODEL_NOISE; kind++) {
            fit_problem *p = pose(&o, (model_kind)kind, FIT_MAX_STARTS, NULL);
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
    for (int kind = MODEL_PAPER; kind <= MODEL_NOISE; kind++)
        for (int what = 0; what < TROUBLES; what++) {
            observations o;
            facts_draw_trials(&stream, &o, 20, 3);
            make_trouble(&o, (trouble)what);
            assert_usable(&o, (model_kind)kind);
            observations_free(&o);
        }
}

/* Trials at the cap are all equal; their level must not claim to know f there without error, or
 * one such trial would outweigh everything. */
static void test_equal_scores_keep_noise(void **state) {
    (void)state;
    rng stream = rng_open(7, RNG_TEST, 0, 0, 0);
    observations o;
    double variance = 0;
    facts_draw_trials(&stream, &o, 40, 2);
    for (size_t j = 0; j < o.count; j++) {
        if (o.level[j] == 0) {
            o.mean[j] = -7;
            o.within[j] = 0;
        }
        variance += o.mean[j] * o.mean[j] / (double)o.count;
    }
    hyperparameters h = fit(&o, MODEL_EXTENDED, 4, NULL, NULL);
    assert_true(h.env_variance[0] > 1e-7 * variance && h.rep_variance[0] > 1e-7 * variance);
    assert_true(h.rep_variance[0] < h.rep_variance[3]);
    observations_free(&o);
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
        fit_problem *p = pose(&o, MODEL_PAPER, 1, NULL);
        draw_parameters(&stream, p, &o, MODEL_PAPER, x);
        double value = fit_log_posterior(p, x, NULL);
        fit_options options = {
            .kind = MODEL_PAPER, .levels = FACTS_LEVELS, .prior_mean = offset + 0.3, .starts = 1};
        for (size_t j = 0; j < o.count; j++)
            o.mean[j] += offset;
        assert_ok(fit_create(&o, &options, &moved, &error), &error);
        assert_close(fit_log_posterior(moved, x, NULL), value, 1e-15 * offset * fabs(value) + 1e-9);
        fit_destroy(moved);
        fit_destroy(p);
        observations_free(&o);
    }
}

/* From random places, also near the end of a search: never worse than the place itself, and what
 * is reported is the value of what is returned. */
static void test_warm_start_never_ends_worse(void **state) {
    (void)state;
    rng stream = rng_open(8, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 30; trial++) {
        model_kind kind = trial % 2 ? MODEL_PAPER : MODEL_EXTENDED;
        observations o;
        facts_draw_trials(&stream, &o, 25, 2);
        fit_problem *p = pose(&o, kind, 1, NULL);
        double x[FIT_MAX_PARAMETERS], value;
        hyperparameters start;
        draw_parameters(&stream, p, &o, kind, x);
        fit_unpack(p, x, &start);
        for (int round = 0; round < 3; round++) {
            fit_pack(p, &start, x);
            double before = fit_log_posterior(p, x, NULL);
            hyperparameters end = fit(&o, kind, 1, &start, &value);
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
            fit(&o, trial % 2 ? MODEL_PAPER : MODEL_EXTENDED, starts, NULL, &value);
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
        model_kind kind = trial % 2 ? MODEL_PAPER : MODEL_EXTENDED;
        observations o;
        facts_draw_trials(&stream, &o, 30, 2);
        double value, x[FIT_MAX_PARAMETERS];
        hyperparameters h = fit(&o, kind, 3, NULL, &value);
        fit_problem *p = pose(&o, kind, 1, NULL);
        fit_pack(p, &h, x);
        for (int i = 0; i < fit_parameter_count(p); i++)
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
    for (int kind = MODEL_PAPER; kind <= MODEL_NOISE; kind++) {
        observations o;
        facts_draw_trials(&stream, &o, 30, 3);
        double value, same;
        hyperparameters one = fit(&o, (model_kind)kind, 3, NULL, &value);
        hyperparameters two = fit(&o, (model_kind)kind, 3, NULL, &same);
        assert_memory_equal(&one, &two, sizeof one);
        assert_true(value == same);
        observations_free(&o);
    }
}

static void test_nothing_told_is_refused(void **state) {
    (void)state;
    besd_error error;
    observations o;
    fit_options options = {.kind = MODEL_PAPER, .levels = 1, .starts = 1};
    fit_problem *p = NULL;
    assert_ok(observations_init(&o, 2, &error), &error);
    assert_fails(fit_create(&o, &options, &p, &error), BESD_INVALID, &error, "no told trials");
    assert_null(p);
    fit_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_matches_second_writing),
        cmocka_unit_test(test_gradient_matches_differences),
        cmocka_unit_test(test_pack_and_unpack),
        cmocka_unit_test(test_recovers_the_paper_model),
        cmocka_unit_test(test_recovers_the_extended_model),
        cmocka_unit_test(test_lengths_hardly_contradict),
        cmocka_unit_test(test_troubled_data),
        cmocka_unit_test(test_equal_scores_keep_noise),
        cmocka_unit_test(test_an_offset_changes_nothing),
        cmocka_unit_test(test_warm_start_never_ends_worse),
        cmocka_unit_test(test_more_starts_are_no_worse),
        cmocka_unit_test(test_ends_at_a_maximum),
        cmocka_unit_test(test_bytes_repeat),
        cmocka_unit_test(test_nothing_told_is_refused),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
