/* Wind: with probability p the chosen action is replaced by a uniformly random one.
 *
 * Gusts are rare, so the number of calm steps before the next one is drawn (geometric) instead of
 * a coin at every step. The distribution is the same and the hot loop pays one decrement.
 */
#ifndef BESD_WORLD_WIND_H
#define BESD_WORLD_WIND_H

#include "core/rng.h"

typedef struct wind {
    uint64_t calm; /* steps before the next gust */
    double probability;
    rng stream;
} wind;

wind wind_start(uint64_t seed, double probability);

/* A gust: the action it makes, and the calm after it. */
int wind_gust(wind *w, int actions);

/* The action that really happens. */
static inline int wind_blow(wind *w, int action, int actions) {
    return __builtin_expect(w->calm-- > 0, 1) ? action : wind_gust(w, actions);
}

#endif
