/* The study file: its tables, its transactions, its named texts and its fits. */
#include "study/store_state.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_TABLE "CREATE TABLE text(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;"
#define TRIAL_TABLE(more)                                                                          \
    "CREATE TABLE trial(id INTEGER PRIMARY KEY, theta BLOB NOT NULL, tau INTEGER NOT NULL,"        \
    " reps INTEGER NOT NULL, seed INTEGER NOT NULL, state INTEGER NOT NULL,"                       \
    " reason INTEGER NOT NULL, cost REAL NOT NULL, score_count INTEGER NOT NULL DEFAULT 0,"        \
    " mean REAL, model_mean REAL, within REAL, note TEXT,"                                         \
    " asked_at TEXT NOT NULL DEFAULT (datetime('now')), ended_at TEXT" more ") STRICT;"
#define SCORE_TABLE                                                                                \
    "CREATE TABLE score(trial INTEGER NOT NULL REFERENCES trial(id),"                              \
    " replication INTEGER NOT NULL, value REAL NOT NULL,"                                          \
    " PRIMARY KEY(trial, replication)) STRICT, WITHOUT ROWID;"

#define SECOND_TABLES                                                                              \
    TEXT_TABLE TRIAL_TABLE(", repeats INTEGER NOT NULL DEFAULT 0") SCORE_TABLE STORE_FIT_TABLE

static const char tables[] =
    TEXT_TABLE TRIAL_TABLE(", repeats INTEGER NOT NULL DEFAULT 0" STORE_TASK_COLUMN)
        SCORE_TABLE STORE_FIT_TABLE STORE_LEGS_TABLE STORE_ACT_TABLES;

/* The tables of schemas 1 to 4. */
static const char first_tables[] = TEXT_TABLE TRIAL_TABLE("") SCORE_TABLE
    "CREATE TABLE fit(told INTEGER PRIMARY KEY, is_full INTEGER NOT NULL, bytes BLOB NOT NULL)"
    " STRICT;";
static const char second_tables[] = SECOND_TABLES;
static const char third_tables[] = SECOND_TABLES STORE_LEGS_TABLE;
static const char fourth_tables[] = SECOND_TABLES STORE_LEGS_TABLE STORE_ACT_TABLES;
static const char *const older[] = {first_tables, second_tables, third_tables, fourth_tables};

static const database_kind kind = {.what = "a besd study",
                                   .application = 0x62657364, /* "besd" */
                                   .schema = 5,
                                   .oldest = 1,
                                   .advice = "",
                                   .tables = tables,
                                   .older = older,
                                   .optional = STORE_ANSWER_TABLE,
                                   .views = store_views,
                                   .durable = "EXTRA", /* FULL, and journals stay removed */
                                   .migrate = store_migrate};

/* A link to nothing, made by somebody else, would let that person choose where a file is made. */
static bool leads_nowhere(const char *path) {
    struct stat link, file;
    return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && stat(path, &file) != 0 &&
           errno == ENOENT;
}

besd_status store_open(const char *path, bool create, store **opened, besd_error *error) {
    path = path ? path : ":memory:";
    if (!create && access(path, F_OK) != 0)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    if (create && leads_nowhere(path))
        return besd_fail(error, BESD_IO,
                         "%s: it is a link to a file that is not there; remove the link, or make "
                         "the study where it leads",
                         path);
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
    sqlite3 *file = s->file.origin ? s->file.origin : s->file.db;
    const char *name = sqlite3_db_filename(file, "main");
    return name ? name : "";
}

besd_status store_begin(store *s, besd_error *error) {
    return database_begin(&s->file, error);
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

const char *store_path(const store *s) {
    return s->file.path;
}

besd_status store_gather(store *s, besd_error *error) {
    return database_gather(&s->file, error);
}

besd_status store_settle(store *s, besd_error *error) {
    return database_settle(&s->file, error);
}

void store_scatter(store *s) {
    database_scatter(&s->file);
}

/* A copy of a text in a row. */
static besd_status copy_text(const store *s, sqlite3_stmt *row, int column, char **text,
                             besd_error *error) {
    *text = NULL;
    if (sqlite3_column_type(row, column) != SQLITE_TEXT)
        return besd_fail(error, BESD_IO, "%s: it is damaged: a text is missing", s->file.path);
    const char *stored = (const char *)sqlite3_column_text(row, column);
    *text = stored ? strdup(stored) : NULL;
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
    if (result == SQLITE_ROW)
        status = copy_text(s, statement, 0, text, error);
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

besd_status store_remove_text(store *s, const char *key, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status =
        database_prepare(&s->file, "DELETE FROM text WHERE key = ?", &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    return database_finish(&s->file, statement, error);
}

besd_status store_get_fit(store *s, int64_t *told, char **text, besd_error *error) {
    sqlite3_stmt *statement;
    int64_t most = *told;
    *told = 0;
    *text = NULL;
    besd_status status =
        database_prepare(&s->file,
                         "SELECT told, numbers FROM fit WHERE told >= 1 AND told <= ?"
                         " ORDER BY told DESC LIMIT 1",
                         &statement, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_int64(statement, 1, most);
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        *told = sqlite3_column_int64(statement, 0);
        status = copy_text(s, statement, 1, text, error);
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

besd_status store_add_views(store *s, besd_error *error) {
    return store_make_views(&s->file, error);
}

besd_status store_last_full_fit(store *s, int64_t *told, besd_error *error) {
    return database_read_integer(&s->file,
                                 "SELECT coalesce(max(told), 0) FROM fit WHERE is_full"
                                 " AND told BETWEEN 1 AND 1000000000", /* no study has more */
                                 told, error);
}

besd_status store_forget_fits(store *s, besd_error *error) {
    return database_run(&s->file, "DELETE FROM fit", error);
}
