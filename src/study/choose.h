/* Choosing the next trial: all choosers. The order in which they are tried stands on top of
 * choose.c. */
#ifndef BESD_STUDY_CHOOSE_H
#define BESD_STUDY_CHOOSE_H

#include "study/method.h"
#include "study/turn.h"

/* Does choose_trial need t->model? */
bool choose_needs_model(const study_spec *spec, const evidence *e);

/* The next trial, by the initial design or by the study's method. BESD_DONE when there is none. */
besd_status choose_trial(turn *t, besd_error *error);

/* Tasks (choose_task.c): whose turn it is, by the number of a trial; the one to confirm a design
 * of; and a turn that is about one task alone, with the trials that are its own, which the caller
 * frees. */
int64_t task_in_turn(const turn *t, size_t number);
int64_t task_to_confirm(const turn *t);
besd_status turn_of_task(const turn *t, int64_t task, evidence *share, turn *own,
                         besd_error *error);

/* The initial design: a Latin hypercube, tried before a model can choose. Is the next trial one of
 * it; and that trial. */
bool initial_is_due(const study_spec *spec, const evidence *e);
besd_status choose_initial(turn *t, besd_error *error);

/* Method random: the next point of a Latin hypercube that is as long as the budget. */
besd_status choose_random(turn *t, besd_error *error);

/* A uniform point: for methods with a model, while no trial is told that it could learn from. */
void choose_uniform(turn *t);

/* Methods hyperband and hyperband-paper: Hyperband (decide/hyperband) over the tau levels. */
besd_status choose_bracket(turn *t, besd_error *error);

/* Methods ei, ei-paper and lcb: the design with the largest expected improvement or confidence
 * bound, at the largest tau with the most replications. */
besd_status choose_improvement(turn *t, besd_error *error);

/* Method besd: asks the choosers below in the order that stands in choose.c. */
besd_status choose_besd(turn *t, besd_error *error);

/* Confirming: the last part of the budget trains the best designs again (choose_confirm.h). */
bool confirm_is_due(const study_spec *spec, const evidence *e, double affordable);

/* Has confirming begun, and does the rest of the budget not pay for more of it? */
bool confirm_is_over(const study_spec *spec, const evidence *e, double affordable);
besd_status choose_confirm(turn *t, besd_error *error);

/* Paths that are composed of the best legs known so far (legs.h): they get the share of the cost
 * that an option says, until the search is over. *taken is false when no path can be composed, or
 * every path that can be was tried often enough. */
bool legs_are_due(const study_spec *spec, const evidence *e, double affordable);
besd_status choose_legs(turn *t, bool *taken, besd_error *error);

/* Have all told trials scored the same, so that no model can tell designs apart? The averaged
 * model's studies then go on with cheap trials, spread over the space. */
bool explore_is_blind(const study_spec *spec, const evidence *e);
void choose_blindly(const turn *t, kg_average *k, const kg_levers *levers, advice *a);

/* The share of told trials that scored as badly as the worst one. */
double explore_flatness(const evidence *e);

/* A share of the trials is spread over the space, whatever the model thinks of them: a model that
 * is sure of a slope it has misread never looks at the other side of that slope by itself.
 * explore_due: the number of the exploring trial that is due, or -1. choose_explore: that trial, at
 * the levers with the largest value per cost. */
int64_t explore_due(const study_spec *spec, const evidence *e, double affordable);
void choose_explore(const turn *t, kg_average *k, const kg_levers *levers, int64_t number,
                    advice *a);

/* Is the largest knowledge gradient so small that no trial changes anything? */
bool exploit_is_due(const mixture *model, const advice *a);

/* When no trial promises to change the recommendation: the design where the model knows least, or a
 * given design; both at the largest affordable tau with the fewest replications. */
besd_status choose_unsure(const turn *t, const kg_levers *levers, advice *a, besd_error *error);
void choose_exploit(const kg_levers *levers, const double *unit, size_t dimension, advice *a);

#endif
