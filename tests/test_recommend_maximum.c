/* What a study recommends: by its model with caution, or the best trial it has seen. */
#include "study_scene.h"

#include "decide/latin.h"
#include "decide/targets.h"
#include "model_facts.h"
#include "study/recommend.h"

/* A study whose last trial is pending, and a model of the told ones alone, as recommendations are
 * made from. */
static void open_scene(scene *c, uint64_t seed, double caution, bool discrete) {
    besd_study_options o = small_options(2, seed);
    const double place[] = {9, 1};
    o.caution = caution;
    o.discrete = discrete;
    scene_begin(c, &o);
    scene_tell_some(c, 9, BESD_REASON_INITIAL);
    scene_add(c, BESD_TRIAL_ASKED, BESD_REASON_KG, place, 30, 4);
    scene_look(c);
    assert_ok(fitting_run(&c->spec, &c->evidence, NULL, 4, &c->drawn, &c->error), &c->error);
    c->h = c->drawn.of[0];
    assert_ok(fitting_condition(&c->evidence, &c->drawn, false, &c->model, &c->error), &c->error);
}

static recommending from_scene(scene *c) {
    return (recommending){
        .spec = &c->spec, .evidence = &c->evidence, .model = &c->model, .targets = &c->targets};
}

static facts_posterior facts_of(const scene *c) {
    static observations told;
    told = c->evidence.observed;
    told.count = c->evidence.told;
    return facts_condition(&told, told.count, &c->h);
}

static double cautious(const facts_posterior *p, const double *unit, double caution) {
    return facts_mean(p, unit, 1) - caution * sqrt(facts_covariance(p, unit, 1, unit, 1));
}

/* In discrete mode: the target with the largest mean - caution * sd, 60 of them, by hand. */
static void test_caution(void **state) {
    (void)state;
    const double cautions[] = {0, 1, 3};
    int moved = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        size_t chosen[3];
        double points[120];
        latin_hypercube(seed, RNG_TARGETS, 60, 2, points);
        for (int k = 0; k < 3; k++) {
            scene c;
            besd_recommendation r = {0};
            open_scene(&c, seed, cautions[k], true);
            recommending from = from_scene(&c);
            assert_ok(recommend_maximum(&from, &r, &c.error), &c.error);
            facts_posterior p = facts_of(&c);
            size_t best = 0;
            for (size_t i = 1; i < 60; i++)
                if (cautious(&p, points + i * 2, cautions[k]) >
                    cautious(&p, points + best * 2, cautions[k]))
                    best = i;
            const double *unit = points + best * 2;
            assert_close(r.theta[0], 10 * unit[0], 1e-12);
            assert_close(r.theta[1], 10 * unit[1], 1e-12);
            chosen[k] = best;
            facts_forget(&p);
            scene_end(&c);
        }
        moved += chosen[0] != chosen[1] || chosen[1] != chosen[2];
    }
    assert_true(moved > 0); /* caution makes a difference */
}

/* Else it is climbed to: no told design, target or place on a grid is better, to what a grid can
 * tell. */
static void test_climbing(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (int k = 0; k < 2; k++) {
            scene c;
            besd_recommendation r = {0};
            double unit[2];
            open_scene(&c, seed, k, false);
            recommending from = from_scene(&c);
            assert_ok(recommend_maximum(&from, &r, &c.error), &c.error);
            facts_posterior p = facts_of(&c);
            spec_to_unit(&c.spec, r.theta, unit);
            double value = cautious(&p, unit, k);
            for (size_t j = 0; j < c.evidence.told; j++)
                assert_true(cautious(&p, c.evidence.observed.theta + j * 2, k) <= value + 1e-9);
            if (k == 0) /* a single smooth top: nothing on the grid is better */
                for (int i = 0; i < 441; i++) {
                    const double place[] = {i % 21 / 20.0, i / 21 / 20.0};
                    assert_true(cautious(&p, place, 0) <= value + 1e-6);
                }
            facts_forget(&p);
            scene_end(&c);
        }
}

typedef struct seen {
    besd_trial_state state;
    int64_t tau;
    double mean;
} seen;

/* What is recommended among these trials; theta says which. */
static besd_recommendation incumbent_of(const seen *trials, size_t count, bool of_all) {
    besd_study_options o = small_options(1, 1);
    besd_recommendation r = {0};
    scene c;
    o.method = of_all ? BESD_METHOD_HYPERBAND_PAPER : BESD_METHOD_HYPERBAND;
    scene_begin(&c, &o);
    for (size_t i = 0; i < count; i++) {
        double theta = (double)(i + 1);
        trial_record *t = scene_add(&c, trials[i].state, BESD_REASON_BRACKET, &theta, trials[i].tau,
                                    i % 2 ? 2 : 4);
        t->model_mean = trials[i].state == BESD_TRIAL_TOLD ? trials[i].mean : NAN;
        t->within = trials[i].state == BESD_TRIAL_TOLD ? 6 : NAN;
    }
    scene_look(&c);
    recommending from = from_scene(&c);
    assert_ok((of_all ? recommend_incumbent_of_all : recommend_incumbent)(&from, &r, &c.error),
              &c.error);
    scene_end(&c);
    return r;
}

/* The best at the largest tau so far, or over all of them; the first of equals; told ones only. The
 * standard error comes with it. */
static void test_incumbent(void **state) {
    (void)state;
    const seen trials[] = {
        {BESD_TRIAL_TOLD, 10, 5},    {BESD_TRIAL_TOLD, 10, 9}, {BESD_TRIAL_TOLD, 30, 3},
        {BESD_TRIAL_TOLD, 30, 4},    {BESD_TRIAL_TOLD, 10, 8}, {BESD_TRIAL_ASKED, 30, 99},
        {BESD_TRIAL_FAILED, 30, 98}, {BESD_TRIAL_TOLD, 30, 4}, {BESD_TRIAL_TOLD, 10, 12}};
    const int largest_tau[] = {1, 2, 3, 4, 4, 4, 4, 4, 4}, all[] = {1, 2, 2, 2, 2, 2, 2, 2, 9};
    for (size_t n = 1; n <= sizeof trials / sizeof *trials; n++) {
        besd_recommendation r = incumbent_of(trials, n, false);
        assert_true(r.theta[0] == largest_tau[n - 1]);
        assert_true(r.mean == trials[largest_tau[n - 1] - 1].mean);
        double q = largest_tau[n - 1] % 2 ? 4 : 2;
        assert_close(r.sd, sqrt(6 / (q - 1) / q), 1e-15);
        r = incumbent_of(trials, n, true);
        assert_true(r.theta[0] == all[n - 1] && r.mean == trials[all[n - 1] - 1].mean);
    }
}

/* Which rule is whose, through the public call; a random search compares at the largest tau. */
static void test_methods(void **state) {
    (void)state;
    static const besd_method methods[] = {BESD_METHOD_RANDOM, BESD_METHOD_HYPERBAND,
                                          BESD_METHOD_HYPERBAND_PAPER};
    besd_error error;
    for (int m = 0; m < 3; m++) {
        besd_study_options o = small_options(2, 3);
        besd_recommendation r;
        o.method = methods[m];
        o.direction = BESD_MINIMIZE;
        besd_study *s = new_study(&o);
        assert_fails(besd_study_recommend(s, &r, &error), BESD_INVALID, &error,
                     "no trial has been told yet");
        int64_t short_best = 0, long_best = 0;
        for (int i = 0; i < 90; i++) {
            besd_trial t = ask(s);
            double scores[4];
            for (int q = 0; q < t.reps; q++)
                scores[q] = (t.tau == 30 ? 100 : 0) + (double)(t.id * 29 % 97);
            assert_ok(besd_study_tell(s, t.id,
                                      &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                                      &error),
                      &error);
            int64_t *best = t.tau == 30 ? &long_best : &short_best;
            if (!*best || t.id * 29 % 97 < *best * 29 % 97)
                *best = t.id;
        }
        assert_true(long_best && (methods[m] == BESD_METHOD_RANDOM || short_best));
        r = recommend(s);
        besd_trial expected =
            get_trial(s, methods[m] == BESD_METHOD_HYPERBAND_PAPER ? short_best : long_best);
        assert_true(same_numbers(r.theta, expected.theta, 2));
        assert_true(r.value == expected.mean && r.mean == -expected.mean && r.sd == 0);
        assert_int_equal(r.trials, 90);
        besd_study_close(s);
    }
}

/* Asking does not change what one would use today. */
static void test_pending_trials_do_not_count(void **state) {
    (void)state;
    static const besd_method methods[] = {BESD_METHOD_BESD, BESD_METHOD_EI, BESD_METHOD_HYPERBAND};
    for (int m = 0; m < 3; m++)
        for (int discrete = 0; discrete < 2; discrete++) {
            besd_study_options o = short_options(2, 3);
            o.method = methods[m];
            o.discrete = discrete;
            besd_study *s = new_study(&o);
            run_trials(s, 13, NULL);
            ask(s); /* makes the fit that is kept from now on */
            besd_recommendation before = recommend(s);
            for (int i = 0; i < 4; i++) {
                ask(s);
                besd_recommendation after = recommend(s);
                for (int k = 0; k < 2; k++)
                    assert_close(after.theta[k], before.theta[k], 1e-3);
                assert_close(after.mean, before.mean, 1e-6);
                assert_close(after.sd, before.sd, 1e-6);
                assert_int_equal(after.trials, 13);
                assert_true(after.cost > before.cost);
            }
            besd_study_close(s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caution),
        cmocka_unit_test(test_climbing),
        cmocka_unit_test(test_incumbent),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_pending_trials_do_not_count),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
