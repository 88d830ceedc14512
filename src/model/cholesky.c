/* LAPACK stores columns, so the caller lends memory for the transposed matrix and nothing here
 * allocates. The same bytes
 * taken for the upper triangle of columns would need no transposition at all; but LAPACK's other
 * triangle is another order of sums, which differs in the last bits from what studies were made
 * with. */
#include "model/cholesky.h"

#include "model/blas.h"

#include <limits.h>
#include <math.h>

/* Sizes that LAPACK would complain of are refused here: it does so on standard error. */
static bool call(lapack_routine *routine, double *matrix, size_t n) {
    int order = (int)n, info = -1;
    if (n < 1 || n > INT_MAX)
        return false;
    routine("L", &order, matrix, &order, &info, 1);
    return info == 0;
}

/* A tile of both matrices fits into the innermost cache. */
enum { TILE = 32 };

/* out[j * n + i] = in[i * n + j] for a triangle of `in`: below the diagonal, or above it. */
static void transpose(const double *in, double *out, size_t n, bool below) {
    for (size_t row = 0; row < n; row += TILE)
        for (size_t column = below ? 0 : row; column < (below ? row + 1 : n); column += TILE)
            for (size_t i = row; i < row + TILE && i < n; i++) {
                size_t first = below || column > i ? column : i, last = below ? i + 1 : n;
                for (size_t j = first; j < column + TILE && j < last; j++)
                    out[j * n + i] = in[i * n + j];
            }
}

bool cholesky_factorise(double *matrix, size_t n, double *room) {
    transpose(matrix, room, n, true);
    if (!call(blas.dpotrf, room, n))
        return false;
    transpose(room, matrix, n, false);
    return isfinite(matrix[n * n - 1]); /* the last pivot: OpenBLAS lets NaN pass */
}

bool cholesky_invert(double *factor, size_t n, double *room) {
    transpose(factor, room, n, true);
    if (!call(blas.dpotri, room, n))
        return false;
    transpose(room, factor, n, false);
    return true;
}
