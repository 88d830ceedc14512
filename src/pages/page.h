/* A page of HTML that needs nothing else: style inside, figures inline, no scripts, no network. */
#ifndef BESD_PAGES_PAGE_H
#define BESD_PAGES_PAGE_H

#include "besd/status.h"

#include <stdio.h>

typedef struct page {
    FILE *out;
    char path[1024];
    int figures; /* so far */
    int columns; /* of the table that is open, 0: none */
} page;

besd_status page_open(page *p, const char *path, const char *title, const char *standfirst,
                      besd_error *error);
besd_status page_close(page *p, besd_error *error);

void page_heading(page *p, const char *text);
void page_subheading(page *p, const char *text);

/* A paragraph. Markup in `format` is kept, text that comes in through %s is not escaped: use
 * page_escape for what others wrote. */
void page_text(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Items of a list, between begin and end. */
void page_list_begin(page *p);
void page_item(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_list_end(page *p);

/* A table: its head as "first|second|third", then rows of cells; numbers stand right. */
void page_table_begin(page *p, const char *caption, const char *head);
void page_row(page *p, const char *mark); /* mark: a class such as "ours", or "" */
void page_cell(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_number(page *p, int digits, double value); /* – when it is not finite */
void page_table_end(page *p);

/* The figure in a file of SVG, numbered; a sentence in its place when there is no such file. */
void page_figure(page *p, const char *svg_path, const char *caption);

/* A whole number with narrow gaps between thousands, "16 000 000". */
const char *page_group(double number, char *text, size_t size);

/* Text with &, < and > made harmless. */
const char *page_escape(const char *text, char *escaped, size_t size);

#endif
