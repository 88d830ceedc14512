/* Studies: their list, a new one, what one is like, what happened to it, what its model says, and
 * what the live page draws of it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "page/ground.h"
#include "page/leg_view.h"
#include "page/study_json.h"
#include "serve/route.h"
#include "serve/service.h"
#include "serve/stream.h"
#include "study/options.h"
#include "study/study.h"
#include "json/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void list_one(void *context, served *one) {
    besd_error error = {0};
    json_t *summary = summary_of(one, &error);
    if (!summary) { /* one bad file does not hide the others */
        served_hide_path(one, error.message, sizeof error.message);
        summary = json_pack("{s:s, s:s+}", "name", one->name, "error", error.message, "");
    }
    json_add(context, summary);
}

void handle_studies(call *c, reply *r) {
    json_t *list = json_array();
    studies_visit(&c->service->studies, list_one, &list);
    reply_json(r, 200, json_pack("{s:o}", "studies", list));
}

void handle_study(call *c, reply *r) {
    besd_error error = {0};
    reply_object(c, r, study_json(c->served->name, c->study, &error), &error);
}

/* Writes the description into a file in memory, because the maker reads files; -1 without memory.
 */
static int write_description(const json_t *description, char *path, size_t size) {
    size_t length;
    char *text = json_text(description, JSON_INDENT(1), &length);
    int file = text ? memfd_create("description", MFD_CLOEXEC) : -1;
    FILE *out = file < 0 ? NULL : fdopen(dup(file), "w");
    bool written = out && fwrite(text, length, 1, out) == 1;
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

/* Takes line numbers and the file's name out of a sentence; the client has sent an object. */
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

/* The study's handle for a moment; NULL: it cannot be had. */
static besd_study *borrow(served *one, served_use use) {
    besd_study *study = NULL;
    bool fresh;
    return one && served_borrow(one, use, &study, &fresh, NULL) == BESD_OK ? study : NULL;
}

/* A study that was made by the same request, whose answer was lost, is answered as if it were new.
 */
static bool was_made(call *c, reply *r) {
    kept_answer a = {0};
    besd_error error = {0};
    served *one = c->key ? studies_find(&c->service->studies, c->name) : NULL;
    besd_study *study = borrow(one, SERVED_READ);
    besd_status status =
        study ? study_find_answer(study, c->key, c->digest, &a, &error) : BESD_UNKNOWN;
    if (study)
        served_return(one, SERVED_READ, study, status);
    bool is_same = status == BESD_OK && a.is_known && !a.is_another;
    json_t *summary = is_same ? summary_of(one, &error) : NULL;
    free(a.text);
    if (summary)
        reply_json(r, 201, summary);
    return summary != NULL;
}

/* Should that fail, a request that is sent again hears that the study is there. */
static void keep_making(call *c, served *one) {
    const kept_answer a = {.code = 201};
    besd_study *study = c->key ? borrow(one, SERVED_WRITE) : NULL;
    if (study)
        served_return(one, SERVED_WRITE, study,
                      study_keep_answer(study, c->key, c->digest, &a, NULL));
}

/* The studies that a new one learns from, and whose they are. */
typedef struct lenders {
    served *of[BESD_MAX_SOURCES];
    study_sources studies;
} lenders;

static void give_back(lenders *l, besd_status status) {
    for (size_t i = 0; i < l->studies.count; i++)
        served_return(l->of[i], SERVED_READ, l->studies.of[i], status);
    l->studies.count = 0;
}

static bool borrow_one(call *c, reply *r, const char *name, lenders *l) {
    size_t i = l->studies.count;
    bool fresh;
    besd_error error;
    served *one = name && route_is_name(name) ? studies_find(&c->service->studies, name) : NULL;
    for (size_t j = 0; one && j < i; j++)
        if (l->of[j] == one) {
            reply_refuse(r, 400, "invalid", "from: expected different studies, got '%s' twice",
                         name);
            return false;
        }
    if (!name || !route_is_name(name))
        reply_refuse(r, 400, "invalid",
                     "from: expected names of studies of this server, got '%.80s'",
                     name ? name : "what is no text");
    else if (!one)
        reply_refuse(r, 404, "unknown", "from: there is no study '%.80s' here", name);
    else if (served_borrow(one, SERVED_READ, &l->studies.of[i], &fresh, &error) != BESD_OK) {
        served_hide_path(one, error.message, sizeof error.message);
        reply_refuse(r, 409, "conflict", "from: %s", error.message);
    } else {
        l->of[i] = one;
        l->studies.names[i] = one->name;
        l->studies.count++;
        return true;
    }
    return false;
}

/* The member "from", a list of names; false: it was refused. */
static bool borrow_sources(call *c, reply *r, lenders *l) {
    const json_t *list = json_object_get(c->input, "from");
    size_t count = json_array_size(list);
    *l = (lenders){0};
    if (list && !json_is_null(list) && !json_is_array(list)) {
        reply_refuse(r, 400, "invalid", "from: expected a list of names of studies");
        return false;
    }
    if (count > BESD_MAX_SOURCES) {
        reply_refuse(r, 400, "invalid", "from: expected at most %d studies, got %zu",
                     BESD_MAX_SOURCES, count);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!borrow_one(c, r, json_string_value(json_array_get(list, i)), l)) {
            give_back(l, BESD_OK);
            return false;
        }
    return true;
}

static besd_status call_maker(call *c, const char *file, const char *path, lenders *l,
                              besd_error *error) {
    besd_status status = c->service->make(file, path, &l->studies, error);
    for (size_t i = 0; status != BESD_OK && i < l->studies.count; i++)
        served_hide_path(l->of[i], error->message, sizeof error->message);
    give_back(l, status);
    return status;
}

static void make_study(call *c, reply *r, const char *file, const json_t *description) {
    char path[32];
    lenders from;
    besd_error error = {0};
    int memory = write_description(description, path, sizeof path);
    if (memory < 0) {
        reply_refuse(r, 500, "memory", "out of memory while reading the description");
        return;
    }
    if (!borrow_sources(c, r, &from)) {
        close(memory);
        return;
    }
    besd_status status = call_maker(c, file, path, &from, &error);
    close(memory);
    tidy_sentence(error.message, path);
    c->served = studies_find(&c->service->studies, c->name);
    if (status == BESD_OK && c->served) {
        keep_making(c, c->served);
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
    if (!input_expect(r, c->input, "the body", "name description from") ||
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
        if (access(file, F_OK) == 0 && !was_made(c, r))
            reply_refuse(r, 409, "conflict", "there is a study '%s' already; it stays", name);
        else if (!r->code)
            make_study(c, r, file, description);
        pthread_mutex_unlock(&c->service->making);
    }
}

void handle_set(call *c, reply *r) {
    besd_error error = {0};
    const json_t *member = json_object_get(c->input, "budget");
    double budget = INFINITY, spent = 0;
    const char *worker = NULL;
    if (!input_expect(r, c->input, "the body", "budget worker") ||
        !input_number(r, c->input, "budget", &budget) ||
        !input_text(r, c->input, "worker", &worker) || !act_as(c, r, worker))
        return;
    if (!member) {
        reply_refuse(r, 400, "invalid", "budget: expected a number, or null for no limit");
        return;
    }
    besd_status status = besd_study_set_budget(c->study, budget, &error);
    if (status == BESD_OK)
        status = besd_study_spent(c->study, &spent, &error);
    if (status == BESD_OK)
        reply_json(r, 200, budget_json(budget, spent));
    else
        reply_error(c, r, &error);
}

static bool append_event(void *context, const besd_event *e) {
    json_t **list = context;
    json_add(list, event_json(e));
    return *list && json_array_size(*list) < EVENTS_AT_ONCE;
}

void handle_events(call *c, reply *r) {
    int64_t after = 0, newest = 0, last = 0;
    besd_error error = {0};
    if (!query_integer(c, r, "after", &after) || !query_integer(c, r, "newest", &newest))
        return;
    if (newest > 0 && study_newest_event(c->study, &last, &error) != BESD_OK) {
        reply_error(c, r, &error);
        return;
    }
    if (newest > 0 && last - newest > after)
        after = last - newest;
    if (c->wants_stream) {
        r->code = 200;
        r->type = "text/event-stream";
        r->stream = true;
        r->after = c->last_event >= 0 ? c->last_event : after;
        return;
    }
    json_t *list = json_array();
    if (besd_study_events(c->study, after, append_event, &list, &error) == BESD_OK) {
        reply_json(r, 200, json_pack("{s:o}", "events", list));
        return;
    }
    json_decref(list);
    reply_error(c, r, &error);
}

/* The study's curve shows this recommendation from now on. */
static void remember_recommendation(call *c, const besd_recommendation *recommended) {
    pthread_mutex_lock(&c->served->lock);
    recommendations_keep(&c->served->recommended, recommended);
    pthread_mutex_unlock(&c->served->lock);
}

void handle_recommend(call *c, reply *r) {
    besd_error error = {0};
    besd_recommendation recommended;
    json_t *object = NULL;
    if (besd_study_recommend(c->study, &recommended, &error) == BESD_OK) {
        remember_recommendation(c, &recommended);
        object = recommendation_json(c->study, &recommended, &error);
    }
    if (object)
        reply_json(r, 200, object);
    else
        reply_conflict(c, r, &error); /* nothing is told yet */
}

void handle_predict(call *c, reply *r) {
    besd_error error = {0};
    double theta[BESD_MAX_DIMENSION];
    const besd_study_options *o = besd_study_get_options(c->study);
    int64_t tau = o->taus[o->tau_count - 1];
    besd_forecast f;
    if (!input_expect(r, c->input, "the body", "theta tau") || !input_theta(c, r, theta) ||
        !input_integer(r, c->input, "tau", &tau))
        return;
    if (besd_study_forecast(c->study, theta, tau, &f, &error) != BESD_OK) {
        reply_error(c, r, &error);
        return;
    }
    reply_json(r, 200, forecast_json(o, theta, tau, &f));
}

void handle_curve(call *c, reply *r) {
    besd_error error = {0};
    recommendations *copy = malloc(sizeof *copy);
    if (!copy) {
        reply_json(r, 200, NULL);
        return;
    }
    pthread_mutex_lock(&c->served->lock);
    *copy = c->served->recommended;
    pthread_mutex_unlock(&c->served->lock);
    reply_object(c, r, view_curve(c->study, copy, &error), &error);
    free(copy);
}

/* Fills one gap at a time, because each costs a fit; the client asks again while there are more. */
void handle_hindsight(call *c, reply *r) {
    besd_error error = {0};
    besd_recommendation recommended = {0};
    besd_status status = besd_study_recommend(c->study, &recommended, &error);
    int64_t told = recommended.trials, next = 0;
    if (status == BESD_OK) {
        remember_recommendation(c, &recommended);
        pthread_mutex_lock(&c->served->lock);
        next = hindsight_next(&c->served->recommended, told);
        pthread_mutex_unlock(&c->served->lock);
    }
    if (next && (status = hindsight_recommend(c->study, next, &recommended, &error)) == BESD_OK)
        remember_recommendation(c, &recommended);
    if (status == BESD_OK)
        reply_json(r, 200, json_pack("{s:b}", "more", next != 0));
    else
        reply_conflict(c, r, &error);
}

void handle_slices(call *c, reply *r) {
    besd_error error = {0};
    besd_recommendation recommended;
    json_t *object = NULL;
    if (besd_study_recommend(c->study, &recommended, &error) == BESD_OK) {
        remember_recommendation(c, &recommended);
        object = view_slices(c->study, &recommended, &error);
    }
    if (object)
        reply_json(r, 200, object);
    else
        reply_conflict(c, r, &error); /* nothing is told yet, or there is no model */
}

void handle_legs(call *c, reply *r) {
    besd_error error = {0};
    besd_recommendation recommended;
    json_t *object = NULL;
    if (besd_study_recommend(c->study, &recommended, &error) == BESD_OK) {
        remember_recommendation(c, &recommended);
        object = leg_view(c->study, &recommended, &error);
    }
    if (object)
        reply_json(r, 200, object);
    else
        reply_conflict(c, r, &error); /* nothing is told yet, or there are no legs */
}

void handle_map(call *c, reply *r) {
    besd_error error = {0};
    reply_object(c, r, ground_view(c->study, &error), &error);
}

void handle_backup(call *c, reply *r) {
    besd_error error = {0};
    unsigned char *bytes;
    size_t size;
    if (study_snapshot(c->study, &bytes, &size, &error) != BESD_OK) {
        reply_error(c, r, &error);
        return;
    }
    reply_text(r, 200, (char *)bytes, size);
    r->type = "application/vnd.sqlite3";
}
