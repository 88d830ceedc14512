#include "draw/svg_page.h"

#include "core/error.h"
#include "core/print.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { LEGEND_WIDTH = 168, LEGEND_LINE = 24, TITLE_SIZE = 17 };

/* Numbers in SVG have points, also when the program that calls us writes commas. */
static besd_status enter_plain_locale(svg_page *page, besd_error *error) {
    page->plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!page->plain)
        return besd_fail_memory(error, "the locale of an SVG");
    page->callers = uselocale(page->plain);
    return BESD_OK;
}

besd_status svg_open(svg_page *page, const char *title, int legend_lines, besd_error *error) {
    double width = page->width + 2 * SVG_MARGIN + LEGEND_WIDTH;
    double height = fmax(page->height, legend_lines * LEGEND_LINE) + 2 * SVG_MARGIN;
    /* a long title is written smaller; a letter is about 0.58 of its size wide */
    double fitting = (width - 2 * SVG_MARGIN) / (0.58 * (double)(strlen(title) + 1));
    besd_status status = enter_plain_locale(page, error);
    if (status != BESD_OK)
        return status;
    print_markup(
        page->out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
        "viewBox=\"0 0 %g %g\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
        "font-size=\"13\">\n<title>%s</title>\n<rect width=\"%g\" height=\"%g\" fill=\"#fff\"/>\n"
        "<text x=\"%d\" y=\"27\" font-size=\"%.1f\" font-weight=\"bold\">%s</text>\n",
        width, height, width, height, title, width, height, SVG_MARGIN, fmin(TITLE_SIZE, fitting),
        title);
    page->legend_line = SVG_MARGIN + LEGEND_LINE / 2.0;
    return BESD_OK;
}

besd_status svg_close(svg_page *page, const char *what, besd_error *error) {
    fputs("</svg>\n", page->out);
    uselocale(page->callers);
    freelocale(page->plain);
    /* a full disk may show only when the buffer goes out */
    if (fflush(page->out) || ferror(page->out))
        return besd_fail(error, BESD_IO, "SVG of %s: could not be written: %s", what,
                         strerror(errno));
    return BESD_OK;
}

/* White below black reads on floor and walls alike; the shapes are hollow enough, and the numbers
 * go round them, so that subgoals in one place can still be told apart and counted. */
void svg_marker(const svg_page *page, int index, svg_point at, bool numbered) {
    static const char *const shapes[] = {"M-8 0A8 8 0 1 1 8 0A8 8 0 1 1-8 0Z", "M0-9.5L9 6.5H-9Z",
                                         "M-7-7L7 7M-7 7L7-7", "M-7-7H7V7H-7Z"};
    static const svg_point sides[] = {{14, -7}, {14, 17}, {-14, 17}, {-14, -7},
                                      {0, -14}, {17, 5},  {0, 24},   {-17, 5}};
    const char *shape = shapes[index < 3 ? index : 3];
    print_markup(page->out,
                 "<g transform=\"translate(%.2f %.2f)\" fill=\"none\" stroke-linejoin=\"round\">"
                 "<path d=\"%s\" stroke=\"#fff\" stroke-width=\"6.5\"/>"
                 "<path d=\"%s\" stroke=\"#000\" stroke-width=\"2.5\" fill=\"" SVG_ORANGE
                 "\" fill-opacity=\"0.55\"/>",
                 at.x, at.y, shape, shape);
    if (numbered)
        print_markup(
            page->out,
            "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\" font-weight=\"bold\" fill=\"#000\" "
            "stroke=\"#fff\" stroke-width=\"4\" paint-order=\"stroke\">%d</text>",
            sides[index % 8].x, sides[index % 8].y, index + 1);
    fputs("</g>\n", page->out);
}

void svg_car(const svg_page *page, svg_point at, double degrees, double scale) {
    print_markup(page->out,
                 "<g transform=\"translate(%.1f %.1f) rotate(%.1f) scale(%g)\" stroke=\"#fff\">"
                 "<path d=\"M-13-5V-12H-7L-4-18H5L8-12H13V-5Z\" fill=\"" SVG_BLUE "\"/>"
                 "<circle cx=\"-7\" cy=\"-4\" r=\"4\"/><circle cx=\"7\" cy=\"-4\" r=\"4\"/></g>\n",
                 at.x, at.y, degrees, scale);
}

void svg_flag(const svg_page *page, svg_point at, double scale) {
    print_markup(
        page->out,
        "<g transform=\"translate(%.1f %.1f) scale(%g)\"><path d=\"M0 0V-30\" stroke=\"#000\" "
        "stroke-width=\"2.5\"/><path d=\"M0-31L20-23L0-15Z\" fill=\"" SVG_VERMILLION "\"/></g>\n",
        at.x, at.y, scale);
}

svg_point svg_legend_symbol(svg_page *page) {
    svg_point at = {SVG_MARGIN + page->width + 32, page->legend_line};
    page->legend_line += LEGEND_LINE;
    return at;
}

void svg_legend_text(const svg_page *page, svg_point symbol, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_markup(page->out, "<text x=\"%g\" y=\"%g\">", symbol.x + 18, symbol.y + 4.5);
    print_texts(page->out, text_put_markup, format, arguments);
    fputs("</text>\n", page->out);
    va_end(arguments);
}
