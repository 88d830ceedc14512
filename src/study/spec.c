#include "study/spec.h"

#include "core/error.h"
#include "core/text.h"
#include "study/method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Initial designs: half as many again as the paper's advice of 2 d - 1 asks for, because a model
 * fitted to fewer takes the first slope it sees for the whole space. */
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
NAMES(besd_model_name, "paper", "extended", "noise", "averaged")
NAMES(besd_instances_name, "shared", "fresh")
NAMES(besd_trial_state_name, "asked", "told", "failed", "voided", "waiting")
NAMES(besd_reason_name, "initial", "kg", "exploit", "share", "random", "retry", "improvement",
      "bound", "bracket", "promoted", "explore", "confirm", "legs", "added", "enqueued")
NAMES(besd_stop_name, "none", "budget", "remainder", "value")

/* Can JSON and we hold it? */
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

/* What the program knows of the options, and the rest as it is initially. */
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

/* Baseline and best possible are scores: where logarithms are taken of scores, of these too. That
 * no score is below 0 or less is true, and says nothing. */
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
    double dearest = spec_cost(s, (int)o->tau_count - 1, (int)o->reps_count - 1);
    if (isfinite(dearest) && dearest > 0)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID,
                     "interaction_price: with setup_cost %g and price %g a trial of tau %lld and "
                     "%d reps costs %g, expected a finite number above 0",
                     o->setup_cost, o->interaction_price, (long long)spec_tau_max(s),
                     s->reps[o->reps_count - 1], dearest);
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
    if (status != BESD_OK)
        return status;
    o->low = s->low;
    o->high = s->high;
    o->names = s->names;
    o->units = s->units;
    o->taus = s->taus;
    o->reps = s->reps;
    settle_automatic(s);
    if (spec_reps_level(s, o->initial_reps) < 0)
        return besd_fail(error, BESD_INVALID, "initial_reps: expected one of the reps, got %d",
                         o->initial_reps);
    return check_costs(s, error);
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

void spec_to_unit(const study_spec *s, const double *theta, double *unit) {
    for (size_t i = 0; i < s->options.dimension; i++)
        unit[i] = (theta[i] - s->low[i]) / (s->high[i] - s->low[i]);
}

void spec_to_user(const study_spec *s, const double *unit, double *theta) {
    for (size_t i = 0; i < s->options.dimension; i++)
        theta[i] = fmin(s->low[i] + unit[i] * (s->high[i] - s->low[i]), s->high[i]);
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
