/* Choosing an action: epsilon-greedy with uniform random ties, from one 64-bit number.
 *
 * Write u * L = r * 2^64 + f with L = lcm(1, ..., actions). Then r is uniform on 0, ..., L - 1,
 * and f is uniform and independent of it, both to within L / 2^64. f < epsilon * 2^64 decides
 * whether to explore, that is to take every action for a best one. Among c best actions the
 * (r mod c)-th is taken: c divides L, so there is no bias. Above 20 actions the multiple no longer
 * fits 32 bits and L = 2^32 leaves a bias below 2e-8.
 */
#ifndef BESD_LEARN_CHOICE_H
#define BESD_LEARN_CHOICE_H

#include <math.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 choice_wide;

static inline uint64_t choice_multiplier(int actions) {
    if (actions > 20)
        return UINT64_C(1) << 32;
    uint64_t multiple = 1;
    for (uint64_t n = 2; n <= (uint64_t)actions; n++) {
        uint64_t a = multiple, b = n;
        while (b) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        multiple = multiple / a * n;
    }
    return multiple;
}

/* The f below which to explore. */
static inline uint64_t choice_threshold(double epsilon) {
    return epsilon >= 1 ? UINT64_MAX : (uint64_t)ldexp(epsilon, 64);
}

static inline double choice_largest(const double *values, int actions) {
    double best = values[0]; // NOLINT: callers fill the first `actions`
    for (int a = 1; a < actions; a++)
        best = values[a] > best ? values[a] : best;
    return best;
}

/* Bit a is set when action a has the largest value. */
static inline uint64_t choice_best(const double *values, int actions) {
    double best = choice_largest(values, actions);
    uint64_t mask = 0;
    for (int a = 0; a < actions; a++)
        mask |= (uint64_t)(values[a] == best) << a;
    return mask;
}

/* The action for random number u when the actions in mask are best. */
static inline int choice_take(uint64_t mask, int actions, uint64_t multiplier, uint64_t threshold,
                              uint64_t u) {
    choice_wide product = (choice_wide)u * multiplier;
    uint64_t r = (uint64_t)(product >> 64), f = (uint64_t)product;
    mask = mask ? mask : 1; /* values that are no numbers have no best */
    if (f < threshold)
        mask = actions < 64 ? (UINT64_C(1) << actions) - 1 : UINT64_MAX;
    if (mask & (mask - 1)) {
        uint32_t count = (uint32_t)__builtin_popcountll(mask);
        for (uint32_t skip = (uint32_t)r % count; skip > 0; skip--)
            mask &= mask - 1;
    }
    return __builtin_ctzll(mask);
}

#endif
