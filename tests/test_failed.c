/* Trials that failed: what stays on record of them, and how they are asked again. */
#include "study_fixture.h"

static besd_error error;

/* cost < 0: as planned. */
static void fail_trial(besd_study *s, int64_t id, double cost, const char *note) {
    assert_ok(besd_study_fail(s, id, cost < 0 ? NULL : &cost, note, &error), &error);
}

static besd_trial ask_again(besd_study *s, int64_t failed) {
    besd_trial t;
    assert_ok(besd_study_ask(s, &(besd_ask){.again = &(int64_t){failed}}, &t, &error), &error);
    return t;
}

static void assert_note(besd_study *s, int64_t id, const char *expected) {
    char text[64] = "?";
    assert_ok(besd_study_get_trial_note(s, id, text, sizeof text, &error), &error);
    assert_string_equal(text, expected);
}

/* Failing again without a note keeps the note of before; with one it is replaced, also by none. */
static void test_notes(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 3);
    besd_study *s = new_study(&o);
    besd_trial t = ask(s), other = ask(s);
    fail_trial(s, t.id, -1, NULL);
    assert_note(s, t.id, "");
    fail_trial(s, t.id, -1, "the battery was empty");
    fail_trial(s, t.id, -1, NULL);
    assert_note(s, t.id, "the battery was empty");
    fail_trial(s, t.id, -1, "the wheel fell off");
    assert_note(s, t.id, "the wheel fell off");
    fail_trial(s, t.id, -1, "");
    assert_note(s, t.id, "");
    assert_note(s, other.id, "");
    besd_study_close(s);
}

/* The cost is as planned, or what was said last. */
static void test_costs(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 3);
    besd_study *s = new_study(&o);
    besd_trial t = ask(s); /* tau 10, two replications */
    fail_trial(s, t.id, -1, NULL);
    assert_true(spent(s) == 20);
    fail_trial(s, t.id, 7.5, NULL);
    assert_true(spent(s) == 7.5 && get_trial(s, t.id).cost == 7.5);
    fail_trial(s, t.id, -1, NULL);
    assert_true(spent(s) == 20);
    fail_trial(s, t.id, 0, NULL);
    assert_true(spent(s) == 0);
    answer(s, &t); /* late: it costs what was planned */
    assert_true(spent(s) == 20 && get_trial(s, t.id).state == BESD_TRIAL_TOLD);
    assert_fails(besd_study_fail(s, t.id, NULL, NULL, &error), BESD_INVALID, &error,
                 "it cannot fail any more");
    besd_study_close(s);
}

/* The same design and levers, a seed of its own, and what it repeats; both are paid for. */
static void test_asking_again(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 3);
    besd_study *s = new_study(&o);
    besd_trial first = ask(s), second = ask(s), none;
    assert_int_equal(first.repeats, 0);
    assert_fails(besd_study_ask(s, &(besd_ask){.again = &(int64_t){first.id}}, &none, &error),
                 BESD_INVALID, &error, "trial 1 is asked; only a failed trial can be asked again");
    fail_trial(s, second.id, -1, NULL);
    besd_trial again = ask_again(s, second.id);
    assert_int_equal(again.id, 3);
    assert_int_equal(again.repeats, second.id);
    assert_int_equal(again.reason, BESD_REASON_RETRY);
    assert_true(same_numbers(again.theta, second.theta, 2) && again.tau == second.tau &&
                again.reps == second.reps);
    assert_true(again.seed != second.seed);
    besd_trial stored = get_trial(s, again.id);
    assert_same_trial(&stored, &again);
    assert_int_equal(stored.repeats, second.id);
    assert_true(spent(s) == first.cost + 2 * second.cost);
    fail_trial(s, again.id, -1, NULL);
    assert_int_equal(ask_again(s, again.id).repeats, again.id);
    assert_int_equal(besd_study_ask(s, &(besd_ask){.again = &(int64_t){9}}, &none, &error),
                     BESD_UNKNOWN);
    assert_int_equal(besd_study_ask(s, &(besd_ask){.again = &(int64_t){0}}, &none, &error),
                     BESD_UNKNOWN);
    assert_int_equal(trial_count(s), 4);
    besd_study_close(s);
}

/* A budget pays for retries as for anything else. */
static void test_budget(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 3);
    besd_trial t;
    o.budget = 39;
    besd_study *s = new_study(&o);
    t = ask(s);
    fail_trial(s, t.id, -1, NULL);
    assert_fails(besd_study_ask(s, &(besd_ask){.again = &(int64_t){t.id}}, &t, &error), BESD_DONE,
                 &error, "19 of the budget of 39 is left");
    assert_int_equal(besd_study_stopped(s), BESD_STOP_REMAINDER);
    assert_int_equal(trial_count(s), 1);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notes),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_asking_again),
        cmocka_unit_test(test_budget),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
