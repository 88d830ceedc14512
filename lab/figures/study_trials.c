#include "figures/study_trials.h"

#include "core/error.h"

#include <stdlib.h>

typedef struct trial_list {
    study_trials *trials;
    size_t capacity;
    bool lacks_memory;
} trial_list;

static bool append_trial(void *context, const besd_trial *trial) {
    trial_list *list = context;
    study_trials *t = list->trials;
    if (t->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 64;
        besd_trial *grown = realloc(t->of, capacity * sizeof *grown);
        list->lacks_memory = !grown;
        if (!grown)
            return false;
        t->of = grown;
        list->capacity = capacity;
    }
    t->of[t->count++] = *trial;
    return true;
}

besd_status study_trials_read(study_trials *t, besd_study *study, besd_error *error) {
    trial_list list = {.trials = t};
    *t = (study_trials){0};
    besd_status status = besd_study_trials(study, 0, append_trial, &list, error);
    if (status == BESD_OK && list.lacks_memory)
        status = besd_fail_memory(error, "the trials");
    if (status != BESD_OK)
        study_trials_free(t);
    return status;
}

void study_trials_free(study_trials *t) {
    free(t->of);
    *t = (study_trials){0};
}
