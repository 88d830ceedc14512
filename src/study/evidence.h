/* What is known when something is decided: every trial of the study, once, and what follows from
 * them for whoever chooses. No files here. */
#ifndef BESD_STUDY_EVIDENCE_H
#define BESD_STUDY_EVIDENCE_H

#include "model/gp.h"
#include "study/record.h"
#include "study/spec.h"

/* One place in the order in which the study asked for designs. A retry does not get a place of its
 * own: once it is told it stands in the place of the failed trial that it repeats. */
typedef struct evidence_place {
    const trial_record *record;
    besd_reason reason; /* for which the place was asked */
} evidence_place;

typedef struct evidence {
    trial_record *trials; /* by id: 1, 2, ... */
    size_t count;
    evidence_place *places;
    size_t place_count;
    observations observed; /* as the model sees them: told ones first, then pending ones */
    size_t told;           /* of them; confirming trials are none of the model's (confirm.h) */
    size_t confirmed;      /* confirming trials that were told */
    size_t added;          /* told without being asked */
    int64_t changes;       /* how often what was told has been changed afterwards */
    double prior_mean, prior_slope;
    double spent; /* for the baseline, told and failed trials as paid, asked ones as planned */
    int64_t chosen, chosen_at_tau_max, chosen_for_legs; /* trials after the initial design */
    double chosen_cost, legs_cost;                      /* of them, and of those for legs */
    besd_leg *legs;    /* of all trials, one after the other; NULL: theta is no path */
    size_t *leg_first; /* [count + 1]: where those of each trial begin */
} evidence;

/* Takes the trials over, which must come from malloc, also when it fails. */
besd_status evidence_init(evidence *e, const study_spec *spec, trial_record *trials, size_t count,
                          besd_error *error);
void evidence_free(evidence *e);

/* The legs of a trial, by its place among the trials; 0 when there are none. */
size_t evidence_legs(const evidence *e, size_t trial, const besd_leg **legs);

/* Is it a confirming trial, or a retry of one? */
bool evidence_confirms(const evidence *e, const besd_trial *t);

/* The prior mean of the model, at tau_max, and what is added to it for each share of tau_max that a
 * training is shorter (prior_mean.c). */
void prior_mean(const study_spec *spec, const evidence *e, double *mean, double *slope);

#endif
