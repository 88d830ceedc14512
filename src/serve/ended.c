#include "serve/ended.h"

#include "core/error.h"

#include <stdlib.h>

static int compare_ends(const void *a, const void *b) {
    const ended_trial *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->id > y->id) - (x->id < y->id);
}

static besd_status read_trial(besd_study *s, int64_t id, ended_trial *e, bool *over,
                              besd_error *error) {
    const besd_study_options *o = besd_study_get_options(s);
    besd_trial t;
    besd_work w;
    besd_status status = besd_study_trial(s, id, &t, error);
    if (status == BESD_OK)
        status = besd_study_work(s, id, &w, error);
    if (status != BESD_OK)
        return status;
    *over = t.state != BESD_TRIAL_ASKED && t.state != BESD_TRIAL_WAITING;
    *e = (ended_trial){.id = id,
                       .at = w.ended,
                       .cost = t.cost,
                       .mean = t.mean,
                       .told = t.state == BESD_TRIAL_TOLD,
                       .full = t.tau == o->taus[o->tau_count - 1]};
    return BESD_OK;
}

besd_status ended_read(besd_study *s, ended_trial **list, size_t *count, besd_error *error) {
    int64_t trials = 0;
    *count = 0;
    besd_status status = besd_study_trial_count(s, &trials, error);
    *list = status == BESD_OK ? malloc(((size_t)trials + 1) * sizeof **list) : NULL;
    if (status == BESD_OK && !*list)
        return besd_fail_memory(error, "the trials");
    for (int64_t id = 1; status == BESD_OK && id <= trials; id++) {
        bool over = false;
        status = read_trial(s, id, *list + *count, &over, error);
        *count += over;
    }
    if (status == BESD_OK)
        qsort(*list, *count, sizeof **list, compare_ends);
    return status;
}
