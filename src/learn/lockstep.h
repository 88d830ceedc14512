/* What crews that step several agents in turn have in common: random numbers for all lanes at
 * once, and choosing among at most four actions without a branch.
 */
#ifndef BESD_LEARN_LOCKSTEP_H
#define BESD_LEARN_LOCKSTEP_H

#include "core/rng.h"
#include "learn/choice.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LOCKSTEP_LANES = 8, LOCKSTEP_BLOCK = 64, LOCKSTEP_ACTIONS = 4, LOCKSTEP_TIES = 12 };

/* rng_next of every lane, a block of steps ahead. */
typedef struct lockstep_random {
    uint64_t state[4][LOCKSTEP_LANES]; /* xoshiro256++, a column per lane */
    uint64_t next[LOCKSTEP_BLOCK][LOCKSTEP_LANES];
} lockstep_random;

/* The lane goes on where the stream is. */
void lockstep_random_set(lockstep_random *r, int lane, const rng *stream);

/* Makes the next `count` rows, at most LOCKSTEP_BLOCK. */
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

/* choice_take for `actions` <= 4; give a constant, so that the multiplier is one too. */
static inline int lockstep_take(const lockstep_picks *p, unsigned best, int actions,
                                uint64_t threshold, uint64_t random) {
    choice_wide product = (choice_wide)random * (actions == 4 ? 12u : actions == 3 ? 6u : 2u);
    best |= -(unsigned)((uint64_t)product < threshold) & ((1u << actions) - 1);
    return p->action[best][(size_t)(product >> 64)];
}

#endif
