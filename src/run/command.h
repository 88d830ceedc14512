/* A command of the user's that is given a trial and answers with scores.
 *
 * /bin/sh runs it once for a trial. On its standard input it finds one JSON object,
 *
 *     {"trial": 7, "theta": {"x": 3.2, "y": 4}, "theta_array": [3.2, 4], "tau": 1000, "reps": 2,
 *      "seed": 5211, "seed32": 5211, "instance_seed": 8123, "replication_seeds": [911, 4711]}
 *
 * on its standard output it prints one, {"scores": [31, 28]}, with "cost", "note" and "legs" if it
 * likes (trainer_answer.h), and it ends with exit code 0. Lines of its standard error are handed on
 * as they come. Several commands run side by side in one thread: start them, wait, finish those
 * that are over. A command cannot make besd hang: its input is a file in memory, its output has a
 * limit, its time has one if you set it, and what it leaves behind is killed.
 */
#ifndef BESD_RUN_COMMAND_H
#define BESD_RUN_COMMAND_H

#include "besd/run.h"
#include "json/trainer_answer.h"

#include <signal.h>

enum {
    COMMAND_MOST = 256,
    COMMAND_LARGEST_OUTPUT = 16 << 20,
    COMMAND_LAST_WORDS = 240 /* bytes of its standard error that a message quotes */
};

/* One that runs. */
typedef struct command_process command_process;

/* What is left of one that is over. */
typedef struct command_end {
    besd_status status; /* BESD_OK, or BESD_MEMORY: we had no room for its output */
    bool not_started;   /* the shell did not find it, or may not start it */
    char how[160]; /* why it gave no answer, to stand after "the command"; empty: it may have */
    char said[COMMAND_LAST_WORDS + 1]; /* its last words */
    size_t size;
    char *output; /* of so many bytes; free() it, command_judge does */
} command_end;

/* Starts the command with this text as its standard input, for the trial of this number; everything
 * in `command` is borrowed until its end. */
besd_status command_launch(const besd_command *command, int64_t trial, const char *request,
                           command_process **started, besd_error *error);

/* Releases one that is over; this is left of it. */
command_end command_take_end(command_process *t);

/* Is that an answer on these terms? BESD_ENVIRONMENT and a sentence when the command failed; its
 * cost is in the answer even then, if it was told. BESD_IO when it could not be started: nothing
 * was trained, and no other trial will be. answer_free the answer. */
besd_status command_judge(command_end *end, const answer_terms *terms, trainer_answer *answer,
                          besd_error *error);

/* The same for a trial of a study; route NULL: theta is no path. */
besd_status command_start(const besd_command *command, const besd_study_options *study,
                          const besd_tasks *tasks, const answer_route *route,
                          const besd_trial *trial, command_process **started, besd_error *error);

/* Waits until something happens to one of them, but no longer than `seconds`, and attends to
 * it. With a signal mask, this is the mask while waiting; BESD_DONE when a signal came. count <=
 * COMMAND_MOST, and 0 is fine. */
besd_status command_wait(command_process *const *list, size_t count, const sigset_t *mask,
                         double seconds, besd_error *error);

bool command_is_over(const command_process *t);
int64_t command_trial(const command_process *t); /* its number */

/* Judges the end of one that command_start has begun, and releases it. */
besd_status command_finish(command_process *t, trainer_answer *answer, besd_error *error);

/* What a run hears of a command that was judged so; anything but an answer or a failure of the
 * command is a failure of the call, with the sentence of `why`. */
besd_status command_training(besd_status judged, trainer_answer *answer, int reps,
                             const besd_error *why, besd_training *training, besd_error *error);

/* Kills the command and releases it; NULL is fine. */
void command_stop(command_process *t);

#endif
