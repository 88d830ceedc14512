#include "decide/kg.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/stats.h"
#include "decide/kg_state.h"
#include "model/blas.h"
#include "model/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lines that are crossed only beyond |Z| = REACH are left out: kg.h, point 4. */
static const double REACH = 9;

/* Candidates are screened by this number of targets: a twentieth of 3000, and enough for the pruned
 * search to choose what the full one does in all tests. */
enum { FRONT = 160 };

_Static_assert(MODEL_BASIS == 2, "roots and covariances are combined of two parts");

void kg_destroy(kg *k) {
    if (!k)
        return;
    envelope_destroy(k->envelope);
    free(k->memory);
    free(k);
}

/* Subtracts what the observations explain: of the variance, and of the covariance with tau_max. */
VECTORISED static void explain(const double *first, const double *second, double share,
                               size_t count, double *variance, double *own) {
    for (size_t c = 0; c < count; c++) {
        double root = first[c] + share * second[c];
        variance[c] -= root * root;
        own[c] -= root * (first[c] + second[c]);
    }
}

/* Of every target as a candidate at every tau. */
static void fill_variances(kg *k) {
    size_t count = k->target_count, stride = k->n * count;
    for (int t = 0; t < k->levers.tau_count; t++) {
        double share = k->levers.share[t];
        double *variance = k->variance + (size_t)t * count, *own = k->own + (size_t)t * count;
        for (size_t c = 0; c < count; c++) {
            variance[c] = gp_prior_variance(k->model, share);
            own[c] = kernel_tau(k->h, share, 1) * k->bond;
        }
        for (size_t j = 0; j < k->n; j++) {
            const double *row = k->roots + j * count;
            explain(row, row + stride, share, count, variance, own);
        }
        for (size_t c = 0; c < count; c++)
            variance[c] = fmax(variance[c], 0);
    }
}

/* The same covariances for candidates of another task. */
static void fill_own(kg *k) {
    size_t count = k->target_count, stride = k->n * count;
    const double *roots = k->from->roots;
    for (int t = 0; t < k->levers.tau_count; t++) {
        double share = k->levers.share[t], *own = k->own + (size_t)t * count;
        for (size_t c = 0; c < count; c++)
            own[c] = kernel_tau(k->h, share, 1) * k->bond;
        for (size_t j = 0; j < k->n; j++)
            for (size_t c = 0; c < count; c++)
                own[c] -= (roots[j * count + c] + share * roots[stride + j * count + c]) *
                          kg_final_root(k, j, c);
    }
}

void kg_face(kg *k, const kg *from) {
    gp_set_task(k->model, k->task);
    k->from = from;
    k->bond = gp_bond(k->model, from->task);
    fill_own(k);
}

double kg_final_root(const kg *k, size_t j, size_t c) {
    const double *row = k->roots + j * k->target_count + c;
    return row[0] + row[k->n * k->target_count];
}

static void fill_deltas(kg *k) {
    size_t count = k->target_count, d = k->dimension;
    double prior = kernel_tau(k->h, 1, 1) * k->bond;
    double scaled[MODEL_MAX_DIMENSION], other[MODEL_MAX_DIMENSION];
    kernel_scale(k->h, d, k->targets + k->best * d, scaled);
    for (size_t c = 0; c < count; c++) {
        kernel_scale(k->h, d, k->targets + c * d, other);
        k->like_best[c] = matern_correlation(matern_squared_distance(scaled, other, d));
        k->delta[c] = 2 * prior * (1 - k->like_best[c]);
    }
    for (size_t j = 0; j < k->n; j++) {
        double at_best = kg_final_root(k, j, k->best);
        for (size_t c = 0; c < count; c++) {
            double difference = kg_final_root(k, j, c) - at_best;
            k->delta[c] -= difference * difference;
        }
    }
    for (size_t c = 0; c < count; c++)
        k->delta[c] = sqrt(fmax(k->delta[c], 0));
    k->delta[k->best] = 0;
}

/* log U on a grid of rho. At z = 0 the envelope of a_i + delta_i z starts with line * of slope 0.
 */
static void fill_bounds(kg *k) {
    envelope *e = k->envelope;
    envelope_build(e, k->mean, k->delta, k->target_count);
    for (int i = 0; i <= KG_BOUND_STEPS; i++) {
        double rho = (double)i / KG_BOUND_STEPS, sum = -INFINITY;
        for (size_t j = 0; i > 0 && j + 1 < e->count; j++) {
            double step = k->delta[e->line[j + 1]] - k->delta[e->line[j]];
            double cut = fmax(e->cut[j], 0);
            sum = log_add(sum, log(rho * step) + normal_log_improvement(-cut / rho));
        }
        k->bound[i] = log(2) + sum;
    }
}

static double log_upper(const kg *k, double rho) {
    int step = (int)ceil(rho * KG_BOUND_STEPS);
    return k->bound[step < KG_BOUND_STEPS ? step : KG_BOUND_STEPS];
}

double kg_noise(const kg *k, int tau, int reps) {
    return noise_variance(k->h, tau, k->levers.reps[reps]);
}

double kg_bound(const kg *k, size_t candidate, int tau, int reps) {
    double v = k->from->variance[(size_t)tau * k->target_count + candidate];
    return log_upper(k, sqrt(v / (v + kg_noise(k, tau, reps))));
}

/* Fills in what belongs to set->target[0, ..., count - 1]. */
static void fill_set(const kg *k, line_set *set) {
    size_t d = k->dimension;
    for (size_t at = 0; at < set->count; at++) {
        size_t c = set->target[at];
        set->mean[at] = k->mean[c];
        if (c == k->best)
            set->best = at;
        kernel_scale(k->h, d, k->targets + c * d, set->scaled + at * d);
    }
    for (size_t j = 0; j < k->n; j++)
        for (size_t at = 0; at < set->count; at++)
            set->root[j * set->count + at] = kg_final_root(k, j, set->target[at]);
}

static void keep_targets(kg *k) {
    for (size_t c = 0; c < k->target_count; c++)
        if (k->mean[c] + REACH * k->delta[c] >= k->mean[k->best])
            k->kept.target[k->kept.count++] = c;
    fill_set(k, &k->kept);
}

typedef struct promise {
    double log_gain;
    size_t target;
} promise;

static int by_gain(const void *a, const void *b) {
    const promise *x = a, *y = b;
    if (x->log_gain != y->log_gain)
        return x->log_gain > y->log_gain ? -1 : 1;
    return x->target < y->target ? -1 : 1;
}

/* The front: the best target and those with the largest expected improvement over it if all were
 * known, E[(f_i - f_*)^+]. */
static bool choose_front(kg *k) {
    promise *promises = malloc(k->target_count * sizeof *promises);
    if (!promises)
        return false;
    for (size_t c = 0; c < k->target_count; c++) {
        double gap = k->mean[k->best] - k->mean[c], delta = k->delta[c];
        promises[c].target = c;
        promises[c].log_gain = c == k->best ? INFINITY
                               : delta > 0  ? log(delta) + normal_log_improvement(-gap / delta)
                                            : -INFINITY;
    }
    qsort(promises, k->target_count, sizeof *promises, by_gain);
    k->front.count = k->target_count < FRONT ? k->target_count : FRONT;
    for (size_t i = 0; i < k->front.count; i++)
        k->front.target[i] = promises[i].target;
    free(promises);
    fill_set(k, &k->front);
    return true;
}

static bool allocate(kg *k) {
    size_t m = k->target_count, front = m < FRONT ? m : FRONT, levels = (size_t)k->levers.tau_count;
    size_t n = k->n + 1, number = sizeof(double), place = k->dimension * number;
    const memory_array arrays[] = {{&k->roots, MODEL_BASIS * n * m * number},
                                   {&k->mean, m * number},
                                   {&k->delta, m * number},
                                   {&k->like_best, m * number},
                                   {&k->variance, levels * m * number},
                                   {&k->own, levels * m * number},
                                   {&k->products, MODEL_BASIS * KG_BLOCK * m * number},
                                   {&k->lines, m * number},
                                   {&k->row, m * number},
                                   {&k->sub_index, (m + 1) * sizeof *k->sub_index},
                                   {&k->sub_mean, (m + 1) * number},
                                   {&k->sub_line, (m + 1) * number},
                                   {&k->block_root, n * MODEL_BASIS * KG_BLOCK * number},
                                   {&k->root, n * number},
                                   {&k->kept.target, m * sizeof *k->kept.target},
                                   {&k->kept.mean, m * number},
                                   {&k->kept.scaled, m * place},
                                   {&k->kept.root, n * m * number},
                                   {&k->front.target, front * sizeof *k->front.target},
                                   {&k->front.mean, front * number},
                                   {&k->front.scaled, front * place},
                                   {&k->front.root, n * front * number}};
    k->memory = memory_allocate(arrays, sizeof arrays / sizeof *arrays);
    return k->memory != NULL;
}

besd_status kg_create(gp *model, const kg_levers *levers, const double *targets, size_t count,
                      kg **created, besd_error *error) {
    kg *k = calloc(1, sizeof *k);
    if (!k)
        return besd_fail_memory(error, "the acquisition");
    k->model = model;
    k->task = gp_task(model);
    k->from = k;
    k->bond = gp_bond(model, k->task);
    k->h = gp_hyperparameters(model);
    k->levers = *levers;
    for (int t = 0; t < levers->tau_count; t++)
        for (int r = 0; r < levers->reps_count; r++)
            k->log_cost[t][r] = log(levers->cost[t][r]);
    k->targets = targets;
    k->target_count = count;
    k->dimension = gp_dimension(model);
    k->n = gp_count(model);
    double *slopes = malloc(MODEL_BASIS * count * sizeof *slopes);
    besd_status status = slopes && allocate(k)
                             ? envelope_create(count + 1, &k->envelope, error)
                             : besd_fail_memory(error, "the acquisition's tables");
    if (status != BESD_OK) {
        free(slopes);
        kg_destroy(k);
        return status;
    }
    gp_project(model, targets, count, k->roots, slopes);
    for (size_t c = 0; c < count; c++) {
        k->mean[c] = k->h->prior_mean + slopes[c] + slopes[count + c];
        if (k->mean[c] > k->mean[k->best])
            k->best = c;
    }
    free(slopes);
    fill_variances(k);
    fill_deltas(k);
    fill_bounds(k);
    keep_targets(k);
    if (!choose_front(k)) {
        kg_destroy(k);
        return besd_fail_memory(error, "the acquisition's front");
    }
    *created = k;
    return BESD_OK;
}

size_t kg_kept(const kg *k) {
    return k->kept.count;
}

size_t kg_evaluated(const kg *k) {
    return k->evaluated;
}

VECTORISED static void combine_lines(double *lines, const double *correlations,
                                     const double *products, size_t stride, size_t count,
                                     double prior, double share) {
    const double *second = products + stride;
    for (size_t i = 0; i < count; i++)
        lines[i] = prior * correlations[i] - (products[i] + share * second[i]);
}

void kg_combine_lines(kg *k, const double *correlations, const double *products, size_t stride,
                      size_t count, double share) {
    combine_lines(k->lines, correlations, products, stride, count,
                  kernel_tau(k->h, share, 1) * k->bond, share);
}

void kg_fill_lines(kg *k, const line_set *set, const double *products, size_t stride,
                   double share) {
    kg_combine_lines(k, k->row, products, stride, set->count, share);
}

void kg_kernel_row(kg *k, const line_set *set, const double *theta) {
    double scaled[MODEL_MAX_DIMENSION];
    kernel_scale(k->h, k->dimension, theta, scaled);
    matern_row(scaled, set->scaled, set->count, k->dimension, k->row, NULL);
}

/* How far each line can rise above the best mean inside |z| <= reach. */
VECTORISED static void rise_lines(const double *mean, const double *line, size_t count, double best,
                                  double best_line, double reach, double *rise) {
    for (size_t i = 0; i < count; i++)
        rise[i] = mean[i] - best + reach * fabs(line[i] - best_line);
}

/* The bound of keep_targets, here with the slopes themselves, leaves only a few lines. */
void kg_build_envelope(kg *k, const line_set *set, double scale, double own_mean, double own_line) {
    double *rise = k->sub_line; /* overwritten from the front, behind the reading */
    double best_mean = set->mean[set->best], best_line = k->lines[set->best];
    size_t count = 0;
    rise_lines(set->mean, k->lines, set->count, best_mean, best_line, REACH * scale, rise);
    for (size_t i = 0; i < set->count; i++)
        if (rise[i] >= 0) {
            k->sub_index[count] = i;
            k->sub_mean[count] = set->mean[i];
            k->sub_line[count] = k->lines[i];
            count++;
        }
    if (!isnan(own_mean)) {
        k->sub_index[count] = set->count;
        k->sub_mean[count] = own_mean;
        k->sub_line[count] = own_line;
        count++;
    }
    envelope_build(k->envelope, k->sub_mean, k->sub_line, count);
}

void kg_evaluate_levels(kg *k, const line_set *set, int tau, double variance, double own_mean,
                        double own_line, double *log_kg) {
    int most = k->levers.reps_count - 1;
    kg_build_envelope(k, set, 1 / sqrt(variance + kg_noise(k, tau, most)), own_mean, own_line);
    for (int r = 0; r <= most; r++)
        log_kg[r] = envelope_log_kg(k->envelope, 1 / sqrt(variance + kg_noise(k, tau, r)));
}

/* Products of one theta's roots with those of the kept targets: [p][kept] in k->products. */
static void multiply_one(kg *k) {
    for (size_t p = 0; p < MODEL_BASIS; p++) {
        double *out = k->products + p * k->kept.count;
        memset(out, 0, k->kept.count * sizeof *out);
        if (k->n)
            blas.dgemv(CblasRowMajor, CblasTrans, (int)k->n, (int)k->kept.count, 1, k->kept.root,
                       (int)k->kept.count, k->block_root + p * k->n, 1, 0, out, 1);
    }
}

void kg_take(kg *k, const double *theta) {
    double slopes[MODEL_BASIS];
    gp_set_task(k->model, k->from->task);
    gp_project(k->model, theta, 1, k->block_root, slopes);
    multiply_one(k);
    kg_kernel_row(k, &k->kept, theta);
}

double kg_take_lines(kg *k, double share) {
    gp_set_task(k->model, k->from->task);
    double variance = gp_prior_variance(k->model, share);
    for (size_t j = 0; j < k->n; j++) {
        k->root[j] = k->block_root[j] + share * k->block_root[k->n + j];
        variance -= k->root[j] * k->root[j];
    }
    kg_fill_lines(k, &k->kept, k->products, k->kept.count, share);
    return fmax(variance, 0);
}

void kg_evaluate(kg *k, const double *theta, double *log_kg) {
    kg_take(k, theta);
    for (int t = 0; t < k->levers.tau_count; t++) {
        double variance = kg_take_lines(k, k->levers.share[t]);
        kg_evaluate_levels(k, &k->kept, t, variance, NAN, NAN, log_kg + t * k->levers.reps_count);
    }
}
