/* Reading YAML with libcyaml. Whatever is wrong becomes one sentence with file, line and field, and
 * with the nearest known name for an unknown key. */
#ifndef BESD_CORE_YAML_H
#define BESD_CORE_YAML_H

#include "besd/status.h"

#include <cyaml/cyaml.h>
#include <stdbool.h>
#include <stddef.h>

/* Reads a file whose top is the mapping `schema` over `fields`; yaml_free the data. */
besd_status yaml_load(const char *path, const cyaml_schema_value_t *schema,
                      const cyaml_schema_field_t *fields, void **data, besd_error *error);

/* NULL is fine. */
void yaml_free(const cyaml_schema_value_t *schema, void *data);

/* The line on which a top-level key stands; 0 when there is none or the file cannot be read. */
int yaml_line_of_key(const char *path, const char *key);

/* The line of an entry of the list under a top-level key: the entry that comes after `after`
 * others. With a `name` that is not NULL only entries count that are mappings whose member `member`
 * is `name`. 0: there is no such entry. */
int yaml_line_of_entry(const char *path, const char *key, const char *member, const char *name,
                       size_t after);

/* Is the value of the top-level key plain, neither a list nor a mapping? */
bool yaml_is_plain(const char *path, const char *key);

#endif
