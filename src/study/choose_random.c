#include "study/choose_random.h"

#include "core/error.h"
#include "core/rng.h"
#include "decide/latin.h"

#include <math.h>
#include <stdlib.h>

/* Longer Latin hypercubes are hardly more even than independent points. */
static const double LONGEST_LATIN = 1e5;

/* A budget that pays for n trials but for an error of rounding pays for n. */
static const double ROUNDING = 1e-9;

void choose_uniform(turn *t) {
    const besd_study_options *o = &t->spec->options;
    double unit[BESD_MAX_DIMENSION];
    rng stream = rng_open(o->seed, RNG_CHOICE, (uint64_t)t->trial->id, 0, 1);
    for (size_t i = 0; i < o->dimension; i++)
        unit[i] = rng_uniform(&stream);
    turn_take_dearest(t, unit, BESD_REASON_RANDOM);
}

besd_status choose_random(turn *t, besd_error *error) {
    const besd_study_options *o = &t->spec->options;
    double unit[BESD_MAX_DIMENSION];
    double dearest = spec_cost(t->spec, (int)o->tau_count - 1, (int)o->reps_count - 1);
    double length = floor(o->budget * (1 + ROUNDING) / dearest);
    size_t place = t->evidence->place_count;
    if (!(length > (double)place && length < LONGEST_LATIN)) {
        choose_uniform(t);
        return BESD_OK;
    }
    double *axis = malloc((size_t)length * sizeof *axis);
    if (!axis)
        return besd_fail_memory(error, "the Latin hypercube");
    latin_point(o->seed, RNG_CHOICE, (size_t)length, o->dimension, place, axis, unit);
    free(axis);
    turn_take_dearest(t, unit, BESD_REASON_RANDOM);
    return BESD_OK;
}
