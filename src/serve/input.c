#include "serve/input.h"

#include "bridge/results.h"
#include "core/json.h"
#include "core/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool input_parse(call *c, reply *r, const char *body, size_t size) {
    json_error_t fault;
    size_t blanks = 0;
    while (blanks < size && strchr(" \t\r\n", body[blanks]) && body[blanks])
        blanks++;
    c->input =
        blanks == size ? json_object() : json_read(body, size, JSON_REJECT_DUPLICATES, &fault);
    if (json_is_object(c->input))
        return true;
    if (c->input)
        reply_refuse(r, 400, "invalid", "the body: expected a JSON object, got another value");
    else if (blanks == size || json_lacked_memory(&fault))
        reply_refuse(r, 500, "memory", "out of memory while reading the body");
    else
        reply_refuse(r, 400, "invalid", "the body is no JSON: %.150s (line %d, column %d)",
                     fault.text, fault.line, fault.column);
    json_decref(c->input);
    c->input = NULL;
    return false;
}

static bool lists(const char *members, const char *name) {
    size_t length = strlen(name);
    const char *at = members;
    while (length && (at = strstr(at, name))) {
        bool begins = at == members || at[-1] == ' ';
        if (begins && (at[length] == ' ' || !at[length]))
            return true;
        at += length;
    }
    return false;
}

enum { MOST_MEMBERS = 24 };

typedef struct member_names {
    char names[MOST_MEMBERS][32];
    size_t count;
} member_names;

static member_names split_members(const char *members) {
    member_names m = {.count = 0};
    while (*members && m.count < MOST_MEMBERS) {
        size_t length = strcspn(members, " ");
        snprintf(m.names[m.count++], sizeof m.names[0], "%.*s", (int)length, members);
        members += length + (members[length] == ' ');
    }
    return m;
}

static const char *nth_member(size_t index, const void *context) {
    const member_names *m = context;
    return index < m->count ? m->names[index] : NULL;
}

bool input_expect(reply *r, const json_t *object, const char *where, const char *members) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)object, name, value) {
        if (lists(members, name))
            continue;
        member_names known = split_members(members);
        const char *nearest = names_nearest(name, nth_member, &known);
        reply_refuse(r, 400, "invalid", "%s: there is no member '%.60s'%s%s%s (known: %s)", where,
                     name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                     nearest ? "'?" : "", *members ? members : "none");
        return false;
    }
    return true;
}

static bool refuse_member(reply *r, const char *name, const char *expected, const json_t *got) {
    char *text = json_dumps(got, JSON_COMPACT | JSON_ENCODE_ANY);
    reply_refuse(r, 400, "invalid", "%s: expected %s, got %.60s", name, expected,
                 text ? text : "something else");
    free(text);
    return false;
}

bool input_number(reply *r, const json_t *object, const char *name, double *value) {
    const json_t *member = json_object_get(object, name);
    if (!member || json_is_null(member))
        return true;
    if (!json_is_number(member))
        return refuse_member(r, name, "a number", member);
    *value = json_number_value(member);
    return true;
}

bool input_integer(reply *r, const json_t *object, const char *name, int64_t *value) {
    const json_t *member = json_object_get(object, name);
    if (!member || json_is_null(member))
        return true;
    if (!json_is_integer(member))
        return refuse_member(r, name, "a whole number", member);
    *value = json_integer_value(member);
    return true;
}

bool input_flag(reply *r, const json_t *object, const char *name, bool *value) {
    const json_t *member = json_object_get(object, name);
    if (!member || json_is_null(member))
        return true;
    if (!json_is_boolean(member))
        return refuse_member(r, name, "true or false", member);
    *value = json_is_true(member);
    return true;
}

bool input_text(reply *r, const json_t *object, const char *name, const char **value) {
    const json_t *member = json_object_get(object, name);
    if (!member || json_is_null(member))
        return true;
    if (!json_is_string(member))
        return refuse_member(r, name, "a text", member);
    *value = json_string_value(member);
    return true;
}

bool input_numbers(reply *r, const json_t *object, const char *name, double *values, size_t most,
                   size_t *count) {
    const json_t *list = json_object_get(object, name);
    if (!json_is_array(list) || !json_array_size(list)) {
        if (list)
            return refuse_member(r, name, "a list of numbers", list);
        reply_refuse(r, 400, "invalid", "%s: expected a list of numbers, got nothing", name);
        return false;
    }
    *count = json_array_size(list);
    if (*count > most) {
        reply_refuse(r, 400, "invalid", "%s: expected at most %zu numbers, got %zu", name, most,
                     *count);
        return false;
    }
    for (size_t i = 0; i < *count; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_number(value))
            return refuse_member(r, name, "a list of numbers", list);
        values[i] = json_number_value(value);
    }
    return true;
}

bool input_theta(call *c, reply *r, double *theta) {
    besd_error error = {0};
    const json_t *given = json_object_get(c->input, "theta");
    if (!given) {
        reply_refuse(r, 400, "invalid",
                     "theta: expected an object with the coordinates, or a list, got nothing");
        return false;
    }
    if (results_theta(besd_study_get_options(c->study), given, theta, &error) == BESD_OK)
        return true;
    reply_error(c, r, &error);
    return false;
}

static int hex_digit(char sign) {
    const char *digits = "0123456789abcdef", *at = strchr(digits, tolower((unsigned char)sign));
    return sign && at ? (int)(at - digits) : -1;
}

/* One sign of a query; a percent sign that stands for nothing is itself. */
static char decode(const char **at, const char *end) {
    char sign = *(*at)++;
    if (sign == '+')
        return ' ';
    if (sign != '%' || end - *at < 2 || hex_digit((*at)[0]) < 0 || hex_digit((*at)[1]) < 0)
        return sign;
    int value = 16 * hex_digit((*at)[0]) + hex_digit((*at)[1]);
    *at += 2;
    return value ? (char)value : '?';
}

bool query_text(const char *query, const char *name, char *text, size_t size) {
    size_t length = strlen(name), used = 0;
    for (const char *at = query; at; at = (at = strchr(at, '&')) ? at + 1 : NULL) {
        if (strncmp(at, name, length) != 0 || at[length] != '=')
            continue;
        const char *end = at + strcspn(at, "&");
        at += length + 1;
        while (at < end && used + 1 < size)
            text[used++] = decode(&at, end);
        text[used] = 0;
        return at == end;
    }
    return false;
}

bool query_integer(const call *c, reply *r, const char *name, int64_t *value) {
    char text[32], *end;
    if (!query_text(c->query, name, text, sizeof text))
        return true;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno) {
        reply_refuse(r, 400, "invalid", "%s: expected a whole number from 0, got '%.40s'", name,
                     text);
        return false;
    }
    *value = number;
    return true;
}
