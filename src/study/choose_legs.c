#include "study/choose_legs.h"

#include "study/choose_explore.h"
#include "study/leg_paths.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A leg is worth its mean and so many standard deviations, which sends trials where nobody has
 * been; half as much finds less, half as much again is too curious. And a path is tried so many
 * times. */
static const double HOPE = 2;
enum { MOST_TIMES = 4 };

/* Every so many'th of these trials is a full training, the others the shortest: whether a leg works
 * shows early. */
enum { FULL_EVERY = 4 };

/* The more trials score as badly as can be, the less scores say of designs, and the more of the
 * cost goes to legs. */
bool legs_are_due(const study_spec *spec, const evidence *e, double affordable) {
    const besd_study_options *o = &spec->options;
    bool too_late = isfinite(o->budget) && affordable < o->budget * (1 - o->explore_until);
    return o->legs > 0 && o->model == BESD_MODEL_AVERAGED && e->legs && !too_late &&
           e->legs_cost <= fmax(o->legs, explore_flatness(e)) * e->chosen_cost;
}

static void explain(const turn *t, const leg_path *path) {
    const besd_path *p = &t->spec->path;
    besd_explanation *x = t->explanation;
    if (!x)
        return;
    memset(x, 0, sizeof *x);
    snprintf(x->why, sizeof x->why,
             "a path composed of the best legs, each at its mean and %g sd; as they are expected "
             "they make %.4g, and leg %zu of %zu is the one that it teaches most of (sd %.2g on "
             "the scale of legs)",
             HOPE, path->promise, path->doubtful + 1, p->points + 1, path->doubt);
}

besd_status choose_legs(turn *t, bool *taken, besd_error *error) {
    const study_spec *spec = t->spec;
    const evidence *e = t->evidence;
    leg_model model;
    leg_path path;
    *taken = false;
    besd_status status = leg_model_init(spec, e, t->legs, &model, error);
    if (status != BESD_OK || !model.known)
        return status;
    status = leg_paths_compose(spec, e, &model, spec->path.points, HOPE, MOST_TIMES, &path, taken,
                               error);
    leg_model_free(&model);
    if (status != BESD_OK || !*taken)
        return status;
    int last = (int)spec->options.tau_count - 1;
    bool full = e->chosen_for_legs % FULL_EVERY == FULL_EVERY - 1 &&
                spec_cost(spec, last, 0) <= t->affordable;
    memcpy(t->trial->theta, path.theta, spec->options.dimension * sizeof *path.theta);
    t->trial->tau = spec->taus[full ? last : 0];
    t->trial->reps = spec->reps[0];
    t->trial->reason = BESD_REASON_LEGS;
    explain(t, &path);
    return BESD_OK;
}
