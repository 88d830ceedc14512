#include "testing.h"

#include "core/text.h"

#include <stdio.h>

static void cleaned(const char *text, const char *expected) {
    char copy[100];
    snprintf(copy, sizeof copy, "%s", text);
    text_clean(copy);
    assert_string_equal(copy, expected);
}

static void test_letters_stay(void **state) {
    (void)state;
    cleaned("", "");
    cleaned("plain", "plain");
    cleaned("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\xa4\x96",
            "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\xa4\x96");
    cleaned("caf\xc3\xa9\t\x1b[1m!\x7f", "caf\xc3\xa9  [1m! ");
}

static void test_other_bytes_are_questioned(void **state) {
    (void)state;
    cleaned("caf\xe9 \xc3\xa9", "caf? \xc3\xa9");
    cleaned("\xc0\xaf.", "??."); /* overlong */
    cleaned("\xe0\x9f\xbf.", "???.");
    cleaned("\xed\xa0\x80.", "???.");      /* a surrogate */
    cleaned("\xf4\x90\x80\x80.", "????."); /* beyond the last letter */
    cleaned("\xff\xfe.", "??.");
    cleaned("\x80.", "?.");
}

/* As snprintf leaves it. */
static void test_a_cut_letter_goes(void **state) {
    (void)state;
    cleaned("\xc3\xa4\xc3", "\xc3\xa4");
    cleaned("x\xe2\x82", "x");
    cleaned("x\xf0\x9f\xa4", "x");
    cleaned("x\xf0", "x");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters_stay),
        cmocka_unit_test(test_other_bytes_are_questioned),
        cmocka_unit_test(test_a_cut_letter_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
