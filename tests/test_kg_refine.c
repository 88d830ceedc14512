/* The gradient of the acquisition against differences, and the climb along it. */
#include "kg_facts.h"

/* The slope of log nu along axis i: a central difference. */
static double slope_of(study *s, double *theta, size_t i, int lever, double step) {
    double at = theta[i], above[LEVERS], below[LEVERS];
    theta[i] = at + step;
    kg_evaluate(s->k, theta, above);
    theta[i] = at - step;
    kg_evaluate(s->k, theta, below);
    theta[i] = at;
    return (above[lever] - below[lever]) / (2 * step);
}

/* A line that enters the envelope bends log nu, which a step across it sees to first order; a
 * shorter step does not reach that far. Where log nu is below -15 the cut at |Z| = 9 adds bends of
 * its own. */
static void test_gradient_matches_differences(void **state) {
    (void)state;
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    int compared = 0, shortened = 0;
    for (int trial = 0; trial < 24; trial++) {
        study s;
        open_random_study(&s, &stream, FEW, trial);
        for (int place = 0; place < 10; place++) {
            int lever = (int)rng_below(&stream, LEVERS);
            double theta[4], gradient[4], log_kg[LEVERS], largest = 1;
            facts_draw_theta(&stream, s.dimension, theta);
            kg_evaluate(s.k, theta, log_kg);
            double value = kg_gradient(s.k, theta, lever / REPS, lever % REPS, gradient);
            if (log_kg[lever] < -15)
                continue;
            assert_close(value, log_kg[lever], 1e-12 * fmax(1, fabs(value)));
            for (size_t i = 0; i < s.dimension; i++)
                largest = fmax(largest, fabs(gradient[i]));
            for (size_t i = 0; i < s.dimension; i++, compared++) {
                double slope = slope_of(&s, theta, i, lever, 1e-5);
                if (fabs(gradient[i] - slope) > 1e-6 * largest) {
                    slope = slope_of(&s, theta, i, lever, 1e-6);
                    shortened++;
                }
                assert_close(gradient[i], slope, 1e-6 * largest);
            }
        }
        close_study(&s);
    }
    assert_true(compared > 400 && shortened < compared / 50);
}

/* Never worse, inside the cube, and what it reports is true. Mostly better: the best of a hundred
 * points is no maximum. */
static void test_refine(void **state) {
    (void)state;
    rng stream = rng_open(7, RNG_TEST, 0, 0, 0);
    besd_error error;
    int better = 0, tried = 0;
    for (int trial = 0; trial < TEST_SIZE(24, 12); trial++) {
        study s;
        kg_choice choices[8];
        size_t found;
        open_random_study(&s, &stream, FEW, trial);
        search(&s, true, choices, 8, &found);
        for (size_t c = 0; c < found; c++, tried++) {
            kg_choice before = choices[c], after = choices[c];
            double log_kg[LEVERS];
            if (c % 4 == 3) { /* also from a corner */
                for (size_t i = 0; i < s.dimension; i++)
                    after.theta[i] = (double)rng_below(&stream, 2);
                kg_evaluate(s.k, after.theta, log_kg);
                after.log_kg = log_kg[after.tau * REPS + after.reps];
                after.log_score = after.log_kg - log(s.levers.cost[after.tau][after.reps]);
                before = after;
            }
            if (after.log_kg == -INFINITY)
                continue;
            assert_ok(kg_refine(s.k, &after, &error), &error);
            assert_true(after.log_kg >= before.log_kg && after.log_score >= before.log_score);
            assert_true(after.tau == before.tau && after.reps == before.reps);
            for (size_t i = 0; i < s.dimension; i++)
                assert_true(after.theta[i] >= 0 && after.theta[i] <= 1);
            kg_evaluate(s.k, after.theta, log_kg);
            assert_close(after.log_kg, log_kg[after.tau * REPS + after.reps], 1e-9);
            assert_close(after.log_score - before.log_score, after.log_kg - before.log_kg, 1e-12);
            better += after.log_kg > before.log_kg + 1e-6;
            kg_choice again = after; /* from where it ended there is little to gain, and no loss */
            assert_ok(kg_refine(s.k, &again, &error), &error);
            assert_true(again.log_kg >= after.log_kg && again.log_score >= after.log_score);
        }
        close_study(&s);
    }
    assert_true(2 * better > tried);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradient_matches_differences),
        cmocka_unit_test(test_refine),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
