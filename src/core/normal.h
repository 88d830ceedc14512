/* The standard normal distribution, in logarithms where plain numbers would underflow.
 *
 * phi is the density, Phi the distribution function, and
 *
 *     h(u) = phi(u) + u Phi(u) = E[max(0, u + Z)],   Z standard normal,
 *
 * the expected improvement that all acquisition functions are made of. phi(-40) underflows, and
 * an optimiser that works with h itself then sees a plateau; log h is finite for any u that a
 * model can produce.
 */
#ifndef BESD_CORE_NORMAL_H
#define BESD_CORE_NORMAL_H

double normal_pdf(double x);
double normal_log_pdf(double x);
double normal_cdf(double x);

/* log Phi(x), accurate in both tails. */
double normal_log_cdf(double x);

/* log h(u). Against 60 digits, for 8000 u in [-1e9, 1e9]: relative error of log h below 5e-15 where
 * |log h| > 0.3, absolute error below 3e-16 elsewhere. -INFINITY at -INFINITY. */
double normal_log_improvement(double u);

/* log(e^a + e^b) without overflow; -INFINITY is the logarithm of zero. */
double log_add(double a, double b);

#endif
