/* The knowledge gradient averaged over draws, against its definition: a trial is imagined under
 * every draw, that draw's posterior is made anew with it, and the gain of the largest mean is
 * integrated over what could be observed. */
#include "average_facts.h"

/* The means at all targets of a draw that has observed y. */
static void means_after(const average_study *s, size_t draw, const double *theta, int tau, int r,
                        double y, double *means) {
    besd_error error;
    gp *g;
    observations more;
    assert_ok(observations_init(&more, s->dimension, &error), &error);
    for (size_t j = 0; j <= s->o.count; j++)
        assert_ok(
            j < s->o.count
                ? observations_add(&more, s->o.theta + j * s->dimension, s->o.share[j],
                                   s->o.level[j], s->o.reps[j], s->o.mean[j], 0, &error)
                : observations_add(&more, theta, facts_shares[tau], tau, reps[r], y, 0, &error),
            &error);
    assert_ok(gp_create(&more, more.count, &s->drawn.of[draw], &g, &error), &error);
    for (size_t i = 0; i < s->target_count; i++)
        means[i] = gp_predict(g, s->targets + i * s->dimension, 1, NULL, NULL);
    gp_destroy(g);
    observations_free(&more);
}

/* E max of the means less the max of now, for one draw: means are affine in what is observed, so
 * two observations tell them all. The trapezium rule errs by the square of its step where the
 * maximum has kinks. */
static double gain_of(const average_study *s, size_t draw, const double *theta, int tau, int r) {
    const double step = 1e-3;
    double low[64], high[64], variance, sum = 0, now = -INFINITY;
    assert_true(s->target_count <= 64);
    double mean = gp_predict(s->model.models[draw], theta, facts_shares[tau], &variance, NULL);
    double sd = sqrt(variance + (double)facts_noise(&s->drawn.of[draw], tau, reps[r]));
    means_after(s, draw, theta, tau, r, mean - sd, low);
    means_after(s, draw, theta, tau, r, mean + sd, high);
    for (size_t i = 0; i < s->target_count; i++)
        now = fmax(now, (low[i] + high[i]) / 2); /* what is expected is no news */
    for (int k = 0; k <= (int)lround(16 / step); k++) {
        double best = -INFINITY, z = -8 + k * step;
        for (size_t i = 0; i < s->target_count; i++)
            best = fmax(best, (low[i] + high[i]) / 2 + z * (high[i] - low[i]) / 2);
        sum += (best - now) * exp(-z * z / 2) / sqrt(2 * M_PI) * step;
    }
    return sum;
}

static void test_definition(void **state) {
    (void)state;
    rng stream = rng_open(31, RNG_TEST, 0, 0, 0);
    for (size_t count = 1; count <= 4; count++) {
        average_study s;
        open_average(&s, &stream, count, 12, 8, 2);
        for (int i = 0; i < 6; i++) {
            double theta[2], log_kg[LEVERS], sum = 0;
            int tau = (int)rng_below(&stream, TAUS), r = (int)rng_below(&stream, REPS);
            facts_draw_theta(&stream, 2, theta);
            kg_average_evaluate(&s.k, theta, log_kg);
            for (size_t k = 0; k < count; k++)
                sum += gain_of(&s, k, theta, tau, r) / (double)count;
            assert_close(exp(log_kg[tau * REPS + r]), sum, 1e-6);
        }
        close_average(&s);
    }
}

/* The mean of what each draw has by itself; one draw has the very bytes. */
static void test_mean_of_draws(void **state) {
    (void)state;
    rng stream = rng_open(32, RNG_TEST, 0, 0, 0);
    for (size_t count = 1; count <= 5; count++) {
        average_study s;
        besd_error error;
        kg *own[5];
        size_t most = 0;
        open_average(&s, &stream, count, 60, 10, 3);
        for (size_t i = 0; i < count; i++) {
            assert_ok(
                kg_create(s.model.models[i], &s.levers, s.targets, s.target_count, &own[i], &error),
                &error);
            most = kg_kept(own[i]) > most ? kg_kept(own[i]) : most;
        }
        assert_int_equal(kg_average_kept(&s.k), most);
        for (int i = 0; i < 20; i++) {
            double theta[3], log_kg[LEVERS], each[LEVERS], sum[LEVERS] = {0};
            facts_draw_theta(&stream, 3, theta);
            kg_average_evaluate(&s.k, theta, log_kg);
            for (size_t k = 0; k < count; k++) {
                kg_evaluate(own[k], theta, each);
                for (int l = 0; l < LEVERS; l++)
                    sum[l] += exp(each[l]) / (double)count;
            }
            if (count == 1)
                assert_memory_equal(log_kg, each, sizeof each);
            for (int l = 0; l < LEVERS; l++)
                assert_close(exp(log_kg[l]), sum[l], 1e-12 * (sum[l] + 1e-200));
        }
        for (size_t i = 0; i < count; i++)
            kg_destroy(own[i]);
        close_average(&s);
    }
}

/* With one draw, search and refinement are those of kg.h. */
static void test_one_draw(void **state) {
    (void)state;
    rng stream = rng_open(33, RNG_TEST, 0, 0, 0);
    average_study s;
    besd_error error;
    kg *own;
    kg_choice got[5], expected[5];
    size_t found, expected_found;
    memset(got, 0, sizeof got);
    memset(expected, 0, sizeof expected);
    open_average(&s, &stream, 1, 80, 12, 2);
    assert_ok(kg_create(s.model.models[0], &s.levers, s.targets, s.target_count, &own, &error),
              &error);
    assert_ok(kg_average_search(&s.k, got, 5, &found, &error), &error);
    assert_ok(kg_search(own, true, expected, 5, &expected_found, &error), &error);
    assert_true(found == expected_found && found > 0);
    assert_int_equal(s.k.evaluated, kg_evaluated(own));
    for (size_t i = 0; i < found; i++) {
        assert_ok(kg_average_refine(&s.k, &got[i], &error), &error);
        assert_ok(kg_refine(own, &expected[i], &error), &error);
        assert_memory_equal(got[i].theta, expected[i].theta, 2 * sizeof(double));
        assert_true(got[i].log_kg == expected[i].log_kg && got[i].tau == expected[i].tau &&
                    got[i].reps == expected[i].reps && got[i].log_score == expected[i].log_score);
    }
    kg_destroy(own);
    close_average(&s);
}

static double score(const average_study *s, const double *log_kg, int l) {
    return log_kg[l] - log(s->levers.cost[l / REPS][l % REPS]);
}

/* The best of all targets and levers, by trying them. */
static double brute_force(average_study *s) {
    double best = -INFINITY;
    for (size_t c = 0; c < s->target_count; c++) {
        double log_kg[LEVERS];
        kg_average_evaluate(&s->k, s->targets + c * s->dimension, log_kg);
        for (int l = 0; l < LEVERS; l++)
            best = fmax(best, score(s, log_kg, l));
    }
    return best;
}

/* Only the best by screening are tried exactly. Screening is a lower bound that is close, so the
 * best is hardly ever missed, and then by little. What is found is as it says, in order, and no
 * design is found twice. */
static void test_search(void **state) {
    (void)state;
    enum { STUDIES = TEST_SIZE(80, 20), WANTED = 5 };
    int missed = 0;
    double worst = 0;
    rng stream = rng_open(34, RNG_TEST, 0, 0, 0);
    for (int at = 0; at < STUDIES; at++) {
        average_study s;
        besd_error error;
        kg_choice choices[WANTED];
        size_t found;
        open_average(&s, &stream, 2 + (size_t)at % 5, 250, 4 + (size_t)at % 20, 1 + (size_t)at % 4);
        assert_ok(kg_average_search(&s.k, choices, WANTED, &found, &error), &error);
        assert_int_equal(found, WANTED);
        double best = brute_force(&s);
        assert_close(kg_average_best_score(&s.k), best, 1e-12 * fabs(best));
        missed += choices[0].log_score < best - 1e-9;
        worst = fmax(worst, best - choices[0].log_score);
        assert_true(choices[0].log_score <= best + 1e-9);
        for (size_t i = 0; i < found; i++) {
            double log_kg[LEVERS];
            int lever = choices[i].tau * REPS + choices[i].reps;
            kg_average_evaluate(&s.k, choices[i].theta, log_kg);
            assert_close(choices[i].log_kg, log_kg[lever], 1e-12 * fabs(log_kg[lever]));
            assert_close(choices[i].log_score, score(&s, log_kg, lever), 1e-9);
            for (int l = 0; l < LEVERS; l++)
                assert_true(score(&s, log_kg, l) <= choices[i].log_score + 1e-9);
            assert_true(i == 0 || choices[i].log_score <= choices[i - 1].log_score);
            kg_choice refined = choices[i]; /* the average stays with the targets */
            assert_ok(kg_average_refine(&s.k, &refined, &error), &error);
            assert_memory_equal(refined.theta, choices[i].theta, s.dimension * sizeof(double));
            assert_true(refined.log_score == choices[i].log_score);
            for (size_t k = 0; k < i; k++)
                assert_memory_not_equal(choices[i].theta, choices[k].theta,
                                        s.dimension * sizeof(double));
        }
        close_average(&s);
    }
    if (missed > STUDIES / 20 || worst > 0.1)
        fail_msg("missed %d of %d, by %g at most", missed, (int)STUDIES, worst);
}

/* A design that is several targets, as one that was tried several times, is found once; three times
 * each, designs leave room for the four that are explained. */
static void test_repeated_targets(void **state) {
    (void)state;
    enum { POINTS = 6 };
    rng stream = rng_open(36, RNG_TEST, 0, 0, 0);
    average_study s;
    besd_error error;
    kg_choice choices[8];
    double often[3 * POINTS * 2];
    size_t found;
    open_average(&s, &stream, 3, POINTS, 5, 2);
    for (size_t i = 0; i < 3 * POINTS; i++)
        memcpy(often + 2 * i, s.targets + i % POINTS * 2, 2 * sizeof *often);
    kg_average_free(&s.k);
    assert_ok(kg_average_init(&s.k, &s.model, &s.levers, often, 3 * POINTS, &error), &error);
    assert_ok(kg_average_search(&s.k, choices, 8, &found, &error), &error);
    assert_true(found >= 4 && found <= POINTS);
    for (size_t i = 0; i < found; i++)
        for (size_t k = 0; k < i; k++)
            assert_memory_not_equal(choices[i].theta, choices[k].theta, 2 * sizeof(double));
    close_average(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),       cmocka_unit_test(test_mean_of_draws),
        cmocka_unit_test(test_one_draw),         cmocka_unit_test(test_search),
        cmocka_unit_test(test_repeated_targets),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
