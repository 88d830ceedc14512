/* The Matérn-5/2 correlation and its derivatives, over points scaled by their length scales:
 *
 *     m(r) = (1 + s + s^2 / 3) e^-s,   s = sqrt(5) r,   r = |x - y|
 *     dm/dx_i = -(5/3) (1 + s) e^-s (x_i - y_i)
 */
#ifndef BESD_MODEL_MATERN_H
#define BESD_MODEL_MATERN_H

#include <stddef.h>

/* r^2 between two scaled points. */
double matern_squared_distance(const double *x, const double *y, size_t dimension);

/* m for a squared distance. */
double matern_correlation(double squared_distance);

/* g with dm/dx_i = -g (x_i - y_i); dm/d(log l_i) = g (x_i - y_i)^2 in scaled coordinates. */
double matern_slope(double squared_distance);

/* Both at once for many: correlation[j] between x and row j of points [count * dimension]; slope
 * may be NULL. */
void matern_row(const double *x, const double *points, size_t count, size_t dimension,
                double *correlation, double *slope);

#endif
