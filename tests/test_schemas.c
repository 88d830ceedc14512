/* Studies that earlier versions have made can be read and go on: data/study-N.sql holds one of
 * schema N, ten trials of which one failed, one under way, and a kept fit. A new schema gets a new
 * file; these stay as they are. */
#include "study_fixture.h"

#include <sqlite3.h>

static besd_error error;

static void restore(const char *path, int schema) {
    static char text[100000];
    char source[512];
    sqlite3 *db;
    snprintf(source, sizeof source, "%s/study-%d.sql", TEST_DATA, schema);
    FILE *file = fopen(source, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *complaint = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &complaint))
        fail_msg("%s: %s", source, complaint);
    sqlite3_close(db);
}

static void test_first_schema(void **state) {
    (void)state;
    char path[PATH_SIZE], note[32];
    double scores[4];
    size_t count;
    besd_recommendation r;
    restore(new_path(path), 1);
    besd_study *s = open_study(path, NULL);
    const besd_study_options *o = besd_study_get_options(s);
    assert_int_equal(o->dimension, 2);
    assert_string_equal(o->names[0], "x");
    assert_string_equal(o->units[0], "m");
    assert_true(o->high[0] == 10 && o->low[1] == -1 && o->budget == 2000 && o->seed == 7);
    assert_int_equal(o->direction, BESD_MINIMIZE);
    assert_int_equal(o->transform, BESD_TRANSFORM_LOG);
    assert_int_equal(trial_count(s), 11);
    assert_int_equal(get_trial(s, 4).state, BESD_TRIAL_FAILED);
    assert_true(get_trial(s, 4).cost == 3);
    assert_ok(besd_study_get_trial_note(s, 4, note, sizeof note, &error), &error);
    assert_string_equal(note, "flat tyre");
    assert_ok(besd_study_scores(s, 6, scores, 4, &count, &error), &error);
    assert_int_equal(count, 2);
    assert_close(scores[0], 28.675, 1e-3);
    assert_ok(besd_study_recommend(s, &r, &error), &error);
    assert_int_equal(r.trials, 9);
    assert_close(r.value, 28.705, 1e-3);
    assert_close(r.theta[0], 6.47008, 1e-4);
    besd_trial pending = get_trial(s, 11);
    assert_int_equal(pending.state, BESD_TRIAL_ASKED);
    assert_int_equal(pending.reason, BESD_REASON_KG);
    double told[] = {40, 41};
    assert_ok(besd_study_tell(s, 11, told, 2, &error), &error);
    besd_trial t;
    assert_ok(besd_study_ask(s, &t, &error), &error);
    assert_int_equal(t.id, 12);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_schema)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
