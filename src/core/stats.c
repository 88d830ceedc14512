#include "core/stats.h"

#include <math.h>
#include <stdio.h>

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / (double)count : 0;
}

static sample_summary finish(double mean, double squares, size_t count) {
    sample_summary s = {.count = count, .mean = mean};
    if (count > 1) {
        s.variance = squares / (double)(count - 1);
        s.se = sqrt(s.variance / (double)count);
    }
    return s;
}

sample_summary stats_summarise(const double *values, size_t count) {
    double mean = mean_of(values, count), squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return finish(mean, squares, count);
}

sample_summary stats_summarise_groups(const double *values, size_t groups, size_t group_size) {
    if (groups < 2)
        return stats_summarise(values, groups * group_size);
    double mean = mean_of(values, groups * group_size), squares = 0;
    for (size_t g = 0; g < groups; g++) {
        double deviation = mean_of(values + g * group_size, group_size) - mean;
        squares += deviation * deviation;
    }
    return finish(mean, squares, groups);
}

int stats_decimals(double spread) {
    int decimals = 0;
    for (double limit = 9.95; spread < limit && decimals < 12; limit /= 10) /* 9.95 is written 10 */
        decimals++;
    return decimals;
}

const char *stats_print(sample_summary s, int width, char *text, size_t size) {
    int decimals = stats_decimals(s.se);
    if (s.se > 0)
        snprintf(text, size, "%*.*f +- %.*f", width, decimals, s.mean, decimals, s.se);
    else
        snprintf(text, size, "%*.5g +- %g", width, s.mean, s.se);
    return text;
}
