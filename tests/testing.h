/* What every test file includes: cmocka with the headers it wants, comparisons that print both
 * values, and the statistics of randomised checks. */
#ifndef BESD_TESTS_TESTING_H
#define BESD_TESTS_TESTING_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sanitized.h"

/* Sanitized builds are some twenty times slower: the statistical tests take smaller samples. */
#ifdef SANITIZED
#define TEST_SIZE(full, sanitized) (sanitized)
#else
#define TEST_SIZE(full, sanitized) (full)
#endif

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

/* Told again what was told before. */
#define assert_repeated(call, error)                                                               \
    do {                                                                                           \
        if ((call) != BESD_REPEATED)                                                               \
            fail_msg("%s: expected BESD_REPEATED: %s", #call, (error)->message);                   \
    } while (0)

/* A sample mean is within five of its standard errors: one false alarm in two million. */
#define assert_mean(got, expected, variance, count)                                                \
    assert_close(got, expected, 5 * sqrt((variance) / (double)(count)))

/* Pearson's statistic of counts against probabilities is below the value that a chi-square
 * variable exceeds as rarely as a normal one exceeds 4.5 standard deviations (3e-6; Wilson and
 * Hilferty's cube-root approximation). */
static inline void assert_distributed(const uint64_t *counts, const double *probabilities,
                                      size_t classes, const char *what) {
    double total = 0, statistic = 0, freedom = (double)classes - 1;
    for (size_t i = 0; i < classes; i++)
        total += (double)counts[i];
    for (size_t i = 0; i < classes; i++) {
        double expected = total * probabilities[i], excess = (double)counts[i] - expected;
        statistic += excess * excess / expected;
    }
    double root = 1 - 2 / (9 * freedom) + 4.5 * sqrt(2 / (9 * freedom));
    double limit = freedom * root * root * root;
    if (!(statistic <= limit))
        fail_msg("%s: chi-square of %g with %g degrees of freedom, expected at most %g", what,
                 statistic, freedom, limit);
}

/* The same for equally likely classes. */
static inline void assert_uniform(const uint64_t *counts, size_t classes, const char *what) {
    double probabilities[1024];
    assert_true(classes >= 2 && classes <= 1024);
    for (size_t i = 0; i < classes; i++)
        probabilities[i] = 1 / (double)classes;
    assert_distributed(counts, probabilities, classes, what);
}

#endif
