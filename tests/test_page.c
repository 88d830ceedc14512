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
    assert_non_null(strstr(text, "max-width:640px\"><svg viewBox"));
    assert_non_null(strstr(text, "<b>Figure 1.</b> A figure."));
    assert_non_null(strstr(text, "This figure was not drawn"));
    assert_non_null(strstr(text, "<b>Figure 2.</b> Another."));
}

static void test_text_of_others_is_harmless(void **state) {
    char escaped[40], little[16];
    (void)state;
    assert_string_equal(page_escape("a<b> & c", escaped, sizeof escaped), "a&lt;b&gt; &amp; c");
    page_escape("<<<<<<<<<<<<", little, sizeof little); /* cut, never torn */
    assert_string_equal(little, "&lt;&lt;");
}

static void test_numbers(void **state) {
    char text[60], cells[200];
    page p = {.out = fmemopen(cells, sizeof cells, "w")};
    (void)state;
    assert_string_equal(page_group(16e6, text, sizeof text), "16&#8239;000&#8239;000");
    assert_string_equal(page_group(800, text, sizeof text), "800");
    assert_string_equal(page_group(1000.4, text, sizeof text), "1&#8239;000");
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
        cmocka_unit_test(test_a_figure_is_taken_in),
        cmocka_unit_test(test_text_of_others_is_harmless),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_no_such_folder),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
