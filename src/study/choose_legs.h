/* Trials at paths that are composed of the best legs known so far (legs.h): the share of them that
 * an option gives, while enough of the budget is left to follow up what they find. */
#ifndef BESD_STUDY_CHOOSE_LEGS_H
#define BESD_STUDY_CHOOSE_LEGS_H

#include "study/turn.h"

bool legs_are_due(const study_spec *spec, const evidence *e, double affordable);

/* *taken is false when no path can be composed, or none that was not tried often enough. */
besd_status choose_legs(turn *t, bool *taken, besd_error *error);

#endif
