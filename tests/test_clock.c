#include "testing.h"

#include "core/clock.h"

static void test_unknown_before_two_steps(void **state) {
    (void)state;
    pace p;
    pace_begin(&p, 0, 100, 5);
    assert_close(pace_rate(&p), 0, 0);
    pace_step(&p, 101, 6);
    assert_close(pace_rate(&p), 0, 0);
    pace_step(&p, 102, 7);
    assert_close(pace_rate(&p), 1, 1e-15);
}

/* Step i takes i seconds: after n of them the mean pace is 2 / (n + 1), that of the next 1 / n. */
static void test_steps_that_take_longer(void **state) {
    (void)state;
    pace p;
    double at = 0;
    pace_begin(&p, 1, at, 0);
    for (int i = 1; i <= 100; i++)
        pace_step(&p, at += i, i);
    double window = at - 68.0 * 69 / 2; /* the last 32 */
    assert_close(pace_rate(&p), 32 / window, 1e-12);
    assert_true(pace_rate(&p) < 0.7 * 100 / at);
}

/* What went fast long ago is forgotten: half of the steps count, not all. */
static void test_the_first_half_is_forgotten(void **state) {
    (void)state;
    pace p;
    pace_begin(&p, 1, 0, 0);
    for (int i = 1; i <= 5; i++)
        pace_step(&p, i, i);
    for (int i = 1; i <= 5; i++)
        pace_step(&p, 5 + 10 * i, 5 + i);
    assert_close(pace_rate(&p), 0.1, 1e-15);
}

/* Four at a time, each of ten seconds: the first burst of four alone looks like no time at all, or
 * like a quarter of the pace after its first. */
static void test_bursts(void **state) {
    (void)state;
    pace p;
    pace_begin(&p, 4, 0, 0);
    for (int i = 0; i < 7; i++) {
        pace_step(&p, 10 * (1 + i / 4), i + 1);
        assert_close(pace_rate(&p), 0, 0);
    }
    pace_step(&p, 20, 8);
    assert_close(pace_rate(&p), 0.4, 1e-15);
}

static void test_nothing_done(void **state) {
    (void)state;
    pace p;
    pace_begin(&p, 1, 0, 3);
    pace_step(&p, 1, 3);
    pace_step(&p, 2, 2); /* a budget was lowered, or a clock stood still */
    assert_close(pace_rate(&p), 0, 0);
    pace_begin(&p, 1, 0, 3);
    pace_step(&p, 0, 4);
    pace_step(&p, 0, 5);
    assert_close(pace_rate(&p), 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown_before_two_steps),
        cmocka_unit_test(test_steps_that_take_longer),
        cmocka_unit_test(test_the_first_half_is_forgotten),
        cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_nothing_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
