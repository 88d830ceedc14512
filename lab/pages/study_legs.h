/* What the page of a study tells of legs: what the legs of the recommended path promise, which
 * path the best legs make, and which legs the newest trial was to teach. */
#ifndef BESD_PAGES_STUDY_LEGS_H
#define BESD_PAGES_STUDY_LEGS_H

#include "besd/besd.h"
#include "pages/page.h"
#include "study/leg_survey.h"

/* The path of `survey`, which is of the recommended design. */
besd_status study_legs_tell(page *p, besd_study *study, const leg_survey *survey,
                            besd_error *error);

/* Why the newest of trials was chosen, in words, and its legs as they were known before it; the
 * same for the newest one that was chosen for its legs. At least one trial. */
besd_status study_legs_tell_newest(page *p, besd_study *study, const besd_trial *trials,
                                   size_t count, besd_error *error);

#endif
