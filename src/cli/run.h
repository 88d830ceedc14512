/* The ways of besd run: a domain that besd trains on itself (run.c), a study with a trainer of its
 * own (run_study.c), a learner without subgoals (run_learner.c). */
#ifndef BESD_CLI_RUN_H
#define BESD_CLI_RUN_H

#include "cli/common.h"

/* Options of the study that the command line gave; what it left out is NaN, INT64_MIN, UINT64_MAX
 * or NULL. */
typedef struct run_choices {
    double budget, tau_max_share, stop_below, caution, explore;
    uint64_t seed;
    int64_t targets, initial_designs, initial_reps;
    const char *method, *model;
    bool discrete, crossed;
} run_choices;

/* Refuses a budget that does not pay for the first trial, before a study is made of it. */
besd_status check_first_trial(const besd_study_options *options, besd_error *error);

/* The same for a study that exists and has no trial yet. */
besd_status check_begun(besd_study *study, besd_error *error);

/* Puts them in the place of what `o` says; a sentence and false when one is none. */
bool run_choices_apply(const verb *v, const run_choices *c, besd_study_options *o);

typedef struct run_study_request {
    const char *yaml, *study; /* the description; the file of the study, or NULL */
    run_choices choices;
    int64_t jobs;
    bool quiet, as_json;
    int argc; /* what stood after the verb, to say how to go on */
    char **argv;
} run_study_request;

int run_study(const verb *v, const run_study_request *request);

/* ql and tql. */
typedef struct run_learner_request {
    const domain *domain;
    const char *method;
    uint64_t seed;
    int64_t instances;
    int threads;
    bool as_json;
} run_learner_request;

bool run_is_learner(const char *method);
int run_learner(const verb *v, const run_learner_request *request);

#endif
