/* The best trial among all targets and levers, and the climb from there between the targets.
 *
 * First all candidates are screened: nu over the front of the most promising targets and the
 * candidate itself, which is a lower bound of nu and close to it. Then candidates are evaluated
 * exactly, in the order of their screened score, until none of the rest can win. A candidate cannot
 * win when its upper bound (kg.h) is below the best score. It is also given up when its screened
 * score, times twice the largest ratio of exact to screened value so far, is below the best. The
 * second rule is not a proof; on the random studies of the tests the choice is that of the full
 * search. Without `prune` everything is evaluated.
 *
 * At 3000 targets, 90 trials and 3 x 2 levers the full search evaluates 9000 envelopes over 3000
 * lines, the screened one 9000 over 160 and some hundred over 3000.
 */
#include "core/error.h"
#include "core/stats.h"
#include "decide/kg_state.h"
#include "model/blas.h"
#include "model/climb.h"
#include "model/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A screened value may be too small by this factor more than any before: the "twice" above. */
static const double MARGIN = 2;

/* A candidate and what is known of its best score over the levers. */
typedef struct ranked {
    double score; /* screened: a lower bound */
    double bound; /* an upper bound */
    size_t candidate;
} ranked;

static int by_score(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->candidate < y->candidate ? -1 : 1;
}

static double lever_bound(const kg *k, size_t candidate, int tau, int reps) {
    return kg_bound(k, candidate, tau, reps) - k->log_cost[tau][reps];
}

/* Products of roots of a block of candidates with those of a set: [p * size + candidate][set]. */
static void multiply_block(kg *k, const line_set *set, const ranked *block, size_t size) {
    size_t columns = MODEL_BASIS * size;
    for (size_t j = 0; j < k->n; j++)
        for (size_t p = 0; p < MODEL_BASIS; p++)
            for (size_t c = 0; c < size; c++)
                k->block_root[j * columns + p * size + c] =
                    k->from->roots[(p * k->n + j) * k->target_count + block[c].candidate];
    if (k->n)
        blas.dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)columns, (int)set->count,
                   (int)k->n, 1, k->block_root, (int)columns, set->root, (int)set->count, 0,
                   k->products, (int)set->count);
    else
        memset(k->products, 0, columns * set->count * sizeof *k->products);
}

/* The best `wanted` choices so far, best first. */
typedef struct podium {
    kg_choice *choices;
    size_t wanted, found;
} podium;

static double to_beat(const podium *p) {
    return p->found == p->wanted ? p->choices[p->found - 1].log_score : -INFINITY;
}

/* Enters a choice when it is good enough. Of choices with the same theta only the best stays. */
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

/* log nu of all levers of a candidate over the front and its own line. */
static void screen_candidate(kg *k, size_t candidate, const double *products, size_t stride,
                             double *log_kg) {
    kg_kernel_row(k, &k->front, k->targets + candidate * k->dimension);
    for (int t = 0; t < k->levers.tau_count; t++) {
        size_t at = (size_t)t * k->target_count + candidate;
        kg_fill_lines(k, &k->front, products, stride, k->levers.share[t]);
        kg_evaluate_levels(k, &k->front, t, k->from->variance[at], k->mean[candidate], k->own[at],
                           log_kg + t * k->levers.reps_count);
    }
}

static double best_score(const kg *k, const double *log_kg) {
    double best = -INFINITY;
    for (int t = 0; t < k->levers.tau_count; t++)
        for (int r = 0; r < k->levers.reps_count; r++)
            best = fmax(best, log_kg[t * k->levers.reps_count + r] - k->log_cost[t][r]);
    return best;
}

void kg_glance(kg *k, double *log_kg) {
    size_t count = k->target_count;
    int reps_count = k->levers.reps_count;
    for (size_t j = 0; j < k->n; j++)
        k->root[j] = kg_final_root(k, j, k->best);
    for (size_t p = 0; p < MODEL_BASIS; p++) {
        memset(k->products + p * count, 0, count * sizeof *k->products);
        if (k->n)
            blas.dgemv(CblasRowMajor, CblasTrans, (int)k->n, (int)count, 1,
                       k->from->roots + p * k->n * count, (int)count, k->root, 1, 0,
                       k->products + p * count, 1);
    }
    for (int t = 0; t < k->levers.tau_count; t++) {
        kg_combine_lines(k, k->like_best, k->products, count, count, k->levers.share[t]);
        for (size_t c = 0; c < count; c++) {
            size_t at = (size_t)t * count + c;
            double gap = k->mean[k->best] - k->mean[c], rise = fabs(k->own[at] - k->lines[c]);
            for (int r = 0; r < reps_count; r++) {
                double b = rise / sqrt(k->from->variance[at] + kg_noise(k, t, r));
                log_kg[(c * (size_t)k->levers.tau_count + (size_t)t) * (size_t)reps_count +
                       (size_t)r] = b > 0 ? log(b) + normal_log_improvement(-gap / b) : -INFINITY;
            }
        }
    }
}

void kg_screen(kg *k, const size_t *candidates, size_t count, double *log_kg) {
    size_t levers = (size_t)(k->levers.tau_count * k->levers.reps_count);
    ranked block[KG_BLOCK];
    for (size_t first = 0; first < count; first += KG_BLOCK) {
        size_t left = count - first, size = left < KG_BLOCK ? left : KG_BLOCK;
        for (size_t c = 0; c < size; c++)
            block[c].candidate = candidates[first + c];
        multiply_block(k, &k->front, block, size);
        for (size_t c = 0; c < size; c++)
            screen_candidate(k, block[c].candidate, k->products + c * k->front.count,
                             size * k->front.count, log_kg + (first + c) * levers);
    }
}

static void screen(kg *k, ranked *ranking) {
    for (size_t first = 0; first < k->target_count; first += KG_BLOCK) {
        size_t left = k->target_count - first, size = left < KG_BLOCK ? left : KG_BLOCK;
        multiply_block(k, &k->front, ranking + first, size);
        for (size_t c = 0; c < size; c++) {
            double log_kg[KG_MAX_LEVELS * KG_MAX_LEVELS];
            screen_candidate(k, ranking[first + c].candidate, k->products + c * k->front.count,
                             size * k->front.count, log_kg);
            ranking[first + c].score = best_score(k, log_kg);
        }
    }
}

static void bound_candidates(const kg *k, ranked *ranking) {
    for (size_t c = 0; c < k->target_count; c++)
        for (int t = 0; t < k->levers.tau_count; t++)
            for (int r = 0; r < k->levers.reps_count; r++)
                ranking[c].bound = fmax(ranking[c].bound, lever_bound(k, c, t, r));
}

/* All levers of one candidate, exactly; its best score. */
static double evaluate_candidate(kg *k, size_t candidate, const double *products, size_t stride,
                                 podium *best) {
    const double *theta = k->targets + candidate * k->dimension;
    double highest = -INFINITY;
    kg_choice choice = {0};
    memcpy(choice.theta, theta, k->dimension * sizeof *theta);
    kg_kernel_row(k, &k->kept, theta);
    k->evaluated++;
    for (int t = 0; t < k->levers.tau_count; t++) {
        double log_kg[KG_MAX_LEVELS];
        kg_fill_lines(k, &k->kept, products, stride, k->levers.share[t]);
        kg_evaluate_levels(k, &k->kept, t,
                           k->from->variance[(size_t)t * k->target_count + candidate], NAN, NAN,
                           log_kg);
        for (int r = 0; r < k->levers.reps_count; r++) {
            choice.tau = t;
            choice.reps = r;
            choice.log_kg = log_kg[r];
            choice.log_score = log_kg[r] - k->log_cost[t][r];
            highest = fmax(highest, choice.log_score);
            if (choice.log_score > to_beat(best))
                enter(best, &choice, k->dimension);
        }
    }
    return highest;
}

/* Can no candidate from this one on be among the best any more? */
static bool hopeless(const ranked *rest, size_t count, double log_ratio, double score) {
    if (rest[0].score + log_ratio + log(MARGIN) < score)
        return true;
    for (size_t c = 0; c < count; c++)
        if (rest[c].bound >= score)
            return false;
    return true;
}

besd_status kg_search(kg *k, bool prune, kg_choice *choices, size_t wanted, size_t *found,
                      besd_error *error) {
    size_t count = k->target_count;
    ranked *ranking = malloc(count * sizeof *ranking);
    if (!ranking)
        return besd_fail_memory(error, "the ranking of candidates");
    podium best = {choices, wanted, 0};
    double log_ratio = 0;
    for (size_t c = 0; c < count; c++)
        ranking[c] = (ranked){-INFINITY, -INFINITY, c};
    if (prune) {
        bound_candidates(k, ranking);
        screen(k, ranking);
        qsort(ranking, count, sizeof *ranking, by_score);
    }
    for (size_t first = 0; first < count; first += KG_BLOCK) {
        if (prune && hopeless(ranking + first, count - first, log_ratio, to_beat(&best)))
            break;
        size_t size = count - first < KG_BLOCK ? count - first : KG_BLOCK;
        multiply_block(k, &k->kept, ranking + first, size);
        for (size_t c = 0; c < size; c++) {
            const ranked *r = &ranking[first + c];
            double score = evaluate_candidate(k, r->candidate, k->products + c * k->kept.count,
                                              size * k->kept.count, &best);
            if (prune && isfinite(r->score))
                log_ratio = fmax(log_ratio, score - r->score);
        }
    }
    free(ranking);
    *found = best.found;
    return BESD_OK;
}

/* From the best targets to the best theta. A climb ends when a step gains less than a tenth of a
 * per cent of nu, or after this number of gradients, each of which costs as much as an exact value.
 */
static const double ENOUGH = 1e-3;
enum { MOST_EVALUATIONS = 20 };

/* What the climb is told where nu is 0. */
static const double WORTHLESS = -1e6;

/* d log nu / d theta for one lever pair, from the envelope of k->lines: through the covariances of
 * the lines on it, and through the standard deviation of the outcome. */
static double pull_gradient(kg *k, const double *theta, double share, double sd, double *gradient) {
    envelope *e = k->envelope;
    size_t d = k->dimension;
    double *weight = k->row, *sum = k->block_root; /* free by now */
    double log_kg = envelope_log_gradient(e, 1 / sd, weight);
    double with_lines = 0, prior = kernel_tau(k->h, share, 1) * k->bond,
           scaled[MODEL_MAX_DIMENSION];
    kernel_scale(k->h, d, theta, scaled);
    memset(sum, 0, (k->n + 1) * sizeof *sum);
    for (size_t l = 0; l < e->count; l++) {
        size_t at = k->sub_index[e->line[l]];
        const double *other = k->kept.scaled + at * d;
        double slope = prior * weight[l] * matern_slope(matern_squared_distance(scaled, other, d));
        with_lines += weight[l] * k->lines[at];
        for (size_t i = 0; i < d; i++)
            gradient[i] -= slope * (scaled[i] - other[i]) / k->h->lengthscale[i];
        for (size_t j = 0; j < k->n; j++)
            sum[j] -= weight[l] * k->kept.root[j * k->kept.count + at];
    }
    for (size_t j = 0; j < k->n; j++)
        sum[j] += with_lines / (sd * sd) * k->root[j];
    gp_pull_back(k->model, theta, share, sum, gradient);
    return log_kg;
}

double kg_gradient(kg *k, const double *theta, int tau, int reps, double *gradient) {
    double share = k->levers.share[tau];
    memset(gradient, 0, k->dimension * sizeof *gradient);
    kg_take(k, theta);
    double sd = sqrt(kg_take_lines(k, share) + kg_noise(k, tau, reps));
    kg_build_envelope(k, &k->kept, 1 / sd, NAN, NAN);
    return pull_gradient(k, theta, share, sd, gradient);
}

/* The levers that stay as they are while theta climbs. */
typedef struct slope {
    kg *kg;
    int tau, reps;
} slope;

static double objective(const double *theta, double *gradient, void *context) {
    slope *s = context;
    return fmax(kg_gradient(s->kg, theta, s->tau, s->reps, gradient), WORTHLESS);
}

besd_status kg_refine(kg *k, kg_choice *choice, besd_error *error) {
    slope s = {k, choice->tau, choice->reps};
    climb uphill = {.kind = CLIMB_BY_GRADIENT,
                    .objective = objective,
                    .context = &s,
                    .dimension = k->dimension,
                    .least_gain = ENOUGH,
                    .evaluations = MOST_EVALUATIONS};
    double theta[MODEL_MAX_DIMENSION], value, log_kg[KG_MAX_LEVELS * KG_MAX_LEVELS];
    memcpy(theta, choice->theta, sizeof theta);
    besd_status status = climb_run(&uphill, theta, &value, error);
    if (status != BESD_OK)
        return status;
    kg_evaluate(k, theta, log_kg);
    double refined = log_kg[choice->tau * k->levers.reps_count + choice->reps];
    if (refined > choice->log_kg) {
        choice->log_score += refined - choice->log_kg;
        choice->log_kg = refined;
        memcpy(choice->theta, theta, sizeof theta);
    }
    return BESD_OK;
}
