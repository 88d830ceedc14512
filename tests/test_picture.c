/* Pictures of every kind that PNG and PGM have, and what is none. The PNG files were written by a
 * few lines of Python: byte i of row y is (37 i + 11 y) mod 256. */
#include "testing.h"

#include "sketch/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct seen {
    int width, height, rows;
    picture_pixel pixels[256];
} seen;

static besd_status begin(void *context, int width, int height, besd_error *error) {
    (void)error;
    seen *s = context;
    s->width = width;
    s->height = height;
    assert_true(width * height <= 256);
    return BESD_OK;
}

static void take_row(void *context, int y, const picture_pixel *pixels) {
    seen *s = context;
    assert_int_equal(y, s->rows++);
    memcpy(s->pixels + y * s->width, pixels, (size_t)s->width * sizeof *pixels);
}

static besd_status look(const char *path, seen *s, besd_error *error) {
    const picture_taker taker = {s, begin, take_row};
    *s = (seen){0};
    return picture_read(path, &taker, error);
}

static seen found(const char *name) {
    char path[600];
    seen s;
    besd_error error = {BESD_OK, ""};
    snprintf(path, sizeof path, TEST_DATA "/../fuzz/corpus/picture/%s", name);
    assert_ok(look(path, &s, &error), &error);
    assert_int_equal(s.rows, s.height);
    return s;
}

static int byte(int i, int y) {
    return (37 * i + 11 * y) % 256;
}

static void test_png(void **state) {
    (void)state;
    seen s = found("grey.png");
    assert_true(s.width == 7 && s.height == 5);
    for (int i = 0; i < 35; i++)
        assert_true(s.pixels[i].grey == byte(i % 7, i / 7) && s.pixels[i].opacity == 255);
    s = found("rgba.png");
    for (int i = 0; i < 20; i++) {
        const int x = i % 5, y = i / 5;
        double light =
            0.2126 * byte(4 * x, y) + 0.7152 * byte(4 * x + 1, y) + 0.0722 * byte(4 * x + 2, y);
        assert_close(s.pixels[i].grey, light, 2);
        assert_int_equal(s.pixels[i].opacity, byte(4 * x + 3, y));
    }
    s = found("bits.png");
    for (int i = 0; i < 33; i++)
        assert_int_equal(s.pixels[i].grey,
                         byte(i % 11 / 8, i / 11) >> (7 - i % 11 % 8) & 1 ? 255 : 0);
    s = found("interlaced.png");
    assert_int_equal(s.pixels[0].opacity, byte(3, 0));
    assert_true(found("palette.png").width == 8 && found("deep.png").width == 4);
    s = found("palette.png"); /* two bits a pixel, the second colour is half transparent */
    assert_true(s.pixels[0].opacity == 0 && s.pixels[5].opacity == 255);
    assert_int_equal(s.pixels[6].opacity, 128);
}

static void test_pgm(void **state) {
    (void)state;
    seen s = found("raw.pgm");
    assert_true(s.width == 4 && s.height == 3);
    for (int i = 0; i < 12; i++)
        assert_int_equal(s.pixels[i].grey, 20 * i);
    s = found("deep.pgm");
    assert_int_equal(s.pixels[3].grey, (6 * 256 + 7) * 255 / 65535);
    s = found("plain.pgm");
    static const int plain[] = {0, 255, 119, 17, 34, 51};
    for (int i = 0; i < 6; i++)
        assert_int_equal(s.pixels[i].grey, plain[i]);
}

/* A file of these bytes is refused with this sentence. */
static void refused(const char *bytes, size_t size, const char *text) {
    char path[] = "/tmp/besd-test-XXXXXX";
    seen s;
    besd_error error = {BESD_OK, ""};
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    close(file);
    besd_status status = look(path, &s, &error);
    unlink(path);
    assert_int_equal(status, BESD_INVALID);
    if (!strstr(error.message, text))
        fail_msg("expected '%s', got '%s'", text, error.message);
}

static void test_what_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *text;
    } wrong[] = {{"", "expected a picture"},
                 {"P6 1 1 255 abc", "expected a picture"},
                 {"P5 2 2 255\nabc", "row 2 is cut off"},
                 {"P2 2 2 255\n1 2 3", "row 2 is cut off"},
                 {"P2 2 1 15\n1 16", "row 1 is cut off or wrong"},
                 {"P2 2 1 15\n1 x", "row 1 is cut off or wrong"},
                 {"P5 0 2 255\n", "no pixels"},
                 {"P5 2 -2 255\n", "no PGM's"},
                 {"P5 2 2 0\n", "no PGM's"},
                 {"P5 2 2 65536\n", "no PGM's"},
                 {"P5 99999999999999999999 2 255\n", "no PGM's"},
                 {"P5 # forever", "no PGM's"},
                 {"P5 999999 1 255\n", "at most 32768 pixels a side"},
                 {"P5 8193 8193 255\n", "64 million in all, got 8193 x 8193"},
                 {"\x89PNG", "cut off or damaged"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(wrong[i].bytes, strlen(wrong[i].bytes), wrong[i].text);
    seen s;
    besd_error error = {BESD_OK, ""};
    assert_int_equal(look("/nowhere/x.png", &s, &error), BESD_IO);
    assert_fails(look("/tmp", &s, &error), BESD_IO, &error, "it is no file");
}

/* Every beginning of a picture is refused; so is one whose header promises too much. */
static void test_cut_off(void **state) {
    (void)state;
    char bytes[512];
    FILE *file = fopen(TEST_DATA "/../fuzz/corpus/picture/interlaced.png", "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_in_range(size, 100, sizeof bytes - 1);
    for (size_t length = 8; length + 12 < size; length += 7)
        refused(bytes, length, "cut off or damaged");
}

static void test_names(void **state) {
    (void)state;
    assert_true(picture_is("a.png") && picture_is("b/a.PGM") && picture_is("x.pnm"));
    assert_false(picture_is(".png") || picture_is("png") || picture_is("a.yaml"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_png), cmocka_unit_test(test_pgm),
                                       cmocka_unit_test(test_what_is_refused),
                                       cmocka_unit_test(test_cut_off),
                                       cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
