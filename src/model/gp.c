/* Exact Gaussian process regression by Cholesky. Told observations come first, pending ones after
 * them, so the leading block of the factor serves the mean, and the whole factor the covariance.
 *
 * When the factorisation fails, jitter is added to the diagonal, ten times as much every time,
 * until it succeeds. Nothing about it is random.
 *
 * Rows may be of several tasks (tasks.h). Predictions are about one task at a time (gp_set_task),
 * whose relations to the tasks of all rows are kept in `bond` and `shift`.
 *
 * A kernel of two parts is a product. So sums over observations at all pairs of a first and a
 * second part are a product of two matrices, one for each part (gp_predict_pairs). */
#include "model/gp.h"

#include "core/error.h"
#include "core/memory.h"
#include "model/blas.h"
#include "model/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first and the largest jitter, in shares of the mean diagonal: from where rounding does harm
 * to where jitter would act as noise. */
static const double FIRST_JITTER = 1e-12, MOST_JITTER = 1e-3;

/* Many places are projected in blocks of 512: shorter rows, which do not fill pages, take a third
 * longer. Many places are predicted in blocks of 128, with one solve each. So a model needs room
 * for one block only. */
enum { PROJECTED_TOGETHER = 512, PREDICTED_TOGETHER = 128 };

struct gp {
    observations data; /* told, then pending */
    size_t told;
    hyperparameters h;
    void *memory;            /* of all that follows */
    double *scaled;          /* theta / lengthscale, [count * dimension], part after part */
    double *factor;          /* lower Cholesky factor, row-major, [count * count] */
    double *alpha;           /* (K + noise)^-1 (mean - prior mean), told only */
    size_t tasks;            /* 0: all rows are of one task, and what follows is not used */
    int task;                /* the one that predictions are about */
    double *share, *level;   /* B and S of tasks.h, [tasks * tasks] */
    double *bond, *shift;    /* B and S of the task with those of the rows, [count] */
    double *row, *other_row; /* work, [count] */
    double *projected;       /* work, scaled thetas, [PROJECTED_TOGETHER * dimension] */
};

void gp_destroy(gp *g) {
    if (!g)
        return;
    observations_free(&g->data);
    free(g->memory);
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

/* Covariances of processes as those of the rows' tasks with the given one. */
static void relate_row(const gp *g, int task, size_t count, double *row) {
    const double *share = g->share + (size_t)task * g->tasks,
                 *level = g->level + (size_t)task * g->tasks;
    for (size_t j = 0; j < count; j++)
        row[j] = row[j] * share[g->data.task[j]] + level[g->data.task[j]];
}

/* Prior covariance of (theta, share) of a task with the first `count` observations. */
static void prior_row(const gp *g, const double *theta, double share, int task, size_t count,
                      double *row) {
    size_t d = g->data.dimension;
    double scaled[MODEL_MAX_DIMENSION];
    kernel_scale(&g->h, d, theta, scaled);
    kernel_correlate(&g->h, d, scaled, g->scaled, g->data.count, count, row);
    kernel_row(&g->h, share, g->data.share, count, row, row);
    if (g->tasks)
        relate_row(g, task, count, row);
}

static double task_variance(const gp *g, double share, int task) {
    double variance = kernel_variance(&g->h, share);
    size_t at = (size_t)task * (g->tasks + 1);
    return g->tasks ? variance * g->share[at] + g->level[at] : variance;
}

int gp_task(const gp *g) {
    return g->task;
}

double gp_bond(const gp *g, int other) {
    return g->tasks ? g->share[(size_t)g->task * g->tasks + (size_t)other] : 1;
}

double gp_prior_variance(const gp *g, double share) {
    return task_variance(g, share, g->task);
}

static double observed_variance(const gp *g, size_t j) {
    const observations *o = &g->data;
    return task_variance(g, o->share[j], o->task[j]) + observation_noise(o, &g->h, j);
}

static void fill_covariance(gp *g, double jitter) {
    const observations *o = &g->data;
    for (size_t j = 0; j < o->count; j++) {
        double *row = g->factor + j * o->count;
        prior_row(g, o->theta + j * o->dimension, o->share[j], o->task[j], j, row);
        row[j] = observed_variance(g, j) + jitter;
    }
}

/* Factorises, with more and more jitter. */
static besd_status factorise(gp *g, double *room, besd_error *error) {
    size_t n = g->data.count;
    double diagonal = 0, jitter = 0;
    if (!n)
        return BESD_OK;
    for (size_t j = 0; j < n; j++)
        diagonal += observed_variance(g, j) / (double)n;
    while (jitter < MOST_JITTER * diagonal) {
        fill_covariance(g, jitter);
        if (cholesky_factorise(g->factor, n, room))
            return BESD_OK;
        jitter = jitter > 0 ? 10 * jitter : FIRST_JITTER * diagonal;
    }
    return besd_fail(error, BESD_NUMERIC,
                     "model: the covariance of %zu trials is not positive definite", n);
}

/* x = L^-1 x, or L^-T x, for the leading block of the factor. */
static void solve(const gp *g, CBLAS_TRANSPOSE transposed, size_t count, double *x) {
    if (count)
        blas.dtrsv(CblasRowMajor, CblasLower, transposed, CblasNonUnit, (int)count, g->factor,
                   (int)g->data.count, x, 1);
}

static void solve_alpha(gp *g) {
    for (size_t j = 0; j < g->told; j++)
        g->alpha[j] = g->data.mean[j] - observation_mean(&g->data, &g->h, j);
    solve(g, CblasNoTrans, g->told, g->alpha);
    solve(g, CblasTrans, g->told, g->alpha);
}

static bool allocate(gp *g) {
    size_t n = g->data.count, place = g->data.dimension * sizeof(double),
           vector = n * sizeof(double), related = g->tasks * g->tasks * sizeof(double);
    const memory_array arrays[] = {
        {&g->scaled, n * place}, {&g->factor, n * vector},
        {&g->alpha, vector},     {&g->row, vector},
        {&g->other_row, vector}, {&g->projected, PROJECTED_TOGETHER * place},
        {&g->share, related},    {&g->level, related},
        {&g->bond, vector},      {&g->shift, vector}};
    g->memory = memory_allocate(arrays, sizeof arrays / sizeof *arrays);
    return g->memory != NULL;
}

static besd_status copy_observations(gp *g, const observations *o, besd_error *error) {
    besd_status status = observations_init(&g->data, o->dimension, error);
    for (size_t j = 0; status == BESD_OK && j < o->count; j++)
        status = observations_copy(&g->data, o, j, error);
    g->data.tasks = o->tasks;
    g->tasks = o->tasks ? tasks_count(o->tasks) : 0;
    return status;
}

void gp_set_task(gp *g, int task) {
    g->task = task;
    for (size_t j = 0; g->tasks && j < g->data.count; j++) {
        size_t at = (size_t)task * g->tasks + (size_t)g->data.task[j];
        g->bond[j] = g->share[at];
        g->shift[j] = g->level[at];
    }
}

/* The trials' scaled thetas and the factor. */
static besd_status prepare(gp *g, besd_error *error) {
    size_t n = g->data.count, d = g->data.dimension;
    double *room = malloc((n * n + 1) * sizeof *room); /* malloc(0) may be NULL */
    besd_status status =
        allocate(g) && room ? BESD_OK : besd_fail_memory(error, "the model's matrices");
    for (size_t j = 0; status == BESD_OK && j < n; j++)
        kernel_put(&g->h, d, g->data.theta + j * d, j, n, g->scaled);
    if (status == BESD_OK && g->tasks)
        tasks_relate(g->data.tasks, &g->h.tasks, g->share, g->level);
    if (status == BESD_OK)
        status = factorise(g, room, error);
    free(room);
    return status;
}

besd_status gp_create(const observations *o, size_t told, const hyperparameters *h, gp **created,
                      besd_error *error) {
    besd_status status = arithmetic_begin(1, error);
    if (status != BESD_OK)
        return status;
    gp *g = calloc(1, sizeof *g);
    if (!g)
        return besd_fail_memory(error, "the model");
    g->h = *h;
    g->told = told;
    status = copy_observations(g, o, error);
    if (status == BESD_OK)
        status = prepare(g, error);
    if (status != BESD_OK) {
        gp_destroy(g);
        return status;
    }
    solve_alpha(g);
    gp_set_task(g, 0);
    g->data.tasks = NULL; /* it was borrowed */
    *created = g;
    return BESD_OK;
}

/* Adds sum_j weight_j d k_j / d theta over the first `count` observations. */
static void add_kernel_gradient(const gp *g, const double *theta, double share,
                                const double *weight, size_t count, double *gradient) {
    const observations *o = &g->data;
    const hyperparameters *h = &g->h;
    size_t d = o->dimension;
    double scaled[MODEL_MAX_DIMENSION];
    kernel_scale(h, d, theta, scaled);
    for (size_t j = 0; j < count; j++) {
        const double *other = g->scaled + j * d;
        double slope = matern_slope(matern_squared_distance(scaled, other, d)) * weight[j] *
                       kernel_tau(h, share, o->share[j]) * (g->tasks ? g->bond[j] : 1);
        for (size_t i = 0; i < d; i++)
            gradient[i] -= slope * (scaled[i] - other[i]) / h->lengthscale[i];
    }
}

void gp_pull_back(const gp *g, const double *theta, double share, double *root, double *gradient) {
    size_t n = g->data.count;
    solve(g, CblasTrans, n, root);
    add_kernel_gradient(g, theta, share, root, n, gradient);
}

double gp_predict(const gp *g, const double *theta, double share, double *variance,
                  double *gradient) {
    size_t n = g->data.count;
    double *row = g->row;
    prior_row(g, theta, share, g->task, n, row);
    double mean = kernel_mean(&g->h, share) + blas.ddot((int)g->told, row, 1, g->alpha, 1);
    if (variance) {
        solve(g, CblasNoTrans, n, row);
        double explained = blas.ddot((int)n, row, 1, row, 1);
        *variance = fmax(0, gp_prior_variance(g, share) - explained);
    }
    if (gradient) {
        memset(gradient, 0, g->data.dimension * sizeof *gradient);
        add_kernel_gradient(g, theta, share, g->alpha, g->told, gradient);
    }
    return mean;
}

besd_status gp_predict_many(const gp *g, const double *thetas, const double *shares, size_t count,
                            double *means, double *variances, besd_error *error) {
    size_t n = g->data.count, d = g->data.dimension;
    double *rows = malloc((n + 1) * PREDICTED_TOGETHER * sizeof *rows);
    if (!rows)
        return besd_fail_memory(error, "the model's predictions");
    for (size_t first = 0; first < count; first += PREDICTED_TOGETHER) {
        size_t some = count - first < PREDICTED_TOGETHER ? count - first : PREDICTED_TOGETHER;
        for (size_t i = 0; i < some; i++) {
            double *row = rows + i * n;
            prior_row(g, thetas + (first + i) * d, shares[first + i], g->task, n, row);
            means[first + i] = kernel_mean(&g->h, shares[first + i]) +
                               blas.ddot((int)g->told, row, 1, g->alpha, 1);
        }
        if (n)
            blas.dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)some,
                       (int)n, 1, g->factor, (int)n, rows, (int)n);
        for (size_t i = 0; i < some; i++) {
            double explained = blas.ddot((int)n, rows + i * n, 1, rows + i * n, 1);
            variances[first + i] = fmax(0, gp_prior_variance(g, shares[first + i]) - explained);
        }
    }
    free(rows);
    return BESD_OK;
}

double gp_covariance(const gp *g, const double *theta, double share, const double *other_theta,
                     double other_share) {
    size_t n = g->data.count;
    double prior =
        kernel_covariance(&g->h, g->data.dimension, theta, share, other_theta, other_share);
    if (g->tasks)
        prior = prior * g->share[(size_t)g->task * (g->tasks + 1)] +
                g->level[(size_t)g->task * (g->tasks + 1)];
    prior_row(g, theta, share, g->task, n, g->row);
    prior_row(g, other_theta, other_share, g->task, n, g->other_row);
    solve(g, CblasNoTrans, n, g->row);
    solve(g, CblasNoTrans, n, g->other_row);
    return prior - blas.ddot((int)n, g->row, 1, g->other_row, 1);
}

/* B_p for one observation j and the scaled thetas of the block: a row for every p, `apart` from the
 * next.
 */
static void project_row(const gp *g, size_t j, size_t count, double *row, size_t apart) {
    size_t d = g->data.dimension;
    double weight[2], *next = row + apart;
    kernel_weights(&g->h, g->data.share[j], weight);
    matern_row(g->scaled + j * d, g->projected, count, d, row, NULL);
    for (size_t c = 0; c < count; c++) {
        double correlation = row[c];
        row[c] = weight[0] * correlation;
        next[c] = weight[1] * correlation;
    }
    for (size_t c = 0; g->tasks && c < count; c++) {
        row[c] = row[c] * g->bond[j] + g->shift[j];
        next[c] *= g->bond[j];
    }
}

/* B_p for all observations and thetas, in [p][j * count + c]. */
static void project_prior(const gp *g, const double *thetas, size_t count, double *roots) {
    size_t n = g->data.count, d = g->data.dimension;
    for (size_t first = 0; first < count; first += PROJECTED_TOGETHER) {
        size_t some = count - first < PROJECTED_TOGETHER ? count - first : PROJECTED_TOGETHER;
        for (size_t c = 0; c < some; c++)
            kernel_scale(&g->h, d, thetas + (first + c) * d, g->projected + c * d);
        for (size_t j = 0; j < n; j++)
            project_row(g, j, some, roots + j * count + first, n * count);
    }
}

void gp_project(const gp *g, const double *thetas, size_t count, double *roots, double *slopes) {
    size_t n = g->data.count;
    project_prior(g, thetas, count, roots);
    for (size_t p = 0; p < MODEL_BASIS; p++) {
        double *block = roots + p * n * count;
        memset(slopes + p * count, 0, count * sizeof *slopes);
        if (!n)
            continue;
        blas.dgemv(CblasRowMajor, CblasTrans, (int)g->told, (int)count, 1, block, (int)count,
                   g->alpha, 1, 0, slopes + p * count, 1);
        blas.dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)n,
                   (int)count, 1, g->factor, (int)n, block, (int)count);
    }
}

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
    double *left, *right, shift = 0;
    const memory_array arrays[] = {{&left, rows * told * sizeof *left},
                                   {&right, columns * told * sizeof *right}};
    void *memory = memory_allocate(arrays, 2);
    if (!memory)
        return besd_fail_memory(error, "the model's predictions");
    if (told) {
        correlate_part(g, 0, firsts, rows, told, left);
        correlate_part(g, 1, seconds, columns, told, right);
        for (size_t j = 0; j < told; j++) {
            double weight = weights[j] * kernel_tau(&g->h, share, g->data.share[j]);
            weight *= g->tasks ? g->bond[j] : 1;
            shift += g->tasks ? weights[j] * g->shift[j] : 0;
            for (size_t i = 0; i < rows; i++)
                left[i * told + j] *= weight;
        }
        for (size_t i = 0; g->tasks && i < rows * columns; i++)
            values[i] += shift;
        blas.dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)columns, (int)told, 1,
                   left, (int)told, right, (int)told, 1, values, (int)columns);
    }
    free(memory);
    return BESD_OK;
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
    double *left, *right, *block;
    const memory_array arrays[] = {{&left, rows * n * sizeof *left},
                                   {&right, columns * n * sizeof *right},
                                   {&block, columns * n * sizeof *block}};
    void *memory = memory_allocate(arrays, 3);
    if (!memory)
        return besd_fail_memory(error, "the model's predictions");
    for (size_t i = 0; i < rows * columns; i++)
        variances[i] = gp_prior_variance(g, share);
    if (n) {
        correlate_part(g, 0, firsts, rows, n, left);
        correlate_part(g, 1, seconds, columns, n, right);
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < n; j++)
                left[i * n + j] *=
                    kernel_tau(&g->h, share, g->data.share[j]) * (g->tasks ? g->bond[j] : 1);
    }
    for (size_t i = 0; n && i < rows; i++) {
        for (size_t c = 0; c < columns; c++)
            for (size_t j = 0; j < n; j++)
                block[c * n + j] =
                    left[i * n + j] * right[c * n + j] + (g->tasks ? g->shift[j] : 0);
        blas.dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)columns,
                   (int)n, 1, g->factor, (int)n, block, (int)n);
        for (size_t c = 0; c < columns; c++) {
            double explained = blas.ddot((int)n, block + c * n, 1, block + c * n, 1);
            double left_over = variances[i * columns + c] - explained;
            variances[i * columns + c] = left_over > 0 ? left_over : 0;
        }
    }
    free(memory);
    return BESD_OK;
}
