/* The knowledge gradient of envelopes against quadrature, sampling, closed forms and finite
 * differences. */
#include "envelope_facts.h"

#include "core/stats.h"

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

/* Central differences of log nu by every slope, also of the lines below the envelope. */
static void test_gradient_matches_differences(void **state) {
    fixture *f = *state;
    const double step = 1e-5;
    for (int trial = 0; trial < 200; trial++) {
        size_t n = 12;
        double scale = rng_between(&f->stream, 0.3, 2), expected[12] = {0};
        draw_normal_lines(f, n, 1, 1);
        envelope_build(f->e, f->a, f->b, n);
        double log_kg = envelope_log_gradient(f->e, scale, f->weight);
        assert_true(log_kg == envelope_log_kg(f->e, scale));
        for (size_t j = 0; j < f->e->count; j++)
            expected[f->e->line[j]] = f->weight[j];
        for (size_t i = 0; i < n; i++) {
            double at = f->b[i], size = fmax(1, fabs(expected[i]));
            f->b[i] = at + step;
            double above = build_log_kg(f, n, scale);
            f->b[i] = at - step;
            double below = build_log_kg(f, n, scale);
            f->b[i] = at;
            assert_close((above - below) / (2 * step), expected[i], 1e-6 * size);
        }
    }
}

/* Turning all lines alike changes nothing. */
static void test_weights_sum_to_zero(void **state) {
    fixture *f = *state;
    for (int trial = 0; trial < 500; trial++) {
        draw_normal_lines(f, 100, 1, pow(10, rng_between(&f->stream, -1, 1)));
        envelope_build(f->e, f->a, f->b, 100);
        double sum = 0, size = 0;
        envelope_log_gradient(f->e, 1, f->weight);
        for (size_t j = 0; j < f->e->count; j++) {
            sum += f->weight[j];
            size += fabs(f->weight[j]);
        }
        assert_close(sum, 0, 1e-14 * size);
    }
}

/* Where nu underflows its logarithm still has a slope, with a relative error of the step squared
 * times the exponent's second derivative. */
static void test_log_gradient_far_out(void **state) {
    fixture *f = *state;
    const double a[] = {0, -5.5, -6, -3}, b[] = {0, 0.125, 0.13, -0.06}, step = 1e-6;
    memcpy(f->a, a, sizeof a);
    memcpy(f->b, b, sizeof b);
    double at = build_log_kg(f, 4, 1);
    assert_true(at < -900 && exp(at) == 0);
    double same = envelope_log_gradient(f->e, 1, f->weight);
    assert_true(same == at && f->e->count == 4);
    size_t line[4];
    double weight[4];
    memcpy(line, f->e->line, sizeof line);
    memcpy(weight, f->weight, sizeof weight);
    for (size_t k = 0; k < 4; k++) {
        double *moved = &f->b[line[k]], before = *moved;
        *moved = before + step;
        double above = build_log_kg(f, 4, 1);
        *moved = before - step;
        double below = build_log_kg(f, 4, 1);
        *moved = before;
        assert_close((above - below) / (2 * step), weight[k], 1e-4 + 1e-5 * fabs(weight[k]));
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
        assert_true(envelope_log_gradient(f->e, 1, f->weight) == -INFINITY);
        assert_true(f->weight[0] == 0);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        with_fixture(test_kg_matches_quadrature),
        with_fixture(test_kg_matches_sampling),
        with_fixture(test_two_lines_down_to_nothing),
        with_fixture(test_one_envelope_serves_every_scale),
        with_fixture(test_gradient_matches_differences),
        with_fixture(test_weights_sum_to_zero),
        with_fixture(test_log_gradient_far_out),
        with_fixture(test_one_line_is_worth_nothing),
        with_fixture(test_many_parallel_lines),
        with_fixture(test_extreme_slopes),
        with_fixture(test_bound_by_the_range_of_slopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
