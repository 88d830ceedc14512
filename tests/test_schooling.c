/* How long to train in a sketch: long enough that something is learnt, and no answer where nothing
 * is. */
#include "testing.h"

#include "sketch/schooling.h"

#include <stdlib.h>

static domain opened(const char *map) {
    domain d;
    besd_error error = {BESD_OK, ""};
    domain_init(&d, "test", "a test");
    domain_init_grid(&d);
    assert_ok(domain_set_map(&d, map, &error), &error);
    d.reps[0] = 5;
    d.value[PARAMETER_SUBGOALS] = 0;
    return d;
}

static const char two_rooms[] = "G........\n"
                                ".........\n"
                                "#######..\n"
                                ".........\n"
                                ".........\n"
                                "..#######\n"
                                ".........\n"
                                "........S\n"
                                "cell_size 0.5\n";

static void test_two_rooms(void **state) {
    (void)state;
    domain d = opened(two_rooms), again = opened(two_rooms);
    schooling s, t;
    besd_error error = {BESD_OK, ""};
    assert_ok(schooling_find(&d, &s, &error), &error);
    assert_true(s.learnt && s.best >= 0.8 && s.best > s.plain + 0.3);
    assert_true(s.way == 27 && d.value[PARAMETER_CAP] == 140); /* 5 ways, rounded up */
    assert_true(s.tau > s.longest);
    assert_true(d.tau[0] < d.tau[1] && d.tau[1] < d.tau[2] && d.tau[2] == s.tau && !d.tau[3]);
    assert_in_range(s.suggested, 1, SCHOOLING_MOST_SUBGOALS);
    assert_int_equal((int)d.value[PARAMETER_SUBGOALS], s.suggested);
    assert_true(s.steps[s.suggested] < 100 && s.steps[0] > s.steps[s.suggested]);
    assert_ok(schooling_find(&again, &t, &error), &error); /* the same again */
    assert_true(t.tau == s.tau && t.best == s.best && t.steps[2] == s.steps[2]);
}

/* What is known is kept: their number, or a range. */
static void test_known_subgoals(void **state) {
    (void)state;
    domain d = opened(two_rooms);
    schooling s;
    besd_error error = {BESD_OK, ""};
    d.value[PARAMETER_SUBGOALS] = 2;
    assert_ok(schooling_find(&d, &s, &error), &error);
    assert_true(d.value[PARAMETER_SUBGOALS] == 2 && d.value[PARAMETER_FEWEST_SUBGOALS] == 0);
    assert_true(s.suggested == 2 && s.steps[1] == 0 && s.steps[3] == 0 && s.steps[2] > 0);
}

/* A hurricane: whatever the agents choose, they go anywhere. */
static void test_nothing_is_learnt(void **state) {
    (void)state;
    char map[9 * 10 + 1], *end = map;
    schooling s;
    besd_error error = {BESD_OK, ""};
    for (int y = 0; y < 9; y++, end += 10) { /* a corridor in the shape of a snake */
        memset(end, y % 2 ? '#' : '.', 9);
        if (y % 2)
            end[y % 4 == 1 ? 8 : 0] = '.';
        end[9] = '\n';
    }
    *end = 0;
    map[0] = 'S';
    map[8 * 10 + 8] = 'G';
    domain d = opened(map);
    d.value[PARAMETER_WIND_LOW] = d.value[PARAMETER_WIND_HIGH] = 1;
    d.value[PARAMETER_SUBGOALS] = 1;
    assert_ok(schooling_find(&d, &s, &error), &error);
    assert_false(s.learnt);
    assert_true(s.best < 0.1 && s.longest == s.tau && s.longest > 64 * 200);
}

static void test_no_way(void **state) {
    (void)state;
    domain d = opened("S.#.G\n");
    schooling s;
    besd_error error = {BESD_OK, ""};
    assert_fails(schooling_find(&d, &s, &error), BESD_UNREACHABLE, &error, "no way leads");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_rooms), cmocka_unit_test(test_known_subgoals),
        cmocka_unit_test(test_nothing_is_learnt), cmocka_unit_test(test_no_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
