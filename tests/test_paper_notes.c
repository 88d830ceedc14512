#include "testing.h"

#include "pages/paper_notes.h"
#include "results_fixture.h"

/* gw10 and tr with besd, ql and random. */
static findings found;

static int set_up(void **state) {
    besd_error error;
    (void)state;
    found.table = fixture_table();
    return summary_make(&found.table, &found.summary, &error) == BESD_OK &&
                   table1_make(&found.summary, &found.table1, &error) == BESD_OK
               ? 0
               : -1;
}

static int tear_down(void **state) {
    (void)state;
    findings_free(&found);
    return 0;
}

static char text[20000];

static const char *print_table(const findings *f) {
    page p = {.out = fmemopen(text, sizeof text, "w")};
    text[0] = 0;
    paper_put_table1(&p, f);
    fclose(p.out);
    return text;
}

static const char *print_notes(const summary *s) {
    page p = {.out = fmemopen(text, sizeof text, "w")};
    paper_tell_differences(&p, s);
    fclose(p.out);
    return text;
}

static int count(const char *in, const char *part) {
    int times = 0;
    for (; (in = strstr(in, part)); in++)
        times++;
    return times;
}

/* Columns of the domains that were run, each with its m; the fixture's is 100. */
static void test_columns_of_what_was_run(void **state) {
    const char *table = print_table(&found);
    (void)state;
    assert_non_null(strstr(table, "<th>GW10, m\u00a0=\u00a0100</th><th>TR, m\u00a0=\u00a0100</th>"
                                  "<th>TR, return</th><th>TR, small random start</th></tr>"));
    assert_int_equal(count(table, "<tr>"), 1 + JOB_CHECKPOINTS);
    assert_int_equal(count(table, "<td>"), (1 + 2 + 2) * JOB_CHECKPOINTS);
    assert_non_null(strstr(table, "<td>1 m</td><td><b>0.146</b> (0.458)</td>")); /* 35 / 240 */
    assert_non_null(strstr(table, "Outside TR ours is at least as good as the paper's in "
                                  "<b>2 of 10</b> cells"));
    assert_non_null(strstr(table, "Less is better, for TR more."));
}

static void test_no_tr_no_word_of_it(void **state) {
    besd_error error;
    findings one = found;
    (void)state;
    one.summary.domain_count = 1;
    assert_ok(table1_make(&one.summary, &one.table1, &error), &error);
    const char *table = print_table(&one);
    assert_null(strstr(table, "TR,"));
    assert_null(strstr(table, "TR more"));
    assert_int_equal(count(table, "<td>"), 2 * JOB_CHECKPOINTS);
    assert_null(strstr(print_notes(&one.summary), "TR's"));
}

static void test_no_domain_of_the_paper_no_table(void **state) {
    besd_error error;
    findings none = found;
    (void)state;
    none.summary.domain_count = 0;
    assert_ok(table1_make(&none.summary, &none.table1, &error), &error);
    assert_string_equal(print_table(&none), "");
}

/* Notes are about methods and domains that were run, whatever options they had. */
static void test_notes_of_what_was_run(void **state) {
    results_entry *e = &found.table.domains[1].entries[2];
    const char *notes = print_notes(&found.summary);
    (void)state;
    assert_non_null(strstr(notes, "random keeps"));
    assert_non_null(strstr(notes, "besd differs"));
    assert_non_null(strstr(notes, "blocked move"));
    assert_non_null(strstr(notes, "TR's ratio"));
    assert_null(strstr(notes, "Hyperband"));
    assert_null(strstr(notes, "EI is"));
    assert_null(strstr(notes, "MC has"));
    assert_null(strstr(notes, "Key ratios"));
    snprintf(e->method, sizeof e->method, "hyperband:tau=max");
    assert_non_null(strstr(print_notes(&found.summary), "Hyperband's unit"));
    snprintf(e->method, sizeof e->method, "eight");
    assert_null(strstr(print_notes(&found.summary), "EI is"));
    snprintf(e->method, sizeof e->method, "ei-paper");
    assert_non_null(strstr(print_notes(&found.summary), "EI is"));
    snprintf(e->method, sizeof e->method, "random");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_of_what_was_run),
        cmocka_unit_test(test_no_tr_no_word_of_it),
        cmocka_unit_test(test_no_domain_of_the_paper_no_table),
        cmocka_unit_test(test_notes_of_what_was_run),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
