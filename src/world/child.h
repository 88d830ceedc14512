/* A child process that answers lines with lines.
 *
 * The child's standard input and output are one socket, its standard error is that of besd. The
 * child runs in a process group of its own (core/process.h). Every wait here has an end, and no
 * zombie is left.
 */
#ifndef BESD_WORLD_CHILD_H
#define BESD_WORLD_CHILD_H

#include "besd/status.h"

#include <stddef.h>

enum { CHILD_LARGEST_LINE = 1 << 20 };

typedef struct child child;

/* Starts a command of the shell. */
besd_status child_start(const char *command, child **started, besd_error *error);

/* Sends a line (its newline included) and waits for the answer, at most about `seconds`. The answer
 * has no newline and is borrowed until the next call. After a failure the child can only be
 * stopped. */
besd_status child_exchange(child *c, const char *line, size_t length, double seconds,
                           const char **answer, size_t *answer_length, besd_error *error);

/* Sends a last line (NULL: none), closes the child's input, gives it a second to end by itself, and
 * then kills it; c may be NULL. */
void child_stop(child *c, const char *farewell);

#endif
