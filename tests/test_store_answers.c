/* Acts that were named by a key. */
#include "acts_fixture.h"

#include "study/study.h"

static besd_error error;

static kept_answer find(besd_study *s, const char *key, const char *digest) {
    kept_answer a;
    assert_ok(study_find_answer(s, key, digest, &a, &error), &error);
    free(a.text);
    return a;
}

static void test_keys(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = small_options(2, 7);
    besd_study *s = open_study(new_path(path), &o);
    assert_false(find(s, "one", "d").is_known); /* there is no table yet */
    study_name_asks(s, "one", "d");
    besd_trial t = ask(s);
    study_name_asks(s, NULL, NULL);
    kept_answer a = find(s, "one", "d");
    assert_true(a.is_known && !a.is_another);
    assert_int_equal(a.code, 200);
    assert_int_equal(a.trial, t.id);
    assert_true(find(s, "one", "other").is_another);
    ask(s); /* without a name */
    assert_int_equal(find(s, "one", "d").trial, t.id);
    a = (kept_answer){.code = 201, .text = "{}"};
    assert_ok(study_keep_answer(s, "two", "d", &a, &error), &error);
    assert_int_equal(study_keep_answer(s, "two", "d", &a, &error), BESD_IO); /* once */
    besd_study_close(s);
    s = open_study(path, NULL); /* a file with keys is a study */
    assert_true(find(s, "two", "d").is_known);
    sql(path, "UPDATE answer SET at = at - 86401");
    assert_false(find(s, "two", "d").is_known);
    assert_ok(study_keep_answer(s, "two", "d", &a, &error), &error);
    sql(path, "UPDATE answer SET at = at + 90000"); /* the clock was set back since */
    assert_false(find(s, "two", "d").is_known);
    assert_ok(study_keep_answer(s, "two", "d", &a, &error), &error);
    assert_false(find(s, "one", "d").is_known);
    sql(path, "UPDATE answer SET code = 7");
    kept_answer damaged;
    assert_int_equal(study_find_answer(s, "two", "d", &damaged, &error), BESD_IO);
    free(damaged.text);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
