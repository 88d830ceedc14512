/* A row of correlations is computed more often than anything else, so its exponential is written
 * out: plain arithmetic, which compilers turn into vector instructions, unlike a call of exp().
 * e^-s = 2^k e^r with |r| <= log(2) / 2 and a polynomial for e^r; the relative error is
 * below 3e-16.
 */
#include "model/kernel.h"

#include "core/memory.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double root5 = 2.2360679774997896964;

double matern_squared_distance(const double *x, const double *y, size_t dimension) {
    double sum = 0;
    for (size_t i = 0; i < dimension; i++) {
        double difference = x[i] - y[i];
        sum += difference * difference;
    }
    return sum;
}

double matern_correlation(double squared_distance) {
    double s = root5 * sqrt(squared_distance);
    return (1 + s + s * s / 3) * exp(-s);
}

double matern_slope(double squared_distance) {
    double s = root5 * sqrt(squared_distance);
    return 5.0 / 3 * (1 + s) * exp(-s);
}

/* e^-s for s >= 0; anything beyond 700 counts as 700. */
static inline double decay(double s) {
    const double magic = 0x1.8p52; /* adding it rounds to an integer, kept in the low bits */
    double x = s < 700 ? -s : -700;
    double shifted = x * 1.4426950408889634074 + magic;
    double k = shifted - magic;
    double r = (x - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1;
    p = p * r + 1;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return p * power;
}

/* Points worked on together: their distances and exponentials stay in the innermost cache. */
enum { CHUNK = 64 };

/* sqrt(5) r for up to CHUNK points, coordinate after coordinate. */
static inline void scaled_distances(const double *x, const double *points, size_t count,
                                    size_t dimension, double *s) {
    for (size_t j = 0; j < count; j++) {
        double sum = 0;
        for (size_t i = 0; i < dimension; i++) {
            double difference = x[i] - points[j * dimension + i];
            sum += difference * difference;
        }
        s[j] = sum;
    }
    for (size_t j = 0; j < count; j++)
        s[j] = root5 * sqrt(s[j]);
}

VECTORISED void matern_row(const double *x, const double *points, size_t count, size_t dimension,
                           double *correlation, double *slope) {
    double s[CHUNK], e[CHUNK];
    for (size_t first = 0; first < count; first += CHUNK) {
        size_t size = count - first < CHUNK ? count - first : CHUNK;
        scaled_distances(x, points + first * dimension, size, dimension, s);
        for (size_t j = 0; j < size; j++)
            e[j] = decay(s[j]);
        for (size_t j = 0; j < size; j++)
            correlation[first + j] = (1 + s[j] + s[j] * s[j] / 3) * e[j];
        for (size_t j = 0; slope && j < size; j++)
            slope[first + j] = 5.0 / 3 * (1 + s[j]) * e[j];
    }
}

void kernel_weights(const hyperparameters *h, double share, double weight[2]) {
    const double *l = h->sigma_root;
    double first = l[0] + l[1] * share, second = l[2] * share; /* L^T phi */
    weight[0] = l[0] * first;
    weight[1] = l[1] * first + l[2] * second;
}

double kernel_tau(const hyperparameters *h, double share, double other) {
    double weight[2];
    kernel_weights(h, share, weight);
    return weight[0] + weight[1] * other;
}

double kernel_variance(const hyperparameters *h, double share) {
    return kernel_tau(h, share, share);
}

static size_t part_length(const hyperparameters *h, size_t dimension) {
    return h->parts > 1 ? dimension / h->parts : dimension;
}

double kernel_covariance(const hyperparameters *h, size_t dimension, const double *theta,
                         double share, const double *other_theta, double other_share) {
    double covariance = kernel_tau(h, share, other_share);
    size_t length = part_length(h, dimension);
    for (size_t part = 0; part < dimension / length; part++) {
        double squares = 0;
        for (size_t i = part * length; i < (part + 1) * length; i++) {
            double l = h->lengthscale[i], difference = theta[i] / l - other_theta[i] / l;
            squares += difference * difference;
        }
        covariance *= matern_correlation(squares);
    }
    return covariance;
}

void kernel_scale(const hyperparameters *h, size_t dimension, const double *theta, double *scaled) {
    for (size_t i = 0; i < dimension; i++)
        scaled[i] = theta[i] / h->lengthscale[i];
}

void kernel_put(const hyperparameters *h, size_t dimension, const double *theta, size_t j,
                size_t count, double *scaled) {
    size_t length = part_length(h, dimension);
    for (size_t i = 0; i < dimension; i++)
        scaled[(i / length * count + j) * length + i % length] = theta[i] / h->lengthscale[i];
}

void kernel_correlate(const hyperparameters *h, size_t dimension, const double *x,
                      const double *scaled, size_t count, size_t some, double *row) {
    size_t length = part_length(h, dimension);
    matern_row(x, scaled, some, length, row, NULL);
    for (size_t part = 1; part < dimension / length; part++)
        for (size_t first = 0; first < some; first += CHUNK) {
            double factor[CHUNK];
            size_t size = some - first < CHUNK ? some - first : CHUNK;
            matern_row(x + part * length, scaled + (part * count + first) * length, size, length,
                       factor, NULL);
            for (size_t j = 0; j < size; j++)
                row[first + j] *= factor[j];
        }
}

void kernel_row(const hyperparameters *h, double share, const double *shares, size_t count,
                const double *correlation, double *row) {
    double weight[2];
    kernel_weights(h, share, weight);
    for (size_t j = 0; j < count; j++)
        row[j] = correlation[j] * (weight[0] + weight[1] * shares[j]);
}

double kernel_mean(const hyperparameters *h, double share) {
    return h->prior_mean + h->prior_slope * (1 - share);
}

double noise_variance(const hyperparameters *h, int level, double reps) {
    return h->env_variance[level] + h->rep_variance[level] / reps;
}
