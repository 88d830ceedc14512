#include "testing.h"

#include "core/rng.h"
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

/* What moves a cursor, ends a line, or turns the direction of writing. */
static void test_a_cut_is_between_letters(void **state) {
    (void)state;
    const char *text = "x\xc3\xa4\xe2\x82\xac"; /* letters of one, two and three bytes */
    const size_t expected[] = {0, 1, 1, 3, 3, 3, 6, 6};
    for (size_t most = 0; most < sizeof expected / sizeof *expected; most++)
        assert_int_equal(text_cut(text, most), expected[most]);
}

static void test_nothing_steers_a_terminal(void **state) {
    (void)state;
    cleaned("a\nb\rc\x1b]0;x\x07 d", "a b c ]0;x  d");
    cleaned("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "???\xc2\xa0"); /* U+0080, U+009B, U+009F; U+00A0 */
    cleaned("\u061c\u200e\u200f.", "???.");
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is the point */
    cleaned("\u202a\u202b\u202c\u202d\u202e.", "?????.");
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is the point */
    cleaned("\u2066\u2067\u2068\u2069.", "????.");
    cleaned("\u2028\u2029.", "  ."); /* ends of a line and of a paragraph */
    cleaned("\u061b\u061d\u200d\u2010\u2027\u202f\u2065\u206a",
            "\u061b\u061d\u200d\u2010\u2027\u202f\u2065\u206a");
}

static char written[200];

static size_t put(text_put *way, const char *text, size_t length) {
    FILE *out = fmemopen(written, sizeof written, "w");
    assert_non_null(out);
    written[0] = 0; /* in case nothing is */
    size_t size = way(out, text, length);
    fclose(out);
    assert_int_equal(size, strlen(written));
    assert_int_equal(way(NULL, text, length), size); /* counted without being written */
    return size;
}

static void test_put_clean(void **state) {
    (void)state;
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is the point */
    put(text_put_clean, "a<b>\x1b\u202e&", 9);
    assert_string_equal(written, "a<b> ?&");
    put(text_put_clean, "\xe2\x82\xac", 2); /* a letter cut off by the length */
    assert_string_equal(written, "");
    put(text_put_clean, "a\0b", 3);
    assert_string_equal(written, "a b");
}

static void test_put_markup(void **state) {
    (void)state;
    put(text_put_markup, "<a b='c' d=\"e\">\x0c&amp;\u20ac", 24);
    assert_string_equal(written, "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt; &amp;amp;\u20ac");
}

static const char *double_after_a(char sign, char before) {
    return sign == '!' && before == 'a' ? "!!" : sign == '!' && !before ? "first" : NULL;
}

static size_t put_doubled(FILE *out, const char *text, size_t length) {
    return text_put_escaped(out, text, length, double_after_a);
}

static void test_put_with_escapes_of_ones_own(void **state) {
    (void)state;
    put(put_doubled, "!a!b!", 5);
    assert_string_equal(written, "firsta!!b!");
}

/* Bytes that begin, continue and end letters, more often than others. */
static size_t draw_text(rng *r, char *text, size_t most) {
    static const char likely[] = "\xc2\x80\x9b\xa0\xd8\x9c\xe2\x80\xae\x81\xa6\xf0\x9f\xf4\x8f\xbf"
                                 "\xed\xa0\xe0\x1b\n\x7f<>&\"' a";
    size_t length = rng_below(r, most);
    for (size_t i = 0; i < length; i++)
        text[i] = rng_below(r, 4) ? likely[rng_below(r, sizeof likely - 1)]
                                  : (char)(1 + rng_below(r, 255));
    text[length] = 0;
    return length;
}

/* Clean text stays as it is, is never longer, and is what text_put_clean writes; markup holds no
 * sign that means something there. 20 000 texts of up to 23 bytes. */
static void test_any_bytes(void **state) {
    rng r = rng_open(1, RNG_TEST, 0, 0, 0);
    char text[24], clean[24], again[24];
    (void)state;
    for (int i = 0; i < 20000; i++) {
        size_t length = draw_text(&r, text, sizeof text);
        memcpy(clean, text, sizeof text);
        text_clean(clean);
        assert_true(strlen(clean) <= length);
        memcpy(again, clean, sizeof clean);
        text_clean(again);
        assert_string_equal(again, clean);
        for (const char *c = clean; *c; c++)
            assert_true((unsigned char)*c >= ' ' && *c != 127);
        put(text_put_clean, text, length);
        assert_string_equal(written, clean);
        put(text_put_json, clean, strlen(clean));
        assert_string_equal(written, clean);
        put(text_put_markup, text, length);
        assert_null(strpbrk(written, "<>\"'"));
    }
}

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
        cmocka_unit_test(test_letters_stay),
        cmocka_unit_test(test_other_bytes_are_questioned),
        cmocka_unit_test(test_a_cut_letter_goes),
        cmocka_unit_test(test_a_cut_is_between_letters),
        cmocka_unit_test(test_nothing_steers_a_terminal),
        cmocka_unit_test(test_put_clean),
        cmocka_unit_test(test_put_markup),
        cmocka_unit_test(test_put_with_escapes_of_ones_own),
        cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_equal_up_to_case),
        cmocka_unit_test(test_plausible_slips),
        cmocka_unit_test(test_the_limits_of_a_slip),
        cmocka_unit_test(test_the_nearest_wins),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_against_the_recursive_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
