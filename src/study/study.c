/* Opening and closing a study, its description, path, budget and notes (besd/besd.h). */
#include "study/study_state.h"

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "model/blas.h"
#include "study/choose.h"
#include "study/path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The key of the arithmetic that the study was begun with. */
#define ARITHMETIC_KEY "arithmetic"

const besd_study_options *besd_study_get_options(const besd_study *s) {
    return &s->spec.options;
}

void besd_study_close(besd_study *s) {
    if (!s)
        return;
    store_close(s->store);
    targets_free(&s->targets);
    sources_free(&s->sources);
    free(s->user_targets);
    free(s->claimed.of);
    free(s);
}

const char *study_file(const besd_study *s) {
    return store_file(s->store);
}

claimed_trials *study_claimed(besd_study *s) {
    return &s->claimed;
}

/* A study without a limit has no row for its budget. */
static besd_status write_budget(besd_study *s, const char *key, double budget, besd_error *error) {
    char *text = NULL;
    if (isinf(budget))
        return store_remove_text(s->store, key, error);
    besd_status status = spec_write_budget(budget, &text, error);
    if (status == BESD_OK)
        status = store_set_text(s->store, key, text, error);
    free(text);
    return status;
}

besd_status study_write_budget(besd_study *s, double budget, besd_error *error) {
    return write_budget(s, STUDY_BUDGET_KEY, budget, error);
}

static besd_status write_spec(besd_study *s, besd_error *error) {
    char *text = NULL;
    besd_status status = spec_write(&s->spec, &text, error);
    if (status == BESD_OK)
        status = store_set_text(s->store, STUDY_SPEC_KEY, text, error);
    if (status == BESD_OK)
        status = store_add_views(s->store, error);
    free(text);
    if (status == BESD_OK)
        status = write_budget(s, STUDY_GIVEN_BUDGET_KEY, s->spec.options.budget, error);
    return status == BESD_OK ? study_write_budget(s, s->spec.options.budget, error) : status;
}

/* The budget with which the study was last opened. Older studies have not noted it: then it is the
 * budget in force. */
static besd_status read_given_budget(besd_study *s, double *budget, besd_error *error) {
    char *text = NULL;
    besd_error reason;
    *budget = s->spec.options.budget;
    besd_status status = store_get_text(s->store, STUDY_GIVEN_BUDGET_KEY, &text, error);
    if (status == BESD_OK && text && spec_read_budget(text, budget, &reason) != BESD_OK) {
        text_clean(reason.message); /* it may quote the file */
        status = besd_fail(error, BESD_IO, "%s: %s", store_path(s->store), reason.message);
    }
    free(text);
    return status;
}

/* A budget that differs from the one given last time is obeyed. The same one changes nothing, so
 * that what besd_study_set_budget has set stays. A given 0 does not end a study without a limit: 0
 * once meant no limit. */
static besd_status differs_from_given(besd_study *s, double given, bool *differs,
                                      besd_error *error) {
    double before;
    besd_status status = read_given_budget(s, &before, error);
    *differs =
        status == BESD_OK && !isinf(given) && given != before && !(isinf(before) && given == 0);
    return status;
}

/* Inside a transaction. */
static besd_status take_budget(besd_study *s, double given, besd_error *error) {
    bool differs;
    besd_status status = differs_from_given(s, given, &differs, error);
    if (status != BESD_OK || !differs)
        return status;
    status = write_budget(s, STUDY_GIVEN_BUDGET_KEY, given, error);
    return status == BESD_OK ? study_change_budget(s, given, error) : status;
}

/* Writes the description of a new study. Inside a transaction. */
static besd_status begin_spec(besd_study *s, const study_spec *given, besd_error *error) {
    char arithmetic[ARITHMETIC_NAME_SIZE];
    besd_status status = spec_init(&s->spec, &given->options, error);
    if (status == BESD_OK)
        status = write_spec(s, error);
    if (status == BESD_OK)
        status = arithmetic_name(arithmetic, sizeof arithmetic, error);
    if (status == BESD_OK)
        status = store_set_text(s->store, ARITHMETIC_KEY, arithmetic, error);
    return status == BESD_OK ? store_set_text(s->store, "version", BESD_VERSION, error) : status;
}

/* Reads the description and compares it with the given one; *is_new: there is none. Writes nothing.
 */
static besd_status read_spec(besd_study *s, const char *path, const study_spec *given, bool *is_new,
                             besd_error *error) {
    char *text = NULL;
    besd_status status = store_get_text(s->store, STUDY_SPEC_KEY, &text, error);
    *is_new = !text;
    if (status != BESD_OK || !text)
        return status;
    besd_error reason;
    status = spec_read(&s->spec, text, &reason);
    free(text);
    if (status == BESD_OK && given)
        status = spec_compare(&s->spec, given, &reason);
    if (status != BESD_OK) {
        text_clean(reason.message); /* it may quote the file */
        return besd_fail(error, status, "%s: %s", path, reason.message);
    }
    return study_read_budget(s, error);
}

/* Reads the description, or writes the first one, and obeys a new budget. Only what is to be
 * written needs a transaction: whoever is refused, or changes nothing, has written nothing. */
static besd_status settle_spec(besd_study *s, const char *path, const study_spec *given,
                               besd_error *error) {
    bool is_new, obeys;
    besd_status status = read_spec(s, path, given, &is_new, error);
    if (status == BESD_OK && is_new && !given)
        return besd_fail(error, BESD_IO, "%s: it is an empty study without a description", path);
    if (status == BESD_OK && !is_new)
        status = given ? differs_from_given(s, given->options.budget, &obeys, error) : BESD_OK;
    if (status != BESD_OK || !given || (!is_new && !obeys))
        return status;
    status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = read_spec(s, path, given, &is_new, error); /* another process may have been first */
    if (status == BESD_OK)
        status =
            is_new ? begin_spec(s, given, error) : take_budget(s, given->options.budget, error);
    return store_end(s->store, status, error);
}

static besd_status read_path(besd_study *s, besd_error *error) {
    char *text = NULL;
    besd_error reason;
    besd_status status = store_get_text(s->store, STUDY_PATH_KEY, &text, error);
    if (status != BESD_OK || !text)
        return status;
    status = path_read(text, &s->spec.path, &reason);
    if (status == BESD_OK && path_check(&s->spec, &s->spec.path, &reason) != BESD_OK)
        status = BESD_IO;
    free(text);
    return status == BESD_OK
               ? BESD_OK
               : besd_fail(error, status, "%s: %s", store_path(s->store), reason.message);
}

/* Inside a transaction. */
static besd_status declare_path(besd_study *s, const besd_path *path, besd_error *error) {
    char *text = NULL;
    besd_status status = read_path(s, error); /* another process may have been first */
    if (status != BESD_OK)
        return status;
    const char *difference = path_difference(&s->spec.path, path);
    if (!difference)
        return BESD_OK;
    if (s->spec.path.points)
        return besd_fail(error, BESD_INVALID, "path: %s has one with another '%s'; it stays",
                         store_path(s->store), difference);
    int64_t newest = 0;
    status = store_newest_trial(s->store, &newest, error);
    if (status == BESD_OK && newest > 0)
        return besd_fail(error, BESD_INVALID,
                         "path: %s has trials already; a path is declared before the first",
                         store_path(s->store));
    if (status == BESD_OK)
        status = path_write(path, &text, error);
    if (status == BESD_OK)
        status = store_set_text(s->store, STUDY_PATH_KEY, text, error);
    free(text);
    return status;
}

besd_status besd_study_set_path(besd_study *s, const besd_path *path, besd_error *error) {
    besd_status status = path_check(&s->spec, path, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    status = store_end(s->store, declare_path(s, path, error), error);
    if (status == BESD_OK) /* the file has it */
        s->spec.path = *path;
    return status;
}

/* No tasks: one, without a name. */
static void forget_tasks(besd_study *s) {
    size_t sources = s->spec.tasks.sources;
    s->tasks = (task_list){0};
    s->spec.tasks = (task_set){.own = 1, .sources = sources, .weight = {1}};
}

besd_status study_read_tasks(besd_study *s, besd_error *error) {
    char *text = NULL;
    besd_error reason;
    besd_status status = store_get_text(s->store, STUDY_TASKS_KEY, &text, error);
    if (status == BESD_OK && !text)
        forget_tasks(s);
    if (status != BESD_OK || !text)
        return status;
    status = task_list_read(text, &s->tasks, &reason);
    free(text);
    if (status != BESD_OK)
        return besd_fail(error, status, "%s: %s", store_path(s->store), reason.message);
    task_list_describe(&s->tasks, &s->spec.tasks);
    return BESD_OK;
}

/* Inside a transaction. */
static besd_status declare_tasks(besd_study *s, const task_list *list, besd_error *error) {
    char *text = NULL;
    int64_t newest = 0;
    besd_status status = study_read_tasks(s, error); /* another process may have been first */
    if (status != BESD_OK)
        return status;
    const char *difference = task_list_difference(&s->tasks, list);
    if (s->tasks.tasks.count)
        return difference
                   ? besd_fail(error, BESD_INVALID, "tasks: %s has some with other %s; they stay",
                               store_path(s->store), difference)
                   : BESD_OK;
    status = store_newest_trial(s->store, &newest, error);
    if (status == BESD_OK && newest > 0)
        return besd_fail(error, BESD_INVALID,
                         "tasks: %s has trials already; tasks are declared before the first",
                         store_path(s->store));
    if (status == BESD_OK)
        status = task_list_write(list, &text, error);
    if (status == BESD_OK)
        status = store_set_text(s->store, STUDY_TASKS_KEY, text, error);
    free(text);
    return status == BESD_OK ? study_read_tasks(s, error) : status;
}

besd_status besd_study_set_tasks(besd_study *s, const besd_tasks *tasks, besd_error *error) {
    const besd_study_options *o = &s->spec.options;
    if (o->method != BESD_METHOD_BESD || o->model != BESD_MODEL_AVERAGED)
        return besd_fail(error, BESD_INVALID,
                         "tasks: only studies of method besd with the averaged model have tasks, "
                         "this one has method %s and model %s",
                         besd_method_name(o->method), besd_model_name(o->model));
    task_list *list = malloc(sizeof *list);
    if (!list)
        return besd_fail_memory(error, "the tasks");
    besd_status status = task_list_init(list, tasks, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    if (status == BESD_OK)
        status = store_end(s->store, declare_tasks(s, list, error), error);
    if (status != BESD_OK)
        study_read_tasks(s, NULL); /* as they are in the file */
    free(list);
    return status;
}

void besd_study_get_tasks(const besd_study *s, besd_tasks *tasks) {
    *tasks = s->tasks.tasks;
}

besd_status besd_study_find_task(const besd_study *s, const char *name, int64_t *task,
                                 besd_error *error) {
    return task_list_find(&s->tasks, name, task, error);
}

_Static_assert(TASK_SOURCES_MOST == BESD_MAX_SOURCES, "of the model and of studies");

static void name_source(size_t number, char key[BESD_MAX_NAME]) {
    snprintf(key, BESD_MAX_NAME, STUDY_SOURCE_KEY "%zu", number);
}

besd_status study_read_sources(besd_study *s, besd_error *error) {
    besd_status status = BESD_OK;
    s->sources_final = false; /* until all of them are read */
    sources_free(&s->sources);
    for (size_t i = 0; status == BESD_OK && i < TASK_SOURCES_MOST; i++) {
        char key[BESD_MAX_NAME], *text = NULL;
        besd_error reason;
        name_source(i, key);
        status = store_get_text(s->store, key, &text, error);
        if (status != BESD_OK || !text)
            break;
        status = source_read(&s->spec, text, &s->sources.of[i], &reason);
        s->sources.count += status == BESD_OK;
        if (status != BESD_OK)
            besd_error_set(error, status, "%s: %s", store_path(s->store), reason.message);
        free(text);
    }
    s->spec.tasks.sources = s->sources.count;
    return status;
}

/* Inside a transaction. */
static besd_status write_source(besd_study *s, const source *new, besd_error *error) {
    char key[BESD_MAX_NAME], *text = NULL;
    int64_t newest = 0;
    besd_status status = study_read_sources(s, error); /* another process may have added one */
    if (status == BESD_OK)
        status = store_newest_trial(s->store, &newest, error);
    if (status == BESD_OK && newest > 0)
        return besd_fail(error, BESD_INVALID,
                         "source %s: %s has trials already; sources are added before the first",
                         new->name, store_path(s->store));
    for (size_t i = 0; status == BESD_OK && i < s->sources.count; i++)
        if (!strcmp(s->sources.of[i].name, new->name))
            return besd_fail(error, BESD_INVALID, "source %s: %s has a source of that name",
                             new->name, store_path(s->store));
    if (status == BESD_OK && s->sources.count == TASK_SOURCES_MOST)
        return besd_fail(error, BESD_INVALID, "source %s: a study has at most %d", new->name,
                         TASK_SOURCES_MOST);
    if (status == BESD_OK)
        status = source_write(new, &text, error);
    name_source(s->sources.count, key);
    if (status == BESD_OK)
        status = store_set_text(s->store, key, text, error);
    free(text);
    json_t *detail = json_pack("{s:s}", "name", new->name);
    text = detail ? json_dumps(detail, JSON_COMPACT) : NULL;
    json_decref(detail);
    if (status == BESD_OK)
        status =
            text ? study_record(s, "source", 0, text, error) : besd_fail_memory(error, "an event");
    free(text);
    return status == BESD_OK ? study_read_sources(s, error) : status;
}

/* Studies in memory have no file. */
static bool is_same_file(const char *one, const char *other) {
    struct stat a, b;
    return *one && *other && stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Only the averaged model learns from sources, and only method besd has been tried with them. */
static besd_status check_source(const besd_study *s, const besd_study *from, const char *name,
                                besd_error *error) {
    const besd_study_options *o = &s->spec.options;
    if (!name || !*name || strlen(name) >= BESD_MAX_NAME || !text_is_utf8(name))
        return besd_fail(error, BESD_INVALID,
                         "source: expected a name of UTF-8 of 1 to %d bytes, got '%.80s'",
                         BESD_MAX_NAME - 1, name ? name : "");
    if (o->method != BESD_METHOD_BESD || o->model != BESD_MODEL_AVERAGED)
        return besd_fail(error, BESD_INVALID,
                         "source %s: only studies of method besd with the averaged model have "
                         "sources, this one has method %s and model %s",
                         name, besd_method_name(o->method), besd_model_name(o->model));
    if (s == from || is_same_file(store_file(s->store), store_file(from->store)))
        return besd_fail(error, BESD_INVALID, "source %s: it is the study itself", name);
    return BESD_OK;
}

besd_status besd_study_add_source(besd_study *s, besd_study *from, const char *name,
                                  besd_error *error) {
    besd_status status = check_source(s, from, name, error);
    source *new = status == BESD_OK ? malloc(sizeof *new) : NULL;
    if (status == BESD_OK && !new)
        status = besd_fail_memory(error, "a source");
    if (status == BESD_OK)
        status = source_gather(&s->spec, from, name, new, error);
    if (status != BESD_OK) {
        free(new);
        return status;
    }
    status = store_begin(s->store, error);
    if (status == BESD_OK)
        status = store_end(s->store, write_source(s, new, error), error);
    if (status != BESD_OK)
        study_read_sources(s, NULL); /* as they are in the file */
    source_free(new);
    free(new);
    return status;
}

size_t besd_study_source_count(const besd_study *s) {
    return s->sources.count;
}

const char *besd_study_source_name(const besd_study *s, size_t index) {
    return index < s->sources.count ? s->sources.of[index].name : NULL;
}

void besd_study_get_path(const besd_study *s, besd_path *path) {
    *path = s->spec.path;
}

size_t besd_study_visited(const besd_study *s, const double *theta, size_t *visited) {
    size_t count = 0;
    for (size_t k = 0; k < s->spec.path.points; k++)
        if (!path_repeats(&s->spec, theta, k + 1)) {
            if (visited)
                visited[count] = k;
            count++;
        }
    return count;
}

/* A new study keeps the name of the arithmetic. If the arithmetic cannot be opened, that is found
 * out here, before there is a file. */
static besd_status find_arithmetic(const char *path, besd_error *error) {
    char name[ARITHMETIC_NAME_SIZE];
    bool is_new = !path || access(path, F_OK) != 0;
    return is_new ? arithmetic_name(name, sizeof name, error) : BESD_OK;
}

/* Opens the file and reads the description, or writes the given one. */
static besd_status open_file(besd_study *s, const char *path, const study_spec *given,
                             besd_error *error) {
    besd_status status = store_open(path, given != NULL, &s->store, error);
    if (status == BESD_OK)
        status = settle_spec(s, path, given, error);
    if (status == BESD_OK)
        status = read_path(s, error);
    if (status == BESD_OK)
        status = study_read_tasks(s, error);
    return status == BESD_OK ? study_read_sources(s, error) : status;
}

besd_status besd_study_open(besd_study **study, const char *path, const besd_study_options *options,
                            besd_error *error) {
    besd_error own_error = {0};
    error = error ? error : &own_error;
    study_spec *given = NULL;
    besd_status status = BESD_OK;
    *study = NULL;
    if (path && (!*path || !strcmp(path, ":memory:")))
        return besd_fail(error, BESD_INVALID, "study: expected the name of a file, got '%s'", path);
    if (!path && !(options && options->dimension))
        return besd_fail(error, BESD_INVALID, "study: a study in memory needs options");
    besd_study *s = calloc(1, sizeof *s);
    if (!s)
        return besd_fail_memory(error, "the study");
    if (options && options->dimension) {
        given = malloc(sizeof *given);
        status = given ? spec_init(given, options, error)
                       : besd_fail_memory(error, "the study's description");
    }
    if (status == BESD_OK && given)
        status = find_arithmetic(path, error);
    if (status == BESD_OK)
        status = open_file(s, path, given, error);
    if (status == BESD_OK)
        status = targets_init(&s->targets, s->spec.options.seed, (size_t)s->spec.options.targets,
                              s->spec.options.dimension, error);
    free(given);
    if (status != BESD_OK) {
        besd_study_close(s);
        return status;
    }
    *study = s;
    return BESD_OK;
}

besd_status study_gather(besd_study *s, besd_error *error) {
    return store_gather(s->store, error);
}

besd_status study_settle(besd_study *s, besd_error *error) {
    return store_settle(s->store, error);
}

void study_scatter(besd_study *s) {
    store_scatter(s->store);
}

besd_status study_backup(besd_study *s, const char *out, besd_error *error) {
    return store_backup(s->store, out, error);
}

besd_status study_snapshot(besd_study *s, unsigned char **bytes, size_t *size, besd_error *error) {
    return store_snapshot(s->store, bytes, size, error);
}

besd_status study_verify(besd_study *s, besd_error *error) {
    return store_verify(s->store, error);
}

/* The key of a note in the store. */
static besd_status name_note(const char *key, char name[BESD_MAX_NAME + 8], besd_error *error) {
    if (strlen(key) > BESD_MAX_NAME)
        return besd_fail(error, BESD_INVALID, "note: the key '%.30s...' is longer than %d bytes",
                         key, BESD_MAX_NAME);
    snprintf(name, BESD_MAX_NAME + 8, "note:%s", key);
    return BESD_OK;
}

besd_status besd_study_set_note(besd_study *s, const char *key, const char *text,
                                besd_error *error) {
    char name[BESD_MAX_NAME + 8];
    besd_status status = name_note(key, name, error);
    if (status == BESD_OK)
        status = store_begin(s->store, error);
    if (status != BESD_OK)
        return status;
    return store_end(s->store, store_set_text(s->store, name, text, error), error);
}

besd_status besd_study_get_note(besd_study *s, const char *key, char *text, size_t size,
                                besd_error *error) {
    char name[BESD_MAX_NAME + 8], *stored = NULL;
    besd_status status = name_note(key, name, error);
    if (status == BESD_OK)
        status = store_get_text(s->store, name, &stored, error);
    if (status == BESD_OK)
        snprintf(text, size, "%s", stored ? stored : "");
    free(stored);
    return status;
}

double besd_study_initial_cost(const besd_study *s) {
    return initial_cost(&s->spec.options);
}

besd_status besd_study_trial_times(besd_study *s, int64_t id, int64_t *asked, int64_t *ended,
                                   besd_error *error) {
    double from = 0, to = 0;
    besd_status status = store_get_times(s->store, id, &from, &to, error);
    if (status == BESD_OK) {
        *asked = (int64_t)floor(from);
        *ended = (int64_t)floor(to);
    }
    return status;
}

besd_status besd_study_get_trial_note(besd_study *s, int64_t id, char *text, size_t size,
                                      besd_error *error) {
    trial_record t;
    char *stored = NULL;
    besd_status status = study_get_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = store_get_trial_note(s->store, id, &stored, error);
    if (status == BESD_OK)
        snprintf(text, size, "%s", stored ? stored : "");
    free(stored);
    return status;
}

const char *besd_arithmetic(void) {
    static _Thread_local char name[ARITHMETIC_NAME_SIZE];
    arithmetic_name(name, sizeof name, NULL);
    return name;
}

besd_status besd_study_arithmetic(besd_study *s, char *text, size_t size, besd_error *error) {
    char *stored = NULL;
    besd_status status = store_get_text(s->store, ARITHMETIC_KEY, &stored, error);
    if (status == BESD_OK)
        snprintf(text, size, "%s", stored ? stored : "");
    free(stored);
    return status;
}
