/* LAPACK stores columns. Asked for rows, LAPACKE transposes into memory of its own and has one more
 * way to fail, so the caller lends the memory instead and nothing here allocates. The same bytes
 * taken for the upper triangle of columns would need no transposition at all; but LAPACK's other
 * triangle is another order of sums, which differs in the last bits from what studies were made
 * with. */
#include "model/cholesky.h"

#include <lapacke.h>
#include <math.h>

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
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)n, room, (int)n))
        return false;
    transpose(room, matrix, n, false);
    return isfinite(matrix[n * n - 1]); /* the last pivot: OpenBLAS lets NaN pass */
}

bool cholesky_invert(double *factor, size_t n, double *room) {
    transpose(factor, room, n, true);
    if (LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', (int)n, room, (int)n))
        return false;
    transpose(room, factor, n, false);
    return true;
}
