#include "testing.h"

#include "core/rng.h"
#include "learn/tiles.h"

enum { DIMENSIONS = 3 };

static const besd_env_spec box = {
    .observation = DIMENSIONS, .low = {-1.2, -0.07, 2}, .high = {0.6, 0.07, 10}};

static besd_env_spec spec_of(int dimension) {
    besd_env_spec spec = box;
    spec.observation = dimension;
    return spec;
}

static tile_coder coder_of(int dimension, int tilings, int tiles) {
    tile_coder c;
    besd_error error = {BESD_OK, ""};
    besd_env_spec spec = spec_of(dimension);
    assert_ok(tiles_init(&c, &spec, tilings, tiles, &error), &error);
    return c;
}

static int64_t power(int64_t base, int exponent) {
    int64_t product = 1;
    while (exponent-- > 0)
        product *= base;
    return product;
}

/* A point by its coordinates in tiles, 0 to `tiles` across the box. */
static void point_at(const double *in_tiles, int tiles, double *point) {
    for (int i = 0; i < DIMENSIONS; i++)
        point[i] = box.low[i] + (box.high[i] - box.low[i]) * in_tiles[i] / tiles;
}

static void check_range(const tile_coder *c, const double *point) {
    int32_t active[TILES_MAX_TILINGS];
    int64_t per_tiling = tiles_count(c) / c->tilings;
    tiles_active(c, point, active);
    for (int k = 0; k < c->tilings; k++) {
        assert_true(active[k] >= k * per_tiling);
        assert_true(active[k] < (k + 1) * per_tiling);
    }
}

/* One tile of each tiling: inside the box, at all its corners and borders, and far outside. */
static void test_one_tile_per_tiling(void **state) {
    (void)state;
    static const int tilings[] = {1, 3, 8, 32}, tiles[] = {1, 8, 20};
    static const double far[] = {-1e300, -1e9, -2, 0, 0.5, 1, 3, 1e9, 1e300};
    rng r = rng_open(1, RNG_TEST, 12, 0, 0);
    for (int n = 0; n < 4 * 3 * DIMENSIONS; n++) {
        int dimension = 1 + n % DIMENSIONS;
        tile_coder c = coder_of(dimension, tilings[n / DIMENSIONS % 4], tiles[n / DIMENSIONS / 4]);
        assert_int_equal(tiles_count(&c), c.tilings * power(c.tiles + 1, dimension));
        for (int i = 0; i < 9 * 9 * 9; i++) {
            const double part[3] = {far[i % 9], far[i / 9 % 9], far[i / 81]};
            double point[3];
            point_at(part, 1, point);
            check_range(&c, point);
        }
        for (int i = 0; i < 500; i++) {
            double point[3];
            for (int k = 0; k < 3; k++)
                point[k] = rng_between(&r, box.low[k], box.high[k]);
            check_range(&c, point);
        }
    }
}

/* Tiling k in dimension i is shifted by k (2 i + 1) / tilings tiles, modulo one. */
static double shift_of(int k, int i, int tilings) {
    double shift = (double)k * (2 * i + 1) / tilings;
    return shift - floor(shift);
}

/* Is the point so near to a border that rounding decides? */
static bool on_a_border(const double *in_tiles, int tilings) {
    for (int i = 0; i < DIMENSIONS; i++)
        if (fabs(in_tiles[i] * tilings - round(in_tiles[i] * tilings)) < 1e-6)
            return true;
    return false;
}

/* Two points share the tile of tiling k exactly if no border of that tiling parts them. */
static void test_sharing_against_the_definition(void **state) {
    (void)state;
    static const int tilings[] = {1, 3, 8, 16};
    rng r = rng_open(1, RNG_TEST, 13, 0, 0);
    int shared = 0, parted = 0;
    for (int n = 0; n < 40000; n++) {
        int tiles = 1 + n % 9, dimension = 1 + n % DIMENSIONS, count = tilings[n / 7 % 4];
        tile_coder c = coder_of(dimension, count, tiles);
        double a[DIMENSIONS], b[DIMENSIONS], point_a[DIMENSIONS], point_b[DIMENSIONS];
        int32_t active_a[TILES_MAX_TILINGS], active_b[TILES_MAX_TILINGS];
        for (int i = 0; i < DIMENSIONS; i++) {
            a[i] = rng_between(&r, 0, tiles);
            b[i] = fmin(fmax(a[i] + rng_between(&r, -0.7, 0.7), 0), tiles - 1e-3);
        }
        if (on_a_border(a, count) || on_a_border(b, count))
            continue;
        point_at(a, tiles, point_a);
        point_at(b, tiles, point_b);
        tiles_active(&c, point_a, active_a);
        tiles_active(&c, point_b, active_b);
        for (int k = 0; k < count; k++) {
            bool same = true;
            for (int i = 0; i < dimension; i++)
                same = same &&
                       floor(a[i] + shift_of(k, i, count)) == floor(b[i] + shift_of(k, i, count));
            assert_int_equal(active_a[k] == active_b[k], same);
            shared += same;
            parted += !same;
        }
    }
    assert_true(shared > 50000 && parted > 50000);
}

static int common_tiles(const tile_coder *c, const double *a, const double *b) {
    int32_t active_a[TILES_MAX_TILINGS], active_b[TILES_MAX_TILINGS];
    double point_a[DIMENSIONS], point_b[DIMENSIONS];
    int common = 0;
    point_at(a, c->tiles, point_a);
    point_at(b, c->tiles, point_b);
    tiles_active(c, point_a, active_a);
    tiles_active(c, point_b, active_b);
    for (int k = 0; k < c->tilings; k++)
        common += active_a[k] == active_b[k];
    return common;
}

/* A small step along one axis changes at most one tile of eight, a whole tile changes all. */
static void test_neighbours_share_tiles(void **state) {
    (void)state;
    tile_coder c = coder_of(DIMENSIONS, 8, 8);
    rng r = rng_open(1, RNG_TEST, 14, 0, 0);
    int changed = 0;
    for (int n = 0; n < 10000; n++) {
        double here[DIMENSIONS], near[DIMENSIONS], away[DIMENSIONS];
        int axis = n % DIMENSIONS;
        for (int i = 0; i < DIMENSIONS; i++)
            here[i] = near[i] = away[i] = rng_between(&r, 0, 6.9);
        near[axis] += 0.9 / 8;
        away[axis] += 1.001;
        assert_in_range(common_tiles(&c, here, near), 7, 8);
        assert_int_equal(common_tiles(&c, here, away), 0);
        changed += common_tiles(&c, here, near) == 7;
    }
    assert_mean(changed / 10000.0, 0.9, 0.09, 10000); /* nine of ten such steps cross a border */
}

/* No two tilings have a border in common along the first axis: on a straight way across the box
 * the features change once for each tile of each tiling, one at a time. */
static void test_the_displacements_are_distinct(void **state) {
    (void)state;
    static const int tilings[] = {1, 2, 3, 8, 12, 32};
    for (size_t n = 0; n < sizeof tilings / sizeof *tilings; n++) {
        tile_coder c = coder_of(1, tilings[n], 4);
        int32_t before[TILES_MAX_TILINGS], after[TILES_MAX_TILINGS];
        int changes = 0, cells = 4 * tilings[n];
        for (int i = 0; i < cells; i++) {
            double in_tiles[DIMENSIONS] = {(i + 0.5) * 4 / cells}, point[DIMENSIONS];
            point_at(in_tiles, 4, point);
            tiles_active(&c, point, after);
            for (int k = 0; i > 0 && k < tilings[n]; k++)
                changes += after[k] != before[k];
            assert_int_equal(changes, i);
            memcpy(before, after, sizeof before);
        }
    }
}

static void test_too_many_features(void **state) {
    (void)state;
    tile_coder c;
    besd_error error = {BESD_OK, ""};
    besd_env_spec spec = spec_of(3);
    assert_fails(tiles_init(&c, &spec, 32, 100, &error), BESD_INVALID, &error,
                 "tiles: 32 tilings of 100^3 tiles are more than 16777216 features");
    spec.observation = 8;
    for (int i = 0; i < 8; i++)
        spec.high[i] = spec.low[i] + 1;
    assert_fails(tiles_init(&c, &spec, 32, 64, &error), BESD_INVALID, &error, "64^8 tiles");
    assert_int_equal(tiles_init(&c, &spec, 1, 7, NULL), BESD_OK); /* 8^8 = 2^24, just */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_tile_per_tiling),
        cmocka_unit_test(test_sharing_against_the_definition),
        cmocka_unit_test(test_neighbours_share_tiles),
        cmocka_unit_test(test_the_displacements_are_distinct),
        cmocka_unit_test(test_too_many_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
