#include "serve/request.h"

#include "core/json.h"
#include "core/text.h"
#include "serve/studies.h"
#include "json/results.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reply_clear(reply *r) {
    free(r->text);
    *r = (reply){0};
}

void reply_text(reply *r, int code, char *text, size_t size) {
    besd_status status = r->status;
    reply_clear(r);
    *r = (reply){.text = text, .size = size, .type = "application/json", .code = code};
    r->status = status;
}

void reply_json(reply *r, int code, json_t *object) {
    size_t size = 0;
    /* only ASCII, because answers are also read in terminals */
    char *text = object ? json_text(object, JSON_COMPACT | JSON_ENSURE_ASCII, &size) : NULL;
    json_decref(object);
    reply_text(r, text ? code : 500, text, size);
    if (text)
        return;
    r->text = strdup("{\"error\":\"out of memory\",\"status\":\"memory\"}");
    r->size = r->text ? strlen(r->text) : 0;
}

void reply_refuse(reply *r, int code, const char *status, const char *format, ...) {
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    text_clean(sentence);
    reply_json(r, code, json_pack("{s:s, s:s}", "error", sentence, "status", status));
}

static int code_of(besd_status status) {
    switch (status) {
    case BESD_UNKNOWN:
        return 404;
    case BESD_INVALID:
    case BESD_UNSUPPORTED:
    case BESD_ENVIRONMENT: /* an answer that breaks the rules for answers */
        return 400;
    case BESD_IO:
        return 503;
    default:
        return 500;
    }
}

/* What the library said, in the form that clients see. */
typedef struct refusal {
    char sentence[BESD_ERROR_MESSAGE_SIZE], word[32];
} refusal;

static refusal describe(const struct served *one, const besd_error *error) {
    refusal f;
    snprintf(f.word, sizeof f.word, "%s", besd_status_name(error->status) + strlen("BESD_"));
    for (char *letter = f.word; *letter; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    snprintf(f.sentence, sizeof f.sentence, "%s", error->message);
    if (one)
        served_hide_path(one, f.sentence, sizeof f.sentence);
    text_clean(f.sentence);
    return f;
}

json_t *refusal_json(const struct served *one, const besd_error *error) {
    refusal f = describe(one, error);
    return json_pack("{s:s, s:s}", "error", f.sentence, "status", f.word);
}

static void refuse_with(const call *c, reply *r, int code, const besd_error *error) {
    refusal f = describe(c->served, error);
    reply_refuse(r, code, code == 409 ? "conflict" : f.word, "%s", f.sentence);
    r->status = error->status;
}

void reply_error(const call *c, reply *r, const besd_error *error) {
    refuse_with(c, r, code_of(error->status), error);
}

void reply_conflict(const call *c, reply *r, const besd_error *error) {
    refuse_with(c, r, error->status == BESD_INVALID ? 409 : code_of(error->status), error);
}

void reply_object(const call *c, reply *r, json_t *object, const besd_error *error) {
    if (object)
        reply_json(r, 200, object);
    else
        reply_error(c, r, error);
}

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
    size_t size;
    char *text = json_text(got, JSON_COMPACT | JSON_ENCODE_ANY, &size);
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

bool input_given(reply *r, const json_t *object, const char *name, given_number *number) {
    const json_t *member = json_object_get(object, name);
    number->given = member && !json_is_null(member);
    return input_number(r, object, name, &number->value);
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

bool act_as(call *c, reply *r, const char *worker) {
    char who[BESD_MAX_NAME];
    besd_error error = {0};
    snprintf(who, sizeof who, "http %.50s", c->client);
    const char *said = worker && *worker ? worker : who;
    if (besd_study_set_who(c->study, c->token[0] ? c->token : said, &error) == BESD_OK)
        return true;
    reply_error(c, r, &error);
    return false;
}

static int hex_digit(char sign) {
    const char *digits = "0123456789abcdef", *at = strchr(digits, tolower((unsigned char)sign));
    return sign && at ? (int)(at - digits) : -1;
}

/* Decodes one character of a query; a percent sign without two digits stays as it is. */
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
