/* From plans to maps: no cell leads through a wall, ways stay open, what varies keeps varying. */
#include "testing.h"

#include "core/rng.h"
#include "sketch/coarse.h"
#include "sketch/plan_sources.h"
#include "sketch/sketch_map.h"

#include <stdio.h>
#include <stdlib.h>

/* An arena of 4 x 3 with start and goal at its sides. */
static plan arena(void) {
    plan p = {0};
    besd_error error = {BESD_OK, ""};
    const double origin[2] = {0, 0};
    assert_ok(plan_create(&p, 256, 192, 4.0 / 256, origin, PLAN_FREE, &error), &error);
    assert_ok(plan_set_start(&p, (double[]){0.4, 1.5}, &error), &error);
    assert_ok(plan_set_goal(&p, (double[]){3.6, 1.5}, 0.2, &error), &error);
    return p;
}

static void wall(plan *p, double x, double y, double to_x, double to_y) {
    plan_draw_segment(p, p->ground, PLAN_WALL, (double[]){x, y, to_x, to_y});
}

/* Lines of any angle, many times: where the plan has no way, cells of no size have one. */
static void test_no_way_through_walls(void **state) {
    (void)state;
    rng r = rng_open(3, RNG_TEST, 0, 0, 0);
    int closed = 0, open = 0;
    int32_t *steps = malloc(2 * 256 * 192 * sizeof *steps);
    for (int i = 0; i < 150; i++) {
        plan p = arena();
        besd_error error = {BESD_OK, ""};
        const double cell = 0.1 + 0.3 * rng_uniform(&r);
        const coarse_grid g = {cell, {0, 0}, (int)ceil(4 / cell), (int)ceil(3 / cell)};
        coarse c;
        for (int k = 0; k < 2; k++) /* one of three has a gap at its end */
            wall(&p, 1 + 2 * rng_uniform(&r), 0, 1 + 2 * rng_uniform(&r),
                 rng_below(&r, 3) ? 3 : 2.4);
        assert_ok(coarse_make(&c, &p, &g, &error), &error);
        const int fine = plan_walk(&p, NULL, steps), cells = coarse_walk(&c, &p, NULL, steps);
        if (fine < 0)
            assert_int_equal(cells, -1);
        closed += fine < 0;
        open += cells >= 0;
        coarse_free(&c, &p);
        plan_free(&p);
    }
    assert_true(closed > 50 && open > 5);
    free(steps);
}

/* Chooses the cells by itself. */
static grid_map made(plan *p, int count, sketch_findings *f) {
    static grid_map map;
    besd_error error = {BESD_OK, ""};
    assert_ok(sketch_map_make(p, count, 0, &map, f, &error), &error);
    return map;
}

static void test_an_empty_arena(void **state) {
    (void)state;
    plan p = arena();
    sketch_findings f;
    grid_map map = made(&p, 1, &f);
    assert_true(map.cell_size == 0.25 && map.width == 16 && map.height == 12);
    assert_true(map.origin[0] == 0 && map.origin[1] == 0);
    assert_int_equal(grid_map_layouts(&map), 1);
    assert_null(memchr(map.cells, '#', 16 * 12));
    assert_int_equal(map.start[0], 1 + 16 * 6);
    assert_true(f.way == 12 || f.way == 13);
    assert_false(f.start_moved);
    plan_free(&p);
}

/* A door that is much narrower than a cell stays open. */
static void test_narrow_doors(void **state) {
    (void)state;
    static const double doors[] = {0.5, 0.2, 0.1, 0.05};
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        plan p = arena();
        sketch_findings f;
        wall(&p, 2, 0, 2, 1.02);
        wall(&p, 2, 1.02 + doors[i], 2, 3);
        grid_map map = made(&p, 1, &f);
        assert_true(map.cell_size == 0.25 && f.way >= 12 && f.way <= 16);
        int walls = 0;
        for (int k = 0; k < map.width * map.height; k++)
            walls += map.cells[k] == '#';
        assert_in_range(walls, 9, 11);
        plan_free(&p);
    }
}

/* Drawn cells are divided, not moved; the border of the maze is cut off. */
static void test_drawn_cells(void **state) {
    (void)state;
    static grid_map drawn;
    besd_error error = {BESD_OK, ""};
    plan p = {0};
    sketch_findings f;
    assert_ok(
        grid_map_parse("#####\n#S..#\n###.#\n#G..#\n#####\norigin -2.5 -2.5\n", &drawn, &error),
        &error);
    assert_ok(plan_of_map(&drawn, 0, &p, &error), &error);
    grid_map map = made(&p, 1, &f);
    assert_true(map.cell_size == 0.25 && map.width == 12 && map.height == 12);
    assert_true(map.origin[0] == -1.5 && map.origin[1] == -1.5);
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 12; x++)
            assert_int_equal(map.cells[x + 12 * y] == '#', y / 4 == 1 && x / 4 < 2);
    assert_int_equal(map.cells[0], 'G');
    assert_in_range((int)f.way, 16, 20);
    plan_free(&p);
}

static void add_choice(plan *p, double x, double y, double to_x, double to_y) {
    uint8_t *mask = plan_mask(p);
    assert_non_null(mask);
    plan_draw_segment(p, mask, 1, (double[]){x, y, to_x, to_y});
    p->choices[p->choice_count++] = (plan_choice){.count = 2, .walls = {mask, NULL}};
}

/* Two walls that are there or not: four instances, in letters. */
static void test_walls_that_vary(void **state) {
    (void)state;
    plan p = arena();
    sketch_findings f;
    add_choice(&p, 1.3, 0, 1.3, 2.4);
    add_choice(&p, 2.7, 0.6, 2.7, 3);
    grid_map map = made(&p, 1, &f);
    assert_int_equal(map.count, 1);
    assert_int_equal(map.choice_count, 2);
    assert_int_equal(grid_map_layouts(&map), 4);
    assert_int_equal(f.instances, 4);
    assert_int_equal(f.hopeless, 0);
    plan_free(&p);
}

/* Two doors, of which one at least is open: the instance in which both are closed is left out. */
static void test_hopeless_instances(void **state) {
    (void)state;
    plan p = arena();
    sketch_findings f;
    char cells[GRID_MAX_SIDE * GRID_MAX_SIDE];
    wall(&p, 2, 0.8, 2, 2.2);
    add_choice(&p, 2, 0, 2, 0.8);
    add_choice(&p, 2, 2.2, 2, 3);
    grid_map map = made(&p, 1, &f);
    assert_int_equal(f.hopeless, 1);
    assert_int_equal(grid_map_layouts(&map), 3);
    for (int i = 0; i < 3; i++) {
        int closed = 0;
        grid_map_layout(&map, i, cells);
        for (int y = 0; y < map.height; y++)
            closed += cells[8 + map.width * y] == '#';
        assert_true(closed < map.height);
    }
    plan_free(&p);
}

static void test_several_sketches(void **state) {
    (void)state;
    plan plans[] = {arena(), arena(), arena()};
    sketch_findings f;
    wall(&plans[1], 2, 0, 2, 2);
    wall(&plans[2], 2, 1, 2, 3);
    grid_map map = made(plans, 3, &f);
    assert_int_equal(map.count, 3);
    assert_int_equal(map.choice_count, 0);
    assert_int_equal(f.instances, 3);
    for (int i = 0; i < 3; i++)
        plan_free(&plans[i]);
}

static void refused(plan *p, double cell, besd_status expected, const char *text) {
    static grid_map map;
    sketch_findings f;
    besd_error error = {BESD_OK, ""};
    assert_fails(sketch_map_make(p, 1, cell, &map, &f, &error), expected, &error, text);
    plan_free(p);
}

static void test_what_is_refused(void **state) {
    (void)state;
    besd_error error = {BESD_OK, ""};
    plan p = arena();
    wall(&p, 2, 0, 2, 3);
    refused(&p, 0, BESD_UNREACHABLE, "no way leads from the start (0.4, 1.5)");
    p = arena();
    p.has_goal = false;
    refused(&p, 0, BESD_INVALID, "it has no goal");
    p = arena();
    p.has_start = false;
    refused(&p, 0, BESD_INVALID, "it has no start");
    p = arena();
    wall(&p, 0.4, 1, 0.4, 2);
    refused(&p, 0, BESD_INVALID, "the start (0.4, 1.5) is in a wall");
    p = arena();
    assert_ok(plan_set_goal(&p, (double[]){3.6, 1.5}, 0, &error), &error);
    wall(&p, 3.6, 1, 3.6, 2);
    refused(&p, 0, BESD_INVALID, "the goal is in a wall");
    p = arena();
    refused(&p, 0.001, BESD_INVALID, "makes 4000 x 3000 cells, expected at most 128 x 128");
    p = arena();
    wall(&p, 2.1, 0, 2.1, 2.7); /* between two walls, finer than a cell */
    wall(&p, 2.3, 0.3, 2.3, 3);
    refused(&p, 0.5, BESD_UNREACHABLE, "with cells of 0.5 no way leads");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_way_through_walls), cmocka_unit_test(test_an_empty_arena),
        cmocka_unit_test(test_narrow_doors),         cmocka_unit_test(test_drawn_cells),
        cmocka_unit_test(test_walls_that_vary),      cmocka_unit_test(test_hopeless_instances),
        cmocka_unit_test(test_several_sketches),     cmocka_unit_test(test_what_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
