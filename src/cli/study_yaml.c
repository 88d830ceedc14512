/* libcyaml does the reading; what the options may be the table of options knows (study/options), so
 * here stands only what a study says besides them:
 *
 *     theta:
 *       - {name: x1, low: 0, high: 10, unit: m}
 *       - {name: y1, low: 0, high: 10, unit: m}
 *     tau: [200, 600, 1000]
 *     reps: [5, 20]
 *     direction: minimize        # maximize (default) or minimize
 *     transform: log             # none (default) or log
 *     budget: 300000
 *     path: {points: 1, cell: 1, cap: 500, from: [0.5, 0.5], to: [9.5, 9.5]}  # if theta is one
 *     tasks:                     # if a task is known before an agent begins
 *       - {name: left, weight: 2, features: [0.5]}
 *       - {name: right, features: [2.5]}
 *     task_features:             # what the features are, if there are any
 *       - {name: row, unit: m}
 *     task_choice: given         # every ask names the task; or chosen (default): besd does
 *     outline: [{polygon: [[0, 3], [6, 3], [6, 3.4], [0, 3.4]]}]  # for pictures (page/outline.h)
 *     picture: {file: floor.png, extent: [0, 0, 10, 10]}
 *     command: python3 train.py  # for besd run
 *     timeout: 3600
 *     retries: 1
 */
#include "cli/study_yaml.h"

#include "core/error.h"
#include "core/yaml.h"
#include "page/outline.h"
#include "study/path.h"
#include "world/domain_yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RETRIES = 100, LONGEST_OPTION = 100 };
static const double LONGEST_TIMEOUT = 1e7;

typedef struct coordinate {
    char *name, *unit;
    double low, high;
} coordinate;

typedef struct path_description {
    int64_t points, *coordinates, *fewest, *labels;
    double cap, cell, price;
    double *from, *to, *origin;
    unsigned from_count, to_count, origin_count;
} path_description;

typedef struct task_description {
    char *name;
    double *weight, *features;
    unsigned feature_count;
} task_description;

typedef struct feature_description {
    char *name, *unit;
} feature_description;

typedef struct description {
    task_description *tasks;
    feature_description *task_features;
    unsigned task_count, feature_count;
    char *task_choice;
    coordinate *theta;
    int64_t *tau;
    int *reps;
    unsigned theta_count, tau_count, reps_count;
    char *options[STUDY_OPTIONS]; /* as they are written; NULL: not said */
    char *renamed[STUDY_OPTIONS]; /* the same under their old names */
    path_description *path;       /* NULL: theta is not a path */
    char *command;
    double timeout;
    int retries;
    outline outline; /* for pictures */
} description;

/* A list of tasks for the library, whose arrays the caller has. */
typedef struct yaml_tasks {
    const char *names[BESD_MAX_TASKS], *features[BESD_MAX_FEATURES], *units[BESD_MAX_FEATURES];
    double weights[BESD_MAX_TASKS], values[BESD_MAX_TASKS * BESD_MAX_FEATURES];
} yaml_tasks;

struct study_yaml {
    description *description;
    yaml_tasks task_room;
    besd_tasks tasks;
    besd_study_options options;
    besd_path path;
    double low[BESD_MAX_DIMENSION], high[BESD_MAX_DIMENSION];
    const char *names[BESD_MAX_DIMENSION], *units[BESD_MAX_DIMENSION];
    char *folder; /* of the file; NULL: the current one */
};

static const cyaml_schema_field_t coordinate_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, coordinate, name, 1, BESD_MAX_NAME - 1),
    CYAML_FIELD_STRING_PTR("unit", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, coordinate, unit, 0,
                           BESD_MAX_NAME - 1),
    CYAML_FIELD_FLOAT("low", CYAML_FLAG_DEFAULT, coordinate, low),
    CYAML_FIELD_FLOAT("high", CYAML_FLAG_DEFAULT, coordinate, high), CYAML_FIELD_END};
static const cyaml_schema_value_t coordinate_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, coordinate, coordinate_fields)};
static const cyaml_schema_value_t tau_value = {CYAML_VALUE_INT(CYAML_FLAG_DEFAULT, int64_t)};
static const cyaml_schema_value_t reps_value = {CYAML_VALUE_INT(CYAML_FLAG_DEFAULT, int)};

static const cyaml_schema_value_t place_value = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_field_t path_fields[] = {
    CYAML_FIELD_INT("points", CYAML_FLAG_DEFAULT, path_description, points),
    CYAML_FIELD_INT_PTR("coordinates", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, path_description,
                        coordinates),
    CYAML_FIELD_FLOAT("cap", CYAML_FLAG_DEFAULT, path_description, cap),
    CYAML_FIELD_FLOAT("cell", CYAML_FLAG_OPTIONAL, path_description, cell),
    CYAML_FIELD_SEQUENCE("origin", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, path_description,
                         origin, &place_value, 1, BESD_MAX_COORDINATES),
    CYAML_FIELD_SEQUENCE("from", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, path_description, from,
                         &place_value, 1, BESD_MAX_COORDINATES),
    CYAML_FIELD_SEQUENCE("to", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, path_description, to,
                         &place_value, 1, BESD_MAX_COORDINATES),
    CYAML_FIELD_INT_PTR("fewest", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, path_description,
                        fewest),
    CYAML_FIELD_INT_PTR("labels", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, path_description,
                        labels),
    CYAML_FIELD_FLOAT("price", CYAML_FLAG_OPTIONAL, path_description, price),
    CYAML_FIELD_END};

static const cyaml_schema_value_t feature_number = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_field_t task_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, task_description, name, 1,
                           BESD_MAX_NAME - 1),
    CYAML_FIELD_FLOAT_PTR("weight", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, task_description,
                          weight),
    CYAML_FIELD_SEQUENCE_COUNT("features", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                               task_description, features, feature_count, &feature_number, 0,
                               BESD_MAX_FEATURES),
    CYAML_FIELD_END};
static const cyaml_schema_value_t task_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, task_description, task_fields)};
static const cyaml_schema_field_t feature_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, feature_description, name, 1,
                           BESD_MAX_NAME - 1),
    CYAML_FIELD_STRING_PTR("unit", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, feature_description,
                           unit, 0, BESD_MAX_NAME - 1),
    CYAML_FIELD_END};
static const cyaml_schema_value_t feature_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, feature_description, feature_fields)};

static const cyaml_schema_field_t fields[] = {
    CYAML_FIELD_SEQUENCE("theta", CYAML_FLAG_POINTER, description, theta, &coordinate_value, 1,
                         BESD_MAX_DIMENSION),
    CYAML_FIELD_SEQUENCE("tau", CYAML_FLAG_POINTER, description, tau, &tau_value, 1,
                         BESD_MAX_LEVELS),
    CYAML_FIELD_SEQUENCE("reps", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, description, reps,
                         &reps_value, 1, BESD_MAX_LEVELS),
#define OPTION_FIELD(kind, type, name, ...)                                                        \
    CYAML_FIELD_STRING_PTR(#name, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, description,           \
                           options[STUDY_OPTION_##name], 0, LONGEST_OPTION),
    BESD_STUDY_OPTION_LIST(OPTION_FIELD)
#undef OPTION_FIELD
#define RENAMED_FIELD(old, now)                                                                    \
    CYAML_FIELD_STRING_PTR(#old, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, description,            \
                           renamed[STUDY_OPTION_##now], 0, LONGEST_OPTION),
        STUDY_OPTION_RENAMED_LIST(RENAMED_FIELD)
#undef RENAMED_FIELD
            CYAML_FIELD_MAPPING_PTR("path", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, description,
                                    path, path_fields),
    CYAML_FIELD_SEQUENCE_COUNT("tasks", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, description,
                               tasks, task_count, &task_value, 1, BESD_MAX_TASKS),
    CYAML_FIELD_SEQUENCE_COUNT("task_features", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                               description, task_features, feature_count, &feature_value, 1,
                               BESD_MAX_FEATURES),
    CYAML_FIELD_STRING_PTR("task_choice", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, description,
                           task_choice, 0, BESD_MAX_NAME - 1),
    CYAML_FIELD_STRING_PTR("command", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, description,
                           command, 1, STUDY_YAML_LONGEST_COMMAND),
    CYAML_FIELD_FLOAT("timeout", CYAML_FLAG_OPTIONAL, description, timeout),
    CYAML_FIELD_INT("retries", CYAML_FLAG_OPTIONAL, description, retries),
    CYAML_FIELD_SEQUENCE_COUNT("outline", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, description,
                               outline.polygons, outline.polygons_count, &outline_polygon_value, 1,
                               OUTLINE_MOST_POLYGONS),
    CYAML_FIELD_MAPPING_PTR("picture", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, description,
                            outline.picture, outline_picture_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, description, fields)};

static void fill_space(study_yaml *y) {
    const description *d = y->description;
    besd_study_options *o = &y->options;
    for (unsigned i = 0; i < d->theta_count; i++) {
        y->low[i] = d->theta[i].low;
        y->high[i] = d->theta[i].high;
        y->names[i] = d->theta[i].name;
        y->units[i] = d->theta[i].unit;
    }
    o->dimension = d->theta_count;
    o->low = y->low;
    o->high = y->high;
    o->names = y->names;
    o->units = y->units;
    o->taus = d->tau;
    o->tau_count = d->tau_count;
    o->reps = d->reps;
    o->reps_count = d->reps_count;
}

/* YAML's "command: |" ends in a newline, which is not part of the command. */
static void trim_end(char *text) {
    size_t length = text ? strlen(text) : 0;
    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = 0;
}

/* What libcyaml cannot see. */
static besd_status check_command(const char *path, const description *d, besd_error *error) {
    if (!(d->timeout >= 0 && d->timeout <= LONGEST_TIMEOUT))
        return besd_fail(error, BESD_INVALID,
                         "%s: timeout: expected seconds from 0 (none) to %g, got %g (line: %d)",
                         path, LONGEST_TIMEOUT, d->timeout, yaml_line_of_key(path, "timeout"));
    if (d->command && !*d->command)
        return besd_fail(error, BESD_INVALID,
                         "%s: command: expected a command, got blanks (line: %d)", path,
                         yaml_line_of_key(path, "command"));
    if (d->retries < 0 || d->retries > MOST_RETRIES)
        return besd_fail(error, BESD_INVALID, "%s: retries: expected 0 to %d, got %d (line: %d)",
                         path, MOST_RETRIES, d->retries, yaml_line_of_key(path, "retries"));
    return BESD_OK;
}

/* The line of what a sentence is about: a field, a coordinate of theta, or the second one of a
 * name. */
static int find_line(const char *path, const char *sentence) {
    static const char twice[] = "theta: the name '";
    char name[BESD_MAX_NAME + 1];
    bool again = !strncmp(sentence, twice, strlen(twice));
    const char *begin = again ? sentence + strlen(twice) : sentence;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, again ? "'" : ":"), begin);
    int line = again ? 0 : yaml_line_of_key(path, name);
    const study_option *option = study_option_find(name);
    if (!line && option && study_option_old_name(option))
        line = yaml_line_of_key(path, study_option_old_name(option));
    if (!line)
        line = yaml_line_of_entry(path, "theta", "name", name, again);
    return line ? line : yaml_line_of_key(path, "theta");
}

/* The sentence of a refused field with file and line. */
static besd_status fail_with_line(const char *path, const besd_error *own, besd_error *error) {
    return besd_fail(error, own->status, "%s: %.400s (line: %d)", path, own->message,
                     find_line(path, own->message));
}

static besd_status fill_options(const char *path, study_yaml *y, besd_error *error) {
    besd_error own;
    for (size_t i = 0; i < STUDY_OPTIONS; i++) {
        const char *text = y->description->options[i], *renamed = y->description->renamed[i];
        if (text && renamed)
            return besd_fail(error, BESD_INVALID,
                             "%s: %s: it is the old name of %s, which is there as well (line: %d)",
                             path, study_option_old_name(&study_options[i]), study_options[i].name,
                             yaml_line_of_key(path, study_option_old_name(&study_options[i])));
        text = text ? text : renamed;
        if (text && study_option_parse(&study_options[i], text, &y->options, &own) != BESD_OK)
            return fail_with_line(path, &own, error);
    }
    return BESD_OK;
}

/* The numbers of a description that a path could not hold, refused in its words. */
static besd_status fill_place(const char *name, const double *numbers, unsigned count,
                              size_t coordinates, double *place, besd_error *error) {
    if (numbers && count != coordinates)
        return besd_fail(error, BESD_INVALID, "path: %s: expected %zu numbers, got %u", name,
                         coordinates, count);
    for (unsigned i = 0; numbers && i < count; i++)
        if (isnan(numbers[i]))
            return besd_fail(error, BESD_INVALID, "path: %s: expected finite numbers, got nan",
                             name);
    if (numbers)
        memcpy(place, numbers, coordinates * sizeof *place);
    return BESD_OK;
}

static besd_status check_count(const char *name, int64_t number, int64_t low, int64_t high,
                               besd_error *error) {
    if (number >= low && number <= high)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID, "path: %s: expected %lld to %lld, got %lld", name,
                     (long long)low, (long long)high, (long long)number);
}

static besd_status fill_path(const path_description *d, besd_path *p, besd_error *error) {
    int64_t coordinates = d->coordinates ? *d->coordinates : 2;
    int64_t fewest = d->fewest ? *d->fewest : 0;
    besd_status status = check_count("points", d->points, 1, BESD_MAX_DIMENSION, error);
    if (status == BESD_OK)
        status = check_count("coordinates", coordinates, 1, BESD_MAX_COORDINATES, error);
    if (status == BESD_OK && d->fewest)
        status = check_count("fewest", fewest, 1, d->points, error);
    if (status == BESD_OK && d->labels)
        status = check_count("labels", *d->labels, 2, BESD_MAX_LABELS, error);
    if (status != BESD_OK)
        return status;
    p->points = (size_t)d->points;
    p->coordinates = (size_t)coordinates;
    p->fewest = (size_t)fewest;
    p->labels = d->labels ? (size_t)*d->labels : 0;
    p->cap = d->cap;
    p->cell = d->cell;
    p->price = d->price;
    status = fill_place("from", d->from, d->from_count, p->coordinates, p->from, error);
    if (status == BESD_OK)
        status = fill_place("to", d->to, d->to_count, p->coordinates, p->to, error);
    if (status == BESD_OK)
        status = fill_place("origin", d->origin, d->origin_count, p->coordinates, p->origin, error);
    return status;
}

/* What the study would refuse is refused here, where the file is known. */
static besd_status check_options(const char *path, const study_yaml *y, besd_error *error) {
    besd_error own;
    study_spec *spec = malloc(sizeof *spec);
    if (!spec)
        return besd_fail_memory(error, "the study's description");
    besd_status status = spec_init(spec, &y->options, &own);
    if (status == BESD_OK && y->path.points)
        status = path_check(spec, &y->path, &own);
    free(spec);
    return status == BESD_OK ? BESD_OK : fail_with_line(path, &own, error);
}

static besd_status find_folder(const char *path, char **folder, besd_error *error) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return BESD_OK;
    *folder = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    return *folder ? BESD_OK : besd_fail_memory(error, "the study's folder");
}

bool study_yaml_is(const char *path) {
    size_t length = strlen(path);
    bool named = (length > 5 && !strcmp(path + length - 5, ".yaml")) ||
                 (length > 4 && !strcmp(path + length - 4, ".yml"));
    return named && !domain_yaml_is(path) &&
           (yaml_line_of_key(path, "theta") || yaml_line_of_key(path, "command"));
}

/* Whether the world says which task is next. */
static besd_status read_choice(const description *d, bool *given, besd_error *error) {
    const char *choice = d->task_choice ? d->task_choice : "chosen";
    *given = !strcmp(choice, "given");
    if (*given || !strcmp(choice, "chosen"))
        return BESD_OK;
    return besd_fail(error, BESD_INVALID, "task_choice: expected chosen or given, got '%.40s'",
                     choice);
}

static besd_status fill_tasks(const description *d, yaml_tasks *t, besd_error *error) {
    for (unsigned i = 0; i < d->feature_count; i++) {
        t->features[i] = d->task_features[i].name;
        t->units[i] = d->task_features[i].unit;
    }
    for (unsigned i = 0; i < d->task_count; i++) {
        const task_description *one = &d->tasks[i];
        t->names[i] = one->name;
        t->weights[i] = one->weight ? *one->weight : 1;
        if (one->feature_count != d->feature_count)
            return besd_fail(error, BESD_INVALID,
                             "tasks: %s: expected %u features, one for each of task_features, got "
                             "%u; task_features says what they are",
                             one->name, d->feature_count, one->feature_count);
        for (unsigned k = 0; k < d->feature_count; k++)
            t->values[i * d->feature_count + k] = one->features[k];
    }
    return BESD_OK;
}

static besd_status find_tasks(study_yaml *y, besd_error *error) {
    const description *d = y->description;
    yaml_tasks *t = &y->task_room;
    y->tasks = (besd_tasks){.count = d->task_count,
                            .names = t->names,
                            .weights = t->weights,
                            .feature_count = d->feature_count,
                            .feature_names = t->features,
                            .feature_units = t->units,
                            .features = t->values};
    besd_status status = fill_tasks(d, t, error);
    return status == BESD_OK ? read_choice(d, &y->tasks.given, error) : status;
}

const besd_tasks *study_yaml_tasks(const study_yaml *y) {
    return &y->tasks;
}

besd_status study_yaml_load(const char *path, study_yaml **loaded, besd_error *error) {
    study_yaml *y = calloc(1, sizeof *y);
    if (!y)
        return besd_fail_memory(error, "the study's description");
    void *read;
    besd_status status = yaml_load(path, &schema, fields, &read, error);
    if (status != BESD_OK) {
        free(y);
        return status;
    }
    y->description = read;
    y->options = besd_study_options_default();
    fill_space(y);
    trim_end(y->description->command);
    besd_path_fill(&y->path);
    status = fill_options(path, y, error);
    if (status == BESD_OK && y->description->path) {
        besd_error own;
        status = fill_path(y->description->path, &y->path, &own);
        if (status != BESD_OK)
            fail_with_line(path, &own, error);
    }
    if (status == BESD_OK) {
        besd_error own;
        status = find_tasks(y, &own);
        if (status != BESD_OK)
            fail_with_line(path, &own, error);
    }
    if (status == BESD_OK)
        status = check_command(path, y->description, error);
    if (status == BESD_OK)
        status = check_options(path, y, error);
    if (status == BESD_OK)
        status = find_folder(path, &y->folder, error);
    if (status != BESD_OK) {
        study_yaml_free(y);
        return status;
    }
    *loaded = y;
    return BESD_OK;
}

void study_yaml_free(study_yaml *y) {
    if (!y)
        return;
    yaml_free(&schema, y->description);
    free(y->folder);
    free(y);
}

const besd_study_options *study_yaml_options(const study_yaml *y) {
    return &y->options;
}

const besd_path *study_yaml_path(const study_yaml *y) {
    return &y->path;
}

/* Kept once: a study that has an outline may have been told another one since. */
static besd_status declare_outline(const study_yaml *y, besd_study *study, besd_error *error) {
    char beside[2000];
    const outline *o = &y->description->outline;
    if ((!o->polygons_count && !o->picture) || outline_is_kept(study))
        return BESD_OK;
    snprintf(beside, sizeof beside, "%s/", y->folder ? y->folder : ".");
    return outline_keep(o, beside, study, error);
}

bool study_yaml_has_picture(const study_yaml *y) {
    return y->description->outline.picture != NULL;
}

static besd_status declare_path(const study_yaml *y, besd_study *study, besd_error *error) {
    besd_path has;
    if (y->path.points)
        return besd_study_set_path(study, &y->path, error);
    besd_study_get_path(study, &has);
    if (has.points)
        return besd_fail(error, BESD_INVALID,
                         "path: theta of the study is one of %zu points, the description has none",
                         has.points);
    return BESD_OK;
}

static besd_status declare_tasks(const study_yaml *y, besd_study *study, besd_error *error) {
    besd_tasks has;
    if (y->tasks.count)
        return besd_study_set_tasks(study, &y->tasks, error);
    besd_study_get_tasks(study, &has);
    return has.count ? besd_fail(error, BESD_INVALID,
                                 "tasks: the study has %zu, the description has none", has.count)
                     : BESD_OK;
}

besd_status study_yaml_declare(const study_yaml *y, besd_study *study, besd_error *error) {
    besd_status status = declare_outline(y, study, error);
    if (status == BESD_OK)
        status = declare_path(y, study, error);
    return status == BESD_OK ? declare_tasks(y, study, error) : status;
}

const char *study_yaml_command(const study_yaml *y) {
    return y->description->command;
}

const char *study_yaml_folder(const study_yaml *y) {
    return y->folder;
}

double study_yaml_timeout(const study_yaml *y) {
    return y->description->timeout;
}

int study_yaml_retries(const study_yaml *y) {
    return y->description->retries;
}
