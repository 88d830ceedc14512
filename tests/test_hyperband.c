/* Hyperband's fixed order of trials against the algorithm written out with queues. */
#include "testing.h"

#include "decide/hyperband.h"

#include <math.h>

/* Li et al. 2018, algorithm 1, for eta = 3 and R = 81: sizes and resources by hand. */
static void test_brackets_of_a_pass(void **state) {
    (void)state;
    static const struct {
        int bracket, rung;
        size_t trials;
        int64_t resource;
    } rungs[] = {{4, 0, 81, 1}, {4, 1, 27, 3}, {4, 2, 9, 9},  {4, 3, 3, 27}, {4, 4, 1, 81},
                 {3, 0, 34, 3}, {3, 1, 11, 9}, {3, 2, 3, 27}, {3, 3, 1, 81}, {2, 0, 15, 9},
                 {2, 1, 5, 27}, {2, 2, 1, 81}, {1, 0, 8, 27}, {1, 1, 2, 81}, {0, 0, 5, 81}};
    size_t n = 0;
    for (uint64_t pass = 0; pass < 3; pass++)
        for (size_t r = 0; r < sizeof rungs / sizeof *rungs; r++)
            for (size_t i = 0; i < rungs[r].trials; i++, n++) {
                hyperband_place p = hyperband_at(n);
                assert_int_equal(p.pass, pass);
                assert_int_equal(p.bracket, rungs[r].bracket);
                assert_int_equal(p.rung, rungs[r].rung);
                assert_int_equal(p.index, i);
                assert_int_equal(p.resource, rungs[r].resource);
                if (!p.rung) {
                    assert_int_equal(p.designs, rungs[r].trials);
                    continue;
                }
                assert_int_equal(p.count, rungs[r - 1].trials);
                assert_int_equal(p.previous, n - i - rungs[r - 1].trials);
            }
}

/* The best of what is left each time the best is taken away. */
static void test_survivor_is_the_best(void **state) {
    (void)state;
    double scores[] = {2, NAN, 5, 5, -INFINITY, 3};
    size_t names[] = {0, 1, 2, 3, 4, 5};
    const size_t order[] = {2, 3, 5, 0, 4, 1};
    for (size_t i = 0, left = 6; i < 6; i++, left--) {
        size_t best = hyperband_survivor(scores, left);
        assert_int_equal(names[best], order[i]);
        for (size_t j = best; j + 1 < left; j++) {
            scores[j] = scores[j + 1];
            names[j] = names[j + 1];
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brackets_of_a_pass),
        cmocka_unit_test(test_survivor_is_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
