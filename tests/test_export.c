#include "testing.h"

#include "lab/export.h"
#include "results_fixture.h"

#include <unistd.h>

static char folder[64];
static results_table table;
static summary sums;
static table1 cells;

static int set_up(void **state) {
    besd_error error;
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/besd-export-XXXXXX");
    table = fixture_table();
    return mkdtemp(folder) && summary_make(&table, &sums, &error) == BESD_OK &&
                   table1_make(&sums, &cells, &error) == BESD_OK
               ? 0
               : -1;
}

static int tear_down(void **state) {
    static const char *const names[] = {"curves.csv",      "trials.csv",   "summary.csv",
                                        "comparisons.csv", "profile.csv",  "table1.csv",
                                        "table1.md",       "summary.json", "learning.csv"};
    char path[128];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    summary_free(&sums);
    results_table_free(&table);
    return rmdir(folder);
}

/* The first line, and the number of those after it; every line has as many fields. */
static int read_csv(const char *name, char *head, size_t size) {
    char path[128], line[2000];
    int rows = -1;
    size_t commas = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (; fgets(line, sizeof line, file); rows++) {
        size_t own = 0;
        for (char *c = line; *c; c++)
            own += *c == ',';
        if (rows < 0) {
            snprintf(head, size, "%.*s", (int)strcspn(line, "\n"), line);
            commas = own;
        }
        assert_int_equal(own, commas);
    }
    fclose(file);
    return rows;
}

static void test_columns_and_rows(void **state) {
    const int jobs = 2 * (2 * FIXTURE_RUNS + 1), trials = 2 * 2 * 2 * FIXTURE_RUNS;
    const struct {
        const char *name, *head;
        int rows;
    } expected[] = {
        {"curves.csv",
         "domain,method,replication,cost,mean,se,regret,log_regret,theta_1,theta_2,theta_3,theta_4",
         jobs * JOB_POINTS},
        {"trials.csv",
         "domain,method,replication,trial,tau,reps,reason,cost,mean,theta_1,theta_2,theta_3,theta_"
         "4",
         trials},
        {"summary.csv",
         "domain,method,cost,replications,mean,two_se,iqm,iqm_low,iqm_high,log_regret,"
         "log_regret_two_se",
         2 * 3 * JOB_POINTS},
        {"comparisons.csv",
         "domain,method,at,difference,difference_low,difference_high,favours,improvement,"
         "improvement_low,improvement_high,area_besd,area_method,cost_besd_to_reach,"
         "cost_method_to_reach,cost_ratio,best_baseline",
         2 * 2 * MOMENTS},
        {"profile.csv", "method,threshold,share,share_low,share_high,iqm,iqm_low,iqm_high",
         3 * SUMMARY_THRESHOLDS},
        {"table1.csv", "interactions_in_m,gw10,gw20,tr,mc,key2,key3,tr_return,tr_small_random",
         10}};
    besd_error error;
    char head[400];
    (void)state;
    assert_ok(export_all(&sums, &cells, folder, &error), &error);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(read_csv(expected[i].name, head, sizeof head), expected[i].rows);
        assert_string_equal(head, expected[i].head);
    }
}

/* gw10: 35 / 240, less than the paper's 0.458 and more than its 0.069. */
static void test_table1_by_hand(void **state) {
    (void)state;
    assert_close(cells.ratio[0][0], 35 / 240.0, 1e-15);
    assert_close(cells.ratio[9][TABLE1_TR], 13.5 / 10, 1e-15);
    assert_close(cells.tr_return[9], 13.5, 1e-12);
    assert_true(isnan(cells.ratio[0][1]));
    assert_int_equal(cells.cells, JOB_CHECKPOINTS);
    assert_int_equal(cells.at_least_as_good, 2); /* 0.458 and 0.218 */
}

/* Neither other constants nor a plain agent that earned nothing make a cell. */
static void test_no_cell_of_table1(void **state) {
    (void)state;
    results_table other = fixture_table();
    summary s;
    table1 t;
    besd_error error;
    snprintf(other.domains[1].contest.identity, sizeof other.domains[1].contest.identity,
             "gw10 cap=80");
    other.domains[0].contest.plain[3] = 0;
    assert_ok(summary_make(&other, &s, &error), &error);
    assert_ok(table1_make(&s, &t, &error), &error);
    assert_true(isnan(t.ratio[0][0]));
    assert_true(isnan(t.ratio[3][TABLE1_TR]) && isfinite(t.ratio[4][TABLE1_TR]));
    assert_int_equal(t.cells, 0);
    summary_free(&s);
    results_table_free(&other);
}

static void test_json_has_what_the_files_have(void **state) {
    json_t *all = export_json(&sums, &cells);
    (void)state;
    assert_non_null(all);
    assert_int_equal(json_array_size(json_object_get(all, "domains")), 2);
    assert_int_equal(json_array_size(json_object_get(all, "profiles")), 3);
    json_t *first = json_array_get(json_object_get(all, "domains"), 0);
    json_t *rivalry = json_array_get(json_object_get(first, "comparisons"), 1);
    json_t *end = json_object_get(rivalry, "final");
    assert_string_equal(json_string_value(json_object_get(end, "favours")), "besd");
    assert_close(json_number_value(json_object_get(json_object_get(end, "difference"), "value")),
                 -35, 1e-9);
    json_decref(all);
}

static void test_a_folder_that_is_not_there(void **state) {
    besd_error error;
    (void)state;
    assert_fails(export_all(&sums, &cells, "/nowhere", &error), BESD_IO, &error,
                 "/nowhere/curves.csv: No such file");
}

static void test_a_full_disk(void **state) {
    export_file f;
    besd_error error;
    (void)state;
    if (access("/dev/full", W_OK))
        skip();
    assert_ok(export_open(&f, "/dev", "full", &error), &error);
    export_number(&f, 1);
    assert_fails(export_close(&f, &error), BESD_IO, &error, "could not be written");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_and_rows),
        cmocka_unit_test(test_table1_by_hand),
        cmocka_unit_test(test_no_cell_of_table1),
        cmocka_unit_test(test_json_has_what_the_files_have),
        cmocka_unit_test(test_a_folder_that_is_not_there),
        cmocka_unit_test(test_a_full_disk),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
