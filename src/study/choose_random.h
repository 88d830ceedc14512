/* Designs without a model. */
#ifndef BESD_STUDY_CHOOSE_RANDOM_H
#define BESD_STUDY_CHOOSE_RANDOM_H

#include "study/turn.h"

/* The next point of a Latin hypercube that is as long as the budget. */
besd_status choose_random(turn *t, besd_error *error);

/* A uniform point: what a method tries when nothing is told that its model could learn from. */
void choose_uniform(turn *t);

#endif
