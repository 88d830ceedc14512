/* What can be known of a domain's scores before any design is tried: what plain learning reaches,
 * and what nothing can surpass. */
#ifndef BESD_BRIDGE_REFERENCE_H
#define BESD_BRIDGE_REFERENCE_H

#include "bridge/bridge.h"

/* Fills in baseline, its cost and best_possible of the bridge's options, whose seed and budget are
 * settled. Plain learning is measured like a trial at the largest tau, if that takes little of the
 * budget; the optimum is computed where the domain offers a table of its moves. BESD_UNREACHABLE
 * where that says that no instance has a way to the goal. */
besd_status reference_measure(bridge *b, besd_error *error);

#endif
