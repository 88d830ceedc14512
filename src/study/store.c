#include "study/store.h"

#include "core/database.h"
#include "core/error.h"
#include "study/store_migrate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct store {
    database file;
};

static const char tables[] =
    "CREATE TABLE text(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;"
    "CREATE TABLE trial(id INTEGER PRIMARY KEY, theta BLOB NOT NULL, tau INTEGER NOT NULL,"
    " reps INTEGER NOT NULL, seed INTEGER NOT NULL, state INTEGER NOT NULL,"
    " reason INTEGER NOT NULL, cost REAL NOT NULL, score_count INTEGER NOT NULL DEFAULT 0,"
    " mean REAL, model_mean REAL, within REAL, note TEXT,"
    " asked_at TEXT NOT NULL DEFAULT (datetime('now')), ended_at TEXT,"
    " repeats INTEGER NOT NULL DEFAULT 0) STRICT;"
    "CREATE TABLE score(trial INTEGER NOT NULL REFERENCES trial(id), replication INTEGER NOT NULL,"
    " value REAL NOT NULL, PRIMARY KEY(trial, replication)) STRICT, WITHOUT ROWID;" STORE_FIT_TABLE;

static const database_kind kind = {.what = "a besd study",
                                   .application = 0x62657364, /* "besd" */
                                   .schema = 2,
                                   .oldest = 1,
                                   .advice = "",
                                   .tables = tables,
                                   .durable = "FULL",
                                   .migrate = store_migrate};

besd_status store_open(const char *path, bool create, store **opened, besd_error *error) {
    path = path ? path : ":memory:";
    if (!create && access(path, F_OK) != 0)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    store *s = calloc(1, sizeof *s);
    if (!s)
        return besd_fail_memory(error, "the study");
    besd_status status = database_open(&s->file, path, create, &kind, error);
    if (status == BESD_OK)
        *opened = s;
    else
        free(s);
    return status;
}

void store_close(store *s) {
    if (!s)
        return;
    database_close(&s->file);
    free(s);
}

const char *store_file(const store *s) {
    const char *name = sqlite3_db_filename(s->file.db, "main");
    return name ? name : "";
}

besd_status store_begin(store *s, besd_error *error) {
    return database_begin(&s->file, error);
}

besd_status store_commit(store *s, besd_error *error) {
    return database_commit(&s->file, error);
}

void store_rollback(store *s) {
    database_rollback(&s->file);
}

besd_status store_end(store *s, besd_status status, besd_error *error) {
    return database_end(&s->file, status, error);
}

besd_status store_begin_reading(store *s, besd_error *error) {
    return database_begin_reading(&s->file, error);
}

void store_end_reading(store *s) {
    database_rollback(&s->file);
}

/* A text of a row, which a damaged file may lack. */
static besd_status copy_text(sqlite3_stmt *row, int column, char **text, besd_error *error) {
    const char *stored = (const char *)sqlite3_column_text(row, column);
    bool is_null = sqlite3_column_type(row, column) == SQLITE_NULL;
    *text = stored || is_null ? strdup(stored ? stored : "") : NULL;
    return *text ? BESD_OK : besd_fail_memory(error, "a text of the study");
}

besd_status store_get_text(store *s, const char *key, char **text, besd_error *error) {
    sqlite3_stmt *statement;
    *text = NULL;
    besd_status status =
        database_prepare(&s->file, "SELECT value FROM text WHERE key = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        status = copy_text(statement, 0, text, error);
    }
    besd_status ending = database_end_reading(&s->file, statement, result, error);
    return status == BESD_OK ? ending : status;
}

besd_status store_set_text(store *s, const char *key, const char *text, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file, "INSERT OR REPLACE INTO text VALUES(?, ?)", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, text, -1, SQLITE_STATIC);
    return database_finish(&s->file, statement, error);
}

besd_status store_add_trial(store *s, size_t dimension, const besd_trial *t, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(
        &s->file,
        "INSERT INTO trial(id, theta, tau, reps, seed, state, reason, cost, repeats)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
    sqlite3_bind_int64(statement, 9, t->repeats);
    return database_finish(&s->file, statement, error);
}

#define TRIAL_COLUMNS                                                                              \
    "SELECT id, theta, tau, reps, seed, state, reason, cost, score_count, mean, model_mean, "      \
    "within, repeats"                                                                              \
    " FROM trial "

static double number_or_nan(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NAN
                                                           : sqlite3_column_double(row, column);
}

static besd_status read_trial(const store *s, sqlite3_stmt *row, size_t dimension, trial_record *t,
                              besd_error *error) {
    memset(t, 0, sizeof *t);
    if ((size_t)sqlite3_column_bytes(row, 1) != dimension * sizeof(double))
        return besd_fail(error, BESD_IO, "%s: trial %lld is damaged", s->file.path,
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
    t->trial.repeats = sqlite3_column_int64(row, 12);
    return BESD_OK;
}

static besd_status fail_unknown(const store *s, int64_t id, besd_error *error) {
    return besd_fail(error, BESD_UNKNOWN, "trial: %s has no trial %lld", s->file.path,
                     (long long)id);
}

besd_status store_get_trial(store *s, size_t dimension, int64_t id, trial_record *t,
                            besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file, TRIAL_COLUMNS "WHERE id = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW)
        status = read_trial(s, statement, dimension, t, error);
    else if (result == SQLITE_DONE)
        status = fail_unknown(s, id, error);
    else
        status = database_fail(&s->file, error);
    sqlite3_finalize(statement);
    return status;
}

besd_status store_count_trials(store *s, int64_t *count, besd_error *error) {
    return database_read_integer(&s->file, "SELECT count(*) FROM trial", count, error);
}

besd_status store_newest_trial(store *s, int64_t *id, besd_error *error) {
    return database_read_integer(&s->file, "SELECT coalesce(max(id), 0) FROM trial", id, error);
}

besd_status store_list_trials(store *s, size_t dimension, trial_record **trials, size_t *count,
                              besd_error *error) {
    sqlite3_stmt *statement;
    size_t capacity = 0;
    int result = SQLITE_DONE;
    *trials = NULL;
    *count = 0;
    besd_status status = database_prepare(&s->file, TRIAL_COLUMNS "ORDER BY id", &statement, error);
    if (status != BESD_OK)
        return status;
    while (status == BESD_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (*count == capacity) {
            capacity = 2 * capacity + 64;
            trial_record *grown = realloc(*trials, capacity * sizeof *grown);
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
        status = database_fail(&s->file, error);
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
    besd_status status =
        database_prepare(&s->file, "INSERT INTO score VALUES(?, ?, ?)", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, (int64_t)replication);
    sqlite3_bind_double(statement, 3, value);
    return database_finish(&s->file, statement, error);
}

besd_status store_tell(store *s, const trial_record *t, const double *scores, size_t count,
                       besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(
        &s->file,
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
    status = database_finish(&s->file, statement, error);
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        status = add_score(s, t->trial.id, i, scores[i], error);
    return status;
}

besd_status store_fail(store *s, int64_t id, double cost, const char *note, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file,
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
    return database_finish(&s->file, statement, error);
}

besd_status store_set_trial_note(store *s, int64_t id, const char *note, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file, "UPDATE trial SET note = ? WHERE id = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(statement, 1, note, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, id);
    return database_finish(&s->file, statement, error);
}

besd_status store_get_times(store *s, int64_t id, int64_t *asked, int64_t *ended,
                            besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file,
                         "SELECT CAST(strftime('%s', asked_at) AS INTEGER),"
                         " CAST(strftime('%s', ended_at) AS INTEGER) FROM trial WHERE id = ?",
                         &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        *asked = sqlite3_column_int64(statement, 0);
        *ended = sqlite3_column_int64(statement, 1);
    } else if (result == SQLITE_DONE) {
        status = fail_unknown(s, id, error);
    }
    besd_status ending = database_end_reading(&s->file, statement, result, error);
    return status == BESD_OK ? ending : status;
}

besd_status store_get_trial_note(store *s, int64_t id, char **note, besd_error *error) {
    sqlite3_stmt *statement;
    *note = NULL;
    besd_status status =
        database_prepare(&s->file, "SELECT note FROM trial WHERE id = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    int result = sqlite3_step(statement);
    const char *text =
        result == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (result != SQLITE_ROW && result != SQLITE_DONE)
        status = database_fail(&s->file, error);
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
    besd_status status =
        database_prepare(&s->file, "SELECT value FROM score WHERE trial = ? ORDER BY replication",
                         &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, id);
    while (*count < capacity && (result = sqlite3_step(statement)) == SQLITE_ROW)
        scores[(*count)++] = sqlite3_column_double(statement, 0);
    if (result != SQLITE_DONE && result != SQLITE_ROW)
        status = database_fail(&s->file, error);
    sqlite3_finalize(statement);
    return status;
}

besd_status store_get_fit(store *s, int64_t *told, char **text, besd_error *error) {
    sqlite3_stmt *statement;
    int64_t most = *told;
    *told = 0;
    *text = NULL;
    besd_status status = database_prepare(&s->file,
                                          "SELECT told, numbers FROM fit WHERE told <= ?"
                                          " ORDER BY told DESC LIMIT 1",
                                          &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, most);
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        *told = sqlite3_column_int64(statement, 0);
        status = copy_text(statement, 1, text, error);
    }
    besd_status ending = database_end_reading(&s->file, statement, result, error);
    return status == BESD_OK ? ending : status;
}

besd_status store_set_fit(store *s, int64_t told, bool full, const char *text, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file, "INSERT OR REPLACE INTO fit VALUES(?, ?, ?)", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, told);
    sqlite3_bind_int(statement, 2, full);
    sqlite3_bind_text(statement, 3, text, -1, SQLITE_STATIC);
    return database_finish(&s->file, statement, error);
}

besd_status store_last_full_fit(store *s, int64_t *told, besd_error *error) {
    return database_read_integer(&s->file, "SELECT coalesce(max(told), 0) FROM fit WHERE is_full",
                                 told, error);
}
