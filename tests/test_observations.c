/* What was observed: kept in order, however much it grows. */
#include "testing.h"

#include "model/kernel.h"
#include "model/observations.h"

static void test_rows_stay(void **state) {
    (void)state;
    besd_error error;
    observations o;
    enum { ROWS = 1000 };
    assert_ok(observations_init(&o, 3, &error), &error);
    for (int j = 0; j < ROWS; j++) {
        double theta[3] = {j, j + 0.25, j + 0.5};
        assert_ok(observations_add(&o, theta, 1.0 / (j + 1), j % 16, j + 1, -j, 2 * j, &error),
                  &error);
        assert_int_equal(o.count, j + 1);
        assert_true(o.capacity >= o.count);
    }
    for (int j = 0; j < ROWS; j++) {
        for (int i = 0; i < 3; i++)
            assert_true(o.theta[3 * j + i] == j + 0.25 * i);
        assert_true(o.share[j] == 1.0 / (j + 1) && o.level[j] == j % 16 && o.reps[j] == j + 1);
        assert_true(o.mean[j] == -j && o.within[j] == 2 * j);
    }
    observations_free(&o);
    assert_int_equal(o.count, 0);
    observations_free(&o); /* of nothing */
}

static void test_dimensions_are_checked(void **state) {
    (void)state;
    besd_error error;
    observations o;
    assert_fails(observations_init(&o, 0, &error), BESD_INVALID, &error, "got 0");
    assert_fails(observations_init(&o, MODEL_MAX_DIMENSION + 1, &error), BESD_INVALID, &error,
                 "got 65");
    assert_ok(observations_init(&o, MODEL_MAX_DIMENSION, &error), &error);
    observations_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_stay),
        cmocka_unit_test(test_dimensions_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
