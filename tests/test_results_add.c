/* Earlier results from JSON lines and from CSV: read to the last bit, or refused with file, line
 * and field. */
#include "study_fixture.h"

#include "json/results.h"

static besd_error error;
static besd_study *study;

static int open_one(void **state) {
    besd_study_options o = small_options(2, 1);
    static const char *const names[] = {"x", "y,\"z\""};
    o.names = names;
    int failed = make_folder(state);
    study = open_study(NULL, &o);
    return failed;
}

static int close_it(void **state) {
    besd_study_close(study);
    return remove_folder(state);
}

static besd_status read_text(const char *text, result_list *list) {
    FILE *in = fmemopen((void *)text, strlen(text) + !*text, "r");
    assert_non_null(in);
    if (!*text)
        fgetc(in);
    besd_status status = results_read(list, study, in, "old.csv", &error);
    fclose(in);
    return status;
}

#define COLUMNS "x,\"y,\"\"z\"\"\",tau,scores"

static void test_csv(void **state) {
    (void)state;
    result_list list = {0};
    assert_ok(read_text("\xef\xbb\xbfnote,scores,tau,\"y,\"\"z\"\"\",x,cost,state,mean\r\n"
                        "\"wet, \"\"very\"\"\r\ntwice\", 0.1 -2e3  7 ,10,4,3.25,,told,?\r\n"
                        ",,,,,,failed,\r\n"
                        "\r\n"
                        ",1,30,0.30000000000000004,0,17.5,told,\r\n"
                        ",1,30,1,1,,voided,\r\n",
                        &list),
              &error);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.skipped, 2);
    const besd_result *r = list.items;
    assert_true(r[0].theta[0] == 3.25 && r[0].theta[1] == 4 && r[0].tau == 10);
    assert_int_equal(r[0].count, 3);
    assert_true(r[0].scores[0] == 0.1 && r[0].scores[1] == -2e3 && r[0].scores[2] == 7);
    assert_string_equal(r[0].note, "wet, \"very\"\r\ntwice");
    assert_true(r[0].cost == 0 && r[1].cost == 17.5);
    assert_true(r[1].theta[1] == 0.30000000000000004);
    assert_null(r[1].note);
    assert_int_equal(list.lines[0], 2);
    assert_int_equal(list.lines[1], 6);
    results_free(&list);
    assert_int_equal(list.count, 0);
}

static void test_json_lines(void **state) {
    (void)state;
    result_list list = {0};
    assert_ok(
        read_text(
            "\n{\"theta\": {\"y,\\\"z\\\"\": 4, \"x\": 3.25}, \"tau\": 10, \"scores\": [1, 2.5]}\n"
            "  \n{\"theta\": [0, 10], \"tau\": 30, \"scores\": [1], \"cost\": 3, "
            "\"note\": \"n\", \"state\": \"told\", \"seed\": 5, \"replaced\": 1}\r\n"
            "{\"theta\": [0, 10], \"tau\": 30, \"scores\": [1], \"state\": \"voided\"}\n"
            "{\"trial\": 7, \"state\": \"asked\"}",
            &list),
        &error);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.skipped, 2);
    assert_true(list.items[0].theta[0] == 3.25 && list.items[0].theta[1] == 4);
    assert_true(list.items[0].scores[1] == 2.5 && list.items[0].cost == 0);
    assert_true(list.items[1].theta[1] == 10 && list.items[1].cost == 3);
    assert_string_equal(list.items[1].note, "n");
    assert_int_equal(list.lines[0], 2);
    assert_int_equal(list.lines[1], 4);
    results_free(&list);
}

static const struct {
    const char *text, *sentence;
} refused[] = {
    {"", "old.csv, line 1: expected a line with the names of the columns"},
    {"\n\n", "expected a line with the names"},
    {"x,tau,scores\n", "line 1: the column 'y,\"z\"' is missing"},
    {"\"y,\"\"z\"\"\",tau,scores\n", "line 1: the column 'x' is missing"},
    {"x,\"y,\"\"z\"\"\",scores\n", "the column 'tau' is missing"},
    {"x,\"y,\"\"z\"\"\",tau\n", "the column 'scores' is missing"},
    {COLUMNS ",x\n", "the column 'x' is there twice"},
    {COLUMNS ",tau\n", "the column 'tau' is there twice"},
    {COLUMNS ",cost,cost\n", "the column 'cost' is there twice"},
    {COLUMNS ",scors\n", "line 1: field 5: there is no column 'scors', did you mean 'scores'?"},
    {COLUMNS ",\x1b[31m\n", "field 5: there is no column ' [31m'"},
    {COLUMNS "\n1,2,10,3\n1,2,10\n", "old.csv, line 3: expected 4 fields, got 3"},
    {COLUMNS "\n1,2,10,3,4\n", "line 2: expected 4 fields, got 5"},
    {COLUMNS "\none,2,10,3\n", "line 2: field 1, x: expected a number, got 'one'"},
    {COLUMNS "\n1,,10,3\n", "line 2: field 2, y,\"z\": expected a number, got ''"},
    {COLUMNS "\n1,nan,10,3\n", "field 2, y,\"z\": expected a number, got 'nan'"},
    {COLUMNS "\n1,2,10.5,3\n", "field 3, tau: expected a whole number, got 10.5"},
    {COLUMNS "\n1,2,1e16,3\n", "field 3, tau: expected a whole number"},
    {COLUMNS "\n1,2,10,\n", "field 4, scores: expected at least one"},
    {COLUMNS "\n1,2,10,1;2\n", "field 4, scores: expected at most 4096 numbers with blanks"},
    {COLUMNS "\n1,2,10,1 x\n", "got '1 x'"},
    {COLUMNS ",cost\n1,2,10,1,much\n", "field 5, cost: expected a number, got 'much'"},
    {COLUMNS ",state\n1,2,10,1,tld\n",
     "line 2: field 5, state: expected told or another state of trials, got 'tld'"},
    {COLUMNS "\n\"1,2,10,1\n", "line 2: a quoted field does not end"},
    {COLUMNS "\n\xff,2,10,1\n", "old.csv: expected a text of UTF-8"},
    {"[{}]", "old.csv: expected CSV, or JSON with one object on every line, got an array"},
    {"{\"theta\": [1, 2], \"tau\": 10, \"scores\": [1]}\n{", "old.csv, line 2: expected one JSON"},
    {"{} {}\n", "line 1: expected one JSON object"},
    {"{\"tau\": 10, \"tau\": 10}", "line 1: expected one JSON object: duplicate"},
    {"{\"tau\": 10, \"scores\": [1]}", "line 1: theta: expected an object with a number for "
                                       "every coordinate, or an array of 2 numbers, got none"},
    {"{\"theta\": 5}", "got something else"},
    {"{\"theta\": [1]}", "theta: expected 2 numbers, got 1"},
    {"{\"theta\": [1, \"2\"]}", "theta[1]: expected a number"},
    {"{\"theta\": {\"x\": 1}}", "theta: expected a number for 'y,\"z\"', got none"},
    {"{\"theta\": {\"x\": 1, \"y\": 2}}", "theta: the study has no coordinate 'y'"},
    {"{\"theta\": [1, 2]}", "scores: expected an array of numbers"},
    {"{\"theta\": [1, 2], \"scores\": []}", "scores: expected an array of numbers"},
    {"{\"theta\": [1, 2], \"scores\": [null]}", "scores[0]: expected a number"},
    {"{\"theta\": [1, 2], \"scores\": [1]}", "tau: expected a whole number"},
    {"{\"theta\": [1, 2], \"scores\": [1], \"tau\": 10.5}", "tau: expected a whole number"},
    {"{\"theta\": [1, 2], \"scores\": [1], \"tau\": 10, \"cost\": \"0\"}", "cost: expected"},
    {"{\"theta\": [1, 2], \"scores\": [1], \"tau\": 10, \"note\": 1}", "note: expected a text"},
    {"{\"theta\": [1, 2], \"scores\": [1], \"tau\": 10, \"legs\": [[1]]}", "is no path"},
    {"{\"theta\": [1, 2], \"score\": [1]}", "there is no member 'score', did you mean 'scores'?"},
    {"{\"state\": 5}", "state: expected told or another state"},
};

static void test_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        result_list list = {0};
        besd_status status = read_text(refused[i].text, &list);
        if (status != BESD_INVALID || !strstr(error.message, refused[i].sentence) ||
            strchr(error.message, '\x1b'))
            fail_msg("%s: expected '%s', got %s, '%s'", refused[i].text, refused[i].sentence,
                     besd_status_name(status), error.message);
        results_free(&list);
    }
    result_list list = {0};
    FILE *in = fmemopen((char[]){'x', 0, 'y'}, 3, "r");
    assert_fails(results_read(&list, study, in, "old", &error), BESD_INVALID, &error,
                 "old: expected a text of UTF-8");
    fclose(in);
    in = fopen("/", "r"); /* opened, and not to be read */
    assert_non_null(in);
    assert_fails(results_read(&list, study, in, "/", &error), BESD_IO, &error,
                 "/: it cannot be read: Is a directory");
    fclose(in);
    results_free(&list);
}

/* More than one read of the file brings, and more than the list has room for at first. */
static void test_many(void **state) {
    (void)state;
    enum { MANY = 5000 };
    char path[PATH_SIZE];
    FILE *file = fopen(new_path(path), "w+");
    assert_non_null(file);
    fputs(COLUMNS "\n", file);
    for (int i = 0; i < MANY; i++)
        fprintf(file, "%.17g,%d,30,%d %d\n", i / 700.0, i % 10, i, i + 1);
    rewind(file);
    result_list list = {0};
    assert_ok(results_read(&list, study, file, path, &error), &error);
    fclose(file);
    assert_int_equal(list.count, MANY);
    for (int i = 0; i < MANY; i++) {
        assert_true(list.items[i].theta[0] == i / 700.0 && list.items[i].scores[1] == i + 1);
        assert_int_equal(list.lines[i], i + 2);
    }
    results_free(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_json_lines),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, open_one, close_it);
}
