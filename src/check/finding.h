/* What a check found: expected, got, how to fix. */
#ifndef BESD_CHECK_FINDING_H
#define BESD_CHECK_FINDING_H

#include <stdio.h>

typedef enum check_verdict {
    CHECK_PASSED,
    CHECK_FAILED,
    CHECK_TOLD,  /* a measurement: nothing was expected */
    CHECK_WARNED /* allowed, but probably not meant */
} check_verdict;

typedef struct check_finding {
    const char *name;
    check_verdict verdict;
    char expected[256], got[512], fix[256]; /* fix is empty unless it failed or warned */
} check_finding;

/* Writes the expected, got or fix of the check that runs: c->finding. */
#define SAY(c, member, ...) snprintf((c)->finding->member, sizeof(c)->finding->member, __VA_ARGS__)

/* A time in a unit that people like, and the unit. */
static inline double check_in_unit(double seconds, const char **unit) {
    *unit = seconds < 120 ? "seconds" : seconds < 7200 ? "minutes" : "hours";
    return seconds < 120 ? seconds : seconds < 7200 ? seconds / 60 : seconds / 3600;
}

#endif
