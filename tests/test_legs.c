/* Legs: what each is worth, which are refused, and what a file keeps of them. */
#include "leg_lab.h"

#include "study/legs.h"
#include "study/path.h"
#include "study_file.h"

static besd_error error;

enum { POINTS = 2, LEGS = POINTS + 1 };

static study_spec spec_of(besd_direction direction) {
    study_spec s;
    besd_study_options o = small_options(2 * POINTS, 1);
    o.direction = direction;
    assert_ok(spec_init(&s, &o, &error), &error);
    s.path = world_path(&small_world);
    return s;
}

/* Times on a logarithmic scale that begins at a tenth of the cap of 100; -1: never came there. */
static void test_values_of_times(void **state) {
    (void)state;
    static const struct {
        double reached[LEGS], took[LEGS];
    } cases[] = {{{10, 30, 70}, {10, 20, 40}},     /* all of it */
                 {{10, NAN, NAN}, {10, 90, -1}},   /* failed: what was left until the cap */
                 {{10, 30, NAN}, {10, 20, 70}},    /* and on the last leg */
                 {{NAN, NAN, NAN}, {100, -1, -1}}, /* and on the first */
                 {{10, NAN, 40}, {10, 30, -1}},    /* the end came early */
                 {{NAN, NAN, 20}, {20, -1, -1}},   /* at once */
                 {{10, 30, 30}, {10, 20, 0}},      /* together with a point */
                 {{0, 0, 100}, {0, 0, 100}}};
    study_spec s = spec_of(BESD_MINIMIZE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_leg legs[LEGS];
        for (size_t k = 0; k < LEGS; k++)
            legs[k] = (besd_leg){cases[i].reached[k], NAN};
        assert_ok(legs_check(&s.path, legs, 1, &error), &error);
        for (size_t k = 0; k < LEGS; k++) {
            double value = -7, took = cases[i].took[k];
            assert_true(legs_value(&s, legs, k, &value) == (took >= 0));
            if (took >= 0)
                assert_close(value, -log(1 + took / 10), 1e-15);
        }
    }
}

/* What was earned; failing takes back what was earned before, whatever the leg itself earned. */
static void test_values_of_returns(void **state) {
    (void)state;
    const double none = -999;
    const struct {
        besd_leg legs[LEGS];
        double value[LEGS];
    } cases[] = {{{{10, 1}, {30, 2}, {70, 4}}, {1, 2, 4}},
                 {{{10, 1}, {30, 2}, {NAN, 0.5}}, {1, 2, -3}},
                 {{{10, 1}, {NAN, -0.5}, {NAN, 0}}, {1, -1, none}},
                 {{{NAN, 0.5}, {NAN, 0}, {NAN, 0}}, {0, none, none}},
                 {{{10, 1}, {NAN, 7}, {40, 0}}, {1, 7, none}},
                 {{{10, 1}, {30, 2}, {30, 0}}, {1, 2, 0}},
                 {{{10, -1}, {30, NAN}, {70, 4}}, {-1, none, 4}}};
    study_spec s = spec_of(BESD_MAXIMIZE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(legs_check(&s.path, cases[i].legs, 1, &error), &error);
        for (size_t k = 0; k < LEGS; k++) {
            double value, expected = cases[i].value[k];
            assert_true(legs_value(&s, cases[i].legs, k, &value) == (expected != none));
            if (expected != none)
                assert_close(value, expected, 1e-15);
        }
    }
}

static const struct {
    besd_leg legs[LEGS];
    const char *sentence;
} unsound[] = {
    {{{-1, 0}, {NAN, 0}, {NAN, 0}}, "legs[1][0]: expected a time from 0 to the cap of 100, got -1"},
    {{{10, 0}, {100.5, 0}, {NAN, 0}}, "legs[1][1]: expected a time from 0 to the cap of 100, got"},
    {{{10, 0}, {30, 0}, {INFINITY, 0}}, "legs[1][2]: expected a time from 0 to the cap of 100"},
    {{{30, 0}, {10, 0}, {NAN, 0}},
     "legs[1][1]: expected a time from 30, when the point before it was reached, got 10"},
    {{{10, 0}, {30, 0}, {20, 0}},
     "legs[1][1]: expected a time up to 20, when the end was reached, got 30"},
    {{{NAN, 0}, {30, 0}, {NAN, 0}}, "legs[1][1]: point 2 was reached, but not the one before it"},
    {{{NAN, 0}, {30, 0}, {40, 0}}, "legs[1][1]: point 2 was reached, but not the one before it"},
    {{{10, 0}, {NAN, 0}, {9, 0}},
     "legs[1][0]: expected a time up to 9, when the end was reached, got 10"},
    {{{10, INFINITY}, {30, 0}, {40, 0}},
     "legs[1][0]: expected to have earned less than 1e+150 either way, got inf"},
    {{{10, 0}, {NAN, -1e150}, {NAN, 0}},
     "legs[1][1]: expected to have earned less than 1e+150 either way, got -1e+150"},
};

static void test_refusals(void **state) {
    (void)state;
    besd_path p = world_path(&small_world);
    besd_leg legs[2 * LEGS] = {{10, 0}, {30, 0}, {40, 0}};
    for (size_t i = 0; i < sizeof unsound / sizeof *unsound; i++) {
        memcpy(legs + LEGS, unsound[i].legs, sizeof unsound[i].legs);
        assert_fails(legs_check(&p, legs, 2, &error), BESD_INVALID, &error, unsound[i].sentence);
        assert_ok(legs_check(&p, legs, 1, &error), &error); /* the first is sound */
    }
}

/* Of some replications nothing is known: nothing is refused, and nothing learnt. */
static void test_nothing_known(void **state) {
    (void)state;
    const besd_leg legs[][LEGS] = {{{-INFINITY, NAN}, {NAN, NAN}, {NAN, NAN}},
                                   {{-INFINITY, 1}, {30, 2}, {70, 3}},
                                   {{-INFINITY, 0}, {500, INFINITY}, {-3, 0}}};
    for (size_t i = 0; i < sizeof legs / sizeof *legs; i++)
        for (besd_direction d = BESD_MAXIMIZE; d <= BESD_MINIMIZE; d++) {
            study_spec s = spec_of(d);
            double value;
            assert_ok(legs_check(&s.path, legs[i], 1, &error), &error);
            for (size_t k = 0; k < LEGS; k++)
                assert_false(legs_value(&s, legs[i], k, &value));
        }
}

/* A study learns from the others what it learns without them, to the bit. */
static void test_unknown_teach_nothing(void **state) {
    (void)state;
    besd_trial next[2];
    for (int unknown = 0; unknown < 2; unknown++) {
        besd_study_options o = small_options(2 * POINTS, 1);
        o.model = BESD_MODEL_AVERAGED;
        o.direction = BESD_MINIMIZE;
        o.initial_designs = 2;
        o.legs = 1;
        besd_study *s = new_study(&o);
        besd_path p = world_path(&small_world);
        assert_ok(besd_study_set_path(s, &p, &error), &error);
        for (int i = 0; i < 9; i++) {
            besd_trial t = ask(s);
            double scores[BESD_MAX_REPS];
            besd_leg legs[64 * LEGS];
            world_train(&small_world, &t, scores, legs);
            for (int r = 0; i % 2 && r < t.reps; r++)
                legs[r * LEGS].reached = -INFINITY;
            bool tell = unknown || i % 2 == 0;
            assert_ok(besd_study_tell(s, t.id,
                                      &(besd_outcome){.scores = scores,
                                                      .count = (size_t)t.reps,
                                                      .legs = tell ? legs : NULL},
                                      &error),
                      &error);
        }
        next[unknown] = ask(s);
        besd_study_close(s);
    }
    assert_memory_equal(next[0].theta, next[1].theta, 2 * POINTS * sizeof *next[0].theta);
    assert_int_equal(next[0].reason, BESD_REASON_LEGS);
    assert_int_equal(next[1].reason, BESD_REASON_LEGS);
}

static size_t legs_of(besd_study *s, int64_t id, besd_leg *legs, size_t capacity) {
    size_t count = 99;
    assert_ok(besd_study_legs(s, id, legs, capacity, &count, &error), &error);
    return count;
}

/* What is told comes back to the bit, from another handle too; what is refused changes nothing. */
static void test_telling(void **state) {
    (void)state;
    char file[PATH_SIZE];
    besd_study_options o = world_options(&small_world, 1);
    besd_study *s = world_study(&small_world, new_path(file), &o);
    besd_trial t = ask(s), second = ask(s);
    double scores[] = {40, 100};
    besd_leg legs[2 * LEGS] = {{10.1, 1}, {30, -0.0}, {40, 1e-300},
                               {0.3, 2},  {NAN, NAN}, {NAN, -5}};
    besd_leg got[2 * LEGS], bad[2 * LEGS];
    assert_int_equal(t.reps, 2);
    memcpy(bad, legs, sizeof bad);
    for (size_t i = 0; i < sizeof unsound / sizeof *unsound; i++) {
        memcpy(bad + LEGS, unsound[i].legs, sizeof unsound[i].legs);
        assert_fails(besd_study_tell(s, t.id,
                                     &(besd_outcome){.scores = scores, .count = 2, .legs = bad},
                                     &error),
                     BESD_INVALID, &error, unsound[i].sentence);
        assert_int_equal(get_trial(s, t.id).state, BESD_TRIAL_ASKED);
    }
    assert_fails(
        besd_study_tell(
            s, t.id,
            &(besd_outcome){.scores = scores, .count = 2, .legs = legs, .cost = &(double){NAN}},
            &error),
        BESD_INVALID, &error, "cost");
    assert_int_equal(legs_of(s, t.id, got, 2 * LEGS), 0);
    assert_ok(besd_study_tell(
                  s, t.id,
                  &(besd_outcome){.scores = scores, .count = 2, .legs = legs, .cost = &(double){7}},
                  &error),
              &error);
    assert_true(get_trial(s, t.id).cost == 7);
    assert_ok(besd_study_tell(s, second.id, &(besd_outcome){.scores = scores, .count = 2}, &error),
              &error);
    assert_true(get_trial(s, second.id).cost == second.cost);
    besd_study_close(s);
    s = open_study(file, NULL);
    assert_int_equal(legs_of(s, t.id, got, 2 * LEGS), 2 * LEGS);
    assert_memory_equal(got, legs, sizeof legs);
    memset(got, 1, sizeof got);
    memset(bad, 1, sizeof bad);
    assert_int_equal(legs_of(s, t.id, got, 2), 2);
    assert_memory_equal(got, legs, 2 * sizeof *legs);
    assert_memory_equal(got + 2, bad + 2, sizeof got - 2 * sizeof *got);
    assert_int_equal(legs_of(s, second.id, got, 2 * LEGS), 0);
    size_t count;
    assert_fails(besd_study_legs(s, 0, got, 1, &count, &error), BESD_UNKNOWN, &error, "trial 0");
    assert_fails(besd_study_legs(s, 3, got, 1, &count, &error), BESD_UNKNOWN, &error, "trial 3");
    besd_study_close(s);
}

/* The same again is nothing new; other legs are refused, and so are some where there were none. */
static void test_told_twice(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 1);
    char file[PATH_SIZE];
    besd_study *s = world_study(&small_world, new_path(file), &o);
    besd_trial t = ask(s), second = ask(s);
    double scores[] = {40, 100};
    besd_leg legs[2 * LEGS] = {{10, 1}, {30, 0}, {40, 0}, {10, 2}, {NAN, 0}, {NAN, 0}};
    besd_leg other[2 * LEGS], got[2 * LEGS];
    memcpy(other, legs, sizeof legs);
    other[2 * LEGS - 1].earned = 1;
    assert_ok(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2, .legs = legs},
                              &error),
              &error);
    assert_repeated(besd_study_tell(s, t.id,
                                    &(besd_outcome){.scores = scores, .count = 2, .legs = legs},
                                    &error),
                    &error);
    assert_non_null(strstr(error.message, "told these scores before"));
    assert_repeated(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, &error),
                    &error); /* says nothing of legs */
    assert_fails(besd_study_tell(
                     s, t.id, &(besd_outcome){.scores = scores, .count = 2, .legs = other}, &error),
                 BESD_INVALID, &error, "told already, with other legs");
    assert_ok(besd_study_tell(s, second.id, &(besd_outcome){.scores = scores, .count = 2}, &error),
              &error);
    assert_fails(besd_study_tell(s, second.id,
                                 &(besd_outcome){.scores = scores, .count = 2, .legs = legs},
                                 &error),
                 BESD_INVALID, &error, "told already, without legs");
    assert_int_equal(legs_of(s, t.id, got, 2 * LEGS), 2 * LEGS);
    assert_memory_equal(got, legs, sizeof legs);
    assert_int_equal(legs_of(s, second.id, got, 2 * LEGS), 0);
    besd_study_close(s);
}

static void test_no_path(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 1);
    besd_study *s = new_study(&o);
    besd_trial t = ask(s);
    double scores[] = {40, 100};
    besd_leg legs[2 * LEGS] = {{10, 1}, {30, 0}, {40, 0}, {10, 2}, {NAN, 0}, {NAN, 0}};
    assert_fails(besd_study_tell(
                     s, t.id, &(besd_outcome){.scores = scores, .count = 2, .legs = legs}, &error),
                 BESD_INVALID, &error, "legs: theta of this study is no path");
    assert_int_equal(get_trial(s, t.id).state, BESD_TRIAL_ASKED);
    assert_ok(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, &error),
              &error);
    besd_study_close(s);
}

/* Blobs that nobody told: nothing is decided from them. */
static void test_damaged_legs(void **state) {
    (void)state;
    static const struct {
        const char *statement, *sentence;
    } damage[] = {
        {"UPDATE legs SET value = zeroblob(15) WHERE trial = 2", "the legs of trial 2 are damaged"},
        {"UPDATE legs SET value = zeroblob(0) WHERE trial = 2", "the legs of trial 2 are damaged"},
        {"UPDATE legs SET value = zeroblob(80) WHERE trial = 1", "the legs of trial 1 are damaged"},
        {"UPDATE legs SET value = zeroblob(112) WHERE trial = 1",
         "the legs of trial 1 are damaged"},
        {"INSERT INTO legs VALUES(4, zeroblob(96))", "the legs of trial 4 are damaged"}, /* asked */
        {"INSERT INTO legs VALUES(5, zeroblob(96))", "the legs of trial 5 are damaged"}, /* none */
        {"INSERT INTO legs VALUES(-1, zeroblob(96))", "the legs of trial -1 are damaged"},
        {"UPDATE legs SET value = CAST(X'000000000000F0BF' || substr(value, 9) AS BLOB)"
         " WHERE trial = 3", /* -1 */
         "the legs of trial 3 are damaged"},
        {"UPDATE legs SET value = CAST(X'000000000000F07F' || substr(value, 9) AS BLOB)"
         " WHERE trial = 3", /* infinity */
         "the legs of trial 3 are damaged"},
    };
    char file[PATH_SIZE];
    besd_study_options o = world_options(&small_world, 1);
    besd_study *s = world_study(&small_world, new_path(file), &o);
    world_run(&small_world, s, 3, NULL);
    assert_int_equal(ask(s).id, 4);
    besd_study_close(s);
    bytes whole = read_bytes(file);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        besd_trial t;
        write_bytes(file, whole.data, whole.size);
        sql(file, damage[i].statement);
        s = open_study(file, NULL);
        assert_fails(besd_study_ask(s, NULL, &t, &error), BESD_IO, &error, damage[i].sentence);
        assert_non_null(strstr(error.message, file));
        assert_int_equal(trial_count(s), 4);
        besd_study_close(s);
    }
    write_bytes(file, whole.data, whole.size);
    s = open_study(file, NULL);
    assert_int_equal(ask(s).id, 5);
    besd_study_close(s);
    free(whole.data);
}

/* No time is below 0 or beyond the cap, whatever a model without logarithms makes of it. */
static void test_times_are_possible(void **state) {
    (void)state;
    char file[PATH_SIZE];
    besd_study_options o = world_options(&small_world, 1);
    o.transform = BESD_TRANSFORM_NONE;
    besd_study *s = world_study(&small_world, new_path(file), &o);
    int lowest = 0, highest = 0;
    world_run(&small_world, s, 12, NULL);
    for (int i = 0; i < 256; i++) {
        besd_forecast f;
        double theta[2 * POINTS];
        lab_theta(i, theta);
        assert_ok(besd_study_forecast(s, theta, 30, &f, &error), &error);
        assert_true(f.low >= 0 && f.low <= f.value && f.value <= f.high && f.high <= 100);
        lowest += f.low == 0;
        highest += f.high == 100;
    }
    assert_true(lowest && highest);
    besd_study_close(s);
}

/* A leg that takes no time but that of a price is worth as much as the price takes away; where legs
 * earn it is what it says. */
static void test_price(void **state) {
    (void)state;
    const double prices[] = {0, 0.5, 10, 100};
    for (size_t i = 0; i < sizeof prices / sizeof *prices; i++) {
        study_spec s = spec_of(BESD_MINIMIZE);
        besd_leg legs[LEGS] = {{prices[i], NAN}, {100, NAN}, {100, NAN}};
        double value;
        s.path.price = prices[i];
        assert_true(legs_value(&s, legs, 0, &value));
        assert_close(legs_price(&s), -value, 1e-15);
        assert_close(legs_in_units(&s, -legs_price(&s)), prices[i], 1e-12);
        s = spec_of(BESD_MAXIMIZE);
        s.path.price = prices[i];
        assert_true(legs_price(&s) == prices[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_times),
        cmocka_unit_test(test_values_of_returns),
        cmocka_unit_test(test_price),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_nothing_known),
        cmocka_unit_test(test_unknown_teach_nothing),
        cmocka_unit_test(test_telling),
        cmocka_unit_test(test_told_twice),
        cmocka_unit_test(test_no_path),
        cmocka_unit_test(test_damaged_legs),
        cmocka_unit_test(test_times_are_possible),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
