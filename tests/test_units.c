/* Between the user's units and the model's: boxes and unit cubes, scores and what is maximised,
 * levers and costs. */
#include "study_fixture.h"

#include "study/spec.h"

static besd_error error;

static void make_spec(study_spec *spec, const besd_study_options *o) {
    assert_ok(spec_init(spec, o, &error), &error);
}

static void test_units(void **state) {
    (void)state;
    double low[] = {-3, 1e6, 0}, high[] = {5, 1e6 + 1e-3, 1e-300};
    besd_study_options o = small_options(3, 0);
    o.low = low;
    o.high = high;
    study_spec spec;
    make_spec(&spec, &o);
    double zero[] = {0, 0, 0}, one[] = {1, 1, 1}, unit[3], theta[3];
    spec_to_user(&spec, zero, theta);
    assert_memory_equal(theta, low, sizeof low);
    spec_to_user(&spec, one, theta);
    assert_memory_equal(theta, high, sizeof high);
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int n = 0; n < 1000; n++) {
        double u[] = {rng_uniform(&stream), rng_uniform(&stream), rng_uniform(&stream)};
        spec_to_user(&spec, u, theta);
        spec_to_unit(&spec, theta, unit);
        assert_close(unit[0], u[0], 1e-15);
        assert_close(unit[1], u[1], 2e-7); /* the box is a few thousand million steps wide */
        assert_close(unit[2], u[2], 1e-15);
        for (int i = 0; i < 3; i++)
            assert_true(theta[i] >= low[i] && theta[i] <= high[i]);
    }
}

/* Rounding leads out of no box: a study refuses what lies outside as damaged. Without care it
 * would, in about a tenth of these boxes. */
static void test_no_way_out_of_the_box(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    int would_leave = 0;
    for (int n = 0; n < 1000; n++) {
        double low = rng_between(&stream, -1, 0), high = rng_between(&stream, 0, 1), theta;
        const double units[] = {0, nextafter(0, 1), nextafter(1, 0), 1};
        besd_study_options o = small_options(1, 0);
        o.low = &low;
        o.high = &high;
        study_spec spec;
        make_spec(&spec, &o);
        would_leave += low + (high - low) > high;
        for (int i = 0; i < 4; i++) {
            spec_to_user(&spec, &units[i], &theta);
            assert_true(theta >= low && theta <= high);
        }
    }
    assert_true(would_leave > 20);
}

/* The model maximises; logarithms come before the sign. */
static void test_scores(void **state) {
    (void)state;
    const struct {
        besd_direction direction;
        besd_transform transform;
        double score, value;
    } cases[] = {{BESD_MAXIMIZE, BESD_TRANSFORM_NONE, -2.5, -2.5},
                 {BESD_MINIMIZE, BESD_TRANSFORM_NONE, -2.5, 2.5},
                 {BESD_MAXIMIZE, BESD_TRANSFORM_LOG, 8, 3 * 0.69314718055994531},
                 {BESD_MINIMIZE, BESD_TRANSFORM_LOG, 8, -3 * 0.69314718055994531}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study_options o = small_options(1, 0);
        o.direction = cases[i].direction;
        o.transform = cases[i].transform;
        study_spec spec;
        make_spec(&spec, &o);
        assert_close(spec_to_model(&spec, cases[i].score), cases[i].value, 1e-15);
        assert_close(spec_score(&spec.options, cases[i].value), cases[i].score, 1e-14);
    }
}

/* Levels are sorted, whatever the order in which they are given; costs belong to them. */
static void test_levels(void **state) {
    (void)state;
    const int64_t taus[] = {300, 7, 40};
    const int reps[] = {9, 2};
    besd_study_options o = small_options(1, 0);
    o.taus = taus;
    o.tau_count = 3;
    o.reps = reps;
    o.reps_count = 2;
    o.setup_cost = 0.5;
    o.interaction_price = 2;
    study_spec spec;
    make_spec(&spec, &o);
    assert_int_equal(spec_tau_max(&spec), 300);
    assert_int_equal(spec_tau_level(&spec, 7), 0);
    assert_int_equal(spec_tau_level(&spec, 40), 1);
    assert_int_equal(spec_tau_level(&spec, 300), 2);
    assert_int_equal(spec_tau_level(&spec, 41), -1);
    assert_int_equal(spec_reps_level(&spec, 2), 0);
    assert_int_equal(spec_reps_level(&spec, 9), 1);
    assert_int_equal(spec_reps_level(&spec, 3), -1);
    assert_true(spec_cost(&spec, 0, 0) == 0.5 + 2 * 7 * 2);
    assert_true(spec_cost(&spec, 0, 1) == 0.5 + 2 * 7 * 9);
    assert_true(spec_cost(&spec, 2, 0) == 0.5 + 2 * 300 * 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_no_way_out_of_the_box),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
