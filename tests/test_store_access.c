/* Who may read a study's file can read it, who may not write it is told. */
#include "study_fixture.h"

#include <sys/stat.h>

static besd_error error;

/* A study in a folder where nobody writes can be read. The superuser may write everywhere, so the
 * test becomes nobody for a while. */
static void test_archive(void **state) {
    (void)state;
    char place[PATH_SIZE], path[PATH_SIZE + 16];
    besd_study_options o = small_options(1, 0);
    besd_recommendation before, r;
    besd_trial t;
    assert_int_equal(mkdir(new_path(place), 0777), 0);
    snprintf(path, sizeof path, "%s/100%%?#a.besd", place);
    besd_study *s = open_study(path, &o);
    run_trials(s, 12, NULL);
    assert_ok(besd_study_recommend(s, &before, &error), &error);
    besd_study_close(s);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(chmod(place, 0555), 0);
    if (geteuid() == 0 && seteuid(65534) != 0)
        skip();
    besd_status status = besd_study_open(&s, path, NULL, &error);
    if (status == BESD_OK) {
        status = besd_study_recommend(s, &r, &error);
        if (status == BESD_OK)
            status = besd_study_ask(s, NULL, &t, &error);
        besd_study_close(s);
    }
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(place, 0777), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(place), 0);
    assert_fails(status, BESD_IO, &error, "cannot be written");
    assert_memory_equal(&r, &before, sizeof r);
}

/* A link in such a folder leads to a study that is no archive. */
static void test_link(void **state) {
    (void)state;
    char path[PATH_SIZE], place[PATH_SIZE], link[PATH_SIZE + 16];
    besd_study_options o = small_options(1, 0);
    besd_trial t;
    besd_study *s = open_study(new_path(path), &o);
    besd_study_close(s);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(mkdir(new_path(place), 0777), 0);
    snprintf(link, sizeof link, "%s/link.besd", place);
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(chmod(place, 0555), 0);
    if (geteuid() == 0 && seteuid(65534) != 0)
        skip();
    besd_status status = besd_study_open(&s, link, NULL, &error);
    if (status == BESD_OK) {
        status = besd_study_ask(s, NULL, &t, &error);
        besd_study_close(s);
    }
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(place, 0777), 0);
    assert_ok(status, &error);
}

/* The superuser may write everything, so the test becomes nobody for a while. */
static void test_read_only(void **state) {
    (void)state;
    char path[PATH_SIZE], place[PATH_SIZE], inside[PATH_SIZE + 16];
    besd_study_options o = small_options(1, 0);
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 2, NULL);
    ask(s);
    besd_study_close(s);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(mkdir(new_path(place), 0555), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    if (geteuid() == 0 && seteuid(65534) != 0)
        skip();
    besd_trial t;
    double scores[] = {1, 2};
    besd_status status = besd_study_open(&s, path, NULL, &error);
    if (status == BESD_OK) { /* readers are welcome, writers are told */
        status = besd_study_trial(s, 2, &t, &error);
        if (status == BESD_OK)
            status = besd_study_ask(s, NULL, &t, &error);
        if (status == BESD_IO)
            status = besd_study_tell(s, 3, &(besd_outcome){.scores = scores, .count = 2}, &error);
        besd_study_close(s);
    }
    besd_error folder_error;
    snprintf(inside, sizeof inside, "%s/study.db", place);
    besd_status folder_status = besd_study_open(&s, inside, &o, &folder_error);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, BESD_IO);
    assert_non_null(strstr(error.message, path));
    assert_non_null(strstr(error.message, "cannot be written"));
    assert_int_equal(folder_status, BESD_IO);
    assert_non_null(strstr(folder_error.message, inside));
    if (!strstr(folder_error.message, "ermission denied"))
        fail_msg("expected that permission is denied, got '%s'", folder_error.message);
    s = open_study(path, NULL);
    assert_int_equal(trial_count(s), 3);
    assert_int_equal(get_trial(s, 3).state, BESD_TRIAL_ASKED);
    besd_study_close(s);
}

/* The file goes while the study is open: every call says so, and nothing passes for told. */
static void test_vanished(void **state) {
    (void)state;
    char path[PATH_SIZE], aside[PATH_SIZE + 8];
    besd_study_options o = small_options(1, 0);
    besd_recommendation r;
    besd_trial t;
    int64_t count = 0;
    double scores[] = {1, 2, 3, 4}, cost;
    const char *const sentence = "the file was removed or moved away while it was in use";
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 2, NULL);
    besd_trial asked = ask(s);
    snprintf(aside, sizeof aside, "%s.aside", path);
    assert_int_equal(rename(path, aside), 0);
    assert_fails(besd_study_tell(s, asked.id,
                                 &(besd_outcome){.scores = scores, .count = (size_t)asked.reps},
                                 &error),
                 BESD_IO, &error, sentence);
    assert_non_null(strstr(error.message, path));
    assert_fails(besd_study_ask(s, NULL, &t, &error), BESD_IO, &error, sentence);
    assert_fails(besd_study_fail(s, asked.id, NULL, NULL, &error), BESD_IO, &error, sentence);
    assert_fails(besd_study_set_note(s, "robot", "red", &error), BESD_IO, &error, sentence);
    assert_fails(besd_study_recommend(s, &r, &error), BESD_IO, &error, sentence);
    assert_fails(besd_study_trial_count(s, &count, &error), BESD_IO, &error, sentence);
    assert_fails(besd_study_spent(s, &cost, &error), BESD_IO, &error, sentence);
    assert_int_equal(rename(aside, path), 0); /* back again: nothing was lost */
    assert_ok(besd_study_tell(s, asked.id,
                              &(besd_outcome){.scores = scores, .count = (size_t)asked.reps},
                              &error),
              &error);
    besd_study_close(s);
    s = open_study(path, NULL);
    assert_int_equal(get_trial(s, asked.id).state, BESD_TRIAL_TOLD);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_archive),
        cmocka_unit_test(test_link),
        cmocka_unit_test(test_read_only),
        cmocka_unit_test(test_vanished),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
