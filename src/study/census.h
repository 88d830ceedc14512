/* How many trials a study has in each state, without reading them one by one. */
#ifndef BESD_STUDY_CENSUS_H
#define BESD_STUDY_CENSUS_H

#include "besd/besd.h"

enum { CENSUS_STATES = BESD_TRIAL_WAITING + 1 };

besd_status study_census(besd_study *study, int64_t counts[CENSUS_STATES], besd_error *error);

#endif
