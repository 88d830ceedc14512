#include "study/turn_lock.h"

#include "core/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A plan takes seconds in the longest studies; who has waited so long has waited for something
 * that hangs. */
static const double MOST_SECONDS = 20;
enum { STEP_MS = 2 };

static void wait_a_little(void) {
    struct timespec t = {.tv_nsec = STEP_MS * 1000000L};
    nanosleep(&t, NULL);
}

/* Like the database's own companions it has the study's mode, so that who may write the one may
 * lock the other. */
static int open_beside(const char *path, const char *study) {
    struct stat like;
    int flags = O_CLOEXEC | O_NOFOLLOW;
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    if (descriptor >= 0 && stat(study, &like) == 0)
        fchmod(descriptor, like.st_mode & 0666);
    if (descriptor < 0 && errno == EEXIST)
        descriptor = open(path, O_RDWR | flags);
    else if (descriptor < 0 && errno == ENOENT)
        errno = ENOTDIR; /* the folder has gone, not the file */
    if (descriptor < 0 && errno == EACCES) {
        descriptor = open(path, O_RDONLY | flags);
        if (descriptor < 0 && errno == ENOENT)
            errno = EACCES; /* it is not there, and we may not make it */
    }
    return descriptor;
}

/* Whoever leaves removes the file, so a lock may be one of a file that is no longer there. */
static bool is_current(const turn_lock *lock) {
    struct stat held, named;
    return fstat(lock->descriptor, &held) == 0 && stat(lock->path, &named) == 0 &&
           held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

static void drop(turn_lock *lock) {
    if (lock->descriptor >= 0) {
        flock(lock->descriptor, LOCK_UN); /* also for copies that a fork has made */
        close(lock->descriptor);
    }
    lock->descriptor = -1;
}

/* One try: true when held, or when it can never be. */
static bool try_once(turn_lock *lock, const char *study) {
    if (lock->descriptor < 0)
        lock->descriptor = open_beside(lock->path, study);
    if (lock->descriptor < 0)
        return errno != ENOENT; /* which is somebody leaving at this moment */
    if (flock(lock->descriptor, LOCK_EX | LOCK_NB) == 0) {
        if (is_current(lock))
            return true;
        drop(lock);
    } else if (errno != EWOULDBLOCK && errno != EINTR) {
        drop(lock);
        return true;
    }
    return false;
}

void turn_lock_take(turn_lock *lock, const char *study) {
    static const char ending[] = "-ask";
    *lock = (turn_lock){.descriptor = -1};
    size_t size = study && *study ? strlen(study) + sizeof ending : 0;
    lock->path = size ? malloc(size) : NULL;
    if (!lock->path)
        return;
    snprintf(lock->path, size, "%s%s", study, ending);
    double since = clock_seconds();
    bool done = try_once(lock, study);
    while (!done && clock_seconds() - since < MOST_SECONDS) {
        wait_a_little();
        done = try_once(lock, study);
    }
    if (!done)
        drop(lock); /* somebody else's turn, for ever */
}

void turn_lock_leave(turn_lock *lock) {
    if (lock->descriptor >= 0 && is_current(lock))
        unlink(lock->path);
    drop(lock);
    free(lock->path);
    lock->path = NULL;
}
