/* Figures on their way into a page: drawn into a folder that is gone afterwards, or beside the page
 * when they are to stay. */
#ifndef BESD_PAGES_PAGE_FIGURES_H
#define BESD_PAGES_PAGE_FIGURES_H

#include "figures/figure.h"

typedef struct page_figures {
    char folder[1000], prefix[1000]; /* files are FOLDER/PREFIX-NAME.{gp,svg} */
    bool kept, made;                 /* made: the folder is ours */
    bool lacks_gnuplot;
} page_figures;

/* kept: beside the page BASE.html. */
besd_status page_figures_begin(page_figures *f, const char *base, bool kept, besd_error *error);

/* Its file, without an ending, in the folder; and the path of the drawing. */
void page_figures_name(const page_figures *f, const char *name, char *file, size_t size);
const char *page_figures_svg(const page_figures *f, const char *name, char *path, size_t size);

/* Draws one of the kinds that are drawn from a study. That gnuplot is missing is noted, and no
 * failure. */
besd_status page_figures_draw(page_figures *f, const char *kind, besd_study *study,
                              besd_error *error);

/* The same for a figure that was drawn otherwise, with this status. */
besd_status page_figures_note(page_figures *f, const char *name, besd_status drawn);

/* Removes what is not kept. */
void page_figures_end(page_figures *f);

/* BESD_UNSUPPORTED with a sentence when gnuplot was missing. */
besd_status page_figures_judge(const page_figures *f, besd_error *error);

#endif
