/* The share of trials spread over the space, whatever the model thinks of them: a model that is
 * sure of a slope it has misread never looks at its other side by itself. */
#ifndef BESD_STUDY_CHOOSE_EXPLORE_H
#define BESD_STUDY_CHOOSE_EXPLORE_H

#include "study/advice.h"

/* The number of the exploring trial that is due, or -1. */
int64_t explore_due(const study_spec *spec, const evidence *e, double affordable);

/* Exploring trial `number`, at the levers with the most value per cost. */
void choose_explore(const turn *t, kg_average *k, const kg_levers *levers, int64_t number,
                    advice *a);

/* Have all told trials scored the same, so that no model can tell designs apart? The averaged
 * model's studies then go on with cheap trials, spread over the space. */
bool explore_is_blind(const study_spec *spec, const evidence *e);

/* The share of told trials that scored as badly as the worst. */
double explore_flatness(const evidence *e);
void choose_blindly(const turn *t, kg_average *k, const kg_levers *levers, advice *a);

/* Where the model knows least, when no trial promises to change the recommendation; at the largest
 * affordable tau with the fewest replications. */
besd_status choose_unsure(const turn *t, const kg_levers *levers, advice *a, besd_error *error);

#endif
