/* Polygons, segments and choices in YAML, and what is wrong with them. */
#include "testing.h"

#include "sketch/plan_sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static besd_status load(const char *text, plan *p, besd_error *error) {
    char path[] = "/tmp/besd-test-XXXXXX.yaml";
    int file = mkstemps(path, 5);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    *p = (plan){0};
    besd_status status = plan_of_shapes(path, p, error);
    unlink(path);
    return status;
}

#define ENDS "start: [0.4, 1.5]\ngoal: [3.6, 1.5]\n"

static void test_everything(void **state) {
    (void)state;
    plan p;
    besd_error error = {BESD_OK, ""};
    assert_ok(load("bounds: [0, 0, 4, 3]\nname: hall\n" ENDS "goal_radius: 0.25\n"
                   "polygons:\n  - [[1, 0], [2, 0], [2, 1], [1, 1]]\n"
                   "segments:\n  - [3, 0, 3, 1]\n  - [[3, 2], [3, 3], [4, 3]]\n"
                   "maybe:\n  - [[0, 2], [1, 2]]\n"
                   "choose:\n  - - segments: [[2.5, 0, 2.5, 2]]\n    - []\n"
                   "    - polygons: [[2.5, 1, 2.6, 1, 2.6, 3]]\n",
                   &p, &error),
              &error);
    assert_true(p.width == 512 && p.height == 384 && p.pixel == 4.0 / 512);
    assert_true(p.has_start && p.start[0] == 0.4 && p.has_goal);
    assert_int_equal(p.ground[192 + 512 * 64], PLAN_WALL);
    assert_int_equal(p.ground[384 + 512 * 64], PLAN_WALL);
    assert_int_equal(p.ground[385 + 512 * 64], PLAN_FREE);
    assert_int_equal(p.ground[384 + 512 * 192], PLAN_FREE);
    assert_int_equal(p.goal[plan_pixel_of(&p, (double[]){3.4, 1.5})], 1);
    assert_int_equal(p.goal[plan_pixel_of(&p, (double[]){3.3, 1.5})], 0);
    assert_int_equal(p.choice_count, 2);
    assert_true(p.choices[0].count == 3 && p.choices[1].count == 2);
    assert_true(p.choices[0].walls[0][320 + 512 * 64] && !p.choices[0].walls[2][320 + 512 * 64]);
    assert_null(p.choices[0].walls[1]);
    plan_free(&p);
}

static void test_what_is_refused(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"bounds: [0, 0, 4]\n", "bounds: expected [left, lower, right, upper]"},
        {"bounds: [0, 0, 0, 3]\n", "bounds: expected"},
        {"bounds: [0, 0, .inf, 3]\n", "bounds: expected"},
        {"bounds: [0, 0, 1e300, 3]\n", "bounds: expected"},
        {"bounds: [0, 0, 4, 3]\nstart: [9, 9]\n", "start: expected a place in the sketch"},
        {"bounds: [0, 0, 4, 3]\nstart: 3\n", "start: expected a place"},
        {"bounds: [0, 0, 4, 3]\ngoal: [1, 2, 3]\n", "goal: expected a place"},
        {"bounds: [0, 0, 4, 3]\ngoal_radius: -1\n", "goal_radius: expected"},
        {"bounds: [0, 0, 4, 3]\npolygons: [[1, 2, 3, 4]]\n", "polygons: expected three points"},
        {"bounds: [0, 0, 4, 3]\npolygons: 4\n", "polygons: expected a list"},
        {"bounds: [0, 0, 4, 3]\nsegments: [[1, 2]]\n", "segments: expected two points"},
        {"bounds: [0, 0, 4, 3]\nsegments: [[1, 2, x, 3]]\n", "segments: expected two points"},
        {"bounds: [0, 0, 4, 3]\nsegments: [&a [1, 2, *a, 3]]\n", "line"},
        {"bounds: [0, 0, 4, 3]\nsegments: [[[[[1, 2, 3, 3]]]]]\n", "segments: expected two points"},
        {"bounds: [0, 0, 4, 3]\nmaybe: [[1, 2]]\n", "maybe: expected the points"},
        {"bounds: [0, 0, 4, 3]\nchoose: [[[]]]\n", "choose: expected 2 to 16"},
        {"bounds: [0, 0, 4, 3]\nchoose: [[7, 8]]\n", "choose: expected 2 to 16"},
        {"bounds: [0, 0, 4, 3]\nsegment: []\n", "no field 'segment', did you mean 'segments'?"},
        {"bounds: [0, 0, 4, 3]\n\nstrat: []\n", "(line 3)"},
        {"bounds: [0, 0\n", "it is no YAML"},
        {"- 1\n", "expected a sketch with bounds"},
        {"", "expected a sketch with bounds"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        plan p;
        besd_error error = {BESD_OK, ""};
        assert_fails(load(wrong[i][0], &p, &error), BESD_INVALID, &error, wrong[i][1]);
        plan_free(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_everything),
                                       cmocka_unit_test(test_what_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
