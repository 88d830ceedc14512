/* The knowledge gradient over several tasks, against its definition: a trial of one task is
 * imagined, the posterior is made anew with it, and the gain of the largest mean of every task is
 * integrated over what could be observed. */
#include "average_facts.h"

enum { TASKS = 3 };

typedef struct task_study {
    average_study a;
    task_set tasks;
} task_study;

/* Random trials, each of a random task or of all of them. */
static void open_tasks(task_study *s, rng *stream, size_t draws_count, size_t features) {
    besd_error error;
    average_study *a = &s->a;
    memset(s, 0, sizeof *s);
    s->tasks = (task_set){.own = TASKS, .features = features, .weight = {0.5, 0.2, 0.3}};
    for (size_t c = 0; c < TASKS; c++)
        for (size_t i = 0; i < features; i++)
            s->tasks.feature[c][i] = rng_uniform(stream);
    a->dimension = 2;
    facts_draw_trials(stream, &a->o, 9, 2);
    a->o.tasks = &s->tasks;
    for (size_t j = 0; j < a->o.count; j++)
        a->o.task[j] = (int)rng_below(stream, TASKS + 1);
    a->drawn.count = draws_count;
    for (size_t i = 0; i < draws_count; i++) {
        hyperparameters *h = &a->drawn.of[i];
        *h = facts_draw_hyperparameters(stream, 2);
        h->tasks.rho = rng_uniform(stream);
        h->tasks.level_variance = rng_between(stream, 0.01, 0.5);
        for (size_t k = 0; k < features; k++)
            h->tasks.feature_scale[k] = rng_between(stream, 0.2, 2);
    }
    assert_ok(mixture_init(&a->model, &a->o, a->o.count, &a->drawn, &error), &error);
    a->target_count = 10;
    a->targets = malloc(a->target_count * 2 * sizeof *a->targets);
    assert_non_null(a->targets);
    latin_hypercube(rng_next(stream), RNG_TEST, a->target_count, 2, a->targets);
    a->levers = (kg_levers){.tau_count = TAUS, .reps_count = REPS};
    for (int t = 0; t < TAUS; t++) {
        a->levers.share[t] = facts_shares[t];
        for (int r = 0; r < REPS; r++) {
            a->levers.reps[r] = reps[r];
            a->levers.cost[t][r] = 100 * facts_shares[t] * reps[r];
        }
    }
    assert_ok(kg_average_init(&a->k, &a->model, &a->levers, a->targets, a->target_count, &error),
              &error);
}

/* The means of every task at all targets after y was observed of a trial of `task`. */
static void means_after(const task_study *s, size_t draw, int task, const double *theta, int tau,
                        int r, double y, double *means) {
    const average_study *a = &s->a;
    besd_error error;
    gp *g;
    observations more;
    assert_ok(observations_init(&more, 2, &error), &error);
    for (size_t j = 0; j < a->o.count; j++)
        assert_ok(observations_copy(&more, &a->o, j, &error), &error);
    assert_ok(observations_add(&more, theta, facts_shares[tau], tau, reps[r], y, 0, &error),
              &error);
    more.task[more.count - 1] = task;
    more.tasks = &s->tasks;
    assert_ok(gp_create(&more, more.count, &a->drawn.of[draw], &g, &error), &error);
    for (size_t c = 0; c < TASKS; c++) {
        gp_set_task(g, (int)c);
        for (size_t i = 0; i < a->target_count; i++)
            means[c * a->target_count + i] = gp_predict(g, a->targets + i * 2, 1, NULL, NULL);
    }
    gp_destroy(g);
    observations_free(&more);
}

/* E sum_c w_c max of the means of c, less the same of now: means are affine in y. */
static double gain_of(const task_study *s, size_t draw, int task, const double *theta, int tau,
                      int r) {
    const double step = 1e-3;
    const average_study *a = &s->a;
    size_t m = a->target_count;
    double low[TASKS * 16], high[TASKS * 16], variance, sum = 0;
    gp *g = a->model.models[draw];
    gp_set_task(g, task);
    double mean = gp_predict(g, theta, facts_shares[tau], &variance, NULL);
    double sd = sqrt(variance + (double)facts_noise(&a->drawn.of[draw], tau, reps[r]));
    means_after(s, draw, task, theta, tau, r, mean - sd, low);
    means_after(s, draw, task, theta, tau, r, mean + sd, high);
    for (size_t c = 0; c < TASKS; c++) {
        double now = -INFINITY;
        for (size_t i = c * m; i < (c + 1) * m; i++)
            now = fmax(now, (low[i] + high[i]) / 2);
        for (int k = 0; k <= (int)lround(16 / step); k++) {
            double best = -INFINITY, z = -8 + k * step;
            for (size_t i = c * m; i < (c + 1) * m; i++)
                best = fmax(best, (low[i] + high[i]) / 2 + z * (high[i] - low[i]) / 2);
            sum += s->tasks.weight[c] * (best - now) * exp(-z * z / 2) / sqrt(2 * M_PI) * step;
        }
    }
    return sum;
}

static void check_definition(size_t features) {
    rng stream = rng_open(51, RNG_TEST, features, 0, 0);
    for (size_t count = 1; count <= 3; count++) {
        task_study s;
        open_tasks(&s, &stream, count, features);
        for (int task = 0; task < TASKS; task++) {
            double theta[2], log_kg[LEVERS], sum = 0;
            int tau = (int)rng_below(&stream, TAUS), r = (int)rng_below(&stream, REPS);
            facts_draw_theta(&stream, 2, theta);
            kg_average_face(&s.a.k, (size_t)task);
            kg_average_evaluate(&s.a.k, theta, log_kg);
            for (size_t k = 0; k < count; k++)
                sum += gain_of(&s, k, task, theta, tau, r) / (double)count;
            assert_close(exp(log_kg[tau * REPS + r]), sum, 1e-6);
        }
        close_average(&s.a);
    }
}

static void test_definition(void **state) {
    (void)state;
    check_definition(0);
    check_definition(2);
}

/* The search's best choice is the best of all targets and tasks. */
static void test_search(void **state) {
    (void)state;
    rng stream = rng_open(52, RNG_TEST, 0, 0, 0);
    for (int run = 0; run < 4; run++) {
        task_study s;
        besd_error error;
        kg_choice choices[4];
        size_t found;
        double best = -INFINITY;
        open_tasks(&s, &stream, 2, 0);
        kg_average *k = &s.a.k;
        for (size_t task = 0; task < TASKS; task++) {
            kg_average_face(k, task);
            best = fmax(best, kg_average_best_score(k));
        }
        assert_ok(kg_average_search_tasks(k, 1, TASKS, choices, 4, &found, &error), &error);
        assert_int_equal(found, 4);
        assert_close(choices[0].log_score, best, 1e-9);
        for (size_t i = 0; i < found; i++) { /* what a choice says is true */
            double log_kg[LEVERS];
            kg_average_face(k, (size_t)choices[i].task);
            kg_average_evaluate(k, choices[i].theta, log_kg);
            assert_close(log_kg[choices[i].tau * REPS + choices[i].reps], choices[i].log_kg, 1e-9);
            assert_true(i == 0 || choices[i].log_score <= choices[i - 1].log_score);
        }
        /* one task alone: no choice is of another */
        assert_ok(kg_average_search_tasks(k, 2, 1, choices, 4, &found, &error), &error);
        for (size_t i = 0; i < found; i++)
            assert_int_equal(choices[i].task, 2);
        close_average(&s.a);
    }
}

/* Tasks that have nothing in common teach nothing about each other. */
static void test_strangers(void **state) {
    (void)state;
    rng stream = rng_open(53, RNG_TEST, 0, 0, 0);
    task_study s;
    open_tasks(&s, &stream, 1, 0);
    s.a.drawn.of[0].tasks.rho = 0;
    s.a.drawn.of[0].tasks.level_variance = 1e-9;
    for (size_t j = 0; j < s.a.o.count; j++) /* a row of all tasks would tie them together */
        s.a.o.task[j] %= TASKS;
    besd_error error;
    kg_average_free(&s.a.k);
    mixture_free(&s.a.model);
    s.tasks.weight[0] = 1;
    s.tasks.weight[1] = s.tasks.weight[2] = 0;
    assert_ok(mixture_init(&s.a.model, &s.a.o, s.a.o.count, &s.a.drawn, &error), &error);
    assert_ok(
        kg_average_init(&s.a.k, &s.a.model, &s.a.levers, s.a.targets, s.a.target_count, &error),
        &error);
    double theta[2] = {0.3, 0.6}, log_kg[LEVERS];
    kg_average_face(&s.a.k, 0);
    kg_average_evaluate(&s.a.k, theta, log_kg);
    assert_true(log_kg[LEVERS - 1] > -20);
    kg_average_face(&s.a.k, 1);
    kg_average_evaluate(&s.a.k, theta, log_kg);
    for (int l = 0; l < LEVERS; l++)
        assert_true(log_kg[l] < -30);
    close_average(&s.a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition),
                                       cmocka_unit_test(test_search),
                                       cmocka_unit_test(test_strangers)};
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
