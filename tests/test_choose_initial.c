/* The initial design: which Latin hypercube, at which levers, in which order, at what cost. */
#include "study_scene.h"

#include "decide/latin.h"
#include "study/choose_initial.h"

/* What is asked at a place, with so many places taken before. */
static besd_trial asked_at(const study_spec *spec, size_t place) {
    besd_error error;
    besd_trial trial = {0};
    evidence e = {.place_count = place};
    turn t = {.spec = spec, .evidence = &e, .trial = &trial};
    assert_ok(choose_initial(&t, &error), &error);
    return trial;
}

static void make_spec(study_spec *spec, const besd_study_options *o) {
    besd_error error;
    assert_ok(spec_init(spec, o, &error), &error);
}

static void assert_design(const besd_trial *t, const double *unit, int64_t tau, int reps) {
    for (int i = 0; i < 2; i++)
        assert_true(t->theta[i] == 10 * unit[i]);
    assert_int_equal(t->tau, tau);
    assert_int_equal(t->reps, reps);
    assert_int_equal(t->reason, BESD_REASON_INITIAL);
}

/* The Latin hypercube of the seed, each point at every tau in turn. */
static void test_crossed(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 9);
    o.initial_designs = 6;
    o.initial_crossed = true;
    o.initial_reps = 4;
    study_spec spec;
    double points[12];
    make_spec(&spec, &o);
    latin_hypercube(9, RNG_INITIAL_DESIGN, 6, 2, points);
    assert_int_equal(initial_trials(&spec.options), 12);
    for (size_t i = 0; i < 12; i++) {
        besd_trial t = asked_at(&spec, i);
        assert_design(&t, points + i / 2 * 2, i % 2 ? 30 : 10, 4);
    }
}

/* Not crossed, every trial is a point of one longer hypercube. */
static void test_spread(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 9);
    o.initial_designs = 6;
    study_spec spec;
    double points[24];
    make_spec(&spec, &o);
    latin_hypercube(9, RNG_INITIAL_DESIGN, 12, 2, points);
    assert_int_equal(initial_trials(&spec.options), 12);
    for (size_t i = 0; i < 12; i++) {
        besd_trial t = asked_at(&spec, i);
        assert_design(&t, points + i * 2, i % 2 ? 30 : 10, 2);
    }
}

/* Improvement methods begin at the largest levers; initial_crossed changes nothing there. */
static void test_at_tau_max(void **state) {
    (void)state;
    static const besd_method methods[] = {BESD_METHOD_EI, BESD_METHOD_EI_PAPER, BESD_METHOD_LCB};
    double points[12];
    latin_hypercube(9, RNG_INITIAL_DESIGN, 6, 2, points);
    for (size_t m = 0; m < 6; m++) {
        besd_study_options o = small_options(2, 9);
        study_spec spec;
        o.initial_designs = 6;
        o.method = methods[m / 2];
        o.initial_crossed = m % 2;
        make_spec(&spec, &o);
        assert_int_equal(initial_trials(&spec.options), 6);
        for (size_t i = 0; i < 6; i++) {
            besd_trial t = asked_at(&spec, i);
            assert_design(&t, points + i * 2, 30, 4);
        }
    }
}

static void test_none(void **state) {
    (void)state;
    static const besd_method methods[] = {BESD_METHOD_RANDOM, BESD_METHOD_HYPERBAND,
                                          BESD_METHOD_HYPERBAND_PAPER};
    for (size_t m = 0; m < 3; m++) {
        besd_study_options o = small_options(2, 9);
        study_spec spec;
        o.initial_designs = 6;
        o.method = methods[m];
        make_spec(&spec, &o);
        assert_int_equal(initial_trials(&spec.options), 0);
        assert_true(initial_cost(&spec.options) == 0);
    }
}

/* The sum over what is asked. */
static void test_cost(void **state) {
    (void)state;
    static const besd_method methods[] = {BESD_METHOD_BESD, BESD_METHOD_EI};
    for (int m = 0; m < 2; m++)
        for (int crossed = 0; crossed < 2; crossed++) {
            besd_study_options o = small_options(2, 9);
            study_spec spec;
            double cost = 0;
            o.method = methods[m];
            o.initial_designs = 3;
            o.initial_crossed = crossed;
            o.setup_cost = 7;
            o.interaction_price = 0.5;
            make_spec(&spec, &o);
            for (size_t i = 0; i < initial_trials(&spec.options); i++) {
                besd_trial t = asked_at(&spec, i);
                cost += 7 + 0.5 * (double)t.tau * t.reps;
            }
            assert_true(cost > 0 && initial_cost(&spec.options) == cost);
        }
}

/* A failed trial keeps its place: a retry moves nothing, and the method takes over after the last
 * place, not after as many trials. */
static void test_retries_take_no_place(void **state) {
    (void)state;
    besd_error error;
    besd_study_options o = short_options(2, 9); /* four initial trials */
    besd_trial plain[5], t;
    besd_study *s = new_study(&o), *other = new_study(&o);
    run_trials(s, 5, plain);
    assert_int_equal(plain[3].reason, BESD_REASON_INITIAL);
    assert_int_equal(plain[4].reason, BESD_REASON_KG);
    for (int i = 0; i < 2; i++) {
        t = ask(other);
        assert_true(same_numbers(t.theta, plain[i].theta, 2));
        assert_ok(besd_study_fail(other, t.id, -1, NULL, &error), &error);
    }
    assert_ok(besd_study_ask_again(other, 1, &t, &error), &error);
    assert_true(same_numbers(t.theta, plain[0].theta, 2) && t.repeats == 1);
    assert_int_equal(t.reason, BESD_REASON_RETRY);
    answer(other, &t);
    for (int i = 2; i < 4; i++) {
        t = ask(other);
        assert_int_equal(t.id, i + 2);
        assert_true(same_numbers(t.theta, plain[i].theta, 2) && t.tau == plain[i].tau);
        assert_int_equal(t.reason, BESD_REASON_INITIAL);
        answer(other, &t);
    }
    t = ask(other);
    assert_int_not_equal(t.reason, BESD_REASON_INITIAL);
    besd_study_close(s);
    besd_study_close(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossed),    cmocka_unit_test(test_spread),
        cmocka_unit_test(test_at_tau_max), cmocka_unit_test(test_none),
        cmocka_unit_test(test_cost),       cmocka_unit_test(test_retries_take_no_place),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
