/* Checks of somebody's trainer: does it answer as it should, and does a study of it make sense?
 * Each says what was expected, what was got and how to fix it. All runs are at the smallest tau,
 * and but for one with the fewest replications, so that checking is cheap.
 */
#ifndef BESD_CHECK_TRAINER_CHECK_H
#define BESD_CHECK_TRAINER_CHECK_H

#include "bridge/trainer.h"
#include "check/check_finding.h"

enum { TRAINER_CHECK_MAX = 8, TRAINER_CHECK_DESIGNS = 4 };

/* Runs all checks; findings [TRAINER_CHECK_MAX]; path with 0 points: theta is none. So many designs
 * are compared, none when there is but one. A trainer that
 * does not answer ends them with a failed finding; only what is no fault of the trainer is an
 * error. BESD_DONE when a signal came.
 */
besd_status trainer_check(const trainer_command *command, const besd_study_options *study,
                          const besd_path *path, int designs, const sigset_t *mask,
                          check_finding *findings, size_t *count, besd_error *error);

#endif
