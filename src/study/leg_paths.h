/* Paths composed of legs. */
#ifndef BESD_STUDY_LEG_PATHS_H
#define BESD_STUDY_LEG_PATHS_H

#include "study/leg_model.h"

/* A path composed of legs, at the largest tau. */
typedef struct leg_path {
    double theta[BESD_MAX_DIMENSION]; /* user's units */
    double mean, sd;                  /* of the sum of its legs */
    double promise;                   /* the same as a time, or as what is earned */
    size_t doubtful;                  /* the leg that it teaches most of, from 0 on */
    double doubt;                     /* the standard deviation of that one */
    double doubtful_mean;             /* and its mean */
} leg_path;

/* The best of so many points, or where their number varies at most so many, when every leg is worth
 * its mean and `width` standard deviations (legs_chance of them when that is above 0: such a path
 * is to be tried, others are to be relied on), but for paths that were tried `most` times or more
 * (0: whatever was tried). *found is false when all were. */
besd_status leg_paths_compose(const study_spec *spec, const evidence *e, const leg_model *model,
                              size_t points, double width, size_t most, leg_path *best, bool *found,
                              besd_error *error);

#endif
