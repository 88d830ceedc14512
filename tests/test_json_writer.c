/* JSON written straight into a text has the letters of the same tree. */
#include "testing.h"

#include "core/json.h"
#include "core/json_writer.h"
#include "core/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FLAGS = JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY };

static void check_number(double value) {
    json_writer w = {0};
    size_t size;
    json_t *tree = json_number(value);
    char *expected = json_text(tree, FLAGS, &size);
    json_write_number(&w, value);
    assert_string_equal(w.text, expected);
    free(expected);
    json_decref(tree);
    json_writer_clear(&w);
}

static void test_numbers(void **state) {
    (void)state;
    static const double some[] = {0,
                                  -0.0,
                                  1,
                                  -1,
                                  0.1,
                                  6.11,
                                  1e-4,
                                  9.99e-5,
                                  1e-5,
                                  1e22,
                                  1e300,
                                  5e-324,
                                  123456,
                                  1e15,
                                  1e16,
                                  9e9,
                                  1e9,
                                  0.0000015,
                                  2.5,
                                  100,
                                  -7.25,
                                  1.0 / 3,
                                  2e-308,
                                  1e17,
                                  1794839812.08,
                                  999999.9999995,
                                  INFINITY,
                                  NAN,
                                  -1e9,
                                  4503599627370497.5,
                                  0.1 + 0.2};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        check_number(some[i]);
    for (uint64_t i = 0; i < 20000; i++) {
        double share = (double)(rng_seed(5, RNG_AGENT, i, 0, 0) >> 11) * 0x1p-53;
        check_number(share);
        check_number(round(share * 1e6) / 1e3); /* as dates and costs are */
        check_number((share - 0.5) * pow(10, (double)(i % 40) - 20));
        check_number(round(share * 1e12) / 1e6);
    }
}

static void test_texts(void **state) {
    (void)state;
    static const char *const some[] = {
        "",      "plain",        "a \"b\" \\ /",          "\b\f\n\r\t\x01\x1f",
        "größe", "\xe2\x80\xae", "\xf0\x9f\xa4\x96 robot"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        json_writer w = {0};
        size_t size;
        json_t *tree = json_string(some[i]);
        char *expected = json_text(tree, FLAGS, &size);
        json_write_text(&w, some[i]);
        assert_string_equal(w.text, expected);
        assert_int_equal(w.size, size);
        free(expected);
        json_decref(tree);
        json_writer_clear(&w);
    }
}

static void write_all(json_writer *w) {
    json_write_begin(w, '{');
    json_write_name(w, "a");
    json_write_begin(w, '[');
    json_write_end(w, ']');
    json_write_name(w, "b");
    json_write_numbers(w, (double[]){1.5, NAN}, 2);
    json_write_name(w, "c");
    json_write_tree(w, json_pack("{s:i}", "d", 3));
    json_write_name(w, "e");
    json_write_begin(w, '[');
    json_write_begin(w, '{');
    json_write_end(w, '}');
    json_write_null(w);
    json_write_integer(w, INT64_MIN);
    json_write_text(w, "x");
    json_write_end(w, ']');
    json_write_end(w, '}');
}

static const char all[] =
    "{\"a\":[],\"b\":[1.5,null],\"c\":{\"d\":3},\"e\":[{},null,-9223372036854775808,\"x\"]}";

static void test_commas(void **state) {
    (void)state;
    json_writer w = {0};
    write_all(&w);
    assert_false(w.failed);
    assert_string_equal(w.text, all);
    json_t *tree = json_writer_tree(&w);
    assert_int_equal(json_object_size(tree), 4);
    json_decref(tree);
    json_writer_clear(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_commas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
