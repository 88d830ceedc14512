/* Somebody's trainer: a command that is given a trial and answers with scores.
 *
 * It is run once for a trial, by the shell. On its standard input it finds one JSON object,
 *
 *     {"trial": 7, "theta": {"x": 3.2, "y": 4}, "theta_array": [3.2, 4], "tau": 1000, "reps": 2,
 *      "seed": 5211, "seed32": 5211, "instance_seed": 8123, "replication_seeds": [911, 4711]}
 *
 * on its standard output it prints one, {"scores": [31, 28]}, with "cost", "note" and "legs" if it
 * likes (answer.h), and it ends with exit code 0. Lines of its standard error are handed on as they
 * come. Several trainers run side by side in one thread: start them, wait, finish those that are
 * over. A trainer cannot make us hang, whatever it does: its input is a file in memory, its output
 * has a limit, its time has one if you set it, and what it leaves behind is killed.
 */
#ifndef BESD_BRIDGE_TRAINER_H
#define BESD_BRIDGE_TRAINER_H

#include "bridge/answer.h"

#include <signal.h>

enum {
    TRAINER_MOST = 256,
    TRAINER_LARGEST_OUTPUT = 16 << 20,
    TRAINER_LAST_WORDS = 240 /* bytes of its standard error that a message quotes */
};

typedef struct trainer_command {
    const char *text;   /* for /bin/sh -c */
    const char *folder; /* where it runs; NULL: where we are */
    double timeout;     /* seconds for one trial; 0: as long as it takes */
    void (*hear)(void *listener, int64_t trial, const char *line); /* its standard error; or NULL */
    void *listener;
} trainer_command;

/* One that runs. */
typedef struct trainer trainer;

/* What is left of one that is over. */
typedef struct trainer_end {
    besd_status status; /* BESD_OK, or BESD_MEMORY: we had no room for its output */
    char how[160]; /* why it gave no answer, to stand after "the command"; empty: it may have */
    char said[TRAINER_LAST_WORDS + 1]; /* its last words */
    size_t size;
    char *output; /* of so many bytes; free() it, trainer_judge does */
} trainer_end;

/* Starts the command with this text as its standard input, for the trial of this number; everything
 * in `command` is borrowed until its end. */
besd_status trainer_run(const trainer_command *command, int64_t trial, const char *request,
                        trainer **started, besd_error *error);

/* Releases one that is over; this is left of it. */
trainer_end trainer_take_end(trainer *t);

/* Is that an answer on these terms? BESD_ENVIRONMENT and a sentence when the command failed; its
 * cost is in the answer even then, if it was told. answer_free the answer. */
besd_status trainer_judge(trainer_end *end, const answer_terms *terms, trainer_answer *answer,
                          besd_error *error);

/* The same for a trial of a study; route NULL: theta is no path. */
besd_status trainer_start(const trainer_command *command, const besd_study_options *study,
                          const answer_route *route, const besd_trial *trial, trainer **started,
                          besd_error *error);

/* Waits until something happens to one of them, but not longer than so many seconds, and attends to
 * it. With a signal mask, this is the mask while waiting; BESD_DONE when a signal came. count <=
 * TRAINER_MOST, and 0 is fine. */
besd_status trainer_wait(trainer *const *list, size_t count, const sigset_t *mask, double seconds,
                         besd_error *error);

bool trainer_is_over(const trainer *t);
int64_t trainer_trial(const trainer *t); /* its number */

/* Judges the end of one that trainer_start has begun, and releases it. */
besd_status trainer_finish(trainer *t, trainer_answer *answer, besd_error *error);

/* Kills the command and releases it; NULL is fine. */
void trainer_stop(trainer *t);

#endif
