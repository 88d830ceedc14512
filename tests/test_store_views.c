/* The views of a study's file: what people read by them is what besd says, to the last bit,
 * whatever the coordinates are called; foreign views in their place are refused. */
#include "study_fixture.h"

#include "study_file.h"

#include <float.h>
#include <math.h>

static besd_error error;

enum { COORDINATES = 4 };

static const char *const names[COORDINATES] = {"x1", "it's", "a \"b\"", "tau"};

/* Everything that a double in a box can be: halves, thirds, tiny and huge numbers, both zeros. */
static const double values[][COORDINATES] = {
    {0.5, 1.0 / 3, -2.0 / 3, 0},
    {-0.0, DBL_MIN, -DBL_MIN, DBL_TRUE_MIN},
    {1e300, -1e300, 1e-300, 123456789.125},
    {DBL_EPSILON, 1 - DBL_EPSILON / 2, 4294967296.0, 18446744073709551616.0},
    {3.4028236692093846e38, 1.1579208923731620e77, 1.3407807929942597e154, -0.1}};

enum { ADDED = sizeof values / sizeof *values };

static besd_study *make_study(char path[PATH_SIZE]) {
    static double low[COORDINATES], high[COORDINATES];
    besd_study_options o = small_options(COORDINATES, 3);
    besd_result results[ADDED];
    const double scores[] = {30.25, 0.1};
    for (size_t i = 0; i < COORDINATES; i++) {
        low[i] = -1.5e300;
        high[i] = 1.5e300;
    }
    o.low = low;
    o.high = high;
    o.names = names;
    for (size_t i = 0; i < ADDED; i++)
        results[i] = (besd_result){
            .theta = values[i], .tau = o.taus[0], .scores = scores, .count = 2, .note = "it's"};
    besd_study *s = open_study(new_path(path), &o);
    assert_ok(besd_study_add(s, results, ADDED, NULL, &error), &error);
    return s;
}

/* A statement on the file as anybody may open it. */
static sqlite3_stmt *query(const char *path, const char *text, sqlite3 **db) {
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open_v2(path, db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(*db, text, -1, &row, NULL) != SQLITE_OK)
        fail_msg("%s: %s", text, sqlite3_errmsg(*db));
    return row;
}

static void end_query(sqlite3_stmt *row, sqlite3 *db) {
    sqlite3_finalize(row);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static const char *text_at(sqlite3_stmt *row, int column) {
    return (const char *)sqlite3_column_text(row, column);
}

static void test_coordinates(void **state) {
    (void)state;
    char path[PATH_SIZE];
    sqlite3 *db;
    besd_study_close(make_study(path));
    sqlite3_stmt *row =
        query(path, "SELECT trial, number, name, value FROM coordinates ORDER BY 1, 2", &db);
    for (int i = 0; i < ADDED; i++)
        for (int k = 0; k < COORDINATES; k++) {
            assert_int_equal(sqlite3_step(row), SQLITE_ROW);
            assert_int_equal(sqlite3_column_int(row, 0), i + 1);
            assert_int_equal(sqlite3_column_int(row, 1), k + 1);
            assert_string_equal(text_at(row, 2), names[k]);
            double value = sqlite3_column_double(row, 3);
            if (value != values[i][k])
                fail_msg("expected %.17g, got %.17g", values[i][k], value);
        }
    assert_int_equal(sqlite3_step(row), SQLITE_DONE);
    end_query(row, db);
}

/* The columns of besd trials --csv. The fixed ones are found by their names; a coordinate of the
 * name of one of them stands in its place all the same. */
static void test_columns(void **state) {
    (void)state;
    static const char *const expected[] = {"trial",    "state",    "reason", "x1",     "it's",
                                           "a \"b\"",  "tau",      "tau:1",  "reps",   "seed",
                                           "cost",     "mean",     "scores", "worker", "asked_at",
                                           "ended_at", "duration", "tags",   "note"};
    char path[PATH_SIZE];
    sqlite3 *db;
    besd_study *s = make_study(path);
    assert_ok(besd_study_tag(s, 2, "wet", true, &error), &error);
    assert_ok(besd_study_tag(s, 2, "dark", true, &error), &error);
    assert_ok(besd_study_void(s, 3, "loose", &error), &error);
    besd_trial second = get_trial(s, 2), asked;
    besd_work work;
    assert_ok(besd_study_work(s, 2, &work, &error), &error);
    assert_ok(besd_study_ask(s, &(besd_ask){.worker = "robot"}, &asked, &error), &error);
    besd_study_close(s);
    sqlite3_stmt *row = query(path, "SELECT * FROM trials", &db);
    int count = sizeof expected / sizeof *expected;
    assert_int_equal(sqlite3_column_count(row), count);
    for (int i = 0; i < count; i++)
        assert_string_equal(sqlite3_column_name(row, i), expected[i]);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_string_equal(text_at(row, 1), "told");
    assert_string_equal(text_at(row, 2), "added");
    assert_true(sqlite3_column_double(row, 4) == values[1][1]);
    assert_int_equal(sqlite3_column_int64(row, 7), second.tau);
    assert_int_equal(sqlite3_column_int64(row, 9), (int64_t)second.seed);
    assert_true(sqlite3_column_double(row, 10) == second.cost);
    assert_true(sqlite3_column_double(row, 11) == second.mean);
    assert_string_equal(text_at(row, 12), "30.25 0.10000000000000001");
    assert_close(sqlite3_column_double(row, 14), work.asked, 2e-3);
    assert_close(sqlite3_column_double(row, 15), work.ended, 2e-3);
    assert_close(sqlite3_column_double(row, 16), work.ended - work.asked, 2e-3);
    assert_string_equal(text_at(row, 17), "dark,wet");
    assert_string_equal(text_at(row, 18), "it's");
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_string_equal(text_at(row, 1), "voided");
    for (int64_t id = 4; id <= asked.id; id++)
        assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_string_equal(text_at(row, 1), "asked");
    assert_string_equal(text_at(row, 13), "robot");
    assert_int_equal(sqlite3_column_type(row, 11), SQLITE_NULL);
    assert_int_equal(sqlite3_column_type(row, 12), SQLITE_NULL);
    assert_int_equal(sqlite3_column_type(row, 15), SQLITE_NULL);
    assert_int_equal(sqlite3_step(row), SQLITE_DONE);
    end_query(row, db);
}

/* Every state and reason has its name in the view; a new one needs a new schema. */
static void test_names(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (size_t i = 0;; i++) {
            const char *name = kind ? besd_reason_name(i) : besd_trial_state_name(i);
            char path[PATH_SIZE], change[80];
            sqlite3 *db;
            besd_study_close(make_study(path));
            snprintf(change, sizeof change, "UPDATE trial SET %s = %zu", kind ? "reason" : "state",
                     i);
            sql(path, change);
            sqlite3_stmt *row =
                query(path, kind ? "SELECT reason FROM trials" : "SELECT state FROM trials", &db);
            assert_int_equal(sqlite3_step(row), SQLITE_ROW);
            if (name)
                assert_string_equal(text_at(row, 0), name);
            else
                assert_int_equal(sqlite3_column_int64(row, 0), i);
            end_query(row, db);
            if (!name)
                break;
        }
}

/* Views of somebody else's are refused; a file without them is a study all the same. */
static void test_foreign(void **state) {
    (void)state;
    static const char *const crafted[][2] = {
        {"DROP VIEW trials; CREATE VIEW trials AS SELECT 1", "its view 'trials' is not the one"},
        {"DROP VIEW trials; CREATE VIEW trials AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
         " SELECT i FROM n) SELECT * FROM n",
         "its view 'trials' is not the one"},
        {"CREATE VIEW more AS SELECT * FROM trials", "it has the view 'more'"},
        {"UPDATE text SET value = replace(value, '\"x1\"', '\"x2\"') WHERE key = 'spec'",
         "its view 'coordinates' is not the one"},
        {"UPDATE text SET value = 'nothing' WHERE key = 'spec'", "it has the view 'coordinates'"}};
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof crafted / sizeof *crafted; i++) {
        besd_study *s;
        besd_study_close(make_study(path));
        sql(path, crafted[i][0]);
        assert_fails(besd_study_open(&s, path, NULL, &error), BESD_IO, &error, crafted[i][1]);
    }
    besd_study_close(make_study(path));
    sql(path, "DROP VIEW trials; DROP VIEW coordinates");
    besd_study_close(open_study(path, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_foreign),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
