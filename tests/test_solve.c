#include "testing.h"

#include "core/rng.h"
#include "world/grid.h"
#include "world/solve.h"

#include <stdlib.h>

enum { ACTIONS = 4, MAX_STATES = 400 };

static besd_env *open_domain(const char *name, domain *d) {
    besd_error error = {BESD_OK, ""};
    besd_env *env = NULL;
    assert_ok(domain_find(name, d, &error), &error);
    assert_ok(domain_open(d, &env, &error), &error);
    return env;
}

static double optimum(const domain *d, besd_env *env, int64_t layout, double gusts) {
    solution s;
    besd_error error = {BESD_OK, ""};
    grid_set_layout(env, layout, gusts);
    assert_ok(solve_instance(d, env, &s, &error), &error);
    return s.optimal;
}

static void test_fewest_steps_without_wind(void **state) {
    (void)state;
    static const char *const names[] = {"gw10", "gw20", "key2", "key3"};
    for (size_t i = 0; i < 4; i++) {
        domain d;
        besd_env *env = open_domain(names[i], &d);
        for (int64_t layout = 0; layout < grid_map_layouts(&d.map); layout++) {
            double steps = optimum(&d, env, layout, 0);
            bool key_right = grid_cells(env)[2 * 10 + 8] == 'K';
            assert_close(steps, i == 0 ? 20 : i == 1 ? 37 : key_right ? 24 : 20, 1e-9);
        }
        d.methods->destroy(env);
    }
}

/* The treasure at (x, y) is x + y moves away and lies on a way to the goal of 17 moves in all:
 * 10 gamma^(x + y - 1) + 10 gamma^16. The mean over the nine cells is 15.748. */
static void test_the_return_of_the_treasure_domain(void **state) {
    (void)state;
    domain d;
    besd_env *env = open_domain("tr", &d);
    solution_summary summary;
    besd_error error = {BESD_OK, ""};
    assert_int_equal(grid_map_layouts(&d.map), 9);
    for (int64_t layout = 0; layout < 9; layout++) {
        double got = optimum(&d, env, layout, 0);
        const char *treasure = memchr(grid_cells(env), 'T', 100);
        int cell = (int)(treasure - grid_cells(env)), distance = cell % 10 + cell / 10;
        assert_close(got, 10 * pow(0.98, distance - 1) + 10 * pow(0.98, 16), 1e-9);
    }
    assert_ok(solve_domain(&d, 1, 0, &summary, &error), &error);
    assert_true(summary.enumerated);
    assert_int_equal(summary.instances, 9);
    assert_close(summary.mean, 15.748, 1e-3);
    d.methods->destroy(env);
}

/* Howard's policy iteration with exact evaluation by Gaussian elimination, over the states that
 * can be met: nothing in common with the solver but the table. */
typedef struct howard {
    const besd_env_table *table;
    bool count_steps;
    double gamma;
    int count;
    int state[MAX_STATES], index[MAX_STATES]; /* -1: terminal or never met */
    int policy[MAX_STATES];
    double value[MAX_STATES];
    double matrix[MAX_STATES][MAX_STATES + 1];
} howard;

static void howard_meet(howard *h) {
    const besd_env_table *t = h->table;
    for (int s = 0; s < t->states; s++)
        h->index[s] = -1;
    h->index[t->start] = 0;
    h->state[0] = (int)t->start;
    h->count = 1;
    for (int i = 0; i < h->count; i++)
        for (int a = 0; a < ACTIONS; a++) {
            int next = t->next[h->state[i] * ACTIONS + a];
            if (t->terminal[next] || h->index[next] >= 0)
                continue;
            h->index[next] = h->count;
            h->state[h->count++] = next;
        }
}

/* A first policy that gets to the goal: always nearer to it. */
static void howard_aim(howard *h) {
    const besd_env_table *t = h->table;
    bool near[MAX_STATES];
    for (int s = 0; s < t->states; s++)
        near[s] = t->terminal[s];
    for (int round = 0; round < h->count; round++) {
        bool nearer[MAX_STATES];
        memcpy(nearer, near, sizeof near);
        for (int i = 0; i < h->count; i++)
            for (int a = 0; a < ACTIONS && !nearer[h->state[i]]; a++)
                if (near[t->next[h->state[i] * ACTIONS + a]]) {
                    nearer[h->state[i]] = true;
                    h->policy[i] = a;
                }
        memcpy(near, nearer, sizeof near);
    }
}

static double howard_reward(const howard *h, int entry) {
    return h->count_steps ? -1 : h->table->reward[entry];
}

/* Value of an action that surely happens. */
static double howard_look(const howard *h, int i, int a) {
    int entry = h->state[i] * ACTIONS + a, next = h->index[h->table->next[entry]];
    return howard_reward(h, entry) + (next < 0 ? 0 : h->gamma * h->value[next]);
}

static void howard_build(howard *h) {
    double gusts = h->table->wind;
    for (int i = 0; i < h->count; i++) {
        double *row = h->matrix[i];
        for (int j = 0; j <= h->count; j++)
            row[j] = 0;
        row[i] = 1;
        for (int a = 0; a < ACTIONS; a++) {
            double p = gusts / ACTIONS + (a == h->policy[i] ? 1 - gusts : 0);
            int entry = h->state[i] * ACTIONS + a, next = h->index[h->table->next[entry]];
            row[h->count] += p * howard_reward(h, entry);
            if (next >= 0)
                row[next] -= p * h->gamma;
        }
    }
}

static void swap_rows(double *a, double *b, int length) {
    for (int j = 0; j < length; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

static void howard_evaluate(howard *h) {
    int n = h->count;
    howard_build(h);
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(h->matrix[i][k]) > fabs(h->matrix[pivot][k]))
                pivot = i;
        swap_rows(h->matrix[k], h->matrix[pivot], n + 1);
        for (int i = k + 1; i < n; i++) {
            double factor = h->matrix[i][k] / h->matrix[k][k];
            for (int j = k; factor != 0 && j <= n; j++)
                h->matrix[i][j] -= factor * h->matrix[k][j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = h->matrix[i][n];
        for (int j = i + 1; j < n; j++)
            sum -= h->matrix[i][j] * h->value[j];
        h->value[i] = sum / h->matrix[i][i];
    }
}

static void howard_solve(howard *h) {
    howard_meet(h);
    howard_aim(h);
    for (bool better = true; better;) {
        howard_evaluate(h);
        better = false;
        for (int i = 0; i < h->count; i++)
            for (int a = 0; a < ACTIONS; a++)
                if (howard_look(h, i, a) > howard_look(h, i, h->policy[i]) + 1e-9) {
                    h->policy[i] = a;
                    better = true;
                }
    }
}

/* Every value that can be met, and the promise of the error bound at the start. */
static void compare_with_howard(howard *h, const besd_env_table *t, const domain *d) {
    static double values[MAX_STATES];
    solution s;
    besd_error error = {BESD_OK, ""};
    *h = (howard){.table = t, .count_steps = d->objective == OBJECTIVE_STEPS};
    h->gamma = h->count_steps ? 1 : d->value[PARAMETER_GAMMA];
    howard_solve(h);
    assert_ok(solve_table(t, d->objective, d->value[PARAMETER_GAMMA], values, &s, &error), &error);
    for (int i = 0; i < h->count; i++)
        assert_close(values[h->state[i]], h->value[i], 1e-8 * fmax(1, fabs(h->value[i])));
    assert_close(s.optimal, h->count_steps ? -h->value[0] : h->value[0], s.error);
    assert_true(s.error <= 1e-6 * fmax(1, s.optimal));
}

static void test_windy_tables_against_policy_iteration(void **state) {
    (void)state;
    static const struct {
        const char *domain;
        double wind;
        int64_t step; /* of layouts */
    } cases[] = {{"gw10", 0.02, 1}, {"gw10", 0.3, 1}, {"gw10", 1, 2}, {"gw20", 0.02, 8},
                 {"tr", 0, 1},      {"tr", 0.1, 4},   {"key2", 0, 1}, {"key2", 0.2, 1}};
    howard *h = malloc(sizeof *h);
    assert_non_null(h);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        domain d;
        besd_env *env = open_domain(cases[i].domain, &d);
        for (int64_t l = 0; l < grid_map_layouts(&d.map); l += cases[i].step) {
            grid_set_layout(env, l, cases[i].wind);
            compare_with_howard(h, d.methods->table(env), &d);
        }
        d.methods->destroy(env);
    }
    free(h);
}

/* Simulated, the policy that is greedy in the values takes the promised number of steps. */
static void test_the_greedy_policy_keeps_the_promise(void **state) {
    (void)state;
    enum { EPISODES = 20000 };
    domain d;
    besd_env *env = open_domain("gw10", &d);
    besd_error error = {BESD_OK, ""};
    double values[100], sum = 0, squares = 0;
    solution s;
    grid_set_layout(env, 2, 0.3);
    const besd_env_table *t = d.methods->table(env);
    assert_ok(solve_table(t, OBJECTIVE_STEPS, 1, values, &s, &error), &error);
    rng r = rng_open(1, RNG_TEST, 8, 0, 0);
    for (int episode = 0; episode < EPISODES; episode++) {
        int steps = 0;
        for (int64_t at = t->start; !t->terminal[at]; steps++) {
            int best = 0;
            for (int a = 1; a < ACTIONS; a++)
                if (values[t->next[at * ACTIONS + a]] > values[t->next[at * ACTIONS + best]])
                    best = a;
            if (rng_uniform(&r) < 0.3)
                best = (int)rng_below(&r, ACTIONS);
            at = t->next[at * ACTIONS + best];
        }
        sum += steps;
        squares += (double)steps * steps;
    }
    double mean = sum / EPISODES;
    assert_true(s.optimal > 25); /* the wind costs something */
    assert_mean(mean, s.optimal, squares / EPISODES - mean * mean, EPISODES);
    d.methods->destroy(env);
}

static void test_goals_out_of_reach(void **state) {
    (void)state;
    static const char *const maps[] = {"S.#G\n..##\n", "S.DG\n..DD\n", "SDK\n.DG\n", "S<G\n.^V\n"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        domain d;
        besd_env *env = NULL;
        besd_error error = {BESD_OK, ""};
        solution s;
        solution_summary summary;
        assert_ok(domain_find("gw10", &d, &error), &error);
        assert_ok(domain_set_map(&d, maps[i], &error), &error);
        assert_ok(domain_open(&d, &env, &error), &error);
        assert_fails(solve_instance(&d, env, &s, &error), BESD_UNREACHABLE, &error,
                     "no sequence of moves leads from the start to a goal");
        d.objective = OBJECTIVE_RETURN;
        assert_int_equal(solve_instance(&d, env, &s, NULL), BESD_UNREACHABLE);
        assert_int_equal(solve_domain(&d, 1, 3, &summary, NULL), BESD_UNREACHABLE);
        d.methods->destroy(env);
    }
}

/* A pocket that nobody enters spoils nothing: its value is minus infinity, or no return. */
static void test_a_pocket_without_a_goal(void **state) {
    (void)state;
    domain d;
    besd_env *env = NULL;
    besd_error error = {BESD_OK, ""};
    solution s;
    double values[4];
    assert_ok(domain_find("gw10", &d, &error), &error);
    assert_ok(domain_set_map(&d, "SG#.", &error), &error);
    assert_ok(domain_open(&d, &env, &error), &error);
    grid_set_layout(env, 0, 0);
    const besd_env_table *t = d.methods->table(env);
    assert_ok(solve_table(t, OBJECTIVE_STEPS, 1, values, &s, &error), &error);
    assert_true(s.optimal == 1 && values[0] == -1 && values[1] == 0 && values[3] == -INFINITY);
    assert_ok(solve_table(t, OBJECTIVE_RETURN, 0.9, values, &s, &error), &error);
    assert_true(s.optimal == 1 && values[3] == 0);
    d.methods->destroy(env);
}

/* State 1 may be blown into the trap 3, from which no way leads to the goal 2. */
static void test_wind_into_a_trap(void **state) {
    (void)state;
    const int32_t next[] = {1, 1, 2, 3, 2, 2, 3, 3};
    const double reward[8] = {0, 0, 1, 0, 0, 0, 0, 0};
    const uint8_t terminal[4] = {0, 0, 1, 0};
    besd_env_table t = {.states = 4, .actions = 2, .next = next, .reward = reward};
    besd_error error = {BESD_OK, ""};
    solution s;
    t.terminal = terminal;
    assert_ok(solve_table(&t, OBJECTIVE_STEPS, 1, NULL, &s, &error), &error);
    assert_close(s.optimal, 2, 1e-12);
    t.wind = 0.5;
    assert_fails(solve_table(&t, OBJECTIVE_STEPS, 1, NULL, &s, &error), BESD_UNREACHABLE, &error,
                 "wind can carry the agent where no goal can be reached");
    assert_ok(solve_table(&t, OBJECTIVE_RETURN, 0.5, NULL, &s, &error), &error);
    assert_close(s.optimal, 0.5 * 0.75, 1e-12); /* the goal's 1 is missed by half of the gusts */
}

/* Steps from (start, 0) with `first` until t1, its opposite until t2, then `first` again. */
static int bang_bang(const mountain_car_config *c, double start) {
    int fewest = 200;
    for (int first = -1; first <= 1; first += 2)
        for (int t1 = 0; t1 < fewest; t1++)
            for (int t2 = t1; t2 < fewest; t2++) {
                double x = start, v = 0;
                int t = 0;
                while (x < c->goal && t < fewest) {
                    int a = t < t1 || t >= t2 ? first : -first;
                    v = fmin(fmax(v + c->force * a - c->gravity * cos(3 * x), -0.07), 0.07);
                    x = fmin(fmax(x + v, -1.2), 0.6);
                    if (x <= -1.2)
                        v = fmax(v, 0);
                    t++;
                }
                if (x >= c->goal)
                    fewest = t;
            }
    return fewest;
}

/* The search may be a step too long where two states share a bin, never too short. */
static void test_the_mountain_car_against_bang_bang_control(void **state) {
    (void)state;
    static const double starts[] = {-0.6, -0.57, -0.53, -0.5, -0.4555, -0.4};
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_find("mc", &d, &error), &error);
    mountain_car_config c = domain_mountain_car(&d);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i += TEST_SIZE(1, 2)) {
        int64_t steps, fewest = bang_bang(&c, starts[i]);
        assert_ok(solve_mountain_car(&c, starts[i], 512, &steps, &error), &error);
        assert_in_range(steps, fewest, fewest + 1);
    }
}

/* 41 starts across the range: 83 to 104 steps, 97.6 in the mean. */
static void test_the_mountain_car_over_its_starts(void **state) {
    (void)state;
    enum { STARTS = TEST_SIZE(41, 11) };
    domain d;
    besd_error error = {BESD_OK, ""};
    double sum = 0;
    assert_ok(domain_find("mc", &d, &error), &error);
    mountain_car_config c = domain_mountain_car(&d);
    for (int i = 0; i < STARTS; i++) {
        int64_t steps;
        assert_ok(solve_mountain_car(&c, -0.6 + 0.2 * i / (STARTS - 1), 512, &steps, &error),
                  &error);
        assert_in_range(steps, 83, 105);
        sum += (double)steps;
    }
    assert_true(sum / STARTS >= TEST_SIZE(97.0, 95.5) && sum / STARTS <= 98.2);
}

/* The same path, as its return: one reward, discounted by all steps but the last. */
static void test_the_mountain_car_as_a_return(void **state) {
    (void)state;
    domain d;
    besd_env *env;
    solution steps, value;
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_find("mc", &d, &error), &error);
    assert_ok(domain_open(&d, &env, &error), &error);
    assert_ok(d.methods->instance(env, 3, &error), &error);
    assert_ok(solve_instance(&d, env, &steps, &error), &error);
    assert_ok(domain_set(&d, "objective=return", &error), &error);
    assert_ok(domain_set(&d, "goal_reward=4", &error), &error);
    assert_ok(solve_instance(&d, env, &value, &error), &error);
    assert_close(value.optimal, 4 * pow(0.98, steps.optimal - 1), 1e-12);
    assert_close(value.error, value.optimal * (1 / 0.98 - 1), 1e-12);
    d.methods->destroy(env);
}

/* Without a push no amplitude is gained; with a strong one a single push is enough. */
static void test_mountains_too_steep_and_too_easy(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    int64_t steps;
    assert_ok(domain_find("mc", &d, &error), &error);
    mountain_car_config c = domain_mountain_car(&d);
    c.force = 0;
    assert_fails(solve_mountain_car(&c, -0.5, 128, &steps, &error), BESD_UNREACHABLE, &error,
                 "no sequence of pushes leads from x = -0.5");
    c.force = 1;
    c.max_speed = 1;
    assert_ok(solve_mountain_car(&c, -0.4, 128, &steps, &error), &error);
    assert_int_equal(steps, 1);
}

/* All layouts when that is all there is. */
static void test_a_finite_domain_is_enumerated(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    solution_summary summary;
    assert_ok(domain_find("key2", &d, &error), &error);
    assert_ok(solve_domain(&d, 1, 0, &summary, &error), &error);
    assert_true(summary.enumerated);
    assert_int_equal(summary.instances, 2);
    assert_close(summary.mean, 22, 1e-9);
    assert_close(summary.smallest, 20, 1e-9);
    assert_close(summary.largest, 24, 1e-9);
    assert_true(summary.se == 0 && summary.error < 1e-6);
}

/* Otherwise the instances that a trial of this seed meets, in its order. */
static void test_drawn_instances_are_those_of_a_trial(void **state) {
    (void)state;
    static const char *const names[] = {"gw10", "mc"};
    for (size_t i = 0; i < 2; i++) {
        const uint64_t count = i == 0 ? 20 : 8;
        domain d;
        besd_env *env = open_domain(names[i], &d);
        besd_error error = {BESD_OK, ""};
        solution_summary summary;
        double sum = 0, squares = 0, smallest = INFINITY, largest = 0;
        assert_ok(solve_domain(&d, 77, (int64_t)count, &summary, &error), &error);
        for (uint64_t n = 0; n < count; n++) {
            solution s;
            assert_ok(d.methods->instance(env, rng_seed(77, RNG_INSTANCE, n, 0, 0), &error),
                      &error);
            assert_ok(solve_instance(&d, env, &s, &error), &error);
            sum += s.optimal;
            squares += s.optimal * s.optimal;
            smallest = fmin(smallest, s.optimal);
            largest = fmax(largest, s.optimal);
        }
        double mean = sum / (double)count;
        double variance = (squares - sum * mean) / (double)(count - 1);
        assert_false(summary.enumerated);
        assert_int_equal(summary.instances, count);
        assert_close(summary.mean, mean, 1e-9);
        assert_close(summary.se, sqrt(variance / (double)count), 1e-6);
        assert_true(summary.smallest == smallest && summary.largest == largest);
        assert_true(smallest < largest);
        d.methods->destroy(env);
    }
}

static void test_a_domain_that_cannot_be_opened(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    solution_summary summary;
    assert_ok(domain_find("gw10", &d, &error), &error);
    assert_ok(domain_set(&d, "wind_low=1", &error), &error);
    assert_fails(solve_domain(&d, 1, 5, &summary, &error), BESD_INVALID, &error, "wind_low");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fewest_steps_without_wind),
        cmocka_unit_test(test_the_return_of_the_treasure_domain),
        cmocka_unit_test(test_windy_tables_against_policy_iteration),
        cmocka_unit_test(test_the_greedy_policy_keeps_the_promise),
        cmocka_unit_test(test_goals_out_of_reach),
        cmocka_unit_test(test_a_pocket_without_a_goal),
        cmocka_unit_test(test_wind_into_a_trap),
        cmocka_unit_test(test_the_mountain_car_against_bang_bang_control),
        cmocka_unit_test(test_the_mountain_car_over_its_starts),
        cmocka_unit_test(test_the_mountain_car_as_a_return),
        cmocka_unit_test(test_mountains_too_steep_and_too_easy),
        cmocka_unit_test(test_a_finite_domain_is_enumerated),
        cmocka_unit_test(test_drawn_instances_are_those_of_a_trial),
        cmocka_unit_test(test_a_domain_that_cannot_be_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
