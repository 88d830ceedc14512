/* Moves in eight directions: a diagonal cuts no corner, and four directions are as ever. */
#include "testing.h"

#include "world/domain.h"
#include "world/grid.h"
#include "world/solve.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct world {
    domain domain;
    besd_env *env;
    const besd_env_table *table;
} world;

static world *open_world(const char *map, int moves) {
    besd_error error = {BESD_OK, ""};
    char set[16];
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    snprintf(set, sizeof set, "moves=%d", moves);
    assert_ok(domain_find("gw10", &w->domain, &error), &error);
    assert_ok(domain_set_map(&w->domain, map, &error), &error);
    assert_ok(domain_set(&w->domain, set, &error), &error);
    assert_ok(domain_set(&w->domain, "wind=0", &error), &error);
    assert_ok(domain_open(&w->domain, &w->env, &error), &error);
    w->table = w->domain.methods->table(w->env);
    return w;
}

static void close_world(world *w) {
    w->domain.methods->destroy(w->env);
    free(w);
}

/* Every move from the middle of three by three cells, with walls drawn in every way. */
static void test_every_neighbourhood(void **state) {
    (void)state;
    for (unsigned walls = 0; walls < 1 << 8; walls++) {
        char map[] = "GGGGG\n.....\n.....\n.....\nS....\n";
        for (int a = 0; a < 8; a++) /* rows of 6 characters, the top first; the middle is (2, 2) */
            if (walls >> a & 1)
                map[6 * (2 - grid_moves[a][1]) + 2 + grid_moves[a][0]] = '#';
        world *w = open_world(map, 8);
        assert_int_equal(w->table->actions, 8);
        for (int a = 0; a < 8; a++) {
            int x = grid_moves[a][0], y = grid_moves[a][1];
            bool open = !(walls >> a & 1);
            for (int side = 0; side < 4 && a >= 4; side++) /* the two parts of a diagonal */
                if (grid_moves[side][0] * x + grid_moves[side][1] * y == 1)
                    open = open && !(walls >> side & 1);
            assert_int_equal(w->table->next[12 * 8 + a], open ? 12 + x + 5 * y : 12);
        }
        close_world(w);
    }
}

static void test_the_border_stops_diagonals(void **state) {
    (void)state;
    world *w = open_world("..G\n...\nS..\n", 8);
    static const int stays[] = {2, 3, 5, 6, 7};
    for (size_t i = 0; i < sizeof stays / sizeof *stays; i++)
        assert_int_equal(w->table->next[stays[i]], 0);
    assert_int_equal(w->table->next[4], 4);
    close_world(w);
}

/* Closed doors and one-way cells are no way for a diagonal either; the key opens the door. */
static void test_doors_and_one_way_cells(void **state) {
    (void)state;
    world *w = open_world("G.D\nSK.\n", 8);
    const int cells = 6;
    assert_int_equal(w->table->next[1 * 8 + 4], 1);                   /* from K to D */
    assert_int_equal(w->table->next[(1 + cells) * 8 + 4], 5 + cells); /* with the key */
    close_world(w);
    w = open_world("G^.\nS..\n", 8);
    assert_int_equal(w->table->next[0 * 8 + 4], 0); /* into ^ from below left */
    assert_int_equal(w->table->next[2 * 8 + 7], 2); /* and from below right */
    assert_int_equal(w->table->next[1 * 8 + 0], 4); /* only upwards */
    close_world(w);
}

/* Across an open room the diagonal is the way. */
static void test_the_shortest_way(void **state) {
    (void)state;
    static const char map[] = "....G\n.....\n.....\n.....\nS....\n";
    static const struct {
        int moves;
        double steps;
    } ways[] = {{4, 8}, {8, 4}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        besd_error error = {BESD_OK, ""};
        solution s;
        world *w = open_world(map, ways[i].moves);
        assert_ok(solve_instance(&w->domain, w->env, &s, &error), &error);
        assert_close(s.optimal, ways[i].steps, 1e-9);
        close_world(w);
    }
}

static void test_other_numbers_of_moves(void **state) {
    (void)state;
    domain d;
    besd_env *env = NULL;
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_find("gw10", &d, &error), &error);
    assert_fails(domain_set(&d, "moves=3", &error), BESD_INVALID, &error, "moves: expected");
    assert_ok(domain_set(&d, "moves=6", &error), &error);
    assert_fails(domain_open(&d, &env, &error), BESD_INVALID, &error,
                 "moves: expected 4 or 8, got 6");
    assert_ok(domain_find("mc", &d, &error), &error);
    assert_fails(domain_set(&d, "moves=8", &error), BESD_UNKNOWN, &error, "has no parameter");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_neighbourhood),
                                       cmocka_unit_test(test_the_border_stops_diagonals),
                                       cmocka_unit_test(test_doors_and_one_way_cells),
                                       cmocka_unit_test(test_the_shortest_way),
                                       cmocka_unit_test(test_other_numbers_of_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
