/* Commands of the shell as processes.
 *
 * A process runs in a process group of its own. So an interrupt from the keyboard reaches besd
 * alone, and ending the process ends whatever it has started. The process is not reaped before
 * process_end, so until then no other process can have its number.
 *
 * A process that must not outlive besd has a watcher: a shell in its group, which reads from a pipe
 * until nobody is left to write to it. The command starts after its watcher, so there is no moment
 * at which besd could die unnoticed. The watcher is no child of the command, which may wait for
 * its own children to end.
 */
#ifndef BESD_CORE_PROCESS_H
#define BESD_CORE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What a process is given besides the command. */
typedef struct process_setting {
    const char *folder;        /* where it runs; NULL: where besd runs */
    int input, output, errors; /* descriptors of besd for its standard streams; -1: besd's own */
    int life; /* the reading end of a pipe that besd alone writes to: when besd is gone, the group
                 is killed; 0: the process may outlive besd */
} process_setting;

/* Starts `/bin/sh -c command`; an errno, or 0. */
int process_start(const char *command, const process_setting *setting, pid_t *process);

bool process_has_ended(pid_t process);

/* Seconds that a process gets to end by itself, once its input or output has ended. */
static const double PROCESS_GRACE = 1;

/* Waits until the process has ended, without reaping it. Returns its exit code, -1 when a signal
 * killed it, and 0 also when nobody can know, because besd was started with SIGCHLD ignored. */
int process_wait(pid_t process);

/* Writes how the process ended, to stand after a subject: "ended with exit code 127 (command not
 * found)", "was killed by signal 9". `success`: the exit code is 0. False, with nothing written,
 * while the process still runs. */
bool process_describe_end(pid_t process, char *text, size_t size, bool *success);

/* Kills the process group, or what is left of it, and reaps the process. */
void process_end(pid_t process);

#endif
