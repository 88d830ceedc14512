/* Random studies of the model, their targets and what the acquisition makes of them. */
#ifndef BESD_TESTS_KG_FACTS_H
#define BESD_TESTS_KG_FACTS_H

#include "model_facts.h"

#include "decide/kg.h"
#include "decide/latin.h"
#include "decide/targets.h"

#include <stdlib.h>

enum { FEW = 100, MANY = 400, TAUS = FACTS_LEVELS, REPS = 3, LEVERS = TAUS * REPS };

static const double reps[REPS] = {1, 5, 25};

/* A model, its targets and what kg makes of them. */
typedef struct study {
    observations o;
    hyperparameters h;
    gp *model;
    kg_levers levers;
    size_t dimension, target_count;
    double *targets;
    kg *k;
} study;

static inline void open_kg(study *s) {
    besd_error error;
    s->levers.tau_count = TAUS;
    s->levers.reps_count = REPS;
    for (int t = 0; t < TAUS; t++) {
        s->levers.share[t] = facts_shares[t];
        for (int r = 0; r < REPS; r++) {
            s->levers.reps[r] = reps[r];
            s->levers.cost[t][r] = 100 * facts_shares[t] * reps[r];
        }
    }
    assert_ok(kg_create(s->model, &s->levers, s->targets, s->target_count, &s->k, &error), &error);
}

/* Targets: a Latin hypercube and every theta tried. */
static inline void open_study(study *s, rng *stream, size_t hypercube, size_t n, size_t pending,
                              size_t dimension) {
    besd_error error;
    memset(s, 0, sizeof *s);
    s->dimension = dimension;
    facts_draw_trials(stream, &s->o, n, dimension);
    s->h = facts_draw_hyperparameters(stream, dimension);
    assert_ok(gp_create(&s->o, n - pending, &s->h, &s->model, &error), &error);
    s->target_count = hypercube + n;
    s->targets = malloc(s->target_count * dimension * sizeof *s->targets);
    assert_non_null(s->targets);
    latin_hypercube(rng_next(stream), RNG_TEST, hypercube, dimension, s->targets);
    for (size_t i = 0; i < n * dimension; i++)
        s->targets[hypercube * dimension + i] = s->o.theta[i];
    open_kg(s);
}

static inline void close_study(study *s) {
    kg_destroy(s->k);
    gp_destroy(s->model);
    observations_free(&s->o);
    free(s->targets);
}

/* Told and pending from none to many, one to four dimensions. */
static inline void open_random_study(study *s, rng *stream, size_t hypercube, int trial) {
    size_t n = (size_t[]){0, 1, 6, 15, 30, 30}[trial % 6], d = 1 + (size_t)trial % 4;
    open_study(s, stream, hypercube, n, trial % 6 == 5 ? 7 : 0, d);
}

static inline void search(study *s, bool prune, kg_choice *choices, size_t wanted, size_t *found) {
    besd_error error;
    assert_ok(kg_search(s->k, prune, choices, wanted, found, &error), &error);
}

#endif
