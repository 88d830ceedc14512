/* Trials at composed paths: which of the chosen trials, until when, at which levers; that they find
 * what designs as wholes do not; and that the next one follows from the file alone. */
#include "leg_lab.h"

#include "study/choose.h"
#include "study/leg_paths.h"
#include "study_file.h"

static besd_error error;

static void walk(const besd_trial *t, double *scores, besd_leg *legs) {
    world_train(&small_world, t, scores, legs);
}

static bool due(double share, int64_t chosen, int64_t for_legs) {
    study_spec spec = {
        .options = {.budget = INFINITY, .legs = share, .model = BESD_MODEL_AVERAGED}};
    besd_leg none;
    evidence e = {.chosen_cost = (double)chosen, .legs_cost = (double)for_legs, .legs = &none};
    return legs_are_due(&spec, &e, INFINITY);
}

/* Which of the first eight chosen trials of one cost, for several shares. */
static void test_which_trials(void **state) {
    (void)state;
    static const struct {
        double share;
        const char *trials;
    } cases[] = {{0, "........"},   {0.125, "L......."}, {0.25, "L...L..."},
                 {0.5, "L.L.L.L."}, {0.75, "L.LLL.LL"},  {1, "LLLLLLLL"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int64_t chosen = 0, for_legs = 0; chosen < 8; chosen++) {
            bool expected = cases[i].trials[chosen] == 'L';
            if (due(cases[i].share, chosen, for_legs) != expected)
                fail_msg("share %g, chosen trial %d", cases[i].share, (int)chosen + 1);
            for_legs += expected;
        }
}

/* They end when less than the rest of the budget is left; and the other conditions. */
static void test_when(void **state) {
    (void)state;
    static const struct {
        double budget, until, affordable;
        bool due;
    } cases[] = {{1000, 0.75, 250, true}, {1000, 0.75, 249.999, false}, {1000, 1, 0, true},
                 {1000, 0, 1000, true},   {1000, 0, 999.999, false},    {INFINITY, 0, 1, true}};
    besd_leg none;
    evidence e = {.legs = &none};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        study_spec spec = {.options = {.budget = cases[i].budget,
                                       .legs = 0.5,
                                       .model = BESD_MODEL_AVERAGED,
                                       .search_until = cases[i].until}};
        assert_true(legs_are_due(&spec, &e, cases[i].affordable) == cases[i].due);
        evidence without = {0};
        assert_false(legs_are_due(&spec, &without, INFINITY));
        for (besd_model m = BESD_MODEL_PAPER; m < BESD_MODEL_AVERAGED; m++) {
            spec.options.model = m;
            assert_false(legs_are_due(&spec, &e, INFINITY));
        }
    }
}

/* A study's trials as letters: L for legs, . for others of those that the model chose. Legs trials
 * are those that the share of what was spent on chosen trials makes due, or that of the trials
 * which have failed when it is larger; every fourth is a full training. */
static void run_letters(const besd_study_options *o, bool path, bool tell_legs, int count,
                        char *letters) {
    besd_study *s = path ? world_study(&small_world, NULL, o) : open_study(NULL, o);
    int for_legs = 0;
    double cost = 0, legs_cost = 0, told = 0, failed = 0;
    for (int i = 0; i < count;) {
        besd_trial t = ask(s);
        bool fails = world_time(&small_world, t.theta) >= small_world.cap;
        world_answer(&small_world, s, &t, tell_legs);
        if (t.reason == BESD_REASON_INITIAL) {
            told++;
            failed += fails;
            continue;
        }
        bool for_them = t.reason == BESD_REASON_LEGS;
        bool due_now = legs_cost <= fmax(o->legs, failed / told) * cost;
        letters[i++] = for_them ? 'L' : '.';
        if (path && tell_legs && o->legs > 0 && o->model == BESD_MODEL_AVERAGED &&
            o->method == BESD_METHOD_BESD)
            assert_int_equal(for_them, due_now);
        told++;
        failed += fails;
        cost += t.cost;
        legs_cost += for_them ? t.cost : 0;
        for_legs += for_them;
        assert_true(!for_them || (t.tau == (for_legs % 4 ? 10 : 30) && t.reps == 2));
    }
    letters[count] = 0;
    besd_study_close(s);
}

static void test_shares_and_levers(void **state) {
    (void)state;
    char letters[20];
    besd_study_options o = world_options(&small_world, 2);
    o.explore = 0;
    run_letters(&o, true, true, 16, letters);
    assert_non_null(strstr(letters, "L"));
    assert_non_null(strstr(letters, "."));
    o.legs = 0.25;
    run_letters(&o, true, true, 9, letters);
    assert_non_null(strstr(letters, "L"));
    o.legs = 1;
    o.explore = 1; /* legs go first */
    run_letters(&o, true, true, 9, letters);
    assert_string_equal(letters, "LLLLLLLLL");
}

/* Without a share, without legs, without a path, with other models and methods: none. */
static void test_never(void **state) {
    (void)state;
    char letters[20];
    besd_study_options o = world_options(&small_world, 2);
    o.legs = 0;
    run_letters(&o, true, true, 6, letters);
    assert_string_equal(letters, "......");
    o.legs = 1;
    run_letters(&o, true, false, 6, letters);
    assert_string_equal(letters, "......");
    run_letters(&o, false, false, 6, letters);
    assert_string_equal(letters, "......");
    for (besd_model m = BESD_MODEL_PAPER; m < BESD_MODEL_AVERAGED; m++) {
        o.model = m;
        run_letters(&o, true, true, 4, letters);
        assert_string_equal(letters, "....");
    }
    o.model = BESD_MODEL_AVERAGED;
    const besd_method methods[] = {BESD_METHOD_EI, BESD_METHOD_LCB, BESD_METHOD_RANDOM};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        o = world_options(&small_world, 2);
        o.method = methods[i];
        run_letters(&o, true, true, 4, letters);
        assert_string_equal(letters, "....");
    }
}

/* None after `search_until` of the budget. */
static void test_until(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 3);
    double paid = 0;
    int before = 0, after = 0;
    besd_trial t;
    o.budget = 3000;
    o.search_until = 0.5;
    o.confirm = 0;
    besd_study *s = world_study(&small_world, NULL, &o);
    while (besd_study_ask(s, NULL, &t, &error) == BESD_OK) {
        world_answer(&small_world, s, &t, true);
        if (t.reason == BESD_REASON_LEGS)
            assert_true(paid <= 1500);
        before += t.reason == BESD_REASON_LEGS;
        after += paid > 1500;
        paid += t.cost;
    }
    assert_true(before >= 5 && after >= 5 && paid <= 3000);
    besd_study_close(s);
}

/* How many of so many legs trials are near-sighted: every second four of them while most trials
 * fail, and no others. */
static int count_near_sighted(const leg_world *w, int initial, int count) {
    besd_study_options o = world_options(w, 5);
    besd_study *s = NULL;
    int near = 0, told = 0, failed = 0;
    o.legs = 1;
    o.initial_designs = initial;
    s = world_study(w, NULL, &o);
    for (int i = 0; i < count;) {
        besd_trial t;
        besd_explanation x;
        assert_ok(besd_study_ask(s, &(besd_ask){.explanation = &x}, &t, &error), &error);
        if (t.reason == BESD_REASON_LEGS) {
            bool is_near = strstr(x.why, "near-sighted") != NULL;
            assert_int_equal(is_near, i / 4 % 2 == 1 && 2 * failed > told);
            near += is_near;
            i++;
        }
        world_answer(w, s, &t, true);
        told++;
        failed += world_time(w, t.theta) >= w->cap;
    }
    besd_study_close(s);
    return near;
}

static void test_near_sighted(void **state) {
    (void)state;
    leg_world w = small_world;
    w.reach = 0; /* nothing works */
    assert_int_equal(count_near_sighted(&w, 3, 14), 6);
    w.reach = 6; /* everything does */
    assert_int_equal(count_near_sighted(&w, 3, 10), 0);
    w.reach = 3; /* most fail at first, fewer later: some rounds are, and not to their end */
    int near = count_near_sighted(&w, 16, 40);
    assert_true(near > 0 && near < 20);
}

/* The fourth is a full training only when it can be paid. */
static void test_full_training_is_paid(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 4);
    o.legs = 1;
    o.explore = o.confirm = 0;
    o.search_until = 1;
    besd_study *s = world_study(&small_world, NULL, &o);
    double paid = 0;
    int for_legs = 0;
    while (for_legs < 3) {
        besd_trial t = ask(s);
        world_answer(&small_world, s, &t, true);
        for_legs += t.reason == BESD_REASON_LEGS;
        paid += t.cost;
    }
    besd_study_close(s);
    for (int enough = 0; enough < 2; enough++) {
        o.budget = paid + (enough ? 60 : 59); /* two replications of 30 */
        o.initial_share = 1;
        s = world_study(&small_world, NULL, &o);
        for (for_legs = 0; for_legs < 4;) {
            besd_trial t = ask(s);
            world_answer(&small_world, s, &t, true);
            for_legs += t.reason == BESD_REASON_LEGS;
            if (for_legs == 4)
                assert_int_equal(t.tau, enough ? 30 : 10);
        }
        besd_study_close(s);
    }
}

static int number_of(const double *theta) {
    int number = 0;
    for (int i = 0; i < 4; i++)
        number = 4 * number + (theta[i] < 4 ? (int)theta[i] : 3);
    return number;
}

/* No path is asked for because of its legs when it was tried four times, whatever for. */
static void test_four_times(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 5);
    o.legs = 1;
    o.explore = 0;
    besd_study *s = world_study(&small_world, NULL, &o);
    int times[256] = {0}, most = 0;
    for (int i = 0; i < 40; i++) {
        besd_trial t = ask(s);
        world_answer(&small_world, s, &t, true);
        int *tried = &times[number_of(t.theta)];
        if (t.reason == BESD_REASON_LEGS)
            assert_true(*tried < 4);
        ++*tried;
        most = *tried > most ? *tried : most;
    }
    assert_true(most >= 3);
    besd_study_close(s);
}

/* Those who ask at the same time are not all sent to the same place. */
static void test_pending(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 6);
    o.legs = 1;
    o.explore = 0;
    besd_study *s = world_study(&small_world, NULL, &o);
    int different = 0;
    world_run(&small_world, s, 10, NULL);
    besd_trial first = ask(s);
    for (int i = 0; i < 5; i++) {
        besd_trial t = ask(s);
        assert_int_equal(t.reason, BESD_REASON_LEGS);
        different += number_of(t.theta) != number_of(first.theta);
    }
    assert_true(different >= 2);
    besd_study_close(s);
}

/* What the file alone says of the next trial: asked in a copy that is opened anew. */
static besd_trial ask_copy(const char *file) {
    char copy[PATH_SIZE], statement[2 * PATH_SIZE];
    snprintf(statement, sizeof statement, "VACUUM INTO '%s'", new_path(copy));
    sql(file, statement);
    besd_study *s = open_study(copy, NULL);
    besd_trial t = ask(s);
    besd_study_close(s);
    return t;
}

/* What a handle remembers changes nothing, in whatever order trials are told: of five, the first
 * comes in after the third, and the fourth last. */
static void test_handles_agree(void **state) {
    (void)state;
    for (int held = 0; held < 2; held++) {
        char file[PATH_SIZE];
        besd_study_options o = world_options(&small_world, 7);
        o.legs = 1;
        o.explore = 0;
        besd_study *s = world_study(&small_world, new_path(file), &o);
        besd_trial late = {0};
        int for_legs = 0;
        for (int i = 0; i < 30; i++) {
            besd_trial expected = ask_copy(file), t = ask(s), now = t;
            assert_same_trial(&t, &expected);
            for_legs += t.reason == BESD_REASON_LEGS;
            if (held && i % 5 == 3)
                now = late;
            if (!held || i % 5)
                world_answer(&small_world, s, &now, true);
            if (held && i % 5 == 4)
                world_answer(&small_world, s, &late, true);
            if (i % 5 == 0 || i % 5 == 3)
                late = t;
        }
        assert_true(for_legs >= 10);
        besd_study_close(s);
    }
}

/* The shortest of 4096 paths of three points: found much more often with their legs than without,
 * in as many trials. Of the first 30 seeds 23 find it with legs and 8 without; ten runs with a
 * chance of 0.77 each bring fewer than 7 in one case of five, which the first ten seeds are not. */
static void test_best_paths_are_found(void **state) {
    (void)state;
    enum { STUDIES = TEST_SIZE(10, 2), TRIALS = 30 };
    const leg_world w = {.side = 4, .points = 3, .reach = 4, .cap = 100};
    int best, failing, all, found[2] = {0};
    double shortest = world_shortest(&w, &best, &failing, &all);
    assert_true(best < all / 500 && failing > all / 3);
    for (int with = 0; with < 2; with++)
        for (uint64_t seed = 1; seed <= STUDIES; seed++) {
            besd_study_options o = world_options(&w, seed);
            if (!with)
                o.legs = 0;
            besd_study *s = world_study(&w, NULL, &o);
            world_run(&w, s, TRIALS, NULL);
            found[with] += world_time(&w, recommend(s).theta) == shortest;
            besd_study_close(s);
        }
    if (STUDIES >= 10 && !(found[1] >= 7 && found[0] <= found[1] - 3))
        fail_msg("found with legs in %d of %d studies, without in %d", found[1], STUDIES, found[0]);
}

/* What is asked for is the path that is composed of legs at their mean and two standard deviations;
 * with half as much hope it would often be another. */
static void test_hope(void **state) {
    (void)state;
    enum { CASES = 12, TOLD = 12 };
    int others = 0;
    for (int number = 0; number < CASES; number++) {
        int paths[TOLD];
        besd_path path = world_path(&small_world);
        besd_trial trial = {0};
        bool taken, found;
        leg_model model;
        lab l;
        for (int i = 0; i < TOLD; i++)
            paths[i] = (i * 53 + number * 29) % LAB_PATHS;
        lab_fill(&l, &path, walk, paths, TOLD, 0);
        turn t = {.spec = &l.spec,
                  .evidence = &l.evidence,
                  .affordable = INFINITY,
                  .trial = &trial,
                  .legs = &l.memory};
        assert_ok(choose_legs(&t, &taken, &error), &error);
        assert_true(taken);
        assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &model, &error),
                  &error);
        for (int width = 2; width > 0; width--) {
            leg_path best;
            assert_ok(leg_paths_compose(&l.spec, &l.evidence, &model, LAB_POINTS, width, 4, &best,
                                        &found, &error),
                      &error);
            bool same = !memcmp(best.theta, trial.theta, 2 * LAB_POINTS * sizeof(double));
            assert_true(found && (same || width < 2));
            others += !same;
        }
        leg_model_free(&model);
        evidence_free(&l.evidence);
    }
    assert_true(others >= 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_trials),  cmocka_unit_test(test_when),
        cmocka_unit_test(test_hope),          cmocka_unit_test(test_shares_and_levers),
        cmocka_unit_test(test_never),         cmocka_unit_test(test_until),
        cmocka_unit_test(test_near_sighted),  cmocka_unit_test(test_full_training_is_paid),
        cmocka_unit_test(test_four_times),    cmocka_unit_test(test_pending),
        cmocka_unit_test(test_handles_agree), cmocka_unit_test(test_best_paths_are_found),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
