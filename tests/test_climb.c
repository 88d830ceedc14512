/* Climbs up hills whose tops are known. */
#include "testing.h"

#include "core/rng.h"
#include "model/climb.h"

enum { MOST = 8 };

/* height - sum_i steep_i (x_i - top_i)^2, with a ridge along the first coordinate when bent. */
typedef struct hill {
    size_t dimension;
    double height, top[MOST], steep[MOST];
    bool bent;
    const double *low, *high; /* NULL: the unit cube */
    int asked;
    bool with_gradient;
} hill;

static double height_at(const hill *h, const double *x) {
    double height = h->height;
    for (size_t i = 0; i < h->dimension; i++)
        height -= h->steep[i] * (x[i] - h->top[i]) * (x[i] - h->top[i]);
    return h->bent ? height - fabs(x[0] - h->top[0]) : height;
}

/* Also sees to it that nobody looks outside the box. */
static double objective(const double *x, double *gradient, void *context) {
    hill *h = context;
    h->asked++;
    assert_true((gradient != NULL) == h->with_gradient);
    for (size_t i = 0; i < h->dimension; i++) {
        assert_true(x[i] >= (h->low ? h->low[i] : 0) && x[i] <= (h->high ? h->high[i] : 1));
        if (gradient)
            gradient[i] = -2 * h->steep[i] * (x[i] - h->top[i]);
    }
    if (gradient && h->bent)
        gradient[0] -= x[0] > h->top[0] ? 1 : -1;
    return height_at(h, x);
}

static hill draw_hill(rng *stream) {
    hill h = {.dimension = 1 + (size_t)rng_below(stream, MOST),
              .height = rng_between(stream, -2, 2)};
    for (size_t i = 0; i < h.dimension; i++) {
        h.top[i] = rng_between(stream, -0.3, 1.3); /* mostly inside the cube */
        h.steep[i] = rng_between(stream, 0.5, 3);
    }
    return h;
}

static climb up(hill *h, bool by_value) {
    h->asked = 0;
    h->with_gradient = !by_value;
    climb c = {.kind = by_value ? CLIMB_BY_VALUE : CLIMB_BY_GRADIENT,
               .objective = objective,
               .context = h,
               .dimension = h->dimension,
               .low = h->low,
               .high = h->high,
               .first_step = 0.1,
               .least_move = 1e-7,
               .evaluations = 5000};
    return c;
}

static void climb_from(hill *h, const climb *c, double *x, double *value) {
    besd_error error;
    assert_ok(climb_run(c, x, value, &error), &error);
    assert_true(*value == height_at(h, x));
}

/* The coordinates are independent: the top of the box is the top of the hill, moved into it. From
 * anywhere, from the top itself, from corners and from outside. */
static void test_reaches_the_top(void **state) {
    (void)state;
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 400; trial++) {
        hill h = draw_hill(&stream);
        climb c = up(&h, trial % 2);
        double x[MOST], best[MOST] = {0}, value;
        for (size_t i = 0; i < h.dimension; i++) {
            best[i] = fmin(fmax(h.top[i], 0), 1);
            x[i] = trial % 8 < 2   ? best[i]
                   : trial % 8 < 4 ? (double)rng_below(&stream, 2)
                   : trial % 8 < 6 ? rng_between(&stream, -1, 2)
                                   : rng_uniform(&stream);
        }
        climb_from(&h, &c, x, &value);
        for (size_t i = 0; i < h.dimension; i++)
            assert_close(x[i], best[i], 1e-4);
        assert_close(value, height_at(&h, best), 1e-7);
    }
}

/* In a box of its own the same. */
static void test_keeps_to_its_box(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 200; trial++) {
        hill h = draw_hill(&stream);
        double low[MOST], high[MOST], x[MOST], value;
        for (size_t i = 0; i < h.dimension; i++) {
            low[i] = rng_between(&stream, -0.5, 0.5);
            high[i] = low[i] + rng_between(&stream, 0.2, 1.5);
            x[i] = rng_between(&stream, low[i], high[i]);
        }
        h.low = low;
        h.high = high;
        climb c = up(&h, trial % 2);
        climb_from(&h, &c, x, &value);
        for (size_t i = 0; i < h.dimension; i++)
            assert_close(x[i], fmin(fmax(h.top[i], low[i]), high[i]), 1e-4);
    }
}

/* The unit cube is the box from 0 to 1, to the bit; and a climb repeats. */
static void test_bytes_repeat(void **state) {
    (void)state;
    const double zeros[MOST] = {0}, ones[MOST] = {1, 1, 1, 1, 1, 1, 1, 1};
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 100; trial++) {
        hill h = draw_hill(&stream);
        double start[MOST], x[3][MOST], value[3];
        h.bent = trial % 4 > 1;
        for (size_t i = 0; i < MOST; i++)
            start[i] = rng_uniform(&stream);
        for (int round = 0; round < 3; round++) {
            h.low = round == 1 ? zeros : NULL;
            h.high = round == 1 ? ones : NULL;
            climb c = up(&h, trial % 2);
            c.evaluations = 40;
            memcpy(x[round], start, sizeof start);
            climb_from(&h, &c, x[round], &value[round]);
            assert_memory_equal(x[round], x[0], sizeof start);
            assert_true(value[round] == value[0]);
        }
    }
}

/* Where it stops, for whatever reason, also on a ridge where no gradient is of any use: what is
 * told is the height of what is returned, and not below the start. Without gradients the number of
 * evaluations is kept exactly, with them once a step is done. */
static void test_ends_in_time_and_no_lower(void **state) {
    (void)state;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    for (int trial = 0; trial < 1000; trial++) {
        hill h = draw_hill(&stream);
        bool by_value = trial % 2;
        climb c = up(&h, by_value);
        double x[MOST], value;
        h.bent = trial % 4 > 1;
        c.evaluations = 1 + (int)rng_below(&stream, 30);
        c.least_gain = trial % 3 ? 0 : 1e-3;
        c.least_gain_share = trial % 5 ? 0 : 1e-3;
        c.least_move = trial % 7 ? c.least_move : 0;
        for (size_t i = 0; i < h.dimension; i++)
            x[i] = rng_uniform(&stream);
        double start = height_at(&h, x);
        climb_from(&h, &c, x, &value);
        assert_true(value >= start);
        assert_true(h.asked <= c.evaluations + (by_value ? 0 : 20));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reaches_the_top),
        cmocka_unit_test(test_keeps_to_its_box),
        cmocka_unit_test(test_bytes_repeat),
        cmocka_unit_test(test_ends_in_time_and_no_lower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
