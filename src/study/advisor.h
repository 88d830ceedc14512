/* From trials to decisions: model, discretisation and acquisition put together. No files here. */
#ifndef BESD_STUDY_ADVISOR_H
#define BESD_STUDY_ADVISOR_H

#include "decide/kg.h"
#include "decide/targets.h"
#include "study/spec.h"
#include "study/store.h"

/* The study's trials as the model sees them: told first, then pending. */
typedef struct evidence {
    observations trials;
    size_t told;
    double prior_mean; /* mean over the told trials of the initial design, or over all of them */
    double spent;      /* told and failed as paid, asked as planned */
    int64_t next_id, chosen, chosen_at_tau_max; /* chosen: trials after the initial design */
    stored_trial *list; /* trials in the order in which they were first asked: a retry that was told
                           stands where the failed one was */
    size_t listed;
} evidence;

besd_status evidence_init(evidence *e, const study_spec *spec, const stored_trial *trials,
                          size_t count, besd_error *error);
void evidence_free(evidence *e);

/* Hyperparameters for the told trials; warm may be NULL. */
besd_status advisor_fit(const study_spec *spec, evidence *e, const hyperparameters *warm,
                        int starts, hyperparameters *h, besd_error *error);

/* Theta between the user's units and the unit cube. */
void advisor_to_unit(const study_spec *spec, const double *theta, double *unit);
void advisor_to_user(const study_spec *spec, const double *unit, double *theta);

/* The trial that comes next in the initial design, or false when that is over. */
bool advisor_initial(const study_spec *spec, const evidence *e, besd_trial *trial,
                     besd_error *error, besd_status *status);

/* The best design under the model; unit-cube coordinates, and its posterior mean. */
besd_status advisor_best(const study_spec *spec, const gp *model, const evidence *e, targets *t,
                         double *unit, double *mean, besd_error *error);

/* The design to recommend: the largest mean - caution * sd, climbed to from the best design under
 * the model and the ones that were tried. */
besd_status advisor_recommend(const study_spec *spec, const gp *model, const evidence *e,
                              targets *t, double *unit, besd_error *error);

/* The told trial that a method without a model recommends: best mean among the largest tau so far,
 * or, `over_all`, of all. NULL when nothing is told. */
const stored_trial *advisor_incumbent(const evidence *e, bool over_all);

enum { ADVISOR_RUNNERS_UP = 4 };

typedef struct advice {
    besd_reason reason;
    kg_choice choice;                         /* unit cube */
    kg_choice candidates[ADVISOR_RUNNERS_UP]; /* before refinement, best first */
    size_t candidate_count, evaluated, kept;
    double log_kg[KG_MAX_LEVELS * KG_MAX_LEVELS]; /* at the choice: [tau * reps_count + reps] */
} advice;

/* The trial worth most per cost. `t` is adapted to the evidence and left for the curious. Levers
 * that cost more than `affordable` are not considered; when none is left BESD_DONE. */
besd_status advisor_choose(const study_spec *spec, const gp *model, const evidence *e, targets *t,
                           double affordable, advice *a, besd_error *error);

#endif
