/* All trials of a study at once, for those who go through them more than once. */
#ifndef BESD_FIGURES_STUDY_TRIALS_H
#define BESD_FIGURES_STUDY_TRIALS_H

#include "besd/besd.h"

typedef struct study_trials {
    besd_trial *of; /* by id: 1, 2, ... */
    size_t count;
} study_trials;

besd_status study_trials_read(study_trials *t, besd_study *study, besd_error *error);
void study_trials_free(study_trials *t);

#endif
