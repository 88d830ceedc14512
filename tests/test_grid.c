#include "testing.h"

#include "grid_facts.h"

#include "core/rng.h"
#include "world/domain.h"
#include "world/grid.h"
static const besd_env_methods *const m = &grid_methods;
static const char *const grids[] = {"gw10", "gw20", "tr", "key2", "key3"};

enum { GRIDS = sizeof grids / sizeof *grids, MAX_STATES = 800 };

/* A domain and an environment of it; the domain must stay where it is. */
static besd_env *open_domain(const char *name, domain *d) {
    besd_error error = {BESD_OK, ""};
    besd_env *env = NULL;
    assert_ok(domain_find(name, d, &error), &error);
    assert_ok(domain_open(d, &env, &error), &error);
    return env;
}

static besd_env *open_map(const char *text, const char *setting, domain *d) {
    besd_error error = {BESD_OK, ""};
    besd_env *env = NULL;
    assert_ok(domain_find("gw10", d, &error), &error);
    assert_ok(domain_set_map(d, text, &error), &error);
    assert_ok(domain_set(d, setting, &error), &error);
    assert_ok(domain_open(d, &env, &error), &error);
    return env;
}

static bool same_cells(const facts_world *w, const char *cells) {
    for (int y = 0; y < w->side; y++)
        if (memcmp(w->cell[y], cells + y * w->side, (size_t)w->side) != 0)
            return false;
    return true;
}

/* The world of the facts that an environment is in. */
static int world_of(const facts_world *worlds, int count, const besd_env *env) {
    for (int i = 0; i < count; i++)
        if (same_cells(&worlds[i], grid_cells(env)))
            return i;
    fail_msg("the layout is not one of the facts");
    return -1;
}

/* Walls, doors, goals, key zones and treasure cells: every layout of the facts comes once. */
static void test_the_geometry_of_every_domain(void **state) {
    (void)state;
    static const int expected[GRIDS] = {5, 18, 9, 2, 2};
    for (size_t g = 0; g < GRIDS; g++) {
        domain d;
        facts_world worlds[FACTS_WORLDS];
        int count = facts_worlds(grids[g], worlds), seen[FACTS_WORLDS] = {0};
        besd_env *env = open_domain(grids[g], &d);
        assert_int_equal(count, expected[g]);
        assert_int_equal(grid_map_layouts(&d.map), count);
        assert_int_equal(d.map.width, worlds[0].side);
        assert_int_equal(d.map.height, worlds[0].side);
        for (int64_t layout = 0; layout < count; layout++) {
            grid_set_layout(env, layout, 0);
            seen[world_of(worlds, count, env)]++;
        }
        for (int i = 0; i < count; i++)
            assert_int_equal(seen[i], 1);
        m->destroy(env);
    }
}

static facts_place place_of(const facts_world *w, int state) {
    int cells = w->side * w->side, flags = state / cells, cell = state % cells;
    return (facts_place){.x = cell % w->side,
                         .y = cell / w->side,
                         .key = w->has_key && flags % 2 == 1,
                         .treasure = w->has_treasure && flags / (w->has_key ? 2 : 1) == 1};
}

static void compare_table(const facts_world *w, const besd_env_table *t) {
    assert_int_equal(t->states, facts_states(w));
    assert_int_equal(t->actions, 4);
    assert_int_equal(t->start, 0);
    for (int s = 0; s < t->states; s++) {
        facts_place p = place_of(w, s);
        assert_int_equal(facts_state(w, p), s);
        assert_int_equal(t->terminal[s], w->cell[p.y][p.x] == 'G');
        assert_true(t->position[2 * s] == p.x + 0.5);
        assert_true(t->position[2 * s + 1] == p.y + 0.5);
        for (int action = 0; action < 4; action++) {
            facts_move move = facts_step(w, p, action);
            assert_int_equal(t->next[4 * s + action], facts_state(w, move.to));
            assert_true(t->reward[4 * s + action] == move.reward);
        }
    }
}

/* All states and actions of all layouts, the unreachable ones included. */
static void test_the_table_against_the_facts(void **state) {
    (void)state;
    for (size_t g = 0; g < GRIDS; g++) {
        domain d;
        facts_world worlds[FACTS_WORLDS];
        int count = facts_worlds(grids[g], worlds);
        besd_env *env = open_domain(grids[g], &d);
        for (int64_t layout = 0; layout < count; layout++) {
            grid_set_layout(env, layout, 0.01);
            compare_table(&worlds[world_of(worlds, count, env)], m->table(env));
            assert_true(m->table(env)->wind == 0.01);
        }
        m->destroy(env);
    }
}

/* How to get to every place: breadth-first over the facts. */
typedef struct route {
    int from, action; /* from -1: the start, or unknown */
    bool known;
} route;

static int find_routes(const facts_world *w, route *routes) {
    int queue[MAX_STATES], count = 1;
    memset(routes, 0, MAX_STATES * sizeof *routes);
    queue[0] = 0;
    routes[0] = (route){.from = -1, .known = true};
    for (int i = 0; i < count; i++)
        for (int action = 0; action < 4; action++) {
            facts_move move = facts_step(w, place_of(w, queue[i]), action);
            int next = facts_state(w, move.to);
            if (move.terminated || routes[next].known)
                continue;
            routes[next] = (route){.from = queue[i], .action = action, .known = true};
            queue[count++] = next;
        }
    return count;
}

/* Brings a fresh episode to a state and returns the steps it took. */
static int walk_to(besd_env *env, const route *routes, int state, besd_env_outcome *out) {
    if (routes[state].from < 0) {
        m->reset(env, out);
        return 0;
    }
    int steps = walk_to(env, routes, routes[state].from, out);
    m->step(env, routes[state].action, out);
    return steps + 1;
}

static void compare_steps(besd_env *env, const facts_world *w, int64_t cap) {
    route routes[MAX_STATES];
    int reachable = find_routes(w, routes);
    assert_true(reachable > 50);
    m->seed(env, 1);
    for (int s = 0; s < facts_states(w); s++)
        for (int action = 0; routes[s].known && action < 4; action++) {
            besd_env_outcome out;
            int steps = walk_to(env, routes, s, &out);
            assert_int_equal(out.state, s);
            facts_move move = facts_step(w, place_of(w, s), action);
            m->step(env, action, &out);
            assert_int_equal(out.state, facts_state(w, move.to));
            assert_true(out.reward == move.reward);
            assert_int_equal(out.terminated, move.terminated);
            assert_int_equal(out.truncated, !move.terminated && steps + 1 >= cap);
            assert_true(out.observation[0] == move.to.x + 0.5);
            assert_true(out.observation[1] == move.to.y + 0.5);
        }
}

/* The same through step(), from every state that can be reached, in all layouts. */
static void test_steps_against_the_facts(void **state) {
    (void)state;
    for (size_t g = 0; g < GRIDS; g++) {
        domain d;
        facts_world worlds[FACTS_WORLDS];
        int count = facts_worlds(grids[g], worlds);
        besd_env *env = open_domain(grids[g], &d);
        for (int64_t layout = 0; layout < count; layout++) {
            grid_set_layout(env, layout, 0);
            compare_steps(env, &worlds[world_of(worlds, count, env)],
                          (int64_t)d.value[PARAMETER_CAP]);
        }
        m->destroy(env);
    }
}

/* A map with both bits: the key first, the treasure second, four sets of states. */
static void test_key_and_treasure_together(void **state) {
    (void)state;
    domain d;
    besd_env *env = open_map("GDT\n"
                             "##.\n"
                             "S.K\n",
                             "treasure_reward=5", &d);
    facts_world w = {.side = 3,
                     .has_key = true,
                     .has_treasure = true,
                     .goal_reward = 1,
                     .treasure_reward = 5,
                     .cell = {"S.K", "##.", "GDT"}};
    grid_set_layout(env, 0, 0);
    compare_table(&w, m->table(env));
    m->destroy(env);
}

/* A door on a map without a key stays closed, and there are no bits to spare. */
static void test_a_door_without_a_key_is_a_wall(void **state) {
    (void)state;
    domain d;
    besd_env *env = open_map("SDG\n...", "wind=0", &d);
    const besd_env_table *t = m->table(env);
    assert_int_equal(t->states, 6);
    assert_int_equal(t->next[4 * 3 + 1], 3);
    m->destroy(env);
}

/* The spec says what step() will do. */
static void test_the_spec(void **state) {
    (void)state;
    static const struct {
        int states, side, cap;
    } expected[GRIDS] = {
        {100, 10, 500}, {400, 20, 1000}, {200, 10, 500}, {200, 10, 500}, {200, 10, 500}};
    for (size_t g = 0; g < GRIDS; g++) {
        domain d;
        besd_env_spec spec;
        besd_env *env = open_domain(grids[g], &d);
        m->spec(env, &spec);
        assert_int_equal(spec.actions, 4);
        assert_int_equal(spec.states, expected[g].states);
        assert_int_equal(spec.observation, 2);
        assert_int_equal(spec.position, 2);
        assert_int_equal(spec.reach, BESD_REACH_CELL);
        assert_int_equal(spec.cap, expected[g].cap);
        for (int i = 0; i < 2; i++) {
            assert_true(spec.low[i] == 0 && spec.high[i] == expected[g].side);
            assert_true(spec.subgoal_low[i] == 0 && spec.subgoal_high[i] == expected[g].side);
        }
        m->destroy(env);
    }
}

static void test_truncation_at_exactly_the_cap(void **state) {
    (void)state;
    domain d;
    besd_env *env = open_map("..G\n...\nS..", "cap=7", &d);
    besd_env_outcome out;
    grid_set_layout(env, 0, 0);
    m->seed(env, 1);
    for (int episode = 0; episode < 3; episode++) {
        m->reset(env, &out);
        assert_false(out.terminated || out.truncated);
        assert_true(out.reward == 0);
        assert_int_equal(out.state, 0);
        for (int step = 1; step <= 7; step++) {
            m->step(env, 3, &out);
            assert_false(out.terminated);
            assert_int_equal(out.truncated, step == 7);
        }
    }
    m->destroy(env);
}

/* The goal at the last allowed step is a termination, not a truncation. */
static void test_the_goal_on_the_cap(void **state) {
    (void)state;
    domain d;
    besd_env *env = open_map("S.G", "cap=2", &d);
    besd_env_outcome out;
    grid_set_layout(env, 0, 0);
    m->seed(env, 1);
    m->reset(env, &out);
    m->step(env, 1, &out);
    assert_false(out.terminated || out.truncated);
    m->step(env, 1, &out);
    assert_true(out.terminated && !out.truncated && out.reward == 1);
    m->destroy(env);
}

/* Random walks in windy instances: never both ends, never past the cap. */
static void test_terminated_and_truncated_are_never_both(void **state) {
    (void)state;
    rng r = rng_open(1, RNG_TEST, 4, 0, 0);
    for (size_t g = 0; g < GRIDS; g++) {
        domain d;
        besd_env *env = open_domain(grids[g], &d);
        besd_error error = {BESD_OK, ""};
        int terminations = 0, truncations = 0;
        assert_ok(m->instance(env, 11, &error), &error);
        m->seed(env, 12);
        for (int episode = 0; episode < 40; episode++) {
            besd_env_outcome out;
            int64_t steps = 0;
            m->reset(env, &out);
            while (!out.terminated && !out.truncated) {
                m->step(env, (int)rng_below(&r, 4), &out);
                steps++;
                assert_false(out.terminated && out.truncated);
                assert_true(steps <= (int64_t)d.value[PARAMETER_CAP]);
            }
            terminations += out.terminated;
            truncations += out.truncated;
            assert_true(out.terminated || steps == (int64_t)d.value[PARAMETER_CAP]);
        }
        assert_true(truncations > 0 && (terminations > 0 || g == 1));
        m->destroy(env);
    }
}

/* Going up from the lower left corner under wind p: up 1 - p + p/4, right p/4, a bump p/2. */
static void test_the_share_of_replaced_actions(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    static const double winds[] = {0.01, 0.3, 1};
    domain d;
    besd_env *env = open_domain("gw10", &d);
    for (size_t i = 0; i < 3; i++) {
        double p = winds[i], probabilities[3] = {1 - 0.75 * p, 0.25 * p, 0.5 * p};
        uint64_t counts[3] = {0};
        grid_set_layout(env, 0, p);
        m->seed(env, 100 + i);
        for (int n = 0; n < COUNT; n++) {
            besd_env_outcome out;
            m->reset(env, &out);
            m->step(env, 0, &out);
            counts[out.state == 10 ? 0 : out.state == 1 ? 1 : 2]++;
        }
        assert_distributed(counts, probabilities, 3, "moves under wind");
    }
    m->destroy(env);
}

/* Every layout equally often; the wind uniform in its range, whatever the layout. */
static void test_the_distribution_of_instances(void **state) {
    (void)state;
    enum { COUNT = 36000, BINS = 10 };
    for (size_t g = 0; g < GRIDS; g++) {
        domain d;
        facts_world worlds[FACTS_WORLDS];
        int count = facts_worlds(grids[g], worlds);
        besd_env *env = open_domain(grids[g], &d);
        besd_error error = {BESD_OK, ""};
        bool windy = g < 2;
        uint64_t layouts[FACTS_WORLDS] = {0}, both[FACTS_WORLDS * BINS] = {0};
        for (uint64_t i = 0; i < COUNT; i++) {
            assert_ok(m->instance(env, rng_seed(3, RNG_INSTANCE, i, 0, 0), &error), &error);
            int world = world_of(worlds, count, env);
            double blows = m->table(env)->wind;
            layouts[world]++;
            if (windy) {
                assert_true(blows >= 0 && blows < 0.02);
                both[world * BINS + (int)(blows / 0.02 * BINS)]++;
            } else {
                assert_true(blows == 0);
            }
        }
        assert_uniform(layouts, (size_t)count, grids[g]);
        if (windy)
            assert_uniform(both, (size_t)count * BINS, "layout and wind together");
        m->destroy(env);
    }
}

/* Equal for equal instances, in whatever handle, and only for them. */
static void test_the_fingerprint(void **state) {
    (void)state;
    domain d1, d2;
    besd_env *one = open_domain("gw20", &d1), *two = open_domain("gw20", &d2);
    uint64_t prints[3 * FACTS_WORLDS];
    const double winds[3] = {0, 0.01, 0.02};
    size_t count = 0;
    for (int64_t layout = 0; layout < FACTS_WORLDS; layout++)
        for (int i = 0; i < 3; i++) {
            besd_env_outcome out;
            grid_set_layout(one, layout, winds[i]);
            grid_set_layout(two, layout, winds[i]);
            prints[count] = m->fingerprint(one);
            m->seed(two, 7);
            m->reset(two, &out);
            m->step(two, 1, &out);
            assert_true(m->fingerprint(two) == prints[count]);
            for (size_t j = 0; j < count; j++)
                assert_true(prints[j] != prints[count]);
            count++;
        }
    m->destroy(one);
    m->destroy(two);
}

/* A walk of `steps` random actions; a hash of everything that step() told. */
typedef struct walker {
    besd_env *env;
    rng actions;
    besd_env_outcome out;
    double sum;
} walker;

static void walker_start(walker *w, besd_env *env, uint64_t seed) {
    besd_error error = {BESD_OK, ""};
    *w = (walker){.env = env, .actions = rng_open(seed, RNG_TEST, 5, 0, 0)};
    assert_ok(m->instance(env, seed, &error), &error);
    m->seed(env, seed + 1);
    m->reset(env, &w->out);
}

static void walker_move(walker *w) {
    if (w->out.terminated || w->out.truncated)
        m->reset(w->env, &w->out);
    else
        m->step(w->env, (int)rng_below(&w->actions, 4), &w->out);
    w->sum = 0.9 * w->sum + (double)w->out.state + w->out.reward;
}

static double walk_alone(besd_env *env, uint64_t seed, int steps) {
    walker w;
    walker_start(&w, env, seed);
    for (int i = 0; i < steps; i++)
        walker_move(&w);
    return w.sum;
}

/* Used in turn, two handles of one domain do what each does alone. */
static void test_two_handles_do_not_disturb_each_other(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    besd_env *one = open_domain("gw10", &d), *two = NULL;
    assert_ok(domain_set(&d, "wind=0.5", &error), &error);
    m->destroy(one);
    assert_ok(domain_open(&d, &one, &error), &error);
    assert_ok(domain_open(&d, &two, &error), &error);
    double alone_one = walk_alone(one, 21, 5000), alone_two = walk_alone(two, 22, 5000);
    assert_true(alone_one != alone_two);
    walker a, b;
    walker_start(&a, one, 21);
    walker_start(&b, two, 22);
    for (int i = 0; i < 5000; i++) {
        walker_move(&a);
        walker_move(&b);
    }
    assert_true(a.sum == alone_one && b.sum == alone_two);
    m->destroy(one);
    m->destroy(two);
}

/* The same seeds give the same bytes, in a used handle and in a fresh one; others do not. */
static void test_determinism_per_seed(void **state) {
    (void)state;
    for (size_t g = 0; g < GRIDS; g++) {
        domain d, again;
        besd_env *env = open_domain(grids[g], &d), *fresh = open_domain(grids[g], &again);
        double first = walk_alone(env, 31, 3000);
        assert_true(walk_alone(env, 32, 3000) != first);
        assert_true(walk_alone(env, 31, 3000) == first);
        assert_true(walk_alone(fresh, 31, 3000) == first);
        m->destroy(env);
        m->destroy(fresh);
    }
}

static void test_destroying_nothing(void **state) {
    (void)state;
    m->destroy(NULL);
}

enum { COUNT = 400000 };

/* Action 2 of `actions` under wind p: it happens with 1 - p + p/n, each other one with p/n. */
static void check_shares(uint64_t seed, double p, int actions) {
    uint64_t counts[8] = {0};
    double probabilities[8];
    wind w = wind_start(seed, p);
    for (int i = 0; i < COUNT; i++) {
        int action = wind_blow(&w, 2, actions);
        assert_in_range(action, 0, actions - 1);
        counts[action]++;
    }
    for (int a = 0; a < actions; a++)
        probabilities[a] = p / actions + (a == 2 ? 1 - p : 0);
    assert_distributed(counts, probabilities, (size_t)actions, "actions under wind");
}

static void test_the_share_of_every_action(void **state) {
    (void)state;
    check_shares(1, 0.01, 4);
    check_shares(2, 0.2, 4);
    check_shares(3, 0.9, 4);
    check_shares(4, 0.5, 7);
    check_shares(5, 1, 4);
    check_shares(6, 1, 3);
}

static void test_calm(void **state) {
    (void)state;
    wind w = wind_start(7, 0);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(wind_blow(&w, i % 4, 4), i % 4);
}

/* As coins would: whether one step is moved says nothing of the next. With 100 actions a gust
 * shows itself by its action, but for one in a hundred. */
static void test_gusts_are_independent(void **state) {
    (void)state;
    const double p = 0.3, q = p * 0.99;
    const double probabilities[4] = {(1 - q) * (1 - q), q * (1 - q), q * (1 - q), q * q};
    uint64_t pairs[4] = {0}, before_first[6] = {0};
    wind w = wind_start(8, p);
    for (int i = 0; i < COUNT; i++) {
        int first = wind_blow(&w, 0, 100) != 0, second = wind_blow(&w, 0, 100) != 0;
        pairs[2 * first + second]++;
    }
    assert_distributed(pairs, probabilities, 4, "pairs of steps");
    double first_gust[6];
    for (uint64_t seed = 0; seed < COUNT / 8; seed++) {
        uint64_t steps = 0;
        for (w = wind_start(seed, p); steps < 5 && wind_blow(&w, 0, 100) == 0;)
            steps++;
        before_first[steps]++;
    }
    for (int i = 0; i < 6; i++)
        first_gust[i] = pow(1 - q, i) * (i < 5 ? q : 1);
    assert_distributed(before_first, first_gust, 6, "steps before the first gust");
}

static void test_wind_per_seed(void **state) {
    (void)state;
    wind one = wind_start(9, 0.5), same = wind_start(9, 0.5), other = wind_start(10, 0.5);
    int differences = 0;
    for (int i = 0; i < 1000; i++) {
        int action = wind_blow(&one, 0, 4);
        assert_int_equal(wind_blow(&same, 0, 4), action);
        differences += wind_blow(&other, 0, 4) != action;
    }
    assert_true(differences > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_geometry_of_every_domain),
        cmocka_unit_test(test_the_table_against_the_facts),
        cmocka_unit_test(test_steps_against_the_facts),
        cmocka_unit_test(test_key_and_treasure_together),
        cmocka_unit_test(test_a_door_without_a_key_is_a_wall),
        cmocka_unit_test(test_the_spec),
        cmocka_unit_test(test_truncation_at_exactly_the_cap),
        cmocka_unit_test(test_the_goal_on_the_cap),
        cmocka_unit_test(test_terminated_and_truncated_are_never_both),
        cmocka_unit_test(test_the_share_of_replaced_actions),
        cmocka_unit_test(test_the_distribution_of_instances),
        cmocka_unit_test(test_the_fingerprint),
        cmocka_unit_test(test_two_handles_do_not_disturb_each_other),
        cmocka_unit_test(test_determinism_per_seed),
        cmocka_unit_test(test_destroying_nothing),
        cmocka_unit_test(test_the_share_of_every_action),
        cmocka_unit_test(test_calm),
        cmocka_unit_test(test_gusts_are_independent),
        cmocka_unit_test(test_wind_per_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
