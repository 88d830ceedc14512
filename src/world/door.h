/* The doors through which a domain comes in: built in, a plugin, a YAML file, a process. Everything
 * that takes the name of a domain calls domain_load and need not know which.
 *
 *     gw10                     a built-in domain
 *     ./delivery.so            a plugin: ends in .so, or holds a '/'
 *     rooms.yaml               a grid domain in YAML: ends in .yaml or .yml
 *     cmd:python3 my_env.py    a process that speaks the protocol (docs/protocol.md)
 */
#ifndef BESD_WORLD_DOOR_H
#define BESD_WORLD_DOOR_H

#include "world/domain.h"

/* Loads the domain; call domain_release when it and its environments are done with. On failure
 * there is nothing to release. A process must be started for that, and may take `start_timeout`
 * seconds; NaN: as many as a reset. */
besd_status domain_load(const char *argument, double start_timeout, domain *d, besd_error *error);

/* After the last domain_set: what follows from the shape of the environment is taken again where
 * the environment's own parameters may have changed it, and what was said must fit it. */
besd_status domain_settle(domain *d, besd_error *error);

/* For the doors: makes a domain of somebody else's environment. Opens one handle to ask for the
 * spec, refuses one that makes no sense, takes defaults from it and applies the environment's own
 * settings. The domain owns `source` from here on, also when this fails. */
besd_status domain_adopt(domain *d, const char *name, const char *title, domain_source *source,
                         const besd_env_methods *methods, const char *const *settings,
                         besd_error *error);

/* Is the shape one that a learner can work with? */
besd_status env_spec_check(const char *name, const besd_env_spec *spec, besd_error *error);

#endif
