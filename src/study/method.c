#include "study/method.h"

#include <string.h>

static const method_info infos[] = {
    [BESD_METHOD_BESD] = {"besd", NULL, "knowledge gradient per cost over theta, tau and reps",
                          START_AT_EVERY_TAU, .cheap_start = true},
    [BESD_METHOD_RANDOM] = {"random", "rnd", "a Latin hypercube as long as the budget",
                            START_AT_ONCE, .keeps_incumbent = true},
    [BESD_METHOD_EI] = {"ei", NULL, "expected improvement", START_AT_TAU_MAX, .cheap_start = false},
    [BESD_METHOD_EI_PAPER] = {"ei-paper", NULL,
                              "expected improvement as the paper's authors ran it",
                              START_AT_TAU_MAX, .cheap_start = false},
    [BESD_METHOD_LCB] = {"lcb", NULL, "confidence bound, mean and 2 sd", START_AT_TAU_MAX,
                         .cheap_start = false},
    [BESD_METHOD_HYPERBAND] = {"hyperband", "hb", "successive halving over tau", START_AT_ONCE,
                               .keeps_incumbent = true},
    [BESD_METHOD_HYPERBAND_PAPER] = {"hyperband-paper", "hb-paper",
                                     "Hyperband as the paper's authors ran it", START_AT_ONCE,
                                     .keeps_incumbent = true},
};

enum { METHOD_COUNT = sizeof infos / sizeof *infos };

const method_info *method_describe(besd_method method) {
    return &infos[method];
}

double method_initial_cost(const besd_study_options *o) {
    method_start start = infos[o->method].start;
    double cost = 0;
    for (size_t t = start == START_AT_TAU_MAX ? o->tau_count - 1 : 0;
         start != START_AT_ONCE && t < o->tau_count; t++)
        cost += o->initial_designs *
                (o->setup_cost + (double)o->taus[t] * o->initial_reps * o->interaction_price);
    return cost;
}

const char *besd_method_name(size_t index) {
    return index < METHOD_COUNT ? infos[index].name : NULL;
}

int method_find(const char *name) {
    for (int i = 0; i < METHOD_COUNT; i++)
        if (!strcmp(infos[i].name, name) || (infos[i].alias && !strcmp(infos[i].alias, name)))
            return i;
    return -1;
}
