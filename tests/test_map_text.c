/* Question marks in maps: places that touch are one wall, which is there or not. */
#include "testing.h"

#include "sketch/map_text.h"

#include <stdlib.h>

static besd_status parse(const char *text, grid_map *map, bool *doubtful, besd_error *error) {
    char *copy = strdup(text);
    assert_non_null(copy);
    besd_status status = map_text_parse("map.txt", copy, map, doubtful, error);
    free(copy);
    return status;
}

static void test_places(void **state) {
    (void)state;
    static grid_map map;
    besd_error error = {BESD_OK, ""};
    bool doubtful;
    assert_ok(parse("S??.?\n.?..?\n?...G\n", &map, &doubtful, &error), &error);
    assert_true(doubtful && map.choice_count == 3 && grid_map_layouts(&map) == 8);
    assert_int_equal(map.cells[5 + 1], map.cells[10 + 1]);
    assert_int_equal(map.cells[10 + 2], map.cells[10 + 1]);
    assert_int_equal(map.cells[5 + 4], map.cells[10 + 4]);
    assert_true(map.cells[0] != map.cells[6] && map.cells[0] != map.cells[9]);
    assert_ok(parse("S.G\n", &map, &doubtful, &error), &error);
    assert_false(doubtful);
}

/* Letters that the map has are not taken again; maps do not touch each other. */
static void test_with_letters_and_maps(void **state) {
    (void)state;
    static grid_map map;
    besd_error error = {BESD_OK, ""};
    bool doubtful;
    assert_ok(parse("Sa?\n..G\n---\nS.?\na.G\nchoose wall: a | -\ncell_size 0.5\n", &map, &doubtful,
                    &error),
              &error);
    assert_true(map.count == 2 && map.choice_count == 3 && map.cell_size == 0.5);
    assert_true(map.cells[5] != map.cells[11] && map.cells[5] != 'a');
}

static void test_what_is_refused(void **state) {
    (void)state;
    static grid_map map;
    besd_error error = {BESD_OK, ""};
    bool doubtful;
    assert_fails(parse("S.?.?.?.?.?.?.?.?.?G\n", &map, &doubtful, &error), BESD_INVALID, &error,
                 "map.txt: expected at most 8 places with question marks");
    assert_fails(parse("S.!\n", &map, &doubtful, &error), BESD_INVALID, &error,
                 "map.txt: map line 1, column 3: '!'");
    assert_fails(map_text_read("/nowhere.txt", &map, &doubtful, &error), BESD_IO, &error,
                 "/nowhere.txt: ");
    assert_fails(map_text_read("/tmp", &map, &doubtful, &error), BESD_INVALID, &error,
                 "it is no file");
}

static void test_which_can_be_drawn_anew(void **state) {
    (void)state;
    static grid_map map;
    besd_error error = {BESD_OK, ""};
    static const struct {
        const char *text;
        bool plain;
    } maps[] = {{"S.G\n", true},   {"SaG\nchoose wall: a | -\n", true},
                {"SKDG\n", false}, {"S^G\n", false},
                {"STG\n", false},  {"Sab\nchoose goal: a | b\n", false}};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        assert_ok(grid_map_parse(maps[i].text, &map, &error), &error);
        assert_int_equal(map_text_is_plain(&map), maps[i].plain);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places), cmocka_unit_test(test_with_letters_and_maps),
        cmocka_unit_test(test_what_is_refused), cmocka_unit_test(test_which_can_be_drawn_anew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
