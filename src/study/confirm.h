/* Confirming before recommending: the last part of the budget trains the few best designs again at
 * the largest tau, by ranking and selection. In half of the runs that end badly a good design had
 * been tried and was not recommended, because the model, smooth where the truth has cliffs,
 * believed its neighbours more than the design itself.
 *
 * From here on the model stands still: what it says of a design is where that design begins, with
 * its standard deviation and the model's own doubt, and every design is on its own. Confirming
 * trials move it by Bayes' rule for normal means, and the next trial is the one with the largest
 * knowledge gradient per cost, which is exact for independent normals:
 *
 *     nu_i = b_i h(-|m_i - max_{j != i} m_j| / b_i),  b_i = s_i^2 / sqrt(s_i^2 + noise).
 */
#ifndef BESD_STUDY_CONFIRM_H
#define BESD_STUDY_CONFIRM_H

#include "study/turn.h"

/* So many designs are chosen to be trained again; those of an earlier end of the budget besides. */
enum { CONFIRM_MOST = 8 };

typedef struct confirm_candidate {
    double theta[BESD_MAX_DIMENSION]; /* user's units */
    double mean, variance;            /* now */
    double doubt;                     /* of this variance, what is the model's doubt in itself */
    int observed;                     /* confirming trials that were told */
} confirm_candidate;

typedef struct confirm {
    size_t count;
    confirm_candidate *candidates;
} confirm;

/* Is what is left of the budget to be spent on it? */
bool confirm_is_due(const study_spec *spec, const evidence *e, double affordable);

/* What is known of one design: what the model says, and what its confirming trials have. */
confirm_candidate confirm_judge(const study_spec *spec, const evidence *e, const mixture *model,
                                const double *theta);

/* The candidates: `best`, the model's own (user's units), those that are or were confirmed at this
 * end of the budget, up to CONFIRM_MOST in all tried designs with the largest mean + sd by the
 * model, and whatever was confirmed before the budget was raised. */
besd_status confirm_init(confirm *c, const study_spec *spec, const evidence *e,
                         const mixture *model, const double *best, besd_error *error);
void confirm_free(confirm *c);

/* The trial with the largest knowledge gradient per cost among them. */
besd_status choose_confirm(turn *t, besd_error *error);

/* The one to recommend: largest mean - caution * sd. */
const confirm_candidate *confirm_best(const confirm *c, double caution);

#endif
