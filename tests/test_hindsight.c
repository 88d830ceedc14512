/* Looking back: which gaps are filled, and that the past does not depend on what came later. */
#include "study_fixture.h"

#include "serve/hindsight.h"

static besd_error error;

static void keep(recommendations *m, int64_t trials) {
    besd_recommendation r = {.trials = trials};
    memory_keep(m, &r);
}

static void test_gaps(void **state) {
    (void)state;
    recommendations m = {0};
    keep(&m, 100);
    assert_int_equal(hindsight_next(&m, 100), 51);
    keep(&m, 51);
    assert_int_equal(hindsight_next(&m, 100), 26);
    assert_int_equal(hindsight_next(&m, HINDSIGHT_MOST + 1), 0);
    recommendations few = {0};
    for (int64_t told = 0; told <= 3; told++)
        assert_int_equal(hindsight_next(&few, told), 0);
    int64_t filled = 0, next; /* it ends, and leaves no wide gap */
    for (; (next = hindsight_next(&m, 100)) != 0; filled++) {
        assert_true(next >= 3 && next < 100);
        assert_null(memory_at(&m, next));
        keep(&m, next);
        assert_true(filled < 40);
    }
    for (size_t i = 1; i < m.count; i++)
        assert_true(m.of[i].trials - m.of[i - 1].trials <= 8);
}

/* Trials that were voided since are more than the told ones of now. */
static void test_fewer_than_before(void **state) {
    (void)state;
    recommendations m = {0};
    keep(&m, 5);
    keep(&m, 40);
    int64_t next = hindsight_next(&m, 20);
    assert_true(next > 5 && next < 20);
}

static void test_past(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 5);
    besd_study *s = new_study(&o);
    besd_recommendation first, again, now, actual;
    int64_t count;
    run_trials(s, 14, NULL);
    assert_ok(hindsight_recommend(s, 12, &first, &error), &error);
    assert_int_equal(first.trials, 12);
    besd_trial open = ask(s);
    (void)open;
    run_trials(s, 5, NULL);
    assert_ok(hindsight_recommend(s, 12, &again, &error), &error);
    assert_memory_equal(first.theta, again.theta, 2 * sizeof *first.theta);
    assert_true(first.value == again.value && first.low == again.low && first.high == again.high);
    assert_ok(hindsight_recommend(s, 19, &now, &error), &error);
    assert_ok(besd_study_recommend(s, &actual, &error), &error);
    assert_int_equal(now.trials, actual.trials);
    assert_true(now.value > actual.low && now.value < actual.high);
    assert_ok(besd_study_trial_count(s, &count, &error), &error);
    assert_int_equal(count, 20);
    besd_study_close(s);
}

static void test_no_model(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 1);
    besd_recommendation r;
    o.method = BESD_METHOD_RANDOM;
    o.budget = 10000;
    besd_study *s = new_study(&o);
    run_trials(s, 4, NULL);
    assert_int_equal(hindsight_recommend(s, 3, &r, &error), BESD_UNSUPPORTED);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps), cmocka_unit_test(test_fewer_than_before),
        cmocka_unit_test(test_past), cmocka_unit_test(test_no_model)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
