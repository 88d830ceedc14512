#include "learn/epsilon_greedy.h"

void lockstep_random_set(lockstep_random *r, int lane, const rng *stream) {
    for (int i = 0; i < 4; i++)
        r->state[i][lane] = stream->state[i];
}

/* xoshiro256++ of rng.h, two lanes to a register. */
void lockstep_random_fill(lockstep_random *r, int count) {
    typedef uint64_t pair __attribute__((vector_size(16), may_alias));
    for (int i = 0; i < LOCKSTEP_LANES; i += 2) {
        pair s0 = *(pair *)&r->state[0][i], s1 = *(pair *)&r->state[1][i];
        pair s2 = *(pair *)&r->state[2][i], s3 = *(pair *)&r->state[3][i];
        for (int n = 0; n < count; n++) {
            pair sum = s0 + s3, shifted = s1 << 17;
            *(pair *)&r->next[n][i] = ((sum << 23) | (sum >> 41)) + s0;
            s2 ^= s0;
            s3 ^= s1;
            s1 ^= s2;
            s0 ^= s3;
            s2 ^= shifted;
            s3 = (s3 << 45) | (s3 >> 19);
        }
        *(pair *)&r->state[0][i] = s0;
        *(pair *)&r->state[1][i] = s1;
        *(pair *)&r->state[2][i] = s2;
        *(pair *)&r->state[3][i] = s3;
    }
}

void lockstep_picks_init(lockstep_picks *p) {
    for (unsigned mask = 0; mask < 1 << LOCKSTEP_ACTIONS; mask++)
        for (int r = 0; r < LOCKSTEP_TIES; r++) {
            unsigned left = mask ? mask : 1; /* there is no best among values that are NaN */
            for (int skip = r % __builtin_popcount(left); skip > 0; skip--)
                left &= left - 1;
            p->action[mask][r] = (uint8_t)__builtin_ctz(left);
        }
}
