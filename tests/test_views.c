/* What the live page draws, compared with what the study says of itself: which recommendations are
 * remembered, the curve, hindsight that does not depend on what came later, slices, the map. */
#include "study_fixture.h"

#include "page/ground.h"
#include "page/views.h"

#include <math.h>

static besd_error error;

static void keep(recommendations *m, int64_t trials, double value) {
    besd_recommendation r = {.trials = trials, .value = value, .low = value - 1, .high = value + 1};
    recommendations_keep(m, &r);
}

static void test_remembering_in_any_order(void **state) {
    (void)state;
    recommendations m = {0};
    keep(&m, 5, 50);
    keep(&m, 2, 20);
    keep(&m, 9, 90);
    keep(&m, 5, 51);
    assert_int_equal(m.count, 3);
    assert_true(recommendations_at(&m, 2)->value == 20);
    assert_true(recommendations_at(&m, 5)->value == 51);
    assert_true(recommendations_at(&m, 9)->low == 89 && recommendations_at(&m, 9)->high == 91);
    assert_null(recommendations_at(&m, 1));
    assert_null(recommendations_at(&m, 3));
    assert_null(recommendations_at(&m, 10));
}

/* However many there are, the first and the newest are among them, in order. */
static void test_remembering_no_more_than_fits(void **state) {
    (void)state;
    recommendations m = {0};
    for (int64_t i = 1; i <= 10 * RECOMMENDATIONS_MOST; i++) {
        keep(&m, i, (double)i);
        assert_true(m.count <= RECOMMENDATIONS_MOST);
        assert_non_null(recommendations_at(&m, i));
        assert_non_null(recommendations_at(&m, 1));
    }
    assert_true(m.count > RECOMMENDATIONS_MOST / 3);
    for (size_t i = 1; i < m.count; i++)
        assert_true(m.of[i - 1].trials < m.of[i].trials);
}

static void tell(besd_study *s, double score, int64_t *tau) {
    besd_trial t;
    double scores[BESD_MAX_REPS];
    assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
    for (int i = 0; i < t.reps; i++)
        scores[i] = score + 0.01 * i;
    assert_ok(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                              &error),
              &error);
    *tau = t.tau;
}

static double member(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* The best is the lowest, or the highest, of full trainings only, and cost adds up in between. */
static void check_curve(besd_direction direction) {
    besd_study_options o = small_options(2, 7);
    besd_study *s;
    int64_t tau;
    double spent, best = NAN, sign = direction == BESD_MINIMIZE ? 1 : -1, last = -1;
    o.direction = direction;
    assert_ok(besd_study_open(&s, NULL, &o, &error), &error);
    recommendations m = {0};
    for (int i = 0; i < 12; i++) {
        double score = 5 + 3 * sin(2.3 * i);
        tell(s, score, &tau);
        besd_trial t;
        assert_ok(besd_study_trial(s, i + 1, &t, &error), &error);
        if (tau == 30 && (isnan(best) || sign * t.mean < sign * best))
            best = t.mean;
    }
    besd_recommendation r = {.trials = 7, .value = 4, .low = 3, .high = INFINITY};
    recommendations_keep(&m, &r);
    json_t *curve = view_curve(s, &m, &error), *points = json_object_get(curve, "points");
    assert_non_null(curve);
    assert_true(json_array_size(points) > 1);
    size_t known = 0;
    for (size_t i = 0; i < json_array_size(points); i++) {
        const json_t *p = json_array_get(points, i);
        assert_true(member(p, "cost") > last);
        last = member(p, "cost");
        known += json_object_get(p, "value") != NULL;
        if (json_object_get(p, "value")) {
            assert_true(member(p, "value") == 4 && member(p, "low") == 3);
            assert_true(json_is_null(json_object_get(p, "high")));
        }
    }
    assert_ok(besd_study_spent(s, &spent, &error), &error);
    assert_true(last == spent);
    assert_true(member(json_array_get(points, json_array_size(points) - 1), "best") == best);
    assert_int_equal(known, 1);
    json_decref(curve);
    besd_study_close(s);
}

static void test_curve(void **state) {
    (void)state;
    check_curve(BESD_MAXIMIZE);
    check_curve(BESD_MINIMIZE);
}

static void test_empty_curve(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 1);
    besd_study *s;
    besd_trial t;
    recommendations m = {0};
    assert_ok(besd_study_open(&s, NULL, &o, &error), &error);
    assert_ok(besd_study_ask(s, NULL, &t, &error), &error); /* and never told */
    json_t *curve = view_curve(s, &m, &error);
    assert_int_equal(json_array_size(json_object_get(curve, "points")), 0);
    json_decref(curve);
    besd_study_close(s);
}

static void test_gaps(void **state) {
    (void)state;
    recommendations m = {0};
    keep(&m, 100, 0);
    assert_int_equal(hindsight_next(&m, 100), 51);
    keep(&m, 51, 0);
    assert_int_equal(hindsight_next(&m, 100), 26);
    assert_int_equal(hindsight_next(&m, HINDSIGHT_MOST + 1), 0);
    recommendations few = {0};
    for (int64_t told = 0; told <= 3; told++)
        assert_int_equal(hindsight_next(&few, told), 0);
    int64_t filled = 0, next; /* it ends, and leaves no wide gap */
    for (; (next = hindsight_next(&m, 100)) != 0; filled++) {
        assert_true(next >= 3 && next < 100);
        assert_null(recommendations_at(&m, next));
        keep(&m, next, 0);
        assert_true(filled < 40);
    }
    for (size_t i = 1; i < m.count; i++)
        assert_true(m.of[i].trials - m.of[i - 1].trials <= 8);
}

/* Trials that were voided since are more than the told ones of now. */
static void test_gaps_with_fewer_than_before(void **state) {
    (void)state;
    recommendations m = {0};
    keep(&m, 5, 0);
    keep(&m, 40, 0);
    int64_t next = hindsight_next(&m, 20);
    assert_true(next > 5 && next < 20);
}

static void test_hindsight(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 5);
    besd_study *s = new_study(&o);
    besd_recommendation first, again, now, actual;
    int64_t count;
    run_trials(s, 14, NULL);
    assert_ok(hindsight_recommend(s, 12, &first, &error), &error);
    assert_int_equal(first.trials, 12);
    besd_trial open = ask(s);
    (void)open;
    run_trials(s, 5, NULL);
    assert_ok(hindsight_recommend(s, 12, &again, &error), &error);
    assert_memory_equal(first.theta, again.theta, 2 * sizeof *first.theta);
    assert_true(first.value == again.value && first.low == again.low && first.high == again.high);
    assert_ok(hindsight_recommend(s, 19, &now, &error), &error);
    assert_ok(besd_study_recommend(s, &actual, &error), &error);
    assert_int_equal(now.trials, actual.trials);
    assert_true(now.value > actual.low && now.value < actual.high);
    assert_ok(besd_study_trial_count(s, &count, &error), &error);
    assert_int_equal(count, 20);
    besd_study_close(s);
}

static void test_no_hindsight_without_model(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 1);
    besd_recommendation r;
    o.method = BESD_METHOD_RANDOM;
    o.budget = 10000;
    besd_study *s = new_study(&o);
    run_trials(s, 4, NULL);
    assert_int_equal(hindsight_recommend(s, 3, &r, &error), BESD_UNSUPPORTED);
    besd_study_close(s);
}

/* A slice says at every place what a forecast of it says. */
static void test_slices(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 3);
    besd_study *s;
    besd_recommendation r;
    int64_t tau;
    o.direction = BESD_MINIMIZE;
    o.transform = BESD_TRANSFORM_LOG;
    o.best_possible = 11;
    assert_ok(besd_study_open(&s, NULL, &o, &error), &error);
    for (int i = 0; i < 14; i++)
        tell(s, 20 + 8 * cos(1.7 * i), &tau);
    assert_ok(besd_study_recommend(s, &r, &error), &error);
    besd_forecast f;
    r.theta[0] = 2.5; /* the eleventh of 41 places */
    assert_ok(besd_study_forecast(s, r.theta, 30, &f, &error), &error);
    json_t *slices = view_slices(s, &r, &error);
    assert_non_null(slices);
    const json_t *one = json_array_get(json_object_get(slices, "coordinates"), 0);
    const char *const lists[] = {"x", "value", "low", "high"};
    double at[4];
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(json_array_size(json_object_get(one, lists[i])), 41);
        at[i] = json_number_value(json_array_get(json_object_get(one, lists[i]), 10));
    }
    assert_true(fabs(at[0] - 2.5) < 1e-12);
    assert_true(fabs(at[1] / f.value - 1) < 1e-9 && fabs(at[2] / f.low - 1) < 1e-9 &&
                fabs(at[3] / f.high - 1) < 1e-9);
    assert_true(at[2] < at[1] && at[1] < at[3]);
    for (size_t i = 0; i < 41; i++) /* and nothing better than what is possible */
        assert_true(json_number_value(json_array_get(json_object_get(one, "low"), i)) >= 11);
    json_decref(slices);
    besd_study_close(s);
}

static void test_no_slices_without_model(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 3);
    besd_study *s;
    besd_recommendation r = {0};
    o.method = BESD_METHOD_RANDOM;
    o.budget = 10000;
    assert_ok(besd_study_open(&s, NULL, &o, &error), &error);
    assert_null(view_slices(s, &r, &error));
    assert_int_equal(error.status, BESD_UNSUPPORTED);
    besd_study_close(s);
}

/* Opens a study of so many numbers with two notes; NULL: without. */
static besd_study *noted(size_t dimension, const char *domain_note, const char *map_note) {
    besd_study_options o = small_options(dimension, 1);
    besd_study *s;
    assert_ok(besd_study_open(&s, NULL, &o, &error), &error);
    if (domain_note)
        assert_ok(besd_study_set_note(s, "domain", domain_note, &error), &error);
    if (map_note)
        assert_ok(besd_study_set_note(s, "map", map_note, &error), &error);
    return s;
}

static void expect_map(besd_study *s, const char *kind, size_t coordinates, int points) {
    json_t *map = ground_view(s, &error);
    if (!kind) {
        assert_null(map);
        assert_int_equal(error.status, BESD_UNKNOWN);
    } else {
        assert_non_null(map);
        assert_string_equal(json_string_value(json_object_get(map, "kind")), kind);
        assert_int_equal(json_array_size(json_object_get(map, "low")), coordinates);
        assert_int_equal(json_array_size(json_object_get(map, "high")), coordinates);
        assert_int_equal(json_integer_value(json_object_get(map, "points_of_theta")), points);
    }
    json_decref(map);
    besd_study_close(s);
}

/* Names of files, programs and plugins in the notes are texts: nothing is opened or run. */
static void test_map(void **state) {
    (void)state;
    char ran[PATH_SIZE], command[2 * PATH_SIZE];
    expect_map(noted(4, "gw10", NULL), "grid", 2, 2);
    expect_map(noted(4, "gw10 subgoals=2 fresh instances", NULL), "grid", 2, 2);
    expect_map(noted(2, "mc", NULL), "mountain", 1, 2);
    expect_map(noted(4, "mine constants=0123456789abcdef", "G..\nS.#\n"), "grid", 2, 2);
    expect_map(noted(4, "mine constants=0123456789abcdef", "<script>"), NULL, 0, 0);
    expect_map(noted(3, NULL, "G..\nS.#\n"), NULL, 0, 0);
    expect_map(noted(4, NULL, NULL), NULL, 0, 0);
    new_path(ran);
    snprintf(command, sizeof command, "cmd:touch %s", ran);
    expect_map(noted(4, command, NULL), NULL, 0, 0);
    assert_int_not_equal(access(ran, F_OK), 0);
}

static void test_box(void **state) {
    (void)state;
    besd_study *s = noted(6, "arm constants=0123456789abcdef", NULL);
    besd_path p;
    besd_path_fill(&p);
    p.points = 2;
    p.coordinates = 3;
    p.cap = 100;
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    expect_map(s, "box", 3, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_remembering_in_any_order),
        cmocka_unit_test(test_remembering_no_more_than_fits),
        cmocka_unit_test(test_curve),
        cmocka_unit_test(test_empty_curve),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_gaps_with_fewer_than_before),
        cmocka_unit_test(test_hindsight),
        cmocka_unit_test(test_no_hindsight_without_model),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_no_slices_without_model),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_box),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
