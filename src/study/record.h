/* A trial as a study knows it: what was asked, and what was told of it on the model's side of the
 * transform. The file keeps these, evidence is made of them. */
#ifndef BESD_STUDY_RECORD_H
#define BESD_STUDY_RECORD_H

#include "besd/besd.h"

typedef struct trial_record {
    besd_trial trial;
    double model_mean, within; /* mean of the scores and sum of squares about it; NaN: not told */
} trial_record;

/* Does the model see its scores? */
static inline bool record_is_told(const trial_record *r) {
    return r->trial.state == BESD_TRIAL_TOLD;
}

/* Are its scores still to come? */
static inline bool record_is_pending(const trial_record *r) {
    return r->trial.state == BESD_TRIAL_ASKED || r->trial.state == BESD_TRIAL_WAITING;
}

/* Did the study itself, by its initial design or its method, want it? */
static inline bool record_is_own(const trial_record *r) {
    return r->trial.reason != BESD_REASON_ADDED && r->trial.reason != BESD_REASON_ENQUEUED;
}

#endif
