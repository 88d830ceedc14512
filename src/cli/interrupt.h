/* Interrupts for verbs that wait for commands: Ctrl-C, kill and a closed terminal arrive only while
 * they wait, so that none is lost between a look and a wait. */
#ifndef BESD_CLI_INTERRUPT_H
#define BESD_CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Holds interrupts back from now on; the mask is for waiting (ppoll). */
void interrupt_hold(sigset_t *mask);

/* Has one come, seen or held back? */
bool interrupt_has_come(void);

#endif
