/* What the files of the database share. */
#ifndef BESD_CORE_DATABASE_STATE_H
#define BESD_CORE_DATABASE_STATE_H

#include "core/database.h"

enum { BUSY_MS = 60000 };

/* Of a copy in memory of an older file: before it is written the file itself is brought up to
 * date, and takes its place; what others have written to the file since is read anew. */
besd_status database_prepare_writing(database *d, besd_error *error);
besd_status database_prepare_reading(database *d, besd_error *error);

#endif
