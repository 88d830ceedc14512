/* A trial as a study knows it: what was asked, and what was told of it on the model's side of the
 * transform. The file keeps these, evidence is made of them. */
#ifndef BESD_STUDY_RECORD_H
#define BESD_STUDY_RECORD_H

#include "besd/besd.h"

typedef struct trial_record {
    besd_trial trial;
    double model_mean, within; /* mean of the scores and sum of squares about it; NaN: not told */
} trial_record;

#endif
