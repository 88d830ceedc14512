#include "study/method.h"

#include "study/choose_bracket.h"
#include "study/choose_improvement.h"
#include "study/choose_kg.h"
#include "study/choose_random.h"
#include "study/recommend.h"

#include <string.h>

static const method_info infos[] = {
    [BESD_METHOD_BESD] = {"besd", NULL, "knowledge gradient per cost over theta, tau and reps",
                          START_AT_EVERY_TAU, .cheap_start = true, .has_model = true,
                          .choose = choose_kg, .recommend = recommend_maximum},
    [BESD_METHOD_RANDOM] = {"random", "rnd", "a Latin hypercube as long as the budget",
                            START_AT_ONCE, .choose = choose_random,
                            .recommend = recommend_incumbent},
    [BESD_METHOD_EI] = {"ei", NULL, "expected improvement", START_AT_TAU_MAX, .has_model = true,
                        .choose = choose_improvement, .recommend = recommend_maximum},
    [BESD_METHOD_EI_PAPER] = {"ei-paper", NULL,
                              "expected improvement as the paper's authors ran it",
                              START_AT_TAU_MAX, .has_model = true, .choose = choose_improvement,
                              .recommend = recommend_maximum},
    [BESD_METHOD_LCB] = {"lcb", NULL, "confidence bound, mean and 2 sd", START_AT_TAU_MAX,
                         .has_model = true, .choose = choose_improvement,
                         .recommend = recommend_maximum},
    [BESD_METHOD_HYPERBAND] = {"hyperband", "hb", "successive halving over tau", START_AT_ONCE,
                               .choose = choose_bracket, .recommend = recommend_incumbent},
    [BESD_METHOD_HYPERBAND_PAPER] = {"hyperband-paper", "hb-paper",
                                     "Hyperband as the paper's authors ran it", START_AT_ONCE,
                                     .choose = choose_bracket,
                                     .recommend = recommend_incumbent_of_all},
};

enum { METHOD_COUNT = sizeof infos / sizeof *infos };

const method_info *method_describe(besd_method method) {
    return &infos[method];
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
