#include "study_fixture.h"

#include "faulty_vfs.h"
#include "study/store_state.h"
#include "study/study.h"
#include "study/study_state.h"

enum { TRIALS = 5 };

static besd_study *begin(char path[PATH_SIZE]) {
    besd_study *s;
    besd_trial t;
    besd_error error;
    besd_study_options o = small_options(2, 1);
    assert_int_equal(besd_study_open(&s, new_path(path), &o, &error), BESD_OK);
    for (int i = 0; i < TRIALS; i++)
        assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_OK);
    return s;
}

static int count_told(const char *path) {
    besd_study *s;
    besd_error error;
    int told = 0;
    assert_int_equal(besd_study_open(&s, path, NULL, &error), BESD_OK);
    for (int64_t id = 1; id <= TRIALS; id++) {
        besd_trial t;
        assert_int_equal(besd_study_trial(s, id, &t, &error), BESD_OK);
        told += t.state == BESD_TRIAL_TOLD;
    }
    besd_study_close(s);
    return told;
}

static besd_status tell_all(besd_study *s, besd_error *error) {
    const double scores[] = {1, 2, 3, 4};
    besd_status status = study_gather(s, error);
    for (int64_t id = 1; status == BESD_OK && id <= TRIALS; id++) {
        besd_trial t;
        status = besd_study_trial(s, id, &t, error);
        if (status == BESD_OK)
            status = besd_study_tell(
                s, id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps}, error);
    }
    besd_error own;
    besd_status settled = study_settle(s, status == BESD_OK ? error : &own);
    return status == BESD_OK ? settled : status;
}

/* Others see nothing before, and all of it afterwards. */
static void test_one_commit(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_error error;
    const double scores[] = {1, 2};
    besd_study *s = begin(path);
    assert_int_equal(study_gather(s, &error), BESD_OK);
    for (int64_t id = 1; id <= TRIALS; id++)
        assert_int_equal(
            besd_study_tell(s, id, &(besd_outcome){.scores = scores, .count = 2}, &error), BESD_OK);
    assert_int_equal(count_told(path), 0);
    assert_int_equal(study_settle(s, &error), BESD_OK);
    assert_int_equal(count_told(path), TRIALS);
    assert_int_equal(besd_study_set_trial_note(s, 1, "as usual", &error), BESD_OK);
    besd_study_close(s);
}

/* What is refused takes nothing else along, not even its own beginning. */
static void test_each_for_itself(void **state) {
    (void)state;
    char path[PATH_SIZE], note[16];
    besd_error error;
    const double scores[] = {1, 2, 3};
    besd_study *s = begin(path);
    int64_t first;
    double inside[] = {1, 1}, outside[] = {1, 11};
    besd_result results[] = {{.theta = inside, .tau = 10, .scores = scores, .count = 2},
                             {.theta = outside, .tau = 10, .scores = scores, .count = 2}};
    assert_int_equal(study_gather(s, &error), BESD_OK);
    assert_int_equal(besd_study_tell(s, 1, &(besd_outcome){.scores = scores, .count = 2}, &error),
                     BESD_OK);
    assert_int_equal(besd_study_tell(s, 2, &(besd_outcome){.scores = scores, .count = 3}, &error),
                     BESD_INVALID);
    assert_int_equal(besd_study_add(s, results, 2, &first, &error), BESD_INVALID);
    assert_int_equal(besd_study_tell(s, 99, &(besd_outcome){.scores = scores, .count = 2}, &error),
                     BESD_UNKNOWN);
    assert_int_equal(besd_study_fail(s, 3, NULL, "battery", &error), BESD_OK);
    assert_int_equal(besd_study_get_trial_note(s, 3, note, sizeof note, &error), BESD_OK);
    assert_int_equal(study_settle(s, &error), BESD_OK);
    assert_int_equal(count_told(path), 1);
    int64_t count;
    assert_int_equal(besd_study_trial_count(s, &count, &error), BESD_OK);
    assert_int_equal(count, TRIALS);
    assert_string_equal(note, "battery");
    besd_study_close(s);
}

/* Whichever change of the disk goes wrong: all of it is told and durable, or nothing is. */
static void test_all_or_nothing(void **state) {
    (void)state;
    static const fault kinds[] = {FAULT_FULL, FAULT_IO};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int failures = 0;
        for (int at = 1;; at++) {
            char path[PATH_SIZE];
            besd_error error;
            use_faulty_disk(FAULT_NONE, 0);
            besd_study *s = begin(path);
            use_faulty_disk(kinds[k], at);
            besd_status status = tell_all(s, &error);
            bool met = disk.changes >= at;
            disk.fault = FAULT_NONE;
            assert_true(status == BESD_OK || status == BESD_IO);
            assert_int_equal(status == BESD_OK ? disk.unsynced : 0, 0);
            besd_study_close(s);
            use_real_disk();
            assert_int_equal(count_told(path), status == BESD_OK ? TRIALS : 0);
            failures += status != BESD_OK;
            if (!met)
                break;
        }
        assert_true(failures > 1);
    }
}

/* SQLite may end the whole of it when a part fails; what comes afterwards is not kept alone. */
static void test_ended_too_early(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_error error;
    const double scores[] = {1, 2};
    besd_trial t;
    besd_study *s = begin(path);
    assert_int_equal(study_gather(s, &error), BESD_OK);
    assert_int_equal(besd_study_tell(s, 1, &(besd_outcome){.scores = scores, .count = 2}, &error),
                     BESD_OK);
    assert_int_equal(sqlite3_exec(s->store->file.db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(besd_study_tell(s, 2, &(besd_outcome){.scores = scores, .count = 2}, &error),
                     BESD_IO);
    assert_non_null(strstr(error.message, "nothing was changed"));
    assert_int_equal(besd_study_trial(s, 3, &t, &error), BESD_OK);
    assert_int_equal(study_settle(s, &error), BESD_IO);
    assert_int_equal(count_told(path), 0);
    besd_study_close(s);
}

static void test_scattered(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_error error;
    const double scores[] = {1, 2};
    besd_study *s = begin(path);
    assert_int_equal(study_gather(s, &error), BESD_OK);
    assert_int_equal(besd_study_tell(s, 1, &(besd_outcome){.scores = scores, .count = 2}, &error),
                     BESD_OK);
    study_scatter(s);
    assert_int_equal(count_told(path), 0);
    assert_int_equal(besd_study_tell(s, 1, &(besd_outcome){.scores = scores, .count = 2}, &error),
                     BESD_OK);
    assert_int_equal(count_told(path), 1);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_commit), cmocka_unit_test(test_ended_too_early),
        cmocka_unit_test(test_scattered), cmocka_unit_test(test_each_for_itself),
        cmocka_unit_test(test_all_or_nothing)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
