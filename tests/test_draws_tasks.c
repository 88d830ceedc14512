/* Draws with sources and tasks: the prior where nothing was said, how much of a source is believed,
 * and chains that go on where they were. */
#include "tasks_facts.h"

#include "model/draws.h"
#include "model/observations.h"

static besd_error error;

static draws run(const observations *o, const draws_options *options, const draws *from,
                 size_t count) {
    draws drawn;
    memset(&drawn, 0, sizeof drawn);
    assert_ok(draws_run(o, options, from, count, &drawn, &error), &error);
    return drawn;
}

/* Two landscapes that have nothing in common. */
static double own_landscape(const double *x) {
    return sin(6 * x[0]) + cos(5 * x[1]);
}

static double other_landscape(const double *x) {
    return sin(5 * x[1] + 2) * cos(7 * x[0] + 1);
}

/* `own` full trainings of the study, and `lent` rows of every source, which has the study's own
 * landscape or another one. */
static void draw_rows(observations *o, const task_set *set, size_t own, size_t lent,
                      bool is_related) {
    rng stream = rng_open(1, RNG_TEST, own, lent, 0);
    assert_ok(observations_init(o, 2, &error), &error);
    o->tasks = set;
    for (size_t j = 0; j < own + lent * set->sources; j++) {
        double x[2], noise = 0.1 * rng_normal(&stream);
        facts_draw_theta(&stream, 2, x);
        bool is_own = j < own;
        double mean = is_own || is_related ? own_landscape(x) : other_landscape(x);
        assert_ok(observations_add(o, x, 1, is_own ? 3 : 0, 2, mean + noise, 0.02, &error), &error);
        o->task[o->count - 1] = is_own ? 0 : tasks_source(set, (j - own) / lent);
    }
}

static const draws_options usual = {.levels = FACTS_LEVELS, .seed = 3, .told = 7, .sweeps = 4};

/* The mean of kappa over draws of some seeds, and how often it is 0. */
static void judge(const observations *o, size_t source, double *kappa, double *unrelated) {
    enum { SEEDS = 3 };
    *kappa = *unrelated = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        draws_options options = usual;
        options.seed = seed;
        draws drawn = run(o, &options, NULL, 8);
        for (size_t i = 0; i < 8; i++) {
            *kappa += drawn.of[i].tasks.kappa[source] / (8 * SEEDS);
            *unrelated += (drawn.of[i].tasks.kappa[source] == 0) / (8.0 * SEEDS);
        }
    }
}

/* After enough own trials a source is what it is. */
static void test_likeness_is_learnt(void **state) {
    (void)state;
    task_set set = {.own = 1, .weight = {1}, .sources = 1};
    for (int is_related = 0; is_related < 2; is_related++) {
        observations o;
        double kappa, unrelated;
        draw_rows(&o, &set, 24, 24, is_related);
        judge(&o, 0, &kappa, &unrelated);
        if (is_related ? !(kappa > 0.9 && unrelated == 0) : !(unrelated > 0.5 && kappa < 0.25))
            fail_msg("%s source: kappa %.3f on average, 0 in %.3f of the draws",
                     is_related ? "an equal" : "an unrelated", kappa, unrelated);
        observations_free(&o);
    }
}

/* Of two sources each is judged by itself. */
static void test_two_sources(void **state) {
    (void)state;
    task_set set = {.own = 1, .weight = {1}, .sources = 2};
    observations o;
    double kappa[2], unrelated[2];
    draw_rows(&o, &set, 24, 24, true);
    for (size_t j = 0; j < o.count; j++)
        if (o.task[j] == tasks_source(&set, 1))
            o.mean[j] = other_landscape(o.theta + 2 * j);
    for (size_t s = 0; s < 2; s++)
        judge(&o, s, &kappa[s], &unrelated[s]);
    assert_true(kappa[0] > 0.9 && kappa[1] < 0.4 && unrelated[1] > unrelated[0]);
    observations_free(&o);
}

/* One own trial and no row of the source say nothing of the source: the prior of draws.h. A chain's
 * last draw is one of many, so draws are independent. */
static void test_prior(void **state) {
    (void)state;
    enum { SEEDS = TEST_SIZE(60, 15), COUNT = SEEDS * DRAWS_MOST };
    task_set set = {.own = 1, .weight = {1}, .sources = 1};
    observations o;
    double related = 0, u = 0, gamma = 0;
    draw_rows(&o, &set, 1, 0, true);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        draws_options options = usual;
        options.seed = seed;
        options.sweeps = 25;
        draws drawn = run(&o, &options, NULL, DRAWS_MOST);
        for (size_t i = 0; i < DRAWS_MOST; i++) {
            const hyperparameters *h = &drawn.of[i];
            const double *l = h->sigma_root;
            double a = sqrt(pow(l[0] + l[1], 2) + l[2] * l[2]), kappa = h->tasks.kappa[0];
            related += kappa > 0;
            u += kappa > 0 ? atanh(kappa) / 1.5 : 0;
            gamma += log(h->tasks.gamma[0] * a) / COUNT;
        }
    }
    assert_mean(related / COUNT, 0.5, 0.25, COUNT);
    assert_mean(u / related, sqrt(2 / 3.14159265358979323846), 1 - 2 / 3.14159265358979323846,
                related);
    assert_mean(gamma, 0, 0.25, COUNT);
    observations_free(&o);
}

/* Own tasks with equal and with unrelated landscapes. */
static void test_own_tasks(void **state) {
    (void)state;
    task_set set = {.own = 2, .weight = {0.5, 0.5}};
    double rho[2] = {0, 0};
    for (int is_related = 0; is_related < 2; is_related++) {
        observations o;
        draw_rows(&o, &set, 40, 0, true);
        for (size_t j = 0; j < o.count; j += 2) {
            o.task[j] = 1;
            o.mean[j] = is_related ? o.mean[j] : other_landscape(o.theta + 2 * j);
        }
        draws drawn = run(&o, &usual, NULL, 8);
        for (size_t i = 0; i < 8; i++)
            rho[is_related] += drawn.of[i].tasks.rho / 8;
        observations_free(&o);
    }
    if (!(rho[0] < 0.4 && rho[1] > 0.7))
        fail_msg("rho %.3f of unrelated tasks, %.3f of equal ones", rho[0], rho[1]);
}

/* With no sweeps nothing moves, whatever the tasks; the same again is the same. */
static void test_going_on(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        rng stream = rng_open(9, RNG_TEST, (uint64_t)kind, 0, 0);
        task_set set =
            facts_draw_tasks(&stream, kind ? 3 : 1, kind == 2 ? 2 : 0, kind == 1 ? 2 : 1);
        observations o;
        draw_rows(&o, &set, 8, 4, true);
        for (size_t j = 0; kind && j < 8; j++)
            o.task[j] = (int)(j % 4); /* also of the mean */
        draws_options options = usual;
        options.sweeps = 2;
        draws first = run(&o, &options, NULL, 6), same = run(&o, &options, NULL, 6);
        assert_memory_equal(&first, &same, sizeof first);
        options.sweeps = 0;
        draws again = run(&o, &options, &first, 6);
        for (size_t i = 0; i < 6; i++) {
            const double *a = (const double *)&first.of[i], *b = (const double *)&again.of[i];
            for (size_t k = 0; k < sizeof(hyperparameters) / sizeof(double); k++)
                assert_close(b[k], a[k], 1e-9 * (1 + fabs(a[k])));
            for (size_t s = 0; s < set.sources; s++) /* the spike stays the spike */
                assert_true((first.of[i].tasks.kappa[s] == 0) == (again.of[i].tasks.kappa[s] == 0));
        }
        observations_free(&o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_likeness_is_learnt),
        cmocka_unit_test(test_two_sources),
        cmocka_unit_test(test_prior),
        cmocka_unit_test(test_own_tasks),
        cmocka_unit_test(test_going_on),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
