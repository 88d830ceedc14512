/* Loading a domain: built in, from a plugin, from a YAML file, or from a process. Everything that
 * takes the name of a domain calls domain_load and need not know which it is. The functions of
 * besd/domain.h are in domain_load.c, too.
 *
 *     gw10                     a built-in domain
 *     ./delivery.so            a plugin: ends in .so, or holds a '/'
 *     rooms.yaml               a grid domain in YAML: ends in .yaml or .yml
 *     cmd:python3 my_env.py    a process that speaks the protocol (docs/protocol.md)
 */
#ifndef BESD_WORLD_DOMAIN_LOAD_H
#define BESD_WORLD_DOMAIN_LOAD_H

#include "besd/env.h"
#include "world/domain.h"

/* Loads the domain; domain_release it after the last of its environments is destroyed. On failure
 * there is nothing to release. A process is started, and may take `start_timeout` seconds to
 * answer; NaN: as many as a reset. */
besd_status domain_load(const char *argument, double start_timeout, domain *d, besd_error *error);

/* To be called after the last domain_set. When the environment's own parameters may have changed
 * its shape, what follows from the shape is taken again. What was set must fit the shape. */
besd_status domain_settle(domain *d, besd_error *error);

/* Makes a domain of somebody else's environment, for plugin.c and process_env.c. Opens one handle
 * to ask for the spec, refuses a spec that makes no sense, takes defaults from it and applies the
 * environment's own settings. From here on the domain owns `source`, also when this fails. */
besd_status domain_adopt(domain *d, const char *name, const char *title, domain_source *source,
                         const besd_env_methods *methods, const char *const *settings,
                         besd_error *error);

/* Can a learner work with an environment of this shape? */
besd_status env_spec_check(const char *name, const besd_env_spec *spec, besd_error *error);

/* Is the table of an environment there, does it have the shape of the spec, and does it stay within
 * its states and finite numbers? A table may be somebody else's, so it is checked before its use.
 * `name` is that of the environment. */
besd_status env_table_check(const char *name, const besd_env_table *table,
                            const besd_env_spec *spec, besd_error *error);

#endif
