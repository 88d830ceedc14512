/* The targets: what is fixed, what is appended, what is forgotten. */
#include "testing.h"

#include "core/rng.h"
#include "decide/latin.h"
#include "decide/targets.h"

#include <stdlib.h>

enum { FIXED = 50, DIMENSION = 3, TRIED = 12 };

static const double spread[DIMENSION] = {0.05, 0.2, 0.6};
static const double maximiser[DIMENSION] = {0.3, 0.95, 0.5};

typedef struct fixture {
    targets t;
    observations tried;
    double fixed[FIXED * DIMENSION]; /* as they were at the start */
} fixture;

static void try_theta(fixture *f, const double *theta) {
    besd_error error;
    assert_ok(observations_add(&f->tried, theta, 1, 0, 1, 0, 0, &error), &error);
}

/* Twelve trials of four thetas, each three times, as when a theta runs at every tau. */
static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    besd_error error;
    if (!f || targets_init(&f->t, 7, FIXED, DIMENSION, &error) != BESD_OK ||
        observations_init(&f->tried, DIMENSION, &error) != BESD_OK)
        return -1;
    memcpy(f->fixed, f->t.points, sizeof f->fixed);
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int j = 0; j < TRIED; j++) {
        double theta[DIMENSION];
        for (size_t i = 0; i < DIMENSION; i++)
            theta[i] = rng_uniform(&stream);
        if (j >= TRIED / 3)
            memcpy(theta, f->tried.theta + (j % (TRIED / 3)) * DIMENSION, sizeof theta);
        try_theta(f, theta);
    }
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    targets_free(&f->t);
    observations_free(&f->tried);
    free(f);
    return 0;
}

static void adapt(fixture *f, const double *best, uint64_t seed, size_t told) {
    besd_error error;
    assert_ok(targets_adapt(&f->t, &f->tried, best, spread, seed, told, &error), &error);
}

static size_t count_of(const targets *t, size_t from, const double *point) {
    size_t count = 0;
    for (size_t i = from; i < t->count; i++)
        count += !memcmp(t->points + i * t->dimension, point, t->dimension * sizeof *point);
    return count;
}

/* The fixed part is the Latin hypercube of the study's seed and nothing else. */
static void test_fixed_part_is_a_hypercube(void **state) {
    fixture *f = *state;
    double expected[FIXED * DIMENSION];
    latin_hypercube(7, RNG_TARGETS, FIXED, DIMENSION, expected);
    assert_memory_equal(f->fixed, expected, sizeof expected);
    assert_int_equal(f->t.count, FIXED);
    assert_int_equal(f->t.fixed, FIXED);
    assert_int_equal(f->t.dimension, DIMENSION);
}

static void test_fixed_part_stays(void **state) {
    fixture *f = *state;
    for (size_t told = 0; told < 20; told++) {
        adapt(f, maximiser, 7, told);
        assert_int_equal(f->t.fixed, FIXED);
        assert_memory_equal(f->t.points, f->fixed, sizeof f->fixed);
    }
}

/* Every theta tried and the maximiser are there once, and the whole cloud. */
static void test_appends_each_once(void **state) {
    fixture *f = *state;
    adapt(f, maximiser, 7, 3);
    assert_int_equal(f->t.count, FIXED + TRIED / 3 + 1 + TARGETS_NEARBY);
    for (size_t j = 0; j < TRIED; j++)
        assert_int_equal(count_of(&f->t, FIXED, f->tried.theta + j * DIMENSION), 1);
    assert_int_equal(count_of(&f->t, FIXED, maximiser), 1);
    for (size_t i = FIXED; i < f->t.count; i++)
        assert_int_equal(count_of(&f->t, FIXED, f->t.points + i * DIMENSION), 1);
}

/* A maximiser that was tried is not a second point; nor are clipped points of the cloud when the
 * maximiser is a corner and the spread pushes them back onto it. */
static void test_maximiser_among_the_tried(void **state) {
    fixture *f = *state;
    adapt(f, f->tried.theta + DIMENSION, 7, 3);
    assert_int_equal(f->t.count, FIXED + TRIED / 3 + TARGETS_NEARBY);
    const double corner[DIMENSION] = {0, 1, 0};
    adapt(f, corner, 7, 3);
    assert_int_equal(count_of(&f->t, FIXED, corner), 1);
    /* an eighth of the cloud falls beyond all three borders */
    assert_true(f->t.count < FIXED + TRIED / 3 + 1 + TARGETS_NEARBY);
    assert_true(f->t.count > FIXED + TRIED / 3 + 1 + TARGETS_NEARBY / 2);
}

/* What was appended before is forgotten: adapting twice is adapting once. */
static void test_forgets(void **state) {
    fixture *f = *state;
    adapt(f, maximiser, 7, 4);
    size_t count = f->t.count, size = count * DIMENSION * sizeof(double);
    double *once = malloc(size);
    assert_non_null(once);
    memcpy(once, f->t.points, size);
    const double elsewhere[DIMENSION] = {0.1, 0.1, 0.1};
    adapt(f, elsewhere, 7, 9);
    assert_int_equal(count_of(&f->t, FIXED, maximiser), 0);
    adapt(f, maximiser, 7, 4);
    assert_int_equal(f->t.count, count);
    assert_memory_equal(f->t.points, once, size);
    free(once);
}

static void test_cloud_is_inside_the_cube(void **state) {
    fixture *f = *state;
    for (size_t told = 0; told < 50; told++) {
        const double corner[DIMENSION] = {(double)(told & 1), (double)(told >> 1 & 1), 1};
        adapt(f, corner, 7, told);
        for (size_t i = 0; i < f->t.count * DIMENSION; i++)
            assert_true(f->t.points[i] >= 0 && f->t.points[i] <= 1);
    }
}

/* The cloud is centred at the maximiser; one half of it has the given standard deviation along
 * each axis, the other a quarter of it. Checked on an axis where the borders are ten deviations
 * away: the variance is that of the mixture, s^2 (1 + 1/16) / 2, and its own variance, from the
 * fourth moments, (3 (1 + 1/256) / 2 - (17/32)^2) s^4 / n. */
static void test_cloud_has_the_spread(void **state) {
    fixture *f = *state;
    const double centre[DIMENSION] = {0.5, 0.5, 0.5}, s = spread[0];
    double sum = 0, squares = 0, count = 0;
    for (size_t told = 0; told < 200; told++) {
        adapt(f, centre, 7, told);
        for (size_t i = f->t.count - TARGETS_NEARBY; i < f->t.count; i++, count++) {
            double moved = f->t.points[i * DIMENSION] - centre[0];
            sum += moved;
            squares += moved * moved;
        }
    }
    assert_mean(sum / count, 0, 17.0 / 32 * s * s, count);
    double fourth = 3 * (1 + 1.0 / 256) / 2 - 17.0 / 32 * 17.0 / 32;
    assert_mean(squares / count, 17.0 / 32 * s * s, fourth * s * s * s * s, count);
}

/* The same (seed, told) gives the same bytes, another seed or number of tells another cloud. */
static void test_cloud_is_named_by_seed_and_told(void **state) {
    fixture *f = *state;
    double clouds[4][TARGETS_NEARBY * DIMENSION];
    const uint64_t seeds[4] = {7, 8, 7, 7};
    const size_t told[4] = {5, 5, 6, 5};
    for (int k = 0; k < 4; k++) {
        adapt(f, maximiser, seeds[k], told[k]);
        memcpy(clouds[k], f->t.points + (f->t.count - TARGETS_NEARBY) * DIMENSION,
               sizeof clouds[k]);
    }
    assert_memory_equal(clouds[0], clouds[3], sizeof clouds[0]);
    for (int k = 1; k < 3; k++) {
        size_t equal = 0;
        for (size_t i = 0; i < TARGETS_NEARBY * DIMENSION; i++)
            equal += clouds[0][i] == clouds[k][i];
        assert_true(equal < TARGETS_NEARBY * DIMENSION / 2); /* clipped coordinates agree */
    }
}

/* Nothing tried yet: the maximiser and its cloud. */
static void test_nothing_tried(void **state) {
    fixture *f = *state;
    f->tried.count = 0;
    adapt(f, maximiser, 7, 0);
    assert_int_equal(f->t.count, FIXED + 1 + TARGETS_NEARBY);
    assert_memory_equal(f->t.points + FIXED * DIMENSION, maximiser, sizeof maximiser);
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_fixture(test_fixed_part_is_a_hypercube),
        with_fixture(test_fixed_part_stays),
        with_fixture(test_appends_each_once),
        with_fixture(test_maximiser_among_the_tried),
        with_fixture(test_forgets),
        with_fixture(test_cloud_is_inside_the_cube),
        with_fixture(test_cloud_has_the_spread),
        with_fixture(test_cloud_is_named_by_seed_and_told),
        with_fixture(test_nothing_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
