/* Opening streams, and the draws that are not in a hot loop. */
#include "core/rng.h"

#include <math.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <Random123/threefry.h>
#pragma GCC diagnostic pop

rng rng_open(uint64_t seed, rng_purpose purpose, uint64_t a, uint64_t b, uint64_t c) {
    threefry4x64_key_t key = {{seed, (uint64_t)purpose, a, b}};
    threefry4x64_ctr_t counter = {{c, 0, 0, 0}};
    threefry4x64_ctr_t bits = threefry4x64(counter, key);
    return (rng){{bits.v[0], bits.v[1], bits.v[2], bits.v[3]}};
}

uint64_t rng_seed(uint64_t seed, rng_purpose purpose, uint64_t a, uint64_t b, uint64_t c) {
    return rng_open(seed, purpose, a, b, c).state[0];
}

__extension__ typedef unsigned __int128 wide;

uint64_t rng_below(rng *r, uint64_t bound) {
    wide product = (wide)rng_next(r) * bound;
    if ((uint64_t)product < bound) {
        uint64_t reject_below = -bound % bound;
        while ((uint64_t)product < reject_below)
            product = (wide)rng_next(r) * bound;
    }
    return (uint64_t)(product >> 64);
}

double rng_between(rng *r, double low, double high) {
    return low + (high - low) * rng_uniform(r);
}

double rng_normal(rng *r) {
    /* Box and Muller; 1 - u keeps the logarithm finite. */
    double radius = sqrt(-2.0 * log(1.0 - rng_uniform(r)));
    return radius * cos(6.283185307179586476925 * rng_uniform(r));
}

uint64_t rng_geometric(rng *r, double p) {
    if (p <= 0)
        return UINT64_MAX;
    if (p >= 1)
        return 0;
    double failures = floor(log(1.0 - rng_uniform(r)) / log1p(-p));
    return failures < 0x1p63 ? (uint64_t)failures : UINT64_MAX;
}
