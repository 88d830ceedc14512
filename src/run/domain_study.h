/* A domain of the world tower as a study of the decide tower: its space and levers, who trains its
 * trials, and how its recommendation is tested. */
#ifndef BESD_RUN_DOMAIN_STUDY_H
#define BESD_RUN_DOMAIN_STUDY_H

#include "besd/run.h"
#include "core/stats.h"
#include "learn/trial.h"

/* The names of the coordinates of theta: x1, y1, x2, y2, ... when a subgoal has two. */
typedef struct coordinate_names {
    const char *of[BESD_MAX_DIMENSION];
    char texts[BESD_MAX_DIMENSION][16];
} coordinate_names;

void coordinate_names_fill(coordinate_names *names, size_t count, size_t per_subgoal);

/* The space and levers of a domain in the form a study takes; the arrays live in here. */
typedef struct domain_study {
    const domain *domain;
    besd_study_options options;
    double low[BESD_MAX_DIMENSION], high[BESD_MAX_DIMENSION];
    coordinate_names names;
    int64_t own_taus[BESD_MAX_LEVELS]; /* levels that are not the domain's */
    int threads;                       /* for training; 0: all processors */
    besd_path path;                    /* the subgoals */
    size_t tasks;                      /* layouts of the map that are tasks; 0: there are none */
    char task_text[BESD_MAX_TASKS][BESD_MAX_NAME];
} domain_study;

/* options: what the paper gives the domain; seed and budget are left for the caller to set. */
besd_status domain_study_init(domain_study *b, const domain *d, besd_error *error);

/* The study of the options, in memory when file is NULL, whose theta is a path. */
besd_status domain_study_open(const domain_study *b, const char *file, besd_study **study,
                              besd_error *error);

/* Who trains the trials of such a study, in this process. */
typedef struct domain_trainer {
    const domain_study *setting;
    bool has_legs; /* theta of the study is a path */
    trial_result result;
    besd_leg *legs;
    besd_callback callback;
} domain_trainer;

besd_trainer domain_trainer_open(domain_trainer *t, const domain_study *b, const besd_study *study);
void domain_trainer_close(domain_trainer *t);

/* The legs of every agent, [agents * legs of the result], without labels. */
void domain_legs(const trial_result *result, besd_leg *legs);

/* One training: a besd_train whose context is the domain_trainer. */
besd_status domain_trainer_train(void *trainer, const besd_trial *trial, besd_training *training,
                                 besd_error *error);

/* Trains on `instances` fresh instances at tau_max, one replication each; theta NULL: no subgoals.
 * The same seed gives the same instances to every design. */
besd_status domain_study_test(const domain_study *b, const double *theta, int64_t instances,
                              uint64_t seed, trial_result *result, besd_error *error);

/* The same on instances of one task. */
besd_status domain_study_test_task(const domain_study *b, const double *theta, int64_t task,
                                   int64_t instances, uint64_t seed, trial_result *result,
                                   besd_error *error);

/* The test of a recommendation beside plain learning, on instances that no trial can have seen. */
typedef struct recommendation_test {
    sample_summary with, without, gain; /* gain: of the differences, instance by instance */
} recommendation_test;

besd_status domain_study_test_recommendation(const domain_study *b, const besd_study *study,
                                             const double *theta, int64_t instances,
                                             recommendation_test *test, besd_error *error);

/* The same where the study has tasks: the design of each task on instances of that task, as often
 * as they come, beside plain learning on the same. theta: [tasks * dimension]. */
besd_status domain_study_test_tasks(const domain_study *b, const besd_study *study,
                                    const double *theta, int64_t instances,
                                    recommendation_test *test, besd_error *error);

/* baseline.c: what can be known of a domain's scores before any design is tried, what plain
 * learning reaches and what nothing can surpass. Fills in baseline, its cost and best_possible of
 * the setting's options, whose seed and budget are settled. Plain learning is measured like a trial
 * at the largest tau, if that takes little of the budget; the optimum is computed where the domain
 * offers a table of its moves. BESD_UNREACHABLE where that says that no instance has a way to the
 * goal. */
besd_status baseline_measure(domain_study *b, besd_error *error);

#endif
