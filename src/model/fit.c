#include "model/fit.h"

#include "core/error.h"
#include "model/matern.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

/* w of fit.h: disagreement of short and full trainings costs 20 nats per unit of correlation. */
static const double AGREEMENT_WIDTH = 0.05;

/* A variance of this share of the squared mean is no more than errors of rounding. */
static const double ROUNDING = 1e-28;

/* Of scores so small that their squares underflow. */
static const double SMALLEST_VARIANCE = 1e-200;

/* What the search is told of places where there is no covariance. */
static const double HOPELESS = -1e300;

struct fit_problem {
    const observations *o;
    fit_options options;
    int parameters, noise_levels;        /* noise levels: 1 in the paper's model */
    double shortest;                     /* told training, as a share of tau_max */
    double signal, noise_rep, noise_env; /* rough estimates of variances: s^2 and the noise */
    double *covariance;                  /* [n * n]: K, then its factor, then its inverse */
    double *correlation, *disc_correlation, *slope, *disc_slope; /* [n * n], lower triangle */
    double *alpha, *scaled, *disc_scaled;
};

/* Where each parameter stands in the vector x. */
static int at_lengthscale(const fit_problem *p, size_t coordinate) {
    return p->options.isotropic ? 0 : (int)coordinate;
}

static int at_root(const fit_problem *p) {
    return at_lengthscale(p, p->o->dimension - 1) + 1;
}

static int at_discrepancy(const fit_problem *p) {
    return at_root(p) + 3;
}

static bool extended(const fit_problem *p) {
    return p->options.kind == MODEL_EXTENDED;
}

static int at_noise(const fit_problem *p) {
    return at_discrepancy(p) + (extended(p) ? 2 : 0);
}

static int noise_level(const fit_problem *p, int level) {
    return p->noise_levels == 1 ? 0 : level;
}

/* Rough variances: pooled within trials, and of the trial means. */
static void estimate_variances(fit_problem *p) {
    const observations *o = p->o;
    double mean = 0, total = 0, within = 0, freedom = 0, per_rep = 0, n = (double)o->count;
    for (size_t j = 0; j < o->count; j++)
        mean += o->mean[j] / n;
    for (size_t j = 0; j < o->count; j++) {
        total += (o->mean[j] - mean) * (o->mean[j] - mean) / fmax(1, n - 1);
        within += o->within[j];
        freedom += o->reps[j] - 1;
        per_rep += 1 / o->reps[j] / n;
    }
    double pooled = freedom > 0 ? within / freedom : 0;
    if (total <= ROUNDING * mean * mean) /* a single trial, or all are equal */
        total = fmax(pooled, mean != 0 ? 1e-6 * mean * mean : 1e-12);
    total = fmax(total, SMALLEST_VARIANCE);
    p->noise_rep = fmax(freedom > 0 ? pooled : 0.1 * total, 1e-3 * total);
    p->noise_env = 0.1 * total;
    p->signal = fmax(total - p->noise_env - per_rep * p->noise_rep, 0.1 * total);
}

besd_status fit_create(const observations *o, const fit_options *options, fit_problem **created,
                       besd_error *error) {
    if (o->count < 1)
        return besd_fail(error, BESD_INVALID, "fit: there are no told trials");
    fit_problem *p = calloc(1, sizeof *p);
    if (!p)
        return besd_fail_memory(error, "the fit");
    size_t n = o->count, d = o->dimension;
    p->o = o;
    p->options = *options;
    p->noise_levels = options->kind == MODEL_PAPER ? 1 : options->levels;
    p->parameters = at_noise(p) + 2 * p->noise_levels;
    p->covariance = malloc(n * n * sizeof(double));
    p->correlation = malloc(n * n * sizeof(double));
    p->disc_correlation = malloc(n * n * sizeof(double));
    p->slope = malloc(n * n * sizeof(double));
    p->disc_slope = malloc(n * n * sizeof(double));
    p->alpha = malloc(n * sizeof(double));
    p->scaled = malloc(n * d * sizeof(double));
    p->disc_scaled = malloc(n * d * sizeof(double));
    if (!p->covariance || !p->correlation || !p->disc_correlation || !p->slope || !p->disc_slope ||
        !p->alpha || !p->scaled || !p->disc_scaled) {
        fit_destroy(p);
        return besd_fail_memory(error, "the fit's matrices");
    }
    estimate_variances(p);
    p->shortest = 1;
    for (size_t j = 0; j < n; j++)
        p->shortest = fmin(p->shortest, o->share[j]);
    *created = p;
    return BESD_OK;
}

void fit_destroy(fit_problem *p) {
    if (!p)
        return;
    free(p->covariance);
    free(p->correlation);
    free(p->disc_correlation);
    free(p->slope);
    free(p->disc_slope);
    free(p->alpha);
    free(p->scaled);
    free(p->disc_scaled);
    free(p);
}

int fit_parameter_count(const fit_problem *p) {
    return p->parameters;
}

void fit_unpack(const fit_problem *p, const double *x, hyperparameters *h) {
    memset(h, 0, sizeof *h);
    double root = sqrt(p->signal);
    h->prior_mean = p->options.prior_mean;
    for (size_t i = 0; i < p->o->dimension; i++)
        h->lengthscale[i] = exp(x[at_lengthscale(p, i)]);
    h->sigma_root[0] = root * exp(x[at_root(p)]);
    h->sigma_root[1] = root * x[at_root(p) + 1];
    h->sigma_root[2] = root * exp(x[at_root(p) + 2]);
    if (extended(p)) {
        h->discrepancy_variance = p->signal * exp(x[at_discrepancy(p)]);
        h->discrepancy_lengthscale = exp(x[at_discrepancy(p) + 1]);
    }
    for (int level = 0; level < p->options.levels; level++) {
        const double *noise = x + at_noise(p) + 2 * noise_level(p, level);
        h->env_variance[level] = exp(noise[0]);
        h->rep_variance[level] = exp(noise[1]);
    }
}

void fit_pack(const fit_problem *p, const hyperparameters *h, double *x) {
    double root = sqrt(p->signal);
    for (size_t i = 0; i < p->o->dimension; i++)
        x[at_lengthscale(p, i)] = log(h->lengthscale[i]);
    x[at_root(p)] = log(h->sigma_root[0] / root);
    x[at_root(p) + 1] = h->sigma_root[1] / root;
    x[at_root(p) + 2] = log(h->sigma_root[2] / root);
    if (extended(p)) {
        x[at_discrepancy(p)] = log(h->discrepancy_variance / p->signal);
        x[at_discrepancy(p) + 1] = log(h->discrepancy_lengthscale);
    }
    for (int level = 0; level < p->options.levels; level++) {
        double *noise = x + at_noise(p) + 2 * noise_level(p, level);
        noise[0] = log(h->env_variance[level]);
        noise[1] = log(h->rep_variance[level]);
    }
}

/* A normal log density without its constant, and its slope added to *gradient. */
static double normal_prior(double value, double mean, double sd, double *gradient) {
    double z = (value - mean) / sd;
    *gradient -= z / sd;
    return -0.5 * z * z;
}

static double noise_prior(const fit_problem *p, const double *x, double *gradient) {
    double sum = 0;
    for (int level = 0; level < p->noise_levels; level++) {
        int at = at_noise(p) + 2 * level;
        sum += normal_prior(x[at], log(p->noise_env), 2, &gradient[at]);
        sum += normal_prior(x[at + 1], log(p->noise_rep), 2, &gradient[at + 1]);
    }
    return sum;
}

/* The log of a logistic function of the correlation between the shortest and the full training (in
 * what they share, the discrepancy apart); `slopes` are its derivatives by l11, l21, l22. */
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
        sum += normal_prior(scale, 1, 0.5, &slope);
        gradient[i] += slope * scale;
    }
    double *g = gradient + at_root(p);
    double l11 = exp(x[at_root(p)]), l21 = x[at_root(p) + 1], l22 = exp(x[at_root(p) + 2]);
    slope = 0;
    sum += normal_prior(l11 * l11, 1, 0.5, &slope);
    g[0] += slope * 2 * l11 * l11;
    slope = 0;
    sum += normal_prior(l11 * l21, 0, 0.5, &slope);
    g[0] += slope * l21 * l11;
    g[1] += slope * l11;
    slope = 0;
    sum += normal_prior(l21 * l21 + l22 * l22, 1, 0.5, &slope);
    g[1] += slope * 2 * l21;
    g[2] += slope * 2 * l22 * l22;
    if (p->shortest < 1) {
        double l[3] = {l11, l21, l22}, slopes[3];
        sum += agreement_prior(p->shortest, l, slopes);
        g[0] += slopes[0] * l11;
        g[1] += slopes[1];
        g[2] += slopes[2] * l22;
    }
    if (extended(p)) {
        double *d = gradient + at_discrepancy(p);
        double variance = exp(x[at_discrepancy(p)]), scale = exp(x[at_discrepancy(p) + 1]);
        slope = 0;
        sum += normal_prior(variance, 1, 0.5, &slope);
        d[0] += slope * variance;
        slope = 0;
        sum += normal_prior(scale, 1, 0.5, &slope);
        d[1] += slope * scale;
    }
    return sum;
}

static void fill_covariance(fit_problem *p, const hyperparameters *h) {
    const observations *o = p->o;
    size_t n = o->count, d = o->dimension;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < d; i++) {
            p->scaled[j * d + i] = o->theta[j * d + i] / h->lengthscale[i];
            if (extended(p))
                p->disc_scaled[j * d + i] = o->theta[j * d + i] / h->discrepancy_lengthscale;
        }
    for (size_t j = 0; j < n; j++) {
        double *row = p->covariance + j * n;
        matern_row(p->scaled + j * d, p->scaled, j + 1, d, p->correlation + j * n,
                   p->slope + j * n);
        for (size_t k = 0; k <= j; k++)
            row[k] = p->correlation[j * n + k] * kernel_tau(h, o->share[j], o->share[k]);
        if (extended(p)) {
            matern_row(p->disc_scaled + j * d, p->disc_scaled, j + 1, d,
                       p->disc_correlation + j * n, p->disc_slope + j * n);
            double weight = h->discrepancy_variance * (1 - o->share[j]);
            for (size_t k = 0; k <= j; k++)
                row[k] += weight * (1 - o->share[k]) * p->disc_correlation[j * n + k];
        }
        row[j] += noise_variance(h, o->level[j], o->reps[j]);
    }
}

/* What the sums over pairs of trials leave for each group of hyperparameters. */
typedef struct pair_sums {
    double lengthscale[MODEL_MAX_DIMENSION];
    double root[3]; /* of W m, W m (t + t'), W m t t' */
    double disc_variance, disc_lengthscale;
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
            if (!extended(p))
                continue;
            weight *= (1 - tj) * (1 - tk);
            sums->disc_variance += weight * p->disc_correlation[j * n + k];
            sums->disc_lengthscale +=
                weight * p->disc_slope[j * n + k] *
                matern_squared_distance(p->disc_scaled + j * d, p->disc_scaled + k * d, d);
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
    double root = sqrt(p->signal), *g = gradient + at_root(p);
    g[0] += 0.5 * (2 * l[0] * sums.root[0] + l[1] * sums.root[1]) * l[0];
    g[1] += 0.5 * (l[0] * sums.root[1] + 2 * l[1] * sums.root[2]) * root;
    g[2] += 0.5 * 2 * l[2] * sums.root[2] * l[2];
    if (extended(p)) {
        double *disc = gradient + at_discrepancy(p);
        disc[0] += 0.5 * sums.disc_variance * h->discrepancy_variance;
        disc[1] += 0.5 * sums.disc_lengthscale * h->discrepancy_variance;
    }
    for (size_t j = 0; j < o->count; j++) {
        int level = o->level[j];
        double *noise = gradient + at_noise(p) + 2 * noise_level(p, level);
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
        gradient[at_noise(p) + 2 * noise_level(p, level) + 1] -=
            0.5 * (freedom - o->within[j] / rep);
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
    if (LAPACKE_dpotrf_work(LAPACK_ROW_MAJOR, 'L', n, p->covariance, n))
        return -INFINITY;
    for (int j = 0; j < n; j++)
        p->alpha[j] = o->mean[j] - h.prior_mean;
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, p->covariance, n,
                p->alpha, 1);
    value = -0.5 * cblas_ddot(n, p->alpha, 1, p->alpha, 1);
    for (int j = 0; j < n; j++)
        value -= log(p->covariance[(size_t)j * o->count + (size_t)j]);
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n, p->covariance, n, p->alpha,
                1);
    value += within_likelihood(p, &h, own_gradient);
    value += noise_prior(p, x, own_gradient);
    if (!p->options.no_prior)
        value += kernel_prior(p, x, own_gradient);
    if (gradient) {
        if (LAPACKE_dpotri_work(LAPACK_ROW_MAJOR, 'L', n, p->covariance, n))
            return -INFINITY;
        add_gaussian_gradient(p, &h, own_gradient);
        memcpy(gradient, own_gradient, (size_t)p->parameters * sizeof *gradient);
    }
    return value;
}

static double objective(unsigned count, const double *x, double *gradient, void *context) {
    (void)count;
    double value = fit_log_posterior(context, x, gradient);
    return isfinite(value) ? value : HOPELESS;
}

static void fill_bounds(const fit_problem *p, double *low, double *high) {
    for (int i = 0; i < at_root(p); i++) {
        low[i] = log(0.01);
        high[i] = log(4);
    }
    for (int i = at_root(p); i < at_noise(p); i++) {
        low[i] = log(1e-3);
        high[i] = log(30);
    }
    low[at_root(p) + 1] = -5;
    high[at_root(p) + 1] = 5;
    if (extended(p)) {
        low[at_discrepancy(p) + 1] = log(0.01);
        high[at_discrepancy(p) + 1] = log(4);
    }
    double total = log(p->signal + p->noise_env + p->noise_rep);
    for (int i = at_noise(p); i < p->parameters; i++) {
        low[i] = total + log(1e-6);
        high[i] = total + log(10);
    }
}

/* Starts differ in length scale, in how much a short training tells of a long one, and in noise. */
static void fill_start(const fit_problem *p, int start, double *x) {
    static const struct {
        double lengthscale, constant, shared, rest, noise;
    } starts[FIT_MAX_STARTS] = {
        {0.4, 0.7, 0.5, 0.5, 1},   {0.15, 0.7, 0.5, 0.5, 1},   {0.8, 0.5, 0.5, 0.8, 1},
        {0.25, 0.3, 0.3, 0.9, 1},  {0.4, 0.9, -0.5, 0.5, 0.3}, {0.2, 0.5, 0.0, 1.0, 3},
        {0.1, 1.0, 0.0, 0.5, 0.3}, {1.0, 1.0, 0.0, 1.0, 0.1},
    };
    for (int i = 0; i < at_root(p); i++)
        x[i] = log(starts[start].lengthscale);
    x[at_root(p)] = log(starts[start].constant);
    x[at_root(p) + 1] = starts[start].shared;
    x[at_root(p) + 2] = log(starts[start].rest);
    if (extended(p)) {
        x[at_discrepancy(p)] = log(0.5);
        x[at_discrepancy(p) + 1] = log(starts[start].lengthscale);
    }
    for (int level = 0; level < p->noise_levels; level++) {
        x[at_noise(p) + 2 * level] = log(p->noise_env * starts[start].noise);
        x[at_noise(p) + 2 * level + 1] = log(p->noise_rep);
    }
}

besd_status fit_run(fit_problem *p, hyperparameters *h, double *log_posterior, besd_error *error) {
    double low[FIT_MAX_PARAMETERS] = {0}, high[FIT_MAX_PARAMETERS] = {0};
    double x[FIT_MAX_PARAMETERS] = {0};
    double best[FIT_MAX_PARAMETERS] = {0}, best_value = -INFINITY;
    nlopt_opt search = nlopt_create(NLOPT_LD_LBFGS, (unsigned)p->parameters);
    if (!search)
        return besd_fail_memory(error, "the fit's optimiser");
    fill_bounds(p, low, high);
    nlopt_set_max_objective(search, objective, p);
    nlopt_set_lower_bounds(search, low);
    nlopt_set_upper_bounds(search, high);
    nlopt_set_ftol_rel(search, 1e-6);
    nlopt_set_maxeval(search, 100);
    for (int start = 0; start < p->options.starts; start++) {
        if (start == 0 && p->options.warm)
            fit_pack(p, p->options.warm, x);
        else
            fill_start(p, start, x);
        for (int i = 0; i < p->parameters; i++)
            x[i] = fmin(fmax(x[i], low[i]), high[i]);
        double value;
        nlopt_result result = nlopt_optimize(search, x, &value);
        /* a search that stops early still leaves the best point it saw in x */
        if (result < 0)
            value = fit_log_posterior(p, x, NULL);
        if (value > best_value) {
            best_value = value;
            memcpy(best, x, sizeof best);
        }
    }
    nlopt_destroy(search);
    if (!isfinite(best_value) || best_value <= HOPELESS)
        return besd_fail(error, BESD_NUMERIC, "fit: no start gave a positive definite covariance");
    fit_unpack(p, best, h);
    *log_posterior = best_value;
    return BESD_OK;
}
