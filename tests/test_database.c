#include "testing.h"

#include "core/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 64 };

static const database_kind kind = {.what = "a list of stars",
                                   .application = 0x73746172,
                                   .schema = 7,
                                   .oldest = 5,
                                   .advice = "; look elsewhere",
                                   .tables = "CREATE TABLE star(name TEXT)",
                                   .durable = "NORMAL"};

static besd_error error;
static char folder[] = "/tmp/besd-database-XXXXXX", path[PATH_SIZE];

static int set_up(void **state) {
    (void)state;
    unlink(path);
    return 0;
}

static database made(void) {
    database d;
    assert_ok(database_open(&d, path, true, &kind, &error), &error);
    return d;
}

/* Whatever it was opened for, what refuses it leaves nothing open. */
static void refused(bool create, const char *sentence) {
    database d;
    assert_fails(database_open(&d, path, create, &kind, &error), BESD_IO, &error, sentence);
    assert_null(d.db);
    assert_null(d.path);
}

static void set(const char *pragma) {
    sqlite3 *raw;
    assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
    assert_int_equal(sqlite3_exec(raw, pragma, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(raw);
}

static int64_t stars(database *d) {
    int64_t count = -1;
    assert_ok(database_read_integer(d, "SELECT count(*) FROM star", &count, &error), &error);
    return count;
}

static void test_made_once(void **state) {
    (void)state;
    database first = made(), second = made();
    assert_ok(database_begin(&first, &error), &error);
    sqlite3_stmt *s;
    assert_ok(database_prepare(&first, "INSERT INTO star VALUES('Vega')", &s, &error), &error);
    assert_ok(database_step(&first, s, &error), &error);
    assert_ok(database_finish(&first, s, &error), &error);
    assert_int_equal(stars(&second), 0);
    assert_ok(database_end(&first, BESD_OK, &error), &error);
    assert_int_equal(stars(&second), 2);
    database_close(&second);
    database_close(&first);
}

static void test_what_failed_is_rolled_back(void **state) {
    (void)state;
    database d = made();
    sqlite3_stmt *s;
    assert_ok(database_begin(&d, &error), &error);
    assert_ok(database_prepare(&d, "INSERT INTO star VALUES('Vega')", &s, &error), &error);
    assert_ok(database_finish(&d, s, &error), &error);
    assert_int_equal(database_end(&d, BESD_MEMORY, &error), BESD_MEMORY);
    assert_int_equal(stars(&d), 0);
    assert_fails(database_prepare(&d, "SELECT x FROM nowhere", &s, &error), BESD_IO, &error,
                 "no such table: nowhere");
    database_close(&d);
}

static void test_other_files(void **state) {
    (void)state;
    refused(false, "it cannot be opened: No such file or directory");
    FILE *file = fopen(path, "w");
    fclose(file);
    refused(false, "it is empty, not a list of stars");
    file = fopen(path, "w");
    fputs("Dear diary, nothing of interest happened today, and that at length.", file);
    fclose(file);
    refused(true, "it is not a list of stars, or it is damaged");
    unlink(path);
    set("CREATE TABLE t(x)");
    refused(true, "it is not a list of stars");
}

static void test_other_schemas(void **state) {
    (void)state;
    database d = made();
    database_close(&d);
    set("PRAGMA user_version = 8");
    refused(true, "it was written by a newer besd (schema 8, this one knows 7); look elsewhere");
    set("PRAGMA user_version = 4");
    refused(false, "it was written by an older besd (schema 4, this one knows 7); look elsewhere");
    set("PRAGMA user_version = 5");
    assert_ok(database_open(&d, path, false, &kind, &error), &error);
    database_close(&d);
}

/* Looking at a file that may not be written does not write. Root may write everything. */
static void test_read_only(void **state) {
    (void)state;
    if (!geteuid())
        skip();
    database d = made();
    database_close(&d);
    set("PRAGMA journal_mode = DELETE");
    assert_int_equal(chmod(path, 0444), 0);
    assert_ok(database_open(&d, path, false, &kind, &error), &error);
    assert_int_equal(stars(&d), 0);
    database_close(&d);
    refused(true, "it cannot be written");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_made_once, set_up),
        cmocka_unit_test_setup(test_what_failed_is_rolled_back, set_up),
        cmocka_unit_test_setup(test_other_files, set_up),
        cmocka_unit_test_setup(test_other_schemas, set_up),
        cmocka_unit_test_setup(test_read_only, set_up),
    };
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/stars", folder);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    rmdir(folder);
    return failures;
}
