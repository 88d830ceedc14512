#include "page/documents.h"

#include "core/error.h"
#include "page/bundle.h"
#include "page/ground.h"
#include "page/leg_view.h"
#include "page/study_json.h"
#include "page/views.h"
#include "json/answers.h"
#include "json/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEWEST_EVENTS = 40 }; /* as many as the page reads */

void documents_begin(documents *d, double made) {
    *d = (documents){.list = json_array()};
    json_write_begin(&d->text, '{');
    json_write_name(&d->text, "version");
    json_write_text(&d->text, BESD_VERSION);
    json_write_name(&d->text, "made");
    json_write_number(&d->text, made);
    json_write_name(&d->text, "documents");
    json_write_begin(&d->text, '{');
}

void documents_add(documents *d, const char *path, json_t *object) {
    json_write_name(&d->text, path);
    json_write_tree(&d->text, object);
}

/* The path of a study's answer. The page asks with the name as encodeURIComponent leaves it. */
enum { PATH_SIZE = 4000 };
static const char *path_of(const char *name, const char *what, char path[PATH_SIZE]) {
    size_t length = (size_t)snprintf(path, PATH_SIZE, "/v1/studies/");
    for (; *name && length + 4 < PATH_SIZE; name++) {
        bool plain =
            strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()",
                   *name) != NULL;
        length += (size_t)snprintf(path + length, PATH_SIZE - length, plain ? "%c" : "%%%02X",
                                   (unsigned char)*name);
    }
    snprintf(path + length, PATH_SIZE - length, "%s", what);
    return path;
}

/* Adds an answer that may be missing: everything but a lack of memory is a reason to leave it out.
 */
static besd_status add_if_there(documents *d, const char *path, json_t *object,
                                const besd_error *own, besd_error *error) {
    if (object)
        documents_add(d, path, object);
    else if (own->status == BESD_MEMORY || own->status == BESD_IO)
        return besd_fail(error, own->status, "%s", own->message);
    return BESD_OK;
}

typedef struct trial_list {
    documents *documents;
    besd_study *study;
} trial_list;

static besd_status list_trial(void *context, const trial_facts *f, bool *go_on, besd_error *error) {
    trial_list *l = context;
    *go_on = true;
    trial_write(&l->documents->text, l->study, f);
    return l->documents->text.failed ? besd_fail_memory(error, "the trials") : BESD_OK;
}

static besd_status add_trials(documents *d, const char *name, besd_study *study,
                              besd_error *error) {
    char path[PATH_SIZE];
    trial_list list = {d, study};
    json_write_name(&d->text, path_of(name, "/trials", path));
    json_write_begin(&d->text, '{');
    json_write_name(&d->text, "trials");
    json_write_begin(&d->text, '[');
    besd_status status = study_list(study, 0, list_trial, &list, error);
    json_write_end(&d->text, ']');
    json_write_end(&d->text, '}');
    return status;
}

static bool append_event(void *context, const besd_event *e) {
    json_t **list = context;
    json_add(list, event_json(e));
    return *list != NULL;
}

static besd_status add_events(documents *d, const char *name, besd_study *study,
                              besd_error *error) {
    char path[PATH_SIZE], what[40];
    int64_t last = 0;
    json_t *list = json_array();
    besd_status status = study_newest_event(study, &last, error);
    if (status == BESD_OK)
        status = besd_study_events(study, last > NEWEST_EVENTS ? last - NEWEST_EVENTS : 0,
                                   append_event, &list, error);
    if (status != BESD_OK) {
        json_decref(list);
        return status;
    }
    snprintf(what, sizeof what, "/events?newest=%d", NEWEST_EVENTS);
    documents_add(d, path_of(name, what, path), json_pack("{s:o}", "events", list));
    return BESD_OK;
}

/* The curve with hindsight in its gaps. A method without a model has none, which is no failure. */
static besd_status add_curve(documents *d, const char *name, besd_study *study,
                             const besd_recommendation *r, besd_error *error) {
    char path[PATH_SIZE];
    besd_error own = {0};
    recommendations *known = calloc(1, sizeof *known);
    int64_t next;
    if (!known)
        return besd_fail_memory(error, "the curve");
    if (r)
        recommendations_keep(known, r);
    while (r && (next = hindsight_next(known, r->trials)) > 0) {
        besd_recommendation then;
        if (hindsight_recommend(study, next, &then, &own) != BESD_OK)
            break;
        recommendations_keep(known, &then);
    }
    json_t *curve = view_curve(study, known, &own);
    free(known);
    return add_if_there(d, path_of(name, "/curve", path), curve, &own, error);
}

/* What needs a recommendation. */
static besd_status add_pictures(documents *d, const char *name, besd_study *study,
                                const besd_recommendation *r, besd_error *error) {
    char path[PATH_SIZE];
    besd_error own = {0};
    json_t *object = recommendation_json(study, r, &own);
    besd_status status = add_if_there(d, path_of(name, "/recommend", path), object, &own, error);
    if (status == BESD_OK) {
        object = view_slices(study, r, &own);
        status = add_if_there(d, path_of(name, "/slices", path), object, &own, error);
    }
    if (status == BESD_OK) {
        object = leg_view(study, r, &own);
        status = add_if_there(d, path_of(name, "/legs", path), object, &own, error);
    }
    return status;
}

besd_status documents_add_study(documents *d, const char *name, besd_study *study,
                                besd_error *error) {
    char path[PATH_SIZE];
    besd_error own = {0};
    besd_recommendation r;
    json_t *summary = study_summary_json(name, study, &own);
    json_t *object = summary ? study_json(name, study, &own) : NULL;
    if (!object) {
        json_decref(summary);
        return besd_fail(error, own.status, "%s", own.message);
    }
    json_add(&d->list, summary);
    documents_add(d, path_of(name, "", path), object);
    besd_status status = add_trials(d, name, study, error);
    if (status == BESD_OK)
        status = add_events(d, name, study, error);
    if (status == BESD_OK) {
        object = ground_view(study, &own);
        status = add_if_there(d, path_of(name, "/map", path), object, &own, error);
    }
    if (status == BESD_OK) {
        object = explained_json(study, &own);
        status = add_if_there(d, path_of(name, "/explain", path), object, &own, error);
    }
    bool has_any = status == BESD_OK && besd_study_recommend(study, &r, &own) == BESD_OK;
    if (status == BESD_OK)
        status = add_curve(d, name, study, has_any ? &r : NULL, error);
    return has_any && status == BESD_OK ? add_pictures(d, name, study, &r, error) : status;
}

void documents_add_broken(documents *d, const char *name, const char *sentence) {
    json_add(&d->list, json_pack("{s:s, s:s+}", "name", name, "error", sentence, ""));
}

besd_status documents_write(documents *d, const char *path, besd_error *error) {
    documents_add(d, "/v1/studies", json_pack("{s:O}", "studies", d->list));
    json_write_end(&d->text, '}');
    json_write_end(&d->text, '}');
    return d->text.failed ? besd_fail_memory(error, "the page")
                          : bundle_write(path, d->text.text, d->text.size, error);
}

void documents_free(documents *d) {
    json_decref(d->list);
    json_writer_clear(&d->text);
}
