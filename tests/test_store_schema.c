/* Studies whose tables are not those that besd makes: views that never end, triggers that forget,
 * columns of another kind. All are refused at once, in one sentence that names the file and what
 * is wrong, and stay as they were. */
#include "study_fixture.h"

#include "study_file.h"

static besd_error error;

#define REPLACE(table, by) "ALTER TABLE " table " RENAME TO kept; CREATE VIEW " table " AS " by
#define REWRITE(old, new)                                                                          \
    "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, '" old                 \
    "', '" new "'); PRAGMA writable_schema=RESET"

static const struct {
    const char *damage, *sentence;
} crafted[] = {
    {REPLACE("fit", "SELECT 9 AS told, 1 AS is_full, zeroblob(8) AS numbers"), "table"},
    {REPLACE("trial", "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id FROM n)"
                      " SELECT * FROM n"),
     "table"},
    {REPLACE("trial", "SELECT * FROM kept"), "table"},
    {REPLACE("text", "SELECT 'spec' AS key, NULL AS value"), "table"},
    {REPLACE("score", "SELECT 1 AS trial, 0 AS replication, 'x' AS value"), "table"},
    {"CREATE VIEW more AS SELECT 1", "it has the view 'more', which a besd study does not have"},
    {"CREATE TRIGGER t BEFORE UPDATE ON trial BEGIN SELECT RAISE(IGNORE); END",
     "it has the trigger 't', which a besd study does not have"},
    {"CREATE TRIGGER t BEFORE INSERT ON trial BEGIN SELECT RAISE(IGNORE); END", "trigger 't'"},
    {"CREATE TRIGGER t AFTER INSERT ON score BEGIN DELETE FROM score; END", "trigger 't'"},
    {"CREATE TRIGGER t AFTER UPDATE ON trial BEGIN UPDATE trial SET cost = 0; END", "trigger 't'"},
    {"CREATE INDEX i ON trial(state)", "it has the index 'i'"},
    {"CREATE INDEX i ON trial(abs(tau))", "it has the index 'i'"},
    {"CREATE UNIQUE INDEX i ON fit(is_full) WHERE told < 0", "it has the index 'i'"},
    {"CREATE TABLE more(x)", "it has the table 'more', which a besd study does not have"},
    {"CREATE TABLE \"\x1b[31m\"(x)", "it has the table ' [31m'"},
    {"CREATE VIRTUAL TABLE more USING rtree(id, low, high)", "it has the table 'more"},
    {"ALTER TABLE trial ADD COLUMN more TEXT", "its table 'trial' is not the one that besd makes"},
    {"ALTER TABLE trial ADD COLUMN more BLOB AS (zeroblob(1000000000))",
     "its table 'trial' is not"},
    {"ALTER TABLE trial RENAME COLUMN tau TO tao", "its table 'trial' is not"},
    {"ALTER TABLE fit DROP COLUMN is_full", "its table 'fit' is not"},
    {"DROP TABLE fit; CREATE TABLE fit(told, is_full, numbers)", "its table 'fit' is not"},
    {"DROP TABLE score; CREATE TABLE score(trial, replication, value)", "its "},
    {"DROP TABLE text; CREATE TABLE text(key, value)", "its "},
    {"DROP TABLE trial", "its table 'trial' is missing"},
    {"DROP TABLE score", "its table 'score' is missing"},
    {"DROP TABLE text", "is missing"},
    {"DROP TABLE fit", "its table 'fit' is missing"},
    {REWRITE("STRICT", ""), "is not the one that besd makes"},
    {REWRITE("value TEXT NOT NULL", "value TEXT"), "its table 'text' is not"},
    {REWRITE("theta BLOB NOT NULL", "theta BLOB NOT NULL CHECK(load_extension(1))"), "not the one"},
    {REWRITE("datetime(''now'')", "(SELECT 1)"), ""},
    {REWRITE("REFERENCES trial(id)", "COLLATE nocase"), "its table 'score' is not"},
    {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage ="
     " (SELECT rootpage FROM sqlite_schema WHERE name = 'trial') WHERE name = 'fit';",
     "it is damaged"},
    {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'fit';", ""},
    {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 9999 WHERE name = 'fit';", ""},
    {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET type = 'view' WHERE name = 'fit';", ""},
    {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET name = 'fits' WHERE name = 'fit';", ""},
    {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = NULL WHERE name = 'fit';", ""},
    {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET name = '\x1b[31m' WHERE name = 'fit';",
     ""},
    {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET name = x'0c0a0d', sql = 'CREATE x'"
     " WHERE name = 'fit';",
     ""},
    {"PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE type = 'index';", ""},
};

enum { CRAFTED = sizeof crafted / sizeof *crafted };

/* The SQL of data/study-N.sql, made into a file, with a model that is not gone. */
static void restore(const char *path, int schema) {
    static char text[100000];
    char source[512];
    snprintf(source, sizeof source, "%s/study-%d.sql", TEST_DATA, schema);
    FILE *file = fopen(source, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    sql(path, text);
    sql(path, "UPDATE text SET value = replace(value, '\"extended\"', '\"paper\"')");
    sql(path, "PRAGMA journal_mode=WAL");
}

static void assert_refused(const char *path, const besd_study_options *o, const char *damage,
                           const char *sentence) {
    besd_study *s = NULL;
    error = (besd_error){BESD_OK, ""};
    besd_status status = besd_study_open(&s, path, o, &error);
    if (status != BESD_IO || !strstr(error.message, path) || !strstr(error.message, sentence))
        fail_msg("%s: expected BESD_IO, %s and '%s', got %s and '%s'", damage, path, sentence,
                 besd_status_name(status), error.message);
    for (const char *c = error.message; *c; c++) /* nothing that a terminal would obey */
        if (*c > 0 && *c < ' ')
            fail_msg("%s: a control character in '%s'", damage, error.message);
    assert_null(s);
}

static void test_crafted(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 3);
    for (int schema = 1; schema <= 2; schema++)
        for (size_t i = 0; i < CRAFTED; i++) {
            char path[PATH_SIZE];
            restore(new_path(path), schema);
            sql(path, crafted[i].damage);
            bytes before = read_bytes(path);
            alarm(20); /* what never ends */
            assert_refused(path, NULL, crafted[i].damage, crafted[i].sentence);
            assert_refused(path, &o, crafted[i].damage, crafted[i].sentence);
            alarm(0);
            assert_unchanged(path, before);
        }
}

/* What was made, migrated, and written with other blanks is as it should be. */
static void test_honest(void **state) {
    (void)state;
    for (int schema = 1; schema <= 2; schema++) {
        char path[PATH_SIZE];
        restore(new_path(path), schema);
        for (int again = 0; again < 3; again++) {
            besd_study *s = open_study(path, NULL);
            assert_ok(besd_study_set_note(s, "robot", "red", &error), &error);
            besd_study_close(s);
            sql(path, again ? REWRITE(", ", ",\n    ") : "VACUUM");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crafted),
        cmocka_unit_test(test_honest),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
