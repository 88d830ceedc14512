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
 */
#include "cli/study_yaml.h"

#include "core/error.h"
#include "core/yaml.h"

#include <stdlib.h>

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
    double budget, setup_cost, interaction_price, stop_below, tau_max_share, caution, explore;
    int initial_designs, initial_reps, targets;
    bool discrete, initial_crossed;
} description;

struct study_yaml {
    description *description;
    besd_study_options options;
    double low[BESD_MAX_DIMENSION], high[BESD_MAX_DIMENSION];
    const char *names[BESD_MAX_DIMENSION], *units[BESD_MAX_DIMENSION];
};

static const cyaml_strval_t directions[] = {{"maximize", BESD_MAXIMIZE},
                                            {"minimize", BESD_MINIMIZE}};
static const cyaml_strval_t transforms[] = {{"none", BESD_TRANSFORM_NONE},
                                            {"log", BESD_TRANSFORM_LOG}};
static const cyaml_strval_t methods[] = {{"besd", BESD_METHOD_BESD},
                                         {"random", BESD_METHOD_RANDOM},
                                         {"ei", BESD_METHOD_EI},
                                         {"ei-paper", BESD_METHOD_EI_PAPER},
                                         {"lcb", BESD_METHOD_LCB},
                                         {"hyperband", BESD_METHOD_HYPERBAND},
                                         {"hyperband-paper", BESD_METHOD_HYPERBAND_PAPER}};
static const cyaml_strval_t models[] = {{"default", BESD_MODEL_DEFAULT},
                                        {"paper", BESD_MODEL_PAPER},
                                        {"extended", BESD_MODEL_EXTENDED}};

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
    CYAML_FIELD_FLOAT("explore", CYAML_FLAG_OPTIONAL, description, explore),
    CYAML_FIELD_FLOAT("caution", CYAML_FLAG_OPTIONAL, description, caution),
    CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, description, fields)};

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
                                      .explore = d->explore,
                                      .caution = d->caution};
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
    *loaded = y;
    return BESD_OK;
}

void study_yaml_free(study_yaml *y) {
    if (!y)
        return;
    yaml_free(&schema, y->description);
    free(y);
}

const besd_study_options *study_yaml_options(const study_yaml *y) {
    return &y->options;
}
