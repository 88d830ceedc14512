/* Composed paths against all sequences of cells, one by one. */
#include "testing.h"

#include "core/rng.h"
#include "decide/compose.h"

enum { MOST_CELLS = 6, MOST_POINTS = 4 };

/* The best path of all: the best through any cell at the first point. */
static double compose_best(const compose *c, size_t *cells) {
    size_t best = 0;
    for (size_t cell = 1; cell < c->cells; cell++)
        if (compose_value(c, 0, cell) > compose_value(c, 0, best))
            best = cell;
    compose_path(c, 0, best, cells);
    return compose_value(c, 0, best);
}

static besd_error error;

/* A world of legs that owns its numbers. */
typedef struct world {
    double first[MOST_CELLS], inner[MOST_CELLS * MOST_CELLS], last[MOST_CELLS];
    bool allowed[MOST_POINTS * MOST_CELLS];
    compose_legs legs;
} world;

/* Values of legs: anything, few different ones with many ties, or some that cannot be gone. */
typedef enum kind { ANY, TIED, BROKEN, KINDS } kind;

static double draw_value(rng *stream, kind k) {
    if (k == TIED)
        return -(double)rng_below(stream, 3);
    if (k == BROKEN && rng_below(stream, 3) == 0)
        return -INFINITY;
    return rng_between(stream, -5, 2);
}

static void draw_world(world *w, rng *stream, size_t cells, size_t points, kind k, bool limited) {
    w->legs = (compose_legs){.cells = cells,
                             .points = points,
                             .first = w->first,
                             .inner = w->inner,
                             .last = w->last,
                             .allowed = limited ? w->allowed : NULL,
                             .least = -INFINITY};
    for (size_t i = 0; i < cells; i++) {
        w->first[i] = draw_value(stream, k);
        w->last[i] = draw_value(stream, k);
        for (size_t j = 0; j < cells; j++)
            w->inner[i * cells + j] = draw_value(stream, k);
    }
    for (size_t p = 0; p < points; p++) {
        for (size_t i = 0; i < cells; i++)
            w->allowed[p * cells + i] = rng_below(stream, 2);
        w->allowed[p * cells + rng_below(stream, cells)] = true;
    }
}

/* What a path is worth to one who has come to a point of it: the way there, and to go on, which is
 * never worth less than the least. -INFINITY where it is not allowed. */
static double worth(const compose_legs *l, const size_t *cells, size_t point) {
    double before = l->first[cells[0]], after = l->last[cells[l->points - 1]];
    for (size_t k = 0; k < l->points; k++)
        if (l->allowed && !l->allowed[k * l->cells + cells[k]])
            return -INFINITY;
    for (size_t k = 1; k <= point; k++)
        before += l->inner[cells[k - 1] * l->cells + cells[k]];
    for (size_t k = l->points - 1; k > point; k--)
        after = fmax(l->least, l->inner[cells[k - 1] * l->cells + cells[k]] + after);
    return before + after;
}

/* The best of all paths, and the best with each cell at each point. */
static double try_all(const compose_legs *l, double *through) {
    double best = -INFINITY;
    size_t cells[MOST_POINTS] = {0}, count = 1;
    for (size_t k = 0; k < l->points; k++)
        count *= l->cells;
    for (size_t i = 0; i < l->points * l->cells; i++)
        through[i] = -INFINITY;
    for (size_t number = 0; number < count; number++) {
        for (size_t k = 0, rest = number; k < l->points; k++, rest /= l->cells)
            cells[k] = rest % l->cells;
        best = fmax(best, worth(l, cells, 0));
        for (size_t k = 0; k < l->points; k++) {
            double *place = &through[k * l->cells + cells[k]];
            *place = fmax(*place, worth(l, cells, k));
        }
    }
    return best;
}

static void assert_same_value(double got, double expected) {
    if (isinf(expected))
        assert_true(got == expected);
    else
        assert_close(got, expected, 1e-12);
}

static void assert_best(const compose_legs *l) {
    compose c;
    double through[MOST_POINTS * MOST_CELLS], best = try_all(l, through);
    size_t cells[MOST_POINTS];
    assert_ok(compose_init(&c, l, &error), &error);
    assert_int_equal(c.cells, l->cells);
    assert_int_equal(c.points, l->points);
    assert_same_value(compose_best(&c, cells), best);
    if (isfinite(best))
        assert_close(worth(l, cells, 0), best, 1e-12);
    for (size_t k = 0; k < l->points; k++)
        for (size_t i = 0; i < l->cells; i++) {
            double expected = through[k * l->cells + i];
            assert_same_value(compose_value(&c, k, i), expected);
            compose_path(&c, k, i, cells);
            assert_int_equal(cells[k], i);
            for (size_t p = 0; p < l->points; p++)
                assert_true(cells[p] < l->cells);
            if (isfinite(expected))
                assert_close(worth(l, cells, k), expected, 1e-12);
        }
    compose_free(&c);
    assert_null(c.before);
}

static void test_against_all_paths(void **state) {
    (void)state;
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    world w;
    for (size_t points = 1; points <= MOST_POINTS; points++)
        for (size_t cells = 1; cells <= MOST_CELLS; cells++)
            for (kind k = ANY; k < KINDS; k++)
                for (int limited = 0; limited < 2; limited++)
                    for (int again = 0; again < 4; again++) {
                        draw_world(&w, &stream, cells, points, k, limited);
                        assert_best(&w.legs);
                        if (k != BROKEN && !limited) { /* there is always a way on */
                            w.legs.least = rng_between(&stream, -4, 0);
                            assert_best(&w.legs);
                        }
                    }
}

/* A leg has a direction: 0 -> 1 is free, 1 -> 0 is not. */
static void test_legs_have_a_direction(void **state) {
    (void)state;
    const double ends[] = {0, 0}, inner[] = {-9, 0, -5, -9};
    size_t cells[2];
    compose c;
    compose_legs l = {
        .cells = 2, .points = 2, .first = ends, .inner = inner, .last = ends, .least = -INFINITY};
    assert_ok(compose_init(&c, &l, &error), &error);
    assert_true(compose_best(&c, cells) == 0);
    assert_true(cells[0] == 0 && cells[1] == 1);
    assert_true(compose_value(&c, 0, 1) == -5);
    compose_path(&c, 0, 1, cells);
    assert_true(cells[0] == 1 && cells[1] == 0);
    compose_free(&c);
}

/* Where no path is possible, none is worth anything. */
static void test_no_way(void **state) {
    (void)state;
    const double ends[] = {0, 0}, inner[] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    size_t cells[3];
    compose c;
    compose_legs l = {
        .cells = 2, .points = 3, .first = ends, .inner = inner, .last = ends, .least = -INFINITY};
    assert_ok(compose_init(&c, &l, &error), &error);
    assert_true(compose_best(&c, cells) == -INFINITY);
    for (size_t k = 0; k < 3; k++)
        assert_true(compose_value(&c, k, 1) == -INFINITY);
    compose_free(&c);
}

/* As many points as there may be: the best goes round and round. */
static void test_many_points(void **state) {
    (void)state;
    const double ends[] = {0, 0, 0}, inner[] = {-1, 0, -1, -1, -1, 0, 0, -1, -1};
    size_t cells[COMPOSE_MOST_POINTS];
    compose c;
    compose_legs l = {.cells = 3,
                      .points = COMPOSE_MOST_POINTS,
                      .first = ends,
                      .inner = inner,
                      .last = ends,
                      .least = -INFINITY};
    assert_ok(compose_init(&c, &l, &error), &error);
    assert_true(compose_best(&c, cells) == 0);
    for (size_t k = 1; k < COMPOSE_MOST_POINTS; k++)
        assert_int_equal(cells[k], (cells[k - 1] + 1) % 3);
    compose_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_paths),
        cmocka_unit_test(test_legs_have_a_direction),
        cmocka_unit_test(test_no_way),
        cmocka_unit_test(test_many_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
