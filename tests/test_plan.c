/* Drawing into plans, growing walls, and ways through them: against rules written a second time. */
#include "testing.h"

#include "core/rng.h"
#include "sketch/plan.h"

#include <stdlib.h>

static plan empty(int width, int height, double pixel) {
    plan p = {0};
    besd_error error = {BESD_OK, ""};
    assert_ok(plan_create(&p, width, height, pixel, (double[]){-1, 2}, PLAN_FREE, &error), &error);
    return p;
}

static int count_walls(const plan *p) {
    int walls = 0;
    for (int i = 0; i < p->width * p->height; i++)
        walls += p->ground[i] == PLAN_WALL;
    return walls;
}

/* Upright lines have the thickness of a pixel, also on the border of two. */
static void test_thin_lines(void **state) {
    (void)state;
    plan p = empty(16, 12, 0.25);
    plan_draw_segment(&p, p.ground, PLAN_WALL, (double[]){0.5, 2, 0.5, 5});
    assert_int_equal(count_walls(&p), 12);
    for (int y = 0; y < 12; y++)
        assert_int_equal(p.ground[6 + 16 * y], PLAN_WALL); /* to the right of x = 0.5 */
    plan_draw_segment(&p, p.ground, PLAN_WALL, (double[]){-5, 3.1, 5, 3.1});
    assert_int_equal(count_walls(&p), 12 + 15);
    plan_free(&p);
}

/* No walker comes through a line from border to border, whatever its angle. */
static void test_lines_have_no_holes(void **state) {
    (void)state;
    rng r = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int i = 0; i < 500; i++) {
        plan p = empty(40, 30, 0.1);
        besd_error error = {BESD_OK, ""};
        const double low = -1 + 4 * rng_uniform(&r), high = -1 + 4 * rng_uniform(&r);
        int32_t *steps = malloc(2 * 40 * 30 * sizeof *steps);
        assert_ok(plan_set_start(&p, (double[]){-0.99, 2.01}, &error), &error);
        assert_ok(plan_set_goal(&p, (double[]){2.99, 4.99}, 0, &error), &error);
        assert_int_equal(plan_walk(&p, NULL, steps), 39 + 29);
        plan_draw_segment(&p, p.ground, PLAN_WALL, (double[]){low, 1.9, high, 5.1});
        if (!plan_is_wall(&p, 0, NULL) && !plan_is_wall(&p, 40 * 30 - 1, NULL))
            assert_int_equal(plan_walk(&p, NULL, steps), -1);
        free(steps);
        plan_free(&p);
    }
}

static void test_polygons(void **state) {
    (void)state;
    plan p = empty(40, 40, 0.1);
    plan_draw_polygon(&p, p.ground, PLAN_WALL, (double[]){0, 3, 2, 3, 2, 5, 0, 5}, 4);
    assert_true(p.ground[20 + 40 * 20] == PLAN_WALL && p.ground[9 + 40 * 20] == PLAN_FREE);
    assert_in_range(count_walls(&p), 400, 441); /* the outline is half outside */
    plan_free(&p);
    p = empty(40, 40, 0.1); /* thinner than a pixel, and far beyond the plan */
    plan_draw_polygon(&p, p.ground, PLAN_WALL, (double[]){-9, 3.01, 9, 3.01, 9, 3.02, -9, 3.02}, 4);
    assert_int_equal(count_walls(&p), 40);
    plan_free(&p);
}

/* Walls grow by a disc: every pixel against the distance to every wall. */
static void test_walls_grow(void **state) {
    (void)state;
    rng r = rng_open(2, RNG_TEST, 0, 0, 0);
    for (int i = 0; i < 30; i++) {
        plan p = empty(23, 17, 0.5), before = empty(23, 17, 0.5);
        besd_error error = {BESD_OK, ""};
        const double radius = 3 * rng_uniform(&r);
        for (int k = 0; k < 6; k++)
            p.ground[rng_below(&r, 23 * 17)] = PLAN_WALL;
        memcpy(before.ground, p.ground, 23 * 17);
        assert_ok(plan_inflate(&p, radius, &error), &error);
        for (int a = 0; a < 23 * 17; a++) {
            const int x = a % 23, y = a / 23;
            double least = fmin(fmin(x, 22 - x), fmin(y, 16 - y)) + 1; /* to beyond the border */
            for (int b = 0; b < 23 * 17; b++)
                if (before.ground[b] == PLAN_WALL)
                    least = fmin(least, hypot(x - b % 23, y - b / 23));
            assert_int_equal(p.ground[a] == PLAN_WALL, least < radius / 0.5 + 0.5);
        }
        plan_free(&p);
        plan_free(&before);
    }
}

static void test_goals_and_places(void **state) {
    (void)state;
    plan p = empty(40, 40, 0.1);
    besd_error error = {BESD_OK, ""};
    int marked = 0;
    assert_fails(plan_set_start(&p, (double[]){-1.1, 3}, &error), BESD_INVALID, &error,
                 "start: expected a place in the sketch, which goes from (-1, 2) to (3, 6)");
    assert_fails(plan_set_goal(&p, (double[]){0, 9}, 1, &error), BESD_INVALID, &error, "goal: ");
    assert_fails(plan_set_goal_box(&p, (double[]){0, 3, 9, 4}, &error), BESD_INVALID, &error,
                 "goal: ");
    assert_ok(plan_set_goal(&p, (double[]){0, 3}, 0.5, &error), &error);
    for (int i = 0; i < 1600; i++)
        marked += p.goal[i];
    assert_in_range(marked, 70, 87); /* 25 pi = 78.5 */
    assert_ok(plan_set_goal_box(&p, (double[]){1, 4, 0, 3}, &error), &error);
    marked = 0;
    for (int i = 0; i < 1600; i++)
        marked += p.goal[i];
    assert_in_range(marked, 100, 101);
    plan_free(&p);
}

static void test_refining(void **state) {
    (void)state;
    plan p = empty(3, 2, 1);
    besd_error error = {BESD_OK, ""};
    p.ground[4] = PLAN_WALL;
    assert_ok(plan_refine(&p, &error), &error);
    assert_int_equal(p.width, 258);
    assert_int_equal(p.height, 172);
    assert_close(p.pixel * 86, 1, 1e-12);
    assert_int_equal(count_walls(&p), 86 * 86);
    assert_true(p.ground[86 + 258 * 86] == PLAN_WALL && p.ground[85 + 258 * 86] == PLAN_FREE);
    assert_ok(plan_refine(&p, &error), &error);
    assert_int_equal(p.width, 258);
    plan_free(&p);
}

/* Unknown places: walls, free, or the largest that one can come to as walls that vary. */
static void test_unknown_places(void **state) {
    (void)state;
    for (int unknown = PLAN_UNKNOWN_WALL; unknown <= PLAN_UNKNOWN_MAYBE; unknown++) {
        plan p = empty(40, 40, 0.1);
        besd_error error = {BESD_OK, ""};
        assert_ok(plan_set_start(&p, (double[]){-0.95, 2.05}, &error), &error);
        for (int k = 0; k < 9; k++) /* places of 1, 2, ..., 9 pixels */
            for (int i = 0; i <= k; i++)
                p.ground[5 + i + 40 * (4 * k + 3)] = PLAN_UNKNOWN;
        for (int i = 37; i < 40; i++) /* and a larger one behind a wall */
            for (int j = 0; j < 40; j++)
                p.ground[i + 40 * j] = i == 37 ? PLAN_WALL : PLAN_UNKNOWN;
        assert_ok(plan_settle(&p, (plan_unknown)unknown, &error), &error);
        const bool maybe = unknown == PLAN_UNKNOWN_MAYBE;
        assert_int_equal(p.choice_count, maybe ? 6 : 0);
        assert_int_equal(count_walls(&p), unknown == PLAN_UNKNOWN_FREE ? 40
                                          : maybe                      ? 40 + 80 + 1 + 2 + 3
                                                                       : 40 + 80 + 45);
        for (int c = 0; c < p.choice_count; c++) {
            int size = 0;
            for (int i = 0; i < 1600; i++)
                size += p.choices[c].walls[0][i];
            assert_int_equal(size, 9 - c);
            assert_null(p.choices[c].walls[1]);
        }
        plan_free(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_lines),       cmocka_unit_test(test_lines_have_no_holes),
        cmocka_unit_test(test_polygons),         cmocka_unit_test(test_walls_grow),
        cmocka_unit_test(test_goals_and_places), cmocka_unit_test(test_refining),
        cmocka_unit_test(test_unknown_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
