/* Trials in the small world of leg_world.h by hand, and the evidence of them: models of legs
 * without a study. */
#ifndef BESD_TESTS_LEG_LAB_H
#define BESD_TESTS_LEG_LAB_H

#include "leg_world.h"

#include "study/leg_model.h"
#include "study/path.h"
#include "study/spec.h"

enum { LAB_POINTS = 2, LAB_LEGS = LAB_POINTS + 1, LAB_REPS = 4, LAB_PATHS = 256 };

typedef struct lab {
    study_spec spec;
    evidence evidence;
    leg_memory memory;
} lab;

typedef void lab_train(const besd_trial *t, double *scores, besd_leg *legs);

/* Centres of two cells; a path has a number below LAB_PATHS. */
static inline void lab_theta(int number, double *theta) {
    for (int i = 0; i < 2 * LAB_POINTS; i++, number /= 4)
        theta[i] = number % 4 + 0.5;
}

/* `told` numbers of paths, then `asked` ones. */
static inline void lab_fill(lab *l, const besd_path *path, lab_train *learn, const int *paths,
                            size_t told, size_t asked) {
    besd_error error = {BESD_OK, ""};
    besd_study_options o = world_options(&small_world, 1);
    memset(l, 0, sizeof *l);
    assert_ok(spec_init(&l->spec, &o, &error), &error);
    l->spec.path = *path;
    size_t count = told + asked;
    trial_record *records = calloc(count + 1, sizeof *records);
    besd_leg *legs = calloc(told * LAB_REPS * LAB_LEGS + 1, sizeof *legs);
    size_t *first = calloc(count + 1, sizeof *first);
    assert_true(records && legs && first);
    for (size_t i = 0; i < count; i++) {
        double scores[LAB_REPS] = {0};
        bool is_told = i < told;
        besd_trial t = {.id = (int64_t)i + 1,
                        .tau = 30,
                        .reps = LAB_REPS,
                        .seed = i,
                        .state = is_told ? BESD_TRIAL_TOLD : BESD_TRIAL_ASKED,
                        .reason = BESD_REASON_INITIAL,
                        .cost = 120,
                        .score_count = is_told ? LAB_REPS : 0};
        lab_theta(paths[i], t.theta);
        first[i + 1] = first[i];
        if (is_told) {
            learn(&t, scores, legs + first[i]);
            first[i + 1] += (size_t)(LAB_REPS * LAB_LEGS);
        }
        records[i] = (trial_record){t, is_told ? -log(scores[0]) : NAN, is_told ? 0.1 : NAN};
    }
    assert_ok(evidence_init(&l->evidence, &l->spec, records, count, &error), &error);
    l->evidence.legs = legs;
    l->evidence.leg_first = first;
}

/* How many told trials set out to the place of the frame; 0 when one of them came there. No path of
 * these worlds comes to its end before its points. */
static inline double lab_misses(const lab *l, const double *place) {
    double misses = 0;
    for (size_t i = 0; i < l->evidence.count; i++) {
        const besd_leg *legs = l->evidence.legs + l->evidence.leg_first[i];
        size_t count = (l->evidence.leg_first[i + 1] - l->evidence.leg_first[i]) / LAB_LEGS;
        for (size_t k = 0; k < LAB_POINTS; k++) {
            double point[2];
            bool set_out = false;
            path_point(&l->spec, l->evidence.trials[i].trial.theta, k + 1, point);
            if (memcmp(point, place, sizeof point) != 0)
                continue;
            for (size_t r = 0; r < count; r++) {
                if (!isnan(legs[r * LAB_LEGS + k].reached))
                    return 0;
                set_out |= k == 0 || !isnan(legs[r * LAB_LEGS + k - 1].reached);
            }
            misses += set_out;
        }
    }
    return misses;
}

/* What a path is worth by the values of its legs, none of which takes less than no time: chances
 * when it is to be tried, their sum when it is to be relied on. The cap is ten of the scale's. */
static inline double lab_worth(const lab *l, const double *theta, const double *values,
                               bool to_be_tried) {
    double limited[LAB_LEGS], chances = 0, least = -log(11);
    for (size_t k = 0; k < LAB_LEGS; k++) {
        double place[2];
        limited[k] = fmin(values[k], 0) + fmax(values[k], 0) / 50;
        path_point(&l->spec, theta, k + 1, place);
        chances += log(fmax(0.02, 1 - limited[k] / least)) -
                   (k < LAB_POINTS ? log(1 + lab_misses(l, place)) : 0);
    }
    return to_be_tried ? chances : limited[0] + fmax(limited[1] + limited[2], least);
}

#endif
