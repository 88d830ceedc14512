/* What a study needs for a budget. */
#ifndef BESD_RUN_DEFAULT_BUDGET_H
#define BESD_RUN_DEFAULT_BUDGET_H

#include "besd/besd.h"

/* A default budget is so large that the initial design, whole, costs this share of it: enough is
 * left to choose by what it has shown. (The option initial_share is another thing: at which share
 * of a given budget the initial design is cut.) */
#define BUDGET_INITIAL_SHARE 0.3

/* Up to the next number of three digits and zeros, which people can read and type. */
double budget_round(double budget);

/* The default; a method without an initial design gets the budget that besd would. */
besd_status budget_default(const besd_study_options *options, double *budget, besd_error *error);

/* Refuses a budget that does not pay for the first trial, before a study is made of it. */
besd_status budget_check(const besd_study_options *options, besd_error *error);

/* The same for a study that exists and has no trial yet, which would get this budget. */
besd_status budget_check_begun(besd_study *study, double budget, besd_error *error);

#endif
