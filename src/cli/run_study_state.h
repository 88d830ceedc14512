/* A run of a study with a trainer of its own: what its opening and its end (run_study.c) and its
 * trials (run_optimise.c) share. */
#ifndef BESD_CLI_RUN_STUDY_STATE_H
#define BESD_CLI_RUN_STUDY_STATE_H

#include "bridge/claims.h"
#include "bridge/workers.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "cli/study_yaml.h"

/* A trial that is being trained for us. */
typedef struct run_held {
    besd_trial trial;
    int runs; /* of it, this one included */
} run_held;

typedef struct study_run {
    const verb *verb;
    const run_study_request *request;
    study_yaml *yaml;
    besd_study *study;
    char path[RUN_MOST_PATH];
    claims claims;
    trainer_command command;
    workers *workers;
    progress progress;
    sigset_t waiting_mask;
    run_held *held;
    size_t held_count, held_capacity;
    bool exhausted, said_waiting; /* nothing is left to ask; the user knows that we wait */
    double budget_before;         /* of a study that is gone on with */
    bool is_new;                  /* it had no trials when we came */
    int64_t settled;              /* all trials up to this one are told or failed */
    int64_t elsewhere;            /* trials under way in other runs, when we looked last */
    int64_t told, failed, failed_in_a_row, free_in_a_row; /* in this run */
    trainer_answer answer;
    besd_error error;
    char last_failure[BESD_ERROR_MESSAGE_SIZE];
} study_run;

enum { RUN_MOST_FREE = 100 }; /* trials in a row that cost nothing: the budget is never spent */

bool run_is_hopeless(const study_run *s);
bool run_is_endless(const study_run *s);

/* Asks, has trained and tells. BESD_DONE with the reason in s->error when the study is done;
 * BESD_OK when it was interrupted, is hopeless or endless. */
besd_status run_optimise(study_run *s);

#endif
