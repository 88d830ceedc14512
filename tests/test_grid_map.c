#include "testing.h"

#include "world/domain.h"
#include "world/grid_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static grid_map parsed(const char *text) {
    grid_map map;
    besd_error error = {BESD_OK, ""};
    assert_ok(grid_map_parse(text, &map, &error), &error);
    return map;
}

/* The first line is the top row; cells count from the lower left corner. */
static void test_a_small_map(void **state) {
    (void)state;
    grid_map map = parsed("G.T\n"
                          "#D.\n"
                          "KS.\n");
    assert_int_equal(map.width, 3);
    assert_int_equal(map.height, 3);
    assert_int_equal(map.start[0], 1);
    assert_int_equal(map.choice_count, 0);
    assert_memory_equal(map.cells, "KS.#D.G.T", 9);
    assert_int_equal(grid_map_layouts(&map), 1);
    char cells[9];
    grid_map_layout(&map, 0, cells);
    assert_memory_equal(cells, "KS.#D.G.T", 9);
}

static void test_rows_of_even_number_and_oblong_shape(void **state) {
    (void)state;
    grid_map map = parsed("GGGGG\n####.\n.DDD.\nS....\n");
    assert_int_equal(map.width, 5);
    assert_int_equal(map.height, 4);
    assert_int_equal(map.start[0], 0);
    assert_memory_equal(map.cells, "S.....DDD.####.GGGGG", 20);
}

/* A map that was printed is read as the same; too little room cuts it off and says what it takes.
 */
static void test_printed_maps(void **state) {
    static const char *const texts[] = {
        "G.T\n#D.\nKS.\n", "Gab\nScd\nchoose wall: ab | c\nchoose key: d\n",
        "G.\n.S\n---\nS.\n.G\n---\nSa\nGb\nchoose treasure: a | b\n", "G^>\nS<V\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[200], little[8];
        grid_map map = parsed(texts[i]);
        assert_int_equal(grid_map_print(&map, text, sizeof text), strlen(texts[i]) + 1);
        assert_string_equal(text, texts[i]);
        grid_map again = parsed(text);
        assert_memory_equal(&again, &map, sizeof map);
        assert_int_equal(grid_map_print(&map, NULL, 0), strlen(texts[i]) + 1);
        assert_int_equal(grid_map_print(&map, little, sizeof little), strlen(texts[i]) + 1);
        assert_memory_equal(little, texts[i], 7);
        assert_int_equal(little[7], 0);
    }
}

/* What editors do to text files changes nothing. */
static void test_blank_lines_and_line_ends(void **state) {
    (void)state;
    grid_map plain = parsed("Ga\nSb\nchoose wall: a | b\n");
    grid_map edited = parsed("\n\nGa  \r\n\nSb\t\r\n\r\nchoose  wall:a|\tb  \r\n\n");
    grid_map unfinished = parsed("Ga\nSb\nchoose wall: a | b");
    assert_memory_equal(&edited, &plain, sizeof plain);
    assert_memory_equal(&unfinished, &plain, sizeof plain);
}

static void test_every_kind_of_choice(void **state) {
    (void)state;
    static const struct {
        const char *kind;
        char cell;
    } kinds[] = {{"wall", '#'}, {"door", 'D'}, {"key", 'K'}, {"treasure", 'T'}, {"goal", 'G'}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char text[64], expected[4] = {'S', kinds[i].cell, '.', 'G'}, cells[4];
        snprintf(text, sizeof text, "Sa7G\nchoose %s: a | 7", kinds[i].kind);
        grid_map map = parsed(text);
        assert_int_equal(grid_map_layouts(&map), 2);
        grid_map_layout(&map, 0, cells);
        assert_memory_equal(cells, expected, 4);
        expected[1] = '.';
        expected[2] = kinds[i].cell;
        grid_map_layout(&map, 1, cells);
        assert_memory_equal(cells, expected, 4);
    }
}

/* A goal that is drawn is a goal. */
static void test_the_goal_may_be_drawn(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t layouts;
    } maps[] = {{"Sab\nchoose goal: a | b", 2},
                {"Sab\n---\nabS\nchoose goal: a | b", 4},
                {"Sab\n---\n.GS\nchoose goal: a | b", 4},
                {"Sab\n---\nc.S\nchoose goal: ac | bc", 4},
                {"Sab\n---\nacS\nchoose goal: a | b\nchoose goal: c", 4}};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        grid_map map = parsed(maps[i].text);
        assert_int_equal(grid_map_layouts(&map), maps[i].layouts);
        for (int64_t index = 0; index < maps[i].layouts; index++) {
            char cells[3];
            grid_map_layout(&map, index, cells);
            assert_non_null(memchr(cells, 'G', 3));
        }
    }
}

static const char two_choices[] = "abcdS\n"
                                  "jklaG\n"
                                  "choose wall: ab | ac | d\n"
                                  "choose treasure: j | kl\n";

/* All 3 * 2 layouts, each once, whatever their order. */
static void test_layouts_are_the_product_of_choices(void **state) {
    (void)state;
    static const char *const expected[] = {"T..#G##..S", "T..#G#.#.S", "T...G...#S",
                                           ".TT#G##..S", ".TT#G#.#.S", ".TT.G...#S"};
    grid_map map = parsed(two_choices);
    int seen[6] = {0};
    assert_int_equal(grid_map_layouts(&map), 6);
    for (int64_t index = 0; index < 6; index++) {
        char cells[10];
        grid_map_layout(&map, index, cells);
        for (int i = 0; i < 6; i++)
            seen[i] += !memcmp(cells, expected[i], 10);
    }
    for (int i = 0; i < 6; i++)
        assert_int_equal(seen[i], 1);
}

static void test_layouts_are_drawn_uniformly(void **state) {
    (void)state;
    grid_map map = parsed(two_choices);
    uint64_t counts[6] = {0};
    rng r = rng_open(1, RNG_TEST, 2, 0, 0);
    for (int i = 0; i < 60000; i++) {
        int64_t layout = grid_map_draw(&map, &r);
        assert_in_range(layout, 0, 5);
        counts[layout]++;
    }
    assert_uniform(counts, 6, "layouts");
}

static void test_a_map_without_choices_draws_its_one_layout(void **state) {
    (void)state;
    grid_map map = parsed("SG");
    rng r = rng_open(1, RNG_TEST, 3, 0, 0);
    assert_int_equal(grid_map_draw(&map, &r), 0);
}

typedef struct mistake {
    const char *text, *message;
} mistake;

static const mistake mistakes[] = {
    {"", "it has no rows"},
    {" \n\t\n", "it has no rows"},
    {"S..G\n...\n", "line 2: expected 4 cells as above, got 3"},
    {"S..G\n\n.....\n", "line 3: expected 4 cells as above, got 5"},
    {"S..G\n..?.\n", "line 2, column 3: '?' is none of"},
    {"S.XG\n", "line 1, column 3: 'X' is none of . # S G D K T ^ > V <, a-z, 0-9"},
    {"S.vG\n", "letter 'v' at x=2, y=0 is named by 0 choose lines"},
    {"S. G\n", "line 1, column 3: ' ' is none of"},
    {"...G\n", "one start 'S', found 0"},
    {"S..G\n...S\n", "one start 'S', found 2"},
    {"S...\n", "at least one goal 'G', found none"},
    {"Sab\nchoose wall: a | b\n", "at least one goal 'G', found none"},
    {"Sa.G\n", "letter 'a' at x=1, y=0 is named by 0 choose lines, expected 1"},
    {"S..G\nab..\nchoose wall: a\n", "letter 'b' at x=1, y=0 is named by 0 choose lines"},
    {"SabG\nchoose wall: a | b\nchoose door: a\n", "letter 'a' at x=1, y=0 is named by 2"},
    {"SabG\nchoose wall: a | \n", "line 2: an alternative is empty"},
    {"SabG\nchoose wall: | a\n", "line 2: an alternative is empty"},
    {"SabG\nchoose wall: a || b\n", "line 2: an alternative is empty"},
    {"SabG\nchoose wall:\n", "line 2: an alternative is empty"},
    {"SabG\nchoose wall: a | b\n....\n", "line 3: a row after a choose line"},
    {"SabG\nchoose lava: a | b\n", "line 2: expected 'choose wall:', 'door:'"},
    {"SabG\nchoose wall a | b\n", "got 'choose wall a | b'"},
    {"SabG\nchoose start: a | b\n", "got 'choose start: a | b'"},
    {"SabG\nchoose wall: a | z\n", "line 2: 'z' is not a lower-case letter or digit on the map"},
    {"SabG\nchoose wall: a | B\n", "line 2: 'B' is not a lower-case letter or digit on the map"},
    {"SabG\nchoose wall: a | .\n", "line 2: '.' is not a lower-case letter or digit on the map"},
    {"choose wall: a\nSa.G\n", "line 1: 'a' is not a lower-case letter or digit on the map"},
};

static void test_every_mistake_has_its_message(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        grid_map map;
        besd_error error = {BESD_OK, ""};
        assert_fails(grid_map_parse(mistakes[i].text, &map, &error), BESD_INVALID, &error,
                     mistakes[i].message);
        assert_int_equal(error.status, BESD_INVALID);
        assert_int_equal(grid_map_parse(mistakes[i].text, &map, NULL), BESD_INVALID);
    }
}

/* width x height with a start and a goal in the corners; the caller frees. */
static char *open_field(int width, int height) {
    size_t line = (size_t)width + 1, size = line * (size_t)height;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, '.', size);
    for (size_t y = 0; y < (size_t)height; y++)
        text[y * line + line - 1] = '\n';
    text[0] = 'G';
    text[size - 2] = 'S';
    text[size] = '\0';
    return text;
}

static void test_the_largest_map_and_larger_ones(void **state) {
    (void)state;
    static const int sides[][2] = {{129, 1}, {1, 129}, {5000, 2}};
    grid_map map;
    besd_error error = {BESD_OK, ""};
    char *text = open_field(GRID_MAX_SIDE, GRID_MAX_SIDE);
    assert_ok(grid_map_parse(text, &map, &error), &error);
    assert_int_equal(map.start[0], GRID_MAX_SIDE - 1);
    assert_int_equal(map.cells[GRID_MAX_SIDE * (GRID_MAX_SIDE - 1)], 'G');
    free(text);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        text = open_field(sides[i][0], sides[i][1]);
        assert_fails(grid_map_parse(text, &map, &error), BESD_INVALID, &error,
                     "the map is larger than 128 x 128");
        free(text);
    }
}

/* `line` repeated, joined by `joint`, after `head`. */
static void repeat(char *text, size_t size, const char *head, const char *line, const char *joint,
                   int times) {
    int used = snprintf(text, size, "%s", head);
    for (int i = 0; i < times; i++)
        used += snprintf(text + used, size - (size_t)used, "%s%s", i ? joint : "", line);
    assert_true((size_t)used < size);
}

static void test_too_many_choices_alternatives_and_letters(void **state) {
    (void)state;
    char text[2048];
    grid_map map;
    besd_error error = {BESD_OK, ""};
    const char *all = "SGabcdefghi\n";
    repeat(text, sizeof text, "SGa\n", "choose wall: a", "\n", GRID_MAX_CHOICES + 1);
    assert_fails(grid_map_parse(text, &map, &error), BESD_INVALID, &error,
                 "line 10: more than 8 choose lines");
    repeat(text, sizeof text, "SGa\nchoose wall: ", "a", " | ", GRID_MAX_ALTERNATIVES + 1);
    assert_fails(grid_map_parse(text, &map, &error), BESD_INVALID, &error,
                 "line 2: more than 64 alternatives");
    repeat(text, sizeof text, "SGa\nchoose wall: ", "a", " | ", GRID_MAX_ALTERNATIVES);
    assert_ok(grid_map_parse(text, &map, &error), &error);
    assert_int_equal(grid_map_layouts(&map), 64);
    repeat(text, sizeof text, "SGa\nchoose wall: ", "a", "", 16);
    assert_fails(grid_map_parse(text, &map, &error), BESD_INVALID, &error,
                 "line 2: an alternative has over 15 letters");
    snprintf(text, sizeof text, "%schoose wall: abcdefghi | a | b | c | d\n", all);
    assert_ok(grid_map_parse(text, &map, &error), &error);
    assert_int_equal(grid_map_layouts(&map), 5);
}

/* A message about an endless line is cut, not overrun. */
static void test_an_endless_line(void **state) {
    (void)state;
    enum { LENGTH = 100000 };
    grid_map map;
    besd_error error = {BESD_OK, ""};
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    memcpy(text, "choose ", 7);
    text[LENGTH] = '\0';
    assert_fails(grid_map_parse(text, &map, &error), BESD_INVALID, &error, "line 1: expected");
    assert_int_equal(strlen(error.message), BESD_ERROR_MESSAGE_SIZE - 1);
    free(text);
}

static void test_several_maps(void **state) {
    (void)state;
    grid_map map;
    besd_error error = {BESD_OK, ""};
    char cells[6];
    assert_ok(grid_map_parse("S.G\n.a.\n---\n\n.G.\naSb\n-----  \nG.S\n###\nchoose wall: a | b\n",
                             &map, &error),
              &error);
    assert_true(map.width == 3 && map.height == 2 && map.count == 3);
    assert_int_equal(grid_map_layouts(&map), 6);
    static const char *const layouts[] = {".#.S.G", "#S..G.", "###G.S",
                                          "...S.G", ".S#.G.", "###G.S"};
    static const int starts[] = {3, 1, 5};
    for (int i = 0; i < 6; i++) {
        grid_map_layout(&map, i, cells);
        assert_memory_equal(cells, layouts[i], 6);
        assert_int_equal(grid_map_start(&map, i), starts[i % 3]);
    }
    uint64_t counts[6] = {0};
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int i = 0; i < 6000; i++)
        counts[grid_map_draw(&map, &stream)]++;
    assert_uniform(counts, 6, "layouts");
}

static void test_several_maps_that_do_not_fit(void **state) {
    (void)state;
    static const struct {
        const char *text, *sentence;
    } wrong[] = {
        {"SG\n---\nSGG\n", "map line 3: expected 2 cells as above, got 3"},
        {"SG\n..\n---\nSG\n", "map 2 has 1 rows, expected 2 as the first"},
        {"SG\n---\nSG\n..\n", "map 2 has 2 rows, expected 1 as the first"},
        {"SG\n---\n.G\n", "expected one start 'S' in map 2, found 0"},
        {"SG\n---\nS.\n", "expected at least one goal 'G' in map 2, found none"},
        {"Sa\n---\nS.\nchoose goal: a\n",
         "expected a goal in map 2 whatever is drawn, but 'a' of 'choose goal' has no "
         "letter there"},
        {"Sa.\n---\nSab\nchoose goal: a | b\n", "a goal in map 1 whatever is drawn, but 'b'"},
        {"Sac\n---\nbcS\nchoose goal: a | b\nchoose wall: c\n", "in map 1 whatever"},
        {"SG\n---\n---\nSG\n", "it has no rows"},
        {"---\nSG\n", "it has no rows"},
        {"SG.\n---\nSGa\n", "letter 'a' at x=2, y=0 is named by 0"},
        {"SG\n--\nSG\n", "line 2, column 1: '-'"}};
    grid_map map;
    besd_error error = {BESD_OK, ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(grid_map_parse(wrong[i].text, &map, &error), BESD_INVALID, &error,
                     wrong[i].sentence);
    char many[65 * 8] = "SG\n";
    for (int i = 1; i < 65; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "---\nSG\n");
    assert_fails(grid_map_parse(many, &map, &error), BESD_INVALID, &error, "more than 64 maps");
    static char large[2 * 128 * 129 + 8];
    size_t used = 0;
    for (int i = 0; i < 2 * 128; i++)
        used += (size_t)snprintf(large + used, sizeof large - used, "%s%s%0*d\n",
                                 i == 128 ? "---\n" : "", i % 128 ? "" : "SG", i % 128 ? 128 : 126,
                                 0); /* digits are letters of a choose line */
    assert_fails(grid_map_parse(large, &map, &error), BESD_INVALID, &error,
                 "the maps together have over 16384 cells");
}

/* A map as rows of letters: what varies is told from what does not. */

static void test_picture(void **state) {
    (void)state;
    static grid_map map;
    char text[GRID_MAP_PICTURE_SIZE];
    besd_error error = {BESD_OK, ""};
    assert_ok(
        grid_map_parse("GG.ac\n##bak\nS.ccb\nchoose wall: ac | bc\nchoose key: k\n", &map, &error),
        &error);
    grid_map_picture(&map, text);
    assert_string_equal(text, "GG.w#\n##wwK\nS.##w\n");
    assert_ok(grid_map_parse("G^>.\nS<V.\n", &map, &error), &error);
    grid_map_picture(&map, text);
    assert_string_equal(text, "G^>.\nS<V.\n");
}

/* All built-in grids. */
static void test_pictures_of_built_in_grids(void **state) {
    (void)state;
    static domain d;
    char text[GRID_MAP_PICTURE_SIZE];
    besd_error error = {BESD_OK, ""};
    for (size_t i = 0; domain_name(i); i++) {
        assert_ok(domain_find(domain_name(i), &d, &error), &error);
        if (d.kind != DOMAIN_GRID)
            continue;
        grid_map_picture(&d.map, text);
        assert_int_equal(strlen(text), (d.map.width + 1) * d.map.height);
        assert_int_equal(strspn(text, ".#wSGDKTsgdkt\n"), strlen(text));
        assert_non_null(strchr(text, 'S'));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_several_maps),
        cmocka_unit_test(test_several_maps_that_do_not_fit),
        cmocka_unit_test(test_a_small_map),
        cmocka_unit_test(test_rows_of_even_number_and_oblong_shape),
        cmocka_unit_test(test_printed_maps),
        cmocka_unit_test(test_blank_lines_and_line_ends),
        cmocka_unit_test(test_every_kind_of_choice),
        cmocka_unit_test(test_the_goal_may_be_drawn),
        cmocka_unit_test(test_layouts_are_the_product_of_choices),
        cmocka_unit_test(test_layouts_are_drawn_uniformly),
        cmocka_unit_test(test_a_map_without_choices_draws_its_one_layout),
        cmocka_unit_test(test_every_mistake_has_its_message),
        cmocka_unit_test(test_the_largest_map_and_larger_ones),
        cmocka_unit_test(test_too_many_choices_alternatives_and_letters),
        cmocka_unit_test(test_an_endless_line),
        cmocka_unit_test(test_picture),
        cmocka_unit_test(test_pictures_of_built_in_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
