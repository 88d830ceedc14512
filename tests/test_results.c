#include "testing.h"

#include "contest/results.h"
#include "results_fixture.h"

#include <sqlite3.h>
#include <unistd.h>

static char folder[64], path[128];

static int set_up(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/besd-results-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/results.besd", folder);
    return 0;
}

static void remove_file(void) {
    static const char *const endings[] = {"", "-wal", "-shm"};
    char name[160];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

static int tear_down(void **state) {
    (void)state;
    remove_file();
    return rmdir(folder);
}

/* Somebody else writes into the file. */
static void tamper(const char *statements) {
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, statements, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", statements, sqlite3_errmsg(db));
    sqlite3_close(db);
}

static results *open_results(void) {
    results *r = NULL;
    besd_error error;
    assert_ok(results_open(path, true, &r, &error), &error);
    return r;
}

static results_contest make_contest(const char *name) {
    results_contest c = {.maximise = true,
                         .budget = 1e6 / 3,
                         .optimum = 15.75,
                         .curve_optimum = 47 / 3.0,
                         .plain_score = 5 / 3.0,
                         .instances = 200,
                         .checkpoint = 1000,
                         .seed = UINT64_MAX / 2};
    snprintf(c.domain, sizeof c.domain, "%s", name);
    snprintf(c.identity, sizeof c.identity, "%s wind=0.5", name);
    for (int k = 0; k < JOB_CHECKPOINTS; k++)
        c.plain[k] = 1 / (k + 3.0);
    return c;
}

/* A job whose numbers do not end in decimals, with a first recommendation at point 7. */
static job_result make_job(int replication) {
    job_result job = {0};
    fixture_fill(&job, 1e6 / 3, 100 / 7.0, 10 / 7.0 + replication, 7);
    for (int k = 0; k < JOB_POINTS; k++)
        for (int i = 0; i < 4; i++)
            job.points[k].theta[i] = sqrt(k + i + 2.0) * (i % 2 ? 1e-300 : -1e300);
    for (size_t k = 0; k < job.trial_count; k++)
        job.trials[k].theta[3] = 0.1 + (double)k;
    job_point *change = &job.trials[job.trial_count - 1].change;
    change->known = replication % 2; /* a file may hold both: with changes, and without */
    if (change->known) {
        change->cost = job.trials[job.trial_count - 1].cost;
        change->mean = 10 / 7.0;
        change->se = 1 / 7.0;
        change->theta[2] = 0.3;
    }
    job.curve[0] = NAN;
    return job;
}

static void add(results *r, const char *on, const char *method, int replication) {
    besd_error error;
    job_result job = make_job(replication);
    assert_ok(results_add(r, on, method, replication, &job, 0.5, &error), &error);
    job_result_free(&job);
}

static void assert_same_job(const job_result *got, const job_result *expected) {
    assert_int_equal(got->dimension, expected->dimension);
    for (int k = 0; k < JOB_POINTS; k++) {
        const job_point *a = &got->points[k], *b = &expected->points[k];
        assert_int_equal(a->known, b->known);
        assert_true(a->cost == b->cost);
        if (b->known)
            assert_true(a->mean == b->mean && a->se == b->se);
        assert_memory_equal(a->theta, b->theta, sizeof a->theta);
    }
    for (int k = 0; k < JOB_CHECKPOINTS; k++)
        assert_true(got->curve[k] == expected->curve[k] ||
                    (isnan(got->curve[k]) && isnan(expected->curve[k])));
    assert_int_equal(got->trial_count, expected->trial_count);
    for (size_t k = 0; k < expected->trial_count; k++)
        assert_memory_equal(&got->trials[k], &expected->trials[k], sizeof got->trials[k]);
}

/* Written in any order, closed and opened again: the same bits, methods and replications sorted. */
static void test_what_is_written_is_read(void **state) {
    besd_error error;
    results_table table;
    results_contest c = make_contest("tr");
    results *r = open_results();
    (void)state;
    assert_ok(results_add_contest(r, &c, &error), &error);
    add(r, "tr", "random", 1);
    add(r, "tr", "besd", 0);
    add(r, "tr", "random", 0);
    results_close(r);
    r = NULL;
    assert_ok(results_open(path, false, &r, &error), &error);
    assert_ok(results_load(r, &table, &error), &error);
    results_close(r);
    assert_true(table.seconds == 3 * 0.5);
    assert_int_equal(table.domain_count, 1);
    const results_domain *d = &table.domains[0];
    assert_string_equal(d->contest.domain, "tr");
    assert_true(d->contest.maximise && d->contest.budget == c.budget);
    assert_true(d->contest.optimum == c.optimum && d->contest.curve_optimum == c.curve_optimum);
    assert_true(d->contest.plain_score == c.plain_score && d->contest.seed == c.seed);
    assert_memory_equal(d->contest.plain, c.plain, sizeof c.plain);
    assert_int_equal(d->entry_count, 2);
    assert_string_equal(d->entries[0].method, "besd");
    assert_string_equal(d->entries[1].method, "random");
    assert_int_equal(d->entries[1].count, 2);
    for (int i = 0; i < 2; i++) {
        job_result expected = make_job(i);
        assert_int_equal(d->entries[1].replication[i], i);
        assert_same_job(&d->entries[1].result[i], &expected);
        job_result_free(&expected);
    }
    results_table_free(&table);
}

static void test_a_job_counts_once(void **state) {
    besd_error error;
    bool has = true;
    results_table table;
    results_contest c = make_contest("tr");
    results *r = open_results();
    (void)state;
    assert_ok(results_add_contest(r, &c, &error), &error);
    assert_ok(results_has(r, "tr", "besd", 3, &has, &error), &error);
    assert_false(has);
    add(r, "tr", "besd", 3);
    add(r, "tr", "besd", 3); /* another process had the same idea */
    assert_ok(results_has(r, "tr", "besd", 3, &has, &error), &error);
    assert_true(has);
    assert_ok(results_has(r, "tr", "besd", 2, &has, &error), &error);
    assert_false(has);
    assert_ok(results_load(r, &table, &error), &error);
    assert_int_equal(table.domains[0].entries[0].count, 1);
    results_table_free(&table);
    results_close(r);
}

/* Fails in the middle of a job: nothing of it stays, and the file goes on. */
static void test_a_job_is_written_whole_or_not_at_all(void **state) {
    besd_error error;
    bool has = true;
    job_result job = make_job(0);
    results *r = open_results();
    (void)state;
    tamper("INSERT INTO trial VALUES(1, 1, '[]', 1, 1, 0, 0, 0)"); /* in the second one's place */
    assert_fails(results_add(r, "tr", "besd", 0, &job, 0.5, &error), BESD_IO, &error,
                 "UNIQUE constraint failed");
    assert_ok(results_has(r, "tr", "besd", 0, &has, &error), &error);
    assert_false(has);
    tamper("DELETE FROM trial");
    assert_ok(results_add(r, "tr", "besd", 0, &job, 0.5, &error), &error);
    job_result_free(&job);
    results_close(r);
}

static void test_settling_finds_what_was_settled(void **state) {
    besd_error error;
    bool found = true;
    results_contest c = make_contest("tr"), again;
    results *r = open_results();
    (void)state;
    assert_ok(results_settle(r, &c, &found, &error), &error);
    assert_false(found);
    assert_ok(results_add_contest(r, &c, &error), &error);
    again = c;
    again.optimum = 0;
    memset(again.plain, 0, sizeof again.plain);
    assert_ok(results_settle(r, &again, &found, &error), &error);
    assert_true(found && again.optimum == c.optimum);
    assert_memory_equal(again.plain, c.plain, sizeof c.plain);
    results_close(r);
}

static void test_other_settings_are_refused_by_name(void **state) {
    besd_error error;
    bool found;
    results_contest c = make_contest("tr"), other;
    results *r = open_results();
    (void)state;
    assert_ok(results_add_contest(r, &c, &error), &error);
    other = c;
    other.budget = 5;
    other.instances = 7;
    assert_fails(
        results_settle(r, &other, &found, &error), BESD_INVALID, &error,
        "for tr: budget: 333333.33333333331, now 5; test instances: 200, now 7; choose another");
    other = c;
    other.checkpoint = 3;
    assert_fails(results_settle(r, &other, &found, &error), BESD_INVALID, &error,
                 "for tr: checkpoint: 1000, now 3; choose");
    other = c;
    other.seed--; /* as floating-point numbers they are equal */
    assert_fails(results_settle(r, &other, &found, &error), BESD_INVALID, &error,
                 "for tr: seed: 9223372036854775807, now 9223372036854775806; choose");
    other = c;
    other.budget = nextafter(c.budget, 0);
    assert_fails(results_settle(r, &other, &found, &error), BESD_INVALID, &error,
                 "budget: 333333.33333333331, now 333333.33333333326;");
    other = c;
    snprintf(other.identity, sizeof other.identity, "tr wind=0");
    assert_fails(results_settle(r, &other, &found, &error), BESD_INVALID, &error,
                 "for tr: domain: 'tr wind=0.5', now 'tr wind=0'; choose");
    snprintf(other.identity, sizeof other.identity, "tr wind=0");
    other.budget = 5; /* whatever differs is named */
    other.seed = 3;
    assert_fails(results_settle(r, &other, &found, &error), BESD_INVALID, &error,
                 "for tr: budget: 333333.33333333331, now 5; seed: 9223372036854775807, now 3; "
                 "domain: 'tr wind=0.5', now 'tr wind=0'; choose");
    results_close(r);
}

static void test_an_unknown_optimum_stays_unknown(void **state) {
    besd_error error;
    bool found;
    results_contest c = make_contest("mine");
    results *r = open_results();
    (void)state;
    c.optimum = NAN;
    assert_ok(results_add_contest(r, &c, &error), &error);
    c.optimum = 1;
    assert_ok(results_settle(r, &c, &found, &error), &error);
    assert_true(found && isnan(c.optimum));
    results_close(r);
}

static void test_files_that_are_something_else(void **state) {
    besd_error error;
    results *r = NULL;
    (void)state;
    assert_fails(results_open(path, false, &r, &error), BESD_IO, &error,
                 "cannot be opened: No such file");
    assert_fails(results_open("/nowhere/results.besd", true, &r, &error), BESD_IO, &error,
                 "/nowhere/results.besd: ");
    tamper("CREATE TABLE song(title TEXT)");
    assert_fails(results_open(path, true, &r, &error), BESD_IO, &error,
                 "not the results of a comparison");
    assert_null(r);
}

static void test_results_of_the_future(void **state) {
    besd_error error;
    results *r = open_results();
    (void)state;
    results_close(r);
    r = NULL;
    tamper("PRAGMA user_version = 9");
    assert_fails(results_open(path, true, &r, &error), BESD_IO, &error,
                 "written by a newer besd (schema 9, this one knows 3); choose another folder");
    assert_null(r);
}

/* What no comparison writes. */
static const char *const damage[] = {
    "UPDATE contest SET budget = 0",
    "UPDATE contest SET budget = -1",
    "UPDATE contest SET budget = 9e999",
    "UPDATE contest SET checkpoint = 9223372036854775807",
    "UPDATE contest SET checkpoint = 0",
    "UPDATE contest SET instances = -5",
    "UPDATE contest SET instances = 9223372036854775807",
    "UPDATE contest SET maximise = 2",
    "UPDATE contest SET optimum = 9e999",
    "UPDATE contest SET plain_score = 1e200",
    "UPDATE contest SET domain = ''",
    "UPDATE contest SET domain = printf('%.*c', 64, 'x')",
    "UPDATE contest SET domain = CAST(x'ff' AS TEXT)",
    "UPDATE contest SET identity = printf('%.*c', 1024, 'x')",
    "UPDATE plain SET k = -5 WHERE k = 0",
    "UPDATE plain SET mean = -9e999 WHERE k = 0",
    "UPDATE job SET dimension = 100000",
    "UPDATE job SET dimension = -1",
    "UPDATE job SET dimension = 5",
    "UPDATE job SET replication = 1 << 33",
    "UPDATE job SET method = ''",
    "UPDATE job SET method = printf('%.*c', 5000, 'x')",
    "UPDATE point SET k = 40 WHERE k = 39",
    "UPDATE point SET k = -1 WHERE k = 38",
    "UPDATE point SET k = k + 4294967296 WHERE k = 38",
    "DELETE FROM point WHERE k = 20",
    "UPDATE point SET cost = -1 WHERE k = 39",
    "UPDATE point SET cost = 9e999 WHERE k = 39",
    "UPDATE point SET mean = 9e999 WHERE k = 39",
    "UPDATE point SET mean = NULL WHERE k = 39",
    "UPDATE point SET se = -1 WHERE k = 39",
    "UPDATE point SET theta = '[1,2,3]' WHERE k = 39",
    "UPDATE point SET theta = '[1,2,3,4,5]' WHERE k = 39",
    "UPDATE point SET theta = '[1,2,3,nan]' WHERE k = 39",
    "UPDATE curve SET k = 10 WHERE k = 9",
    "UPDATE curve SET mean = 9e999 WHERE k = 9",
    "UPDATE trial SET reason = 99 WHERE k = 0",
    "UPDATE trial SET theta = 'song' WHERE k = 0",
    "UPDATE trial SET tau = 0 WHERE k = 0",
    "UPDATE trial SET reps = 0 WHERE k = 0",
    "UPDATE trial SET reps = 1 << 32 WHERE k = 0",
    "UPDATE trial SET cost = -1 WHERE k = 0",
    "UPDATE trial SET mean = 1e308 WHERE k = 0",
    "UPDATE trial SET k = 7 WHERE k = 1",
    "UPDATE change SET k = 7",
    "UPDATE change SET se = -1",
    "UPDATE effort SET seconds = -1",
};

/* Whatever no comparison writes is refused, in a sentence that names the file. */
static void test_damaged_rows(void **state) {
    (void)state;
    results_contest c = make_contest("tr");
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        besd_error error = {BESD_OK, ""};
        results_table table;
        results *r = open_results();
        assert_ok(results_add_contest(r, &c, &error), &error);
        add(r, "tr", "besd", 1);
        assert_ok(results_load(r, &table, &error), &error);
        results_table_free(&table);
        tamper(damage[i]);
        besd_status status = results_load(r, &table, &error);
        if (status != BESD_IO || !strstr(error.message, path) || !strstr(error.message, "damaged"))
            fail_msg("%s: expected BESD_IO and damage, got %s and '%s'", damage[i],
                     besd_status_name(status), error.message);
        assert_int_equal(table.domain_count, 0);
        results_close(r);
        remove_file();
    }
}

/* Tables that are not those of a comparison. */
static void test_crafted_schemas(void **state) {
    static const struct {
        const char *damage, *sentence;
    } cases[] = {
        {"ALTER TABLE job RENAME TO kept; CREATE VIEW job AS SELECT * FROM kept", "'job'"},
        {"CREATE TRIGGER t BEFORE INSERT ON job BEGIN SELECT RAISE(IGNORE); END", "trigger 't'"},
        {"CREATE TABLE song(title)", "it has the table 'song', which the results of a comparison"},
        {"CREATE TABLE change(job, k, mean, se, theta)", "its table 'change' is not the one"},
        {"CREATE VIEW change AS SELECT 1", "view 'change'"},
        {"DROP TABLE effort", "its table 'effort' is missing"},
        {"ALTER TABLE contest ADD COLUMN more", "its table 'contest' is not the one"},
        {"CREATE INDEX i ON point(cost)", "index 'i'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_error error;
        results *r = open_results();
        results_close(r);
        r = NULL;
        tamper(cases[i].damage);
        for (int create = 0; create < 2; create++)
            assert_fails(results_open(path, create, &r, &error), BESD_IO, &error,
                         cases[i].sentence);
        assert_non_null(strstr(error.message, path));
        assert_null(r);
        remove_file();
    }
}

#define each(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        each(test_what_is_written_is_read),
        each(test_a_job_counts_once),
        each(test_a_job_is_written_whole_or_not_at_all),
        each(test_settling_finds_what_was_settled),
        each(test_other_settings_are_refused_by_name),
        each(test_an_unknown_optimum_stays_unknown),
        each(test_files_that_are_something_else),
        each(test_results_of_the_future),
        each(test_damaged_rows),
        each(test_crafted_schemas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
