/* What is known of the legs of a study, for pages and figures: the legs that were tried most, and
 * the legs of one design, each with what to expect of it at the largest tau, in the user's units. A
 * leg that was seen often enough is expected to do as it did; of other legs the model of legs says
 * what to expect. The model ignores confirming trials, but they count here. */
#ifndef BESD_STUDY_LEG_SURVEY_H
#define BESD_STUDY_LEG_SURVEY_H

#include "besd/besd.h"

/* With this many replications at the largest tau a leg is seen often enough. */
enum { LEG_SEEN = 5 };

typedef struct leg_known {
    double from[BESD_MAX_COORDINATES], to[BESD_MAX_COORDINATES]; /* NaN: not known */
    size_t number;        /* in its design, from 0 on; without meaning in `tried` below */
    size_t tried, worked; /* replications of all tau that set out on it; those of them that reached
                             its end, or the end of the path */
    size_t seen;          /* replications of the largest tau that set out on it */
    double mean, sd;  /* on the scale of legs (legs.h), without the price of a point: the mean of
                         the replications that were seen if they are LEG_SEEN or more, else the
                         model's mean; the sd is always the model's */
    double value;     /* in units, the time to expect or what is earned: the mean of what was
                         seen, or the model's mean */
    double low, high; /* one standard error or sd to either side; a time is from 0 to the cap */
    bool is_first, is_last; /* from the start, to the end */
    bool is_doubtful;       /* it never worked, or its sd is over half of what legs differ by */
} leg_known;

typedef struct leg_survey {
    leg_known *tried; /* the most tried first */
    size_t tried_count;
    size_t untold; /* tried legs that are left out */
    double spread; /* what legs differ by: the standard deviation of the means of `tried` */
    leg_known of_design[BESD_MAX_DIMENSION + 1];
    size_t design_count;                 /* 0: no design was given */
    double promise;                      /* what its legs make together; no better than the best
                                            possible score, and no time beyond the cap */
    double composed[BESD_MAX_DIMENSION]; /* the design that is composed of the best legs */
    double composed_promise;             /* what these make together; NaN: none can be composed */
} leg_survey;

/* Surveys at most `most` tried legs, and the legs of theta unless theta is NULL, as they were known
 * before trial number `before` was told (0: as they are known today). Where points have no cells,
 * places in the same tenth of the box along every coordinate count as the same. BESD_UNSUPPORTED
 * when theta is no path or no legs were told. */
besd_status leg_survey_init(leg_survey *s, besd_study *study, const double *theta, size_t most,
                            int64_t before, besd_error *error);
void leg_survey_free(leg_survey *s);

#endif
