/* The test of a trainer's recommendation: the command trains it, and trains without any design, on
 * seeds that no trial has had. It costs what it costs, and is no part of the budget. */
#ifndef BESD_RUN_COMMAND_TEST_H
#define BESD_RUN_COMMAND_TEST_H

#include "core/stats.h"
#include "run/command.h"

enum { COMMAND_TEST_MOST = 1000 };

typedef struct command_test_request {
    besd_command command;
    int retries;
    int64_t seeds; /* trainings of either kind, up to COMMAND_TEST_MOST */
    bool (*interrupted)(void);
    void (*hear)(void *listener, int64_t done, int64_t total); /* one more is over; or NULL */
    void *listener;
} command_test_request;

typedef struct command_test {
    int64_t tau;
    int reps;                           /* the fewest of the study, of every training */
    double cost;                        /* of the trainings that were made now */
    int64_t failed;                     /* trainings of the design without a score */
    sample_summary with, without, gain; /* of mean scores; gain: seed by seed, positive is better */
    double gain_low, gain_high;         /* 95 %; NaN: too few */
    char why[BESD_ERROR_MESSAGE_SIZE];  /* of no training without a design: why there is none */
} command_test;

/* What the test will cost at most, if trainings cost what was planned. */
double command_test_price(const besd_study *study, int64_t seeds);

/* Tests theta, and keeps every score in a note of the study: what was tested before is not trained
 * again. A training that fails counts as the worst possible score where that is known; else it is
 * left out. A command that does not train without a design is told nothing but in `why`. BESD_DONE
 * when it was interrupted. */
besd_status command_test_run(const command_test_request *r, besd_study *study, const double *theta,
                             command_test *t, besd_error *error);

/* What the note holds about theta, without training anything; *found: enough for so many seeds. */
besd_status command_test_recall(besd_study *study, const double *theta, int64_t seeds,
                                command_test *t, bool *found, besd_error *error);

#endif
