/* Covariance matrices factorised and inverted in place, by LAPACK. They are lower triangles of
 * row-major [n * n]; what is above the diagonal is neither read nor written. */
#ifndef BESD_MODEL_CHOLESKY_H
#define BESD_MODEL_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces the matrix by its lower Cholesky factor, for n >= 1; false when it is not positive
 * definite, and then the matrix is lost. `room` [n * n] is work space. */
bool cholesky_factorise(double *matrix, size_t n, double *room);

/* Replaces a factor by the inverse of the matrix it belongs to. */
bool cholesky_invert(double *factor, size_t n, double *room);

#endif
