/* Earlier results as a table: a line of names, and one for each. Tables are comma-separated values
 * as RFC 4180 has them: fields may be quoted, quotes in them are doubled, and quoted fields may go
 * on over lines. */
#ifndef BESD_JSON_RESULTS_CSV_H
#define BESD_JSON_RESULTS_CSV_H

#include "json/results.h"

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

/* The columns are those of `besd trials --csv`, in any order: the coordinates, tau and scores (with
 * blanks between them), and if you like cost, note and state; the others are not looked at. The
 * text is changed. Sentences begin with the file's name and the line. */
besd_status results_read_csv(result_list *list, const besd_study_options *study, char *text,
                             const char *name, besd_error *error);

#endif
