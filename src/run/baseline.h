/* What can be known of a domain's scores before any design is tried: what plain learning reaches,
 * and what nothing can surpass. */
#ifndef BESD_RUN_BASELINE_H
#define BESD_RUN_BASELINE_H

#include "run/domain_study.h"

/* Fills in baseline, its cost and best_possible of the setting's options, whose seed and budget are
 * settled. Plain learning is measured like a trial at the largest tau, if that takes little of the
 * budget; the optimum is computed where the domain offers a table of its moves. BESD_UNREACHABLE
 * where that says that no instance has a way to the goal. */
besd_status baseline_measure(domain_study *b, besd_error *error);

#endif
