/* Who trains: a command side by side with itself, on this machine or on those of the other ranks.
 *
 * Whoever asks and tells gives a request (answer.h) to a free place, waits, and takes what is left
 * of the commands that are over. Alone, all places are here. Under mpirun rank 0 has none: the
 * others offer theirs, are sent command and request, and need neither the study nor its
 * description. They say every half second that they are there; what a rank was given whose silence
 * lasts is lost, and may be given to another. */
#ifndef BESD_BRIDGE_WORKERS_H
#define BESD_BRIDGE_WORKERS_H

#include "bridge/trainer.h"

typedef struct workers workers;

/* `places` are those of this machine, at most TRAINER_MOST; of other ranks, they say. Everything in
 * `command` is borrowed. */
besd_status workers_open(const trainer_command *command, size_t places, workers **opened,
                         besd_error *error);

/* How many can train at once, as far as is known. */
size_t workers_places(const workers *w);

bool workers_have_room(const workers *w);
bool workers_are_idle(const workers *w);

/* Gives a trial to a free place. */
besd_status workers_start(workers *w, int64_t trial, const char *request, besd_error *error);

/* Waits until something happens, but not longer than so many seconds; BESD_DONE when a signal came,
 * BESD_IO when there is nobody left to train. */
besd_status workers_wait(workers *w, const sigset_t *mask, double seconds, besd_error *error);

/* One that is over: its trial, and what is left of its command. `lost`: the rank is, and nothing is
 * known of the trial. False when there is none. */
bool workers_take(workers *w, int64_t *trial, trainer_end *end, bool *lost);

/* Stops whatever runs and sends the other ranks home; NULL is fine, for them too. */
void workers_close(workers *w);

/* What another rank than 0 does, with so many places, until it is sent home or a signal comes. */
besd_status workers_serve(const trainer_command *listening, size_t places, const sigset_t *mask,
                          besd_error *error);

#endif
