#define _GNU_SOURCE /* F_OFD_SETLK */
#include "bridge/claims.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PRESENCE = 0, MOST_TRIES = 100 };

/* 0, or an errno. The locks are the open file's, not the process's, so that closing another
 * descriptor of it drops none. */
static int set_lock(const claims *c, short type, int64_t byte) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = 1};
    return fcntl(c->descriptor, F_OFD_SETLK, &lock) ? errno : 0;
}

/* Like the database's own companions it has the study's mode. */
static int open_beside(const char *path, const char *study) {
    struct stat like;
    int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
    int descriptor = open(path, flags | O_CREAT | O_EXCL, 0600);
    if (descriptor >= 0 && stat(study, &like) == 0)
        fchmod(descriptor, like.st_mode & 0666);
    return descriptor < 0 && errno == EEXIST ? open(path, flags) : descriptor;
}

/* Whoever leaves last removes the file, perhaps just after we have opened it. */
static bool is_current(const claims *c) {
    struct stat held, named;
    return fstat(c->descriptor, &held) == 0 && stat(c->path, &named) == 0 &&
           held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

static void drop(claims *c) {
    if (c->descriptor >= 0)
        close(c->descriptor);
    c->descriptor = -1;
}

besd_status claims_open(claims *c, const char *study, besd_error *error) {
    static const char ending[] = "-run";
    size_t size = strlen(study) + sizeof ending;
    *c = (claims){.path = malloc(size), .descriptor = -1};
    if (!c->path)
        return besd_fail_memory(error, "the claims to trials");
    snprintf(c->path, size, "%s%s", study, ending);
    for (int i = 0; i < MOST_TRIES; i++) {
        drop(c);
        c->descriptor = open_beside(c->path, study);
        int failed = c->descriptor < 0 ? errno : set_lock(c, F_RDLCK, PRESENCE);
        if (!failed && is_current(c))
            return BESD_OK;
        if (failed && failed != EAGAIN && failed != EACCES && failed != ENOENT)
            break;
        usleep(1000); /* somebody is leaving at this moment */
    }
    drop(c);
    return BESD_OK;
}

void claims_close(claims *c) {
    if (c->descriptor >= 0 && set_lock(c, F_WRLCK, PRESENCE) == 0 && is_current(c))
        unlink(c->path);
    drop(c);
    free(c->path);
    *c = (claims){.descriptor = -1};
}

bool claims_take(const claims *c, int64_t trial) {
    int failed = c->descriptor < 0 ? 0 : set_lock(c, F_WRLCK, trial);
    return failed != EAGAIN && failed != EACCES;
}

void claims_leave(const claims *c, int64_t trial) {
    if (c->descriptor >= 0)
        set_lock(c, F_UNLCK, trial);
}
