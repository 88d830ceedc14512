/* Earlier studies and studies that learn from them, small and fast. */
#ifndef BESD_TESTS_SOURCES_FIXTURE_H
#define BESD_TESTS_SOURCES_FIXTURE_H

#include "study_fixture.h"

#include "study/sources.h"
#include "study/study_state.h"

/* Method besd with the averaged model, few draws, and coordinates that have names. */
static inline besd_study_options learner_options(size_t dimension, uint64_t seed) {
    static const char *const names[] = {"x", "y", "z", "u", "v", "w"};
    besd_study_options o = small_options(dimension, seed);
    o.model = BESD_MODEL_AVERAGED;
    o.names = names;
    o.draws = 2;
    o.targets = 30;
    o.initial_designs = 4;
    return o;
}

static inline besd_study *in_memory(const besd_study_options *o) {
    besd_study *s = NULL;
    besd_error error = {BESD_OK, ""};
    assert_ok(besd_study_open(&s, NULL, o, &error), &error);
    return s;
}

/* An earlier study of the fixture's trainer, in memory. */
static inline besd_study *earlier_study(size_t dimension, uint64_t seed, int trials) {
    besd_study_options o = learner_options(dimension, seed);
    besd_study *s = in_memory(&o);
    run_trials(s, trials, NULL);
    return s;
}

static inline void add_source(besd_study *s, besd_study *from, const char *name) {
    besd_error error = {BESD_OK, ""};
    assert_ok(besd_study_add_source(s, from, name, &error), &error);
}

static inline besd_source source_of(besd_study *s, size_t index) {
    besd_source out;
    besd_error error = {BESD_OK, ""};
    assert_ok(besd_study_source(s, index, &out, &error), &error);
    return out;
}

#endif
