#include "model/variances.h"

#include <math.h>

/* A variance of this share of the squared mean is no more than errors of rounding. */
static const double ROUNDING = 1e-28;

/* The variance of scores that are all equal: a thousandth of their size, squared; of zeros,
 * anything. */
static const double EQUAL_SHARE = 1e-6, EQUAL_VARIANCE = 1e-12;

/* Of scores so small that their squares underflow. */
static const double SMALLEST_VARIANCE = 1e-200;

/* Rough shares of the scores' variance, before anything is known: noise between trials, and within
 * trials that were not replicated; the least within trials whose scores are equal; the least that
 * is signal when noise seems to explain all. */
static const double NOISE_SHARE = 0.1, LEAST_REP_SHARE = 1e-3, LEAST_SIGNAL_SHARE = 0.1;

variance_estimates estimate_variances(const observations *o) {
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
        total = fmax(pooled, mean != 0 ? EQUAL_SHARE * mean * mean : EQUAL_VARIANCE);
    total = fmax(total, SMALLEST_VARIANCE);
    double rep = fmax(freedom > 0 ? pooled : NOISE_SHARE * total, LEAST_REP_SHARE * total);
    double env = NOISE_SHARE * total;
    double signal = fmax(total - env - per_rep * rep, LEAST_SIGNAL_SHARE * total);
    return (variance_estimates){.signal = signal, .env = env, .rep = rep};
}
