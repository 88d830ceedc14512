/* The model written down a second time, from the formulas and not from the sources: one kernel for
 * two places, the posterior by a dense inverse, all in long double. And random studies to compare
 * on. */
#ifndef BESD_TESTS_MODEL_FACTS_H
#define BESD_TESTS_MODEL_FACTS_H

#include "testing.h"

#include "core/rng.h"
#include "model/blas.h"
#include "model/gp.h"

#include <stdlib.h>

enum { FACTS_LEVELS = 4 };

/* Set up of a group of tests: linear algebra on one thread, as in a study, so that the bytes do not
 * depend on the machine. */
static inline int facts_one_thread(void **state) {
    (void)state;
    return arithmetic_begin(1, NULL);
}

static const double facts_shares[FACTS_LEVELS] = {0.125, 0.3, 0.6, 1};

/* Matérn-5/2 at distance r. */
static inline long double facts_matern(long double r) {
    long double s = sqrtl(5) * r;
    return (1 + s + s * s / 3) * expl(-s);
}

/* k((x, t), (y, u)). */
static inline long double facts_kernel(const hyperparameters *h, size_t d, const double *x,
                                       double t, const double *y, double u) {
    long double squares = 0, m = 1;
    size_t length = h->parts && h->parts <= d ? d / h->parts : d;
    for (size_t i = 0; i < d; i++) {
        long double difference = (long double)x[i] - (long double)y[i];
        squares += difference * difference / (h->lengthscale[i] * (long double)h->lengthscale[i]);
        if ((i + 1) % length == 0) { /* the last of its part */
            m *= facts_matern(sqrtl(squares));
            squares = 0;
        }
    }
    long double l11 = h->sigma_root[0], l21 = h->sigma_root[1], l22 = h->sigma_root[2];
    long double s11 = l11 * l11, s21 = l21 * l11, s22 = l21 * l21 + l22 * l22;
    return m * (s11 + s21 * (t + u) + s22 * t * u);
}

static inline long double facts_noise(const hyperparameters *h, int level, double reps) {
    return h->env_variance[level] + (long double)h->rep_variance[level] / reps;
}

/* The covariance of the first n trials, noise and all. */
static inline long double *facts_covariance_matrix(const observations *o, const hyperparameters *h,
                                                   size_t n) {
    long double *k = malloc((n * n + 1) * sizeof *k);
    assert_non_null(k);
    for (size_t j = 0; j < n; j++) {
        for (size_t l = 0; l < n; l++)
            k[j * n + l] = facts_kernel(h, o->dimension, o->theta + j * o->dimension, o->share[j],
                                        o->theta + l * o->dimension, o->share[l]);
        k[j * n + j] += facts_noise(h, o->level[j], o->reps[j]);
    }
    return k;
}

/* Replaces a matrix by its inverse: Gauss-Jordan with row pivots. */
static inline void facts_invert(long double *a, size_t n) {
    long double *right = calloc(n * n + 1, sizeof *right);
    assert_non_null(right);
    for (size_t j = 0; j < n; j++)
        right[j * n + j] = 1;
    for (size_t j = 0; j < n; j++) {
        size_t pivot = j;
        for (size_t i = j + 1; i < n; i++)
            pivot = fabsl(a[i * n + j]) > fabsl(a[pivot * n + j]) ? i : pivot;
        for (size_t l = 0; l < n; l++) {
            long double left_swapped = a[j * n + l], right_swapped = right[j * n + l];
            a[j * n + l] = a[pivot * n + l];
            a[pivot * n + l] = left_swapped;
            right[j * n + l] = right[pivot * n + l];
            right[pivot * n + l] = right_swapped;
        }
        long double divisor = a[j * n + j];
        for (size_t l = 0; l < n; l++) {
            a[j * n + l] /= divisor;
            right[j * n + l] /= divisor;
        }
        for (size_t i = 0; i < n; i++) {
            long double factor = a[i * n + j];
            for (size_t l = 0; i != j && l < n; l++) {
                a[i * n + l] -= factor * a[j * n + l];
                right[i * n + l] -= factor * right[j * n + l];
            }
        }
    }
    memcpy(a, right, n * n * sizeof *a);
    free(right);
}

/* The textbook posterior: k^T K^-1 (y - m) over the told, k - k^T K^-1 k' over all. */
typedef struct facts_posterior {
    const observations *o;
    hyperparameters h;
    size_t told;
    long double *told_inverse, *inverse;
} facts_posterior;

static inline facts_posterior facts_condition(const observations *o, size_t told,
                                              const hyperparameters *h) {
    facts_posterior p = {o, *h, told, facts_covariance_matrix(o, h, told),
                         facts_covariance_matrix(o, h, o->count)};
    facts_invert(p.told_inverse, told);
    facts_invert(p.inverse, o->count);
    return p;
}

static inline void facts_forget(facts_posterior *p) {
    free(p->told_inverse);
    free(p->inverse);
}

static inline long double facts_with_trial(const facts_posterior *p, const double *x, double t,
                                           size_t j) {
    const observations *o = p->o;
    return facts_kernel(&p->h, o->dimension, x, t, o->theta + j * o->dimension, o->share[j]);
}

static inline long double facts_prior_mean(const hyperparameters *h, double t) {
    return (long double)h->prior_mean + (long double)h->prior_slope * (1 - (long double)t);
}

static inline double facts_mean(const facts_posterior *p, const double *x, double t) {
    long double sum = facts_prior_mean(&p->h, t);
    for (size_t j = 0; j < p->told; j++) {
        long double weight = 0;
        for (size_t l = 0; l < p->told; l++)
            weight += p->told_inverse[j * p->told + l] *
                      ((long double)p->o->mean[l] - facts_prior_mean(&p->h, p->o->share[l]));
        sum += weight * facts_with_trial(p, x, t, j);
    }
    return (double)sum;
}

static inline double facts_covariance(const facts_posterior *p, const double *x, double t,
                                      const double *y, double u) {
    size_t n = p->o->count;
    long double sum = facts_kernel(&p->h, p->o->dimension, x, t, y, u);
    for (size_t j = 0; j < n; j++) {
        long double weight = 0;
        for (size_t l = 0; l < n; l++)
            weight += p->inverse[j * n + l] * facts_with_trial(p, y, u, l);
        sum -= weight * facts_with_trial(p, x, t, j);
    }
    return (double)sum;
}

/* Of order one; noise from a thousandth to a tenth of the signal, so that the covariance of some
 * tens of trials has a condition number below 1e6. */
static inline hyperparameters facts_draw_hyperparameters(rng *stream, size_t d) {
    hyperparameters h = {.prior_mean = rng_between(stream, -3, 3)};
    for (size_t i = 0; i < d; i++)
        h.lengthscale[i] = sqrt((double)d) * pow(10, rng_between(stream, -0.8, 0.2));
    h.sigma_root[0] = rng_between(stream, 0.3, 1.2);
    h.sigma_root[1] = rng_between(stream, -0.5, 1);
    h.sigma_root[2] = rng_between(stream, 0.2, 1);
    h.prior_slope = rng_between(stream, -1, 1);
    for (int level = 0; level < FACTS_LEVELS; level++) {
        h.env_variance[level] = pow(10, rng_between(stream, -3, -1));
        h.rep_variance[level] = pow(10, rng_between(stream, -3, 0));
    }
    return h;
}

static inline void facts_draw_theta(rng *stream, size_t d, double *theta) {
    for (size_t i = 0; i < d; i++)
        theta[i] = rng_uniform(stream);
}

/* n trials at all levels. Every third theta is one that was tried before, as in an initial design
 * that runs the same theta at every tau. */
static inline void facts_draw_trials(rng *stream, observations *o, size_t n, size_t d) {
    besd_error error;
    assert_ok(observations_init(o, d, &error), &error);
    for (size_t j = 0; j < n; j++) {
        double theta[MODEL_MAX_DIMENSION], wave = 0;
        facts_draw_theta(stream, d, theta);
        if (j % 3 == 2)
            memcpy(theta, o->theta + (size_t)rng_below(stream, j) * d, d * sizeof *theta);
        int level = (int)rng_below(stream, FACTS_LEVELS);
        int reps = 1 + (int)rng_below(stream, 10);
        for (size_t i = 0; i < d; i++)
            wave += sin(7 * theta[i] + (double)i) / sqrt((double)d);
        double mean = facts_shares[level] * wave + 0.3 * rng_normal(stream), within = 0;
        for (int q = 1; q < reps; q++) {
            double z = rng_normal(stream);
            within += 0.2 * z * z;
        }
        assert_ok(
            observations_add(o, theta, facts_shares[level], level, reps, mean, within, &error),
            &error);
    }
}

#endif
