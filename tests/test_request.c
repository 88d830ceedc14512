#include "testing.h"

#include "serve/request.h"

static bool parses(const char *body, const char *complaint) {
    call c = {0};
    reply r = {0};
    bool fine = input_parse(&c, &r, body, strlen(body));
    if (!fine && !strstr(r.text, complaint))
        fail_msg("'%s': expected '%s' in %s", body, complaint, r.text);
    assert_int_equal(fine ? 200 : r.code, fine ? 200 : 400);
    json_decref(c.input);
    reply_clear(&r);
    return fine;
}

static void test_bodies(void **state) {
    (void)state;
    assert_true(parses("", ""));
    assert_true(parses(" \r\n\t", ""));
    assert_true(parses("{\"a\": 1}", ""));
    assert_false(parses("[1]", "expected a JSON object"));
    assert_false(parses("{\"a\": 1,}", "line 1"));
    assert_false(parses("{\"a\": 1, \"a\": 2}", "duplicate"));
    assert_false(parses("{} {}", "no JSON"));
}

static void test_members(void **state) {
    (void)state;
    reply r = {0};
    double number = 7;
    int64_t whole = 7;
    bool flag = true;
    const char *text = "as before";
    json_t *o = json_pack("{s:f, s:i, s:b, s:s, s:n}", "f", 1.5, "i", 3, "b", 0, "t", "x", "n");
    assert_true(input_number(&r, o, "i", &number) && number == 3);
    assert_true(input_number(&r, o, "none", &number) && number == 3);
    assert_true(input_number(&r, o, "n", &number) && number == 3);
    assert_true(input_integer(&r, o, "i", &whole) && whole == 3);
    assert_true(input_flag(&r, o, "b", &flag) && !flag);
    assert_true(input_text(&r, o, "n", &text));
    assert_string_equal(text, "as before");
    assert_false(input_integer(&r, o, "f", &whole));
    assert_non_null(strstr(r.text, "f: expected a whole number, got 1.5"));
    assert_false(input_number(&r, o, "t", &number));
    assert_false(input_text(&r, o, "i", &text));
    assert_false(input_flag(&r, o, "i", &flag));
    assert_int_equal(r.code, 400);
    reply_clear(&r);
    json_decref(o);
}

static void test_unknown_members(void **state) {
    (void)state;
    reply r = {0};
    json_t *o = json_pack("{s:i}", "scors", 1);
    assert_false(input_expect(&r, o, "the body", "cost scores note"));
    assert_non_null(strstr(r.text, "no member 'scors'; did you mean 'scores'?"));
    assert_true(input_expect(&r, o, "the body", "a scors b"));
    assert_false(input_expect(&r, o, "the body", "scorsx xscors"));
    assert_false(input_expect(&r, o, "the body", ""));
    reply_clear(&r);
    json_decref(o);
}

static void test_lists(void **state) {
    (void)state;
    reply r = {0};
    double values[3];
    size_t count;
    json_t *o = json_pack("{s:[f,i], s:[i,i,i,i], s:[s], s:[]}", "good", 1.5, 2, "long", 1, 2, 3, 4,
                          "text", "a", "empty");
    assert_true(input_numbers(&r, o, "good", values, 3, &count));
    assert_int_equal(count, 2);
    assert_close(values[1], 2, 0);
    assert_false(input_numbers(&r, o, "long", values, 3, &count));
    assert_non_null(strstr(r.text, "at most 3 numbers, got 4"));
    assert_false(input_numbers(&r, o, "text", values, 3, &count));
    assert_false(input_numbers(&r, o, "empty", values, 3, &count));
    assert_false(input_numbers(&r, o, "none", values, 3, &count));
    reply_clear(&r);
    json_decref(o);
}

static void test_queries(void **state) {
    (void)state;
    char text[8];
    assert_true(query_text("a=1&bb=2+3", "bb", text, sizeof text));
    assert_string_equal(text, "2 3");
    assert_true(query_text("a=%41%2f%", "a", text, sizeof text));
    assert_string_equal(text, "A/%");
    assert_true(query_text("a=%00", "a", text, sizeof text));
    assert_string_equal(text, "?");
    assert_false(query_text("aa=1", "a", text, sizeof text));
    assert_false(query_text("", "a", text, sizeof text));
    assert_false(query_text("a=12345678", "a", text, sizeof text)); /* too long */
    assert_true(query_text("a=&b", "a", text, sizeof text));
    assert_string_equal(text, "");
}

static void test_numbers_in_queries(void **state) {
    (void)state;
    reply r = {0};
    int64_t value = 5;
    static const char *const wrong[] = {"a=",   "a=-1", "a=x",
                                        "a=1x", "a= 1", "a=99999999999999999999"};
    assert_true(query_integer(&(call){.query = "b=1"}, &r, "a", &value) && value == 5);
    assert_true(query_integer(&(call){.query = "b=1&a=17"}, &r, "a", &value) && value == 17);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (query_integer(&(call){.query = wrong[i]}, &r, "a", &value))
            fail_msg("%s was taken", wrong[i]);
        assert_int_equal(r.code, 400);
    }
    reply_clear(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),          cmocka_unit_test(test_members),
        cmocka_unit_test(test_unknown_members), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_queries),         cmocka_unit_test(test_numbers_in_queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
