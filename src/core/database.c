/* Statements and transactions, and what SQLite's errors mean. */
#include "core/database_state.h"

#include "core/database_place.h"
#include "core/error.h"
#include "core/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SQLite tries a second time to read what it could not make, and then only tells that it is not
 * there; the folder tells more. */
static int reason_not_to_open(const database *d) {
    int code = sqlite3_system_errno(d->db);
    return code == ENOENT && d->may_create && !place_is_writable(d->path) ? errno : code;
}

/* SQLite has no room for longer names, and calls them invalid. */
static const char *name_reason(int code) {
    return code && code != EINVAL
               ? strerror(code)
               : "with all its folders the name is longer than SQLite takes, 511 bytes";
}

static bool cannot_recover(const database *d) {
    char *archive = place_find_archive(d->path);
    bool stuck = archive && place_has_log(archive);
    free(archive);
    return stuck;
}

/* The system's reason for an error of reading or writing, 0: not known. SQLite passes some on; the
 * others it keeps with the files, the log and the one that we named. */
static int system_cause(const database *d) {
    sqlite3_file *log = NULL;
    int cause = sqlite3_system_errno(d->db);
    if (!cause)
        sqlite3_file_control(d->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, (void *)&log);
    if (log && log->pMethods)
        log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &cause);
    if (!cause)
        sqlite3_file_control(d->db, "main", SQLITE_FCNTL_LAST_ERRNO, &cause);
    return cause;
}

static besd_status fail_input_output(const database *d, besd_error *error) {
    int cause = system_cause(d);
    return besd_fail(error, BESD_IO, "%s: could not be read or written%s%s", d->path,
                     cause ? ": " : "", cause ? strerror(cause) : "");
}

besd_status database_fail(const database *d, besd_error *error) {
    char said[160]; /* which may quote the file */
    snprintf(said, sizeof said, "%s", sqlite3_errmsg(d->db));
    text_clean(said);
    switch (sqlite3_errcode(d->db) & 0xff) {
    case SQLITE_NOMEM:
        return besd_fail_memory(error, d->kind->what);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return besd_fail(error, BESD_IO, "%s: it is not %s, or it is damaged (%s)", d->path,
                         d->kind->what, said);
    case SQLITE_FULL:
        return besd_fail(error, BESD_IO,
                         "%s: could not be written: the disk is full; nothing was changed",
                         d->path);
    case SQLITE_IOERR:
        return fail_input_output(d, error);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return besd_fail(error, BESD_IO, "%s: it cannot be written (%s); nothing was changed",
                         d->path, said);
    case SQLITE_CANTOPEN:
        if (cannot_recover(d))
            return besd_fail(error, BESD_IO,
                             "%s: its log (-wal) has not been written back, and cannot be in this "
                             "folder; copy both to another",
                             d->path);
        return besd_fail(error, BESD_IO, "%s: it cannot be opened: %s", d->path,
                         name_reason(reason_not_to_open(d)));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return besd_fail(error, BESD_IO, "%s: another process has kept it locked for %d s", d->path,
                         BUSY_MS / 1000);
    default:
        return besd_fail(error, BESD_IO, "%s: %s", d->path, said);
    }
}

besd_status database_run(database *d, const char *sql, besd_error *error) {
    return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK ? BESD_OK
                                                                   : database_fail(d, error);
}

besd_status database_prepare(database *d, const char *sql, sqlite3_stmt **statement,
                             besd_error *error) {
    *statement = NULL;
    besd_status status = place_check(d, error);
    if (status == BESD_OK && sqlite3_prepare_v2(d->db, sql, -1, statement, NULL) != SQLITE_OK)
        status = database_fail(d, error);
    return status;
}

besd_status database_step(database *d, sqlite3_stmt *statement, besd_error *error) {
    besd_status status = sqlite3_step(statement) == SQLITE_DONE ? BESD_OK : database_fail(d, error);
    sqlite3_reset(statement);
    return status;
}

besd_status database_finish(database *d, sqlite3_stmt *statement, besd_error *error) {
    besd_status status = sqlite3_step(statement) == SQLITE_DONE ? BESD_OK : database_fail(d, error);
    sqlite3_finalize(statement);
    return status;
}

besd_status database_end_reading(database *d, sqlite3_stmt *statement, int code,
                                 besd_error *error) {
    besd_status status =
        code == SQLITE_DONE || code == SQLITE_ROW ? BESD_OK : database_fail(d, error);
    sqlite3_finalize(statement);
    return status;
}

besd_status database_read_integer(database *d, const char *sql, int64_t *value, besd_error *error) {
    sqlite3_stmt *statement;
    besd_status status = database_prepare(d, sql, &statement, error);
    if (status != BESD_OK)
        return status;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *value = sqlite3_column_int64(statement, 0);
    else
        status = database_fail(d, error);
    sqlite3_finalize(statement);
    return status;
}

static besd_status fail_gathering(const database *d, besd_error *error) {
    return besd_fail(error, BESD_IO, "%s: could not be written; nothing was changed", d->path);
}

/* A full disk, for one, ends more than the part it was in: what was gathered is gone, and what
 * comes now would be alone. */
static besd_status begin_part(database *d, besd_error *error) {
    return sqlite3_get_autocommit(d->db) ? fail_gathering(d, error)
                                         : database_run(d, "SAVEPOINT part", error);
}

besd_status database_begin(database *d, besd_error *error) {
    besd_status status = place_check(d, error);
    if (status == BESD_OK && d->gathers)
        return begin_part(d, error);
    if (status == BESD_OK && d->origin)
        status = database_prepare_writing(d, error);
    return status == BESD_OK ? database_run(d, "BEGIN IMMEDIATE", error) : status;
}

besd_status database_begin_reading(database *d, besd_error *error) {
    besd_status status = place_check(d, error);
    if (status == BESD_OK && d->gathers)
        return begin_part(d, error);
    if (status == BESD_OK && d->origin)
        status = database_prepare_reading(d, error);
    return status == BESD_OK ? database_run(d, "BEGIN", error) : status;
}

besd_status database_commit(database *d, besd_error *error) {
    besd_status status = place_check(d, error);
    if (status == BESD_OK)
        status = database_run(d, d->gathers ? "RELEASE part" : "COMMIT", error);
    if (status != BESD_OK)
        database_rollback(d);
    return status;
}

void database_rollback(database *d) {
    const char *sql = d->gathers ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK";
    if (!sqlite3_get_autocommit(d->db))
        sqlite3_exec(d->db, sql, NULL, NULL, NULL);
}

besd_status database_gather(database *d, besd_error *error) {
    besd_status status = database_begin(d, error);
    d->gathers = status == BESD_OK;
    return status;
}

besd_status database_settle(database *d, besd_error *error) {
    d->gathers = false;
    return sqlite3_get_autocommit(d->db) ? fail_gathering(d, error) : database_commit(d, error);
}

void database_scatter(database *d) {
    d->gathers = false;
    database_rollback(d);
}

besd_status database_end(database *d, besd_status status, besd_error *error) {
    if (status == BESD_OK)
        return database_commit(d, error);
    database_rollback(d);
    return status;
}
