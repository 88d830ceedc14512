#include "study/turn_lock.h"

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

/* A plan takes seconds in the longest studies; who has waited a minute has waited for something
 * that hangs. */
enum { STEP_MS = 2, MOST_MS = 60000 };

static void sleep_ms(int ms) {
    struct timespec t = {.tv_nsec = ms * 1000000L};
    nanosleep(&t, NULL);
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
static bool try_once(turn_lock *lock) {
    if (lock->descriptor < 0)
        lock->descriptor = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (lock->descriptor < 0)
        return true;
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
    bool done = try_once(lock);
    for (int waited = 0; !done && waited < MOST_MS; waited += STEP_MS) {
        sleep_ms(STEP_MS);
        done = try_once(lock);
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
