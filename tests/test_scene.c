/* Pictures are checked where a mistake would mislead: what stands in which cell, what is hidden
 * behind what, whether a browser can read the file. That they are beautiful was checked by eye. */
#include "testing.h"

#include "draw/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stage {
    domain domain;
    besd_env *env;
} stage;

/* A grid of this map, or a built-in domain when map is NULL, in the instance of seed 1. */
static stage *stage_open(const char *name, const char *map) {
    besd_error error;
    stage *s = malloc(sizeof *s);
    assert_non_null(s);
    assert_ok(domain_find(name, &s->domain, &error), &error);
    if (map)
        assert_ok(domain_set_map(&s->domain, map, &error), &error);
    assert_ok(domain_open(&s->domain, &s->env, &error), &error);
    assert_ok(s->domain.methods->instance(s->env, 1, &error), &error);
    return s;
}

static void stage_close(stage *s) {
    s->domain.methods->destroy(s->env);
    free(s);
}

/* What was written to a file, which is closed. */
static char *take_text(FILE *file) {
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    char *text = malloc(size + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, size, file), size);
    text[size] = 0;
    fclose(file);
    return text;
}

static char *print_in(const scene *s, bool colour, bool utf8) {
    FILE *file = tmpfile();
    assert_non_null(file);
    scene_print(file, s, colour, utf8);
    return take_text(file);
}

static char *print_to_text(const scene *s, bool colour) {
    return print_in(s, colour, true);
}

static char *svg_to_text(const scene *s, const char *title) {
    besd_error error;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_ok(scene_svg(file, s, title, &error), &error);
    return take_text(file);
}

/* How many characters (not bytes) a UTF-8 text has before `end`. */
static int characters(const char *text, const char *end) {
    int count = 0;
    for (; text < end; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static const char small_map[] = "...G\n.##D\nSK.T\n";

/* Golden: a map with one of everything, read and found right by a person. It fixes the direction
 * of y, the order of importance in a cell, that the last visit wins and that bumps leave no trace.
 */
static void test_small_map(void **state) {
    (void)state;
    stage *on = stage_open("gw10", small_map);
    const double theta[] = {1.5, 1.5, 2.2, 0.9};
    const double path[] = {0.5, 0.5, 0.5, 1.5, 0.5, 1.5, 0.5, 0.5, 0.5, 0.5, 1.5,
                           0.5, 2.5, 0.5, 3.5, 0.5, 3.5, 0.5, 3.5, 1.5, 3.5, 2.5};
    scene s = {&on->domain, on->env, theta, 2, path, sizeof path / sizeof *path / 2};
    char *text = print_to_text(&s, false);
    assert_string_equal(text, "    ┌────────┐\n"
                              "  2 │· · · G │\n"
                              "  1 │↓ 1███▒↑│\n"
                              "  0 │S→K→2→T↑│\n"
                              "    └────────┘\n"
                              "     0 1 2 3\n"
                              "    S start  G goal  █ wall  ▒ closed door  K key  T treasure"
                              "  subgoals 1 (1.5, 1.5)  2 (2.2, 0.9)  → path\n");
    free(text);
    stage_close(on);
}

/* The same map where the terminal has ASCII alone. */
static void test_small_map_in_ascii(void **state) {
    (void)state;
    stage *on = stage_open("gw10", small_map);
    const double theta[] = {1.5, 1.5, 2.2, 0.9};
    const double path[] = {0.5, 0.5, 0.5, 1.5, 0.5, 0.5, 1.5, 0.5, 2.5, 0.5, 2.5, 0.5, 1.5, 0.5};
    scene s = {&on->domain, on->env, theta, 2, path, sizeof path / sizeof *path / 2};
    char *text = print_in(&s, false, false);
    assert_string_equal(text, "    +--------+\n"
                              "  2 |. . . G |\n"
                              "  1 |d 1###%%|\n"
                              "  0 |SrKo2lT |\n"
                              "    +--------+\n"
                              "     0 1 2 3\n"
                              "    S start  G goal  # wall  % closed door  K key  T treasure"
                              "  subgoals 1 (1.5, 1.5)  2 (2.2, 0.9)  r path  o its end\n");
    free(text);
    stage_close(on);
    on = stage_open("mc", NULL);
    const double places[] = {-0.5, 0.1}, way[] = {-0.5, -0.4, -0.6, 0.6};
    scene car = {&on->domain, on->env, places, 2, way, 4};
    text = print_in(&car, false, false);
    for (const char *at = text; *at; at++)
        assert_true(!((unsigned char)*at & 0x80));
    assert_non_null(strstr(text, "###"));
    free(text);
    stage_close(on);
}

/* A legend that explains what is not there sends the reader on a search. */
static void test_legend_names_only_what_occurs(void **state) {
    (void)state;
    stage *on = stage_open("gw10", "SG\n");
    scene s = {.domain = &on->domain, .env = on->env};
    char *text = print_to_text(&s, false);
    assert_string_equal(text, "    ┌────┐\n"
                              "  0 │S G │\n"
                              "    └────┘\n"
                              "     0 1\n"
                              "    S start  G goal\n");
    free(text);
    stage_close(on);
}

/* An episode that was cut off must not look as if it had arrived. */
static void test_path_without_goal_shows_its_end(void **state) {
    (void)state;
    stage *on = stage_open("gw10", "S.G\n");
    const double path[] = {0.5, 0.5, 1.5, 0.5, 0.5, 0.5, 1.5, 0.5};
    scene s = {&on->domain, on->env, NULL, 0, path, 4};
    char *text = print_to_text(&s, false);
    assert_non_null(strstr(text, "│S→● G │"));
    assert_non_null(strstr(text, "● its end"));
    free(text);
    stage_close(on);
}

/* The box of subgoals is closed above: x = N belongs to cell N - 1, as in learn/subgoals. */
static void test_upper_border_belongs_to_the_last_cell(void **state) {
    (void)state;
    stage *on = stage_open("gw10", small_map);
    const double theta[] = {4, 3, 4, 0.5, 0, 3};
    scene s = {&on->domain, on->env, theta, 3, NULL, 0};
    char *text = print_to_text(&s, false);
    assert_non_null(strstr(text, "  2 │3 · · 1G│\n"));
    assert_non_null(strstr(text, "  0 │S K · 2T│\n"));
    free(text);
    stage_close(on);
}

/* Subgoals in one cell are the sign of a collapsed design: the picture has to show them. */
static void test_subgoals_in_one_cell(void **state) {
    (void)state;
    stage *on = stage_open("gw10", small_map);
    const double theta[] = {0.2, 2.2, 0.8, 2.8, 2.5, 0.5, 2.1, 0.1, 2.9, 0.9};
    scene s = {&on->domain, on->env, theta, 2, NULL, 0};
    char *pair = print_to_text(&s, false);
    assert_non_null(strstr(pair, "  2 │12· · G │\n"));
    assert_null(strchr(pair, '+'));
    s.subgoals = 5;
    char *crowd = print_to_text(&s, false);
    assert_non_null(strstr(crowd, "  0 │S K 3+T │\n"));
    assert_non_null(strstr(crowd, "+ more in this cell"));
    assert_non_null(strstr(crowd, "5 (2.9, 0.9)"));
    free(pair);
    free(crowd);
    stage_close(on);
}

/* Colour changes nothing but colour: a log of plain text has no escapes, and the coloured text
 * without its escapes is the plain one. */
static void test_colour_only_adds_escapes(void **state) {
    (void)state;
    const char *const names[] = {"key3", "tr", "mc"};
    for (int i = 0; i < 3; i++) {
        stage *on = stage_open(names[i], NULL);
        const double theta[] = {-0.9, 0.1, 0.2, 0.5}, path[] = {0.5, 0.5, 0.5, 0.5};
        scene s = {&on->domain, on->env, theta, 2, path, 2};
        char *plain = print_to_text(&s, false), *coloured = print_to_text(&s, true);
        assert_null(strchr(plain, '\033'));
        assert_non_null(strchr(coloured, '\033'));
        char *to = coloured;
        for (const char *from = coloured; *from; from++)
            if (*from == '\033')
                from = strchr(from, 'm');
            else
                *to++ = *from;
        *to = 0;
        assert_string_equal(coloured, plain);
        free(plain);
        free(coloured);
        stage_close(on);
    }
}

/* A tiny check of XML: tags nest, attributes are quoted, & starts a reference, one root. */
static bool well_formed(const char *p) {
    char open[32][16];
    int depth = 0, roots = 0;
    while (*p) {
        if (*p == '&' && (strspn(p + 1, "#0123456789abcdefghijklmnopqrstuvwxyz") == 0 ||
                          p[1 + strspn(p + 1, "#0123456789abcdefghijklmnopqrstuvwxyz")] != ';'))
            return false;
        if (*p == '>')
            return false;
        if (*p++ != '<')
            continue;
        bool closing = *p == '/';
        p += closing;
        size_t length = strspn(p, "abcdefghijklmnopqrstuvwxyz");
        if (length == 0 || length >= sizeof open[0] || depth == 32)
            return false;
        if (closing) {
            if (depth-- == 0 || strlen(open[depth]) != length ||
                strncmp(open[depth], p, length) != 0)
                return false;
        } else {
            roots += depth == 0;
            memcpy(open[depth], p, length);
            open[depth++][length] = 0;
        }
        for (p += length; *p != '>' && strncmp(p, "/>", 2) != 0; p++) {
            if (*p == '"' && !(p = strchr(p + 1, '"')))
                return false;
            if (!*p || *p == '<' || (*p == '=' && p[1] != '"'))
                return false;
        }
        depth -= *p == '/';
        p += *p == '/' ? 2 : 1;
    }
    return depth == 0 && roots == 1;
}

/* The checker itself has to see the mistakes that it is there for. */
static void test_well_formed_can_say_no(void **state) {
    (void)state;
    assert_true(well_formed("<a b=\"1\"><c/>x &#38; y<d>z</d></a>\n"));
    assert_false(well_formed("<a><b></a></b>"));
    assert_false(well_formed("<a><b></a>"));
    assert_false(well_formed("<a/><b/>"));
    assert_false(well_formed("<a>x & y</a>"));
    assert_false(well_formed("<a>1 < 2</a>"));
    assert_false(well_formed("<a b=1/>"));
}

/* A browser refuses an SVG that is not XML; a title comes from outside and may hold anything. */
static void test_svg_is_well_formed_and_escaped(void **state) {
    (void)state;
    const char *const names[] = {"gw10", "gw20", "tr", "key3", "mc"};
    for (int i = 0; i < 5; i++) {
        stage *on = stage_open(names[i], NULL);
        const double theta[] = {0.1, 0.5, -0.9, 0.3}, path[] = {0.5, 0.4, 0.3, 0.2, 0.1, 1.2};
        scene s = {&on->domain, on->env, theta, 2, path, 3};
        char *svg = svg_to_text(&s, "a < b && \"c\" > <script>\n");
        assert_true(well_formed(svg));
        assert_null(strstr(svg, "<script"));
        assert_non_null(
            strstr(svg, "<title>a &lt; b &amp;&amp; &quot;c&quot; &gt; &lt;script&gt; </"));
        assert_non_null(strstr(svg, "viewBox"));
        free(svg);
        stage_close(on);
    }
}

/* Arrows of cells stand before those of the way, and the SVG has the same. */
static void test_one_way_cells(void **state) {
    (void)state;
    stage *on = stage_open("gw10", "<^G\nS>V\n");
    const double path[] = {0.5, 0.5, 1.5, 0.5, 1.5, 1.5, 2.5, 1.5};
    scene s = {&on->domain, on->env, NULL, 0, path, 4};
    char *text = print_to_text(&s, false);
    assert_string_equal(text,
                        "    ┌──────┐\n"
                        "  1 │< ^→G │\n"
                        "  0 │S→>↑V │\n"
                        "    └──────┘\n"
                        "     0 1 2\n"
                        "    S start  G goal  ^ entered upwards only  > entered to the right "
                        "only  V entered downwards only  < entered to the left only  → path\n");
    free(text);
    text = svg_to_text(&s, "arrows");
    assert_true(well_formed(text));
    static const char *const signs[] = {"translate(92 60) rotate(0)", "translate(92 92) rotate(90)",
                                        "translate(124 92) rotate(180)",
                                        "translate(60 60) rotate(270)",
                                        "entered downwards only</text>"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        assert_non_null(strstr(text, signs[i]));
    free(text);
    stage_close(on);
}

/* Where marker `index` was put; numbered markers come before those of the legend. */
static void marker_at(const char *svg, int index, double *x, double *y) {
    const char *p = svg;
    for (int i = 0; i <= index; i++) {
        p = strstr(p, "<g transform=\"translate(");
        assert_non_null(p);
        p += strlen("<g transform=\"translate(");
    }
    assert_int_equal(sscanf(p, "%lf %lf", x, y), 2);
}

/* A marker stands at the exact point, not at its cell: the page is an affine image of the map
 * with y turned over, so three points fix where the fourth must be. */
static void test_svg_markers_are_exact(void **state) {
    (void)state;
    stage *on = stage_open("gw10", small_map);
    const double theta[] = {0, 0, 4, 0, 0, 3, 1.25, 2.6};
    scene s = {&on->domain, on->env, theta, 4, NULL, 0};
    double x[4], y[4];
    char *svg = svg_to_text(&s, "markers");
    for (int k = 0; k < 4; k++)
        marker_at(svg, k, &x[k], &y[k]);
    assert_true(x[1] > x[0] && y[2] < y[0]);
    assert_close((x[1] - x[0]) / 4, (y[0] - y[2]) / 3, 1e-9);  /* cells are square */
    assert_close(x[3], x[0] + (x[1] - x[0]) * 1.25 / 4, 0.01); /* written to 2 digits */
    assert_close(y[3], y[0] + (y[2] - y[0]) * 2.6 / 3, 0.01);
    free(svg);
    stage_close(on);
}

/* The largest map has 16384 cells; every row is drawn to its full width. */
static void test_largest_map(void **state) {
    (void)state;
    enum { SIDE = GRID_MAX_SIDE };
    char map[SIDE * (SIDE + 1) + 1], *end = map;
    double path[4 * SIDE];
    for (int y = 0; y < SIDE; y++, *end++ = '\n')
        for (int x = 0; x < SIDE; x++, end++)
            *end = x == 0 && y == SIDE - 1 ? 'S' : x == SIDE - 1 && y == 0 ? 'G' : '.';
    *end = 0;
    for (int i = 0; i < 2 * SIDE; i++) { /* a staircase, from corner to corner */
        path[2 * i] = fmin(floor(0.5 * (i + 1)), SIDE - 1) + 0.5;
        path[2 * i + 1] = floor(0.5 * i) + 0.5;
    }
    stage *on = stage_open("gw10", map);
    const double theta[] = {SIDE, SIDE, 64.5, 64.5};
    scene s = {&on->domain, on->env, theta, 2, path, 2 * SIDE};
    char *text = print_to_text(&s, false), *svg = svg_to_text(&s, "large");
    assert_true(well_formed(svg));
    const char *row = strstr(text, "\n  0 │S→↑ · ");
    assert_non_null(row);
    assert_int_equal(characters(row + 1, strchr(row + 1, '\n')), 5 + 2 * SIDE + 1);
    free(text);
    free(svg);
    stage_close(on);
}

/* The column, from the left edge of the mountain, of a symbol in the picture of 14 rows. */
static int column_of(const char *text, const char *symbol) {
    const char *line = text;
    for (int row = 0; row < 14; row++, line = strchr(line, '\n') + 1) {
        const char *found = strstr(line, symbol);
        if (found && found < strchr(line, '\n'))
            return characters(line, found) - 6;
    }
    fail_msg("no '%s' on the mountain", symbol);
    return -1;
}

/* Start, goal and subgoals stand where they are: within the column of 1/70 of [-1.2, 0.6]. */
static void test_mountain_car_marks(void **state) {
    (void)state;
    stage *on = stage_open("mc", NULL);
    const double theta[] = {-0.9, 0.2};
    scene s = {&on->domain, on->env, theta, 2, NULL, 0};
    const double x[] = {mountain_car_start(on->env), on->domain.value[PARAMETER_GOAL_POSITION],
                        -0.9, 0.2};
    const char *const symbols[] = {"S", "G", "1", "2"};
    char *text = print_to_text(&s, false);
    for (int i = 0; i < 4; i++)
        assert_close(column_of(text, symbols[i]) + 0.5, (x[i] + 1.2) / 1.8 * 70, 0.5 + 1e-9);
    free(text);
    stage_close(on);
}

/* Marks in one place are stacked, at the edges as well; none may vanish. */
static void test_mountain_car_crowd(void **state) {
    (void)state;
    stage *on = stage_open("mc", NULL);
    const double places[] = {MOUNTAIN_CAR_LEFT, 0.5}; /* the second is the goal's */
    for (int i = 0; i < 2; i++) {
        double theta[8];
        for (int k = 0; k < 8; k++)
            theta[k] = places[i];
        scene s = {&on->domain, on->env, theta, 8, NULL, 0};
        char *text = print_to_text(&s, false), digit[2] = "1";
        for (; digit[0] <= '8'; digit[0]++)
            assert_close(column_of(text, digit), (places[i] + 1.2) / 1.8 * 70, 6);
        assert_int_not_equal(column_of(text, "G"), -1);
        free(text);
    }
    stage_close(on);
}

/* The strip runs downwards in time: a car that goes from the left to the right edge leaves a dot
 * at the left of its first line and at the right of its last. */
static void test_mountain_car_strip(void **state) {
    (void)state;
    stage *on = stage_open("mc", NULL);
    double path[80];
    for (int i = 0; i < 80; i++)
        path[i] = MOUNTAIN_CAR_LEFT + 1.8 * i / 79;
    scene s = {&on->domain, on->env, NULL, 0, path, 80};
    char *text = print_to_text(&s, false);
    const char *first = strstr(text, "\n    0 "), *last = strstr(text, "\n   72 ");
    assert_non_null(first);
    assert_non_null(last);
    assert_int_equal((unsigned char)first[7], 0xe2); /* of a Braille character */
    assert_int_equal(strchr(first + 1, '\n')[-1], ' ');
    assert_int_equal(last[7], ' ');
    assert_int_not_equal(strchr(last + 1, '\n')[-1], ' ');
    free(text);
    stage_close(on);
}

/* A full disk is told, not swallowed; it shows only when the buffers are flushed. */
static void test_full_device(void **state) {
    (void)state;
    const char *const names[] = {"gw10", "mc"};
    for (int i = 0; i < 2; i++) {
        FILE *full = fopen("/dev/full", "w");
        if (!full)
            skip();
        besd_error error;
        stage *on = stage_open(names[i], NULL);
        scene s = {.domain = &on->domain, .env = on->env};
        assert_fails(scene_svg(full, &s, "full", &error), BESD_IO, &error, names[i]);
        fclose(full);
        stage_close(on);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_map),
        cmocka_unit_test(test_small_map_in_ascii),
        cmocka_unit_test(test_one_way_cells),
        cmocka_unit_test(test_legend_names_only_what_occurs),
        cmocka_unit_test(test_path_without_goal_shows_its_end),
        cmocka_unit_test(test_upper_border_belongs_to_the_last_cell),
        cmocka_unit_test(test_subgoals_in_one_cell),
        cmocka_unit_test(test_colour_only_adds_escapes),
        cmocka_unit_test(test_well_formed_can_say_no),
        cmocka_unit_test(test_svg_is_well_formed_and_escaped),
        cmocka_unit_test(test_svg_markers_are_exact),
        cmocka_unit_test(test_largest_map),
        cmocka_unit_test(test_mountain_car_marks),
        cmocka_unit_test(test_mountain_car_crowd),
        cmocka_unit_test(test_mountain_car_strip),
        cmocka_unit_test(test_full_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
