#include "study/store.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCHEMA = 1, APPLICATION_ID = 0x62657364 /* "besd" */, BUSY_MS = 60000 };

struct store {
    sqlite3 *db;
    char *path;
};

static const char schema[] =
    "CREATE TABLE text(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;"
    "CREATE TABLE trial(id INTEGER PRIMARY KEY, theta BLOB NOT NULL, tau INTEGER NOT NULL,"
    " reps INTEGER NOT NULL, seed INTEGER NOT NULL, state INTEGER NOT NULL,"
    " reason INTEGER NOT NULL, cost REAL NOT NULL, score_count INTEGER NOT NULL DEFAULT 0,"
    " mean REAL, model_mean REAL, within REAL, note TEXT,"
    " asked_at TEXT NOT NULL DEFAULT (datetime('now')), ended_at TEXT) STRICT;"
    "CREATE TABLE score(trial INTEGER NOT NULL REFERENCES trial(id), replication INTEGER NOT NULL,"
    " value REAL NOT NULL, PRIMARY KEY(trial, replication)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE fit(told INTEGER PRIMARY KEY, is_full INTEGER NOT NULL, bytes BLOB NOT NULL)"
    " STRICT;";

/* SQLite tries a second time to read what it may not write, and then only tells that it is not
 * there; the folder tells more. */
static int reason_not_to_open(const store *s) {
    char folder[4096];
    int code = sqlite3_system_errno(s->db);
    const char *slash = strrchr(s->path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - s->path) + 1 : 1,
             slash ? s->path : ".");
    if (code == ENOENT && faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) != 0)
        return errno;
    return code;
}

/* What SQLite's result means for the user of this file. */
static besd_status fail(const store *s, besd_error *error) {
    int code = sqlite3_errcode(s->db) & 0xff;
    switch (code) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return besd_fail(error, BESD_IO, "%s: it is not a besd study, or it is damaged (%s)",
                         s->path, sqlite3_errmsg(s->db));
    case SQLITE_FULL:
        return besd_fail(error, BESD_IO, "%s: the disk is full; nothing was changed", s->path);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return besd_fail(error, BESD_IO, "%s: it cannot be written (%s); nothing was changed",
                         s->path, sqlite3_errmsg(s->db));
    case SQLITE_CANTOPEN:
        return besd_fail(error, BESD_IO, "%s: it cannot be opened: %s", s->path,
                         strerror(reason_not_to_open(s)));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return besd_fail(error, BESD_IO, "%s: another process has kept it locked for %d s", s->path,
                         BUSY_MS / 1000);
    default:
        return besd_fail(error, BESD_IO, "%s: %s", s->path, sqlite3_errmsg(s->db));
    }
}

static besd_status run(store *s, const char *sql, besd_error *error) {
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? BESD_OK : fail(s, error);
}

/* A statement that ends by itself: prepare, bind, step, finish. */
static besd_status prepare(store *s, const char *sql, sqlite3_stmt **statement, besd_error *error) {
    if (sqlite3_prepare_v2(s->db, sql, -1, statement, NULL) == SQLITE_OK)
        return BESD_OK;
    return fail(s, error);
}

/* Runs a statement that gives no rows. */
static besd_status finish(store *s, sqlite3_stmt *statement, besd_error *error) {
    int result = sqlite3_step(statement);
    besd_status status = result == SQLITE_DONE ? BESD_OK : fail(s, error);
    sqlite3_finalize(statement);
    return status;
}

static besd_status read_integer(store *s, const char *sql, int64_t *value, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = prepare(s, sql, &statement, error);
    if (status != BESD_OK)
        return status;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *value = sqlite3_column_int64(statement, 0);
    else
        status = fail(s, error);
    sqlite3_finalize(statement);
    return status;
}

static besd_status make_schema(store *s, besd_error *error) {
    char marks[96];
    snprintf(marks, sizeof marks, "PRAGMA application_id=%d; PRAGMA user_version=%d;",
             APPLICATION_ID, SCHEMA);
    besd_status status = run(s, schema, error);
    return status == BESD_OK ? run(s, marks, error) : status;
}

/* Is the file new, a study, or something else? Reads only. */
static besd_status recognise(store *s, bool *is_new, besd_error *error) {
    int64_t application = 0, version = 0, tables = 0;
    besd_status status = read_integer(s, "PRAGMA application_id", &application, error);
    if (status == BESD_OK)
        status = read_integer(s, "PRAGMA user_version", &version, error);
    if (status == BESD_OK)
        status = read_integer(s, "SELECT count(*) FROM sqlite_master", &tables, error);
    if (status != BESD_OK)
        return status;
    *is_new = application == 0 && tables == 0;
    if (*is_new)
        return BESD_OK;
    if (application != APPLICATION_ID)
        return besd_fail(error, BESD_IO, "%s: it is not a besd study", s->path);
    if (version > SCHEMA)
        return besd_fail(error, BESD_IO,
                         "%s: it was written by a newer besd (schema %lld, this one knows %d)",
                         s->path, (long long)version, SCHEMA);
    return BESD_OK;
}

/* Two processes may want to make the same file: the second finds it made. */
static besd_status make_study(store *s, besd_error *error) {
    bool is_new;
    besd_status status = store_begin(s, error);
    if (status != BESD_OK)
        return status;
    status = recognise(s, &is_new, error);
    if (status == BESD_OK && is_new)
        status = make_schema(s, error);
    if (status == BESD_OK)
        return store_commit(s, error);
    store_rollback(s);
    return status;
}

/* Changing the journal needs the file alone for a moment, and SQLite does not wait for that. */
static besd_status use_wal(store *s, besd_error *error) {
    enum { STEP_MS = 5 };
    for (int waited = 0;; waited += STEP_MS) {
        besd_status status = run(s, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;", error);
        if (status == BESD_OK || (sqlite3_errcode(s->db) & 0xff) != SQLITE_BUSY ||
            waited >= BUSY_MS)
            return status;
        sqlite3_sleep(STEP_MS);
    }
}

/* Nothing is written before the file is known to be a study, or to become one. */
static besd_status prepare_file(store *s, bool create, besd_error *error) {
    bool is_new = false;
    besd_status status = run(s, "BEGIN", error); /* one moment for all that recognise reads */
    if (status != BESD_OK)
        return status;
    status = recognise(s, &is_new, error);
    store_rollback(s);
    if (status != BESD_OK)
        return status;
    if (is_new && !create)
        return besd_fail(error, BESD_IO, "%s: it is empty, not a besd study", s->path);
    status = use_wal(s, error);
    return status == BESD_OK && is_new ? make_study(s, error) : status;
}

besd_status store_open(const char *path, bool create, store **opened, besd_error *error) {
    path = path ? path : ":memory:";
    if (!create && access(path, F_OK) != 0)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    store *s = calloc(1, sizeof *s);
    if (s)
        s->path = strdup(path);
    if (!s || !s->path) {
        free(s);
        return besd_fail_memory(error, "the study");
    }
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
    besd_status status =
        sqlite3_open_v2(path, &s->db, flags, NULL) == SQLITE_OK ? BESD_OK : fail(s, error);
    if (status == BESD_OK) {
        sqlite3_extended_result_codes(s->db, 1);
        sqlite3_busy_timeout(s->db, BUSY_MS);
        status = prepare_file(s, create, error);
    }
    if (status != BESD_OK) {
        store_close(s);
        return status;
    }
    *opened = s;
    return BESD_OK;
}

void store_close(store *s) {
    if (!s)
        return;
    sqlite3_close(s->db);
    free(s->path);
    free(s);
}

besd_status store_begin(store *s, besd_error *error) {
    return run(s, "BEGIN IMMEDIATE", error);
}

besd_status store_commit(store *s, besd_error *error) {
    besd_status status = run(s, "COMMIT", error);
    if (status != BESD_OK)
        store_rollback(s);
    return status;
}

void store_rollback(store *s) {
    if (!sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

besd_status store_get_text(store *s, const char *key, char **text, besd_error *error) {
    sqlite3_stmt *statement;
    *text = NULL;
    besd_status status = prepare(s, "SELECT value FROM text WHERE key = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        *text = strdup((const char *)sqlite3_column_text(statement, 0));
        status = *text ? BESD_OK : besd_fail_memory(error, "a text of the study");
    } else if (result != SQLITE_DONE) {
        status = fail(s, error);
    }
    sqlite3_finalize(statement);
    return status;
}

besd_status store_set_text(store *s, const char *key, const char *text, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = prepare(s, "INSERT OR REPLACE INTO text VALUES(?, ?)", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, text, -1, SQLITE_STATIC);
    return finish(s, statement, error);
}

besd_status store_add_trial(store *s, size_t dimension, const besd_trial *t, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        prepare(s,
                "INSERT INTO trial(id, theta, tau, reps, seed, state, reason, cost)"
                " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, t->id);
    sqlite3_bind_blob(statement, 2, t->theta, (int)(dimension * sizeof *t->theta), SQLITE_STATIC);
    sqlite3_bind_int64(statement, 3, t->tau);
    sqlite3_bind_int(statement, 4, t->reps);
    sqlite3_bind_int64(statement, 5, (int64_t)t->seed);
    sqlite3_bind_int(statement, 6, t->state);
    sqlite3_bind_int(statement, 7, t->reason);
    sqlite3_bind_double(statement, 8, t->cost);
    return finish(s, statement, error);
}

#define TRIAL_COLUMNS                                                                              \
    "SELECT id, theta, tau, reps, seed, state, reason, cost, score_count, mean, model_mean, "      \
    "within"                                                                                       \
    " FROM trial "

static double number_or_nan(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NAN
                                                           : sqlite3_column_double(row, column);
}

static besd_status read_trial(const store *s, sqlite3_stmt *row, size_t dimension, stored_trial *t,
                              besd_error *error) {
    memset(t, 0, sizeof *t);
    if ((size_t)sqlite3_column_bytes(row, 1) != dimension * sizeof(double))
        return besd_fail(error, BESD_IO, "%s: trial %lld is damaged", s->path,
                         (long long)sqlite3_column_int64(row, 0));
    t->trial.id = sqlite3_column_int64(row, 0);
    memcpy(t->trial.theta, sqlite3_column_blob(row, 1), dimension * sizeof(double));
    t->trial.tau = sqlite3_column_int64(row, 2);
    t->trial.reps = sqlite3_column_int(row, 3);
    t->trial.seed = (uint64_t)sqlite3_column_int64(row, 4);
    t->trial.state = (besd_trial_state)sqlite3_column_int(row, 5);
    t->trial.reason = (besd_reason)sqlite3_column_int(row, 6);
    t->trial.cost = sqlite3_column_double(row, 7);
    t->trial.score_count = (size_t)sqlite3_column_int64(row, 8);
    t->trial.mean = sqlite3_column_double(row, 9);
    t->model_mean = number_or_nan(row, 10);
    t->within = number_or_nan(row, 11);
    return BESD_OK;
}

besd_status store_get_trial(store *s, size_t dimension, int64_t id, stored_trial *t,
                            besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = prepare(s, TRIAL_COLUMNS "WHERE id = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW)
        status = read_trial(s, statement, dimension, t, error);
    else if (result == SQLITE_DONE)
        status =
            besd_fail(error, BESD_UNKNOWN, "trial: %s has no trial %lld", s->path, (long long)id);
    else
        status = fail(s, error);
    sqlite3_finalize(statement);
    return status;
}

besd_status store_count_trials(store *s, int64_t *count, besd_error *error) {
    return read_integer(s, "SELECT count(*) FROM trial", count, error);
}

besd_status store_list_trials(store *s, size_t dimension, stored_trial **trials, size_t *count,
                              besd_error *error) {
    sqlite3_stmt *statement;
    size_t capacity = 0;
    int result = SQLITE_DONE;
    *trials = NULL;
    *count = 0;
    besd_status status = prepare(s, TRIAL_COLUMNS "ORDER BY id", &statement, error);
    if (status != BESD_OK)
        return status;
    while (status == BESD_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (*count == capacity) {
            capacity = 2 * capacity + 64;
            stored_trial *grown = realloc(*trials, capacity * sizeof *grown);
            if (!grown) {
                status = besd_fail_memory(error, "the trials");
                break;
            }
            *trials = grown;
        }
        status = read_trial(s, statement, dimension, &(*trials)[*count], error);
        *count += status == BESD_OK;
    }
    if (status == BESD_OK && result != SQLITE_DONE)
        status = fail(s, error);
    sqlite3_finalize(statement);
    if (status != BESD_OK) {
        free(*trials);
        *trials = NULL;
    }
    return status;
}

static besd_status add_score(store *s, int64_t id, size_t replication, double value,
                             besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = prepare(s, "INSERT INTO score VALUES(?, ?, ?)", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, (int64_t)replication);
    sqlite3_bind_double(statement, 3, value);
    return finish(s, statement, error);
}

besd_status store_tell(store *s, const stored_trial *t, const double *scores, size_t count,
                       besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        prepare(s,
                "UPDATE trial SET state = ?, cost = ?, score_count = ?, mean = ?, model_mean = ?,"
                " within = ?, ended_at = datetime('now') WHERE id = ?",
                &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int(statement, 1, BESD_TRIAL_TOLD);
    sqlite3_bind_double(statement, 2, t->trial.cost);
    sqlite3_bind_int64(statement, 3, (int64_t)t->trial.score_count);
    sqlite3_bind_double(statement, 4, t->trial.mean);
    sqlite3_bind_double(statement, 5, t->model_mean);
    sqlite3_bind_double(statement, 6, t->within);
    sqlite3_bind_int64(statement, 7, t->trial.id);
    status = finish(s, statement, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = add_score(s, t->trial.id, i, scores[i], error);
    return status;
}

besd_status store_fail(store *s, int64_t id, double cost, const char *note, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = prepare(s,
                                 "UPDATE trial SET state = ?, cost = ?, note = coalesce(?, note),"
                                 " ended_at = datetime('now') WHERE id = ?",
                                 &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int(statement, 1, BESD_TRIAL_FAILED);
    sqlite3_bind_double(statement, 2, cost);
    if (note)
        sqlite3_bind_text(statement, 3, note, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 4, id);
    return finish(s, statement, error);
}

besd_status store_set_trial_note(store *s, int64_t id, const char *note, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = prepare(s, "UPDATE trial SET note = ? WHERE id = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(statement, 1, note, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, id);
    return finish(s, statement, error);
}

besd_status store_get_trial_note(store *s, int64_t id, char **note, besd_error *error) {
    sqlite3_stmt *statement;
    *note = NULL;
    besd_status status = prepare(s, "SELECT note FROM trial WHERE id = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    int result = sqlite3_step(statement);
    const char *text =
        result == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        status = fail(s, error);
    else if (text && !(*note = strdup(text)))
        status = besd_fail_memory(error, "a note");
    sqlite3_finalize(statement);
    return status;
}

besd_status store_get_scores(store *s, int64_t id, double *scores, size_t capacity, size_t *count,
                             besd_error *error) {
    sqlite3_stmt *statement;
    int result = SQLITE_DONE;
    *count = 0;
    besd_status status = prepare(s, "SELECT value FROM score WHERE trial = ? ORDER BY replication",
                                 &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    while (*count < capacity && (result = sqlite3_step(statement)) == SQLITE_ROW)
        scores[(*count)++] = sqlite3_column_double(statement, 0);
    if (result != SQLITE_DONE && result != SQLITE_ROW)
        status = fail(s, error);
    sqlite3_finalize(statement);
    return status;
}

besd_status store_get_fit(store *s, int64_t *told, void *bytes, size_t size, besd_error *error) {
    sqlite3_stmt *statement;
    int64_t most = *told;
    *told = 0;
    besd_status status = prepare(s,
                                 "SELECT told, bytes FROM fit WHERE told <= ?"
                                 " AND length(bytes) = ? ORDER BY told DESC LIMIT 1",
                                 &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, most);
    sqlite3_bind_int64(statement, 2, (int64_t)size);
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        *told = sqlite3_column_int64(statement, 0);
        memcpy(bytes, sqlite3_column_blob(statement, 1), size);
    } else if (result != SQLITE_DONE) {
        status = fail(s, error);
    }
    sqlite3_finalize(statement);
    return status;
}

besd_status store_set_fit(store *s, int64_t told, bool full, const void *bytes, size_t size,
                          besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        prepare(s, "INSERT OR REPLACE INTO fit VALUES(?, ?, ?)", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, told);
    sqlite3_bind_int(statement, 2, full);
    sqlite3_bind_blob(statement, 3, bytes, (int)size, SQLITE_STATIC);
    return finish(s, statement, error);
}

besd_status store_last_full_fit(store *s, int64_t *told, besd_error *error) {
    return read_integer(s, "SELECT coalesce(max(told), 0) FROM fit WHERE is_full", told, error);
}
