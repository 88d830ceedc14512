/* Envelopes against brute force; the knowledge gradient against quadrature, sampling, closed forms
 * and finite differences. */
#include "testing.h"

#include "core/normal.h"
#include "core/rng.h"
#include "decide/envelope.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 3000 };

typedef struct fixture {
    envelope *e;
    rng stream;
    double a[MOST], b[MOST], weight_a[MOST], weight_b[MOST];
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    besd_error error;
    if (!f || envelope_create(MOST, &f->e, &error) != BESD_OK)
        return -1;
    f->stream = rng_open(5, RNG_TEST, 0, 0, 0);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    envelope_destroy(f->e);
    free(f);
    return 0;
}

static double build_log_kg(fixture *f, size_t n, double scale) {
    envelope_build(f->e, f->a, f->b, n);
    return envelope_log_kg(f->e, scale);
}

static void draw_normal_lines(fixture *f, size_t n, double spread, double slopes) {
    for (size_t i = 0; i < n; i++) {
        f->a[i] = spread * rng_normal(&f->stream);
        f->b[i] = slopes * rng_normal(&f->stream);
    }
}

/* Like a posterior: smooth intercepts of spread 1 over the square, slopes that fall off with the
 * distance from a candidate, most of them near zero, some negative. */
static void draw_posterior_lines(fixture *f, size_t n, double width) {
    double centre[2] = {rng_uniform(&f->stream), rng_uniform(&f->stream)}, phase[4];
    for (int k = 0; k < 4; k++)
        phase[k] = rng_between(&f->stream, 0, 6.28);
    for (size_t i = 0; i < n; i++) {
        double x = rng_uniform(&f->stream), y = rng_uniform(&f->stream);
        double r = hypot(x - centre[0], y - centre[1]) / width;
        f->a[i] = sin(5 * x + phase[0]) * cos(4 * y + phase[1]) + 0.5 * sin(11 * x + phase[2]);
        f->b[i] = 0.4 * (1 + r + r * r / 3) * exp(-r) * cos(2 * r + 0.1 * sin(9 * y + phase[3]));
    }
}

/* Where line i is the highest, from its crossings with all others; empty when low >= high. */
static void reign(const double *a, const double *b, size_t n, size_t i, double *low, double *high) {
    *low = -INFINITY;
    *high = INFINITY;
    for (size_t j = 0; j < n; j++) {
        if (b[j] < b[i])
            *low = fmax(*low, (a[j] - a[i]) / (b[i] - b[j]));
        else if (b[j] > b[i])
            *high = fmin(*high, (a[i] - a[j]) / (b[j] - b[i]));
        else if (a[j] > a[i] || (a[j] == a[i] && j < i))
            *high = -INFINITY;
    }
}

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

/* Nodes and weights of Gauss and Legendre by Newton's method. */
enum { NODES = 20 };

static void gauss_legendre(long double *node, long double *weight) {
    for (int i = 0; i < NODES; i++) {
        long double x = cosl(3.14159265358979323846L * (i + 0.75L) / (NODES + 0.5L)), slope = 1;
        for (int step = 0; step < 20; step++) {
            long double p = 1, before = 0;
            for (int k = 1; k <= NODES; k++) {
                long double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
                before = p;
                p = next;
            }
            slope = NODES * (x * p - before) / (x * x - 1);
            x -= p / slope;
        }
        node[i] = x;
        weight[i] = 2 / ((1 - x * x) * slope * slope);
    }
}

/* E[max_i (a_i + b_i Z)] - max_i a_i. The best line at zero is subtracted, slope and all, because
 * Z has mean zero and the rest is then nowhere negative. */
static long double integrate(const double *a, const double *b, size_t n, const double *cuts,
                             size_t cut_count) {
    long double node[NODES], weight[NODES], sum = 0;
    size_t best = 0, next_cut = 0;
    gauss_legendre(node, weight);
    for (size_t i = 1; i < n; i++)
        best = a[i] > a[best] ? i : best;
    long double from = -15, to;
    while (from < 15) {
        to = from + 0.5L;
        while (next_cut < cut_count && (long double)cuts[next_cut] <= from)
            next_cut++;
        if (next_cut < cut_count && (long double)cuts[next_cut] < to)
            to = (long double)cuts[next_cut];
        for (int k = 0; k < NODES; k++) {
            long double z = (from + to) / 2 + node[k] * (to - from) / 2, gain = 0;
            for (size_t i = 0; i < n; i++) {
                long double over = ((long double)a[i] - (long double)a[best]) +
                                   ((long double)b[i] - (long double)b[best]) * z;
                gain = over > gain ? over : gain;
            }
            sum += weight[k] * (to - from) / 2 * gain * expl(-z * z / 2);
        }
        from = to;
    }
    return sum / sqrtl(2 * 3.14159265358979323846L);
}

static int by_size(const void *l, const void *r) {
    double x = *(const double *)l, y = *(const double *)r;
    return (x > y) - (x < y);
}

/* The relative rounding of nu is that of h at the cuts, about c^2 times 1e-16; the quadrature sees
 * |z| < 15, which is enough as long as some cut is within 6. */
static void test_kg_matches_quadrature(void **state) {
    fixture *f = *state;
    double cuts[64];
    int compared = 0;
    for (int trial = 0; trial < 400; trial++) {
        size_t n = 2 + (size_t)rng_below(&f->stream, 40), cut_count = 0;
        draw_normal_lines(f, n, 1, pow(10, rng_between(&f->stream, -1, 1)));
        for (size_t i = 0; i < n; i++) {
            double low, high;
            reign(f->a, f->b, n, i, &low, &high);
            if (low < high && low > -INFINITY)
                cuts[cut_count++] = low;
        }
        qsort(cuts, cut_count, sizeof *cuts, by_size);
        double log_kg = build_log_kg(f, n, 1), nearest = INFINITY;
        for (size_t j = 0; j < cut_count; j++)
            nearest = fmin(nearest, fabs(cuts[j]));
        if (nearest > 6)
            continue;
        double expected = (double)integrate(f->a, f->b, n, cuts, cut_count);
        assert_close(exp(log_kg), expected, 1e-12 * expected);
        compared++;
    }
    assert_true(compared > 300);
}

static void test_kg_matches_sampling(void **state) {
    fixture *f = *state;
    const int draws = TEST_SIZE(200000, 20000);
    for (int trial = 0; trial < 10; trial++) {
        size_t n = 20;
        draw_normal_lines(f, n, 1, 1);
        double kg = exp(build_log_kg(f, n, 1)), best = -INFINITY, sum = 0, squares = 0;
        for (size_t i = 0; i < n; i++)
            best = fmax(best, f->a[i]);
        for (int k = 0; k < draws; k++) {
            double z = rng_normal(&f->stream), highest = -INFINITY;
            for (size_t i = 0; i < n; i++)
                highest = fmax(highest, f->a[i] + f->b[i] * z);
            sum += highest - best;
            squares += (highest - best) * (highest - best);
        }
        double mean = sum / draws;
        assert_mean(mean, kg, squares / draws - mean * mean, draws);
    }
}

/* Two lines: nu = rise h(-cut) exactly; 60-digit values of its logarithm. */
static void test_two_lines_down_to_nothing(void **state) {
    fixture *f = *state;
    static const struct {
        double cut, rise, log_kg;
    } cases[] = {
        {0, 1, -0.91893853320467274178},
        {1, 0.125, -4.564562567392477265},
        {4, 0.5, -12.542208758110608421},
        {8, 0.125, -39.201805803372468928},
        {37, 2, -691.94981298271046043},
        {44, 0.125, -978.5683061375397342},
        {45, 0.0009765625, -1027.9652142475130647},
        {60, 0.5, -1809.8016073628321247},
        {100, 0.125, -5012.2090203419296283},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            f->a[0] = 0.25;
            f->a[1] = 0.25 - cases[i].cut * cases[i].rise;
            f->b[0] = 3;
            f->b[1] = mirrored ? 3 - cases[i].rise : 3 + cases[i].rise;
            double size = fmax(1, fabs(cases[i].log_kg));
            assert_close(build_log_kg(f, 2, 1), cases[i].log_kg, 1e-14 * size);
            /* The mirror image as a third line doubles it. */
            f->a[2] = f->a[1];
            f->b[2] = 6 - f->b[1];
            if (cases[i].cut > 0)
                assert_close(build_log_kg(f, 3, 1), cases[i].log_kg + log(2), 1e-14 * size);
        }
}

static void test_one_envelope_serves_every_scale(void **state) {
    fixture *f = *state;
    envelope *scaled;
    besd_error error;
    assert_ok(envelope_create(200, &scaled, &error), &error);
    for (int trial = 0; trial < 2000; trial++) {
        size_t n = 1 + (size_t)rng_below(&f->stream, 200);
        double slopes[200], scale = pow(10, rng_between(&f->stream, -1.5, 1.5));
        draw_normal_lines(f, n, 1, 0.3);
        for (size_t i = 0; i < n; i++)
            slopes[i] = scale * f->b[i];
        envelope_build(scaled, f->a, slopes, n);
        double expected = envelope_log_kg(scaled, 1), got = build_log_kg(f, n, scale);
        assert_true(got == expected || fabs(got - expected) <= 1e-12 * fmax(1, fabs(expected)));
    }
    envelope_destroy(scaled);
}

/* Central differences of nu by every intercept and slope, also of the lines below the envelope. */
static void test_gradient_matches_differences(void **state) {
    fixture *f = *state;
    const double step = 1e-5;
    for (int trial = 0; trial < 200; trial++) {
        size_t n = 12;
        double scale = rng_between(&f->stream, 0.3, 2), expected_a[12] = {0}, expected_b[12] = {0};
        draw_normal_lines(f, n, 1, 1);
        envelope_build(f->e, f->a, f->b, n);
        envelope_gradient(f->e, scale, f->weight_a, f->weight_b);
        for (size_t j = 0; j < f->e->count; j++) {
            expected_a[f->e->line[j]] = f->weight_a[j];
            expected_b[f->e->line[j]] = f->weight_b[j];
        }
        for (size_t i = 0; i < 2 * n; i++) {
            double *moved = i < n ? &f->a[i] : &f->b[i - n], at = *moved;
            *moved = at + step;
            double above = exp(build_log_kg(f, n, scale));
            *moved = at - step;
            double below = exp(build_log_kg(f, n, scale));
            *moved = at;
            double expected = i < n ? expected_a[i] : expected_b[i - n];
            assert_close((above - below) / (2 * step), expected, 1e-6);
        }
    }
}

/* Moving all lines up, or turning them all alike, changes nothing. */
static void test_weights_sum_to_zero(void **state) {
    fixture *f = *state;
    for (int trial = 0; trial < 500; trial++) {
        draw_normal_lines(f, 100, 1, pow(10, rng_between(&f->stream, -1, 1)));
        envelope_build(f->e, f->a, f->b, 100);
        double sum_a = 0, sum_b = 0;
        envelope_gradient(f->e, 1, f->weight_a, f->weight_b);
        for (size_t j = 0; j < f->e->count; j++) {
            sum_a += f->weight_a[j];
            sum_b += f->weight_b[j];
        }
        assert_close(sum_a, 0, 1e-14);
        assert_close(sum_b, 0, 1e-14);
    }
}

/* Where nu underflows its logarithm still has a slope. A move of the intercept by the step changes
 * the exponent by cut / rise times it, with a relative error of the step squared. */
static void test_log_gradient_far_out(void **state) {
    fixture *f = *state;
    const double a[] = {0, -5.5, -6, -3}, b[] = {0, 0.125, 0.13, -0.06}, step = 1e-6;
    memcpy(f->a, a, sizeof a);
    memcpy(f->b, b, sizeof b);
    double at = build_log_kg(f, 4, 1);
    assert_true(at < -900 && exp(at) == 0);
    double same = envelope_log_gradient(f->e, 1, f->weight_a, f->weight_b);
    assert_true(same == at && f->e->count == 4);
    size_t line[4];
    double weight[8];
    for (size_t j = 0; j < 4; j++) {
        line[j] = f->e->line[j];
        weight[j] = f->weight_a[j];
        weight[4 + j] = f->weight_b[j];
    }
    for (size_t k = 0; k < 8; k++) {
        double *moved = k < 4 ? &f->a[line[k]] : &f->b[line[k - 4]], before = *moved;
        *moved = before + step;
        double above = build_log_kg(f, 4, 1);
        *moved = before - step;
        double below = build_log_kg(f, 4, 1);
        *moved = before;
        assert_close((above - below) / (2 * step), weight[k], 1e-4 + 1e-5 * fabs(weight[k]));
    }
}

/* Where nu does not underflow the two gradients differ by the factor nu. */
static void test_log_gradient_is_gradient_over_kg(void **state) {
    fixture *f = *state;
    double weight_a[100], weight_b[100];
    for (int trial = 0; trial < 200; trial++) {
        draw_normal_lines(f, 100, 1, 0.5);
        envelope_build(f->e, f->a, f->b, 100);
        double kg = exp(envelope_log_gradient(f->e, 0.7, weight_a, weight_b));
        envelope_gradient(f->e, 0.7, f->weight_a, f->weight_b);
        for (size_t j = 0; j < f->e->count; j++) {
            assert_close(kg * weight_a[j], f->weight_a[j], 1e-13);
            assert_close(kg * weight_b[j], f->weight_b[j], 1e-13);
        }
    }
}

static void test_one_line_is_worth_nothing(void **state) {
    fixture *f = *state;
    const double cases[][6] = {
        {1, 2, 0, 0, 0, 0}, /* a, b of three lines; the first cases use fewer */
        {1, 2, 1, 2, 0, 0}, /* equal lines */
        {1, 2, 3, 2, 2, 2}, /* parallel lines */
    };
    for (size_t c = 0; c < 3; c++) {
        size_t n = c + 1;
        for (size_t i = 0; i < n; i++) {
            f->a[i] = cases[c][2 * i];
            f->b[i] = cases[c][2 * i + 1];
        }
        assert_true(build_log_kg(f, n, 1) == -INFINITY);
        assert_int_equal(f->e->count, 1);
        assert_int_equal(f->e->line[0], c == 2 ? 1 : 0);
        assert_true(envelope_log_gradient(f->e, 1, f->weight_a, f->weight_b) == -INFINITY);
        assert_true(f->weight_a[0] == 0 && f->weight_b[0] == 0);
        envelope_gradient(f->e, 1, f->weight_a, f->weight_b);
        assert_true(f->weight_a[0] == 0 && f->weight_b[0] == 0);
    }
}

static void test_many_parallel_lines(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < 50; i++) {
        f->a[i] = (double)(i * 7 % 50);
        f->b[i] = 2;
    }
    assert_true(build_log_kg(f, 50, 1) == -INFINITY);
    assert_int_equal(f->e->line[0], 7); /* 7 * 7 = 49 */
    for (size_t i = 1; i < 50; i += 2)
        f->b[i] = 3;
    /* 48 + 2 z (the 14th) against 49 + 3 z (the 7th). */
    assert_close(build_log_kg(f, 50, 1), normal_log_improvement(-1), 1e-15);
    assert_int_equal(f->e->count, 2);
    assert_int_equal(f->e->line[0], 14);
    assert_int_equal(f->e->line[1], 7);
}

static void test_extreme_slopes(void **state) {
    fixture *f = *state;
    const double log_h0 = normal_log_improvement(0);
    f->a[0] = f->a[1] = 0;
    f->b[0] = 0;
    f->b[1] = 1e-300;
    assert_close(build_log_kg(f, 2, 1), log(1e-300) + log_h0, 1e-12);
    f->b[0] = -1e300;
    f->b[1] = 1e300;
    assert_close(build_log_kg(f, 2, 1), log(2e300) + log_h0, 1e-12);
    /* A slope so small that its line takes over at infinity only. */
    f->a[1] = -1;
    f->b[0] = 0;
    f->b[1] = 1e-310;
    assert_true(build_log_kg(f, 2, 1) == -INFINITY && f->e->count == 1);
    /* Tiny and huge together: the huge one decides. */
    f->a[0] = f->a[1] = f->a[2] = 0;
    f->b[2] = 1e200;
    assert_close(build_log_kg(f, 3, 1), log(1e200) + log_h0, 1e-12);
    /* A scale at which every cut is out of reach. */
    f->a[1] = f->a[2] = -1;
    f->b[1] = 1;
    f->b[2] = -1;
    assert_true(build_log_kg(f, 3, 1e-300) == -INFINITY);
}

static void test_bound_by_the_range_of_slopes(void **state) {
    fixture *f = *state;
    const double log_root_two_pi = 0.91893853320467274178;
    for (int trial = 0; trial < 100000; trial++) {
        size_t n = 2 + (size_t)rng_below(&f->stream, 12);
        draw_normal_lines(f, n, pow(10, rng_between(&f->stream, -6, 2)), 1);
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            low = fmin(low, f->b[i]);
            high = fmax(high, f->b[i]);
        }
        double bound = log(high - low) - log_root_two_pi;
        assert_true(build_log_kg(f, n, 1) <= bound + 1e-14 * fmax(1, fabs(bound)));
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

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_fixture(test_envelope_matches_brute_force),
        with_fixture(test_envelope_of_ties_is_exact),
        with_fixture(test_every_line_on_the_envelope),
        with_fixture(test_kg_matches_quadrature),
        with_fixture(test_kg_matches_sampling),
        with_fixture(test_two_lines_down_to_nothing),
        with_fixture(test_one_envelope_serves_every_scale),
        with_fixture(test_gradient_matches_differences),
        with_fixture(test_weights_sum_to_zero),
        with_fixture(test_log_gradient_far_out),
        with_fixture(test_log_gradient_is_gradient_over_kg),
        with_fixture(test_one_line_is_worth_nothing),
        with_fixture(test_many_parallel_lines),
        with_fixture(test_extreme_slopes),
        with_fixture(test_bound_by_the_range_of_slopes),
        with_fixture(test_order_of_lines_does_not_matter),
        cmocka_unit_test(test_no_room_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
