/* The best designs that brute force finds: a yardstick for recommendations, not a method. Random
 * designs are raced on more and more instances, then the survivors are perturbed ever more finely.
 *
 *     oracle [interactions per domain] [DOMAIN [NAME=VALUE ...] ...] > oracle.csv
 *
 * Without domains, the built-in ones; else anything that besd takes for a domain, each with what is
 * set of it. `none` is learning without subgoals on the instances of `mean`. Every number follows
 * from the seed. `mean` chooses among the survivors on instances that the search has not seen;
 * `lab_mean` and `lab_optimum` are from those that `besd compare` (seed 1) reads its learning
 * curves on.
 */
#include "contest/job.h"
#include "core/rng.h"
#include "core/stats.h"
#include "world/domain_load.h"
#include "world/solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SURVIVORS = 24, ROUNDS = 12, CHILDREN = 6, FINAL_INSTANCES = 4000 };

static const uint64_t SEED = 20240;

typedef struct attempt {
    double theta[BESD_MAX_DIMENSION];
    double sum; /* of scores, smaller is better */
    int64_t instances;
} attempt;

typedef struct search {
    domain_study setting;
    bool maximise;
    double interactions;
    attempt *attempts;
    size_t count;
} search;

static double badness(const attempt *a) {
    return a->sum / (double)a->instances;
}

static int by_badness(const void *a, const void *b) {
    double x = badness(a), y = badness(b);
    return x < y ? -1 : x > y;
}

/* More instances for an attempt; round r uses the same for all. */
static void test(search *s, attempt *a, int64_t instances, uint64_t round) {
    trial_result result;
    besd_error error;
    uint64_t seed = rng_seed(SEED, RNG_TEST, round, 1, 0) >> 1;
    if (domain_study_test(&s->setting, a->theta, instances, seed, &result, &error) != BESD_OK) {
        fprintf(stderr, "oracle: %s\n", error.message);
        exit(1);
    }
    double mean = stats_summarise(result.final, result.agents).mean;
    a->sum += (s->maximise ? -mean : mean) * (double)instances;
    a->instances += instances;
    s->interactions += (double)instances * (double)domain_tau_max(s->setting.domain);
    trial_result_free(&result);
}

/* Random designs, raced: each heat keeps the better quarter and quadruples the instances. */
static void race(search *s, double budget) {
    const besd_study_options *o = &s->setting.options;
    double tau = (double)domain_tau_max(s->setting.domain);
    int64_t instances = 4;
    s->count = (size_t)fmax(4 * SURVIVORS, budget / 4 / tau / (double)instances);
    s->attempts = calloc(s->count, sizeof *s->attempts);
    if (!s->attempts)
        exit(1);
    rng stream = rng_open(SEED, RNG_TEST, 0, 0, 0);
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < o->dimension; k++)
            s->attempts[i].theta[k] = rng_between(&stream, o->low[k], o->high[k]);
    for (uint64_t heat = 1; s->count > SURVIVORS; heat++, instances *= 4) {
        for (size_t i = 0; i < s->count; i++)
            test(s, &s->attempts[i], instances, heat);
        qsort(s->attempts, s->count, sizeof *s->attempts, by_badness);
        s->count = s->count / 4 > SURVIVORS ? s->count / 4 : SURVIVORS;
    }
}

/* Children near each survivor; the best of family take its place. */
static void refine(search *s, double budget) {
    const besd_study_options *o = &s->setting.options;
    double tau = (double)domain_tau_max(s->setting.domain);
    int64_t instances = (int64_t)fmax(40, budget / ROUNDS / SURVIVORS / (CHILDREN + 1) / tau);
    rng stream = rng_open(SEED, RNG_TEST, 1, 0, 0);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        double spread = 0.15 * pow(0.75, (double)round);
        for (size_t i = 0; i < s->count; i++) {
            attempt *best = &s->attempts[i], parent = *best;
            *best = (attempt){.instances = 0};
            memcpy(best->theta, parent.theta, sizeof best->theta);
            test(s, best, instances, 100 + round);
            for (int c = 0; c < CHILDREN; c++) {
                attempt child = {.instances = 0};
                for (size_t k = 0; k < o->dimension; k++) {
                    double step = spread * (o->high[k] - o->low[k]) * rng_normal(&stream);
                    child.theta[k] = fmin(fmax(parent.theta[k] + step, o->low[k]), o->high[k]);
                }
                test(s, &child, instances, 100 + round);
                if (badness(&child) < badness(best))
                    *best = child;
            }
        }
        qsort(s->attempts, s->count, sizeof *s->attempts, by_badness);
        s->count = s->count > 6 ? s->count * 3 / 4 : s->count;
    }
}

/* The best of the survivors on instances that the search has not seen. */
static const double *choose(search *s, sample_summary *chosen) {
    const double *theta = NULL;
    for (size_t i = 0; i < s->count; i++) {
        trial_result result;
        besd_error error;
        if (domain_study_test(&s->setting, s->attempts[i].theta, FINAL_INSTANCES, 99, &result,
                              &error))
            exit(1);
        sample_summary summary = stats_summarise(result.final, result.agents);
        trial_result_free(&result);
        if (!theta || (s->maximise ? summary.mean > chosen->mean : summary.mean < chosen->mean)) {
            *chosen = summary;
            theta = s->attempts[i].theta;
        }
    }
    return theta;
}

/* On the instances that the lab reads learning curves on, to be compared with recommendations: the
 * design's mean at tau_max and the optimum. */
static void test_in_lab(const search *s, const double *theta, double *mean, double *optimum) {
    const domain *d = s->setting.domain;
    double curve[JOB_CHECKPOINTS];
    solution_summary best;
    contest c;
    besd_error error;
    contest_init(&c, d);
    int64_t tau_max = domain_tau_max(d);
    if (tau_max > c.checkpoint * JOB_CHECKPOINTS) /* a built-in domain whose tau is set */
        c.checkpoint = tau_max / JOB_CHECKPOINTS;
    if (job_learning_curve(&c, theta, s->setting.options.dimension, curve, &error) ||
        solve_domain(d, contest_test_seed(&c), contest_curve_instances(&c), &best, &error)) {
        fprintf(stderr, "oracle: %s\n", error.message);
        exit(1);
    }
    int64_t last = tau_max / c.checkpoint;
    *mean = curve[(last < JOB_CHECKPOINTS ? last : JOB_CHECKPOINTS) - 1];
    *optimum = best.mean;
}

/* Without subgoals, on the instances that choose() tests on. */
static double test_without(const search *s) {
    trial_result result;
    besd_error error;
    if (domain_study_test(&s->setting, NULL, FINAL_INSTANCES, 99, &result, &error))
        exit(1);
    double mean = stats_summarise(result.final, result.agents).mean;
    trial_result_free(&result);
    return mean;
}

static void print(search *s) {
    sample_summary chosen = {0};
    const double *theta = choose(s, &chosen);
    double mean, optimum;
    test_in_lab(s, theta, &mean, &optimum);
    printf("%s,%.6g,%.3g,%.3g,%.6g,%.6g,%.6g,\"", s->setting.domain->name, chosen.mean, chosen.se,
           s->interactions, mean, optimum, test_without(s));
    for (size_t k = 0; k < s->setting.options.dimension; k++)
        printf("%s%.4f", k ? " " : "", theta[k]);
    printf("\"\n");
    fflush(stdout);
}

static int search_domain(const domain *d, double budget) {
    besd_error error;
    search s = {0};
    if (domain_study_init(&s.setting, d, &error) != BESD_OK) {
        fprintf(stderr, "oracle: %s\n", error.message);
        return 1;
    }
    s.maximise = d->objective == OBJECTIVE_RETURN;
    race(&s, budget);
    refine(&s, budget / 2);
    print(&s);
    free(s.attempts);
    return 0;
}

/* The domain of the first word with what the words after it set; returns how many words it took. */
static int load(char *const *words, domain *d) {
    besd_error error;
    int taken = 1;
    besd_status status = domain_load(words[0], NAN, d, &error);
    for (; status == BESD_OK && words[taken] && strchr(words[taken], '='); taken++)
        status = domain_set(d, words[taken], &error);
    if (status == BESD_OK)
        status = domain_settle(d, &error);
    if (status != BESD_OK) {
        fprintf(stderr, "oracle: %s\n", error.message);
        exit(1);
    }
    return taken;
}

int main(int argc, char **argv) {
    double budget = argc > 1 ? strtod(argv[1], NULL) : 2e9;
    int failed = 0;
    domain d;
    printf("domain,mean,se,interactions,lab_mean,lab_optimum,none,theta\n");
    for (int i = 2; !failed && i < argc;) {
        i += load(argv + i, &d);
        failed = search_domain(&d, budget);
        domain_release(&d);
    }
    for (size_t i = 0; !failed && argc <= 2 && domain_name(i); i++) {
        load((char *[]){(char *)domain_name(i), NULL}, &d);
        failed = search_domain(&d, budget);
    }
    return failed;
}
