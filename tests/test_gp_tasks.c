/* A model whose rows are of several tasks, of their mean and of sources, against the dense formula
 * of tasks_facts.h; and rows of one task against the model without tasks. */
#include "tasks_facts.h"

#include "model/blas.h"

static besd_error error;

/* Rows of all tasks in no order; the last `pending` are of own tasks, as in a study. */
static void draw_rows(rng *stream, observations *o, const task_set *set, size_t n, size_t pending,
                      size_t d) {
    facts_draw_trials(stream, o, n, d);
    o->tasks = set;
    for (size_t j = 0; j < n; j++) {
        bool own = j + pending >= n || (!set->sources && set->own == 1);
        o->task[j] = (int)rng_below(stream, own ? set->own : tasks_count(set));
        if (o->task[j] == (int)set->own && set->own == 1)
            o->task[j] = 0;
    }
}

typedef struct scene {
    task_set set;
    observations o;
    hyperparameters h;
    size_t told;
    gp *g;
    long double *told_inverse, *inverse;
} scene;

static void open_scene(rng *stream, int round, size_t d, size_t parts, scene *s) {
    static const size_t own[] = {1, 2, 4, 3, 1}, sources[] = {1, 0, 2, 1, 8};
    size_t n = 12 + (size_t)rng_below(stream, 14), pending = round % 2 ? 4 : 0;
    s->set = facts_draw_tasks(stream, own[round % 5], round % 5 == 3 ? 2 : 0, sources[round % 5]);
    draw_rows(stream, &s->o, &s->set, n, pending, d);
    s->h = facts_draw_hyperparameters(stream, d);
    s->h.parts = parts;
    s->h.tasks = facts_draw_task_parameters(stream, &s->set);
    s->told = n - pending;
    assert_ok(gp_create(&s->o, s->told, &s->h, &s->g, &error), &error);
    s->told_inverse = facts_task_inverse(&s->o, &s->h, s->told);
    s->inverse = facts_task_inverse(&s->o, &s->h, n);
}

static void close_scene(scene *s) {
    gp_destroy(s->g);
    observations_free(&s->o);
    free(s->told_inverse);
    free(s->inverse);
}

static double mean_of(const scene *s, const double *x, double t, int task) {
    return facts_task_mean(&s->o, &s->h, s->told, s->told_inverse, x, t, task);
}

static double covariance_of(const scene *s, const double *x, double t, const double *y, double u,
                            int task) {
    return facts_task_covariance(&s->o, &s->h, s->inverse, x, t, y, u, task);
}

/* Condition numbers are below 1e6, as in test_gp.c. */
static const double TOLERANCE = 1e-9;

/* Own tasks and their mean, one after the other, with the same model. */
static void test_matches_dense_formula(void **state) {
    (void)state;
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 20; round++) {
        scene s;
        size_t d = 1 + (size_t)round % 3;
        open_scene(&stream, round, d, 0, &s);
        for (int task = 0; task <= (s.set.own > 1 ? (int)s.set.own : 0); task++) {
            double x[3], y[3], t = rng_between(&stream, 0.05, 1), u = 1, mean, variance;
            facts_draw_theta(&stream, d, x);
            facts_draw_theta(&stream, d, y);
            gp_set_task(s.g, task);
            double expected = mean_of(&s, x, t, task), own = covariance_of(&s, x, t, x, t, task);
            assert_close(gp_predict(s.g, x, t, &variance, NULL), expected, TOLERANCE);
            assert_close(variance, own, TOLERANCE);
            assert_ok(gp_predict_many(s.g, x, &t, 1, &mean, &variance, &error), &error);
            assert_close(mean, expected, TOLERANCE);
            assert_close(variance, own, TOLERANCE);
            assert_close(gp_covariance(s.g, x, t, y, u), covariance_of(&s, x, t, y, u, task),
                         TOLERANCE);
            assert_close(gp_prior_variance(s.g, t),
                         (double)facts_task_kernel(&s.h, &s.set, d, x, t, task, x, t, task), 1e-13);
        }
        close_scene(&s);
    }
}

/* The projection promises the same means and covariances. */
static void test_projection(void **state) {
    (void)state;
    enum { PLACES = 3 };
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 20; round++) {
        scene s;
        double thetas[PLACES * 2], slopes[2 * PLACES], roots[2 * 32 * PLACES];
        open_scene(&stream, round, 2, 0, &s);
        facts_draw_theta(&stream, PLACES * 2, thetas);
        int task = (int)rng_below(&stream, s.set.own);
        size_t n = gp_count(s.g);
        assert_true(n <= 32);
        gp_set_task(s.g, task);
        gp_project(s.g, thetas, PLACES, roots, slopes);
        for (size_t c = 0; c < PLACES; c++) {
            const double *x = thetas + c * 2, *y = thetas + (PLACES - 1 - c) * 2;
            double t = 0.3, u = 1;
            assert_close(kernel_mean(&s.h, t) + slopes[c] + t * slopes[PLACES + c],
                         mean_of(&s, x, t, task), TOLERANCE);
            double covariance = (double)facts_task_kernel(&s.h, &s.set, 2, x, t, task, y, u, task);
            for (size_t j = 0; j < n; j++) {
                const double *row = roots + j * PLACES, *next = row + n * PLACES;
                size_t e = PLACES - 1 - c;
                covariance -= (row[c] + t * next[c]) * (row[e] + u * next[e]);
            }
            assert_close(covariance, covariance_of(&s, x, t, y, u, task), TOLERANCE);
        }
        close_scene(&s);
    }
}

/* Pairs of a first and a second part, as legs have them. */
static void test_pairs_of_parts(void **state) {
    (void)state;
    enum { ROWS = 3, COLUMNS = 2 };
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 15; round++) {
        scene s;
        double firsts[ROWS * 2], seconds[COLUMNS * 2], means[ROWS * COLUMNS],
            share = 0.6, variances[ROWS * COLUMNS];
        open_scene(&stream, round, 4, 2, &s);
        facts_draw_theta(&stream, ROWS * 2, firsts);
        facts_draw_theta(&stream, COLUMNS * 2, seconds);
        int task = (int)rng_below(&stream, s.set.own);
        gp_set_task(s.g, task);
        assert_ok(gp_predict_pairs(s.g, firsts, ROWS, seconds, COLUMNS, share, means, &error),
                  &error);
        assert_ok(gp_pair_variances(s.g, firsts, ROWS, seconds, COLUMNS, share, variances, &error),
                  &error);
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            double x[4];
            memcpy(x, firsts + i / COLUMNS * 2, 2 * sizeof *x);
            memcpy(x + 2, seconds + i % COLUMNS * 2, 2 * sizeof *x);
            assert_close(means[i], mean_of(&s, x, share, task), TOLERANCE);
            assert_close(variances[i], covariance_of(&s, x, share, x, share, task), TOLERANCE);
        }
        close_scene(&s);
    }
}

/* Differences of fourth order, as in test_gp.c. */
static void test_gradients(void **state) {
    (void)state;
    const double step = 1e-3;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 15; round++) {
        scene s;
        double x[2], y[2], gradient[2], pulled[2] = {0, 0}, roots[2 * 32], slopes[2], root[32];
        open_scene(&stream, round, 2, 0, &s);
        gp_set_task(s.g, (int)rng_below(&stream, s.set.own));
        facts_draw_theta(&stream, 2, x);
        facts_draw_theta(&stream, 2, y);
        gp_predict(s.g, x, 0.5, NULL, gradient);
        gp_project(s.g, y, 1, roots, slopes);
        size_t n = gp_count(s.g);
        for (size_t j = 0; j < n; j++)
            root[j] = roots[j] + roots[n + j];
        gp_pull_back(s.g, x, 0.5, root, pulled);
        for (size_t i = 0; i < 2; i++) {
            double at = x[i], f[4], explained[4];
            for (int k = 0; k < 4; k++) {
                x[i] = at + step * (double[]){-2, -1, 1, 2}[k];
                f[k] = gp_predict(s.g, x, 0.5, NULL, NULL);
                explained[k] = (double)facts_task_kernel(&s.h, &s.set, 2, x, 0.5, 0, y, 1, 0) -
                               gp_covariance(s.g, x, 0.5, y, 1);
            }
            x[i] = at;
            double slope = (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * step),
                   pull = (8 * (explained[2] - explained[1]) - (explained[3] - explained[0])) /
                          (12 * step);
            assert_close(gradient[i], slope, 1e-5 * fmax(1, fabs(slope)));
            assert_close(pulled[i], pull, 1e-5 * fmax(1, fabs(pull)));
        }
        close_scene(&s);
    }
}

/* A source that has nothing to say changes no prediction. One that is the study itself in other
 * units, with next to no noise, is as good as own trials. */
static void test_worth_of_sources(void **state) {
    (void)state;
    rng stream = rng_open(5, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 10; round++) {
        observations o, own;
        task_set set = facts_draw_tasks(&stream, 1, 0, 1), none = set;
        hyperparameters h = facts_draw_hyperparameters(&stream, 2);
        gp *with, *without;
        double x[2], variance, before;
        h.tasks = facts_draw_task_parameters(&stream, &set);
        draw_rows(&stream, &o, &set, 20, 0, 2);
        none.sources = 0;
        assert_ok(observations_init(&own, 2, &error), &error);
        own.tasks = &none;
        for (size_t j = 0; j < o.count; j++)
            if (!o.task[j])
                assert_ok(observations_copy(&own, &o, j, &error), &error);
        h.tasks.kappa[0] = 0;
        assert_ok(gp_create(&o, o.count, &h, &with, &error), &error);
        assert_ok(gp_create(&own, own.count, &h, &without, &error), &error);
        facts_draw_theta(&stream, 2, x);
        assert_close(gp_predict(with, x, 1, &variance, NULL),
                     gp_predict(without, x, 1, &before, NULL), 1e-10);
        assert_close(variance, before, 1e-10);
        gp_destroy(with);
        h.tasks.kappa[0] = 1;
        h.tasks.noise[0] = 1e-6;
        o.task[0] = 2; /* of the source, at tau_max */
        o.share[0] = 1;
        assert_ok(gp_create(&o, o.count, &h, &with, &error), &error);
        gp_predict(with, o.theta, 1, &variance, NULL);
        assert_true(variance <= h.tasks.level_variance + 1e-4); /* the level stays in doubt */
        gp_destroy(with);
        gp_destroy(without);
        observations_free(&o);
        observations_free(&own);
    }
}

/* Where tasks share everything and levels are equal, tasks do not matter. */
static void test_equal_tasks(void **state) {
    (void)state;
    rng stream = rng_open(6, RNG_TEST, 0, 0, 0);
    observations o;
    task_set set = facts_draw_tasks(&stream, 3, 0, 0);
    hyperparameters h = facts_draw_hyperparameters(&stream, 2);
    gp *with, *without;
    draw_rows(&stream, &o, &set, 25, 5, 2);
    h.tasks = (task_parameters){.rho = 1, .level_variance = 0};
    assert_ok(gp_create(&o, 20, &h, &with, &error), &error);
    o.tasks = NULL;
    assert_ok(gp_create(&o, 20, &h, &without, &error), &error);
    for (int task = 0; task <= 3; task++) {
        double x[2], variance, expected;
        facts_draw_theta(&stream, 2, x);
        gp_set_task(with, task);
        assert_close(gp_predict(with, x, 0.4, &variance, NULL),
                     gp_predict(without, x, 0.4, &expected, NULL), 1e-10);
        assert_close(variance, expected, 1e-10);
    }
    gp_destroy(with);
    gp_destroy(without);
    observations_free(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matches_dense_formula), cmocka_unit_test(test_projection),
        cmocka_unit_test(test_pairs_of_parts),        cmocka_unit_test(test_gradients),
        cmocka_unit_test(test_worth_of_sources),      cmocka_unit_test(test_equal_tasks),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
