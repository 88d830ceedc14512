#include "testing.h"

#include "core/json.h"
#include "core/text.h"

#include <stdio.h>

/* What is printed steers no terminal, and says the same when it is read again. */
static void test_json_is_clean_and_the_same(void **state) {
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is the point */
    static const char name[] = "a\x1b[2J\n\x7f \xc2\x9b \u202e\u2066 \u00e9 \U0001f916 \"<\\";
    char text[400];
    (void)state;
    json_t *object =
        json_pack("{s:s, s:o, s:o}", name, name, "x", json_number(0.1), "y", json_number(1 / 0.0));
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    assert_int_equal(json_print(out, object, JSON_COMPACT), 0);
    fclose(out);
    char clean[sizeof text];
    snprintf(clean, sizeof clean, "%s", text);
    text_clean(clean);
    assert_string_equal(clean, text);
    assert_non_null(strstr(text, "\\u009b \\u202e\\u2066 \u00e9 ")); /* letters stay */
    assert_non_null(strstr(text, "\\u007f"));
    json_t *again = json_loads(text, 0, NULL);
    assert_true(json_equal(object, again));
    json_decref(again);
    json_decref(object);
}

static void test_indents_stay(void **state) {
    char text[100];
    (void)state;
    json_t *object = json_pack("{s:s}", "a", "\n");
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    assert_int_equal(json_print(out, object, JSON_INDENT(1)), 0);
    fclose(out);
    assert_string_equal(text, "{\n \"a\": \"\\n\"\n}");
    json_decref(object);
}

static void test_a_full_disk_is_told(void **state) {
    (void)state;
    FILE *out = fopen("/dev/full", "w");
    if (!out)
        skip();
    setvbuf(out, NULL, _IONBF, 0);
    json_t *text = json_string("\x7f");
    assert_int_equal(json_print(out, text, JSON_ENCODE_ANY), -1);
    json_decref(text);
    fclose(out);
}

/* Members of both, those of the second where both have one. What is missing makes nothing of it,
 * and both are taken over either way; a leak checker would tell. */
static void test_joined(void **state) {
    (void)state;
    json_t *joined = json_joined(json_pack("{s:i, s:i}", "a", 1, "b", 2),
                                 json_pack("{s:i, s:s}", "b", 3, "c", "x"));
    json_t *expected = json_pack("{s:i, s:i, s:s}", "a", 1, "b", 3, "c", "x");
    assert_true(json_equal(joined, expected));
    json_decref(joined);
    json_t *kept = json_pack("{s:i}", "a", 1);
    for (int way = 0; way < 3; way++) {
        json_t *other = way == 2 ? json_integer(4) : NULL; /* a number has no members */
        json_incref(kept);
        assert_null(way == 1 ? json_joined(other, kept) : json_joined(kept, other));
        assert_int_equal(kept->refcount, 1); /* this one is ours */
    }
    assert_null(json_joined(NULL, NULL));
    json_decref(kept);
    json_decref(expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_is_clean_and_the_same),
        cmocka_unit_test(test_indents_stay),
        cmocka_unit_test(test_a_full_disk_is_told),
        cmocka_unit_test(test_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
