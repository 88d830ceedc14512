/* Environments in other processes, over lines of JSON (docs/protocol.md).
 *
 * One child hosts several environments, its lanes, and one message steps any number of them. So a
 * batch of agents costs one exchange instead of one for each agent. A thread that opens handles
 * gets lanes of one child. A child whose lanes are all free stays and waits for the next thread,
 * because starting an interpreter takes longer than a trial. A child with a single lane is started
 * once for every handle.
 *
 * A child that breaks the protocol is stopped at once. Its handles then give outcomes that every
 * learner refuses, and answer `failure` with the sentence that says what was wrong.
 */
#ifndef BESD_WORLD_PROCESS_ENV_H
#define BESD_WORLD_PROCESS_ENV_H

#include "world/domain.h"

#define PROCESS_PREFIX "cmd:"

/* Starts the command and asks it for its name and spec. */
besd_status process_load(const char *command, double start_timeout, domain *d, besd_error *error);

#endif
