/* One decision: what a chooser is given, and what it fills in. */
#ifndef BESD_STUDY_TURN_H
#define BESD_STUDY_TURN_H

#include "decide/targets.h"
#include "model/mixture.h"
#include "study/leg_model.h"

typedef struct turn {
    const study_spec *spec;
    const evidence *evidence;
    const mixture *model; /* of told and pending trials; NULL for methods that have none */
    targets *targets;     /* adapted to the evidence by who needs them */
    leg_memory *legs;     /* of the model of legs */
    double affordable;

    besd_trial *trial;             /* id and seed are given; theta, tau, reps, reason come */
    besd_explanation *explanation; /* or NULL */
    bool used_targets;             /* the discretisation took part */
    besd_stop stop;                /* why there is no trial, with BESD_DONE */
} turn;

/* Puts a design of the unit cube, levers by number and a reason into the trial. */
void turn_take(turn *t, const double *unit, int tau_level, int reps_level, besd_reason reason);

/* The same at the largest tau with the most replications. */
void turn_take_dearest(turn *t, const double *unit, besd_reason reason);

/* What a trial may cost; infinity without a budget. Three trials of 0.2 fit into a budget of 0.6,
 * whatever rounding says. */
double turn_affordable(const study_spec *spec, const evidence *e);

/* Shortens the trial's training, then lessens its replications, until what is left of the budget
 * pays for it or there is nothing to take away. */
void turn_lower(turn *t);

/* Is too little of the budget left to follow up what is found? */
bool turn_is_late(const study_spec *spec, double affordable);

/* BESD_DONE with the sentence that belongs to it; the next trial would cost so much. */
besd_status turn_stop_for_budget(turn *t, double next, besd_error *error);

#endif
