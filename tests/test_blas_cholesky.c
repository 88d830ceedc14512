/* Factors and inverses against products, of sizes around those of tiles and blocks. */
#include "testing.h"

#include "core/rng.h"
#include "model/blas.h"

#include <stdlib.h>

enum { MOST = 130 };

typedef struct fixture {
    rng stream;
    double matrix[MOST * MOST], factor[MOST * MOST], room[MOST * MOST];
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    if (!f)
        return -1;
    f->stream = rng_open(1, RNG_TEST, 0, 0, 0);
    *state = f;
    return arithmetic_begin(1, NULL);
}

static int tear_down(void **state) {
    free(*state);
    return 0;
}

/* A A^T / n + 1/2 with normal A: condition numbers of ten or so. Above the diagonal: NaN. */
static void draw_matrix(fixture *f, size_t n) {
    double *a = f->room;
    for (size_t i = 0; i < n * n; i++)
        a[i] = rng_normal(&f->stream);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = i == j ? 0.5 : 0;
            for (size_t k = 0; k < n; k++)
                sum += a[i * n + k] * a[j * n + k] / (double)n;
            f->matrix[i * n + j] = j <= i ? sum : NAN;
        }
    memcpy(f->factor, f->matrix, n * n * sizeof *f->matrix);
}

static double lower(const double *matrix, size_t n, size_t i, size_t j) {
    return i >= j ? matrix[i * n + j] : matrix[j * n + i];
}

static void test_factor_and_inverse(void **state) {
    fixture *f = *state;
    const size_t sizes[] = {1, 2, 5, 31, 32, 33, 63, 64, 65, 96, 100, 129, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s];
        draw_matrix(f, n);
        assert_true(cholesky_factorise(f->factor, n, f->room));
        for (size_t i = 0; i < n; i++) {
            assert_true(f->factor[i * n + i] > 0);
            for (size_t j = 0; j <= i; j++) {
                double product = 0;
                for (size_t k = 0; k <= j; k++)
                    product += f->factor[i * n + k] * f->factor[j * n + k];
                assert_close(product, f->matrix[i * n + j], 1e-13);
            }
            for (size_t j = i + 1; j < n; j++)
                assert_true(isnan(f->factor[i * n + j])); /* is not ours */
        }
        assert_true(cholesky_invert(f->factor, n, f->room));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double product = 0;
                for (size_t k = 0; k < n; k++)
                    product += lower(f->factor, n, i, k) * lower(f->matrix, n, k, j);
                assert_close(product, i == j, 1e-11);
                assert_true(j <= i || isnan(f->factor[i * n + j]));
            }
    }
}

/* Wherever the pivot that is not positive, or not a number, stands. */
static void test_indefinite_is_refused(void **state) {
    fixture *f = *state;
    const size_t n = 70;
    for (size_t bad = 0; bad < n; bad++)
        for (int what = 0; what < 2; what++) {
            draw_matrix(f, n);
            f->factor[bad * n + bad] = what ? NAN : -1;
            assert_false(cholesky_factorise(f->factor, n, f->room));
        }
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_fixture(test_factor_and_inverse),
        with_fixture(test_indefinite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
