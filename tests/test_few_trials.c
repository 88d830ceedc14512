/* Studies of few trainings and strange scores, from the first ask to the recommendation: nothing is
 * refused that could be computed, intervals are honest about how little is known, and what is
 * recommended makes sense. */
#include "study_fixture.h"

#include "core/stats.h"

#include <math.h>
#include <string.h>

enum { TRAININGS = 30, TAU_MAX = 100 };

static const double CAP = 120;

/* A study of an own trainer: a box, one replication, one or three levels of tau. */
static besd_study_options own_options(size_t dimension, size_t tau_count, double trainings) {
    static const int64_t taus[] = {20, 60, TAU_MAX};
    static const int reps[] = {1};
    static double low[BESD_MAX_DIMENSION], high[BESD_MAX_DIMENSION];
    for (size_t i = 0; i < BESD_MAX_DIMENSION; i++)
        high[i] = 1;
    besd_study_options o = besd_study_options_default();
    o.dimension = dimension;
    o.low = low;
    o.high = high;
    o.taus = taus + (3 - tau_count);
    o.tau_count = tau_count;
    o.reps = reps;
    o.reps_count = 1;
    o.direction = BESD_MINIMIZE;
    o.budget = trainings * TAU_MAX;
    o.seed = 3;
    o.targets = 60; /* few, and few draws, so that an ask takes milliseconds */
    o.draws = 2;
    return o;
}

typedef double score_of(const besd_trial *t, size_t dimension, double argument);

static void tell(besd_study *s, const besd_trial *t, double score) {
    besd_error error;
    assert_ok(besd_study_tell(s, t->id, &(besd_outcome){.scores = &score, .count = 1}, &error),
              &error);
}

/* Runs the study until its budget is spent; `spread` gets the standard deviation of the scores. */
static besd_recommendation spend(besd_study *s, score_of *score, double argument, double *spread) {
    static double scores[1000];
    besd_recommendation r;
    besd_error error;
    besd_trial t;
    size_t count = 0;
    while (besd_study_ask(s, NULL, &t, &error) == BESD_OK) {
        assert_true(count < 1000);
        scores[count] = score(&t, besd_study_get_options(s)->dimension, argument);
        tell(s, &t, scores[count++]);
    }
    assert_int_equal(error.status, BESD_DONE);
    if (spread)
        *spread = stats_summarise(scores, count).se * sqrt((double)count);
    assert_ok(besd_study_recommend(s, &r, &error), &error);
    return r;
}

static besd_recommendation run(const besd_study_options *o, score_of *score, double argument,
                               double *spread) {
    besd_study *s = new_study(o);
    besd_recommendation r = spend(s, score, argument, spread);
    besd_study_close(s);
    return r;
}

/* In the box, expected inside the interval. */
static void assert_sound(const besd_recommendation *r, size_t dimension) {
    for (size_t i = 0; i < dimension; i++)
        assert_true(r->theta[i] >= 0 && r->theta[i] <= 1);
    assert_true(isfinite(r->value) && isfinite(r->mean) && r->sd >= 0);
    assert_true(r->low <= r->value && r->value <= r->high);
}

/* Agents arrive at 101 or end at the cap. No trial is like another to the bit. */
static double noise_of(const besd_trial *t, uint64_t purpose) {
    rng stream = rng_open(t->seed, RNG_TEST, purpose, 0, 0);
    return rng_normal(&stream);
}

static double at_cap(const besd_trial *t, size_t dimension, double argument) {
    (void)t, (void)dimension, (void)argument;
    return CAP;
}

/* Every score is that of the cap. Nobody can say how sure that is, and a warning says what to do.
 */
static void test_equal_scores(void **state) {
    (void)state;
    for (size_t taus = 1; taus <= 3; taus += 2) {
        besd_study_options o = own_options(2, taus, TRAININGS);
        besd_study *s = new_study(&o);
        besd_recommendation r;
        besd_error error;
        char warning[BESD_ERROR_MESSAGE_SIZE];
        for (int told = 1; told <= 2; told++) {
            besd_trial t = ask(s);
            tell(s, &t, CAP);
            assert_ok(besd_study_recommend(s, &r, &error), &error);
            assert_sound(&r, 2);
            assert_close(r.value, CAP, 1e-3);
            assert_true(isinf(r.low) && isinf(r.high));
            assert_int_equal(r.alike, told == 2 ? 2 : 0);
            besd_recommendation_warning(&r, warning);
            assert_true((told == 2) == (strstr(warning, "all 2 trials have scored the same") != 0));
        }
        r = spend(s, at_cap, 0, NULL);
        assert_sound(&r, 2);
        assert_true(isinf(r.low) && isinf(r.high) && r.tried >= 1);
        assert_int_equal(r.alike, r.trials);
        besd_study_close(s);
    }
}

static double odd_one(const besd_trial *t, size_t dimension, double odd) {
    (void)dimension;
    return t->id == (int64_t)odd ? 101 : CAP;
}

/* One odd score, at any place. One agent that did better says little of its design, wherever it
 * stands; above all when it came as a confirming trial, to a model that had seen no difference. */
static void test_odd_score(void **state) {
    (void)state;
    for (size_t taus = 1; taus <= 3; taus += 2) {
        besd_study_options o = own_options(2, taus, TRAININGS);
        int last = TRAININGS + 5 * (int)(taus - 1); /* short ones are cheap */
        const int places[] = {1, 2, 9, 16, last - 3, last - 2, last - 1, last};
        for (int i = 0; i < 8; i++) {
            int odd = places[i];
            double spread;
            besd_recommendation r = run(&o, odd_one, odd, &spread);
            assert_sound(&r, 2);
            if (!(r.high - r.low > spread / 10 && r.high > CAP - 1))
                fail_msg("%zu levels, score %d is odd: %.9g between %.9g and %.9g", taus, odd,
                         r.value, r.low, r.high);
            assert_true(r.value > 104 && r.value < 121 && r.low > 80 && r.high < 150);
            assert_true(r.tried >= 1 && !r.alike);
        }
    }
}

/* A slope of 20 along the first coordinate under a noise of 1; `argument` sees to the rest. */
static double slope(const besd_trial *t) {
    return 100 + 20 * t->theta[0] + noise_of(t, 0);
}

static double shifted(const besd_trial *t, size_t dimension, double shift) {
    (void)dimension;
    return slope(t) + shift;
}

static double scaled(const besd_trial *t, size_t dimension, double scale) {
    (void)dimension;
    return slope(t) * scale;
}

/* However large the offset and whatever the scale: the good end is found, in both directions. */
static void test_offset_and_scale(void **state) {
    (void)state;
    static const struct {
        score_of *score;
        double argument, factor, offset;
    } cases[] = {{shifted, 0, 1, 0},       {shifted, 1e9, 1, 1e9},    {shifted, -1e9, 1, -1e9},
                 {scaled, 1e12, 1e12, 0},  {scaled, -1e12, -1e12, 0}, {scaled, 1e-12, 1e-12, 0},
                 {scaled, 1e100, 1e100, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int up = 0; up < 2; up++) {
            besd_study_options o = own_options(2, 1 + 2 * (i & 1), 20);
            o.direction = up ? BESD_MAXIMIZE : BESD_MINIMIZE;
            besd_recommendation r = run(&o, cases[i].score, cases[i].argument, NULL);
            double factor = cases[i].factor, truth = 100 + 20 * r.theta[0];
            bool right = up == (factor > 0); /* where the good end is */
            assert_sound(&r, 2);
            assert_true(right ? r.theta[0] > 0.7 : r.theta[0] < 0.3);
            assert_true(r.tried >= 1 && r.high - r.low > 0.1 * fabs(factor));
            assert_close(r.value, factor * truth + cases[i].offset, 5 * fabs(factor));
        }
}

/* One agent in ten ends a million away; or noise that has no mean. */
static double tailed(const besd_trial *t, size_t dimension, double kind) {
    (void)dimension;
    rng stream = rng_open(t->seed, RNG_TEST, 1, 0, 0);
    double u = rng_uniform(&stream);
    return slope(t) + (kind > 0 ? (u < 0.1 ? 1e6 : 0) : tan(acos(-1) * (u - 0.5)));
}

static void test_tails(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 2; seed++)
        for (int kind = 0; kind < 2; kind++)
            for (int log = 0; log < 1 + kind; log++) {
                besd_study_options o = own_options(2, 1 + 2 * (seed & 1), 20);
                o.seed = seed;
                o.transform = log ? BESD_TRANSFORM_LOG : BESD_TRANSFORM_NONE;
                besd_recommendation r = run(&o, tailed, kind, NULL);
                assert_sound(&r, 2);
                assert_true(r.high - r.low > 0.1 && r.tried >= 1);
            }
}

/* The mean of all coordinates, so that no single one says much. */
static double mean_slope(const besd_trial *t, size_t dimension, double noise) {
    double sum = 0;
    for (size_t i = 0; i < dimension; i++)
        sum += t->theta[i] / (double)dimension;
    return 100 + 20 * sum + noise * noise_of(t, 0);
}

/* Dimension 1, 20 and 40: what is recommended is not worse than a random design, and of six 90 %
 * intervals one may miss. */
static void test_dimensions(void **state) {
    (void)state;
    static const size_t dimensions[] = {1, 20, 40};
    int held = 0;
    for (int i = 0; i < 3; i++)
        for (int noise = 0; noise < 2; noise++) {
            besd_study_options o =
                own_options(dimensions[i], 3 - 2 * (size_t)noise, 20 - 10 * (dimensions[i] > 20));
            double truth = 0;
            besd_recommendation r = run(&o, mean_slope, noise, NULL);
            assert_sound(&r, dimensions[i]);
            for (size_t k = 0; k < dimensions[i]; k++)
                truth += 20 * r.theta[k] / (double)dimensions[i];
            held += r.low <= 100 + truth && 100 + truth <= r.high;
            assert_true(truth < (dimensions[i] > 1 ? 10.5 : 4) && r.high - r.low > 0.1 * noise);
        }
    assert_true(held >= 5);
}

/* Budgets of one, two and three trainings, which no initial design fits into. */
static void test_tiny_budgets(void **state) {
    (void)state;
    for (size_t taus = 1; taus <= 3; taus += 2)
        for (int trainings = 1; trainings <= 3; trainings++) {
            besd_study_options o = own_options(2, taus, trainings);
            double spread;
            besd_recommendation r = run(&o, shifted, 0, &spread);
            assert_sound(&r, 2);
            assert_true(r.cost <= o.budget && r.trials >= trainings);
            assert_true(isinf(r.high) || r.high - r.low > 2);
        }
}

/* How the share of the initial design counts when the budget pays for few: 5 of 20 trainings, 10 of
 * 40, and every tau is tried. */
static void test_initial_share(void **state) {
    (void)state;
    static const struct {
        size_t taus;
        double trainings;
        int designs;
    } cases[] = {{1, 20, 5}, {1, 40, 10}, {1, 3, 1}, {3, 3, 3}, {3, 20, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study_options o = own_options(4, cases[i].taus, cases[i].trainings);
        besd_study *s = new_study(&o);
        int initial = 0;
        besd_trial t;
        while ((t = ask(s)).reason == BESD_REASON_INITIAL) {
            tell(s, &t, shifted(&t, 4, 0));
            initial++;
        }
        if (initial != cases[i].designs)
            fail_msg("%g trainings, %zu levels: %d initial trials, expected %d", cases[i].trainings,
                     cases[i].taus, initial, cases[i].designs);
        besd_study_close(s);
    }
}

/* A thousand replications of one design say a lot about it, and not everything. */
static void test_many_replications(void **state) {
    (void)state;
    static const int reps[] = {1, 1000};
    besd_study_options o = own_options(2, 1, 1e5);
    o.reps = reps;
    o.reps_count = 2;
    o.initial_reps = 1000;
    besd_study *s = new_study(&o);
    besd_recommendation r;
    besd_error error;
    besd_trial t;
    static double scores[1000];
    for (int designs = 1; designs <= 3; designs++) {
        t = ask(s);
        for (int i = 0; i < 1000; i++) {
            rng stream = rng_open(t.seed, RNG_TEST, (uint64_t)i, 0, 0);
            scores[i] = 100 + 20 * t.theta[0] + rng_normal(&stream);
        }
        assert_ok(
            besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 1000}, &error),
            &error);
        assert_ok(besd_study_recommend(s, &r, &error), &error);
        assert_sound(&r, 2);
        assert_true(isinf(r.high) || r.high - r.low > 0.1);
    }
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_scores),     cmocka_unit_test(test_odd_score),
        cmocka_unit_test(test_offset_and_scale), cmocka_unit_test(test_tails),
        cmocka_unit_test(test_dimensions),       cmocka_unit_test(test_tiny_budgets),
        cmocka_unit_test(test_initial_share),    cmocka_unit_test(test_many_replications),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
