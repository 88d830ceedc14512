#include "testing.h"

#include "figures/plot.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[64];

static int set_up(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/besd-plot-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    static const char *const endings[] = {"gp", "svg"};
    char path[128];
    (void)state;
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/line.%s", folder, endings[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static plot small_plot(void) {
    return (plot){.width = 300,
                  .height = 200,
                  .columns = 1,
                  .rows = 1,
                  .room = {.left = 40, .right = 40, .above = 20, .below = 20}};
}

static bool file_holds(const char *name, const char *text) {
    static char content[20000];
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    content[fread(content, 1, sizeof content - 1, file)] = 0;
    fclose(file);
    return strstr(content, text) != NULL;
}

static bool file_exists(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* How many texts of an SVG say this, tags and entities undone. */
static int count_drawn(const char *name, const char *text) {
    char path[128], line[2000], said[2000];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        size_t length = 0;
        bool in_tag = false;
        if (!strstr(line, "<text>"))
            continue;
        for (const char *c = line; *c && *c != '\n'; c++) {
            in_tag |= *c == '<';
            if (!in_tag && *c != '\t')
                said[length++] = *c;
            in_tag &= *c != '>';
        }
        said[length] = 0;
        count += !strcmp(said, text);
    }
    fclose(file);
    return count;
}

static void draw_line_called(plot *p, const char *where, const char *name) {
    char source[64];
    besd_error error;
    assert_ok(plot_open(p, where, name, &error), &error);
    plot_panel(p, 0, "a_b");
    int block = plot_block(p);
    plot_datum(p, "0 0");
    plot_datum(p, "1 1");
    plot_say(p, "plot %s with lines", plot_source(block, source, sizeof source));
}

static void draw_line(plot *p) {
    draw_line_called(p, folder, "line");
}

static void test_tints(void **state) {
    (void)state;
    assert_int_equal(plot_tint("#0072b2", 1), 0x0072b2);
    assert_int_equal(plot_tint("#0072b2", 0), 0xffffff);
    assert_int_equal(plot_tint("#000000", 0.5), 0x808080);
}

/* Three ends in one place are spread by a line each, inside the panel, and keep their order. */
static void test_labels_are_pushed_apart(void **state) {
    plot p = small_plot();
    besd_error error;
    plot_end ends[] = {{.y = 0.99, .text = "c", .colour = PLOT_BLUE},
                       {.y = 0.99, .text = "b", .colour = PLOT_BLUE},
                       {.y = 0.98, .text = "a", .colour = PLOT_BLUE, .bold = true}};
    (void)state;
    assert_ok(plot_open(&p, folder, "line", &error), &error);
    plot_label_ends(&p, ends, 3);
    plot_abandon(&p);
    double distance = 14 / plot_panel_height(&p);
    assert_string_equal(ends[0].text, "a");
    assert_close(ends[2].label, 1, 1e-9);
    assert_close(ends[1].label, 1 - distance, 1e-9);
    assert_close(ends[0].label, 1 - 2 * distance, 1e-9);
    assert_true(file_holds("line.gp", "graph 0.9900 to graph")); /* thin lines lead to them */
}

static void test_labels_at_their_lines_need_no_leading_lines(void **state) {
    plot p = small_plot();
    besd_error error;
    plot_end ends[] = {{.y = 0.2, .text = "a", .colour = PLOT_BLUE},
                       {.y = 0.8, .text = "b", .colour = PLOT_BLUE}};
    (void)state;
    assert_ok(plot_open(&p, folder, "line", &error), &error);
    plot_label_ends(&p, ends, 2);
    plot_abandon(&p);
    assert_close(ends[0].label, 0.2, 1e-9);
    assert_false(file_holds("line.gp", "set arrow"));
    assert_true(plot_label_room("besd:model=averaged") > plot_label_room("besd") + 15 * 6.5);
    assert_close(plot_label_room("○○"), plot_label_room("oo"), 1e-9);
}

/* Words are kept, lines are not longer than the figure is wide (seven pixels a sign and less), and
 * the figure grows with their number. Signs of several bytes count once. */
static void test_a_footer_is_broken_into_lines(void **state) {
    static const char text[] = "○○○○ ○○○○ seven words of no great length";
    plot wide = small_plot(), narrow = small_plot();
    char joined[200] = "";
    (void)state;
    narrow.width = 100;
    plot_set_footer(&wide, text);
    plot_set_footer(&narrow, text);
    assert_string_equal(wide.words, text);
    assert_true(strncmp(narrow.words, "○○○○ ○○○○\\n", 27) == 0);
    assert_true(narrow.footer > wide.footer && narrow.height == 200 + narrow.footer);
    for (char *line = narrow.words, *end; line; line = end ? end + 2 : NULL) {
        end = strstr(line, "\\n");
        int length = end ? (int)(end - line) : (int)strlen(line);
        assert_true(line == narrow.words || length * 7 <= 100);
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%.*s",
                 *joined ? " " : "", length, line);
    }
    assert_string_equal(joined, text);
}

static void test_a_word_longer_than_the_figure_stays_whole(void **state) {
    plot p = small_plot();
    (void)state;
    p.width = 40;
    plot_set_footer(&p, "incomprehensibilities");
    assert_string_equal(p.words, "incomprehensibilities");
}

/* Text takes the same part of the width in every format: gnuplot's svg has text in pixels, the
 * others in 72nds of an inch of 96 pixels, or points. */
static void test_formats_have_text_of_one_size(void **state) {
    plot p = small_plot();
    char path[128], line[400];
    double width, height, scale;
    int found = 0;
    (void)state;
    draw_line(&p);
    plot_abandon(&p);
    snprintf(path, sizeof path, "%s/line.gp", folder);
    FILE *script = fopen(path, "r");
    while (fgets(line, sizeof line, script)) {
        const char *size = strstr(line, " size "), *font = strstr(line, " fontscale ");
        if (size && font && sscanf(font, " fontscale %lf", &scale) == 1) {
            if (sscanf(size, " size %lfin,%lfin", &width, &height) == 2)
                width *= 72;
            else
                assert_int_equal(sscanf(size, " size %lf,%lf", &width, &height), 2);
            assert_close(scale * 96 / 72 / width, 1 / p.width, 1e-5);
            found++;
        }
    }
    fclose(script);
    assert_int_equal(found, 2);
}

static void test_gnuplot_draws(void **state) {
    plot p = small_plot();
    besd_error error;
    (void)state;
    if (system("command -v gnuplot > /dev/null 2>&1"))
        skip();
    plot_set_footer(&p, "said below");
    draw_line(&p);
    assert_ok(plot_close(&p, PLOT_SVG, &error), &error);
    assert_true(file_holds("line.svg", "said below"));
    assert_true(file_holds("line.svg", "</svg>"));
    assert_true(file_holds("line.gp", "a\\_b")); /* no subscript */
}

/* In the title, at the end of a line, in the footer. */
static void test_texts_run_no_commands(void **state) {
    plot p = small_plot();
    plot_end end = {.text = "b`touch ran`", .colour = PLOT_BLACK, .y = 0.5};
    besd_error error;
    char source[64], ran[128];
    (void)state;
    if (system("command -v gnuplot > /dev/null 2>&1"))
        skip();
    plot_set_footer(&p, "a_foot, `touch ran` and it's 'more' \"than\" one line of words in all");
    assert_ok(plot_open(&p, folder, "line", &error), &error);
    plot_panel(&p, 0, "it's `touch ran`\"; system 'touch ran' # \n\\_{");
    plot_label_ends(&p, &end, 1);
    int block = plot_block(&p);
    plot_datum(&p, "0 0");
    plot_datum(&p, "1 1");
    plot_say(&p, "plot %s with lines", plot_source(block, source, sizeof source));
    assert_ok(plot_close(&p, PLOT_SVG, &error), &error);
    snprintf(ran, sizeof ran, "%s/ran", folder);
    assert_int_not_equal(access(ran, F_OK), 0);
    assert_true(file_holds("line.svg", "`touch ran`"));
    assert_true(file_holds("line.svg", "a_foot, `touch ran`"));
    assert_true(file_holds("line.gp", "'.\"\\n\".'")); /* the footer has two lines */
}

/* gnuplot takes "<..." and "|..." for commands, and runs what stands in backquotes. */
static void test_names_of_files_run_no_commands(void **state) {
    static const char *const names[] = {"<touch ran;", "|touch ran;", "`touch ran`",
                                        "\";system('touch ran')#", "a\nsystem 'touch ran'\n"};
    besd_error error;
    char path[160], here[1024];
    (void)state;
    if (system("command -v gnuplot > /dev/null 2>&1"))
        skip();
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0); /* where a command would run */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        plot p = small_plot();
        draw_line_called(&p, ".", names[i]);
        assert_ok(plot_close(&p, PLOT_SVG, &error), &error);
        assert_false(file_exists("ran"));
        snprintf(path, sizeof path, "%s.svg", names[i]);
        assert_true(file_holds(path, "</svg>"));
        assert_int_equal(unlink(path), 0);
        snprintf(path, sizeof path, "%s.gp", names[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(chdir(here), 0);
}

/* gnuplot ends a string at a doubled quote when it is the first sign, or when another one follows;
 * what it draws are the quotes alone. */
static void test_any_quotes_can_be_drawn(void **state) {
    static const char *const texts[] = {"'",     "''",     "'''", "f''", "'a'",   "''''a''''",
                                        "a'\"'", "\\'\\'", "'}'", "{'",  "''{}''"};
    besd_error error;
    (void)state;
    if (system("command -v gnuplot > /dev/null 2>&1"))
        skip();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        plot p = small_plot();
        plot_end ends[] = {{.text = texts[i], .colour = PLOT_BLACK, .y = 0.2},
                           {.text = texts[i], .colour = PLOT_BLACK, .y = 0.8, .bold = true}};
        p.room.above = 40; /* or the title is not drawn at all */
        plot_set_footer(&p, texts[i]);
        assert_ok(plot_open(&p, folder, "line", &error), &error);
        plot_panel(&p, 0, texts[i]);
        plot_axes(&p, "x", "y");
        plot_label_ends(&p, ends, 2);
        plot_say(&p, "plot [0:1] [0:1] x");
        assert_ok(plot_close(&p, PLOT_SVG, &error), &error);
        int times = count_drawn("line.svg", texts[i]);
        if (times != 4)
            fail_msg("%s was drawn %d times, expected 4", texts[i], times);
    }
}

/* Neither a terminal nor a reader is misled, and the figure is XML. */
static void test_texts_are_cleaned(void **state) {
    plot p = small_plot();
    besd_error error;
    (void)state;
    assert_ok(plot_open(&p, folder, "line", &error), &error);
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is the point */
    plot_panel(&p, 0, "a\x1b[2J\nb \xc2\x9b \xe2\x80\xae c\xff");
    plot_abandon(&p);
    assert_true(file_holds("line.gp", "{/:Bold=13 a [2J b ? ? c?}"));
}

static void test_gnuplot_is_missing(void **state) {
    plot p = small_plot();
    besd_error error;
    const char *search = getenv("PATH");
    char *path = strdup(search ? search : "");
    (void)state;
    draw_line(&p);
    setenv("PATH", folder, 1);
    assert_fails(plot_close(&p, PLOT_SVG, &error), BESD_UNSUPPORTED, &error, "gnuplot-nox");
    setenv("PATH", path, 1);
    free(path);
    assert_true(file_holds("line.gp", "$block0 << EOD\n0 0\n1 1\nEOD\nplot $block0 with lines\n"));
    assert_false(file_exists("line.svg")); /* not even an empty one */
}

static void test_a_wrong_script_is_told(void **state) {
    plot p = small_plot();
    besd_error error;
    (void)state;
    if (system("command -v gnuplot > /dev/null 2>&1"))
        skip();
    draw_line(&p);
    plot_say(&p, "plot nonsense");
    assert_fails(plot_close(&p, PLOT_SVG, &error), BESD_IO, &error, "nonsense");
}

static void test_no_such_folder_and_long_names(void **state) {
    plot p = small_plot();
    besd_error error;
    (void)state;
    assert_fails(plot_open(&p, "/nowhere", "line", &error), BESD_IO, &error, "/nowhere/line.gp");
    char name[200];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = 0;
    assert_fails(plot_open(&p, folder, name, &error), BESD_INVALID, &error, "too long");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tints),
        cmocka_unit_test(test_labels_are_pushed_apart),
        cmocka_unit_test(test_labels_at_their_lines_need_no_leading_lines),
        cmocka_unit_test(test_a_footer_is_broken_into_lines),
        cmocka_unit_test(test_a_word_longer_than_the_figure_stays_whole),
        cmocka_unit_test(test_formats_have_text_of_one_size),
        cmocka_unit_test(test_gnuplot_draws),
        cmocka_unit_test(test_texts_run_no_commands),
        cmocka_unit_test(test_names_of_files_run_no_commands),
        cmocka_unit_test(test_any_quotes_can_be_drawn),
        cmocka_unit_test(test_texts_are_cleaned),
        cmocka_unit_test(test_gnuplot_is_missing),
        cmocka_unit_test(test_a_wrong_script_is_told),
        cmocka_unit_test(test_no_such_folder_and_long_names),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
