/* One plan at a time. Askers of one study who plan at once would plan the same trial from the same
 * view, and all but one would have to plan again. So they take turns: a lock on a file beside the
 * study, study-ask, which has nothing to do with the database's own locks, so that no tell ever
 * waits for a plan. It is a courtesy, not a guarantee: where it cannot be had (a folder that does
 * not allow it, a planner that hangs) an asker goes on without it, and the check before writing
 * keeps everything right. */
#ifndef BESD_STUDY_TURN_LOCK_H
#define BESD_STUDY_TURN_LOCK_H

typedef struct turn_lock {
    char *path;     /* of the lock's file; NULL: a study in memory, or no turn was had */
    int descriptor; /* -1: not held */
} turn_lock;

/* Waits for the turn; `study` is the path of the study's file, or NULL. */
void turn_lock_take(turn_lock *lock, const char *study);
void turn_lock_leave(turn_lock *lock);

#endif
