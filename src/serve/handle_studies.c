/* The studies: their list, a new one, what one is like. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "core/error.h"
#include "core/json.h"
#include "serve/handlers.h"
#include "serve/input.h"
#include "serve/route.h"
#include "serve/service.h"
#include "serve/summary.h"
#include "study/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void list_one(void *context, served *one) {
    json_t *list = context;
    besd_error error = {0};
    json_t *summary = summary_of(one, &error);
    if (!summary) { /* one bad file does not hide the others */
        served_hide_path(one, error.message, sizeof error.message);
        summary = json_pack("{s:s, s:s+}", "name", one->name, "error", error.message, "");
    }
    json_array_append_new(list, summary);
}

void handle_studies(call *c, reply *r) {
    json_t *list = json_array();
    studies_visit(&c->service->studies, list_one, list);
    reply_json(r, 200, json_pack("{s:o}", "studies", list));
}

static json_t *describe_space(const besd_study_options *o) {
    json_t *list = json_array();
    for (size_t i = 0; i < o->dimension; i++)
        json_array_append_new(list, json_pack("{s:s, s:f, s:f, s:s}", "name", o->names[i], "low",
                                              o->low[i], "high", o->high[i], "unit", o->units[i]));
    return list;
}

static json_t *describe_options(const besd_study_options *o) {
    json_t *object = json_object();
    for (size_t i = 0; i < STUDY_OPTIONS; i++)
        json_object_set_new(object, study_options[i].name,
                            study_option_to_json(&study_options[i], o));
    return object;
}

static json_t *describe_levels(const besd_study_options *o, bool taus) {
    json_t *list = json_array();
    for (size_t i = 0; i < (taus ? o->tau_count : o->reps_count); i++)
        json_array_append_new(list, json_integer(taus ? o->taus[i] : o->reps[i]));
    return list;
}

static json_t *describe_path(const besd_study *s) {
    besd_path p;
    besd_study_get_path(s, &p);
    if (!p.points)
        return json_null();
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:I, s:o, s:I}", "points",
                     (json_int_t)p.points, "coordinates", (json_int_t)p.coordinates, "cell",
                     json_number(p.cell), "cap", json_number(p.cap), "from",
                     json_numbers(p.from, p.coordinates), "to", json_numbers(p.to, p.coordinates),
                     "fewest", (json_int_t)p.fewest, "price", json_number(p.price), "labels",
                     (json_int_t)p.labels);
}

/* Of the note with which besd run keeps the domain, only its name. */
static json_t *describe_domain(besd_study *s) {
    char note[4096];
    besd_error ignored;
    if (besd_study_get_note(s, "domain", note, sizeof note, &ignored) != BESD_OK || !note[0])
        return json_null();
    json_t *object = json_loads(note, 0, NULL);
    const char *name = json_string_value(json_object_get(object, "domain"));
    json_t *described = json_string(name ? name : "");
    if (!name) {
        json_decref(described);
        size_t length = strcspn(note, " \n");
        described = json_is_object(object) || memchr(note, '/', length)
                        ? json_null()
                        : json_stringn(note, length);
    }
    json_decref(object);
    return described ? described : json_null();
}

json_t *describe_study(const served *one, besd_study *s, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    char arithmetic[80];
    json_t *object = summary_read(one, s, error);
    if (!object || besd_study_arithmetic(s, arithmetic, sizeof arithmetic, error) != BESD_OK) {
        json_decref(object);
        return NULL;
    }
    json_t *more = json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "theta", describe_space(o),
                             "tau", describe_levels(o, true), "reps", describe_levels(o, false),
                             "options", describe_options(o), "path", describe_path(s), "arithmetic",
                             arithmetic, "domain", describe_domain(s));
    object = json_joined(object, more);
    if (!object)
        besd_fail_memory(error, "the study");
    return object;
}

void handle_study(call *c, reply *r) {
    besd_error error = {0};
    json_t *object = describe_study(c->served, c->study, &error);
    if (object)
        reply_json(r, 200, object);
    else
        reply_error(c, r, &error);
}

/* The description as a file in memory, because what reads descriptions reads files. */
static int write_description(const json_t *description, char *path, size_t size) {
    char *text = json_dumps(description, JSON_INDENT(1));
    int file = text ? memfd_create("description", MFD_CLOEXEC) : -1;
    FILE *out = file < 0 ? NULL : fdopen(dup(file), "w");
    bool written = out && fwrite(text, strlen(text), 1, out) == 1;
    if (out && fclose(out))
        written = false;
    free(text);
    snprintf(path, size, "/proc/self/fd/%d", file);
    if (written)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* Lines and the file's name mean nothing to who has sent an object. */
static void tidy_sentence(char *sentence, const char *path) {
    size_t length = strlen(path);
    char *line = strstr(sentence, " (line: "), *end = line ? strchr(line, ')') : NULL;
    if (end)
        memmove(line, end + 1, strlen(end + 1) + 1);
    if (!strncmp(sentence, path, length)) {
        static const char word[] = "description";
        memmove(sentence + sizeof word - 1, sentence + length, strlen(sentence + length) + 1);
        memcpy(sentence, word, sizeof word - 1);
    }
}

static void make_study(call *c, reply *r, const char *file, const json_t *description) {
    char path[32];
    besd_error error = {0};
    int memory = write_description(description, path, sizeof path);
    if (memory < 0) {
        reply_refuse(r, 500, "memory", "out of memory while reading the description");
        return;
    }
    besd_status status = c->service->make(file, path, &error);
    close(memory);
    tidy_sentence(error.message, path);
    c->served = studies_find(&c->service->studies, c->name);
    if (status == BESD_OK && c->served) {
        json_t *summary = summary_of(c->served, &error);
        if (summary) {
            reply_json(r, 201, summary);
            return;
        }
    }
    served made = {.name = ""};
    snprintf(made.name, sizeof made.name, "%s", c->name);
    snprintf(made.path, sizeof made.path, "%s", file);
    c->served = c->served ? c->served : &made;
    reply_error(c, r, &error);
    c->served = NULL;
}

void handle_create(call *c, reply *r) {
    const char *name = "";
    char file[SERVED_LONGEST_PATH + 1];
    const json_t *description = json_object_get(c->input, "description");
    if (!input_expect(r, c->input, "the body", "name description") ||
        !input_text(r, c->input, "name", &name))
        return;
    if (!route_is_name(name)) {
        reply_refuse(r, 400, "invalid",
                     "name: expected 1 to %d letters, digits or . _ - without a dot at the "
                     "beginning, got '%.80s'",
                     CALL_NAME_SIZE - 1, name);
    } else if (!json_is_object(description)) {
        reply_refuse(r, 400, "invalid",
                     "description: expected an object with the members of a study.yaml (theta, "
                     "tau, reps, ...)");
    } else if (!c->service->make || !studies_place(&c->service->studies, name, file, sizeof file)) {
        reply_refuse(r, 403, "forbidden",
                     "this server serves files that were named; one that serves a folder makes "
                     "new studies");
    } else {
        snprintf(c->name, sizeof c->name, "%s", name);
        pthread_mutex_lock(&c->service->making);
        if (access(file, F_OK) == 0)
            reply_refuse(r, 409, "conflict", "there is a study '%s' already; it stays", name);
        else
            make_study(c, r, file, description);
        pthread_mutex_unlock(&c->service->making);
    }
}
