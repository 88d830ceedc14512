#include "figures/study_trials.h"

#include "core/error.h"

#include <stdlib.h>

besd_status study_trials_read(study_trials *t, besd_study *study, besd_error *error) {
    int64_t count = 0;
    *t = (study_trials){0};
    besd_status status = besd_study_trial_count(study, &count, error);
    if (status != BESD_OK)
        return status;
    t->of = malloc(((size_t)count + 1) * sizeof *t->of);
    if (!t->of)
        return besd_fail_memory(error, "the trials");
    for (; status == BESD_OK && t->count < (size_t)count; t->count++)
        status = besd_study_trial(study, (int64_t)t->count + 1, &t->of[t->count], error);
    if (status != BESD_OK)
        study_trials_free(t);
    return status;
}

void study_trials_free(study_trials *t) {
    free(t->of);
    *t = (study_trials){0};
}
