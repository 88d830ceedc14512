#include "core/yaml.h"

#include "core/error.h"
#include "core/names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The first complaint of the reader and the first place it names. */
typedef struct complaint {
    char what[200], where[120];
} complaint;

static void keep_complaint(cyaml_log_t level, void *context, const char *format,
                           va_list arguments) {
    complaint *c = context;
    char line[400];
    if (level < CYAML_LOG_ERROR)
        return;
    vsnprintf(line, sizeof line, format, arguments);
    line[strcspn(line, "\n")] = 0;
    const char *text = strncmp(line, "Load: ", 6) ? line : line + 6;
    while (*text == ' ')
        text++;
    if (!c->what[0])
        snprintf(c->what, sizeof c->what, "%.190s", text);
    else if (!c->where[0] && !strncmp(text, "in ", 3))
        snprintf(c->where, sizeof c->where, " %.110s", text);
}

/* Names of fields, those of mappings within included. */
static const char *known_field(size_t index, const void *context) {
    for (const cyaml_schema_field_t *f = context; f->key; f++) {
        const cyaml_schema_value_t *v = &f->value;
        if (index-- == 0)
            return f->key;
        if (v->type == CYAML_SEQUENCE)
            v = v->sequence.entry;
        for (const cyaml_schema_field_t *within = v->type == CYAML_MAPPING ? v->mapping.fields : NULL;
             within && within->key; within++)
            if (index-- == 0)
                return within->key;
    }
    return NULL;
}

static besd_status explain(const char *path, const cyaml_schema_field_t *fields, const complaint *c,
                           cyaml_err_t code, besd_error *error) {
    const char *unknown = "Unexpected key: ", *nearest = NULL;
    if (!strncmp(c->what, unknown, strlen(unknown)))
        nearest = names_nearest(c->what + strlen(unknown), known_field, fields);
    return besd_fail(
        error, BESD_INVALID, "%s: %s%s%s%s%s", path, c->what[0] ? c->what : cyaml_strerror(code),
        c->where, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static cyaml_config_t configuration(complaint *c) {
    return (cyaml_config_t){
        .log_level = CYAML_LOG_ERROR, .log_fn = keep_complaint, .log_ctx = c, .mem_fn = cyaml_mem};
}

besd_status yaml_load(const char *path, const cyaml_schema_value_t *schema,
                      const cyaml_schema_field_t *fields, void **data, besd_error *error) {
    complaint c = {0};
    cyaml_config_t config = configuration(&c);
    *data = NULL;
    cyaml_err_t code = cyaml_load_file(path, &config, schema, (cyaml_data_t **)data, NULL);
    if (code == CYAML_OK && *data)
        return BESD_OK;
    yaml_free(schema, *data);
    *data = NULL;
    return explain(path, fields, &c, code, error);
}

void yaml_free(const cyaml_schema_value_t *schema, void *data) {
    complaint c = {0};
    cyaml_config_t config = configuration(&c);
    cyaml_free(&config, schema, data, 0);
}
