#include "study/told_json.h"

#include "core/error.h"
#include "core/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Legs know numbers that JSON does not: never (NaN), not known (-infinity), and infinity, which
 * nobody looks at behind what is not known. */
static json_t *leg_number(double value) {
    return isinf(value) ? json_string(value < 0 ? "unknown" : "infinity") : json_number(value);
}

static bool read_leg_number(const json_t *json, double *value) {
    const char *text = json_string_value(json);
    if (json_is_null(json))
        *value = NAN;
    else if (text)
        *value = strcmp(text, "unknown") == 0 ? -INFINITY : INFINITY;
    else
        *value = json_number_value(json);
    return json_is_null(json) || json_is_number(json) ||
           (text && (isinf(*value) && (*value < 0 || !strcmp(text, "infinity"))));
}

static bool is_labelled(const told_scores *told) {
    for (size_t i = 0; i < told->leg_count; i++)
        if (told->legs[i].label)
            return true;
    return false;
}

static json_t *write_labels(const told_scores *told) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < told->leg_count; i++)
        if (json_array_append_new(list, json_integer(told->legs[i].label))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *write_legs(const told_scores *told) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < told->leg_count; i++)
        if (json_array_append_new(list, leg_number(told->legs[i].reached)) ||
            json_array_append_new(list, leg_number(told->legs[i].earned))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

besd_status told_write(const told_scores *told, const char *why, char **text, besd_error *error) {
    const besd_trial *t = &told->record.trial;
    json_t *object =
        json_pack("{s:s, s:f, s:I, s:f, s:f, s:f}", "why", why ? why : "", "cost", t->cost, "count",
                  (json_int_t)t->score_count, "mean", t->mean, "model_mean",
                  told->record.model_mean, "within", told->record.within);
    int failed = !object;
    if (object && told->scores)
        failed |= json_object_set_new(object, "scores", json_numbers(told->scores, t->score_count));
    if (object && told->legs)
        failed |= json_object_set_new(object, "legs", write_legs(told));
    if (object && told->legs && is_labelled(told))
        failed |= json_object_set_new(object, "labels", write_labels(told));
    *text = failed ? NULL : json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return *text ? BESD_OK : besd_fail_memory(error, "what was told before");
}

static bool read_scores(const json_t *list, size_t count, double *scores) {
    if (json_array_size(list) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_number(value))
            return false;
        scores[i] = json_number_value(value);
    }
    return true;
}

/* Without labels they are all 0. */
static bool read_legs(const json_t *list, const json_t *labels, size_t count, besd_leg *legs) {
    if (labels && json_array_size(labels) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *label = json_array_get(labels, i);
        if (!read_leg_number(json_array_get(list, 2 * i), &legs[i].reached) ||
            !read_leg_number(json_array_get(list, 2 * i + 1), &legs[i].earned) ||
            (labels && !json_is_integer(label)))
            return false;
        legs[i].label = json_integer_value(label);
    }
    return true;
}

static besd_status fail_damaged(besd_error *error) {
    return besd_fail(error, BESD_IO, "what the trial was told before is damaged");
}

static besd_status read_lists(const json_t *object, told_scores *told, besd_error *error) {
    const json_t *scores = json_object_get(object, "scores"),
                 *legs = json_object_get(object, "legs");
    size_t numbers = json_array_size(legs);
    if (numbers % 2 || (legs && !json_is_array(legs)))
        return fail_damaged(error);
    size_t count = told->record.trial.score_count;
    double *values = scores ? malloc(count * sizeof *values) : NULL;
    besd_leg *parts = numbers ? malloc(numbers / 2 * sizeof *parts) : NULL;
    told->scores = values;
    told->legs = parts;
    told->leg_count = numbers / 2;
    if ((scores && !values) || (numbers && !parts))
        return besd_fail_memory(error, "what was told before");
    bool sound =
        (!scores || read_scores(scores, count, values)) &&
        (!numbers || read_legs(legs, json_object_get(object, "labels"), numbers / 2, parts));
    return sound ? BESD_OK : fail_damaged(error);
}

besd_status told_read(const char *text, told_scores *told, besd_error *error) {
    json_error_t fault;
    json_int_t count = 0;
    trial_record *r = &told->record;
    *told = (told_scores){0};
    json_t *object = json_read(text, strlen(text), 0, &fault);
    if (!object && json_lacked_memory(&fault))
        return besd_fail_memory(error, "what was told before");
    besd_status status =
        json_unpack(object, "{s:F, s:I, s:F, s:F, s:F}", "cost", &r->trial.cost, "count", &count,
                    "mean", &r->trial.mean, "model_mean", &r->model_mean, "within", &r->within) ||
                count < 1 || count > BESD_MAX_REPS
            ? fail_damaged(error)
            : BESD_OK;
    r->trial.score_count = (size_t)count;
    if (status == BESD_OK)
        status = read_lists(object, told, error);
    json_decref(object);
    if (status != BESD_OK)
        told_free(told);
    return status;
}

void told_free(told_scores *told) {
    free((void *)told->scores);
    free((void *)told->legs);
    *told = (told_scores){0};
}
