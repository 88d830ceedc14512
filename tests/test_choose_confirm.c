/* Confirming before recommending: the posterior of independent normals in closed form, the next
 * trial by its definition, when it is due, and what the model must not see of it. */
#include "study_scene.h"

#include "model_facts.h"
#include "study/choose.h"
#include "study/choose_confirm.h"
#include "study/recommend.h"
#include "study/turn.h"

enum { TOLD = 12 };

static besd_study_options confirming_options(uint64_t seed) {
    besd_study_options o = small_options(2, seed);
    o.budget = 2000;
    o.confirm = 0.2;
    o.model = BESD_MODEL_AVERAGED;
    return o;
}

/* Hyperparameters that are given, so that confirming trials could change nothing but data. */
static hyperparameters given(void) {
    return (hyperparameters){.prior_mean = 0.3,
                             .lengthscale = {0.5, 0.4},
                             .sigma_root = {0.6, 0.1, 0.3},
                             .env_variance = {0.002, 0.002},
                             .rep_variance = {0.01, 0.01}};
}

typedef struct confirming {
    double theta[2], mean;
    int reps;
    bool retry;
} confirming;

/* A study with told trials and these confirming ones; its model and its best design. */
static void open_scene(scene *c, const besd_study_options *o, const confirming *more, size_t count,
                       double *best) {
    double mean;
    scene_begin(c, o);
    scene_tell_some(c, TOLD, BESD_REASON_INITIAL);
    for (size_t i = 0; i < count; i++) {
        if (more[i].retry)
            scene_add(c, BESD_TRIAL_FAILED, BESD_REASON_CONFIRM, more[i].theta, 30, more[i].reps);
        trial_record *r =
            scene_add(c, BESD_TRIAL_TOLD, more[i].retry ? BESD_REASON_RETRY : BESD_REASON_CONFIRM,
                      more[i].theta, 30, more[i].reps);
        r->model_mean = more[i].mean;
        r->trial.repeats = more[i].retry ? r->trial.id - 1 : 0;
    }
    scene_look(c);
    hyperparameters h = given();
    scene_model(c, &h);
    assert_ok(best_design(&c->spec, &c->model, &c->evidence, &c->targets, best, &mean, &c->error),
              &c->error);
}

static confirm candidates_of(scene *c, const double *best) {
    confirm found;
    double user[2];
    spec_to_user(&c->spec, best, user);
    assert_ok(confirm_init(&found, &c->spec, &c->evidence, &c->model, user, &c->error), &c->error);
    return found;
}

static const confirm_candidate *find(const confirm *c, const double *theta) {
    for (size_t i = 0; i < c->count; i++)
        if (!memcmp(c->candidates[i].theta, theta, 2 * sizeof *theta))
            return &c->candidates[i];
    return NULL;
}

/* Nothing is expected to be better than what is possible, so that what was confirmed at the limit
 * is recommended before what the model only dreams of. */
static void test_possible(void **state) {
    (void)state;
    besd_study_options o = confirming_options(3);
    const confirming tried[] = {{.theta = {0.31, 0.62}, .mean = 0, .reps = 5},
                                {.theta = {0.31, 0.62}, .mean = 0, .reps = 5}};
    double best[2];
    scene c;
    open_scene(&c, &o, tried, 2, best);
    confirm free_ones = candidates_of(&c, best);
    const confirm_candidate *dream = confirm_best(&free_ones, 1);
    assert_true(dream->mean > 0.2 && !dream->observed);
    c.spec.options.best_possible = spec_score(&o, 0);
    confirm limited = candidates_of(&c, best);
    int at_limit = 0;
    for (size_t i = 0; i < limited.count; i++) {
        assert_true(limited.candidates[i].mean <= 1e-12);
        at_limit += fabs(limited.candidates[i].mean) < 1e-12;
    }
    assert_true(at_limit > 0);
    assert_true(confirm_best(&limited, 1)->observed == 2);
    confirm_free(&free_ones);
    confirm_free(&limited);
    scene_end(&c);
}

/* The best design and those that were tried, by mean + sd; less sure than the model is by half of
 * the standard deviation that it had before any trial. */
static void test_candidates(void **state) {
    (void)state;
    besd_study_options o = confirming_options(3);
    scene c;
    double best[2], user[2], promise[TOLD];
    open_scene(&c, &o, NULL, 0, best);
    confirm found = candidates_of(&c, best);
    facts_posterior facts = facts_condition(&c.evidence.observed, TOLD, &c.h);
    assert_int_equal(found.count, CONFIRM_MOST);
    spec_to_user(&c.spec, best, user);
    assert_memory_equal(found.candidates[0].theta, user, sizeof user);
    for (size_t i = 0; i < TOLD; i++) {
        const double *unit = c.evidence.observed.theta + 2 * i;
        promise[i] = facts_mean(&facts, unit, 1) + sqrt(facts_covariance(&facts, unit, 1, unit, 1));
    }
    for (size_t i = 0; i < TOLD; i++) {
        size_t better = 0;
        for (size_t k = 0; k < TOLD; k++)
            better += promise[k] > promise[i];
        const confirm_candidate *one = find(&found, c.evidence.trials[i].trial.theta);
        assert_int_equal(one != NULL, better < CONFIRM_MOST - 1);
        if (one)
            assert_true(one == &found.candidates[1 + better]);
    }
    const double middle[] = {0.5, 0.5}, doubt = 0.5;
    double prior = (double)facts_kernel(&c.h, 2, middle, 1, middle, 1);
    for (size_t i = 0; i < found.count; i++) {
        const confirm_candidate *one = &found.candidates[i];
        double unit[2];
        spec_to_unit(&c.spec, one->theta, unit);
        assert_close(one->mean, facts_mean(&facts, unit, 1), 1e-9);
        assert_close(one->variance,
                     facts_covariance(&facts, unit, 1, unit, 1) + doubt * doubt * prior, 1e-9);
        assert_close(one->doubt, doubt * doubt * prior, 1e-9);
        assert_int_equal(one->observed, 0);
    }
    confirm_free(&found);
    facts_forget(&facts);
    scene_end(&c);
}

/* What was confirmed as bad stays a candidate, however many promise more by now. */
static void test_confirmed_stay(void **state) {
    (void)state;
    besd_study_options o = confirming_options(3);
    const confirming bad[] = {{.theta = {0.31, 0.62}, .mean = -9, .reps = 4},
                              {.theta = {9.1, 0.4}, .mean = -9, .reps = 4}};
    double best[2];
    scene c;
    open_scene(&c, &o, bad, 2, best);
    confirm found = candidates_of(&c, best);
    assert_int_equal(found.count, CONFIRM_MOST);
    for (int i = 0; i < 2; i++)
        assert_true(find(&found, bad[i].theta) == &found.candidates[1 + i]);
    confirm_free(&found);
    scene_end(&c);
}

/* Precisions add, means are weighed by them, in any order; others stay as they are. A retry that is
 * told counts as what it repeats. */
static void test_posterior(void **state) {
    (void)state;
    besd_study_options o = confirming_options(3);
    scene before, after;
    double best[2], again[2];
    open_scene(&before, &o, NULL, 0, best);
    confirm prior = candidates_of(&before, best);
    confirming more[5];
    const size_t which[] = {0, 2, 0, 0, 5};
    for (int i = 0; i < 5; i++) {
        more[i] = (confirming){.mean = 0.4 + 0.3 * i, .reps = i % 2 ? 2 : 4, .retry = i == 2};
        memcpy(more[i].theta, prior.candidates[which[i]].theta, sizeof more[i].theta);
    }
    open_scene(&after, &o, more, 5, again);
    assert_memory_equal(best, again, sizeof best); /* the model stands still */
    confirm posterior = candidates_of(&after, again);
    assert_int_equal(posterior.count, prior.count);
    hyperparameters h = given();
    for (size_t i = 0; i < prior.count; i++) {
        const confirm_candidate *was = &prior.candidates[i];
        const confirm_candidate *is = find(&posterior, was->theta);
        assert_non_null(is);
        double precision = 1 / was->variance, sum = was->mean / was->variance;
        int observed = 0;
        for (int k = 0; k < 5; k++)
            if (which[k] == i) {
                double noise = (double)facts_noise(&h, 1, more[k].reps);
                precision += 1 / noise;
                sum += more[k].mean / noise;
                observed++;
            }
        assert_close(is->mean, sum / precision, 1e-12);
        assert_close(is->variance, 1 / precision, 1e-12);
        assert_close(is->doubt / is->variance, was->doubt / was->variance, 1e-12);
        assert_int_equal(is->observed, observed);
        confirm_candidate alone =
            confirm_judge(&after.spec, &after.evidence, &after.model, was->theta);
        assert_true(alone.mean == is->mean && alone.variance == is->variance &&
                    alone.doubt == is->doubt && alone.observed == is->observed);
    }
    confirm_free(&prior);
    confirm_free(&posterior);
    scene_end(&before);
    scene_end(&after);
}

/* The model and what it is made of are as if confirming trials had not been, in bytes. They cost
 * what they cost. */
static void test_model_stands_still(void **state) {
    (void)state;
    for (int mean_of_all = 0; mean_of_all < 2; mean_of_all++) {
        besd_study_options o = confirming_options(4);
        o.mean_of_all = mean_of_all;
        const confirming more[] = {
            {{2, 3}, 5, 4, false}, {{2, 3}, 7, 2, true}, {{9, 9}, -3, 4, false}};
        scene without, with;
        double best[2], again[2];
        open_scene(&without, &o, NULL, 0, best);
        open_scene(&with, &o, more, 3, again);
        assert_memory_equal(best, again, sizeof best);
        assert_int_equal(with.evidence.told, TOLD);
        assert_int_equal(with.evidence.observed.count, TOLD);
        assert_int_equal(with.evidence.confirmed, 3);
        assert_int_equal(without.evidence.confirmed, 0);
        assert_true(with.evidence.prior_mean == without.evidence.prior_mean);
        assert_true(with.evidence.spent > without.evidence.spent);
        rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
        for (int i = 0; i < 20; i++) {
            double unit[2], v, w;
            facts_draw_theta(&stream, 2, unit);
            double mean = mixture_predict(&without.model, unit, 1, &v, NULL);
            assert_true(mean == mixture_predict(&with.model, unit, 1, &w, NULL) && v == w);
        }
        scene_end(&without);
        scene_end(&with);
    }
}

/* E max_i m_i after one more trial of one candidate, less the max of now: by the trapezium rule. */
static double gain(const confirm *c, size_t which, double noise) {
    const double step = 1e-3;
    const confirm_candidate *one = &c->candidates[which];
    double sd = sqrt(one->variance + noise), now = one->mean, other = -INFINITY, sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        now = fmax(now, c->candidates[i].mean);
        if (i != which)
            other = fmax(other, c->candidates[i].mean);
    }
    for (int k = 0; k <= (int)lround(18 / step); k++) {
        double z = -9 + k * step;
        double mean = one->mean + one->variance / (one->variance + noise) * sd * z;
        sum += (fmax(mean, other) - now) * exp(-z * z / 2) / sqrt(2 * M_PI) * step;
    }
    return sum;
}

/* The trainings of a design at the largest tau. */
static int64_t trainings_of(const scene *c, const double *theta) {
    int64_t count = 0;
    for (size_t i = 0; i < c->evidence.count; i++) {
        const besd_trial *t = &c->evidence.trials[i].trial;
        if (t->state == BESD_TRIAL_TOLD && t->tau == 30 &&
            !memcmp(t->theta, theta, 2 * sizeof *theta))
            count += (int64_t)t->score_count;
    }
    return count;
}

/* At the largest tau, of all candidates and replications that can be paid the one with the most
 * gain per cost; the last training of all goes to the design that would be recommended, unless that
 * one was trained twice. */
static void test_choice(void **state) {
    (void)state;
    int most_reps = 0, chosen_first = 0, choices = 0, settled = 0, measured = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        besd_study_options o = confirming_options(seed);
        scene c;
        double best[2];
        open_scene(&c, &o, NULL, 0, best);
        confirm found = candidates_of(&c, best);
        for (int poor = 0; poor < 2; poor++) {
            c.turn.affordable = poor ? 100 : 300; /* four replications cost 120 */
            double most = -INFINITY, taken = NAN;
            assert_ok(choose_confirm(&c.turn, &c.error), &c.error);
            assert_int_equal(c.trial.reason, BESD_REASON_CONFIRM);
            assert_int_equal(c.trial.tau, 30);
            assert_true(30 * c.trial.reps <= c.turn.affordable);
            for (size_t i = 0; i < found.count; i++)
                for (int r = 2; r <= (poor ? 2 : 4); r += 2) {
                    double value = gain(&found, i, (double)facts_noise(&c.h, 1, r)) / (30.0 * r);
                    most = fmax(most, value);
                    if (r == c.trial.reps &&
                        !memcmp(found.candidates[i].theta, c.trial.theta, 2 * sizeof(double)))
                        taken = value;
                }
            const confirm_candidate *next = &found.candidates[0];
            for (size_t i = 1; i < found.count; i++)
                if (found.candidates[i].mean - o.caution * sqrt(found.candidates[i].variance) >
                    next->mean - o.caution * sqrt(next->variance))
                    next = &found.candidates[i];
            bool settles = poor && trainings_of(&c, next->theta) < 2;
            if (settles)
                assert_memory_equal(c.trial.theta, next->theta, 2 * sizeof(double));
            else
                assert_true(taken >= most * (1 - 1e-5));
            settled += settles;
            measured += poor && !settles;
            most_reps += c.trial.reps == 4;
            choices++;
            chosen_first += !memcmp(found.candidates[0].theta, c.trial.theta, 2 * sizeof(double));
        }
        confirm_free(&found);
        scene_end(&c);
    }
    assert_true(chosen_first < choices); /* not whatever comes first */
    assert_true(most_reps < choices);
    assert_true(settled && measured); /* both happen */
}

/* The last share of the budget, as long as a trial at the largest tau can be paid. */
static void test_due(void **state) {
    (void)state;
    const struct {
        double budget, share, affordable;
        bool due;
    } cases[] = {{2000, 0.2, 400, true}, {2000, 0.2, 400.01, false},
                 {2000, 0.2, 60, true},  {2000, 0.2, 59, false},
                 {2000, 0, 100, false},  {INFINITY, 0.2, INFINITY, false},
                 {2000, 1, 2000, true},  {2000, 0.02, 40, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study_options o = confirming_options(5);
        scene c;
        o.budget = cases[i].budget;
        o.confirm = cases[i].share;
        scene_begin(&c, &o);
        scene_tell_some(&c, 4, BESD_REASON_INITIAL);
        scene_look(&c);
        if (confirm_is_due(&c.spec, &c.evidence, cases[i].affordable) != cases[i].due)
            fail_msg("budget %g, share %g, %g left", cases[i].budget, cases[i].share,
                     cases[i].affordable);
        scene_end(&c);
    }
    besd_study_options o = confirming_options(5);
    scene c;
    scene_begin(&c, &o); /* nothing to confirm */
    scene_look(&c);
    assert_false(confirm_is_due(&c.spec, &c.evidence, 100));
    scene_end(&c);
}

/* The largest mean - caution * sd of all candidates. */
static void test_best(void **state) {
    (void)state;
    confirm_candidate some[] = {{.mean = 1, .variance = 0.25},
                                {.mean = 0.9, .variance = 0.01},
                                {.mean = 1.2, .variance = 4}};
    confirm c = {.count = 3, .candidates = some};
    assert_true(confirm_best(&c, 0) == &c.candidates[2]);
    assert_true(confirm_best(&c, 0.2) == &c.candidates[0]);
    assert_true(confirm_best(&c, 1) == &c.candidates[1]);
    some[0].measured = 1; /* what was measured goes before what was not */
    assert_true(confirm_best(&c, 0) == &c.candidates[0]);
    assert_true(confirm_best(&c, 1) == &c.candidates[0]);
}

/* A design that was confirmed as good, or as bad, is recommended accordingly; also the design of
 * the largest mean, which with caution is no candidate by itself. */
static void test_recommendation(void **state) {
    (void)state;
    for (int kind = 0; kind < 8; kind++) {
        bool good = kind % 2, maximiser = kind / 2 % 2;
        besd_study_options o = confirming_options(6);
        o.caution = kind < 4 ? 2 : 0;
        scene c;
        double best[2];
        confirming more[6];
        open_scene(&c, &o, NULL, 0, best);
        confirm prior = candidates_of(&c, best);
        scene_end(&c);
        size_t which = maximiser ? 0 : 3;
        for (int i = 0; i < 6; i++) {
            more[i] = (confirming){.mean = good ? 4 : -4, .reps = 4};
            memcpy(more[i].theta, prior.candidates[which].theta, sizeof more[i].theta);
        }
        open_scene(&c, &o, more, 6, best);
        recommending from = {
            .spec = &c.spec, .evidence = &c.evidence, .model = &c.model, .targets = &c.targets};
        besd_recommendation r;
        assert_ok(recommend_maximum(&from, &r, &c.error), &c.error);
        bool same = !memcmp(r.theta, more[0].theta, sizeof more[0].theta);
        assert_int_equal(same, good);
        confirm_free(&prior);
        scene_end(&c);
    }
}

/* The candidates before anything is confirmed. */
static confirm first_candidates(const besd_study_options *o) {
    scene c;
    double best[2];
    open_scene(&c, o, NULL, 0, best);
    confirm all = candidates_of(&c, best);
    scene_end(&c);
    return all;
}

/* Trials that were voided are no candidates and say nothing, confirming or not, nor do those that
 * failed. Designs that are being confirmed have their places, and nothing is known of them yet. */
static void test_told_ones(void **state) {
    (void)state;
    static const besd_trial_state states[] = {BESD_TRIAL_VOIDED, BESD_TRIAL_ASKED,
                                              BESD_TRIAL_FAILED, BESD_TRIAL_WAITING};
    const double nowhere[] = {0.31, 0.62};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        besd_study_options o = confirming_options(3);
        hyperparameters h = given();
        scene c;
        double best[2], mean;
        confirm without = first_candidates(&o);
        scene_begin(&c, &o);
        scene_tell_some(&c, TOLD, BESD_REASON_INITIAL);
        for (int good = 0; good < 2; good++)
            scene_add(&c, states[i], BESD_REASON_CONFIRM,
                      good ? without.candidates[2].theta : nowhere, 30, 4)
                ->model_mean = 50; /* whatever stands there */
        if (states[i] == BESD_TRIAL_VOIDED)
            scene_add(&c, states[i], BESD_REASON_KG, nowhere, 30, 4)->model_mean = 50;
        scene_look(&c);
        scene_model(&c, &h);
        assert_ok(best_design(&c.spec, &c.model, &c.evidence, &c.targets, best, &mean, &c.error),
                  &c.error);
        confirm with = candidates_of(&c, best);
        bool under_way = states[i] == BESD_TRIAL_ASKED || states[i] == BESD_TRIAL_WAITING;
        assert_int_equal(find(&with, nowhere) != NULL, under_way);
        assert_int_equal(with.count, CONFIRM_MOST);
        for (size_t k = 0; k < without.count; k++) {
            const confirm_candidate *was = &without.candidates[k];
            const confirm_candidate *is = find(&with, was->theta);
            if (!is) /* the least promising of them made room */
                assert_true(under_way && k + 1 == without.count);
            else {
                assert_close(is->mean, was->mean, 1e-12);
                assert_close(is->variance, was->variance, 1e-12);
                assert_int_equal(is->observed, 0);
            }
        }
        confirm_free(&with);
        confirm_free(&without);
        scene_end(&c);
    }
}

/* A voided trial is no candidate although the model would promise the most of it. */
static void test_voided(void **state) {
    (void)state;
    besd_study_options o = confirming_options(3);
    hyperparameters h = given();
    scene c;
    double best[2], mean;
    confirm before = first_candidates(&o);
    for (size_t which = 1; which < before.count; which++) {
        scene_begin(&c, &o);
        scene_tell_some(&c, TOLD, BESD_REASON_INITIAL);
        for (size_t i = 0; i < TOLD; i++)
            if (!memcmp(c.records[i].trial.theta, before.candidates[which].theta,
                        2 * sizeof(double)))
                c.records[i].trial.state = BESD_TRIAL_VOIDED;
        scene_look(&c);
        assert_int_equal(c.evidence.told, TOLD - 1);
        scene_model(&c, &h);
        assert_ok(best_design(&c.spec, &c.model, &c.evidence, &c.targets, best, &mean, &c.error),
                  &c.error);
        confirm after = candidates_of(&c, best);
        assert_null(find(&after, before.candidates[which].theta));
        assert_int_equal(after.count, CONFIRM_MOST);
        confirm_free(&after);
        scene_end(&c);
    }
    confirm_free(&before);
}

/* Designs on a circle where nobody has been, one of which was confirmed as good. */
static void fill_circle(confirming *more, size_t count, size_t good) {
    for (size_t i = 0; i < count; i++) {
        double angle = 2 * M_PI * (double)i / (double)count;
        more[i] = (confirming){.theta = {5 + 4 * cos(angle), 5 + 4 * sin(angle)},
                               .mean = i == good ? 4 : -4,
                               .reps = 4};
    }
}

/* All that were confirmed stay candidates, however many, also beside a best design that is none of
 * them; and the one that was confirmed as by far the best is recommended, whichever it is. */
static void test_all_confirmed(void **state) {
    (void)state;
    enum { MANY = CONFIRM_MOST + 4 };
    for (size_t good = 0; good < MANY; good += MANY - 1) {
        besd_study_options o = confirming_options(6);
        o.caution = 1;
        confirming more[MANY];
        double best[2], user[2];
        scene c;
        fill_circle(more, MANY, good);
        open_scene(&c, &o, more, MANY, best);
        confirm found = candidates_of(&c, best);
        assert_int_equal(found.count, MANY + 1);
        spec_to_user(&c.spec, best, user);
        assert_true(find(&found, user) == &found.candidates[0]);
        for (size_t i = 0; i < MANY; i++)
            assert_non_null(find(&found, more[i].theta));
        recommending from = {
            .spec = &c.spec, .evidence = &c.evidence, .model = &c.model, .targets = &c.targets};
        besd_recommendation r;
        assert_ok(recommend_maximum(&from, &r, &c.error), &c.error);
        assert_memory_equal(r.theta, more[good].theta, sizeof more[good].theta);
        confirm_free(&found);
        scene_end(&c);
    }
}

/* What was confirmed as bad is left alone, also when it fills all the places, and the model's own
 * has its turn. */
static void test_trained_again(void **state) {
    (void)state;
    besd_study_options o = confirming_options(6);
    confirming more[CONFIRM_MOST];
    double best[2], user[2];
    scene c;
    fill_circle(more, CONFIRM_MOST, CONFIRM_MOST); /* all are bad */
    open_scene(&c, &o, more, CONFIRM_MOST, best);
    spec_to_user(&c.spec, best, user);
    c.turn.affordable = 300;
    assert_ok(choose_confirm(&c.turn, &c.error), &c.error);
    assert_memory_equal(c.trial.theta, user, sizeof user);
    assert_non_null(strstr(c.explanation.why, "the 9 best designs"));
    scene_end(&c);
}

/* The budget was spent, confirming and all, and has grown: what was confirmed then stays a
 * candidate, but takes no place from what has been found since. */
static void test_later_end(void **state) {
    (void)state;
    besd_study_options o = confirming_options(6);
    hyperparameters h = given();
    confirming more[CONFIRM_MOST];
    double best[2], mean;
    scene c;
    fill_circle(more, CONFIRM_MOST, CONFIRM_MOST);
    scene_begin(&c, &o);
    for (size_t i = 0; i < CONFIRM_MOST; i++)
        scene_add(&c, BESD_TRIAL_TOLD, BESD_REASON_CONFIRM, more[i].theta, 30, more[i].reps)
            ->model_mean = more[i].mean;
    scene_tell_some(&c, TOLD, BESD_REASON_KG);
    scene_look(&c);
    scene_model(&c, &h);
    assert_ok(best_design(&c.spec, &c.model, &c.evidence, &c.targets, best, &mean, &c.error),
              &c.error);
    confirm found = candidates_of(&c, best);
    assert_int_equal(found.count, 2 * CONFIRM_MOST);
    for (size_t i = 0; i < CONFIRM_MOST; i++) {
        assert_int_equal(found.candidates[i].observed, 0);
        assert_int_equal(found.candidates[CONFIRM_MOST + i].observed, 1);
        assert_true(find(&found, more[i].theta) == &found.candidates[CONFIRM_MOST + i]);
    }
    c.turn.affordable = 300;
    assert_ok(choose_confirm(&c.turn, &c.error), &c.error);
    assert_int_equal(find(&found, c.trial.theta)->observed, 0);
    confirm_free(&found);
    scene_end(&c);
}

/* What is under way counts as if it said what is expected: nobody asks for the same design again
 * and again while others are as promising. */
static void test_under_way(void **state) {
    (void)state;
    enum { ASKED = 6 };
    besd_study_options o = confirming_options(3);
    hyperparameters h = given();
    besd_trial asked[ASKED];
    int different = 0;
    for (int trial = 0; trial < ASKED; trial++) {
        scene c;
        scene_begin(&c, &o);
        scene_tell_some(&c, TOLD, BESD_REASON_INITIAL);
        for (int i = 0; i < trial; i++)
            scene_add(&c, BESD_TRIAL_ASKED, BESD_REASON_CONFIRM, asked[i].theta, 30, asked[i].reps);
        scene_look(&c);
        scene_model(&c, &h);
        c.turn.affordable = 400;
        assert_ok(choose_confirm(&c.turn, &c.error), &c.error);
        asked[trial] = c.trial;
        bool is_new = true;
        for (int i = 0; i < trial; i++)
            is_new = is_new && memcmp(asked[i].theta, c.trial.theta, 2 * sizeof(double)) != 0;
        different += is_new;
        scene_end(&c);
    }
    assert_true(different >= 3);
}

/* Why it was chosen: one of so many designs, of which so many trials were told; nothing of another
 * choice is left there. */
static void test_explanation(void **state) {
    (void)state;
    besd_study_options o = confirming_options(3);
    scene c;
    double best[2];
    open_scene(&c, &o, NULL, 0, best);
    confirm found = candidates_of(&c, best);
    char number[32];
    c.turn.affordable = 300;
    memset(&c.explanation, 7, sizeof c.explanation);
    assert_ok(choose_confirm(&c.turn, &c.error), &c.error);
    snprintf(number, sizeof number, "the %zu best designs", found.count);
    assert_non_null(strstr(c.explanation.why, number));
    assert_non_null(strstr(c.explanation.why, "of this one 0 such trials were told"));
    besd_explanation none = {0};
    memcpy(none.why, c.explanation.why, sizeof none.why);
    assert_memory_equal(&c.explanation, &none, sizeof none);
    c.turn.explanation = NULL; /* nobody wants to know */
    assert_ok(choose_confirm(&c.turn, &c.error), &c.error);
    scene_end(&c);
    confirming each[CONFIRM_MOST];
    for (size_t i = 0; i < CONFIRM_MOST; i++) {
        each[i] = (confirming){.mean = 0.5, .reps = 2};
        memcpy(each[i].theta, found.candidates[i].theta, sizeof each[i].theta);
    }
    confirm_free(&found);
    open_scene(&c, &o, each, CONFIRM_MOST, best);
    c.turn.affordable = 300;
    assert_ok(choose_confirm(&c.turn, &c.error), &c.error);
    assert_non_null(strstr(c.explanation.why, "of this one 1 such trial was told"));
    scene_end(&c);
}

/* A study with a budget ends with confirming trials, within it, and begins with none. */
static void test_study(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 7);
    o.model = BESD_MODEL_AVERAGED;
    o.initial_share = 1;
    o.budget = 1500;
    o.confirm = 0.3;
    besd_study *s = new_study(&o);
    besd_error error;
    besd_trial t;
    besd_status status;
    double left = o.budget;
    int confirming_trials = 0, trials = 0;
    while ((status = besd_study_ask(s, NULL, &t, &error)) == BESD_OK) {
        bool confirms = t.reason == BESD_REASON_CONFIRM;
        assert_int_equal(confirms, left <= 450 && left >= 60 && trials >= 4);
        assert_true(!confirms || t.tau == 30);
        assert_true(confirms || !confirming_trials); /* nothing is bought after confirming */
        answer(s, &t);
        left -= t.cost;
        confirming_trials += confirms;
        trials++;
    }
    assert_int_equal(status, BESD_DONE);
    assert_true(left < 60 && left >= 0 && confirming_trials >= 3);
    besd_recommendation best = recommend(s);
    assert_true(quality(best.theta, 2) > 0.8);
    besd_forecast f; /* whoever asks for the same design hears the same */
    assert_ok(besd_study_forecast(s, best.theta, 30, &f, &error), &error);
    assert_true(f.value == best.value && f.low == best.low && f.high == best.high &&
                f.mean == best.mean && f.sd == best.sd && f.tried == best.tried);
    besd_forecast by_model, printed;
    const int64_t tau = 30;
    double theta[2], mean, sd; /* with the digits that are printed, and by whichever call */
    for (int i = 0; i < 2; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.6g", best.theta[i]);
        theta[i] = strtod(text, NULL);
    }
    assert_memory_not_equal(theta, best.theta, sizeof theta);
    assert_ok(besd_study_forecast(s, theta, 30, &printed, &error), &error);
    assert_memory_equal(&printed, &f, sizeof f);
    assert_ok(besd_study_predict(s, theta, 30, &mean, &sd, &error), &error);
    assert_true(mean == best.mean && sd == best.sd);
    assert_true(best.tried > 0);
    assert_ok(besd_study_forecast_many(s, best.theta, &tau, 1, &by_model, &error), &error);
    assert_true(best.sd < by_model.sd && best.mean != by_model.mean);
    const double scores[] = {0.5, 0.5}; /* what is tried is a design of its own */
    besd_result beside = {.theta = theta, .tau = 30, .scores = scores, .count = 2};
    int64_t first;
    assert_ok(besd_study_add(s, &beside, 1, &first, &error), &error);
    assert_ok(besd_study_forecast(s, theta, 30, &printed, &error), &error);
    assert_ok(besd_study_forecast_many(s, theta, &tau, 1, &by_model, &error), &error);
    assert_true(printed.tried == 1);
    assert_close(printed.sd, by_model.sd, 1e-9 * by_model.sd); /* one place, or many at once */
    assert_ok(besd_study_forecast(s, best.theta, 30, &f, &error), &error);
    assert_true(f.tried == best.tried && f.sd < by_model.sd);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_candidates),    cmocka_unit_test(test_possible),
        cmocka_unit_test(test_posterior),     cmocka_unit_test(test_model_stands_still),
        cmocka_unit_test(test_choice),        cmocka_unit_test(test_due),
        cmocka_unit_test(test_best),          cmocka_unit_test(test_recommendation),
        cmocka_unit_test(test_study),         cmocka_unit_test(test_confirmed_stay),
        cmocka_unit_test(test_told_ones),     cmocka_unit_test(test_voided),
        cmocka_unit_test(test_all_confirmed), cmocka_unit_test(test_under_way),
        cmocka_unit_test(test_explanation),   cmocka_unit_test(test_trained_again),
        cmocka_unit_test(test_later_end),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
