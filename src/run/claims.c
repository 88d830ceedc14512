/* Who runs which trial (besd/run.h): several runs of one study, side by side on one machine, keep
 * off each other's trials and take over those of a run that has died.
 *
 * The claim to a trial is a lock on the byte of its number in the file STUDY-run. Byte 0 is shared
 * by all runs at work; the last of them removes the file. A claim comes after the asking, so a run
 * that has got one looks again whether the trial is still to be trained. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "besd/run.h"

#include "core/error.h"
#include "study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PRESENCE = 0, MOST_TRIES = 100 };

struct besd_claims {
    besd_study *study;
    char *path;     /* of the locks; NULL: the study is in memory */
    int descriptor; /* -1: no locks to be had */
};

/* 0, or an errno. The locks belong to the open file, not to the process: closing another descriptor
 * of the file drops none, and two runs of one process exclude each other. length 0: to the end. */
static int set_lock(const besd_claims *c, short type, int64_t byte, int64_t length) {
    struct flock lock = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = (off_t)length};
    return fcntl(c->descriptor, F_OFD_SETLK, &lock) ? errno : 0;
}

/* The file gets the study's mode, as the companions of the database do. */
static int open_beside(const char *path, const char *study) {
    struct stat like;
    int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
    int descriptor = open(path, flags | O_CREAT | O_EXCL, 0600);
    if (descriptor >= 0 && stat(study, &like) == 0)
        fchmod(descriptor, like.st_mode & 0666);
    return descriptor < 0 && errno == EEXIST ? open(path, flags) : descriptor;
}

/* The last run removes the file, perhaps just after this one has opened it. */
static bool is_current(const besd_claims *c) {
    struct stat held, named;
    return fstat(c->descriptor, &held) == 0 && stat(c->path, &named) == 0 &&
           held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

static void drop(besd_claims *c) {
    if (c->descriptor >= 0)
        close(c->descriptor);
    c->descriptor = -1;
}

/* Opens the file of locks; without success every claim will be granted. */
static void join(besd_claims *c, const char *study) {
    for (int i = 0; i < MOST_TRIES; i++) {
        drop(c);
        c->descriptor = open_beside(c->path, study);
        int failed = c->descriptor < 0 ? errno : set_lock(c, F_RDLCK, PRESENCE, 1);
        if (!failed && is_current(c))
            return;
        if (failed && failed != EAGAIN && failed != EACCES && failed != ENOENT)
            break;
        usleep(1000); /* another run is leaving at this moment */
    }
    drop(c);
}

besd_status besd_claims_open(besd_claims **claims, besd_study *study, besd_error *error) {
    static const char ending[] = "-run";
    const char *file = study_file(study);
    besd_claims *c = calloc(1, sizeof *c);
    size_t size = strlen(file) + sizeof ending;
    *claims = NULL;
    if (c && file[0])
        c->path = malloc(size);
    if (!c || (file[0] && !c->path)) {
        free(c);
        return besd_fail_memory(error, "the claims to trials");
    }
    c->study = study;
    c->descriptor = -1;
    if (c->path) {
        snprintf(c->path, size, "%s%s", file, ending);
        join(c, file);
    }
    *claims = c;
    return BESD_OK;
}

/* Drops what this claim list holds of a study in memory. */
static void forget_all(besd_claims *c) {
    claimed_trials *list = study_claimed(c->study);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].by != c)
            list->of[kept++] = list->of[i];
    list->count = kept;
}

void besd_claims_close(besd_claims *c) {
    if (!c)
        return;
    if (!c->path)
        forget_all(c);
    if (c->descriptor >= 0)
        set_lock(c, F_UNLCK, 1, 0); /* a child of fork may have a copy of the descriptor */
    if (c->descriptor >= 0 && set_lock(c, F_WRLCK, PRESENCE, 1) == 0 && is_current(c))
        unlink(c->path);
    drop(c);
    free(c->path);
    free(c);
}

static bool remember(besd_claims *c, int64_t trial) {
    claimed_trials *list = study_claimed(c->study);
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].id == trial)
            return list->of[i].by == c;
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 8;
        claimed_trial *grown = realloc(list->of, capacity * sizeof *grown);
        if (!grown)
            return true; /* as where locks cannot be had */
        list->of = grown;
        list->capacity = capacity;
    }
    list->of[list->count++] = (claimed_trial){trial, c};
    return true;
}

bool besd_claims_take(besd_claims *c, int64_t trial) {
    if (!c->path)
        return remember(c, trial);
    int failed = c->descriptor < 0 ? 0 : set_lock(c, F_WRLCK, trial, 1);
    return failed != EAGAIN && failed != EACCES;
}

void besd_claims_leave(besd_claims *c, int64_t trial) {
    if (c->descriptor >= 0)
        set_lock(c, F_UNLCK, trial, 1);
    claimed_trials *list = study_claimed(c->study);
    for (size_t i = 0; !c->path && i < list->count; i++)
        if (list->of[i].id == trial && list->of[i].by == c)
            list->of[i--] = list->of[--list->count];
}
