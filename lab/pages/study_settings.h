/* The settings of a study as a table: its space and levers, and every option that its method uses.
 * Options that differ from the default are marked. */
#ifndef BESD_PAGES_STUDY_SETTINGS_H
#define BESD_PAGES_STUDY_SETTINGS_H

#include "besd/besd.h"
#include "figures/study_digest.h"
#include "pages/page.h"

void study_settings_tell(page *p, const besd_study *study);

/* The differences between the options of several studies as a list: one item for every option,
 * "model: paper in a.besd, averaged in b.besd". Seeds are left out, and options that the method of
 * a study does not use. */
besd_status option_differences_tell(page *p, const study_digest *all, size_t count,
                                    besd_error *error);

#endif
