/* The studies that are served: their names, their files, handles of them, and a summary of each.
 *
 * The studies of a folder are its *.besd files, looked up when somebody asks for them. When files
 * are named instead, those are served and no others. No path of this machine leaves the server.
 *
 * A handle belongs to one thread at a time, and opening a handle takes longer than using it. So
 * each study keeps a handle for its writer, one for its asker, which remembers the model, and a few
 * for readers. */
#ifndef BESD_SERVE_STUDIES_H
#define BESD_SERVE_STUDIES_H

#include "serve/request.h"
#include "page/views.h"

#include <pthread.h>

enum { SERVED_LONGEST_PATH = 255, SERVED_KEPT_READERS = 3 };

/* When the study's file and its log were written, and how long they are. A commit changes the stamp
 * before others can see what was committed: the log is written, then synced, which may take long.
 */
typedef struct file_stamp {
    long long parts[4];
} file_stamp;

/* Believed for as long as the files are untouched. */
typedef struct served_summary {
    json_t *object; /* NULL: not known */
    file_stamp stamp;
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
    char writing, asking; /* their addresses stand for turns (serve/pool.h) */
} served;

typedef struct studies {
    char folder[SERVED_LONGEST_PATH + 1]; /* "": files were named */
    served *first;
    pthread_mutex_t lock;
} studies;

/* A folder, or files; each file is opened once, to see that it is a study. */
besd_status studies_open(studies *s, const char *const *paths, size_t count, besd_error *error);
void studies_close(studies *s);

/* Can the folder be read? True where files were named. */
bool studies_are_there(const studies *s);

/* NULL: there is no study of this name. The study lives as long as `s`. */
served *studies_find(studies *s, const char *name);

/* Calls visit for every study whose file is there, in the order of the names. */
void studies_visit(studies *s, void (*visit)(void *context, served *one), void *context);

/* The path that a new study of this name would have; false: only named files are served. */
bool studies_place(const studies *s, const char *name, char *path, size_t size);

/* Replaces the study's path, and its folder, in a sentence by the study's name. */
void served_hide_path(const served *one, char *sentence, size_t size);

typedef enum served_use { SERVED_READ, SERVED_WRITE, SERVED_ASK } served_use;

/* Takes a kept handle, or opens one; *fresh says which. */
besd_status served_borrow(served *one, served_use use, besd_study **study, bool *fresh,
                          besd_error *error);

/* Gives a handle back with the status of its last call. After BESD_IO all kept handles are closed,
 * because the file may have been replaced. */
void served_return(served *one, served_use use, besd_study *study, besd_status status);

file_stamp served_stamp(const served *one);

/* Were the files untouched for so long that every commit can be read by now? What is read earlier
 * may be older than its stamp. */
bool stamp_is_settled(const file_stamp *stamp);

/* What the list of studies and the metrics say of one study: {"name", "trials": {...}, "budget",
 * "spent", "direction", "dimension"}. The caller releases it; NULL after a failure. */
json_t *summary_of(served *one, besd_error *error);

#endif
