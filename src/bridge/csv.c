#include "bridge/csv.h"

#include "core/error.h"

#include <string.h>

/* From behind the opening quote to behind the closing one; what is inside moves together. */
static besd_status read_quoted(csv_reader *r, char **field, besd_error *error) {
    char *from = r->rest + 1, *to = from;
    *field = to;
    for (; *from; from++) {
        if (*from == '"' && from[1] != '"')
            break;
        from += *from == '"';
        r->line += *from == '\n';
        *to++ = *from;
    }
    if (!*from)
        return besd_fail(error, BESD_INVALID, "a quoted field does not end");
    r->rest = from + 1;
    *to = 0;
    if (*r->rest && !strchr(",\r\n", *r->rest))
        return besd_fail(error, BESD_INVALID, "behind a quoted field: expected a comma, got '%c'",
                         *r->rest >= ' ' && *r->rest < 127 ? *r->rest : '?');
    return BESD_OK;
}

static void skip_empty_lines(csv_reader *r) {
    for (; *r->rest == '\n' || *r->rest == '\r'; r->rest++)
        r->line += *r->rest == '\n';
}

besd_status csv_next(csv_reader *r, csv_record *record, bool *more, size_t *line,
                     besd_error *error) {
    besd_status status = BESD_OK;
    record->count = 0;
    skip_empty_lines(r);
    *line = r->line;
    *more = *r->rest != 0;
    for (bool last = !*more; status == BESD_OK && !last;) {
        if (record->count == CSV_MOST_FIELDS)
            return besd_fail(error, BESD_INVALID, "expected at most %d fields", CSV_MOST_FIELDS);
        char **field = &record->fields[record->count++];
        if (*r->rest == '"') {
            status = read_quoted(r, field, error);
        } else {
            *field = r->rest;
            r->rest += strcspn(r->rest, ",\r\n");
        }
        char end = *r->rest;
        last = end != ',';
        *r->rest = 0;
        if (end == '\r' && r->rest[1] == '\n')
            r->rest++;
        r->line += end == '\n' || end == '\r';
        r->rest += end != 0;
    }
    return status;
}

void csv_put(FILE *out, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}
