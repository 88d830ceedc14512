/* Method besd: the trial with the largest knowledge gradient per cost among those that can be paid,
 * the minimum share of the largest tau, when to stop, and what is explained. The knowledge gradient
 * is computed here from its definition, by quadrature over the posterior of model_facts.h. */
#include "study_scene.h"

#include "leg_world.h"
#include "model_facts.h"
#include "study/choose.h"

/* The posterior at the targets, and how they vary with one candidate at a time. */
typedef struct oracle {
    const scene *scene;
    facts_posterior facts;
    double *mean; /* at the targets, tau_max */
    size_t count, best;
} oracle;

static oracle oracle_of(const scene *c) {
    oracle o = {.scene = c, .count = c->targets.count};
    o.facts = facts_condition(&c->evidence.observed, c->evidence.told, &c->h);
    o.mean = malloc(o.count * sizeof *o.mean);
    assert_non_null(o.mean);
    for (size_t i = 0; i < o.count; i++) {
        o.mean[i] = facts_mean(&o.facts, c->targets.points + i * c->targets.dimension, 1);
        if (o.mean[i] > o.mean[o.best])
            o.best = i;
    }
    return o;
}

static void oracle_free(oracle *o) {
    facts_forget(&o->facts);
    free(o->mean);
}

static double share_of(const scene *c, int tau) {
    return (double)c->spec.taus[tau] / (double)spec_tau_max(&c->spec);
}

/* Covariances of every target with a candidate, its own line last; the candidate's variance. */
static double candidate_lines(const oracle *o, const double *theta, int tau, double *lines) {
    const scene *c = o->scene;
    double share = share_of(c, tau);
    for (size_t i = 0; i < o->count; i++)
        lines[i] = facts_covariance(&o->facts, c->targets.points + i * c->targets.dimension, 1,
                                    theta, share);
    lines[o->count] = facts_covariance(&o->facts, theta, 1, theta, share);
    return facts_covariance(&o->facts, theta, share, theta, share);
}

/* E[max_i a_i + b_i Z] - max_i a_i by the trapezoidal rule. The line with the largest mean is
 * subtracted from all, which changes nothing but the error. */
static double naive_kg(const oracle *o, const double *lines, double own_mean, double scale) {
    enum { STEPS = 2000 };
    double sum = 0, step = 20.0 / STEPS;
    for (int k = 0; k <= STEPS; k++) {
        double z = -10 + k * step, top = 0;
        for (size_t i = 0; i <= o->count; i++) {
            double mean = i < o->count ? o->mean[i] : own_mean;
            top = fmax(top, mean - o->mean[o->best] + (lines[i] - lines[o->best]) * scale * z);
        }
        sum += step * top * exp(-z * z / 2);
    }
    return sum / sqrt(2 * acos(-1));
}

/* kg of every pair of levers at a design: [tau * 2 + reps]. */
static void naive_levers(const oracle *o, const double *theta, double *nu) {
    const scene *c = o->scene;
    double *lines = malloc((o->count + 1) * sizeof *lines);
    assert_non_null(lines);
    for (int tau = 0; tau < 2; tau++) {
        double variance = candidate_lines(o, theta, tau, lines);
        double own_mean = facts_mean(&o->facts, theta, 1);
        for (int r = 0; r < 2; r++) {
            double noise = (double)facts_noise(&c->h, tau, c->spec.reps[r]);
            nu[tau * 2 + r] = naive_kg(o, lines, own_mean, 1 / sqrt(variance + noise));
        }
    }
    free(lines);
}

static double cost_of(const scene *c, int lever) {
    return c->spec.options.setup_cost + (lever / 2 ? 30 : 10) * (lever % 2 ? 4 : 2);
}

static int lever_of(const besd_trial *t) {
    return (t->tau == 30) * 2 + (t->reps == 4);
}

/* Told trials of both trainings and two pending ones. Where setting up is dear, long trainings and
 * many replications are worth it. */
static void open_scene(scene *c, uint64_t seed, bool discrete, size_t target_count) {
    besd_study_options o = small_options(2, seed);
    const double places[2][2] = {{2, 8}, {6.5, 5}};
    o.discrete = discrete;
    o.targets = (int)target_count;
    o.explore = 0;
    o.setup_cost = seed % 2 ? 0 : 1000;
    scene_begin(c, &o);
    scene_tell_some(c, 8, BESD_REASON_INITIAL);
    for (int i = 0; i < 2; i++)
        scene_add(c, BESD_TRIAL_ASKED, BESD_REASON_KG, places[i], i ? 30 : 10, 4);
    scene_look(c);
    scene_model(c, NULL);
}

/* The largest kg per cost over all targets and levers; whether the chosen design is a target. */
static double best_of_all(const oracle *o, bool *is_target) {
    const targets *t = &o->scene->targets;
    double best = 0, unit[2];
    *is_target = false;
    scene_unit(o->scene, unit);
    for (size_t i = 0; i < t->count; i++) {
        double nu[4];
        const double *theta = t->points + i * 2;
        naive_levers(o, theta, nu);
        for (int l = 0; l < 4; l++)
            best = fmax(best, nu[l] / cost_of(o->scene, l));
        *is_target = *is_target || (fabs(theta[0] - unit[0]) + fabs(theta[1] - unit[1]) < 1e-12);
    }
    return best;
}

/* In discrete mode nothing among all targets and levers is better; the quadrature is good to some
 * 1e-5 where the gain is, as here, not in the far tail. */
static void test_best_of_all_targets(void **state) {
    (void)state;
    bool seen[4] = {false};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        scene c;
        bool is_target;
        double nu[4], unit[2];
        open_scene(&c, seed, true, 24);
        assert_ok(choose_besd(&c.turn, &c.error), &c.error);
        assert_int_equal(c.trial.reason, BESD_REASON_KG);
        assert_true(c.turn.used_targets);
        oracle o = oracle_of(&c);
        double best = best_of_all(&o, &is_target);
        scene_unit(&c, unit);
        naive_levers(&o, unit, nu);
        int lever = lever_of(&c.trial);
        if (!(nu[lever] / cost_of(&c, lever) >= best * (1 - 1e-4)))
            fail_msg("seed %d: %g per cost, a target has %g", (int)seed,
                     nu[lever] / cost_of(&c, lever), best);
        assert_true(is_target);
        seen[lever] = true;
        oracle_free(&o);
        scene_end(&c);
    }
    assert_true(seen[0] + seen[1] + seen[2] + seen[3] > 1); /* levers are chosen, not given */
}

/* Else designs between the targets are better still, and the levers are the best of the design
 * that was moved to. */
static void test_between_targets(void **state) {
    (void)state;
    int moved = 0;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        scene c;
        bool is_target;
        double nu[4], unit[2];
        open_scene(&c, seed, false, 12);
        assert_ok(choose_besd(&c.turn, &c.error), &c.error);
        oracle o = oracle_of(&c);
        double best = best_of_all(&o, &is_target);
        scene_unit(&c, unit);
        naive_levers(&o, unit, nu);
        int lever = lever_of(&c.trial);
        for (int l = 0; l < 4; l++)
            assert_true(nu[lever] / cost_of(&c, lever) >= nu[l] / cost_of(&c, l) * (1 - 1e-4));
        assert_true(nu[lever] / cost_of(&c, lever) >= best * (1 - 1e-4));
        moved += !is_target;
        oracle_free(&o);
        scene_end(&c);
    }
    assert_true(moved > 0);
}

/* Levers, means, standard deviations and correlations as they are at the chosen design, candidates
 * from the best down. */
static void test_explanation(void **state) {
    (void)state;
    scene c;
    double nu[4], unit[2];
    open_scene(&c, 3, true, 24);
    assert_ok(choose_besd(&c.turn, &c.error), &c.error);
    const besd_explanation *x = &c.explanation;
    oracle o = oracle_of(&c);
    scene_unit(&c, unit);
    naive_levers(&o, unit, nu);
    assert_string_equal(x->why, "largest knowledge gradient per cost");
    assert_int_equal(x->lever_count, 4);
    double last = facts_covariance(&o.facts, unit, 1, unit, 1);
    for (int l = 0; l < 4; l++) {
        const besd_lever_value *v = &x->levers[l];
        double share = share_of(&c, l / 2);
        double variance = facts_covariance(&o.facts, unit, share, unit, share);
        double covariance = facts_covariance(&o.facts, unit, share, unit, 1);
        assert_true(v->tau == (l / 2 ? 30 : 10) && v->reps == (l % 2 ? 4 : 2));
        assert_true(v->cost == cost_of(&c, l));
        assert_close(v->kg, nu[l], 1e-4 * nu[l]);
        assert_close(v->log_kg, log(v->kg), 1e-12);
        assert_close(v->mean, facts_mean(&o.facts, unit, share), 1e-8);
        assert_close(v->sd, sqrt(variance), 1e-8);
        assert_close(v->correlation, fmin(1, covariance / sqrt(variance * last)), 1e-6);
    }
    assert_int_equal(x->targets, 24);
    assert_true(x->kept >= 1 && x->kept <= 24 && x->evaluated >= 1 && x->evaluated <= 24);
    assert_true(x->candidate_count >= 2 && x->candidate_count <= BESD_MAX_CANDIDATES);
    assert_memory_equal(x->candidates[0].theta, c.trial.theta, sizeof c.trial.theta);
    for (size_t i = 0; i < x->candidate_count; i++) {
        const besd_candidate *k = &x->candidates[i], *before = k - (i > 0);
        assert_true(k->cost == cost_of(&c, (k->tau == 30) * 2 + (k->reps == 4)) &&
                    k->kg == exp(k->log_kg));
        assert_true(k->kg / k->cost <= before->kg / before->cost);
    }
    oracle_free(&o);
    scene_end(&c);
}

/* No lever that costs more than what is left; nothing when none is left. */
static void test_affordable(void **state) {
    (void)state;
    const double purses[] = {INFINITY, 120, 119, 60, 59, 40, 39, 20};
    for (int explores = 0; explores < 2; explores++) {
        besd_study_options o = small_options(1, 4);
        scene c;
        o.explore = explores;
        scene_of(&c, &o, 6);
        for (size_t i = 0; i < sizeof purses / sizeof *purses; i++) {
            c.turn.affordable = purses[i];
            assert_ok(choose_besd(&c.turn, &c.error), &c.error);
            assert_true((double)c.trial.tau * c.trial.reps <= purses[i]);
        }
        c.turn.affordable = 19.99;
        c.spec.options.budget = c.evidence.spent + 19.99;
        assert_fails(choose_besd(&c.turn, &c.error), BESD_DONE, &c.error,
                     "19.99 of the budget of 339.99 is left, and the next trial costs 20");
        assert_int_equal(c.turn.stop, BESD_STOP_REMAINDER);
        c.turn.affordable = 0;
        c.spec.options.budget = c.evidence.spent;
        assert_fails(choose_besd(&c.turn, &c.error), BESD_DONE, &c.error,
                     "the budget of 320 is spent");
        assert_int_equal(c.turn.stop, BESD_STOP_BUDGET);
        scene_end(&c);
    }
}

/* The share of the largest tau binds as long as it can be paid; exploring trials keep it, too. */
static void test_share_is_due(void **state) {
    (void)state;
    static const struct {
        double share, affordable;
        int64_t chosen, at_tau_max;
        bool due;
    } cases[] = {
        {0.5, INFINITY, 3, 1, true},   {0.5, INFINITY, 3, 2, false}, {0.5, 60, 3, 1, true},
        {0.5, 59, 3, 1, false},        {0.5, INFINITY, 4, 2, true},  {0.25, INFINITY, 3, 0, true},
        {0.25, INFINITY, 3, 1, false}, {1, INFINITY, 7, 7, true},    {0, INFINITY, 7, 0, false}};
    int shortened = 0;
    for (int explores = 0; explores < 2; explores++) {
        besd_study_options o = small_options(1, 4);
        scene c;
        o.explore = explores;
        scene_of(&c, &o, 6);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            c.turn.affordable = cases[i].affordable;
            c.spec.options.tau_max_share = 0;
            assert_ok(choose_besd(&c.turn, &c.error), &c.error);
            int64_t wanted = c.trial.tau;
            c.spec.options.tau_max_share = cases[i].share;
            c.evidence.chosen = cases[i].chosen;
            c.evidence.chosen_at_tau_max = cases[i].at_tau_max;
            assert_ok(choose_besd(&c.turn, &c.error), &c.error);
            assert_int_equal(c.trial.tau, cases[i].due ? 30 : wanted);
            shortened += cases[i].due && wanted == 10;
            assert_int_equal(c.trial.reason, explores       ? BESD_REASON_EXPLORE
                                             : cases[i].due ? BESD_REASON_SHARE
                                                            : BESD_REASON_KG);
        }
        scene_end(&c);
    }
    assert_true(shortened > 0); /* it is not what would be chosen anyway */
}

/* It stops when the best value per cost is below; exploring trials are not asked for their value,
 * and testing again has none. */
static void test_stop_below(void **state) {
    (void)state;
    scene c;
    open_scene(&c, 3, true, 24);
    assert_ok(choose_besd(&c.turn, &c.error), &c.error);
    double value = 0;
    for (int l = 0; l < 4; l++)
        value = fmax(value, c.explanation.levers[l].kg / cost_of(&c, l));
    c.spec.options.stop_below = value * (1 - 1e-9);
    assert_ok(choose_besd(&c.turn, &c.error), &c.error);
    c.spec.options.stop_below = value * (1 + 1e-9);
    c.turn.used_targets = false;
    assert_fails(choose_besd(&c.turn, &c.error), BESD_DONE, &c.error,
                 "the best knowledge gradient per cost is");
    assert_int_equal(c.turn.stop, BESD_STOP_VALUE);
    c.spec.options.explore = 1;
    assert_ok(choose_besd(&c.turn, &c.error), &c.error);
    assert_int_equal(c.trial.reason, BESD_REASON_EXPLORE);
    scene_end(&c);

    open_scene(&c, 3, true, 1); /* of one target nothing is to be learnt */
    assert_ok(choose_besd(&c.turn, &c.error), &c.error);
    assert_int_equal(c.trial.reason, BESD_REASON_EXPLOIT);
    c.spec.options.stop_below = 1e-300;
    assert_fails(choose_besd(&c.turn, &c.error), BESD_DONE, &c.error, "is 0, below");
    scene_end(&c);
}

/* The end of the budget confirms, whatever legs could still teach. */
static void test_confirming_goes_first(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 2);
    besd_error error;
    besd_trial t;
    o.budget = 1200;
    o.legs = o.search_until = 1;
    o.initial_share = 0.2;
    o.confirm = 0.255;
    besd_study *s = world_study(&small_world, NULL, &o);
    int for_legs = 0, confirming = 0;
    double left = o.budget;
    while (besd_study_ask(s, NULL, &t, &error) == BESD_OK) {
        bool confirms = left <= 306 && left >= 60; /* a full training costs 60 */
        assert_int_equal(t.reason == BESD_REASON_CONFIRM, confirms);
        for_legs += t.reason == BESD_REASON_LEGS;
        confirming += confirms;
        world_answer(&small_world, s, &t, true);
        left -= t.cost;
    }
    assert_true(for_legs > 5 && confirming > 1);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_of_all_targets),   cmocka_unit_test(test_between_targets),
        cmocka_unit_test(test_explanation),           cmocka_unit_test(test_affordable),
        cmocka_unit_test(test_share_is_due),          cmocka_unit_test(test_stop_below),
        cmocka_unit_test(test_confirming_goes_first),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
