/* What may be told of a trial, what the model sees of it, and what was told as JSON: the JSON is
 * kept when a trial is told anew, so that the old scores can be restored to the last bit. */
#ifndef BESD_STUDY_TELL_H
#define BESD_STUDY_TELL_H

#include "study/evidence.h"

/* Larger numbers could not be computed with: a mean score on the model's scale is squared, and sums
 * of squares and of costs must stay finite. */
static const double LARGEST_MODEL_MEAN = 1e150, LARGEST_SUM = 1e300;

/* Are the scores finite, and positive where logarithms are taken? */
besd_status scores_check(const study_spec *spec, const double *scores, size_t count,
                         besd_error *error);

/* Is the cost a number from 0 to LARGEST_SUM? Even millions of such numbers have a finite sum. */
besd_status scores_check_cost(double cost, besd_error *error);

besd_status scores_check_legs(const study_spec *spec, const besd_leg *legs, size_t count,
                              besd_error *error);

/* Sets mean and spread on both sides of the transform, for a trial whose theta is set. Refuses
 * scores that are too large to compute with. */
besd_status scores_summarise(const study_spec *spec, const double *scores, size_t count,
                             trial_record *t, besd_error *error);
besd_status scores_check_summary(const trial_record *t, besd_error *error);

typedef struct told_scores {
    trial_record record;  /* cost, count, mean, and what the model sees */
    const double *scores; /* [score_count], or NULL: only a summary was told */
    const besd_leg *legs; /* [leg_count], or NULL */
    size_t leg_count;
} told_scores;

/* The caller frees the text. */
besd_status told_write(const told_scores *told, const char *why, char **text, besd_error *error);

/* BESD_IO when the text was not written by told_write. The arrays come from malloc; told_free frees
 * them. */
besd_status told_read(const char *text, told_scores *told, besd_error *error);
void told_free(told_scores *told);

#endif
