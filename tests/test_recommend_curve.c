/* What to expect from how many points: which numbers are on the curve, what stands there, and which
 * of them is as good as the recommended one. */
#include "leg_world.h"

#include "study/recommend.h"
#include "json/answers.h"

static besd_error error = {BESD_OK, ""};

static const leg_world world = {.side = 4, .points = 3, .reach = 4, .cap = 100};

/* A study of paths of up to three points that has had so many trials. */
static besd_study *open_paths(size_t fewest, besd_method method, int trials) {
    besd_study_options o = world_options(&world, 3);
    besd_path p = world_path(&world);
    p.fewest = fewest;
    p.price = 1;
    o.method = method;
    besd_study *s = open_study(NULL, &o);
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    world_run(&world, s, trials, NULL);
    return s;
}

static path_curve curve_of(besd_study *s, const besd_recommendation *r) {
    path_curve curve;
    memset(&curve, 7, sizeof curve);
    assert_ok(path_curve_find(s, r, &curve, &error), &error);
    return curve;
}

/* Every number from the fewest to the most, once: what is forecast of the best path of so many
 * points, or what is said of the recommended one. The recommendation as JSON says the same. */
static void test_numbers(void **state) {
    (void)state;
    for (size_t fewest = 1; fewest <= 3; fewest++) {
        besd_study *s = open_paths(fewest, BESD_METHOD_BESD, 8);
        besd_recommendation r = recommend(s);
        path_curve curve = curve_of(s, &r);
        assert_int_equal(curve.visits, besd_study_visited(s, r.theta, NULL));
        size_t first = curve.visits < fewest ? curve.visits : fewest;
        assert_int_equal(curve.count, 3 - first + 1);
        json_t *json = recommendation_json(s, &r, &error);
        const json_t *list = json_object_get(json, "by_points");
        assert_int_equal(json_array_size(list), curve.count);
        for (size_t i = 0; i < curve.count; i++) {
            const path_curve_point *at = &curve.of[i];
            const json_t *number = json_array_get(list, i);
            besd_forecast f;
            double theta[BESD_MAX_DIMENSION];
            assert_int_equal(at->points, first + i);
            assert_int_equal(json_integer_value(json_object_get(number, "points")), first + i);
            assert_true(at->known);
            assert_true(at->low <= at->value && at->value <= at->high);
            if (at->points == curve.visits) {
                assert_true(at->value == r.value && at->low == r.low && at->high == r.high);
            } else {
                assert_ok(besd_study_path_forecast(s, at->points, theta, &f, &error), &error);
                assert_true(at->value == f.value && at->low == f.low && at->high == f.high);
            }
            assert_true(json_number_value(json_object_get(number, "value")) == at->value);
        }
        json_decref(json);
        besd_study_close(s);
    }
}

/* A recommendation of fewer points than there should be is on the curve all the same. */
static void test_too_few(void **state) {
    (void)state;
    besd_study *s = open_paths(2, BESD_METHOD_BESD, 8);
    besd_recommendation r = recommend(s);
    for (size_t i = 0; i < 6; i++)
        r.theta[i] = 1.5; /* one place */
    path_curve curve = curve_of(s, &r);
    assert_true(curve.visits == 1 && curve.count == 3 && curve.of[0].points == 1);
    assert_true(curve.of[0].value == r.value && curve.of[1].value != r.value);
    besd_study_close(s);
}

/* No curve where the number is fixed, or nothing could say more of it. */
static void test_none(void **state) {
    (void)state;
    besd_study *s = open_paths(0, BESD_METHOD_BESD, 8);
    besd_recommendation r = recommend(s);
    assert_int_equal(curve_of(s, &r).count, 0);
    besd_study_close(s);
    s = open_paths(1, BESD_METHOD_RANDOM, 3);
    r = recommend(s);
    assert_int_equal(curve_of(s, &r).count, 0);
    besd_study_close(s);
}

/* Tells all confirming trials of the first design that they went well, and all others that they
 * failed; that design. */
static besd_trial run_to_the_end(besd_study *s) {
    besd_trial t, good = {0};
    besd_status status;
    while ((status = besd_study_ask(s, NULL, &t, &error)) == BESD_OK) {
        if (t.reason != BESD_REASON_CONFIRM) {
            world_answer(&world, s, &t, true);
            continue;
        }
        if (!good.id)
            good = t;
        double score = memcmp(t.theta, good.theta, sizeof t.theta) != 0 ? 100 : 2;
        assert_ok(
            besd_study_tell(s, t.id,
                            &(besd_outcome){.scores = (const double[]){score, score, score, score},
                                            .count = (size_t)t.reps},
                            &error),
            &error);
    }
    assert_int_equal(status, BESD_DONE);
    return good;
}

/* Confirming trials decide which path of a number of points is the best, too, as they decide what
 * is recommended. */
static void test_confirmed(void **state) {
    (void)state;
    int others = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        besd_study_options o = world_options(&world, seed);
        besd_path p = world_path(&world);
        double theta[BESD_MAX_DIMENSION];
        besd_forecast f, by_model;
        const int64_t tau = 30;
        p.fewest = 1;
        o.budget = 1800;
        o.confirm = 0.5;
        besd_study *s = open_study(NULL, &o);
        assert_ok(besd_study_set_path(s, &p, &error), &error);
        besd_trial good = run_to_the_end(s);
        size_t points = besd_study_visited(s, good.theta, NULL);
        assert_ok(besd_study_path_forecast(s, points, theta, &f, &error), &error);
        assert_memory_equal(theta, good.theta, o.dimension * sizeof *theta);
        besd_recommendation r = recommend(s);
        assert_memory_equal(r.theta, good.theta, o.dimension * sizeof *theta);
        assert_true(f.value == r.value);
        assert_ok(besd_study_forecast_many(s, theta, &tau, 1, &by_model, &error), &error);
        assert_true(f.value < by_model.value);
        for (size_t k = 1; k <= 3; k++) { /* one that failed is not what is expected of the rest */
            int64_t count;
            if (k == points)
                continue;
            assert_ok(besd_study_path_forecast(s, k, theta, &f, &error), &error);
            assert_ok(besd_study_trial_count(s, &count, &error), &error);
            for (int64_t id = 1; id <= count; id++) {
                besd_trial t;
                assert_ok(besd_study_trial(s, id, &t, &error), &error);
                if (t.reason == BESD_REASON_CONFIRM && besd_study_visited(s, t.theta, NULL) == k) {
                    assert_memory_not_equal(t.theta, theta, o.dimension * sizeof *theta);
                    others++;
                }
            }
        }
        besd_study_close(s);
    }
    assert_true(others > 0);
}

/* The fewest other points of which no less is expected, whatever better means; not where nothing is
 * known. */
static void test_rival(void **state) {
    (void)state;
    static const struct {
        double value[4];
        size_t visits, least, most;
    } cases[] = {{{4, 3, 2, 1}, 3, 4, 1},
                 {{2, 2, 2, 2}, 2, 1, 1},
                 {{1, 2, 3, 4}, 1, 0, 2},
                 {{5, 5, 1, 5}, 3, 0, 1},
                 {{NAN, 3, 4, 3}, 3, 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        path_curve curve = {.visits = cases[i].visits, .count = 4};
        for (size_t k = 0; k < 4; k++) {
            double value = cases[i].value[k];
            curve.of[k] =
                (path_curve_point){.points = k + 1, .known = !isnan(value), .value = value};
        }
        assert_int_equal(path_curve_rival(&curve, BESD_MINIMIZE), cases[i].least);
        assert_int_equal(path_curve_rival(&curve, BESD_MAXIMIZE), cases[i].most);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_none),      cmocka_unit_test(test_rival),
        cmocka_unit_test(test_confirmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
