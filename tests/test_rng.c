#include "testing.h"

#include "core/rng.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams_do_not_depend_on_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
