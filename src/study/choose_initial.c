/* The paper tries the same designs at every tau. Here every trial has a design of its own unless
 * `initial_crossed` says otherwise: as many trials see more of the space, and a model that shares
 * what it learns between tau levels needs no pairs. */
#include "study/choose_initial.h"

#include "core/error.h"
#include "core/rng.h"
#include "decide/latin.h"
#include "study/method.h"
#include "study/path.h"

#include <math.h>
#include <stdlib.h>

/* Of the tau levels, counted from the largest, those that every initial design is tried at. */
static size_t levels_of(const besd_study_options *o) {
    switch (method_describe(o->method)->start) {
    case START_AT_EVERY_TAU:
        return o->tau_count;
    case START_AT_TAU_MAX:
        return 1;
    case START_AT_ONCE:
        break;
    }
    return 0;
}

size_t initial_trials(const besd_study_options *o) {
    return (size_t)o->initial_designs * levels_of(o);
}

/* Does it end with its share of the budget? */
static bool is_limited(const besd_study_options *o) {
    return o->method == BESD_METHOD_BESD && o->model == BESD_MODEL_AVERAGED && !isinf(o->budget);
}

double initial_cost(const besd_study_options *o) {
    double once = 0; /* one design at every tau */
    for (size_t t = o->tau_count - levels_of(o); t < o->tau_count; t++)
        once += o->setup_cost + (double)o->taus[t] * o->initial_reps * o->interaction_price;
    double all = o->initial_designs * once;
    return is_limited(o) ? fmin(all, fmax(once, o->initial_share * o->budget)) : all;
}

/* The tau of a trial of the initial design, counted from the shortest. */
static int tau_of(const besd_study_options *o, size_t levels, size_t place) {
    return (int)(o->tau_count - levels + place % levels);
}

bool initial_is_due(const study_spec *spec, const evidence *e) {
    const besd_study_options *o = &spec->options;
    size_t levels = levels_of(o), place = e->place_count;
    if (!levels || place + e->added >= initial_trials(o) || e->chosen) /* earlier ones stand in */
        return false;
    if (!is_limited(o))
        return true;
    double next = spec_cost(spec, tau_of(o, levels, place), spec_reps_level(spec, o->initial_reps));
    if (place < levels) /* every tau is tried, unless that is too dear and the model can choose */
        return !e->told || next <= turn_affordable(spec, e);
    return e->spent + next <= o->initial_share * o->budget;
}

besd_status choose_initial(turn *t, besd_error *error) {
    const besd_study_options *o = &t->spec->options;
    size_t levels = levels_of(o), place = t->evidence->place_count;
    size_t trials_each = o->initial_crossed ? levels : 1;
    size_t designs = levels ? initial_trials(o) / trials_each : 0;
    if (!levels || !designs)
        return besd_fail(error, BESD_INVALID, "initial design: the method has none");
    double *points = malloc(designs * o->dimension * sizeof *points);
    if (!points)
        return besd_fail_memory(error, "the initial design");
    latin_hypercube(o->seed, RNG_INITIAL_DESIGN, designs, o->dimension, points);
    size_t number = place / trials_each;
    path_cut(t->spec, number, points + number * o->dimension);
    turn_take(t, points + number * o->dimension, tau_of(o, levels, place),
              spec_reps_level(t->spec, o->initial_reps), BESD_REASON_INITIAL);
    free(points);
    return BESD_OK;
}
