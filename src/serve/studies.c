#include "serve/studies.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/json.h"
#include "page/study_json.h"
#include "serve/route.h"
#include "study/study.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char extension[] = ".besd";

static bool is_folder(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static bool is_there(const served *one) {
    struct stat found;
    return stat(one->path, &found) == 0 && S_ISREG(found.st_mode);
}

/* "arm" of "lab/arm.besd"; false when this cannot be the name of a study. */
static bool name_of(const char *path, char *name, size_t size) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t length = strlen(base), end = strlen(extension);
    if (length > end && !strcmp(base + length - end, extension))
        length -= end;
    if (length >= size)
        return false;
    memcpy(name, base, length);
    name[length] = 0;
    return route_is_name(name);
}

static served *find_known(studies *s, const char *name) {
    for (served *one = s->first; one; one = one->next)
        if (!strcmp(one->name, name))
            return one;
    return NULL;
}

/* Keeps the list in the order of names; NULL without memory. */
static served *add(studies *s, const char *name, const char *path) {
    served *one = calloc(1, sizeof *one), **place = &s->first;
    if (!one)
        return NULL;
    snprintf(one->name, sizeof one->name, "%s", name);
    snprintf(one->path, sizeof one->path, "%s", path);
    const char *slash = strrchr(one->path, '/');
    if (slash)
        snprintf(one->folder, sizeof one->folder, "%.*s", (int)(slash - one->path) + 1, one->path);
    pthread_mutex_init(&one->lock, NULL);
    while (*place && strcmp((*place)->name, name) < 0)
        place = &(*place)->next;
    one->next = *place;
    *place = one;
    return one;
}

static besd_status check_length(const char *path, besd_error *error) {
    return strlen(path) <= SERVED_LONGEST_PATH - CALL_NAME_SIZE
               ? BESD_OK
               : besd_fail(error, BESD_INVALID,
                           "the path '%.60s...' is longer than %d bytes; serve it from a folder "
                           "that is nearer",
                           path, SERVED_LONGEST_PATH - CALL_NAME_SIZE);
}

static besd_status add_file(studies *s, const char *path, besd_error *error) {
    char name[CALL_NAME_SIZE];
    besd_study *study;
    besd_status status = check_length(path, error);
    if (status == BESD_OK && !name_of(path, name, sizeof name))
        status = besd_fail(error, BESD_INVALID,
                           "%s: expected a name of letters, digits and . _ - for the addresses of "
                           "a study; rename the file",
                           path);
    if (status == BESD_OK && find_known(s, name))
        status = besd_fail(error, BESD_INVALID,
                           "%s: there are two studies with the name '%s'; rename one", path, name);
    if (status == BESD_OK)
        status = besd_study_open(&study, path, NULL, error);
    if (status != BESD_OK)
        return status;
    besd_study_close(study);
    return add(s, name, path) ? BESD_OK : besd_fail_memory(error, "the studies");
}

besd_status studies_open(studies *s, const char *const *paths, size_t count, besd_error *error) {
    besd_status status = BESD_OK;
    *s = (studies){.first = NULL};
    pthread_mutex_init(&s->lock, NULL);
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        if (!is_folder(paths[i]))
            status = add_file(s, paths[i], error);
        else if (count > 1)
            status = besd_fail(error, BESD_INVALID,
                               "%s: it is a folder; expected one folder, or files", paths[i]);
        else if ((status = check_length(paths[i], error)) == BESD_OK)
            snprintf(s->folder, sizeof s->folder, "%s", paths[i]);
    }
    return status;
}

static void close_handles(served *one) {
    besd_study *kept[SERVED_KEPT_READERS + 2];
    size_t count = 0;
    pthread_mutex_lock(&one->lock);
    kept[count++] = one->writer;
    kept[count++] = one->asker;
    one->writer = one->asker = NULL;
    for (size_t i = 0; i < SERVED_KEPT_READERS; i++) {
        kept[count++] = one->readers[i];
        one->readers[i] = NULL;
    }
    pthread_mutex_unlock(&one->lock);
    while (count)
        besd_study_close(kept[--count]);
}

void studies_close(studies *s) {
    while (s->first) {
        served *one = s->first;
        s->first = one->next;
        close_handles(one);
        json_decref(one->summary.object);
        pthread_mutex_destroy(&one->lock);
        free(one);
    }
}

bool studies_place(const studies *s, const char *name, char *path, size_t size) {
    int length = snprintf(path, size, "%s/%s%s", s->folder, name, extension);
    return *s->folder && length > 0 && (size_t)length < size;
}

bool studies_are_there(const studies *s) {
    return !*s->folder || access(s->folder, R_OK | X_OK) == 0;
}

served *studies_find(studies *s, const char *name) {
    char path[SERVED_LONGEST_PATH + 1];
    struct stat found;
    pthread_mutex_lock(&s->lock);
    served *one = find_known(s, name);
    if (!one && route_is_name(name) && studies_place(s, name, path, sizeof path) &&
        stat(path, &found) == 0 && S_ISREG(found.st_mode))
        one = add(s, name, path);
    pthread_mutex_unlock(&s->lock);
    return one;
}

/* Adds the files of the folder that are not known yet. */
static void look_around(studies *s) {
    char name[CALL_NAME_SIZE];
    DIR *folder = *s->folder ? opendir(s->folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && !strcmp(dot, extension) && name_of(entry->d_name, name, sizeof name))
            studies_find(s, name);
    }
    if (folder)
        closedir(folder);
}

void studies_visit(studies *s, void (*visit)(void *context, served *one), void *context) {
    look_around(s);
    pthread_mutex_lock(&s->lock);
    served *one = s->first;
    pthread_mutex_unlock(&s->lock);
    while (one) {
        if (!*s->folder || is_there(one))
            visit(context, one);
        pthread_mutex_lock(&s->lock);
        one = one->next;
        pthread_mutex_unlock(&s->lock);
    }
}

static void replace_all(char *sentence, size_t size, const char *what, const char *by) {
    size_t length = strlen(what), own = strlen(by);
    char *at = sentence;
    while (length && (at = strstr(at, what))) {
        size_t rest = strlen(at + length);
        if (own > length && (size_t)(at - sentence) + own + rest >= size)
            return;
        memmove(at + own, at + length, rest + 1);
        for (size_t i = 0; i < own; i++)
            *at++ = by[i];
    }
}

void served_hide_path(const served *one, char *sentence, size_t size) {
    char *real = realpath(one->path, NULL);
    if (real)
        replace_all(sentence, size, real, one->name);
    free(real);
    replace_all(sentence, size, one->path, one->name);
    if (strlen(one->folder) > 1)
        replace_all(sentence, size, one->folder, "");
}

static besd_study **find_place(served *one, served_use use, bool full) {
    if (use == SERVED_WRITE)
        return !one->writer == !full ? &one->writer : NULL;
    if (use == SERVED_ASK)
        return !one->asker == !full ? &one->asker : NULL;
    for (size_t i = 0; i < SERVED_KEPT_READERS; i++)
        if (!one->readers[i] == !full)
            return &one->readers[i];
    return NULL;
}

besd_status served_borrow(served *one, served_use use, besd_study **study, bool *fresh,
                          besd_error *error) {
    *study = NULL;
    pthread_mutex_lock(&one->lock);
    besd_study **place = find_place(one, use, true);
    if (place) {
        *study = *place;
        *place = NULL;
    }
    pthread_mutex_unlock(&one->lock);
    *fresh = !*study;
    if (*study)
        return BESD_OK;
    if (!is_there(one))
        return besd_fail(error, BESD_IO,
                         "the file of study '%s' is not there any more; it is served again when it "
                         "is back",
                         one->name);
    return besd_study_open(study, one->path, NULL, error);
}

void served_return(served *one, served_use use, besd_study *study, besd_status status) {
    if (status == BESD_IO) {
        besd_study_close(study);
        close_handles(one);
        return;
    }
    pthread_mutex_lock(&one->lock);
    besd_study **place = find_place(one, use, false);
    if (place)
        *place = study;
    pthread_mutex_unlock(&one->lock);
    if (!place)
        besd_study_close(study);
}

static void stamp_file(const char *path, long long *when, long long *size) {
    struct stat found;
    bool exists = stat(path, &found) == 0;
    *when = exists ? found.st_mtim.tv_sec * 1000000000LL + found.st_mtim.tv_nsec : 0;
    *size = exists ? found.st_size : -1;
}

file_stamp served_stamp(const served *one) {
    file_stamp stamp;
    char log[SERVED_LONGEST_PATH + 8];
    snprintf(log, sizeof log, "%s-wal", one->path);
    stamp_file(one->path, &stamp.parts[0], &stamp.parts[1]);
    stamp_file(log, &stamp.parts[2], &stamp.parts[3]);
    return stamp;
}

bool stamp_is_settled(const file_stamp *stamp) {
    static const double seconds = 10; /* longer than a sync takes */
    return clock_date() - 1e-9 * fmax((double)stamp->parts[0], (double)stamp->parts[2]) > seconds;
}

json_t *summary_of(served *one, besd_error *error) {
    file_stamp now = served_stamp(one);
    bool is_sure = stamp_is_settled(&now);
    json_t *object = NULL;
    besd_study *study;
    bool fresh;
    pthread_mutex_lock(&one->lock);
    if (one->summary.object && !memcmp(&one->summary.stamp, &now, sizeof now))
        object = json_deep_copy(one->summary.object);
    pthread_mutex_unlock(&one->lock);
    if (object || served_borrow(one, SERVED_READ, &study, &fresh, error) != BESD_OK)
        return object;
    besd_error own = {0};
    object = study_summary_json(one->name, study, &own);
    served_return(one, SERVED_READ, study, object ? BESD_OK : own.status);
    if (!object) {
        if (error)
            *error = own;
        return NULL;
    }
    pthread_mutex_lock(&one->lock);
    json_decref(one->summary.object);
    one->summary.object = is_sure ? json_deep_copy(object) : NULL;
    one->summary.stamp = now;
    pthread_mutex_unlock(&one->lock);
    return object;
}
