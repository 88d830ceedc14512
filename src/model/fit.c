/* The density of hyperparameters given the trials, its gradient by hand, and the search for its
 * maximum. */
#include "model/fit.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/blas.h"
#include "model/climb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fit_problem {
    const observations *o;
    fit_options options;
    int parameters;
    double shortest; /* told training, as a share of tau_max */
    variance_estimates rough;
    void *memory;                /* of all that follows */
    double *covariance;          /* [n * n]: K, then its factor, then its inverse */
    double *correlation, *slope; /* [n * n], lower triangle */
    double *room;                /* [n * n]: work */
    double *alpha, *scaled;      /* [n], [n * d] */
};

/* Where each parameter stands in the vector x. */
static int at_lengthscale(const fit_problem *p, size_t coordinate) {
    return p->options.isotropic ? 0 : (int)coordinate;
}

static int at_root(const fit_problem *p) {
    return at_lengthscale(p, p->o->dimension - 1) + 1;
}

static int at_noise(const fit_problem *p) {
    return at_root(p) + 3;
}

int fit_parameters(const fit_problem *p) {
    return p->parameters;
}

static bool allocate(fit_problem *p) {
    size_t n = p->o->count, d = p->o->dimension, vector = n * sizeof(double);
    const memory_array arrays[] = {{&p->covariance, n * vector}, {&p->correlation, n * vector},
                                   {&p->slope, n * vector},      {&p->room, n * vector},
                                   {&p->alpha, vector},          {&p->scaled, d * vector}};
    p->memory = memory_allocate(arrays, sizeof arrays / sizeof *arrays);
    return p->memory != NULL;
}

besd_status fit_create(const observations *o, const fit_options *options, fit_problem **created,
                       besd_error *error) {
    if (o->count < 1)
        return besd_fail(error, BESD_INVALID, "fit: there are no told trials");
    if (options->starts < 1 || options->starts > FIT_MAX_STARTS)
        return besd_fail(error, BESD_INVALID, "fit: expected 1 to %d starts, got %d",
                         FIT_MAX_STARTS, options->starts);
    besd_status status = arithmetic_begin(1, error);
    if (status != BESD_OK)
        return status;
    fit_problem *p = calloc(1, sizeof *p);
    if (!p)
        return besd_fail_memory(error, "the fit");
    p->o = o;
    p->options = *options;
    p->parameters = at_noise(p) + 2;
    if (!allocate(p)) {
        fit_destroy(p);
        return besd_fail_memory(error, "the fit's matrices");
    }
    p->rough = estimate_variances(o);
    p->shortest = 1;
    for (size_t j = 0; j < o->count; j++)
        p->shortest = fmin(p->shortest, o->share[j]);
    *created = p;
    return BESD_OK;
}

void fit_destroy(fit_problem *p) {
    if (!p)
        return;
    free(p->memory);
    free(p);
}

void fit_unpack(const fit_problem *p, const double *x, hyperparameters *h) {
    memset(h, 0, sizeof *h);
    double root = sqrt(p->rough.signal);
    h->prior_mean = p->options.prior_mean;
    for (size_t i = 0; i < p->o->dimension; i++)
        h->lengthscale[i] = exp(x[at_lengthscale(p, i)]);
    h->sigma_root[0] = root * exp(x[at_root(p)]);
    h->sigma_root[1] = root * x[at_root(p) + 1];
    h->sigma_root[2] = root * exp(x[at_root(p) + 2]);
    for (int level = 0; level < p->options.levels; level++) {
        h->env_variance[level] = exp(x[at_noise(p)]);
        h->rep_variance[level] = exp(x[at_noise(p) + 1]);
    }
}

void fit_pack(const fit_problem *p, const hyperparameters *h, double *x) {
    double root = sqrt(p->rough.signal);
    for (size_t i = 0; i < p->o->dimension; i++)
        x[at_lengthscale(p, i)] = log(h->lengthscale[i]);
    x[at_root(p)] = log(h->sigma_root[0] / root);
    x[at_root(p) + 1] = h->sigma_root[1] / root;
    x[at_root(p) + 2] = log(h->sigma_root[2] / root);
    x[at_noise(p)] = log(h->env_variance[0]);
    x[at_noise(p) + 1] = log(h->rep_variance[0]);
}

/* The hyper-prior of the paper's appendix B: sd = mean / 2 around means of 1. */
static const double PRIOR_SD = 0.5;

/* Of the logarithms of noise variances, whose estimates are rough: a factor of 7 either way. */
static const double NOISE_PRIOR_SD = 2;

/* A normal log density without its constant, and its slope added to *gradient. */
static double normal_prior(double value, double mean, double sd, double *gradient) {
    double z = (value - mean) / sd;
    *gradient -= z / sd;
    return -0.5 * z * z;
}

static double noise_prior(const fit_problem *p, const double *x, double *gradient) {
    int at = at_noise(p);
    double sum = normal_prior(x[at], log(p->rough.env), NOISE_PRIOR_SD, &gradient[at]);
    return sum + normal_prior(x[at + 1], log(p->rough.rep), NOISE_PRIOR_SD, &gradient[at + 1]);
}

/* The prior of the correlation between the shortest and the full training (kernel.h); `slopes` are
 * its derivatives by l11, l21, l22. */
static double agreement_prior(double share, const double *l, double *slopes) {
    double brief = l[0] + share * l[1], full = l[0] + l[1], rest = l[2] * l[2];
    double brief_variance = brief * brief + share * share * rest;
    double full_variance = full * full + rest;
    double scale = 1 / sqrt(brief_variance * full_variance);
    double correlation = (brief * full + share * rest) * scale;
    double by_brief = scale * full - correlation * brief / brief_variance;
    double by_full = scale * brief - correlation * full / full_variance;
    double by_rest =
        scale * share - 0.5 * correlation * (share * share / brief_variance + 1 / full_variance);
    double odds = exp(-correlation / AGREEMENT_WIDTH);
    double slope = odds / (1 + odds) / AGREEMENT_WIDTH;
    slopes[0] = slope * (by_brief + by_full);
    slopes[1] = slope * (share * by_brief + by_full);
    slopes[2] = slope * by_rest * 2 * l[2];
    return -log1p(odds);
}

static double kernel_prior(const fit_problem *p, const double *x, double *gradient) {
    double sum = 0, slope;
    for (int i = 0; i < at_root(p); i++) {
        double scale = exp(x[i]);
        slope = 0;
        sum += normal_prior(scale, 1, PRIOR_SD, &slope);
        gradient[i] += slope * scale;
    }
    double *g = gradient + at_root(p);
    double l11 = exp(x[at_root(p)]), l21 = x[at_root(p) + 1], l22 = exp(x[at_root(p) + 2]);
    slope = 0;
    sum += normal_prior(l11 * l11, 1, PRIOR_SD, &slope);
    g[0] += slope * 2 * l11 * l11;
    slope = 0;
    sum += normal_prior(l11 * l21, 0, PRIOR_SD, &slope);
    g[0] += slope * l21 * l11;
    g[1] += slope * l11;
    slope = 0;
    sum += normal_prior(l21 * l21 + l22 * l22, 1, PRIOR_SD, &slope);
    g[1] += slope * 2 * l21;
    g[2] += slope * 2 * l22 * l22;
    if (p->shortest < 1) {
        double l[3] = {l11, l21, l22}, slopes[3];
        sum += agreement_prior(p->shortest, l, slopes);
        g[0] += slopes[0] * l11;
        g[1] += slopes[1];
        g[2] += slopes[2] * l22;
    }
    return sum;
}

static void fill_covariance(fit_problem *p, const hyperparameters *h) {
    const observations *o = p->o;
    size_t n = o->count, d = o->dimension;
    for (size_t j = 0; j < n; j++)
        kernel_scale(h, d, o->theta + j * d, p->scaled + j * d);
    for (size_t j = 0; j < n; j++) {
        double *row = p->covariance + j * n, *correlation = p->correlation + j * n;
        matern_row(p->scaled + j * d, p->scaled, j + 1, d, correlation, p->slope + j * n);
        kernel_row(h, o->share[j], o->share, j + 1, correlation, row);
        row[j] += noise_variance(h, o->level[j], o->reps[j]);
    }
}

/* What the sums over pairs of trials leave for each group of hyperparameters. */
typedef struct pair_sums {
    double lengthscale[MODEL_MAX_DIMENSION];
    double root[3]; /* of W m, W m (t + t'), W m t t' */
} pair_sums;

/* Sums dK/dx over W = alpha alpha^T - K^-1 (lower triangle, off-diagonal pairs counted twice). */
static void sum_pairs(const fit_problem *p, const hyperparameters *h, pair_sums *sums) {
    const observations *o = p->o;
    size_t n = o->count, d = o->dimension;
    memset(sums, 0, sizeof *sums);
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k <= j; k++) {
            double weight = p->alpha[j] * p->alpha[k] - p->covariance[j * n + k];
            double tj = o->share[j], tk = o->share[k];
            weight *= j == k ? 1 : 2;
            double with_correlation = weight * p->correlation[j * n + k];
            sums->root[0] += with_correlation;
            sums->root[1] += with_correlation * (tj + tk);
            sums->root[2] += with_correlation * tj * tk;
            double with_slope = weight * kernel_tau(h, tj, tk) * p->slope[j * n + k];
            for (size_t i = 0; i < d; i++) {
                double difference = p->scaled[j * d + i] - p->scaled[k * d + i];
                sums->lengthscale[i] += with_slope * difference * difference;
            }
        }
}

/* The gradient of the Gaussian part: half the sums above, by the chain rule. */
static void add_gaussian_gradient(const fit_problem *p, const hyperparameters *h,
                                  double *gradient) {
    const observations *o = p->o;
    pair_sums sums;
    sum_pairs(p, h, &sums);
    for (size_t i = 0; i < o->dimension; i++)
        gradient[at_lengthscale(p, i)] += 0.5 * sums.lengthscale[i];
    const double *l = h->sigma_root;
    double root = sqrt(p->rough.signal), *g = gradient + at_root(p);
    g[0] += 0.5 * (2 * l[0] * sums.root[0] + l[1] * sums.root[1]) * l[0];
    g[1] += 0.5 * (l[0] * sums.root[1] + 2 * l[1] * sums.root[2]) * root;
    g[2] += 0.5 * 2 * l[2] * sums.root[2] * l[2];
    double *noise = gradient + at_noise(p);
    for (size_t j = 0; j < o->count; j++) {
        int level = o->level[j];
        double weight = p->alpha[j] * p->alpha[j] - p->covariance[j * o->count + j];
        noise[0] += 0.5 * weight * h->env_variance[level];
        noise[1] += 0.5 * weight * h->rep_variance[level] / o->reps[j];
    }
}

/* S / rep ~ chi^2 with q - 1 degrees of freedom. */
static double within_likelihood(const fit_problem *p, const hyperparameters *h, double *gradient) {
    const observations *o = p->o;
    double sum = 0;
    for (size_t j = 0; j < o->count; j++) {
        int level = o->level[j];
        double rep = h->rep_variance[level], freedom = o->reps[j] - 1;
        sum -= 0.5 * (freedom * log(rep) + o->within[j] / rep);
        gradient[at_noise(p) + 1] -= 0.5 * (freedom - o->within[j] / rep);
    }
    return sum;
}

double fit_log_posterior(fit_problem *p, const double *x, double *gradient) {
    const observations *o = p->o;
    int n = (int)o->count;
    double own_gradient[FIT_MAX_PARAMETERS] = {0}, value;
    hyperparameters h;
    if (gradient)
        memset(gradient, 0, (size_t)p->parameters * sizeof *gradient);
    fit_unpack(p, x, &h);
    fill_covariance(p, &h);
    if (!cholesky_factorise(p->covariance, o->count, p->room))
        return -INFINITY;
    for (int j = 0; j < n; j++)
        p->alpha[j] = o->mean[j] - h.prior_mean;
    blas.dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, p->covariance, n, p->alpha,
               1);
    value = -0.5 * blas.ddot(n, p->alpha, 1, p->alpha, 1);
    for (int j = 0; j < n; j++)
        value -= log(p->covariance[(size_t)j * o->count + (size_t)j]);
    blas.dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n, p->covariance, n, p->alpha,
               1);
    value += within_likelihood(p, &h, own_gradient);
    value += noise_prior(p, x, own_gradient);
    if (!p->options.no_prior)
        value += kernel_prior(p, x, own_gradient);
    if (gradient) {
        if (!cholesky_invert(p->covariance, o->count, p->room))
            return -INFINITY;
        add_gaussian_gradient(p, &h, own_gradient);
        memcpy(gradient, own_gradient, (size_t)p->parameters * sizeof *gradient);
    }
    return value;
}

/* Bounds. Length scales: f changes within a hundredth of the interval, or hardly at all. */
static const double SHORTEST_LENGTH = 0.01, LONGEST_LENGTH = 4;

/* l11 and l22 over s: wider than the prior, which decides. */
static const double LEAST_SCALE = 1e-3, MOST_SCALE = 30;

/* l21 over s, of either sign. */
static const double MOST_SHARED = 5;

/* Noise over the whole variance: the least keeps trials whose scores are all equal from claiming
 * to know f without error. */
static const double LEAST_NOISE = 1e-6, MOST_NOISE = 10;

/* A climb ends when a step gains less than this share of the log posterior, which has some hundreds
 * of nats, or after this number of evaluations. */
static const double ENOUGH = 1e-6;
enum { MOST_EVALUATIONS = 100 };

static double objective(const double *x, double *gradient, void *context) {
    double value = fit_log_posterior(context, x, gradient);
    return isfinite(value) ? value : CLIMB_HOPELESS; /* there is no covariance */
}

static void fill_bounds(const fit_problem *p, double *low, double *high) {
    for (int i = 0; i < at_root(p); i++) {
        low[i] = log(SHORTEST_LENGTH);
        high[i] = log(LONGEST_LENGTH);
    }
    for (int i = at_root(p); i < at_noise(p); i++) {
        low[i] = log(LEAST_SCALE);
        high[i] = log(MOST_SCALE);
    }
    low[at_root(p) + 1] = -MOST_SHARED;
    high[at_root(p) + 1] = MOST_SHARED;
    double total = log(p->rough.signal + p->rough.env + p->rough.rep);
    for (int i = at_noise(p); i < p->parameters; i++) {
        low[i] = total + log(LEAST_NOISE);
        high[i] = total + log(MOST_NOISE);
    }
}

/* Starts differ in length scale and in how much a short training tells of a long one. */
static void fill_start(const fit_problem *p, int start, double *x) {
    static const struct {
        double lengthscale, constant, shared, rest;
    } starts[FIT_MAX_STARTS] = {
        {0.4, 0.7, 0.5, 0.5}, {0.15, 0.7, 0.5, 0.5}, {0.8, 0.5, 0.5, 0.8}, {0.25, 0.3, 0.3, 0.9}};
    for (int i = 0; i < at_root(p); i++)
        x[i] = log(starts[start].lengthscale);
    x[at_root(p)] = log(starts[start].constant);
    x[at_root(p) + 1] = starts[start].shared;
    x[at_root(p) + 2] = log(starts[start].rest);
    x[at_noise(p)] = log(p->rough.env);
    x[at_noise(p) + 1] = log(p->rough.rep);
}

besd_status fit_run(fit_problem *p, hyperparameters *h, double *log_posterior, besd_error *error) {
    double low[FIT_MAX_PARAMETERS], high[FIT_MAX_PARAMETERS], x[FIT_MAX_PARAMETERS] = {0};
    double best[FIT_MAX_PARAMETERS] = {0}, best_value = -INFINITY;
    climb uphill = {.kind = CLIMB_BY_GRADIENT,
                    .objective = objective,
                    .context = p,
                    .dimension = (size_t)p->parameters,
                    .low = low,
                    .high = high,
                    .least_gain_share = ENOUGH,
                    .evaluations = MOST_EVALUATIONS};
    fill_bounds(p, low, high);
    for (int start = 0; start < p->options.starts; start++) {
        double value;
        if (start == 0 && p->options.warm)
            fit_pack(p, p->options.warm, x);
        else
            fill_start(p, start, x);
        besd_status status = climb_run(&uphill, x, &value, error);
        if (status != BESD_OK)
            return status;
        if (value > best_value) {
            best_value = value;
            memcpy(best, x, sizeof best);
        }
    }
    if (!isfinite(best_value) || best_value <= CLIMB_HOPELESS)
        return besd_fail(error, BESD_NUMERIC, "fit: no start gave a positive definite covariance");
    fit_unpack(p, best, h);
    *log_posterior = best_value;
    return BESD_OK;
}
