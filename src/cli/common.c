#include "cli/common.h"

#include "cli/study_place.h"
#include "cli/study_yaml.h"

#include "core/database.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"
#include "run/domain_notes.h"
#include "run/domain_study.h"
#include "json/trial.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name that is no domain may be that of a file: the sentence says what to do with it. */
static besd_status explain_file(const char *name, besd_error *error) {
    char yaml[STUDY_PLACE_SIZE];
    struct stat file;
    snprintf(yaml, sizeof yaml, "%.500s.yaml", name);
    if (access(yaml, F_OK) == 0)
        return besd_fail(error, BESD_UNKNOWN,
                         "domain: there is no '%.100s'; did you mean '%.150s'?", name, yaml);
    if (stat(name, &file) != 0)
        return BESD_UNKNOWN;
    return besd_fail(
        error, BESD_UNKNOWN,
        "%.150s: it is a %s, and no domain: a domain is built in, FILE.yaml, "
        "./PLUGIN.so or 'cmd:COMMAND'; a trainer of your own is named by a STUDY.yaml, "
        "and 'besd init' writes one",
        name, S_ISDIR(file.st_mode) ? "folder" : "file");
}

besd_status choose_domain(const char *name, const domain_options *options, domain *d,
                          besd_error *error) {
    const domain_origin origin = {name, options->map, options->set.items, options->set.count};
    if (study_yaml_is(name))
        return study_place_refuse(name, error);
    besd_status status = domain_origin_load(&origin, d, error);
    return status == BESD_UNKNOWN && !strncmp(error->message, "domain: there is no", 19)
               ? explain_file(name, error)
               : status;
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

/* 64 bits as 16 hexadecimal digits. */
static json_t *json_hex(uint64_t value) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    return json_string(text);
}

json_t *json_fingerprint(const domain *d, const besd_env *env) {
    return d->methods->fingerprint ? json_hex(d->methods->fingerprint(env)) : json_null();
}

json_t *json_domain_theta(const domain *d, const double *theta, size_t count) {
    coordinate_names names;
    if (theta)
        coordinate_names_fill(&names, count, count / (size_t)d->value[PARAMETER_SUBGOALS]);
    return theta_json(names.of, theta, count);
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

void warn_of_network(const verb *v, const char *path) {
    if (database_is_remote(path))
        print_clean(stderr,
                    "besd %s: warning: %s lies in a network file system, where a study can be lost "
                    "as soon as two machines use it; keep studies on a local disk and let besd "
                    "serve them\n",
                    v->name, path);
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
