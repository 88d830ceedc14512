/* Lines to make envelopes of, and where each of them is the highest. */
#ifndef BESD_TESTS_ENVELOPE_FACTS_H
#define BESD_TESTS_ENVELOPE_FACTS_H

#include "testing.h"

#include "core/rng.h"
#include "decide/envelope.h"

#include <stdlib.h>

enum { MOST = 3000 };

typedef struct fixture {
    envelope *e;
    rng stream;
    double a[MOST], b[MOST], weight[MOST];
} fixture;

static inline int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    besd_error error;
    if (!f || envelope_create(MOST, &f->e, &error) != BESD_OK)
        return -1;
    f->stream = rng_open(5, RNG_TEST, 0, 0, 0);
    *state = f;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    envelope_destroy(f->e);
    free(f);
    return 0;
}

static inline double build_log_kg(fixture *f, size_t n, double scale) {
    envelope_build(f->e, f->a, f->b, n);
    return envelope_log_kg(f->e, scale);
}

static inline void draw_normal_lines(fixture *f, size_t n, double spread, double slopes) {
    for (size_t i = 0; i < n; i++) {
        f->a[i] = spread * rng_normal(&f->stream);
        f->b[i] = slopes * rng_normal(&f->stream);
    }
}

/* Like a posterior: smooth intercepts of spread 1 over the square, slopes that fall off with the
 * distance from a candidate, most of them near zero, some negative. */
static inline void draw_posterior_lines(fixture *f, size_t n, double width) {
    double centre[2] = {rng_uniform(&f->stream), rng_uniform(&f->stream)}, phase[4];
    for (int k = 0; k < 4; k++)
        phase[k] = rng_between(&f->stream, 0, 6.28);
    for (size_t i = 0; i < n; i++) {
        double x = rng_uniform(&f->stream), y = rng_uniform(&f->stream);
        double r = hypot(x - centre[0], y - centre[1]) / width;
        f->a[i] = sin(5 * x + phase[0]) * cos(4 * y + phase[1]) + 0.5 * sin(11 * x + phase[2]);
        f->b[i] = 0.4 * (1 + r + r * r / 3) * exp(-r) * cos(2 * r + 0.1 * sin(9 * y + phase[3]));
    }
}

/* Where line i is the highest, from its crossings with all others; empty when low >= high. */
static inline void reign(const double *a, const double *b, size_t n, size_t i, double *low,
                         double *high) {
    *low = -INFINITY;
    *high = INFINITY;
    for (size_t j = 0; j < n; j++) {
        if (b[j] < b[i])
            *low = fmax(*low, (a[j] - a[i]) / (b[i] - b[j]));
        else if (b[j] > b[i])
            *high = fmin(*high, (a[i] - a[j]) / (b[j] - b[i]));
        else if (a[j] > a[i] || (a[j] == a[i] && j < i))
            *high = -INFINITY;
    }
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#endif
