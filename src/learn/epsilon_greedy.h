/* Choosing an action: epsilon-greedy, with ties broken uniformly, from one 64-bit number u.
 *
 * Write u * L = r * 2^64 + f with L = lcm(1, ..., actions). Then r is uniform on 0, ..., L - 1,
 * and f is uniform and independent of r, both to within L / 2^64. The agent explores when f <
 * epsilon * 2^64: then every action counts as best. Among c best actions the (r mod c)-th is taken:
 * c divides L, so there is no bias. Above 20 actions the multiple no longer fits 32 bits, and
 * L = 2^32 leaves a bias below 2e-8.
 */
#ifndef BESD_LEARN_EPSILON_GREEDY_H
#define BESD_LEARN_EPSILON_GREEDY_H

#include "core/rng.h"

#include <math.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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
    mask = mask ? mask : 1; /* there is no best among values that are NaN */
    if (f < threshold)
        mask = actions < 64 ? (UINT64_C(1) << actions) - 1 : UINT64_MAX;
    if (mask & (mask - 1)) {
        uint32_t count = (uint32_t)__builtin_popcountll(mask);
        for (uint32_t skip = (uint32_t)r % count; skip > 0; skip--)
            mask &= mask - 1;
    }
    return __builtin_ctzll(mask);
}

/* Choices of a crew, which steps several agents in turn (crew.h, tile_crew.h): random numbers for
 * all lanes in blocks, and choices among at most four actions without a branch. */
enum { LOCKSTEP_LANES = 8, LOCKSTEP_BLOCK = 64, LOCKSTEP_ACTIONS = 4, LOCKSTEP_TIES = 12 };

/* rng_next of every lane, a block of steps ahead. */
typedef struct lockstep_random {
    uint64_t state[4][LOCKSTEP_LANES]; /* xoshiro256++, a column per lane */
    uint64_t next[LOCKSTEP_BLOCK][LOCKSTEP_LANES];
} lockstep_random;

/* The lane goes on from the state of the stream. */
void lockstep_random_set(lockstep_random *r, int lane, const rng *stream);

/* Makes the next `count` rows of numbers, at most LOCKSTEP_BLOCK. */
void lockstep_random_fill(lockstep_random *r, int count);

/* choice_take as a table: [best actions][r]. */
typedef struct lockstep_picks {
    uint8_t action[1 << LOCKSTEP_ACTIONS][LOCKSTEP_TIES];
} lockstep_picks;

void lockstep_picks_init(lockstep_picks *p);

/* Bit a is set when action a has the largest of four values at a multiple of 16 bytes. */
static inline unsigned lockstep_best(const double *values, double *largest) {
#ifdef __SSE2__
    __m128d low = _mm_load_pd(values), high = _mm_load_pd(values + 2);
    __m128d both = _mm_max_pd(low, high);
    __m128d best = _mm_max_pd(both, _mm_shuffle_pd(both, both, 1));
    *largest = _mm_cvtsd_f64(best);
    return (unsigned)(_mm_movemask_pd(_mm_cmpeq_pd(low, best)) |
                      _mm_movemask_pd(_mm_cmpeq_pd(high, best)) << 2);
#else
    *largest = choice_largest(values, LOCKSTEP_ACTIONS);
    return (unsigned)choice_best(values, LOCKSTEP_ACTIONS);
#endif
}

/* choice_take for `actions` <= 4. With a constant the multiplier is constant, too. */
static inline int lockstep_take(const lockstep_picks *p, unsigned best, int actions,
                                uint64_t threshold, uint64_t random) {
    choice_wide product = (choice_wide)random * (actions == 4 ? 12u : actions == 3 ? 6u : 2u);
    best |= -(unsigned)((uint64_t)product < threshold) & ((1u << actions) - 1);
    return p->action[best][(size_t)(product >> 64)];
}

#endif
