#include "testing.h"

#include "figures/legs.h"

static const leg_scale scale = {50, 50}; /* a box of ten is 500 pixels wide */

static leg_known leg(double x0, double y0, double x1, double y1) {
    return (leg_known){.from = {x0, y0}, .to = {x1, y1}};
}

static void check_alike(leg_known a, leg_known b, bool alike) {
    assert_int_equal(legs_are_alike(&a, &b, scale), alike);
    assert_int_equal(legs_are_alike(&b, &a, scale), alike);
}

static void test_alike(void **state) {
    (void)state;
    leg_known up = leg(1, 1, 1, 8);
    check_alike(up, up, true);
    check_alike(up, leg(1.5, 1, 1.5, 8), true);           /* beside it */
    check_alike(up, leg(1, 3, 1, 5), true);               /* within it */
    check_alike(up, leg(1, 1, 1.8, 7.5), true);           /* the next tooth of a comb */
    check_alike(up, leg(1, 8, 1, 1), false);              /* the way back */
    check_alike(up, leg(1, 1, 4, 8), false);              /* another direction */
    check_alike(up, leg(4, 1, 4, 8), false);              /* far beside it */
    check_alike(up, leg(1, 1, 8, 1), false);              /* across */
    check_alike(leg(1, 1, 1, 3), leg(1, 6, 1, 9), false); /* one after the other */
}

/* The picture's measure decides, not the box's. */
static void test_scale(void **state) {
    (void)state;
    leg_known a = leg(0.1, 0.1, 0.1, 0.8), b = leg(0.4, 0.1, 0.4, 0.8);
    assert_true(legs_are_alike(&a, &b, scale));
    assert_false(legs_are_alike(&a, &b, (leg_scale){500, 500}));
}

/* A comb of forty: the first stands for its neighbours, the rest keep their order, nothing is lost.
 */
static void test_a_comb(void **state) {
    (void)state;
    leg_known legs[40];
    for (size_t i = 0; i < 40; i++) {
        legs[i] = leg(0.5, 0.5, 9.5, 0.5 + 9 * (double)i / 39);
        legs[i].tried = 40 - i;
    }
    size_t count = leg_choice(legs, 40, NULL, 0, scale, 16);
    assert_true(count >= 3 && count <= 9);
    assert_int_equal(legs[0].tried, 40);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            assert_true(legs[k].tried > legs[i].tried);
            assert_false(legs_are_alike(&legs[i], &legs[k], scale));
        }
    size_t sum = 0;
    for (size_t i = 0; i < 40; i++)
        sum += legs[i].tried;
    assert_int_equal(sum, 40 * 41 / 2);
}

static void test_most_path_and_no_places(void **state) {
    (void)state;
    leg_known legs[] = {leg(NAN, NAN, 1, 1), leg(3, 3, 3, 3), leg(1, 1, 1, 8),
                        leg(1, 8, 8, 8),     leg(8, 8, 8, 1), leg(8, 1, 1, 1)};
    leg_known path[] = {leg(NAN, 0, 1, 1), leg(1, 1, 1, 7.5)};
    leg_known again[6];
    memcpy(again, legs, sizeof again);
    assert_int_equal(leg_choice(legs, 6, NULL, 0, scale, 16), 4);
    assert_true(legs[0].to[1] == 8 && legs[1].from[1] == 8);
    assert_int_equal(leg_choice(again, 6, path, 2, scale, 2), 2); /* not what the path goes */
    assert_true(again[0].to[0] == 8 && again[1].to[1] == 1);
    assert_int_equal(leg_choice(legs, 0, path, 2, scale, 16), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_a_comb),
        cmocka_unit_test(test_most_path_and_no_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
