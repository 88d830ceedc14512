/* Trials that are asked and not told: they make the model surer where they are, and nothing else.
 * Whatever number stands in for their scores inside must not be taken for one. A second model is
 * made here from the study's own hyperparameters (model_facts.h), with the pending trials in its
 * covariance only. The prior mean of these studies is far from 0, so that a 0 would be seen. */
#include "study_fixture.h"

#include "model_facts.h"

static besd_error error;

enum { TOLD = 12 };

static const double HEIGHT = 50; /* of all scores */

static void answer_high(besd_study *s, const besd_trial *t) {
    double scores[BESD_MAX_REPS];
    train(t, 2, scores);
    for (int i = 0; i < t->reps; i++)
        scores[i] += HEIGHT;
    assert_ok(besd_study_tell(s, t->id, &(besd_outcome){.scores = scores, .count = (size_t)t->reps},
                              &error),
              &error);
}

static besd_study *open_high(besd_method method, uint64_t seed) {
    besd_study_options o = short_options(2, seed);
    o.method = method;
    o.discrete = true;
    o.explore = 0;
    besd_study *s = new_study(&o);
    for (int i = 0; i < TOLD; i++) {
        besd_trial t = ask(s);
        answer_high(s, &t);
    }
    return s;
}

/* The study's hyperparameters in the unit cube; its box is [0, 10]^2. */
static hyperparameters unit_hyperparameters(besd_study *s) {
    besd_hyperparameters from;
    hyperparameters h = {0};
    assert_ok(besd_study_hyperparameters(s, &from, &error), &error);
    h.prior_mean = from.prior_mean;
    for (int i = 0; i < 2; i++) {
        h.lengthscale[i] = from.lengthscales[i] / 10;
        h.env_variance[i] = from.env_sd[i] * from.env_sd[i];
        h.rep_variance[i] = from.rep_sd[i] * from.rep_sd[i];
    }
    h.sigma_root[0] = sqrt(from.sigma_phi[0][0]);
    h.sigma_root[1] = from.sigma_phi[0][1] / h.sigma_root[0];
    h.sigma_root[2] = sqrt(from.sigma_phi[1][1] - h.sigma_root[1] * h.sigma_root[1]);
    return h;
}

/* The trials of a study as observations: told ones, then pending ones with a score of NaN, which
 * would spoil everything that it enters. */
static size_t observe(besd_study *s, observations *o) {
    size_t told = 0;
    assert_ok(observations_init(o, 2, &error), &error);
    for (int pending = 0; pending < 2; pending++)
        for (int64_t id = 1; id <= trial_count(s); id++) {
            besd_trial t = get_trial(s, id);
            if ((t.state == BESD_TRIAL_ASKED) != pending)
                continue;
            const double unit[] = {t.theta[0] / 10, t.theta[1] / 10};
            assert_ok(observations_add(o, unit, (double)t.tau / 30, t.tau == 30, t.reps,
                                       pending ? NAN : t.mean, 0, &error),
                      &error);
            told += !pending;
        }
    return told;
}

/* Predictions are what the told trials say. */
static void test_predictions(void **state) {
    (void)state;
    besd_study *s = open_high(BESD_METHOD_BESD, 5);
    for (int i = 0; i < 3; i++)
        ask(s);
    observations o;
    size_t told = observe(s, &o);
    assert_int_equal(told, TOLD);
    assert_int_equal(o.count, TOLD + 3);
    hyperparameters h = unit_hyperparameters(s);
    assert_true(h.prior_mean > HEIGHT - 5);
    o.count = told;
    facts_posterior p = facts_condition(&o, told, &h);
    for (int i = 0; i < 36; i++) {
        const double unit[] = {i % 6 / 5.0, i / 6 / 5.0};
        for (int64_t tau = 10; tau <= 30; tau += 20) {
            double sd, mean = predict_at(s, 10 * unit[0], 10 * unit[1], tau, &sd);
            double share = (double)tau / 30;
            assert_close(mean, facts_mean(&p, unit, share), 1e-7);
            assert_close(sd * sd, facts_covariance(&p, unit, share, unit, share), 1e-7);
        }
    }
    facts_forget(&p);
    observations_free(&o);
    besd_study_close(s);
}

/* Asked three times without an answer: what each is explained with are the means of the told trials
 * and standard deviations that know of the trials that were asked before it. */
static void test_explanations(void **state) {
    (void)state;
    besd_study *s = open_high(BESD_METHOD_BESD, 5);
    besd_trial asked[3];
    for (int i = 0; i < 3; i++) {
        observations o;
        besd_explanation why;
        size_t told = observe(s, &o); /* before it */
        assert_int_equal(o.count, told + (size_t)i);
        assert_ok(besd_study_ask(s, &(besd_ask){.explanation = &why}, &asked[i], &error), &error);
        hyperparameters h = unit_hyperparameters(s);
        facts_posterior p = facts_condition(&o, told, &h);
        const double unit[BESD_MAX_DIMENSION] = {asked[i].theta[0] / 10, asked[i].theta[1] / 10};
        assert_int_equal(why.lever_count, 4);
        for (size_t l = 0; l < why.lever_count; l++) {
            double share = (double)why.levers[l].tau / 30, sd = why.levers[l].sd;
            assert_close(why.levers[l].mean, facts_mean(&p, unit, share), 1e-7);
            assert_close(sd * sd, facts_covariance(&p, unit, share, unit, share), 1e-7);
        }
        for (int k = 0; k < i; k++)
            assert_false(same_numbers(asked[i].theta, asked[k].theta, 2) &&
                         asked[i].tau == asked[k].tau && asked[i].reps == asked[k].reps);
        facts_forget(&p);
        observations_free(&o);
    }
    besd_study_close(s);
}

/* A pending trial is no news for the fit: the hyperparameters are those of before. */
static void test_hyperparameters(void **state) {
    (void)state;
    static const besd_method methods[] = {BESD_METHOD_BESD, BESD_METHOD_EI, BESD_METHOD_EI_PAPER,
                                          BESD_METHOD_LCB};
    for (int m = 0; m < 4; m++) {
        besd_study *s = open_high(methods[m], 5);
        besd_hyperparameters before, after;
        assert_ok(besd_study_hyperparameters(s, &before, &error), &error);
        for (int i = 0; i < 3; i++) {
            ask(s);
            assert_ok(besd_study_hyperparameters(s, &after, &error), &error);
            assert_memory_equal(&before, &after, sizeof before);
        }
        besd_study_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predictions),
        cmocka_unit_test(test_explanations),
        cmocka_unit_test(test_hyperparameters),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
