/* The initial design: which Latin hypercube, at which levers, in which order, at what cost. */
#include "study_scene.h"

#include "decide/latin.h"
#include "study/choose.h"

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
        assert_ok(besd_study_fail(other, t.id, NULL, NULL, &error), &error);
    }
    assert_ok(besd_study_ask(other, &(besd_ask){.again = &(int64_t){1}}, &t, &error), &error);
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

/* Is an initial trial due after so many places, with so much spent and so many chosen? */
static bool is_due(const study_spec *spec, size_t places, double cost, int64_t chosen) {
    evidence e = {.place_count = places, .spent = cost, .chosen = chosen};
    return initial_is_due(spec, &e);
}

/* With the averaged model it ends before it costs more than its share of the budget, trials of 20
 * and of 60 in turn, but not before every tau was tried; and after the last design. */
static void test_share_of_the_budget(void **state) {
    (void)state;
    static const struct {
        double budget, share;
        size_t places;
        double spent;
        bool due;
    } cases[] = {
        {1000, 0.25, 2, 80, true},  {1000, 0.25, 6, 230, true},    {1000, 0.25, 6, 230.5, false},
        {1000, 0.25, 5, 190, true}, {1000, 0.25, 5, 190.5, false}, {1000, 0.25, 11, 190, true},
        {1000, 0.25, 12, 0, false}, {1000, 0.25, 13, 0, false},    {1000, 0, 0, 0, true},
        {1000, 0, 1, 900, true},    {1000, 0, 2, 80, false},       {1000, 1, 11, 940, true},
        {1000, 1, 11, 941, false},  {40, 0.5, 0, 40, true},        {40, 0.5, 2, 0, true},
        {40, 0.5, 3, 0, false},     {INFINITY, 0, 11, 1e9, true},  {INFINITY, 0, 12, 1e9, false}};
    besd_study_options o = small_options(2, 9);
    o.initial_designs = 6;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        study_spec spec;
        o.model = BESD_MODEL_AVERAGED;
        o.method = BESD_METHOD_BESD;
        o.budget = cases[i].budget;
        o.initial_share = cases[i].share;
        make_spec(&spec, &o);
        if (is_due(&spec, cases[i].places, cases[i].spent, 0) != cases[i].due)
            fail_msg("budget %g, share %g: %zu places, %g spent", cases[i].budget, cases[i].share,
                     cases[i].places, cases[i].spent);
        assert_false(is_due(&spec, cases[i].places, cases[i].spent, 1));
        /* the paper's goes to the end of the design */
        spec.options.model = BESD_MODEL_PAPER;
        assert_int_equal(is_due(&spec, cases[i].places, cases[i].spent, 0), cases[i].places < 12);
        o.method = BESD_METHOD_EI; /* one level: six trials */
        make_spec(&spec, &o);
        assert_int_equal(is_due(&spec, cases[i].places, cases[i].spent, 0), cases[i].places < 6);
    }
}

/* In a study: as many trials as fit, those that are raised for included; what the baseline cost is
 * spent; and no more of them once a trial was chosen, however large the budget. */
static void test_budget_is_raised(void **state) {
    (void)state;
    for (int baseline = 0; baseline < 2; baseline++) {
        besd_study_options o = small_options(2, 9);
        char path[PATH_SIZE];
        o.model = BESD_MODEL_AVERAGED;
        o.draws = 2;
        o.initial_designs = 20;
        o.budget = 1000; /* a quarter of it: 20 + 60 + 20 + 60 + 20 + 60 */
        o.baseline = 0;
        o.baseline_cost = baseline ? 30 : 0;
        besd_study *s = open_study(new_path(path), &o);
        int count = baseline ? 5 : 6;
        assert_true(spent(s) == o.baseline_cost);
        besd_trial trials[8];
        run_trials(s, count, trials);
        for (int i = 0; i < count; i++)
            assert_int_equal(trials[i].reason, BESD_REASON_INITIAL);
        besd_study_close(s);
        o.budget = 1120; /* a quarter: 280 */
        s = open_study(path, &o);
        run_trials(s, 2, trials);
        assert_int_equal(trials[0].reason, BESD_REASON_INITIAL);
        assert_int_not_equal(trials[1].reason, BESD_REASON_INITIAL);
        besd_study_close(s);
        o.budget = 1e6;
        s = open_study(path, &o);
        run_trials(s, 2, trials);
        for (int i = 0; i < 2; i++)
            assert_int_not_equal(trials[i].reason, BESD_REASON_INITIAL);
        besd_study_close(s);
    }
}

/* A budget that pays for three of the cheapest trials is spent on three, although the initial
 * design would go on with one that is dearer than what is left, also before anything is told. */
static void test_small_budget(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 9);
    besd_error error;
    o.model = BESD_MODEL_AVERAGED;
    o.draws = 2;
    o.budget = 60; /* trials of 20, or of 60 at the largest tau */
    besd_study *s = open_study(NULL, &o);
    besd_trial trials[3], t;
    run_trials(s, 3, trials);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(trials[i].cost, 20);
        assert_int_equal(trials[i].reason == BESD_REASON_INITIAL, i == 0);
    }
    assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_DONE);
    besd_study_close(s);
    for (int failed = 0; failed < 2;
         failed++) { /* nothing is told: the dear place is tried cheaply */
        s = open_study(NULL, &o);
        for (int i = 0; i < 3; i++) {
            assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
            assert_int_equal(t.cost, 20);
            assert_true(!i || memcmp(t.theta, trials[0].theta, 2 * sizeof(double)) != 0);
            if (failed)
                assert_ok(besd_study_fail(s, t.id, &(double){t.cost}, "", &error), &error);
        }
        assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_DONE);
        besd_study_close(s);
    }
    o.budget = 39; /* no trial costs less than 20 */
    s = open_study(NULL, &o);
    assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
    assert_fails(besd_study_ask(s, NULL, &t, &error), BESD_DONE, &error,
                 "19 of the budget of 39 is left, and the next trial costs 20");
    besd_study_close(s);
}

/* Where the number of points varies, designs take turns in it: they are those of the hypercube, but
 * for points that repeat the last of those that count. All trials of a crossed design have the same
 * points. */
static void test_points_vary(void **state) {
    (void)state;
    enum { POINTS = 3, DIMENSION = 2 * POINTS, FEWEST = 2 };
    for (int crossed = 0; crossed < 2; crossed++) {
        besd_study_options o = small_options(DIMENSION, 9);
        o.initial_designs = 6;
        o.initial_crossed = crossed;
        study_spec spec;
        size_t designs = crossed ? 6 : 12, times[POINTS + 1] = {0};
        double points[12 * DIMENSION];
        make_spec(&spec, &o);
        spec.path = (besd_path){
            .points = POINTS, .coordinates = 2, .cap = 100, .fewest = FEWEST}; /* no cells */
        latin_hypercube(9, RNG_INITIAL_DESIGN, designs, DIMENSION, points);
        for (size_t i = 0; i < 12; i++) {
            besd_trial t = asked_at(&spec, i);
            size_t design = crossed ? i / 2 : i, visits = FEWEST + design % 2;
            for (size_t k = 0; k < DIMENSION; k++) {
                size_t from = k < 2 * visits ? k : 2 * (visits - 1) + k % 2;
                assert_true(t.theta[k] == 10 * points[design * DIMENSION + from]);
            }
            times[visits]++;
        }
        assert_true(times[2] == 6 && times[3] == 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossed),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_points_vary),
        cmocka_unit_test(test_at_tau_max),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_retries_take_no_place),
        cmocka_unit_test(test_share_of_the_budget),
        cmocka_unit_test(test_budget_is_raised),
        cmocka_unit_test(test_small_budget),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
