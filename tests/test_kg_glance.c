/* The two lower bounds of the knowledge gradient that the averaged search narrows by: at a glance,
 * where only the best target and the candidate compete, and screened; and what the search that
 * trusts them misses. */
#include "average_facts.h"

/* E max(0, N(-gap, slope^2)): two lines by the closed form, in long double. */
static double two_lines(double gap, double slope) {
    long double u = -(long double)gap / slope;
    long double density = expl(-u * u / 2) / sqrtl(2 * acosl(-1));
    return (double)(slope * (u * erfcl(-u / sqrtl(2)) / 2 + density));
}

static size_t best_target(const study *s) {
    size_t best = 0;
    double largest = -INFINITY;
    for (size_t i = 0; i < s->target_count; i++) {
        double mean = gp_predict(s->model, s->targets + i * s->dimension, 1, NULL, NULL);
        if (mean > largest) {
            largest = mean;
            best = i;
        }
    }
    return best;
}

/* The value of a candidate when only the best target and the candidate itself can be recommended:
 * lines a_i + b_i Z with b_i the covariance with the trial over the sd of its outcome. */
static double glanced(const study *s, size_t best, size_t candidate, int tau, int r) {
    const double *theta = s->targets + candidate * s->dimension;
    const double *other = s->targets + best * s->dimension;
    double share = facts_shares[tau], variance;
    gp_predict(s->model, theta, share, &variance, NULL);
    double sd = sqrt(variance + (double)facts_noise(&s->h, tau, reps[r]));
    double gap =
        gp_predict(s->model, other, 1, NULL, NULL) - gp_predict(s->model, theta, 1, NULL, NULL);
    double slope = gp_covariance(s->model, theta, 1, theta, share) -
                   gp_covariance(s->model, other, 1, theta, share);
    return fabs(slope) > 0 ? two_lines(gap, fabs(slope) / sd) : 0;
}

/* The glance is that value, screening no less, and both are no more than the knowledge gradient. */
static void test_lower_bounds(void **state) {
    (void)state;
    rng stream = rng_open(41, RNG_TEST, 0, 0, 0);
    int positive = 0;
    for (int trial = 0; trial < TEST_SIZE(24, 12); trial++) {
        study s;
        open_random_study(&s, &stream, FEW, trial);
        size_t best = best_target(&s), m = s.target_count;
        double *glance = malloc(m * LEVERS * sizeof *glance), screened[LEVERS], exact[LEVERS];
        assert_non_null(glance);
        kg_glance(s.k, glance);
        for (size_t c = 0; c < m; c++) {
            kg_screen(s.k, &c, 1, screened);
            kg_evaluate(s.k, s.targets + c * s.dimension, exact);
            for (int l = 0; l < LEVERS; l++) {
                double got = exp(glance[c * LEVERS + (size_t)l]);
                if (s.o.count) { /* before, all means tie and any target may be the best */
                    double expected = glanced(&s, best, c, l / REPS, l % REPS);
                    assert_close(got, expected, 1e-6 * expected + 1e-9);
                    positive += expected > 1e-3;
                }
                assert_true(got <= exp(screened[l]) * (1 + 1e-9) + 1e-12);
                assert_true(exp(screened[l]) <= exp(exact[l]) * (1 + 1e-9) + 1e-12);
            }
        }
        free(glance);
        close_study(&s);
    }
    assert_true(positive > 1000);
}

/* Screening of many is that of each alone, in their order. */
static void test_screened_together(void **state) {
    (void)state;
    enum { SOME = 70 };
    rng stream = rng_open(42, RNG_TEST, 0, 0, 0);
    study s;
    size_t which[SOME];
    static double together[SOME * LEVERS];
    open_study(&s, &stream, MANY, 20, 3, 3);
    for (size_t i = 0; i < SOME; i++)
        which[i] = (size_t)rng_below(&stream, s.target_count);
    kg_screen(s.k, which, SOME, together);
    for (size_t i = 0; i < SOME; i++) {
        double own[LEVERS];
        kg_screen(s.k, &which[i], 1, own);
        for (int l = 0; l < LEVERS; l++)
            assert_close(exp(together[i * LEVERS + (size_t)l]), exp(own[l]), 1e-9);
    }
    close_study(&s);
}

/* By how much the best that is found is worse than the best of all targets, as a logarithm. */
static double loss(average_study *s) {
    besd_error error;
    kg_choice choice;
    size_t found;
    double best = -INFINITY, log_kg[LEVERS];
    assert_ok(kg_average_search(&s->k, &choice, 1, &found, &error), &error);
    assert_int_equal(found, 1);
    for (size_t c = 0; c < s->target_count; c++) {
        kg_average_evaluate(&s->k, s->targets + c * s->dimension, log_kg);
        for (int l = 0; l < LEVERS; l++)
            best = fmax(best, log_kg[l] - log(s->levers.cost[l / REPS][l % REPS]));
    }
    assert_true(choice.log_score <= best + 1e-9);
    return best - choice.log_score;
}

/* One to six dimensions, two to six draws, four to sixty trials, more targets than are screened. Of
 * 900 such studies 29 missed the best, by 0.005 in the mean over all; the worst by 0.55, 0.6
 * and 1.4. Mostly those were not screened that say more of two other designs than of their own. */
static void test_what_is_missed(void **state) {
    (void)state;
    enum { STUDIES = TEST_SIZE(60, 12) };
    rng stream = rng_open(43, RNG_TEST, 0, 0, 0);
    double worst = 0, sum = 0;
    int missed = 0;
    for (int at = 0; at < STUDIES; at++) {
        average_study s;
        size_t n = (size_t[]){4, 12, 30, 60}[at / 6 % 4];
        open_average(&s, &stream, 2 + (size_t)(at / 24) % 5, 500, n, 1 + (size_t)at % 6);
        double lost = loss(&s);
        missed += lost > 1e-9;
        worst = fmax(worst, lost);
        sum += lost;
        close_average(&s);
    }
    if (missed > STUDIES / 8 || worst > 2 || sum / STUDIES > 0.05)
        fail_msg("missed %d of %d, by %g at most and %g in the mean", missed, (int)STUDIES, worst,
                 sum / STUDIES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lower_bounds),
        cmocka_unit_test(test_screened_together),
        cmocka_unit_test(test_what_is_missed),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
