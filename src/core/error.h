/* Filling in a besd_error: the inside of include/besd/status.h. */
#ifndef BESD_CORE_ERROR_H
#define BESD_CORE_ERROR_H

#include "besd/status.h"

/* Writes status and message into error when it is not NULL. A message that is too long loses its
 * middle, which is the middle of a long name: what is wrong stands at the end. */
void besd_error_set(besd_error *error, besd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same as an expression with the status as its value, so that a failure reads `return
 * besd_fail(error, BESD_INVALID, "tau: ...")`. A macro, so that readers and analysers see the
 * value. */
#define besd_fail(error, status, ...) (besd_error_set(error, status, __VA_ARGS__), (status))

/* The one message for a failed allocation. */
static inline besd_status besd_fail_memory(besd_error *error, const char *what) {
    return besd_fail(error, BESD_MEMORY, "out of memory while allocating %s", what);
}

#endif
