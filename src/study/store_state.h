/* What the files of the store share. */
#ifndef BESD_STUDY_STORE_STATE_H
#define BESD_STUDY_STORE_STATE_H

#include "core/database.h"
#include "study/store.h"

/* The date as datetime() writes it, with milliseconds. All versions of besd read it. */
#define STORE_NOW "strftime('%Y-%m-%d %H:%M:%f', 'now')"

struct store {
    database file;
};

/* Runs a statement about one trial: ?1 is its id, ?2 a value. */
besd_status store_change_trial(store *s, const char *sql, int64_t id, int64_t value,
                               besd_error *error);

/* A row of the table of trials, whose first columns are these; wrong types, and numbers that do not
 * fit, are refused (store_trials.c). */
#define STORE_TRIAL_COLUMNS                                                                        \
    "id, theta, tau, reps, seed, state, reason, cost, score_count, mean, model_mean, within, "     \
    "repeats, task"
enum { STORE_TRIAL_COLUMN_COUNT = 14 };
besd_status store_read_trial(const store *s, sqlite3_stmt *row, size_t dimension, trial_record *t,
                             besd_error *error);
besd_status store_fail_damaged(const store *s, int64_t id, besd_error *error);

/* A row of the table of legs: trial, value (store_trials.c). */
besd_status store_visit_legs_row(const store *s, sqlite3_stmt *row, bool labelled,
                                 store_visit_legs *visit, void *context, besd_error *error);

/* Columns from this one on: worker, since, lease, why, replaced (store_acts.c). */
besd_status store_read_work(const store *s, sqlite3_stmt *row, int column, int64_t id,
                            besd_work *work, besd_error *error);

/* The tables that migrations make. */
#define STORE_FIT_TABLE                                                                            \
    "CREATE TABLE fit(told INTEGER PRIMARY KEY, is_full INTEGER NOT NULL, numbers TEXT NOT NULL)"  \
    " STRICT;"
#define STORE_TASK_COLUMN ", task INTEGER NOT NULL DEFAULT 0"
#define STORE_LEGS_TABLE                                                                           \
    "CREATE TABLE legs(trial INTEGER PRIMARY KEY REFERENCES trial(id), value BLOB NOT NULL) "      \
    "STRICT;"
#define STORE_ACT_TABLES                                                                           \
    "CREATE TABLE event(id INTEGER PRIMARY KEY, at REAL NOT NULL, who TEXT NOT NULL,"              \
    " what TEXT NOT NULL, trial INTEGER NOT NULL, detail TEXT NOT NULL, undoes INTEGER NOT NULL)"  \
    " STRICT;"                                                                                     \
    "CREATE INDEX event_of_trial ON event(trial);"                                                 \
    "CREATE TABLE work(trial INTEGER PRIMARY KEY REFERENCES trial(id), worker TEXT NOT NULL,"      \
    " since REAL NOT NULL, lease REAL, why TEXT NOT NULL) STRICT;"                                 \
    "CREATE TABLE tag(trial INTEGER NOT NULL REFERENCES trial(id), name TEXT NOT NULL,"            \
    " PRIMARY KEY(trial, name)) STRICT, WITHOUT ROWID;"

/* In files in which acts have been named by a key (store_answers.c). */
#define STORE_ANSWER_TABLE                                                                         \
    "CREATE TABLE answer(key TEXT PRIMARY KEY, at REAL NOT NULL, digest TEXT NOT NULL,"            \
    " code INTEGER NOT NULL, trial INTEGER NOT NULL, text TEXT NOT NULL) STRICT, WITHOUT ROWID;"   \
    "CREATE INDEX answer_at ON answer(at);"

/* The SQL of the views that this file should have, which follow from its description; NULL: it has
 * no description. The caller frees it (store_views.c). */
besd_status store_views(database *d, char **sql, besd_error *error);

/* Makes them, inside a transaction, when the description is written. */
besd_status store_make_views(database *d, besd_error *error);

/* Inside a transaction: from schema `from` to the newest (store_migrate.c). */
besd_status store_migrate(database *d, int64_t from, besd_error *error);

#endif
