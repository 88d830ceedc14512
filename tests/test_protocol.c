#include "testing.h"

#include "world/protocol.h"

#include <stdio.h>
#include <stdlib.h>

static json_t *read_json(const char *text) {
    json_error_t wrong;
    json_t *value = json_loads(text, JSON_DECODE_ANY, &wrong);
    if (!value)
        fail_msg("%s: %s", text, wrong.text);
    return value;
}

static void test_answers(void **state) {
    (void)state;
    static const struct {
        const char *answer, *sentence; /* sentence NULL: it is fine */
    } answers[] = {{"{\"step\":[1]}", NULL},
                   {" {\"other\":1, \"step\" : null } ", NULL},
                   {"{\"error\":\"no licence\"}", "it says: no licence"},
                   {"{\"error\":\"both\",\"step\":[]}", "it says: both"},
                   {"{\"reset\":[]}", "expected {\"step\": ...}, got '{\"reset\":[]}'"},
                   {"[]", "expected {\"step\": ...}"},
                   {"{}", "expected {\"step\": ...}"},
                   {"", "is not JSON"},
                   {"{\"step\":[1", "is not JSON"},
                   {"{\"step\":1}{\"step\":2}", "is not JSON"},
                   {"{\"step\":1,\"step\":2}", "is not JSON"},
                   {"{\"step\":1e999}", "is not JSON"},
                   {"{\"step\":[NaN]}", "is not JSON, which has no NaN and no infinity"},
                   {"{\"step\":[-Infinity]}", "which has no NaN and no infinity"},
                   {"\xff\xfe", "is not JSON"}};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        json_t *value;
        besd_error error = {BESD_OK, ""};
        const char *text = answers[i].answer;
        besd_status status = protocol_read_answer(text, strlen(text), "step", &value, &error);
        if (!answers[i].sentence) {
            assert_ok(status, &error);
            assert_non_null(value);
        } else {
            assert_fails(status, BESD_ENVIRONMENT, &error, answers[i].sentence);
            assert_null(value);
        }
        json_decref(value);
    }
}

static void test_the_first_line(void **state) {
    (void)state;
    const besd_env_parameter parameters[] = {{"wind", 0.25}, {"a \"b\"", -3}};
    char *line = protocol_hello_line(parameters, 2);
    assert_string_equal(line, "{\"hello\":{\"protocol\":1,\"lanes\":16,\"parameters\":"
                              "{\"wind\":0.25,\"a \\\"b\\\"\":-3.0}}}\n");
    free(line);
    line = protocol_hello_line(NULL, 0);
    assert_string_equal(line, "{\"hello\":{\"protocol\":1,\"lanes\":16,\"parameters\":{}}}\n");
    free(line);
}

static void test_hello(void **state) {
    (void)state;
    static const struct {
        const char *answer, *sentence;
    } answers[] = {
        {"{\"protocol\":1,\"name\":\"rover\",\"lanes\":16}", NULL},
        {"{\"protocol\":2,\"name\":\"rover\",\"lanes\":1}", "expected protocol 1, got 2"},
        {"{\"protocol\":\"1\",\"name\":\"rover\",\"lanes\":1}", "expected protocol 1, got \"1\""},
        {"{\"name\":\"rover\",\"lanes\":1}", "expected protocol 1, got nothing"},
        {"{\"protocol\":1,\"lanes\":1}", "\"name\" as a word"},
        {"{\"protocol\":1,\"name\":\"\",\"lanes\":1}", "\"name\" as a word"},
        {"{\"protocol\":1,\"name\":\"a/b\",\"lanes\":1}", "\"name\" as a word"},
        {"{\"protocol\":1,\"name\":7,\"lanes\":1}", "\"name\" as a word"},
        {"{\"protocol\":1,\"name\":\"rover\"}", "\"lanes\" as a whole number from 1 to 16"},
        {"{\"protocol\":1,\"name\":\"rover\",\"lanes\":0}", "\"lanes\" as a whole number"},
        {"{\"protocol\":1,\"name\":\"rover\",\"lanes\":17}", "\"lanes\" as a whole number"},
        {"{\"protocol\":1,\"name\":\"rover\",\"lanes\":1.0}", "\"lanes\" as a whole number"},
        {"[]", "expected protocol 1"}};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        protocol_hello hello;
        besd_error error = {BESD_OK, ""};
        json_t *value = read_json(answers[i].answer);
        besd_status status = protocol_read_hello(value, &hello, &error);
        json_decref(value);
        if (answers[i].sentence) {
            assert_fails(status, BESD_ENVIRONMENT, &error, answers[i].sentence);
            continue;
        }
        assert_ok(status, &error);
        assert_string_equal(hello.name, "rover");
        assert_int_equal(hello.lanes, 16);
    }
}

/* A sound spec with this put in place of one of its fields. */
static besd_status read_spec(const char *key, const char *field, besd_env_spec *spec,
                             protocol_settings *settings, besd_error *error) {
    json_t *answer = read_json("{\"actions\":3,\"states\":0,\"observation\":2,\"position\":1,"
                               "\"low\":[-1,-2],\"high\":[1,2.5],\"cap\":9}");
    if (field)
        json_object_set_new(answer, key, read_json(field));
    else if (key)
        json_object_del(answer, key);
    besd_env_reaching how;
    besd_status status = protocol_read_spec(answer, spec, &how, settings, error);
    json_decref(answer);
    return status;
}

/* A robot in metres with these members in its spec. */
static besd_status read_reaching(const char *members, besd_env_reaching *how, besd_error *error) {
    const besd_env_spec robot = {.position = 2, .subgoal_high = {0.8, 0.6}};
    json_t *answer = read_json(members);
    besd_status status = protocol_read_reaching(answer, &robot, how, error);
    json_decref(answer);
    return status;
}

static void test_reaching(void **state) {
    (void)state;
    besd_env_reaching how;
    besd_error error = {BESD_OK, ""};
    assert_ok(read_reaching("{}", &how, &error), &error);
    assert_true(how.reach == BESD_REACH_CELL && how.cell_size == 1 && how.origin[0] == 0);
    assert_ok(read_reaching("{\"reach\":\"radius\",\"radius\":0.04}", &how, &error), &error);
    assert_true(how.reach == BESD_REACH_RADIUS && how.radius == 0.04 && how.cell_size == 0);
    assert_ok(read_reaching("{\"cell_size\":0.1,\"origin\":[0.05,0]}", &how, &error), &error);
    assert_true(how.reach == BESD_REACH_CELL && how.cell_size == 0.1 && how.origin[0] == 0.05);
    static const struct {
        const char *members, *sentence;
    } wrong[] = {
        {"{\"reach\":\"radus\"}", "got 'radus'; did you mean 'radius'?"},
        {"{\"reach\":\"radius\"}", "radius: expected a number above 0 with reach=radius, got none"},
        {"{\"reach\":\"cross\"}", "subgoals are crossed on positions of one number"},
        {"{\"radius\":0}", "radius: expected a number above 0, in the units of positions, got '0'"},
        {"{\"radius\":-0.1}", "radius: expected a number above 0"},
        {"{\"radius\":\"0.1\"}", "\"radius\" as a number, got \"0.1\""},
        {"{\"radius\":1}", "radius: expected at most the longest side of the box of subgoals, 0.8"},
        {"{\"cell_size\":0}", "cell_size: expected a number above 0"},
        {"{\"cell_size\":0.9}", "cell_size: expected at most the longest side"},
        {"{\"cell_size\":0.1,\"origin\":[0]}", "origin: expected 2 numbers, got 1"},
        {"{\"cell_size\":0.1,\"origin\":[0,0,0]}", "origin: expected 2 numbers"},
        {"{\"cell_size\":0.1,\"origin\":0}", "\"origin\" as a list of numbers, got 0"},
        {"{\"cell_size\":0.1,\"origin\":[]}", "\"origin\" as a list of numbers"},
        {"{\"cell_size\":0.1,\"radius\":0.1}",
         "radius: cell_size goes with reach=cell, and this with reach=radius; say one of the two"},
        {"{\"reach\":\"cell\",\"radius\":0.1}",
         "radius: it goes with reach=radius, but reach is cell"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(read_reaching(wrong[i].members, &how, &error), BESD_ENVIRONMENT, &error,
                     wrong[i].sentence);
}

static void test_specs(void **state) {
    (void)state;
    besd_env_spec spec;
    protocol_settings settings;
    besd_error error = {BESD_OK, ""};
    assert_ok(read_spec(NULL, NULL, &spec, &settings, &error), &error);
    assert_true(spec.actions == 3 && spec.states == 0 && spec.observation == 2);
    assert_true(spec.position == 1 && spec.cap == 9 && spec.reach == BESD_REACH_CELL);
    assert_true(spec.low[1] == -2 && spec.high[1] == 2.5);
    assert_true(spec.subgoal_low[0] == -1 && spec.subgoal_high[0] == 1);
    assert_null(settings.list[0]);
    assert_ok(read_spec("reach", "\"cross\"", &spec, &settings, &error), &error);
    assert_int_equal(spec.reach, BESD_REACH_CROSS);
    assert_ok(read_spec("subgoal_high", "[0.5]", &spec, &settings, &error), &error);
    assert_true(spec.subgoal_high[0] == 0.5);
    static const struct {
        const char *key, *field, *sentence;
    } wrong[] = {{"actions", NULL, "\"actions\" as a whole number from 2 to 64, got nothing"},
                 {"actions", "65", "\"actions\""},
                 {"actions", "\"4\"", "\"actions\""},
                 {"states", "-1", "\"states\""},
                 {"states", "1e3", "\"states\""},
                 {"observation", "9", "\"observation\""},
                 {"position", "3", "\"position\" as a whole number from 1 to 2"},
                 {"cap", "0", "\"cap\""},
                 {"low", "[1]", "\"low\" as a list of 2 numbers"},
                 {"low", "[1,null]", "\"low\" as a list of 2 numbers"},
                 {"high", "3", "\"high\" as a list of 2 numbers"},
                 {"high", NULL, "\"high\" as a list of 2 numbers, got nothing"},
                 {"subgoal_low", "[0,0]", "\"subgoal_low\" as a list of 1 numbers"},
                 {"reach", "\"near\"", "reach: expected cell, cross or radius, got 'near'"},
                 {"reach", "1", "\"reach\" as a word"},
                 {"settings", "[]", "\"settings\" as an object"},
                 {"settings", "{\"tau\":[]}", "names with numbers or short lists"},
                 {"settings", "{\"tau\":{}}", "names with numbers or short lists"},
                 {"settings", "{\"tau\":[true]}", "names with numbers or short lists"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(read_spec(wrong[i].key, wrong[i].field, &spec, &settings, &error),
                     BESD_ENVIRONMENT, &error, wrong[i].sentence);
}

static void test_settings(void **state) {
    (void)state;
    besd_env_spec spec;
    protocol_settings settings;
    besd_error error = {BESD_OK, ""};
    assert_ok(read_spec("settings",
                        "{\"tau\":[200,600],\"gamma\":0.99,\"objective\":\"return\",\"reps\":[5]}",
                        &spec, &settings, &error),
              &error);
    assert_string_equal(settings.list[0], "tau=200,600");
    assert_string_equal(settings.list[1], "gamma=0.98999999999999999");
    assert_string_equal(settings.list[2], "objective=return");
    assert_string_equal(settings.list[3], "reps=5");
    assert_null(settings.list[4]);
    char many[40 * 16] = "{", long_name[400] = "{\"";
    for (int i = 0; i < 33; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%s\"s%d\":1", i ? "," : "", i);
    snprintf(many + strlen(many), sizeof many - strlen(many), "}");
    assert_fails(read_spec("settings", many, &spec, &settings, &error), BESD_ENVIRONMENT, &error,
                 "at most 32 settings");
    memset(long_name + 2, 'n', 200);
    snprintf(long_name + 202, sizeof long_name - 202, "\":1}");
    assert_fails(read_spec("settings", long_name, &spec, &settings, &error), BESD_ENVIRONMENT,
                 &error, "short lists");
}

static void test_rows(void **state) {
    (void)state;
    const besd_env_spec grid = {.states = 5, .observation = 2, .high = {5, 1}};
    static const struct {
        const char *row, *sentence;
    } rows[] = {{"[4,-0.5,0,5,0]", NULL},
                {"[0,1,1,0.5,0.5]", NULL},
                {"[0,1,2,0.5,1]", NULL},
                {"[5,0,0,1,0]", "expected a state from 0 to 4, got [5,0,0,1,0]"},
                {"[-1,0,0,1,0]", "expected a state from 0 to 4"},
                {"[1.0,0,0,1,0]", "expected a state from 0 to 4"},
                {"[null,0,0,1,0]", "expected a state from 0 to 4"},
                {"[1,null,0,1,0]", "a number as reward"},
                {"[1,\"0\",0,1,0]", "a number as reward"},
                {"[1,0,3,1,0]", "0, 1 (terminated) or 2 (truncated) as end"},
                {"[1,0,-1,1,0]", "as end"},
                {"[1,0,true,1,0]", "as end"},
                {"[1,0,0,5.1,0]", "observation 0 in its declared range [0, 5]"},
                {"[1,0,0,1,-0.1]", "observation 1 in its declared range [0, 1]"},
                {"[1,0,0,1,null]", "observation 1 in its declared range [0, 1]"},
                {"[1,0,0,1]", "a row of 5: state, reward, end and 2 numbers"},
                {"[1,0,0,1,0,0]", "a row of 5"},
                {"{}", "a row of 5"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        besd_env_outcome out;
        besd_error error = {BESD_OK, ""};
        json_t *row = read_json(rows[i].row);
        besd_status status = protocol_read_row(&grid, "step", row, &out, &error);
        json_decref(row);
        if (rows[i].sentence) {
            assert_fails(status, BESD_ENVIRONMENT, &error, rows[i].sentence);
            continue;
        }
        assert_ok(status, &error);
        assert_int_equal(out.terminated, i == 1);
        assert_int_equal(out.truncated, i == 2);
    }
    besd_env_outcome out;
    besd_error error = {BESD_OK, ""};
    besd_env_spec smooth = grid;
    smooth.states = 0; /* then nobody looks at the state */
    json_t *row = read_json("[null,2.5,0,1,0.25]");
    assert_ok(protocol_read_row(&smooth, "step", row, &out, &error), &error);
    assert_true(out.state == 0 && out.reward == 2.5 && out.observation[1] == 0.25);
    json_decref(row);
    assert_fails(protocol_read_row(&grid, "step", NULL, &out, &error), BESD_ENVIRONMENT, &error,
                 "got nothing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),  cmocka_unit_test(test_the_first_line),
        cmocka_unit_test(test_hello),    cmocka_unit_test(test_specs),
        cmocka_unit_test(test_reaching), cmocka_unit_test(test_settings),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
