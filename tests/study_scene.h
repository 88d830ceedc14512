/* One decision without a file: trials made by hand, the evidence and the model that follow from
 * them, and a turn for a chooser. The quadratic trainer of study_fixture.h gives the scores. */
#ifndef BESD_TESTS_STUDY_SCENE_H
#define BESD_TESTS_STUDY_SCENE_H

#include "study_fixture.h"

#include "decide/kg.h"
#include "model/blas.h"
#include "study/fitting.h"
#include "study/turn.h"

typedef struct scene {
    study_spec spec;
    trial_record *records; /* until scene_look gives them to the evidence */
    size_t count;
    evidence evidence;
    draws drawn;
    hyperparameters h; /* the first of them; all but the averaged model have no other */
    mixture model;     /* of told and pending trials */
    targets targets;
    besd_trial trial;
    besd_explanation explanation;
    turn turn;
    besd_error error;
} scene;

static inline void scene_begin(scene *c, const besd_study_options *o) {
    memset(c, 0, sizeof *c);
    assert_ok(arithmetic_begin(1, &c->error), &c->error);
    assert_ok(spec_init(&c->spec, o, &c->error), &c->error);
}

/* The next trial; what is told is what the trainer says. Borrowed until the next one. */
static inline trial_record *scene_add(scene *c, besd_trial_state state, besd_reason reason,
                                      const double *theta, int64_t tau, int reps) {
    c->records = realloc(c->records, (c->count + 1) * sizeof *c->records);
    assert_non_null(c->records);
    trial_record *r = &c->records[c->count++];
    besd_trial t = {.id = (int64_t)c->count,
                    .tau = tau,
                    .reps = reps,
                    .seed = c->count,
                    .state = state,
                    .reason = reason,
                    .cost = (double)tau * reps};
    size_t d = c->spec.options.dimension;
    double scores[BESD_MAX_REPS], sum = 0, within = 0;
    memcpy(t.theta, theta, d * sizeof *theta);
    train(&t, d, scores);
    for (int i = 0; i < reps; i++)
        sum += spec_to_model(&c->spec, scores[i]) / reps;
    for (int i = 0; i < reps; i++)
        within += pow(spec_to_model(&c->spec, scores[i]) - sum, 2);
    t.score_count = state == BESD_TRIAL_TOLD ? (size_t)reps : 0;
    *r = (trial_record){t, NAN, NAN}; /* as the file has trials that are not told */
    if (state == BESD_TRIAL_TOLD) {
        r->model_mean = sum;
        r->within = within;
    }
    return r;
}

/* Told trials at random designs, all levers in turn. */
static inline void scene_tell_some(scene *c, size_t count, besd_reason reason) {
    const besd_study_options *o = &c->spec.options;
    rng stream = rng_open(o->seed, RNG_TEST, 77, c->count, 0);
    for (size_t i = 0; i < count; i++) {
        double theta[BESD_MAX_DIMENSION];
        for (size_t k = 0; k < o->dimension; k++)
            theta[k] = rng_between(&stream, c->spec.low[k], c->spec.high[k]);
        scene_add(c, BESD_TRIAL_TOLD, reason, theta, c->spec.taus[i % o->tau_count],
                  c->spec.reps[i / o->tau_count % o->reps_count]);
    }
}

/* The evidence and a turn with money for everything. */
static inline void scene_look(scene *c) {
    assert_ok(evidence_init(&c->evidence, &c->spec, c->records, c->count, &c->error), &c->error);
    c->records = NULL;
    assert_ok(targets_init(&c->targets, c->spec.options.seed, (size_t)c->spec.options.targets,
                           c->spec.options.dimension, &c->error),
              &c->error);
    c->trial = (besd_trial){.id = (int64_t)c->count + 1};
    c->turn = (turn){.spec = &c->spec,
                     .evidence = &c->evidence,
                     .targets = &c->targets,
                     .affordable = INFINITY,
                     .trial = &c->trial,
                     .explanation = &c->explanation};
}

/* The model, with these hyperparameters or fitted ones. */
static inline void scene_model(scene *c, const hyperparameters *h) {
    if (h)
        c->drawn = (draws){.count = 1, .of = {*h}};
    else
        assert_ok(fitting_run(&c->spec, &c->evidence, NULL, 4, &c->drawn, &c->error), &c->error);
    c->h = c->drawn.of[0];
    assert_ok(fitting_condition(&c->evidence, &c->drawn, true, &c->model, &c->error), &c->error);
    c->turn.model = &c->model;
}

static inline void scene_end(scene *c) {
    mixture_free(&c->model);
    targets_free(&c->targets);
    evidence_free(&c->evidence);
    free(c->records);
}

/* What is so for a study of the options, past its initial design, with these trials told. */
static inline void scene_of(scene *c, const besd_study_options *o, size_t told) {
    scene_begin(c, o);
    scene_tell_some(c, told, BESD_REASON_INITIAL);
    scene_look(c);
    scene_model(c, NULL);
}

/* The chosen design in the unit cube. */
static inline void scene_unit(const scene *c, double *unit) {
    spec_to_unit(&c->spec, c->trial.theta, unit);
}

#endif
