/* The file of a database. Its place: the name by which SQLite opens it, whether other files can be
 * made beside it, and whether it is still there. Its content: whether it is what it says it is.
 * Private to database.c. */
#ifndef BESD_CORE_DATABASE_STATE_H
#define BESD_CORE_DATABASE_STATE_H

#include "core/database.h"

/* Can files be made in the folder of this one? errno tells why not. */
bool database_file_is_writable(const char *path);

/* When the file stands in a folder where nothing can be made: the path with all links resolved,
 * beside which SQLite keeps its log. NULL otherwise. free() it. */
char *database_file_find_archive(const char *path);

bool database_file_has_log(const char *real);

/* Opens the file of this name, whatever the name looks like: SQLite would read "file:..." as a URI.
 * Returns SQLite's code. */
int database_file_open(const char *path, int flags, sqlite3 **db);

/* Opens a file in such a folder. SQLite reads it only when it is told that the file does not
 * change. Nobody is writing it, because then it would have a log. */
int database_file_open_archive(const char *real, sqlite3 **db);

/* Notes which file is open, for the next function. */
void database_file_remember(database *d);

/* BESD_IO when the path no longer leads to the file that is open: what is written would be lost.
 * Costs a microsecond. */
besd_status database_file_check_place(const database *d, besd_error *error);

/* Lets SQLite run nothing that stands in the file: no views, no triggers, no functions of its
 * schema. */
besd_status database_file_distrust(database *d, besd_error *error);

/* Is the file what it says it is? Its tables must be those that besd makes, to the letter, with
 * nothing beside them, and its pages sound; otherwise BESD_IO with the name of the file and what is
 * wrong. A table could be a view that never ends, and a trigger could drop what is written, so this
 * comes before anything else is read. Called inside a transaction that reads. */
besd_status database_file_check(database *d, int64_t schema, besd_error *error);

#endif
