/* What the files of a forecast share. */
#ifndef BESD_STUDY_FORECAST_STATE_H
#define BESD_STUDY_FORECAST_STATE_H

#include "study/forecast.h"

/* What forecasts are made from. */
typedef struct forecast_basis {
    const study_spec *spec;
    const evidence *e;
    const mixture *model;   /* NULL: there is none */
    const double *expected; /* of every trial (forecast_expected); NULL: not computed yet */
    double differ;          /* what outcomes differ by (forecast_spread) */
} forecast_basis;

/* From logarithms to mean scores (forecast_shortfall.c). */

/* What outcomes differ by: the standard deviation of the told trials; 0 if it is only the rounding
 * error of means of equal scores. */
double forecast_spread(const evidence *e);

/* What the model expects of a told trial; without a model, what the trial gave. */
double forecast_expected(const study_spec *spec, const mixture *model, const trial_record *r);

/* log E[score] - E[log score] at (theta, tau), where the model has this mean; at least 0. */
double forecast_shortfall(const forecast_basis *b, const double *theta, int64_t tau, double mean);

/* The number of replications that were like those of (theta, tau), each counted by its likeness. */
double forecast_like(const forecast_basis *b, const double *theta, int64_t tau, double mean);

/* What is likely and what is possible (forecast_quantiles.c). */

/* A mixture of normal distributions, equally likely: one for each draw of the model. */
typedef struct outlook {
    size_t count;
    double mean[DRAWS_MOST], variance[DRAWS_MOST];
    double doubt; /* comes on top of every variance; does not change what is expected */
} outlook;

double outlook_quantile(const outlook *o, double p);

/* The probability to be above the bar, which is known up to a standard error. */
double outlook_beats(const outlook *o, double bar, double error);

/* Mean scores that are possible, the price of points included. */
typedef struct score_range {
    double least, most;
} score_range;

/* The mean scores that theta can have. None is better than the best possible score, where that is
 * known. Scores of a path are times from 0 to the cap, unless a told score is not such a time. */
score_range score_range_find(const forecast_basis *b, const double *theta);

/* Only the end of the range that no score is better than. */
score_range score_range_better_end(const study_spec *spec, const score_range *r);

double score_range_clip(const score_range *r, double score);

/* E[clip(X)] of a normal X; where X is a logarithm, E[clip(exp(X))]. */
double score_range_clipped_mean(const score_range *r, double mean, double variance, bool logarithm);

#endif
