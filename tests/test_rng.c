#include "testing.h"

#include "core/rng.h"

#include <stdlib.h>

static rng stream(uint64_t index) {
    return rng_open(20240501, RNG_TEST, index, 0, 0);
}

/* The order in which streams are opened and used must not matter. */
static void test_streams_do_not_depend_on_order(void **state) {
    (void)state;
    rng a = rng_open(1, RNG_AGENT, 2, 3, 4);
    uint64_t first = rng_next(&a), second = rng_next(&a);
    rng other = rng_open(1, RNG_AGENT, 2, 3, 5);
    rng_next(&other);
    rng b = rng_open(1, RNG_AGENT, 2, 3, 4);
    assert_true(rng_next(&b) == first);
    rng_next(&other);
    assert_true(rng_next(&b) == second);
}

/* Published by the authors of rand_xoshiro for the state {1, 2, 3, 4}. */
static void test_xoshiro_known_answers(void **state) {
    (void)state;
    static const uint64_t known[] = {41943041u,
                                     58720359u,
                                     3588806011781223u,
                                     3591011842654386u,
                                     9228616714210784205u,
                                     9973669472204895162u,
                                     14011001112246962877u,
                                     12406186145184390807u,
                                     15849039046786891736u,
                                     10450023813501588000u};
    rng r = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(rng_next(&r) == known[i]);
}

static uint64_t rotate_left(uint64_t x, unsigned k) {
    return (x << k) | (x >> (64 - k));
}

/* Blackman and Vigna's xoshiro256plusplus.c, statement by statement. */
static uint64_t reference_next(uint64_t s[4]) {
    const uint64_t result = rotate_left(s[0] + s[3], 23) + s[0];
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

static void test_xoshiro_against_the_reference(void **state) {
    (void)state;
    for (uint64_t index = 0; index < 50; index++) {
        rng r = stream(index);
        uint64_t s[4] = {r.state[0], r.state[1], r.state[2], r.state[3]};
        for (int i = 0; i < 1000; i++)
            assert_true(rng_next(&r) == reference_next(s));
    }
}

/* Threefry-4x64 with 20 rounds, from the paper (Salmon et al. 2011, Skein's constants). */
static void reference_threefry(const uint64_t key[4], const uint64_t counter[4], uint64_t x[4]) {
    static const unsigned rotation[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37},
                                            {25, 33}, {46, 12}, {58, 22}, {32, 32}};
    uint64_t schedule[5] = {key[0], key[1], key[2], key[3], 0x1bd11bdaa9fc1a22u};
    for (int i = 0; i < 4; i++) {
        schedule[4] ^= key[i];
        x[i] = counter[i] + key[i];
    }
    for (unsigned round = 0; round < 20; round++) {
        int first = round % 2 ? 3 : 1, second = round % 2 ? 1 : 3;
        x[0] += x[first];
        x[first] = rotate_left(x[first], rotation[round % 8][0]) ^ x[0];
        x[2] += x[second];
        x[second] = rotate_left(x[second], rotation[round % 8][1]) ^ x[2];
        if (round % 4 == 3) {
            for (unsigned i = 0; i < 4; i++)
                x[i] += schedule[(round / 4 + 1 + i) % 5];
            x[3] += round / 4 + 1;
        }
    }
}

/* The state of a stream is the hash of its whole name; every word of the name takes part. */
static void test_a_stream_is_the_hash_of_its_name(void **state) {
    (void)state;
    rng r = rng_open(0, (rng_purpose)0, 0, 0, 0);
    assert_true(r.state[0] == 0x09218ebde6c85537u); /* from Random123's kat_vectors */
    assert_true(r.state[1] == 0x55941f5266d86105u);
    assert_true(r.state[2] == 0x4bd25e16282434dcu);
    assert_true(r.state[3] == 0xee29ec846bd2e40bu);
    uint64_t names[4] = {7, UINT64_MAX, 1u << 31, 0x123456789abcdefu};
    for (int i = 0; i < 64; i++) {
        uint64_t a = names[i % 4], b = names[i / 4 % 4], c = names[i / 16], hash[4];
        reference_threefry((uint64_t[]){c ^ 99, RNG_TEST_AGENT, a, b}, (uint64_t[]){c, 0, 0, 0},
                           hash);
        r = rng_open(c ^ 99, RNG_TEST_AGENT, a, b, c);
        assert_memory_equal(r.state, hash, sizeof hash);
        assert_true(rng_seed(c ^ 99, RNG_TEST_AGENT, a, b, c) == hash[0]);
    }
}

static int compare_words(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* All names with small entries begin differently: a shared or swapped word would collide. */
static void test_different_names_give_different_streams(void **state) {
    (void)state;
    static uint64_t first[20 * 5 * 5 * 5 * 5];
    size_t count = 0;
    for (int purpose = 1; purpose <= 20; purpose++) /* more than there are */
        for (uint64_t n = 0; n < 625; n++) {
            rng r = rng_open(n % 5, (rng_purpose)purpose, n / 5 % 5, n / 25 % 5, n / 125);
            first[count++] = rng_next(&r);
        }
    qsort(first, count, sizeof *first, compare_words);
    for (size_t i = 1; i < count; i++)
        assert_true(first[i] != first[i - 1]);
}

/* Streams with neighbouring names are uncorrelated: first numbers of streams 0, 1, 2, ... are as
 * good as numbers of one stream. */
static void test_neighbouring_streams_are_independent(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    double sum = 0, products = 0, previous = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        rng r = rng_open(5, RNG_AGENT, 0, i, 0);
        double u = rng_uniform(&r) - 0.5;
        sum += u;
        products += u * previous;
        previous = u;
    }
    assert_mean(sum / COUNT, 0, 1.0 / 12, COUNT);
    assert_mean(products / COUNT, 0, 1.0 / 144, COUNT);
}

/* States whose next number is the largest and the smallest there is. */
static const rng at_most = {{UINT64_MAX, 0, 0, 1}}, at_least = {{0, 1, 0, 0}};

static void test_uniform_range(void **state) {
    (void)state;
    rng high = at_most, low = at_least;
    assert_true(rng_uniform(&high) == 1 - 0x1p-53);
    assert_true(rng_uniform(&low) == 0);
    rng r = stream(1);
    for (int i = 0; i < 100000; i++) {
        double u = rng_uniform(&r), scaled = ldexp(u, 53);
        assert_true(u >= 0 && u < 1);
        assert_true(scaled == floor(scaled));
    }
}

static void test_uniform_distribution(void **state) {
    (void)state;
    enum { COUNT = 1000000, CLASSES = 1000 };
    uint64_t counts[CLASSES] = {0};
    rng r = stream(2);
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        double u = rng_uniform(&r);
        sum += u;
        counts[(size_t)(u * CLASSES)]++;
    }
    assert_mean(sum / COUNT, 0.5, 1.0 / 12, COUNT);
    assert_uniform(counts, CLASSES, "uniform");
}

static void test_between(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    rng r = stream(3);
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        double value = rng_between(&r, -0.6, -0.4);
        assert_true(value >= -0.6 && value < -0.4);
        sum += value;
    }
    assert_mean(sum / COUNT, -0.5, 0.04 / 12, COUNT);
    assert_true(rng_between(&r, 0.02, 0.02) == 0.02);
}

static void test_below_small_bounds(void **state) {
    (void)state;
    static const uint64_t bounds[] = {2, 3, 4, 5, 7, 12, 100, 1000};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        uint64_t counts[1000] = {0};
        rng r = stream(10 + b);
        for (int i = 0; i < 300000; i++) {
            uint64_t value = rng_below(&r, bounds[b]);
            assert_true(value < bounds[b]);
            counts[value]++;
        }
        assert_uniform(counts, bounds[b], "rng_below");
    }
    rng r = stream(30);
    for (int i = 0; i < 100; i++)
        assert_int_equal(rng_below(&r, 1), 0);
}

/* With the bound 3 * 2^62 the remainder of a 64-bit number would hit the first third twice as
 * often as the others, and a multiplication without rejection would hit multiples of 3 twice as
 * often as other numbers. */
static void test_below_large_bounds(void **state) {
    (void)state;
    enum { COUNT = 300000 };
    const uint64_t bound = UINT64_C(3) << 62;
    uint64_t thirds[3] = {0}, rests[3] = {0}, halves[2] = {0};
    rng r = stream(31);
    for (int i = 0; i < COUNT; i++) {
        uint64_t value = rng_below(&r, bound);
        assert_true(value < bound);
        thirds[value >> 62]++;
        rests[value % 3]++;
    }
    assert_uniform(thirds, 3, "thirds of 3 * 2^62");
    assert_uniform(rests, 3, "remainders below 3 * 2^62");
    for (int i = 0; i < COUNT; i++) {
        uint64_t value = rng_below(&r, (UINT64_C(1) << 63) + 1);
        assert_true(value <= UINT64_C(1) << 63);
        halves[value >= UINT64_C(1) << 62]++;
    }
    assert_uniform(halves, 2, "halves of 2^63 + 1");
    for (int i = 0; i < 1000; i++)
        assert_true(rng_below(&r, UINT64_MAX) < UINT64_MAX);
}

/* Moments and one probability of the standard normal distribution. */
static void test_normal_moments(void **state) {
    (void)state;
    enum { COUNT = 1000000 };
    rng r = stream(40);
    double power[5] = {0}, within = 0;
    for (int i = 0; i < COUNT; i++) {
        double z = rng_normal(&r), product = 1;
        for (int k = 1; k <= 4; k++)
            power[k] += product *= z;
        within += fabs(z) < 1;
    }
    assert_mean(power[1] / COUNT, 0, 1, COUNT);
    assert_mean(power[2] / COUNT, 1, 2, COUNT);  /* E z^4 - 1 */
    assert_mean(power[3] / COUNT, 0, 15, COUNT); /* E z^6 */
    assert_mean(power[4] / COUNT, 3, 96, COUNT); /* E z^8 - 9 */
    double share = erf(sqrt(0.5));
    assert_mean(within / COUNT, share, share * (1 - share), COUNT);
}

/* Neither the largest nor the smallest number makes the logarithm infinite. */
static void test_normal_is_finite(void **state) {
    (void)state;
    rng high = at_most, low = at_least;
    double far = rng_normal(&high), near = rng_normal(&low);
    assert_true(isfinite(far) && fabs(far) <= sqrt(2 * 53 * log(2)));
    assert_true(near == 0);
}

/* Counts of 0, 1, ..., 8 and more failures against the closed form, and the mean. */
static void test_geometric_distribution(void **state) {
    (void)state;
    enum { COUNT = 200000, CLASSES = 10 };
    static const double success[] = {0.01, 0.3, 0.5, 0.95};
    for (size_t k = 0; k < sizeof success / sizeof *success; k++) {
        double p = success[k], sum = 0, probabilities[CLASSES];
        uint64_t counts[CLASSES] = {0};
        rng r = stream(50 + k);
        for (int i = 0; i < COUNT; i++) {
            uint64_t failures = rng_geometric(&r, p);
            sum += (double)failures;
            counts[failures < CLASSES - 1 ? failures : CLASSES - 1]++;
        }
        for (int i = 0; i < CLASSES; i++)
            probabilities[i] = pow(1 - p, i) * (i < CLASSES - 1 ? p : 1);
        assert_mean(sum / COUNT, (1 - p) / p, (1 - p) / (p * p), COUNT);
        size_t classes = p > 0.9 ? 4 : CLASSES; /* expected counts of at least 5 */
        for (size_t i = classes; i < CLASSES; i++) {
            counts[classes - 1] += counts[i];
            probabilities[classes - 1] += probabilities[i];
        }
        assert_distributed(counts, probabilities, classes, "rng_geometric");
    }
}

static void test_geometric_extremes(void **state) {
    (void)state;
    enum { COUNT = 10000 };
    rng r = stream(60), high = at_most, low = at_least;
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        assert_true(rng_geometric(&r, 0) == UINT64_MAX);
        assert_true(rng_geometric(&r, 1) == 0);
        sum += (double)rng_geometric(&r, 1e-12);
    }
    assert_mean(sum / COUNT, 1e12, 1e24, COUNT);
    assert_true(rng_geometric(&high, 1e-300) == UINT64_MAX);
    assert_true(rng_geometric(&low, 1e-300) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams_do_not_depend_on_order),
        cmocka_unit_test(test_xoshiro_known_answers),
        cmocka_unit_test(test_xoshiro_against_the_reference),
        cmocka_unit_test(test_a_stream_is_the_hash_of_its_name),
        cmocka_unit_test(test_different_names_give_different_streams),
        cmocka_unit_test(test_neighbouring_streams_are_independent),
        cmocka_unit_test(test_uniform_range),
        cmocka_unit_test(test_uniform_distribution),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_below_small_bounds),
        cmocka_unit_test(test_below_large_bounds),
        cmocka_unit_test(test_normal_moments),
        cmocka_unit_test(test_normal_is_finite),
        cmocka_unit_test(test_geometric_distribution),
        cmocka_unit_test(test_geometric_extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
