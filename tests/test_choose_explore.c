/* The share of trials spread over the space: which of the chosen trials explore, until when, where
 * they go and at which levers. test_choose_blind.c has those that explore because nothing is known.
 */
#include "study_scene.h"

#include "decide/latin.h"
#include "decide/targets.h"
#include "study/choose.h"

static int64_t due(double share, int64_t chosen) {
    study_spec spec = {.options = {.budget = INFINITY, .explore = share, .search_until = 0.5}};
    evidence e = {.chosen = chosen};
    return explore_due(&spec, &e, INFINITY);
}

/* Which of the first so many chosen trials explore, counted from 1, for several shares. */
static void test_which_trials(void **state) {
    (void)state;
    static const struct {
        double share;
        int trials[13]; /* 0 after the last */
    } cases[] = {{0, {0}},
                 {0.05, {0}},
                 {0.1, {10, 0}},
                 {0.25, {4, 8, 12, 0}},
                 {0.375, {3, 6, 8, 11, 0}},
                 {0.5, {2, 4, 6, 8, 10, 12, 0}},
                 {0.75, {2, 3, 4, 6, 7, 8, 10, 11, 12, 0}},
                 {1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int chosen = 0, number = 0; chosen < 12; chosen++) {
            bool explores = cases[i].trials[number] == chosen + 1;
            int64_t got = due(cases[i].share, chosen), expected = explores ? number++ : -1;
            if (got != expected)
                fail_msg("share %g, chosen trial %d: expected %lld, got %lld", cases[i].share,
                         chosen + 1, (long long)expected, (long long)got);
        }
}

/* Exploring ends when less than the rest of the budget is left; not where there is no budget. */
static void test_until(void **state) {
    (void)state;
    static const struct {
        double budget, until, affordable;
        bool explores;
    } cases[] = {{1000, 0.75, 250, true},       {1000, 0.75, 249.999, false},
                 {1000, 0.75, 1000, true},      {1000, 1, 0, true},
                 {1000, 0, 1000, true},         {1000, 0, 999.999, false},
                 {64, 0.5, 32, true},           {64, 0.5, 31, false},
                 {INFINITY, 0, INFINITY, true}, {INFINITY, 0.5, INFINITY, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        study_spec spec = {.options = {.budget = cases[i].budget,
                                       .explore = 0.25,
                                       .search_until = cases[i].until}};
        evidence e = {.chosen = 3};
        int64_t got = explore_due(&spec, &e, cases[i].affordable);
        if (got != (cases[i].explores ? 0 : -1))
            fail_msg("budget %g until %g with %g left: got %lld", cases[i].budget, cases[i].until,
                     cases[i].affordable, (long long)got);
    }
}

/* What is chosen, for a study of so many targets with these levers affordable. */
static advice explore(scene *c, double affordable, int64_t number, kg_levers *levers) {
    advice a = {0};
    kg_average k;
    assert_true(advice_fill_levers(&c->spec, affordable, false, levers));
    assert_ok(
        kg_average_init(&k, &c->model, levers, c->targets.points, c->targets.count, &c->error),
        &c->error);
    choose_explore(&c->turn, &k, levers, number, &a);
    double log_kg[KG_MAX_LEVELS * KG_MAX_LEVELS];
    kg_average_evaluate(&k, a.choice.theta, log_kg);
    assert_memory_equal(log_kg, a.log_kg, 4 * sizeof *log_kg);
    kg_average_free(&k);
    return a;
}

/* Exploring trial n goes to point n of the fixed hypercube, and round again after the last, at the
 * levers with the largest knowledge gradient per cost among those that can be paid. */
static void test_where_and_how(void **state) {
    (void)state;
    enum { FIXED = 7 };
    besd_study_options o = small_options(2, 12);
    double points[FIXED * 2];
    o.targets = FIXED;
    scene c;
    scene_of(&c, &o, 8);
    latin_hypercube(12, RNG_TARGETS, FIXED, 2, points);
    int64_t taken[4] = {0};
    for (int64_t number = 0; number < 2 * FIXED + 2; number++) {
        double affordable = number % 3 ? INFINITY : 60;
        kg_levers levers;
        advice a = explore(&c, affordable, number, &levers);
        int best = -1;
        double best_score = -INFINITY;
        for (int i = 0; i < 4; i++) {
            double cost = (i / 2 ? 30 : 10) * (i % 2 ? 4 : 2);
            if (cost <= affordable && a.log_kg[i] - log(cost) > best_score) {
                best = i;
                best_score = a.log_kg[i] - log(cost);
            }
        }
        assert_memory_equal(a.choice.theta, points + number % FIXED * 2, 2 * sizeof(double));
        assert_int_equal(a.choice.tau * 2 + a.choice.reps, best);
        assert_int_equal(a.reason, BESD_REASON_EXPLORE);
        taken[best]++;
    }
    assert_true(taken[0] + taken[1] > 0); /* not all at one end */
    scene_end(&c);
}

/* Where no levers have a value, as with a single target: the longest training that can be paid,
 * with the fewest replications. */
static void test_without_value(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 12);
    o.targets = 1;
    scene c;
    kg_levers levers;
    scene_of(&c, &o, 8);
    advice a = explore(&c, INFINITY, 0, &levers);
    assert_true(a.log_kg[0] == -INFINITY && a.log_kg[3] == -INFINITY);
    assert_true(a.choice.tau == 1 && a.choice.reps == 0);
    assert_int_equal(a.reason, BESD_REASON_EXPLORE);
    a = explore(&c, 59, 0, &levers);
    assert_true(a.choice.tau == 0 && a.choice.reps == 0);
    scene_end(&c);
}

/* In a study: with a share of a quarter the fourth, the eighth, ... chosen trial, at the points of
 * the hypercube in turn, and never after half of the budget. */
static void test_in_a_study(void **state) {
    (void)state;
    enum { TARGETS = 60, TRIALS = 20 };
    double points[TARGETS * 2];
    latin_hypercube(21, RNG_TARGETS, TARGETS, 2, points);
    for (int limited = 0; limited < 2; limited++) {
        besd_study_options o = short_options(2, 21); /* four initial trials */
        o.budget = limited ? 1000 : INFINITY;
        o.search_until = 0.5;
        besd_study *s = new_study(&o);
        int number = 0, left_out = 0;
        for (int i = 0; i < TRIALS; i++) {
            double before = spent(s);
            besd_trial t = ask(s);
            bool turn_of_one = i >= 4 && (i - 4) % 4 == 3;
            bool late = limited && before > 500;
            assert_int_equal(t.reason == BESD_REASON_EXPLORE, turn_of_one && !late);
            left_out += turn_of_one && late;
            int point = (i - 4) / 4; /* also when earlier ones were left out */
            for (int k = 0; turn_of_one && !late && k < 2; k++)
                assert_true(t.theta[k] == 10 * points[point * 2 + k]);
            number += turn_of_one && !late;
            answer(s, &t);
        }
        assert_true(limited ? number > 0 && left_out > 0 : number == 4);
        besd_study_close(s);
    }
}

/* Where the number of points of a path varies, exploring trials take turns in it. */
static void test_points_vary(void **state) {
    (void)state;
    enum { FIXED = 7, POINTS = 3, DIMENSION = 2 * POINTS };
    besd_study_options o = small_options(DIMENSION, 12);
    double points[FIXED * DIMENSION];
    size_t times[POINTS + 1] = {0};
    o.targets = FIXED;
    scene c;
    scene_of(&c, &o, 8);
    c.spec.path = (besd_path){.points = POINTS, .coordinates = 2, .cap = 100, .fewest = 1};
    latin_hypercube(12, RNG_TARGETS, FIXED, DIMENSION, points);
    for (int64_t number = 0; number < 2 * FIXED + 1; number++) {
        kg_levers levers;
        advice a = explore(&c, INFINITY, number, &levers);
        size_t visits = 1 + (size_t)number % POINTS;
        const double *point = points + number % FIXED * DIMENSION;
        for (size_t k = 0; k < DIMENSION; k++)
            assert_true(a.choice.theta[k] == point[k < 2 * visits ? k : 2 * (visits - 1) + k % 2]);
        times[visits]++;
    }
    assert_true(times[1] == 5 && times[2] == 5 && times[3] == 5);
    scene_end(&c);
}

/* The share of told trials that score as badly as can be, whatever the best do. */
static void test_flatness(void **state) {
    (void)state;
    static const struct {
        double means[6], flatness;
    } cases[] = {{{1, 1, 1, 0, 0, 2}, 2 / 6.0},
                 {{3, 3, 3, 3, 3, 3}, 1},
                 {{5, 4, 3, 2, 1, 5}, 1 / 6.0},
                 {{0, 1e-9, 0, 0, 1, 1}, 3 / 6.0},
                 {{-7, -7, -7, -7, -7, 2}, 5 / 6.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study_options o = small_options(2, 12);
        scene c;
        scene_begin(&c, &o);
        assert_true(explore_flatness(&c.evidence) == 0);
        scene_tell_some(&c, 6, BESD_REASON_INITIAL);
        for (size_t j = 0; j < 6; j++)
            c.records[j].model_mean = cases[i].means[j];
        scene_look(&c);
        assert_close(explore_flatness(&c.evidence), cases[i].flatness, 1e-15);
        scene_end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_trials),  cmocka_unit_test(test_until),
        cmocka_unit_test(test_where_and_how), cmocka_unit_test(test_without_value),
        cmocka_unit_test(test_in_a_study),    cmocka_unit_test(test_points_vary),
        cmocka_unit_test(test_flatness),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
