/* JSON written straight into a text, for answers of thousands of values, where a tree would cost
 * most of the time. The letters are those that json_text makes of the same values, with
 * JSON_COMPACT and JSON_ENSURE_ASCII. Without memory nothing more is written, and `failed` says so
 * at the end. */
#ifndef BESD_CORE_JSON_WRITER_H
#define BESD_CORE_JSON_WRITER_H

#include "core/json.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_writer {
    char *text; /* allocated; ends with a zero */
    size_t size, capacity;
    bool failed;
} json_writer;

void json_writer_clear(json_writer *w);

/* Letters as they are. */
void json_write_raw(json_writer *w, const char *text, size_t size);

/* {, [, } or ]: a value that begins gets a comma where one is needed. */
void json_write_begin(json_writer *w, char bracket);
void json_write_end(json_writer *w, char bracket);

/* The name of the member whose value is written next. */
void json_write_name(json_writer *w, const char *name);

/* A value that is text already: a number that is written twice. */
void json_write_value(json_writer *w, const char *text, size_t size);
size_t json_number_text(double value, char text[JSON_LONGEST_NUMBER]);

void json_write_integer(json_writer *w, int64_t value);
void json_write_number(json_writer *w, double value); /* null when it is not finite */
void json_write_numbers(json_writer *w, const double *values, size_t count);
void json_write_text(json_writer *w, const char *text);
void json_write_null(json_writer *w);

/* A value that is a tree, and is released; NULL: there was no memory for it. */
void json_write_tree(json_writer *w, json_t *value);

/* The text as a tree; NULL without memory. */
json_t *json_writer_tree(const json_writer *w);

#endif
