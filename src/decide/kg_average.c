#include "decide/kg_average.h"

#include "core/error.h"
#include "core/normal.h"
#include "model/climb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Candidates are ranked by their screened values, which are close, averaged over the draws; so many
 * of the best are evaluated exactly under every draw. */
enum { EXACT = 16 };

/* As in kg_refine.c; every evaluation costs one of each draw. */
static const double ENOUGH = 1e-3, WORTHLESS = -1e6;
enum { MOST_EVALUATIONS = 16 };

enum { MOST_LEVERS = KG_MAX_LEVELS * KG_MAX_LEVELS };

besd_status kg_average_init(kg_average *a, const mixture *m, const kg_levers *levers,
                            const double *targets, size_t count, besd_error *error) {
    *a = (kg_average){.levers = *levers,
                      .targets = targets,
                      .target_count = count,
                      .dimension = mixture_dimension(m)};
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < m->count; i++) {
        status = kg_create(m->models[i], levers, targets, count, &a->of[i], error);
        a->count += status == BESD_OK;
    }
    if (status != BESD_OK)
        kg_average_free(a);
    return status;
}

void kg_average_free(kg_average *a) {
    for (size_t i = 0; i < a->count; i++)
        kg_destroy(a->of[i]);
    a->count = 0;
}

static int lever_count(const kg_average *a) {
    return a->levers.tau_count * a->levers.reps_count;
}

static double log_cost(const kg_average *a, int lever) {
    return log(a->levers.cost[lever / a->levers.reps_count][lever % a->levers.reps_count]);
}

void kg_average_evaluate(kg_average *a, const double *theta, double *log_kg) {
    double own[MOST_LEVERS];
    kg_evaluate(a->of[0], theta, log_kg);
    for (size_t i = 1; i < a->count; i++) {
        kg_evaluate(a->of[i], theta, own);
        for (int l = 0; l < lever_count(a); l++)
            log_kg[l] = log_add(log_kg[l], own[l]);
    }
    for (int l = 0; a->count > 1 && l < lever_count(a); l++)
        log_kg[l] -= log((double)a->count);
}

size_t kg_average_kept(const kg_average *a) {
    size_t most = 0;
    for (size_t i = 0; i < a->count; i++)
        most = kg_kept(a->of[i]) > most ? kg_kept(a->of[i]) : most;
    return most;
}

typedef struct ranked {
    double score;
    size_t candidate;
} ranked;

static int by_score(const void *x, const void *y) {
    const ranked *a = x, *b = y;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->candidate < b->candidate ? -1 : a->candidate > b->candidate;
}

/* The best score over the levers, and which. */
static double best_lever(const kg_average *a, const double *log_kg, int *lever) {
    double best = -INFINITY;
    *lever = 0;
    for (int l = 0; l < lever_count(a); l++)
        if (log_kg[l] - log_cost(a, l) > best) {
            best = log_kg[l] - log_cost(a, l);
            *lever = l;
        }
    return best;
}

/* All candidates by the screened values of all draws; `sum` and `own` are room for them. */
static void rank(kg_average *a, double *sum, double *own, ranked *ranking) {
    size_t levers = (size_t)lever_count(a);
    kg_screen(a->of[0], sum);
    for (size_t i = 1; i < a->count; i++) {
        kg_screen(a->of[i], own);
        for (size_t l = 0; l < a->target_count * levers; l++)
            sum[l] = log_add(sum[l], own[l]);
    }
    for (size_t c = 0; c < a->target_count; c++) {
        int lever;
        ranking[c] = (ranked){best_lever(a, sum + c * levers, &lever), c};
    }
    qsort(ranking, a->target_count, sizeof *ranking, by_score);
}

static int by_choice(const void *x, const void *y) {
    const kg_choice *a = x, *b = y;
    return a->log_score > b->log_score ? -1 : a->log_score < b->log_score;
}

/* A design may be several targets. */
static bool is_new(const kg_choice *choices, size_t found, const kg_choice *choice,
                   size_t dimension) {
    for (size_t i = 0; i < found; i++)
        if (!memcmp(choices[i].theta, choice->theta, dimension * sizeof *choice->theta))
            return false;
    return true;
}

static besd_status search_many(kg_average *a, kg_choice *choices, size_t wanted, size_t *found,
                               besd_error *error) {
    size_t levers = (size_t)lever_count(a), values = a->target_count * levers;
    double *sum = malloc(values * sizeof *sum), *own = malloc(values * sizeof *own);
    ranked *ranking = malloc(a->target_count * sizeof *ranking);
    bool had = sum && own && ranking;
    kg_choice best[EXACT];
    size_t count = a->target_count < EXACT ? a->target_count : EXACT;
    if (had)
        rank(a, sum, own, ranking);
    for (size_t c = 0; had && c < count; c++) {
        double log_kg[MOST_LEVERS];
        int lever;
        memset(&best[c], 0, sizeof best[c]);
        memcpy(best[c].theta, a->targets + ranking[c].candidate * a->dimension,
               a->dimension * sizeof(double));
        kg_average_evaluate(a, best[c].theta, log_kg);
        best[c].log_score = best_lever(a, log_kg, &lever);
        best[c].log_kg = log_kg[lever];
        best[c].tau = lever / a->levers.reps_count;
        best[c].reps = lever % a->levers.reps_count;
        a->evaluated++;
    }
    if (had)
        qsort(best, count, sizeof *best, by_choice);
    *found = 0;
    for (size_t c = 0; had && c < count && *found < wanted; c++)
        if (best[c].log_score > -INFINITY && is_new(choices, *found, &best[c], a->dimension))
            choices[(*found)++] = best[c];
    free(sum);
    free(own);
    free(ranking);
    return had ? BESD_OK : besd_fail_memory(error, "the ranking of candidates");
}

besd_status kg_average_search(kg_average *a, kg_choice *choices, size_t wanted, size_t *found,
                              besd_error *error) {
    if (a->count > 1)
        return search_many(a, choices, wanted, found, error);
    besd_status status = kg_search(a->of[0], true, choices, wanted, found, error);
    a->evaluated = kg_evaluated(a->of[0]);
    return status;
}

typedef struct slope {
    kg_average *average;
    int tau, reps;
} slope;

/* log of the mean; the gradients are weighed by the values. */
static double objective(const double *theta, double *gradient, void *context) {
    slope *s = context;
    kg_average *a = s->average;
    double values[DRAWS_MOST], gradients[DRAWS_MOST][MODEL_MAX_DIMENSION], sum = -INFINITY;
    for (size_t i = 0; i < a->count; i++) {
        values[i] = kg_gradient(a->of[i], theta, s->tau, s->reps, gradients[i]);
        sum = log_add(sum, values[i]);
    }
    memset(gradient, 0, a->dimension * sizeof *gradient);
    for (size_t i = 0; i < a->count && sum > -INFINITY; i++)
        for (size_t k = 0; k < a->dimension; k++)
            gradient[k] += exp(values[i] - sum) * gradients[i][k];
    return fmax(sum - log((double)a->count), WORTHLESS);
}

static besd_status refine_many(kg_average *a, kg_choice *choice, besd_error *error) {
    slope s = {a, choice->tau, choice->reps};
    climb uphill = {.kind = CLIMB_BY_GRADIENT,
                    .objective = objective,
                    .context = &s,
                    .dimension = a->dimension,
                    .least_gain = ENOUGH,
                    .evaluations = MOST_EVALUATIONS};
    double theta[MODEL_MAX_DIMENSION], value, log_kg[MOST_LEVERS];
    memcpy(theta, choice->theta, sizeof theta);
    besd_status status = climb_run(&uphill, theta, &value, error);
    if (status != BESD_OK)
        return status;
    kg_average_evaluate(a, theta, log_kg);
    double refined = log_kg[choice->tau * a->levers.reps_count + choice->reps];
    if (refined > choice->log_kg) {
        choice->log_score += refined - choice->log_kg;
        choice->log_kg = refined;
        memcpy(choice->theta, theta, sizeof theta);
    }
    return BESD_OK;
}

besd_status kg_average_refine(kg_average *a, kg_choice *choice, besd_error *error) {
    return a->count > 1 ? refine_many(a, choice, error) : kg_refine(a->of[0], choice, error);
}
