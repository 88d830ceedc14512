/* Transfer Q-learning (paper section 5.5): no subgoals; on a test instance the agent starts from
 * the action values that plain Q-learning had in a randomly chosen stored training instance. */
#ifndef BESD_CONTEST_TRANSFER_H
#define BESD_CONTEST_TRANSFER_H

#include "world/domain.h"

#include <stdint.h>

/* Trains for tau_max in each of `stored` instances of source_seed, then for tau_max on each of the
 * test instances that bridge_test would use with test_seed; scores [instances]. */
besd_status transfer_test(const domain *d, int stored, uint64_t source_seed, int64_t instances,
                          uint64_t test_seed, double *scores, besd_error *error);

#endif
