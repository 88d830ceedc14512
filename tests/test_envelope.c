/* Envelopes against brute force. */
#include "envelope_facts.h"

static void assert_matches_brute_force(const envelope *e, const double *a, const double *b,
                                       size_t n) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        double low, high;
        reign(a, b, n, i, &low, &high);
        found += low < high;
    }
    assert_int_equal(e->count, found);
    for (size_t j = 0; j < e->count; j++) {
        double low, high;
        reign(a, b, n, e->line[j], &low, &high);
        assert_true(low < high);
        assert_true(low == (j > 0 ? e->cut[j - 1] : -INFINITY));
        assert_true(high == (j + 1 < e->count ? e->cut[j] : INFINITY));
    }
}

static void test_envelope_matches_brute_force(void **state) {
    fixture *f = *state;
    for (int trial = 0; trial < TEST_SIZE(2000, 200); trial++) {
        size_t n = 1 + (size_t)rng_below(&f->stream, 100);
        if (trial % 2)
            draw_normal_lines(f, n, 1, pow(10, rng_between(&f->stream, -3, 3)));
        else
            draw_posterior_lines(f, n, rng_between(&f->stream, 0.02, 1));
        envelope_build(f->e, f->a, f->b, n);
        assert_matches_brute_force(f->e, f->a, f->b, n);
    }
    for (int trial = 0; trial < TEST_SIZE(20, 2); trial++) {
        draw_posterior_lines(f, MOST, rng_between(&f->stream, 0.02, 1));
        envelope_build(f->e, f->a, f->b, MOST);
        assert_matches_brute_force(f->e, f->a, f->b, MOST);
    }
}

/* Small integers tie in every way: parallel, equal, three through one point. All values at
 * quarters of integers are exact. */
static void test_envelope_of_ties_is_exact(void **state) {
    fixture *f = *state;
    for (int trial = 0; trial < 3000; trial++) {
        size_t n = 1 + (size_t)rng_below(&f->stream, 60);
        uint64_t range = 1 + rng_below(&f->stream, 9);
        for (size_t i = 0; i < n; i++) {
            f->a[i] = (double)rng_below(&f->stream, range);
            f->b[i] = (double)rng_below(&f->stream, range) - 4;
        }
        envelope_build(f->e, f->a, f->b, n);
        for (size_t j = 1; j < f->e->count; j++) {
            assert_true(f->b[f->e->line[j]] > f->b[f->e->line[j - 1]]);
            assert_true(j < 2 || f->e->cut[j - 1] > f->e->cut[j - 2]);
        }
        for (size_t j = 0; j < f->e->count; j++) /* of equal lines the first */
            for (size_t i = 0, line = f->e->line[j]; i < line; i++)
                assert_false(f->a[i] == f->a[line] && f->b[i] == f->b[line]);
        size_t at = 0;
        for (int quarter = -80; quarter <= 80; quarter++) {
            double z = 0.25 * quarter, highest = -INFINITY;
            for (size_t i = 0; i < n; i++)
                highest = fmax(highest, f->a[i] + f->b[i] * z);
            while (at + 1 < f->e->count && f->e->cut[at] <= z)
                at++;
            assert_true(f->a[f->e->line[at]] + f->b[f->e->line[at]] * z == highest);
        }
    }
}

/* The tangents 2 k z - k^2 of the parabola z^2 are all on its envelope, whatever their order: the
 * filter can drop none, and the sort does the work. */
static void test_every_line_on_the_envelope(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < MOST; i++) {
        double k = (double)(i * 1009 % MOST);
        f->a[i] = -k * k;
        f->b[i] = 2 * k;
    }
    envelope_build(f->e, f->a, f->b, MOST);
    assert_int_equal(f->e->count, MOST);
    for (size_t j = 0; j < MOST; j++) {
        assert_int_equal(f->e->line[j] * 1009 % MOST, j);
        assert_true(j + 1 == MOST || f->e->cut[j] == (double)j + 0.5);
    }
}

static void test_order_of_lines_does_not_matter(void **state) {
    fixture *f = *state;
    size_t line[200], count;
    double a[200], b[200];
    for (int trial = 0; trial < 300; trial++) {
        size_t n = 200, place[200];
        draw_posterior_lines(f, n, 0.3);
        double expected = build_log_kg(f, n, 1);
        count = f->e->count;
        memcpy(line, f->e->line, count * sizeof *line);
        for (size_t i = 0; i < n; i++)
            place[i] = i;
        for (size_t i = n; i > 1; i--) {
            size_t other = (size_t)rng_below(&f->stream, i), swapped = place[i - 1];
            place[i - 1] = place[other];
            place[other] = swapped;
        }
        for (size_t i = 0; i < n; i++) {
            a[i] = f->a[place[i]];
            b[i] = f->b[place[i]];
        }
        envelope_build(f->e, a, b, n);
        assert_true(envelope_log_kg(f->e, 1) == expected);
        assert_int_equal(f->e->count, count);
        for (size_t j = 0; j < count; j++)
            assert_int_equal(place[f->e->line[j]], line[j]);
    }
}

static void test_no_room_is_refused(void **state) {
    (void)state;
    besd_error error;
    envelope *e = NULL;
    assert_fails(envelope_create(0, &e, &error), BESD_INVALID, &error, "at least 1 line");
    assert_null(e);
    envelope_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        with_fixture(test_envelope_matches_brute_force),
        with_fixture(test_envelope_of_ties_is_exact),
        with_fixture(test_every_line_on_the_envelope),
        with_fixture(test_order_of_lines_does_not_matter),
        cmocka_unit_test(test_no_room_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
