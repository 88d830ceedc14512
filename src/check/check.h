/* Checks of a user's environment or trainer. Each finding says what was expected, what was got
 * and how to fix it.
 */
#ifndef BESD_CHECK_CHECK_H
#define BESD_CHECK_CHECK_H

#include "run/command.h"
#include "world/domain.h"

#include <stdio.h>

typedef enum check_verdict {
    CHECK_PASSED,
    CHECK_FAILED,
    CHECK_TOLD,  /* a measurement: nothing was expected */
    CHECK_WARNED /* allowed, but probably not meant */
} check_verdict;

typedef struct check_finding {
    const char *name;
    check_verdict verdict;
    char expected[256], got[512], fix[256]; /* fix is empty unless it failed or warned */
} check_finding;

/* Writes the expected, got or fix of the check that runs: c->finding. */
#define SAY(c, member, ...) snprintf((c)->finding->member, sizeof(c)->finding->member, __VA_ARGS__)

/* A time in a unit that people like, and the unit. */
static inline double check_in_unit(double seconds, const char **unit) {
    *unit = seconds < 120 ? "seconds" : seconds < 7200 ? "minutes" : "hours";
    return seconds < 120 ? seconds : seconds < 7200 ? seconds / 60 : seconds / 3600;
}

/* ---- environments ---- */

enum { ENV_CHECK_MAX = 16 };

enum { ENV_CHECK_PROBE = 100, ENV_CHECK_MOST_PROBE = 10000 };

/* Does the environment keep the rules of besd/env.h, and does it make sense to optimise subgoals in
 * it? Runs all checks; findings [ENV_CHECK_MAX]. One of them tries `probe` random designs, or as
 * many as a few seconds allow. When the environment itself fails, the checks end with a failed
 * finding. Only what is no fault of the environment is an error. */
besd_status env_check(const domain *d, uint64_t seed, int probe, check_finding *findings,
                      size_t *count, besd_error *error);

/* ---- trainers ---- */

enum { TRAINER_CHECK_MAX = 8, TRAINER_CHECK_DESIGNS = 4 };

/* Does the trainer answer as it should, and does a study of it make sense? Checking is cheap: all
 * runs are at the smallest tau, and all but one have the fewest replications. Runs all checks;
 * findings [TRAINER_CHECK_MAX]. A path with 0 points means that theta is no path.
 * `designs` designs are compared; with fewer than 2 that check is left out. When the trainer does
 * not answer, the checks end with a failed finding. Only what is no fault of the trainer is an
 * error. BESD_DONE when a signal came. */
besd_status trainer_check(const besd_command *command, const besd_study_options *study,
                          const besd_path *path, const besd_tasks *tasks, int designs,
                          const sigset_t *mask, check_finding *findings, size_t *count,
                          besd_error *error);

#endif
