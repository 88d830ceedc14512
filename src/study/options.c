#include "study/options.h"

#include "core/error.h"
#include "core/text.h"
#include "study/method.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(besd_direction) == sizeof(int) && sizeof(besd_transform) == sizeof(int) &&
                   sizeof(besd_method) == sizeof(int) && sizeof(besd_model) == sizeof(int),
               "choices are read and written as int");

/* The function that names the values of a choice; NULL for the other kinds. */
#define NAMES_CHOICE(type) type##_name
#define NAMES_NUMBER(type) NULL
#define NAMES_COUNT(type) NULL
#define NAMES_SEED(type) NULL
#define NAMES_SWITCH(type) NULL

const study_option study_options[STUDY_OPTIONS] = {
#define ENTRY(kind_, type, name_, low_, high_, initially_, used_by_, unit_, help_)                 \
    {.name = #name_,                                                                               \
     .unit = (unit_),                                                                              \
     .help = (help_),                                                                              \
     .offset = offsetof(besd_study_options, name_),                                                \
     .kind = STUDY_OPTION_##kind_,                                                                 \
     .used_by = STUDY_OPTION_FOR_##used_by_,                                                       \
     .low = (double)(low_),                                                                        \
     .high = (double)(high_),                                                                      \
     .initially = (double)(initially_),                                                            \
     .names = NAMES_##kind_(type)},
    BESD_STUDY_OPTION_LIST(ENTRY)
#undef ENTRY
};

static void *member_of(const study_option *option, besd_study_options *o) {
    return (char *)o + option->offset;
}

static const void *value_of(const study_option *option, const besd_study_options *o) {
    return (const char *)o + option->offset;
}

static double number_of(const study_option *option, const besd_study_options *o) {
    const void *value = value_of(option, o);
    switch (option->kind) {
    case STUDY_OPTION_NUMBER:
        return *(const double *)value;
    case STUDY_OPTION_CHOICE:
    case STUDY_OPTION_COUNT:
        return *(const int *)value;
    case STUDY_OPTION_SWITCH:
        return *(const bool *)value;
    case STUDY_OPTION_SEED:
        break;
    }
    return (double)*(const uint64_t *)value;
}

void besd_study_options_fill(besd_study_options *o, size_t size) {
    besd_study_options all = {.size = size};
#define FILL(kind, type, name, low, high, initially, ...) all.name = initially;
    BESD_STUDY_OPTION_LIST(FILL)
#undef FILL
    memcpy(o, &all, size < sizeof all ? size : sizeof all);
}

static const char *const old_names[STUDY_OPTIONS] = {
#define OLD_NAME(old, now) [STUDY_OPTION_##now] = #old,
    STUDY_OPTION_RENAMED_LIST(OLD_NAME)
#undef OLD_NAME
};

const char *study_option_old_name(const study_option *option) {
    return old_names[option - study_options];
}

const study_option *study_option_find(const char *name) {
    for (size_t i = 0; i < STUDY_OPTIONS; i++)
        if (!strcmp(study_options[i].name, name) || (old_names[i] && !strcmp(old_names[i], name)))
            return &study_options[i];
    return NULL;
}

bool study_option_matters(const study_option *option, besd_method method) {
    const method_info *m = method_describe(method);
    switch (option->used_by) {
    case STUDY_OPTION_FOR_STARTS:
        return m->start != START_AT_ONCE;
    case STUDY_OPTION_FOR_MODELS:
        return m->has_model;
    case STUDY_OPTION_FOR_KG:
        return method == BESD_METHOD_BESD;
    case STUDY_OPTION_FOR_ALL:
        break;
    }
    return true;
}

static bool is_automatic(const study_option *option, double value) {
    return option->kind == STUDY_OPTION_COUNT && option->initially == BESD_AUTO &&
           value == BESD_AUTO;
}

besd_status study_option_check(const study_option *option, const besd_study_options *o,
                               besd_error *error) {
    double value = number_of(option, o);
    if (option->kind == STUDY_OPTION_SEED) {
        uint64_t seed = *(const uint64_t *)value_of(option, o);
        return seed <= INT64_MAX
                   ? BESD_OK
                   : besd_fail(error, BESD_INVALID, "%s: expected 0 to %" PRId64 ", got %" PRIu64,
                               option->name, INT64_MAX, seed);
    }
    if ((value >= option->low && value <= option->high) || is_automatic(option, value))
        return BESD_OK;
    return besd_fail(error, BESD_INVALID, "%s: expected a number in [%g, %g], got %g", option->name,
                     option->low, option->high, value);
}

static const char *name_at(size_t index, const void *context) {
    const study_option *option = context;
    return option->names(index);
}

/* "maximize, minimize" */
static void list_names(const study_option *option, char *text, size_t size) {
    size_t length = 0;
    *text = 0;
    for (size_t i = 0; option->names(i) && length < size; i++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", i ? ", " : "", option->names(i));
}

static int find_choice(const study_option *option, const char *name) {
    if (option->names == besd_method_name)
        return method_find(name); /* methods have aliases */
    for (size_t i = 0; option->names(i); i++)
        if (!strcmp(option->names(i), name))
            return (int)i;
    return -1;
}

bool study_model_is_gone(const char *name) {
    return !strcmp(name, "extended") || !strcmp(name, "noise");
}

static besd_status parse_choice(const study_option *option, const char *text, int *value,
                                besd_error *error) {
    *value = find_choice(option, text);
    if (*value >= 0)
        return BESD_OK;
    const char *nearest = names_nearest(text, name_at, option);
    char known[200];
    list_names(option, known, sizeof known);
    if (option->names == besd_model_name && study_model_is_gone(text))
        return besd_fail(error, BESD_INVALID,
                         "%s: '%s' is gone, because it was no better; expected one of %s",
                         option->name, text, known);
    return besd_fail(error, BESD_INVALID, "%s: expected one of %s, got '%.60s'%s%s%s", option->name,
                     known, text, nearest ? ", did you mean '" : "", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

/* The words that YAML has for true and false. */
static besd_status parse_switch(const study_option *option, const char *text, bool *value,
                                besd_error *error) {
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (names_equal(text, words[i])) {
            *value = i % 2;
            return BESD_OK;
        }
    return besd_fail(error, BESD_INVALID, "%s: expected true or false, got '%.60s'", option->name,
                     text);
}

/* A hint for people who separate the digits of a number. */
static const char *digits_hint(const char *text) {
    return strpbrk(text, "_, '") ? "; digits stand without blanks, commas or underlines" : "";
}

static besd_status parse_count(const study_option *option, const char *text, int *value,
                               besd_error *error) {
    char *end;
    long long number = strtoll(text, &end, 10);
    if (option->initially == BESD_AUTO && names_equal(text, "automatic"))
        *value = BESD_AUTO;
    else if (end == text || *end)
        return besd_fail(error, BESD_INVALID, "%s: expected a whole number, got '%.60s'%s",
                         option->name, text, digits_hint(text));
    else if (number > INT_MAX || number <= INT_MIN) /* INT_MIN means automatic */
        return besd_fail(error, BESD_INVALID, "%s: expected a number in [%g, %g], got '%.60s'",
                         option->name, option->low, option->high, text);
    else
        *value = (int)number;
    return BESD_OK;
}

static besd_status parse_seed(const study_option *option, const char *text, uint64_t *value,
                              besd_error *error) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (end == text || *end || strchr(text, '-') || errno || number > INT64_MAX)
        return besd_fail(error, BESD_INVALID,
                         "%s: expected a whole number from 0 to %" PRId64 ", got '%.60s'",
                         option->name, INT64_MAX, text);
    *value = number;
    return BESD_OK;
}

static besd_status parse_number(const study_option *option, const char *text, double *value,
                                besd_error *error) {
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    if (option->initially == INFINITY && names_equal(text, "none"))
        *value = INFINITY;
    else if (end == text || *end)
        return besd_fail(error, BESD_INVALID, "%s: expected a number, got '%.60s'%s", option->name,
                         text, digits_hint(text));
    else if (isinf(*value) && errno == ERANGE)
        return besd_fail(error, BESD_INVALID, "%s: %.60s is too large a number", option->name,
                         text);
    return BESD_OK;
}

besd_status study_option_parse(const study_option *option, const char *text, besd_study_options *o,
                               besd_error *error) {
    void *member = member_of(option, o);
    switch (option->kind) {
    case STUDY_OPTION_CHOICE:
        return parse_choice(option, text, member, error);
    case STUDY_OPTION_NUMBER:
        return parse_number(option, text, member, error);
    case STUDY_OPTION_COUNT:
        return parse_count(option, text, member, error);
    case STUDY_OPTION_SEED:
        return parse_seed(option, text, member, error);
    case STUDY_OPTION_SWITCH:
        break;
    }
    return parse_switch(option, text, member, error);
}

void study_option_copy(const study_option *option, const besd_study_options *from,
                       besd_study_options *to) {
    static const size_t sizes[] = {[STUDY_OPTION_CHOICE] = sizeof(int),
                                   [STUDY_OPTION_NUMBER] = sizeof(double),
                                   [STUDY_OPTION_COUNT] = sizeof(int),
                                   [STUDY_OPTION_SEED] = sizeof(uint64_t),
                                   [STUDY_OPTION_SWITCH] = sizeof(bool)};
    memcpy(member_of(option, to), value_of(option, from), sizes[option->kind]);
}

json_t *study_option_to_json(const study_option *option, const besd_study_options *o) {
    double value = number_of(option, o);
    switch (option->kind) {
    case STUDY_OPTION_CHOICE:
        return json_string(option->names((size_t)value));
    case STUDY_OPTION_NUMBER:
        return isfinite(value) ? json_real(value) : json_null();
    case STUDY_OPTION_COUNT:
        return json_integer((json_int_t)value);
    case STUDY_OPTION_SEED:
        return json_integer((json_int_t) * (const uint64_t *)value_of(option, o));
    case STUDY_OPTION_SWITCH:
        break;
    }
    return json_boolean(value != 0);
}

bool study_option_from_json(const study_option *option, const json_t *json, besd_study_options *o) {
    void *member = member_of(option, o);
    json_int_t number = json_integer_value(json);
    switch (option->kind) {
    case STUDY_OPTION_CHOICE:
        *(int *)member = json_is_string(json) ? find_choice(option, json_string_value(json)) : -1;
        return *(int *)member >= 0;
    case STUDY_OPTION_NUMBER:
        *(double *)member = json_is_null(json) ? INFINITY : json_number_value(json);
        return json_is_null(json) || json_is_number(json);
    case STUDY_OPTION_COUNT:
        *(int *)member = (int)number;
        return json_is_integer(json) && number >= INT_MIN && number <= INT_MAX;
    case STUDY_OPTION_SEED:
        *(uint64_t *)member = (uint64_t)number;
        return json_is_integer(json);
    case STUDY_OPTION_SWITCH:
        break;
    }
    *(bool *)member = json_is_true(json);
    return json_is_boolean(json);
}

void study_option_print(const study_option *option, const besd_study_options *o, char *text,
                        size_t size) {
    double value = number_of(option, o);
    if (option->kind == STUDY_OPTION_CHOICE)
        snprintf(text, size, "%s", option->names((size_t)value));
    else if (option->kind == STUDY_OPTION_SWITCH)
        snprintf(text, size, "%s", value != 0 ? "true" : "false");
    else if (option->kind == STUDY_OPTION_SEED)
        snprintf(text, size, "%" PRIu64, *(const uint64_t *)value_of(option, o));
    else if (is_automatic(option, value))
        snprintf(text, size, "automatic");
    else if (isinf(value))
        snprintf(text, size, "none");
    else
        snprintf(text, size, "%.12g", value);
}
