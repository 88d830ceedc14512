/* Checks of somebody's trainer: does it answer as it should, and does a study of it make sense?
 * Each finding says what was expected, what was got and how to fix it. Checking is cheap: all runs
 * are at the smallest tau, and all but one have the fewest replications.
 */
#ifndef BESD_CHECK_TRAINER_CHECK_H
#define BESD_CHECK_TRAINER_CHECK_H

#include "check/finding.h"
#include "run/command.h"

enum { TRAINER_CHECK_MAX = 8, TRAINER_CHECK_DESIGNS = 4 };

/* Runs all checks; findings [TRAINER_CHECK_MAX]. A path with 0 points means that theta is no path.
 * `designs` designs are compared; with fewer than 2 that check is left out. When the trainer does
 * not answer, the checks end with a failed finding. Only what is no fault of the trainer is an
 * error. BESD_DONE when a signal came. */
besd_status trainer_check(const besd_command *command, const besd_study_options *study,
                          const besd_path *path, int designs, const sigset_t *mask,
                          check_finding *findings, size_t *count, besd_error *error);

#endif
