/* A small comparison made by hand: gw10 (steps, optimum 20, plain 120) and tr (return, optimum 15,
 * plain 5) in the wrong order, with besd, rival and ql. */
#ifndef BESD_TESTS_RESULTS_FIXTURE_H
#define BESD_TESTS_RESULTS_FIXTURE_H

#include "contest/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIXTURE_RUNS = 8, FIXTURE_LATE = 10 }; /* rival has its first recommendation at point 10 */

static inline void fixture_fill(job_result *job, double budget, double from, double to, int known) {
    job->dimension = 4;
    for (int k = 0; k < JOB_POINTS; k++) {
        job_point *p = &job->points[k];
        p->cost = budget * (k + 1) / JOB_POINTS;
        p->known = k >= known;
        p->mean = k < JOB_POINTS / 2 ? from : to; /* half the budget is still `from` */
        p->se = 1;
        for (int i = 0; i < 4; i++)
            p->theta[i] = i + 0.5;
    }
    for (int k = 0; k < JOB_CHECKPOINTS; k++)
        job->curve[k] = to;
    job->trials = calloc(2, sizeof *job->trials);
    job->trial_count = job->trial_capacity = 2;
    job->trials[0] =
        (job_trial){.tau = 200, .reps = 5, .reason = BESD_REASON_INITIAL, .cost = 1000};
    job->trials[1] = (job_trial){.tau = 1000, .reps = 20, .reason = BESD_REASON_KG, .cost = 21000};
}

static inline void fixture_entry(results_entry *e, const char *method, int runs) {
    snprintf(e->method, sizeof e->method, "%s", method);
    e->count = runs;
    e->replication = calloc((size_t)runs, sizeof *e->replication);
    e->result = calloc((size_t)runs, sizeof *e->result);
    for (int i = 0; i < runs; i++)
        e->replication[i] = i;
}

/* Methods come by name, as results_load gives them. */
static inline void fixture_domain(results_domain *d, const char *name, bool maximise,
                                  double optimum, double plain, const double *besd,
                                  const double *rival) {
    d->contest = (results_contest){.maximise = maximise,
                                   .budget = 400000,
                                   .optimum = optimum,
                                   .curve_optimum = optimum,
                                   .plain_score = plain,
                                   .instances = 2,
                                   .checkpoint = 100,
                                   .seed = 1};
    snprintf(d->contest.domain, sizeof d->contest.domain, "%s", name);
    snprintf(d->contest.identity, sizeof d->contest.identity, "%s", name);
    for (int k = 0; k < JOB_CHECKPOINTS; k++)
        d->contest.plain[k] = 2 * plain;
    d->entry_count = 3;
    d->entries = calloc(3, sizeof *d->entries);
    fixture_entry(&d->entries[0], "besd", FIXTURE_RUNS);
    fixture_entry(&d->entries[1], "ql", 1);
    fixture_entry(&d->entries[2], "random", FIXTURE_RUNS);
    for (int i = 0; i < FIXTURE_RUNS; i++) {
        fixture_fill(&d->entries[0].result[i], d->contest.budget, plain, besd[i], 0);
        fixture_fill(&d->entries[2].result[i], d->contest.budget, plain, rival[i], FIXTURE_LATE);
    }
    fixture_fill(&d->entries[1].result[0], d->contest.budget, plain, plain, 0);
    free(d->entries[1].result[0].trials);
    d->entries[1].result[0].trials = NULL;
    d->entries[1].result[0].trial_count = d->entries[1].result[0].trial_capacity = 0;
}

static inline results_table fixture_table(void) {
    results_table t = {.domain_count = 2, .domains = calloc(2, sizeof *t.domains)};
    fixture_domain(&t.domains[0], "tr", true, 15, 5,
                   (const double[]){13, 13, 13, 13, 14, 14, 14, 14},
                   (const double[]){13, 13, 14, 14, 13, 13, 14, 14});
    fixture_domain(&t.domains[1], "gw10", false, 20, 120,
                   (const double[]){30, 30, 30, 30, 40, 40, 40, 40},
                   (const double[]){60, 60, 60, 60, 80, 80, 80, 80});
    return t;
}

#endif
