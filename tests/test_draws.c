/* Draws of hyperparameters: their distribution against the posterior itself, by importance sampling
 * from the prior with the kernel of model_facts.h; chains that go on where they were; and trials
 * that say little, nothing or the same again and again. */
#include "model_facts.h"

#include "model/draws.h"
#include "model/observations.h"

#include <stdio.h>

/* What a set of hyperparameters is in the coordinates of the prior (draws.h). */
enum { LENGTH, SIGNAL, SLOPE, CORRELATION, ENV, REP, COORDINATES };

static const char *const coordinate_names[] = {"log l",   "log a",   "log b/a",
                                               "atanh c", "log env", "log rep"};

/* phi(t)^T Sigma phi(u), from the definition. */
static double over_tau(const hyperparameters *h, double t, double u) {
    const double *l = h->sigma_root;
    return (l[0] + l[1] * t) * (l[0] + l[1] * u) + l[2] * l[2] * t * u;
}

static void read_coordinates(const hyperparameters *h, double *x) {
    double full = over_tau(h, 1, 1), none = over_tau(h, 0, 0), both = over_tau(h, 0, 1);
    double a = sqrt(full), b = sqrt(none - 2 * both + full); /* h = f(0) - f(1) */
    x[LENGTH] = log(h->lengthscale[0]);
    x[SIGNAL] = log(a);
    x[SLOPE] = log(b / a);
    x[CORRELATION] = atanh((both - full) / (a * b));
    x[ENV] = log(h->env_variance[0]);
    x[REP] = log(h->rep_variance[0]);
}

typedef struct moments {
    double mean[COORDINATES], sd[COORDINATES], size; /* of as many independent draws */
} moments;

typedef struct weighed {
    double weight, x[COORDINATES];
} weighed;

static moments summarise(const weighed *all, size_t count) {
    moments m = {0};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += all[i].weight;
        squares += all[i].weight * all[i].weight;
    }
    m.size = sum * sum / squares;
    for (int k = 0; k < COORDINATES; k++) {
        for (size_t i = 0; i < count; i++)
            m.mean[k] += all[i].weight / sum * all[i].x[k];
        for (size_t i = 0; i < count; i++)
            m.sd[k] += all[i].weight / sum * pow(all[i].x[k] - m.mean[k], 2);
        m.sd[k] = sqrt(m.sd[k]);
    }
    return m;
}

/* log p(trials | h): normal means, and the sums of squares within. */
static double log_likelihood(const observations *o, const hyperparameters *h) {
    double k[8][8], y[8], value = 0;
    size_t n = o->count, d = o->dimension;
    assert_true(n <= 8);
    for (size_t j = 0; j < n; j++) {
        y[j] = o->mean[j] - h->prior_mean - h->prior_slope * (1 - o->share[j]);
        for (size_t l = 0; l <= j; l++) {
            k[j][l] = (double)facts_kernel(h, d, o->theta + j * d, o->share[j], o->theta + l * d,
                                           o->share[l]);
            if (l == j)
                k[j][j] += (double)facts_noise(h, o->level[j], o->reps[j]);
            for (size_t i = 0; i < l; i++)
                k[j][l] -= k[j][i] * k[l][i];
            k[j][l] = l == j ? sqrt(k[j][j]) : k[j][l] / k[l][l];
        }
        for (size_t i = 0; i < j; i++)
            y[j] -= k[j][i] * y[i];
        y[j] /= k[j][j];
        value -= 0.5 * y[j] * y[j] + log(k[j][j]);
        value -=
            0.5 * ((o->reps[j] - 1) * log(h->rep_variance[0]) + o->within[j] / h->rep_variance[0]);
    }
    return value;
}

/* From the prior, as draws.h has it; false: out of bounds. */
static bool draw_prior(const observations *o, bool one_noise, rng *stream, hyperparameters *h) {
    variance_estimates rough = estimate_variances(o);
    memset(h, 0, sizeof *h);
    bool within = true;
    for (size_t i = 0; i < o->dimension; i++) {
        h->lengthscale[i] = exp(log(0.4) + 0.8 * rng_normal(stream));
        within = within && h->lengthscale[i] > 0.01 && h->lengthscale[i] < 10;
    }
    double a = sqrt(rough.signal) * exp(0.5 * rng_normal(stream));
    double b = a * exp(log(0.7) + 0.7 * rng_normal(stream)), c = tanh(rng_normal(stream));
    /* L L^T = Sigma with f(0) = g + h and f(1) = g: row by row */
    double s11 = a * a + 2 * c * a * b + b * b, s21 = a * a + c * a * b - s11, s22 = b * b;
    h->sigma_root[0] = sqrt(s11);
    h->sigma_root[1] = s21 / sqrt(s11);
    h->sigma_root[2] = sqrt(fmax(s22 - s21 * s21 / s11, 0));
    double total = rough.signal + rough.env + rough.rep;
    double env = rough.env * exp(2 * rng_normal(stream)),
           rep = rough.rep * exp(2 * rng_normal(stream));
    h->rep_variance[0] = rep;
    h->env_variance[0] = one_noise ? 0 : env;
    return within && rep > 1e-6 * total && rep < 10 * total &&
           (one_noise || (env > 1e-6 * total && env < 10 * total));
}

/* The posterior, from draws of the prior by their likelihood and agreement. */
static moments by_importance(const observations *o, bool one_noise, double prior_mean) {
    enum { SAMPLES = TEST_SIZE(200000, 50000) };
    static weighed all[SAMPLES];
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    double shortest = 1, highest = -INFINITY;
    for (size_t j = 0; j < o->count; j++)
        shortest = fmin(shortest, o->share[j]);
    for (size_t i = 0; i < SAMPLES; i++) {
        hyperparameters h;
        all[i].weight = -INFINITY;
        if (!draw_prior(o, one_noise, &stream, &h)) {
            memset(all[i].x, 0, sizeof all[i].x);
            continue;
        }
        for (int level = 1; level < FACTS_LEVELS; level++) {
            h.env_variance[level] = h.env_variance[0];
            h.rep_variance[level] = h.rep_variance[0];
        }
        h.prior_mean = prior_mean;
        read_coordinates(&h, all[i].x);
        double r =
            over_tau(&h, shortest, 1) / sqrt(over_tau(&h, shortest, shortest) * over_tau(&h, 1, 1));
        all[i].weight = log_likelihood(o, &h) - (shortest < 1 ? log1p(exp(-r / 0.05)) : 0);
        highest = fmax(highest, all[i].weight);
    }
    for (size_t i = 0; i < SAMPLES; i++) {
        all[i].weight = exp(all[i].weight - highest);
        if (one_noise)
            all[i].x[ENV] = 0;
    }
    return summarise(all, SAMPLES);
}

static draws run(const observations *o, const draws_options *options, const draws *from,
                 size_t count) {
    besd_error error;
    draws drawn;
    memset(&drawn, 0, sizeof drawn);
    assert_ok(draws_run(o, options, from, count, &drawn, &error), &error);
    assert_int_equal(drawn.count, count);
    return drawn;
}

/* One draw of each of many chains that begin anew and have time to forget where. */
static moments by_chains(const observations *o, draws_options options, size_t seeds) {
    enum { SWEEPS = 25 };
    weighed *all = malloc(seeds * DRAWS_MOST * sizeof *all);
    assert_non_null(all);
    for (size_t seed = 0; seed < seeds; seed++) {
        options.seed = seed;
        options.sweeps = SWEEPS;
        draws drawn = run(o, &options, NULL, DRAWS_MOST);
        for (size_t i = 0; i < DRAWS_MOST; i++) {
            weighed *one = &all[seed * DRAWS_MOST + i];
            one->weight = 1;
            read_coordinates(&drawn.of[i], one->x);
            if (options.one_noise)
                one->x[ENV] = 0;
        }
    }
    moments m = summarise(all, seeds * DRAWS_MOST);
    free(all);
    return m;
}

/* Means and standard deviations agree within five standard errors of both samples. That of a
 * standard deviation is sd sqrt((kurtosis - 1) / 4 n), below sd / sqrt(n) for a kurtosis up to 5.
 */
static void assert_same_moments(const moments *got, const moments *expected, const char *what) {
    for (int k = 0; k < COORDINATES; k++) {
        double error = expected->sd[k] * sqrt(1 / got->size + 1 / expected->size);
        if (!(fabs(got->mean[k] - expected->mean[k]) <= 5 * error &&
              fabs(got->sd[k] - expected->sd[k]) <= 5 * error))
            fail_msg("%s, %s: expected %.4f (sd %.4f) +- %.4f, got %.4f (sd %.4f)", what,
                     coordinate_names[k], expected->mean[k], expected->sd[k], 5 * error,
                     got->mean[k], got->sd[k]);
    }
}

static void add(observations *o, const double *theta, int level, double reps, double mean,
                double within) {
    besd_error error;
    assert_ok(observations_add(o, theta, facts_shares[level], level, reps, mean, within, &error),
              &error);
}

static void begin(observations *o, size_t dimension) {
    besd_error error;
    assert_ok(observations_init(o, dimension, &error), &error);
}

/* Few trials, so that the prior is no bad place to sample from. Short ones contradict the full ones
 * that they share their places with: what agreement is there against. */
static void few_trials(observations *o, size_t dimension, bool replicated, bool short_ones) {
    static const double places[][2] = {
        {0.1, 0.9}, {0.3, 0.35}, {0.45, 0.6}, {0.62, 0.1}, {0.9, 0.5}};
    static const double means[] = {0.2, 1.1, 1.3, 0.4, -0.9};
    begin(o, dimension);
    for (int i = 0; i < 5; i++) {
        bool is_short = short_ones && i % 2;
        add(o, places[is_short ? i - 1 : i], is_short ? 0 : 3, replicated ? 3 : 1,
            is_short ? 0.6 - means[i - 1] : means[i], replicated ? 0.1 * (i + 1) : 0);
    }
}

static void test_distribution(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) { /* every pair of the three occurs */
        bool one_noise = kind & 1, short_ones = kind & 2, replicated = one_noise != short_ones;
        char what[64];
        observations o;
        few_trials(&o, kind ? 1 : 2, replicated, short_ones);
        draws_options options = {.levels = FACTS_LEVELS, .one_noise = one_noise, .prior_mean = 0.3};
        moments got = by_chains(&o, options, TEST_SIZE(80, 20)),
                expected = by_importance(&o, one_noise, 0.3);
        snprintf(what, sizeof what, "%s noise, %s trials, %s", one_noise ? "one" : "two",
                 short_ones ? "short" : "full", replicated ? "replicated" : "single");
        assert_true(expected.size > 1000);
        assert_same_moments(&got, &expected, what);
        observations_free(&o);
    }
}

/* A single trial says nothing of length scales, slope and correlation: the prior, which is known.
 */
static void test_prior(void **state) {
    (void)state;
    const double place = 0.4;
    observations o;
    begin(&o, 1);
    add(&o, &place, 3, 1, 2, 0);
    draws_options options = {.levels = FACTS_LEVELS, .prior_mean = 1};
    moments m = by_chains(&o, options, TEST_SIZE(300, 60));
    assert_mean(m.mean[LENGTH], log(0.4), 0.8 * 0.8, m.size);
    assert_mean(m.mean[SLOPE], log(0.7), 0.7 * 0.7, m.size);
    assert_mean(m.mean[CORRELATION], 0, 1, m.size);
    assert_close(m.sd[LENGTH], 0.8, 5 * 0.8 / sqrt(2 * m.size));
    assert_close(m.sd[SLOPE], 0.7, 5 * 0.7 / sqrt(2 * m.size));
    assert_close(m.sd[CORRELATION], 1, 5 / sqrt(2 * m.size));
    options.lengthscale_mean = 0.12; /* another one, of length scales alone */
    options.lengthscale_sd = 0.2;
    m = by_chains(&o, options, TEST_SIZE(300, 60));
    assert_mean(m.mean[LENGTH], log(0.12), 0.2 * 0.2, m.size);
    assert_mean(m.mean[SLOPE], log(0.7), 0.7 * 0.7, m.size);
    assert_close(m.sd[LENGTH], 0.2, 5 * 0.2 / sqrt(2 * m.size));
    observations_free(&o);
}

/* Is it what a model can be made of? */
static void assert_usable(const observations *o, const draws *drawn, int levels) {
    for (size_t i = 0; i < drawn->count; i++) {
        const hyperparameters *h = &drawn->of[i];
        double variance = over_tau(h, 1, 1);
        assert_true(variance > 0 && isfinite(variance));
        assert_true(h->sigma_root[0] > 0 && h->sigma_root[2] > 0);
        for (size_t k = 0; k < o->dimension; k++)
            assert_true(h->lengthscale[k] > 0.009 && h->lengthscale[k] < 10.1);
        for (int level = 0; level < levels; level++)
            assert_true(h->rep_variance[level] > 0 && isfinite(h->rep_variance[level]) &&
                        h->env_variance[level] >= 0 && isfinite(h->env_variance[level]));
        gp *model;
        besd_error error;
        double mean, at;
        assert_ok(gp_create(o, o->count, h, &model, &error), &error);
        mean = gp_predict(model, o->theta, 1, &at, NULL);
        assert_true(isfinite(mean) && at >= 0 && at <= 1.000001 * variance);
        gp_destroy(model);
    }
}

/* Chains go on where they were, to the last digits but a few; with no sweeps nothing moves. */
static void test_going_on(void **state) {
    (void)state;
    for (int one_noise = 0; one_noise < 2; one_noise++) {
        rng stream = rng_open(9, RNG_TEST, (uint64_t)one_noise, 0, 0);
        observations o;
        facts_draw_trials(&stream, &o, 12, 3);
        draws_options options = {.levels = FACTS_LEVELS,
                                 .one_noise = one_noise,
                                 .prior_mean = 0.1,
                                 .seed = 5,
                                 .sweeps = 2};
        draws first = run(&o, &options, NULL, 6);
        options.sweeps = 0;
        draws again = run(&o, &options, &first, 6);
        for (size_t i = 0; i < 6; i++) {
            const double *a = (const double *)&first.of[i], *b = (const double *)&again.of[i];
            for (size_t k = 0; k < sizeof(hyperparameters) / sizeof(double); k++)
                assert_close(b[k], a[k], 1e-9 * (1 + fabs(a[k])));
            for (int level = 0; one_noise && level < FACTS_LEVELS; level++)
                assert_true(first.of[i].env_variance[level] == 0);
        }
        options.sweeps = 1; /* of another number, they begin anew */
        draws fewer = run(&o, &options, &first, 5), anew = run(&o, &options, NULL, 5);
        assert_memory_equal(&fewer, &anew, sizeof anew);
        observations_free(&o);
    }
}

/* (seed, told, chain) decide everything: the same again, whatever the number of chains; others
 * with any of them changed. */
static void test_streams(void **state) {
    (void)state;
    rng stream = rng_open(10, RNG_TEST, 0, 0, 0);
    observations o;
    facts_draw_trials(&stream, &o, 10, 2);
    draws_options options = {.levels = FACTS_LEVELS, .seed = 5, .sweeps = 2};
    draws all = run(&o, &options, NULL, 16), again = run(&o, &options, NULL, 16);
    assert_memory_equal(&all, &again, sizeof all);
    draws three = run(&o, &options, NULL, 3);
    assert_memory_equal(three.of, all.of, 3 * sizeof *all.of);
    for (size_t i = 0; i < 16; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(all.of[i].lengthscale[0] != all.of[k].lengthscale[0]);
    options.seed = 6;
    draws other = run(&o, &options, NULL, 16);
    draws from = run(&o, &options, &all, 16);
    options.seed = 5;
    options.told = 1;
    draws later = run(&o, &options, NULL, 16);
    assert_true(later.of[0].lengthscale[0] != all.of[0].lengthscale[0]);
    for (size_t i = 0; i < 16; i++) {
        assert_true(other.of[i].lengthscale[0] != all.of[i].lengthscale[0]);
        assert_true(from.of[i].lengthscale[0] != all.of[i].lengthscale[0]);
    }
    observations_free(&o);
}

/* In other units the draws are the same, in those units. */
static void test_units(void **state) {
    (void)state;
    rng stream = rng_open(11, RNG_TEST, 0, 0, 0);
    observations o;
    facts_draw_trials(&stream, &o, 10, 2);
    draws_options options = {.levels = FACTS_LEVELS, .prior_mean = 0.25, .sweeps = 1};
    draws before = run(&o, &options, NULL, 6);
    for (size_t j = 0; j < o.count; j++) {
        o.mean[j] *= 1024;
        o.within[j] *= 1024.0 * 1024;
    }
    options.prior_mean *= 1024;
    draws after = run(&o, &options, NULL, 6);
    for (size_t i = 0; i < 6; i++) {
        double x[COORDINATES], y[COORDINATES];
        read_coordinates(&before.of[i], x);
        read_coordinates(&after.of[i], y);
        for (int k = 0; k < COORDINATES; k++)
            assert_close(y[k] - (k == SIGNAL) * log(1024) - (k >= ENV) * 2 * log(1024), x[k], 1e-6);
    }
    observations_free(&o);
}

/* Trials from which little follows. */
static void test_odd_trials(void **state) {
    (void)state;
    enum { KINDS = 7 };
    for (int kind = 0; kind < KINDS; kind++)
        for (int one_noise = 0; one_noise < 2; one_noise++) {
            size_t dimension = kind == 4 ? 20 : 2, n = kind == 1 ? 1 : 15;
            rng stream = rng_open(12, RNG_TEST, (uint64_t)kind, 0, 0);
            observations o;
            begin(&o, dimension);
            for (size_t j = 0; j < n; j++) {
                double theta[20], y = rng_normal(&stream), within = 0.3;
                facts_draw_theta(&stream, dimension, theta);
                if (kind == 0) /* all scores equal */
                    y = 7, within = 0;
                if (kind == 2) /* zeros */
                    y = within = 0;
                if (kind == 3) /* far from zero */
                    y = 1e12 + y;
                if (kind == 5) /* the same place again and again */
                    theta[0] = theta[1] = 0.5;
                if (kind == 6) /* one that is far from all others */
                    y = j ? 1e-3 * y : 1e6;
                add(&o, theta, (int)(j % 2) * 3, 2, y, within);
            }
            draws_options options = {.levels = FACTS_LEVELS,
                                     .one_noise = one_noise,
                                     .prior_mean = o.mean[0],
                                     .sweeps = 2};
            draws drawn = run(&o, &options, NULL, 6);
            assert_usable(&o, &drawn, FACTS_LEVELS);
            drawn = run(&o, &options, &drawn, 6);
            assert_usable(&o, &drawn, FACTS_LEVELS);
            observations_free(&o);
        }
}

/* Kept draws of trials that were quite different serve as no start; new ones are found. */
static void test_outgrown_draws(void **state) {
    (void)state;
    rng stream = rng_open(13, RNG_TEST, 0, 0, 0);
    observations o;
    facts_draw_trials(&stream, &o, 10, 2);
    draws_options options = {.levels = FACTS_LEVELS, .sweeps = 2};
    draws kept = run(&o, &options, NULL, 4);
    for (size_t j = 0; j < o.count; j++) {
        o.mean[j] *= 1e9;
        o.within[j] *= 1e18;
    }
    draws drawn = run(&o, &options, &kept, 4);
    assert_usable(&o, &drawn, FACTS_LEVELS);
    for (size_t i = 0; i < 4; i++)
        assert_true(over_tau(&drawn.of[i], 1, 1) > 1e12);
    observations_free(&o);
}

/* Of many trials, a chain that begins anew sees few of them at first. The draws are no others than
 * those of chains that go on from there for a while and see all trials. */
static void test_many_trials(void **state) {
    (void)state;
    enum { ROWS = 240, SEEDS = TEST_SIZE(2, 1), MANY = SEEDS * DRAWS_MOST };
    weighed anew[MANY], later[MANY];
    rng stream = rng_open(14, RNG_TEST, 0, 0, 0);
    observations o;
    begin(&o, 1);
    for (int j = 0; j < ROWS; j++) {
        double theta = rng_uniform(&stream), share = facts_shares[j % 4];
        double mean = sin(9 * theta) + (1 - share) * cos(4 * theta) + 0.3 * rng_normal(&stream);
        add(&o, &theta, j % 4, 2, mean, 0.05 * pow(rng_normal(&stream), 2));
    }
    draws_options options = {.levels = FACTS_LEVELS, .sweeps = 2};
    for (size_t seed = 0; seed < SEEDS; seed++) {
        options.seed = seed;
        options.sweeps = 2;
        draws first = run(&o, &options, NULL, DRAWS_MOST);
        options.sweeps = 6;
        draws second = run(&o, &options, &first, DRAWS_MOST);
        for (size_t i = 0; i < DRAWS_MOST; i++) {
            anew[seed * DRAWS_MOST + i].weight = later[seed * DRAWS_MOST + i].weight = 1;
            read_coordinates(&first.of[i], anew[seed * DRAWS_MOST + i].x);
            read_coordinates(&second.of[i], later[seed * DRAWS_MOST + i].x);
        }
    }
    moments got = summarise(anew, MANY), expected = summarise(later, MANY);
    assert_same_moments(&got, &expected, "many trials");
    assert_true(expected.sd[REP] < 0.2); /* the trials say much */
    observations_free(&o);
}

/* Draws for a kernel of two parts say so, and are others than those for one. */
static void test_parts(void **state) {
    (void)state;
    observations o;
    rng stream = rng_open(41, RNG_TEST, 0, 0, 0);
    facts_draw_trials(&stream, &o, 30, 4);
    draws_options options = {
        .levels = FACTS_LEVELS, .parts = 2, .seed = 3, .told = 30, .sweeps = 2};
    draws drawn = run(&o, &options, NULL, 2), again = run(&o, &options, NULL, 2);
    options.parts = 0;
    draws whole = run(&o, &options, NULL, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(drawn.of[i].parts, 2);
        assert_int_equal(whole.of[i].parts, 0);
        assert_true(drawn.of[i].lengthscale[0] != whole.of[i].lengthscale[0]);
    }
    assert_memory_equal(&drawn, &again, sizeof drawn);
    observations_free(&o);
}

static void test_nothing_told(void **state) {
    (void)state;
    observations o;
    draws drawn;
    besd_error error;
    begin(&o, 1);
    assert_fails(draws_run(&o, &(draws_options){.levels = 1}, NULL, 2, &drawn, &error),
                 BESD_INVALID, &error, "no told trials");
    observations_free(&o);
}

/* Chains that have not moved yet stand for landscapes of all kinds: length scales from a cell to
 * the box, noise of a tenth of what it seems to be up to all of it. */
static void test_beginnings(void **state) {
    (void)state;
    enum { CHAINS = 6 };
    observations o;
    besd_error error;
    draws drawn;
    rng stream = rng_open(9, RNG_TEST, 0, 0, 0);
    facts_draw_trials(&stream, &o, 10, 2);
    draws_options options = {.levels = FACTS_LEVELS, .seed = 3, .told = 10, .sweeps = -100};
    assert_ok(draws_run(&o, &options, NULL, CHAINS, &drawn, &error), &error);
    double shortest = INFINITY, longest = 0, least = INFINITY, most = 0;
    for (size_t i = 0; i < CHAINS; i++) {
        double length = drawn.of[i].lengthscale[0], noise = drawn.of[i].env_variance[0];
        shortest = fmin(shortest, length);
        longest = fmax(longest, length);
        least = fmin(least, noise);
        most = fmax(most, noise);
        for (size_t k = 0; k < i; k++)
            assert_true(drawn.of[k].lengthscale[0] != length);
    }
    assert_true(shortest < 0.1 && longest >= 1);
    assert_true(least <= 0.11 * most);
    /* the first two, which are all that legs have, are of either kind */
    assert_true(drawn.of[0].lengthscale[0] < 0.2 && drawn.of[1].lengthscale[0] > 0.5);
    observations_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distribution), cmocka_unit_test(test_prior),
        cmocka_unit_test(test_going_on),     cmocka_unit_test(test_beginnings),
        cmocka_unit_test(test_streams),      cmocka_unit_test(test_units),
        cmocka_unit_test(test_odd_trials),   cmocka_unit_test(test_outgrown_draws),
        cmocka_unit_test(test_nothing_told), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_many_trials),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
