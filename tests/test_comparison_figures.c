/* Which figures the paper's comparison has: those of its runs and one of a study, and nothing that
 * an older comparison has left in the folder. */
#include "study_fixture.h"

#include "figures/comparison_figures.h"
#include "results_fixture.h"

#include <unistd.h>

/* gw10 and tr with besd, ql and random. */
static findings found;
static besd_error error;

static int set_up(void **state) {
    found.table = fixture_table();
    return summary_make(&found.table, &found.summary, &error) == BESD_OK &&
                   table1_make(&found.summary, &found.table1, &error) == BESD_OK
               ? make_folder(state)
               : -1;
}

static int tear_down(void **state) {
    findings_free(&found);
    return remove_folder(state);
}

static bool has(const char *kind, const char *ending) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s.%s", folder, kind, ending);
    return access(path, R_OK) == 0;
}

static void leave(const char *name) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
}

/* Without gnuplot scripts are written all the same, and the sentence says what lacks. */
static void draw(void) {
    besd_status status = comparison_figures_draw(&found, folder, &error);
    if (status == BESD_UNSUPPORTED)
        assert_non_null(strstr(error.message, "gnuplot"));
    else
        assert_ok(status, &error);
}

static void check_runs(void) {
    static const char *const kinds[] = {"cost", "paths", "levers", "surface", "values"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!has(kinds[i], "gp"))
            fail_msg("%s: there is no such figure", kinds[i]);
}

/* As `besd paper` does it: the example of a study has a fixed number of subgoals, and no figure of
 * it fails for that. */
static void test_with_a_study(void **state) {
    (void)state;
    leave("number.gp");
    leave("legs.svg");
    draw();
    check_runs();
    assert_true(has("slices", "gp"));
    assert_false(has("number", "gp"));
    assert_false(has("legs", "svg"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_a_study),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
