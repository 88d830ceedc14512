#include "study/spec.h"

#include "core/error.h"
#include "study/method.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEFAULT_CAUTION = 1, DEFAULT_EXPLORE = 0.25;

enum { DEFAULT_TARGETS = 1000, MAX_TARGETS = 20000, MAX_DESIGNS = 10000 };

#define NAMES(function, ...)                                                                       \
    const char *function(size_t index) {                                                           \
        static const char *const names[] = {__VA_ARGS__};                                          \
        return index < sizeof names / sizeof *names ? names[index] : NULL;                         \
    }

NAMES(besd_direction_name, "maximize", "minimize")
NAMES(besd_transform_name, "none", "log")
NAMES(besd_model_name, "default", "paper", "extended", "noise")
NAMES(besd_trial_state_name, "asked", "told", "failed")
NAMES(besd_reason_name, "initial", "kg", "exploit", "share", "random", "retry", "improvement",
      "bound", "bracket", "promoted", "explore")
NAMES(besd_stop_name, "none", "budget", "remainder", "value")

static besd_status check_range(const char *field, double value, double low, double high,
                               besd_error *error) {
    if (value >= low && value <= high)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID, "%s: expected a number in [%g, %g], got %g", field, low,
                     high, value);
}

/* Can JSON and we hold it? */
static bool is_text(const char *text) {
    json_t *json = json_string(text);
    json_decref(json);
    return json && strlen(text) < BESD_MAX_NAME;
}

static besd_status copy_box(study_spec *s, const besd_study_options *o, besd_error *error) {
    if (o->dimension < 1 || o->dimension > BESD_MAX_DIMENSION)
        return besd_fail(error, BESD_INVALID, "dimension: expected 1 to %d, got %zu",
                         BESD_MAX_DIMENSION, o->dimension);
    if (!o->low || !o->high)
        return besd_fail(error, BESD_INVALID, "theta: its box is missing");
    for (size_t i = 0; i < o->dimension; i++) {
        char number[BESD_MAX_NAME];
        snprintf(number, sizeof number, "theta%zu", i);
        const char *name = o->names && o->names[i] ? o->names[i] : number;
        const char *unit = o->units && o->units[i] ? o->units[i] : "";
        if (!is_text(name) || !is_text(unit))
            return besd_fail(
                error, BESD_INVALID,
                "theta: name and unit of coordinate %zu must be UTF-8 of up to %d bytes", i,
                BESD_MAX_NAME - 1);
        snprintf(s->name_text[i], BESD_MAX_NAME, "%s", name);
        snprintf(s->unit_text[i], BESD_MAX_NAME, "%s", unit);
        s->names[i] = s->name_text[i];
        s->units[i] = s->unit_text[i];
        for (size_t j = 0; j < i; j++)
            if (!strcmp(s->names[i], s->names[j]))
                return besd_fail(error, BESD_INVALID, "theta: the name '%s' is given twice",
                                 s->names[i]);
        s->low[i] = o->low[i];
        s->high[i] = o->high[i];
        if (!(s->low[i] < s->high[i] && isfinite(s->high[i] - s->low[i])))
            return besd_fail(error, BESD_INVALID,
                             "%s: expected a box with low < high, got low %g and high %g",
                             s->names[i], s->low[i], s->high[i]);
    }
    return BESD_OK;
}

static int by_tau(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int by_reps(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

static besd_status copy_levels(study_spec *s, const besd_study_options *o, besd_error *error) {
    if (!o->taus || o->tau_count < 1 || o->tau_count > BESD_MAX_LEVELS)
        return besd_fail(error, BESD_INVALID, "tau: expected 1 to %d levels, got %zu",
                         BESD_MAX_LEVELS, o->taus ? o->tau_count : 0);
    if (!o->reps || o->reps_count < 1 || o->reps_count > BESD_MAX_LEVELS)
        return besd_fail(error, BESD_INVALID, "reps: expected 1 to %d levels, got %zu",
                         BESD_MAX_LEVELS, o->reps ? o->reps_count : 0);
    memcpy(s->taus, o->taus, o->tau_count * sizeof *s->taus);
    memcpy(s->reps, o->reps, o->reps_count * sizeof *s->reps);
    qsort(s->taus, o->tau_count, sizeof *s->taus, by_tau);
    qsort(s->reps, o->reps_count, sizeof *s->reps, by_reps);
    for (size_t i = 0; i < o->tau_count; i++)
        if (s->taus[i] < 1 || (i && s->taus[i] == s->taus[i - 1]))
            return besd_fail(error, BESD_INVALID, "tau: expected distinct levels from 1, got %lld",
                             (long long)s->taus[i]);
    for (size_t i = 0; i < o->reps_count; i++)
        if (s->reps[i] < 1 || s->reps[i] > BESD_MAX_REPS || (i && s->reps[i] == s->reps[i - 1]))
            return besd_fail(error, BESD_INVALID,
                             "reps: expected distinct levels from 1 to %d, got %d", BESD_MAX_REPS,
                             s->reps[i]);
    return BESD_OK;
}

static besd_status check_numbers(const besd_study_options *o, besd_error *error) {
    const struct {
        const char *field;
        double value, low, high;
    } ranges[] = {
        {"direction", o->direction, 0, 1},
        {"transform", o->transform, 0, 1},
        {"method", o->method, 0, BESD_METHOD_HYPERBAND_PAPER},
        {"model", o->model, 0, BESD_MODEL_NOISE},
        {"budget", o->budget, 0, 1e300},
        {"setup_cost", o->setup_cost, 0, 1e300},
        {"interaction_price", o->interaction_price, 0, 1e300},
        {"initial_designs", o->initial_designs, 0, MAX_DESIGNS},
        {"target_count", o->target_count, 0, MAX_TARGETS},
        {"stop_below", o->stop_below, 0, 1e300},
        {"tau_max_share", o->tau_max_share, 0, 1},
        {"caution", o->caution, -1, 100},
        {"explore", o->explore, -1, 1},
    };
    if (o->seed > INT64_MAX)
        return besd_fail(error, BESD_INVALID, "seed: expected 0 to %" PRId64 ", got %" PRIu64,
                         INT64_MAX, o->seed);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        besd_status status =
            check_range(ranges[i].field, ranges[i].value, ranges[i].low, ranges[i].high, error);
        if (status != BESD_OK)
            return status;
    }
    return BESD_OK;
}

besd_status spec_init(study_spec *s, const besd_study_options *options, besd_error *error) {
    memset(s, 0, sizeof *s);
    s->options = *options;
    besd_study_options *o = &s->options;
    besd_status status = copy_box(s, options, error);
    if (status == BESD_OK)
        status = copy_levels(s, options, error);
    if (status == BESD_OK)
        status = check_numbers(options, error);
    if (status != BESD_OK)
        return status;
    o->low = s->low;
    o->high = s->high;
    o->names = s->names;
    o->units = s->units;
    o->taus = s->taus;
    o->reps = s->reps;
    if (o->model == BESD_MODEL_DEFAULT)
        o->model = BESD_MODEL_PAPER;
    if (o->interaction_price == 0)
        o->interaction_price = 1;
    if (o->target_count == 0)
        o->target_count = DEFAULT_TARGETS;
    if (o->initial_designs == 0)
        o->initial_designs = (int)fmax(4, ceil(2.5 * (double)o->dimension));
    if (o->caution == 0)
        o->caution = DEFAULT_CAUTION;
    if (o->explore == 0)
        o->explore = DEFAULT_EXPLORE;
    if (o->initial_reps == 0)
        o->initial_reps =
            method_describe(o->method)->cheap_start ? s->reps[0] : s->reps[o->reps_count - 1];
    if (spec_reps_level(s, o->initial_reps) < 0)
        return besd_fail(error, BESD_INVALID, "initial_reps: expected one of the reps, got %d",
                         o->initial_reps);
    double dearest = spec_cost(s, (int)o->tau_count - 1, (int)o->reps_count - 1);
    if (!isfinite(dearest) || dearest <= 0)
        return besd_fail(
            error, BESD_INVALID,
            "interaction_price: with setup_cost %g and price %g a trial of tau %lld and "
            "%d reps costs %g, expected a finite number above 0",
            o->setup_cost, o->interaction_price, (long long)spec_tau_max(s),
            s->reps[o->reps_count - 1], dearest);
    return BESD_OK;
}

double spec_cost(const study_spec *s, int tau_level, int reps_level) {
    return s->options.setup_cost +
           (double)s->taus[tau_level] * s->reps[reps_level] * s->options.interaction_price;
}

int64_t spec_tau_max(const study_spec *s) {
    return s->taus[s->options.tau_count - 1];
}

int spec_tau_level(const study_spec *s, int64_t tau) {
    for (size_t i = 0; i < s->options.tau_count; i++)
        if (s->taus[i] == tau)
            return (int)i;
    return -1;
}

int spec_reps_level(const study_spec *s, int reps) {
    for (size_t i = 0; i < s->options.reps_count; i++)
        if (s->reps[i] == reps)
            return (int)i;
    return -1;
}

/* A score as the model sees it. */
double spec_to_model(const study_spec *spec, double score) {
    double value = spec->options.transform == BESD_TRANSFORM_LOG ? log(score) : score;
    return spec->options.direction == BESD_MINIMIZE ? -value : value;
}

double spec_score(const besd_study_options *o, double value) {
    value = o->direction == BESD_MINIMIZE ? -value : value;
    return o->transform == BESD_TRANSFORM_LOG ? exp(value) : value;
}

static json_t *to_json(const study_spec *s) {
    const besd_study_options *o = &s->options;
    json_t *theta = json_array(), *tau = json_array(), *reps = json_array();
    int failed = 0;
    for (size_t i = 0; i < o->dimension; i++)
        failed |= json_array_append_new(theta, json_pack("{s:s, s:s, s:f, s:f}", "name",
                                                         s->names[i], "unit", s->units[i], "low",
                                                         s->low[i], "high", s->high[i]));
    for (size_t i = 0; i < o->tau_count; i++)
        failed |= json_array_append_new(tau, json_integer(s->taus[i]));
    for (size_t i = 0; i < o->reps_count; i++)
        failed |= json_array_append_new(reps, json_integer(s->reps[i]));
    if (failed) {
        json_decref(theta);
        json_decref(tau);
        json_decref(reps);
        return NULL;
    }
    return json_pack(
        "{s:o, s:o, s:o, s:s, s:s, s:s, s:s, s:I, s:f, s:f, s:f, s:i, s:i, s:i, s:b, s:f, s:f, "
        "s:f, s:b, s:f, s:b}",
        "theta", theta, "tau", tau, "reps", reps, "direction", besd_direction_name(o->direction),
        "transform", besd_transform_name(o->transform), "method", besd_method_name(o->method),
        "model", besd_model_name(o->model), "seed", (json_int_t)o->seed, "budget", o->budget,
        "setup_cost", o->setup_cost, "interaction_price", o->interaction_price, "initial_designs",
        o->initial_designs, "initial_reps", o->initial_reps, "target_count", o->target_count,
        "discrete", o->discrete, "stop_below", o->stop_below, "tau_max_share", o->tau_max_share,
        "caution", o->caution, "initial_crossed", o->initial_crossed, "explore", o->explore,
        "mean_of_all", o->mean_of_all);
}

besd_status spec_write(const study_spec *s, char **text, besd_error *error) {
    json_t *json = to_json(s);
    *text = json ? json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(json);
    return *text ? BESD_OK : besd_fail_memory(error, "the study's description");
}

/* The number of a name in one of the lists above, or -1. */
static int number_of(const char *(*names)(size_t), const char *name) {
    for (size_t i = 0; name && names(i); i++)
        if (!strcmp(names(i), name))
            return (int)i;
    return -1;
}

besd_status spec_read(study_spec *s, const char *text, besd_error *error) {
    json_t *json = json_loads(text, 0, NULL), *theta, *tau, *reps;
    besd_study_options o = {0};
    double low[BESD_MAX_DIMENSION] = {0}, high[BESD_MAX_DIMENSION] = {0};
    const char *names[BESD_MAX_DIMENSION] = {0}, *units[BESD_MAX_DIMENSION] = {0};
    const char *direction, *transform, *method, *model;
    int64_t taus[BESD_MAX_LEVELS] = {0};
    int levels[BESD_MAX_LEVELS] = {0}, discrete, crossed, of_all = 0;
    json_int_t seed;
    bool right =
        json &&
        !json_unpack(json,
                     "{s:o, s:o, s:o, s:s, s:s, s:s, s:s, s:I, s:F, s:F, s:F, s:i, s:i, "
                     "s:i, s:b, s:F, s:F, s:F, s:b, s:F, s?b}",
                     "theta", &theta, "tau", &tau, "reps", &reps, "direction", &direction,
                     "transform", &transform, "method", &method, "model", &model, "seed", &seed,
                     "budget", &o.budget, "setup_cost", &o.setup_cost, "interaction_price",
                     &o.interaction_price, "initial_designs", &o.initial_designs, "initial_reps",
                     &o.initial_reps, "target_count", &o.target_count, "discrete", &discrete,
                     "stop_below", &o.stop_below, "tau_max_share", &o.tau_max_share, "caution",
                     &o.caution, "initial_crossed", &crossed, "explore", &o.explore, "mean_of_all",
                     &of_all) &&
        json_array_size(theta) <= BESD_MAX_DIMENSION && json_array_size(tau) <= BESD_MAX_LEVELS &&
        json_array_size(reps) <= BESD_MAX_LEVELS;
    o.dimension = right ? json_array_size(theta) : 0;
    for (size_t i = 0; right && i < o.dimension; i++)
        right = !json_unpack(json_array_get(theta, i), "{s:s, s:s, s:F, s:F}", "name", &names[i],
                             "unit", &units[i], "low", &low[i], "high", &high[i]);
    o.tau_count = right ? json_array_size(tau) : 0;
    for (size_t i = 0; right && i < o.tau_count; i++) {
        right = json_is_integer(json_array_get(tau, i));
        taus[i] = json_integer_value(json_array_get(tau, i));
    }
    o.reps_count = right ? json_array_size(reps) : 0;
    for (size_t i = 0; right && i < o.reps_count; i++) {
        json_int_t level = json_integer_value(json_array_get(reps, i));
        right = level >= 1 && level <= BESD_MAX_REPS;
        levels[i] = (int)level;
    }
    int numbers[4] = {right ? number_of(besd_direction_name, direction) : -1,
                      right ? number_of(besd_transform_name, transform) : -1,
                      right ? method_find(method) : -1,
                      right ? number_of(besd_model_name, model) : -1};
    for (int i = 0; i < 4; i++)
        right = right && numbers[i] >= 0;
    if (!right) {
        json_decref(json);
        return besd_fail(error, BESD_IO,
                         "its description is damaged, or of another version of besd");
    }
    o.low = low;
    o.high = high;
    o.names = names;
    o.units = units;
    o.taus = taus;
    o.reps = levels;
    o.direction = (besd_direction)numbers[0];
    o.transform = (besd_transform)numbers[1];
    o.method = (besd_method)numbers[2];
    o.model = (besd_model)numbers[3];
    o.seed = (uint64_t)seed;
    o.discrete = discrete;
    o.initial_crossed = crossed;
    o.mean_of_all = of_all;
    besd_error detail;
    besd_status status = spec_init(s, &o, &detail);
    json_decref(json);
    if (status == BESD_INVALID)
        return besd_fail(error, BESD_IO, "its description is damaged: %.400s", detail.message);
    return status == BESD_OK ? status : besd_fail(error, status, "%s", detail.message);
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
        if (status != BESD_OK || !strcmp(key, "budget") || json_equal(value, other))
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
