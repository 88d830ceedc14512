/* The ranks of MPI as the trainer of a run: a command, side by side with itself, on the machines of
 * the other ranks.
 *
 * Rank 0 has the study and no place to train. The other ranks offer places, are sent command and
 * request (trainer_answer.h), and need neither the study nor its description. They say every half
 * second that they are there. What a silent rank was given is lost, and may be given to another. */
#ifndef BESD_CLUSTER_RANKS_TRAINER_H
#define BESD_CLUSTER_RANKS_TRAINER_H

#include "run/command.h"

/* For rank 0. The texts of the command are borrowed; its places are those that the ranks offer. */
besd_status ranks_trainer_open(besd_trainer *trainer, const besd_command *command,
                               besd_error *error);

/* Stops whatever runs and sends the other ranks home; also with a trainer of zeros. */
void ranks_trainer_close(besd_trainer *trainer);

/* What another rank than 0 does, with so many places, until it is sent home or a signal comes. */
besd_status ranks_serve(const besd_command *listening, size_t places, const sigset_t *mask,
                        besd_error *error);

#endif
