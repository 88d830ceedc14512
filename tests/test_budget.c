/* What trials cost, what a budget pays for, and when a study stops. */
#include "study_fixture.h"

static besd_error error;

/* Trials go on while one can be paid, not one interaction further; then always the same answer. */
static void test_budget(void **state) {
    (void)state;
    const double budgets[] = {160, 179, 180, 331, 400};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        besd_study_options o = short_options(2, 3);
        o.budget = budgets[i];
        besd_study *s = new_study(&o);
        besd_trial t;
        besd_status status;
        double cost = 0;
        while ((status = besd_study_ask(s, NULL, &t, &error)) == BESD_OK) {
            cost += t.cost;
            assert_true(t.cost == (double)t.tau * t.reps);
            answer(s, &t);
        }
        assert_fails(status, BESD_DONE, &error, "budget");
        assert_true(cost <= budgets[i] && cost > budgets[i] - 20);
        assert_true(spent(s) == cost);
        int64_t count = trial_count(s);
        assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_DONE);
        assert_int_equal(besd_study_ask(s, NULL, &t, NULL), BESD_DONE);
        assert_int_equal(trial_count(s), count);
        recommend(s);
        besd_study_close(s);
    }
}

static void test_budget_below_the_initial_design(void **state) {
    (void)state;
    const struct {
        double budget;
        int trials;
    } cases[] = {{0, 0}, {1, 0}, {19, 0}, {20, 1}, {79, 1}, {80, 2}, {99, 2}, {100, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study_options o = short_options(1, 3);
        o.budget = cases[i].budget;
        besd_study *s = new_study(&o);
        besd_trial t;
        run_trials(s, cases[i].trials, NULL);
        assert_fails(besd_study_ask(s, NULL, &t, &error), BESD_DONE, &error, "budget");
        besd_study_close(s);
    }
}

/* A budget of nothing pays for nothing, whatever the method; none at all never ends. */
static void test_no_budget_and_none(void **state) {
    (void)state;
    for (size_t method = 0; besd_method_name(method); method++) {
        besd_study_options o = short_options(1, 3);
        o.method = (besd_method)method;
        o.initial_designs = (int)method % 2 * 2; /* also where the method chooses at once */
        o.budget = 0;
        besd_study *s = new_study(&o);
        besd_trial t;
        assert_fails(besd_study_ask(s, NULL, &t, &error), BESD_DONE, &error,
                     "the budget of 0 is spent");
        assert_int_equal(besd_study_stopped(s), BESD_STOP_BUDGET);
        assert_int_equal(trial_count(s), 0);
        besd_study_close(s);
        o.budget = INFINITY;
        s = new_study(&o);
        run_trials(s, 7, NULL);
        besd_study_close(s);
    }
}

/* Every bit of it. */
static void test_budget_is_kept(void **state) {
    (void)state;
    const double budgets[] = {0, 0.1 + 0.2, 5e-324, 1.0 / 3e200, 1e300, INFINITY};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        char path[PATH_SIZE];
        besd_study_options o = short_options(1, 3);
        o.budget = budgets[i];
        besd_study_close(open_study(new_path(path), &o));
        besd_study *s = open_study(path, NULL);
        assert_true(besd_study_get_options(s)->budget == budgets[i]);
        besd_study_close(s);
    }
}

/* Pending trials are paid for as planned: asking ahead does not overdraw. */
static void test_budget_counts_pending(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 3);
    o.budget = 100;
    besd_study *s = new_study(&o);
    besd_trial t;
    ask(s);
    ask(s);
    ask(s);
    assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_DONE);
    assert_true(spent(s) == 100);
    besd_study_close(s);
}

/* Three trials for 0.2 each are worth 0.6, whatever binary fractions make of it. */
static void test_budget_in_fractions(void **state) {
    (void)state;
    const int64_t taus[] = {1};
    const int reps[] = {1};
    besd_study_options o = small_options(1, 3);
    o.taus = taus;
    o.reps = reps;
    o.tau_count = o.reps_count = 1;
    o.interaction_price = 0.2;
    o.budget = 0.6;
    besd_study *s = new_study(&o);
    besd_trial t;
    run_trials(s, 3, NULL);
    assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_DONE);
    besd_study_close(s);
}

static void test_stop_below(void **state) {
    (void)state;
    besd_trial t;
    besd_study_options o = short_options(1, 3);
    o.stop_below = 1e9;
    besd_study *s = new_study(&o);
    run_trials(s, 4, NULL); /* the initial design is not subject to it */
    assert_fails(besd_study_ask(s, NULL, &t, &error), BESD_DONE, &error,
                 "below the stopping value 1e+09");
    assert_int_equal(trial_count(s), 4);
    besd_study_close(s);

    o.stop_below = 1e-5;
    s = new_study(&o);
    besd_explanation why;
    besd_status status;
    double largest = 0;
    while ((status = besd_study_ask(s, &(besd_ask){.explanation = &why}, &t, &error)) == BESD_OK) {
        assert_true(t.id < 60); /* the knowledge gradient fades, so the study ends by itself */
        largest = 0;
        for (size_t i = 0; i < why.lever_count; i++)
            largest = fmax(largest, why.levers[i].kg / why.levers[i].cost);
        assert_true(t.reason != BESD_REASON_KG || largest >= 1e-5);
        answer(s, &t);
    }
    assert_fails(status, BESD_DONE, &error, "stopping value");
    assert_true(t.id > 5);
    besd_study_close(s);
}

static void test_share_of_the_largest_tau(void **state) {
    (void)state;
    const double shares[] = {0.5, 1};
    for (size_t k = 0; k < 2; k++) {
        besd_study_options o = short_options(2, 7);
        int64_t taus[] = {1, 30}; /* the short training is nearly free: the study wants it */
        o.taus = taus;
        o.tau_max_share = shares[k];
        besd_study *s = new_study(&o);
        int chosen = 0, at_most = 0, due = 0;
        for (int i = 0; i < 14; i++) {
            besd_trial t = ask(s);
            answer(s, &t);
            if (t.reason == BESD_REASON_INITIAL)
                continue;
            chosen++;
            at_most += t.tau == 30;
            due += t.reason == BESD_REASON_SHARE;
            assert_true(at_most >= shares[k] * chosen);
        }
        assert_int_equal(chosen, 10);
        assert_true(due > 0);
        besd_study_close(s);
    }
}

static void test_costs(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 8);
    o.setup_cost = 5;
    o.interaction_price = 0.25;
    besd_study *s = new_study(&o);
    double total = 0;
    for (int i = 0; i < 7; i++) {
        besd_trial t;
        besd_explanation why;
        assert_ok(besd_study_ask(s, &(besd_ask){.explanation = &why}, &t, &error), &error);
        assert_true(t.cost == 5 + 0.25 * (double)t.tau * t.reps);
        for (size_t l = 0; l < why.lever_count; l++)
            assert_true(why.levers[l].cost ==
                        5 + 0.25 * (double)why.levers[l].tau * why.levers[l].reps);
        total += t.cost;
        answer(s, &t);
    }
    assert_true(spent(s) == total);
    besd_study_close(s);
}

/* Where setting up costs nearly everything, replications are nearly free, and all are taken. */
static void test_setup_cost_buys_replications(void **state) {
    (void)state;
    int most[2] = {0};
    for (int dear = 0; dear < 2; dear++) {
        besd_study_options o = short_options(2, 8);
        o.setup_cost = dear ? 1e7 : 0;
        besd_study *s = new_study(&o);
        besd_trial trials[12];
        run_trials(s, 12, trials);
        for (int i = 4; i < 12; i++)
            most[dear] += trials[i].reps == 4;
        besd_study_close(s);
    }
    assert_int_equal(most[1],
                     8); /* when only the number of trials counts, the best one each time */
    assert_true(most[0] < 8);
}

static void test_larger_budget(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(2, 8);
    o.budget = 180;
    besd_study *s = open_study(new_path(path), &o);
    besd_trial t;
    run_trials(s, 5, NULL);
    assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_DONE);
    besd_study_close(s);
    o.budget = 300;
    s = open_study(path, &o);
    assert_int_equal(ask(s).id, 6);
    besd_study_close(s);
    s = open_study(path, NULL);
    assert_true(besd_study_get_options(s)->budget == 300);
    besd_study_close(s);
    o.budget = INFINITY; /* no word of it is no change */
    s = open_study(path, &o);
    assert_true(besd_study_get_options(s)->budget == 300);
    besd_study_close(s);
    o.budget = 200; /* a smaller one is obeyed */
    s = open_study(path, &o);
    assert_true(besd_study_get_options(s)->budget == 200);
    assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_DONE);
    besd_study_close(s);
}

/* What was set stays when a program says what it said before; another word of its is obeyed. */
static void test_set_and_given(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(2, 8);
    o.budget = 100;
    besd_study_close(open_study(new_path(path), &o));
    const struct {
        double set, given, then;
    } steps[] = {{500, 100, 500}, {50, 100, 50},  {500, 100, 500},           {500, 80, 80},
                 {90, 80, 90},    {90, 100, 100}, {INFINITY, 100, INFINITY}, {20, INFINITY, 20}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        besd_study *s = open_study(path, NULL);
        assert_ok(besd_study_set_budget(s, steps[i].set, &error), &error);
        assert_true(besd_study_get_options(s)->budget == steps[i].set);
        besd_study_close(s);
        o.budget = steps[i].given;
        besd_study_close(open_study(path, &o));
        s = open_study(path, NULL);
        assert_true(besd_study_get_options(s)->budget == steps[i].then);
        besd_study_close(s);
    }
    besd_study *s = open_study(path, NULL);
    const double none[] = {-1, NAN, -INFINITY, 1e301};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_fails(besd_study_set_budget(s, none[i], &error), BESD_INVALID, &error, "budget: ");
    assert_true(besd_study_get_options(s)->budget == 20);
    besd_study_close(s);
}

/* Whoever names a limit means it, also for a study that has none. */
static void test_first_limit_is_taken(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(2, 8);
    besd_study_close(open_study(new_path(path), &o));
    o.budget = 20;
    besd_study *s = open_study(path, &o);
    assert_true(besd_study_get_options(s)->budget == 20);
    run_trials(s, 1, NULL);
    besd_study_close(s);
}

/* A budget that another handle has raised counts for this one, too: a handle keeps only what never
 * changes. */
static void test_budget_raised_elsewhere(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(2, 8);
    o.budget = 20;
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 1, NULL);
    o.budget = 100;
    besd_study_close(open_study(path, &o));
    run_trials(s, 1, NULL);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_budget_below_the_initial_design),
        cmocka_unit_test(test_no_budget_and_none),
        cmocka_unit_test(test_budget_is_kept),
        cmocka_unit_test(test_budget_counts_pending),
        cmocka_unit_test(test_budget_in_fractions),
        cmocka_unit_test(test_stop_below),
        cmocka_unit_test(test_share_of_the_largest_tau),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_setup_cost_buys_replications),
        cmocka_unit_test(test_larger_budget),
        cmocka_unit_test(test_set_and_given),
        cmocka_unit_test(test_first_limit_is_taken),
        cmocka_unit_test(test_budget_raised_elsewhere),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
