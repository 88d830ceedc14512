/* The study file: one SQLite database. WAL, synchronous FULL, one transaction per ask and per tell,
 * so that what was told is on disk when the call returns and nothing half-written is ever read.
 */
#ifndef BESD_STUDY_STORE_H
#define BESD_STUDY_STORE_H

#include "study/record.h"

typedef struct store store;

/* Opens or, with `create`, makes the file; path NULL makes one in memory. A file that is not a
 * study, or a study of a newer schema, is refused and left as it was. */
besd_status store_open(const char *path, bool create, store **opened, besd_error *error);
void store_close(store *s);

/* The file's real name, "" in memory; lives as long as the store. */
const char *store_file(const store *s);

/* The name it was opened by, for messages. */
const char *store_path(const store *s);

/* A transaction that excludes other writers; end with commit, or roll back. */
besd_status store_begin(store *s, besd_error *error);
besd_status store_commit(store *s, besd_error *error);
void store_rollback(store *s);

/* Commits, or rolls back what failed. */
besd_status store_end(store *s, besd_status status, besd_error *error);

/* Until it ends, everything is read as of one moment; nobody waits for that. */
besd_status store_begin_reading(store *s, besd_error *error);
void store_end_reading(store *s);

/* Named texts: the description. get returns NULL text when there is none; free() it. */
besd_status store_get_text(store *s, const char *key, char **text, besd_error *error);
besd_status store_set_text(store *s, const char *key, const char *text, besd_error *error);
besd_status store_remove_text(store *s, const char *key, besd_error *error);

besd_status store_add_trial(store *s, size_t dimension, const besd_trial *trial, besd_error *error);
besd_status store_get_trial(store *s, size_t dimension, int64_t id, trial_record *trial,
                            besd_error *error); /* BESD_UNKNOWN when there is none */
/* BESD_IO when their ids are not 1, 2, 3, ... */
besd_status store_count_trials(store *s, int64_t *count, besd_error *error);
besd_status store_newest_trial(store *s, int64_t *id, besd_error *error); /* 0: there is none */

/* All trials by id; the array is the caller's to free. */
besd_status store_list_trials(store *s, size_t dimension, trial_record **trials, size_t *count,
                              besd_error *error);

/* Marks a trial told, with its scores (may be none when only a summary is known). */
besd_status store_tell(store *s, const trial_record *trial, const double *scores, size_t count,
                       besd_error *error);
besd_status store_fail(store *s, int64_t id, double cost, const char *note, besd_error *error);
besd_status store_set_trial_note(store *s, int64_t id, const char *note, besd_error *error);
/* Seconds since 1970, to the millisecond; `ended` is 0 while the trial is asked. */
besd_status store_get_times(store *s, int64_t id, double *asked, double *ended, besd_error *error);
/* NULL when there is none; free() it. */
besd_status store_get_trial_note(store *s, int64_t id, char **note, besd_error *error);
besd_status store_get_scores(store *s, int64_t id, double *scores, size_t capacity, size_t *count,
                             besd_error *error);

/* Takes back what was told; the trial's row stays as it is. */
besd_status store_remove_scores(store *s, int64_t id, besd_error *error);

besd_status store_set_state(store *s, int64_t id, besd_trial_state state, besd_error *error);

/* The legs of a told trial, replication after replication; they must not be there yet.
 * labelled: in a study whose path has labels. */
besd_status store_add_legs(store *s, int64_t id, const besd_leg *legs, size_t count, bool labelled,
                           besd_error *error);

/* Those of one trial, or with id 0 of all of them, by trial: `visit` is called for each that has
 * some, until it fails. */
typedef besd_status store_visit_legs(void *context, int64_t id, const besd_leg *legs, size_t count,
                                     besd_error *error);
besd_status store_list_legs(store *s, int64_t id, bool labelled, store_visit_legs *visit,
                            void *context, besd_error *error);

/* What was fitted to a number of told trials, as text: the newest of at most *told, which then says
 * of how many it was. NULL when there is none; free() it. */
besd_status store_get_fit(store *s, int64_t *told, char **text, besd_error *error);
besd_status store_set_fit(store *s, int64_t told, bool full, const char *text, besd_error *error);

/* The number of told trials at the newest full fit, 0 when there is none. */
besd_status store_last_full_fit(store *s, int64_t *told, besd_error *error);

/* What was told has changed: no fit belongs to it any more. */
besd_status store_forget_fits(store *s, besd_error *error);

#endif
