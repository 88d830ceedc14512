/* Summaries of samples, and the standard normal distribution. */
#ifndef BESD_CORE_STATS_H
#define BESD_CORE_STATS_H

#include <stddef.h>

typedef struct sample_summary {
    size_t count;
    double mean;
    double variance; /* unbiased; 0 for fewer than two values */
    double se;       /* standard error of the mean */
} sample_summary;

/* Two passes, so that the variance of nearly equal values is right. */
sample_summary stats_summarise(const double *values, size_t count);

/* Summary of `groups` equal groups that lie one after the other: the mean over all values, its
 * standard error from the spread of the group means, because values of one group share an
 * instance and are not independent. One group falls back to the spread of its values. */
sample_summary stats_summarise_groups(const double *values, size_t groups, size_t group_size);

/* The number of decimals for a number with this spread: two digits of the spread are shown. */
int stats_decimals(double spread);

/* "463.7 +- 6.5": a mean with as many digits as its standard error allows, right-aligned in
 * `width`; five digits when the standard error is 0. */
const char *stats_print(sample_summary s, int width, char *text, size_t size);

/* The standard normal distribution: phi is the density, Phi the distribution function, and
 *
 *     h(u) = phi(u) + u Phi(u) = E[max(0, u + Z)],   Z standard normal,
 *
 * is the expected improvement, of which all acquisition functions are made. phi(-40) underflows,
 * and an optimiser that works with h itself then sees a plateau. log h is finite for any u that a
 * model can produce.
 */
double normal_pdf(double x);
double normal_log_pdf(double x);
double normal_cdf(double x);

/* log h(u). Against 60 digits, for 8000 u in [-1e9, 1e9]: relative error of log h below 5e-15 where
 * |log h| > 0.3, absolute error below 3e-16 elsewhere. -INFINITY at -INFINITY. */
double normal_log_improvement(double u);

/* log(e^a + e^b) without overflow; -INFINITY is the logarithm of zero. */
double log_add(double a, double b);

#endif
