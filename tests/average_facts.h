/* Random studies of a model with several draws, and what the averaged acquisition makes of them. */
#ifndef BESD_TESTS_AVERAGE_FACTS_H
#define BESD_TESTS_AVERAGE_FACTS_H

#include "kg_facts.h"

#include "decide/kg_average.h"

/* Trials, draws and targets, all by chance. */
typedef struct average_study {
    observations o;
    draws drawn;
    mixture model;
    kg_levers levers;
    size_t dimension, target_count;
    double *targets;
    kg_average k;
} average_study;

static inline void open_average(average_study *s, rng *stream, size_t draws_count, size_t hypercube,
                                size_t n, size_t dimension) {
    besd_error error;
    memset(s, 0, sizeof *s);
    s->dimension = dimension;
    facts_draw_trials(stream, &s->o, n, dimension);
    s->drawn.count = draws_count;
    double mean = 0;
    for (size_t j = 0; j < n; j++)
        mean += s->o.mean[j] / (double)n;
    for (size_t i = 0; i < draws_count; i++) {
        s->drawn.of[i] = facts_draw_hyperparameters(stream, dimension);
        s->drawn.of[i].prior_mean = mean; /* as in a study, of all the same */
    }
    assert_ok(mixture_init(&s->model, &s->o, n, &s->drawn, &error), &error);
    s->target_count = hypercube + n;
    s->targets = malloc(s->target_count * dimension * sizeof *s->targets);
    assert_non_null(s->targets);
    latin_hypercube(rng_next(stream), RNG_TEST, hypercube, dimension, s->targets);
    memcpy(s->targets + hypercube * dimension, s->o.theta, n * dimension * sizeof *s->targets);
    s->levers.tau_count = TAUS;
    s->levers.reps_count = REPS;
    for (int t = 0; t < TAUS; t++) {
        s->levers.share[t] = facts_shares[t];
        for (int r = 0; r < REPS; r++) {
            s->levers.reps[r] = reps[r];
            s->levers.cost[t][r] = 100 * facts_shares[t] * reps[r];
        }
    }
    assert_ok(kg_average_init(&s->k, &s->model, &s->levers, s->targets, s->target_count, &error),
              &error);
}

static inline void close_average(average_study *s) {
    kg_average_free(&s->k);
    mixture_free(&s->model);
    observations_free(&s->o);
    free(s->targets);
}

#endif
