#include "decide/kg.h"

#include "core/error.h"
#include "core/normal.h"
#include "core/vector.h"
#include "decide/envelope.h"
#include "model/matern.h"

#include <cblas.h>
#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, BOUND_STEPS = 512 };

static const double REACH = 9;

struct kg {
    const gp *model;
    const hyperparameters *h;
    kg_levers levers;
    const double *targets;
    size_t target_count, dimension, n, bases;
    double *roots;        /* gp_project of all targets, [bases][n][target_count] */
    double *mean, *delta; /* of the targets: posterior mean, sd of the difference to the best */
    double *variance;     /* [tau][target]: posterior variance of the candidate */
    size_t best;
    double bound[BOUND_STEPS + 1]; /* log U(rho) for rho = i / BOUND_STEPS */

    size_t kept_count;
    size_t *kept;        /* targets that matter */
    double *kept_mean;   /* [kept] */
    double *kept_scaled; /* theta / lengthscale of kept targets */
    double *kept_root;   /* [n][kept]: roots at tau_max */

    envelope *envelope;
    double *covariance; /* work: [bases * BLOCK][kept] */
    double *lines;      /* work: [kept] */
    size_t sub_count;   /* work: the kept lines that can reach the envelope of one candidate */
    size_t *sub_index;
    double *sub_mean, *sub_line;
    size_t kept_best;   /* the place of `best` among the kept */
    double *block_root; /* work: [n][bases * BLOCK] */
    double *row;        /* work: [kept], a kernel row */
    size_t evaluated;
};

void kg_destroy(kg *k) {
    if (!k)
        return;
    free(k->roots);
    free(k->mean);
    free(k->delta);
    free(k->variance);
    free(k->kept);
    free(k->kept_mean);
    free(k->kept_scaled);
    free(k->kept_root);
    envelope_destroy(k->envelope);
    free(k->covariance);
    free(k->lines);
    free(k->sub_index);
    free(k->sub_mean);
    free(k->sub_line);
    free(k->block_root);
    free(k->row);
    free(k);
}

static double variance_at(const hyperparameters *h, double share) {
    double rest = 1 - share;
    return kernel_tau(h, share, share) + h->discrepancy_variance * rest * rest;
}

/* Posterior variance of every target as a candidate, at every tau: quadratic in the basis. */
static void fill_variances(kg *k) {
    size_t count = k->target_count;
    for (int t = 0; t < k->levers.tau_count; t++) {
        double basis[MODEL_MAX_BASIS], *variance = k->variance + (size_t)t * count;
        basis_values(k->levers.share[t], basis);
        for (size_t c = 0; c < count; c++)
            variance[c] = variance_at(k->h, k->levers.share[t]);
        for (size_t j = 0; j < k->n; j++) {
            const double *row = k->roots + j * count;
            size_t stride = k->n * count;
            for (size_t c = 0; c < count; c++) {
                double root = basis[0] * row[c] + basis[1] * row[stride + c];
                if (k->bases == 3)
                    root += basis[2] * row[2 * stride + c];
                variance[c] -= root * root;
            }
        }
        for (size_t c = 0; c < count; c++)
            variance[c] = fmax(variance[c], 0);
    }
}

/* Root of target c at tau_max for observation j; the third basis function is 0 there. */
static double final_root(const kg *k, size_t j, size_t c) {
    const double *row = k->roots + j * k->target_count + c;
    return row[0] + row[k->n * k->target_count];
}

static void fill_deltas(kg *k) {
    size_t count = k->target_count, d = k->dimension;
    double prior = kernel_tau(k->h, 1, 1);
    const double *best_theta = k->targets + k->best * d;
    double scaled[MODEL_MAX_DIMENSION], other[MODEL_MAX_DIMENSION];
    for (size_t i = 0; i < d; i++)
        scaled[i] = best_theta[i] / k->h->lengthscale[i];
    for (size_t c = 0; c < count; c++) {
        for (size_t i = 0; i < d; i++)
            other[i] = k->targets[c * d + i] / k->h->lengthscale[i];
        k->delta[c] =
            2 * prior * (1 - matern_correlation(matern_squared_distance(scaled, other, d)));
    }
    for (size_t j = 0; j < k->n; j++) {
        double at_best = final_root(k, j, k->best);
        for (size_t c = 0; c < count; c++) {
            double difference = final_root(k, j, c) - at_best;
            k->delta[c] -= difference * difference;
        }
    }
    for (size_t c = 0; c < count; c++)
        k->delta[c] = sqrt(fmax(k->delta[c], 0));
    k->delta[k->best] = 0;
}

/* log U on a grid of rho. The envelope of a_i + delta_i z starts, at z = 0, with line * of slope 0.
 */
static void fill_bounds(kg *k) {
    envelope *e = k->envelope;
    envelope_build(e, k->mean, k->delta, k->target_count);
    for (int i = 0; i <= BOUND_STEPS; i++) {
        double rho = (double)i / BOUND_STEPS, sum = -INFINITY;
        for (size_t j = 0; i > 0 && j + 1 < e->count; j++) {
            double step = k->delta[e->line[j + 1]] - k->delta[e->line[j]];
            double cut = fmax(e->cut[j], 0);
            sum = log_add(sum, log(rho * step) + normal_log_improvement(-cut / rho));
        }
        k->bound[i] = log(2) + sum;
    }
}

static double log_upper(const kg *k, double rho) {
    int step = (int)ceil(rho * BOUND_STEPS);
    return k->bound[step < BOUND_STEPS ? step : BOUND_STEPS];
}

static double noise_of(const kg *k, int tau, int reps) {
    return noise_variance(k->h, tau, k->levers.reps[reps]);
}

double kg_bound(const kg *k, size_t candidate, int tau, int reps) {
    double v = k->variance[(size_t)tau * k->target_count + candidate];
    return log_upper(k, sqrt(v / (v + noise_of(k, tau, reps))));
}

static void keep_targets(kg *k) {
    double best_mean = k->mean[k->best];
    size_t d = k->dimension;
    for (size_t c = 0; c < k->target_count; c++) {
        if (k->mean[c] + REACH * k->delta[c] < best_mean)
            continue;
        size_t at = k->kept_count++;
        if (c == k->best)
            k->kept_best = at;
        k->kept[at] = c;
        k->kept_mean[at] = k->mean[c];
        for (size_t i = 0; i < d; i++)
            k->kept_scaled[at * d + i] = k->targets[c * d + i] / k->h->lengthscale[i];
    }
    for (size_t j = 0; j < k->n; j++)
        for (size_t at = 0; at < k->kept_count; at++)
            k->kept_root[j * k->kept_count + at] = final_root(k, j, k->kept[at]);
}

static bool allocate(kg *k) {
    size_t m = k->target_count, n = k->n + 1;
    k->roots = malloc(k->bases * n * m * sizeof(double));
    k->mean = malloc(m * sizeof(double));
    k->delta = malloc(m * sizeof(double));
    k->variance = malloc((size_t)k->levers.tau_count * m * sizeof(double));
    k->kept = malloc(m * sizeof(size_t));
    k->kept_mean = malloc(m * sizeof(double));
    k->kept_scaled = malloc(m * k->dimension * sizeof(double));
    k->kept_root = malloc(n * m * sizeof(double));
    k->covariance = malloc(k->bases * BLOCK * m * sizeof(double));
    k->lines = malloc(m * sizeof(double));
    k->row = malloc(m * sizeof(double));
    k->sub_index = malloc(m * sizeof(size_t));
    k->sub_mean = malloc(m * sizeof(double));
    k->sub_line = malloc(m * sizeof(double));
    k->block_root = malloc(n * k->bases * BLOCK * sizeof(double));
    return k->roots && k->mean && k->delta && k->variance && k->kept && k->kept_mean &&
           k->kept_scaled && k->kept_root && k->covariance && k->lines && k->row && k->block_root &&
           k->sub_index && k->sub_mean && k->sub_line;
}

besd_status kg_create(const gp *model, const kg_levers *levers, const double *targets, size_t count,
                      kg **created, besd_error *error) {
    kg *k = calloc(1, sizeof *k);
    if (!k)
        return besd_fail_memory(error, "the acquisition");
    k->model = model;
    k->h = gp_hyperparameters(model);
    k->levers = *levers;
    k->targets = targets;
    k->target_count = count;
    k->dimension = gp_dimension(model);
    k->n = gp_count(model);
    k->bases = (size_t)basis_count(k->h);
    double *slopes = malloc(k->bases * count * sizeof *slopes);
    besd_status status = slopes && allocate(k)
                             ? envelope_create(count, &k->envelope, error)
                             : besd_fail_memory(error, "the acquisition's tables");
    if (status == BESD_OK)
        status = gp_project(model, targets, count, k->roots, slopes, error);
    if (status != BESD_OK) {
        free(slopes);
        kg_destroy(k);
        return status;
    }
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
    *created = k;
    return BESD_OK;
}

size_t kg_kept(const kg *k) {
    return k->kept_count;
}

size_t kg_evaluated(const kg *k) {
    return k->evaluated;
}

const gp *kg_model(const kg *k) {
    return k->model;
}

size_t kg_best_target(const kg *k) {
    return k->best;
}

VECTORISED static void combine_lines(double *lines, const double *correlations,
                                     const double *products, size_t stride, size_t count,
                                     double prior, const double *basis, size_t bases) {
    const double *second = products + stride, *third = products + 2 * stride;
    for (size_t i = 0; i < count; i++)
        lines[i] = prior * correlations[i] - (basis[0] * products[i] + basis[1] * second[i]);
    for (size_t i = 0; bases == 3 && i < count; i++)
        lines[i] -= basis[2] * third[i];
}

/* Posterior covariances of (theta, tau) with the kept targets, into k->lines: prior part from the
 * kernel row, the rest from the products of roots, `products[p]` rows of which are given. */
static void fill_lines(kg *k, const double *correlations, const double *products, size_t stride,
                       double share) {
    double basis[MODEL_MAX_BASIS];
    basis_values(share, basis);
    combine_lines(k->lines, correlations, products, stride, k->kept_count,
                  kernel_tau(k->h, share, 1), basis, k->bases);
}

static void kernel_row(kg *k, const double *theta) {
    double scaled[MODEL_MAX_DIMENSION];
    for (size_t i = 0; i < k->dimension; i++)
        scaled[i] = theta[i] / k->h->lengthscale[i];
    matern_row(scaled, k->kept_scaled, k->kept_count, k->dimension, k->row, NULL);
}

/* How far each line can rise above the best mean inside |z| <= reach. */
VECTORISED static void rise_lines(const double *mean, const double *line, size_t count, double best,
                                  double best_line, double reach, double *rise) {
    for (size_t i = 0; i < count; i++)
        rise[i] = mean[i] - best + reach * fabs(line[i] - best_line);
}

/* The envelope of k->lines for slopes up to `scale` times as steep. The bound of keep_targets, now
 * with the slopes themselves, leaves only a few lines to it. */
static void build_envelope(kg *k, double scale) {
    double *rise = k->sub_line; /* overwritten from the front, behind the reading */
    rise_lines(k->kept_mean, k->lines, k->kept_count, k->kept_mean[k->kept_best],
               k->lines[k->kept_best], REACH * scale, rise);
    k->sub_count = 0;
    for (size_t i = 0; i < k->kept_count; i++)
        if (rise[i] >= 0) {
            size_t at = k->sub_count++;
            k->sub_index[at] = i;
            k->sub_mean[at] = k->kept_mean[i];
            k->sub_line[at] = k->lines[i];
        }
    envelope_build(k->envelope, k->sub_mean, k->sub_line, k->sub_count);
}

/* log nu for every q from one envelope. */
static void evaluate_levels(kg *k, int tau, double variance, double *log_kg) {
    int most = k->levers.reps_count - 1;
    build_envelope(k, 1 / sqrt(variance + noise_of(k, tau, most)));
    for (int r = 0; r <= most; r++)
        log_kg[r] = envelope_log_kg(k->envelope, 1 / sqrt(variance + noise_of(k, tau, r)));
}

/* The roots of one theta: L^-1 B_p, [p][n], in k->block_root. */
static besd_status project_one(kg *k, const double *theta, besd_error *error) {
    double slopes[MODEL_MAX_BASIS];
    return gp_project(k->model, theta, 1, k->block_root, slopes, error);
}

/* Products of one theta's roots with those of the kept targets: [p][kept] in k->covariance. */
static void multiply_one(kg *k) {
    for (size_t p = 0; p < k->bases; p++) {
        double *out = k->covariance + p * k->kept_count;
        memset(out, 0, k->kept_count * sizeof *out);
        if (k->n)
            cblas_dgemv(CblasRowMajor, CblasTrans, (int)k->n, (int)k->kept_count, 1, k->kept_root,
                        (int)k->kept_count, k->block_root + p * k->n, 1, 0, out, 1);
    }
}

/* Root and posterior variance of the projected theta at one tau. */
static double combine_root(const kg *k, double share, double *root) {
    double basis[MODEL_MAX_BASIS], variance = variance_at(k->h, share);
    basis_values(share, basis);
    for (size_t j = 0; j < k->n; j++) {
        root[j] = 0;
        for (size_t p = 0; p < k->bases; p++)
            root[j] += basis[p] * k->block_root[p * k->n + j];
        variance -= root[j] * root[j];
    }
    return fmax(variance, 0);
}

besd_status kg_evaluate(kg *k, const double *theta, double *log_kg, besd_error *error) {
    double *root = malloc((k->n + 1) * sizeof *root);
    besd_status status =
        root ? project_one(k, theta, error) : besd_fail_memory(error, "a projection");
    if (status == BESD_OK) {
        multiply_one(k);
        kernel_row(k, theta);
        for (int t = 0; t < k->levers.tau_count; t++) {
            double variance = combine_root(k, k->levers.share[t], root);
            fill_lines(k, k->row, k->covariance, k->kept_count, k->levers.share[t]);
            evaluate_levels(k, t, variance, log_kg + t * k->levers.reps_count);
        }
    }
    free(root);
    return status;
}

/* d log nu / d theta for one lever pair, from the envelope of k->lines: through the covariances of
 * the lines on it, and through the standard deviation of the outcome. */
static double pull_gradient(kg *k, const double *theta, double share, double sd, const double *root,
                            double *gradient) {
    envelope *e = k->envelope;
    size_t d = k->dimension;
    double *weight = k->row, *sum = k->block_root, *unused = k->covariance; /* free by now */
    double log_kg = envelope_log_gradient(e, 1 / sd, unused, weight);
    double with_lines = 0, prior = kernel_tau(k->h, share, 1), scaled[MODEL_MAX_DIMENSION];
    for (size_t i = 0; i < d; i++)
        scaled[i] = theta[i] / k->h->lengthscale[i];
    memset(sum, 0, (k->n + 1) * sizeof *sum);
    for (size_t l = 0; l < e->count; l++) {
        size_t at = k->sub_index[e->line[l]];
        const double *other = k->kept_scaled + at * d;
        double slope = prior * weight[l] * matern_slope(matern_squared_distance(scaled, other, d));
        with_lines += weight[l] * k->lines[at];
        for (size_t i = 0; i < d; i++)
            gradient[i] -= slope * (scaled[i] - other[i]) / k->h->lengthscale[i];
        for (size_t j = 0; j < k->n; j++)
            sum[j] -= weight[l] * k->kept_root[j * k->kept_count + at];
    }
    for (size_t j = 0; j < k->n; j++)
        sum[j] += with_lines / (sd * sd) * root[j];
    gp_pull_back(k->model, theta, share, sum, gradient);
    return log_kg;
}

double kg_gradient(kg *k, const double *theta, int tau, int reps, double *gradient) {
    double share = k->levers.share[tau], log_kg = -INFINITY;
    double *root = malloc((k->n + 1) * sizeof *root);
    memset(gradient, 0, k->dimension * sizeof *gradient);
    if (root && project_one(k, theta, NULL) == BESD_OK) {
        multiply_one(k);
        kernel_row(k, theta);
        double variance = combine_root(k, share, root);
        fill_lines(k, k->row, k->covariance, k->kept_count, share);
        double sd = sqrt(variance + noise_of(k, tau, reps));
        build_envelope(k, 1 / sd);
        log_kg = pull_gradient(k, theta, share, sd, root, gradient);
    }
    free(root);
    return log_kg;
}

/* A candidate by its largest bound over all levers. */
typedef struct ranked {
    double bound;
    size_t candidate;
} ranked;

static int by_bound(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->bound != y->bound)
        return x->bound > y->bound ? -1 : 1;
    return x->candidate < y->candidate ? -1 : 1;
}

static double lever_bound(const kg *k, size_t candidate, int tau, int reps) {
    return kg_bound(k, candidate, tau, reps) - log(k->levers.cost[tau][reps]);
}

static void rank_candidates(const kg *k, ranked *ranking) {
    for (size_t c = 0; c < k->target_count; c++) {
        ranking[c] = (ranked){-INFINITY, c};
        for (int t = 0; t < k->levers.tau_count; t++)
            for (int r = 0; r < k->levers.reps_count; r++)
                ranking[c].bound = fmax(ranking[c].bound, lever_bound(k, c, t, r));
    }
    qsort(ranking, k->target_count, sizeof *ranking, by_bound);
}

/* Products of roots for a block of candidates: [p * size + candidate][kept] in k->covariance. */
static void multiply_block(kg *k, const ranked *block, size_t size) {
    size_t columns = k->bases * size;
    for (size_t j = 0; j < k->n; j++)
        for (size_t p = 0; p < k->bases; p++)
            for (size_t c = 0; c < size; c++)
                k->block_root[j * columns + p * size + c] =
                    k->roots[(p * k->n + j) * k->target_count + block[c].candidate];
    if (k->n)
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)columns, (int)k->kept_count,
                    (int)k->n, 1, k->block_root, (int)columns, k->kept_root, (int)k->kept_count, 0,
                    k->covariance, (int)k->kept_count);
    else
        memset(k->covariance, 0, columns * k->kept_count * sizeof *k->covariance);
}

/* The best `wanted` choices so far, best first. */
typedef struct podium {
    kg_choice *choices;
    size_t wanted, found;
} podium;

static double to_beat(const podium *p) {
    return p->found == p->wanted ? p->choices[p->found - 1].log_score : -INFINITY;
}

/* Takes a place when good enough; a theta that is there already keeps only its better levers. */
static void enter(podium *p, const kg_choice *choice, size_t dimension) {
    size_t place = p->found < p->wanted ? p->found : p->wanted - 1;
    for (size_t i = 0; i < p->found; i++)
        if (!memcmp(p->choices[i].theta, choice->theta, dimension * sizeof *choice->theta)) {
            if (choice->log_score <= p->choices[i].log_score)
                return;
            place = i;
            break;
        }
    if (place == p->found)
        p->found++;
    else if (choice->log_score <= p->choices[place].log_score)
        return;
    for (; place > 0 && p->choices[place - 1].log_score < choice->log_score; place--)
        p->choices[place] = p->choices[place - 1];
    p->choices[place] = *choice;
}

static void evaluate_candidate(kg *k, size_t candidate, const double *products, size_t stride,
                               bool prune, podium *best) {
    const double *theta = k->targets + candidate * k->dimension;
    kg_choice choice = {0};
    memcpy(choice.theta, theta, k->dimension * sizeof *theta);
    kernel_row(k, theta);
    k->evaluated++;
    for (int t = 0; t < k->levers.tau_count; t++) {
        double log_kg[KG_MAX_LEVELS], bound = -INFINITY;
        for (int r = 0; r < k->levers.reps_count; r++)
            bound = fmax(bound, lever_bound(k, candidate, t, r));
        if (prune && bound < to_beat(best))
            continue;
        fill_lines(k, k->row, products, stride, k->levers.share[t]);
        evaluate_levels(k, t, k->variance[(size_t)t * k->target_count + candidate], log_kg);
        for (int r = 0; r < k->levers.reps_count; r++) {
            choice.tau = t;
            choice.reps = r;
            choice.log_kg = log_kg[r];
            choice.log_score = log_kg[r] - log(k->levers.cost[t][r]);
            if (choice.log_score > to_beat(best))
                enter(best, &choice, k->dimension);
        }
    }
}

besd_status kg_search(kg *k, bool prune, kg_choice *choices, size_t wanted, size_t *found,
                      besd_error *error) {
    ranked *ranking = malloc(k->target_count * sizeof *ranking);
    if (!ranking)
        return besd_fail_memory(error, "the ranking of candidates");
    podium best = {choices, wanted, 0};
    rank_candidates(k, ranking);
    for (size_t first = 0; first < k->target_count; first += BLOCK) {
        if (prune && ranking[first].bound < to_beat(&best))
            break;
        size_t size = k->target_count - first < BLOCK ? k->target_count - first : BLOCK;
        multiply_block(k, ranking + first, size);
        for (size_t c = 0; c < size; c++)
            evaluate_candidate(k, ranking[first + c].candidate, k->covariance + c * k->kept_count,
                               size * k->kept_count, prune, &best);
    }
    free(ranking);
    *found = best.found;
    return BESD_OK;
}

typedef struct climb {
    kg *kg;
    const kg_choice *choice;
} climb;

static double climb_objective(unsigned count, const double *theta, double *gradient,
                              void *context) {
    climb *c = context;
    double own[MODEL_MAX_DIMENSION];
    double value = kg_gradient(c->kg, theta, c->choice->tau, c->choice->reps, own);
    if (gradient)
        memcpy(gradient, own, count * sizeof *gradient);
    return fmax(value, -1e6);
}

void kg_refine(kg *k, kg_choice *choice) {
    nlopt_opt search = nlopt_create(NLOPT_LD_LBFGS, (unsigned)k->dimension);
    if (!search)
        return;
    climb context = {k, choice};
    double theta[MODEL_MAX_DIMENSION], value;
    memcpy(theta, choice->theta, sizeof theta);
    nlopt_set_max_objective(search, climb_objective, &context);
    nlopt_set_lower_bounds1(search, 0);
    nlopt_set_upper_bounds1(search, 1);
    nlopt_set_ftol_abs(search, 1e-3); /* of log kg: a tenth of a per cent is enough */
    nlopt_set_maxeval(search, 20);
    nlopt_optimize(search, theta, &value);
    nlopt_destroy(search);
    double log_kg[KG_MAX_LEVELS * KG_MAX_LEVELS];
    if (kg_evaluate(k, theta, log_kg, NULL) != BESD_OK)
        return;
    double refined = log_kg[choice->tau * k->levers.reps_count + choice->reps];
    if (refined > choice->log_kg) {
        choice->log_score += refined - choice->log_kg;
        choice->log_kg = refined;
        memcpy(choice->theta, theta, sizeof theta);
    }
}
