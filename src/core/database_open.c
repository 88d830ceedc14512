/* Opening a database: recognised, checked, made or brought up to date. */
#include "core/database_state.h"

#include "core/database_place.h"
#include "core/database_schema.h"
#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Others hold a lock for a few milliseconds, the time that a disk takes. SQLite's own handler
 * sleeps for up to 100 of them between two looks, and a tell that waits beside many others would
 * take as long. */
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

/* A copy of the file in memory; its code is SQLite's. */
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
    return code == SQLITE_OK && copied != SQLITE_DONE ? copied : code; /* somebody is writing it */
}

/* Puts a copy in memory in the place of a file that is not to be changed. */
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
    return database_distrust(d, error);
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

/* What the file is, as of one moment, and whether it is sound. */
static besd_status examine(database *d, bool *is_new, int64_t *schema, besd_error *error) {
    besd_status status = database_run(d, "BEGIN", error);
    if (status != BESD_OK)
        return status;
    status = recognise(d, is_new, schema, error);
    if (status == BESD_OK && !*is_new)
        status = database_check(d, *schema, error);
    database_rollback(d);
    return status;
}

/* Nothing is written before the file is known to be of this kind, or to become so, and nothing at
 * all to an older one that is only looked at: a copy of it is brought up to date. */
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
    if (status == BESD_OK && d->may_create)
        status = use_wal(d, error);
    else if (status == BESD_OK && is_old)
        status = move_to_memory(d, error);
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

besd_status database_prepare_writing(database *d, besd_error *error) {
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

besd_status database_prepare_reading(database *d, besd_error *error) {
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
    char *archive = d->may_create ? NULL : place_find_archive(d->path);
    int code = archive && !place_has_log(archive) ? place_open_archive(archive, &d->db)
                                                  : place_open(d->path, flags, &d->db);
    free(archive);
    return code;
}

besd_status database_open(database *d, const char *path, bool create, const database_kind *kind,
                          besd_error *error) {
    *d = (database){.kind = kind, .path = strdup(path), .may_create = create};
    if (!d->path)
        return besd_fail_memory(error, kind->what);
    int code = open_file(d);
    besd_status status = code == SQLITE_OK ? BESD_OK
                         : d->db           ? database_fail(d, error)
                                           : besd_fail_memory(error, kind->what);
    if (status == BESD_OK) {
        sqlite3_extended_result_codes(d->db, 1);
        sqlite3_busy_handler(d->db, nap, NULL);
        place_remember(d);
        status = database_distrust(d, error);
    }
    if (status == BESD_OK)
        status = prepare_file(d, error);
    if (status != BESD_OK)
        database_close(d);
    return status;
}

void database_close(database *d) {
    sqlite3_close(d->db);
    sqlite3_close(d->origin);
    free(d->path);
    *d = (database){0};
}
