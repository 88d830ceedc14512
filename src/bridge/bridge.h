/* The bridge: a domain of the world tower as a study of the decide tower. */
#ifndef BESD_BRIDGE_BRIDGE_H
#define BESD_BRIDGE_BRIDGE_H

#include "besd/besd.h"
#include "learn/trial.h"

/* The space and levers of a domain in the form a study takes; the arrays live in here. */
typedef struct bridge {
    const domain *domain;
    besd_study_options options;
    double low[BESD_MAX_DIMENSION], high[BESD_MAX_DIMENSION];
    char name_text[BESD_MAX_DIMENSION][16];
    const char *names[BESD_MAX_DIMENSION];
    int64_t own_taus[BESD_MAX_LEVELS]; /* levels that are not the domain's */
    int threads;                       /* for training; 0: all processors */
    besd_path path;                    /* the subgoals */
} bridge;

/* options: what the paper gives the domain; seed and budget are left for the caller to set. */
besd_status bridge_init(bridge *b, const domain *d, besd_error *error);

/* The study of the options, in memory when file is NULL, whose theta is a path. */
besd_status bridge_open(const bridge *b, const char *file, besd_study **study, besd_error *error);

/* Trains as the trial says; scores [trial->reps]. */
besd_status bridge_train(const bridge *b, const besd_trial *trial, double *scores,
                         besd_error *error);

/* The same, and tells the study scores and legs. */
besd_status bridge_train_and_tell(const bridge *b, besd_study *study, const besd_trial *trial,
                                  double *scores, besd_error *error);

/* Trains on `instances` fresh instances at tau_max, one replication each; theta NULL: no subgoals.
 * The same seed gives the same instances to every design. */
besd_status bridge_test(const bridge *b, const double *theta, int64_t instances, uint64_t seed,
                        trial_result *result, besd_error *error);

#endif
