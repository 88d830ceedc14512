/* Opening the results, settling what they are about, writing jobs. */
#include "contest/results_state.h"
#include "core/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char tables[] =
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

#define RESULTS_CHANGE_TABLE                                                                       \
    "CREATE TABLE IF NOT EXISTS change(job INT NOT NULL, k INT NOT NULL, mean REAL NOT NULL,"      \
    " se REAL NOT NULL, theta TEXT NOT NULL, PRIMARY KEY(job, k)) WITHOUT ROWID"

/* Schema 2: learning curves are read on more instances than tests. Schema 3: their optimum, and
 * the test of learning without subgoals, are kept; the identity stands with the rest. */
static const database_kind kind = {.what = "the results of a comparison",
                                   .application = 0x62736472, /* "bsdr" */
                                   .schema = 3,
                                   .oldest = 3,
                                   .advice = "; choose another folder",
                                   .tables = tables,
                                   .optional = RESULTS_CHANGE_TABLE,
                                   .durable = "NORMAL"};

besd_status results_open(const char *path, bool create, results **opened, besd_error *error) {
    results *r = calloc(1, sizeof *r);
    if (!r)
        return besd_fail_memory(error, "the results");
    besd_status status = database_open(&r->file, path, create, &kind, error);
    if (status == BESD_OK)
        *opened = r;
    else
        free(r);
    return status;
}

void results_close(results *r) {
    if (!r)
        return;
    database_close(&r->file);
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
    char text[450] = "";
    if (old->budget != now->budget)
        note_difference(text, sizeof text, " budget: %.17g, now %.17g", old->budget, now->budget);
    if (old->instances != now->instances)
        note_difference(text, sizeof text, " test instances: %" PRId64 ", now %" PRId64,
                        old->instances, now->instances);
    if (old->checkpoint != now->checkpoint)
        note_difference(text, sizeof text, " checkpoint: %" PRId64 ", now %" PRId64,
                        old->checkpoint, now->checkpoint);
    if (old->seed != now->seed)
        note_difference(text, sizeof text, " seed: %" PRIu64 ", now %" PRIu64, old->seed,
                        now->seed);
    if (strcmp(old->identity, now->identity) != 0)
        note_difference(text, sizeof text, " domain: '%.120s', now '%.120s'", old->identity,
                        now->identity);
    if (*text)
        return besd_fail(error, BESD_INVALID,
                         "%s holds results of other settings for %s:%s; choose another folder",
                         r->file.path, old->domain, text);
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
    besd_status status = database_prepare(
        &r->file, "INSERT OR IGNORE INTO contest VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", &s, error);
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
    status = database_step(&r->file, s, error);
    sqlite3_finalize(s);
    return status;
}

static besd_status insert_plain(results *r, const results_contest *c, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status =
        database_prepare(&r->file, "INSERT OR IGNORE INTO plain VALUES(?, ?, ?)", &s, error);
    for (int k = 0; status == BESD_OK && k < JOB_CHECKPOINTS; k++) {
        sqlite3_bind_text(s, 1, c->domain, -1, SQLITE_STATIC);
        sqlite3_bind_int(s, 2, k);
        sqlite3_bind_double(s, 3, c->plain[k]);
        status = database_step(&r->file, s, error);
    }
    sqlite3_finalize(s);
    return status;
}

besd_status results_add_contest(results *r, const results_contest *c, besd_error *error) {
    besd_status status = database_begin(&r->file, error);
    if (status == BESD_OK)
        status = insert_contest(r, c, error);
    if (status == BESD_OK)
        status = insert_plain(r, c, error);
    return database_end(&r->file, status, error);
}

besd_status results_has(results *r, const char *on, const char *method, int replication, bool *has,
                        besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = database_prepare(
        &r->file, "SELECT 1 FROM job WHERE domain = ? AND method = ? AND replication = ?", &s,
        error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(s, 1, on, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, method, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 3, replication);
    int code = sqlite3_step(s);
    *has = code == SQLITE_ROW;
    return database_end_reading(&r->file, s, code, error);
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
        database_prepare(&r->file,
                         "INSERT OR IGNORE INTO job(domain, method, replication, dimension)"
                         " VALUES(?, ?, ?, ?)",
                         &s, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_text(s, 1, on, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, method, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 3, replication);
    sqlite3_bind_int64(s, 4, (int64_t)job->dimension);
    status = database_step(&r->file, s, error);
    *id = sqlite3_changes(r->file.db) ? sqlite3_last_insert_rowid(r->file.db) : 0;
    sqlite3_finalize(s);
    return status;
}

enum { THETA_TEXT = 26 * BESD_MAX_DIMENSION };

static besd_status insert_points(results *r, int64_t id, const job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    char theta[THETA_TEXT];
    besd_status status =
        database_prepare(&r->file, "INSERT INTO point VALUES(?, ?, ?, ?, ?, ?)", &s, error);
    for (int k = 0; status == BESD_OK && k < JOB_POINTS; k++) {
        const job_point *p = &job->points[k];
        print_theta(p->theta, job->dimension, theta, sizeof theta);
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int(s, 2, k);
        sqlite3_bind_double(s, 3, p->cost);
        sqlite3_bind_double(s, 4, p->known ? p->mean : NAN); /* NaN becomes NULL */
        sqlite3_bind_double(s, 5, p->known ? p->se : NAN);
        sqlite3_bind_text(s, 6, theta, -1, SQLITE_STATIC);
        status = database_step(&r->file, s, error);
    }
    sqlite3_finalize(s);
    return status;
}

static besd_status insert_curve(results *r, int64_t id, const job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status = database_prepare(&r->file, "INSERT INTO curve VALUES(?, ?, ?)", &s, error);
    for (int k = 0; status == BESD_OK && k < JOB_CHECKPOINTS; k++) {
        if (isnan(job->curve[k]))
            continue;
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int(s, 2, k);
        sqlite3_bind_double(s, 3, job->curve[k]);
        status = database_step(&r->file, s, error);
    }
    sqlite3_finalize(s);
    return status;
}

static besd_status insert_trials(results *r, int64_t id, const job_result *job, besd_error *error) {
    sqlite3_stmt *s;
    char theta[THETA_TEXT];
    besd_status status =
        database_prepare(&r->file, "INSERT INTO trial VALUES(?, ?, ?, ?, ?, ?, ?, ?)", &s, error);
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
        status = database_step(&r->file, s, error);
    }
    sqlite3_finalize(s);
    return status;
}

/* The table is there only where changes were tested. */
static besd_status insert_changes(results *r, int64_t id, const job_result *job,
                                  besd_error *error) {
    sqlite3_stmt *s;
    char theta[THETA_TEXT];
    size_t k = 0;
    while (k < job->trial_count && !job->trials[k].change.known)
        k++;
    if (k == job->trial_count)
        return BESD_OK;
    besd_status status = database_prepare(&r->file, RESULTS_CHANGE_TABLE, &s, error);
    if (status == BESD_OK)
        status = database_finish(&r->file, s, error);
    if (status == BESD_OK)
        status = database_prepare(&r->file, "INSERT INTO change VALUES(?, ?, ?, ?, ?)", &s, error);
    if (status != BESD_OK)
        return status;
    for (; status == BESD_OK && k < job->trial_count; k++) {
        const job_point *p = &job->trials[k].change;
        if (!p->known)
            continue;
        print_theta(p->theta, job->dimension, theta, sizeof theta);
        sqlite3_bind_int64(s, 1, id);
        sqlite3_bind_int64(s, 2, (int64_t)k);
        sqlite3_bind_double(s, 3, p->mean);
        sqlite3_bind_double(s, 4, p->se);
        sqlite3_bind_text(s, 5, theta, -1, SQLITE_STATIC);
        status = database_step(&r->file, s, error);
    }
    sqlite3_finalize(s);
    return status;
}

static besd_status add_seconds(results *r, double seconds, besd_error *error) {
    sqlite3_stmt *s;
    besd_status status =
        database_prepare(&r->file, "UPDATE effort SET seconds = seconds + ?", &s, error);
    if (status != BESD_OK)
        return status;
    sqlite3_bind_double(s, 1, seconds);
    status = database_step(&r->file, s, error);
    sqlite3_finalize(s);
    return status;
}

besd_status results_add(results *r, const char *on, const char *method, int replication,
                        const job_result *job, double seconds, besd_error *error) {
    int64_t id = 0;
    besd_status status = database_begin(&r->file, error);
    if (status == BESD_OK)
        status = insert_job(r, on, method, replication, job, &id, error);
    if (status == BESD_OK)
        status = add_seconds(r, seconds, error);
    if (status == BESD_OK && !id) /* another process has been faster; its result is the same */
        return database_end(&r->file, status, error);
    if (status == BESD_OK)
        status = insert_points(r, id, job, error);
    if (status == BESD_OK)
        status = insert_curve(r, id, job, error);
    if (status == BESD_OK)
        status = insert_trials(r, id, job, error);
    if (status == BESD_OK)
        status = insert_changes(r, id, job, error);
    return database_end(&r->file, status, error);
}
