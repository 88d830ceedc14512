/* A run as the command line shows it, for every kind of trainer: the study's place, opening it in
 * turn, progress and news on stderr. The run itself is besd_study_run. */
#ifndef BESD_CLI_RUN_SESSION_H
#define BESD_CLI_RUN_SESSION_H

#include "besd/run.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "json/answers.h"

typedef struct run_session {
    const verb *verb;
    const run_request *request;
    const char *unit; /* what scores are: steps, return, score */
    size_t places;    /* trials that are trained at once, as far as is known */
    besd_study *study;
    char path[STUDY_PLACE_SIZE];
    bool is_new;          /* the file was not there */
    double budget_before; /* of a study that is gone on with */
    bool has_looked;      /* whether the first trials have shown anything */
    progress progress;
    besd_run_result result;
    besd_error error;
} run_session;

/* Where the study is: as --study says, or NAME-SEED.besd beside a file. */
besd_status session_name(run_session *s, const char *beside, const char *name, uint64_t seed);

/* Opens the study by one of the two. Several runs may begin the same study at once: one makes it,
 * and the others wait until it is whole and go on with it. */
besd_status session_open(run_session *s, besd_status (*begin)(run_session *),
                         besd_status (*go_on)(run_session *));

/* Runs it; s->result says how it ended. */
besd_status session_run(run_session *s, const besd_trainer *trainer, besd_run_options options);

/* Says how to go on with a run that was interrupted. */
int session_stop(const run_session *s, void (*print_how_to_go_on)(const run_session *, FILE *));

/* The run and its recommendation; NULL with a sentence in s->error. */
json_t *session_json(run_session *s, const char *what, const char *of,
                     const besd_recommendation *r);

#endif
