/* A study's description: its checks, its conversions, and its JSON. Only the table of options
 * (options.h) knows which options there are. */
#include "study/spec.h"

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"
#include "study/choose.h"
#include "study/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The automatic number of initial designs. The paper advises 2 d - 1. More are taken here, because
 * a model that is fitted to fewer takes the first slope it sees for the whole space. */
static const double DESIGNS_PER_COORDINATE = 2.5;
static const double FEWEST_DESIGNS = 4;

#define NAMES(function, ...)                                                                       \
    const char *function(size_t index) {                                                           \
        static const char *const names[] = {__VA_ARGS__};                                          \
        return index < sizeof names / sizeof *names ? names[index] : NULL;                         \
    }

const char *besd_version(void) {
    return BESD_VERSION;
}

NAMES(besd_direction_name, "maximize", "minimize")
NAMES(besd_transform_name, "none", "log")
NAMES(besd_model_name, "paper", "averaged")
NAMES(besd_instances_name, "shared", "fresh")
NAMES(besd_trial_state_name, "asked", "told", "failed", "voided", "waiting")
NAMES(besd_reason_name, "initial", "kg", "exploit", "share", "random", "retry", "improvement",
      "bound", "bracket", "promoted", "explore", "confirm", "legs", "added", "enqueued", "source")
NAMES(besd_stop_name, "none", "budget", "remainder", "value")

/* Is it UTF-8, as JSON needs it, and short enough for study_spec? */
static bool is_text(const char *text) {
    return text_is_utf8(text) && strlen(text) < BESD_MAX_NAME;
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

/* One agent of each design, where nobody says how many: a good choice when a budget pays for
 * few trainings. */
static const int ONE_AGENT = 1;

static besd_status copy_levels(study_spec *s, besd_study_options *o, besd_error *error) {
    if (!o->reps && !o->reps_count) {
        o->reps = &ONE_AGENT;
        o->reps_count = 1;
    }
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

/* The options that the program knows, and initial values for the rest. */
static besd_status take_over(besd_study_options *o, const besd_study_options *given,
                             besd_error *error) {
    if (given->size < offsetof(besd_study_options, direction))
        return besd_fail(error, BESD_INVALID,
                         "options: their size is %zu; begin with besd_study_options_default()",
                         given->size);
    if (given->size > sizeof *o)
        return besd_fail(error, BESD_INVALID,
                         "options: their size is %zu, this besd (%s) knows %zu; the program was "
                         "built against a newer one",
                         given->size, besd_version(), sizeof *o);
    besd_study_options_fill(o, sizeof *o);
    memcpy(o, given, given->size);
    o->size = sizeof *o;
    return BESD_OK;
}

static besd_status check_options(const besd_study_options *o, besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < STUDY_OPTIONS; i++)
        status = study_option_check(&study_options[i], o, error);
    return status;
}

/* Baseline and best possible are scores: where logarithms of scores are taken, they must be
 * positive. A minimised study is an exception: a best possible score of 0 or less is true there,
 * and says nothing. */
static besd_status check_references(const besd_study_options *o, besd_error *error) {
    bool log = o->transform == BESD_TRANSFORM_LOG;
    bool wrong = log && !(o->baseline > 0);
    bool best_wrong = log && o->direction == BESD_MAXIMIZE && !(o->best_possible > 0);
    if (!wrong && !best_wrong)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "%s: expected a number above 0, because the study takes logarithms, got %g",
                     wrong ? "baseline" : "best_possible", wrong ? o->baseline : o->best_possible);
}

/* The two ends of what is possible, where both are known. */
static besd_status check_ends(const besd_study_options *o, besd_error *error) {
    bool less_is_better = o->direction == BESD_MINIMIZE;
    double low = less_is_better ? o->best_possible : o->worst_possible;
    double high = less_is_better ? o->worst_possible : o->best_possible;
    if (isinf(low) || isinf(high) || low < high)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "worst_possible: expected a score %s the best possible one, %g, because "
                     "scores are %s, got %g",
                     less_is_better ? "above" : "below", o->best_possible,
                     less_is_better ? "minimised" : "maximised", o->worst_possible);
}

static void settle_automatic(study_spec *s) {
    besd_study_options *o = &s->options;
    if (o->initial_designs == BESD_AUTO)
        o->initial_designs =
            (int)fmax(FEWEST_DESIGNS, ceil(DESIGNS_PER_COORDINATE * (double)o->dimension));
    if (o->initial_reps == BESD_AUTO)
        o->initial_reps =
            method_describe(o->method)->cheap_start ? s->reps[0] : s->reps[o->reps_count - 1];
}

static besd_status check_costs(const study_spec *s, besd_error *error) {
    const besd_study_options *o = &s->options;
    double largest = spec_cost(s, (int)o->tau_count - 1, (int)o->reps_count - 1);
    if (isfinite(largest) && largest > 0)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "interaction_price: with setup_cost %g and price %g a trial of tau %lld and "
                     "%d reps costs %g, expected a finite number above 0",
                     o->setup_cost, o->interaction_price, (long long)spec_tau_max(s),
                     s->reps[o->reps_count - 1], largest);
}

besd_status spec_init(study_spec *s, const besd_study_options *options, besd_error *error) {
    memset(s, 0, sizeof *s);
    besd_study_options *o = &s->options;
    besd_status status = take_over(o, options, error);
    if (status == BESD_OK)
        status = copy_box(s, o, error);
    if (status == BESD_OK)
        status = copy_levels(s, o, error);
    if (status == BESD_OK)
        status = check_options(o, error);
    if (status == BESD_OK)
        status = check_references(o, error);
    if (status == BESD_OK)
        status = check_ends(o, error);
    if (status != BESD_OK)
        return status;
    o->low = s->low;
    o->high = s->high;
    o->names = s->names;
    o->units = s->units;
    o->taus = s->taus;
    o->reps = s->reps;
    s->tasks.own = 1;
    s->tasks.weight[0] = 1;
    settle_automatic(s);
    if (spec_reps_level(s, o->initial_reps) < 0)
        return besd_fail(error, BESD_INVALID, "initial_reps: expected one of the reps, got %d",
                         o->initial_reps);
    return check_costs(s, error);
}

bool spec_has_tasks(const study_spec *s) {
    return s->tasks.own > 1;
}

int spec_task(const study_spec *s, const besd_trial *trial) {
    if (!spec_has_tasks(s))
        return 0;
    return trial->task == BESD_ALL_TASKS ? tasks_mean(&s->tasks) : (int)trial->task;
}

const task_set *spec_tasks(const study_spec *s) {
    return s->tasks.own > 1 || s->tasks.sources ? &s->tasks : NULL;
}

double spec_cost(const study_spec *s, int tau_level, int reps_level) {
    return s->options.setup_cost +
           (double)s->taus[tau_level] * s->reps[reps_level] * s->options.interaction_price;
}

int64_t spec_tau_max(const study_spec *s) {
    return s->taus[s->options.tau_count - 1];
}

double spec_share(const study_spec *s, int64_t tau) {
    return (double)tau / (double)spec_tau_max(s);
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

void spec_to_unit(const study_spec *s, const double *theta, double *unit) {
    for (size_t i = 0; i < s->options.dimension; i++)
        unit[i] = (theta[i] - s->low[i]) / (s->high[i] - s->low[i]);
}

void spec_to_user(const study_spec *s, const double *unit, double *theta) {
    for (size_t i = 0; i < s->options.dimension; i++)
        theta[i] = fmin(s->low[i] + unit[i] * (s->high[i] - s->low[i]), s->high[i]);
}

double spec_to_model(const study_spec *spec, double score) {
    double value = spec->options.transform == BESD_TRANSFORM_LOG ? log(score) : score;
    return spec->options.direction == BESD_MINIMIZE ? -value : value;
}

double spec_score(const besd_study_options *o, double value) {
    value = o->direction == BESD_MINIMIZE ? -value : value;
    return o->transform == BESD_TRANSFORM_LOG ? exp(value) : value;
}

/* The budget has a row of its own in the file. */
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

/* NULL without memory: never half a description. */
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

/* What the JSON says, before it is checked. The names belong to the JSON. */
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

/* The name of an option that is not in the table: a newer besd has written it. Without this option
 * it would be another study. */
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

/* The model of the study when besd has it no longer, else NULL. */
static const char *gone_model(const json_t *json) {
    const char *model = json_string_value(json_object_get(json, "model"));
    return model && study_model_is_gone(model) ? model : NULL;
}

static bool read_options(reading *r, const json_t *json) {
    for (size_t i = 0; i < STUDY_OPTIONS; i++) {
        const char *old_name = study_option_old_name(&study_options[i]);
        const json_t *value = json_object_get(json, study_options[i].name);
        if (!value && old_name)
            value = json_object_get(json, old_name);
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
    else if (gone_model(json))
        status = besd_fail(error, BESD_IO,
                           "its model '%s' is gone; with besd 0.2.0 save its trials (besd trials "
                           "FILE --csv), and add them to a new study (besd add NEW --from CSV)",
                           gone_model(json));
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

/* Prints as many digits as show the difference. */
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

/* Says how the first coordinate that differs does. */
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

/* A field that is not theta. What a description says, the command line says with dashes. */
static besd_status fail_field(const char *key, const json_t *was, const json_t *is,
                              besd_error *error) {
    char *old = json_dumps(was, JSON_ENCODE_ANY | JSON_COMPACT);
    char *new = json_dumps(is, JSON_ENCODE_ANY | JSON_COMPACT);
    char option[32] = "";
    for (size_t i = 0; study_option_find(key) && key[i] && i + 1 < sizeof option; i++)
        option[i] = (char)(key[i] == '_' ? '-' : key[i]), option[i + 1] = 0;
    const char *value = json_is_string(was) ? json_string_value(was) : old;
    besd_error_set(error, BESD_INVALID,
                   "%s: the study has %.100s, got %.100s; to go on with it, say '%s: %.80s' in the "
                   "description%s%s%s%.80s",
                   key, old ? old : "?", new ? new : "?", key, value ? value : "?",
                   *option ? ", or --" : "", option, *option ? " " : "", *option ? value : "");
    free(old);
    free(new);
    return BESD_INVALID;
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
        status = fail_field(key, value, other, error);
    }
    json_decref(a);
    json_decref(b);
    return status;
}
