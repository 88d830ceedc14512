/* The benchmarks' small frame. Speeds are the best of several rounds, because other load on the
 * machine only ever slows a round down; things that are compared run in turn within a round. */
#ifndef BESD_BENCH_BENCH_H
#define BESD_BENCH_BENCH_H

#include "model/gp.h"

/* Seconds of a steady clock. */
double bench_now(void);

/* Reports one number: a row of the table and a key of the JSON file. */
void bench_report(const char *key, double value, const char *unit, const char *note);

/* Prints an error's message and ends the program. */
void bench_fail(const char *message) __attribute__((noreturn));

void bench_world(void);
void bench_decide(void);
void bench_legs(void);
void bench_together(void);
void bench_large(void);

/* The naive loop of naive_gw10.c: one agent in a fresh instance. */
typedef struct naive_world naive_world;
naive_world *naive_gw10_create(void); /* free() it */
void naive_gw10_train(naive_world *w, unsigned long long seed, int tau);
int naive_gw10_evaluate(naive_world *w); /* steps of a greedy episode */

/* nu of one trial the naive way; target_roots [count * n], means [count] at tau_max. */
double naive_kg(const gp *model, const double *theta, double share, double noise,
                const double *targets, const double *target_roots, const double *means,
                size_t count);

#endif
