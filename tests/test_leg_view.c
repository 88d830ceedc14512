/* Legs as pages are told of them: against the survey that they are made from. */
#include "leg_world.h"

#include "page/leg_view.h"
#include "study/leg_survey.h"

static besd_error error;

enum { TRIALS = 14 };

static double number_of(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static bool is_true(const json_t *object, const char *name) {
    return json_is_true(json_object_get(object, name));
}

static void check_place(const json_t *leg, const char *name, const double *place) {
    const json_t *list = json_object_get(leg, name);
    if (isnan(place[0])) {
        assert_true(json_is_null(list));
        return;
    }
    assert_int_equal(json_array_size(list), 2);
    for (size_t i = 0; i < 2; i++)
        assert_true(json_number_value(json_array_get(list, i)) == place[i]);
}

static void check_leg(const json_t *said, const leg_known *leg) {
    check_place(said, "from", leg->from);
    check_place(said, "to", leg->to);
    assert_true(number_of(said, "value") == leg->value && number_of(said, "low") == leg->low &&
                number_of(said, "high") == leg->high && number_of(said, "sd") == leg->sd);
    assert_true(number_of(said, "tried") == (double)leg->tried);
    assert_true(number_of(said, "worked") == (double)leg->worked);
    assert_true(number_of(said, "seen") == (double)leg->seen);
    assert_int_equal(is_true(said, "first"), leg->is_first);
    assert_int_equal(is_true(said, "last"), leg->is_last);
    assert_int_equal(is_true(said, "doubtful"), leg->is_doubtful);
}

static void check_legs(const json_t *list, const leg_known *legs, size_t count) {
    assert_int_equal(json_array_size(list), count);
    for (size_t i = 0; i < count; i++)
        check_leg(json_array_get(list, i), &legs[i]);
}

static void test_the_survey_is_told(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 3);
    besd_study *s = world_study(&small_world, NULL, &o);
    besd_recommendation best;
    leg_survey survey, then;
    besd_trial newest;
    int64_t trials;
    world_run(&small_world, s, TRIALS, NULL);
    assert_ok(besd_study_recommend(s, &best, &error), &error);
    assert_ok(leg_survey_init(&survey, s, best.theta, 120, 0, &error), &error);
    json_t *said = leg_view(s, &best, &error);
    assert_non_null(said);
    assert_string_equal(json_string_value(json_object_get(said, "counts")), "time");
    assert_true(number_of(said, "promise") == survey.promise);
    check_legs(json_object_get(said, "path"), survey.of_design, survey.design_count);
    check_legs(json_object_get(said, "tried"), survey.tried, survey.tried_count);
    assert_true(survey.tried_count > 3);

    /* what the newest trial could teach, as it was before */
    assert_ok(besd_study_trial_count(s, &trials, &error), &error);
    assert_ok(besd_study_trial(s, trials, &newest, &error), &error);
    const json_t *before = json_array_get(json_object_get(said, "before"), 0);
    assert_true(number_of(before, "trial") == (double)trials);
    assert_ok(leg_survey_init(&then, s, newest.theta, 0, trials, &error), &error);
    check_legs(json_object_get(before, "legs"), then.of_design, then.design_count);
    leg_survey_free(&then);
    leg_survey_free(&survey);
    json_decref(said);
    besd_study_close(s);
}

static void test_a_study_without_a_path(void **state) {
    (void)state;
    besd_study *s;
    besd_study_options o = small_options(2, 1);
    besd_recommendation best = {0};
    assert_ok(besd_study_open(&s, NULL, &o, &error), &error);
    assert_null(leg_view(s, &best, &error));
    assert_int_equal(error.status, BESD_UNSUPPORTED);
    assert_non_null(strstr(error.message, "no path"));
    besd_study_close(s);
}

static void test_nothing_was_told(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 3);
    besd_study *s = world_study(&small_world, NULL, &o);
    besd_recommendation best = {.theta = {1, 1, 2, 2}};
    assert_null(leg_view(s, &best, &error));
    assert_int_equal(error.status, BESD_UNSUPPORTED);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_survey_is_told),
        cmocka_unit_test(test_a_study_without_a_path),
        cmocka_unit_test(test_nothing_was_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
