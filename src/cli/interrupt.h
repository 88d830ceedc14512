/* Interrupts, that is Ctrl-C, kill and a closed terminal, for verbs that stop at the next good
 * moment. */
#ifndef BESD_CLI_INTERRUPT_H
#define BESD_CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* For verbs that compute: the first interrupt is noted, the second ends the program, whatever
 * kinds they are. */
void interrupt_watch(void);

/* For verbs that wait for commands: interrupts arrive only while they wait (ppoll with the mask),
 * so that none is lost between a look and a wait. */
void interrupt_hold(sigset_t *mask);

/* Has one come, noted or held back? */
bool interrupt_has_come(void);

#endif
