/* The study file: one SQLite database. WAL, synchronous EXTRA, one transaction per ask and per
 * tell: what was told is on disk when the call returns, and nothing half-written is ever read. */
#ifndef BESD_STUDY_STORE_H
#define BESD_STUDY_STORE_H

#include "study/evidence.h"
#include "study/study.h"

typedef struct store store;

/* The file and its transactions (store.c). */

/* Opens the file or, with `create`, makes it; path NULL makes a database in memory. A file that is
 * not a study, or a study of a newer schema, is refused and left as it was. */
besd_status store_open(const char *path, bool create, store **opened, besd_error *error);
void store_close(store *s);

/* The file's real name, "" in memory; lives as long as the store. */
const char *store_file(const store *s);

/* The name that the file was opened by, for messages. */
const char *store_path(const store *s);

/* A transaction that excludes other writers. Its end commits after BESD_OK, and rolls back after
 * anything else, which is its answer then. */
besd_status store_begin(store *s, besd_error *error);
besd_status store_end(store *s, besd_status status, besd_error *error);

/* Between these two calls everything is read as of one moment. No other process waits for it. */
besd_status store_begin_reading(store *s, besd_error *error);
void store_end_reading(store *s);

/* Several transactions with one commit (study.h). */
besd_status store_gather(store *s, besd_error *error);
besd_status store_settle(store *s, besd_error *error);
void store_scatter(store *s);

/* Named texts. get: NULL when there is none; the caller frees the text. */
besd_status store_get_text(store *s, const char *key, char **text, besd_error *error);
besd_status store_set_text(store *s, const char *key, const char *text, besd_error *error);
besd_status store_remove_text(store *s, const char *key, besd_error *error);

/* The keys of texts: the description, the budget in force, the budget that was given when the study
 * was last opened with one, and the path. */
#define STUDY_SPEC_KEY "spec"
#define STUDY_BUDGET_KEY "budget"
#define STUDY_GIVEN_BUDGET_KEY "budget given"
#define STUDY_PATH_KEY "path"
#define STUDY_TASKS_KEY "tasks"
#define STUDY_SOURCE_KEY "source:" /* and its number */

/* What was fitted to a number of told trials, as text. get: the newest fit to at most *told trials;
 * sets *told to its number of trials. NULL when there is none; the caller frees the text. */
besd_status store_get_fit(store *s, int64_t *told, char **text, besd_error *error);
besd_status store_set_fit(store *s, int64_t told, bool full, const char *text, besd_error *error);

/* Views of the trials for people, once the description is written. Inside a transaction. */
besd_status store_add_views(store *s, besd_error *error);

/* The number of told trials at the newest full fit, 0 when there is none. */
besd_status store_last_full_fit(store *s, int64_t *told, besd_error *error);

/* For when what was told has changed: no fit belongs to it any more. */
besd_status store_forget_fits(store *s, besd_error *error);

/* Trials, their scores and their legs (store_trials.c). */

besd_status store_add_trial(store *s, size_t dimension, const besd_trial *trial, besd_error *error);

/* BESD_UNKNOWN when there is no such trial. */
besd_status store_get_trial(store *s, size_t dimension, int64_t id, trial_record *trial,
                            besd_error *error);

/* BESD_IO when the ids are not 1, 2, 3, ... */
besd_status store_count_trials(store *s, int64_t *count, besd_error *error);

/* The number of trials in each state: counts [states]. */
besd_status store_count_states(store *s, int64_t *counts, size_t states, besd_error *error);

/* The largest id; 0: there is no trial. */
besd_status store_newest_trial(store *s, int64_t *id, besd_error *error);

/* Visits the trials after the given one by id; the visitor sets *go_on to false to end that. */
typedef besd_status store_trial_visitor(void *context, const trial_record *trial, bool *go_on,
                                        besd_error *error);
besd_status store_visit_trials(store *s, size_t dimension, int64_t after,
                               store_trial_visitor *visit, void *context, besd_error *error);

/* A trial with all that is known of it; what is pointed to lasts until the next one. */
typedef struct listed_trial {
    trial_record record;
    besd_work work;
    const char *note;         /* NULL: none */
    char tags[BESD_MAX_TAGS]; /* by name, with commas between them */
    double scores[BESD_MAX_REPS];
    size_t score_count; /* 0: only a summary was told */
    besd_leg *legs;
    size_t leg_count;
} listed_trial;

/* Visits the trials after the given one with all that is known of each, inside a reading
 * transaction; legs: the study has a path (store_listing.c). */
typedef besd_status store_listing_visitor(void *context, const listed_trial *t, bool *go_on,
                                          besd_error *error);
besd_status store_visit_listing(store *s, size_t dimension, bool legs, bool labelled, int64_t after,
                                store_listing_visitor *visit, void *context, besd_error *error);

/* All trials by id; the caller frees the array. */
besd_status store_list_trials(store *s, size_t dimension, trial_record **trials, size_t *count,
                              besd_error *error);

/* Marks a trial as told, with its scores; count 0: only a summary is known. */
besd_status store_tell(store *s, const trial_record *trial, const double *scores, size_t count,
                       besd_error *error);
besd_status store_fail(store *s, int64_t id, double cost, const char *note, besd_error *error);
besd_status store_set_state(store *s, int64_t id, besd_trial_state state, besd_error *error);

/* Marks a waiting trial as asked, now. */
besd_status store_hand_out(store *s, int64_t id, besd_error *error);

/* Seconds since 1970, to the millisecond; *ended is 0 while the trial has not ended. */
besd_status store_get_times(store *s, int64_t id, double *asked, double *ended, besd_error *error);

/* get: NULL when there is none; the caller frees the note. */
besd_status store_set_trial_note(store *s, int64_t id, const char *note, besd_error *error);
besd_status store_get_trial_note(store *s, int64_t id, char **note, besd_error *error);

besd_status store_get_scores(store *s, int64_t id, double *scores, size_t capacity, size_t *count,
                             besd_error *error);

/* Removes scores and legs of a trial; its row stays as it is. */
besd_status store_remove_scores(store *s, int64_t id, besd_error *error);

/* The legs of a told trial, replication after replication; the trial must have none yet. labelled:
 * the study's path has labels. */
besd_status store_add_legs(store *s, int64_t id, const besd_leg *legs, size_t count, bool labelled,
                           besd_error *error);

/* Visits the legs of one trial, or with id 0 those of every trial that has legs, by id, until
 * `visit` fails. */
typedef besd_status store_visit_legs(void *context, int64_t id, const besd_leg *legs, size_t count,
                                     besd_error *error);
besd_status store_list_legs(store *s, int64_t id, bool labelled, store_visit_legs *visit,
                            void *context, besd_error *error);

/* Copies as of one moment (store_backup.c): into a file, which must not be there yet, or into
 * memory, which the caller frees. verify reads every page and index. */
besd_status store_backup(store *s, const char *out, besd_error *error);
besd_status store_snapshot(store *s, unsigned char **bytes, size_t *size, besd_error *error);
besd_status store_verify(store *s, besd_error *error);

/* What happened to a study, who works on its trials and until when, and tags (store_acts.c). */

/* An event to be written. trial 0: it is about the study; undoes 0: it undoes no other event. */
typedef struct store_event {
    const char *who, *what, *detail;
    int64_t trial, undoes;
} store_event;

besd_status store_add_event(store *s, const store_event *event, besd_error *error);

/* The largest id; 0: there is no event. */
besd_status store_newest_event(store *s, int64_t *id, besd_error *error);

/* Visits the events after the given one, in their order, until `visit` returns false. */
besd_status store_list_events(store *s, int64_t after, besd_event_visitor *visit, void *context,
                              besd_error *error);

/* The newest event of this name about a trial that no other event has undone; 0 when there is none.
 * The caller frees its detail. */
besd_status store_last_event(store *s, int64_t trial, const char *what, int64_t *event,
                             char **detail, besd_error *error);

/* The trial that an event is about, 0: there is no such event; and was it undone? */
besd_status store_find_undoing(store *s, int64_t event, int64_t *trial, bool *is_undone,
                               besd_error *error);

/* How often what was told has changed in other ways than by telling. */
besd_status store_count_changes(store *s, int64_t *count, besd_error *error);

/* Gives a trial to a worker; lease INFINITY: without end. */
besd_status store_set_work(store *s, int64_t id, const char *worker, double since, double lease,
                           besd_error *error);

/* Takes the trial from its worker: it has no worker and no lease any more. */
besd_status store_clear_work(store *s, int64_t id, besd_error *error);

/* Why what a trial was told has changed. */
besd_status store_set_why(store *s, int64_t id, const char *why, besd_error *error);

/* The answer to an act that was named by this key within a day; is_known false: there is none. The
 * digest tells requests apart: is_another says that the key was another request's. keep: inside a
 * transaction (store_answers.c). */
besd_status store_find_answer(store *s, const char *key, const char *digest, kept_answer *a,
                              besd_error *error);
besd_status store_keep_answer(store *s, const char *key, const char *digest, const kept_answer *a,
                              besd_error *error);

/* The worker and the lease of a trial; empty and without end when nothing is known. */
besd_status store_get_work(store *s, int64_t id, besd_work *work, besd_error *error);

/* Is there a trial that waits, or a lease to look at? */
besd_status store_any_to_give(store *s, double now, bool *any, besd_error *error);

/* The first asked trial whose lease has ended by now; 0: there is none. */
besd_status store_overdue_trial(store *s, double now, int64_t *id, besd_error *error);

/* Leases that begin in the future, because the clock was set back since, begin now. */
besd_status store_mend_leases(store *s, double now, besd_error *error);

/* Moves the beginning of all leases. */
besd_status store_move_leases(store *s, double seconds, besd_error *error);

/* The first trial that waits to be asked, of this task or with NULL of any; 0: there is none. */
besd_status store_waiting_trial(store *s, const int64_t *task, int64_t *id, besd_error *error);

/* get: by name, with commas between them; NULL when there is none. The caller frees the text. */
besd_status store_set_tag(store *s, int64_t id, const char *tag, bool on, besd_error *error);
besd_status store_get_tags(store *s, int64_t id, char **tags, besd_error *error);

#endif
