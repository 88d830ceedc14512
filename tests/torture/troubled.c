/* To be preloaded: a disk that fails, a clock that jumps, a folder in a network. Files are those
 * whose names contain ".besd"; all else is left alone.
 *
 *     TROUBLE=eio:17        the 17th change of a file fails with EIO, and no other
 *     TROUBLE=enospc:17     this and all later ones fail with ENOSPC
 *     TROUBLE=short:17      the 17th write writes half and says so; the next goes on
 *     TROUBLE=sync:17       this and all later syncs fail with EIO
 *     TROUBLE_COUNT=FILE    at the end: how many changes there were
 *     TROUBLE_LOG=FILE      what reached the disk, in order, for scripts/torture_disk.py:
 *                           "write OFFSET LENGTH NAME" and the bytes; "truncate LENGTH NAME";
 *                           "sync NAME", a file or a folder; "unlink NAME"
 *     TROUBLE_CLOCK=FILE    seconds in it are added to the date, whenever it is asked for
 *     TROUBLE_FS=MAGIC      statfs() says this type of file system (hexadecimal)
 *
 * A change is a write, a truncation, a sync or a removal. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef enum trouble { NONE, EIO_ONCE, NO_SPACE, SHORT, NO_SYNC } trouble;

static trouble kind;
static long trouble_at;
static atomic_long changes;
static int log_file = -1;
static const char *clock_file, *count_file;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void write_count(void) {
    int file = count_file ? open(count_file, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file >= 0) {
        dprintf(file, "%ld\n", atomic_load(&changes));
        close(file);
    }
}

__attribute__((constructor)) static void begin(void) {
    static const char *const names[] = {"", "eio:", "enospc:", "short:", "sync:"};
    const char *wanted = getenv("TROUBLE"), *path = getenv("TROUBLE_LOG");
    for (int i = 1; wanted && i < 5; i++)
        if (!strncmp(wanted, names[i], strlen(names[i]))) {
            kind = (trouble)i;
            trouble_at = atol(wanted + strlen(names[i]));
        }
    if (path)
        log_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    clock_file = getenv("TROUBLE_CLOCK");
    count_file = getenv("TROUBLE_COUNT");
    if (count_file)
        atexit(write_count);
}

/* The name of an open file; false: it is none of ours. The index in shared memory (-shm) is not on
 * the disk. */
static bool name_of(int file, char name[512]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, 511);
    if (length <= 0)
        return false;
    name[length] = 0;
    return strstr(name, ".besd") && !strstr(name, "-shm");
}

/* 0, or the errno with which this change fails. `halved`: it is to be half done. */
static int next_change(bool is_sync, bool *halved) {
    long number = atomic_fetch_add(&changes, 1) + 1;
    *halved = kind == SHORT && number == trouble_at;
    if (kind == EIO_ONCE && number == trouble_at)
        return EIO;
    if (kind == NO_SPACE && number >= trouble_at && !is_sync)
        return ENOSPC;
    return kind == NO_SYNC && is_sync && number >= trouble_at ? EIO : 0;
}

/* One record; only what has been done is recorded. */
static void record(const char *head, const void *bytes, size_t count) {
    if (log_file < 0)
        return;
    pthread_mutex_lock(&turn);
    ssize_t done = NEXT(write)(log_file, head, strlen(head));
    if (done > 0 && count)
        done = NEXT(write)(log_file, bytes, count);
    if (done < 0)
        abort();
    pthread_mutex_unlock(&turn);
}

static ssize_t write_at(int file, const void *bytes, size_t count, off_t offset, const char *name) {
    char head[640];
    bool halved;
    int fault = next_change(false, &halved);
    if (fault) {
        errno = fault;
        return -1;
    }
    ssize_t done = NEXT(pwrite)(file, bytes, halved && count > 1 ? count / 2 : count, offset);
    if (done > 0) {
        snprintf(head, sizeof head, "write %lld %zd %s\n", (long long)offset, done, name);
        record(head, bytes, (size_t)done);
    }
    return done;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    char name[512];
    return name_of(file, name) ? write_at(file, bytes, count, offset, name)
                               : NEXT(pwrite)(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
    return pwrite(file, bytes, count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
    char name[512];
    if (!name_of(file, name))
        return NEXT(write)(file, bytes, count);
    off_t at = lseek(file, 0, SEEK_CUR);
    ssize_t done = write_at(file, bytes, count, at, name);
    if (done > 0)
        lseek(file, at + done, SEEK_SET);
    return done;
}

int ftruncate(int file, off_t length) {
    char name[512], head[640];
    bool halved;
    if (!name_of(file, name))
        return NEXT(ftruncate)(file, length);
    int fault = next_change(false, &halved);
    if (fault) {
        errno = fault;
        return -1;
    }
    int result = NEXT(ftruncate)(file, length);
    snprintf(head, sizeof head, "truncate %lld %s\n", (long long)length, name);
    if (!result)
        record(head, NULL, 0);
    return result;
}

int ftruncate64(int file, off_t length) {
    return ftruncate(file, length);
}

static void record_folder(int file) {
    char name[512], head[640];
    struct stat s;
    if (log_file < 0 || fstat(file, &s) || !S_ISDIR(s.st_mode))
        return;
    name_of(file, name);
    snprintf(head, sizeof head, "sync %s\n", name);
    record(head, NULL, 0);
}

static int sync_file(int file, bool data_alone) {
    char name[512], head[640];
    bool halved;
    if (name_of(file, name)) {
        int fault = next_change(true, &halved);
        if (fault) {
            errno = fault;
            return -1;
        }
        snprintf(head, sizeof head, "sync %s\n", name);
        record(head, NULL, 0);
    }
    record_folder(file);
    return data_alone ? NEXT(fdatasync)(file) : NEXT(fsync)(file);
}

int fsync(int file) {
    return sync_file(file, false);
}

int fdatasync(int file) {
    return sync_file(file, true);
}

int unlink(const char *path) {
    char head[640], *full;
    bool halved, ours = strstr(path, ".besd") && !strstr(path, "-shm");
    int fault = ours ? next_change(false, &halved) : 0;
    if (fault) {
        errno = fault;
        return -1;
    }
    full = ours ? realpath(path, NULL) : NULL;
    int result = NEXT(unlink)(path);
    if (full && !result) {
        snprintf(head, sizeof head, "unlink %s\n", full);
        record(head, NULL, 0);
    }
    free(full);
    return result;
}

/* Whole seconds, so that dates stay dates. */
static time_t jump(void) {
    char text[32] = "";
    int file = clock_file ? open(clock_file, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    return length > 0 ? (time_t)atol(text) : 0;
}

int clock_gettime(clockid_t which, struct timespec *t) {
    static __typeof__(&clock_gettime) real;
    if (!real)
        real = NEXT(clock_gettime);
    int result = real(which, t);
    if (!result && which == CLOCK_REALTIME)
        t->tv_sec += jump();
    return result;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone) {
    int result = NEXT(gettimeofday)(t, zone);
    t->tv_sec += jump();
    return result;
}

time_t time(time_t *t) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (t)
        *t = now.tv_sec;
    return now.tv_sec;
}

int statfs(const char *path, struct statfs *s) {
    const char *type = getenv("TROUBLE_FS");
    int result = NEXT(statfs)(path, s);
    if (!result && type)
        s->f_type = (__typeof__(s->f_type))strtoul(type, NULL, 16);
    return result;
}
