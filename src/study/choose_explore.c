#include "study/choose_explore.h"

#include "study/choose_exploit.h"

#include <math.h>

/* Every 1 / explore'th of the chosen trials, while enough of the budget is left to follow up what
 * it finds. */
int64_t explore_due(const study_spec *spec, const evidence *e, double affordable) {
    const besd_study_options *o = &spec->options;
    double chosen = (double)e->chosen;
    double before = floor(chosen * o->explore), after = floor((chosen + 1) * o->explore);
    bool too_late = isfinite(o->budget) && affordable < o->budget * (1 - o->explore_until);
    return after > before && !too_late ? (int64_t)before : -1;
}

/* The fixed discretisation is a Latin hypercube, so its points in turn are spread evenly. */
void choose_explore(const turn *t, kg_average *k, const kg_levers *levers, int64_t number,
                    advice *a) {
    const targets *all = t->targets;
    const double *theta = all->points + (size_t)number % all->fixed * all->dimension;
    kg_average_evaluate(k, theta, a->log_kg);
    choose_exploit(levers, theta, all->dimension, a); /* unless some levers have a value */
    a->reason = BESD_REASON_EXPLORE;
    advice_pick_levers(levers, a);
}
