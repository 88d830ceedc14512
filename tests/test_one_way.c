/* One-way cells, on random maps with cells of every kind: all moves against a second writing of the
 * rules, the solver against a breadth-first search over it. */
#include "testing.h"

#include "core/rng.h"
#include "grid_facts.h"
#include "world/grid.h"
#include "world/solve.h"

enum { SIDE = 6, MAPS = 200, STATES = SIDE * SIDE * 4 };

/* The cells of a map with two of each one-way kind at least, with key, treasure, start and goal. */
static facts_world draw_world(uint64_t seed) {
    static const char always[] = "SGKT^^>>VV<<", others[] = "......##D^>V<";
    facts_world w = {.side = SIDE, .has_key = true, .has_treasure = true, .goal_reward = 1};
    rng r = rng_open(seed, RNG_TEST, 11, 0, 0);
    char *cells[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        cells[i] = &w.cell[i / SIDE][i % SIDE];
        *cells[i] = others[rng_below(&r, sizeof others - 1)];
    }
    for (size_t i = 0; i < sizeof always - 1; i++) { /* places without repetition */
        size_t at = i + (size_t)rng_below(&r, SIDE * SIDE - i);
        char *kept = cells[i];
        cells[i] = cells[at];
        cells[at] = kept;
        *cells[i] = always[i];
    }
    w.treasure_reward = 3;
    return w;
}

/* As a file has it, the top row first. */
static besd_env *open_world(const facts_world *w, domain *d) {
    char text[SIDE * (SIDE + 1) + 1] = "", *end = text;
    besd_error error = {BESD_OK, ""};
    besd_env *env = NULL;
    for (int y = SIDE - 1; y >= 0; y--) {
        memcpy(end, w->cell[y], SIDE);
        end[SIDE] = '\n';
        end += SIDE + 1;
    }
    assert_ok(domain_find("gw10", d, &error), &error);
    assert_ok(domain_set_map(d, text, &error), &error);
    assert_ok(domain_set(d, "treasure_reward=3", &error), &error);
    assert_ok(domain_open(d, &env, &error), &error);
    grid_set_layout(env, 0, 0);
    return env;
}

static facts_place place_of(int state) {
    int cell = state % (SIDE * SIDE), flags = state / (SIDE * SIDE);
    return (facts_place){cell % SIDE, cell / SIDE, flags % 2 == 1, flags / 2 == 1};
}

static void test_every_move_against_the_rules(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        domain d;
        const facts_world w = draw_world(seed);
        besd_env *env = open_world(&w, &d);
        const besd_env_table *t = d.methods->table(env);
        assert_int_equal(t->states, STATES);
        for (int s = 0; s < STATES; s++)
            for (int action = 0; action < 4; action++) {
                facts_move move = facts_step(&w, place_of(s), action);
                assert_int_equal(t->next[4 * s + action], facts_state(&w, move.to));
                assert_true(t->reward[4 * s + action] == move.reward);
            }
        d.methods->destroy(env);
    }
}

/* Steps of a shortest way to a goal by the rules; 0: there is none. */
static int fewest_steps(const facts_world *w, int start) {
    int queue[STATES], steps[STATES] = {0}, count = 1;
    queue[0] = start;
    for (int i = 0; i < count; i++)
        for (int action = 0; action < 4; action++) {
            facts_move move = facts_step(w, place_of(queue[i]), action);
            int next = facts_state(w, move.to);
            if (move.terminated)
                return steps[queue[i]] + 1;
            if (next == start || steps[next])
                continue;
            steps[next] = steps[queue[i]] + 1;
            queue[count++] = next;
        }
    return 0;
}

/* Both kinds of maps come: those with a way, some of them longer than without arrows, and those
 * without. */
static void test_the_solver_against_a_search(void **state) {
    (void)state;
    int solved = 0, shut = 0, longer = 0;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        domain d;
        facts_world w = draw_world(seed);
        besd_env *env = open_world(&w, &d);
        int start = (int)d.methods->table(env)->start, steps = fewest_steps(&w, start);
        solution s;
        besd_error error = {BESD_OK, ""};
        besd_status status = solve_instance(&d, env, &s, &error);
        assert_int_equal(status, steps ? BESD_OK : BESD_UNREACHABLE);
        if (steps)
            assert_close(s.optimal, steps, 1e-9);
        for (int i = 0; i < SIDE * SIDE; i++)
            if (grid_is_one_way(w.cell[i / SIDE][i % SIDE]))
                w.cell[i / SIDE][i % SIDE] = '.';
        solved += steps > 0;
        shut += steps == 0;
        longer += steps > fewest_steps(&w, start);
        d.methods->destroy(env);
    }
    assert_true(solved > MAPS / 10 && shut > MAPS / 10 && longer > MAPS / 20);
}

/* A passage is gone through, not back; what was entered is left in all directions. */
static void test_no_way_back(void **state) {
    (void)state;
    static const struct {
        const char *map;
        int actions[4];
        double x[4];
    } walks[] = {{"S.>.G", {1, 1, 1, 3}, {1.5, 2.5, 3.5, 3.5}},
                 {"S.>.G", {1, 1, 3, 1}, {1.5, 2.5, 1.5, 2.5}},
                 {"G.S<.", {1, 1, 3, 3}, {2.5, 2.5, 1.5, 0.5}},
                 {"S^V<G", {1, 1, 1, 1}, {0.5, 0.5, 0.5, 0.5}}};
    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++) {
        domain d;
        besd_env *env;
        besd_env_outcome out;
        besd_error error = {BESD_OK, ""};
        assert_ok(domain_find("gw10", &d, &error), &error);
        assert_ok(domain_set_map(&d, walks[i].map, &error), &error);
        assert_ok(domain_open(&d, &env, &error), &error);
        grid_set_layout(env, 0, 0);
        d.methods->reset(env, &out);
        for (int n = 0; n < 4; n++) {
            d.methods->step(env, walks[i].actions[n], &out);
            assert_true(out.observation[0] == walks[i].x[n]);
        }
        d.methods->destroy(env);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_move_against_the_rules),
        cmocka_unit_test(test_the_solver_against_a_search),
        cmocka_unit_test(test_no_way_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
