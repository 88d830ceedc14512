/* What may be told of a trial, and what the model sees of it. */
#ifndef BESD_STUDY_SCORES_H
#define BESD_STUDY_SCORES_H

#include "study/record.h"
#include "study/spec.h"

/* Finite, and positive where logarithms are taken. */
besd_status scores_check(const study_spec *spec, const double *scores, size_t count,
                         besd_error *error);

/* From 0 to a number of which even millions have a finite sum. */
besd_status scores_check_cost(double cost, besd_error *error);

besd_status scores_check_legs(const study_spec *spec, const besd_leg *legs, size_t count,
                              besd_error *error);

/* Mean and spread on both sides of the transform, for a trial whose theta is known; refused when
 * they are too large to compute with. */
besd_status scores_summarise(const study_spec *spec, const double *scores, size_t count,
                             trial_record *t, besd_error *error);
besd_status scores_check_summary(const trial_record *t, besd_error *error);

#endif
