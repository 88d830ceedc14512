#include "fixture.h"

#include "world/reach_options.h"

#include <string.h>

static const besd_env_spec robot = {.position = 2, .subgoal_high = {0.8, 0.6}};
static const besd_env_spec rail = {.position = 1, .subgoal_high = {3}};

/* Sets the words of a text one after the other, as one speaker. */
static besd_status say(reach_options *r, const char *words, besd_error *error) {
    char text[REACH_OPTIONS_TEXT_SIZE], *rest = text, *word;
    besd_status status = BESD_OK;
    snprintf(text, sizeof text, "%s", words);
    while (status == BESD_OK && (word = strsep(&rest, " ")) != NULL) {
        char *value = strchr(word, '=');
        *value++ = 0;
        status = reach_options_set(r, word, value, error);
    }
    return status;
}

/* What is left of these words, for an environment that says `plain`. */
static void expect(besd_env_reach plain, const char *words, const char *text) {
    reach_options r;
    char written[REACH_OPTIONS_TEXT_SIZE];
    besd_error error = {BESD_OK, ""};
    reach_options_init(&r, plain);
    assert_ok(say(&r, words, &error), &error);
    reach_options_text(&r, written, sizeof written);
    assert_string_equal(written, text);
    reach_options_listen(&r);
    assert_ok(say(&r, written, &error), &error); /* and it can be read back */
    reach_options_text(&r, written, sizeof written);
    assert_string_equal(written, text);
}

static void test_what_is_said(void **state) {
    (void)state;
    expect(BESD_REACH_CELL, "reach=cell", "reach=cell cell_size=1");
    expect(BESD_REACH_CELL, "reach=radius radius=0.5", "reach=radius radius=0.5");
    expect(BESD_REACH_CELL, "radius=0.5 reach=radius", "reach=radius radius=0.5");
    expect(BESD_REACH_CELL, "RADIUS=0.5", "reach=radius radius=0.5");
    expect(BESD_REACH_CROSS, "cell_size=0.5", "reach=cell cell_size=0.5");
    expect(BESD_REACH_CROSS, "origin=0.25,-1", "reach=cell cell_size=1 origin=0.25,-1");
    expect(BESD_REACH_CELL, "cell_size=2 origin=0.5", "reach=cell cell_size=2 origin=0.5");
    expect(BESD_REACH_CELL, "radius=0.5 radius=0.25", "reach=radius radius=0.25");
    expect(BESD_REACH_CELL, "reach=radius reach=cross", "reach=cross");
}

static void test_another_speaker(void **state) {
    (void)state;
    reach_options r;
    besd_error error = {BESD_OK, ""};
    reach_options_init(&r, BESD_REACH_CELL);
    assert_true(reach_options_is_plain(&r));
    assert_ok(say(&r, "cell_size=0.5 origin=0.25", &error), &error);
    assert_false(reach_options_is_plain(&r));
    assert_fails(say(&r, "radius=1", &error), BESD_INVALID, &error, "say one of the two");
    reach_options_listen(&r);
    assert_ok(say(&r, "radius=1", &error), &error);
    assert_true(r.how.reach == BESD_REACH_RADIUS && r.how.cell_size == 0 && r.how.origin[1] == 0);
    reach_options_listen(&r);
    assert_ok(say(&r, "reach=cell", &error), &error);
    assert_true(reach_options_is_plain(&r) && r.how.cell_size == 1 && r.how.radius == 0);
}

static void test_what_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *words, *sentence;
    } wrong[] = {
        {"reach=cel", "reach: expected cell, cross or radius, got 'cel'; did you mean 'cell'?"},
        {"reach=everywhere", "reach: expected cell, cross or radius, got 'everywhere'"},
        {"radius=0", "radius: expected a number above 0, in the units of positions, got '0'"},
        {"radius=-1", "got '-1'"},
        {"radius=nan", "got 'nan'"},
        {"radius=inf", "got 'inf'"},
        {"radius=1m", "got '1m'"},
        {"radius=", "got ''"},
        {"cell_size=0", "cell_size: expected a number above 0"},
        {"cell_size=nan", "cell_size: expected a number above 0"},
        {"origin=", "origin: expected a number for every coordinate"},
        {"origin=1,,2", "origin: expected a number for every coordinate"},
        {"origin=1,inf", "origin: expected a number for every coordinate"},
        {"origin=1,2,3,4,5,6,7,8,9", "origin: expected a number for every coordinate"},
        {"cell_size=1 radius=1", "radius: cell_size goes with reach=cell"},
        {"origin=1 radius=1", "radius: origin goes with reach=cell"},
        {"radius=1 cell_size=1", "cell_size: radius goes with reach=radius"},
        {"reach=cross radius=1", "radius: it goes with reach=radius, but reach is cross"},
        {"reach=radius origin=1", "origin: it goes with reach=cell, but reach is radius"},
        {"cell_size=1 reach=cross", "reach: cell_size goes with reach=cell"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        reach_options r;
        besd_error error = {BESD_OK, ""};
        reach_options_init(&r, BESD_REACH_CELL);
        assert_fails(say(&r, wrong[i].words, &error), BESD_INVALID, &error, wrong[i].sentence);
    }
    reach_options r;
    besd_error error = {BESD_OK, ""};
    reach_options_init(&r, BESD_REACH_CELL);
    assert_int_equal(reach_options_set(&r, "wind", "0", &error), BESD_UNKNOWN);
}

static void fits(const char *words, const besd_env_spec *spec, const char *sentence) {
    reach_options r;
    besd_error error = {BESD_OK, ""};
    reach_options_init(&r, BESD_REACH_CELL);
    assert_ok(say(&r, words, &error), &error);
    if (sentence)
        assert_fails(reach_options_check(&r, spec, &error), BESD_INVALID, &error, sentence);
    else
        assert_ok(reach_options_check(&r, spec, &error), &error);
}

static void test_the_box(void **state) {
    (void)state;
    fits("reach=cell", &robot, NULL); /* larger than the box, but said by nobody */
    fits("radius=0.8", &robot, NULL);
    fits("radius=0.81", &robot, "at most the longest side of the box of subgoals, 0.8, got 0.81");
    fits("cell_size=0.8", &robot, NULL);
    fits("cell_size=2", &robot, "cell_size: expected at most the longest side");
    fits("reach=radius", &robot, "radius: expected a number above 0 with reach=radius, got none");
    fits("reach=cross", &rail, NULL);
    fits("reach=cross", &robot,
         "subgoals are crossed on positions of one number, and these have 2");
    fits("origin=0.1", &robot, NULL);
    fits("origin=0.1,0.2", &robot, NULL);
    fits("origin=0.1,0.2,0.3", &robot, "origin: expected 2 numbers, as a position has, or one");
    fits("origin=0.1,0.2", &rail, "origin: expected 1 numbers");
}

static void test_what_environments_tell(void **state) {
    (void)state;
    reach_options r;
    besd_error error = {BESD_OK, ""};
    reach_options_init(&r, BESD_REACH_CELL);
    assert_ok(reach_options_take(&r, &(besd_env_reaching){.cell_size = 0}, &robot, &error), &error);
    assert_true(reach_options_is_plain(&r));
    assert_ok(reach_options_take(&r, &(besd_env_reaching){.cell_size = 0.1, .origin = {0, 0.05}},
                                 &robot, &error),
              &error);
    assert_true(r.how.cell_size == 0.1 && r.how.origin[1] == 0.05);
    static const struct {
        besd_env_reaching told;
        const char *sentence;
    } wrong[] = {
        {{.reach = (besd_env_reach)3}, "reach: expected 0 to 2, got 3"},
        {{.reach = (besd_env_reach)-1}, "reach: expected 0 to 2, got -1"},
        {{.reach = BESD_REACH_RADIUS}, "radius: expected a number above 0, got 0"},
        {{.reach = BESD_REACH_RADIUS, .radius = NAN}, "radius: expected a number above 0, got nan"},
        {{.reach = BESD_REACH_RADIUS, .radius = 9}, "radius: expected at most the longest side"},
        {{.reach = BESD_REACH_RADIUS, .radius = 0.1, .cell_size = 0.1}, "cell_size: expected 0"},
        {{.reach = BESD_REACH_RADIUS, .radius = 0.1, .origin = {0, 1}}, "origin: expected 0"},
        {{.radius = 0.1}, "radius: expected 0, for its reach is cell"},
        {{.cell_size = -1}, "cell_size: expected a number above 0, got -1"},
        {{.cell_size = NAN}, "cell_size: expected a number above 0, got nan"},
        {{.cell_size = 3}, "cell_size: expected at most the longest side"},
        {{.origin = {0, INFINITY}}, "origin[1]: expected a finite number, got inf"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(reach_options_take(&r, &wrong[i].told, &robot, &error), BESD_INVALID, &error,
                     wrong[i].sentence);
}

static void test_cubes(void **state) {
    (void)state;
    assert_true(reach_options_cell(&(besd_env_reaching){.cell_size = 0.3}, 2) == 0.3);
    assert_true(reach_options_cell(&(besd_env_reaching){.reach = BESD_REACH_CROSS}, 1) == 0);
    const besd_env_reaching ball = {.reach = BESD_REACH_RADIUS, .radius = 0.5};
    assert_true(reach_options_cell(&ball, 1) == 1);
    assert_close(reach_options_cell(&ball, 2), sqrt(0.5), 1e-15);
    assert_close(reach_options_cell(&ball, 4), 0.5, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_said),           cmocka_unit_test(test_another_speaker),
        cmocka_unit_test(test_what_is_refused),        cmocka_unit_test(test_the_box),
        cmocka_unit_test(test_what_environments_tell), cmocka_unit_test(test_cubes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
