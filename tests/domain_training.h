/* One training of a domain by hand, for tests that look at it. */
#ifndef BESD_TESTS_DOMAIN_TRAINING_H
#define BESD_TESTS_DOMAIN_TRAINING_H

#include "run/domain_study.h"

#include <string.h>

/* Trains as the trial says; scores [trial->reps]. */
static inline besd_status train_by_hand(const domain_study *b, const besd_trial *t, double *scores,
                                        besd_error *error) {
    domain_trainer own = {.setting = b};
    besd_training training = {0};
    besd_status status = domain_trainer_train(&own, t, &training, error);
    if (status == BESD_OK)
        memcpy(scores, training.outcome.scores, training.outcome.count * sizeof *scores);
    domain_trainer_close(&own);
    return status;
}

/* The same, and tells the study scores and legs. */
static inline besd_status train_and_tell(const domain_study *b, besd_study *s, const besd_trial *t,
                                         double *scores, besd_error *error) {
    domain_trainer own;
    besd_training training = {0};
    (void)domain_trainer_open(&own, b, s);
    besd_status status = domain_trainer_train(&own, t, &training, error);
    if (status == BESD_OK) {
        memcpy(scores, training.outcome.scores, training.outcome.count * sizeof *scores);
        status = besd_study_tell(s, t->id, &training.outcome, error);
    }
    domain_trainer_close(&own);
    return status;
}

#endif
