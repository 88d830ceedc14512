/* Designs without a model: a Latin hypercube as long as the budget, and uniform points. */
#include "study_scene.h"

#include "study/choose.h"

static besd_error error;

static besd_study_options random_options(double budget) {
    besd_study_options o = small_options(3, 17);
    o.method = BESD_METHOD_RANDOM;
    o.budget = budget; /* a trial costs 120 */
    return o;
}

/* The trial at a place, asked under a number. */
static besd_trial asked_at(const besd_study_options *o, size_t place, int64_t id) {
    study_spec spec;
    besd_trial trial = {.id = id};
    evidence e = {.place_count = place};
    turn t = {.spec = &spec, .evidence = &e, .trial = &trial};
    assert_ok(spec_init(&spec, o, &error), &error);
    assert_ok(choose_random(&t, &error), &error);
    return trial;
}

/* As many points as the budget pays for, one in every slice of every axis, each at the dearest
 * levers. */
static void test_one_in_every_slice(void **state) {
    (void)state;
    const double budgets[] = {120, 12 * 120, 12 * 120 + 119};
    const int lengths[] = {1, 12, 12};
    for (int b = 0; b < 3; b++) {
        besd_study_options o = random_options(budgets[b]);
        int seen[3][12] = {{0}}, length = lengths[b];
        for (int place = 0; place < length; place++) {
            besd_trial t = asked_at(&o, (size_t)place, place + 1);
            for (int i = 0; i < 3; i++)
                seen[i][(int)(t.theta[i] / 10 * length)]++;
            assert_true(t.tau == 30 && t.reps == 4);
            assert_int_equal(t.reason, BESD_REASON_RANDOM);
        }
        for (int i = 0; i < 3; i++)
            for (int slice = 0; slice < length; slice++)
                assert_int_equal(seen[i][slice], 1);
    }
}

/* Three trials for 0.2 each are worth 0.6, whatever binary fractions make of it. */
static void test_rounding(void **state) {
    (void)state;
    besd_study_options o = random_options(0.6);
    int seen[3] = {0};
    o.interaction_price = 0.2 / 120;
    for (int place = 0; place < 3; place++) {
        besd_trial t = asked_at(&o, (size_t)place, place + 1);
        seen[(int)(t.theta[0] / 10 * 3)]++;
    }
    assert_true(seen[0] == 1 && seen[1] == 1 && seen[2] == 1);
}

/* The place decides, not the number of the trial: a retry uses up no point. */
static void test_places(void **state) {
    (void)state;
    besd_study_options o = random_options(12 * 120);
    besd_trial a = asked_at(&o, 5, 6), b = asked_at(&o, 5, 9), c = asked_at(&o, 6, 9);
    assert_true(same_numbers(a.theta, b.theta, 3));
    assert_false(same_numbers(a.theta, c.theta, 3));
}

/* Past the hypercube's end (a cheaper trial was told, or the budget raised), without a budget, and
 * where it would be very long: uniform points of the trial's own stream. */
static void test_uniform(void **state) {
    (void)state;
    const struct {
        double budget;
        size_t place;
    } cases[] = {{12 * 120, 12}, {12 * 120, 400}, {119, 0}, {INFINITY, 0}, {1e5 * 120, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study_options o = random_options(cases[i].budget);
        besd_trial t = asked_at(&o, cases[i].place, 33);
        rng stream = rng_open(17, RNG_CHOICE, 33, 0, 1);
        for (int k = 0; k < 3; k++)
            assert_true(t.theta[k] == 10 * rng_uniform(&stream));
        assert_true(t.tau == 30 && t.reps == 4);
        assert_int_equal(t.reason, BESD_REASON_RANDOM);
    }
    besd_study_options o = random_options((1e5 - 1) * 120); /* the longest hypercube */
    besd_trial t = asked_at(&o, 0, 33);
    rng stream = rng_open(17, RNG_CHOICE, 33, 0, 1);
    assert_true(t.theta[0] != 10 * rng_uniform(&stream));
}

/* A method that has a model tries such a point when every initial trial has failed. */
static void test_nothing_told(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 3);
    besd_study *s = new_study(&o);
    for (int i = 0; i < 4; i++) {
        besd_trial t = ask(s);
        assert_int_equal(t.reason, BESD_REASON_INITIAL);
        assert_ok(besd_study_fail(s, t.id, NULL, NULL, &error), &error);
    }
    besd_trial t = ask(s);
    rng stream = rng_open(3, RNG_CHOICE, 5, 0, 1);
    assert_int_equal(t.reason, BESD_REASON_RANDOM);
    for (int k = 0; k < 2; k++)
        assert_true(t.theta[k] == 10 * rng_uniform(&stream));
    assert_true(t.tau == 30 && t.reps == 4);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_in_every_slice),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_nothing_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
