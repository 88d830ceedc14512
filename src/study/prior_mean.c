/* The constant that the model expects far from everything that was tried: the mean of the initial
 * trials, as in the paper. They are spread over the space, while the chosen ones crowd where it is
 * best; their mean would promise that everywhere. */
#include "study/evidence.h"

double prior_mean(const study_spec *spec, const evidence *e) {
    double initial_sum = 0, all_sum = 0;
    size_t initial_count = 0;
    for (size_t i = 0; i < e->count; i++)
        if (e->trials[i].trial.state == BESD_TRIAL_TOLD &&
            !evidence_confirms(e, &e->trials[i].trial))
            all_sum += e->trials[i].model_mean;
    for (size_t i = 0; i < e->place_count; i++) {
        const evidence_place *place = &e->places[i];
        if (place->record->trial.state == BESD_TRIAL_TOLD && place->reason == BESD_REASON_INITIAL) {
            initial_sum += place->record->model_mean;
            initial_count++;
        }
    }
    if (initial_count && !spec->options.mean_of_all)
        return initial_sum / (double)initial_count;
    return e->told ? all_sum / (double)e->told : 0;
}
