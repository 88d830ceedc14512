/* Exploring for want of anything better (choose.c): while all trials have scored the same
 * the space is gone through at the least cost; when no trial has a value, the averaged model goes
 * where it knows least. */
#include "study_scene.h"

#include "decide/latin.h"
#include "decide/targets.h"
#include "model_facts.h"
#include "study/choose.h"

static besd_study_options averaged_options(uint64_t seed) {
    besd_study_options o = small_options(2, seed);
    o.model = BESD_MODEL_AVERAGED;
    o.draws = 3;
    return o;
}

/* Trials with these means; '-' pending, 'x' failed, 'c' confirming and otherwise. */
static bool is_blind(besd_model model, const char *trials, double mean, double other) {
    besd_study_options o = averaged_options(1);
    o.model = model;
    scene c;
    scene_begin(&c, &o);
    for (size_t i = 0; trials[i]; i++) {
        const double theta[] = {(double)i, 3};
        trial_record *r = scene_add(&c,
                                    trials[i] == '-'   ? BESD_TRIAL_ASKED
                                    : trials[i] == 'x' ? BESD_TRIAL_FAILED
                                                       : BESD_TRIAL_TOLD,
                                    trials[i] == 'c' ? BESD_REASON_CONFIRM : BESD_REASON_INITIAL,
                                    theta, 30, i % 2 ? 2 : 4);
        if (r->trial.state == BESD_TRIAL_TOLD)
            r->model_mean = trials[i] == '=' ? mean : other;
    }
    scene_look(&c);
    bool blind = explore_is_blind(&c.spec, &c.evidence);
    scene_end(&c);
    return blind;
}

/* From two told trials on, while all of those that the model sees have the same mean. */
static void test_when(void **state) {
    (void)state;
    static const struct {
        const char *trials;
        bool blind;
    } cases[] = {{"", false},   {"=", false},   {"=-", false},    {"==", true},    {"=====", true},
                 {"=!", false}, {"!=", false},  {"====!", false}, {"=!==", false}, {"==-x-", true},
                 {"-==", true}, {"x=-=", true}, {"==c", true},    {"=c", false},   {"==!c", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double means[] = {0, -4, 1e-9, 1e9}, others[] = {1e-300, -4.0001, 1.001e-9, 1e9 + 1};
        for (int k = 0; k < 4; k++) {
            bool blind = is_blind(BESD_MODEL_AVERAGED, cases[i].trials, means[k], others[k]);
            if (blind != cases[i].blind)
                fail_msg("trials '%s' of %g: expected %d", cases[i].trials, means[k],
                         cases[i].blind);
            assert_false(is_blind(BESD_MODEL_PAPER, cases[i].trials, means[k], others[k]));
        }
    }
}

/* The fewest replications at the tau at which least was spent with them, at the point of the
 * hypercube with the number of the chosen trial, round again after the last; the largest tau if
 * that is all that is allowed. */
static void test_blindly(void **state) {
    (void)state;
    enum { FIXED = 7 };
    besd_study_options o = averaged_options(12);
    double points[FIXED * 2];
    o.targets = FIXED;
    o.setup_cost = 5;
    latin_hypercube(12, RNG_TARGETS, FIXED, 2, points);
    scene c;
    scene_of(&c, &o, 8);
    for (int64_t chosen = 0; chosen < 2 * FIXED + 2; chosen++)
        for (int only_largest = 0; only_largest < 2; only_largest++) {
            kg_levers levers;
            kg_average k;
            advice a = {0};
            double log_kg[KG_MAX_LEVELS * KG_MAX_LEVELS];
            bool longer = chosen % 3 == 2 || only_largest;
            for (size_t i = 0; i < c.evidence.count; i++) /* four of either */
                c.evidence.trials[i].trial.cost =
                    c.evidence.trials[i].trial.tau == 10 ? (chosen % 3 == 2 ? 40 : 20) : 25;
            c.evidence.chosen = chosen;
            assert_true(advice_fill_levers(&c.spec, 70, only_largest, &levers));
            assert_ok(
                kg_average_init(&k, &c.model, &levers, c.targets.points, c.targets.count, &c.error),
                &c.error);
            choose_blindly(&c.turn, &k, &levers, &a);
            kg_average_evaluate(&k, points + chosen % FIXED * 2, log_kg);
            kg_average_free(&k);
            assert_memory_equal(a.choice.theta, points + chosen % FIXED * 2, 2 * sizeof(double));
            assert_true(a.choice.tau == longer && a.choice.reps == 0);
            assert_memory_equal(a.log_kg, log_kg, 4 * sizeof *log_kg);
            assert_true(a.choice.log_kg == log_kg[a.choice.tau * 2]);
            assert_close(a.choice.log_score, a.choice.log_kg - log(longer ? 65 : 25), 1e-12);
            assert_int_equal(a.reason, BESD_REASON_EXPLORE);
        }
    scene_end(&c);
}

/* The next trial, told that every replication scored this. */
static besd_trial tell_the_same(besd_study *s, double score, besd_explanation *x) {
    besd_error error;
    double scores[BESD_MAX_REPS];
    besd_trial t;
    assert_ok(besd_study_ask(s, &(besd_ask){.explanation = x}, &t, &error), &error);
    for (int i = 0; i < t.reps; i++)
        scores[i] = score;
    assert_ok(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                              &error),
              &error);
    return t;
}

/* In a study whose episodes all end at their cap, 200: the mean of ten logarithms of it is not that
 * of two to the last bit. As soon as one ends earlier it is over. */
static void test_in_a_study(void **state) {
    (void)state;
    enum { TARGETS = 60 };
    static const int reps[] = {2, 10};
    static const char why[] =
        "all trials have scored the same, so designs are spread over the space and costs over the "
        "trainings";
    double points[TARGETS * 2];
    latin_hypercube(21, RNG_TARGETS, TARGETS, 2, points);
    besd_study_options o = averaged_options(21);
    besd_explanation x;
    o.transform = BESD_TRANSFORM_LOG;
    o.direction = BESD_MINIMIZE;
    o.reps = reps;
    o.initial_designs = 2;
    o.initial_reps = 10;
    besd_study *s = new_study(&o);
    for (int i = 0; i < 4; i++)
        assert_int_equal(tell_the_same(s, 200, &x).reason, BESD_REASON_INITIAL);
    for (int chosen = 0; chosen < 9; chosen++) {
        besd_trial t = tell_the_same(s, chosen < 7 ? 200 : 150, &x);
        assert_int_equal(strcmp(x.why, why) == 0, chosen < 8);
        for (int k = 0; chosen < 8 && k < 2; k++)
            assert_true(t.theta[k] == 10 * points[chosen * 2 + k]);
        if (chosen < 8)
            assert_true(t.reason == BESD_REASON_EXPLORE && t.tau == 10 && t.reps == 2);
    }
    besd_study_close(s);
}

/* Draws that differ, so that they disagree about what is least known. */
static void draw_three(scene *c, double noise) {
    rng stream = rng_open(c->spec.options.seed, RNG_TEST, 5, 0, 0);
    c->drawn = (draws){.count = 3};
    for (size_t i = 0; i < 3; i++) {
        hyperparameters *h = &c->drawn.of[i];
        *h = facts_draw_hyperparameters(&stream, 2);
        h->prior_mean = c->evidence.prior_mean;
        for (int level = 0; level < 2; level++)
            h->env_variance[level] = noise;
    }
    assert_ok(fitting_condition(&c->evidence, &c->drawn, true, &c->model, &c->error), &c->error);
    c->turn.model = &c->model;
}

/* The variance of the mixture at the largest tau, from the formulas. */
static double mixed_variance(facts_posterior *p, const double *unit) {
    double means[3], mean = 0, variance = 0;
    for (int i = 0; i < 3; i++) {
        means[i] = facts_mean(&p[i], unit, 1);
        mean += means[i] / 3;
    }
    for (int i = 0; i < 3; i++)
        variance += (facts_covariance(&p[i], unit, 1, unit, 1) + pow(means[i] - mean, 2)) / 3;
    return variance;
}

/* No target is known less than this design. */
static void assert_least_known(const scene *c, const double *unit) {
    facts_posterior p[3];
    for (int i = 0; i < 3; i++)
        p[i] = facts_condition(&c->evidence.observed, c->evidence.told, &c->drawn.of[i]);
    double own = mixed_variance(p, unit);
    int smaller = 0;
    for (size_t t = 0; t < c->targets.count; t++) {
        double variance = mixed_variance(p, c->targets.points + t * 2);
        assert_true(variance <= own * (1 + 1e-8));
        smaller += variance < 0.9 * own;
    }
    assert_true(smaller > 0); /* it makes a difference */
    for (int i = 0; i < 3; i++)
        facts_forget(&p[i]);
}

/* The target of which the draws together know least, at the levers of testing again. */
static void test_unsure(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        besd_study_options o = averaged_options(seed);
        scene c;
        kg_levers levers;
        advice a = {0};
        scene_begin(&c, &o);
        scene_tell_some(&c, 8, BESD_REASON_INITIAL);
        scene_look(&c);
        draw_three(&c, 0.01);
        double affordable = seed % 2 ? INFINITY : 59;
        assert_true(advice_fill_levers(&c.spec, affordable, false, &levers));
        assert_ok(choose_unsure(&c.turn, &levers, &a, &c.error), &c.error);
        assert_least_known(&c, a.choice.theta);
        assert_true(a.choice.tau == (int)(seed % 2) && a.choice.reps == 0);
        assert_int_equal(a.reason, BESD_REASON_EXPLORE);
        scene_end(&c);
    }
}

/* Where noise drowns everything no trial has a value: the averaged model goes where it knows least,
 * the paper's tests the recommendation again. Who wants to stop then, stops. */
static void test_without_value(void **state) {
    (void)state;
    for (int averaged = 0; averaged < 2; averaged++)
        for (int drowned = 0; drowned < 2; drowned++) {
            besd_study_options o = averaged_options(3);
            scene c;
            o.model = averaged ? BESD_MODEL_AVERAGED : BESD_MODEL_PAPER;
            o.discrete = true;
            o.explore = 0;
            scene_begin(&c, &o);
            scene_tell_some(&c, 8, BESD_REASON_INITIAL);
            scene_look(&c);
            draw_three(&c, drowned ? 1e32 : 0.01);
            assert_ok(choose_besd(&c.turn, &c.error), &c.error);
            assert_int_equal(c.trial.reason, !drowned   ? BESD_REASON_KG
                                             : averaged ? BESD_REASON_EXPLORE
                                                        : BESD_REASON_EXPLOIT);
            assert_string_equal(
                c.explanation.why,
                !drowned   ? "largest knowledge gradient per cost"
                : averaged ? "no trial promises to change the recommendation, so the least known "
                             "design is tried"
                           : "no trial promises to change the recommendation, so it is tested "
                             "again");
            if (drowned && averaged)
                assert_true(c.trial.tau == 30 && c.trial.reps == 2);
            c.spec.options.stop_below = 1e-100;
            if (drowned)
                assert_fails(choose_besd(&c.turn, &c.error), BESD_DONE, &c.error, "is 0, below");
            else
                assert_ok(choose_besd(&c.turn, &c.error), &c.error);
            scene_end(&c);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_when),          cmocka_unit_test(test_blindly),
        cmocka_unit_test(test_in_a_study),    cmocka_unit_test(test_unsure),
        cmocka_unit_test(test_without_value),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
