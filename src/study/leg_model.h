/* The model of legs, and what it remembers. */
#ifndef BESD_STUDY_LEG_MODEL_H
#define BESD_STUDY_LEG_MODEL_H

#include "model/mixture.h"
#include "study/evidence.h"

/* What a leg tells of others. The trials say how far it reaches; or, near-sighted, it tells of its
 * neighbours alone: where nearly everything fails, the trials say that everything does, and nobody
 * would look behind a wall. */
typedef enum leg_sight { LEG_SIGHT_LEARNT, LEG_SIGHT_NEAR, LEG_SIGHTS } leg_sight;

/* The hyperparameters of the newest models of legs: a handle remembers them, because they follow
 * from the trials alone. */
typedef struct leg_fit {
    int64_t fitted; /* told trials that they were fitted to; 0: none were */
    int64_t last;   /* the id of the newest of them: it falls when an older one is told after all */
    int64_t changes; /* of what was told before */
    draws drawn;
} leg_fit;

typedef struct leg_memory {
    leg_fit of[LEG_SIGHTS];
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
    size_t labels;                   /* 1 where instances are not labelled */
    double weights[BESD_MAX_LABELS]; /* how often each is met */
} leg_model;

besd_status leg_model_init(const study_spec *spec, const evidence *e, leg_sight sight,
                           leg_memory *memory, leg_model *model, besd_error *error);
void leg_model_free(leg_model *model);

/* What is expected of a leg at the largest tau, whatever is beyond it. */
double leg_model_expect(const leg_model *model, const study_spec *spec, const double *place);

/* What a leg is worth at the largest tau, over all labels. */
double leg_model_predict(const leg_model *model, const study_spec *spec, const double *place,
                         double *variance);

/* What the legs between places of the frame, from [rows * coordinates] and to [columns *
 * coordinates], are worth with `width` standard deviations, into values [rows * columns]; the
 * deviations are those of fewer rows. */
besd_status leg_model_hope_pairs(const leg_model *model, const study_spec *spec, const double *from,
                                 size_t rows, const double *to, size_t columns, double width,
                                 double *values, besd_error *error);

#endif
