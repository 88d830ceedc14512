/* Methods ei, ei-paper and lcb with trials pending: what they maximise is worked out from the
 * posterior of model_facts.h over the whole discretisation. tests/test_ask.c does the same through
 * the public calls, without pending trials. */
#include "study_scene.h"

#include "model_facts.h"
#include "study/choose.h"

enum { TARGETS = 40, TOLD = 10 };

/* A study of the method, told trials, and one pending where the model expects most of all: at the
 * best design of the trainer. */
static void open_scene(scene *c, besd_method method, uint64_t seed, bool discrete) {
    besd_study_options o = small_options(2, seed);
    const double top[] = {3, 7};
    o.method = method;
    o.discrete = discrete;
    o.targets = TARGETS;
    scene_begin(c, &o);
    scene_tell_some(c, TOLD, BESD_REASON_INITIAL);
    scene_add(c, BESD_TRIAL_ASKED, BESD_REASON_IMPROVEMENT, top, 30, 4);
    scene_look(c);
    scene_model(c, NULL);
}

/* What is to be improved upon and by how much, and the noise that is taken for uncertainty. */
typedef struct rule {
    bool bound;
    double incumbent, jitter, noise;
} rule;

static double normal_density(double z) {
    return exp(-z * z / 2) / sqrt(2 * acos(-1));
}

/* sd (z Phi(z) + phi(z)), or mean + 2 sd. */
static double value_at(const facts_posterior *p, const rule *r, const double *unit) {
    double mean = facts_mean(p, unit, 1);
    double sd = sqrt(fmax(0, facts_covariance(p, unit, 1, unit, 1)) + r->noise);
    double z = (mean - r->incumbent - r->jitter) / sd;
    return r->bound ? mean + 2 * sd : sd * (z * erfc(-z / sqrt(2)) / 2 + normal_density(z));
}

/* Of the told designs alone, or with the pending one. */
static double best_mean(const scene *c, const facts_posterior *p, size_t count) {
    double best = -INFINITY;
    for (size_t j = 0; j < count; j++)
        best = fmax(best, facts_mean(p, c->evidence.observed.theta + j * 2, 1));
    return best;
}

static rule rule_of(const scene *c, const facts_posterior *p) {
    besd_method method = c->spec.options.method;
    rule r = {.bound = method == BESD_METHOD_LCB, .incumbent = best_mean(c, p, TOLD)};
    if (method == BESD_METHOD_EI_PAPER) {
        double sum = 0, squares = 0;
        for (size_t j = 0; j < TOLD; j++)
            sum += c->evidence.observed.mean[j] / TOLD;
        for (size_t j = 0; j < TOLD; j++)
            squares += pow(c->evidence.observed.mean[j] - sum, 2);
        r.jitter = 0.01 * sqrt(squares / TOLD);
        r.noise = (double)facts_noise(&c->h, 1, 4);
    }
    return r;
}

static size_t best_target(const scene *c, const facts_posterior *p, const rule *r, double *value) {
    size_t best = 0;
    *value = -INFINITY;
    for (size_t i = 0; i < c->targets.count; i++) {
        double v = value_at(p, r, c->targets.points + i * 2);
        if (v > *value) {
            *value = v;
            best = i;
        }
    }
    return best;
}

static const besd_method methods[] = {BESD_METHOD_EI, BESD_METHOD_EI_PAPER, BESD_METHOD_LCB};

/* In discrete mode: the best target. An incumbent that counts the pending trial, or a variance
 * without it, would choose another one in some of these studies. */
static void test_best_target(void **state) {
    (void)state;
    for (int m = 0; m < 3; m++) {
        int other_incumbent = 0, other_variance = 0;
        for (uint64_t seed = 1; seed <= 12; seed++) {
            scene c;
            double value, unit[2], ignored;
            open_scene(&c, methods[m], seed, true);
            assert_ok(choose_improvement(&c.turn, &c.error), &c.error);
            facts_posterior p = facts_condition(&c.evidence.observed, TOLD, &c.h);
            rule r = rule_of(&c, &p), wrong = r;
            best_target(&c, &p, &r, &value);
            scene_unit(&c, unit);
            assert_close(value_at(&p, &r, unit), value, 1e-6 * fabs(value));
            assert_int_equal(c.trial.tau, 30);
            assert_int_equal(c.trial.reps, 4);
            assert_int_equal(c.trial.reason, r.bound ? BESD_REASON_BOUND : BESD_REASON_IMPROVEMENT);
            assert_true(c.turn.used_targets);
            size_t right = best_target(&c, &p, &r, &ignored);
            wrong.incumbent = best_mean(&c, &p, TOLD + 1);
            other_incumbent += best_target(&c, &p, &wrong, &ignored) != right;
            observations told = c.evidence.observed;
            told.count = TOLD;
            facts_posterior blind = facts_condition(&told, TOLD, &c.h);
            other_variance += best_target(&c, &blind, &r, &ignored) != right;
            facts_forget(&blind);
            facts_forget(&p);
            scene_end(&c);
        }
        assert_true(methods[m] == BESD_METHOD_LCB || other_incumbent > 0);
        assert_true(other_variance > 0);
    }
}

/* Else it is at least as good as every target, the cloud around the best design included. */
static void test_between_targets(void **state) {
    (void)state;
    for (int m = 0; m < 3; m++) {
        scene c;
        double value, unit[2];
        open_scene(&c, methods[m], 5, false);
        assert_ok(choose_improvement(&c.turn, &c.error), &c.error);
        assert_true(c.targets.count > TARGETS + TOLD);
        facts_posterior p = facts_condition(&c.evidence.observed, TOLD, &c.h);
        rule r = rule_of(&c, &p);
        best_target(&c, &p, &r, &value);
        scene_unit(&c, unit);
        assert_true(value_at(&p, &r, unit) >= value - 1e-9 * fabs(value));
        facts_forget(&p);
        scene_end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_target),
        cmocka_unit_test(test_between_targets),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
