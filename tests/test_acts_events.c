/* What happened: every act leaves one event, with it or not at all, in its order and with its name.
 */
#include "acts_fixture.h"

#include "faulty_vfs.h"

#include <jansson.h>

static besd_error error;

/* What an event says besides. */
typedef struct found {
    int64_t id;
    char detail[8000];
} found;

static bool take(void *context, const besd_event *e) {
    found *f = context;
    f->id = e->id;
    snprintf(f->detail, sizeof f->detail, "%s", e->detail);
    return true;
}

static found newest(besd_study *s) {
    found f = {0};
    assert_ok(besd_study_events(s, 0, take, &f, &error), &error);
    return f;
}

static void test_order_and_names(void **state) {
    (void)state;
    char path[PATH_SIZE], longest[BESD_MAX_NAME + 1];
    event_words w = {0};
    besd_study_options o = short_options(2, 1);
    besd_study *s = open_study(new_path(path), &o), *other = open_study(path, NULL);
    memset(longest, 'x', BESD_MAX_NAME);
    longest[BESD_MAX_NAME] = 0;
    assert_fails(besd_study_set_who(s, longest, &error), BESD_INVALID, &error, "who: expected");
    assert_fails(besd_study_set_who(s, "\xe9", &error), BESD_INVALID, &error, "who: expected");
    assert_ok(besd_study_set_who(s, "ada", &error), &error);
    run_trials(s, 1, NULL);
    besd_trial t = ask_for(other, "robot", 60);
    assert_ok(besd_study_set_who(other, "bob", &error), &error);
    ask_for(other, "robot", 60); /* asked by bob for the robot */
    assert_ok(besd_study_fail(other, t.id, NULL, "note", &error), &error);
    assert_ok(besd_study_ask(s, &(besd_ask){.again = &(int64_t){t.id}}, &t, &error), &error);
    assert_ok(besd_study_set_trial_note(s, 1, "note", &error), &error);
    assert_string_equal(events_after(s, 0, &w),
                        "asked 1 by ada, told 1 by ada, asked 2 by robot, asked 3 by bob, "
                        "failed 2 by bob, asked 4 by ada, noted 1 by ada");
    assert_string_equal(events_after(s, 5, &w), "asked 4 by ada, noted 1 by ada");
    assert_string_equal(events_after(s, 7, &w), "");
    w.most = 2; /* the visitor has enough */
    assert_string_equal(events_after(s, 0, &w), "asked 1 by ada, told 1 by ada");
    besd_study_close(s);
    besd_study_close(other);
}

/* A told trial that is told again with the same scores is no act. */
static void test_repetitions(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 2);
    besd_study *s = new_study(&o);
    besd_trial t = ask(s);
    answer(s, &t);
    const int64_t before = newest_event(s);
    double scores[BESD_MAX_REPS];
    train(&t, 2, scores);
    const besd_outcome again = {.scores = scores, .count = (size_t)t.reps};
    assert_repeated(besd_study_tell(s, t.id, &again, &error), &error);
    assert_int_equal(newest_event(s), before);
    besd_study_close(s);
}

/* Why a trial was asked is kept with the event when somebody wanted to know it. */
static void test_explained(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 3);
    besd_study *s = new_study(&o);
    besd_explanation why;
    besd_trial t;
    run_trials(s, 6, NULL);
    ask(s);
    assert_string_equal(newest(s).detail, "");
    assert_ok(besd_study_ask(s, &(besd_ask){.explanation = &why}, &t, &error), &error);
    assert_true(why.lever_count > 0);
    json_t *detail = json_loads(newest(s).detail, 0, NULL);
    assert_non_null(detail);
    assert_string_equal(json_string_value(json_object_get(detail, "why")), why.why);
    const json_t *levers = json_object_get(detail, "levers");
    assert_int_equal(json_array_size(levers), why.lever_count);
    for (size_t i = 0; i < why.lever_count; i++) {
        const json_t *l = json_array_get(levers, i);
        assert_int_equal(json_integer_value(json_object_get(l, "tau")), why.levers[i].tau);
        assert_true(json_number_value(json_object_get(l, "kg")) == why.levers[i].kg);
    }
    assert_null(json_object_get(detail, "candidates"));
    json_decref(detail);
    besd_study_close(s);
}

static void test_details(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 4);
    o.budget = 1000;
    besd_study *s = new_study(&o);
    run_trials(s, 1, NULL);
    assert_ok(besd_study_void(s, 1, "said \"so\"", &error), &error);
    assert_string_equal(newest(s).detail, "{\"why\":\"said \\\"so\\\"\"}");
    assert_ok(besd_study_set_budget(s, INFINITY, &error), &error);
    assert_string_equal(newest(s).detail, "{\"from\":1000.0,\"to\":null}");
    assert_ok(besd_study_tag(s, 1, "wet", true, &error), &error);
    assert_string_equal(newest(s).detail, "{\"tag\":\"wet\"}");
    besd_study_close(s);
}

/* At every change of the disk that an act makes: the act and its event, or neither. */
static void test_with_the_act(void **state) {
    (void)state;
    char path[PATH_SIZE], copy[PATH_SIZE];
    besd_study_options o = short_options(2, 5);
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 3, NULL);
    besd_study_close(s);
    bytes whole = read_bytes(path);
    const double theta[] = {1, 2}, scores[] = {0.5, 0.25};
    const besd_result result = {.theta = theta, .tau = 30, .scores = scores, .count = 2};
    new_path(copy);
    for (int act = 0; act < 4; act++) {
        int failures = 0;
        bool reached = true;
        for (int at = 1; reached; at++) {
            write_bytes(copy, whole.data, whole.size);
            use_faulty_disk(FAULT_IO, at);
            besd_status status = besd_study_open(&s, copy, NULL, &error);
            if (status == BESD_OK) {
                status =
                    act == 0 ? besd_study_void(s, 1, NULL, &error)
                    : act == 1
                        ? besd_study_replace(s, 1, &(besd_outcome){.scores = scores, .count = 2},
                                             NULL, &error)
                    : act == 2 ? besd_study_add(s, &result, 1, NULL, &error)
                               : besd_study_enqueue(s, theta, 0, 0, NULL, NULL, &error);
                besd_study_close(s);
            }
            reached = disk.changes >= at;
            use_real_disk();
            s = open_study(copy, NULL);
            bool done = act == 0   ? get_trial(s, 1).state == BESD_TRIAL_VOIDED
                        : act == 1 ? get_trial(s, 1).mean == 0.375
                                   : trial_count(s) == 4;
            assert_int_equal(newest_event(s), done ? 7 : 6);
            assert_true(done || status != BESD_OK);
            failures += !done;
            besd_study_close(s);
        }
        assert_true(failures >= 2);
    }
    free(whole.data);
}

/* Whoever reads events gets UTF-8, dates and JSON, or a sentence. */
static void test_damaged(void **state) {
    (void)state;
    const char *const damage[] = {
        "UPDATE event SET at = 9e999 WHERE id = 2",
        "UPDATE event SET at = -9e999 WHERE id = 2",
        "UPDATE event SET who = CAST(x'ff' AS TEXT) WHERE id = 2",
        "UPDATE event SET who = printf('%.100c', 'x') WHERE id = 2",
        "UPDATE event SET what = CAST(x'6100' AS TEXT) WHERE id = 2",
        "UPDATE event SET what = printf('%.3000000c', 'x') WHERE id = 2",
        "UPDATE event SET detail = 'no JSON' WHERE id = 2",
        "UPDATE event SET detail = '[1]' WHERE id = 2",
        "UPDATE event SET detail = '{}, {}' WHERE id = 2",
        "UPDATE event SET detail = '{\"a\":' || printf('%.5000c', '[') || '}' WHERE id = 2",
        "UPDATE event SET detail = printf('%.20000000c', ' ') WHERE id = 2",
        "UPDATE event SET trial = -1 WHERE id = 2",
        "UPDATE event SET id = -2 WHERE id = 2",
    };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        char path[PATH_SIZE];
        found f = {0};
        besd_study_options o = short_options(2, 6);
        besd_study *s = open_study(new_path(path), &o);
        run_trials(s, 2, NULL);
        sql(path, damage[i]);
        besd_status status = besd_study_events(s, -5, take, &f, &error);
        if (status != BESD_IO || !strstr(error.message, "the event") ||
            !strstr(error.message, path))
            fail_msg("%s: got %s, %s", damage[i], besd_status_name(status), error.message);
        assert_true(f.id <= 1); /* it ends there */
        recommend(s);           /* which is not about events */
        besd_study_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_names), cmocka_unit_test(test_repetitions),
        cmocka_unit_test(test_explained),       cmocka_unit_test(test_details),
        cmocka_unit_test(test_with_the_act),    cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
