#include "figures/example_study.h"

#include "bridge/reference.h"
#include "core/error.h"

#include <stdlib.h>

static besd_status spend_budget(besd_study *s, const bridge *b, besd_error *error) {
    double *scores = malloc(BESD_MAX_REPS * sizeof *scores);
    besd_status status = scores ? BESD_OK : besd_fail_memory(error, "the scores");
    while (status == BESD_OK) {
        besd_trial t;
        status = besd_study_ask(s, &t, error);
        if (status == BESD_OK)
            status = bridge_train_and_tell(b, s, &t, scores, error);
    }
    free(scores);
    return status == BESD_DONE ? BESD_OK : status;
}

besd_status example_study_run(uint64_t seed, besd_study **study, besd_error *error) {
    domain d;
    bridge b;
    *study = NULL;
    besd_status status = domain_find("gw10", &d, error);
    if (status == BESD_OK)
        status = bridge_init(&b, &d, error);
    if (status != BESD_OK)
        return status;
    b.options.seed = seed;
    b.options.budget = 300000;
    status = reference_measure(&b, error);
    if (status == BESD_OK)
        status = bridge_open(&b, NULL, study, error);
    if (status == BESD_OK)
        status = spend_budget(*study, &b, error);
    if (status != BESD_OK) {
        besd_study_close(*study);
        *study = NULL;
    }
    return status;
}
