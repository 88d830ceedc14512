/* Methods ei, ei-paper and lcb: the design with the largest expected improvement or confidence
 * bound, at the largest tau with the most replications. */
#ifndef BESD_STUDY_CHOOSE_IMPROVEMENT_H
#define BESD_STUDY_CHOOSE_IMPROVEMENT_H

#include "study/turn.h"

besd_status choose_improvement(turn *t, besd_error *error);

#endif
