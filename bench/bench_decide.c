/* Deciding: asks, fits, tells and a whole study, on real trials of GW10. One thread. */
#include "bench.h"

#include "core/rng.h"
#include "decide/kg.h"
#include "decide/latin.h"
#include "decide/maximise.h"
#include "model/blas.h"
#include "model/fit.h"
#include "run/domain_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TARGETS = 3000, ROUNDS = 7, NAIVE_SAMPLE = 30 };

static void check(besd_status status, const besd_error *error) {
    if (status != BESD_OK)
        bench_fail(error->message);
}

/* Trains as the trial says; scores [trial->reps]. */
static void train(const domain_study *b, const besd_trial *t, double *scores) {
    domain_trainer own = {.setting = b};
    besd_training training = {0};
    besd_error error;
    check(domain_trainer_train(&own, t, &training, &error), &error);
    memcpy(scores, training.outcome.scores, training.outcome.count * sizeof *scores);
    domain_trainer_close(&own);
}

/* Trials of GW10 as a study meets them: a third each of the training lengths, five replications,
 * half of the designs anywhere, half near a good one. */
static void gather(observations *o, const domain_study *b, size_t count) {
    static const double good[] = {0.65, 0.85, 0.1, 0.95};
    besd_error error;
    check(observations_init(o, 4, &error), &error);
    for (size_t i = 0; i < count; i++) {
        rng r = rng_open(7, RNG_TEST, i, 0, 0);
        besd_trial t = {.tau = b->domain->tau[i % 3], .reps = 5, .seed = i};
        double unit[4], scores[5], mean = 0, within = 0;
        for (int k = 0; k < 4; k++) {
            unit[k] = i % 2 ? rng_uniform(&r) : fmin(1, fmax(0, good[k] + 0.15 * rng_normal(&r)));
            t.theta[k] = 10 * unit[k];
        }
        train(b, &t, scores);
        for (int k = 0; k < 5; k++)
            mean -= log(scores[k]) / 5;
        for (int k = 0; k < 5; k++)
            within += pow(-log(scores[k]) - mean, 2);
        check(
            observations_add(o, unit, (double)t.tau / 1000, (int)(i % 3), 5, mean, within, &error),
            &error);
    }
}

static double mean_of(const observations *o) {
    double sum = 0;
    for (size_t i = 0; i < o->count; i++)
        sum += o->mean[i] / (double)o->count;
    return sum;
}

static void fit(const observations *o, int starts, hyperparameters *h) {
    besd_error error;
    fit_options options = {.levels = 3, .prior_mean = mean_of(o), .starts = starts};
    fit_problem *p;
    double value;
    check(fit_create(o, &options, &p, &error), &error);
    check(fit_run(p, h, &value, &error), &error);
    fit_destroy(p);
}

static kg_levers levers_of(const domain *d) {
    kg_levers l = {.tau_count = 3, .reps_count = 2};
    for (int t = 0; t < 3; t++)
        for (int r = 0; r < 2; r++) {
            l.share[t] = (double)d->tau[t] / 1000;
            l.reps[r] = d->reps[r];
            l.cost[t][r] = (double)d->tau[t] * d->reps[r];
        }
    return l;
}

/* Everything an ask computes after the fit: model, best design, search, refinement. */
static double time_ask(const observations *o, const hyperparameters *h, const kg_levers *l,
                       const double *points, kg_choice *choice) {
    besd_error error;
    gp *model;
    kg *k;
    kg_choice choices[4];
    size_t found;
    double best[4], mean, start = bench_now();
    check(gp_create(o, o->count, h, &model, &error), &error);
    const mixture one = {.count = 1, .models = {model}};
    check(maximise_mean(&one, points, TARGETS, false, best, &mean, &error), &error);
    check(kg_create(model, l, points, TARGETS, &k, &error), &error);
    check(kg_search(k, true, choices, 4, &found, &error), &error);
    *choice = choices[0];
    for (int i = 0; i < 2; i++)
        check(kg_refine(k, &choices[i], &error), &error);
    double seconds = bench_now() - start;
    kg_destroy(k);
    gp_destroy(model);
    return seconds;
}

/* Every hundredth candidate by the naive way, times a hundred; also checks the values. */
static double time_naive(const observations *o, const hyperparameters *h, const kg_levers *l,
                         const double *points, double *difference) {
    besd_error error;
    gp *model;
    kg *k;
    size_t n = o->count, stride = TARGETS / NAIVE_SAMPLE;
    double *roots = malloc(MODEL_BASIS * n * TARGETS * sizeof *roots);
    double *slopes = malloc(MODEL_BASIS * TARGETS * sizeof *slopes);
    double *target_roots = malloc(n * TARGETS * sizeof *target_roots);
    double *means = malloc(TARGETS * sizeof *means);
    if (!roots || !slopes || !target_roots || !means)
        bench_fail("out of memory");
    check(gp_create(o, n, h, &model, &error), &error);
    check(kg_create(model, l, points, TARGETS, &k, &error), &error);
    gp_project(model, points, TARGETS, roots, slopes);
    for (size_t i = 0; i < TARGETS; i++) {
        means[i] = h->prior_mean + slopes[i] + slopes[TARGETS + i];
        for (size_t j = 0; j < n; j++)
            target_roots[i * n + j] = roots[j * TARGETS + i] + roots[(n + j) * TARGETS + i];
    }
    double seconds = 0;
    *difference = 0;
    for (size_t c = 0; c < TARGETS; c += stride) {
        double log_kg[6], start = bench_now(), nu[6];
        for (int i = 0; i < 6; i++)
            nu[i] = naive_kg(model, points + 4 * c, l->share[i / 2],
                             noise_variance(h, i / 2, l->reps[i % 2]), points, target_roots, means,
                             TARGETS);
        seconds += bench_now() - start;
        kg_evaluate(k, points + 4 * c, log_kg);
        for (int i = 0; i < 6; i++)
            *difference = fmax(*difference, fabs(exp(log_kg[i]) - nu[i]));
    }
    kg_destroy(k);
    gp_destroy(model);
    free(means);
    free(target_roots);
    free(slopes);
    free(roots);
    return seconds * (double)stride;
}

static void bench_ask(const domain_study *b) {
    observations small, large;
    hyperparameters h;
    kg_levers l = levers_of(b->domain);
    kg_choice choice;
    double *points = malloc(TARGETS * 4 * sizeof *points), ask = INFINITY, naive = INFINITY;
    double difference, big = INFINITY;
    char note[128];
    if (!points)
        bench_fail("out of memory");
    latin_hypercube(1, RNG_TARGETS, TARGETS, 4, points);
    gather(&small, b, 90);
    fit(&small, 4, &h);
    for (int round = 0; round < ROUNDS; round++) {
        ask = fmin(ask, time_ask(&small, &h, &l, points, &choice));
        if (round < 2)
            naive = fmin(naive, time_naive(&small, &h, &l, points, &difference));
    }
    gather(&large, b, 500);
    for (int round = 0; round < 3; round++)
        big = fmin(big, time_ask(&large, &h, &l, points, &choice));
    snprintf(note, sizeof note, "%.0f times faster than the naive way", naive / ask);
    bench_report("ask_ms_n90_m3000", 1e3 * ask, "ms", note);
    snprintf(note, sizeof note, "values agree to %.1g", difference);
    bench_report("naive_ask_ms_n90_m3000", 1e3 * naive, "ms", note);
    bench_report("ask_ms_n500_m3000", 1e3 * big, "ms", "");
    observations_free(&small);
    observations_free(&large);
    free(points);
}

static void bench_fit(const domain_study *b) {
    observations o;
    hyperparameters h;
    double best = INFINITY;
    gather(&o, b, 150);
    for (int round = 0; round < 3; round++) {
        double start = bench_now();
        fit(&o, FIT_MAX_STARTS, &h);
        best = fmin(best, bench_now() - start);
    }
    bench_report("map_fit_ms_n150", 1e3 * best, "ms", "4 starts, 4 dimensions");
    observations_free(&o);
}

/* A whole study: 100 trials after the initial design, tested on 200 instances after each. */
static void bench_study(domain_study *b) {
    char path[] = "/tmp/besd-bench-XXXXXX";
    besd_error error;
    besd_study *s;
    besd_recommendation r = {0};
    double scores[BESD_MAX_REPS], tell = 0, start, mean = 0;
    int file = mkstemp(path), tells = 0;
    if (file < 0)
        bench_fail("no temporary file");
    close(file);
    b->options.seed = 1;
    start = bench_now();
    check(besd_study_open(&s, path, &b->options, &error), &error);
    for (int i = 0; i < 130; i++) {
        besd_trial t;
        trial_result test;
        check(besd_study_ask(s, NULL, &t, &error), &error);
        train(b, &t, scores);
        double before = bench_now();
        check(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                              &error),
              &error);
        tell += bench_now() - before;
        tells++;
        if (i < 30)
            continue;
        check(besd_study_recommend(s, &r, &error), &error);
        check(domain_study_test(b, r.theta, 200, 99, &test, &error), &error);
        mean = 0;
        for (size_t k = 0; k < test.agents; k++)
            mean += test.final[k] / (double)test.agents;
        trial_result_free(&test);
    }
    double seconds = bench_now() - start;
    besd_study_close(s);
    for (int i = 0; i < 3; i++) {
        char name[64];
        static const char *const ends[] = {"", "-wal", "-shm"};
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
    char note[96];
    snprintf(note, sizeof note, "100 iterations with 200-instance tests; ends at %.1f steps", mean);
    bench_report("tell_ms", 1e3 * tell / tells, "ms", "on average, durable");
    bench_report("gw10_study_s", seconds, "s", note);
}

enum { PLACES = 2412 };

/* A study of so many trials with all defaults. They are all of the initial design, which is chosen
 * without a model, and each gets one score of a smooth function. */
static besd_study *default_study(const domain_study *b, int trials) {
    besd_study_options o = b->options;
    besd_study *s;
    besd_error error;
    besd_trial t;
    double scores[BESD_MAX_REPS];
    o.seed = 1;
    o.budget = INFINITY;
    o.initial_designs = (trials + (int)o.tau_count - 1) / (int)o.tau_count;
    check(besd_study_open(&s, NULL, &o, &error), &error);
    for (int i = 0; i < o.initial_designs * (int)o.tau_count; i++) {
        check(besd_study_ask(s, NULL, &t, &error), &error);
        for (int k = 0; k < t.reps; k++)
            scores[k] = 20 + 10 * hypot(t.theta[0] - 7, t.theta[3] - 9) + (i + k) % 7;
        check(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                              &error),
              &error);
    }
    return s;
}

/* What it takes to ask, the first time with fresh draws of the hyperparameters. */
static void bench_default_ask(const domain_study *b, int trials, const char *name,
                              const char *first) {
    besd_study *s = default_study(b, trials);
    besd_error error;
    besd_trial t;
    double begun = bench_now(), drawn, least = INFINITY;
    check(besd_study_ask(s, NULL, &t, &error), &error);
    drawn = bench_now() - begun;
    for (int round = 0; round < 3; round++) {
        begun = bench_now();
        check(besd_study_ask(s, NULL, &t, &error), &error);
        least = fmin(least, bench_now() - begun);
    }
    besd_study_close(s);
    bench_report(name, 1e3 * least, "ms", "all defaults: 1000 targets, averaged over draws");
    bench_report(first, 1e3 * drawn, "ms", "the same with the first draws");
}

/* What it takes to recommend and to draw the slices of a long study. */
static void bench_long_study(const domain_study *b) {
    static double thetas[PLACES * 4];
    static besd_forecast forecasts[PLACES];
    static int64_t taus[PLACES];
    besd_study *s = default_study(b, 2000);
    besd_error error;
    besd_trial t;
    besd_recommendation r;
    double rounds[3];
    for (int i = 0; i < PLACES; i++) {
        for (int c = 0; c < 4; c++)
            thetas[4 * i + c] = 10.0 * ((i * (c + 3)) % PLACES) / PLACES;
        taus[i] = b->options.taus[(size_t)i % b->options.tau_count];
    }
    check(besd_study_ask(s, NULL, &t, &error), &error); /* draws */
    rounds[0] = bench_now();
    check(besd_study_recommend(s, &r, &error), &error);
    rounds[1] = bench_now();
    check(besd_study_forecast_many(s, thetas, taus, PLACES, forecasts, &error), &error);
    rounds[2] = bench_now();
    besd_study_close(s);
    bench_report("recommend_ms_n2000", 1e3 * (rounds[1] - rounds[0]), "ms",
                 "a study of 2000 trials");
    bench_report("slices_ms_n2000", 1e3 * (rounds[2] - rounds[1]), "ms",
                 "2412 forecasts, a figure of four slices");
}

void bench_decide(void) {
    domain gw10;
    domain_study b;
    besd_error error;
    check(arithmetic_begin(1, &error), &error);
    check(domain_find("gw10", &gw10, &error), &error);
    check(domain_study_init(&b, &gw10, &error), &error);
    b.threads = 1;
    bench_ask(&b);
    bench_fit(&b);
    bench_study(&b);
    bench_default_ask(&b, 90, "ask_ms_n90_m1000", "first_ask_ms_n90_m1000");
    bench_default_ask(&b, 500, "ask_ms_n500", "first_ask_ms_n500");
    bench_default_ask(&b, 2000, "ask_ms_n2000", "first_ask_ms_n2000");
    bench_long_study(&b);
}
