/* Telling and failing: what is kept of a trial, what is refused, and what a study makes of it. */
#include "study_fixture.h"

#include <float.h>

static besd_error error;

static void test_told_twice(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 1);
    besd_study *s = new_study(&o);
    besd_trial t = ask(s);
    double scores[] = {0.25, 0.5}, other[] = {0.25, 0.75}, swapped[] = {0.5, 0.25}, got[4];
    size_t count;
    assert_ok(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, &error),
              &error);
    assert_repeated(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, &error),
                    &error);
    assert_non_null(strstr(error.message, "told these scores before"));
    assert_fails(besd_study_tell(s, t.id, &(besd_outcome){.scores = other, .count = 2}, &error),
                 BESD_INVALID, &error, "told already, with other scores");
    assert_int_equal(
        besd_study_tell(s, t.id, &(besd_outcome){.scores = swapped, .count = 2}, &error),
        BESD_INVALID);
    assert_int_equal(
        besd_study_tell(
            s, t.id, &(besd_outcome){.count = 2, .summary = &(besd_summary){0.4, 0.03125}}, &error),
        BESD_INVALID);
    assert_ok(besd_study_scores(s, t.id, got, 4, &count, &error), &error);
    assert_int_equal(count, 2);
    assert_memory_equal(got, scores, sizeof scores);
    t = get_trial(s, t.id);
    assert_int_equal(t.state, BESD_TRIAL_TOLD);
    assert_int_equal(t.score_count, 2);
    assert_true(t.mean == 0.375);
    assert_int_equal(trial_count(s), 1);
    besd_study_close(s);
}

/* SQLite keeps no sign of zero; telling it again is telling the same. */
static void test_told_twice_negative_zero(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 1);
    besd_study *s = new_study(&o);
    besd_trial t = ask(s);
    double scores[] = {-0.0, 1};
    assert_ok(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, &error),
              &error);
    assert_repeated(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, &error),
                    &error);
    besd_study_close(s);
}

static void test_bad_scores(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 1);
    o.transform = BESD_TRANSFORM_LOG;
    besd_study *s = new_study(&o);
    besd_trial t = ask(s);
    const struct {
        double second;
        const char *message;
    } bad[] = {{NAN, "scores[1]: expected a finite number, got nan"},
               {INFINITY, "scores[1]: expected a finite number, got inf"},
               {-INFINITY, "scores[1]: expected a finite number, got -inf"},
               {0, "scores[1]: expected a positive number"},
               {-2, "got -2"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double scores[] = {1, bad[i].second};
        assert_fails(
            besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, &error),
            BESD_INVALID, &error, bad[i].message);
    }
    const double fine[] = {1, 2, 3};
    assert_fails(besd_study_tell(s, t.id, &(besd_outcome){.scores = fine, .count = 1}, &error),
                 BESD_INVALID, &error, "trial 1 has 2 replications, got 1 score");
    assert_fails(besd_study_tell(s, t.id, &(besd_outcome){.scores = fine, .count = 3}, &error),
                 BESD_INVALID, &error, "got 3 scores");
    assert_fails(besd_study_tell(s, t.id, &(besd_outcome){.scores = NULL, .count = 0}, &error),
                 BESD_INVALID, &error, "got 0 scores");
    assert_int_equal(get_trial(s, t.id).state, BESD_TRIAL_ASKED); /* nothing of it stayed */
    assert_ok(besd_study_tell(s, t.id, &(besd_outcome){.scores = fine, .count = 2}, &error),
              &error);
    besd_study_close(s);
}

static void test_bad_costs_and_summaries(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 1);
    besd_study *s = new_study(&o);
    besd_trial t = ask(s);
    const double fine[] = {1, 2};
    assert_fails(besd_study_tell(s, t.id,
                                 &(besd_outcome){.scores = fine, .count = 2, .cost = &(double){-1}},
                                 &error),
                 BESD_INVALID, &error, "cost: expected a number from 0 to 1e300, got -1");
    assert_fails(
        besd_study_tell(
            s, t.id, &(besd_outcome){.scores = fine, .count = 2, .cost = &(double){NAN}}, &error),
        BESD_INVALID, &error, "nan");
    assert_fails(
        besd_study_tell(s, t.id,
                        &(besd_outcome){.scores = fine, .count = 2, .cost = &(double){INFINITY}},
                        &error),
        BESD_INVALID, &error, "inf");
    assert_fails(besd_study_tell(s, t.id,
                                 &(besd_outcome){.count = 2, .summary = &(besd_summary){NAN, 1}},
                                 &error),
                 BESD_INVALID, &error, "nan");
    assert_fails(besd_study_tell(s, t.id,
                                 &(besd_outcome){.count = 2, .summary = &(besd_summary){1, -1}},
                                 &error),
                 BESD_INVALID, &error, "-1");
    assert_fails(
        besd_study_tell(
            s, t.id, &(besd_outcome){.count = 2, .summary = &(besd_summary){1, INFINITY}}, &error),
        BESD_INVALID, &error, "inf");
    assert_fails(besd_study_tell(s, t.id,
                                 &(besd_outcome){.count = 0, .summary = &(besd_summary){1, 1}},
                                 &error),
                 BESD_INVALID, &error, "1 to");
    assert_int_equal(
        besd_study_tell(s, t.id, &(besd_outcome){.count = 4097, .summary = &(besd_summary){1, 1}},
                        &error),
        BESD_INVALID);
    assert_int_equal(get_trial(s, t.id).state, BESD_TRIAL_ASKED); /* nothing of it stayed */
    assert_ok(besd_study_tell(s, t.id, &(besd_outcome){.scores = fine, .count = 2}, &error),
              &error);
    besd_study_close(s);
}

/* Scores whose mean or squares are beyond all numbers: refused, or the study can live with them. */
static void test_huge_scores(void **state) {
    (void)state;
    const double huge[][2] = {{1e200, -1e200}, {DBL_MAX, DBL_MAX}, {1e160, 0}, {-1e300, -1e300}};
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        besd_study_options o = short_options(1, 1);
        besd_study *s = new_study(&o);
        besd_trial t = ask(s);
        besd_status status =
            besd_study_tell(s, t.id, &(besd_outcome){.scores = huge[i], .count = 2}, &error);
        if (status == BESD_INVALID) {
            assert_non_null(strstr(error.message, "scores"));
            assert_int_equal(get_trial(s, t.id).state, BESD_TRIAL_ASKED);
            answer(s, &t);
        } else {
            assert_int_equal(status, BESD_OK);
        }
        run_trials(s, 5, NULL);
        besd_recommendation best = recommend(s);
        assert_true(isfinite(best.mean) && best.sd >= 0);
        besd_study_close(s);
    }
}

static void test_unknown_trials(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 1);
    besd_study *s = new_study(&o);
    const int64_t ids[] = {0, -1, 2, INT64_MAX, INT64_MIN};
    const double scores[] = {1, 2};
    besd_trial t = ask(s);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char name[32];
        snprintf(name, sizeof name, "no trial %lld", (long long)ids[i]);
        assert_fails(
            besd_study_tell(s, ids[i], &(besd_outcome){.scores = scores, .count = 2}, &error),
            BESD_UNKNOWN, &error, name);
        assert_fails(
            besd_study_tell(s, ids[i],
                            &(besd_outcome){.scores = scores, .count = 2, .cost = &(double){1}},
                            &error),
            BESD_UNKNOWN, &error, name);
        assert_fails(besd_study_tell(s, ids[i],
                                     &(besd_outcome){.count = 2, .summary = &(besd_summary){1, 1}},
                                     &error),
                     BESD_UNKNOWN, &error, name);
        assert_fails(besd_study_fail(s, ids[i], &(double){1}, NULL, &error), BESD_UNKNOWN, &error,
                     name);
        assert_fails(besd_study_trial(s, ids[i], &t, &error), BESD_UNKNOWN, &error, name);
    }
    assert_int_equal(trial_count(s), 1);
    besd_study_close(s);
}

static void test_failures(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 1);
    besd_study *s = new_study(&o);
    besd_trial first = ask(s), second = ask(s), third = ask(s);
    assert_true(spent(s) == 100);
    assert_ok(besd_study_fail(s, first.id, NULL, "battery", &error), &error);
    assert_ok(besd_study_fail(s, second.id, &(double){7}, NULL, &error), &error);
    assert_true(spent(s) == 20 + 7 + 20);
    assert_int_equal(get_trial(s, second.id).state, BESD_TRIAL_FAILED);
    assert_true(get_trial(s, second.id).cost == 7);
    assert_fails(besd_study_fail(s, third.id, &(double){NAN}, NULL, &error), BESD_INVALID, &error,
                 "nan");
    assert_int_equal(besd_study_fail(s, third.id, &(double){INFINITY}, NULL, &error), BESD_INVALID);
    assert_int_equal(get_trial(s, third.id).state, BESD_TRIAL_ASKED);
    answer(s, &third);
    assert_fails(besd_study_fail(s, third.id, &(double){1}, NULL, &error), BESD_INVALID, &error,
                 "trial 3 has been told; it cannot fail");
    assert_true(get_trial(s, third.id).cost == 20);
    run_trials(s, 4, NULL); /* goes on, also with the model */
    assert_int_equal(recommend(s).trials, 5);
    double before = predict_at(s, 3, 0, 30, NULL);
    answer(s, &second); /* late, and welcome */
    assert_int_equal(get_trial(s, second.id).state, BESD_TRIAL_TOLD);
    assert_int_equal(recommend(s).trials, 6);
    assert_true(predict_at(s, 3, 0, 30, NULL) != before);
    assert_int_equal(besd_study_fail(s, second.id, &(double){1}, NULL, &error), BESD_INVALID);
    besd_study_close(s);
}

/* A study in which everything fails neither stops nor pretends to know anything. */
/* One place for why a trial failed and for what its trainer has to say. */
static void test_trial_notes(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 1);
    besd_study *s = new_study(&o);
    besd_trial first = ask(s), second = ask(s);
    char text[32] = "?";
    assert_ok(besd_study_get_trial_note(s, first.id, text, sizeof text, &error), &error);
    assert_string_equal(text, "");
    assert_ok(besd_study_fail(s, first.id, NULL, "battery", &error), &error);
    assert_ok(besd_study_get_trial_note(s, first.id, text, sizeof text, &error), &error);
    assert_string_equal(text, "battery");
    answer(s, &first); /* late: what happened stays on record */
    answer(s, &second);
    assert_ok(besd_study_set_trial_note(s, second.id, "it's \"warm\"", &error), &error);
    assert_ok(besd_study_get_trial_note(s, second.id, text, sizeof text, &error), &error);
    assert_string_equal(text, "it's \"warm\"");
    assert_ok(besd_study_get_trial_note(s, second.id, text, 5, &error), &error);
    assert_string_equal(text, "it's");
    assert_ok(besd_study_get_trial_note(s, first.id, text, sizeof text, &error), &error);
    assert_string_equal(text, "battery");
    assert_fails(besd_study_set_trial_note(s, 3, "x", &error), BESD_UNKNOWN, &error, "no trial 3");
    assert_fails(besd_study_get_trial_note(s, 3, text, sizeof text, &error), BESD_UNKNOWN, &error,
                 "no trial 3");
    besd_study_close(s);
}

static void test_everything_fails(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 1);
    o.budget = 1000;
    besd_study *s = new_study(&o);
    besd_trial t;
    besd_recommendation best;
    besd_status status;
    while ((status = besd_study_ask(s, NULL, &t, &error)) == BESD_OK)
        assert_ok(besd_study_fail(s, t.id, NULL, NULL, &error), &error);
    assert_int_equal(status, BESD_DONE);
    assert_true(spent(s) <= 1000 && spent(s) > 1000 - 120);
    assert_fails(besd_study_recommend(s, &best, &error), BESD_INVALID, &error, "no trial has been");
    besd_study_close(s);
}

/* A failed trial comes again as a new one; its place in the initial design is not taken twice. */
static void test_ask_again(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 8);
    o.budget = 400;
    besd_study *s = new_study(&o);
    besd_trial first, again, next;
    assert_ok(besd_study_ask(s, NULL, &first, &error), &error);
    assert_fails(besd_study_ask(s, &(besd_ask){.again = &(int64_t){first.id}}, &again, &error),
                 BESD_INVALID, &error, "only a failed trial");
    assert_fails(besd_study_ask(s, &(besd_ask){.again = &(int64_t){7}}, &again, &error),
                 BESD_UNKNOWN, &error, "7");
    assert_fails(besd_study_ask(s, &(besd_ask){.again = &(int64_t){0}}, &again, &error),
                 BESD_UNKNOWN, &error, "0");
    assert_ok(besd_study_fail(s, first.id, &(double){3}, "battery", &error), &error);
    assert_ok(besd_study_ask(s, &(besd_ask){.again = &(int64_t){first.id}}, &again, &error),
              &error);
    assert_int_equal(again.id, 2);
    assert_memory_equal(again.theta, first.theta, sizeof first.theta);
    assert_int_equal(again.tau, first.tau);
    assert_int_equal(again.reps, first.reps);
    assert_int_equal(again.reason, BESD_REASON_RETRY);
    assert_int_equal(again.repeats, first.id);
    assert_int_equal(get_trial(s, again.id).repeats, first.id);
    assert_int_equal(get_trial(s, first.id).repeats, 0);
    assert_true(again.seed != first.seed);
    answer(s, &again);
    double spent;
    assert_ok(besd_study_spent(s, &spent, &error), &error);
    assert_true(spent == 3 + again.cost);
    /* an undisturbed study of the same options has this as its second trial */
    besd_study *quiet = new_study(&o);
    besd_trial undisturbed[2];
    assert_ok(besd_study_ask(quiet, NULL, &undisturbed[0], &error), &error);
    assert_ok(besd_study_ask(quiet, NULL, &undisturbed[1], &error), &error);
    assert_ok(besd_study_ask(s, NULL, &next, &error), &error);
    assert_int_equal(next.reason, BESD_REASON_INITIAL);
    assert_memory_equal(next.theta, undisturbed[1].theta, sizeof next.theta);
    assert_ok(besd_study_fail(s, next.id, &(double){390}, NULL, &error), &error);
    assert_int_equal(besd_study_ask(s, &(besd_ask){.again = &(int64_t){next.id}}, &again, &error),
                     BESD_DONE);
    assert_int_equal(besd_study_stopped(s), BESD_STOP_BUDGET);
    besd_study_close(quiet);
    besd_study_close(s);
}

/* Retries fail, too: each repeats the one before, and none of them takes a place. */
static void test_retry_of_a_retry(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 8);
    besd_study *s = new_study(&o), *quiet = new_study(&o);
    besd_trial t = ask(s), first = t, same = ask(quiet);
    for (int i = 0; i < 3; i++) {
        besd_trial again;
        assert_ok(besd_study_fail(s, t.id, &(double){0}, NULL, &error), &error);
        assert_ok(besd_study_ask(s, &(besd_ask){.again = &(int64_t){t.id}}, &again, &error),
                  &error);
        assert_int_equal(again.repeats, t.id);
        assert_memory_equal(again.theta, first.theta, sizeof first.theta);
        t = again;
    }
    double scores[BESD_MAX_REPS];
    train(&same, 2, scores);
    assert_ok(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                              &error),
              &error);
    answer(quiet, &same);
    for (int i = 0; i < 3; i++) { /* the rest of the initial design */
        besd_trial a = ask(s), b = ask(quiet);
        assert_memory_equal(a.theta, b.theta, sizeof a.theta);
        assert_int_equal(a.tau, b.tau);
        train(&b, 2, scores);
        assert_ok(besd_study_tell(
                      s, a.id, &(besd_outcome){.scores = scores, .count = (size_t)a.reps}, &error),
                  &error);
        answer(quiet, &b);
    }
    besd_recommendation retried = recommend(s), undisturbed = recommend(quiet);
    assert_int_equal(retried.trials, undisturbed.trials);
    assert_true(retried.mean == undisturbed.mean && retried.sd == undisturbed.sd);
    besd_study_close(s);
    besd_study_close(quiet);
}

/* What a retry brings counts for methods that recommend the best trial. */
static void test_retry_is_recommended(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 8);
    o.method = BESD_METHOD_RANDOM;
    besd_study *s = new_study(&o);
    besd_trial first, again;
    assert_ok(besd_study_ask(s, NULL, &first, &error), &error);
    assert_ok(besd_study_fail(s, first.id, NULL, NULL, &error), &error);
    assert_ok(besd_study_ask(s, &(besd_ask){.again = &(int64_t){first.id}}, &again, &error),
              &error);
    answer(s, &again);
    besd_recommendation r = recommend(s);
    assert_memory_equal(r.theta, first.theta, sizeof r.theta);
    besd_study_close(s);
}

static void test_told_cost(void **state) {
    (void)state;
    besd_study_options o = short_options(1, 8);
    o.budget = 100;
    besd_study *s = new_study(&o);
    besd_trial t = ask(s);
    double scores[] = {1, 2};
    assert_true(spent(s) == 20);
    assert_ok(besd_study_tell(s, t.id,
                              &(besd_outcome){.scores = scores, .count = 2, .cost = &(double){0}},
                              &error),
              &error);
    assert_true(spent(s) == 0);
    t = ask(s);
    assert_ok(besd_study_tell(
                  s, t.id, &(besd_outcome){.scores = scores, .count = 2, .cost = &(double){90.5}},
                  &error),
              &error);
    assert_true(spent(s) == 90.5);
    assert_true(get_trial(s, t.id).cost == 90.5);
    assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_DONE);
    besd_study_close(s);
}

/* Mean and variance say what the scores say; exactly, where two of them make the variance. */
static void test_summaries(void **state) {
    (void)state;
    for (int minimised_logarithms = 0; minimised_logarithms < 2; minimised_logarithms++) {
        besd_study_options o = short_options(1, 8);
        int reps[] = {2};
        o.reps = reps;
        o.reps_count = 1;
        o.direction = minimised_logarithms ? BESD_MINIMIZE : BESD_MAXIMIZE;
        o.transform = minimised_logarithms ? BESD_TRANSFORM_LOG : BESD_TRANSFORM_NONE;
        besd_study *s = new_study(&o), *brief = new_study(&o);
        for (int i = 0; i < 7; i++) {
            double y[2], scores[2];
            besd_trial t = ask(s), b = ask(brief);
            assert_same_trial(&t, &b);
            train(&t, 1, y);
            for (int r = 0; r < 2; r++) {
                scores[r] = minimised_logarithms ? exp(y[r]) : y[r];
                y[r] = minimised_logarithms ? log(scores[r]) : y[r];
            }
            double mean = (y[0] + y[1]) / 2;
            double variance = (y[0] - mean) * (y[0] - mean) + (y[1] - mean) * (y[1] - mean);
            assert_ok(
                besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2}, &error),
                &error);
            assert_ok(besd_study_tell(
                          brief, b.id,
                          &(besd_outcome){.count = 2, .summary = &(besd_summary){mean, variance}},
                          &error),
                      &error);
            assert_repeated(
                besd_study_tell(
                    brief, b.id,
                    &(besd_outcome){.count = 2, .summary = &(besd_summary){mean, variance}},
                    &error),
                &error);
            assert_int_equal(
                besd_study_tell(
                    brief, b.id,
                    &(besd_outcome){.count = 2, .summary = &(besd_summary){mean, 2 * variance}},
                    &error),
                BESD_INVALID);
            b = get_trial(brief, b.id);
            assert_int_equal(b.state, BESD_TRIAL_TOLD);
            assert_int_equal(b.score_count, 2);
            size_t count;
            assert_ok(besd_study_scores(brief, b.id, scores, 2, &count, &error), &error);
            assert_int_equal(count, 0); /* nobody knows them */
        }
        double sd, brief_sd;
        assert_true(predict_at(s, 4, 0, 30, &sd) == predict_at(brief, 4, 0, 30, &brief_sd));
        assert_true(sd == brief_sd);
        double value = recommend(s).value; /* nearly normal logarithms: half of their variance */
        assert_close(recommend(brief).value, value, minimised_logarithms ? 1e-2 * value : 0);
        besd_study_close(s);
        besd_study_close(brief);
    }
}

/* Permuted tells: the same posterior and the same next trial, to the last bit. */
static void test_order_of_tells(void **state) {
    (void)state;
    const int orders[][6] = {{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}};
    double mean[3], sd[3];
    besd_trial next[3];
    for (int k = 0; k < 3; k++) {
        besd_study_options o = short_options(2, 8);
        besd_study *s = new_study(&o);
        besd_trial pending[6];
        run_trials(s, 4, NULL);
        for (int i = 0; i < 6; i++)
            pending[i] = ask(s);
        for (int i = 0; i < 6; i++)
            answer(s, &pending[orders[k][i]]);
        mean[k] = predict_at(s, 2.5, 6, 30, &sd[k]);
        next[k] = ask(s);
        besd_study_close(s);
        assert_true(mean[k] == mean[0] && sd[k] == sd[0]);
        assert_same_trial(&next[k], &next[0]);
    }
}

/* Scores that teach nothing, or are far from 1: the study goes on with finite numbers. */
static void test_odd_scores(void **state) {
    (void)state;
    const struct {
        double offset, scale;
    } cases[] = {{0, 0}, {-7, 0}, {0, 1e-12}, {0, 1e12}, {1e9, 1}, {1e100, 1e90}, {0, 1e149}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int discrete = 0; discrete < 2; discrete++) {
            besd_study_options o = short_options(2, 8);
            o.discrete = discrete;
            besd_study *s = new_study(&o);
            for (int i = 0; i < 8; i++) {
                double scores[4];
                besd_trial t = ask(s);
                train(&t, 2, scores);
                for (int r = 0; r < t.reps; r++)
                    scores[r] = cases[k].offset + cases[k].scale * scores[r];
                assert_ok(besd_study_tell(
                              s, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                              &error),
                          &error);
            }
            besd_recommendation best = recommend(s);
            if (!isfinite(best.mean) || !isfinite(best.sd))
                fail_msg("scores about %g + %g: recommended %g +- %g", cases[k].offset,
                         cases[k].scale, best.mean, best.sd);
            besd_study_close(s);
        }
}

/* The units of the scores are the user's business: seconds or hours, the optimum is found. */
static void test_scales_of_scores(void **state) {
    (void)state;
    const double scales[] = {1e-6, 1e6};
    for (int k = 0; k < 2; k++) {
        besd_study_options o = small_options(2, 3);
        besd_study *s = new_study(&o);
        for (int i = 0; i < 20; i++) {
            double scores[4];
            besd_trial t = ask(s);
            train(&t, 2, scores);
            for (int r = 0; r < t.reps; r++)
                scores[r] *= scales[k];
            assert_ok(besd_study_tell(s, t.id,
                                      &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                                      &error),
                      &error);
        }
        besd_recommendation best = recommend(s);
        if (!(quality(best.theta, 2) > 0.9))
            fail_msg("scores times %g: recommended %g +- %g at (%g, %g), worth %g", scales[k],
                     best.mean, best.sd, best.theta[0], best.theta[1], quality(best.theta, 2));
        besd_study_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told_twice),       cmocka_unit_test(test_told_twice_negative_zero),
        cmocka_unit_test(test_bad_scores),       cmocka_unit_test(test_bad_costs_and_summaries),
        cmocka_unit_test(test_huge_scores),      cmocka_unit_test(test_unknown_trials),
        cmocka_unit_test(test_failures),         cmocka_unit_test(test_trial_notes),
        cmocka_unit_test(test_everything_fails), cmocka_unit_test(test_ask_again),
        cmocka_unit_test(test_retry_of_a_retry), cmocka_unit_test(test_retry_is_recommended),
        cmocka_unit_test(test_told_cost),        cmocka_unit_test(test_summaries),
        cmocka_unit_test(test_order_of_tells),   cmocka_unit_test(test_odd_scores),
        cmocka_unit_test(test_scales_of_scores),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
