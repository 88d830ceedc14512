/* Several studies side by side on one page: the same trainer with other seeds, methods, models or
 * boxes. */
#ifndef BESD_PAGES_STUDIES_PAGE_H
#define BESD_PAGES_STUDIES_PAGE_H

#include "besd/status.h"

#include <stdbool.h>

/* Writes BASE.html of the studies in these files; with `keep_figures` the figure and its script
 * beside it, as BASE-best.*. Without gnuplot the page is written without the figure and
 * BESD_UNSUPPORTED is returned. */
besd_status studies_page_write(const char *const *paths, size_t count, const char *base,
                               bool keep_figures, besd_error *error);

#endif
