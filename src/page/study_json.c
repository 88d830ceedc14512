#include "page/study_json.h"

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "study/options.h"
#include "study/study.h"

#include <stdlib.h>
#include <string.h>

json_t *study_summary_json(const char *name, besd_study *study, besd_error *error) {
    int64_t counts[CENSUS_STATES];
    double spent = 0;
    const besd_study_options *o = besd_study_get_options(study);
    besd_status status = study_read_budget(study, error); /* another handle may have set it */
    if (status == BESD_OK)
        status = study_census(study, counts, error);
    if (status == BESD_OK)
        status = besd_study_spent(study, &spent, error);
    if (status != BESD_OK)
        return NULL;
    json_t *states = json_object();
    for (size_t i = 0; i < CENSUS_STATES; i++)
        json_put(&states, besd_trial_state_name(i), json_integer(counts[i]));
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:o, s:s, s:I}", "name", name, "trials", states, "budget",
                  json_number(o->budget), "spent", json_number(spent), "direction",
                  besd_direction_name(o->direction), "dimension", (json_int_t)o->dimension);
    if (!object)
        besd_fail_memory(error, "the summary");
    return object;
}

static json_t *describe_space(const besd_study_options *o) {
    json_t *list = json_array();
    for (size_t i = 0; i < o->dimension; i++)
        json_add(&list, json_pack("{s:s, s:o, s:o, s:s}", "name", o->names[i], "low",
                                  json_number(o->low[i]), "high", json_number(o->high[i]), "unit",
                                  o->units[i]));
    return list;
}

static json_t *describe_options(const besd_study_options *o) {
    json_t *object = json_object();
    for (size_t i = 0; i < STUDY_OPTIONS; i++)
        json_put(&object, study_options[i].name, study_option_to_json(&study_options[i], o));
    return object;
}

/* The names of options that are not as initially. An automatic option is settled when the study is
 * made; that is no change by the user. */
static json_t *describe_changes(const besd_study_options *o) {
    enum { TEXT = 300 };
    const besd_study_options initial = besd_study_options_default();
    json_t *list = json_array();
    for (size_t i = 0; i < STUDY_OPTIONS; i++) {
        char is[TEXT], was[TEXT];
        study_option_print(&study_options[i], o, is, sizeof is);
        study_option_print(&study_options[i], &initial, was, sizeof was);
        if (study_option_matters(&study_options[i], o->method) && strcmp(is, was) != 0 &&
            strcmp(was, "automatic") != 0)
            json_add(&list, json_string(study_options[i].name));
    }
    return list;
}

static json_t *describe_levels(const besd_study_options *o, bool taus) {
    json_t *list = json_array();
    for (size_t i = 0; i < (taus ? o->tau_count : o->reps_count); i++)
        json_add(&list, json_integer(taus ? o->taus[i] : o->reps[i]));
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

/* The name of the domain, from the note in which besd run keeps the domain; null when there is
 * none, NULL without memory. */
static json_t *describe_domain(besd_study *s) {
    char note[4096];
    besd_error ignored;
    json_error_t fault;
    besd_status status = besd_study_get_note(s, "domain", note, sizeof note, &ignored);
    if (status != BESD_OK || !note[0])
        return status == BESD_MEMORY ? NULL : json_null();
    json_t *object = json_read(note, strlen(note), 0, &fault);
    if (!object && json_lacked_memory(&fault))
        return NULL;
    const char *name = json_string_value(json_object_get(object, "domain"));
    note[strcspn(note, " \n")] = 0;
    bool is_word = !json_is_object(object) && !strchr(note, '/') && text_is_utf8(note);
    json_t *described = name ? json_string(name) : is_word ? json_string(note) : json_null();
    json_decref(object);
    return described;
}

/* What trains the study, as besd run has noted it; null: nobody knows. */
static json_t *describe_command(besd_study *s) {
    char note[1024];
    besd_error ignored;
    besd_status status = besd_study_get_note(s, "command", note, sizeof note, &ignored);
    note[status == BESD_OK ? text_cut(note, strlen(note)) : 0] = 0;
    return status == BESD_MEMORY                              ? NULL
           : status == BESD_OK && *note && text_is_utf8(note) ? json_string(note)
                                                              : json_null();
}

json_t *study_json(const char *name, besd_study *s, besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    char arithmetic[80];
    json_t *object = study_summary_json(name, s, error);
    if (!object || besd_study_arithmetic(s, arithmetic, sizeof arithmetic, error) != BESD_OK) {
        json_decref(object);
        return NULL;
    }
    json_t *more = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o}", "theta", describe_space(o), "tau",
        describe_levels(o, true), "reps", describe_levels(o, false), "options", describe_options(o),
        "changed", describe_changes(o), "path", describe_path(s), "arithmetic", arithmetic,
        "domain", describe_domain(s), "command", describe_command(s));
    object = json_joined(object, more);
    if (!object)
        besd_fail_memory(error, "the study");
    return object;
}

/* The newest ask that was explained, whoever asked. A first walk over the events finds it without
 * copying anything, a second visit reads it. */
typedef struct explained {
    int64_t event, trial; /* event 0: no ask was explained */
    double at;
    json_t *explanation; /* NULL after the second visit: out of memory */
} explained;

static bool note_explained(void *context, const besd_event *e) {
    explained *x = context;
    if (!strcmp(e->what, "asked") && e->detail && e->detail[0])
        *x = (explained){.event = e->id, .trial = e->trial, .at = e->at};
    return true;
}

static bool read_explained(void *context, const besd_event *e) {
    explained *x = context;
    json_error_t fault;
    x->explanation = json_read(e->detail, strlen(e->detail), 0, &fault);
    return false;
}

static besd_status find_explained(besd_study *s, explained *x, besd_error *error) {
    besd_status status = besd_study_events(s, 0, note_explained, x, error);
    if (status == BESD_OK && !x->event)
        return besd_fail(error, BESD_UNKNOWN,
                         "no ask of this study was explained yet; ask with {\"explain\": true}");
    if (status == BESD_OK)
        status = besd_study_events(s, x->event - 1, read_explained, x, error);
    if (status == BESD_OK && !x->explanation)
        status = besd_fail_memory(error, "the explanation");
    return status;
}

json_t *explained_json(besd_study *study, besd_error *error) {
    explained x = {0};
    json_t *object = NULL;
    if (find_explained(study, &x, error) == BESD_OK &&
        !(object = json_pack("{s:I, s:o, s:O}", "trial", (json_int_t)x.trial, "at",
                             json_number(x.at), "explanation", x.explanation)))
        besd_fail_memory(error, "the explanation");
    json_decref(x.explanation);
    return object;
}
