/* How the methods beside besd choose. The posterior comes from besd_study_predict; what follows
 * from it is worked out here by other means, over the whole discretisation. */
#include "study_fixture.h"

enum { DIMENSION = 2, TARGETS = 60, BEFORE = 14, TAU_MAX = 30, REPS_MOST = 4 };

/* A study that has been told BEFORE trials, what it asked next, and what makes a design better. */
typedef struct moment {
    besd_study *study;
    besd_trial next;
    double best;          /* posterior mean among the told designs */
    double noise, jitter; /* variance of an observation; what an improvement must exceed */
} moment;

static double predict(const moment *m, const double *theta, double *sd) {
    double mean;
    besd_error error;
    assert_ok(besd_study_predict(m->study, theta, TAU_MAX, &mean, sd, &error), &error);
    return mean;
}

static moment begin(besd_method method, uint64_t seed) {
    besd_study_options o = small_options(DIMENSION, seed);
    moment m = {.best = -INFINITY};
    o.method = method;
    o.targets = TARGETS;
    o.initial_designs = 5;
    o.discrete = true;
    m.study = new_study(&o);
    run_trials(m.study, BEFORE, NULL);
    m.next = ask(m.study);
    for (int64_t id = 1; id <= BEFORE; id++) {
        besd_trial told = get_trial(m.study, id);
        double sd;
        m.best = fmax(m.best, predict(&m, told.theta, &sd));
    }
    return m;
}

/* The expected excess over the best, by Simpson's rule over twenty standard deviations from where
 * it begins, or from ten below the mean: over the kink the rule would be far worse. */
static double expected_improvement(const moment *m, const double *theta) {
    enum { PIECES = 4000 };
    double sd, mean = predict(m, theta, &sd), sum = 0, step = 20.0 / PIECES;
    sd = sqrt(sd * sd + m->noise);
    double kink = (m->best + m->jitter - mean) / sd, start = fmax(kink, -10);
    for (int i = 0; i <= PIECES; i++) {
        double z = start + i * step, weight = i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2;
        sum += weight * sd * (z - kink) * exp(-z * z / 2);
    }
    return sum * step / 3 / sqrt(2 * acos(-1));
}

static double confidence_bound(const moment *m, const double *theta) {
    double sd, mean = predict(m, theta, &sd);
    return mean + 2 * sd;
}

/* The chosen design is a target, and none is better by more than a millionth. The quadrature's
 * error is a hundredth of that: with h = 0.005 it is about (z h)^4 / 180, and z is below 10. */
static void assert_chosen(const moment *m, double (*value)(const moment *, const double *)) {
    size_t count, same = 0;
    const double *borrowed = besd_study_targets(m->study, &count);
    double targets[TARGETS * DIMENSION], chosen = value(m, m->next.theta);
    assert_int_equal(count, TARGETS);
    memcpy(targets, borrowed, sizeof targets);
    for (size_t i = 0; i < count; i++) {
        const double *target = targets + i * DIMENSION;
        if (same_numbers(target, m->next.theta, DIMENSION))
            same++;
        else if (value(m, target) > chosen * (1 + 1e-6))
            fail_msg("target %zu: %.10g, more than the chosen design's %.10g", i, value(m, target),
                     chosen);
    }
    assert_int_equal(same, 1);
    assert_int_equal(m->next.tau, TAU_MAX);
    assert_int_equal(m->next.reps, REPS_MOST);
}

static void test_expected_improvement(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        moment m = begin(BESD_METHOD_EI, seed);
        assert_int_equal(m.next.reason, BESD_REASON_IMPROVEMENT);
        assert_chosen(&m, expected_improvement);
        besd_study_close(m.study);
    }
}

static void test_confidence_bound(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        moment m = begin(BESD_METHOD_LCB, seed);
        assert_int_equal(m.next.reason, BESD_REASON_BOUND);
        assert_chosen(&m, confidence_bound);
        besd_study_close(m.study);
    }
}

/* The authors' way: noise belongs to the variance, and a hundredth of the scores' standard
 * deviation is no improvement. Scores are maximised as they are, so means are the model's. */
static void test_expected_improvement_of_the_paper(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        moment m = begin(BESD_METHOD_EI_PAPER, seed);
        besd_hyperparameters h;
        besd_error error;
        double sum = 0, squares = 0;
        assert_ok(besd_study_hyperparameters(m.study, &h, &error), &error);
        for (int64_t id = 1; id <= BEFORE; id++) {
            double mean = get_trial(m.study, id).mean;
            sum += mean;
            squares += mean * mean;
        }
        size_t last = h.level_count - 1;
        m.jitter = 0.01 * sqrt(squares / BEFORE - sum * sum / BEFORE / BEFORE);
        m.noise = h.env_sd[last] * h.env_sd[last] + h.rep_sd[last] * h.rep_sd[last] / REPS_MOST;
        assert_true(m.jitter > 0 && m.noise > 0);
        assert_int_equal(m.next.reason, BESD_REASON_IMPROVEMENT);
        assert_chosen(&m, expected_improvement);
        besd_study_close(m.study);
    }
}

/* Free to leave the discretisation, every one of them comes near the best design, (3, 7). */
static void test_they_find_the_top(void **state) {
    static const besd_method methods[] = {BESD_METHOD_EI, BESD_METHOD_EI_PAPER, BESD_METHOD_LCB};
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        besd_study_options o = small_options(DIMENSION, 5);
        besd_recommendation r;
        besd_error error;
        o.method = methods[i];
        besd_study *s = new_study(&o);
        run_trials(s, 25, NULL);
        assert_ok(besd_study_recommend(s, &r, &error), &error);
        for (size_t k = 0; k < DIMENSION; k++)
            assert_close(r.theta[k], best_coordinate(k), 1.5); /* costs 0.05, as much as noise */
        besd_study_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected_improvement),
        cmocka_unit_test(test_confidence_bound),
        cmocka_unit_test(test_expected_improvement_of_the_paper),
        cmocka_unit_test(test_they_find_the_top),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
