/* Names that people type: comparing them and suggesting the nearest known one. */
#ifndef BESD_CORE_NAMES_H
#define BESD_CORE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Equal up to case. */
bool names_equal(const char *a, const char *b);

/* The known name with the smallest edit distance to `typed`, or NULL when none is near enough to
 * be a plausible slip (more than three letters or more than half of the longer name would have to
 * change). `known` yields the i-th name and NULL past the last. */
const char *names_nearest(const char *typed,
                          const char *(*known)(size_t index, const void *context),
                          const void *context);

#endif
