/* Learning from the parts of a design that is a path. A trial says which of its legs worked and how
 * long each took; a leg is a place in twice the coordinates of a point, however many points there
 * are, and other paths share it. So a model of legs sees K + 1 outcomes where that of designs sees
 * one, and dynamic programming composes the best path of them, whether its legs were ever tried
 * together or not. It finds thin corners of large spaces; the model of designs then polishes.
 *
 * The value of a leg that took the time d is -log(1 + d / s), s a tenth of the cap; one that failed
 * took what was left until the cap. Of scores that are maximised it is what was earned on the leg,
 * and one that fails takes back what was earned before.
 */
#ifndef BESD_STUDY_LEGS_H
#define BESD_STUDY_LEGS_H

#include "model/mixture.h"
#include "study/evidence.h"

/* Do the ends of legs come one after the other, none after the cap? A point that was not reached
 * has no successors; the last end is that of the replication and may come on any leg. One of which
 * nothing is known (besd/besd.h) is sound. */
besd_status legs_check(const besd_path *path, const besd_leg *legs, size_t replications,
                       besd_error *error);

/* The value of leg k of a replication; false when it never came to that leg, or nothing is known.
 */
bool legs_value(const study_spec *spec, const besd_leg *legs, size_t k, double *value);

/* The hyperparameters of the newest model of legs: a handle remembers them, because they follow
 * from the trials alone. */
typedef struct leg_memory {
    int64_t fitted; /* told trials that they were fitted to; 0: none were */
    int64_t last;   /* the id of the newest of them: it falls when an older one is told after all */
    draws drawn;
} leg_memory;

/* A model of legs: theta is (from, to) in the frame of path.h. What is expected of a leg nobody has
 * tried follows from its length, and from whether it is the first or the last, by least squares;
 * the mixture models what is beyond that. Pending trials shrink its variances. */
enum { LEG_IS_LAST = 5, LEG_TO_END = 6, LEG_FEATURES = 7 };

typedef struct leg_model {
    bool known; /* false when no legs were told: there is no mixture then */
    mixture beyond;
    gp *doubt; /* fewer rows, for variances at many places */
    double expected[LEG_FEATURES];
} leg_model;

besd_status legs_model(const study_spec *spec, const evidence *e, leg_memory *memory,
                       leg_model *model, besd_error *error);
void leg_model_free(leg_model *model);

/* A path composed of legs, at the largest tau. */
typedef struct leg_path {
    double theta[BESD_MAX_DIMENSION]; /* user's units */
    double mean, sd;                  /* of the sum of its legs */
    double promise;                   /* the same as a time, or as what is earned */
    size_t doubtful;                  /* the leg that it teaches most of, from 0 on */
    double doubt;                     /* the standard deviation of that one */
} leg_path;

/* The best of so many points, or where their number varies at most so many, when every leg is worth
 * its mean and `width` standard deviations, but for paths that were tried `most` times or more (0:
 * whatever was tried). *found is false when all were. */
besd_status legs_compose(const study_spec *spec, const evidence *e, const leg_model *model,
                         size_t points, double width, size_t most, leg_path *best, bool *found,
                         besd_error *error);

#endif
