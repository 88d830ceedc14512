/* A map as rows of letters: what varies is told from what does not. */
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
    assert_ok(grid_map_parse("G^>.\nS<V.\n", &map, &error), &error);
    map_text_write(&map, text);
    assert_string_equal(text, "G^>.\nS<V.\n");
}

/* All built-in grids. */
static void test_built_in(void **state) {
    (void)state;
    static domain d;
    char text[MAP_TEXT_SIZE];
    besd_error error = {BESD_OK, ""};
    for (size_t i = 0; domain_name(i); i++) {
        assert_ok(domain_find(domain_name(i), &d, &error), &error);
        if (d.kind != DOMAIN_GRID)
            continue;
        map_text_write(&d.map, text);
        assert_int_equal(strlen(text), (d.map.width + 1) * d.map.height);
        assert_int_equal(strspn(text, ".#wSGDKTsgdkt\n"), strlen(text));
        assert_non_null(strchr(text, 'S'));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_built_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
