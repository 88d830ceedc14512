#include "json/results_csv.h"

#include "core/error.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads a quoted field and goes behind its closing quote. Doubled quotes become one, in place. */
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

/* Which column is what. */
typedef struct columns {
    size_t theta[BESD_MAX_DIMENSION], tau, scores, cost, note, tags, state;
} columns;

enum { NO_COLUMN = CSV_MOST_FIELDS };

static const char *column_name(size_t i, const void *context) {
    static const char *const names[] = {"trial",    "state",    "reason",   "tau",    "reps",
                                        "seed",     "cost",     "mean",     "scores", "worker",
                                        "asked_at", "ended_at", "duration", "tags",   "note"};
    const besd_study_options *o = context;
    size_t count = sizeof names / sizeof *names;
    if (i < count)
        return names[i];
    return i - count < o->dimension ? o->names[i - count] : NULL;
}

static besd_status find_column(const csv_record *head, const char *name, bool needed, size_t *place,
                               besd_error *error) {
    *place = NO_COLUMN;
    for (size_t i = 0; i < head->count; i++)
        if (!strcmp(head->fields[i], name)) {
            if (*place != NO_COLUMN)
                return besd_fail(error, BESD_INVALID, "the column '%s' is there twice", name);
            *place = i;
        }
    return *place != NO_COLUMN || !needed
               ? BESD_OK
               : besd_fail(error, BESD_INVALID, "the column '%s' is missing", name);
}

static besd_status find_columns(const besd_study_options *o, const csv_record *head, columns *c,
                                besd_error *error) {
    for (size_t i = 0; i < head->count; i++) {
        bool known = false;
        for (size_t k = 0; column_name(k, o); k++)
            known |= !strcmp(head->fields[i], column_name(k, o));
        if (!known) {
            const char *nearest = names_nearest(head->fields[i], column_name, o);
            return besd_fail(error, BESD_INVALID, "field %zu: there is no column '%s'%s%s%s", i + 1,
                             result_excerpt(head->fields[i]).text,
                             nearest ? ", did you mean '" : "", nearest ? nearest : "",
                             nearest ? "'?" : "");
        }
    }
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < o->dimension; i++)
        status = find_column(head, o->names[i], true, &c->theta[i], error);
    if (status == BESD_OK)
        status = find_column(head, "tau", true, &c->tau, error);
    if (status == BESD_OK)
        status = find_column(head, "scores", true, &c->scores, error);
    if (status == BESD_OK)
        status = find_column(head, "cost", false, &c->cost, error);
    if (status == BESD_OK)
        status = find_column(head, "note", false, &c->note, error);
    if (status == BESD_OK)
        status = find_column(head, "tags", false, &c->tags, error);
    return status == BESD_OK ? find_column(head, "state", false, &c->state, error) : status;
}

static besd_status read_number(const csv_record *head, const csv_record *row, size_t place,
                               double *number, besd_error *error) {
    char *end;
    const char *text = row->fields[place];
    *number = strtod(text, &end);
    if (end == text || *end || !isfinite(*number))
        return besd_fail(error, BESD_INVALID, "field %zu, %s: expected a number, got '%s'",
                         place + 1, result_excerpt(head->fields[place]).text,
                         result_excerpt(text).text);
    return BESD_OK;
}

static besd_status split_scores(const csv_record *row, size_t place, besd_result *r,
                                besd_error *error) {
    double *scores = malloc(BESD_MAX_REPS * sizeof *scores);
    r->scores = scores;
    if (!scores)
        return besd_fail_memory(error, "the scores");
    for (const char *text = row->fields[place]; text[strspn(text, " ")];) {
        char *end;
        double score = strtod(text, &end);
        if (end == text || (*end && *end != ' ') || r->count == BESD_MAX_REPS)
            return besd_fail(error, BESD_INVALID,
                             "field %zu, scores: expected at most %d numbers with blanks between "
                             "them, got '%s'",
                             place + 1, BESD_MAX_REPS, result_excerpt(row->fields[place]).text);
        scores[r->count++] = score;
        text = end;
    }
    return r->count ? BESD_OK
                    : besd_fail(error, BESD_INVALID, "field %zu, scores: expected at least one",
                                place + 1);
}

static besd_status read_row(const besd_study_options *o, const columns *c, const csv_record *head,
                            const csv_record *row, besd_result *r, besd_error *error) {
    double tau = 0, *theta = malloc(o->dimension * sizeof *theta);
    besd_status status = theta ? BESD_OK : besd_fail_memory(error, "the results");
    r->theta = theta;
    for (size_t i = 0; status == BESD_OK && i < o->dimension; i++)
        status = read_number(head, row, c->theta[i], &theta[i], error);
    if (status == BESD_OK)
        status = read_number(head, row, c->tau, &tau, error);
    if (status == BESD_OK && (tau != floor(tau) || fabs(tau) > 1e15))
        status = besd_fail(error, BESD_INVALID, "field %zu, tau: expected a whole number, got %g",
                           c->tau + 1, tau);
    r->tau = status == BESD_OK ? (int64_t)tau : 0;
    if (status == BESD_OK)
        status = split_scores(row, c->scores, r, error);
    if (status == BESD_OK && c->cost != NO_COLUMN && row->fields[c->cost][0])
        status = read_number(head, row, c->cost, &r->cost, error);
    if (status == BESD_OK && c->note != NO_COLUMN && row->fields[c->note][0] &&
        !(r->note = strdup(row->fields[c->note])))
        status = besd_fail_memory(error, "a note");
    return status;
}

/* *tags stays NULL when the row has none. */
static besd_status read_tags(const columns *c, const csv_record *row, char **tags,
                             besd_error *error) {
    besd_error reason = {0};
    if (c->tags == NO_COLUMN || !row->fields[c->tags][0])
        return BESD_OK;
    if (result_check_tags(row->fields[c->tags], &reason) != BESD_OK)
        return besd_fail(error, BESD_INVALID, "field %zu, %s", c->tags + 1, reason.message);
    *tags = strdup(row->fields[c->tags]);
    return *tags ? BESD_OK : besd_fail_memory(error, "the tags");
}

/* Reads a row; *told is false when the scores of its trial do not count. */
static besd_status judge_row(const besd_study_options *o, const columns *c, const csv_record *head,
                             const csv_record *row, besd_result *r, bool *told, besd_error *error) {
    besd_error reason = {0};
    *told = true;
    if (row->count != head->count)
        return besd_fail(error, BESD_INVALID, "expected %zu fields, got %zu", head->count,
                         row->count);
    if (c->state != NO_COLUMN && result_is_told(row->fields[c->state], told, &reason) != BESD_OK)
        return besd_fail(error, BESD_INVALID, "field %zu, %s", c->state + 1, reason.message);
    return *told ? read_row(o, c, head, row, r, error) : BESD_OK;
}

besd_status results_read_csv(result_list *list, const besd_study_options *o, char *text,
                             const char *name, besd_error *error) {
    csv_reader table = {.rest = text, .line = 1}, *reader = &table;
    csv_record head, row;
    columns c;
    size_t line = 1;
    bool more = false;
    besd_status status = csv_next(reader, &head, &more, &line, error);
    if (status == BESD_OK && !more)
        status = besd_fail(error, BESD_INVALID, "expected a line with the names of the columns");
    if (status == BESD_OK)
        status = find_columns(o, &head, &c, error);
    while (status == BESD_OK) {
        besd_result r = {0};
        status = csv_next(reader, &row, &more, &line, error);
        if (status != BESD_OK || !more)
            break;
        bool told;
        char *tags = NULL;
        status = judge_row(o, &c, &head, &row, &r, &told, error);
        if (status == BESD_OK && !told) {
            list->skipped++;
            continue;
        }
        if (status == BESD_OK)
            status = read_tags(&c, &row, &tags, error);
        if (status == BESD_OK)
            status = result_append(list, &r, tags, line, error);
        else
            result_free(&r);
    }
    return status == BESD_OK || status == BESD_MEMORY ? status
                                                      : result_at_line(status, name, line, error);
}
