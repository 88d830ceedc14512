/* What can be said from a few dozen replications: means, interquartile means, differences,
 * probabilities of improvement, with bootstrap intervals (Agarwal et al. 2021, "Deep reinforcement
 * learning at the edge of the statistical precipice"). Replications are the independent unit; test
 * instances are common to all, so comparing two methods is paired by them. Resampling draws
 * replications with replacement within each stratum (domain and method). */
#ifndef BESD_CONTEST_STATISTICS_H
#define BESD_CONTEST_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

typedef struct interval {
    double value, low, high; /* 95 % */
} interval;

/* Values of independent replications of one method in one domain. */
typedef struct stratum {
    const double *values;
    size_t count;
} stratum;

/* Mean of what is left without the lowest and highest quarter; a value that lies across a quarter
 * counts in part, so that every size is treated alike. Reorders values. */
double statistics_iqm(double *values, size_t count);

/* Interquartile mean over all strata together, resampled within them. */
interval statistics_iqm_interval(const stratum *strata, size_t count, uint64_t seed);

/* Mean of the stratum means. */
interval statistics_mean_interval(const stratum *strata, size_t count, uint64_t seed);

/* mean(a) - mean(b). */
interval statistics_difference(stratum a, stratum b, uint64_t seed);

/* P(a < b) + P(a = b) / 2, the mean over pairs of strata. */
interval statistics_improvement(const stratum *a, const stratum *b, size_t count, uint64_t seed);

/* Share of values at most `threshold`, the mean over strata. */
interval statistics_profile(const stratum *strata, size_t count, double threshold, uint64_t seed);

#endif
