/* Relations between tasks against those of the sums that tasks are (tasks_facts.h), and what they
 * come to in cases that everyone can do in their head. */
#include "tasks_facts.h"

#include <float.h>

typedef struct relations {
    size_t count;
    double share[FACTS_TASKS * FACTS_TASKS], level[FACTS_TASKS * FACTS_TASKS];
} relations;

static void relate(const task_set *set, const task_parameters *p, relations *r) {
    r->count = tasks_count(set);
    tasks_relate(set, p, r->share, r->level);
}

static double at(const relations *r, const double *matrix, size_t a, size_t b) {
    return matrix[a * r->count + b];
}

/* One to six own tasks, with features or without, no source to eight. */
static task_set draw_set(rng *stream, int round) {
    return facts_draw_tasks(stream, 1 + (size_t)round % 6, round % 3 == 2 ? 2 : 0,
                            (size_t)(round % 5 == 4 ? 8 : round % 5));
}

static void test_numbers(void **state) {
    (void)state;
    task_set one = {.own = 1, .weight = {1}}, several = {.own = 3, .sources = 2};
    assert_int_equal(tasks_count(NULL), 1);
    assert_int_equal(tasks_mean(NULL), 0);
    assert_int_equal(tasks_is_source(NULL, 5), -1);
    assert_int_equal(tasks_count(&one), 2);
    assert_int_equal(tasks_mean(&one), 0); /* the mean of one task is the task */
    assert_int_equal(tasks_count(&several), 6);
    assert_int_equal(tasks_mean(&several), 3);
    for (int task = 0; task <= 3; task++)
        assert_int_equal(tasks_is_source(&several, task), -1);
    for (size_t s = 0; s < 2; s++)
        assert_int_equal(tasks_is_source(&several, tasks_source(&several, s)), (int)s);
}

static void test_matches_sums_of_processes(void **state) {
    (void)state;
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 120; round++) {
        relations r;
        task_set set = draw_set(&stream, round);
        task_parameters p = facts_draw_task_parameters(&stream, &set);
        relate(&set, &p, &r);
        for (size_t a = 0; a < r.count; a++)
            for (size_t b = 0; b < r.count; b++) {
                long double share, level;
                facts_relate(&set, &p, a, b, &share, &level);
                assert_close(at(&r, r.share, a, b), (double)share, 1e-14 * 4);
                assert_close(at(&r, r.level, a, b), (double)level, 1e-15);
            }
    }
}

/* Are all pivots positive once the diagonal is a little larger? */
static bool is_semidefinite(const relations *r, const double *matrix) {
    double l[FACTS_TASKS][FACTS_TASKS];
    for (size_t a = 0; a < r->count; a++)
        for (size_t b = 0; b <= a; b++) {
            double sum = at(r, matrix, a, b) + (a == b ? 1e-12 : 0);
            for (size_t i = 0; i < b; i++)
                sum -= l[a][i] * l[b][i];
            if (a == b && !(sum > 0))
                return false;
            l[a][b] = a == b ? sqrt(sum) : sum / l[b][b];
        }
    return true;
}

/* At the ends of every parameter, too. */
static void test_covariances(void **state) {
    (void)state;
    rng stream = rng_open(2, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 240; round++) {
        static relations r;
        task_set set = round % 40 == 39 ? facts_draw_tasks(&stream, TASKS_MOST, 0, 8)
                                        : draw_set(&stream, round);
        task_parameters p = facts_draw_task_parameters(&stream, &set);
        if (round % 4 == 1)
            p.rho = round % 8 == 1;
        for (size_t s = 0; round % 4 == 2 && s < set.sources; s++)
            p.kappa[s] = round % 8 == 2;
        relate(&set, &p, &r);
        for (size_t a = 0; a < r.count; a++)
            for (size_t b = 0; b < a; b++) {
                assert_true(at(&r, r.share, a, b) == at(&r, r.share, b, a));
                assert_true(at(&r, r.level, a, b) == at(&r, r.level, b, a));
            }
        assert_true(is_semidefinite(&r, r.share) && is_semidefinite(&r, r.level));
    }
}

/* The row of the mean is the weighted sum of the rows of the own tasks. */
static void test_mean_is_linear(void **state) {
    (void)state;
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 60; round++) {
        relations r;
        task_set set = draw_set(&stream, round);
        task_parameters p = facts_draw_task_parameters(&stream, &set);
        relate(&set, &p, &r);
        for (size_t b = 0; b < r.count; b++) {
            double share = 0, level = 0;
            for (size_t a = 0; a < set.own; a++) {
                share += set.weight[a] * at(&r, r.share, a, b);
                level += set.weight[a] * at(&r, r.level, a, b);
            }
            assert_close(at(&r, r.share, set.own, b), share, 1e-14);
            assert_close(at(&r, r.level, set.own, b), level, 1e-15);
        }
    }
}

static void test_one_task(void **state) {
    (void)state;
    relations r;
    task_set set = {.own = 1, .weight = {1}};
    task_parameters p = {.level_variance = 0.25};
    relate(&set, &p, &r);
    for (size_t i = 0; i < 4; i++)
        assert_true(r.share[i] == 1 && r.level[i] == 0.25);
}

/* Between tasks that are alike, unlike, and told apart by features. */
static void test_own_tasks(void **state) {
    (void)state;
    relations r;
    task_set set = {.own = 3, .weight = {0.5, 0.25, 0.25}};
    task_parameters p = {.rho = 0, .level_variance = 1};
    relate(&set, &p, &r);
    assert_true(at(&r, r.share, 0, 1) == 0 && at(&r, r.share, 1, 1) == 1);
    assert_true(at(&r, r.share, 3, 3) == 0.375 && at(&r, r.level, 3, 3) == 0.375);
    p.rho = 1;
    relate(&set, &p, &r);
    assert_true(at(&r, r.share, 0, 1) == 1 && at(&r, r.share, 3, 3) == 1);
    set.features = 1; /* rho counts no more */
    set.feature[1][0] = 0;
    set.feature[2][0] = 1000;
    p.feature_scale[0] = 1;
    relate(&set, &p, &r);
    assert_true(at(&r, r.share, 0, 1) == 1 && at(&r, r.share, 0, 2) < 1e-300);
    set.feature[2][0] = 0.8;
    p.feature_scale[0] = 0.4;
    relate(&set, &p, &r);
    assert_close(at(&r, r.share, 0, 2), (double)facts_matern(2), 1e-15);
}

/* A source that is the study itself in another unit, and one that has nothing to say. */
static void test_sources(void **state) {
    (void)state;
    relations r;
    task_set set = {.own = 2, .weight = {0.5, 0.5}, .sources = 2};
    task_parameters p = {.rho = 0.5, .level_variance = 1, .kappa = {1, 0}, .gamma = {3, 2}};
    relate(&set, &p, &r);
    double sd = sqrt(0.75); /* of the mean of two tasks that share a half */
    assert_close(at(&r, r.share, 2, 3), 3 * sd, 1e-15);
    assert_close(at(&r, r.share, 0, 3), 3 * 0.75 / sd, 1e-15);
    assert_true(at(&r, r.share, 3, 3) == 9 && at(&r, r.share, 4, 4) == 4);
    for (size_t a = 0; a < 4; a++)
        assert_true(at(&r, r.share, a, 4) == 0);
    for (size_t a = 0; a < 5; a++) /* levels differ for no reason of theta's */
        assert_true(at(&r, r.level, a, 3) == 0 && at(&r, r.level, a, 4) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_matches_sums_of_processes),
        cmocka_unit_test(test_covariances), cmocka_unit_test(test_mean_is_linear),
        cmocka_unit_test(test_one_task),    cmocka_unit_test(test_own_tasks),
        cmocka_unit_test(test_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
