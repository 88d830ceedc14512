/* What the files of the posterior share. */
#ifndef BESD_MODEL_GP_STATE_H
#define BESD_MODEL_GP_STATE_H

#include "model/blas.h"
#include "model/gp.h"

struct gp {
    observations data; /* told, then pending */
    size_t told;
    hyperparameters h;
    double *scaled;      /* theta / lengthscale, [count * dimension], part after part */
    double *disc_scaled; /* theta / discrepancy_lengthscale; NULL in the paper's model */
    double *factor;      /* lower Cholesky factor, row-major, [count * count] */
    double *alpha;       /* (K + noise)^-1 (mean - prior mean), told only */
    double *row, *other_row, *disc_row; /* work, [count] */
    double *projected, *disc_projected; /* work, scaled thetas, [PROJECTED_TOGETHER * dimension] */
};

/* x = L^-1 x, or L^-T x, for the leading block of the factor. */
void gp_solve(const gp *g, CBLAS_TRANSPOSE transposed, size_t count, double *x);

#endif
