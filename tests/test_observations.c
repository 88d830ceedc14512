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

/* Evenly spread over the first so many, all that there is of each; no more than there are. */
static void test_thinning(void **state) {
    (void)state;
    besd_error error;
    observations o, some;
    assert_ok(observations_init(&o, 2, &error), &error);
    for (int j = 0; j < 10; j++)
        assert_ok(observations_add(&o, (double[]){j, -j}, 0.5, j % 3, j + 1, 2 * j, 3 * j, &error),
                  &error);
    assert_ok(observations_thin(&o, 9, 4, &some, &error), &error);
    assert_int_equal(some.count, 4);
    for (size_t i = 0; i < 4; i++) {
        static const int expected[] = {0, 2, 4, 6};
        int j = expected[i];
        assert_true(some.theta[2 * i] == j && some.theta[2 * i + 1] == -j && some.share[i] == 0.5);
        assert_true(some.level[i] == j % 3 && some.reps[i] == j + 1);
        assert_true(some.mean[i] == 2 * j && some.within[i] == 3 * j);
    }
    observations_free(&some);
    assert_ok(observations_thin(&o, 9, 40, &some, &error), &error);
    assert_int_equal(some.count, 9);
    assert_memory_equal(some.theta, o.theta, 18 * sizeof(double));
    observations_free(&some);
    observations_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_stay),
        cmocka_unit_test(test_dimensions_are_checked),
        cmocka_unit_test(test_thinning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
