/* The studies that are served: names, and where their files are. A folder's studies are its *.besd
 * files, looked up when they are asked for; files that are named are served and no others. Nothing
 * of where they are leaves the server. */
#ifndef BESD_SERVE_STUDIES_H
#define BESD_SERVE_STUDIES_H

#include "serve/call.h"
#include "serve/memory.h"

#include <pthread.h>

enum { SERVED_LONGEST_PATH = 255, SERVED_KEPT_READERS = 3 };

/* What is known of the trials of a study without opening it, as long as its files are untouched. */
typedef struct served_summary {
    json_t *object;     /* NULL: not known */
    long long stamp[4]; /* when and how long the file and its log were */
} served_summary;

typedef struct served {
    char name[CALL_NAME_SIZE];
    char path[SERVED_LONGEST_PATH + 1];
    char folder[SERVED_LONGEST_PATH + 1]; /* with a slash at its end, or "" */
    struct served *next;
    pthread_mutex_t lock; /* of all that follows */
    besd_study *writer, *asker, *readers[SERVED_KEPT_READERS];
    served_summary summary;
    recommendations recommended;
    char writing, asking; /* their places stand for turns (serve/pool.h) */
} served;

typedef struct studies {
    char folder[SERVED_LONGEST_PATH + 1]; /* "": files were named */
    served *first;
    pthread_mutex_t lock;
} studies;

/* A folder, or files; each file is opened once, to see that it is a study. */
besd_status studies_open(studies *s, const char *const *paths, size_t count, besd_error *error);
void studies_close(studies *s);

/* NULL: there is none of this name. Lives as long as the studies. */
served *studies_find(studies *s, const char *name);

/* Calls visit for every study that is there, in the order of their names. */
void studies_visit(studies *s, void (*visit)(void *context, served *one), void *context);

/* The path that a new study of this name would have; false: only files are served. */
bool studies_place(const studies *s, const char *name, char *path, size_t size);

/* Replaces the study's path, and its folder, in a sentence by its name. */
void served_hide_path(const served *one, char *sentence, size_t size);

/* Where the study's file is now, "" when it is not there. */
bool served_is_there(const served *one);

#endif
