/* The model of legs, and what a handle remembers of it. */
#ifndef BESD_STUDY_LEG_MODEL_H
#define BESD_STUDY_LEG_MODEL_H

#include "model/mixture.h"
#include "study/evidence.h"

/* How far a leg tells of other legs. LEARNT: as far as the trials say. NEAR: of its neighbours
 * only. Where nearly everything fails, the trials say that everything does, and nobody would look
 * behind a wall; a near-sighted model does. */
typedef enum leg_sight { LEG_SIGHT_LEARNT, LEG_SIGHT_NEAR, LEG_SIGHTS } leg_sight;

/* The hyperparameters of the newest models of legs. They follow from the trials alone, so a handle
 * can remember them. */
typedef struct leg_fit {
    int64_t fitted; /* the number of told trials that they were fitted to; 0: there are none */
    int64_t last; /* the id of the newest of these trials; smaller when an older one is told late */
    int64_t changes; /* evidence.changes at that time */
    draws drawn;
} leg_fit;

typedef struct leg_memory {
    leg_fit of[LEG_SIGHTS];
} leg_memory;

/* A model of legs: theta is (from, to) in the frame of path.h. What is expected of an untried leg
 * follows from its length, and from whether it is the first or the last, by least squares. The
 * mixture models what is beyond that. Pending trials shrink its variances. */
enum { LEG_IS_LAST = 5, LEG_TO_END = 6, LEG_FEATURES = 7 };

typedef struct leg_model {
    bool known; /* false: no legs were told, and there is no mixture */
    mixture beyond;
    gp *doubt; /* a model of fewer rows, for variances at many places */
    double expected[LEG_FEATURES];
    size_t labels;                   /* 1 where instances have no labels */
    double weights[BESD_MAX_LABELS]; /* how often each label is met */
} leg_model;

besd_status leg_model_init(const study_spec *spec, const evidence *e, leg_sight sight,
                           leg_memory *memory, leg_model *model, besd_error *error);
void leg_model_free(leg_model *model);

/* The task that predictions are about from now on (model/tasks.h). */
void leg_model_set_task(leg_model *model, int task);

/* Subtracts from rows of legs what least squares expect of them, and fills in the coefficients. */
void leg_rows_take_expected(const study_spec *spec, observations *rows,
                            double coefficients[LEG_FEATURES]);

/* What least squares expect of a leg at the largest tau, without the mixture. */
double leg_model_expect(const leg_model *model, const study_spec *spec, const double *place);

/* What a leg is worth at the largest tau, over all labels. The variance is that of labels which err
 * together, or a little more. */
double leg_model_predict(const leg_model *model, const study_spec *spec, const double *place,
                         double *variance);

/* What the legs between places of the frame, from [rows * coordinates] and to [columns *
 * coordinates], are worth with `width` standard deviations: values [rows * columns]. The deviations
 * are those of the model of fewer rows. */
besd_status leg_model_hope_pairs(const leg_model *model, const study_spec *spec, const double *from,
                                 size_t rows, const double *to, size_t columns, double width,
                                 double *values, besd_error *error);

#endif
