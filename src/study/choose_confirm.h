/* Confirming before recommending: the last part of the budget trains the few best designs again at
 * the largest tau, by ranking and selection. In half of the runs that end badly a good design had
 * been tried and was not recommended: the model, which is smooth where the truth has cliffs,
 * believed the design's neighbours more than the design itself.
 *
 * From here on the model stands still. A design begins with the mean and the variance that the
 * model gives it, and with the model's own doubt on top of the variance. Designs are independent of
 * each other. Confirming trials move a design by Bayes' rule for normal means, and the next trial
 * is the one with the largest knowledge gradient per cost, which is exact for independent normals:
 *
 *     nu_i = b_i h(-|m_i - max_{j != i} m_j| / b_i),  b_i = s_i^2 / sqrt(s_i^2 + noise).
 *
 * People deploy what was measured. So a design that no trial has trained at the largest tau is
 * recommended only when none was, and the last training that the budget pays for goes to the design
 * that would be recommended, unless that one was trained twice already.
 *
 * confirm_is_due and choose_confirm are declared in choose.h. */
#ifndef BESD_STUDY_CHOOSE_CONFIRM_H
#define BESD_STUDY_CHOOSE_CONFIRM_H

#include "model/mixture.h"
#include "study/evidence.h"

/* This many designs are candidates; designs of an earlier end of the budget come on top. */
enum { CONFIRM_MOST = 8 };

typedef struct confirm_candidate {
    double theta[BESD_MAX_DIMENSION]; /* user's units */
    double mean, variance;            /* now */
    double doubt;                     /* the part of the variance that is the model's own doubt */
    double surprise; /* variance that outcomes add to forecasts which surprised beyond 3 sd */
    int observed;    /* confirming trials that were told */
    int measured;    /* trainings at the largest tau, confirming or not */
    int expected;    /* such trainings that are under way */
} confirm_candidate;

typedef struct confirm {
    size_t count;
    confirm_candidate *candidates;
} confirm;

/* One design: what the model says, moved by its confirming trials. */
confirm_candidate confirm_judge(const study_spec *spec, const evidence *e, const mixture *model,
                                const double *theta);

/* The candidates, in this order: `best`, which is the model's own best design (user's units); the
 * designs that are or were confirmed at this end of the budget; the tried designs with the largest
 * mean + sd by the model, up to CONFIRM_MOST candidates in all; and the designs that were confirmed
 * before the budget was raised. */
besd_status confirm_init(confirm *c, const study_spec *spec, const evidence *e,
                         const mixture *model, const double *best, besd_error *error);
void confirm_free(confirm *c);

/* The candidate to recommend: the largest mean - caution * sd of those that were measured; of all,
 * when none was. */
const confirm_candidate *confirm_best(const confirm *c, double caution);

#endif
