#include "testing.h"

#include "contest/summary.h"
#include "results_fixture.h"

typedef struct world {
    results_table table;
    summary summary;
} world;

static int set_up(void **state) {
    static world w;
    besd_error error;
    w.table = fixture_table();
    *state = &w;
    return summary_make(&w.table, &w.summary, &error) == BESD_OK ? 0 : -1;
}

static int tear_down(void **state) {
    world *w = *state;
    summary_free(&w->summary);
    results_table_free(&w->table);
    return 0;
}

static void test_domains_come_in_the_built_in_order(void **state) {
    const summary *s = &((world *)*state)->summary;
    assert_int_equal(s->domain_count, 2);
    assert_string_equal(s->domains[0].contest->domain, "gw10");
    assert_string_equal(s->domains[1].contest->domain, "tr");
    assert_int_equal(s->domains[0].besd, 0);
    assert_int_equal(s->domains[0].best_rival, 2);
}

static void test_points_by_hand(void **state) {
    const summary_domain *d = &((world *)*state)->summary.domains[0];
    const summary_point *end = &d->methods[0].points[JOB_POINTS - 1];
    assert_close(end->cost, 400000, 0);
    assert_close(end->mean, 35, 1e-12);
    assert_close(end->two_se, 2 * sqrt(200 / 7.0 / 8), 1e-12);
    assert_close(end->iqm.value, 35, 1e-12);
    assert_close(end->log_regret, (log(10) + log(20)) / 2, 1e-12);
}

/* Unknown until its first recommendation; in the area it counts as learning without subgoals. */
static void test_a_late_method(void **state) {
    const summary_method *late = &((world *)*state)->summary.domains[0].methods[2];
    assert_int_equal(late->points[FIXTURE_LATE - 1].known, 0);
    assert_true(isnan(late->points[FIXTURE_LATE - 1].mean));
    assert_int_equal(late->points[FIXTURE_LATE].known, FIXTURE_RUNS);
    assert_close(late->area, (100 + 50) / 2.0, 1e-12);
    assert_close(late->initial_end, 1000, 0);
}

/* gw10: besd 35 against 70; both improve just past half of the budget. tr: equal means. */
static void test_rivalries_by_hand(void **state) {
    const summary *s = &((world *)*state)->summary;
    const summary_rivalry *steps = &s->domains[0].rivalries[1], *tie = &s->domains[1].rivalries[1];
    assert_int_equal(steps->rival, 2);
    assert_close(steps->at[AT_FINAL].difference.value, -35, 1e-12);
    assert_int_equal(summary_verdict(&s->domains[0], steps->at[AT_FINAL].difference), 1);
    assert_close(steps->at[AT_HALF].difference.value, 0, 0);
    assert_int_equal(summary_verdict(&s->domains[0], steps->at[AT_HALF].difference), 0);
    assert_close(steps->at[AT_FINAL].improvement.value, 1, 0);
    assert_close(steps->cost, 400000.0 * 21 / 40, 1e-9);
    assert_close(steps->ratio, 1, 0);
    assert_close(tie->at[AT_FINAL].difference.value, 0, 1e-12);
    assert_close(tie->at[AT_FINAL].improvement.value, 0.5, 0);
}

/* A return that is larger by 8.5 is a gain; the sign of the difference is that of the return. */
static void test_more_return_is_better(void **state) {
    const summary_domain *d = &((world *)*state)->summary.domains[1];
    const summary_rivalry *plain = &d->rivalries[0];
    assert_string_equal(d->methods[plain->rival].entry->method, "ql");
    assert_close(plain->at[AT_FINAL].difference.value, 8.5, 1e-12);
    assert_int_equal(summary_verdict(d, plain->at[AT_FINAL].difference), 1);
    assert_int_equal(summary_verdict(d, (interval){-1, -2, -0.5}), -1);
}

/* Scores: gw10 0.9, 0.9, 0.8, 0.8; tr 0.8, 0.8, 0.9, 0.9. */
static void test_profile_by_hand(void **state) {
    const summary *s = &((world *)*state)->summary;
    assert_int_equal(s->profile_count, 3);
    assert_string_equal(s->profiles[0].method, "besd");
    assert_close(s->profiles[0].mean.value, 0.85, 1e-12);
    assert_close(s->profiles[0].share[42].value, 0.5, 0); /* above 0.84 */
    assert_close(s->profiles[0].share[0].value, 1, 0);
    assert_close(s->profiles[0].share[50].value, 0, 0);
    assert_close(s->profiles[1].mean.value, 0, 1e-12);
}

/* The same interval says nothing when it comes from fewer runs than five. */
static void test_few_runs_have_no_verdict(void **state) {
    summary_domain *d = &((world *)*state)->summary.domains[0];
    summary_method *besd = &d->methods[d->besd];
    const results_entry *all = besd->entry;
    results_entry some = *all;
    for (some.count = 2; some.count <= 6; some.count++) {
        besd->entry = &some;
        assert_int_equal(summary_has_few(d), some.count < 5);
        assert_int_equal(summary_verdict(d, (interval){-2, -3, -1}), some.count < 5 ? 0 : 1);
        besd->entry = all;
    }
}

/* One run of a method that varies has values and no intervals; ql never varies. */
static void test_one_run_has_no_spread(void **state) {
    results_table table = fixture_table();
    summary s;
    besd_error error;
    char text[80];
    (void)state;
    for (int i = 1; i < FIXTURE_RUNS; i++)
        free(table.domains[1].entries[0].result[i].trials);
    table.domains[1].entries[0].count = 1;
    assert_ok(summary_make(&table, &s, &error), &error);
    const summary_domain *d = &s.domains[0];
    const summary_point *end = &d->methods[0].points[JOB_POINTS - 1];
    assert_close(end->mean, 30, 0);
    assert_true(isnan(end->two_se) && isnan(end->iqm.low));
    assert_int_equal(summary_verdict(d, d->rivalries[0].at[AT_FINAL].difference), 0);
    assert_close(d->rivalries[0].at[AT_FINAL].difference.value, -90, 1e-12);
    assert_true(d->methods[1].points[0].two_se == 0);
    assert_string_equal(summary_print_mean(end, "+-", text, 80), "30");
    summary_free(&s);
    results_table_free(&table);
}

static void test_numbers_have_the_decimals_of_their_spread(void **state) {
    (void)state;
    char text[80];
    assert_string_equal(summary_print_interval((interval){-53.907, -86.03, -16.56}, text, 80),
                        "-54 [-86, -17]");
    assert_string_equal(summary_print_interval((interval){0.123, 0.111, 0.134}, text, 80),
                        "0.123 [0.111, 0.134]");
    assert_string_equal(
        summary_print_mean(&(summary_point){.mean = 22.14, .two_se = 1.13}, "+-", text, 80),
        "22.1 +- 1.1");
    assert_string_equal(summary_print_mean(&(summary_point){.mean = NAN}, "+-", text, 80), "-");
}

/* A budget that ends within the initial design, and a domain that needs no subgoals. */
static void test_what_there_is_not(void **state) {
    (void)state;
    results_table table = fixture_table();
    summary s;
    besd_error error;
    job_result *job = &table.domains[1].entries[0].result[0]; /* gw10, besd */
    job->trials[1].reason = BESD_REASON_INITIAL;
    table.domains[0].contest.plain_score = table.domains[0].contest.optimum;
    assert_ok(summary_make(&table, &s, &error), &error);
    assert_true(isnan(s.domains[0].methods[0].initial_end));
    assert_close(s.domains[1].methods[0].initial_end, 1000, 0);
    assert_false(summary_has_scale(&s.domains[1]));
    assert_int_equal(s.profile_count, 3); /* of gw10 alone */
    assert_close(s.profiles[0].mean.value, 0.85, 1e-12);
    assert_close(s.profiles[2].mean.value, 0.5, 1e-12);
    summary_free(&s);
    table.domains[1].contest.optimum = NAN;
    assert_ok(summary_make(&table, &s, &error), &error);
    assert_int_equal(s.profile_count, 0);
    summary_free(&s);
    results_table_free(&table);
}

static void test_nothing_makes_an_empty_summary(void **state) {
    (void)state;
    results_table none = {0};
    summary s;
    besd_error error;
    assert_ok(summary_make(&none, &s, &error), &error);
    assert_int_equal(s.domain_count, 0);
    assert_int_equal(s.profile_count, 0);
    summary_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_domains_come_in_the_built_in_order),
        cmocka_unit_test(test_points_by_hand),
        cmocka_unit_test(test_a_late_method),
        cmocka_unit_test(test_rivalries_by_hand),
        cmocka_unit_test(test_more_return_is_better),
        cmocka_unit_test(test_profile_by_hand),
        cmocka_unit_test(test_few_runs_have_no_verdict),
        cmocka_unit_test(test_one_run_has_no_spread),
        cmocka_unit_test(test_numbers_have_the_decimals_of_their_spread),
        cmocka_unit_test(test_what_there_is_not),
        cmocka_unit_test(test_nothing_makes_an_empty_summary),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
