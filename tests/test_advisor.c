/* From trials to decisions: units, bookkeeping, the initial design, what may be afforded. */
#include "study_fixture.h"

#include "decide/latin.h"
#include "study/advisor.h"

#include <stdlib.h>

static besd_error error;

static void test_units(void **state) {
    (void)state;
    double low[] = {-3, 1e6, 0}, high[] = {5, 1e6 + 1e-3, 1e-300};
    besd_study_options o = small_options(3, 0);
    o.low = low;
    o.high = high;
    study_spec spec;
    assert_ok(spec_init(&spec, &o, &error), &error);
    double zero[] = {0, 0, 0}, one[] = {1, 1, 1}, below_one[3], unit[3], theta[3];
    advisor_to_user(&spec, zero, theta);
    assert_memory_equal(theta, low, sizeof low);
    advisor_to_user(&spec, one, theta);
    assert_memory_equal(theta, high, sizeof high);
    for (int i = 0; i < 3; i++)
        below_one[i] = nextafter(1, 0);
    advisor_to_user(&spec, below_one, theta);
    for (int i = 0; i < 3; i++)
        assert_true(theta[i] <= high[i]);
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int n = 0; n < 1000; n++) {
        double u[] = {rng_uniform(&stream), rng_uniform(&stream), rng_uniform(&stream)};
        advisor_to_user(&spec, u, theta);
        advisor_to_unit(&spec, theta, unit);
        assert_close(unit[0], u[0], 1e-15);
        assert_close(unit[1], u[1], 2e-7); /* the box is a few thousand million steps wide */
        assert_close(unit[2], u[2], 1e-15);
        for (int i = 0; i < 3; i++)
            assert_true(theta[i] >= low[i] && theta[i] <= high[i]);
    }
}

static stored_trial trial_of(int64_t id, besd_trial_state trial_state, besd_reason reason,
                             int64_t tau, double mean) {
    return (stored_trial){.trial = {.id = id,
                                    .theta = {(double)id},
                                    .tau = tau,
                                    .reps = 2,
                                    .state = trial_state,
                                    .reason = reason,
                                    .cost = 100 * (double)id,
                                    .score_count = trial_state == BESD_TRIAL_TOLD ? 2 : 0},
                          .model_mean = mean,
                          .within = 0.5};
}

/* Told ones first, then pending, each in the order of their ids; failed ones only cost. */
static void test_evidence(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 0);
    study_spec spec;
    evidence e;
    assert_ok(spec_init(&spec, &o, &error), &error);
    const stored_trial trials[] = {
        trial_of(1, BESD_TRIAL_TOLD, BESD_REASON_INITIAL, 10, 3),
        trial_of(2, BESD_TRIAL_ASKED, BESD_REASON_INITIAL, 30, 0),
        trial_of(3, BESD_TRIAL_TOLD, BESD_REASON_INITIAL, 30, 5),
        trial_of(4, BESD_TRIAL_FAILED, BESD_REASON_KG, 30, 0),
        trial_of(5, BESD_TRIAL_TOLD, BESD_REASON_EXPLOIT, 30, 100),
        trial_of(6, BESD_TRIAL_ASKED, BESD_REASON_SHARE, 10, 0),
    };
    assert_ok(evidence_init(&e, &spec, trials, 6, &error), &error);
    const double order[] = {0.1, 0.3, 0.5, 0.2, 0.6};
    assert_int_equal(e.trials.count, 5);
    assert_int_equal(e.told, 3);
    for (int i = 0; i < 5; i++)
        assert_close(e.trials.theta[i], order[i], 1e-15);
    assert_close(e.trials.share[0], 1.0 / 3, 1e-15);
    assert_true(e.trials.share[1] == 1);
    assert_int_equal(e.trials.level[0], 0);
    assert_int_equal(e.trials.level[1], 1);
    assert_true(e.trials.mean[2] == 100 && e.trials.within[2] == 0.5);
    assert_true(e.prior_mean == 4); /* of the initial design alone */
    assert_true(e.spent == 2100);
    assert_int_equal(e.next_id, 7);
    assert_int_equal(e.chosen, 3);
    assert_int_equal(e.chosen_at_tau_max, 2);
    evidence_free(&e);

    spec.options.mean_of_all = true;
    assert_ok(evidence_init(&e, &spec, trials, 6, &error), &error);
    assert_close(e.prior_mean, (3 + 5 + 100) / 3.0, 1e-13); /* of every told trial */
    evidence_free(&e);
    spec.options.mean_of_all = false;

    assert_ok(evidence_init(&e, &spec, trials + 4, 1, &error), &error);
    assert_true(e.prior_mean == 100); /* no initial trial was told */
    evidence_free(&e);
    assert_ok(evidence_init(&e, &spec, NULL, 0, &error), &error);
    assert_int_equal(e.next_id, 1);
    assert_true(e.prior_mean == 0 && e.spent == 0);
    evidence_free(&e);
}

/* The Latin hypercube of the seed, each point at every tau in turn. */
static void test_initial_design(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 9);
    o.initial_designs = 6;
    o.initial_crossed = true;
    o.initial_reps = 4;
    study_spec spec;
    besd_status status;
    assert_ok(spec_init(&spec, &o, &error), &error);
    double points[12];
    latin_hypercube(9, RNG_INITIAL_DESIGN, 6, 2, points);
    for (int64_t id = 1; id <= 12; id++) {
        besd_trial t = {0};
        double theta[2];
        evidence asked = {.listed = (size_t)id - 1};
        assert_true(advisor_initial(&spec, &asked, &t, &error, &status));
        assert_int_equal(status, BESD_OK);
        advisor_to_user(&spec, points + (id - 1) / 2 * 2, theta);
        assert_memory_equal(t.theta, theta, sizeof theta);
        assert_int_equal(t.tau, id % 2 ? 10 : 30);
        assert_int_equal(t.reps, 4);
        assert_int_equal(t.reason, BESD_REASON_INITIAL);
    }
    besd_trial t;
    evidence asked = {.listed = 12};
    assert_false(advisor_initial(&spec, &asked, &t, &error, &status));
}

/* Not crossed, every trial is a point of one longer hypercube. */
static void test_spread_initial_design(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 9);
    o.initial_designs = 6;
    study_spec spec;
    besd_status status;
    double points[24];
    latin_hypercube(9, RNG_INITIAL_DESIGN, 12, 2, points);
    assert_ok(spec_init(&spec, &o, &error), &error);
    for (size_t i = 0; i < 12; i++) {
        besd_trial t = {0};
        double theta[2];
        evidence asked = {.listed = i};
        assert_true(advisor_initial(&spec, &asked, &t, &error, &status));
        advisor_to_user(&spec, points + i * 2, theta);
        assert_memory_equal(t.theta, theta, sizeof theta);
        assert_int_equal(t.tau, i % 2 ? 30 : 10);
    }
    besd_trial t;
    evidence asked = {.listed = 12};
    assert_false(advisor_initial(&spec, &asked, &t, &error, &status));
}

/* Improvement methods begin at the largest levers, the others at once. */
static void test_initial_design_of_other_methods(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 9);
    o.initial_designs = 6;
    o.method = BESD_METHOD_EI;
    study_spec spec;
    besd_status status;
    double points[12], theta[2];
    latin_hypercube(9, RNG_INITIAL_DESIGN, 6, 2, points);
    assert_ok(spec_init(&spec, &o, &error), &error);
    for (size_t i = 0; i < 6; i++) {
        besd_trial t = {0};
        evidence asked = {.listed = i};
        assert_true(advisor_initial(&spec, &asked, &t, &error, &status));
        advisor_to_user(&spec, points + i * 2, theta);
        assert_memory_equal(t.theta, theta, sizeof theta);
        assert_int_equal(t.tau, 30);
        assert_int_equal(t.reps, 4);
    }
    besd_trial t;
    evidence none = {0}, six = {.listed = 6};
    assert_false(advisor_initial(&spec, &six, &t, &error, &status));
    o.method = BESD_METHOD_HYPERBAND;
    assert_ok(spec_init(&spec, &o, &error), &error);
    assert_false(advisor_initial(&spec, &none, &t, &error, &status));
}

typedef struct scene {
    study_spec spec;
    evidence e;
    targets t;
    gp *model;
} scene;

/* Six told trials of the quadratic and their model. */
static void open_scene(scene *c, const besd_study_options *o) {
    assert_ok(spec_init(&c->spec, o, &error), &error);
    stored_trial trials[6];
    for (int i = 0; i < 6; i++) {
        double scores[4];
        trials[i] = trial_of(i + 1, BESD_TRIAL_TOLD, BESD_REASON_INITIAL, i % 2 ? 30 : 10, 0);
        trials[i].trial.theta[0] = 1.5 * (i + 1);
        trials[i].trial.seed = (uint64_t)i;
        train(&trials[i].trial, 1, scores);
        trials[i].model_mean = (scores[0] + scores[1]) / 2;
        trials[i].within = (scores[0] - scores[1]) * (scores[0] - scores[1]) / 2;
    }
    assert_ok(evidence_init(&c->e, &c->spec, trials, 6, &error), &error);
    hyperparameters h;
    assert_ok(advisor_fit(&c->spec, &c->e, NULL, 4, &h, &error), &error);
    assert_ok(gp_create(&c->e.trials, c->e.told, &h, &c->model, &error), &error);
    assert_ok(targets_init(&c->t, o->seed, (size_t)o->target_count, 1, &error), &error);
}

static void close_scene(scene *c) {
    gp_destroy(c->model);
    targets_free(&c->t);
    evidence_free(&c->e);
}

/* No lever that costs more than what is left; nothing when none is left. */
static void test_affordable(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 4);
    scene c;
    advice a;
    open_scene(&c, &o);
    const double purses[] = {INFINITY, 120, 119, 60, 59, 40, 39, 20};
    for (size_t i = 0; i < sizeof purses / sizeof *purses; i++) {
        assert_ok(advisor_choose(&c.spec, c.model, &c.e, &c.t, purses[i], &a, &error), &error);
        assert_true(spec_cost(&c.spec, a.choice.tau, a.choice.reps) <= purses[i]);
    }
    assert_fails(advisor_choose(&c.spec, c.model, &c.e, &c.t, 19.99, &a, &error), BESD_DONE, &error,
                 "budget");
    close_scene(&c);
}

/* The share of the largest tau binds as long as it can be paid. */
static void test_share_is_due(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 4);
    o.tau_max_share = 0.5;
    o.explore = -1;
    scene c;
    advice a;
    open_scene(&c, &o);
    c.e.chosen = 3;
    c.e.chosen_at_tau_max = 1;
    assert_ok(advisor_choose(&c.spec, c.model, &c.e, &c.t, INFINITY, &a, &error), &error);
    assert_int_equal(a.reason, BESD_REASON_SHARE);
    assert_int_equal(a.choice.tau, 1);
    assert_ok(advisor_choose(&c.spec, c.model, &c.e, &c.t, 59, &a, &error), &error);
    assert_int_equal(a.choice.tau, 0);
    assert_int_not_equal(a.reason, BESD_REASON_SHARE);
    c.e.chosen_at_tau_max = 2;
    assert_ok(advisor_choose(&c.spec, c.model, &c.e, &c.t, INFINITY, &a, &error), &error);
    assert_int_not_equal(a.reason, BESD_REASON_SHARE);
    close_scene(&c);
}

/* The best design is no worse than any target or tried theta, and inside the cube. */
static void test_best(void **state) {
    (void)state;
    for (int discrete = 0; discrete < 2; discrete++) {
        besd_study_options o = small_options(1, 4);
        o.discrete = discrete;
        scene c;
        double unit, mean;
        open_scene(&c, &o);
        assert_ok(advisor_best(&c.spec, c.model, &c.e, &c.t, &unit, &mean, &error), &error);
        assert_true(unit >= 0 && unit <= 1);
        assert_close(mean, gp_predict(c.model, &unit, 1, NULL, NULL), 0);
        bool is_target = false;
        for (size_t i = 0; i < c.t.fixed; i++) {
            assert_true(gp_predict(c.model, c.t.points + i, 1, NULL, NULL) <= mean);
            is_target = is_target || c.t.points[i] == unit;
        }
        assert_int_equal(is_target, discrete);
        for (size_t i = 0; !discrete && i < c.e.trials.count; i++)
            assert_true(gp_predict(c.model, c.e.trials.theta + i, 1, NULL, NULL) <= mean);
        assert_int_equal(c.t.count == c.t.fixed, discrete);
        close_scene(&c);
    }
}

/* Pending trials take no part in the fit. */
static void test_fit_ignores_pending(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 4);
    scene c;
    hyperparameters alone, with;
    open_scene(&c, &o);
    assert_ok(advisor_fit(&c.spec, &c.e, NULL, 2, &alone, &error), &error);
    double unit = 0.77;
    assert_ok(observations_add(&c.e.trials, &unit, 1, 1, 4, 0, 0, &error), &error);
    assert_ok(advisor_fit(&c.spec, &c.e, NULL, 2, &with, &error), &error);
    assert_memory_equal(&alone, &with, sizeof alone);
    assert_int_equal(c.e.trials.count, 7);
    close_scene(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_evidence),
        cmocka_unit_test(test_initial_design),
        cmocka_unit_test(test_spread_initial_design),
        cmocka_unit_test(test_initial_design_of_other_methods),
        cmocka_unit_test(test_affordable),
        cmocka_unit_test(test_share_is_due),
        cmocka_unit_test(test_best),
        cmocka_unit_test(test_fit_ignores_pending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
