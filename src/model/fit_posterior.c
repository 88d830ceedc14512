/* The log posterior density of hyperparameters, and its gradient by hand. */
#include "model/fit_state.h"

#include "model/blas.h"
#include "model/cholesky.h"
#include "model/matern.h"

#include <math.h>
#include <string.h>

/* The hyper-prior of the paper's appendix B: sd = mean / 2 around means of 1. */
static const double PRIOR_SD = 0.5;

/* Of the logarithms of noise variances, whose estimates are rough: a factor of 7 either way. */
static const double NOISE_PRIOR_SD = 2;

/* w of fit.h: disagreement of short and full trainings costs 20 nats per unit of correlation. */
static const double AGREEMENT_WIDTH = 0.05;

/* A normal log density without its constant, and its slope added to *gradient. */
static double normal_prior(double value, double mean, double sd, double *gradient) {
    double z = (value - mean) / sd;
    *gradient -= z / sd;
    return -0.5 * z * z;
}

static double noise_prior(const fit_problem *p, const double *x, double *gradient) {
    double sum = 0;
    for (int level = 0; level < p->noise_levels; level++) {
        int at = fit_at_noise(p) + 2 * level;
        sum += normal_prior(x[at], log(p->noise_env), NOISE_PRIOR_SD, &gradient[at]);
        sum += normal_prior(x[at + 1], log(p->noise_rep), NOISE_PRIOR_SD, &gradient[at + 1]);
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
    for (int i = 0; i < fit_at_root(p); i++) {
        double scale = exp(x[i]);
        slope = 0;
        sum += normal_prior(scale, 1, PRIOR_SD, &slope);
        gradient[i] += slope * scale;
    }
    double *g = gradient + fit_at_root(p);
    double l11 = exp(x[fit_at_root(p)]), l21 = x[fit_at_root(p) + 1],
           l22 = exp(x[fit_at_root(p) + 2]);
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
    if (fit_extended(p)) {
        double *d = gradient + fit_at_discrepancy(p);
        double variance = exp(x[fit_at_discrepancy(p)]), scale = exp(x[fit_at_discrepancy(p) + 1]);
        slope = 0;
        sum += normal_prior(variance, 1, PRIOR_SD, &slope);
        d[0] += slope * variance;
        slope = 0;
        sum += normal_prior(scale, 1, PRIOR_SD, &slope);
        d[1] += slope * scale;
    }
    return sum;
}

static void fill_covariance(fit_problem *p, const hyperparameters *h) {
    const observations *o = p->o;
    size_t n = o->count, d = o->dimension;
    bool extended = fit_extended(p);
    for (size_t j = 0; j < n; j++)
        kernel_scale(h, d, o->theta + j * d, p->scaled + j * d,
                     extended ? p->disc_scaled + j * d : NULL);
    for (size_t j = 0; j < n; j++) {
        double *row = p->covariance + j * n, *correlation = p->correlation + j * n;
        double *disc_correlation = extended ? p->disc_correlation + j * n : NULL;
        matern_row(p->scaled + j * d, p->scaled, j + 1, d, correlation, p->slope + j * n);
        if (extended)
            matern_row(p->disc_scaled + j * d, p->disc_scaled, j + 1, d, disc_correlation,
                       p->disc_slope + j * n);
        kernel_row(h, o->share[j], o->share, j + 1, correlation, disc_correlation, row);
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
            if (!fit_extended(p))
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
        gradient[fit_at_lengthscale(p, i)] += 0.5 * sums.lengthscale[i];
    const double *l = h->sigma_root;
    double root = sqrt(p->signal), *g = gradient + fit_at_root(p);
    g[0] += 0.5 * (2 * l[0] * sums.root[0] + l[1] * sums.root[1]) * l[0];
    g[1] += 0.5 * (l[0] * sums.root[1] + 2 * l[1] * sums.root[2]) * root;
    g[2] += 0.5 * 2 * l[2] * sums.root[2] * l[2];
    if (fit_extended(p)) {
        double *disc = gradient + fit_at_discrepancy(p);
        disc[0] += 0.5 * sums.disc_variance * h->discrepancy_variance;
        disc[1] += 0.5 * sums.disc_lengthscale * h->discrepancy_variance;
    }
    for (size_t j = 0; j < o->count; j++) {
        int level = o->level[j];
        double *noise = gradient + fit_at_noise(p) + 2 * fit_noise_level(p, level);
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
        gradient[fit_at_noise(p) + 2 * fit_noise_level(p, level) + 1] -=
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
