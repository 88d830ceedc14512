#include "testing.h"

#include "json/trainer_answer.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static trainer_answer answer;

static besd_status judge(const char *output, int reps, besd_transform transform,
                         besd_error *error) {
    answer_terms terms = {.reps = reps, .transform = transform};
    return answer_judge(output, strlen(output), &terms, &answer, error);
}

static void test_answers(void **state) {
    (void)state;
    besd_error error = {BESD_OK, ""};
    assert_ok(judge("{\"scores\": [1, -2.5, 3e2]}", 3, BESD_TRANSFORM_NONE, &error), &error);
    assert_close(answer.scores[0], 1, 0);
    assert_close(answer.scores[1], -2.5, 0);
    assert_close(answer.scores[2], 300, 0);
    assert_true(answer.cost < 0);
    assert_string_equal(answer.note, "");
    assert_ok(judge(" \n{\"scores\": [2], \"cost\": 0, \"note\": \"a\\nb\", \"own\": {}}\r\n\t", 1,
                    BESD_TRANSFORM_LOG, &error),
              &error);
    assert_close(answer.cost, 0, 0);
    assert_string_equal(answer.note, "a b");
}

static void test_no_answers(void **state) {
    (void)state;
    static const struct {
        const char *output, *sentence;
    } cases[] = {
        {"", "expected one JSON object, got nothing"},
        {" \n ", "expected one JSON object, got nothing"},
        {"Loading", "expected one JSON object, got 'Loading'"},
        {"12", "expected one JSON object, got '12'"},
        {"null", "expected one JSON object, got 'null'"},
        {"[[1, 2]]", "expected one JSON object, got '[[1, 2]]'"},
        {"{\"scores\": [1, 2]", "got one that is not finished: '{\"scores\": [1, 2]'"},
        {"{\"scores\": [1, 2]} x", "and nothing else, got 'x' after it"},
        {"{\"scores\": [1, 2]}{\"scores\": [1, 2]}", "got '{\"scores\": [1, 2]}' after it"},
        {"{\"scores\": [1, 2], \"scores\": [3, 4]}", "duplicate object key"},
        {"{\"scores\": [1, NaN]}", "expected finite numbers"},
        {"{\"scores\": [Infinity, 1]}", "expected finite numbers"},
        {"{\"scores\": [1, 1e999]}", "real number overflow"},
        {"{}", "scores: expected a list of 2 numbers, got nothing"},
        {"{\"Score\": [1, 2]}", "got nothing but \"Score\""},
        {"{\"reward\": [1, 2]}", "scores: expected a list of 2 numbers, got nothing"},
        {"{\"scores\": {\"a\": 1}}", "got {\"a\":1}"},
        {"{\"scores\": []}", "scores: expected 2, one for every replication, got 0"},
        {"{\"scores\": [1, true]}", "scores[1]: expected a number, got true"},
        {"{\"scores\": [1, [2]]}", "scores[1]: expected a number, got [2]"},
        {"{\"scores\": [0, 2]}", "scores[0]: expected a positive number"},
        {"{\"scores\": [1, 2], \"cost\": \"3\"}",
         "cost: expected a number from 0 to 1e300, got \"3\""},
        {"{\"scores\": [1, 2], \"cost\": null}",
         "cost: expected a number from 0 to 1e300, got null"},
        {"{\"scores\": [1, 2], \"note\": []}", "note: expected a text, got []"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_error error = {BESD_OK, ""};
        assert_fails(judge(cases[i].output, 2, BESD_TRANSFORM_LOG, &error), BESD_ENVIRONMENT,
                     &error, cases[i].sentence);
    }
    besd_error error = {BESD_OK, ""};
    static const char with_nul[] = "{\"scores\":\0 [1, 2]}";
    answer_terms two = {.reps = 2};
    assert_fails(answer_judge(with_nul, sizeof with_nul - 1, &two, &answer, &error),
                 BESD_ENVIRONMENT, &error, "expected one JSON object, got");
    /* what a failed trial has cost is kept when it is told */
    assert_fails(judge("{\"cost\": 7, \"scores\": [1]}", 2, BESD_TRANSFORM_NONE, &error),
                 BESD_ENVIRONMENT, &error, "one for every replication");
    assert_close(answer.cost, 7, 0);
    assert_null(answer_parse("{", 1, NULL)); /* no error wanted */
}

/* Every prefix of a good answer and every single wrong byte in it is refused or right, never worse
 * (the sanitizers look on). */
static void test_damaged_answers(void **state) {
    (void)state;
    const char good[] =
        "{\"scores\": [1.5, \"x\\u00e9\", {}], \"cost\": 1e3, \"note\": \"\xc3\xa9\"}";
    answer_terms three = {.reps = 3};
    size_t refused = 0;
    for (size_t length = 0; length < sizeof good; length++)
        refused += answer_judge(good, length, &three, &answer, NULL) != BESD_OK;
    assert_int_equal(refused, sizeof good);
    for (size_t at = 0; at < sizeof good - 1; at++)
        for (int byte = 0; byte < 256; byte++) {
            char damaged[sizeof good];
            besd_error error = {BESD_OK, ""};
            memcpy(damaged, good, sizeof good);
            damaged[at] = (char)byte;
            besd_status status = answer_judge(damaged, sizeof good - 1, &three, &answer, &error);
            assert_int_equal(status, BESD_ENVIRONMENT);
            assert_true(error.message[0]);
        }
}

static void test_request(void **state) {
    (void)state;
    const char *names[] = {"x", "y \"q\""};
    besd_study_options study = {.dimension = 2, .names = names};
    besd_trial trial = {.id = 7, .theta = {0.1, 1.0 / 3}, .tau = 1000, .reps = 3, .seed = 99};
    char *line = answer_request(&study, NULL, NULL, &trial),
         *again = answer_request(&study, NULL, NULL, &trial);
    assert_non_null(line);
    assert_string_equal(line, again);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    json_t *request = json_loads(line, 0, NULL), *theta = json_object_get(request, "theta");
    assert_int_equal(json_integer_value(json_object_get(request, "trial")), 7);
    assert_int_equal(json_integer_value(json_object_get(request, "tau")), 1000);
    assert_int_equal(json_integer_value(json_object_get(request, "reps")), 3);
    assert_close(json_real_value(json_object_get(theta, "x")), 0.1, 0);
    assert_close(json_real_value(json_object_get(theta, "y \"q\"")), 1.0 / 3, 0);
    json_t *array = json_object_get(request, "theta_array");
    assert_int_equal(json_array_size(array), 2);
    assert_close(json_real_value(json_array_get(array, 1)), 1.0 / 3, 0);
    json_t *seeds = json_object_get(request, "replication_seeds");
    json_int_t all[4] = {json_integer_value(json_object_get(request, "instance_seed"))};
    assert_int_equal(json_array_size(seeds), 3);
    for (size_t i = 0; i < 3; i++)
        all[i + 1] = json_integer_value(json_array_get(seeds, i));
    for (size_t i = 0; i < 4; i++) {
        assert_true(all[i] >= 0 && all[i] < (json_int_t)1 << 53);
        for (size_t j = 0; j < i; j++)
            assert_true(all[i] != all[j]);
    }
    assert_null(json_object_get(request, "points")); /* no path */
    json_decref(request);
    free(again);
    trial.seed = 100;
    again = answer_request(&study, NULL, NULL, &trial);
    assert_string_not_equal(line, again);
    free(again);
    free(line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers), cmocka_unit_test(test_no_answers),
        cmocka_unit_test(test_damaged_answers), cmocka_unit_test(test_request)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
