/* besd/subgoals.h against the built-in learner: the same stages and rewards, bit for bit; what it
 * refuses, and what the learner does not have. */
#include "fixture.h"

#include "besd/subgoals.h"

/* An own agent's books, kept beside the built-in agent's transitions. */
typedef struct bookkeeper {
    const fixture *f;
    const besd_subgoals *goals;
    int stage, ends, advances;
} bookkeeper;

static void keep_books(void *context, const agent_transition *t) {
    bookkeeper *b = context;
    besd_error error = {BESD_OK, ""};
    double reward = t->raw_reward;
    int stage = b->stage;
    assert_int_equal(stage, t->stage);
    assert_int_equal(besd_subgoals_reached(b->goals, stage, t->observation, t->next_observation),
                     t->next_stage > t->stage);
    assert_true(besd_subgoals_potential(b->goals, stage, t->observation) ==
                subgoals_potential(&b->f->goals, stage, t->observation));
    assert_ok(besd_subgoals_shape(b->goals, &b->stage, t->observation, t->next_observation,
                                  t->terminated, &reward, &error),
              &error);
    assert_true(reward == t->raw_reward + t->shaping);
    assert_int_equal(b->stage, t->next_stage);
    b->advances += b->stage > stage;
    if (t->terminated || t->truncated) {
        b->stage = 0;
        b->ends++;
    }
}

static void check_against_agent(const char *name, const char *settings, const double *theta,
                                size_t length) {
    fixture f;
    besd_error error = {BESD_OK, ""};
    besd_subgoals *goals = NULL;
    double low[64], high[64];
    fixture_open(&f, name, settings, theta, length, 4);
    for (size_t i = 0; i < length; i++) {
        low[i] = f.spec.subgoal_low[i % (size_t)f.spec.position];
        high[i] = f.spec.subgoal_high[i % (size_t)f.spec.position];
    }
    besd_subgoals_options options = {.count = f.goals.count,
                                     .dimension = f.spec.position,
                                     .low = low,
                                     .high = high,
                                     .reach = (besd_subgoals_reach)f.spec.reach,
                                     .gamma = f.d.value[PARAMETER_GAMMA],
                                     .height = f.d.value[PARAMETER_HEIGHT],
                                     .width = f.d.value[PARAMETER_WIDTH]};
    assert_ok(besd_subgoals_create(&goals, theta, length, &options, &error), &error);
    assert_int_equal(besd_subgoals_count(goals), f.goals.count);
    bookkeeper b = {.f = &f, .goals = goals};
    assert_ok(agent_train(f.agent, 0, 50000, 50000, keep_books, &b, &error), &error);
    assert_true(b.ends > 50 && (b.advances > 50 || !length));
    besd_subgoals_destroy(goals);
    fixture_close(&f);
}

static void test_the_same_as_the_learner(void **state) {
    (void)state;
    check_against_agent("gw10", "wind=0.1 epsilon=0.5", (const double[]){7.5, 3.5, 1.5, 8.5}, 4);
    check_against_agent("gw10", "gamma=0.9 epsilon=1", (const double[]){0, 1, 1.2, 0}, 4);
    check_against_agent("gw10", "epsilon=0.5", (const double[]){10, 0, 10, 10}, 4); /* border */
    check_against_agent("gw10", "", NULL, 0);
    check_against_agent("tr", "epsilon=0.4", (const double[]){8.5, 2.5, 8.5, 8.5}, 4);
    check_against_agent("mc", "", (const double[]){-0.82, 0.47}, 2);
}

static const double low[] = {0, 0, -1, -1}, high[] = {10, 10, 1, 1}, theta[] = {3, 4, 0, 0.5};

static besd_subgoals *made(const besd_subgoals_options *options) {
    besd_subgoals *goals = NULL;
    besd_error error = {BESD_OK, ""};
    assert_ok(besd_subgoals_create(&goals, theta, 4, options, &error), &error);
    return goals;
}

static void test_the_defaults(void **state) {
    (void)state;
    const double tens[] = {10, 10, 10, 10}, zeros[] = {0, 0, 0, 0}, at[] = {4, 6};
    besd_subgoals_options options = {.count = 2, .dimension = 2, .gamma = 1};
    options.low = zeros;
    options.high = tens;
    besd_subgoals *goals = made(&options);
    assert_close(besd_subgoals_potential(goals, 0, at), 0.2 * exp(-5 / (2 * 10.0)), 1e-16);
    besd_subgoals_destroy(goals);
    options.low = low; /* sides of 10, 10, 2 and 2 */
    options.high = high;
    goals = made(&options);
    assert_close(besd_subgoals_potential(goals, 0, at), 0.2 * exp(-5 / (2 * 5.2)), 1e-16);
    besd_subgoals_destroy(goals);
}

/* A circle around (3, 4); then one around (0, 0.5), that is the second stage. */
static void test_reaching_by_radius(void **state) {
    (void)state;
    besd_subgoals_options options = {.count = 2,
                                     .dimension = 2,
                                     .low = low,
                                     .high = high,
                                     .reach = BESD_SUBGOALS_RADIUS,
                                     .radius = 0.5,
                                     .gamma = 0.5,
                                     .width = 1};
    besd_subgoals *goals = made(&options);
    const double far[] = {9, 9}, near[] = {3.5, 4}, beyond[] = {3.51, 4};
    const double second[] = {0, 0};
    int stage = 0;
    double reward = 1;
    assert_false(besd_subgoals_reached(goals, 0, far, beyond));
    assert_true(besd_subgoals_reached(goals, 0, far, near)); /* on the circle */
    assert_false(besd_subgoals_reached(goals, 1, far, near));
    assert_int_equal(besd_subgoals_shape(goals, &stage, far, near, false, &reward, NULL), BESD_OK);
    assert_int_equal(stage, 1);
    assert_close(reward, 1 + 0.5 * 0.2 * exp(-0.125) - 0.2 * exp(-30.5), 1e-15);
    reward = 0;
    assert_int_equal(besd_subgoals_shape(goals, &stage, near, second, true, &reward, NULL),
                     BESD_OK);
    assert_int_equal(stage, 2); /* completed with the move that ends the task */
    assert_close(reward, -0.2 * exp(-(3.5 * 3.5 + 3.5 * 3.5) / 2), 1e-16);
    reward = 7;
    assert_int_equal(besd_subgoals_shape(goals, &stage, far, near, false, &reward, NULL), BESD_OK);
    assert_true(stage == 2 && reward == 7);
    besd_subgoals_destroy(goals);
}

static void test_cells_of_ones_own(void **state) {
    (void)state;
    const double place[] = {0.21, 0.8}, metres[] = {0.8, 0.8}, zero[] = {0, 0};
    const double from[] = {0.4, 0.4}, inside[] = {0.2, 0.79}, border[] = {0.24, 0.8};
    const double origin[] = {0.04, 0}, wrong[] = {0, INFINITY};
    besd_error error = {BESD_OK, ""};
    besd_subgoals *goals;
    besd_subgoals_options o = {.count = 1, .dimension = 2, .low = zero, .high = metres, .gamma = 1};
    assert_ok(besd_subgoals_create_in_cells(&goals, place, 2, &o, 0.08, NULL, &error), &error);
    assert_true(besd_subgoals_reached(goals, 0, from, inside));
    assert_false(besd_subgoals_reached(goals, 0, from, border)); /* of the next cell */
    assert_false(besd_subgoals_reached(goals, 0, from, from));
    besd_subgoals_destroy(goals);
    assert_ok(besd_subgoals_create_in_cells(&goals, place, 2, &o, 0.08, origin, &error), &error);
    assert_true(besd_subgoals_reached(goals, 0, from, border)); /* 0.2 to 0.28 */
    besd_subgoals_destroy(goals);
    assert_ok(besd_subgoals_create(&goals, place, 2, &o, &error), &error);
    assert_true(besd_subgoals_reached(goals, 0, from, from)); /* side 1: everywhere */
    besd_subgoals_destroy(goals);
    const double sizes[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        assert_fails(besd_subgoals_create_in_cells(&goals, place, 2, &o, sizes[i], NULL, &error),
                     BESD_INVALID, &error, "cell_size: expected a number above 0");
    assert_fails(besd_subgoals_create_in_cells(&goals, place, 2, &o, 1, wrong, &error),
                 BESD_INVALID, &error, "origin[1]: expected a finite number, got inf");
    assert_fails(besd_subgoals_create_in_cells(&goals, place, 2, NULL, 1, NULL, &error),
                 BESD_INVALID, &error, "options: expected some, got none");
    o.reach = BESD_SUBGOALS_RADIUS;
    o.radius = 1;
    assert_fails(besd_subgoals_create_in_cells(&goals, place, 2, &o, 1, NULL, &error), BESD_INVALID,
                 &error, "cell_size: cells go with reach = BESD_SUBGOALS_CELL, got 2");
    assert_null(goals);
}

static void test_moves_that_are_refused(void **state) {
    (void)state;
    besd_subgoals_options options = {
        .count = 2, .dimension = 2, .low = low, .high = high, .gamma = 1};
    besd_subgoals *goals = made(&options);
    static const struct {
        int stage;
        double from, to, reward;
        const char *message;
    } bad[] = {{-1, 1, 1, 0, "stage: expected 0 to 2, got -1"},
               {3, 1, 1, 0, "stage: expected 0 to 2, got 3"},
               {0, NAN, 1, 0, "from[1]: expected a finite number, got nan"},
               {0, 1, INFINITY, 0, "to[1]: expected a finite number, got inf"},
               {0, 1, 1, NAN, "reward: expected a finite number, got nan"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        besd_error error = {BESD_OK, ""};
        int stage = bad[i].stage;
        double from[] = {0, bad[i].from}, to[] = {3.5, bad[i].to}, reward = bad[i].reward;
        assert_fails(besd_subgoals_shape(goals, &stage, from, to, false, &reward, &error),
                     BESD_INVALID, &error, bad[i].message);
        assert_int_equal(stage, bad[i].stage);
        assert_memory_equal(&reward, &bad[i].reward, sizeof reward);
    }
    assert_true(isnan(besd_subgoals_potential(goals, -1, theta)));
    assert_true(isnan(besd_subgoals_potential(goals, 3, theta)));
    assert_true(besd_subgoals_potential(goals, 2, theta) == 0);
    assert_false(besd_subgoals_reached(goals, -1, theta, theta));
    assert_false(besd_subgoals_reached(goals, 3, theta, theta));
    besd_subgoals_destroy(goals);
}

/* One thing wrong each. */
static void test_designs_that_are_refused(void **state) {
    (void)state;
    const besd_subgoals_options sound = {
        .count = 2, .dimension = 2, .low = low, .high = high, .gamma = 0.9};
    const double inverted[] = {0, 0, 2, 0}, unbounded[] = {0, (double)-INFINITY, 0, 0};
    const double outside[] = {3, 4, 0, 1.5}, nothing[] = {3, (double)NAN, 0, 0};
    besd_subgoals_options o;
    besd_subgoals *goals;
    besd_error error = {BESD_OK, ""};
#define REFUSE(change, design, length, message)                                                    \
    do {                                                                                           \
        o = sound;                                                                                 \
        change;                                                                                    \
        goals = (besd_subgoals *)&o;                                                               \
        assert_fails(besd_subgoals_create(&goals, design, length, &o, &error), BESD_INVALID,       \
                     &error, message);                                                             \
        assert_null(goals);                                                                        \
    } while (0)
    REFUSE(o.count = -1, theta, 4, "count: expected 0 to 8 subgoals, got -1");
    REFUSE(o.count = 9, theta, 4, "count: expected 0 to 8 subgoals, got 9");
    REFUSE(o.dimension = 0, theta, 4, "dimension: expected 1 to 8 numbers, got 0");
    REFUSE(o.dimension = 9, theta, 4, "dimension: expected 1 to 8 numbers, got 9");
    REFUSE(o.gamma = 0, theta, 4, "gamma: expected a number in (0, 1], got 0");
    REFUSE(o.gamma = 1.01, theta, 4, "gamma: expected a number in (0, 1], got 1.01");
    REFUSE(o.gamma = NAN, theta, 4, "gamma: expected a number in (0, 1], got nan");
    REFUSE(o.height = -1, theta, 4, "height: expected a number above 0, got -1");
    REFUSE(o.height = NAN, theta, 4, "height: expected a number above 0, got nan");
    REFUSE(o.width = -1, theta, 4, "width: expected a number above 0, got -1");
    REFUSE(o.width = INFINITY, theta, 4, "width: expected a number above 0, got inf");
    REFUSE(o.reach = BESD_SUBGOALS_CROSS, theta, 4, "expected dimension = 1, got 2");
    REFUSE(o.reach = BESD_SUBGOALS_RADIUS, theta, 4, "radius: expected a number above 0, got 0");
    REFUSE((o.reach = BESD_SUBGOALS_RADIUS, o.radius = -2), theta, 4, "above 0, got -2");
    REFUSE((o.reach = BESD_SUBGOALS_RADIUS, o.radius = NAN), theta, 4, "above 0, got nan");
    REFUSE(o.radius = 1, theta, 4, "expected 0 unless reach = BESD_SUBGOALS_RADIUS, got 1");
    REFUSE(o.reach = (besd_subgoals_reach)3, theta, 4, "reach: expected 0 to 2, got 3");
    REFUSE(o.low = NULL, theta, 4, "low: expected 4 numbers, got none");
    REFUSE(o.high = NULL, theta, 4, "high: expected 4 numbers, got none");
    REFUSE(o.low = inverted, theta, 4, "low[2] < high[2]: expected a box, got 2 and 1");
    REFUSE(o.low = unbounded, theta, 4, "low[1] < high[1]: expected a box, got -inf and 10");
    REFUSE((void)0, theta, 3, "theta: expected 4 numbers (2 subgoals of 2 coordinates), got 3");
    REFUSE((void)0, NULL, 4, "theta: expected 4 numbers (2 subgoals of 2 coordinates), got none");
    REFUSE((void)0, outside, 4, "theta[3]: expected a number in [-1, 1], got 1.5");
    REFUSE((void)0, nothing, 4, "theta[1]: expected a number in [0, 10], got nan");
#undef REFUSE
    goals = (besd_subgoals *)&o;
    assert_fails(besd_subgoals_create(&goals, theta, 4, NULL, &error), BESD_INVALID, &error,
                 "options: expected some, got none");
    assert_null(goals);
    besd_subgoals_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_as_the_learner),
        cmocka_unit_test(test_the_defaults),
        cmocka_unit_test(test_reaching_by_radius),
        cmocka_unit_test(test_cells_of_ones_own),
        cmocka_unit_test(test_moves_that_are_refused),
        cmocka_unit_test(test_designs_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
