/* A page of HTML that needs nothing else: style inside, figures inline, no scripts, no network; and
 * it tells the browser so.
 *
 * Markup stands in formats, which are ours; every text that comes in another way, through %s or as
 * an argument, is escaped here and nowhere else (print_markup). */
#ifndef BESD_PAGES_PAGE_H
#define BESD_PAGES_PAGE_H

#include "besd/status.h"

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
void page_own_item(page *p, const char *markup); /* a constant of ours, with its markup */
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

#endif
