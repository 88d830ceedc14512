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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters_stay),
        cmocka_unit_test(test_other_bytes_are_questioned),
        cmocka_unit_test(test_a_cut_letter_goes),
        cmocka_unit_test(test_nothing_steers_a_terminal),
        cmocka_unit_test(test_put_clean),
        cmocka_unit_test(test_put_markup),
        cmocka_unit_test(test_put_with_escapes_of_ones_own),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
