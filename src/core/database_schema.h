/* Is a file what it says it is? The tables are those that besd makes, to the letter, and nothing
 * stands beside them; the pages are sound. A table can be a view that never ends, a trigger can
 * forget what is written, so this is asked before anything else is read. */
#ifndef BESD_CORE_DATABASE_SCHEMA_H
#define BESD_CORE_DATABASE_SCHEMA_H

#include "core/database.h"

/* Nothing that the file says is run: no views, no triggers, no functions of its schema. */
besd_status database_distrust(database *d, besd_error *error);

/* BESD_IO with the file's name and what is wrong. Inside a transaction that reads. */
besd_status database_check(database *d, int64_t schema, besd_error *error);

#endif
