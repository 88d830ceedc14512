/* Theorem 2 as numbers: how much the discretisation can cost.
 *
 * When the optimiser only looks at the points of a finite set, then in the limit of many trials,
 * and with probability 1 - delta under the prior, it loses at most d ||L||:
 *
 *     d    the fill distance of the set, max over theta in the box of the distance to the set;
 *     L_i  = k_i sqrt(2 log(2 m / delta)) + 12 sqrt(6 m) max{k_i, sqrt(Lip_i D)},
 *
 * a probabilistic Lipschitz constant of a Gaussian process (Lederer, Umlauft and Hirche 2019), for
 * the Matern-5/2 kernel with amplitude A = k_tau(1, 1) and length scales l. D is the diameter of
 * the box, k_i = sqrt(5 A / 3) / l_i the standard deviation of the derivative along axis i, and
 * Lip_i the Lipschitz constant of that derivative's covariance. All lengths are in user units. The
 * kernel has continuous derivatives up to order four, as the theorem wants. The bound is loose:
 * hundreds, where the prior's standard deviation is below 1.
 */
#ifndef BESD_DECIDE_CERTIFICATE_H
#define BESD_DECIDE_CERTIFICATE_H

#include "besd/status.h"

#include <stddef.h>

/* The fill distance of points[n * m] (one a row; some may lie outside) in the box low..high,
 * between certified bounds: lower <= d <= upper. Stops when upper <= lower (1 + tolerance), or
 * after a fixed amount of work with a wider gap. At n = 3000 and tolerance 0.001: 0.05 s for m = 4,
 * 0.3 s for m = 6, 1.5 s for m = 8; for m = 12 it stops after 2 s with a gap of 22 %. */
besd_status fill_distance(const double *points, size_t n, size_t m, const double *low,
                          const double *high, double tolerance, double *lower, double *upper,
                          besd_error *error);

/* Lip_i: the largest slope, over all pairs of points, of the covariance of the derivatives along
 * axis i. */
double derivative_lipschitz(double amplitude, const double *lengthscales, size_t m, size_t i);

/* L[m] and its Euclidean norm, for delta in (0, 1]. */
void lipschitz_bound(double amplitude, const double *lengthscales, size_t m, double diameter,
                     double delta, double *bound_per_coordinate, double *norm);

#endif
