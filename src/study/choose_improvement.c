#include "study/choose_improvement.h"

#include "decide/improvement.h"
#include "study/best_design.h"

#include <math.h>

/* The usual width of a confidence bound, in standard deviations. */
static const double BOUND_WIDTH = 2;

/* GPyOpt's jitter, in standard deviations of the scores. */
static const double GPYOPT_JITTER = 0.01;

/* The best posterior mean at tau_max among the designs that were tried. */
static double best_tried(const mixture *model, const evidence *e) {
    const observations *o = &e->observed;
    double best = -INFINITY;
    for (size_t j = 0; j < e->told; j++)
        best = fmax(best, mixture_predict(model, o->theta + j * o->dimension, 1, NULL, NULL));
    return best;
}

/* As the authors ran it: a jitter, and noise in the variance. */
static void imitate_gpyopt(const turn *t, improvement *a) {
    const besd_study_options *o = &t->spec->options;
    const evidence *e = t->evidence;
    double mean = 0, variance = 0, n = (double)e->told;
    for (size_t j = 0; j < e->told; j++)
        mean += e->observed.mean[j] / n;
    for (size_t j = 0; j < e->told; j++)
        variance += (e->observed.mean[j] - mean) * (e->observed.mean[j] - mean) / n;
    a->jitter = GPYOPT_JITTER * sqrt(variance);
    a->noise = mixture_noise(t->model, (int)o->tau_count - 1, t->spec->reps[o->reps_count - 1]);
}

besd_status choose_improvement(turn *t, besd_error *error) {
    const besd_study_options *o = &t->spec->options;
    double unit[BESD_MAX_DIMENSION], mean;
    besd_status status =
        best_design(t->spec, t->model, t->evidence, t->targets, unit, &mean, error);
    if (status != BESD_OK)
        return status;
    bool bound = o->method == BESD_METHOD_LCB;
    improvement a = {.kind = bound ? IMPROVEMENT_BOUND : IMPROVEMENT_EXPECTED,
                     .width = BOUND_WIDTH,
                     .incumbent = best_tried(t->model, t->evidence)};
    if (o->method == BESD_METHOD_EI_PAPER)
        imitate_gpyopt(t, &a);
    status = improvement_maximise(t->model, &a, t->targets->points, t->targets->count, o->discrete,
                                  unit, error);
    if (status != BESD_OK)
        return status;
    turn_take_dearest(t, unit, bound ? BESD_REASON_BOUND : BESD_REASON_IMPROVEMENT);
    t->used_targets = true;
    return BESD_OK;
}
