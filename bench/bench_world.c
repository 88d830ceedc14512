/* Training interactions per second on one thread: instances drawn and compiled, agents placed and
 * trained. The evaluation that follows each training is for a look at sanity and not timed. */
#include "bench.h"

#include "learn/crew.h"
#include "learn/trial.h"
#include "world/domain_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 15, BATCHES = 250, TAU = 1000, SHARED = 20 };

typedef struct measure {
    double speed, mean_score;
} measure;

static const double gw10_theta[] = {7.5, 3.5, 1.5, 8.5}, mc_theta[] = {-0.82, 0.47};

/* A crew with everything it needs; SHARED consecutive agents share an instance. */
typedef struct gym {
    const domain *domain;
    besd_env_spec spec;
    subgoals goals;
    learning learning;
    crew *crew;
    besd_env *env[CREW_LANES], *evaluation_env[CREW_LANES];
} gym;

static void open_gym(gym *g, const domain *d) {
    besd_error error;
    g->domain = d;
    g->learning = learning_of(d, LEARNING_Q);
    for (int i = 0; i < CREW_LANES; i++)
        if (domain_open(d, &g->env[i], &error) || domain_open(d, &g->evaluation_env[i], &error))
            bench_fail(error.message);
    d->methods->spec(g->env[0], &g->spec);
    if (subgoals_of(&g->goals, d, &g->spec, gw10_theta, 4, &error) ||
        crew_create(&g->spec, &g->goals, &g->learning, &g->crew, &error))
        bench_fail(error.message);
}

static void close_gym(gym *g) {
    crew_destroy(g->crew);
    for (int i = 0; i < CREW_LANES; i++) {
        g->domain->methods->destroy(g->env[i]);
        g->domain->methods->destroy(g->evaluation_env[i]);
    }
}

static void place(gym *g, int lane, uint64_t agent_index, bool by_calls, int *ground) {
    const besd_env_methods *m = g->domain->methods;
    besd_error error;
    besd_status status = BESD_OK;
    uint64_t instance = rng_seed(1, RNG_INSTANCE, agent_index / SHARED, 0, 0);
    agent_seeds seeds = trial_training_seeds(1, agent_index, 0);
    if (by_calls) {
        m->instance(g->env[lane], instance, &error);
        m->instance(g->evaluation_env[lane], instance, &error);
        status = crew_place_caller(g->crew, lane, m, g->env[lane], g->evaluation_env[lane], &seeds,
                                   &error);
    } else {
        if (lane == 0 || agent_index % SHARED == 0) {
            m->instance(g->env[0], instance, &error);
            status = crew_compile(g->crew, ++*ground, m, g->env[0], &error);
        }
        crew_place(g->crew, lane, *ground, &seeds);
    }
    if (status != BESD_OK)
        bench_fail(error.message);
}

static measure time_crew(gym *g, bool by_calls) {
    double seconds = 0, sum = 0;
    besd_error error;
    for (uint64_t batch = 0; batch < BATCHES; batch++) {
        double start = bench_now();
        agent_seeds seeds[CREW_LANES];
        agent_episode episodes[CREW_LANES];
        int ground = -1;
        for (int lane = 0; lane < CREW_LANES; lane++) {
            place(g, lane, batch * CREW_LANES + (uint64_t)lane, by_calls, &ground);
            seeds[lane] = trial_evaluation_seeds(1, batch * CREW_LANES + (uint64_t)lane, 0, TAU);
        }
        besd_status status = crew_train(g->crew, CREW_LANES, 0, TAU, TAU, &error);
        seconds += bench_now() - start;
        if (status || crew_evaluate(g->crew, CREW_LANES, seeds, episodes, &error))
            bench_fail(error.message);
        for (int lane = 0; lane < CREW_LANES; lane++)
            sum += (double)episodes[lane].steps;
    }
    double agents = (double)BATCHES * CREW_LANES;
    return (measure){agents * TAU / seconds, sum / agents};
}

static measure time_naive(void) {
    naive_world *w = naive_gw10_create();
    double seconds = 0, sum = 0;
    enum { AGENTS = 1000 };
    for (unsigned i = 0; i < AGENTS; i++) {
        double start = bench_now();
        naive_gw10_train(w, i, TAU);
        seconds += bench_now() - start;
        sum += naive_gw10_evaluate(w);
    }
    free(w);
    return (measure){(double)AGENTS * TAU / seconds, sum / AGENTS};
}

/* Through a whole trial, evaluation included. */
static measure time_mountain_car(const domain *mc) {
    trial_request r = {.domain = mc,
                       .theta = mc_theta,
                       .theta_length = 2,
                       .tau = 10000,
                       .reps = 10,
                       .instances = 8,
                       .seed = 1,
                       .threads = 1};
    trial_result result;
    besd_error error;
    double start = bench_now(), sum = 0;
    if (trial_run(&r, &result, &error) != BESD_OK)
        bench_fail(error.message);
    double seconds = bench_now() - start;
    for (size_t i = 0; i < result.agents; i++)
        sum += result.final[i];
    measure m = {(double)(r.tau * r.reps * r.instances) / seconds, sum / (double)result.agents};
    trial_result_free(&result);
    return m;
}

/* Interactions per second of a Python child, training and evaluation together; 0 without Python. */
static double time_process(void) {
    domain d;
    besd_error error;
    if (domain_load("cmd:python3 " PROCESS_ENV, NAN, &d, &error) != BESD_OK)
        return 0;
    trial_request r = {.domain = &d,
                       .theta = gw10_theta,
                       .theta_length = 4,
                       .tau = TAU,
                       .reps = 1,
                       .instances = 2 * CREW_LANES,
                       .seed = 1,
                       .threads = 1};
    double best = 0;
    for (int round = 0; round < 5; round++) {
        trial_result result;
        double start = bench_now();
        if (trial_run(&r, &result, &error) != BESD_OK)
            bench_fail(error.message);
        double speed = (double)(r.tau * r.instances) / (bench_now() - start);
        best = fmax(best, speed);
        trial_result_free(&result);
    }
    domain_release(&d);
    return best;
}

static void keep_best(measure *best, measure m) {
    if (m.speed > best->speed)
        *best = m;
}

void bench_world(void) {
    domain gw10, mc, delivery;
    besd_error error;
    gym g, p;
    measure fast = {0}, calls = {0}, plugin = {0}, naive = {0}, car = {0};
    if (domain_find("gw10", &gw10, &error) || domain_find("mc", &mc, &error) ||
        domain_load(DELIVERY, NAN, &delivery, &error))
        bench_fail(error.message);
    open_gym(&g, &gw10);
    open_gym(&p, &delivery);
    for (int round = 0; round < ROUNDS; round++) {
        keep_best(&fast, time_crew(&g, false));
        keep_best(&calls, time_crew(&g, true));
        keep_best(&plugin, time_crew(&p, true));
        keep_best(&naive, time_naive());
        keep_best(&car, time_mountain_car(&mc));
    }
    close_gym(&g);
    close_gym(&p);
    domain_release(&delivery);
    char note[96];
    snprintf(note, sizeof note, "%.2f x the naive loop; mean score %.0f, naive %.0f",
             fast.speed / naive.speed, fast.mean_score, naive.mean_score);
    bench_report("qlearning_gw10_steps_per_s", fast.speed, "1/s", note);
    snprintf(note, sizeof note, "%.2f x the above; mean score %.0f", calls.speed / fast.speed,
             calls.mean_score);
    bench_report("qlearning_env_interface_steps_per_s", calls.speed, "1/s", note);
    snprintf(note, sizeof note, "%.2f x the built-in gw10; mean score %.0f",
             plugin.speed / fast.speed, plugin.mean_score);
    bench_report("plugin_steps_per_s", plugin.speed, "1/s", note);
    bench_report("process_steps_per_s", time_process(), "1/s",
                 "training interactions with a Python child, tests included in the time");
    snprintf(note, sizeof note, "mean score %.0f", car.mean_score);
    bench_report("qlearning_mc_steps_per_s", car.speed, "1/s", note);
    bench_report("naive_gw10_steps_per_s", naive.speed, "1/s", "plain scalar loop");
}
