#include "core/yaml_place.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

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

/* Loads the file's first document; false, with nothing to delete, when it is none. */
static bool load(const char *path, yaml_document_t *document) {
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
    if (!load(path, &document))
        return 0;
    const yaml_node_t *top = yaml_document_get_root_node(&document);
    int line = find_entry(&document, member_of(&document, top, key), member, name, after);
    yaml_document_delete(&document);
    return line;
}

bool yaml_is_plain(const char *path, const char *key) {
    yaml_document_t document;
    if (!load(path, &document))
        return false;
    const yaml_node_t *value = member_of(&document, yaml_document_get_root_node(&document), key);
    bool is = value && value->type == YAML_SCALAR_NODE;
    yaml_document_delete(&document);
    return is;
}
