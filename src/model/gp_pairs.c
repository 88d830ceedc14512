/* Everything at once about pairs of two parts of theta. The kernel of two parts is a product, so
 * what is a sum over observations is a product of two matrices, one for each part.
 */
#include "core/error.h"
#include "model/gp_state.h"
#include "model/matern.h"

#include <stdlib.h>

/* m of one part between places [count * length] and the first observations, [count * seen]. */
static void correlate_part(const gp *g, size_t part, const double *places, size_t count,
                           size_t seen, double *correlations) {
    size_t n = g->data.count, length = g->data.dimension / 2;
    double scaled[MODEL_MAX_DIMENSION];
    for (size_t c = 0; c < count; c++) {
        for (size_t i = 0; i < length; i++)
            scaled[i] = places[c * length + i] / g->h.lengthscale[part * length + i];
        matern_row(scaled, g->scaled + part * n * length, seen, length, correlations + c * seen,
                   NULL);
    }
}

/* Adds sum_j weight_j k((first, second), observation j) to values [rows * columns]. */
static besd_status add_kernels(const gp *g, const double *weights, const double *firsts,
                               size_t rows, const double *seconds, size_t columns, double share,
                               double *values, besd_error *error) {
    size_t told = g->told;
    double *left = malloc((rows * told + 1) * sizeof *left);
    double *right = malloc((columns * told + 1) * sizeof *right);
    besd_status status =
        left && right ? BESD_OK : besd_fail_memory(error, "the model's predictions");
    if (status == BESD_OK && told) {
        correlate_part(g, 0, firsts, rows, told, left);
        correlate_part(g, 1, seconds, columns, told, right);
        for (size_t j = 0; j < told; j++) {
            double weight = weights[j] * kernel_tau(&g->h, share, g->data.share[j]);
            for (size_t i = 0; i < rows; i++)
                left[i * told + j] *= weight;
        }
        blas.dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)columns, (int)told, 1,
                   left, (int)told, right, (int)told, 1, values, (int)columns);
    }
    free(left);
    free(right);
    return status;
}

besd_status gp_predict_pairs(const gp *g, const double *firsts, size_t rows, const double *seconds,
                             size_t columns, double share, double *means, besd_error *error) {
    for (size_t i = 0; i < rows * columns; i++)
        means[i] = kernel_mean(&g->h, share);
    return add_kernels(g, g->alpha, firsts, rows, seconds, columns, share, means, error);
}

besd_status gp_pair_variances(const gp *g, const double *firsts, size_t rows, const double *seconds,
                              size_t columns, double share, double *variances, besd_error *error) {
    size_t n = g->data.count;
    double *left = malloc((rows * n + 1) * sizeof *left);
    double *right = malloc((columns * n + 1) * sizeof *right);
    double *block = malloc((columns * n + 1) * sizeof *block);
    besd_status status =
        left && right && block ? BESD_OK : besd_fail_memory(error, "the model's predictions");
    for (size_t i = 0; i < rows * columns; i++)
        variances[i] = kernel_variance(&g->h, share);
    if (status == BESD_OK && n) {
        correlate_part(g, 0, firsts, rows, n, left);
        correlate_part(g, 1, seconds, columns, n, right);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < n; j++)
                left[i * n + j] *= kernel_tau(&g->h, share, g->data.share[j]);
    }
    for (size_t i = 0; status == BESD_OK && n && i < rows; i++) {
        for (size_t c = 0; c < columns; c++)
            for (size_t j = 0; j < n; j++)
                block[c * n + j] = left[i * n + j] * right[c * n + j];
        blas.dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)columns,
                   (int)n, 1, g->factor, (int)n, block, (int)n);
        for (size_t c = 0; c < columns; c++) {
            double explained = blas.ddot((int)n, block + c * n, 1, block + c * n, 1);
            double left_over = variances[i * columns + c] - explained;
            variances[i * columns + c] = left_over > 0 ? left_over : 0;
        }
    }
    free(left);
    free(right);
    free(block);
    return status;
}
