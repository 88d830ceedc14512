/* Recommendations that are remembered: in order, the newest of a number of trials, thinned out. */
#include "testing.h"

#include "serve/memory.h"

static void keep(recommendations *m, int64_t trials, double value) {
    besd_recommendation r = {.trials = trials, .value = value, .low = value - 1, .high = value + 1};
    memory_keep(m, &r);
}

static void test_any_order(void **state) {
    (void)state;
    recommendations m = {0};
    keep(&m, 5, 50);
    keep(&m, 2, 20);
    keep(&m, 9, 90);
    keep(&m, 5, 51);
    assert_int_equal(m.count, 3);
    assert_true(memory_at(&m, 2)->value == 20);
    assert_true(memory_at(&m, 5)->value == 51);
    assert_true(memory_at(&m, 9)->low == 89 && memory_at(&m, 9)->high == 91);
    assert_null(memory_at(&m, 1));
    assert_null(memory_at(&m, 3));
    assert_null(memory_at(&m, 10));
}

/* However many there are, the first and the newest are among them, in order. */
static void test_room(void **state) {
    (void)state;
    recommendations m = {0};
    for (int64_t i = 1; i <= 10 * MEMORY_MOST; i++) {
        keep(&m, i, (double)i);
        assert_true(m.count <= MEMORY_MOST);
        assert_non_null(memory_at(&m, i));
        assert_non_null(memory_at(&m, 1));
    }
    assert_true(m.count > MEMORY_MOST / 3);
    for (size_t i = 1; i < m.count; i++)
        assert_true(m.of[i - 1].trials < m.of[i].trials);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_order),
                                       cmocka_unit_test(test_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
