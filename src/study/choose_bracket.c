#include "study/choose_bracket.h"

#include "core/error.h"
#include "core/rng.h"
#include "decide/hyperband.h"
#include "decide/latin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest tau that is not above this many times the smallest. */
static int64_t tau_of_resource(const study_spec *spec, int64_t units) {
    size_t level = spec->options.tau_count - 1;
    while (level > 0 && (double)spec->taus[level] > (double)spec->taus[0] * (double)units)
        level--;
    return spec->taus[level];
}

static besd_status take_new_design(turn *t, const hyperband_place *place, besd_error *error) {
    const besd_study_options *o = &t->spec->options;
    double *points = malloc(place->designs * o->dimension * sizeof *points);
    if (!points)
        return besd_fail_memory(error, "the designs of a bracket");
    uint64_t seed = rng_seed(o->seed, RNG_CHOICE, place->pass, (uint64_t)place->bracket, 2);
    latin_hypercube(seed, RNG_CHOICE, place->designs, o->dimension, points);
    turn_take_dearest(t, points + place->index * o->dimension, BESD_REASON_BRACKET);
    free(points);
    return BESD_OK;
}

static bool is_promoted(const evidence_place *promoted, size_t count, const besd_trial *t) {
    for (size_t i = 0; i < count; i++)
        if (!memcmp(promoted[i].record->trial.theta, t->theta, sizeof t->theta))
            return true;
    return false;
}

/* The best of the rung before that has not been promoted; what is not told counts as worst. Scores
 * that arrive late, from trials run at the same time, are seen by the promotions that follow. */
static besd_status promote(turn *t, const hyperband_place *place, besd_error *error) {
    const evidence_place *before = t->evidence->places + place->previous;
    double *scores = malloc(place->count * sizeof *scores);
    size_t *candidates = malloc(place->count * sizeof *candidates), count = 0;
    besd_status status = scores && candidates ? BESD_OK : besd_fail_memory(error, "a rung");
    for (size_t i = 0; status == BESD_OK && i < place->count; i++) {
        const trial_record *r = before[i].record;
        if (is_promoted(before + place->count, place->index, &r->trial))
            continue;
        scores[count] = r->trial.state == BESD_TRIAL_TOLD ? r->model_mean : NAN;
        candidates[count++] = i;
    }
    if (status == BESD_OK) {
        const besd_trial *best =
            &before[candidates[hyperband_survivor(scores, count)]].record->trial;
        memcpy(t->trial->theta, best->theta, sizeof t->trial->theta);
        t->trial->reps = best->reps;
        t->trial->reason = BESD_REASON_PROMOTED;
    }
    free(scores);
    free(candidates);
    return status;
}

besd_status choose_bracket(turn *t, besd_error *error) {
    hyperband_place place = hyperband_at(t->evidence->place_count);
    besd_status status = place.rung ? promote(t, &place, error) : take_new_design(t, &place, error);
    t->trial->tau = tau_of_resource(t->spec, place.resource);
    return status;
}
