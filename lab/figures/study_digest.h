/* What the page of several studies tells of each. A study is closed again once it is read, so that
 * their number is not limited by open files. */
#ifndef BESD_FIGURES_STUDY_DIGEST_H
#define BESD_FIGURES_STUDY_DIGEST_H

#include "besd/besd.h"
#include "study/spec.h"

enum { DIGEST_NAME = 256, DIGEST_NOTE = 1024 };

/* A trial that was better than all before it, and the cost of all trials up to it. */
typedef struct digest_step {
    double cost, mean;
} digest_step;

typedef struct study_digest {
    char name[DIGEST_NAME]; /* of its file, with folders where these are needed to tell it */
    study_spec spec;        /* points into itself: a digest stays where it is */
    char domain[DIGEST_NOTE], command[DIGEST_NOTE]; /* what it is about, or "" */
    int64_t told, failed;
    double spent;
    besd_recommendation best; /* when a trial was told, as all that follows */
    int64_t tau;              /* the largest that was told */
    digest_step *steps;       /* at that tau, in the order of asking */
    size_t step_count;
} study_digest;

/* Reads the studies in these files; *digests is the caller's to free, NULL after a failure. */
besd_status study_digests_read(const char *const *paths, size_t count, study_digest **digests,
                               besd_error *error);
void study_digests_free(study_digest *digests, size_t count);

bool study_digest_is_better(const study_digest *d, double mean, double than);

/* The mean score of the best single trial; NaN when there is none. */
double study_digest_best_mean(const study_digest *d);

bool study_digest_has_model(const study_digest *d);

/* Have they the same coordinates, by name, and in the same units as well? */
bool study_digests_share_names(const study_digest *all, size_t count);
bool study_digests_share_units(const study_digest *all, size_t count);

/* The largest tau that was told, when it is the same in all studies with a told trial; else 0. */
int64_t study_digests_common_tau(const study_digest *all, size_t count);

/* All trials of a study in one array, for callers that go through them more than once. */
typedef struct study_trials {
    besd_trial *of; /* by id: 1, 2, ... */
    size_t count;
} study_trials;

besd_status study_trials_read(study_trials *t, besd_study *study, besd_error *error);
void study_trials_free(study_trials *t);

#endif
