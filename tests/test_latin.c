/* Latin hypercubes: one point per slice and axis, uniform otherwise. */
#include "testing.h"

#include "core/rng.h"
#include "decide/latin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *hypercube(uint64_t seed, size_t n, size_t dimension) {
    double *points = malloc(n * dimension * sizeof *points);
    assert_non_null(points);
    latin_hypercube(seed, RNG_TEST, n, dimension, points);
    return points;
}

/* Counts the points of an axis between the borders of each slice. */
static void assert_one_per_slice(const double *points, size_t n, size_t dimension, size_t axis) {
    for (size_t k = 0; k < n; k++) {
        double low = (double)k / (double)n, high = (double)(k + 1) / (double)n;
        size_t inside = 0;
        for (size_t i = 0; i < n; i++) {
            double x = points[i * dimension + axis];
            inside += x >= low && x < high;
        }
        assert_int_equal(inside, 1);
    }
}

static void test_one_point_in_every_slice(void **state) {
    (void)state;
    const size_t sizes[] = {1, 2, 3, 10, 49, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            double *points = hypercube(seed, sizes[s], 6);
            for (size_t axis = 0; axis < 6; axis++)
                assert_one_per_slice(points, sizes[s], 6, axis);
            free(points);
        }
}

static void test_same_name_same_points(void **state) {
    (void)state;
    double *one = hypercube(7, 100, 4), *same = hypercube(7, 100, 4);
    assert_memory_equal(one, same, 400 * sizeof *one);
    double *other = hypercube(8, 100, 4);
    size_t equal = 0;
    for (size_t i = 0; i < 400; i++)
        equal += one[i] == other[i];
    assert_int_equal(equal, 0);
    latin_hypercube(7, RNG_TARGETS, 100, 4, other);
    assert_memory_not_equal(one, other, 400 * sizeof *one);
    free(one);
    free(same);
    free(other);
}

/* Axes have streams of their own: a fifth one leaves the first four alone. */
static void test_axes_are_independent_streams(void **state) {
    (void)state;
    double *four = hypercube(3, 50, 4), *five = hypercube(3, 50, 5);
    for (size_t i = 0; i < 50; i++)
        assert_memory_equal(four + 4 * i, five + 5 * i, 4 * sizeof *four);
    free(four);
    free(five);
}

/* The mean of an axis has variance 1 / (12 n^3): only the places within the slices vary. */
static void test_means_are_stratified(void **state) {
    (void)state;
    const size_t n = 200, dimension = 3;
    for (uint64_t seed = 0; seed < 20; seed++) {
        double *points = hypercube(seed, n, dimension);
        for (size_t axis = 0; axis < dimension; axis++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += points[i * dimension + axis];
            assert_mean(sum / (double)n, 0.5, 1 / (12.0 * (double)n * (double)n), n);
        }
        free(points);
    }
}

/* Over many seeds the first point of five is uniform, on its axes and within its slice, and two
 * axes are not correlated: the sum of n products of centred uniforms has variance n / 144. */
static void test_points_are_uniform_over_seeds(void **state) {
    (void)state;
    const size_t seeds = 20000;
    uint64_t tenths[10] = {0}, pairs[25] = {0}, within[10] = {0};
    double products = 0;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        double points[10];
        latin_hypercube(seed, RNG_TEST, 5, 2, points);
        double x = points[0], y = points[1], in_slice = 5 * x - floor(5 * x);
        tenths[(size_t)(10 * x)]++;
        pairs[5 * (size_t)(5 * x) + (size_t)(5 * y)]++;
        within[(size_t)(10 * in_slice)]++;
        products += (x - 0.5) * (y - 0.5);
    }
    assert_uniform(tenths, 10, "the first axis");
    assert_uniform(pairs, 25, "pairs of slices");
    assert_uniform(within, 10, "the place within a slice");
    assert_mean(products / (double)seeds, 0, 1 / 144.0, seeds);
}

static void test_one_point_of_many(void **state) {
    (void)state;
    double points[7 * 3], axis[7], point[3];
    latin_hypercube(5, RNG_CHOICE, 7, 3, points);
    for (size_t i = 0; i < 7; i++) {
        latin_point(5, RNG_CHOICE, 7, 3, i, axis, point);
        assert_memory_equal(point, points + 3 * i, sizeof point);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_point_in_every_slice),
        cmocka_unit_test(test_same_name_same_points),
        cmocka_unit_test(test_axes_are_independent_streams),
        cmocka_unit_test(test_means_are_stratified),
        cmocka_unit_test(test_points_are_uniform_over_seeds),
        cmocka_unit_test(test_one_point_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
