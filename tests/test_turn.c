/* What a turn can pay for: of a trial that is too dear, the longest training that can be paid, then
 * the most replications of the shortest; and until when there is time to follow something up. */
#include "study_fixture.h"

#include "study/turn.h"

static besd_error error;

static void make_spec(study_spec *spec, const besd_study_options *o) {
    assert_ok(spec_init(spec, o, &error), &error);
}

/* By looking at all trials that are no dearer in either lever. */
static void find_lowered(const study_spec *spec, int tau, int reps, double affordable,
                         int *lowered_tau, int *lowered_reps) {
    for (*lowered_reps = reps, *lowered_tau = tau; *lowered_tau >= 0; (*lowered_tau)--)
        if (spec_cost(spec, *lowered_tau, reps) <= affordable)
            return;
    *lowered_tau = 0;
    for (*lowered_reps = reps; *lowered_reps > 0; (*lowered_reps)--)
        if (spec_cost(spec, 0, *lowered_reps) <= affordable)
            return;
}

static void test_lower(void **state) {
    (void)state;
    static const int64_t taus[] = {10, 30, 100};
    static const int reps[] = {2, 4, 9};
    besd_study_options o = small_options(2, 1);
    o.taus = taus;
    o.tau_count = 3;
    o.reps = reps;
    o.reps_count = 3;
    study_spec spec;
    make_spec(&spec, &o);
    int lowered = 0;
    for (int tau = 0; tau < 3; tau++)
        for (int r = 0; r < 3; r++)
            for (int affordable = 5; affordable < 1000; affordable += 1 + affordable / 5) {
                besd_trial t = {.tau = taus[tau], .reps = reps[r]};
                turn one = {.spec = &spec, .trial = &t, .affordable = affordable};
                int to_tau, to_reps;
                turn_lower(&one);
                find_lowered(&spec, tau, r, affordable, &to_tau, &to_reps);
                assert_int_equal(t.tau, taus[to_tau]);
                assert_int_equal(t.reps, reps[to_reps]);
                lowered += to_tau < tau || to_reps < r;
            }
    assert_true(lowered > 20);
}

static void test_late(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 1);
    o.budget = 900;
    o.search_until = 2.0 / 3;
    study_spec spec;
    make_spec(&spec, &o);
    assert_false(turn_search_is_over(&spec, 301));
    assert_true(turn_search_is_over(&spec, 299));
    o.budget = INFINITY;
    make_spec(&spec, &o);
    assert_false(turn_search_is_over(&spec, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lower),
        cmocka_unit_test(test_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
