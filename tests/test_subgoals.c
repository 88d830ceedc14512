#include "fixture.h"

#include "learn/subgoals.h"
#include "world/grid.h"

#include <stdlib.h>

static const besd_env_spec square = {.actions = 4,
                                     .states = 100,
                                     .observation = 2,
                                     .position = 2,
                                     .high = {10, 10},
                                     .subgoal_high = {10, 10},
                                     .cap = 500};

static const besd_env_spec valley = {.actions = 3,
                                     .observation = 2,
                                     .position = 1,
                                     .low = {-1.2, -0.07},
                                     .high = {0.6, 0.07},
                                     .subgoal_low = {-1.2},
                                     .subgoal_high = {0.5},
                                     .reach = BESD_REACH_CROSS,
                                     .cap = 1000};

static subgoals made(const besd_env_spec *spec, int count, const double *theta) {
    subgoals s;
    besd_error error = {BESD_OK, ""};
    assert_ok(
        plain_subgoals(&s, spec, count, theta, (size_t)(count * spec->position), 0.2, 10, &error),
        &error);
    return s;
}

/* w1 exp(-|s - theta|^2 / (2 w2)), from the facts. */
static double phi(const double *theta, const double *s, int dimension, double w1, double w2) {
    double product = w1;
    for (int i = 0; i < dimension; i++)
        product *= exp(-(s[i] - theta[i]) * (s[i] - theta[i]) / (2 * w2));
    return product;
}

static void test_the_potential(void **state) {
    (void)state;
    rng r = rng_open(1, RNG_TEST, 9, 0, 0);
    for (int n = 0; n < 1000; n++) {
        double theta[6], at[2] = {rng_between(&r, 0, 10), rng_between(&r, 0, 10)};
        for (int i = 0; i < 6; i++)
            theta[i] = rng_between(&r, 0, 10);
        subgoals s = made(&square, 3, theta);
        for (int stage = 0; stage < 3; stage++)
            assert_close(subgoals_potential(&s, stage, at), phi(theta + 2 * stage, at, 2, 0.2, 10),
                         1e-16);
        assert_true(subgoals_potential(&s, 3, at) == 0);
        assert_true(subgoals_potential(&s, 0, theta) == 0.2);
    }
    subgoals one = made(&valley, 1, (const double[]){-0.8});
    assert_close(subgoals_potential(&one, 0, (const double[]){0.2, 99}), 0.2 * exp(-0.05), 1e-16);
}

static void test_no_subgoals(void **state) {
    (void)state;
    subgoals s = made(&square, 0, NULL);
    const double at[2] = {1, 1};
    assert_int_equal(s.count, 0);
    assert_true(subgoals_potential(&s, 0, at) == 0);
    assert_false(subgoals_reached(&s, 0, at, at));
}

/* A coordinate of N belongs to cell N - 1, any other to the cell of its whole part. */
static int cell_of(double coordinate, int side) {
    return coordinate == side ? side - 1 : (int)coordinate;
}

static void test_the_one_cell_of_a_subgoal(void **state) {
    (void)state;
    static const double coordinates[] = {0, 0.5, 0.999999, 1, 4.5, 9, 9.5, 9.999999, 10};
    enum { COUNT = sizeof coordinates / sizeof *coordinates };
    for (int n = 0; n < COUNT * COUNT; n++) {
        const double theta[2] = {coordinates[n % COUNT], coordinates[n / COUNT]};
        const double start[2] = {0.5, 0.5};
        subgoals s = made(&square, 1, theta);
        for (int cell = 0; cell < 100; cell++) {
            int x = cell % 10, y = cell / 10;
            const double at[2] = {x + 0.5, y + 0.5};
            bool expected = x == cell_of(theta[0], 10) && y == cell_of(theta[1], 10);
            assert_int_equal(subgoals_reached(&s, 0, start, at), expected);
            assert_false(subgoals_reached(&s, 1, start, at));
        }
    }
}

static const besd_env_spec robot = {.actions = 4,
                                    .observation = 2,
                                    .position = 2,
                                    .high = {0.8, 0.8},
                                    .subgoal_high = {0.8, 0.8},
                                    .cap = 300};

static subgoals made_reaching(besd_env_reaching how, int count, const double *theta) {
    subgoals s;
    besd_error error = {BESD_OK, ""};
    assert_ok(subgoals_init(&s, &robot, &how, count, theta, 2 * (size_t)count, 0.2, 0.064, &error),
              &error);
    return s;
}

static bool arrives(const subgoals *s, double x, double y) {
    return subgoals_reached(s, 0, (const double[]){0.4, 0.4}, (const double[]){x, y});
}

static void test_cells_of_another_size(void **state) {
    (void)state;
    besd_env_reaching how = {.cell_size = 0.08};
    subgoals s = made_reaching(how, 1, (const double[]){0.2, 0.8});
    assert_true(arrives(&s, 0.17, 0.73) && arrives(&s, 0.16, 0.72) && arrives(&s, 0.239, 0.79));
    assert_true(arrives(&s, 0.2, 0.8)); /* where the wall stops it */
    assert_false(arrives(&s, 0.15, 0.73) || arrives(&s, 0.24, 0.73) || arrives(&s, 0.17, 0.71));
    how.origin[0] = 0.04; /* cells from 0.04, 0.12, 0.2 */
    s = made_reaching(how, 1, (const double[]){0.21, 0.1});
    assert_true(arrives(&s, 0.2, 0.1) && arrives(&s, 0.27, 0.1));
    assert_false(arrives(&s, 0.19, 0.1) || arrives(&s, 0.281, 0.1));
    s = made_reaching(how, 1, (const double[]){0.01, 0.1}); /* before the origin */
    assert_true(arrives(&s, 0.03, 0.1));
    assert_false(arrives(&s, 0.05, 0.1));
}

/* 0.6 / 0.2 is not quite 3, and so on: a subgoal is always in its own cell, and as many cells as
 * fit make up the box. */
static void test_cells_and_rounding(void **state) {
    (void)state;
    for (int parts = 1; parts <= 64; parts++) {
        besd_env_reaching how = {.cell_size = 0.8 / parts};
        for (int i = 0; i <= 8 * parts; i++) {
            double x = i == 8 * parts ? 0.8 : 0.1 * i / parts;
            subgoals s = made_reaching(how, 1, (const double[]){x, 0.1});
            assert_true(arrives(&s, x, 0.1));
            assert_true(s.cell[0][0] >= 0 && s.cell[0][0] < parts);
        }
    }
}

static void test_a_radius(void **state) {
    (void)state;
    subgoals s = made_reaching((besd_env_reaching){.reach = BESD_REACH_RADIUS, .radius = 0.05}, 1,
                               (const double[]){0.2, 0.2});
    assert_true(arrives(&s, 0.2, 0.2) && arrives(&s, 0.23, 0.24 - 1e-9) && arrives(&s, 0.16, 0.17));
    assert_false(arrives(&s, 0.24, 0.24) || arrives(&s, 0.2, 0.251));
    /* subgoals in one of the cubes that fit into the ball, of side 0.0707, count as one */
    const double theta[] = {0.01, 0.01, 0.07, 0.07, 0.072, 0.07};
    s = made_reaching((besd_env_reaching){.reach = BESD_REACH_RADIUS, .radius = 0.05}, 3, theta);
    subgoals_merge(&s);
    assert_int_equal(s.count, 2);
    assert_true(s.target[1][0] == 0.072);
}

static void test_crossing(void **state) {
    (void)state;
    static const double points[] = {-1.2, -0.9, -0.8, -0.7, 0.4, 0.5};
    enum { COUNT = sizeof points / sizeof *points };
    for (int n = 0; n < COUNT * COUNT * COUNT; n++) {
        double from[2] = {points[n % COUNT], 0}, to[2] = {points[n / COUNT % COUNT], 0};
        double theta = points[n / COUNT / COUNT];
        subgoals s = made(&valley, 1, &theta);
        bool expected = fmin(from[0], to[0]) <= theta && theta <= fmax(from[0], to[0]);
        assert_int_equal(subgoals_reached(&s, 0, from, to), expected);
        assert_false(subgoals_reached(&s, 1, from, to));
    }
}

static void test_what_is_refused(void **state) {
    (void)state;
    static const struct {
        const besd_env_spec *spec;
        int count;
        size_t length;
        double theta[4];
        const char *message;
    } bad[] = {
        {&square,
         2,
         3,
         {1, 1, 1},
         "theta: expected 4 numbers (2 subgoals of 2 coordinates), got 3"},
        {&square,
         1,
         4,
         {1, 1, 1, 1},
         "theta: expected 2 numbers (1 subgoals of 2 coordinates), got 4"},
        {&square, 2, 0, {0}, "expected 4 numbers"},
        {&square, 2, 4, {1, 1, 1, 10.01}, "theta[3]: expected a number in [0, 10], got 10.01"},
        {&square, 2, 4, {1, -0.01, 1, 1}, "theta[1]: expected a number in [0, 10], got -0.01"},
        {&square, 2, 4, {1, 1, NAN, 1}, "theta[2]: expected a number in [0, 10], got nan"},
        {&square, 2, 4, {INFINITY, 1, 1, 1}, "theta[0]: expected a number in [0, 10], got inf"},
        {&valley, 2, 2, {-1, 0.51}, "theta[1]: expected a number in [-1.2, 0.5], got 0.51"},
        {&square, 9, 18, {0}, "subgoals: expected 0 to 8, got 9"},
        {&square, -1, 0, {0}, "subgoals: expected 0 to 8, got -1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        subgoals s;
        besd_error error = {BESD_OK, ""};
        assert_fails(plain_subgoals(&s, bad[i].spec, bad[i].count, bad[i].theta, bad[i].length, 0.2,
                                    10, &error),
                     BESD_INVALID, &error, bad[i].message);
    }
}

/* Follows an agent and works out stage and shaping for itself. */
typedef struct auditor {
    const fixture *f;
    const double *theta;
    int stage;
    double sum, discount, entry; /* of the stage */
    double episode_sum, episode_expected;
    int completed[SUBGOALS_MAX], goals, caps;
    bool begun;
} auditor;

static double own_phi(const auditor *a, int stage, const double *at) {
    if (stage >= a->f->goals.count)
        return 0;
    int dimension = a->f->spec.position;
    return phi(a->theta + stage * dimension, at, dimension, a->f->d.value[PARAMETER_HEIGHT],
               a->f->d.value[PARAMETER_WIDTH]);
}

static bool own_reached(const auditor *a, const agent_transition *t) {
    if (a->stage >= a->f->goals.count)
        return false;
    const double *theta = a->theta + a->stage * a->f->spec.position;
    if (a->f->spec.reach == BESD_REACH_CROSS)
        return fmin(t->observation[0], t->next_observation[0]) <= theta[0] &&
               theta[0] <= fmax(t->observation[0], t->next_observation[0]);
    int side = (int)a->f->spec.high[0];
    return (int)t->next_observation[0] == cell_of(theta[0], side) &&
           (int)t->next_observation[1] == cell_of(theta[1], side);
}

static void begin_stage(auditor *a, int stage, const double *at) {
    a->stage = stage;
    a->sum = 0;
    a->discount = 1;
    a->entry = own_phi(a, stage, at);
}

/* A stage from s to s' leaves gamma^n Phi(s') - Phi(s) behind when discounted, and with a
 * termination only -Phi(s). Roundings of 1000 numbers below 1 stay below 1e-12. */
static void end_stage(auditor *a, const agent_transition *t) {
    double after = t->terminated ? 0 : own_phi(a, a->stage, t->next_observation);
    assert_close(a->sum, a->discount * after - a->entry, 1e-12);
    a->episode_expected += after - a->entry;
}

static void audit(void *context, const agent_transition *t) {
    auditor *a = context;
    double gamma = a->f->d.value[PARAMETER_GAMMA];
    if (!a->begun) {
        a->begun = true;
        a->episode_sum = a->episode_expected = 0;
        begin_stage(a, 0, t->observation);
    }
    bool reached = own_reached(a, t);
    double before = own_phi(a, a->stage, t->observation);
    double after = t->terminated ? 0 : own_phi(a, a->stage, t->next_observation);
    assert_int_equal(t->stage, a->stage);
    assert_int_equal(t->next_stage, a->stage + (reached ? 1 : 0));
    assert_close(t->shaping, gamma * after - before, 1e-15);
    assert_true(a->stage < a->f->goals.count || t->shaping == 0);
    a->sum += a->discount * t->shaping;
    a->discount *= gamma;
    a->episode_sum += t->shaping;
    a->completed[a->stage] += reached;
    if (reached || t->terminated || t->truncated)
        end_stage(a, t);
    if (reached)
        begin_stage(a, t->next_stage, t->next_observation);
    if (t->terminated || t->truncated) {
        if (gamma == 1)
            assert_close(a->episode_sum, a->episode_expected, 1e-12);
        a->begun = false;
        a->goals += t->terminated;
        a->caps += t->truncated;
    }
}

/* Stage and shaping of every transition, and their sums over stages and episodes. */
static void test_the_augmented_dynamics(void **state) {
    (void)state;
    static const struct {
        const char *domain, *settings;
        double theta[6];
        size_t length;
        int interactions;
    } cases[] = {
        {"gw10", "wind=0.1 epsilon=0.5", {7.5, 3.5, 1.5, 8.5}, 4, 60000},
        {"gw10", "gamma=0.9", {6.2, 1.7, 6, 10}, 4, 60000},
        {"gw10", "epsilon=1", {0.5, 0.5, 0.9, 0}, 4, 60000}, /* both in the start's cell */
        {"gw10", "epsilon=1", {10, 0, 10, 10}, 4, 200000},   /* on the border */
        {"tr", "epsilon=0.4", {8.5, 2.5, 8.5, 8.5}, 4, 60000},
        {"key3", "epsilon=0.4", {1.5, 2.5, 8.5, 3.5, 1.5, 8.5}, 6, 60000},
        {"gw20", "gamma=1", {12.5, 8.5, 12.5, 15.5}, 4, 60000},
        {"mc", "", {-0.82, 0.47}, 2, 100000},
    };
    int goals = 0, caps = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f;
        besd_error error = {BESD_OK, ""};
        fixture_open(&f, cases[i].domain, cases[i].settings, cases[i].theta, cases[i].length, 4);
        auditor a = {.f = &f, .theta = cases[i].theta};
        assert_ok(agent_train(f.agent, 0, cases[i].interactions, cases[i].interactions, audit, &a,
                              &error),
                  &error);
        for (int k = 0; k < f.goals.count; k++)
            assert_true(a.completed[k] > 0);
        goals += a.goals;
        caps += a.caps;
        fixture_close(&f);
    }
    assert_true(goals > 100 && caps > 100); /* both ends of an episode were seen */
}

/* With gamma = 1 the shaping on the way from a state back to itself, without a change of stage,
 * sums to nothing: the running sum is a function of the state. */
typedef struct loop_watch {
    double sum, at[4][100];
    bool known[4][100];
    int loops;
} loop_watch;

static void watch_loops(void *context, const agent_transition *t) {
    loop_watch *w = context;
    if (!w->known[t->stage][t->state]) {
        w->known[t->stage][t->state] = true;
        w->at[t->stage][t->state] = w->sum;
    } else {
        assert_close(w->sum, w->at[t->stage][t->state], 1e-12);
        w->loops++;
    }
    w->sum += t->shaping;
    if (t->terminated || t->truncated) {
        w->sum = 0;
        memset(w->known, 0, sizeof w->known);
    }
}

static void test_closed_loops_pay_nothing(void **state) {
    (void)state;
    fixture f;
    besd_error error = {BESD_OK, ""};
    loop_watch w = {0};
    fixture_open(&f, "gw10", "epsilon=1 wind=0.2 potential_height=1",
                 (const double[]){3.5, 1.5, 7.5, 0.5}, 4, 1);
    assert_ok(agent_train(f.agent, 0, 50000, 50000, watch_loops, &w, &error), &error);
    assert_true(w.loops > 20000);
    fixture_close(&f);
}

static void count_stages(void *context, const agent_transition *t) {
    int *counts = context;
    counts[t->next_stage]++;
}

/* The middle of the wall row of the fixture's instance. */
static double wall_row(const fixture *f) {
    for (int y = 2; y <= 6; y++)
        if (grid_cells(f->env)[10 * y + 2] == '#')
            return y + 0.5;
    fail_msg("no wall in gw10");
    return 0;
}

/* An instance draws its wall from its seed alone, so any fixture tells where it is. */
static double wall_of_instance(uint64_t instance) {
    fixture f;
    fixture_open(&f, "gw10", "", NULL, 0, instance);
    double row = wall_row(&f);
    fixture_close(&f);
    return row;
}

/* Legal, and never completed; the cell below it is. */
static void test_a_subgoal_in_a_wall(void **state) {
    (void)state;
    double row = wall_of_instance(3);
    for (int below = 0; below <= 1; below++) {
        fixture f;
        besd_error error = {BESD_OK, ""};
        int counts[3] = {0};
        fixture_open(&f, "gw10", "epsilon=0.5", (const double[]){2.5, row - below, 2.5, row}, 4, 3);
        assert_ok(agent_train(f.agent, 0, 20000, 20000, count_stages, counts, &error), &error);
        assert_true(counts[0] > 0 && counts[2] == 0);
        assert_int_equal(counts[1] > 0, below == 1);
        fixture_close(&f);
    }
}

/* What an agent was paid on its way from state to state; NaN: never went there. */
typedef struct payments {
    double shaping[100][100];
} payments;

static void note_payment(void *context, const agent_transition *t) {
    payments *p = context;
    int next = (int)t->next_observation[0] + 10 * (int)t->next_observation[1];
    double *known = &p->shaping[t->state][next];
    assert_int_equal(t->next_stage, 0);
    assert_true(isnan(*known) || *known == t->shaping);
    *known = t->shaping;
}

/* The best actions of every state by value iteration, with or without the payments. */
static void best_actions(const besd_env_table *t, double gamma, const payments *p,
                         const bool *reachable, int best[100]) {
    double value[100] = {0}, change = 1;
    while (change > 1e-13) {
        change = 0;
        for (int s = 0; s < 100; s++) {
            double look[4], largest = -INFINITY, mean = 0;
            for (int a = 0; reachable[s] && a < 4; a++) {
                int next = t->next[4 * s + a];
                double reward = t->reward[4 * s + a] + (p ? p->shaping[s][next] : 0);
                look[a] = reward + (t->terminal[next] ? 0 : gamma * value[next]);
                largest = fmax(largest, look[a]);
                mean += look[a] / 4;
            }
            if (!reachable[s])
                continue;
            best[s] = 0;
            for (int a = 0; a < 4; a++)
                best[s] |= (look[a] > largest - 1e-9) << a;
            double updated = (1 - t->wind) * largest + t->wind * mean;
            change = fmax(change, fabs(updated - value[s]));
            value[s] = updated;
        }
    }
}

static int mark_reachable(const besd_env_table *t, bool *reachable) {
    int stack[100], height = 1, count = 1;
    memset(reachable, 0, 100 * sizeof *reachable);
    stack[0] = (int)t->start;
    reachable[t->start] = true;
    while (height)
        for (int s = stack[--height], a = 0; a < 4; a++) {
            int next = t->next[4 * s + a];
            if (t->terminal[next] || reachable[next])
                continue;
            reachable[next] = true;
            stack[height++] = next;
            count++;
        }
    return count;
}

/* Ng, Harada and Russell: potential-based shaping leaves the best policies as they are. One
 * subgoal in a wall is never completed, so all shaping is of one potential. */
static void check_invariance(const char *settings, double gamma) {
    fixture f;
    besd_error error = {BESD_OK, ""};
    static payments p;
    bool reachable[100];
    int plain[100], shaped[100], choices = 0;
    for (int i = 0; i < 100 * 100; i++)
        p.shaping[i / 100][i % 100] = NAN;
    fixture_open(&f, "gw10", settings, (const double[]){5.5, wall_of_instance(5)}, 2, 5);
    assert_ok(agent_train(f.agent, 0, 400000, 400000, note_payment, &p, &error), &error);
    const besd_env_table *t = f.d.methods->table(f.env);
    int count = mark_reachable(t, reachable);
    assert_int_equal(count, 100 - 6 - 3);
    for (int i = 0; i < 400; i++)
        assert_true(!reachable[i / 4] || !isnan(p.shaping[i / 4][t->next[i]]));
    best_actions(t, gamma, NULL, reachable, plain);
    best_actions(t, gamma, &p, reachable, shaped);
    for (int s = 0; s < 100; s++) {
        if (reachable[s])
            assert_int_equal(shaped[s], plain[s]);
        choices += reachable[s] && plain[s] != 15;
    }
    assert_true(choices > 80); /* there was something to get wrong */
    fixture_close(&f);
}

static void test_shaping_leaves_the_best_policies(void **state) {
    (void)state;
    check_invariance("subgoals=1 epsilon=1 potential_height=3 gamma=0.98 wind=0", 0.98);
    check_invariance("subgoals=1 epsilon=1 potential_height=3 gamma=0.98 wind=0.1", 0.98);
    check_invariance("subgoals=1 epsilon=1 potential_height=3 gamma=0.9 wind=0.3", 0.9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_potential),
        cmocka_unit_test(test_no_subgoals),
        cmocka_unit_test(test_the_one_cell_of_a_subgoal),
        cmocka_unit_test(test_cells_of_another_size),
        cmocka_unit_test(test_cells_and_rounding),
        cmocka_unit_test(test_a_radius),
        cmocka_unit_test(test_crossing),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_the_augmented_dynamics),
        cmocka_unit_test(test_closed_loops_pay_nothing),
        cmocka_unit_test(test_a_subgoal_in_a_wall),
        cmocka_unit_test(test_shaping_leaves_the_best_policies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
