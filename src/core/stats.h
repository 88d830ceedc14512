/* Summaries of samples. */
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

/* With how many decimals a number is written whose spread this is: two digits of the spread, and
 * all that stands before the point. */
int stats_decimals(double spread);

/* "463.7 +- 6.5": a mean with no more digits than its standard error lets it have, right-aligned
 * in `width`. A mean that nothing was seen to change has five. */
const char *stats_print(sample_summary s, int width, char *text, size_t size);

#endif
