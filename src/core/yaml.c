/* libcyaml reads a file into a struct and complains in its own words. This file keeps the first
 * complaint and says it in words for the user. A second pass with libyaml finds what
 * libcyaml lets pass: numbers that are only half read, and a second document. */
#include "core/yaml.h"

#include "core/error.h"
#include "core/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

/* The first complaint of the reader, the first place it names, and the field around that place when
 * it is the entry of a list. */
typedef struct complaint {
    char what[200], where[120], field[120];
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
    else if (!c->field[0] && !strncmp(text, "in mapping field", 16) && !strstr(c->where, "field"))
        snprintf(c->field, sizeof c->field, " %.*s", (int)strcspn(text, "(") - 1, text);
}

/* Names of fields, those of mappings within included. */
static const char *known_field(size_t index, const void *context) {
    for (const cyaml_schema_field_t *f = context; f->key; f++) {
        const cyaml_schema_value_t *v = &f->value;
        if (index-- == 0)
            return f->key;
        if (v->type == CYAML_SEQUENCE)
            v = v->sequence.entry;
        for (const cyaml_schema_field_t *within = v->type == CYAML_MAPPING ? v->mapping.fields
                                                                           : NULL;
             within && within->key; within++)
            if (index-- == 0)
                return within->key;
    }
    return NULL;
}

/* Is this the line of an unknown key, or the one that is indented with a tab? */
static bool is_key_line(const char *line, const char *key) {
    size_t length = strlen(key);
    for (const char *at = line; length && (at = strstr(at, key)); at += length) {
        const char *end = at + length + strspn(at + length, " \"'");
        if ((at == line || strchr(" \"'{,-", at[-1])) && *end == ':')
            return true;
    }
    return false;
}

static bool is_tab_line(const char *line, const char *unused) {
    (void)unused;
    return memchr(line, '\t', strspn(line, " \t")) != NULL;
}

/* The first such line of the file, because the reader is one field behind; 0 when there is none. */
static int find_line(const char *path, bool (*wanted)(const char *, const char *),
                     const char *key) {
    char *line = NULL;
    size_t size = 0;
    int number = 0, found = 0;
    FILE *file = fopen(path, "r");
    while (file && !found && getline(&line, &size, file) >= 0)
        if (++number && wanted(line, key))
            found = number;
    free(line);
    if (file)
        fclose(file);
    return found;
}

static bool starts_with(const char *text, const char *start) {
    return !strncmp(text, start, strlen(start));
}

/* The schema of a key, mappings within included; NULL when there is none. */
static const cyaml_schema_value_t *schema_of(const cyaml_schema_field_t *fields, const char *key) {
    for (const cyaml_schema_field_t *f = fields; f && f->key; f++) {
        const cyaml_schema_value_t *v = &f->value;
        v = v->type == CYAML_SEQUENCE ? v->sequence.entry : v;
        if (!strcmp(f->key, key))
            return v;
        const cyaml_schema_value_t *found =
            v->type == CYAML_MAPPING ? schema_of(v->mapping.fields, key) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* The field that the complaint names: "in mapping field 'wind' (line: 3, column: 7)". */
static const cyaml_schema_value_t *schema_at(const cyaml_schema_field_t *fields,
                                             const complaint *c) {
    char key[60] = "";
    const char *at = strstr(c->where, "field '");
    if (!at)
        at = strstr(c->field, "field '");
    return at && sscanf(at, "field '%59[^']", key) == 1 ? schema_of(fields, key) : NULL;
}

static const char *known_value(size_t index, const void *context) {
    const cyaml_schema_value_t *v = context;
    return index < v->enumeration.count ? v->enumeration.strings[index].str : NULL;
}

/* The reader's words for what it expected, as a user of the file would say it. */
static void put_plainly(const cyaml_schema_field_t *fields, complaint *c, const char **nearest) {
    char said[sizeof c->what], wanted[40], got[40];
    int have, least;
    snprintf(said, sizeof said, "%s", c->what);
    const cyaml_schema_value_t *v = schema_at(fields, c);
    if (sscanf(said, "Expecting %39[A-Z], got event: %39[A-Z_]", wanted, got) == 2) {
        snprintf(c->what, sizeof c->what, "expected %s, got %s",
                 !strcmp(wanted, "SEQUENCE")  ? "a list, as in [1, 2]"
                 : !strcmp(wanted, "MAPPING") ? "names with values, as in {name: 1}"
                                              : "one value",
                 !strcmp(got, "SEQUENCE_START")  ? "a list"
                 : !strcmp(got, "MAPPING_START") ? "names with values"
                                                 : "one value");
    } else if (sscanf(said, "Insufficient entries (%d of %d min)", &have, &least) == 2) {
        const char *place = strchr(c->where, '(');
        char line[sizeof c->where] = "";
        if (place) /* of the list; the reader names the entry that is not there */
            snprintf(line, sizeof line, " %s", place);
        snprintf(c->where, sizeof c->where, "%s", line);
        snprintf(c->what, sizeof c->what, "expected a list of %d or more, got %d", least, have);
    } else if (starts_with(said, "Invalid ENUM value: ") && v && v->type == CYAML_ENUM) {
        const char *value = said + strlen("Invalid ENUM value: ");
        size_t length = 0;
        for (size_t i = 0; known_value(i, v) && length < sizeof c->what; i++)
            length += (size_t)snprintf(c->what + length, sizeof c->what - length, "%s%s",
                                       i ? ", " : "expected one of ", known_value(i, v));
        if (length < sizeof c->what)
            snprintf(c->what + length, sizeof c->what - length, "; got '%s'", value);
        *nearest = names_nearest(value, known_value, v);
    }
}

static besd_status explain(const char *path, const cyaml_schema_field_t *fields, complaint *c,
                           cyaml_err_t code, besd_error *error) {
    static const char unknown[] = "Unexpected key: ",
                      missing[] = "Missing required mapping field: ";
    const char *hint = "", *nearest = NULL;
    int line = 0, near = 0;
    if (starts_with(c->what, unknown)) {
        const char *key = c->what + strlen(unknown);
        nearest = names_nearest(key, known_field, fields);
        line = find_line(path, is_key_line, key);
    } else if (starts_with(c->what, missing)) { /* the reader names the field before it */
        const char *at = strstr(c->where, "line: ");
        near = at && sscanf(at, "line: %d", &line) == 1;
    } else if (strstr(c->what, "cannot start any token")) {
        line = find_line(path, is_tab_line, NULL);
        hint = line ? "; lines are indented with blanks, not with tabs" : "";
    } else {
        put_plainly(fields, c, &nearest);
    }
    if (line)
        c->field[0] = 0;
    if (line)
        snprintf(c->where, sizeof c->where, " (%sline: %d)", near ? "near " : "", line);
    const char *what = c->what[0] ? c->what : code ? cyaml_strerror(code) : "the file is empty";
    return besd_fail(error, BESD_INVALID, "%s: %s%s%s%s%s%s%s", path, what, c->where, c->field,
                     hint, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

static cyaml_config_t configuration(complaint *c) {
    return (cyaml_config_t){
        .log_level = CYAML_LOG_ERROR, .log_fn = keep_complaint, .log_ctx = c, .mem_fn = cyaml_mem};
}

static bool is_number(const cyaml_schema_value_t *v) {
    return v->type == CYAML_INT || v->type == CYAML_UINT || v->type == CYAML_FLOAT;
}

static besd_status check_number(const char *path, const char *key, const cyaml_schema_value_t *v,
                                const yaml_event_t *e, besd_error *error) {
    const char *text = (const char *)e->data.scalar.value;
    char *end;
    if (v->type == CYAML_FLOAT)
        (void)strtod(text, &end);
    else
        (void)strtoll(text, &end, 0);
    if (end != text && !*end)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "%s: %s: expected %s, got '%s' (line: %zu); digits stand without blanks, "
                     "commas or underlines",
                     path, key, v->type == CYAML_FLOAT ? "a number" : "a whole number", text,
                     e->start_mark.line + 1);
}

/* Where in the file a scalar is met: keys and values alternate in mappings, so a scalar is a value
 * when a key stands before it. */
enum { MOST_DEPTH = 32 };

typedef struct walk {
    const char *path;
    const cyaml_schema_field_t *fields;
    int depth, documents;
    struct {
        bool mapping, has_key;
        char key[80];
    } level[MOST_DEPTH];
} walk;

static void walk_in(walk *w, bool mapping) {
    if (++w->depth >= MOST_DEPTH)
        return;
    w->level[w->depth].mapping = mapping;
    w->level[w->depth].has_key = false;
    if (!mapping) /* its entries belong to the key before it */
        memcpy(w->level[w->depth].key, w->level[w->depth - 1].key, sizeof w->level[0].key);
}

static void walk_out(walk *w) {
    w->depth--;
    if (w->depth >= 0 && w->depth < MOST_DEPTH)
        w->level[w->depth].has_key = false;
}

/* The reader takes as much of a number as it understands and forgets the rest; this does not. */
static besd_status walk_scalar(walk *w, const yaml_event_t *e, besd_error *error) {
    if (w->depth <= 0 || w->depth >= MOST_DEPTH)
        return BESD_OK;
    char *key = w->level[w->depth].key;
    if (w->level[w->depth].mapping && !w->level[w->depth].has_key) {
        snprintf(key, sizeof w->level[0].key, "%.79s", (const char *)e->data.scalar.value);
        w->level[w->depth].has_key = true;
        return BESD_OK;
    }
    const cyaml_schema_value_t *v = schema_of(w->fields, key);
    w->level[w->depth].has_key = false;
    return v && is_number(v) ? check_number(w->path, key, v, e, error) : BESD_OK;
}

/* The reader stops after the first document. */
static besd_status walk_document(walk *w, const yaml_event_t *e, besd_error *error) {
    if (++w->documents == 1)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "%s: a second document begins (line: %zu), expected one; each has a file of "
                     "its own",
                     w->path, e->start_mark.line + 1);
}

static besd_status walk_event(walk *w, const yaml_event_t *e, besd_error *error) {
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        return walk_document(w, e, error);
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        walk_in(w, e->type == YAML_MAPPING_START_EVENT);
        return BESD_OK;
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        walk_out(w);
        return BESD_OK;
    case YAML_ALIAS_EVENT:
        if (w->depth > 0 && w->depth < MOST_DEPTH)
            w->level[w->depth].has_key = w->level[w->depth].mapping && !w->level[w->depth].has_key;
        return BESD_OK;
    case YAML_SCALAR_EVENT:
        return walk_scalar(w, e, error);
    default:
        return BESD_OK;
    }
}

/* What the reader lets pass: half numbers, and whatever stands behind the first document. */
static besd_status check_whole(const char *path, const cyaml_schema_field_t *fields,
                               besd_error *error) {
    walk w = {.path = path, .fields = fields};
    yaml_parser_t parser;
    FILE *file = fopen(path, "r");
    besd_status status = BESD_OK;
    if (!file || !yaml_parser_initialize(&parser)) {
        if (file)
            fclose(file);
        return BESD_OK; /* the reader complains of it */
    }
    yaml_parser_set_input_file(&parser, file);
    for (bool going = true; going && status == BESD_OK;) {
        yaml_event_t e;
        if (!yaml_parser_parse(&parser, &e)) {
            status = parser.error == YAML_MEMORY_ERROR
                         ? besd_fail_memory(error, "the description")
                         : besd_fail(error, BESD_INVALID, "%s: %s (line: %zu)", path,
                                     parser.problem ? parser.problem : "it cannot be read",
                                     parser.problem_mark.line + 1);
            break;
        }
        going = e.type != YAML_STREAM_END_EVENT;
        status = walk_event(&w, &e, error);
        yaml_event_delete(&e);
    }
    yaml_parser_delete(&parser);
    fclose(file);
    return status;
}

besd_status yaml_load(const char *path, const cyaml_schema_value_t *schema,
                      const cyaml_schema_field_t *fields, void **data, besd_error *error) {
    complaint c = {0};
    cyaml_config_t config = configuration(&c);
    struct stat file;
    *data = NULL;
    if (stat(path, &file) == 0 && (S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode)))
        return besd_fail(error, BESD_IO,
                         "%s: expected a file, got a pipe; a description is read more than once",
                         path); /* and opening a pipe waits for a writer */
    cyaml_err_t code = cyaml_load_file(path, &config, schema, (cyaml_data_t **)data, NULL);
    besd_status status = BESD_OK;
    if (code == CYAML_OK && *data) {
        status = check_whole(path, fields, error);
        if (status == BESD_OK)
            return BESD_OK;
    }
    yaml_free(schema, *data);
    *data = NULL;
    return status != BESD_OK ? status : explain(path, fields, &c, code, error);
}

void yaml_free(const cyaml_schema_value_t *schema, void *data) {
    complaint c = {0};
    cyaml_config_t config = configuration(&c);
    cyaml_free(&config, schema, data, 0);
}

static bool begins_with_key(const char *line, const char *key) {
    size_t length = strlen(key);
    return !strncmp(line, key, length) && line[length] == ':';
}

int yaml_line_of_key(const char *path, const char *key) {
    return find_line(path, begins_with_key, key);
}

static bool says(const yaml_node_t *node, const char *text) {
    size_t length = strlen(text);
    return node && node->type == YAML_SCALAR_NODE && node->data.scalar.length == length &&
           !memcmp(node->data.scalar.value, text, length);
}

/* What a mapping has for a key; NULL: nothing, or it is no mapping. */
static yaml_node_t *member_of(yaml_document_t *document, const yaml_node_t *mapping,
                              const char *key) {
    if (!mapping || mapping->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *p = mapping->data.mapping.pairs.start;
         p < mapping->data.mapping.pairs.top; p++)
        if (says(yaml_document_get_node(document, p->key), key))
            return yaml_document_get_node(document, p->value);
    return NULL;
}

static int find_entry(yaml_document_t *document, const yaml_node_t *list, const char *member,
                      const char *name, size_t after) {
    if (!list || list->type != YAML_SEQUENCE_NODE)
        return 0;
    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top;
         i++) {
        const yaml_node_t *entry = yaml_document_get_node(document, *i);
        if (entry && (!name || says(member_of(document, entry, member), name)) && !after--)
            return (int)entry->start_mark.line + 1;
    }
    return 0;
}

/* Loads the first document of the file; false, with nothing to delete, when there is none. */
static bool load_document(const char *path, yaml_document_t *document) {
    yaml_parser_t parser;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    bool loaded = yaml_parser_initialize(&parser);
    if (loaded) {
        yaml_parser_set_input_file(&parser, file);
        loaded = yaml_parser_load(&parser, document);
        yaml_parser_delete(&parser);
    }
    fclose(file);
    return loaded;
}

int yaml_line_of_entry(const char *path, const char *key, const char *member, const char *name,
                       size_t after) {
    yaml_document_t document;
    if (!load_document(path, &document))
        return 0;
    const yaml_node_t *top = yaml_document_get_root_node(&document);
    int line = find_entry(&document, member_of(&document, top, key), member, name, after);
    yaml_document_delete(&document);
    return line;
}

bool yaml_is_plain(const char *path, const char *key) {
    yaml_document_t document;
    if (!load_document(path, &document))
        return false;
    const yaml_node_t *value = member_of(&document, yaml_document_get_root_node(&document), key);
    bool is = value && value->type == YAML_SCALAR_NODE;
    yaml_document_delete(&document);
    return is;
}
