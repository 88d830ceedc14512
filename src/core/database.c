#include "core/database.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_MS = 60000 };

/* May files be made beside this one? errno tells why not. */
static bool folder_is_writable(const char *path) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    return faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0;
}

/* SQLite tries a second time to read what it could not make, and then only tells that it is not
 * there; the folder tells more. */
static int reason_not_to_open(const database *d) {
    int code = sqlite3_system_errno(d->db);
    return code == ENOENT && d->may_create && !folder_is_writable(d->path) ? errno : code;
}

/* The file itself, whose log SQLite keeps beside it, when it stands in a folder where nothing can
 * be made; NULL otherwise. free() it. */
static char *find_archive(const char *path) {
    char *real = realpath(path, NULL);
    if (real && !folder_is_writable(real))
        return real;
    free(real);
    return NULL;
}

static bool has_log(const char *real) {
    char log[PATH_MAX + 8];
    snprintf(log, sizeof log, "%s-wal", real);
    return access(log, F_OK) == 0;
}

static bool cannot_recover(const database *d) {
    char *archive = find_archive(d->path);
    bool stuck = archive && has_log(archive);
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
    switch (sqlite3_errcode(d->db) & 0xff) {
    case SQLITE_NOMEM:
        return besd_fail_memory(error, d->kind->what);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return besd_fail(error, BESD_IO, "%s: it is not %s, or it is damaged (%s)", d->path,
                         d->kind->what, sqlite3_errmsg(d->db));
    case SQLITE_FULL:
        return besd_fail(error, BESD_IO,
                         "%s: could not be written: the disk is full; nothing was changed",
                         d->path);
    case SQLITE_IOERR:
        return fail_input_output(d, error);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return besd_fail(error, BESD_IO, "%s: it cannot be written (%s); nothing was changed",
                         d->path, sqlite3_errmsg(d->db));
    case SQLITE_CANTOPEN:
        if (cannot_recover(d))
            return besd_fail(error, BESD_IO,
                             "%s: its log (-wal) has not been written back, and cannot be in this "
                             "folder; copy both to another",
                             d->path);
        return besd_fail(error, BESD_IO, "%s: it cannot be opened: %s", d->path,
                         strerror(reason_not_to_open(d)));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return besd_fail(error, BESD_IO, "%s: another process has kept it locked for %d s", d->path,
                         BUSY_MS / 1000);
    default:
        return besd_fail(error, BESD_IO, "%s: %s", d->path, sqlite3_errmsg(d->db));
    }
}

besd_status database_run(database *d, const char *sql, besd_error *error) {
    return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK ? BESD_OK
                                                                   : database_fail(d, error);
}

besd_status database_prepare(database *d, const char *sql, sqlite3_stmt **statement,
                             besd_error *error) {
    return sqlite3_prepare_v2(d->db, sql, -1, statement, NULL) == SQLITE_OK
               ? BESD_OK
               : database_fail(d, error);
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

besd_status database_begin(database *d, besd_error *error) {
    return database_run(d, "BEGIN IMMEDIATE", error);
}

besd_status database_begin_reading(database *d, besd_error *error) {
    return database_run(d, "BEGIN", error);
}

besd_status database_commit(database *d, besd_error *error) {
    besd_status status = database_run(d, "COMMIT", error);
    if (status != BESD_OK)
        database_rollback(d);
    return status;
}

void database_rollback(database *d) {
    if (!sqlite3_get_autocommit(d->db))
        sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
}

besd_status database_end(database *d, besd_status status, besd_error *error) {
    if (status == BESD_OK)
        return database_commit(d, error);
    database_rollback(d);
    return status;
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

/* As what the file is to be known. */
static besd_status mark(database *d, besd_error *error) {
    char marks[96];
    snprintf(marks, sizeof marks, "PRAGMA application_id=%d; PRAGMA user_version=%d;",
             d->kind->application, d->kind->schema);
    return database_run(d, marks, error);
}

/* Several processes may want to make the same file, or bring it up to date: the second finds it
 * done. */
static besd_status make_or_migrate(database *d, besd_error *error) {
    bool is_new = false;
    int64_t schema = 0;
    besd_status status = database_begin(d, error);
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

/* Puts a copy in memory in the place of a file that cannot be written. */
static besd_status move_to_memory(database *d, besd_error *error) {
    sqlite3 *copy = NULL;
    sqlite3_backup *backup = NULL;
    int code = sqlite3_open_v2(
        ":memory:", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK)
        backup = sqlite3_backup_init(copy, "main", d->db, "main");
    if (backup) {
        int copied = sqlite3_backup_step(backup, -1);
        code = sqlite3_backup_finish(backup);
        if (code == SQLITE_OK && copied != SQLITE_DONE)
            code = copied; /* somebody is writing it */
    }
    if (code != SQLITE_OK || !backup) {
        sqlite3_close(copy);
        if (code == SQLITE_NOMEM || !backup)
            return besd_fail_memory(error, d->kind->what);
        return besd_fail(error, BESD_IO, "%s: could not be read into memory: %s", d->path,
                         sqlite3_errstr(code));
    }
    sqlite3_close(d->db);
    d->db = copy;
    sqlite3_extended_result_codes(d->db, 1);
    return BESD_OK;
}

/* Changing the journal needs the file alone for a moment, and SQLite does not wait for that. */
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

/* Nothing is written before the file is known to be of this kind, or to become so. */
static besd_status prepare_file(database *d, besd_error *error) {
    char durability[64];
    bool is_new = false;
    int64_t schema = 0;
    snprintf(durability, sizeof durability, "PRAGMA synchronous=%s", d->kind->durable);
    besd_status status = database_begin_reading(d, error);
    if (status != BESD_OK)
        return status;
    status = recognise(d, &is_new, &schema, error);
    database_rollback(d);
    if (status != BESD_OK)
        return status;
    bool is_old = schema < d->kind->schema;
    if (is_new && !d->may_create)
        return besd_fail(error, BESD_IO, "%s: it is empty, not %s", d->path, d->kind->what);
    bool in_memory = is_old && sqlite3_db_readonly(d->db, "main") == 1;
    if (in_memory)
        status = move_to_memory(d, error);
    else if (d->may_create)
        status = use_wal(d, error);
    if (status == BESD_OK)
        status = database_run(d, durability, error);
    if (status == BESD_OK && (is_new || is_old))
        status = make_or_migrate(d, error);
    /* what is written to a copy in memory would be lost */
    return status == BESD_OK && in_memory ? database_run(d, "PRAGMA query_only=ON", error) : status;
}

/* The path as SQLite's URI that says so; NULL without memory. */
static char *archive_uri(const char *path) {
    size_t size = 3 * strlen(path) + 40, length;
    char *uri = malloc(size);
    if (!uri)
        return NULL;
    length = (size_t)snprintf(uri, size, "file:%s", *path == '/' ? "//" : "");
    for (; *path; path++)
        if (strchr("%?#", *path))
            length += (size_t)snprintf(uri + length, size - length, "%%%02X", (unsigned)*path);
        else
            uri[length++] = *path;
    snprintf(uri + length, size - length, "?immutable=1");
    return uri;
}

/* SQLite reads such a file only when it is told that it does not change. Nobody is writing it,
 * because then it would have a log. */
static int open_archive(const char *path, sqlite3 **db) {
    char *uri = archive_uri(path);
    int code =
        uri ? sqlite3_open_v2(uri, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI,
                              NULL)
            : SQLITE_NOMEM;
    free(uri);
    return code;
}

besd_status database_open(database *d, const char *path, bool create, const database_kind *kind,
                          besd_error *error) {
    *d = (database){.kind = kind, .path = strdup(path), .may_create = create};
    if (!d->path)
        return besd_fail_memory(error, kind->what);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0);
    char *archive = create ? NULL : find_archive(path);
    int code = archive && !has_log(archive) ? open_archive(archive, &d->db)
                                            : sqlite3_open_v2(path, &d->db, flags, NULL);
    free(archive);
    besd_status status = code == SQLITE_OK ? BESD_OK : database_fail(d, error);
    if (status == BESD_OK) {
        sqlite3_extended_result_codes(d->db, 1);
        sqlite3_busy_timeout(d->db, BUSY_MS);
        status = prepare_file(d, error);
    }
    if (status != BESD_OK)
        database_close(d);
    return status;
}

void database_close(database *d) {
    sqlite3_close(d->db);
    free(d->path);
    *d = (database){0};
}
