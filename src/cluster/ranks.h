/* Messages between the ranks of MPI: bytes from one process of a job to another.
 *
 * All calls are made by the main thread of each rank. Nothing blocks: a message that is sent is on
 * its way, also to a rank that has died, and what has come is there to be received. Without MPI
 * there is one rank. Ranks run the same program on equal machines, so a message may be a struct. */
#ifndef BESD_CLUSTER_RANKS_H
#define BESD_CLUSTER_RANKS_H

#include "besd/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Was the program started by mpirun or srun as one of several? */
bool ranks_launched(void);

/* Joins the other ranks. BESD_UNSUPPORTED when MPI is not compiled in. */
besd_status ranks_begin(besd_error *error);

/* Waits for the others to end as well, unless some are lost, with whom there is no ending. */
void ranks_end(void);
void ranks_lose_one(void);

int ranks_number(void); /* of this process, from 0 */
int ranks_count(void);

/* Sends a copy of the bytes. */
void ranks_send(int to, const void *bytes, size_t size);

typedef struct rank_message {
    int from;
    size_t size;
    char *bytes; /* free() it */
} rank_message;

/* The next message that has come; false when none has. */
bool ranks_receive(rank_message *m);

/* Waits for the next one. */
void ranks_await(rank_message *m);

/* Takes what tells a process that it belongs to the job out of the environment, so that commands
 * that are started from here on may use MPI themselves; BESD_RANK stays, this rank's number. */
void ranks_hide(void);

#endif
