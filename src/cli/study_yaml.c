/* libcyaml does the reading and the checking of types; here stands only what a study may say:
 *
 *     theta:
 *       - {name: x1, low: 0, high: 10, unit: m}
 *       - {name: y1, low: 0, high: 10, unit: m}
 *     tau: [200, 600, 1000]
 *     reps: [5, 20]
 *     direction: minimize        # maximize (default) or minimize
 *     transform: log             # none (default) or log
 *     budget: 300000
 *     command: python3 train.py  # for besd run
 *     timeout: 3600
 *     retries: 1
 */
#include "cli/study_yaml.h"

#include "core/error.h"
#include "core/yaml.h"
#include "study/spec.h"
#include "world/domain_yaml.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RETRIES = 100 };
static const double LONGEST_TIMEOUT = 1e7;

typedef struct coordinate {
    char *name, *unit;
    double low, high;
} coordinate;

typedef struct description {
    coordinate *theta;
    int64_t *tau;
    int *reps;
    unsigned theta_count, tau_count, reps_count;
    int direction, transform, method, model;
    uint64_t seed;
    double budget, setup_cost, interaction_price, stop_below, tau_max_share;
    double *caution, *explore; /* NULL: not said */
    int initial_designs, initial_reps, targets;
    bool discrete, initial_crossed, mean_of_all;
    char *command;
    double timeout;
    int retries;
} description;

struct study_yaml {
    description *description;
    besd_study_options options;
    double low[BESD_MAX_DIMENSION], high[BESD_MAX_DIMENSION];
    const char *names[BESD_MAX_DIMENSION], *units[BESD_MAX_DIMENSION];
    char *folder; /* of the file; NULL: the current one */
};

static const cyaml_strval_t directions[] = {{"maximize", BESD_MAXIMIZE},
                                            {"minimize", BESD_MINIMIZE}};
static const cyaml_strval_t transforms[] = {{"none", BESD_TRANSFORM_NONE},
                                            {"log", BESD_TRANSFORM_LOG}};
static const cyaml_strval_t methods[] = {{"besd", BESD_METHOD_BESD},
                                         {"random", BESD_METHOD_RANDOM},
                                         {"rnd", BESD_METHOD_RANDOM},
                                         {"ei", BESD_METHOD_EI},
                                         {"ei-paper", BESD_METHOD_EI_PAPER},
                                         {"lcb", BESD_METHOD_LCB},
                                         {"hyperband", BESD_METHOD_HYPERBAND},
                                         {"hb", BESD_METHOD_HYPERBAND},
                                         {"hyperband-paper", BESD_METHOD_HYPERBAND_PAPER},
                                         {"hb-paper", BESD_METHOD_HYPERBAND_PAPER}};
static const cyaml_strval_t models[] = {{"default", BESD_MODEL_DEFAULT},
                                        {"paper", BESD_MODEL_PAPER},
                                        {"extended", BESD_MODEL_EXTENDED},
                                        {"noise", BESD_MODEL_NOISE}};

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

static const cyaml_schema_field_t fields[] = {
    CYAML_FIELD_SEQUENCE("theta", CYAML_FLAG_POINTER, description, theta, &coordinate_value, 1,
                         BESD_MAX_DIMENSION),
    CYAML_FIELD_SEQUENCE("tau", CYAML_FLAG_POINTER, description, tau, &tau_value, 1,
                         BESD_MAX_LEVELS),
    CYAML_FIELD_SEQUENCE("reps", CYAML_FLAG_POINTER, description, reps, &reps_value, 1,
                         BESD_MAX_LEVELS),
    CYAML_FIELD_ENUM("direction", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, description, direction,
                     directions, CYAML_ARRAY_LEN(directions)),
    CYAML_FIELD_ENUM("transform", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, description, transform,
                     transforms, CYAML_ARRAY_LEN(transforms)),
    CYAML_FIELD_ENUM("method", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, description, method,
                     methods, CYAML_ARRAY_LEN(methods)),
    CYAML_FIELD_ENUM("model", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, description, model, models,
                     CYAML_ARRAY_LEN(models)),
    CYAML_FIELD_UINT("seed", CYAML_FLAG_OPTIONAL, description, seed),
    CYAML_FIELD_FLOAT("budget", CYAML_FLAG_OPTIONAL, description, budget),
    CYAML_FIELD_FLOAT("setup_cost", CYAML_FLAG_OPTIONAL, description, setup_cost),
    CYAML_FIELD_FLOAT("interaction_price", CYAML_FLAG_OPTIONAL, description, interaction_price),
    CYAML_FIELD_INT("initial_designs", CYAML_FLAG_OPTIONAL, description, initial_designs),
    CYAML_FIELD_INT("initial_reps", CYAML_FLAG_OPTIONAL, description, initial_reps),
    CYAML_FIELD_INT("targets", CYAML_FLAG_OPTIONAL, description, targets),
    CYAML_FIELD_BOOL("discrete", CYAML_FLAG_OPTIONAL, description, discrete),
    CYAML_FIELD_FLOAT("stop_below", CYAML_FLAG_OPTIONAL, description, stop_below),
    CYAML_FIELD_FLOAT("tau_max_share", CYAML_FLAG_OPTIONAL, description, tau_max_share),
    CYAML_FIELD_BOOL("initial_crossed", CYAML_FLAG_OPTIONAL, description, initial_crossed),
    CYAML_FIELD_BOOL("mean_of_all", CYAML_FLAG_OPTIONAL, description, mean_of_all),
    CYAML_FIELD_FLOAT_PTR("explore", CYAML_FLAG_OPTIONAL, description, explore),
    CYAML_FIELD_FLOAT_PTR("caution", CYAML_FLAG_OPTIONAL, description, caution),
    CYAML_FIELD_STRING_PTR("command", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, description,
                           command, 1, STUDY_YAML_LONGEST_COMMAND),
    CYAML_FIELD_FLOAT("timeout", CYAML_FLAG_OPTIONAL, description, timeout),
    CYAML_FIELD_INT("retries", CYAML_FLAG_OPTIONAL, description, retries),
    CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, description, fields)};

/* 0 is the library's word for default. */
static double option_from(const double *said) {
    return !said ? 0 : *said == 0 ? -1 : *said;
}

static void fill_options(study_yaml *y) {
    const description *d = y->description;
    for (unsigned i = 0; i < d->theta_count; i++) {
        y->low[i] = d->theta[i].low;
        y->high[i] = d->theta[i].high;
        y->names[i] = d->theta[i].name;
        y->units[i] = d->theta[i].unit;
    }
    y->options = (besd_study_options){.dimension = d->theta_count,
                                      .low = y->low,
                                      .high = y->high,
                                      .names = y->names,
                                      .units = y->units,
                                      .taus = d->tau,
                                      .tau_count = d->tau_count,
                                      .reps = d->reps,
                                      .reps_count = d->reps_count,
                                      .direction = (besd_direction)d->direction,
                                      .transform = (besd_transform)d->transform,
                                      .method = (besd_method)d->method,
                                      .model = (besd_model)d->model,
                                      .seed = d->seed,
                                      .budget = d->budget,
                                      .setup_cost = d->setup_cost,
                                      .interaction_price = d->interaction_price,
                                      .initial_designs = d->initial_designs,
                                      .initial_reps = d->initial_reps,
                                      .target_count = d->targets,
                                      .discrete = d->discrete,
                                      .stop_below = d->stop_below,
                                      .tau_max_share = d->tau_max_share,
                                      .initial_crossed = d->initial_crossed,
                                      .mean_of_all = d->mean_of_all,
                                      .explore = option_from(d->explore),
                                      .caution = option_from(d->caution)};
}

/* YAML's "command: |" ends in a newline, which nobody means. */
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

/* The sentence of a refused field with file and line; coordinates stand below theta. */
static besd_status fail_with_line(const char *path, const besd_error *own, besd_error *error) {
    char field[40];
    snprintf(field, sizeof field, "%.*s", (int)strcspn(own->message, ":"), own->message);
    int line = yaml_line_of_key(path, field);
    return besd_fail(error, own->status, "%s: %.400s (line: %d)", path, own->message,
                     line ? line : yaml_line_of_key(path, "theta"));
}

/* What the study would refuse is refused here, where the file is known. */
static besd_status check_options(const char *path, const study_yaml *y, besd_error *error) {
    besd_error own;
    study_spec *spec = malloc(sizeof *spec);
    if (!spec)
        return besd_fail_memory(error, "the study's description");
    besd_status status = BESD_OK;
    if (y->options.seed > INT64_MAX) /* or below 0, which libcyaml wraps round */
        status = besd_fail(&own, BESD_INVALID, "seed: expected 0 to %" PRId64, INT64_MAX);
    else
        status = spec_init(spec, &y->options, &own);
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
    fill_options(y);
    trim_end(y->description->command);
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
