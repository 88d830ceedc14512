/* The figures of `besd paper`: those of its results, and examples of an instance and of an agent
 * with besd's best recommendation. */
#ifndef BESD_FIGURES_COMPARISON_FIGURES_H
#define BESD_FIGURES_COMPARISON_FIGURES_H

#include "figures/figure.h"

/* Draws in svg, pdf and png into an existing folder; a small study is run for the figure that shows
 * one. What the results do not allow is left out. A missing gnuplot is told at the end,
 * BESD_UNSUPPORTED, when all scripts are there. */
besd_status comparison_figures_draw(const findings *f, const char *folder, besd_error *error);

#endif
