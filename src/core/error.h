/* Filling in a besd_error: the inside of include/besd/status.h. */
#ifndef BESD_CORE_ERROR_H
#define BESD_CORE_ERROR_H

#include "besd/status.h"

/* Writes status and message into error when it is not NULL; returns status, so that a failure
 * reads `return besd_fail(error, BESD_INVALID, "tau: ...")`. Overlong messages are cut. */
besd_status besd_fail(besd_error *error, besd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The one message for a failed allocation. */
besd_status besd_fail_memory(besd_error *error, const char *what);

#endif
