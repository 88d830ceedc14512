/* Environments in shared objects: one exported function, besd_env_plugin, returns the method table
 * of besd/env.h. */
#ifndef BESD_WORLD_PLUGIN_H
#define BESD_WORLD_PLUGIN_H

#include "world/domain.h"

/* Loads the shared object at `path` (a name without '/' is one of the working directory) and checks
 * its table. */
besd_status plugin_load(const char *path, domain *d, besd_error *error);

/* Copies the known members of a table, with NULL for those it leaves out. Refuses a table of
 * another version, of a size that cannot be right, or without a REQUIRED member. `where` names the
 * table in messages. Tests call this with tables of all kinds, without a shared object for each. */
besd_status plugin_read_table(const char *where, const besd_env_methods *table,
                              besd_env_methods *methods, besd_error *error);

#endif
