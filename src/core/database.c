/* Statements, opening, transactions, and the meaning of SQLite's errors.
 *
 * Opening recognises and checks a file before anything is written to it, makes it, or brings it up
 * to date. A file of an older schema that is only to be read is copied to memory, and the copy is
 * brought up to date; `origin` is the file then, and `db` the copy. */
#include "core/database.h"

#include "core/database_state.h"
#include "core/error.h"
#include "core/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_MS = 60000 };

/* When SQLite cannot make a file it tries to read it, and then only reports that it is not there.
 * The folder gives the real reason. */
static int reason_not_to_open(const database *d) {
    int code = sqlite3_system_errno(d->db);
    return code == ENOENT && d->may_create && !database_file_is_writable(d->path) ? errno : code;
}

/* SQLite has no room for longer names, and calls them invalid. */
static const char *name_reason(int code) {
    return code && code != EINVAL
               ? strerror(code)
               : "with all its folders the name is longer than SQLite takes, 511 bytes";
}

static bool cannot_recover(const database *d) {
    char *archive = database_file_find_archive(d->path);
    bool stuck = archive && database_file_has_log(archive);
    free(archive);
    return stuck;
}

/* The errno of an error of reading or writing, 0: not known. SQLite passes some on; it keeps the
 * others with its files: the log, and the database. */
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
    besd_status status = database_file_check_place(d, error);
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

/* Other processes hold a lock for a few milliseconds, the time that a disk takes. SQLite's own
 * handler sleeps up to 100 ms between two looks, which would make a tell that waits beside many
 * others slow. */
static int nap(void *context, int looks) {
    enum { SHORT_NAPS = 50, LONG_NAP = 5 };
    (void)context;
    sqlite3_sleep(looks < SHORT_NAPS ? 1 : LONG_NAP);
    return looks < SHORT_NAPS + BUSY_MS / LONG_NAP;
}

/* Is the file new, of this kind, or something else, and of which schema? Reads only. */
static besd_status recognise(database *d, bool *is_new, int64_t *schema, besd_error *error) {
    const database_kind *k = d->kind;
    int64_t application = 0, version = 0, tables = 0;
    besd_status status = database_read_integer(d, "PRAGMA application_id", &application, error);
    if (status == BESD_OK)
        status = database_read_integer(d, "PRAGMA user_version", &version, error);
    if (status == BESD_OK)
        status = database_read_integer(d, "SELECT count(*) FROM sqlite_master", &tables, error);
    if (status != BESD_OK)
        return status;
    *is_new = application == 0 && tables == 0;
    *schema = *is_new ? k->schema : version;
    if (*is_new)
        return BESD_OK;
    if (application != k->application)
        return besd_fail(error, BESD_IO, "%s: it is not %s", d->path, k->what);
    if (version < k->oldest || version > k->schema)
        return besd_fail(error, BESD_IO,
                         "%s: it was written by %s besd (schema %lld, this one knows %d)%s",
                         d->path, version > k->schema ? "a newer" : "an older", (long long)version,
                         k->schema, k->advice);
    return BESD_OK;
}

/* Writes what the file is. */
static besd_status mark(database *d, besd_error *error) {
    char marks[96];
    snprintf(marks, sizeof marks, "PRAGMA application_id=%d; PRAGMA user_version=%d;",
             d->kind->application, d->kind->schema);
    return database_run(d, marks, error);
}

/* Several processes may want to make the same file, or bring it up to date: the second process
 * finds that it is done. */
static besd_status make_or_migrate(database *d, besd_error *error) {
    bool is_new = false;
    int64_t schema = 0;
    besd_status status = database_run(d, "BEGIN IMMEDIATE", error);
    if (status != BESD_OK)
        return status;
    status = recognise(d, &is_new, &schema, error);
    bool is_old = schema < d->kind->schema;
    if (status == BESD_OK && is_new)
        status = database_run(d, d->kind->tables, error);
    else if (status == BESD_OK && is_old)
        status = d->kind->migrate(d, schema, error);
    if (status == BESD_OK && (is_new || is_old))
        status = mark(d, error);
    return database_end(d, status, error);
}

/* Copies the file to memory; returns SQLite's code. */
static int copy_to_memory(sqlite3 *file, sqlite3 **copy) {
    int code = sqlite3_open_v2(
        ":memory:", copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK)
        return code;
    sqlite3_backup *backup = sqlite3_backup_init(*copy, "main", file, "main");
    if (!backup)
        return SQLITE_NOMEM;
    int copied = sqlite3_backup_step(backup, -1);
    code = sqlite3_backup_finish(backup);
    return code == SQLITE_OK && copied != SQLITE_DONE ? copied
                                                      : code; /* another process writes it */
}

/* A copy in memory takes the place of a file that must not be changed. */
static besd_status move_to_memory(database *d, besd_error *error) {
    sqlite3 *copy = NULL;
    besd_status status = database_read_integer(d, "PRAGMA data_version", &d->copied, error);
    if (status != BESD_OK)
        return status;
    int code = copy_to_memory(d->db, &copy);
    if (code != SQLITE_OK) {
        sqlite3_close(copy);
        if (code == SQLITE_NOMEM)
            return besd_fail_memory(error, d->kind->what);
        return besd_fail(error, BESD_IO, "%s: could not be read into memory: %s", d->path,
                         sqlite3_errstr(code));
    }
    d->origin = d->db;
    d->db = copy;
    sqlite3_extended_result_codes(d->db, 1);
    return database_file_distrust(d, error);
}

/* A change of the journal needs the file alone for a moment, and SQLite does not wait for that. */
static besd_status use_wal(database *d, besd_error *error) {
    enum { STEP_MS = 5 };
    for (int waited = 0;; waited += STEP_MS) {
        besd_status status = database_run(d, "PRAGMA journal_mode=WAL", error);
        if (status == BESD_OK || (sqlite3_errcode(d->db) & 0xff) != SQLITE_BUSY ||
            waited >= BUSY_MS)
            return status;
        sqlite3_sleep(STEP_MS);
    }
}

/* Finds out, within one transaction, what the file is and whether it is sound. */
static besd_status examine(database *d, bool *is_new, int64_t *schema, besd_error *error) {
    besd_status status = database_run(d, "BEGIN", error);
    if (status != BESD_OK)
        return status;
    status = recognise(d, is_new, schema, error);
    if (status == BESD_OK && !*is_new)
        status = database_file_check(d, *schema, error);
    database_rollback(d);
    return status;
}

/* Nothing is written before the file is known to be of this kind, or to be empty. Nothing at all is
 * written to an older file that is only to be read: a copy of it is brought up to date. */
static besd_status prepare_file(database *d, besd_error *error) {
    char durability[64];
    bool is_new = false;
    int64_t schema = 0;
    snprintf(durability, sizeof durability, "PRAGMA synchronous=%s", d->kind->durable);
    besd_status status = examine(d, &is_new, &schema, error);
    if (status != BESD_OK)
        return status;
    bool is_old = schema < d->kind->schema;
    if (is_new && !d->may_create)
        return besd_fail(error, BESD_IO, "%s: it is empty, not %s", d->path, d->kind->what);
    status = database_run(d, durability, error);
    if (status == BESD_OK && is_old)
        status = move_to_memory(d, error);
    else if (status == BESD_OK && d->may_create)
        status = use_wal(d, error);
    if (status == BESD_OK && (is_new || is_old))
        status = make_or_migrate(d, error);
    /* what is written to a copy in memory would be lost */
    return status == BESD_OK && d->origin ? database_run(d, "PRAGMA query_only=ON", error) : status;
}

/* The same database, but the file itself in the place of its copy. */
static database without_copy(const database *d) {
    database file = *d;
    file.db = d->origin;
    file.origin = NULL;
    return file;
}

/* Before a copy is written: the file itself is brought up to date, and takes the place of the copy.
 */
static besd_status prepare_writing(database *d, besd_error *error) {
    database file = without_copy(d);
    if (sqlite3_db_readonly(file.db, "main") == 1)
        return BESD_OK; /* and the copy refuses what is written */
    besd_status status = make_or_migrate(&file, error);
    if (status != BESD_OK)
        return status;
    sqlite3_close(d->db);
    *d = file;
    return BESD_OK;
}

/* Before a copy is read: what others have written to the file since is read anew. */
static besd_status prepare_reading(database *d, besd_error *error) {
    database file = without_copy(d);
    int64_t version = 0;
    besd_status status = database_read_integer(&file, "PRAGMA data_version", &version, error);
    if (status != BESD_OK || version == d->copied)
        return status;
    status = prepare_file(&file, error);
    if (status != BESD_OK) {
        if (file.origin)
            sqlite3_close(file.db);
        return status;
    }
    sqlite3_close(d->db);
    *d = file;
    return BESD_OK;
}

static int open_file(database *d) {
    int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (d->may_create ? SQLITE_OPEN_CREATE : 0);
    char *archive = d->may_create ? NULL : database_file_find_archive(d->path);
    int code = archive && !database_file_has_log(archive)
                   ? database_file_open_archive(archive, &d->db)
                   : database_file_open(d->path, flags, &d->db);
    free(archive);
    return code;
}

besd_status database_open(database *d, const char *path, bool create, const database_kind *kind,
                          besd_error *error) {
    *d = (database){.kind = kind, .path = strdup(path), .may_create = create, .owner = getpid()};
    if (!d->path)
        return besd_fail_memory(error, kind->what);
    int code = open_file(d);
    besd_status status = code == SQLITE_OK ? BESD_OK
                         : d->db           ? database_fail(d, error)
                                           : besd_fail_memory(error, kind->what);
    if (status == BESD_OK) {
        sqlite3_extended_result_codes(d->db, 1);
        sqlite3_busy_handler(d->db, nap, NULL);
        database_file_remember(d);
        status = database_file_distrust(d, error);
    }
    if (status == BESD_OK)
        status = prepare_file(d, error);
    if (status != BESD_OK)
        database_close(d);
    return status;
}

/* To close SQLite's part in a forked process would touch the file and the locks of the other one.
 */
void database_close(database *d) {
    if (!d->stands || d->owner == getpid()) {
        sqlite3_close(d->db);
        sqlite3_close(d->origin);
    }
    free(d->path);
    *d = (database){0};
}

static besd_status fail_gathering(const database *d, besd_error *error) {
    return besd_fail(error, BESD_IO, "%s: could not be written; nothing was changed", d->path);
}

/* A full disk, for example, ends the whole transaction and not only the part. What was gathered is
 * then gone, and a new part would stand alone. */
static besd_status begin_part(database *d, besd_error *error) {
    return sqlite3_get_autocommit(d->db) ? fail_gathering(d, error)
                                         : database_run(d, "SAVEPOINT part", error);
}

besd_status database_begin(database *d, besd_error *error) {
    besd_status status = database_file_check_place(d, error);
    if (status == BESD_OK && d->gathers)
        return begin_part(d, error);
    if (status == BESD_OK && d->origin)
        status = prepare_writing(d, error);
    return status == BESD_OK ? database_run(d, "BEGIN IMMEDIATE", error) : status;
}

besd_status database_begin_reading(database *d, besd_error *error) {
    besd_status status = database_file_check_place(d, error);
    if (status == BESD_OK && d->gathers)
        return begin_part(d, error);
    if (status == BESD_OK && d->origin)
        status = prepare_reading(d, error);
    return status == BESD_OK ? database_run(d, "BEGIN", error) : status;
}

besd_status database_commit(database *d, besd_error *error) {
    besd_status status = database_file_check_place(d, error);
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
