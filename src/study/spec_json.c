/* A study's description as JSON. Which options there are only the table of options knows. */
#include "core/error.h"
#include "core/json.h"
#include "study/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The budget is kept apart (spec.h). */
static bool is_kept_apart(size_t option) {
    return option == STUDY_OPTION_budget;
}

static json_t *list_theta(const study_spec *s) {
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; i < s->options.dimension; i++)
        failed |= json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:f}", "name", s->names[i],
                                                        "unit", s->units[i], "low", s->low[i],
                                                        "high", s->high[i]));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *list_levels(const study_spec *s, bool of_tau) {
    json_t *list = json_array();
    size_t count = of_tau ? s->options.tau_count : s->options.reps_count;
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        failed |= json_array_append_new(list, json_integer(of_tau ? s->taus[i] : s->reps[i]));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

/* NULL when something could not be allocated: never half a description. */
static json_t *to_json(const study_spec *s) {
    json_t *json = json_object();
    int failed = json_object_set_new(json, "theta", list_theta(s));
    failed |= json_object_set_new(json, "tau", list_levels(s, true));
    failed |= json_object_set_new(json, "reps", list_levels(s, false));
    for (size_t i = 0; i < STUDY_OPTIONS; i++)
        if (!is_kept_apart(i))
            failed |= json_object_set_new(json, study_options[i].name,
                                          study_option_to_json(&study_options[i], &s->options));
    if (!failed)
        return json;
    json_decref(json);
    return NULL;
}

besd_status spec_write(const study_spec *s, char **text, besd_error *error) {
    json_t *json = to_json(s);
    *text = json ? json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(json);
    return *text ? BESD_OK : besd_fail_memory(error, "the study's description");
}

/* Where what the JSON says is collected before it is checked; names live as long as the JSON. */
typedef struct reading {
    besd_study_options options;
    double low[BESD_MAX_DIMENSION], high[BESD_MAX_DIMENSION];
    const char *names[BESD_MAX_DIMENSION], *units[BESD_MAX_DIMENSION];
    int64_t taus[BESD_MAX_LEVELS];
    int reps[BESD_MAX_LEVELS];
} reading;

static bool read_theta(reading *r, const json_t *list) {
    bool right = json_is_array(list) && json_array_size(list) <= BESD_MAX_DIMENSION;
    r->options.dimension = right ? json_array_size(list) : 0;
    for (size_t i = 0; right && i < r->options.dimension; i++)
        right = !json_unpack(json_array_get(list, i), "{s:s, s:s, s:F, s:F}", "name", &r->names[i],
                             "unit", &r->units[i], "low", &r->low[i], "high", &r->high[i]);
    r->options.low = r->low;
    r->options.high = r->high;
    r->options.names = r->names;
    r->options.units = r->units;
    return right;
}

static bool read_levels(reading *r, const json_t *taus, const json_t *reps) {
    bool right = json_is_array(taus) && json_array_size(taus) <= BESD_MAX_LEVELS &&
                 json_is_array(reps) && json_array_size(reps) <= BESD_MAX_LEVELS;
    r->options.tau_count = right ? json_array_size(taus) : 0;
    r->options.reps_count = right ? json_array_size(reps) : 0;
    for (size_t i = 0; right && i < r->options.tau_count; i++) {
        right = json_is_integer(json_array_get(taus, i));
        r->taus[i] = json_integer_value(json_array_get(taus, i));
    }
    for (size_t i = 0; right && i < r->options.reps_count; i++) {
        json_int_t level = json_integer_value(json_array_get(reps, i));
        right = level >= 1 && level <= BESD_MAX_REPS;
        r->reps[i] = (int)level;
    }
    r->options.taus = r->taus;
    r->options.reps = r->reps;
    return right;
}

/* An option that is not in our list is of a newer besd; without it this would be another study. */
static const char *unknown_key(json_t *json) {
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value) {
        if (strcmp(key, "theta") != 0 && strcmp(key, "tau") != 0 && strcmp(key, "reps") != 0 &&
            !study_option_find(key))
            return key;
    }
    return NULL;
}

static bool read_options(reading *r, const json_t *json) {
    for (size_t i = 0; i < STUDY_OPTIONS; i++) {
        const json_t *value = json_object_get(json, study_options[i].name);
        if (value && !study_option_from_json(&study_options[i], value, &r->options))
            return false;
    }
    return true;
}

besd_status spec_read(study_spec *s, const char *text, besd_error *error) {
    reading *r = calloc(1, sizeof *r);
    if (!r)
        return besd_fail_memory(error, "the study's description");
    json_error_t fault;
    json_t *json = json_read(text, strlen(text), 0, &fault);
    besd_error detail;
    besd_status status = BESD_OK;
    r->options = besd_study_options_default();
    if (!json && json_lacked_memory(&fault))
        status = besd_fail_memory(error, "the study's description");
    else if (!json || !read_theta(r, json_object_get(json, "theta")) ||
             !read_levels(r, json_object_get(json, "tau"), json_object_get(json, "reps")) ||
             !read_options(r, json))
        status =
            besd_fail(error, BESD_IO, "its description is damaged, or of another version of besd");
    else if (unknown_key(json))
        status = besd_fail(error, BESD_IO,
                           "it has the option '%.60s', which this besd (%s) does not know; a newer "
                           "one made it",
                           unknown_key(json), besd_version());
    else if ((status = spec_init(s, &r->options, &detail)) == BESD_INVALID)
        status = besd_fail(error, BESD_IO, "its description is damaged: %.400s", detail.message);
    else if (status != BESD_OK)
        besd_error_set(error, status, "%s", detail.message);
    json_decref(json);
    free(r);
    return status;
}

besd_status spec_write_budget(double budget, char **text, besd_error *error) {
    json_t *json = json_real(budget);
    *text = json_dumps(json, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    json_decref(json);
    return *text ? BESD_OK : besd_fail_memory(error, "the budget");
}

besd_status spec_read_budget(const char *text, double *budget, besd_error *error) {
    json_error_t fault;
    json_t *json = json_read(text, strlen(text), JSON_DECODE_ANY, &fault);
    bool right = json_is_number(json) && json_number_value(json) >= 0;
    *budget = json_number_value(json);
    if (!json && json_lacked_memory(&fault))
        return besd_fail_memory(error, "the budget");
    json_decref(json);
    return right ? BESD_OK : besd_fail(error, BESD_IO, "its budget is damaged: '%.40s'", text);
}

/* With as many digits as it takes to see the difference. */
static besd_status fail_box(const char *name, const study_spec *stored, const study_spec *given,
                            size_t i, besd_error *error) {
    char was[80], is[80];
    for (int digits = 10; digits <= 17; digits += 7) {
        snprintf(was, sizeof was, "[%.*g, %.*g]", digits, stored->low[i], digits, stored->high[i]);
        snprintf(is, sizeof is, "[%.*g, %.*g]", digits, given->low[i], digits, given->high[i]);
        if (strcmp(was, is) != 0)
            break;
    }
    return besd_fail(error, BESD_INVALID, "theta: %s is in %s in the study, got %s", name, was, is);
}

/* How two lists of coordinates differ, in the words of the first coordinate that does. */
static besd_status fail_theta(const study_spec *stored, const study_spec *given,
                              besd_error *error) {
    size_t was = stored->options.dimension, is = given->options.dimension;
    if (was != is)
        return besd_fail(error, BESD_INVALID, "theta: the study has %zu coordinate%s, got %zu", was,
                         was == 1 ? "" : "s", is);
    for (size_t i = 0; i < was; i++) {
        const char *name = stored->names[i];
        if (strcmp(name, given->names[i]) != 0)
            return besd_fail(error, BESD_INVALID,
                             "theta: the study calls coordinate %zu '%s', got '%s'", i + 1, name,
                             given->names[i]);
        if (strcmp(stored->units[i], given->units[i]) != 0)
            return besd_fail(error, BESD_INVALID,
                             "theta: %s has the unit '%s' in the study, got '%s'", name,
                             stored->units[i], given->units[i]);
        if (stored->low[i] != given->low[i] || stored->high[i] != given->high[i])
            return fail_box(name, stored, given, i, error);
    }
    return besd_fail(error, BESD_INVALID, "theta: the study has another");
}

besd_status spec_compare(const study_spec *stored, const study_spec *given, besd_error *error) {
    json_t *a = to_json(stored), *b = to_json(given), *value;
    const char *key;
    besd_status status = a && b ? BESD_OK : besd_fail_memory(error, "the comparison");
    json_object_foreach(a, key, value) {
        json_t *other = json_object_get(b, key);
        if (status != BESD_OK || json_equal(value, other))
            continue;
        if (!strcmp(key, "theta")) {
            status = fail_theta(stored, given, error);
            continue;
        }
        char *was = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        char *is = json_dumps(other, JSON_ENCODE_ANY | JSON_COMPACT);
        status = besd_fail(error, BESD_INVALID, "%s: the study has %.180s, got %.180s", key,
                           was ? was : "?", is ? is : "?");
        free(was);
        free(is);
    }
    json_decref(a);
    json_decref(b);
    return status;
}
