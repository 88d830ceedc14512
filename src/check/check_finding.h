/* What a check found: expected, got, how to fix. */
#ifndef BESD_CHECK_CHECK_FINDING_H
#define BESD_CHECK_CHECK_FINDING_H

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

#endif
