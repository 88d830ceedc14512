/* A comparison as a page that reads like the results section of a paper: what was run, what came
 * out, in sentences with numbers, where it differs from the paper and why. */
#ifndef BESD_PAGES_COMPARISON_PAGE_H
#define BESD_PAGES_COMPARISON_PAGE_H

#include "figures/figure.h"

typedef struct comparison_story {
    const findings *findings;
    const char *folder;  /* index.html and figures/ go here */
    const char *command; /* that made it; NULL: worked out from the results */
    const char *version;
    bool with_study; /* an example of a study belongs to it */
} comparison_story;

/* Draws all figures in svg, pdf and png into FOLDER/figures and writes FOLDER/index.html. When
 * gnuplot is missing the page is written without figures and BESD_UNSUPPORTED is returned. */
besd_status comparison_page_write(const comparison_story *s, besd_error *error);

#endif
