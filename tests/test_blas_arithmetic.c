/* What the bytes of a study depend on: named, kept, and told when it is another. */
#include "study_fixture.h"

#include "study_file.h"

#include "model/blas.h"

static besd_error error;

static void test_named(void **state) {
    (void)state;
    char first[80];
    assert_ok(arithmetic_name(first, sizeof first, &error), &error);
    assert_non_null(strstr(first, "OpenBLAS "));
    assert_true(strlen(first) > strlen("OpenBLAS "));
    assert_string_equal(besd_arithmetic(), first);
}

/* A study keeps what it was begun with, whatever machine looks at it. */
static void test_kept(void **state) {
    (void)state;
    char path[PATH_SIZE], text[80];
    besd_study_options o = small_options(1, 1);
    besd_study *s = open_study(new_path(path), &o);
    assert_ok(besd_study_arithmetic(s, text, sizeof text, &error), &error);
    assert_string_equal(text, besd_arithmetic());
    besd_study_close(s);
    sql(path, "UPDATE text SET value = 'OpenBLAS Z80' WHERE key = 'arithmetic'");
    s = open_study(path, &o);
    ask(s);
    assert_ok(besd_study_arithmetic(s, text, sizeof text, &error), &error);
    assert_string_equal(text, "OpenBLAS Z80");
    besd_study_close(s);
    sql(path, "DELETE FROM text WHERE key = 'arithmetic'"); /* older than that */
    s = open_study(path, NULL);
    assert_ok(besd_study_arithmetic(s, text, sizeof text, &error), &error);
    assert_string_equal(text, "");
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_named), cmocka_unit_test(test_kept)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
