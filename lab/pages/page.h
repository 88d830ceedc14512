/* A page of HTML that needs nothing else: style inside, figures inline, no scripts, no network; the
 * page tells the browser so.
 *
 * Markup stands in formats, which are besd's own. Every other text, through %s or as an argument,
 * is escaped here and nowhere else (print_markup). */
#ifndef BESD_PAGES_PAGE_H
#define BESD_PAGES_PAGE_H

#include "besd/status.h"
#include "figures/figure.h"

#include <stdbool.h>
#include <stdio.h>

/* Blanks at which no line is broken, for texts, in which an entity would be taken literally. */
#define PAGE_BLANK "\u00a0"
#define PAGE_NARROW_BLANK "\u202f"

typedef struct page {
    FILE *out;
    char path[1024];
    int figures;          /* so far */
    bool in_head, in_row; /* of the table that is open */
} page;

besd_status page_open(page *p, const char *path, const char *title, const char *standfirst,
                      besd_error *error);
besd_status page_close(page *p, besd_error *error);

void page_heading(page *p, const char *text);
void page_subheading(page *p, const char *text);

/* A paragraph. */
void page_text(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Items of a list, between begin and end. */
void page_list_begin(page *p);
void page_item(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_own_item(page *p, const char *markup); /* a constant, with its markup */
void page_list_end(page *p);

/* A table: its head as "first|second|third", more of it, then rows of cells; numbers stand right.
 * The caption may be "". */
void page_table_begin(page *p, const char *caption, const char *head);
void page_head(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_row(page *p, const char *mark); /* mark: a class such as "ours", or "" */
void page_cell(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_number(page *p, int digits, double value); /* – when it is not finite */
void page_table_end(page *p);

/* What is folded away until its summary is clicked, between begin and end. */
void page_details_begin(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_details_end(page *p);

/* A paragraph that wants to be seen. */
void page_warning(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The figure in a file of SVG, numbered; a sentence in its place when there is no such file. */
void page_figure(page *p, const char *svg_path, const char *caption);

/* A whole number with narrow gaps between thousands, "16 000 000". */
const char *page_group(double number, char *text, size_t size);

/* The figures of a page: drawn beside the page when they are kept, or else into a folder that is
 * removed afterwards. */
typedef struct page_figures {
    char folder[1000], prefix[1000]; /* files are FOLDER/PREFIX-NAME.{gp,svg} */
    bool kept, made;                 /* made: the folder was made here, and is to be removed */
    bool lacks_gnuplot;
} page_figures;

/* kept: beside the page BASE.html. */
besd_status page_figures_begin(page_figures *f, const char *base, bool kept, besd_error *error);

/* The file of a figure in the folder, without an ending; and the path of the drawing. */
void page_figures_name(const page_figures *f, const char *name, char *file, size_t size);
const char *page_figures_svg(const page_figures *f, const char *name, char *path, size_t size);

/* Draws a figure of a kind that is drawn from a study. A missing gnuplot is noted and no failure.
 */
besd_status page_figures_draw(page_figures *f, const char *kind, besd_study *study,
                              besd_error *error);

/* Notes the same for a figure that was drawn in another way, with this status. */
besd_status page_figures_note(page_figures *f, const char *name, besd_status drawn);

/* Removes what is not kept. */
void page_figures_end(page_figures *f);

/* BESD_UNSUPPORTED with a sentence when gnuplot was missing. */
besd_status page_figures_judge(const page_figures *f, besd_error *error);

#endif
