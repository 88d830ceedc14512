/* The table that an environment tells may be somebody else's: whoever walks through it checks it
 * first. */
#ifndef BESD_WORLD_TABLE_H
#define BESD_WORLD_TABLE_H

#include "besd/env.h"

/* Is the table there, of the spec's shape, and does it stay within its states and finite numbers?
 * `name` is the environment's. */
besd_status table_check(const char *name, const besd_env_table *table, const besd_env_spec *spec,
                        besd_error *error);

#endif
