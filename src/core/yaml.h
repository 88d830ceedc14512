/* Reading YAML with libcyaml: one sentence for whatever is wrong, with file, line and field, and
 * the nearest known name for an unknown key. */
#ifndef BESD_CORE_YAML_H
#define BESD_CORE_YAML_H

#include "besd/status.h"

#include <cyaml/cyaml.h>

/* Reads a file whose top is the mapping `schema` over `fields`; yaml_free the data. */
besd_status yaml_load(const char *path, const cyaml_schema_value_t *schema,
                      const cyaml_schema_field_t *fields, void **data, besd_error *error);

/* NULL is fine. */
void yaml_free(const cyaml_schema_value_t *schema, void *data);

#endif
