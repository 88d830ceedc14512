/* A map with cells of another size than 1: the same world in other units, to the last bit. */
#include "testing.h"

#include "learn/trial.h"
#include "run/domain_study.h"
#include "world/domain.h"
#include "world/domain_yaml.h"
#include "world/grid_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROOMS "G.....\n..aaaa\n..bbbb\n......\nS.....\nchoose wall: a | b | -\n"
#define SCALE "cell_size 0.25\norigin -2 3\n"

static domain opened(const char *map) {
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_find("gw10", &d, &error), &error);
    assert_ok(domain_set_map(&d, map, &error), &error);
    assert_ok(domain_set(&d, "tau=300", &error), &error);
    return d;
}

static void test_lines_of_the_text(void **state) {
    (void)state;
    static const char *const same[] = {ROOMS SCALE, "# rooms?\n" ROOMS "# in metres\n" SCALE,
                                       "cell_size: 0.25\norigin: -2, 3\n" ROOMS,
                                       "origin\t-2\t3 \n" ROOMS "cell_size 0.25\r\n"};
    besd_error error = {BESD_OK, ""};
    static grid_map map, again;
    char text[512];
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_ok(grid_map_parse(same[i], &map, &error), &error);
        assert_true(map.cell_size == 0.25 && map.origin[0] == -2 && map.origin[1] == 3);
        assert_int_equal(grid_map_layouts(&map), 3);
        assert_true(grid_map_print(&map, text, sizeof text) <= sizeof text);
        assert_ok(grid_map_parse(text, &again, &error), &error);
        assert_memory_equal(&map, &again, sizeof map);
    }
    assert_ok(grid_map_parse(ROOMS, &again, &error), &error);
    assert_true(grid_map_is_plain(&again) && !grid_map_is_plain(&map));
    assert_false(grid_map_same_scale(&map, &again));
}

static void test_absurd_scales(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"cell_size 0\n", "cell_size: expected the side"},
        {"cell_size -1\n", "cell_size: expected the side"},
        {"cell_size nan\n", "cell_size: expected the side"},
        {"cell_size 1e9\n", "cell_size: expected the side"},
        {"cell_size\n", "is none of"},
        {"cell_size x\n", "expected one number"},
        {"cell_size 1 2\n", "expected one number"},
        {"origin 1\n", "expected two numbers"},
        {"origin 1 2 3\n", "expected two numbers"},
        {"origin inf 0\n", "origin: expected a place"},
        {"cell_size 0.001\norigin 1e7 0\n", "origin: expected a place"}};
    static grid_map map;
    char text[256];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        besd_error error = {BESD_OK, ""};
        snprintf(text, sizeof text, "%sS.G\n", wrong[i][0]);
        assert_fails(grid_map_parse(text, &map, &error), BESD_INVALID, &error, wrong[i][1]);
    }
}

/* A wall that is there or not; a goal must be. */
static void test_an_alternative_of_nothing(void **state) {
    (void)state;
    static grid_map map;
    besd_error error = {BESD_OK, ""};
    char cells[4];
    int walls = 0;
    assert_ok(grid_map_parse("SaG\nchoose wall: - | a\n", &map, &error), &error);
    for (int64_t i = 0; i < grid_map_layouts(&map); i++) {
        grid_map_layout(&map, i, cells);
        walls += cells[1] == GRID_WALL;
    }
    assert_int_equal(walls, 1);
    assert_int_equal(grid_map_kind(&map, 'a'), 'w');
    assert_fails(grid_map_parse("Sa.\nchoose goal: a | -\n", &map, &error), BESD_INVALID, &error,
                 "but '-' of 'choose goal'");
    assert_fails(grid_map_parse("SaG\nchoose wall: a | -a\n", &map, &error), BESD_INVALID, &error,
                 "is not a lower-case letter");
    assert_fails(grid_map_parse("SaG\nchoose wall: a | --\n", &map, &error), BESD_INVALID, &error,
                 "is not a lower-case letter");
    assert_fails(grid_map_parse("SaG\nchoose wall: a | a-\n", &map, &error), BESD_INVALID, &error,
                 "is not a lower-case letter");
}

static void test_the_same_scores_in_other_units(void **state) {
    (void)state;
    const double cells[] = {1.5, 3.25, 0.5, 4.5};
    double units[4];
    domain plain = opened(ROOMS), scaled = opened(ROOMS SCALE);
    besd_error error = {BESD_OK, ""};
    for (int i = 0; i < 4; i++)
        units[i] = grid_map_unit(&scaled.map, i % 2, cells[i]);
    for (int moves = 4; moves <= 8; moves += 4) {
        trial_result a, b;
        char set[16];
        snprintf(set, sizeof set, "moves=%d", moves);
        assert_ok(domain_set(&plain, set, &error), &error);
        assert_ok(domain_set(&scaled, set, &error), &error);
        trial_request r = {.domain = &plain,
                           .theta = cells,
                           .theta_length = 4,
                           .tau = 300,
                           .reps = 2,
                           .instances = 20,
                           .seed = 5,
                           .threads = 1};
        assert_ok(trial_run(&r, &a, &error), &error);
        r.domain = &scaled;
        r.theta = units;
        assert_ok(trial_run(&r, &b, &error), &error);
        assert_memory_equal(a.scores, b.scores, a.agents * sizeof *a.scores);
        assert_memory_equal(a.reached, b.reached, a.agents * a.legs * sizeof *a.reached);
        trial_result_free(&a);
        trial_result_free(&b);
    }
}

/* The box, the cells of legs, start and goal of a study are in the user's units. */
static void test_a_study_in_the_users_units(void **state) {
    (void)state;
    domain d = opened(ROOMS SCALE);
    domain_study b;
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_study_init(&b, &d, &error), &error);
    for (int i = 0; i < 4; i++) {
        assert_true(b.low[i] == (i % 2 ? 3 : -2));
        assert_true(b.high[i] == (i % 2 ? 4.25 : -0.5));
    }
    assert_true(b.path.cell == 0.25 && b.path.origin[0] == -2 && b.path.origin[1] == 3);
    assert_true(b.path.from[0] == -1.875 && b.path.from[1] == 3.125);
    assert_true(b.path.to[0] == -1.875 && b.path.to[1] == 4.125);
}

/* The line of a grid with these lines at its end. */
static void identify(const char *more, char *text, size_t size) {
    char path[] = "/tmp/besd-test-XXXXXX.yaml";
    besd_error error = {BESD_OK, ""};
    domain d;
    int file = mkstemps(path, 5);
    assert_true(file >= 0);
    assert_true(dprintf(file, "name: fixed\nmap: |\n  S.G\ntau: [50]\nreps: [5]\n%s", more) > 0);
    close(file);
    assert_ok(domain_yaml_load(path, &d, &error), &error);
    unlink(path);
    domain_identity(&d, text, size);
}

/* Studies of maps without a scale keep the fingerprint that they have always had. */
static void test_fingerprints(void **state) {
    (void)state;
    char plain[512], said[512], scaled[512], diagonal[512];
    identify("", plain, sizeof plain);
    identify("cell_size: 1\norigin: [0, 0]\nmoves: 4\n", said, sizeof said);
    identify("cell_size: 0.5\n", scaled, sizeof scaled);
    identify("moves: 8\n", diagonal, sizeof diagonal);
    assert_string_equal(plain, "fixed constants=249f8a97b6cd1c51"); /* that of besd 0.2.0 */
    assert_string_equal(said, plain);
    assert_string_not_equal(scaled, plain);
    assert_string_not_equal(diagonal, plain);
}

/* Places on the border of the map, and beyond it, belong to the nearest cell. */
static void test_the_cell_of_a_place(void **state) {
    (void)state;
    domain d = opened(ROOMS SCALE);
    static const struct {
        double place[2];
        int cell;
    } known[] = {{{-2, 3}, 0},     {{-1.75, 3}, 1}, {{-1.76, 3.26}, 6}, {{-0.5, 4.25}, 29},
                 {{-0.6, 3.1}, 5}, {{-9, 9}, 24},   {{9, -9}, 5}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(grid_map_cell(&d.map, known[i].place), known[i].cell);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines_of_the_text),
                                       cmocka_unit_test(test_absurd_scales),
                                       cmocka_unit_test(test_an_alternative_of_nothing),
                                       cmocka_unit_test(test_the_same_scores_in_other_units),
                                       cmocka_unit_test(test_a_study_in_the_users_units),
                                       cmocka_unit_test(test_fingerprints),
                                       cmocka_unit_test(test_the_cell_of_a_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
