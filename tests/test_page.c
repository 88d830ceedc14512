#include "testing.h"

#include "pages/page.h"

#include <stdlib.h>
#include <unistd.h>

static char path[64], content[20000];

static int set_up(void **state) {
    (void)state;
    snprintf(path, sizeof path, "/tmp/besd-page-XXXXXX");
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int tear_down(void **state) {
    (void)state;
    return unlink(path);
}

static page open_page(void) {
    page p;
    besd_error error;
    assert_ok(page_open(&p, path, "Title", "First words.", &error), &error);
    return p;
}

static const char *close_page(page *p) {
    besd_error error;
    assert_ok(page_close(p, &error), &error);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    content[fread(content, 1, sizeof content - 1, file)] = 0;
    fclose(file);
    return content;
}

static void test_a_table(void **state) {
    (void)state;
    page p = open_page();
    page_table_begin(&p, "Numbers", "name|value");
    page_row(&p, "ours");
    page_cell(&p, "%s", "a");
    page_cell(&p, "%d", 1);
    page_row(&p, "");
    page_cell(&p, "b");
    page_table_end(&p);
    const char *text = close_page(&p);
    assert_non_null(strstr(text, "<th>name</th><th>value</th></tr></thead>"));
    assert_non_null(strstr(text, "<tr class=\"ours\"><td>a</td><td>1</td></tr>\n"
                                 "<tr><td>b</td></tr>\n</tbody></table>"));
    assert_non_null(strstr(text, "</html>"));
}

/* What is folded away opens without a script, and its words are escaped as all are. */
static void test_details_and_warnings(void **state) {
    (void)state;
    page p = open_page();
    page_details_begin(&p, "More of %s", "<b>");
    page_text(&p, "Inside.");
    page_details_end(&p);
    page_warning(&p, "Beware of %s.", "a & b");
    const char *text = close_page(&p);
    assert_non_null(strstr(text, "<details>\n<summary>More of &lt;b&gt;</summary>\n"
                                 "<p>Inside.</p>\n</details>\n"));
    assert_non_null(strstr(text, "<p class=\"warning\">Beware of a &amp; b.</p>"));
    assert_non_null(strstr(text, "prefers-color-scheme:dark"));
}

/* The prologue of an XML file has no place in a page; the width is that of the drawing. */
static void test_a_figure_is_taken_in(void **state) {
    char svg[80];
    (void)state;
    snprintf(svg, sizeof svg, "%s.svg", path);
    FILE *file = fopen(svg, "w");
    assert_non_null(file);
    fputs("<?xml version=\"1.0\"?><!DOCTYPE svg>\n<svg viewBox=\"0 0 640 480\"><g/></svg>\n", file);
    fclose(file);
    page p = open_page();
    page_figure(&p, svg, "A figure.");
    page_figure(&p, "/nowhere.svg", "Another.");
    const char *text = close_page(&p);
    unlink(svg);
    assert_null(strstr(text, "<?xml"));
    assert_non_null(strstr(text, "min-width:480px;max-width:640px\"><svg viewBox"));
    assert_non_null(strstr(text, "<b>Figure 1.</b> A figure."));
    assert_non_null(strstr(text, "This figure was not drawn"));
    assert_non_null(strstr(text, "<b>Figure 2.</b> Another."));
}

/* In every place that a text can come to. */
static void test_text_of_others_is_harmless(void **state) {
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is the point */
    static const char evil[] = "<svg\x0conload=alert(1)>|\"'&\n\xe2\x80\xae";
    static const char harmless[] = "&lt;svg onload=alert(1)&gt;|&quot;&#39;&amp; ?";
    int times = 0;
    page p;
    besd_error error;
    (void)state;
    assert_ok(page_open(&p, path, evil, evil, &error), &error);
    page_heading(&p, evil);
    page_subheading(&p, evil);
    page_text(&p, "<b>%s</b>", evil);
    page_list_begin(&p);
    page_item(&p, "%s", evil);
    page_list_end(&p);
    page_table_begin(&p, evil, "first");
    page_head(&p, "%s", evil);
    page_row(&p, evil);
    page_cell(&p, "%s", evil);
    page_table_end(&p);
    page_figure(&p, "/nowhere.svg", evil);
    const char *text = close_page(&p);
    for (const char *at = text; (at = strstr(at, harmless)); at++)
        times++;
    assert_int_equal(times, 12);
    assert_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "<b>&lt;svg")); /* our own markup stays */
    assert_non_null(strstr(text, "<th>first</th><th>&lt;svg"));
}

static void test_our_own_markup(void **state) {
    (void)state;
    page p = open_page();
    page_own_item(&p, "100 % <b>ours</b>");
    assert_non_null(strstr(close_page(&p), "<li>100 % <b>ours</b></li>"));
}

/* Nothing is loaded, nothing run, and it is said before anything else is read. */
static void test_a_page_needs_nothing(void **state) {
    (void)state;
    page p = open_page();
    const char *text = close_page(&p);
    const char *policy = strstr(text, "<meta http-equiv=\"Content-Security-Policy\" content=\""
                                      "default-src 'none'; style-src 'unsafe-inline'; ");
    assert_non_null(policy);
    assert_true(policy < strstr(text, "<title>"));
    assert_null(strstr(text, "script"));
}

/* Without rows there is a head all the same. */
static void test_an_empty_table(void **state) {
    (void)state;
    page p = open_page();
    page_table_begin(&p, "", "a");
    page_table_end(&p);
    assert_non_null(
        strstr(close_page(&p), "<tr><th>a</th></tr></thead>\n<tbody>\n</tbody></table>"));
}

static void test_numbers(void **state) {
    char text[60], cells[200];
    page p = {.out = fmemopen(cells, sizeof cells, "w")};
    (void)state;
    assert_string_equal(page_group(16e6, text, sizeof text), "16\u202f000\u202f000");
    assert_string_equal(page_group(800, text, sizeof text), "800");
    assert_string_equal(page_group(1000.4, text, sizeof text), "1\u202f000");
    page_number(&p, 4, 20.1875);
    page_number(&p, 3, NAN);
    page_number(&p, 3, INFINITY);
    fclose(p.out);
    assert_string_equal(cells, "<td>20.19</td><td>–</td><td>–</td>");
}

static void test_no_such_folder(void **state) {
    page p;
    besd_error error;
    (void)state;
    assert_fails(page_open(&p, "/nowhere/page.html", "", "", &error), BESD_IO, &error,
                 "/nowhere/page.html: No such file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_table),
        cmocka_unit_test(test_details_and_warnings),
        cmocka_unit_test(test_a_figure_is_taken_in),
        cmocka_unit_test(test_text_of_others_is_harmless),
        cmocka_unit_test(test_our_own_markup),
        cmocka_unit_test(test_a_page_needs_nothing),
        cmocka_unit_test(test_an_empty_table),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_no_such_folder),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
