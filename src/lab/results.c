/* Opening the results, settling what they are about, writing jobs. */
#include "core/error.h"
#include "lab/results_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Schema 2: learning curves are read on more instances than tests. Schema 3: their optimum, and
 * the test of learning without subgoals, are kept; the identity stands with the rest. */
enum { APPLICATION_ID = 0x62736472 /* "bsdr" */, SCHEMA = 3, BUSY_MS = 60000 };

static const char schema[] =
    "CREATE TABLE contest(domain TEXT PRIMARY KEY, identity TEXT NOT NULL, maximise INT NOT NULL,"
    " budget REAL NOT NULL,"
    " instances INT NOT NULL, checkpoint INT NOT NULL, seed INT NOT NULL, optimum REAL,"
    " curve_optimum REAL, plain_score REAL NOT NULL);"
    "CREATE TABLE plain(domain TEXT NOT NULL, k INT NOT NULL, mean REAL NOT NULL,"
    " PRIMARY KEY(domain, k)) WITHOUT ROWID;"
    "CREATE TABLE job(id INTEGER PRIMARY KEY, domain TEXT NOT NULL, method TEXT NOT "
    "NULL,"
    " replication INT NOT NULL, dimension INT NOT NULL, UNIQUE(domain, method, replication));"
    "CREATE TABLE point(job INT NOT NULL, k INT NOT NULL, cost REAL NOT NULL, mean "
    "REAL, se REAL,"
    " theta TEXT NOT NULL, PRIMARY KEY(job, k)) WITHOUT ROWID;"
    "CREATE TABLE curve(job INT NOT NULL, k INT NOT NULL, mean REAL NOT NULL,"
    " PRIMARY KEY(job, k)) WITHOUT ROWID;"
    "CREATE TABLE trial(job INT NOT NULL, k INT NOT NULL, theta TEXT NOT NULL, tau "
    "INT NOT NULL,"
    " reps INT NOT NULL, reason INT NOT NULL, cost REAL NOT NULL, mean REAL NOT NULL,"
    " PRIMARY KEY(job, k)) WITHOUT ROWID;"
    "CREATE TABLE effort(seconds REAL NOT NULL);"
    "INSERT INTO effort VALUES(0);";

/* The system's reason for an error of reading or writing, 0: not known. SQLite passes some on; the
 * others it keeps with the files, the log and the one that we named. */
static int system_cause(const results *r) {
    sqlite3_file *log = NULL;
    int cause = sqlite3_system_errno(r->db);
    if (!cause)
        sqlite3_file_control(r->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, (void *)&log);
    if (log && log->pMethods)
        log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &cause);
    if (!cause)
        sqlite3_file_control(r->db, "main", SQLITE_FCNTL_LAST_ERRNO, &cause);
    return cause;
}

besd_status results_fail(const results *r, besd_error *error) {
    int code = sqlite3_errcode(r->db) & 0xff;
    int cause = code == SQLITE_IOERR || code == SQLITE_CANTOPEN ? system_cause(r) : 0;
    if (code == SQLITE_BUSY)
        return besd_fail(error, BESD_IO, "%s: another process has kept it locked for %d s",
                         r->path, BUSY_MS / 1000);
    const char *text = code == SQLITE_FULL      ? "could not be written: the disk is full"
                       : code == SQLITE_IOERR   ? "could not be read or written"
                       : code == SQLITE_CORRUPT ? "it is damaged"
                       : code == SQLITE_NOTADB  ? "it does not hold results of a comparison"
                                                : sqlite3_errmsg(r->db);
    return besd_fail(error, BESD_IO, "%s: %s%s%s", r->path, text, cause ? ": " : "",
                     cause ? strerror(cause) : "");
}

static besd_status run(results *r, const char *sql, besd_error *error) {
    return sqlite3_exec(r->db, sql, NULL, NULL, NULL) == SQLITE_OK ? BESD_OK
                                                                   : results_fail(r, error);
}

besd_status results_prepare(results *r, sqlite3_stmt **statement, besd_error *error,
                            const char *sql) {
    return sqlite3_prepare_v2(r->db, sql, -1, statement, NULL) == SQLITE_OK
               ? BESD_OK
               : results_fail(r, error);
}

/* Runs a statement that gives no rows, and makes it ready for the next. */
static besd_status step(results *r, sqlite3_stmt *statement, besd_error *error) {
    besd_status status = sqlite3_step(statement) == SQLITE_DONE ? BESD_OK : results_fail(r, error);
    sqlite3_reset(statement);
    return status;
}

besd_status results_finish(results *r, sqlite3_stmt *statement, int code, besd_error *error) {
    besd_status status =
        code == SQLITE_DONE || code == SQLITE_ROW ? BESD_OK : results_fail(r, error);
    sqlite3_finalize(statement);
    return status;
}

static besd_status read_integer(results *r, const char *sql, int64_t *value, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = results_prepare(r, &statement, error, sql);
    if (status != BESD_OK)
        return status;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *value = sqlite3_column_int64(statement, 0);
    else
        status = results_fail(r, error);
    sqlite3_finalize(statement);
    return status;
}

/* Is the file new, results, or something else? Reads only. */
static besd_status recognise(results *r, bool *is_new, besd_error *error) {
    int64_t application = 0, version = 0, tables = 0;
    besd_status status = read_integer(r, "PRAGMA application_id", &application, error);
    if (status == BESD_OK)
        status = read_integer(r, "PRAGMA user_version", &version, error);
    if (status == BESD_OK)
        status = read_integer(r, "SELECT count(*) FROM sqlite_master", &tables, error);
    if (status != BESD_OK)
        return status;
    *is_new = application == 0 && tables == 0;
    if (*is_new)
        return BESD_OK;
    if (application != APPLICATION_ID)
        return besd_fail(error, BESD_IO, "%s: it does not hold results of a comparison", r->path);
    if (version != SCHEMA)
        return besd_fail(error, BESD_IO,
                         "%s: its results are of version %lld, this besd reads version %d; choose "
                         "another folder",
                         r->path, (long long)version, SCHEMA);
    return BESD_OK;
}

static besd_status end(results *r, besd_status status, besd_error *error) {
    if (status == BESD_OK)
        status = run(r, "COMMIT", error);
    if (status != BESD_OK && !sqlite3_get_autocommit(r->db))
        sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* Several comparisons may begin in one folder at once: the second finds the tables made. */
static besd_status make_tables(results *r, besd_error *error) {
    char marks[96];
    bool is_new = false;
    snprintf(marks, sizeof marks, "PRAGMA application_id=%d; PRAGMA user_version=%d;",
             APPLICATION_ID, SCHEMA);
    besd_status status = run(r, "BEGIN IMMEDIATE", error);
    if (status == BESD_OK)
        status = recognise(r, &is_new, error);
    if (status == BESD_OK && is_new)
        status = run(r, schema, error);
    if (status == BESD_OK && is_new)
        status = run(r, marks, error);
    return end(r, status, error);
}

/* Changing the journal needs the file alone for a moment, and SQLite does not wait for that. */
static besd_status use_log(results *r, besd_error *error) {
    enum { STEP_MS = 5 };
    for (int waited = 0;; waited += STEP_MS) {
        besd_status status = run(r, "PRAGMA journal_mode=WAL", error);
        if (status == BESD_OK || (sqlite3_errcode(r->db) & 0xff) != SQLITE_BUSY ||
            waited >= BUSY_MS)
            return status;
        sqlite3_sleep(STEP_MS);
    }
}

/* Nothing is written before the file is known to hold results, or to become one that does. */
static besd_status prepare_file(results *r, bool create, besd_error *error) {
    bool is_new = false;
    besd_status status = run(r, "BEGIN", error); /* one moment for all that recognise reads */
    if (status == BESD_OK)
        status = recognise(r, &is_new, error);
    status = end(r, status, error);
    if (status == BESD_OK && is_new && !create)
        return besd_fail(error, BESD_IO, "%s: it does not hold results of a comparison", r->path);
    if (status == BESD_OK && is_new)
        status = use_log(r, error);
    if (status == BESD_OK && is_new)
        status = make_tables(r, error);
    return status == BESD_OK ? run(r, "PRAGMA synchronous=NORMAL", error) : status;
}

besd_status results_open(const char *path, bool create, results **opened, besd_error *error) {
    results *r = calloc(1, sizeof *r);
    if (r)
        r->path = strdup(path);
    if (!r || !r->path) {
        free(r);
        return besd_fail_memory(error, "the results");
    }
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
    besd_status status =
        sqlite3_open_v2(path, &r->db, flags, NULL) == SQLITE_OK ? BESD_OK : results_fail(r, error);
    if (status == BESD_OK) {
        sqlite3_busy_timeout(r->db, BUSY_MS);
        status = prepare_file(r, create, error);
    }
    if (status != BESD_OK) {
        results_close(r);
        return status;
    }
    *opened = r;
    return BESD_OK;
}

void results_close(results *r) {
    if (!r)
        return;
    sqlite3_close(r->db);
    free(r->path);
    free(r);
}

/* Appends "; name: was, now is" to the sentence at `text`. */
static void note_difference(char *text, size_t size, const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    if (length && length < size - 1)
        text[length++] = ';';
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static besd_status compare_contests(const results *r, const results_contest *old,
                                    const results_contest *now, besd_error *error) {
    char text[300] = "";
    if (old->budget != now->budget)
        note_difference(text, sizeof text, " budget: %.10g, now %.10g", old->budget, now->budget);
    if (old->instances != now->instances)
        note_difference(text, sizeof text, " test instances: %" PRId64 ", now %" PRId64,
                        old->instances, now->instances);
    if (old->checkpoint != now->checkpoint)
        note_difference(text, sizeof text, " checkpoint: %" PRId64 ", now %" PRId64,
                        old->checkpoint, now->checkpoint);
    if (old->seed != now->seed)
        note_difference(text, sizeof text, " seed: %" PRIu64 ", now %" PRIu64, old->seed,
                        now->seed);
    if (*text)
        return besd_fail(error, BESD_INVALID,
                         "%s holds results of other settings for %s:%s; choose another folder",
                         r->path, old->domain, text);
    if (strcmp(old->identity, now->identity) != 0)
        return besd_fail(error, BESD_INVALID,
                         "%s holds results of '%.150s', got '%.150s'; choose another folder",
                         r->path, old->identity, now->identity);
    return BESD_OK;
}

besd_status results_settle(results *r, results_contest *c, bool *found, besd_error *error) {
    results_contest old = {0};
    besd_status status = results_find_contest(r, c->domain, &old, found, error);
    if (status != BESD_OK || !*found)
        return status;
    status = compare_contests(r, &old, c, error);
    *c = old;
    return status;
}

static besd_status insert_contest(results *r, const results_contest *c, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status =
        results_prepare(r, &s, error, "INSERT OR IGNORE INTO contest VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(s, 1, c->domain, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, c->identity, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 3, c->maximise);
    sqlite3_bind_double(s, 4, c->budget);
    sqlite3_bind_int64(s, 5, c->instances);
    sqlite3_bind_int64(s, 6, c->checkpoint);
    sqlite3_bind_int64(s, 7, (int64_t)c->seed);
    sqlite3_bind_double(s, 8, c->optimum);
    sqlite3_bind_double(s, 9, c->curve_optimum);
    sqlite3_bind_double(s, 10, c->plain_score);
    status = step(r, s, error);
    sqlite3_finalize(s);
    return status;
}

static besd_status insert_plain(results *r, const results_contest *c, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status =
        results_prepare(r, &s, error, "INSERT OR IGNORE INTO plain VALUES(?, ?, ?)");
    for (int k = 0; status == BESD_OK && k < JOB_CHECKPOINTS; k++) {
        sqlite3_bind_text(s, 1, c->domain, -1, SQLITE_STATIC);
        sqlite3_bind_int(s, 2, k);
        sqlite3_bind_double(s, 3, c->plain[k]);
        status = step(r, s, error);
    }
    sqlite3_finalize(s);
    return status;
}

besd_status results_add_contest(results *r, const results_contest *c, besd_error *error) {
    besd_status status = run(r, "BEGIN IMMEDIATE", error);
    if (status == BESD_OK)
        status = insert_contest(r, c, error);
    if (status == BESD_OK)
        status = insert_plain(r, c, error);
    return end(r, status, error);
}

besd_status results_has(results *r, const char *on, const char *method, int replication, bool *has,
                        besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = results_prepare(
        r, &s, error, "SELECT 1 FROM job WHERE domain = ? AND method = ? AND replication = ?");
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(s, 1, on, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, method, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 3, replication);
    int code = sqlite3_step(s);
    *has = code == SQLITE_ROW;
    return results_finish(r, s, code, error);
}

/* Theta as a JSON array that reads back to the same bits. */
static void print_theta(const double *theta, size_t dimension, char *text, size_t size) {
    int length = snprintf(text, size, "[");
    for (size_t i = 0; i < dimension && length < (int)size; i++)
        length += snprintf(text + length, size - (size_t)length, "%s%.17g", i ? "," : "", theta[i]);
    if (length < (int)size)
        snprintf(text + length, size - (size_t)length, "]");
}

static besd_status insert_job(results *r, const char *on, const char *method, int replication,
                              const job_result *job, int64_t *id, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status =
        results_prepare(r, &s, error,
                        "INSERT OR IGNORE INTO job(domain, method, replication, dimension)"
                        " VALUES(?, ?, ?, ?)");
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(s, 1, on, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, method, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 3, replication);
    sqlite3_bind_int64(s, 4, (int64_t)job->dimension);
    status = step(r, s, error);
    *id = sqlite3_changes(r->db) ? sqlite3_last_insert_rowid(r->db) : 0;
    sqlite3_finalize(s);
    return status;
}

enum { THETA_TEXT = 26 * BESD_MAX_DIMENSION };

static besd_status insert_points(results *r, int64_t id, const job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    char theta[THETA_TEXT];
    besd_status status =
        results_prepare(r, &s, error, "INSERT INTO point VALUES(?, ?, ?, ?, ?, ?)");
    for (int k = 0; status == BESD_OK && k < JOB_POINTS; k++) {
        const job_point *p = &job->points[k];
        print_theta(p->theta, job->dimension, theta, sizeof theta);
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int(s, 2, k);
        sqlite3_bind_double(s, 3, p->cost);
        sqlite3_bind_double(s, 4, p->known ? p->mean : NAN); /* NaN becomes NULL */
        sqlite3_bind_double(s, 5, p->known ? p->se : NAN);
        sqlite3_bind_text(s, 6, theta, -1, SQLITE_STATIC);
        status = step(r, s, error);
    }
    sqlite3_finalize(s);
    return status;
}

static besd_status insert_curve(results *r, int64_t id, const job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = results_prepare(r, &s, error, "INSERT INTO curve VALUES(?, ?, ?)");
    for (int k = 0; status == BESD_OK && k < JOB_CHECKPOINTS; k++) {
        if (isnan(job->curve[k]))
            continue;
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int(s, 2, k);
        sqlite3_bind_double(s, 3, job->curve[k]);
        status = step(r, s, error);
    }
    sqlite3_finalize(s);
    return status;
}

static besd_status insert_trials(results *r, int64_t id, const job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    char theta[THETA_TEXT];
    besd_status status =
        results_prepare(r, &s, error, "INSERT INTO trial VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    for (size_t k = 0; status == BESD_OK && k < job->trial_count; k++) {
        const job_trial *t = &job->trials[k];
        print_theta(t->theta, job->dimension, theta, sizeof theta);
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int64(s, 2, (int64_t)k);
        sqlite3_bind_text(s, 3, theta, -1, SQLITE_STATIC);
        sqlite3_bind_int64(s, 4, t->tau);
        sqlite3_bind_int(s, 5, t->reps);
        sqlite3_bind_int(s, 6, t->reason);
        sqlite3_bind_double(s, 7, t->cost);
        sqlite3_bind_double(s, 8, t->mean);
        status = step(r, s, error);
    }
    sqlite3_finalize(s);
    return status;
}

static besd_status add_seconds(results *r, double seconds, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = results_prepare(r, &s, error, "UPDATE effort SET seconds = seconds + ?");
    if (status != BESD_OK)
        return status;
    sqlite3_bind_double(s, 1, seconds);
    status = step(r, s, error);
    sqlite3_finalize(s);
    return status;
}

besd_status results_add(results *r, const char *on, const char *method, int replication,
                        const job_result *job, double seconds, besd_error *error) {
    int64_t id = 0;
    besd_status status = run(r, "BEGIN IMMEDIATE", error);
    if (status == BESD_OK)
        status = insert_job(r, on, method, replication, job, &id, error);
    if (status == BESD_OK)
        status = add_seconds(r, seconds, error);
    if (status == BESD_OK && !id) /* another process has been faster; its result is the same */
        return end(r, status, error);
    if (status == BESD_OK)
        status = insert_points(r, id, job, error);
    if (status == BESD_OK)
        status = insert_curve(r, id, job, error);
    if (status == BESD_OK)
        status = insert_trials(r, id, job, error);
    return end(r, status, error);
}
