/* Comparisons on a disk that fails: at every change of a file from making the results to closing
 * them the disk is full from there on, or reports one error. The sentence names the file, no job
 * that was reported as finished is lost, and a second run on a sound disk ends with the results of
 * an undisturbed one. */
#include "study_fixture.h" /* first: it asks for GNU names */

#include "faulty_vfs.h"

#include "contest/compare.h"

static besd_error error;

enum { CONTENDERS = 2, REPLICATIONS = 2, JOBS = CONTENDERS * REPLICATIONS };

/* Jobs of a few milliseconds. */
static void describe(comparison *c) {
    static const char *const names[CONTENDERS] = {"random", "lcb"};
    domain d;
    memset(c, 0, sizeof *c);
    assert_ok(domain_find("gw10", &d, &error), &error);
    contest_init(&c->contests[c->contest_count++], &d);
    c->contests[0].budget = 4000;
    c->contests[0].instances = 1;
    c->contests[0].checkpoint = 10;
    c->contests[0].seed = 3;
    for (int i = 0; i < CONTENDERS; i++)
        assert_ok(contender_parse(&c->contenders[c->contender_count++], names[i], &error), &error);
    c->replications = REPLICATIONS;
    c->threads = 1;
}

/* What a comparison told of its progress. */
typedef struct told {
    int count;
    struct {
        char method[CONTENDER_MAX_NAME];
        int replication;
    } jobs[JOBS];
} told;

static bool note(void *context, int64_t done, int64_t total, const char *on, const char *method,
                 int replication) {
    told *t = context;
    (void)done;
    (void)total;
    (void)on;
    snprintf(t->jobs[t->count].method, CONTENDER_MAX_NAME, "%s", method);
    t->jobs[t->count++].replication = replication;
    return true;
}

/* Opens, runs and closes; what failed first. */
static besd_status run(const comparison *c, const char *path, told *t) {
    results *r = NULL;
    besd_status status = results_open(path, true, &r, &error);
    if (status == BESD_OK)
        status = compare_run(c, r, note, t, &error);
    results_close(r);
    return status;
}

static results_table load(const char *path) {
    results *r = NULL;
    results_table table;
    assert_ok(results_open(path, false, &r, &error), &error);
    assert_ok(results_load(r, &table, &error), &error);
    results_close(r);
    return table;
}

static void assert_same_job(const job_result *got, const job_result *expected) {
    assert_int_equal(got->dimension, expected->dimension);
    assert_memory_equal(got->points, expected->points, sizeof got->points);
    assert_memory_equal(got->curve, expected->curve, sizeof got->curve);
    assert_int_equal(got->trial_count, expected->trial_count);
    assert_memory_equal(got->trials, expected->trials, got->trial_count * sizeof *got->trials);
}

static void assert_same_results(const char *path, const results_table *whole) {
    results_table table = load(path);
    assert_int_equal(table.domain_count, 1);
    const results_domain *got = &table.domains[0], *expected = &whole->domains[0];
    assert_memory_equal(&got->contest, &expected->contest, sizeof got->contest);
    assert_int_equal(got->entry_count, CONTENDERS);
    for (int i = 0; i < CONTENDERS; i++) {
        assert_string_equal(got->entries[i].method, expected->entries[i].method);
        assert_int_equal(got->entries[i].count, REPLICATIONS);
        for (int k = 0; k < REPLICATIONS; k++)
            assert_same_job(&got->entries[i].result[k], &expected->entries[i].result[k]);
    }
    results_table_free(&table);
}

static void assert_kept(const char *path, const told *t) {
    results *r = NULL;
    assert_ok(results_open(path, true, &r, &error), &error);
    for (int i = 0; i < t->count; i++) {
        bool has = false;
        assert_ok(results_has(r, "gw10", t->jobs[i].method, t->jobs[i].replication, &has, &error),
                  &error);
        assert_true(has);
    }
    results_close(r);
}

/* Fails at change `at`; whether the disk was changed that often. */
static bool fail_once(const comparison *c, fault kind, int at, const results_table *whole,
                      int *failures) {
    char path[PATH_SIZE];
    told before = {0}, after = {0};
    new_path(path);
    use_faulty_disk(kind, at);
    besd_status status = run(c, path, &before);
    bool reached = disk.changes >= at;
    use_real_disk();
    if (status == BESD_OK) { /* a fault while closing harms nothing: the log has everything */
        assert_int_equal(before.count, JOBS);
    } else {
        assert_fails(status, BESD_IO, &error, path);
        assert_non_null(strstr(error.message, kind == FAULT_FULL ? "could not be written: the disk"
                                                                 : "could not be read or written"));
        ++*failures;
    }
    assert_kept(path, &before);
    assert_ok(run(c, path, &after), &error);
    assert_int_equal(before.count + after.count, JOBS);
    assert_same_results(path, whole);
    return reached;
}

static void fail_everywhere(fault kind) {
    enum { STEP = TEST_SIZE(1, 7) };
    comparison *c = malloc(sizeof *c);
    char path[PATH_SIZE];
    told t = {0};
    int at = 1, failures = 0;
    assert_non_null(c);
    describe(c);
    assert_ok(run(c, new_path(path), &t), &error);
    results_table whole = load(path);
    while (fail_once(c, kind, at, &whole, &failures))
        at += STEP;
    assert_true(failures > 50 / STEP); /* tables, a contest and four jobs change it that often */
    results_table_free(&whole);
    free(c);
}

/* The paper's budgets are of its own domains, not of any with their names. */
static void test_contests(void **state) {
    (void)state;
    domain d;
    contest c;
    assert_ok(domain_find("key2", &d, &error), &error);
    contest_init(&c, &d);
    assert_true(c.budget == 8e5 && c.checkpoint == 500);
    domain_init(&d, "key2", "somebody else's");
    d.tau[0] = 1000;
    contest_init(&c, &d);
    assert_true(c.budget == 0 && c.checkpoint == 100);
}

static void test_disk_full(void **state) {
    (void)state;
    fail_everywhere(FAULT_FULL);
}

static void test_faulty_device(void **state) {
    (void)state;
    fail_everywhere(FAULT_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contests),
        cmocka_unit_test(test_disk_full),
        cmocka_unit_test(test_faulty_device),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
