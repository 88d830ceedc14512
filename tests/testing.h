/* What every test file includes: cmocka with the headers it wants, and comparisons that print
 * both values. */
#ifndef BESD_TESTS_TESTING_H
#define BESD_TESTS_TESTING_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* |got - expected| <= tolerance. */
#define assert_close(got, expected, tolerance)                                                     \
    do {                                                                                           \
        double got_ = (got), expected_ = (expected), tolerance_ = (tolerance);                     \
        if (!(fabs(got_ - expected_) <= tolerance_))                                               \
            fail_msg("%s: expected %.17g +- %g, got %.17g", #got, expected_, tolerance_, got_);    \
    } while (0)

/* The call fails with this status and its message contains this text. */
#define assert_fails(call, expected_status, error, text)                                           \
    do {                                                                                           \
        besd_status status_ = (call);                                                              \
        if (status_ != (expected_status))                                                          \
            fail_msg("%s: expected %s, got %s", #call, besd_status_name(expected_status),          \
                     besd_status_name(status_));                                                   \
        if (!strstr((error)->message, (text)))                                                     \
            fail_msg("%s: expected a message with '%s', got '%s'", #call, (text),                  \
                     (error)->message);                                                            \
    } while (0)

/* The call succeeds. */
#define assert_ok(call, error)                                                                     \
    do {                                                                                           \
        if ((call) != BESD_OK)                                                                     \
            fail_msg("%s: %s", #call, (error)->message);                                           \
    } while (0)

#endif
