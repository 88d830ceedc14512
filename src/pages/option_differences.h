/* In what the options of several studies differ, as a list on a page. */
#ifndef BESD_PAGES_OPTION_DIFFERENCES_H
#define BESD_PAGES_OPTION_DIFFERENCES_H

#include "figures/study_digest.h"
#include "pages/page.h"

/* One item for every option, "model: paper in a.besd, extended in b.besd"; seeds are left out, and
 * so is what a study's method does not look at. */
besd_status option_differences_tell(page *p, const study_digest *all, size_t count,
                                    besd_error *error);

#endif
