#include "testing.h"

#include "core/print.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static char printed[500], expected[500];

/* The same bytes as printf for everything but texts of others. */
#define same(...)                                                                                  \
    do {                                                                                           \
        FILE *out = fmemopen(printed, sizeof printed, "w");                                        \
        assert_non_null(out);                                                                      \
        print_clean(out, __VA_ARGS__);                                                             \
        fclose(out);                                                                               \
        snprintf(expected, sizeof expected, __VA_ARGS__);                                          \
        assert_string_equal(printed, expected);                                                    \
    } while (0)

#define prints(text, way, ...)                                                                     \
    do {                                                                                           \
        FILE *out = fmemopen(printed, sizeof printed, "w");                                        \
        assert_non_null(out);                                                                      \
        way(out, __VA_ARGS__);                                                                     \
        fclose(out);                                                                               \
        assert_string_equal(printed, text);                                                        \
    } while (0)

static void test_numbers_as_printf_has_them(void **state) {
    (void)state;
    same("%d %5d|%-5d|%05d|%+d|% d|%.3d", -1, 42, 42, 42, 42, 42, 42);
    same("%ld %lld %zd %i", LONG_MIN, LLONG_MIN, (ssize_t)-3, INT_MIN);
    same("%u %lu %llu %zu", UINT_MAX, ULONG_MAX, ULLONG_MAX, SIZE_MAX);
    same("0x%06x %X %02x", 0xabcU, 0xabcU, 7U);
    same("%g|%.4g|%12.4g|%-12.4g|%e|%f|%3.0f %%", 0.1, 1234567.0, 3.14159, 3.14159, 1e-9, 2.5,
         99.6);
    same("%*d|%-*d|%.*g|%*.*f", 7, 1, 7, 1, 3, 1.23456, 9, 2, 1.23456);
    same("%g %g %g", 1 / 0.0, -1 / 0.0, 0.0);
    same("%% and \033[K stay\n");
}

static void test_texts_as_printf_has_them(void **state) {
    (void)state;
    same("%s|%5s|%-5s|%.2s|%5.2s|%-5.2s|", "abc", "abc", "abc", "abc", "abc", "abc");
    same("%*s|%-*s|%.*s|%*s|", 6, "abc", 6, "abc", 2, "abc", -6, "abc");
    same("%c%3c|%-3c|%s", 'x', 'y', 'z', "");
    same("%21sgot", "");
}

/* The format is ours, newlines and escapes included; what comes in is cleaned. */
static void test_texts_of_others_are_cleaned(void **state) {
    const char *volatile nothing = NULL;
    (void)state;
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is the point */
    prints("\033[1m a [2J b ? \n", print_clean, "\033[1m %s %s \n", "a\x1b[2J", "b \u202e");
    prints("|    ?x|?x    |", print_clean, "|%6s|%-6s|", "\xc2\x9bx", "\xc2\x9bx");
    prints("a|", print_clean, "%.3s|", "a\u20ac"); /* cut within a letter */
    prints("a  b", print_clean, "a%c%cb", '\n', '\x1b');
    prints("(null)", print_clean, "%s", nothing);
}

/* A text without an end is read no further than it is said to be long. */
static void test_a_text_without_an_end(void **state) {
    char two[2] = {'a', 'b'};
    (void)state;
    prints("ab", print_clean, "%.*s", 2, two);
}

static void test_markup(void **state) {
    (void)state;
    prints("<a b=\"&quot;&gt;&lt;i&gt;\">&amp;</a>", print_markup, "<a b=\"%s\">%s</a>", "\"><i>",
           "&");
    prints("<p>   &lt;</p>", print_markup, "<p>%7s</p>", "<"); /* widths count what is written */
    prints("<td>1.5</td>", print_markup, "<td>%g</td>", 1.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_as_printf_has_them),
        cmocka_unit_test(test_texts_as_printf_has_them),
        cmocka_unit_test(test_texts_of_others_are_cleaned),
        cmocka_unit_test(test_a_text_without_an_end),
        cmocka_unit_test(test_markup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
