#include "testing.h"

#include "core/json.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void check_shorter(const char *before, const char *after) {
    char text[200];
    snprintf(text, sizeof text, "%s", before);
    assert_int_equal(json_shorten(text), strlen(after));
    assert_string_equal(text, after);
}

static void test_reals_are_short(void **state) {
    (void)state;
    check_shorter("6.1100000000000003", "6.11");
    check_shorter("[-0.10000000000000001,0.30000000000000004]", "[-0.1,0.30000000000000004]");
    check_shorter("{\"a\":5000.0,\"b\":5000,\"c\":-0.0}", "{\"a\":5000.0,\"b\":5000,\"c\":-0.0}");
    check_shorter("10000000000000000.0", "1e16");
    check_shorter("1000000000000000.0", "1e15");
    check_shorter("1234567890123450.0", "1234567890123450.0"); /* 1.23456789012345e15 is longer */
    check_shorter("1e22", "1e22");
    check_shorter("1.0000000000000001e300", "1e300");
    check_shorter("1.2999999999999999e-5", "1.3e-5");
    check_shorter("-1.3e-105", "-1.3e-105");
    check_shorter("4.9406564584124654e-324", "4.94065645841247e-324");
    check_shorter("1.7976931348623157e308", "1.7976931348623157e308");
    check_shorter("12345678901234567890", "12345678901234567890"); /* no real */
    check_shorter("[true,false,null]", "[true,false,null]");
    check_shorter("{\"6.1100000000000003\":\"a 6.1100000000000003\"}",
                  "{\"6.1100000000000003\":\"a 6.1100000000000003\"}");
    check_shorter("[\"\\\\\",6.1100000000000003,\"\\\"6.1100000000000003\",6.1100000000000003]",
                  "[\"\\\\\",6.11,\"\\\"6.1100000000000003\",6.11]");
    check_shorter("\"6.1100000000000003", "\"6.1100000000000003"); /* not finished */
    check_shorter("", "");
}

/* Whatever the number is: the text reads back as the same real, and is not longer than before. */
static void test_every_real_reads_back(void **state) {
    (void)state;
    uint64_t bits = 1;
    for (int i = 0; i < 200000; i++) {
        double value;
        size_t size;
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        memcpy(&value, &bits, sizeof value);
        if (i % 3 == 0)
            value = (double)(int64_t)(bits >> 40) / 100; /* as people write them */
        else if (i % 3 == 1)
            value = ldexp((double)(bits >> 11), (int)(bits % 7) - 53 - 1022 * (bits % 5 == 0));
        if (!isfinite(value))
            continue;
        json_t *real = json_real(value);
        char *text = json_text(real, JSON_ENCODE_ANY, &size);
        char *long_text = json_dumps(real, JSON_ENCODE_ANY);
        json_t *again = json_loads(text, JSON_DECODE_ANY, NULL);
        assert_true(json_is_real(again) && json_real_value(again) == value);
        assert_true(size == strlen(text) && size <= strlen(long_text));
        if (i % 3 == 0)
            assert_true(size <= 13); /* 10 digits before the point, 2 behind */
        json_decref(real);
        json_decref(again);
        free(text);
        free(long_text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_is_clean_and_the_same),
        cmocka_unit_test(test_indents_stay),
        cmocka_unit_test(test_a_full_disk_is_told),
        cmocka_unit_test(test_joined),
        cmocka_unit_test(test_reals_are_short),
        cmocka_unit_test(test_every_real_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
