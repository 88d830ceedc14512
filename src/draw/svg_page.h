/* A page of SVG: title, plot, a legend at the right, and the signs that stand in both. One
 * self-contained document without fonts, scripts, style sheets or ids, so that many of them can
 * stand in one HTML page.
 *
 * Colours are Okabe and Ito's, which colour-blind readers can tell apart. A letter or a
 * shape always says the same, so that nothing is lost in grey.
 */
#ifndef BESD_DRAW_SVG_PAGE_H
#define BESD_DRAW_SVG_PAGE_H

#include "besd/status.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>

#define SVG_BLUE "#0072b2"
#define SVG_VERMILLION "#d55e00"
#define SVG_ORANGE "#e69f00"
#define SVG_YELLOW "#f0e442"
#define SVG_GREEN "#009e73"
#define SVG_SMALL "font-size=\"11\" fill=\"#333\"" /* tick labels */
#define SVG_WAY "fill=\"none\" stroke=\"" SVG_BLUE "\" stroke-width=\"3\" stroke-opacity=\"0.6\""

enum { SVG_MARGIN = 44 }; /* around the plot; its upper left corner is (SVG_MARGIN, SVG_MARGIN) */

/* Pixels, y downwards. */
typedef struct svg_point {
    double x, y;
} svg_point;

typedef struct svg_page {
    FILE *out;
    double width, height;    /* of the plot */
    double legend_line;      /* where the next line of the legend goes */
    locale_t plain, callers; /* while the page is open */
} svg_page;

/* Opens a page with `out`, `width` and `height` set, and room for that many lines of legend.
 * svg_close must follow a success. */
besd_status svg_open(svg_page *page, const char *title, int legend_lines, besd_error *error);

/* Ends the document. BESD_IO when any of it could not be written; `what` names it then. */
besd_status svg_close(svg_page *page, const char *what, besd_error *error);

/* The marker of subgoal `index`: circle, triangle, cross, then squares. */
void svg_marker(const svg_page *page, int index, svg_point at, bool numbered);

/* A car whose wheels stand at a point, and a flag whose pole does. */
void svg_car(const svg_page *page, svg_point at, double degrees, double scale);
void svg_flag(const svg_page *page, svg_point at, double scale);

/* Begins a line of the legend and returns where its symbol goes. */
svg_point svg_legend_symbol(svg_page *page);

/* The text right of a legend's symbol. */
void svg_legend_text(const svg_page *page, svg_point symbol, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
