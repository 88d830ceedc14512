#include "testing.h"

#include "pages/outcome.h"
#include "results_fixture.h"

static results_table table;
static summary sums;

static int set_up(void **state) {
    besd_error error;
    (void)state;
    table = fixture_table();
    return summary_make(&table, &sums, &error) == BESD_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    summary_free(&sums);
    results_table_free(&table);
    return 0;
}

/* What is told of a summary, as HTML. */
static const char *tell(const summary *s) {
    static char text[5000];
    page p = {.out = fmemopen(text, sizeof text, "w")};
    assert_non_null(p.out);
    text[0] = 0;
    outcome_tell(&p, s);
    fclose(p.out);
    return text;
}

#define assert_says(text, part)                                                                    \
    do {                                                                                           \
        if (!strstr(text, part))                                                                   \
            fail_msg("expected '%s' in '%s'", part, text);                                         \
    } while (0)

/* besd has 35 steps against 70 in gw10, and the same mean return as its rival in tr, which is no
 * lead. Half of the budget brings nobody further than no subgoals. */
static void test_two_domains(void **state) {
    char text[600];
    (void)state;
    assert_int_equal(outcome_replications(&sums), FIXTURE_RUNS);
    outcome_write_standfirst(&sums, text, sizeof text);
    assert_says(text, "the best mean performance in 1 of 2 domains (GW10); 8 replications");
    const char *told = tell(&sums);
    assert_says(told, "in <b>0 of 2</b> domains (none), with all of it in <b>1</b> (GW10)");
    assert_says(told, "excludes zero in its favour in <b>1</b> (GW10)");
    assert_says(told, "<b>TR</b>: besd ends at 13.5");
    assert_null(strstr(told, "<b>GW10</b>"));
    assert_says(told, "With 8 replications the bootstrap knows little");
}

/* Few runs decide nothing, and that is the first that is said of them. */
static void test_headlines(void **state) {
    char text[200];
    (void)state;
    const results_entry *own = sums.domains[0].methods[0].entry;
    results_entry more = *own;
    outcome_write_headline(&sums, text, sizeof text);
    assert_says(text, "a comparison of only 8 runs each");
    more.count = 10;
    sums.domains[0].methods[0].entry = &more;
    outcome_write_headline(&sums, text, sizeof text);
    assert_says(text, ": the comparison");
    sums.domains[0].methods[0].entry = own;
}

static void test_one_domain(void **state) {
    char text[600];
    summary one = sums;
    (void)state;
    one.domain_count = 1; /* gw10 comes first */
    outcome_write_standfirst(&one, text, sizeof text);
    assert_says(text,
                "On GW10, with 400\u202f000 interactions spent, its mean performance is better "
                "than that of all 2 other methods");
    const char *told = tell(&one);
    assert_says(told, "The best other method at the end is random.");
    assert_says(told, "besd ends at 35");
    assert_says(told, "random at 70");
    assert_says(told, "The difference of -35");
    assert_says(told, "is clear: its 95\u00a0% interval excludes zero");
    assert_says(told, "At half of the budget besd is not ahead.");
    assert_null(strstr(told, "1 of 1"));
    summary_method *besd = &one.domains[0].methods[one.domains[0].besd];
    const results_entry *all = besd->entry;
    results_entry few = *all;
    few.count = SUMMARY_FEWEST - 1;
    besd->entry = &few;
    assert_says(tell(&one), "rests on too few runs to be judged");
    besd->entry = all;
}

/* A variant that does better than besd is no rival, and that is said. */
static void test_variants_are_no_rivals(void **state) {
    besd_error error;
    summary other;
    results_table renamed = {.domain_count = 1, .domains = &table.domains[1]};
    results_entry *variant = &table.domains[1].entries[2];
    (void)state;
    snprintf(variant->method, sizeof variant->method, "besd:tau=max");
    assert_ok(summary_make(&renamed, &other, &error), &error);
    const char *told = tell(&other);
    assert_says(told, "ql at 120");
    assert_says(told, "Variants of besd do not count");
    summary_free(&other);
    snprintf(variant->method, sizeof variant->method, "random");
}

static void test_without_a_rival_nothing_is_claimed(void **state) {
    besd_error error;
    char text[600];
    summary alone;
    results_domain only = table.domains[1];
    results_table small = {.domain_count = 1, .domains = &only};
    (void)state;
    only.entry_count = 1; /* besd */
    assert_ok(summary_make(&small, &alone, &error), &error);
    outcome_write_standfirst(&alone, text, sizeof text);
    assert_string_equal(text, "1 domain, 8 replications.");
    assert_string_equal(tell(&alone), "");
    summary_free(&alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_domains),
        cmocka_unit_test(test_headlines),
        cmocka_unit_test(test_one_domain),
        cmocka_unit_test(test_variants_are_no_rivals),
        cmocka_unit_test(test_without_a_rival_nothing_is_claimed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
