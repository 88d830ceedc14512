/* Environments in other processes, over lines of JSON (docs/protocol.md).
 *
 * One child hosts several environments, its lanes, and one message steps any number of them, so
 * that a batch of agents costs one exchange instead of one each. A thread that opens handles gets
 * lanes of one child; children whose lanes are all free wait for the next thread, because starting
 * an interpreter takes longer than a trial. A child with a single lane is started once for every
 * handle.
 *
 * A child that breaks the protocol is stopped at once. Its handles then tell outcomes that no
 * learner takes and answer `failure` with the sentence that says what was wrong.
 */
#ifndef BESD_WORLD_PROCESS_ENV_H
#define BESD_WORLD_PROCESS_ENV_H

#include "world/domain.h"

#define PROCESS_PREFIX "cmd:"

/* Starts the command and asks it who it is. */
besd_status process_load(const char *command, double start_timeout, domain *d, besd_error *error);

#endif
