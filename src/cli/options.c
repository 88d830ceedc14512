#include "cli/common.h"

#include "core/print.h"
#include "core/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int usage_error(const verb *v, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_clean(stderr, "besd %s: ", v->name);
    print_texts(stderr, text_put_clean, format, arguments);
    print_clean(stderr, " (see 'besd %s --help')\n", v->name);
    va_end(arguments);
    return EXIT_USAGE;
}

enum { HELP_COLUMN = 27, HELP_WIDTH = 100 };

/* In lines from HELP_COLUMN on, broken at blanks. */
static void print_wrapped(const char *text) {
    while (*text) {
        size_t length = strlen(text), room = HELP_WIDTH - HELP_COLUMN;
        if (length > room) {
            length = room;
            while (length > 0 && text[length] != ' ')
                length--;
            length = length ? length : room;
        }
        print_clean(stdout, "%.*s\n", (int)length, text);
        text += length + (text[length] == ' ');
        if (*text)
            print_clean(stdout, "%*s", HELP_COLUMN, "");
    }
}

static void print_help(const verb *v, const option *options) {
    print_clean(stdout, "%s\n\nusage: besd %s%s%s [options]\n\n", v->summary, v->name,
                *v->arguments ? " " : "", v->arguments);
    for (const option *o = options; o->name; o++) {
        if (!o->help)
            continue;
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        print_clean(stdout, "  %-24s ", left);
        print_wrapped(o->help);
    }
    print_clean(stdout, "  %-24s %s\n\nexample: %s\n", "--help", "this text", v->example);
}

static const char *known_option(size_t index, const void *context) {
    const option *options = context;
    for (size_t i = 0; options[i].name; i++)
        if (i == index)
            return options[i].name;
    return NULL;
}

static const option *find_option(const option *options, const char *name, size_t length) {
    for (const option *o = options; o->name; o++)
        if (strlen(o->name) == length && !strncmp(o->name, name, length))
            return o;
    return NULL;
}

static bool parse_numbers(const char *text, number_list *list) {
    list->count = 0;
    list->given = true;
    for (;;) {
        char *end;
        if (list->count == OPTIONS_MAX_NUMBERS)
            return false;
        list->items[list->count] = strtod(text, &end);
        if (end == text || (*end && *end != ','))
            return false;
        list->count++;
        if (!*end)
            return true;
        text = end + 1;
    }
}

/* Whole numbers may be written as 1000, 1e3 or 1_000. */
static bool parse_integer(const char *text, int64_t *value) {
    char digits[64], *end;
    size_t length = 0;
    for (const char *p = text; *p && length + 1 < sizeof digits; p++)
        if (*p != '_')
            digits[length++] = *p;
    digits[length] = 0;
    if (length + 1 == sizeof digits)
        return false;
    errno = 0;
    *value = strtoll(digits, &end, 10);
    if (end != digits && !*end)
        return errno == 0;
    double number = strtod(digits, &end);
    if (end == digits || *end || !(fabs(number) <= 9007199254740992.0))
        return false;
    *value = (int64_t)number;
    return (double)*value == number;
}

static bool parse_number(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && !isnan(*value);
}

static bool store(const option *o, const char *text) {
    char *end;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)o->target = true;
        return true;
    case OPTION_TEXT:
        *(const char **)o->target = text;
        return true;
    case OPTION_TEXTS: {
        text_list *list = o->target;
        if (list->count == OPTIONS_MAX_TEXTS)
            return false;
        list->items[list->count++] = text;
        return true;
    }
    case OPTION_INTEGER:
        return parse_integer(text, o->target);
    case OPTION_SEED:
        errno = 0;
        *(uint64_t *)o->target = strtoull(text, &end, 10);
        return *text >= '0' && *text <= '9' && !*end && !errno &&
               *(uint64_t *)o->target <= INT64_MAX;
    case OPTION_NUMBER:
        return parse_number(text, o->target);
    case OPTION_NUMBERS:
        return parse_numbers(text, o->target);
    case OPTION_GIVEN_INTEGER: {
        given_integer *integer = o->target;
        integer->given = true;
        return parse_integer(text, &integer->value);
    }
    case OPTION_GIVEN_NUMBER: {
        given_number *number = o->target;
        number->given = true;
        return parse_number(text, &number->value);
    }
    }
    return false;
}

/* More about a value of the wrong kind. */
static const char *kind_advice(option_kind kind, const char *text) {
    if (kind == OPTION_NUMBERS && strchr(text, '='))
        return ", in the order of the coordinates and without their names";
    return "";
}

static const char *kind_text(option_kind kind) {
    switch (kind) {
    case OPTION_INTEGER:
    case OPTION_GIVEN_INTEGER:
        return "a whole number";
    case OPTION_SEED:
        return "a whole number from 0 to 9223372036854775807";
    case OPTION_NUMBER:
    case OPTION_GIVEN_NUMBER:
        return "a number";
    case OPTION_NUMBERS:
        return "numbers separated by commas";
    case OPTION_TEXTS:
        return "fewer repetitions";
    case OPTION_FLAG:
    case OPTION_TEXT:
        break;
    }
    return "text";
}

/* Handles argv[*i], which starts with "--", and the value after it. */
static bool parse_option(const verb *v, const option *options, int argc, char **argv, int *i) {
    const char *name = argv[*i] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const option *o = find_option(options, name, length);
    if (!o) {
        char typed[64];
        snprintf(typed, sizeof typed, "%.*s", (int)length, name);
        const char *nearest = names_nearest(typed, known_option, options);
        usage_error(v, "there is no option '--%.*s'%s%s%s", (int)length, name,
                    nearest ? ", did you mean '--" : "", nearest ? nearest : "",
                    nearest ? "'" : "");
        return false;
    }
    const char *text = equals ? equals + 1 : NULL;
    if (o->kind == OPTION_FLAG) {
        if (text) {
            usage_error(v, "--%s takes no value", o->name);
            return false;
        }
    } else if (!text) {
        if (*i + 1 == argc) {
            usage_error(v, "--%s needs a value", o->name);
            return false;
        }
        text = argv[++*i];
    }
    if (!store(o, text)) {
        usage_error(v, "--%s: expected %s%s, got '%s'", o->name, kind_text(o->kind),
                    kind_advice(o->kind, text), text);
        return false;
    }
    return true;
}

/* Does it begin an option whose value is the next argument? */
static bool takes_next(const option *options, const char *argument) {
    const option *o = strncmp(argument, "--", 2) != 0
                          ? NULL
                          : find_option(options, argument + 2, strlen(argument + 2));
    return o && o->kind != OPTION_FLAG;
}

/* A value of -h is no question: --note -h. */
static bool asks_for_help(const option *options, int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        if (!strcmp(argv[i], "--help") ||
            (!strcmp(argv[i], "-h") && !(i && takes_next(options, argv[i - 1]))))
            return true;
    return false;
}

/* An argument that has no place: what it may have been meant to be. */
static void refuse_argument(const verb *v, const option *options, const char *text, int most) {
    const char *name = text + (*text == '-');
    const option *o = *text == '-' ? find_option(options, name, strcspn(name, "=")) : NULL;
    double number;
    if (o)
        usage_error(v, "unexpected argument '%s', did you mean '-%s'?", text, text);
    else if (parse_number(text, &number))
        usage_error(v, "unexpected argument '%s'; numbers of one list have commas and no blanks",
                    text);
    else if (most)
        usage_error(v, "unexpected argument '%s'; expected %s", text, v->arguments);
    else
        usage_error(v, "unexpected argument '%s'", text);
}

/* All arguments in their places; false after a sentence. */
static bool parse_arguments(const verb *v, const option *options, int argc, char **argv,
                            const char **positional, int least, int most) {
    int count = 0;
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "--", 2)) {
            if (!parse_option(v, options, argc, argv, &i))
                return false;
        } else if (count == most) {
            refuse_argument(v, options, argv[i], most);
            return false;
        } else {
            positional[count++] = argv[i];
        }
    }
    if (count && count < least)
        usage_error(v, "expected %s, got '%s' alone", v->arguments, positional[0]);
    else if (count < least)
        usage_error(v, "%s is missing", v->arguments);
    return count >= least;
}

bool options_parse(const verb *v, const option *options, int argc, char **argv,
                   const char **positional, int least, int most, int *code) {
    if (asks_for_help(options, argc, argv)) {
        print_help(v, options);
        *code = finish_output(v);
        return false;
    }
    bool right = parse_arguments(v, options, argc, argv, positional, least, most);
    *code = right ? 0 : EXIT_USAGE;
    return right;
}
