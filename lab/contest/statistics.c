#include "contest/statistics.h"

#include "core/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 2000, SMALL_SAMPLE = 100 };

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Samples are mostly some fifty values, which insertion sorts several times faster than qsort. */
static void sort_values(double *values, size_t count) {
    if (count > SMALL_SAMPLE) {
        qsort(values, count, sizeof *values, ascending);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        double value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

double statistics_iqm(double *values, size_t count) {
    sort_values(values, count);
    double n = (double)count, sum = 0, low = n / 4, high = 3 * n / 4;
    for (size_t i = 0; i < count; i++) {
        double from = fmax((double)i, low), to = fmin((double)i + 1, high);
        if (to > from)
            sum += (to - from) * values[i];
    }
    return sum / (high - low);
}

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* A statistic of strata; `context` is its own. `scratch` has room for all values together. */
typedef double statistic(const stratum *strata, size_t count, double *scratch, const void *context);

static double iqm_of_all(const stratum *strata, size_t count, double *scratch,
                         const void *context) {
    (void)context;
    size_t total = 0;
    for (size_t s = 0; s < count; s++) {
        memcpy(scratch + total, strata[s].values, strata[s].count * sizeof *scratch);
        total += strata[s].count;
    }
    return statistics_iqm(scratch, total);
}

static double mean_of_means(const stratum *strata, size_t count, double *scratch,
                            const void *context) {
    (void)scratch;
    (void)context;
    double sum = 0;
    for (size_t s = 0; s < count; s++)
        sum += mean_of(strata[s].values, strata[s].count);
    return sum / (double)count;
}

static double mean_difference(const stratum *strata, size_t count, double *scratch,
                              const void *context) {
    (void)count;
    (void)scratch;
    (void)context;
    return mean_of(strata[0].values, strata[0].count) - mean_of(strata[1].values, strata[1].count);
}

/* Strata come in pairs: a, b, a, b, ... */
static double improvement_of_pairs(const stratum *strata, size_t count, double *scratch,
                                   const void *context) {
    (void)scratch;
    (void)context;
    double sum = 0;
    for (size_t s = 0; s < count; s += 2) {
        double wins = 0;
        for (size_t i = 0; i < strata[s].count; i++)
            for (size_t j = 0; j < strata[s + 1].count; j++) {
                double a = strata[s].values[i], b = strata[s + 1].values[j];
                wins += a < b ? 1 : a == b ? 0.5 : 0;
            }
        sum += wins / (double)strata[s].count / (double)strata[s + 1].count;
    }
    return sum / (double)(count / 2);
}

static double share_at_most(const stratum *strata, size_t count, double *scratch,
                            const void *context) {
    (void)scratch;
    double sum = 0, threshold = *(const double *)context;
    for (size_t s = 0; s < count; s++) {
        double at_most = 0;
        for (size_t i = 0; i < strata[s].count; i++)
            at_most += strata[s].values[i] <= threshold;
        sum += at_most / (double)strata[s].count;
    }
    return sum / (double)count;
}

/* The statistic and the 2.5 and 97.5 per cent points of its bootstrap distribution. */
static interval bootstrap(const stratum *strata, size_t count, uint64_t seed, statistic *compute,
                          const void *context) {
    size_t total = 0;
    for (size_t s = 0; s < count; s++) {
        if (!strata[s].count)
            return (interval){NAN, NAN, NAN};
        total += strata[s].count;
    }
    if (!total)
        return (interval){NAN, NAN, NAN};
    double *drawn = malloc(total * sizeof *drawn), *scratch = malloc(total * sizeof *scratch);
    double *found = malloc(RESAMPLES * sizeof *found);
    stratum *resampled = malloc(count * sizeof *resampled);
    interval result = {NAN, NAN, NAN};
    if (drawn && scratch && found && resampled) {
        result.value = compute(strata, count, scratch, context);
        for (size_t b = 0; b < RESAMPLES; b++) {
            rng stream = rng_open(seed, RNG_RESAMPLE, b, 0, 0);
            double *next = drawn;
            for (size_t s = 0; s < count; s++) {
                resampled[s] = (stratum){next, strata[s].count};
                for (size_t i = 0; i < strata[s].count; i++)
                    *next++ = strata[s].values[rng_below(&stream, strata[s].count)];
            }
            found[b] = compute(resampled, count, scratch, context);
        }
        qsort(found, RESAMPLES, sizeof *found, ascending);
        result.low = found[RESAMPLES / 40];
        result.high = found[RESAMPLES - 1 - RESAMPLES / 40];
    }
    free(drawn);
    free(scratch);
    free(found);
    free(resampled);
    return result;
}

interval statistics_iqm_interval(const stratum *strata, size_t count, uint64_t seed) {
    return bootstrap(strata, count, seed, iqm_of_all, NULL);
}

interval statistics_mean_interval(const stratum *strata, size_t count, uint64_t seed) {
    return bootstrap(strata, count, seed, mean_of_means, NULL);
}

interval statistics_difference(stratum a, stratum b, uint64_t seed) {
    return bootstrap((stratum[]){a, b}, 2, seed, mean_difference, NULL);
}

interval statistics_improvement(const stratum *a, const stratum *b, size_t count, uint64_t seed) {
    stratum *pairs = malloc(2 * count * sizeof *pairs);
    if (!pairs)
        return (interval){NAN, NAN, NAN};
    for (size_t s = 0; s < count; s++) {
        pairs[2 * s] = a[s];
        pairs[2 * s + 1] = b[s];
    }
    interval result = bootstrap(pairs, 2 * count, seed, improvement_of_pairs, NULL);
    free(pairs);
    return result;
}

interval statistics_profile(const stratum *strata, size_t count, double threshold, uint64_t seed) {
    return bootstrap(strata, count, seed, share_at_most, &threshold);
}
