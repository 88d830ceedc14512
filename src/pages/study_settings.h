/* The settings of a study as a table: its space and levers, and every option that its method looks
 * at, with those that are not as they are initially marked. */
#ifndef BESD_PAGES_STUDY_SETTINGS_H
#define BESD_PAGES_STUDY_SETTINGS_H

#include "besd/besd.h"
#include "pages/page.h"

void study_settings_tell(page *p, const besd_study *study);

#endif
