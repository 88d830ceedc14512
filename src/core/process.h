/* Commands of the shell as processes.
 *
 * A process runs in a process group of its own, so that an interrupt from the keyboard reaches besd
 * alone, and ending it takes along whatever it has started. It is not reaped before process_end, so
 * that until then nobody else can have its number.
 *
 * A process whose life hangs on ours is watched by a shell in its group, which reads from a pipe
 * until nobody is left to write to it. The command begins after its watcher, so there is no moment
 * at which we could die unnoticed; and the watcher is no child of the command's, which may wait for
 * its own to end.
 */
#ifndef BESD_CORE_PROCESS_H
#define BESD_CORE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What it is given besides the command. */
typedef struct process_setting {
    const char *folder;        /* where it runs; NULL: where we are */
    int input, output, errors; /* its standard streams, descriptors of ours; -1: the same as ours */
    int life; /* the end to read from of a pipe that we alone write to: when we are no more, the
                 group is killed; 0: it may outlive us */
} process_setting;

/* Starts `/bin/sh -c command`; an errno, or 0. */
int process_start(const char *command, const process_setting *setting, pid_t *process);

bool process_has_ended(pid_t process);

/* Waits until it has ended, without reaping it: its exit code, -1 when a signal killed it, and 0
 * also when nobody can know, because besd was started with SIGCHLD ignored. */
int process_wait(pid_t process);

/* How it ended, to stand after a subject: "ended with exit code 127 (command not found)", "was
 * killed by signal 9". False, and nothing written, when it has not. `success` tells exit code 0. */
bool process_describe_end(pid_t process, char *text, size_t size, bool *success);

/* Kills the process group, or what is left of it, and reaps the process. */
void process_end(pid_t process);

#endif
