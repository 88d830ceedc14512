/* A map as rows of letters: what varies is told from what does not, and other texts are none. */
#include "testing.h"

#include "figures/map_text.h"
#include "world/domain.h"

#include <string.h>

static void test_rows(void **state) {
    (void)state;
    static grid_map map;
    char text[MAP_TEXT_SIZE];
    besd_error error = {BESD_OK, ""};
    assert_ok(
        grid_map_parse("GG.ac\n##bak\nS.ccb\nchoose wall: ac | bc\nchoose key: k\n", &map, &error),
        &error);
    map_text_write(&map, text);
    assert_string_equal(text, "GG.w#\n##wwK\nS.##w\n");
}

static void test_measure(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "", "\n", "..", "..\n...\n", "..\n<b\n", "..\n\n..\n", "...\n..\n..\n", "..\n.", ".\x80\n"};
    int width = 0, height = 0;
    assert_true(map_text_measure("..#\nSGw\n", &width, &height));
    assert_int_equal(width, 3);
    assert_int_equal(height, 2);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (map_text_measure(wrong[i], &width, &height))
            fail_msg("taken for a map: '%s'", wrong[i]);
}

/* All built-in grids, the largest side included. */
static void test_built_in(void **state) {
    (void)state;
    static domain d;
    char text[MAP_TEXT_SIZE];
    besd_error error = {BESD_OK, ""};
    for (size_t i = 0; domain_name(i); i++) {
        int width, height;
        assert_ok(domain_find(domain_name(i), &d, &error), &error);
        if (d.kind != DOMAIN_GRID)
            continue;
        map_text_write(&d.map, text);
        assert_true(map_text_measure(text, &width, &height));
        assert_int_equal(width, d.map.width);
        assert_int_equal(height, d.map.height);
        assert_non_null(strchr(text, 'S'));
    }
}

static void test_largest(void **state) {
    (void)state;
    char text[MAP_TEXT_SIZE], *at = text;
    int width, height;
    for (int y = 0; y < GRID_MAX_SIDE; y++, *at++ = '\n')
        for (int x = 0; x < GRID_MAX_SIDE; x++)
            *at++ = '.';
    *at = 0;
    assert_true(map_text_measure(text, &width, &height));
    assert_int_equal(height, GRID_MAX_SIDE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_measure),
                                       cmocka_unit_test(test_built_in),
                                       cmocka_unit_test(test_largest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
