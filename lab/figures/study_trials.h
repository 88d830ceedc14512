/* All trials of a study in one array, for figures that go through them more than once.
 *
 *     study_trials t;
 *     besd_status status = study_trials_read(&t, study, error);
 *     for (size_t i = 0; status == BESD_OK && i < t.count; i++)
 *         ... t.of[i] ...
 *     study_trials_free(&t);
 *
 * A study that others write to while it is read has the trials that it had at some moment. */
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
