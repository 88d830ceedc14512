/* An SQLite file that belongs to besd. It is recognised before it is written, checked before it is
 * believed, and made by the first of several processes that want it. It is in WAL mode. Whatever
 * goes wrong becomes one sentence. */
#ifndef BESD_CORE_DATABASE_H
#define BESD_CORE_DATABASE_H

#include "besd/status.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct database;

typedef struct database_kind {
    const char *what;   /* "a besd study" */
    int application;    /* SQLite's application_id */
    int schema, oldest; /* the schema that is written, and the oldest one that can be read */
    const char *advice; /* what to do with a file of another schema: "; choose another folder" */
    const char *tables; /* SQL that makes them: a file has these, to the letter, and no others */
    const char *const *older; /* the same for the schemas from `oldest` on; NULL when oldest is
                                 schema */
    const char *optional;     /* SQL of tables that may be there as well, or NULL */
    besd_status (*views)(struct database *d, char **sql,
                         besd_error *error); /* SQL of the views that this very file may have, to
                                                the letter; *sql NULL: none. Of the newest schema
                                                alone; NULL: no file has views */
    const char *durable;                     /* PRAGMA synchronous: "EXTRA", "NORMAL" */

    /* Brings an older schema up to date, inside a transaction; NULL when oldest is schema. */
    besd_status (*migrate)(struct database *d, int64_t from, besd_error *error);
} database_kind;

typedef struct database {
    sqlite3 *db;
    sqlite3 *origin; /* the file, when db is a copy in memory that was brought up to date */
    int64_t copied;  /* SQLite's data_version of the file when it was copied */
    char *path;
    const database_kind *kind;
    bool may_create;
    bool gathers; /* transactions are parts of a larger one */
    bool stands;  /* it is a file, and the next two say which one */
    dev_t device;
    ino_t inode;
    pid_t owner; /* the process that opened it; a fork of it must leave it alone */
} database;

/* Opens the file, or makes it with `create`. A file that is something else, has other tables, is
 * damaged or has an unknown schema is refused and left as it was. A file of an older schema is
 * brought up to date in memory, and itself only when a transaction wants to write; so whoever is
 * refused has changed nothing, and a file can be read in a folder where nothing can be written. */
besd_status database_open(database *d, const char *path, bool create, const database_kind *kind,
                          besd_error *error);
void database_close(database *d);

/* Does this file or folder lie in a file system whose files other machines can have open as well,
 * as far as its type says so? Locks and shared memory do not reach there. */
bool database_is_remote(const char *path);

/* A transaction that excludes other writers; end with commit, or roll back. All transactions and
 * statements fail with BESD_IO when the file has been moved, removed or replaced since it was
 * opened, and with BESD_INVALID in a process that was forked off since then: its locks are not the
 * other one's. */
besd_status database_begin(database *d, besd_error *error);
besd_status database_commit(database *d, besd_error *error);
void database_rollback(database *d);

/* Between gathering and settling, transactions are parts of one larger transaction. Each part
 * succeeds or fails on its own; the settling makes all of them durable, or none. Other writers wait
 * for it. */
besd_status database_gather(database *d, besd_error *error);
besd_status database_settle(database *d, besd_error *error);

/* Instead of settling: undoes everything that was gathered. */
void database_scatter(database *d);

/* A transaction that sees the file as of one moment and lets others write; end it by rolling back.
 */
besd_status database_begin_reading(database *d, besd_error *error);

/* Commits, or rolls back what failed. */
besd_status database_end(database *d, besd_status status, besd_error *error);

/* Statements that give no rows. */
besd_status database_run(database *d, const char *sql, besd_error *error);

besd_status database_prepare(database *d, const char *sql, sqlite3_stmt **statement,
                             besd_error *error);

/* Runs a statement that gives no rows, and makes it ready for the next time, or ends it. */
besd_status database_step(database *d, sqlite3_stmt *statement, besd_error *error);
besd_status database_finish(database *d, sqlite3_stmt *statement, besd_error *error);

/* Ends a statement whose last step gave `code`; anything but a row or the end of rows is an error.
 */
besd_status database_end_reading(database *d, sqlite3_stmt *statement, int code, besd_error *error);

besd_status database_read_integer(database *d, const char *sql, int64_t *value, besd_error *error);

/* BESD_IO with the name of the file and what SQLite's last error means for its user. */
besd_status database_fail(const database *d, besd_error *error);

#endif
