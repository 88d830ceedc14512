/* Who gets which trial, and who plans the next one. */
#ifndef BESD_STUDY_QUEUE_H
#define BESD_STUDY_QUEUE_H

#include "besd/besd.h"

/* The worker for whom a trial is asked, and for how long. */
typedef struct asker {
    const char *worker;  /* NULL: no particular worker */
    double lease;        /* seconds; INFINITY: without end */
    const int64_t *task; /* the trial must be of this task; NULL: of any */
} asker;

besd_status asker_check(const asker *by, besd_error *error);

/* Inside a transaction: gives the trial to the worker from now on, and records that as an event.
 * The explanation may be NULL. */
besd_status study_give(besd_study *s, const asker *by, int64_t id,
                       const besd_explanation *explanation, besd_error *error);

/* Gives the worker the first trial that waits, or whose lease has ended; *found is false when there
 * is none. Begins a transaction only when there may be one. */
besd_status study_give_waiting(besd_study *s, const asker *by, besd_trial *trial, bool *found,
                               besd_error *error);

/* One plan at a time. Processes that plan at once would plan the same trial from the same view, and
 * all but one would have to plan again. So they take turns: a lock on a file beside the study,
 * named like the study with "-ask" at its end. It is independent of the database's own locks, so no
 * tell ever waits for a plan. The lock is a courtesy, not a guarantee: where it cannot be had (a
 * folder that does not allow it, a planner that hangs) a process goes on without it, and the check
 * before writing keeps everything right. */
typedef struct turn_lock {
    char *path;     /* of the lock's file; NULL: a study in memory, or no memory for the name */
    int descriptor; /* -1: not held */
} turn_lock;

/* Waits for the turn; `study` is the path of the study's file, or NULL. */
void turn_lock_take(turn_lock *lock, const char *study);
void turn_lock_leave(turn_lock *lock);

#endif
