/* Exact Gaussian process regression by Cholesky. Told observations come first, pending ones after
 * them, so the leading block of the factor serves the mean and the whole of it the covariance.
 *
 * Jitter: when the factorisation fails, 1e-12, 1e-11, ... of the mean diagonal is added until it
 * succeeds; nothing random. */
#include "model/gp.h"

#include "core/error.h"
#include "model/matern.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gp {
    observations data; /* told, then pending */
    size_t told;
    hyperparameters h;
    double *scaled;      /* theta / lengthscale, [capacity * dimension] */
    double *disc_scaled; /* theta / discrepancy_lengthscale; NULL in the paper's model */
    double *factor;      /* lower Cholesky factor, row-major, leading dimension data.capacity */
    double *alpha;       /* (K + noise)^-1 (mean - prior mean), told only */
    double jitter;
    double *row, *disc_row; /* work, [capacity] */
};

besd_status observations_init(observations *o, size_t dimension, besd_error *error) {
    memset(o, 0, sizeof *o);
    if (dimension < 1 || dimension > MODEL_MAX_DIMENSION)
        return besd_fail(error, BESD_INVALID, "dimension: expected 1 to %d, got %zu",
                         MODEL_MAX_DIMENSION, dimension);
    o->dimension = dimension;
    return BESD_OK;
}

void observations_free(observations *o) {
    free(o->theta);
    free(o->share);
    free(o->level);
    free(o->reps);
    free(o->mean);
    free(o->within);
    memset(o, 0, sizeof *o);
}

static bool grow(void **array, size_t count, size_t size) {
    void *grown = realloc(*array, count * size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

static besd_status observations_reserve(observations *o, size_t capacity, besd_error *error) {
    if (capacity <= o->capacity)
        return BESD_OK;
    if (!grow((void **)&o->theta, capacity * o->dimension, sizeof *o->theta) ||
        !grow((void **)&o->share, capacity, sizeof *o->share) ||
        !grow((void **)&o->level, capacity, sizeof *o->level) ||
        !grow((void **)&o->reps, capacity, sizeof *o->reps) ||
        !grow((void **)&o->mean, capacity, sizeof *o->mean) ||
        !grow((void **)&o->within, capacity, sizeof *o->within))
        return besd_fail_memory(error, "observations");
    o->capacity = capacity;
    return BESD_OK;
}

besd_status observations_add(observations *o, const double *theta, double share, int level,
                             double reps, double mean, double within, besd_error *error) {
    if (o->count == o->capacity) {
        besd_status status = observations_reserve(o, 2 * o->capacity + 16, error);
        if (status != BESD_OK)
            return status;
    }
    memcpy(o->theta + o->count * o->dimension, theta, o->dimension * sizeof *theta);
    o->share[o->count] = share;
    o->level[o->count] = level;
    o->reps[o->count] = reps;
    o->mean[o->count] = mean;
    o->within[o->count] = within;
    o->count++;
    return BESD_OK;
}

/* Sigma phi(t), the two numbers that weigh the basis of the other argument. */
static void weigh_basis(const hyperparameters *h, double share, double weight[2]) {
    const double *l = h->sigma_root;
    double first = l[0] + l[1] * share, second = l[2] * share; /* L^T phi */
    weight[0] = l[0] * first;
    weight[1] = l[1] * first + l[2] * second;
}

double kernel_tau(const hyperparameters *h, double share, double other) {
    double weight[2];
    weigh_basis(h, share, weight);
    return weight[0] + weight[1] * other;
}

static double discrepancy_tau(const hyperparameters *h, double share, double other) {
    return h->discrepancy_variance * (1 - share) * (1 - other);
}

static double prior_variance(const hyperparameters *h, double share) {
    return kernel_tau(h, share, share) + discrepancy_tau(h, share, share);
}

double noise_variance(const hyperparameters *h, int level, double reps) {
    return h->env_variance[level] + h->rep_variance[level] / reps;
}

int basis_count(const hyperparameters *h) {
    return h->discrepancy_variance > 0 ? 3 : 2;
}

void basis_values(double share, double *basis) {
    basis[0] = 1;
    basis[1] = share;
    basis[2] = 1 - share;
}

void gp_destroy(gp *g) {
    if (!g)
        return;
    observations_free(&g->data);
    free(g->scaled);
    free(g->disc_scaled);
    free(g->factor);
    free(g->alpha);
    free(g->row);
    free(g->disc_row);
    free(g);
}

size_t gp_count(const gp *g) {
    return g->data.count;
}

size_t gp_dimension(const gp *g) {
    return g->data.dimension;
}

const hyperparameters *gp_hyperparameters(const gp *g) {
    return &g->h;
}

double gp_jitter(const gp *g) {
    return g->jitter;
}

static void scale_theta(const gp *g, const double *theta, double *scaled, double *disc_scaled) {
    for (size_t i = 0; i < g->data.dimension; i++)
        scaled[i] = theta[i] / g->h.lengthscale[i];
    for (size_t i = 0; disc_scaled && i < g->data.dimension; i++)
        disc_scaled[i] = theta[i] / g->h.discrepancy_lengthscale;
}

/* Prior covariance of (theta, share) with the first `count` observations. */
static void prior_row(const gp *g, const double *theta, double share, size_t count, double *row) {
    size_t d = g->data.dimension;
    double scaled[MODEL_MAX_DIMENSION], disc_scaled[MODEL_MAX_DIMENSION], weight[2];
    scale_theta(g, theta, scaled, g->disc_scaled ? disc_scaled : NULL);
    weigh_basis(&g->h, share, weight);
    matern_row(scaled, g->scaled, count, d, row, NULL);
    for (size_t j = 0; j < count; j++)
        row[j] *= weight[0] + weight[1] * g->data.share[j];
    if (!g->disc_scaled)
        return;
    matern_row(disc_scaled, g->disc_scaled, count, d, g->disc_row, NULL);
    for (size_t j = 0; j < count; j++)
        row[j] += discrepancy_tau(&g->h, share, g->data.share[j]) * g->disc_row[j];
}

static double observed_variance(const gp *g, size_t j) {
    const observations *o = &g->data;
    return prior_variance(&g->h, o->share[j]) + noise_variance(&g->h, o->level[j], o->reps[j]);
}

static void fill_covariance(gp *g) {
    const observations *o = &g->data;
    for (size_t j = 0; j < o->count; j++) {
        double *row = g->factor + j * o->capacity;
        prior_row(g, o->theta + j * o->dimension, o->share[j], j, row);
        row[j] = observed_variance(g, j) + g->jitter;
    }
}

/* Factorises, climbing the ladder of jitter. */
static besd_status factorise(gp *g, besd_error *error) {
    const observations *o = &g->data;
    double diagonal = 0;
    for (size_t j = 0; j < o->count; j++)
        diagonal += observed_variance(g, j) / (double)o->count;
    for (g->jitter = 0;
         g->jitter<1e-3 * diagonal; g->jitter = g->jitter> 0 ? 10 * g->jitter : 1e-12 * diagonal) {
        fill_covariance(g);
        if (!o->count)
            return BESD_OK;
        int failed =
            LAPACKE_dpotrf_work(LAPACK_ROW_MAJOR, 'L', (int)o->count, g->factor, (int)o->capacity);
        /* the last pivot: OpenBLAS lets NaN pass */
        if (!failed && isfinite(g->factor[(o->count - 1) * (o->capacity + 1)]))
            return BESD_OK;
    }
    return o->count
               ? besd_fail(error, BESD_NUMERIC,
                           "model: the covariance of %zu trials is not positive definite", o->count)
               : BESD_OK;
}

static void solve_alpha(gp *g) {
    const observations *o = &g->data;
    for (size_t j = 0; j < g->told; j++)
        g->alpha[j] = o->mean[j] - g->h.prior_mean;
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)g->told, g->factor,
                (int)o->capacity, g->alpha, 1);
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, (int)g->told, g->factor,
                (int)o->capacity, g->alpha, 1);
}

/* Makes room for more observations in everything that depends on their number. */
static besd_status reserve(gp *g, size_t capacity, besd_error *error) {
    size_t old = g->data.capacity, d = g->data.dimension;
    if (capacity <= old)
        return BESD_OK;
    bool extended = g->h.discrepancy_variance > 0;
    if (!grow((void **)&g->scaled, capacity * d, sizeof *g->scaled) ||
        (extended && !grow((void **)&g->disc_scaled, capacity * d, sizeof *g->disc_scaled)) ||
        !grow((void **)&g->alpha, capacity, sizeof *g->alpha) ||
        !grow((void **)&g->row, capacity, sizeof *g->row) ||
        !grow((void **)&g->disc_row, capacity, sizeof *g->disc_row))
        return besd_fail_memory(error, "the model");
    double *factor = malloc(capacity * capacity * sizeof *factor);
    if (!factor)
        return besd_fail_memory(error, "the model's factor");
    besd_status status = observations_reserve(&g->data, capacity, error);
    if (status != BESD_OK) {
        free(factor);
        return status;
    }
    for (size_t j = 0; j < g->data.count; j++)
        memcpy(factor + j * capacity, g->factor + j * old, (j + 1) * sizeof *factor);
    free(g->factor);
    g->factor = factor;
    return BESD_OK;
}

besd_status gp_create(const observations *o, size_t told, const hyperparameters *h, gp **created,
                      besd_error *error) {
    gp *g = calloc(1, sizeof *g);
    if (!g)
        return besd_fail_memory(error, "the model");
    g->h = *h;
    g->data.dimension = o->dimension;
    besd_status status = reserve(g, o->count + 8, error);
    for (size_t j = 0; status == BESD_OK && j < o->count; j++) {
        const double *theta = o->theta + j * o->dimension;
        status = observations_add(&g->data, theta, o->share[j], o->level[j], o->reps[j], o->mean[j],
                                  o->within[j], error);
        scale_theta(g, theta, g->scaled + j * o->dimension,
                    g->disc_scaled ? g->disc_scaled + j * o->dimension : NULL);
    }
    if (status == BESD_OK)
        status = factorise(g, error);
    if (status != BESD_OK) {
        gp_destroy(g);
        return status;
    }
    g->told = told;
    solve_alpha(g);
    *created = g;
    return BESD_OK;
}

/* One more row of the factor; the whole is made anew when that loses positive definiteness. */
static besd_status append(gp *g, const double *theta, double share, int level, double reps,
                          double mean, besd_error *error) {
    size_t n = g->data.count, d = g->data.dimension;
    besd_status status = n + 1 < g->data.capacity ? BESD_OK : reserve(g, 2 * n + 16, error);
    if (status == BESD_OK)
        status = observations_add(&g->data, theta, share, level, reps, mean, 0, error);
    if (status != BESD_OK)
        return status;
    size_t stride = g->data.capacity;
    double *row = g->factor + n * stride;
    scale_theta(g, theta, g->scaled + n * d, g->disc_scaled ? g->disc_scaled + n * d : NULL);
    prior_row(g, theta, share, n, row);
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, g->factor,
                (int)stride, row, 1);
    double variance = observed_variance(g, n);
    double rest = variance + g->jitter - cblas_ddot((int)n, row, 1, row, 1);
    if (!(rest > 1e-14 * variance))
        return factorise(g, error);
    row[n] = sqrt(rest);
    return BESD_OK;
}

besd_status gp_add(gp *g, const double *theta, double share, int level, double reps, double mean,
                   besd_error *error) {
    if (g->told != g->data.count)
        return besd_fail(error, BESD_INVALID, "model: told after pending observations");
    besd_status status = append(g, theta, share, level, reps, mean, error);
    if (status != BESD_OK)
        return status;
    g->told++;
    solve_alpha(g);
    return BESD_OK;
}

besd_status gp_add_pending(gp *g, const double *theta, double share, int level, double reps,
                           besd_error *error) {
    return append(g, theta, share, level, reps, 0, error);
}

/* Adds sum_j weight_j d k_j / d theta over the first `count` observations. */
static void add_kernel_gradient(const gp *g, const double *theta, double share,
                                const double *weight, size_t count, double *gradient) {
    const observations *o = &g->data;
    const hyperparameters *h = &g->h;
    size_t d = o->dimension;
    double scaled[MODEL_MAX_DIMENSION], disc_scaled[MODEL_MAX_DIMENSION];
    scale_theta(g, theta, scaled, g->disc_scaled ? disc_scaled : NULL);
    for (size_t j = 0; j < count; j++) {
        const double *other = g->scaled + j * d;
        double slope = matern_slope(matern_squared_distance(scaled, other, d)) * weight[j] *
                       kernel_tau(h, share, o->share[j]);
        for (size_t i = 0; i < d; i++)
            gradient[i] -= slope * (scaled[i] - other[i]) / h->lengthscale[i];
        if (!g->disc_scaled)
            continue;
        other = g->disc_scaled + j * d;
        slope = matern_slope(matern_squared_distance(disc_scaled, other, d)) * weight[j] *
                discrepancy_tau(h, share, o->share[j]);
        for (size_t i = 0; i < d; i++)
            gradient[i] -= slope * (disc_scaled[i] - other[i]) / h->discrepancy_lengthscale;
    }
}

void gp_pull_back(const gp *g, const double *theta, double share, double *root, double *gradient) {
    size_t n = g->data.count;
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, (int)n, g->factor,
                (int)g->data.capacity, root, 1);
    add_kernel_gradient(g, theta, share, root, n, gradient);
}

double gp_predict(const gp *g, const double *theta, double share, double *variance,
                  double *gradient) {
    size_t n = g->data.count;
    double *row = g->row;
    prior_row(g, theta, share, n, row);
    double mean = g->h.prior_mean + cblas_ddot((int)g->told, row, 1, g->alpha, 1);
    if (variance) {
        cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, g->factor,
                    (int)g->data.capacity, row, 1);
        double explained = cblas_ddot((int)n, row, 1, row, 1);
        *variance = fmax(0, prior_variance(&g->h, share) - explained);
    }
    if (gradient) {
        memset(gradient, 0, g->data.dimension * sizeof *gradient);
        add_kernel_gradient(g, theta, share, g->alpha, g->told, gradient);
    }
    return mean;
}

enum { TOGETHER = 128 }; /* places that are predicted by one solve */

besd_status gp_predict_many(const gp *g, const double *thetas, const double *shares, size_t count,
                            double *means, double *variances, besd_error *error) {
    size_t n = g->data.count, d = g->data.dimension;
    double *rows = malloc((n + 1) * TOGETHER * sizeof *rows);
    if (!rows)
        return besd_fail_memory(error, "the model's predictions");
    for (size_t first = 0; first < count; first += TOGETHER) {
        size_t some = count - first < TOGETHER ? count - first : TOGETHER;
        for (size_t i = 0; i < some; i++) {
            double *row = rows + i * n;
            prior_row(g, thetas + (first + i) * d, shares[first + i], n, row);
            means[first + i] = g->h.prior_mean + cblas_ddot((int)g->told, row, 1, g->alpha, 1);
        }
        if (n)
            cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)some,
                        (int)n, 1, g->factor, (int)g->data.capacity, rows, (int)n);
        for (size_t i = 0; i < some; i++) {
            double explained = cblas_ddot((int)n, rows + i * n, 1, rows + i * n, 1);
            variances[first + i] = fmax(0, prior_variance(&g->h, shares[first + i]) - explained);
        }
    }
    free(rows);
    return BESD_OK;
}

double gp_covariance(const gp *g, const double *theta, double share, const double *other_theta,
                     double other_share) {
    const hyperparameters *h = &g->h;
    size_t n = g->data.count, d = g->data.dimension;
    double a[MODEL_MAX_DIMENSION], b[MODEL_MAX_DIMENSION];
    double disc_a[MODEL_MAX_DIMENSION], disc_b[MODEL_MAX_DIMENSION];
    scale_theta(g, theta, a, g->disc_scaled ? disc_a : NULL);
    scale_theta(g, other_theta, b, g->disc_scaled ? disc_b : NULL);
    double prior =
        matern_correlation(matern_squared_distance(a, b, d)) * kernel_tau(h, share, other_share);
    if (g->disc_scaled)
        prior += matern_correlation(matern_squared_distance(disc_a, disc_b, d)) *
                 discrepancy_tau(h, share, other_share);
    double *first = g->row, *second = malloc((n + 1) * sizeof *second);
    if (!second)
        return NAN;
    prior_row(g, theta, share, n, first);
    prior_row(g, other_theta, other_share, n, second);
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, g->factor,
                (int)g->data.capacity, first, 1);
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, g->factor,
                (int)g->data.capacity, second, 1);
    double posterior = prior - cblas_ddot((int)n, first, 1, second, 1);
    free(second);
    return posterior;
}

/* B_p for one observation j and all thetas, in [p][j * count + c]. */
static void project_row(const gp *g, size_t j, const double *scaled, const double *disc_scaled,
                        size_t count, double *const *basis_rows) {
    const hyperparameters *h = &g->h;
    size_t d = g->data.dimension;
    double weight[2], share = g->data.share[j];
    weigh_basis(h, share, weight);
    matern_row(g->scaled + j * d, scaled, count, d, basis_rows[0], NULL);
    for (size_t c = 0; c < count; c++) {
        double correlation = basis_rows[0][c];
        basis_rows[0][c] = weight[0] * correlation;
        basis_rows[1][c] = weight[1] * correlation;
    }
    if (!disc_scaled)
        return;
    matern_row(g->disc_scaled + j * d, disc_scaled, count, d, basis_rows[2], NULL);
    for (size_t c = 0; c < count; c++)
        basis_rows[2][c] *= h->discrepancy_variance * (1 - share); // NOLINT: basis_count is 2 or 3
}

besd_status gp_project(const gp *g, const double *thetas, size_t count, double *roots,
                       double *slopes, besd_error *error) {
    size_t n = g->data.count, d = g->data.dimension, bases = (size_t)basis_count(&g->h);
    double *scaled = malloc(count * d * sizeof *scaled + 8);
    double *disc_scaled = g->disc_scaled ? malloc(count * d * sizeof *disc_scaled + 8) : NULL;
    if (!scaled || (g->disc_scaled && !disc_scaled)) {
        free(scaled);
        free(disc_scaled);
        return besd_fail_memory(error, "the model's projections");
    }
    for (size_t c = 0; c < count; c++)
        scale_theta(g, thetas + c * d, scaled + c * d, disc_scaled ? disc_scaled + c * d : NULL);
    for (size_t j = 0; j < n; j++) {
        double *rows[MODEL_MAX_BASIS] = {0};
        for (size_t p = 0; p < bases; p++)
            rows[p] = roots + (p * n + j) * count;
        project_row(g, j, scaled, disc_scaled, count, rows);
    }
    for (size_t p = 0; p < bases; p++) {
        double *block = roots + p * n * count;
        memset(slopes + p * count, 0, count * sizeof *slopes);
        if (!n)
            continue;
        cblas_dgemv(CblasRowMajor, CblasTrans, (int)g->told, (int)count, 1, block, (int)count,
                    g->alpha, 1, 0, slopes + p * count, 1);
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)n,
                    (int)count, 1, g->factor, (int)g->data.capacity, block, (int)count);
    }
    free(scaled);
    free(disc_scaled);
    return BESD_OK;
}
