#include "world/wind.h"

wind wind_start(uint64_t seed, double probability) {
    wind w = {.probability = probability, .stream = rng_open(seed, RNG_DYNAMICS, 0, 0, 0)};
    w.calm = rng_geometric(&w.stream, probability);
    return w;
}

int wind_gust(wind *w, int actions) {
    w->calm = rng_geometric(&w->stream, w->probability);
    return (int)rng_below(&w->stream, (uint64_t)actions);
}
