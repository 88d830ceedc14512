/* The public face of a study: what it asks, what it knows, and every refusal on the way. */
#include "study_fixture.h"

static besd_error error;

/* The loop of the manual. A uniformly random design is worth 1 - 4 * (1/12 + 0.04) = 0.51 on the
 * average; after 26 trials less than a tenth of that loss is left. */
static void test_finds_the_optimum(void **state) {
    (void)state;
    for (size_t d = 1; d <= 2; d++)
        for (uint64_t seed = 1; seed <= d; seed++) {
            besd_study_options o = small_options(d, seed);
            besd_study *s = new_study(&o);
            run_trials(s, 26, NULL);
            besd_recommendation best = recommend(s);
            for (size_t i = 0; i < d; i++)
                assert_true(best.theta[i] >= 0 && best.theta[i] <= 10);
            assert_true(quality(best.theta, d) > 0.95);
            assert_close(best.mean, quality(best.theta, d), 5 * best.sd + 0.02);
            assert_true(best.sd > 0 && best.sd < 0.1);
            assert_true(best.value == best.mean);
            assert_int_equal(best.trials, 26);
            assert_true(best.cost == spent(s));
            double sd, mean = predict_at(s, best.theta[0], best.theta[1], 30, &sd);
            assert_close(best.mean, mean, 1e-9);
            assert_close(best.sd, sd, 1e-9);
            besd_study_close(s);
        }
}

/* Every theta at every tau in turn, and one theta in every slice of every axis. */
static void test_initial_design(void **state) {
    (void)state;
    enum { DESIGNS = 7 };
    besd_study_options o = small_options(3, 11);
    o.initial_designs = DESIGNS;
    o.initial_crossed = true;
    besd_study *s = new_study(&o);
    int slices[3][DESIGNS] = {{0}};
    for (int i = 0; i < DESIGNS; i++) {
        besd_trial brief = ask(s), full = ask(s);
        assert_int_equal(brief.tau, 10);
        assert_int_equal(full.tau, 30);
        assert_memory_equal(brief.theta, full.theta, sizeof brief.theta);
        assert_int_equal(brief.reps, 2);
        assert_int_equal(brief.reason, BESD_REASON_INITIAL);
        assert_int_equal(full.reason, BESD_REASON_INITIAL);
        for (int axis = 0; axis < 3; axis++)
            slices[axis][(int)(full.theta[axis] * DESIGNS / 10)]++;
        answer(s, &brief);
        answer(s, &full);
    }
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < DESIGNS; i++)
            assert_int_equal(slices[axis][i], 1);
    assert_int_not_equal(ask(s).reason, BESD_REASON_INITIAL);
    besd_study_close(s);
}

static void test_nothing_told(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 1);
    besd_study *s = new_study(&o);
    besd_recommendation best;
    besd_hyperparameters h;
    double theta[] = {1}, mean, sd;
    for (int asked = 0; asked < 8; asked++) { /* beyond the initial design, too */
        assert_fails(besd_study_recommend(s, &best, &error), BESD_INVALID, &error, "told yet");
        assert_fails(besd_study_predict(s, theta, 30, &mean, &sd, &error), BESD_INVALID, &error,
                     "told yet");
        assert_fails(besd_study_hyperparameters(s, &h, &error), BESD_INVALID, &error, "told yet");
        assert_int_equal(ask(s).id, asked + 1);
    }
    besd_study_close(s);
}

/* Asking ahead: other trials, still sensible, and late answers in any order. */
static void test_two_asks_differ(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        besd_study_options o = short_options(2, seed);
        besd_study *s = new_study(&o);
        run_trials(s, 6, NULL);
        besd_trial pending[4];
        for (int i = 0; i < 4; i++) {
            pending[i] = ask(s);
            assert_int_equal(pending[i].id, 7 + i);
            for (int j = 0; j < i; j++)
                assert_true(pending[i].seed != pending[j].seed);
            bool same_place = i && same_numbers(pending[i].theta, pending[i - 1].theta, 2);
            assert_false(same_place && pending[i].tau == pending[i - 1].tau);
        }
        for (int i = 3; i >= 0; i--)
            answer(s, &pending[i]);
        assert_int_equal(recommend(s).trials, 10);
        besd_study_close(s);
    }
}

static void test_predict_refuses(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 1);
    besd_study *s = new_study(&o);
    run_trials(s, 2, NULL);
    double mean, sd;
    const struct {
        double theta[2];
        int64_t tau;
        const char *message;
    } bad[] = {
        {{-0.001, 5}, 30, "theta0: expected a number in [0, 10], got -0.001"},
        {{5, 10.001}, 30, "theta1: expected a number in [0, 10], got 10.001"},
        {{NAN, 5}, 30, "theta0"},
        {{5, INFINITY}, 30, "theta1"},
        {{5, 5}, 20, "levels (10, 30), got 20"},
        {{5, 5}, 0, "levels (10, 30), got 0"},
        {{5, 5}, -30, "levels (10, 30), got -30"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(besd_study_predict(s, bad[i].theta, bad[i].tau, &mean, &sd, &error),
                     BESD_INVALID, &error, bad[i].message);
    predict_at(s, 0, 10, 10, &sd); /* the corners belong to the box */
    assert_true(sd > 0);
    besd_study_close(s);
}

/* The trainer's score y as a time exp(-y): to be minimised, seen through its logarithm. */
static void test_minimize_logarithms(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 2);
    o.direction = BESD_MINIMIZE;
    o.transform = BESD_TRANSFORM_LOG;
    besd_study *s = new_study(&o);
    double times[4];
    besd_trial t = {0};
    for (int i = 0; i < 18; i++) {
        t = ask(s);
        train(&t, 1, times);
        for (int r = 0; r < t.reps; r++)
            times[r] = exp(-times[r]);
        assert_ok(besd_study_tell(
                      s, t.id, &(besd_outcome){.scores = times, .count = (size_t)t.reps}, &error),
                  &error);
    }
    besd_recommendation best = recommend(s);
    assert_true(quality(best.theta, 1) > 0.93);
    assert_true(best.value > exp(-best.mean) && best.value < 1.01 * exp(-best.mean));
    assert_true(best.low < best.value && best.value < best.high);
    assert_close(best.value, exp(-quality(best.theta, 1)), 0.05);
    double mean = 0, got[4];
    size_t count;
    for (int r = 0; r < t.reps; r++)
        mean += times[r] / t.reps;
    t = get_trial(s, t.id);
    assert_close(t.mean, mean, 1e-15); /* as told */
    assert_ok(besd_study_scores(s, t.id, got, 4, &count, &error), &error);
    assert_memory_equal(got, times, count * sizeof *got);
    besd_study_close(s);
}

/* Minimising is maximising the negative, to the last bit. */
static void test_directions_mirror(void **state) {
    (void)state;
    besd_study_options up = short_options(2, 6), down = up;
    down.direction = BESD_MINIMIZE;
    besd_study *s = new_study(&up), *mirror = new_study(&down);
    for (int i = 0; i < 9; i++) {
        double scores[4];
        besd_trial t = ask(s), m = ask(mirror);
        assert_same_trial(&t, &m);
        answer(s, &t);
        train(&m, 2, scores);
        for (int r = 0; r < m.reps; r++)
            scores[r] = -scores[r];
        assert_ok(besd_study_tell(mirror, m.id,
                                  &(besd_outcome){.scores = scores, .count = (size_t)m.reps},
                                  &error),
                  &error);
    }
    besd_recommendation best = recommend(s), least = recommend(mirror);
    assert_memory_equal(best.theta, least.theta, sizeof best.theta);
    assert_true(best.mean == least.mean && best.value == -least.value && best.sd == least.sd);
    besd_study_close(s);
    besd_study_close(mirror);
}

/* A box that is 1024 times as wide changes no bit but the exponents. */
static void test_units_do_not_matter(void **state) {
    (void)state;
    double low[] = {0, 0}, high[] = {10240, 10240};
    besd_study_options o = short_options(2, 6), wide = o;
    wide.low = low;
    wide.high = high;
    besd_study *s = new_study(&o), *large = new_study(&wide);
    for (int i = 0; i < 9; i++) {
        double scores[4];
        besd_trial t = ask(s), l = ask(large);
        assert_int_equal(t.tau, l.tau);
        assert_int_equal(t.reps, l.reps);
        for (int c = 0; c < 2; c++)
            assert_true(l.theta[c] == 1024 * t.theta[c]);
        answer(s, &t);
        train(&t, 2, scores);
        assert_ok(besd_study_tell(large, l.id,
                                  &(besd_outcome){.scores = scores, .count = (size_t)l.reps},
                                  &error),
                  &error);
    }
    besd_hyperparameters h, wide_h;
    assert_ok(besd_study_hyperparameters(s, &h, &error), &error);
    assert_ok(besd_study_hyperparameters(large, &wide_h, &error), &error);
    for (int c = 0; c < 2; c++)
        assert_true(wide_h.lengthscales[c] == 1024 * h.lengthscales[c]);
    assert_int_equal(h.level_count, 2);
    assert_true(h.sigma_phi[0][1] == h.sigma_phi[1][0]);
    assert_true(h.sigma_phi[0][0] * h.sigma_phi[1][1] > h.sigma_phi[0][1] * h.sigma_phi[0][1]);
    for (int level = 0; level < 2; level++)
        assert_true(h.env_sd[level] > 0 && h.rep_sd[level] > 0);
    besd_study_close(s);
    besd_study_close(large);
}

/* Trials run at once: a score that arrives late never promotes a design twice. */
static void test_hyperband_promotes_once(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 8);
    o.method = BESD_METHOD_HYPERBAND;
    besd_study *s = new_study(&o);
    besd_trial trials[81], promoted[27];
    for (int i = 0; i < 81; i++)
        assert_ok(besd_study_ask(s, NULL, &trials[i], &error), &error);
    for (int i = 0; i < 60; i++)
        answer(s, &trials[i]);
    for (int i = 0; i < 27; i++) {
        assert_ok(besd_study_ask(s, NULL, &promoted[i], &error), &error);
        assert_int_equal(promoted[i].reason, BESD_REASON_PROMOTED);
        if (60 + i < 81)
            answer(s, &trials[60 + i]);
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(promoted[i].theta, promoted[j].theta, sizeof promoted[i].theta);
    }
    besd_study_close(s);
}

/* Only points of the fixed discretisation, which stays what it is. */
static void test_discrete(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 8);
    o.discrete = true;
    besd_study *s = new_study(&o);
    run_trials(s, 4, NULL);
    double first[120];
    besd_explanation why;
    for (int i = 0; i < 6; i++) {
        besd_trial t;
        size_t count;
        assert_ok(besd_study_ask(s, &(besd_ask){.explanation = &why}, &t, &error), &error);
        answer(s, &t);
        const double *points = besd_study_targets(s, &count);
        assert_int_equal(count, 60);
        if (i == 0)
            memcpy(first, points, sizeof first);
        assert_memory_equal(points, first, sizeof first);
        besd_recommendation best = recommend(s);
        int asked = 0, recommended = 0;
        for (size_t p = 0; p < 60; p++) {
            asked += same_numbers(first + 2 * p, t.theta, 2);
            recommended += same_numbers(first + 2 * p, best.theta, 2);
        }
        assert_int_equal(asked, 1);
        assert_int_equal(recommended, 1);
    }
    besd_study_close(s);
}

/* The discretisation behind the last ask, whichever of the two calls asked. */
static void test_targets(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 8);
    besd_study *s = new_study(&o);
    size_t count = 99;
    assert_null(besd_study_targets(s, &count));
    assert_int_equal(count, 0);
    run_trials(s, 4, NULL);
    assert_null(besd_study_targets(s, &count));
    besd_trial t = ask(s);
    const double *points = besd_study_targets(s, &count);
    assert_non_null(points);
    assert_true(count > 60);
    for (size_t i = 0; i < 2 * count; i++)
        assert_true(points[i] >= 0 && points[i] <= 10);
    answer(s, &t);
    besd_study_close(s);
}

/* A Latin hypercube as long as the budget; uniform beyond; the best trial is recommended. */
static void test_method_random(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 8);
    o.method = BESD_METHOD_RANDOM;
    o.budget = 20 * 120;
    besd_study *s = new_study(&o);
    besd_explanation why;
    bool slice[20] = {false};
    double best = -INFINITY, best_theta[2] = {0};
    for (int i = 0; i < 20; i++) {
        besd_trial t, told;
        memset(&why, 1, sizeof why);
        assert_ok(besd_study_ask(s, &(besd_ask){.explanation = &why}, &t, &error), &error);
        assert_int_equal(t.reason, BESD_REASON_RANDOM);
        assert_int_equal(why.lever_count, 0);
        assert_string_equal(why.why, "");
        assert_int_equal(t.tau, 30);
        assert_int_equal(t.reps, 4);
        size_t at = (size_t)(20 * (t.theta[0] - o.low[0]) / (o.high[0] - o.low[0]));
        assert_false(slice[at]);
        slice[at] = true;
        answer(s, &t);
        assert_ok(besd_study_trial(s, t.id, &told, &error), &error);
        if (told.mean > best) {
            best = told.mean;
            memcpy(best_theta, told.theta, sizeof best_theta);
        }
    }
    besd_trial t;
    assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_DONE);
    assert_int_equal(besd_study_stopped(s), BESD_STOP_BUDGET);
    besd_recommendation r = recommend(s);
    assert_memory_equal(r.theta, best_theta, sizeof best_theta);
    besd_study_close(s);
}

static void test_seeds(void **state) {
    (void)state;
    besd_trial trials[3][8];
    const uint64_t seeds[] = {5, 5, 6};
    for (int k = 0; k < 3; k++) {
        besd_study_options o = short_options(2, seeds[k]);
        besd_study *s = new_study(&o);
        run_trials(s, 8, trials[k]);
        for (int i = 0; i < 8; i++) {
            besd_trial stored = get_trial(s, i + 1);
            assert_same_trial(&stored, &trials[k][i]);
        }
        besd_study_close(s);
    }
    for (int i = 0; i < 8; i++) {
        assert_same_trial(&trials[0][i], &trials[1][i]);
        assert_true(trials[0][i].seed != trials[2][i].seed);
        assert_true(trials[0][i].theta[0] != trials[2][i].theta[0] ||
                    trials[0][i].theta[1] != trials[2][i].theta[1]);
        for (int j = 0; j < i; j++)
            assert_true(trials[0][i].seed != trials[0][j].seed);
    }
}

/* The corners of the space of options: everything works, everything stays inside the box. */
static void test_sizes(void **state) {
    (void)state;
    static const int64_t one_tau[] = {7},
                         many_taus[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const int one_reps[] = {1},
                     many_reps[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const struct {
        size_t dimension, taus, reps;
        int targets;
        besd_model model;
    } cases[] = {
        {1, 2, 2, 60, BESD_MODEL_PAPER},  {20, 2, 2, 60, BESD_MODEL_PAPER},
        {64, 2, 2, 60, BESD_MODEL_PAPER}, {2, 1, 2, 60, BESD_MODEL_PAPER},
        {2, 1, 1, 60, BESD_MODEL_PAPER},  {2, 1, 1, 60, BESD_MODEL_AVERAGED},
        {2, 2, 1, 60, BESD_MODEL_PAPER},  {1, 16, 16, 20, BESD_MODEL_PAPER},
        {1, 2, 2, 1, BESD_MODEL_PAPER},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        besd_study_options o = short_options(cases[k].dimension, 8);
        o.initial_designs = 2;
        o.targets = cases[k].targets;
        o.model = cases[k].model;
        if (cases[k].taus != 2)
            o.taus = cases[k].taus == 1 ? one_tau : many_taus;
        if (cases[k].reps != 2)
            o.reps = cases[k].reps == 1 ? one_reps : many_reps;
        o.tau_count = cases[k].taus;
        o.reps_count = cases[k].reps;
        besd_study *s = new_study(&o);
        int initial = 2 * (int)o.tau_count;
        for (int i = 0; i < initial + 4; i++) {
            besd_trial t = ask(s);
            for (size_t c = 0; c < o.dimension; c++)
                assert_true(t.theta[c] >= 0 && t.theta[c] <= 10);
            for (size_t c = o.dimension; c < BESD_MAX_DIMENSION; c++)
                assert_true(t.theta[c] == 0);
            answer(s, &t);
        }
        besd_recommendation best = recommend(s);
        assert_true(isfinite(best.mean) && best.sd > 0);
        besd_study_close(s);
    }
}

/* Nobody has to look at messages. */
static void test_without_errors(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(1, 21);
    besd_study *s = NULL;
    besd_trial t;
    besd_recommendation best;
    besd_hyperparameters h;
    besd_explanation why;
    double scores[4] = {1, NAN}, mean, sd, theta[] = {11};
    size_t count;
    int64_t trials;
    assert_int_equal(besd_study_open(&s, new_path(path), &o, NULL), BESD_OK);
    assert_int_equal(besd_study_recommend(s, &best, NULL), BESD_INVALID);
    assert_int_equal(besd_study_ask(s, NULL, &t, NULL), BESD_OK);
    assert_int_equal(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, NULL),
                     BESD_INVALID);
    assert_int_equal(besd_study_tell(s, 77, &(besd_outcome){.scores = scores, .count = 2}, NULL),
                     BESD_UNKNOWN);
    scores[1] = 2;
    assert_int_equal(
        besd_study_tell(s, t.id,
                        &(besd_outcome){.scores = scores, .count = 2, .cost = &(double){-3}}, NULL),
        BESD_INVALID);
    assert_int_equal(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, NULL),
                     BESD_OK);
    assert_int_equal(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, NULL),
                     BESD_REPEATED);
    assert_int_equal(besd_study_tell(s, t.id,
                                     &(besd_outcome){.count = 2, .summary = &(besd_summary){9, 1}},
                                     NULL),
                     BESD_INVALID);
    assert_int_equal(besd_study_fail(s, t.id, NULL, NULL, NULL), BESD_INVALID);
    assert_int_equal(besd_study_predict(s, theta, 30, &mean, &sd, NULL), BESD_INVALID);
    assert_int_equal(besd_study_recommend(s, &best, NULL), BESD_OK);
    assert_int_equal(besd_study_hyperparameters(s, &h, NULL), BESD_OK);
    assert_int_equal(besd_study_trial(s, 5, &t, NULL), BESD_UNKNOWN);
    assert_int_equal(besd_study_scores(s, 1, scores, 4, &count, NULL), BESD_OK);
    assert_int_equal(besd_study_trial_count(s, &trials, NULL), BESD_OK);
    assert_int_equal(besd_study_spent(s, &mean, NULL), BESD_OK);
    assert_int_equal(besd_study_ask(s, &(besd_ask){.explanation = &why}, &t, NULL), BESD_OK);
    besd_study_close(s);
}

/* Visiting shows what besd_study_trial gives, in order, from any trial on, until somebody has seen
 * enough; the visitor may look at the study meanwhile. */
typedef struct visit {
    besd_study *study;
    int64_t seen[16], stop_at;
    size_t count;
} visit;

static bool see(void *context, const besd_trial *t) {
    visit *v = context;
    besd_trial same;
    double scores[BESD_MAX_REPS];
    size_t count;
    assert_ok(besd_study_trial(v->study, t->id, &same, &error), &error);
    assert_same_trial(t, &same);
    assert_true(t->state == same.state && t->mean == same.mean);
    assert_ok(besd_study_scores(v->study, t->id, scores, BESD_MAX_REPS, &count, &error), &error);
    assert_int_equal(count, t->score_count);
    v->seen[v->count++] = t->id;
    return t->id != v->stop_at;
}

static void test_visits(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 3);
    besd_study *s = new_study(&o);
    visit all = {.study = s}, rest = {.study = s}, few = {.study = s, .stop_at = 3};
    assert_ok(besd_study_trials(s, 0, see, &all, &error), &error);
    assert_int_equal(all.count, 0);
    run_trials(s, 5, NULL);
    ask(s);
    assert_ok(besd_study_trials(s, 0, see, &all, &error), &error);
    assert_int_equal(all.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(all.seen[i], i + 1);
    assert_ok(besd_study_trials(s, 4, see, &rest, &error), &error);
    assert_true(rest.count == 2 && rest.seen[0] == 5);
    assert_ok(besd_study_trials(s, 1, see, &few, &error), &error);
    assert_true(few.count == 2 && few.seen[1] == 3);
    besd_trial next = ask(s); /* nothing is left open */
    answer(s, &next);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_visits),
        cmocka_unit_test(test_finds_the_optimum),
        cmocka_unit_test(test_initial_design),
        cmocka_unit_test(test_nothing_told),
        cmocka_unit_test(test_two_asks_differ),
        cmocka_unit_test(test_predict_refuses),
        cmocka_unit_test(test_minimize_logarithms),
        cmocka_unit_test(test_directions_mirror),
        cmocka_unit_test(test_units_do_not_matter),
        cmocka_unit_test(test_hyperband_promotes_once),
        cmocka_unit_test(test_discrete),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_method_random),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_without_errors),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
