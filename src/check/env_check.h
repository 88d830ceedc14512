/* Checks of somebody's environment: does it keep the rules of besd/env.h, and does it make sense to
 * optimise subgoals in it? Each finding says what was expected, what was got and how to fix it.
 */
#ifndef BESD_CHECK_ENV_CHECK_H
#define BESD_CHECK_ENV_CHECK_H

#include "check/finding.h"
#include "world/domain.h"

enum { ENV_CHECK_MAX = 16 };

enum { ENV_CHECK_PROBE = 100, ENV_CHECK_MOST_PROBE = 10000 };

/* Runs all checks; findings [ENV_CHECK_MAX]. One of them tries `probe` random designs, or as many
 * as a few seconds allow. When the environment itself fails, the checks end with a failed finding.
 * Only what is no fault of the environment is an error. */
besd_status env_check(const domain *d, uint64_t seed, int probe, check_finding *findings,
                      size_t *count, besd_error *error);

#endif
