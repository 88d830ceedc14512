#include "study/recommend.h"

#include "core/error.h"
#include "decide/improvement.h"
#include "study/best_design.h"
#include "study/confirm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Moves `unit`, the largest mean, to the largest mean - caution * sd. A model that is smooth where
 * the truth has cliffs is too hopeful between its trials; caution keeps it near what was tried. */
static besd_status be_cautious(const recommending *from, double *unit, besd_error *error) {
    const besd_study_options *o = &from->spec->options;
    const evidence *e = from->evidence;
    const targets *t = from->targets;
    improvement cautious = {.kind = IMPROVEMENT_BOUND, .width = -o->caution};
    if (o->discrete)
        return improvement_maximise(from->model, &cautious, t->points, t->fixed, true, unit, error);
    size_t d = t->dimension;
    double *starts = malloc((e->told + 1) * d * sizeof *starts);
    if (!starts)
        return besd_fail_memory(error, "the tried designs");
    memcpy(starts, e->observed.theta, e->told * d * sizeof *starts);
    memcpy(starts + e->told * d, unit, d * sizeof *starts);
    besd_status status =
        improvement_maximise(from->model, &cautious, starts, e->told + 1, false, unit, error);
    free(starts);
    return status;
}

/* Among those that were confirmed or could have been, and what would be recommended without. */
static besd_status recommend_confirmed(const recommending *from, besd_recommendation *r,
                                       besd_error *error) {
    confirm c;
    besd_status status = confirm_init(&c, from->spec, from->evidence, from->model, r->theta, error);
    if (status != BESD_OK)
        return status;
    const confirm_candidate *best = confirm_best(&c, from->spec->options.caution);
    memcpy(r->theta, best->theta, sizeof best->theta);
    confirm_free(&c);
    return BESD_OK;
}

besd_status recommend_maximum(const recommending *from, besd_recommendation *r, besd_error *error) {
    double unit[BESD_MAX_DIMENSION], mean;
    besd_status status =
        best_design(from->spec, from->model, from->evidence, from->targets, unit, &mean, error);
    if (status == BESD_OK && from->spec->options.caution > 0)
        status = be_cautious(from, unit, error);
    if (status != BESD_OK)
        return status;
    spec_to_user(from->spec, unit, r->theta);
    return from->evidence->confirmed ? recommend_confirmed(from, r, error) : BESD_OK;
}

/* Of all that was told, whoever wanted it. */
static const trial_record *find_incumbent(const evidence *e, bool over_all) {
    const trial_record *best = NULL;
    for (size_t i = 0; i < e->count; i++) {
        const trial_record *t = &e->trials[i];
        if (!record_is_told(t))
            continue;
        bool comparable = best && (over_all || t->trial.tau == best->trial.tau);
        if (!best ||
            (comparable ? t->model_mean > best->model_mean : t->trial.tau > best->trial.tau))
            best = t;
    }
    return best;
}

static besd_status recommend_trial(const trial_record *best, besd_recommendation *r,
                                   besd_error *error) {
    if (!best)
        return besd_fail(error, BESD_INVALID, "recommend: no trial has been told yet");
    double count = (double)best->trial.score_count;
    memcpy(r->theta, best->trial.theta, sizeof r->theta);
    r->mean = best->model_mean;
    r->sd = count > 1 ? sqrt(best->within / (count - 1) / count) : 0;
    return BESD_OK;
}

besd_status recommend_incumbent(const recommending *from, besd_recommendation *r,
                                besd_error *error) {
    return recommend_trial(find_incumbent(from->evidence, false), r, error);
}

besd_status recommend_incumbent_of_all(const recommending *from, besd_recommendation *r,
                                       besd_error *error) {
    return recommend_trial(find_incumbent(from->evidence, true), r, error);
}
