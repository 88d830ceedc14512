/* Grid domains without code: a YAML file with a map and everything that belongs to it
 * (docs/environments.md, examples/domains/). */
#ifndef BESD_WORLD_DOMAIN_YAML_H
#define BESD_WORLD_DOMAIN_YAML_H

#include "world/domain.h"

/* A mistake is BESD_INVALID with file, line and field. */
besd_status domain_yaml_load(const char *path, domain *d, besd_error *error);

/* The map alone, as the text that grid_map_parse reads, to be freed also after a failure. The file
 * needs nothing else, and characters of the map are not looked at. */
besd_status domain_yaml_text(const char *path, char **text, besd_error *error);

/* Does the file have a top-level `map:`, as opposed to the description of a study? False when it
 * cannot be read. */
bool domain_yaml_is(const char *path);

#endif
