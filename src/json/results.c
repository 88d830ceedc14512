#include "json/results.h"

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "json/results_csv.h"
#include "json/trainer_answer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void result_free(besd_result *r) {
    free((void *)r->theta);
    free((void *)r->scores);
    free((void *)r->legs);
    free((void *)r->note);
    *r = (besd_result){0};
}

void results_free(result_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        result_free(&list->items[i]);
        free(list->tags[i]);
    }
    free(list->items);
    free(list->lines);
    free(list->tags);
    *list = (result_list){0};
}

static bool grow(result_list *list) {
    size_t capacity = 2 * list->capacity + 16;
    besd_result *items = realloc(list->items, capacity * sizeof *items);
    list->items = items ? items : list->items;
    size_t *lines = realloc(list->lines, capacity * sizeof *lines);
    list->lines = lines ? lines : list->lines;
    char **tags = realloc(list->tags, capacity * sizeof *tags);
    list->tags = tags ? tags : list->tags;
    if (!items || !lines || !tags)
        return false;
    list->capacity = capacity;
    return true; // cppcheck-suppress memleak; the list has them
}

besd_status result_append(result_list *list, besd_result *r, char *tags, size_t line,
                          besd_error *error) {
    if (list->count == list->capacity && !grow(list)) {
        result_free(r);
        free(tags);
        return besd_fail_memory(error, "the results");
    }
    list->lines[list->count] = line;
    list->tags[list->count] = tags;
    list->items[list->count++] = *r;
    return BESD_OK;
}

besd_status result_check_tags(const char *tags, besd_error *error) {
    if (strlen(tags) >= BESD_MAX_TAGS)
        return besd_fail(error, BESD_INVALID, "tags: expected fewer than %d bytes, got %zu",
                         BESD_MAX_TAGS, strlen(tags));
    if (!text_is_utf8(tags))
        return besd_fail(error, BESD_INVALID, "tags: expected text, got bytes that are no UTF-8");
    for (const char *tag = tags;; tag++) {
        size_t length = strcspn(tag, ",");
        if (length < 1 || length >= BESD_MAX_NAME)
            return besd_fail(error, BESD_INVALID,
                             "tags: expected words of 1 to %d bytes with commas between them, got "
                             "'%s'",
                             BESD_MAX_NAME - 1, result_excerpt(tags).text);
        tag += length;
        if (!*tag)
            return BESD_OK;
    }
}

besd_status results_tag(const result_list *list, besd_study *study, int64_t first,
                        besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; i < list->count; i++)
        for (const char *tag = list->tags[i]; status == BESD_OK && tag && *tag;) {
            char word[BESD_MAX_NAME];
            size_t length = strcspn(tag, ",");
            snprintf(word, sizeof word, "%.*s", (int)length, tag);
            status = besd_study_tag(study, first + (int64_t)i, word, true, error);
            tag += length + (tag[length] == ',');
        }
    return status;
}

besd_status result_is_told(const char *state, bool *told, besd_error *error) {
    const char *told_name = besd_trial_state_name(BESD_TRIAL_TOLD), *name;
    *told = !strcmp(state, told_name);
    for (size_t i = 0; (name = besd_trial_state_name(i)); i++)
        if (!strcmp(state, name))
            return BESD_OK;
    return besd_fail(error, BESD_INVALID, "state: expected %s or another state of trials, got '%s'",
                     told_name, result_excerpt(state).text);
}

besd_status result_at_line(besd_status status, const char *name, size_t line, besd_error *error) {
    besd_error reason = *error;
    return besd_fail(error, status, "%s, line %zu: %s", name, line, reason.message);
}

excerpt result_excerpt(const char *text) {
    excerpt e;
    snprintf(e.text, sizeof e.text, "%s", text);
    text_clean(e.text);
    return e;
}

static const char *coordinate(size_t i, const void *context) {
    const besd_study_options *o = context;
    return i < o->dimension ? o->names[i] : NULL;
}

static besd_status refuse_coordinate(const besd_study_options *o, const char *name,
                                     besd_error *error) {
    const char *nearest = names_nearest(name, coordinate, o);
    return besd_fail(error, BESD_INVALID, "theta: the study has no coordinate '%s'%s%s%s",
                     result_excerpt(name).text, nearest ? ", did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "");
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
    if (!json_is_array(json))
        return besd_fail(
            error, BESD_INVALID,
            "theta: expected an object with a number for every coordinate, or an array "
            "of %zu numbers, got %s",
            o->dimension, json ? "something else" : "none");
    if (json_array_size(json) != o->dimension)
        return besd_fail(error, BESD_INVALID, "theta: expected %zu numbers, got %zu", o->dimension,
                         json_array_size(json));
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
    static const char *const names[] = {
        "theta",    "tau",         "scores", "cost",          "note",
        "legs",     "earned",      "labels", "theta_array",   "trial",
        "reps",     "seed",        "seed32", "instance_seed", "replication_seeds",
        "points",   "state",       "reason", "mean",          "repeats",
        "tags",     "worker",      "why",    "replaced",      "asked_at",
        "ended_at", "lease_until", "age",    "duration",      "explanation"};
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
            return besd_fail(error, BESD_INVALID, "there is no member '%s'%s%s%s",
                             result_excerpt(name).text, nearest ? ", did you mean '" : "",
                             nearest ? nearest : "", nearest ? "'?" : "");
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
                 *note = json_object_get(json, "note");
    const answer_lists lists = answer_lists_of(json);
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
    if (!lists.legs && !lists.earned && !lists.labels)
        return BESD_OK;
    bool is_path = answer_route_of(s, r->theta, &route);
    besd_status status =
        answer_read_legs(&lists, is_path ? &route : NULL, besd_study_get_options(s)->direction,
                         r->count, &told, BESD_INVALID, error);
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

/* ["wet", "old arm"]; NULL: it has none. */
static besd_status read_tags(const json_t *json, char **tags, besd_error *error) {
    size_t count = json_array_size(json), size = 1, length = 0;
    if (!json || json_is_null(json) || (json_is_array(json) && !count))
        return BESD_OK;
    for (size_t i = 0; i < count; i++)
        size += json_string_length(json_array_get(json, i)) + 1;
    *tags = calloc(size, 1);
    if (!*tags)
        return besd_fail_memory(error, "the tags");
    for (size_t i = 0; i < count; i++) {
        const json_t *tag = json_array_get(json, i);
        if (!json_is_string(tag) || strchr(json_string_value(tag), ','))
            return besd_fail(error, BESD_INVALID, "tags[%zu]: expected a text without commas", i);
        length += (size_t)snprintf(*tags + length, size - length, "%s%s", i ? "," : "",
                                   json_string_value(tag));
    }
    return json_is_array(json) ? result_check_tags(*tags, error)
                               : besd_fail(error, BESD_INVALID, "tags: expected an array of texts");
}

/* As trials are shown, with their state: scores of those that were voided do not count. */
static besd_status check_told(const json_t *json, bool *told, besd_error *error) {
    const json_t *state = json_object_get(json, "state");
    if (!state)
        return BESD_OK;
    return result_is_told(json_is_string(state) ? json_string_value(state) : "", told, error);
}

besd_status results_add_json(result_list *list, const besd_study *s, const json_t *json,
                             size_t line, besd_error *error) {
    besd_result r = {0};
    char *tags = NULL;
    bool told = true;
    besd_status status = check_told(json, &told, error);
    if (status == BESD_OK && !told) {
        list->skipped++;
        return BESD_OK;
    }
    if (status == BESD_OK)
        status = read_result(s, (json_t *)json, &r, error);
    if (status == BESD_OK)
        status = read_tags(json_object_get(json, "tags"), &tags, error);
    if (status == BESD_OK)
        return result_append(list, &r, tags, line, error);
    result_free(&r);
    free(tags);
    return status;
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
            return result_at_line(status, name, line, error);
    }
    return status;
}

/* More than a million results; what does not end is no file of them. */
enum { LONGEST_FILE = 1 << 28 };

/* All of it, to be freed. */
static besd_status read_all(FILE *in, const char *name, char **text, size_t *size,
                            besd_error *error) {
    size_t capacity = 1 << 16, more;
    *size = 0;
    *text = malloc(capacity);
    while (*text && *size < LONGEST_FILE &&
           (more = fread(*text + *size, 1, capacity - *size - 1, in)) > 0) {
        *size += more;
        if (capacity - *size < 2) {
            char *grown = realloc(*text, capacity *= 2);
            if (!grown)
                free(*text);
            *text = grown;
        }
    }
    if (!*text)
        return besd_fail_memory(error, "the results");
    (*text)[*size] = 0;
    besd_status status = BESD_OK;
    if (ferror(in))
        status = besd_fail(error, BESD_IO, "%s: it cannot be read: %s", name, strerror(errno));
    else if (*size >= LONGEST_FILE)
        status = besd_fail(error, BESD_INVALID, "%s: expected fewer than %d bytes; add it in parts",
                           name, LONGEST_FILE);
    if (status != BESD_OK)
        free(*text);
    return status;
}

/* Spreadsheets put a mark in front of UTF-8. */
static char *skip_mark(char *text) {
    return text + (strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3);
}

besd_status results_read(result_list *list, const besd_study *s, FILE *in, const char *name,
                         besd_error *error) {
    size_t size;
    char *text;
    besd_error own = {0};
    error = error ? error : &own;
    besd_status status = read_all(in, name, &text, &size, error);
    if (status != BESD_OK)
        return status;
    char *begin = skip_mark(text), first = begin[strspn(begin, " \t\r\n")];
    if (strlen(text) != size || !text_is_utf8(text))
        status = besd_fail(error, BESD_INVALID, "%s: expected a text of UTF-8", name);
    else if (first == '[')
        status = besd_fail(error, BESD_INVALID,
                           "%s: expected CSV, or JSON with one object on every line, got an array",
                           name);
    else if (first == '{')
        status = read_lines(list, s, begin, name, error);
    else
        status = results_read_csv(list, besd_study_get_options(s), begin, name, error);
    free(text);
    return status;
}
