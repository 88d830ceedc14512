#include "testing.h"

#include "core/names.h"
#include "core/rng.h"

/* A list of names that ends with NULL. */
static const char *listed(size_t index, const void *context) {
    const char *const *names = context;
    return names[index];
}

static void test_equal_up_to_case(void **state) {
    (void)state;
    assert_true(names_equal("gw10", "GW10"));
    assert_true(names_equal("", ""));
    assert_false(names_equal("gw10", "gw1"));
    assert_false(names_equal("gw1", "gw10"));
    assert_false(names_equal("gw10", "gw20"));
    assert_false(names_equal("", "a"));
    assert_false(names_equal("a", ""));
}

static void test_plausible_slips(void **state) {
    (void)state;
    const char *const names[] = {"gw10", "gw20", "tr", "key2", "wind_low", "epsilon_start", NULL};
    assert_string_equal(names_nearest("gw01", listed, names), "gw10");
    assert_string_equal(names_nearest("GW200", listed, names), "gw20");
    assert_string_equal(names_nearest("wnd_low", listed, names), "wind_low");
    assert_string_equal(names_nearest("epsilonstart", listed, names), "epsilon_start");
    assert_null(names_nearest("banana", listed, names));
    assert_null(names_nearest("", listed, names));
}

/* More than three letters, or more than half of the longer name: no suggestion. */
static void test_the_limits_of_a_slip(void **state) {
    (void)state;
    const char *const ten[] = {"abcdefghij", NULL}, *const four[] = {"abcd", NULL};
    assert_non_null(names_nearest("abcdefgxyz", listed, ten));
    assert_null(names_nearest("abcdefwxyz", listed, ten));
    assert_non_null(names_nearest("abxy", listed, four));
    assert_null(names_nearest("axyz", listed, four));
    assert_non_null(names_nearest("ab", listed, four));
    assert_null(names_nearest("a", listed, four));
}

/* Of equally near names the first; a nearer one wins wherever it stands. */
static void test_the_nearest_wins(void **state) {
    (void)state;
    const char *const names[] = {"abcx", "abcy", "abcde", "abcd", NULL};
    assert_string_equal(names_nearest("abcz", listed, names), "abcx");
    assert_string_equal(names_nearest("abcdd", listed, names), "abcde");
    assert_string_equal(names_nearest("ABCD", listed, names), "abcd");
}

/* Names of 64 letters fit, longer ones are left out without harm. */
static void test_long_names(void **state) {
    (void)state;
    char fits[65], slip[65], longer[80];
    memset(fits, 'a', 64);
    memset(slip, 'a', 64);
    memset(longer, 'a', 79);
    fits[64] = slip[64] = longer[79] = '\0';
    slip[30] = 'b';
    const char *const names[] = {longer, fits, NULL};
    assert_ptr_equal(names_nearest(slip, listed, names), fits);
    assert_null(names_nearest(longer, listed, names));
}

/* The edit distance with swapped neighbours from its recursive definition. */
static size_t distance(const char *a, const char *b) {
    if (!*a || !*b)
        return strlen(a) + strlen(b);
    if (*a == *b)
        return distance(a + 1, b + 1);
    size_t replaced = distance(a + 1, b + 1), deleted = distance(a + 1, b);
    size_t inserted = distance(a, b + 1), least = replaced < deleted ? replaced : deleted;
    least = least < inserted ? least : inserted;
    if (a[0] == b[1] && a[1] == b[0]) {
        size_t swapped = distance(a + 2, b + 2);
        least = least < swapped ? least : swapped;
    }
    return 1 + least;
}

static void draw_word(rng *r, char word[8]) {
    uint64_t length = rng_below(r, 8);
    for (uint64_t i = 0; i < length; i++)
        word[i] = (char)('a' + rng_below(r, 3));
    word[length] = '\0';
}

/* Random words of up to seven letters out of three, against exhaustive search. */
static void test_against_the_recursive_distance(void **state) {
    (void)state;
    enum { KNOWN = 4 };
    rng r = rng_open(1, RNG_TEST, 1, 0, 0);
    int suggested = 0;
    for (int n = 0; n < 2000; n++) {
        char words[KNOWN][8], typed[8];
        const char *names[KNOWN + 1] = {words[0], words[1], words[2], words[3], NULL};
        const char *expected = NULL;
        size_t least = SIZE_MAX;
        draw_word(&r, typed);
        for (int i = 0; i < KNOWN; i++) {
            draw_word(&r, words[i]);
            size_t longer = strlen(words[i]) > strlen(typed) ? strlen(words[i]) : strlen(typed);
            size_t edits = distance(typed, words[i]);
            if (edits <= 3 && 2 * edits <= longer && edits < least) {
                least = edits;
                expected = words[i];
            }
        }
        assert_ptr_equal(names_nearest(typed, listed, names), expected);
        suggested += expected != NULL;
    }
    assert_true(suggested > 500 && suggested < 1900); /* both answers were put to the test */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_up_to_case),
        cmocka_unit_test(test_plausible_slips),
        cmocka_unit_test(test_the_limits_of_a_slip),
        cmocka_unit_test(test_the_nearest_wins),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_against_the_recursive_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
