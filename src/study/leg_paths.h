/* Paths composed of legs. */
#ifndef BESD_STUDY_LEG_PATHS_H
#define BESD_STUDY_LEG_PATHS_H

#include "study/leg_model.h"

/* A path to rely on is composed of legs that are worth their means less this many standard
 * deviations. */
static const double LEG_CAUTION = 1;

/* A path composed of legs, at the largest tau. */
typedef struct leg_path {
    double theta[BESD_MAX_DIMENSION]; /* user's units */
    double mean, sd;                  /* of the sum of its legs */
    double promise;                   /* the sum of its legs as a time, or as what is earned */
    size_t doubtful;      /* the number of the leg that it teaches most about, from 0 on */
    double doubt;         /* the standard deviation of that leg */
    double doubtful_mean; /* the mean of that leg */
} leg_path;

/* The best path of `points` points, or of at most as many where their number varies. Every leg is
 * worth its mean and `width` standard deviations. A positive width is for paths to be tried, which
 * are composed by legs_chance; others are to be relied on. Paths that were tried `most` times or
 * more are left out (0: none is). *found is false when no path is left. */
besd_status leg_paths_compose(const study_spec *spec, const evidence *e, const leg_model *model,
                              size_t points, double width, size_t most, leg_path *best, bool *found,
                              besd_error *error);

#endif
