#include "cli/common.h"

#include "cli/study_place.h"
#include "cli/study_yaml.h"

#include "core/error.h"
#include "core/names.h"
#include "core/print.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_MAP_FILE = 1 << 16 };

static besd_status read_text_file(const char *path, char *text, size_t size, besd_error *error) {
    FILE *file = fopen(path, "r");
    if (!file)
        return besd_fail(error, BESD_IO, "%s: %s", path, strerror(errno));
    size_t length = fread(text, 1, size - 1, file);
    bool failed = ferror(file), whole = feof(file);
    fclose(file);
    text[length] = 0;
    if (failed || !whole)
        return besd_fail(error, BESD_IO, "%s: %s", path,
                         failed ? "it could not be read" : "it is too large for a map");
    if (strlen(text) != length)
        return besd_fail(error, BESD_INVALID, "%s: it is not a text file", path);
    return BESD_OK;
}

/* A process has to be started before it can be asked what its settings are; this one counts from
 * the first moment. NaN: not set, or nothing that the domain will accept. */
static double start_timeout(const domain_options *options) {
    static const char name[] = "reset_timeout=";
    double seconds = NAN;
    for (size_t i = 0; i < options->set.count; i++)
        if (!strncmp(options->set.items[i], name, sizeof name - 1))
            seconds = strtod(options->set.items[i] + sizeof name - 1, NULL);
    return seconds > 0 && seconds < 1e9 ? seconds : NAN;
}

besd_status choose_domain(const char *name, const domain_options *options, domain *d,
                          besd_error *error) {
    if (study_yaml_is(name))
        return study_place_refuse(name, error);
    besd_status status = domain_load(name, start_timeout(options), d, error);
    if (status != BESD_OK)
        return status;
    if (options->map) {
        char *text = malloc(LARGEST_MAP_FILE);
        status = text ? read_text_file(options->map, text, LARGEST_MAP_FILE, error)
                      : besd_fail_memory(error, "the map");
        if (status == BESD_OK)
            status = domain_set_map(d, text, error);
        free(text);
    }
    for (size_t i = 0; status == BESD_OK && i < options->set.count; i++)
        status = domain_set(d, options->set.items[i], error);
    if (status == BESD_OK)
        status = domain_settle(d, error);
    if (status != BESD_OK)
        domain_release(d);
    return status;
}

int refuse(const verb *v, const besd_error *error) {
    print_clean(stderr, "besd %s: %s\n", v->name, error->message);
    return EXIT_REFUSED;
}

int finish_output(const verb *v) {
    if (fflush(stdout) || ferror(stdout)) {
        print_clean(stderr, "besd%s%s: standard output could not be written: %s\n", v ? " " : "",
                    v ? v->name : "", strerror(errno));
        return EXIT_REFUSED;
    }
    return 0;
}

int refuse_memory(const verb *v) {
    print_clean(stderr, "besd %s: out of memory\n", v->name);
    return EXIT_REFUSED;
}

int print_json(const verb *v, json_t *object) {
    if (!object || json_print(stdout, object, JSON_COMPACT)) {
        json_decref(object);
        print_clean(stderr, "besd %s: the result could not be written as JSON\n", v->name);
        return EXIT_REFUSED;
    }
    json_decref(object);
    putchar('\n');
    return finish_output(v);
}

const char *objective_name(domain_objective objective) {
    return objective == OBJECTIVE_RETURN ? "return" : "steps";
}

json_t *json_hex(uint64_t value) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    return json_string(text);
}

json_t *json_fingerprint(const domain *d, const besd_env *env) {
    return d->methods->fingerprint ? json_hex(d->methods->fingerprint(env)) : json_null();
}

/* names_nearest wants a context; the list is it. */
typedef struct name_list {
    const char *(*names)(size_t);
} name_list;

static const char *known_name(size_t index, const void *context) {
    return ((const name_list *)context)->names(index);
}

bool choose_name(const verb *v, const char *field, const char *text, const char *(*names)(size_t),
                 int *number) {
    for (size_t i = 0; names(i); i++)
        if (names_equal(text, names(i))) {
            *number = (int)i;
            return true;
        }
    name_list list = {names};
    const char *nearest = names_nearest(text, known_name, &list);
    print_clean(stderr, "besd %s: %s: expected", v->name, field);
    for (size_t i = 0; names(i); i++)
        print_clean(stderr, "%s %s", i ? "," : "", names(i));
    print_clean(stderr, "; got '%s'", text);
    if (nearest)
        print_clean(stderr, ", did you mean '%s'?", nearest);
    fputc('\n', stderr);
    return false;
}

static const char *program = "besd";

void set_program(const char *called) {
    if (called && strchr(called, '/'))
        program = called;
}

void print_program(FILE *out) {
    putc(' ', out);
    print_shell_word(out, program);
}

/* May it be shown as it is? */
static bool is_clean(const char *word) {
    char *shown = strdup(word);
    if (!shown)
        return false;
    text_clean(shown);
    bool same = !strcmp(shown, word);
    free(shown);
    return same;
}

/* $'...', in which every byte can be written by its number. */
static void print_by_numbers(FILE *out, const char *word) {
    fputs(" $'", out);
    for (; *word; word++)
        if (*word < ' ' || *word > '~' || strchr("'\\", *word))
            print_clean(out, "\\x%02x", (unsigned)(unsigned char)*word);
        else
            fputc(*word, out);
    fputc('\'', out);
}

void print_shell_word(FILE *out, const char *word) {
    if (!is_clean(word)) {
        print_by_numbers(out, word);
        return;
    }
    if (*word && !strpbrk(word, " \t\n'\"\\$`;&|<>()*?[]{}~#!")) {
        print_clean(out, " %s", word);
        return;
    }
    fputs(" '", out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, out);
    fputc('\'', out);
}
