#include "testing.h"

#include "figures/figure.h"
#include "figures/map.h"

#include <math.h>

static void test_every_kind_is_found_by_its_name(void **state) {
    const figure_kind *found;
    besd_error error;
    size_t count = 0;
    (void)state;
    for (; figure_kind_at(count); count++) {
        assert_ok(figure_find(figure_kind_at(count)->name, &found, &error), &error);
        assert_ptr_equal(found, figure_kind_at(count));
    }
    assert_int_equal(count, 12);
    assert_fails(figure_find("path", &found, &error), BESD_UNKNOWN, &error, "did you mean 'paths'");
    assert_fails(figure_find("zzzzzzzz", &found, &error), BESD_UNKNOWN, &error, "known are cost,");
}

/* The designs that are drawn when none is given fit their domains. */
static void test_every_domain_has_an_example(void **state) {
    (void)state;
    for (size_t i = 0; domain_name(i); i++) {
        domain d;
        besd_error error;
        assert_ok(domain_find(domain_name(i), &d, &error), &error);
        size_t each = d.kind == DOMAIN_GRID ? 2 : 1;
        assert_int_equal(d.example_length, each * (size_t)d.value[PARAMETER_SUBGOALS]);
    }
}

static void test_lattices(void **state) {
    const int expected[][3] = {{1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {4, 2, 2}, {5, 3, 2}, {6, 3, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        plot p = {0};
        figure_lattice(&p, expected[i][0], 100, 50);
        assert_int_equal(p.columns, expected[i][1]);
        assert_int_equal(p.rows, expected[i][2]);
        assert_close(p.height, 50 * expected[i][2], 0);
    }
}

static void test_what_a_map_has(void **state) {
    static const char kinds[] = {GRID_WALL, GRID_DOOR, GRID_KEY, GRID_TREASURE};
    static const struct {
        const char *name;
        bool has[4];
    } expected[] = {{"gw10", {true, false, false, false}},
                    {"tr", {true, false, false, true}},
                    {"key3", {true, true, true, false}},
                    {"mc", {false, false, false, false}}};
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        domain d;
        besd_error error;
        assert_ok(domain_find(expected[i].name, &d, &error), &error);
        for (int k = 0; k < 4; k++)
            assert_int_equal(map_has(&d, kinds[k]), expected[i].has[k]);
        assert_false(map_has_one_way(&d));
    }
}

static void test_a_map_with_one_way_cells(void **state) {
    static const char *const maps[] = {"S^G", "S>G", "SVG", "S<G"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        domain d;
        besd_error error;
        assert_ok(domain_find("gw10", &d, &error), &error);
        assert_ok(domain_set_map(&d, maps[i], &error), &error);
        assert_true(map_has_one_way(&d) && map_has(&d, maps[i][1]));
        assert_false(map_has(&d, GRID_WALL) || map_has(&d, maps[(i + 1) % 4][1]));
    }
}

/* Labels of the axis: the budget in four to six steps of two digits. */
static void test_cost_axes(void **state) {
    static const struct {
        double budget;
        const char *labels;
    } expected[] = {{150000, "0 30 60 90 120 150"},
                    {800000, "0 200 400 600 800"},
                    {25e6, "0 5 10 15 20 25"},
                    {70000, "0 14 28 42 56 70"}};
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char script[1000] = "", labels[200] = "";
        plot p = {.script = fmemopen(script, sizeof script, "w")};
        figure_cost_axis(&p, expected[i].budget);
        fclose(p.script);
        for (char *at = script; (at = strstr(at, "(\"")); at++)
            snprintf(labels + strlen(labels), sizeof labels - strlen(labels), "%s%.*s",
                     *labels ? " " : "", (int)strcspn(at + 2, "\""), at + 2);
        assert_string_equal(labels, expected[i].labels);
    }
}

/* Whatever a logarithmic axis spans, a few round numbers reach along all of it. */
static void test_logarithmic_axes(void **state) {
    static const double lows[] = {0.0123, 0.99, 1, 17, 128, 990, 31416};
    static const double ratios[] = {1.001, 1.03, 1.3, 1.9, 3.5, 6, 24, 700, 3e6};
    double ticks[FIGURE_MAX_TICKS];
    (void)state;
    for (size_t i = 0; i < sizeof lows / sizeof *lows; i++)
        for (size_t j = 0; j < sizeof ratios / sizeof *ratios; j++) {
            double low = lows[i], high = low * ratios[j], fifth = log(ratios[j]) / 5;
            int count = figure_log_ticks(low, high, ticks);
            assert_in_range(count, 4, 12);
            assert_true(ticks[0] >= low && log(ticks[0] / low) <= fifth);
            assert_true(ticks[count - 1] <= high && log(high / ticks[count - 1]) <= fifth);
            for (int k = 1; k < count; k++)
                assert_true(ticks[k] > ticks[k - 1]);
        }
    assert_int_equal(figure_log_ticks(125, 450, ticks), 5);
    assert_close(ticks[0], 150, 1e-9);
    assert_close(ticks[4], 400, 1e-9);
    assert_int_equal(figure_log_ticks(0, 1, ticks), 0);
    assert_int_equal(figure_log_ticks(2, 2, ticks), 0);
    assert_int_equal(figure_log_ticks(1, INFINITY, ticks), 0);
}

/* No two methods of the paper look alike, in colour or in grey, and besd comes last: on top. */
static void test_methods_can_be_told_apart(void **state) {
    static const char *const names[] = {"besd",      "ei",     "ei-paper", "lcb",
                                        "hyperband", "random", "ql",       "tql"};
    (void)state;
    for (size_t i = 0; i < 8; i++)
        for (size_t j = 0; j < i; j++) {
            const method_look *a = method_look_of(names[i]), *b = method_look_of(names[j]);
            assert_string_not_equal(a->colour, b->colour);
            assert_string_not_equal(a->dash, b->dash);
            assert_true(a < method_look_of("besd"));
        }
    assert_ptr_equal(method_look_of("besd:tau=max"), method_look_of("mine"));
}

static void test_marks_and_titles(void **state) {
    char text[10], little[3];
    (void)state;
    assert_string_equal(figure_domain_title("gw10", text, sizeof text), "GW10");
    assert_string_equal(figure_domain_title("gw10", little, sizeof little), "GW");
    assert_int_equal(map_subgoal_mark(3), map_subgoal_mark(7));
    assert_int_not_equal(map_subgoal_mark(0), map_subgoal_mark(1));
}

/* Titles of one's own are cut after a word; built-in domains have their names. */
static void test_titles_of_own_grids(void **state) {
    char text[FIGURE_TITLE_SIZE];
    domain d;
    besd_error error;
    (void)state;
    assert_ok(domain_find("gw10", &d, &error), &error);
    assert_string_equal(figure_title(&d, 30, text, sizeof text), "GW10");
    d.built_in = false;
    snprintf(d.title, sizeof d.title, "a hall with one door");
    assert_string_equal(figure_title(&d, 20, text, sizeof text), "a hall with one door");
    assert_string_equal(figure_title(&d, 19, text, sizeof text), "a hall with one…");
    assert_string_equal(figure_title(&d, 1, text, sizeof text), "a…");
    assert_string_equal(figure_title(&d, 0, text, sizeof text), "GW10");
    d.title[0] = 0;
    assert_string_equal(figure_title(&d, 19, text, sizeof text), "GW10");
}

/* The longer side has the pixels that were asked for, and a margin of one size is all around. */
static void test_maps_have_square_cells(void **state) {
    domain d;
    besd_error error;
    double width, height;
    (void)state;
    assert_ok(domain_find("gw10", &d, &error), &error);
    map_fit(&d, 107, &width, &height);
    assert_close(width, 107, 1e-9);
    assert_close(height, 107, 1e-9);
    d.map.height = 4;
    map_fit(&d, 107, &width, &height);
    assert_close(width, 107, 1e-9);
    assert_close(height, 47, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_is_found_by_its_name),
        cmocka_unit_test(test_every_domain_has_an_example),
        cmocka_unit_test(test_lattices),
        cmocka_unit_test(test_what_a_map_has),
        cmocka_unit_test(test_a_map_with_one_way_cells),
        cmocka_unit_test(test_cost_axes),
        cmocka_unit_test(test_logarithmic_axes),
        cmocka_unit_test(test_methods_can_be_told_apart),
        cmocka_unit_test(test_marks_and_titles),
        cmocka_unit_test(test_titles_of_own_grids),
        cmocka_unit_test(test_maps_have_square_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
