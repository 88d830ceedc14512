/* A trial as JSON: the same members for everybody, seeds that every language can read, and all that
 * is known of it. */
#include "acts_fixture.h"

#include "core/clock.h"
#include "json/trial.h"

static besd_error error;

static json_t *describe(besd_study *s, int64_t id) {
    besd_trial t = get_trial(s, id);
    json_t *json = trial_json(s, t.id, &error);
    if (!json)
        fail_msg("%s", error.message);
    return json;
}

static double number(const json_t *json, const char *member) {
    const json_t *value = json_object_get(json, member);
    return value ? json_number_value(value) : NAN;
}

static const char *text(const json_t *json, const char *member) {
    const char *value = json_string_value(json_object_get(json, member));
    return value ? value : "";
}

static void test_request(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 7);
    besd_study *s = new_study(&o);
    for (int i = 0; i < 20; i++) {
        besd_trial t = ask(s);
        json_writer text = {0};
        request_write(&text, besd_study_get_options(s), NULL, NULL, &t);
        json_t *json = json_writer_tree(&text);
        json_writer_clear(&text);
        assert_int_equal(json_object_size(json), 9);
        assert_true(number(json_object_get(json, "theta"), "theta1") == t.theta[1]);
        assert_true(json_number_value(json_array_get(json_object_get(json, "theta_array"), 0)) ==
                    t.theta[0]);
        assert_true(number(json, "trial") == (double)t.id && number(json, "tau") == (double)t.tau);
        assert_true(number(json, "seed") == (double)t.seed); /* a double holds it */
        assert_true(t.seed < 1ull << 53);
        assert_true(number(json, "seed32") == (double)(t.seed & 0xffffffff));
        assert_true(number(json, "instance_seed") < 0x1p53);
        const json_t *seeds = json_object_get(json, "replication_seeds");
        assert_int_equal(json_array_size(seeds), t.reps);
        for (size_t k = 0; k < json_array_size(seeds); k++)
            assert_in_range(json_integer_value(json_array_get(seeds, k)), 0, (1ll << 53) - 1);
        json_decref(json);
    }
    besd_study_close(s);
}

static void test_asked(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = small_options(2, 8);
    besd_study *s = open_study(new_path(path), &o);
    besd_trial t = ask_for(s, "robot", 60);
    json_t *json = trial_json(s, t.id, &error);
    assert_string_equal(text(json, "worker"), "robot");
    assert_string_equal(text(json, "state"), "asked");
    assert_string_equal(text(json, "reason"), "initial");
    assert_close(number(json, "lease_until"), clock_date() + 60, 5);
    assert_true(number(json, "cost") == t.cost);
    assert_true(number(json, "age") >= 0 && number(json, "age") < 60);
    assert_null(json_object_get(json, "duration"));
    assert_null(json_object_get(json, "scores"));
    json_decref(json);
    sql(path, "UPDATE trial SET asked_at = datetime('now', '+1 hour')"); /* a clock set back */
    json = describe(s, 1);
    assert_true(number(json, "age") == 0);
    json_decref(json);
    t = ask(s);
    json = describe(s, t.id);
    assert_null(json_object_get(json, "worker"));
    assert_null(json_object_get(json, "lease_until"));
    json_decref(json);
    besd_study_close(s);
}

/* One of a thousand dates is a whole second. */
static bool has_fraction(double date) {
    return date != floor(date);
}

static void test_times_have_milliseconds(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = small_options(2, 9);
    besd_study *s = open_study(new_path(path), &o);
    int asked = 0, ended = 0;
    for (int i = 0; i < 4; i++) {
        besd_trial t = ask(s);
        besd_work work;
        if (i % 2)
            answer(s, &t);
        else
            assert_ok(besd_study_fail(s, t.id, NULL, NULL, &error), &error);
        assert_ok(besd_study_work(s, t.id, &work, &error), &error);
        assert_close(work.asked, clock_date(), 60);
        assert_true(work.ended >= work.asked);
        asked += has_fraction(work.asked);
        ended += has_fraction(work.ended);
        int64_t from, to;
        assert_ok(besd_study_trial_times(s, t.id, &from, &to, &error), &error);
        assert_true(from == (int64_t)work.asked && to == (int64_t)work.ended);
    }
    assert_true(asked >= 3 && ended >= 3);
    besd_study_close(s);
}

static void test_told(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = small_options(2, 9);
    besd_study *s = open_study(new_path(path), &o);
    besd_trial t = ask_for(s, "robot", 60);
    answer(s, &t);
    sql(path,
        "UPDATE trial SET asked_at = '2026-01-01 00:00:00', ended_at = '2026-01-01 00:01:30.25'");
    assert_ok(besd_study_set_trial_note(s, 1, "wet\x1b[31m", &error), &error);
    assert_ok(besd_study_tag(s, 1, "b", true, &error), &error);
    assert_ok(besd_study_tag(s, 1, "a a", true, &error), &error);
    json_t *json = describe(s, 1);
    assert_true(number(json, "duration") == 90.25);
    assert_true(number(json, "ended_at") - number(json, "asked_at") == 90.25);
    assert_string_equal(text(json, "worker"), "robot");
    assert_null(json_object_get(json, "lease_until")); /* it is over */
    assert_string_equal(text(json, "note"), "wet [31m");
    const json_t *tags = json_object_get(json, "tags");
    assert_int_equal(json_array_size(tags), 2);
    assert_string_equal(json_string_value(json_array_get(tags, 0)), "a a");
    assert_int_equal(json_array_size(json_object_get(json, "scores")), t.reps);
    assert_true(number(json, "mean") == get_trial(s, 1).mean);
    assert_null(json_object_get(json, "replaced"));
    json_decref(json);

    const double other[] = {1, 2, 3, 4};
    assert_ok(besd_study_replace(s, 1, &(besd_outcome){.scores = other, .count = (size_t)t.reps},
                                 NULL, &error),
              &error);
    json = describe(s, 1);
    assert_true(number(json, "replaced") == 1); /* seen although there is no why */
    assert_null(json_object_get(json, "why"));
    json_decref(json);
    assert_ok(besd_study_void(s, 1, "rain", &error), &error);
    json = describe(s, 1);
    assert_string_equal(text(json, "state"), "voided");
    assert_string_equal(text(json, "why"), "rain");
    assert_true(number(json, "duration") == 90.25);
    assert_int_equal(json_array_size(json_object_get(json, "scores")), t.reps);
    json_decref(json);

    besd_result added = {.theta = t.theta, .tau = 30, .scores = other, .count = 3};
    assert_ok(besd_study_add(s, &added, 1, NULL, &error), &error);
    json = describe(s, 2);
    assert_string_equal(text(json, "reason"), "added");
    assert_true(number(json, "ended_at") > 0);
    assert_null(json_object_get(json, "duration")); /* nobody has measured it */
    assert_null(json_object_get(json, "age"));
    json_decref(json);
    besd_study_close(s);
}

static void test_damaged(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = small_options(2, 10);
    besd_study *s = open_study(new_path(path), &o);
    besd_trial t = ask_for(s, "robot", 60);
    sql(path, "INSERT INTO tag VALUES(1, CAST(x'ff' AS TEXT))");
    assert_null(trial_json(s, t.id, &error));
    assert_int_equal(error.status, BESD_IO);
    sql(path, "DELETE FROM tag; UPDATE work SET lease = -1");
    assert_null(trial_json(s, t.id, &error));
    assert_int_equal(error.status, BESD_IO);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request),
        cmocka_unit_test(test_asked),
        cmocka_unit_test(test_times_have_milliseconds),
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
