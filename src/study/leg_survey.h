/* What is known of the legs of a study, for those who show it: the legs that were tried most, and
 * those of one design, each with what to expect of it at the largest tau, in the user's units. That
 * is what it took, where that was seen often enough; else what the model of legs makes of others.
 * Trials that confirm are nothing to the model, but they count here. */
#ifndef BESD_STUDY_LEG_SURVEY_H
#define BESD_STUDY_LEG_SURVEY_H

#include "besd/besd.h"

/* So many replications of a leg at the largest tau speak for themselves. */
enum { LEG_SEEN = 5 };

typedef struct leg_known {
    double from[BESD_MAX_COORDINATES], to[BESD_MAX_COORDINATES]; /* NaN: not known */
    size_t number;        /* in its design, from 0 on; of a leg that was tried: no matter */
    size_t tried, worked; /* replications of all tau that set out on it; that reached its end, or
                             that of the path */
    size_t seen;          /* replications of the largest tau that set out on it */
    double mean, sd;      /* on the scale of legs (legs.h), the price of a point left out: the mean
                             of those that were seen if they are LEG_SEEN or more, else the
                             model's; the sd is always the model's */
    double value;         /* the time to expect, or what is earned: the mean of what was seen in
                             units, or that mean in units */
    double low, high;     /* one standard error or sd to either side; a time is from 0 to the cap */
    bool is_first, is_last; /* from the start, to the end */
    bool is_doubtful;       /* it never worked, or its sd is over half of what legs differ by */
} leg_known;

typedef struct leg_survey {
    leg_known *tried; /* the most tried first */
    size_t tried_count;
    size_t untold; /* legs that were tried, too, and are left out */
    double spread; /* what legs differ by: the standard deviation of the means of `tried` */
    leg_known of_design[BESD_MAX_DIMENSION + 1];
    size_t design_count;                 /* 0: there was none */
    double promise;                      /* what its legs make together, if that is possible: no
                                            better than the best possible score, no time beyond the
                                            cap */
    double composed[BESD_MAX_DIMENSION]; /* the design that is composed of the best legs */
    double composed_promise;             /* what they make together; NaN: none can be composed */
} leg_survey;

/* At most `most` tried legs, and those of theta unless it is NULL, as they were known before trial
 * number `before` was told; 0: as they are known today. Where points have no cells, places of a
 * lattice of a tenth of the box count as the same. BESD_UNSUPPORTED when theta is no path or no
 * legs were told. */
besd_status leg_survey_init(leg_survey *s, besd_study *study, const double *theta, size_t most,
                            int64_t before, besd_error *error);
void leg_survey_free(leg_survey *s);

#endif
