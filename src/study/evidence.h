/* What is known when something is decided: every trial of the study, once, and what follows from
 * the trials for the choosers. Nothing here reads files. */
#ifndef BESD_STUDY_EVIDENCE_H
#define BESD_STUDY_EVIDENCE_H

#include "model/gp.h"
#include "study/spec.h"

/* A trial as a study knows it: what was asked, and what was told on the model's side of the
 * transform. The file keeps these records; evidence is made of them. */
typedef struct trial_record {
    besd_trial trial;
    double model_mean, within; /* mean of the scores and sum of squares about it; NaN: not told */
} trial_record;

/* Does the model see its scores? */
static inline bool record_is_told(const trial_record *r) {
    return r->trial.state == BESD_TRIAL_TOLD;
}

/* Does it have scores? A voided trial keeps the scores that it was told. */
static inline bool record_has_scores(const trial_record *r) {
    return r->trial.state == BESD_TRIAL_TOLD || r->trial.state == BESD_TRIAL_VOIDED;
}

/* Are its scores still to come? */
static inline bool record_is_pending(const trial_record *r) {
    return r->trial.state == BESD_TRIAL_ASKED || r->trial.state == BESD_TRIAL_WAITING;
}

/* Did the study itself choose it, by its initial design or its method? */
static inline bool record_is_own(const trial_record *r) {
    return r->trial.reason != BESD_REASON_ADDED && r->trial.reason != BESD_REASON_ENQUEUED;
}

/* One place in the order in which the study asked for designs. A retry does not get a place of its
 * own: once it is told, it takes the place of the failed trial that it repeats. */
typedef struct evidence_place {
    const trial_record *record;
    besd_reason reason; /* for which the place was asked */
} evidence_place;

typedef struct evidence {
    trial_record *trials; /* by id: 1, 2, ... */
    size_t count;
    evidence_place *places;
    size_t place_count;
    observations observed; /* as the model sees them: told trials first, then pending ones */
    size_t rows;           /* of the observed: those of told trials */
    bool *looked_at;       /* [count]: does the model see it? (subset.h) NULL: all */
    size_t told;           /* without confirming trials, which the model ignores */
    size_t confirmed;      /* confirming trials that were told */
    size_t added;          /* told without being asked */
    int64_t changes;       /* how often what was told has been changed afterwards */
    size_t sourced;        /* trials of designs of the sources, told or not */
    double prior_mean;     /* of the model, at tau_max */
    double prior_slope;    /* what is added to it for each share of tau_max that is not trained */
    double spent; /* the baseline, told and failed trials as paid, and asked trials as planned */
    int64_t chosen, chosen_at_tau_max, chosen_for_legs; /* trials after the initial design */
    double chosen_cost, legs_cost;                      /* of these, and of those for legs */
    const struct source_list *sources;                  /* borrowed; NULL: there are none */
    besd_leg *legs;    /* of all trials, one after the other; NULL: theta is no path */
    size_t *leg_first; /* [count + 1]: where the legs of each trial begin */
} evidence;

/* Takes over the trials, which must come from malloc, also when it fails. */
besd_status evidence_init(evidence *e, const study_spec *spec, trial_record *trials, size_t count,
                          besd_error *error);
void evidence_free(evidence *e);

/* The legs of a trial, by its index in e->trials; 0 when there are none. */
size_t evidence_legs(const evidence *e, size_t trial, const besd_leg **legs);

/* Is it a confirming trial, or a retry of one? */
bool evidence_confirms(const evidence *e, const besd_trial *t);

/* Is it a told trial that models learn from? Confirming trials are not. */
bool evidence_teaches(const evidence *e, size_t trial);

/* Is it a told trial that is looked at, when something goes over all trials? In a large study only
 * those are that the model sees, and the confirming ones. */
static inline bool evidence_shows(const evidence *e, size_t trial) {
    return record_is_told(&e->trials[trial]) && (!e->looked_at || e->looked_at[trial]);
}

#endif
