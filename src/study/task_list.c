#include "study/task_list.h"

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static besd_status copy_name(const char *what, size_t i, const char *name, char *text,
                             besd_error *error) {
    if (!name || !*name || strlen(name) >= BESD_MAX_NAME || !text_is_utf8(name))
        return besd_fail(error, BESD_INVALID,
                         "tasks: %s %zu: expected a name of 1 to %d bytes in UTF-8, got '%.80s'",
                         what, i + 1, BESD_MAX_NAME - 1, name ? name : "");
    snprintf(text, BESD_MAX_NAME, "%s", name);
    return BESD_OK;
}

static besd_status copy_names(const char *what, const char *const *names, size_t count,
                              char text[][BESD_MAX_NAME], const char **copies, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < count; i++) {
        copies[i] = text[i];
        status = copy_name(what, i, names ? names[i] : NULL, text[i], error);
        for (size_t k = 0; status == BESD_OK && k < i; k++)
            if (!strcmp(text[i], text[k]))
                status = besd_fail(error, BESD_INVALID, "tasks: %s %zu and %s %zu are both '%s'",
                                   what, k + 1, what, i + 1, text[i]);
    }
    return status;
}

static besd_status copy_weights(task_list *list, const double *weights, besd_error *error) {
    double sum = 0;
    size_t count = list->tasks.count;
    for (size_t i = 0; i < count; i++) {
        list->weights[i] = weights ? weights[i] : 1;
        if (!(list->weights[i] >= 0) || isinf(list->weights[i]))
            return besd_fail(error, BESD_INVALID,
                             "tasks: weight of %s: expected a number from 0, got %g",
                             list->names[i], list->weights[i]);
        sum += list->weights[i];
    }
    if (!(sum > 0) || isinf(sum))
        return besd_fail(error, BESD_INVALID, "tasks: the weights are all 0");
    for (size_t i = 0; i < count; i++)
        list->weights[i] /= sum;
    return BESD_OK;
}

static besd_status copy_features(task_list *list, const besd_tasks *t, besd_error *error) {
    if (t->feature_count > BESD_MAX_FEATURES || (t->feature_count && !t->features))
        return besd_fail(error, BESD_INVALID, "tasks: expected at most %d features, got %zu",
                         BESD_MAX_FEATURES, t->feature_count);
    besd_status status = copy_names("feature", t->feature_names, t->feature_count,
                                    list->feature_text, list->feature_names, error);
    for (size_t i = 0; status == BESD_OK && i < t->feature_count; i++) {
        const char *unit = t->feature_units && t->feature_units[i] ? t->feature_units[i] : "";
        if (strlen(unit) >= BESD_MAX_NAME || !text_is_utf8(unit))
            return besd_fail(error, BESD_INVALID,
                             "tasks: feature %zu: expected a unit of up to %d bytes in UTF-8",
                             i + 1, BESD_MAX_NAME - 1);
        snprintf(list->unit_text[i], BESD_MAX_NAME, "%s", unit);
        list->feature_units[i] = list->unit_text[i];
    }
    for (size_t i = 0; status == BESD_OK && i < t->count * t->feature_count; i++) {
        list->features[i] = t->features[i];
        if (!isfinite(t->features[i]))
            status = besd_fail(error, BESD_INVALID, "tasks: %s has no %s",
                               list->names[i / t->feature_count],
                               list->feature_names[i % t->feature_count]);
    }
    return status;
}

besd_status task_list_init(task_list *list, const besd_tasks *t, besd_error *error) {
    memset(list, 0, sizeof *list);
    if (t->count < 2 || t->count > BESD_MAX_TASKS)
        return besd_fail(error, BESD_INVALID, "tasks: expected 2 to %d, got %zu", BESD_MAX_TASKS,
                         t->count);
    list->tasks = (besd_tasks){.count = t->count,
                               .names = list->names,
                               .weights = list->weights,
                               .feature_count = t->feature_count,
                               .feature_names = list->feature_names,
                               .feature_units = list->feature_units,
                               .features = list->features,
                               .given = t->given};
    besd_status status =
        copy_names("task", t->names, t->count, list->name_text, list->names, error);
    if (status == BESD_OK)
        status = copy_weights(list, t->weights, error);
    return status == BESD_OK ? copy_features(list, t, error) : status;
}

static bool same_names(const char *const *a, const char *const *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(a[i], b[i]) != 0)
            return false;
    return true;
}

const char *task_list_difference(const task_list *a, const task_list *b) {
    const besd_tasks *x = &a->tasks, *y = &b->tasks;
    if (x->count != y->count || !same_names(x->names, y->names, x->count))
        return "names";
    if (memcmp(a->weights, b->weights, x->count * sizeof *a->weights) != 0)
        return "weights";
    if (x->given != y->given)
        return "given";
    if (x->feature_count != y->feature_count ||
        !same_names(x->feature_names, y->feature_names, x->feature_count) ||
        !same_names(x->feature_units, y->feature_units, x->feature_count) ||
        memcmp(a->features, b->features, x->count * x->feature_count * sizeof *a->features) != 0)
        return "features";
    return NULL;
}

static json_t *write_texts(const char *const *texts, size_t count) {
    json_t *list = json_array();
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        failed |= json_array_append_new(list, json_string(texts[i]));
    if (!failed)
        return list;
    json_decref(list);
    return NULL;
}

besd_status task_list_write(const task_list *list, char **text, besd_error *error) {
    const besd_tasks *t = &list->tasks;
    json_t *json =
        json_pack("{s:o, s:o, s:b, s:o, s:o, s:o}", "names", write_texts(t->names, t->count),
                  "weights", json_numbers(t->weights, t->count), "given", (int)t->given,
                  "feature_names", write_texts(t->feature_names, t->feature_count), "feature_units",
                  write_texts(t->feature_units, t->feature_count), "features",
                  json_numbers(t->features, t->count * t->feature_count));
    *text = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(json);
    return *text ? BESD_OK : besd_fail_memory(error, "the tasks");
}

/* The texts of a list, at most `most` of them; they live as long as the JSON. */
static bool read_texts(const json_t *list, size_t most, const char **texts, size_t *count) {
    *count = json_array_size(list);
    bool sound = json_is_array(list) && *count <= most;
    for (size_t i = 0; sound && i < *count; i++) {
        texts[i] = json_string_value(json_array_get(list, i));
        sound = texts[i] != NULL;
    }
    return sound;
}

static bool read_numbers(const json_t *list, size_t count, double *numbers) {
    bool sound = json_is_array(list) && json_array_size(list) == count;
    for (size_t i = 0; sound && i < count; i++) {
        numbers[i] = json_number_value(json_array_get(list, i));
        sound = json_is_number(json_array_get(list, i));
    }
    return sound;
}

besd_status task_list_read(const char *text, task_list *list, besd_error *error) {
    json_error_t fault;
    const char *names[BESD_MAX_TASKS], *features[BESD_MAX_FEATURES], *units[BESD_MAX_FEATURES];
    double weights[BESD_MAX_TASKS], values[BESD_MAX_TASKS * BESD_MAX_FEATURES];
    size_t units_count;
    json_t *json = json_read(text, strlen(text), 0, &fault);
    if (!json && json_lacked_memory(&fault))
        return besd_fail_memory(error, "the tasks");
    besd_tasks t = {.names = names,
                    .weights = weights,
                    .feature_names = features,
                    .feature_units = units,
                    .features = values,
                    .given = json_is_true(json_object_get(json, "given"))};
    bool sound =
        read_texts(json_object_get(json, "names"), BESD_MAX_TASKS, names, &t.count) &&
        read_texts(json_object_get(json, "feature_names"), BESD_MAX_FEATURES, features,
                   &t.feature_count) &&
        read_texts(json_object_get(json, "feature_units"), BESD_MAX_FEATURES, units,
                   &units_count) &&
        units_count == t.feature_count &&
        read_numbers(json_object_get(json, "weights"), t.count, weights) &&
        read_numbers(json_object_get(json, "features"), t.count * t.feature_count, values) &&
        task_list_init(list, &t, NULL) == BESD_OK;
    if (sound) /* they are shares already; shares of their sum might differ in the last digit */
        memcpy(list->weights, weights, t.count * sizeof *weights);
    json_decref(json);
    return sound ? BESD_OK : besd_fail(error, BESD_IO, "its tasks are damaged");
}

void task_list_describe(const task_list *list, task_set *set) {
    const besd_tasks *t = &list->tasks;
    set->own = t->count;
    set->features = t->feature_count;
    memcpy(set->weight, list->weights, t->count * sizeof *set->weight);
    for (size_t k = 0; k < t->feature_count; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < t->count; i++) {
            low = fmin(low, t->features[i * t->feature_count + k]);
            high = fmax(high, t->features[i * t->feature_count + k]);
        }
        for (size_t i = 0; i < t->count; i++)
            set->feature[i][k] =
                high > low ? (t->features[i * t->feature_count + k] - low) / (high - low) : 0;
    }
}

static const char *name_at(size_t index, const void *context) {
    const besd_tasks *t = context;
    return index < t->count ? t->names[index] : NULL;
}

besd_status task_list_find(const task_list *list, const char *name, int64_t *task,
                           besd_error *error) {
    const besd_tasks *t = &list->tasks;
    if (!t->count)
        return besd_fail(error, BESD_INVALID, "task: the study has no tasks, got '%.60s'", name);
    for (size_t i = 0; i < t->count; i++)
        if (!strcmp(t->names[i], name)) {
            *task = (int64_t)i;
            return BESD_OK;
        }
    const char *nearest = names_nearest(name, name_at, t);
    return besd_fail(error, BESD_UNKNOWN, "task: there is no '%.60s'; %s'%s'%s", name,
                     nearest ? "did you mean " : "the first is ", nearest ? nearest : t->names[0],
                     nearest ? "?" : "");
}

static besd_status copy_legs(const evidence *all, evidence *own, besd_error *error) {
    if (!all->legs)
        return BESD_OK;
    size_t count = all->leg_first[all->count];
    own->legs = malloc((count + 1) * sizeof *own->legs);
    own->leg_first = malloc((all->count + 1) * sizeof *own->leg_first);
    if (!own->legs || !own->leg_first)
        return besd_fail_memory(error, "the legs");
    memcpy(own->legs, all->legs, count * sizeof *own->legs);
    memcpy(own->leg_first, all->leg_first, (all->count + 1) * sizeof *own->leg_first);
    return BESD_OK;
}

besd_status evidence_of_task(const evidence *all, const study_spec *spec, int64_t task,
                             evidence *own, besd_error *error) {
    trial_record *trials = malloc((all->count + 1) * sizeof *trials);
    if (!trials)
        return besd_fail_memory(error, "the trials");
    for (size_t i = 0; i < all->count; i++) {
        trials[i] = all->trials[i];
        if (trials[i].trial.task != task)
            trials[i].trial.state = BESD_TRIAL_FAILED;
    }
    besd_status status = evidence_init(own, spec, trials, all->count, error);
    if (status != BESD_OK)
        return status;
    own->changes = all->changes;
    own->sources = all->sources;
    status = copy_legs(all, own, error);
    if (status != BESD_OK)
        evidence_free(own);
    return status;
}
