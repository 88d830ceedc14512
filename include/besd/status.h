/* What a besd call can answer, and how it explains a failure.
 *
 * Every fallible call returns a besd_status and takes a nullable besd_error * as its last
 * argument. Zero is success, a positive status says why nothing was done, a negative one is a
 * failure. On failure the error holds the status and one sentence that names what was
 * wrong, where, what was expected and what was got.
 */
#ifndef BESD_STATUS_H
#define BESD_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define BESD_API __attribute__((visibility("default")))
#else
#define BESD_API
#endif

/* X(name, value, text): the one list from which the enum, the names and the texts are made. */
#define BESD_STATUS_LIST(X)                                                                        \
    X(OK, 0, "success")                                                                            \
    X(DONE, 1, "there is nothing more to do")                                                      \
    X(REPEATED, 2, "the same result was told before; nothing changed")                             \
    X(INVALID, -1, "an argument is outside its allowed range")                                     \
    X(UNKNOWN, -2, "no such name")                                                                 \
    X(MEMORY, -3, "out of memory")                                                                 \
    X(UNREACHABLE, -4, "the goal cannot be reached from the start")                                \
    X(UNSUPPORTED, -5, "the environment does not offer what was asked of it")                      \
    X(IO, -6, "a file could not be read or written")                                               \
    X(NUMERIC, -7, "a computation did not converge")                                               \
    X(ENVIRONMENT, -8, "an environment broke its contract")

typedef enum besd_status {
#define BESD_STATUS_ENUM(name, value, text) BESD_##name = (value),
    BESD_STATUS_LIST(BESD_STATUS_ENUM)
#undef BESD_STATUS_ENUM
} besd_status;

#define BESD_ERROR_MESSAGE_SIZE 512

typedef struct besd_error {
    besd_status status;
    char message[BESD_ERROR_MESSAGE_SIZE];
} besd_error;

/* "BESD_INVALID" and the like; "BESD_?" for a number that is no status. */
BESD_API const char *besd_status_name(besd_status status);

/* The general text of a status; a besd_error says more. */
BESD_API const char *besd_status_text(besd_status status);

#ifdef __cplusplus
}
#endif
#endif
