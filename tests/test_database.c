#include "testing.h"

#include "core/database.h"
#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 64 };

/* What the newest schema has and the older ones lack: a column. */
static struct {
    int calls;
    int64_t from;
    bool alone; /* inside a transaction */
    besd_status result;
} migration;

static besd_status migrate(database *d, int64_t from, besd_error *e) {
    migration.calls++;
    migration.from = from;
    migration.alone = !sqlite3_get_autocommit(d->db);
    besd_status status = database_run(d, "ALTER TABLE star ADD COLUMN light TEXT", e);
    if (status == BESD_OK && migration.result != BESD_OK)
        return besd_fail(e, migration.result, "the stars are gone");
    return status;
}

static const char old_tables[] = "CREATE TABLE star(name TEXT)";
static const char *const older[] = {old_tables, old_tables};

static const database_kind kind = {.what = "a list of stars",
                                   .application = 0x73746172,
                                   .schema = 7,
                                   .oldest = 5,
                                   .advice = "; look elsewhere",
                                   .tables = "CREATE TABLE star(name TEXT, light TEXT)",
                                   .older = older,
                                   .optional = "CREATE TABLE moon(name TEXT)",
                                   .durable = "NORMAL",
                                   .migrate = migrate};

static besd_error error;
static char folder[] = "/tmp/besd-database-XXXXXX", path[PATH_SIZE];

static int set_up(void **state) {
    (void)state;
    unlink(path);
    memset(&migration, 0, sizeof migration);
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
    assert_ok(database_prepare(&first, "INSERT INTO star(name) VALUES('Vega')", &s, &error),
              &error);
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
    assert_ok(database_prepare(&d, "INSERT INTO star(name) VALUES('Vega')", &s, &error), &error);
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
    assert_int_equal(migration.calls, 0);
}

/* A file of the oldest schema that is still known, with one star. */
static void make_old(void) {
    char text[128];
    snprintf(text, sizeof text, "PRAGMA application_id = %d; PRAGMA user_version = 5",
             kind.application);
    set(text);
    set("CREATE TABLE star(name TEXT); INSERT INTO star VALUES('Vega')");
}

static int64_t number(database *d, const char *query) {
    int64_t value = -1;
    assert_ok(database_read_integer(d, query, &value, &error), &error);
    return value;
}

static void read_all(unsigned char *bytes, size_t capacity, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *size = fread(bytes, 1, capacity, file);
    fclose(file);
}

/* The schema that the file itself says. */
static int64_t schema_on_disk(void) {
    sqlite3 *raw;
    assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
    database d = {.db = raw, .path = path, .kind = &kind};
    int64_t version = number(&d, "PRAGMA user_version");
    sqlite3_close(raw);
    return version;
}

/* Whoever writes brings it up to date, once. */
static void test_migrated_once(void **state) {
    (void)state;
    database d;
    make_old();
    for (int again = 0; again < 2; again++) {
        assert_ok(database_open(&d, path, true, &kind, &error), &error);
        assert_int_equal(schema_on_disk(), again ? 7 : 5);
        assert_ok(database_begin(&d, &error), &error);
        assert_ok(database_commit(&d, &error), &error);
        assert_int_equal(migration.calls, 2); /* of a copy in memory, and of the file */
        assert_int_equal(migration.from, 5);
        assert_true(migration.alone);
        assert_int_equal(number(&d, "PRAGMA user_version"), 7);
        assert_int_equal(number(&d, "SELECT count(*) FROM star WHERE light IS NULL"), 1);
        database_close(&d);
        assert_int_equal(schema_on_disk(), 7);
    }
}

/* Looking at it does not change it; the first transaction that writes does. */
static void test_looking_does_not_migrate(void **state) {
    (void)state;
    static unsigned char before[65536], after[65536];
    size_t size, size_after;
    database d;
    make_old();
    read_all(before, sizeof before, &size);
    for (int again = 0; again < 2; again++) {
        assert_ok(database_open(&d, path, false, &kind, &error), &error);
        assert_ok(database_begin_reading(&d, &error), &error);
        assert_int_equal(number(&d, "SELECT count(*) FROM star WHERE light IS NULL"), 1);
        database_rollback(&d);
        assert_int_equal(number(&d, "PRAGMA user_version"), 7);
        database_close(&d);
        read_all(after, sizeof after, &size_after);
        assert_int_equal(size_after, size);
        assert_memory_equal(after, before, size);
    }
    assert_ok(database_open(&d, path, false, &kind, &error), &error);
    migration.result = BESD_IO; /* which leaves everything as it was */
    assert_fails(database_begin(&d, &error), BESD_IO, &error, "the stars are gone");
    assert_int_equal(number(&d, "SELECT count(*) FROM star WHERE light IS NULL"), 1);
    migration.result = BESD_OK;
    assert_ok(database_begin(&d, &error), &error);
    assert_ok(database_run(&d, "INSERT INTO star VALUES('Deneb', 'white')", &error), &error);
    assert_ok(database_end(&d, BESD_OK, &error), &error);
    database_close(&d);
    assert_int_equal(schema_on_disk(), 7);
    assert_ok(database_open(&d, path, false, &kind, &error), &error);
    assert_int_equal(stars(&d), 2);
    database_close(&d);
}

/* A copy in memory follows the file: what others write is seen, whoever brings it up to date. */
static void test_a_copy_follows_the_file(void **state) {
    (void)state;
    database reader, writer;
    make_old();
    assert_ok(database_open(&reader, path, false, &kind, &error), &error);
    set("INSERT INTO star VALUES('Deneb')");
    assert_ok(database_begin_reading(&reader, &error), &error);
    assert_int_equal(stars(&reader), 2);
    database_rollback(&reader);
    assert_ok(database_open(&writer, path, true, &kind, &error), &error);
    assert_ok(database_begin(&writer, &error), &error);
    assert_ok(database_run(&writer, "INSERT INTO star VALUES('Altair', 'white')", &error), &error);
    assert_ok(database_commit(&writer, &error), &error);
    assert_ok(database_begin_reading(&reader, &error), &error);
    assert_int_equal(stars(&reader), 3);
    database_rollback(&reader);
    assert_ok(database_run(&writer, "DELETE FROM star", &error), &error);
    assert_ok(database_begin_reading(&reader, &error), &error);
    assert_int_equal(stars(&reader), 0);
    database_rollback(&reader);
    database_close(&reader);
    database_close(&writer);
}

/* A migration that fails has not been. */
static void test_failed_migration(void **state) {
    (void)state;
    database d;
    make_old();
    for (int create = 0; create < 2; create++) {
        migration.result = BESD_IO;
        refused(create, "the stars are gone");
        migration.result = BESD_MEMORY;
        assert_int_equal(database_open(&d, path, create, &kind, &error), BESD_MEMORY);
        assert_null(d.db);
    }
    sqlite3 *raw;
    assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
    d = (database){.db = raw, .path = path, .kind = &kind};
    assert_int_equal(number(&d, "PRAGMA user_version"), 5);
    assert_int_equal(number(&d, "SELECT count(*) FROM pragma_table_info('star')"), 1);
    assert_int_equal(stars(&d), 1);
    sqlite3_close(raw);
    migration.result = BESD_OK;
    assert_ok(database_open(&d, path, false, &kind, &error), &error);
    assert_int_equal(stars(&d), 1);
    database_close(&d);
}

/* What may not be written is brought up to date in memory; nothing can be written there, because it
 * would be lost. The superuser may write everything, so the test becomes nobody for a while. */
static void test_migrated_in_memory(void **state) {
    (void)state;
    static unsigned char before[65536], after[65536];
    size_t size, size_after;
    make_old();
    read_all(before, sizeof before, &size);
    assert_int_equal(chmod(path, 0444), 0);
    for (int archive = 0; archive < 2; archive++) { /* the folder may not be written either */
        database d;
        besd_error refusal = {BESD_OK, ""};
        int64_t version = -1, count = -1;
        assert_int_equal(chmod(folder, archive ? 0555 : 0777), 0);
        if (geteuid() == 0 && seteuid(65534) != 0)
            skip();
        besd_status status = database_open(&d, path, false, &kind, &error), writing = BESD_OK;
        if (status == BESD_OK) {
            database_read_integer(&d, "PRAGMA user_version", &version, &error);
            database_read_integer(&d, "SELECT count(*) FROM star WHERE light IS NULL", &count,
                                  &error);
            writing = database_run(&d, "DELETE FROM star", &refusal);
            database_close(&d);
        }
        if (getuid() == 0)
            assert_int_equal(seteuid(0), 0);
        assert_int_equal(chmod(folder, 0700), 0);
        assert_ok(status, &error);
        assert_int_equal(version, 7);
        assert_int_equal(count, 1);
        assert_fails(writing, BESD_IO, &refusal, "it cannot be written");
        assert_non_null(strstr(refusal.message, path));
    }
    read_all(after, sizeof after, &size_after);
    assert_int_equal(size_after, size);
    assert_memory_equal(after, before, size);
}

/* What is read until the end is of one moment, and nobody has to wait for that. */
static void test_reading_sees_one_moment(void **state) {
    (void)state;
    database reader = made(), writer = made();
    assert_ok(database_begin_reading(&reader, &error), &error);
    assert_int_equal(stars(&reader), 0);
    assert_ok(database_run(&writer, "INSERT INTO star(name) VALUES('Vega')", &error), &error);
    assert_int_equal(stars(&reader), 0);
    database_rollback(&reader);
    assert_int_equal(stars(&reader), 1);
    assert_fails(database_run(&writer, "INSERT INTO planet VALUES(1)", &error), BESD_IO, &error,
                 "no such table: planet");
    database_close(&reader);
    database_close(&writer);
}

/* The file of the name is another one, or none: nothing is written to what nobody will find. */
static void test_a_file_that_goes_is_missed(void **state) {
    (void)state;
    const char *const sentences[] = {"the file was removed or moved away while it was in use",
                                     "the file was replaced by another while it was in use"};
    char aside[PATH_SIZE + 8];
    snprintf(aside, sizeof aside, "%s.aside", path);
    for (int replaced = 0; replaced < 2; replaced++) {
        database d = made();
        sqlite3_stmt *s;
        assert_ok(database_begin(&d, &error), &error);
        assert_ok(database_run(&d, "INSERT INTO star(name) VALUES('Vega')", &error), &error);
        assert_int_equal(rename(path, aside), 0);
        if (replaced) {
            FILE *file = fopen(path, "w");
            fclose(file);
        }
        const char *sentence = sentences[replaced];
        assert_fails(database_commit(&d, &error), BESD_IO, &error, sentence);
        assert_non_null(strstr(error.message, path));
        assert_fails(database_begin(&d, &error), BESD_IO, &error, sentence);
        assert_fails(database_begin_reading(&d, &error), BESD_IO, &error, sentence);
        assert_fails(database_prepare(&d, "SELECT 1", &s, &error), BESD_IO, &error, sentence);
        assert_int_equal(rename(aside, path), 0); /* it is put back: nothing has happened */
        assert_int_equal(stars(&d), 0);
        assert_ok(database_run(&d, "INSERT INTO star(name) VALUES('Vega')", &error), &error);
        database_close(&d);
        d = made();
        assert_int_equal(stars(&d), 1);
        database_close(&d);
        unlink(path);
    }
}

/* A name is a name, also when SQLite would take it for an address. */
static void test_names_like_addresses(void **state) {
    (void)state;
    char here[4096];
    const char *const names[] = {"file:l.besd?mode=memory", "file:x", "file:%41", "a?b#c%20"};
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        database d;
        assert_ok(database_open(&d, names[i], true, &kind, &error), &error);
        assert_ok(database_run(&d, "INSERT INTO star(name) VALUES('Vega')", &error), &error);
        database_close(&d);
        assert_int_equal(access(names[i], F_OK), 0);
        assert_ok(database_open(&d, names[i], false, &kind, &error), &error);
        assert_int_equal(stars(&d), 1);
        database_close(&d);
        assert_int_equal(unlink(names[i]), 0);
    }
    assert_int_equal(chdir(here), 0);
}

/* Tables that are not those of the kind, in the newest schema and in an older one. */
static void test_other_tables(void **state) {
    (void)state;
    static const struct {
        const char *change, *sentence;
    } cases[] = {
        {"CREATE TABLE planet(name TEXT)", "it has the table 'planet', which a list of stars does"},
        {"CREATE VIEW v AS SELECT 1", "it has the view 'v'"},
        {"CREATE INDEX i ON star(name)", "it has the index 'i'"},
        {"CREATE TRIGGER t BEFORE INSERT ON star BEGIN SELECT RAISE(IGNORE); END",
         "it has the trigger 't'"},
        {"DROP TABLE star", "its table 'star' is missing"},
        {"ALTER TABLE star ADD COLUMN size", "its table 'star' is not the one that besd makes"},
        {"ALTER TABLE star RENAME TO moon; CREATE VIEW star AS SELECT * FROM moon",
         "its table 'star' is missing"},
        {"CREATE TABLE moon(name BLOB)", "its table 'moon' is not the one that besd makes"},
        {"ANALYZE", "it has the table 'sqlite_stat1'"},
    };
    for (int old = 0; old < 2; old++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            unlink(path);
            if (old) {
                make_old();
            } else {
                database d = made();
                database_close(&d);
                set("INSERT INTO star VALUES('Vega', 'blue')");
            }
            if (!strcmp(cases[i].change, "ANALYZE"))
                set("CREATE INDEX i ON star(name); ANALYZE; DROP INDEX i");
            else
                set(cases[i].change);
            refused(false, cases[i].sentence);
            refused(true, cases[i].sentence);
        }
    assert_int_equal(migration.calls, 0);
    unlink(path); /* blanks do not count, and what may be there may */
    make_old();
    set("DROP TABLE star; CREATE TABLE star(name\n   TEXT); CREATE TABLE moon(name TEXT)");
    database d = made();
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
        cmocka_unit_test_setup(test_migrated_once, set_up),
        cmocka_unit_test_setup(test_looking_does_not_migrate, set_up),
        cmocka_unit_test_setup(test_a_copy_follows_the_file, set_up),
        cmocka_unit_test_setup(test_a_file_that_goes_is_missed, set_up),
        cmocka_unit_test_setup(test_names_like_addresses, set_up),
        cmocka_unit_test_setup(test_other_tables, set_up),
        cmocka_unit_test_setup(test_failed_migration, set_up),
        cmocka_unit_test_setup(test_migrated_in_memory, set_up),
        cmocka_unit_test_setup(test_reading_sees_one_moment, set_up),
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
