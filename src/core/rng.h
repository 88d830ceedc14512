/* Random numbers: streams by purpose, no global state.
 *
 * A stream is named by (seed, purpose, a, b, c). The name is the key and counter of Threefry-4x64
 * (Random123), whose 256 output bits become the state of a xoshiro256++ generator (Blackman and
 * Vigna 2019). So streams can be opened in any order, on any thread, and streams of different names
 * are independent. The hot loops pay only the ten instructions of xoshiro for a number.
 */
#ifndef BESD_CORE_RNG_H
#define BESD_CORE_RNG_H

#include <stdint.h>

/* Part of every stream's name, so never renumbered: four letters in ASCII each. */
typedef enum rng_purpose {
    /* a = instance */
    RNG_INSTANCE = 0x696e7374, /* the seed of an instance */
    /* a = instance, b = replication */
    RNG_AGENT = 0x61676e74,          /* an agent's decisions in training */
    RNG_DYNAMICS = 0x64796e61,       /* the environment's own chance in training */
    RNG_INITIAL_VALUES = 0x696e6974, /* an agent's initial action values */
    /* a = instance, b = replication, c = interactions before it */
    RNG_TEST_AGENT = 0x65766167,    /* decisions in an evaluation */
    RNG_TEST_DYNAMICS = 0x65766479, /* the environment's chance in an evaluation */
    /* given the seed of an instance */
    RNG_FEATURES = 0x66656174, /* what the instance looks like */
    /* of a study */
    RNG_TARGETS = 0x74617267,        /* the fixed discretisation */
    RNG_INITIAL_DESIGN = 0x6473676e, /* the initial design */
    RNG_DRAWS = 0x64726177,          /* a = told trials, b = chain: hyperparameters */
    RNG_NEARBY = 0x6e656172,         /* a = told trials: points near the best design so far */
    RNG_TRIAL = 0x74726961,          /* a = trial: the seed a trainer gets */
    RNG_CHOICE = 0x63686f69, /* choices of random (a = axis or trial) and Hyperband (a = pass) */
    /* of the lab */
    RNG_CONTEST = 0x636f6e74,  /* a = replication: the seed of its study */
    RNG_TRANSFER = 0x7472616e, /* a = test instance: which stored instance it starts from */
    RNG_RESAMPLE = 0x72736d70, /* a = resample: which replications a bootstrap takes */
    RNG_TEST = 0x74657374      /* the seed of test instances; walks of checks; benchmarks */
} rng_purpose;

typedef struct rng {
    uint64_t state[4];
} rng;

rng rng_open(uint64_t seed, rng_purpose purpose, uint64_t a, uint64_t b, uint64_t c);

/* A seed for something that opens streams of its own: the first 64 bits of the same hash. */
uint64_t rng_seed(uint64_t seed, rng_purpose purpose, uint64_t a, uint64_t b, uint64_t c);

static inline uint64_t rng_rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

/* xoshiro256++. */
static inline uint64_t rng_next(rng *r) {
    uint64_t *s = r->state;
    uint64_t s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
    uint64_t result = rng_rotate(s0 + s3, 23) + s0;
    uint64_t shifted = s1 << 17;
    s2 ^= s0;
    s3 ^= s1;
    s[1] = s1 ^ s2;
    s[0] = s0 ^ s3;
    s[2] = s2 ^ shifted;
    s[3] = rng_rotate(s3, 45);
    return result;
}

/* Uniform on [0, 1), a multiple of 2^-53. */
static inline double rng_uniform(rng *r) {
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Uniform on {0, ..., bound - 1} without bias (Lemire's multiplication with rejection);
 * bound >= 1. */
uint64_t rng_below(rng *r, uint64_t bound);

/* Uniform between low and high; rounding may give high itself. */
double rng_between(rng *r, double low, double high);

/* Standard normal. */
double rng_normal(rng *r);

/* Number of failures before the first success of probability p in (0, 1]; UINT64_MAX for p = 0. */
uint64_t rng_geometric(rng *r, double p);

#endif
