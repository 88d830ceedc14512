/* Comma-separated values as RFC 4180 has them: fields may be quoted, quotes in them are doubled,
 * and quoted fields may go on over lines. In place. */
#ifndef BESD_BRIDGE_CSV_H
#define BESD_BRIDGE_CSV_H

#include "besd/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CSV_MOST_FIELDS = 128 };

typedef struct csv_reader {
    char *rest; /* of the text, which is changed */
    size_t line;
} csv_reader;

typedef struct csv_record {
    char *fields[CSV_MOST_FIELDS]; /* in the reader's text */
    size_t count;
} csv_record;

/* The next record that is not an empty line, and the line where it begins; *more is false when
 * there is none. */
besd_status csv_next(csv_reader *reader, csv_record *record, bool *more, size_t *line,
                     besd_error *error);

/* A field, quoted when it must be. */
void csv_put(FILE *out, const char *text);

#endif
