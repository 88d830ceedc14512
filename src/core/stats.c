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

/* Tails of the normal distribution by Laplace's continued fraction.
 *
 * With x = -u > 0 and Mills' ratio R(x) = (1 - Phi(x)) / phi(x),
 *
 *     h(-x) = phi(x) g(x),   g(x) = 1 - x R(x),
 *
 * and the difference cancels: g(x) is about 1/x^2. Laplace's fraction
 *
 *     R(x) = 1 / (x + K),   K = 1 / (x + 2 / (x + 3 / (x + ...)))
 *
 * gives g(x) = K / (x + K), in which everything is positive. It needs many levels near zero, where
 * the plain formula is still good: at the switch, x = 4, the plain formula loses a factor of x^2
 * from the difference and x^2 from erfc's argument, 256 roundings, while |log h| is 11 already.
 *
 * Cost: an exp, an erfc and a log above the switch (30 to 50 ns); 6 to 30 divisions and a log below
 * it (45 to 95 ns). The recurrences of the fraction's numerator and denominator do without the
 * divisions and take two thirds of the time, but they overflow for large x and are longer to read.
 */

static const double half_log_two_pi = 0.918938533204672741780329736406;
static const double inverse_root_two_pi = 0.398942280401432677939946059934;
static const double inverse_root_two = 0.707106781186547524400844362105;

/* Where the fraction takes over. */
static const double fraction_from = 4;

double normal_pdf(double x) {
    return inverse_root_two_pi * exp(-0.5 * x * x);
}

double normal_log_pdf(double x) {
    return -0.5 * x * x - half_log_two_pi;
}

double normal_cdf(double x) {
    return 0.5 * erfc(-inverse_root_two * x);
}

/* K of Laplace's fraction for x >= 4, from the inside. The levels that are left out are replaced by
 * the fixed point of t = x + n / t; 5 + 96 / x of them then give full accuracy (found by trial). */
static double laplace_fraction(double x) {
    int levels = 5 + (int)(96 / x);
    double t = 0.5 * (x + sqrt(x * x + 4.0 * levels));
    for (int k = levels; k > 1; k--)
        t = x + k / t;
    return 1 / t;
}

double normal_log_improvement(double u) {
    if (u <= -fraction_from) {
        double k = laplace_fraction(-u);
        return normal_log_pdf(u) + log(k / (k - u));
    }
    return log(normal_pdf(u) + u * normal_cdf(u));
}

double log_add(double a, double b) {
    double high = a > b ? a : b, low = a > b ? b : a;
    if (isinf(high)) /* two zeros, or an infinite sum: the difference below would not be a number */
        return high;
    return high + log1p(exp(low - high));
}
