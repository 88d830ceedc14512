/* The figure of several studies: cost against the best mean score of the trials told so far. */
#ifndef BESD_FIGURES_BEST_SO_FAR_H
#define BESD_FIGURES_BEST_SO_FAR_H

#include "figures/study_digest.h"

/* Draws FOLDER/NAME.svg of studies with one direction and transform, of which at least one has a
 * step. BESD_UNSUPPORTED without gnuplot. */
besd_status best_so_far_draw(const study_digest *all, size_t count, const char *folder,
                             const char *name, besd_error *error);

#endif
