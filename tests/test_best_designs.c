/* The best designs of a study, spread apart. */
#include "study_fixture.h"

static besd_error error;

enum { MOST = 8 };

static besd_study *taught(const besd_study_options *o, int trials) {
    besd_study *s = open_study(NULL, o);
    for (int i = 0; i < trials; i++) {
        besd_trial t;
        assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
        answer(s, &t);
    }
    return s;
}

static double apart_by(const besd_study_options *o, const double *a, const double *b) {
    double most = 0;
    for (size_t i = 0; i < o->dimension; i++)
        most = fmax(most, fabs(a[i] - b[i]) / (o->high[i] - o->low[i]));
    return most;
}

static void test_spread_and_order(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 3);
    besd_study *s = taught(&o, 25);
    besd_recommendation r;
    double thetas[MOST * 2];
    besd_forecast f[MOST];
    size_t found;
    assert_ok(besd_study_recommend(s, &r, &error), &error);
    for (int tenths = 0; tenths <= 5; tenths++) {
        assert_ok(besd_study_best_designs(s, MOST, tenths / 10.0, thetas, f, &found, &error),
                  &error);
        assert_in_range(found, 1, MOST);
        assert_true(tenths > 1 || found == MOST);
        assert_memory_equal(thetas, r.theta, 2 * sizeof *thetas);
        for (size_t i = 0; i < found; i++) {
            assert_true(isfinite(f[i].value) && isfinite(f[i].mean) && f[i].sd >= 0);
            for (size_t k = 0; k < i; k++)
                assert_true(apart_by(&o, thetas + 2 * i, thetas + 2 * k) >= tenths / 10.0);
            if (i > 1)
                assert_true(f[i].mean - o.caution * f[i].sd <=
                            f[i - 1].mean - o.caution * f[i - 1].sd);
        }
    }
    assert_ok(besd_study_best_designs(s, 1, 0.1, thetas, f, &found, &error), &error);
    assert_int_equal(found, 1);
    besd_study_close(s);
}

static void test_what_is_refused(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 3);
    besd_study *s = taught(&o, 12);
    double thetas[2];
    besd_forecast f;
    size_t found;
    assert_fails(besd_study_best_designs(s, 1, -0.1, thetas, &f, &found, &error), BESD_INVALID,
                 &error, "apart: expected a share of the box in [0, 1], got -0.1");
    assert_fails(besd_study_best_designs(s, 1, (double)NAN, thetas, &f, &found, &error),
                 BESD_INVALID, &error, "apart: ");
    assert_fails(besd_study_best_designs(s, 0, 0.1, thetas, &f, &found, &error), BESD_INVALID,
                 &error, "count: expected at least 1");
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spread_and_order),
                                       cmocka_unit_test(test_what_is_refused)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
