#include "bridge/results.h"

#include "bridge/answer_legs.h"
#include "bridge/csv.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_result(besd_result *r) {
    free((void *)r->theta);
    free((void *)r->scores);
    free((void *)r->legs);
    free((void *)r->note);
    *r = (besd_result){0};
}

void results_free(result_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free_result(&list->items[i]);
    free(list->items);
    free(list->lines);
    *list = (result_list){0};
}

/* Takes the result over, also when there is no room for it. */
static besd_status append(result_list *list, besd_result *r, size_t line, besd_error *error) {
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 16;
        besd_result *items = realloc(list->items, capacity * sizeof *items);
        list->items = items ? items : list->items;
        size_t *lines = realloc(list->lines, capacity * sizeof *lines);
        list->lines = lines ? lines : list->lines;
        if (!items || !lines) {
            free_result(r);
            return besd_fail_memory(error, "the results");
        }
        list->capacity = capacity;
    }
    list->lines[list->count] = line;
    list->items[list->count++] = *r;
    return BESD_OK;
}

static const char *coordinate(size_t i, const void *context) {
    const besd_study_options *o = context;
    return i < o->dimension ? o->names[i] : NULL;
}

/* The first of a text, cleaned, for a sentence. */
typedef struct excerpt {
    char text[40];
} excerpt;

static excerpt cut(const char *text) {
    excerpt e;
    snprintf(e.text, sizeof e.text, "%s", text);
    text_clean(e.text);
    return e;
}

static besd_status refuse_coordinate(const besd_study_options *o, const char *name,
                                     besd_error *error) {
    const char *nearest = names_nearest(name, coordinate, o);
    return besd_fail(error, BESD_INVALID, "theta: the study has no coordinate '%s'%s%s%s",
                     cut(name).text, nearest ? ", did you mean '" : "", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

static besd_status read_named(const besd_study_options *o, json_t *json, double *theta,
                              besd_error *error) {
    const char *name;
    json_t *value;
    json_object_foreach(json, name, value) {
        bool known = false;
        for (size_t i = 0; i < o->dimension; i++)
            known |= !strcmp(name, o->names[i]);
        if (!known)
            return refuse_coordinate(o, name, error);
    }
    for (size_t i = 0; i < o->dimension; i++) {
        value = json_object_get(json, o->names[i]);
        if (!json_is_number(value))
            return besd_fail(error, BESD_INVALID, "theta: expected a number for '%s', got %s",
                             o->names[i], value ? "something else" : "none");
        theta[i] = json_number_value(value);
    }
    return BESD_OK;
}

besd_status results_theta(const besd_study_options *o, const json_t *json, double *theta,
                          besd_error *error) {
    if (json_is_object(json))
        return read_named(o, (json_t *)json, theta, error);
    if (!json_is_array(json) || json_array_size(json) != o->dimension)
        return besd_fail(error, BESD_INVALID,
                         "theta: expected an object or an array of %zu numbers, got %s%zu%s",
                         o->dimension, json_is_array(json) ? "" : "something else (",
                         json_is_array(json) ? json_array_size(json) : 0,
                         json_is_array(json) ? " of them" : " of them)");
    for (size_t i = 0; i < o->dimension; i++) {
        const json_t *value = json_array_get(json, i);
        if (!json_is_number(value))
            return besd_fail(error, BESD_INVALID, "theta[%zu]: expected a number", i);
        theta[i] = json_number_value(value);
    }
    return BESD_OK;
}

/* The members of a result, and of a trial as it is shown. */
static const char *member(size_t i, const void *context) {
    static const char *const names[] = {"theta",         "tau",
                                        "scores",        "cost",
                                        "note",          "legs",
                                        "earned",        "theta_array",
                                        "trial",         "reps",
                                        "seed",          "seed32",
                                        "instance_seed", "replication_seeds",
                                        "points",        "state",
                                        "reason",        "mean",
                                        "repeats",       "tags",
                                        "worker",        "why",
                                        "asked_at",      "ended_at",
                                        "lease_until",   "age",
                                        "duration",      "explanation"};
    (void)context;
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}

static besd_status check_members(json_t *json, besd_error *error) {
    const char *name;
    json_t *value;
    json_object_foreach(json, name, value) {
        bool known = false;
        for (size_t i = 0; member(i, NULL); i++)
            known |= !strcmp(name, member(i, NULL));
        if (!known) {
            const char *nearest = names_nearest(name, member, NULL);
            return besd_fail(error, BESD_INVALID, "there is no member '%s'%s%s%s", cut(name).text,
                             nearest ? ", did you mean '" : "", nearest ? nearest : "",
                             nearest ? "'?" : "");
        }
    }
    return BESD_OK;
}

static besd_status read_scores(const json_t *json, besd_result *r, besd_error *error) {
    size_t count = json_array_size(json);
    if (!json_is_array(json) || !count)
        return besd_fail(error, BESD_INVALID, "scores: expected an array of numbers");
    double *scores = malloc(count * sizeof *scores);
    r->scores = scores;
    r->count = count;
    if (!scores)
        return besd_fail_memory(error, "the scores");
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(json, i);
        if (!json_is_number(value))
            return besd_fail(error, BESD_INVALID, "scores[%zu]: expected a number", i);
        scores[i] = json_number_value(value);
    }
    return BESD_OK;
}

static besd_status read_rest(const besd_study *s, const json_t *json, besd_result *r,
                             besd_error *error) {
    const json_t *tau = json_object_get(json, "tau"), *cost = json_object_get(json, "cost"),
                 *note = json_object_get(json, "note"), *legs = json_object_get(json, "legs"),
                 *earned = json_object_get(json, "earned");
    answer_route route;
    besd_leg *told = NULL;
    if (!json_is_integer(tau))
        return besd_fail(error, BESD_INVALID, "tau: expected a whole number");
    r->tau = json_integer_value(tau);
    if (cost && !json_is_number(cost))
        return besd_fail(error, BESD_INVALID, "cost: expected a number");
    r->cost = json_number_value(cost);
    if (note && !json_is_string(note))
        return besd_fail(error, BESD_INVALID, "note: expected a text");
    if (note && !(r->note = strdup(json_string_value(note))))
        return besd_fail_memory(error, "a note");
    if (!legs && !earned)
        return BESD_OK;
    bool is_path = answer_route_of(s, r->theta, &route);
    besd_status status = answer_read_legs(legs, earned, is_path ? &route : NULL,
                                          besd_study_get_options(s)->direction, r->count, &told,
                                          BESD_INVALID, error);
    r->legs = told;
    return status;
}

static besd_status read_result(const besd_study *s, json_t *json, besd_result *r,
                               besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    double *theta = malloc(o->dimension * sizeof *theta);
    r->theta = theta;
    if (!theta)
        return besd_fail_memory(error, "the results");
    if (!json_is_object(json))
        return besd_fail(error, BESD_INVALID, "expected a JSON object");
    besd_status status = check_members(json, error);
    if (status == BESD_OK)
        status = results_theta(o, json_object_get(json, "theta"), theta, error);
    if (status == BESD_OK)
        status = read_scores(json_object_get(json, "scores"), r, error);
    return status == BESD_OK ? read_rest(s, json, r, error) : status;
}

besd_status results_add_json(result_list *list, const besd_study *s, const json_t *json,
                             size_t line, besd_error *error) {
    besd_result r = {0};
    besd_status status = read_result(s, (json_t *)json, &r, error);
    if (status == BESD_OK)
        return append(list, &r, line, error);
    free_result(&r);
    return status;
}

static besd_status at_line(besd_status status, const char *name, size_t line, besd_error *error) {
    besd_error reason = *error;
    return besd_fail(error, status, "%s, line %zu: %s", name, line, reason.message);
}

static besd_status read_lines(result_list *list, const besd_study *s, char *text, const char *name,
                              besd_error *error) {
    char *rest = text;
    besd_status status = BESD_OK;
    for (size_t line = 1; status == BESD_OK && rest; line++) {
        char *here = rest, *end = strchr(here, '\n');
        rest = end ? end + 1 : NULL;
        if (end)
            *end = 0;
        if (!here[strspn(here, " \t\r")])
            continue;
        json_error_t fault;
        json_t *json = json_read(here, strlen(here), JSON_REJECT_DUPLICATES, &fault);
        if (!json && json_lacked_memory(&fault))
            return besd_fail_memory(error, "the results");
        status =
            json ? results_add_json(list, s, json, line, error)
                 : besd_fail(error, BESD_INVALID, "expected one JSON object: %.80s", fault.text);
        json_decref(json);
        if (status != BESD_OK && status != BESD_MEMORY)
            return at_line(status, name, line, error);
    }
    return status;
}

/* Which column is what. */
typedef struct columns {
    size_t theta[BESD_MAX_DIMENSION], tau, scores, cost, note, state;
} columns;

enum { NO_COLUMN = CSV_MOST_FIELDS };

static const char *column_name(size_t i, const void *context) {
    static const char *const names[] = {"trial",    "state",    "reason",   "tau",    "reps",
                                        "seed",     "cost",     "mean",     "scores", "worker",
                                        "asked_at", "ended_at", "duration", "tags",   "note"};
    const besd_study_options *o = context;
    size_t count = sizeof names / sizeof *names;
    return i < count ? names[i] : coordinate(i - count, o);
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
                             cut(head->fields[i]).text, nearest ? ", did you mean '" : "",
                             nearest ? nearest : "", nearest ? "'?" : "");
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
    return status == BESD_OK ? find_column(head, "state", false, &c->state, error) : status;
}

static besd_status read_number(const csv_record *head, const csv_record *row, size_t place,
                               double *number, besd_error *error) {
    char *end;
    const char *text = row->fields[place];
    *number = strtod(text, &end);
    if (end == text || *end || !isfinite(*number))
        return besd_fail(error, BESD_INVALID, "field %zu, %s: expected a number, got '%s'",
                         place + 1, cut(head->fields[place]).text, cut(text).text);
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
                             place + 1, BESD_MAX_REPS, cut(row->fields[place]).text);
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

static besd_status read_table(result_list *list, const besd_study *s, csv_reader *reader,
                              const char *name, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
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
        if (row.count != head.count) {
            status = besd_fail(error, BESD_INVALID, "expected %zu fields, got %zu", head.count,
                               row.count);
        } else if (c.state != NO_COLUMN && strcmp(row.fields[c.state], "told") != 0) {
            list->skipped++;
            continue;
        } else {
            status = read_row(o, &c, &head, &row, &r, error);
        }
        if (status == BESD_OK)
            status = append(list, &r, line, error);
        else
            free_result(&r);
    }
    return status == BESD_OK || status == BESD_MEMORY ? status : at_line(status, name, line, error);
}

static char *read_all(FILE *in, size_t *size) {
    size_t capacity = 1 << 16, count = 0, more;
    char *text = malloc(capacity);
    while (text && (more = fread(text + count, 1, capacity - count - 1, in)) > 0) {
        count += more;
        if (capacity - count < 2) {
            char *grown = realloc(text, capacity *= 2);
            if (!grown)
                free(text);
            text = grown;
        }
    }
    if (text)
        text[count] = 0;
    *size = count;
    return text;
}

besd_status results_read(result_list *list, const besd_study *s, FILE *in, const char *name,
                         besd_error *error) {
    size_t size;
    besd_error own = {0};
    error = error ? error : &own;
    char *text = read_all(in, &size);
    if (!text)
        return besd_fail_memory(error, "the results");
    besd_status status;
    if (strlen(text) != size || !text_is_utf8(text)) {
        status = besd_fail(error, BESD_INVALID, "%s: expected a text of UTF-8", name);
    } else if (text[strspn(text, " \t\r\n")] == '{') {
        status = read_lines(list, s, text, name, error);
    } else {
        csv_reader reader = {.rest = text, .line = 1};
        status = read_table(list, s, &reader, name, error);
    }
    free(text);
    return status;
}
