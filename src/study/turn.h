/* One decision: what a chooser is given, what it fills in, and what the choosers share: the budget,
 * the levers (tau and reps), the best design under the model, and the explanation. */
#ifndef BESD_STUDY_TURN_H
#define BESD_STUDY_TURN_H

#include "decide/kg_average.h"
#include "decide/targets.h"
#include "study/leg_model.h"

typedef struct turn {
    const study_spec *spec;
    const evidence *evidence;
    const evidence *all; /* of all tasks, where `evidence` is of one; NULL: `evidence` is all */
    const int64_t *task; /* that the trial must be of; NULL: the chooser says which */
    mixture *model;      /* of told and pending trials; NULL: no model is needed */
    targets *targets;    /* best_design adapts them to the evidence */
    leg_memory *legs;    /* of the model of legs */
    double affordable;   /* the most that the trial may cost */

    besd_trial *trial; /* id and seed are set; the chooser sets theta, tau, reps, reason */
    besd_explanation *explanation; /* or NULL */
    bool used_targets;             /* the chooser has used the targets */
    besd_stop stop;                /* with BESD_DONE: why there is no trial */
} turn;

/* Trials whose costs are fractions may add up to a little more or less than the budget. Differences
 * of this share of the budget are rounding errors. */
static const double TURN_ROUNDING = 1e-9;

/* Puts a design of the unit cube, levers by their numbers and a reason into the trial. */
void turn_take(turn *t, const double *unit, int tau_level, int reps_level, besd_reason reason);

/* The same at the largest tau with the most replications. */
void turn_take_full(turn *t, const double *unit, besd_reason reason);

/* What a trial may cost; infinity without a budget. Three trials of 0.2 fit into a budget of 0.6:
 * rounding errors are forgiven. */
double turn_affordable(const study_spec *spec, const evidence *e);

/* Shortens the trial's training, then reduces its replications, until the rest of the budget pays
 * for the trial or both are as small as they can be. */
void turn_lower(turn *t);

/* Is the search over? From here on the rest of the budget is too small to follow up what a search
 * would find, so neither exploring trials nor trials for legs are asked for. The option
 * search_until says when. */
bool turn_search_is_over(const study_spec *spec, double affordable);

/* BESD_DONE with a sentence that says why; `next` is the cost of the next trial. */
besd_status turn_stop_for_budget(turn *t, double next, besd_error *error);

/* What a chooser of method besd has found. */
typedef struct advice {
    besd_reason reason;
    const char *why;                           /* NULL: the usual sentence for this reason */
    bool worthless;                            /* no trial was found that has a value */
    kg_choice choice;                          /* unit cube */
    kg_choice candidates[BESD_MAX_CANDIDATES]; /* before refinement, best first */
    size_t candidate_count, evaluated, kept;
    double missed;                                /* see besd_explanation */
    double log_kg[KG_MAX_LEVELS * KG_MAX_LEVELS]; /* at the choice: [tau * reps_count + reps] */
} advice;

/* The levers with their costs. Levers that are too expensive, or not at tau_max when only_tau_max
 * is set, cost infinity. False when none is left. */
bool advice_fill_levers(const study_spec *spec, double affordable, bool only_tau_max,
                        kg_levers *levers);

/* Moves the choice to the levers with the largest value per cost at its theta, by a->log_kg. The
 * choice stays when no levers are better. */
void advice_pick_levers(const kg_levers *levers, advice *a);

/* Fills in t->explanation, if it is wanted. */
void advice_explain(const turn *t, const advice *a);

/* Adapts the targets to the best designs of all tasks. */
besd_status best_designs(const study_spec *spec, mixture *model, const evidence *e, targets *t,
                         besd_error *error);

/* The design with the largest posterior mean at tau_max, in the unit cube. Unless the study is
 * discrete, the tried designs, the best design and a cloud around it join the targets. */
besd_status best_design(const study_spec *spec, const mixture *model, const evidence *e, targets *t,
                        double *unit, double *mean, besd_error *error);

#endif
