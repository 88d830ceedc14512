/* Where the search for hyperparameters begins, how far it may go, and what it returns; what it
 * climbs is in fit_posterior.c. */
#include "model/fit.h"

#include "core/error.h"
#include "model/arithmetic.h"
#include "model/climb.h"
#include "model/fit_state.h"
#include "model/variances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the search is told of places where there is no covariance. */
static const double HOPELESS = -1e300;

/* Bounds. Length scales: f changes within a hundredth of the interval, or hardly at all. */
static const double SHORTEST_LENGTH = 0.01, LONGEST_LENGTH = 4;

/* l11 and l22 over s, the discrepancy's variance over s^2: wider than the prior, which decides. */
static const double LEAST_SCALE = 1e-3, MOST_SCALE = 30;

/* l21 over s, of either sign. */
static const double MOST_SHARED = 5;

/* Noise over the whole variance: the least keeps a level whose scores are all equal from claiming
 * to know f without error. */
static const double LEAST_NOISE = 1e-6, MOST_NOISE = 10;

/* Where the discrepancy's variance over s^2 starts. */
static const double START_DISCREPANCY = 0.5;

/* A climb ends when a step gains less than this share of the log posterior, which has
 * some hundreds of nats, or after so many evaluations. */
static const double ENOUGH = 1e-6;
enum { MOST_EVALUATIONS = 100 };

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
    size_t n = o->count, d = o->dimension;
    p->o = o;
    p->options = *options;
    p->noise_levels = options->kind == MODEL_PAPER ? 1 : options->levels;
    p->parameters = fit_at_noise(p) + 2 * p->noise_levels;
    p->covariance = malloc(n * n * sizeof(double));
    p->correlation = malloc(n * n * sizeof(double));
    p->disc_correlation = malloc(n * n * sizeof(double));
    p->slope = malloc(n * n * sizeof(double));
    p->disc_slope = malloc(n * n * sizeof(double));
    p->room = malloc(n * n * sizeof(double));
    p->alpha = malloc(n * sizeof(double));
    p->scaled = malloc(n * d * sizeof(double));
    p->disc_scaled = malloc(n * d * sizeof(double));
    if (!p->covariance || !p->correlation || !p->disc_correlation || !p->slope || !p->disc_slope ||
        !p->room || !p->alpha || !p->scaled || !p->disc_scaled) {
        fit_destroy(p);
        return besd_fail_memory(error, "the fit's matrices");
    }
    variance_estimates rough = estimate_variances(o);
    p->signal = rough.signal;
    p->noise_env = rough.env;
    p->noise_rep = rough.rep;
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
    free(p->room);
    free(p->alpha);
    free(p->scaled);
    free(p->disc_scaled);
    free(p);
}

void fit_unpack(const fit_problem *p, const double *x, hyperparameters *h) {
    memset(h, 0, sizeof *h);
    double root = sqrt(p->signal);
    h->prior_mean = p->options.prior_mean;
    for (size_t i = 0; i < p->o->dimension; i++)
        h->lengthscale[i] = exp(x[fit_at_lengthscale(p, i)]);
    h->sigma_root[0] = root * exp(x[fit_at_root(p)]);
    h->sigma_root[1] = root * x[fit_at_root(p) + 1];
    h->sigma_root[2] = root * exp(x[fit_at_root(p) + 2]);
    if (fit_extended(p)) {
        h->discrepancy_variance = p->signal * exp(x[fit_at_discrepancy(p)]);
        h->discrepancy_lengthscale = exp(x[fit_at_discrepancy(p) + 1]);
    }
    for (int level = 0; level < p->options.levels; level++) {
        const double *noise = x + fit_at_noise(p) + 2 * fit_noise_level(p, level);
        h->env_variance[level] = exp(noise[0]);
        h->rep_variance[level] = exp(noise[1]);
    }
}

void fit_pack(const fit_problem *p, const hyperparameters *h, double *x) {
    double root = sqrt(p->signal);
    for (size_t i = 0; i < p->o->dimension; i++)
        x[fit_at_lengthscale(p, i)] = log(h->lengthscale[i]);
    x[fit_at_root(p)] = log(h->sigma_root[0] / root);
    x[fit_at_root(p) + 1] = h->sigma_root[1] / root;
    x[fit_at_root(p) + 2] = log(h->sigma_root[2] / root);
    if (fit_extended(p)) {
        x[fit_at_discrepancy(p)] = log(h->discrepancy_variance / p->signal);
        x[fit_at_discrepancy(p) + 1] = log(h->discrepancy_lengthscale);
    }
    for (int level = 0; level < p->options.levels; level++) {
        double *noise = x + fit_at_noise(p) + 2 * fit_noise_level(p, level);
        noise[0] = log(h->env_variance[level]);
        noise[1] = log(h->rep_variance[level]);
    }
}

static double objective(const double *x, double *gradient, void *context) {
    double value = fit_log_posterior(context, x, gradient);
    return isfinite(value) ? value : HOPELESS;
}

static void fill_bounds(const fit_problem *p, double *low, double *high) {
    for (int i = 0; i < fit_at_root(p); i++) {
        low[i] = log(SHORTEST_LENGTH);
        high[i] = log(LONGEST_LENGTH);
    }
    for (int i = fit_at_root(p); i < fit_at_noise(p); i++) {
        low[i] = log(LEAST_SCALE);
        high[i] = log(MOST_SCALE);
    }
    low[fit_at_root(p) + 1] = -MOST_SHARED;
    high[fit_at_root(p) + 1] = MOST_SHARED;
    if (fit_extended(p)) {
        low[fit_at_discrepancy(p) + 1] = log(SHORTEST_LENGTH);
        high[fit_at_discrepancy(p) + 1] = log(LONGEST_LENGTH);
    }
    double total = log(p->signal + p->noise_env + p->noise_rep);
    for (int i = fit_at_noise(p); i < p->parameters; i++) {
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
    for (int i = 0; i < fit_at_root(p); i++)
        x[i] = log(starts[start].lengthscale);
    x[fit_at_root(p)] = log(starts[start].constant);
    x[fit_at_root(p) + 1] = starts[start].shared;
    x[fit_at_root(p) + 2] = log(starts[start].rest);
    if (fit_extended(p)) {
        x[fit_at_discrepancy(p)] = log(START_DISCREPANCY);
        x[fit_at_discrepancy(p) + 1] = log(starts[start].lengthscale);
    }
    for (int level = 0; level < p->noise_levels; level++) {
        x[fit_at_noise(p) + 2 * level] = log(p->noise_env);
        x[fit_at_noise(p) + 2 * level + 1] = log(p->noise_rep);
    }
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
    if (!isfinite(best_value) || best_value <= HOPELESS)
        return besd_fail(error, BESD_NUMERIC, "fit: no start gave a positive definite covariance");
    fit_unpack(p, best, h);
    *log_posterior = best_value;
    return BESD_OK;
}
