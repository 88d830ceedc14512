/* What a study recommends: by its model, or the best trial it has seen. */
#ifndef BESD_STUDY_RECOMMEND_H
#define BESD_STUDY_RECOMMEND_H

#include "decide/targets.h"
#include "model/mixture.h"
#include "study/evidence.h"

/* What a recommendation is made from; no pending trials in the model. */
typedef struct recommending {
    const study_spec *spec;
    const evidence *evidence;
    const mixture *model; /* NULL for methods that have none */
    targets *targets;
} recommending;

/* theta of r: the largest mean - caution * sd at tau_max, climbed to from the best design under the
 * model and from the ones that were tried. */
besd_status recommend_maximum(const recommending *from, besd_recommendation *r, besd_error *error);

/* theta, mean and sd of the trial with the best mean score at the largest tau so far, or over all
 * of them. */
besd_status recommend_incumbent(const recommending *from, besd_recommendation *r,
                                besd_error *error);
besd_status recommend_incumbent_of_all(const recommending *from, besd_recommendation *r,
                                       besd_error *error);

#endif
