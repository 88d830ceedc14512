/* The results of a comparison: one SQLite file. A job is written in one transaction when it is
 * finished, so that a comparison that is killed loses only what was under way. */
#ifndef BESD_CONTEST_RESULTS_H
#define BESD_CONTEST_RESULTS_H

#include "contest/job.h"

typedef struct results results;

/* Opens or, with `create`, makes the file. */
besd_status results_open(const char *path, bool create, results **opened, besd_error *error);
void results_close(results *r);

/* A domain of the comparison with what every regret refers to. */
typedef struct results_contest {
    char domain[64];
    char identity[1024]; /* name and what differs from it: overrides, map (domain.h) */
    bool maximise;
    double budget;
    double optimum, curve_optimum; /* means over the instances of tests and of learning curves, by
                                      exact solution; NaN: not known */
    double plain_score;            /* mean test score without subgoals */
    int64_t instances, checkpoint;
    uint64_t seed;
    double plain[JOB_CHECKPOINTS]; /* learning curve without them */
    struct grid_map *map; /* of a domain that is not built in, when findings have it; or NULL */
} results_contest;

/* Looks for a domain with the same settings; other settings are BESD_INVALID, and the sentence
 * says which differ. When it is *found what follows from them is filled in. */
besd_status results_settle(results *r, results_contest *c, bool *found, besd_error *error);

/* Where another process has added the domain meanwhile nothing changes; settle again. */
besd_status results_add_contest(results *r, const results_contest *c, besd_error *error);

/* `on`: the name of a domain. */
besd_status results_has(results *r, const char *on, const char *method, int replication, bool *has,
                        besd_error *error);

/* `seconds`: what it adds to the time that the comparison has taken. */
besd_status results_add(results *r, const char *on, const char *method, int replication,
                        const job_result *job, double seconds, besd_error *error);

/* Everything about one (domain, method), by replication. */
typedef struct results_entry {
    char method[CONTENDER_MAX_NAME];
    int count;          /* replications */
    int *replication;   /* [count] */
    job_result *result; /* [count] */
} results_entry;

typedef struct results_domain {
    results_contest contest;
    int entry_count;
    results_entry *entries; /* by name */
} results_domain;

typedef struct results_table {
    int domain_count;
    results_domain *domains;
    double seconds; /* that it took, all runs together */
} results_table;

/* Reads the whole file. */
besd_status results_load(results *r, results_table *table, besd_error *error);
void results_table_free(results_table *table);

#endif
