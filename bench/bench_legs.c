/* What learning from legs costs: asks of a study of 90 told trials of KEY3 with and without them,
 * and composing paths of five points on a lattice of 30 x 30 cells. */
#include "bench.h"

#include "decide/compose.h"
#include "run/domain_study.h"
#include "world/domain_load.h"

#include <math.h>
#include <stdlib.h>

enum { TOLD = 90, ASKS = 8, CELLS = 900, POINTS = 5 };

static void check(besd_status status, const besd_error *error) {
    if (status != BESD_OK)
        bench_fail(error->message);
}

/* 90 trials of the initial design, told with their legs. */
static besd_study *told_study(const domain_study *b) {
    besd_study *s;
    besd_error error;
    besd_run_options options = besd_run_options_default();
    besd_run_result result;
    domain_trainer own;
    check(domain_study_open(b, NULL, &s, &error), &error);
    besd_trainer trainer = domain_trainer_open(&own, b, s);
    options.most_trials = TOLD;
    check(besd_study_run(s, &trainer, &options, &result, &error), &error);
    domain_trainer_close(&own);
    return s;
}

/* Seconds of an ask that fits hyperparameters first, and of later ones: the least of those whose
 * trial was chosen for its legs, and of the others. */
typedef struct ask_times {
    double first, legs, others;
} ask_times;

static ask_times time_asks(domain_study *b, double legs) {
    besd_error error;
    besd_trial t;
    ask_times times = {.legs = INFINITY, .others = INFINITY};
    b->options.legs = legs;
    besd_study *s = told_study(b);
    double begun = bench_now();
    check(besd_study_ask(s, NULL, &t, &error), &error);
    times.first = bench_now() - begun;
    for (int i = 0; i < ASKS; i++) {
        begun = bench_now();
        check(besd_study_ask(s, NULL, &t, &error), &error);
        double *least = t.reason == BESD_REASON_LEGS ? &times.legs : &times.others;
        *least = fmin(*least, bench_now() - begun);
    }
    besd_study_close(s);
    return times;
}

static void bench_asks(void) {
    domain key3;
    domain_study b;
    besd_error error;
    check(domain_find("key3", &key3, &error), &error);
    check(domain_study_init(&b, &key3, &error), &error);
    b.threads = 1;
    b.options.seed = 1;
    b.options.budget = INFINITY;
    b.options.initial_designs = TOLD / (int)b.options.tau_count;
    ask_times with = time_asks(&b, b.options.legs), without = time_asks(&b, 0);
    bench_report("ask_ms_key3_n90_legs", 1e3 * with.legs, "ms", "a path composed of legs");
    bench_report("ask_ms_key3_n90_beside_legs", 1e3 * with.others, "ms",
                 "by knowledge gradient in the same study");
    bench_report("ask_ms_key3_n90_without_legs", 1e3 * without.others, "ms", "option legs: 0");
    bench_report("first_ask_ms_key3_n90_legs", 1e3 * with.first, "ms",
                 "the same with the first draws");
    bench_report("first_ask_ms_key3_n90_without_legs", 1e3 * without.first, "ms", "");
}

static void bench_compose(void) {
    double *inner = malloc(sizeof *inner * CELLS * CELLS), *ends = malloc(sizeof *ends * CELLS);
    double best = INFINITY;
    besd_error error;
    if (!inner || !ends)
        bench_fail("no memory");
    for (int i = 0; i < CELLS * CELLS; i++)
        inner[i] = -(double)((unsigned)i * 2654435761u % 1000003u) / 1000003;
    for (int i = 0; i < CELLS; i++)
        ends[i] = inner[i];
    for (int round = 0; round < 5; round++) {
        compose c;
        compose_legs legs = {.cells = CELLS,
                             .points = POINTS,
                             .first = ends,
                             .inner = inner,
                             .last = ends,
                             .least = -INFINITY};
        double begun = bench_now();
        check(compose_init(&c, &legs, &error), &error);
        best = fmin(best, bench_now() - begun);
        compose_free(&c);
    }
    bench_report("compose_ms_900_cells_5_points", 1e3 * best, "ms",
                 "dynamic programming forward and backward");
    free(inner);
    free(ends);
}

void bench_legs(void) {
    bench_asks();
    bench_compose();
}
