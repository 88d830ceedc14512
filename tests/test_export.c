#include "testing.h"

#include "contest/export.h"
#include "contest/summary_json.h"
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
    static const char *const names[] = {
        "curves.csv", "trials.csv", "summary.csv",  "comparisons.csv", "profile.csv",
        "table1.csv", "table1.md",  "summary.json", "learning.csv",    "reach.csv"};
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
        {"reach.csv", "domain,method,regret,cost", 2 * 3 * 2}, /* 50 and 20; 5 and 2 */
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
    json_t *all = summary_json(&sums, &cells);
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

/* Mean regret of a method at a point, from what was measured alone. */
static double plain_mean_regret(const results_domain *d, int method, int k) {
    const results_entry *e = &d->entries[method];
    double sum = 0;
    for (int r = 0; r < e->count; r++) {
        const job_point *p = &e->result[r].points[k];
        double value = p->known ? p->mean : d->contest.plain_score;
        sum += d->contest.maximise ? d->contest.optimum - value : value - d->contest.optimum;
    }
    return sum / e->count;
}

static bool is_passed(const results_domain *d, double regret) {
    bool above = false, below = false;
    for (int m = 0; m < d->entry_count; m++)
        for (int k = 0; k < JOB_POINTS; k++) {
            above |= plain_mean_regret(d, m, k) > regret;
            below |= plain_mean_regret(d, m, k) <= regret;
        }
    return above && below;
}

/* What reach.csv should say of a domain. */
static void write_reach(const results_domain *d, FILE *out) {
    static const double ladder[] = {1000, 500, 200, 100, 50,  20,   10,   5,
                                    2,    1,   0.5, 0.2, 0.1, 0.05, 0.02, 0.01};
    for (int m = 0; isfinite(d->contest.optimum) && m < d->entry_count; m++)
        for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++) {
            int k = 0;
            if (!is_passed(d, ladder[i]))
                continue;
            while (k < JOB_POINTS && plain_mean_regret(d, m, k) > ladder[i])
                k++;
            fprintf(out, "%s,%s,%g,", d->contest.domain, d->entries[m].method, ladder[i]);
            if (k < JOB_POINTS)
                fprintf(out, "%.10g", d->entries[m].result[0].points[k].cost);
            fputc('\n', out);
        }
}

/* Curves that fall and rise again, between a thousand and less than a hundredth. */
static void ruffle(results_table *t) {
    for (int i = 0; i < t->domain_count; i++)
        for (int m = 0; m < t->domains[i].entry_count; m++) {
            const results_contest *c = &t->domains[i].contest;
            const results_entry *e = &t->domains[i].entries[m];
            for (int r = 0; r < e->count; r++)
                for (int k = 0; k < JOB_POINTS; k++) {
                    double regret = 900 * exp(-k * (m + 1) * 0.12) * (1 + (k * 7 + m) % 5 * 0.3);
                    e->result[r].points[k].mean =
                        c->optimum + (c->maximise ? -1 : 1) * (regret + r * 0.001);
                }
        }
}

static void test_reach_against_brute_force(void **state) {
    results_table other = fixture_table();
    summary s;
    besd_error error;
    char expected[20000] = "", got[20000] = "", path[128];
    (void)state;
    for (int unknown = 0; unknown < 2; unknown++) {
        ruffle(&other);
        if (unknown)
            other.domains[0].contest.optimum = NAN; /* tr */
        FILE *file = fmemopen(expected, sizeof expected, "w");
        fputs("domain,method,regret,cost\n", file);
        write_reach(&other.domains[1], file);
        write_reach(&other.domains[0], file);
        fclose(file);
        assert_ok(summary_make(&other, &s, &error), &error);
        assert_ok(export_all(&s, &cells, folder, &error), &error);
        snprintf(path, sizeof path, "%s/reach.csv", folder);
        file = fopen(path, "r");
        got[fread(got, 1, sizeof got - 1, file)] = 0;
        fclose(file);
        assert_string_equal(got, expected);
        assert_non_null(strstr(got, "gw10,random,0.02,")); /* the ladder is long */
        assert_int_equal(strstr(got, "\ntr,") == NULL, unknown);
        json_t *all = summary_json(&s, &cells);
        json_t *methods =
            json_object_get(json_array_get(json_object_get(all, "domains"), 0), "methods");
        json_t *first = json_array_get(json_object_get(json_array_get(methods, 0), "reach"), 0);
        double cost;
        assert_int_equal(sscanf(strstr(got, "gw10,besd,"), "gw10,besd,%*[^,],%lf", &cost), 1);
        assert_close(json_number_value(json_object_get(first, "cost")), cost, 1e-6);
        json_decref(all);
        summary_free(&s);
    }
    results_table_free(&other);
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
        cmocka_unit_test(test_reach_against_brute_force),
        cmocka_unit_test(test_a_folder_that_is_not_there),
        cmocka_unit_test(test_a_full_disk),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
