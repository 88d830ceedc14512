/* Where the file of a database stands: by which name SQLite opens it, whether anything can be
 * made beside it, and whether it is still there. */
#ifndef BESD_CORE_DATABASE_PLACE_H
#define BESD_CORE_DATABASE_PLACE_H

#include "core/database.h"

/* May files be made beside this one? errno tells why not. */
bool place_is_writable(const char *path);

/* The file itself, whose log SQLite keeps beside it, when it stands in a folder where nothing can
 * be made; NULL otherwise. free() it. */
char *place_find_archive(const char *path);

bool place_has_log(const char *real);

/* Opens the file of this name, whatever the name looks like: SQLite would take "file:..." for an
 * address with options. Returns SQLite's code. */
int place_open(const char *path, int flags, sqlite3 **db);

/* Opens a file that nothing can be made beside. SQLite reads it only when it is told that it does
 * not change. Nobody is writing it, because then it would have a log. */
int place_open_archive(const char *real, sqlite3 **db);

/* Notes which file is open, so that it is missed when its name leads elsewhere or nowhere. */
void place_remember(database *d);

/* BESD_IO when the open file is no longer the one of its name: then what is written is lost. Costs
 * a microsecond. */
besd_status place_check(const database *d, besd_error *error);

#endif
