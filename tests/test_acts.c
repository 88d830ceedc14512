/* Voiding, replacing, restoring, budget, tags: what the model sees of them, what stays on record,
 * and that all of it is undone to the last bit. */
#include "acts_fixture.h"

#include "leg_world.h"

static besd_error error;

/* Told, with kept fits, and a handle that remembers fits and models. */
static besd_study *told_study(char path[PATH_SIZE], int trials) {
    besd_study_options o = short_options(2, 1);
    o.mean_of_all = true; /* whoever wanted a trial, its scores say the same */
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, trials, NULL);
    recommend(s);
    return s;
}

/* The handle that was there and a fresh one say the same. */
static besd_recommendation recommend_twice(besd_study *s, const char *path) {
    besd_recommendation here = recommend(s);
    besd_study *fresh = open_study(path, NULL);
    besd_recommendation there = recommend(fresh);
    assert_true(same_recommendation(&here, &there));
    besd_hyperparameters a, b;
    assert_ok(besd_study_hyperparameters(s, &a, &error), &error);
    assert_ok(besd_study_hyperparameters(fresh, &b, &error), &error);
    assert_memory_equal(&a, &b, sizeof a);
    besd_study_close(fresh);
    return here;
}

/* A study that was told the same trials but this one. */
static besd_recommendation recommend_without(besd_study *s, int64_t out, const double *instead) {
    besd_study_options o = *besd_study_get_options(s);
    besd_study *other = new_study(&o);
    double scores[BESD_MAX_REPS];
    size_t count;
    for (int64_t id = 1; id <= trial_count(s); id++) {
        besd_trial t = get_trial(s, id);
        assert_ok(besd_study_scores(s, id, scores, BESD_MAX_REPS, &count, &error), &error);
        besd_result r = {.theta = t.theta,
                         .tau = t.tau,
                         .scores = id == out && instead ? instead : scores,
                         .count = count,
                         .cost = t.cost};
        if (id != out || instead)
            assert_ok(besd_study_add(other, &r, 1, NULL, &error), &error);
    }
    besd_recommendation best = recommend(other);
    besd_study_close(other);
    return best;
}

static void test_void(void **state) {
    (void)state;
    char path[PATH_SIZE];
    event_words w = {0};
    besd_study *s = told_study(path, 8);
    besd_recommendation before = recommend_twice(s, path), gone;
    const double cost = spent(s), mean = get_trial(s, 3).mean;
    double scores[4];
    size_t count;
    assert_ok(besd_study_void(s, 3, "a wheel was loose", &error), &error);
    besd_recommendation after = recommend_twice(s, path);
    assert_int_equal(before.trials, 8);
    assert_int_equal(after.trials, 7);
    assert_false(same_numbers(before.theta, after.theta, 2) && before.mean == after.mean);
    assert_true(after.cost == cost && spent(s) == cost); /* it stays spent */
    assert_int_equal(get_trial(s, 3).state, BESD_TRIAL_VOIDED);
    assert_true(get_trial(s, 3).mean == mean); /* and what was told is still to be seen */
    assert_ok(besd_study_scores(s, 3, scores, 4, &count, &error), &error);
    assert_int_equal(count, 2);
    assert_string_equal(work_of(s, 3).why, "a wheel was loose");
    assert_ok(besd_study_restore(s, 3, &error), &error);
    gone = recommend_twice(s, path);
    assert_int_equal(gone.trials, 8);
    assert_close(gone.mean, before.mean, 0.02); /* fitted anew, to the same trials */
    assert_int_equal(get_trial(s, 3).state, BESD_TRIAL_TOLD);
    assert_string_equal(work_of(s, 3).why, "");
    events_after(s, 0, &w);
    assert_non_null(strstr(w.text, "told 8, voided 3, restored 3"));
    besd_study_close(s);
}

/* As if it had never been told: model, prior mean, variances. */
static void test_void_is_as_if_never(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study *s = told_study(path, 7);
    besd_recommendation without = recommend_without(s, 5, NULL);
    assert_ok(besd_study_void(s, 5, NULL, &error), &error);
    besd_recommendation r = recommend_twice(s, path);
    assert_close(r.mean, without.mean, 1e-9);
    assert_close(r.sd, without.sd, 1e-9);
    assert_close(r.value, without.value, 1e-9);
    besd_study_close(s);
}

static void test_replace(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study *s = told_study(path, 7);
    besd_trial old = get_trial(s, 4);
    const double other[BESD_MAX_REPS] = {-3, -3.5, -4, -2};
    double scores[4], kept[4];
    size_t count;
    assert_ok(besd_study_scores(s, 4, kept, 4, &count, &error), &error);
    besd_recommendation with = recommend_without(s, 4, other);
    sql(path, "UPDATE trial SET ended_at = '2020-01-02 03:04:05'");
    const double ended = work_of(s, 4).ended;
    assert_ok(besd_study_replace(s, 4, &(besd_outcome){.scores = other, .count = count}, "mistyped",
                                 &error),
              &error);
    assert_true(work_of(s, 4).ended == ended); /* it ended when it did */
    assert_string_equal(work_of(s, 4).why, "mistyped");
    assert_int_equal(work_of(s, 4).replaced, 1);
    assert_true(get_trial(s, 4).cost == old.cost);
    assert_ok(besd_study_scores(s, 4, scores, 4, &count, &error), &error);
    assert_true(same_numbers(scores, other, count));
    besd_recommendation r = recommend_twice(s, path);
    assert_int_equal(r.trials, 7);
    assert_close(r.mean, with.mean, 1e-9);
    assert_close(r.value, with.value, 1e-9);

    assert_ok(besd_study_replace(
                  s, 4, &(besd_outcome){.scores = kept, .count = count, .cost = &(double){7}}, NULL,
                  &error),
              &error);
    assert_true(get_trial(s, 4).cost == 7);
    assert_int_equal(work_of(s, 4).replaced, 2); /* seen although no reason was given */
    assert_string_equal(work_of(s, 4).why, "");
    assert_ok(besd_study_restore(s, 4, &error), &error); /* one by one */
    assert_true(get_trial(s, 4).cost == old.cost);
    assert_string_equal(work_of(s, 4).why, "mistyped");
    assert_ok(besd_study_scores(s, 4, scores, 4, &count, &error), &error);
    assert_true(same_numbers(scores, other, count));
    assert_ok(besd_study_restore(s, 4, &error), &error);
    besd_trial t = get_trial(s, 4);
    assert_memory_equal(&t, &old, sizeof t);
    assert_int_equal(work_of(s, 4).replaced, 0);
    assert_string_equal(work_of(s, 4).why, "");
    assert_true(work_of(s, 4).ended == ended);
    assert_ok(besd_study_scores(s, 4, scores, 4, &count, &error), &error);
    assert_true(same_numbers(scores, kept, count));
    assert_fails(besd_study_restore(s, 4, &error), BESD_INVALID, &error,
                 "trial 4 was neither voided nor replaced; there is nothing to restore");
    besd_study_close(s);
}

/* Replaced, voided, restored, restored: the newest act is undone first. */
static void test_replaced_and_voided(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study *s = told_study(path, 5);
    besd_trial old = get_trial(s, 2);
    const double other[] = {1, 2, 3, 4};
    size_t reps = (size_t)old.reps;
    assert_ok(
        besd_study_replace(s, 2, &(besd_outcome){.scores = other, .count = reps}, "first", &error),
        &error);
    besd_trial replaced = get_trial(s, 2);
    assert_ok(besd_study_void(s, 2, "second", &error), &error);
    assert_fails(
        besd_study_replace(s, 2, &(besd_outcome){.scores = other, .count = reps}, NULL, &error),
        BESD_INVALID, &error,
        "trial 2 is voided; only a told trial can be told anew, so restore it");
    assert_string_equal(work_of(s, 2).why, "second");
    assert_ok(besd_study_restore(s, 2, &error), &error);
    besd_trial t = get_trial(s, 2);
    assert_memory_equal(&t, &replaced, sizeof t);
    assert_string_equal(work_of(s, 2).why, "first");
    assert_ok(besd_study_restore(s, 2, &error), &error);
    t = get_trial(s, 2);
    assert_memory_equal(&t, &old, sizeof t);
    assert_ok(besd_study_void(s, 2, NULL, &error), &error); /* and from the beginning */
    assert_ok(besd_study_restore(s, 2, &error), &error);
    assert_fails(besd_study_restore(s, 2, &error), BESD_INVALID, &error, "nothing to restore");
    besd_study_close(s);
}

static besd_study *new_path_study(char *path) {
    besd_study_options o = small_options(4, 3);
    static const int reps[] = {2};
    o.reps = reps;
    o.reps_count = 1;
    o.direction = BESD_MINIMIZE;
    besd_study *s = open_study(new_path(path), &o);
    besd_path p = {.points = 2, .coordinates = 2, .cap = 100};
    for (int i = 0; i < 2; i++)
        p.from[i] = p.to[i] = NAN;
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    return s;
}

/* Legs with all that they may say. */
static void test_restored_legs(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study *s = new_path_study(path);
    const double scores[] = {50.25, 100}, other[] = {1, 2};
    const besd_leg legs[] = {{3.0000000000000004, NAN}, {NAN, NAN},       {50.25, NAN},
                             {-INFINITY, NAN},          {INFINITY, -0.0}, {NAN, 1e-310}};
    besd_leg got[6];
    size_t count;
    besd_trial t = ask(s);
    assert_ok(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = 2, .legs = legs},
                              &error),
              &error);
    assert_ok(
        besd_study_replace(s, t.id, &(besd_outcome){.scores = other, .count = 2}, NULL, &error),
        &error);
    assert_ok(besd_study_legs(s, t.id, got, 6, &count, &error), &error);
    assert_int_equal(count, 0); /* of other scores nothing is known */
    assert_ok(besd_study_restore(s, t.id, &error), &error);
    assert_ok(besd_study_legs(s, t.id, got, 6, &count, &error), &error);
    assert_int_equal(count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_true(got[i].reached == legs[i].reached ||
                    (isnan(got[i].reached) && isnan(legs[i].reached)));
        assert_true((got[i].earned == legs[i].earned &&
                     !signbit(got[i].earned) == !signbit(legs[i].earned)) ||
                    (isnan(got[i].earned) && isnan(legs[i].earned)));
    }
    besd_study_close(s);
}

static void test_restored_summary(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study *s = new_path_study(path);
    const double other[] = {1, 2};
    size_t count;
    besd_trial summed = ask(s);
    assert_ok(besd_study_tell(s, summed.id,
                              &(besd_outcome){.count = 9, .summary = &(besd_summary){-4.1, 0.3}},
                              &error),
              &error);
    summed = get_trial(s, summed.id);
    assert_fails(besd_study_replace(s, summed.id, &(besd_outcome){.scores = other, .count = 1},
                                    NULL, &error),
                 BESD_INVALID, &error, "has 2 replications, got 1 score");
    assert_ok(besd_study_replace(s, summed.id, &(besd_outcome){.scores = other, .count = 2}, NULL,
                                 &error),
              &error);
    double at[] = {5, 5, 5, 5}, mean, sd, mean2, sd2;
    assert_ok(besd_study_restore(s, summed.id, &error), &error);
    besd_trial again = get_trial(s, summed.id);
    assert_memory_equal(&again, &summed, sizeof again);
    assert_ok(besd_study_scores(s, summed.id, at, 0, &count, &error), &error);
    assert_int_equal(count, 0);
    besd_study *fresh = open_study(path, NULL);
    assert_ok(besd_study_predict(s, at, 30, &mean, &sd, &error), &error);
    assert_ok(besd_study_predict(fresh, at, 30, &mean2, &sd2, &error), &error);
    assert_true(mean == mean2 && sd == sd2);
    besd_study_close(fresh);
    besd_study_close(s);
}

/* The models of legs forget as well: voided legs compose no path. */
static void test_leg_memory(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = world_options(&small_world, 5);
    besd_study *s = world_study(&small_world, new_path(path), &o);
    world_run(&small_world, s, 14, NULL);
    double theta[BESD_MAX_DIMENSION], theirs[BESD_MAX_DIMENSION];
    besd_forecast before, f, g;
    assert_ok(besd_study_path_forecast(s, 2, theta, &before, &error), &error);
    for (int64_t id = 1; id <= 14; id += 3)
        assert_ok(besd_study_void(s, id, NULL, &error), &error);
    besd_study *fresh = open_study(path, NULL);
    assert_ok(besd_study_path_forecast(s, 2, theta, &f, &error), &error);
    assert_ok(besd_study_path_forecast(fresh, 2, theirs, &g, &error), &error);
    assert_true(f.value == g.value && f.low == g.low && f.high == g.high);
    assert_true(same_numbers(theta, theirs, 4));
    assert_false(f.value == before.value && f.low == before.low);
    besd_study_close(fresh);
    besd_study_close(s);
}

static void test_refused(void **state) {
    (void)state;
    char path[PATH_SIZE], why[300];
    besd_study *s = told_study(path, 4);
    const double scores[] = {1, 2}, bad[] = {1, NAN};
    besd_trial asked = ask(s), failed = ask(s);
    assert_ok(besd_study_fail(s, failed.id, NULL, NULL, &error), &error);
    const int64_t before = newest_event(s);
    assert_fails(besd_study_void(s, asked.id, NULL, &error), BESD_INVALID, &error,
                 "trial 5 is asked; only a told trial can be voided");
    assert_fails(besd_study_void(s, failed.id, NULL, &error), BESD_INVALID, &error, "is failed");
    assert_fails(besd_study_void(s, 99, NULL, &error), BESD_UNKNOWN, &error, "has no trial 99");
    assert_fails(besd_study_restore(s, asked.id, &error), BESD_INVALID, &error,
                 "trial 5 is asked; there is nothing to restore");
    assert_fails(besd_study_restore(s, failed.id, &error), BESD_INVALID, &error, "is failed");
    assert_fails(besd_study_replace(s, asked.id, &(besd_outcome){.scores = scores, .count = 2},
                                    NULL, &error),
                 BESD_INVALID, &error, "trial 5 is asked; only a told trial can be told anew");
    assert_fails(
        besd_study_replace(s, 1, &(besd_outcome){.scores = scores, .count = 1}, NULL, &error),
        BESD_INVALID, &error, "scores: trial 1 has 2 replications, got 1 score");
    assert_fails(besd_study_replace(s, 1, &(besd_outcome){.scores = bad, .count = 2}, NULL, &error),
                 BESD_INVALID, &error, "scores[1]: expected a finite number");
    assert_fails(besd_study_replace(
                     s, 1, &(besd_outcome){.scores = scores, .count = 2, .cost = &(double){NAN}},
                     NULL, &error),
                 BESD_INVALID, &error, "cost: expected");
    assert_fails(
        besd_study_replace(
            s, 1, &(besd_outcome){.scores = scores, .count = 2, .legs = (const besd_leg[2]){{0}}},
            NULL, &error),
        BESD_INVALID, &error, "theta of this study is no path");
    memset(why, 'x', sizeof why);
    why[256] = 0;
    assert_fails(besd_study_void(s, 1, why, &error), BESD_INVALID, &error,
                 "why: expected UTF-8 shorter than 256 bytes, got 256");
    assert_fails(besd_study_void(s, 1, "\xc3", &error), BESD_INVALID, &error, "expected UTF-8");
    assert_ok(besd_study_void(s, 1, NULL, &error), &error);
    assert_int_equal(newest_event(s), before + 1); /* no other has left one */
    assert_fails(besd_study_void(s, 1, NULL, &error), BESD_INVALID, &error, "trial 1 is voided");
    assert_fails(besd_study_tell(s, 1, &(besd_outcome){.scores = scores, .count = 2}, &error),
                 BESD_INVALID, &error, "trial 1 was voided; restore it first");
    assert_fails(besd_study_tell(
                     s, 1, &(besd_outcome){.count = 2, .summary = &(besd_summary){1, 1}}, &error),
                 BESD_INVALID, &error, "was voided");
    assert_fails(besd_study_fail(s, 1, NULL, NULL, &error), BESD_INVALID, &error, "was voided");
    besd_study_close(s);
}

/* All told trials voided: the study knows nothing, and goes on. */
static void test_all_voided(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_recommendation r;
    besd_study *s = told_study(path, 6);
    for (int64_t id = 1; id <= 6; id++)
        assert_ok(besd_study_void(s, id, NULL, &error), &error);
    assert_fails(besd_study_recommend(s, &r, &error), BESD_INVALID, &error, "no trial");
    besd_trial t = ask(s);
    assert_int_equal(t.id, 7);
    answer(s, &t);
    recommend_twice(s, path);
    besd_study_close(s);
}

/* A fit that was being made while scores were changed is not kept: another process has changed them
 * between the look and the writing. Here the fit of before is put back by hand, and not used. */
static void test_stale_fit(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study *s = told_study(path, 9);
    const double other[] = {-30, -31, -33, -35};
    besd_trial t = get_trial(s, 9);
    assert_ok(besd_study_replace(s, 9, &(besd_outcome){.scores = other, .count = (size_t)t.reps},
                                 NULL, &error),
              &error);
    sqlite3 *db;
    sqlite3_stmt *count;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT count(*) FROM fit", -1, &count, NULL), 0);
    assert_int_equal(sqlite3_step(count), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(count, 0), 0); /* forgotten */
    sqlite3_finalize(count);
    sqlite3_close(db);
    recommend_twice(s, path);
    besd_study_close(s);
}

/* Nothing was asked, so no fit is kept: a handle remembers the one that it has made, and hears that
 * scores have changed since. */
static void test_fit_memory(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(2, 4);
    besd_study *s = open_study(new_path(path), &o);
    for (int i = 0; i < 6; i++) {
        double theta[] = {i, 9 - i}, scores[] = {0.1 * i, 0.1 * i + 0.05};
        besd_result r = {.theta = theta, .tau = 30, .scores = scores, .count = 2};
        assert_ok(besd_study_add(s, &r, 1, NULL, &error), &error);
    }
    const double other[] = {5, 5.5};
    besd_recommendation before = recommend_twice(s, path);
    assert_ok(besd_study_replace(s, 2, &(besd_outcome){.scores = other, .count = 2}, NULL, &error),
              &error);
    assert_true(recommend_twice(s, path).mean != before.mean);
    besd_study_close(s);
}

/* Killed and opened again between any two acts, a study goes on bit for bit. */
static void test_resumed(void **state) {
    (void)state;
    char path[2][PATH_SIZE];
    besd_study_options o = short_options(2, 12);
    const double theta[] = {2, 8}, results[] = {0.5, 0.4, 0.6}, other[] = {0.1, 0.2, 0.3, 0.4};
    besd_recommendation r[2];
    besd_trial last[2];
    for (int reopened = 0; reopened < 2; reopened++) {
        besd_study *s = open_study(new_path(path[reopened]), &o);
        besd_result added = {.theta = theta, .tau = 30, .scores = results, .count = 3};
        for (int step = 0; step < 14; step++) {
            if (step == 3)
                assert_ok(besd_study_add(s, &added, 1, NULL, &error), &error);
            if (step == 6)
                assert_ok(besd_study_void(s, 2, NULL, &error), &error);
            if (step == 8)
                assert_ok(besd_study_enqueue(s, theta, 10, 2, NULL, NULL, &error), &error);
            if (step == 10)
                assert_ok(besd_study_replace(s, 5,
                                             &(besd_outcome){.scores = other,
                                                             .count = (size_t)get_trial(s, 5).reps},
                                             NULL, &error),
                          &error);
            if (step == 12)
                assert_ok(besd_study_restore(s, 2, &error), &error);
            if (reopened) {
                besd_study_close(s);
                s = open_study(path[1], step % 2 ? NULL : &o);
            }
            last[reopened] = ask(s);
            answer(s, &last[reopened]);
        }
        r[reopened] = recommend(s);
        besd_study_close(s);
    }
    assert_same_trial(&last[0], &last[1]);
    assert_true(same_recommendation(&r[0], &r[1]));
}

/* What was told before a replacement comes out of the file again. */
static void test_damaged_details(void **state) {
    (void)state;
    const char *const damage[] = {
        "UPDATE event SET detail = '' WHERE what = 'replaced'",
        "UPDATE event SET detail = 'no JSON' WHERE what = 'replaced'",
        "UPDATE event SET detail = '[]' WHERE what = 'replaced'",
        "UPDATE event SET detail = replace(detail, '\"count\":2', '\"count\":3')",
        "UPDATE event SET detail = replace(detail, '\"count\":2', '\"count\":-2')",
        "UPDATE event SET detail = replace(detail, '\"count\":2', '\"count\":5000')",
        "UPDATE event SET detail = json_set(detail, '$.cost', -1.0) WHERE what = 'replaced'",
        "UPDATE event SET detail = json_set(detail, '$.cost', 1e301) WHERE what = 'replaced'",
        "UPDATE event SET detail = json_set(detail, '$.model_mean', 1e200) WHERE what = 'replaced'",
        "UPDATE event SET detail = json_set(detail, '$.within', -0.5) WHERE what = 'replaced'",
        "UPDATE event SET detail = json_set(detail, '$.scores[0]', '1') WHERE what = 'replaced'",
        "UPDATE event SET detail = json_set(detail, '$.scores', 'x') WHERE what = 'replaced'",
        "UPDATE event SET detail = json_set(detail, '$.legs', json('[1]')) WHERE what = 'replaced'",
        "UPDATE event SET detail = json_set(detail, '$.legs', 4) WHERE what = 'replaced'",
        "UPDATE event SET detail = CAST(x'7bff7d' AS TEXT) WHERE what = 'replaced'",
    };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        char path[PATH_SIZE];
        const double other[] = {1, 2};
        besd_study *s = told_study(path, 2);
        assert_ok(
            besd_study_replace(s, 1, &(besd_outcome){.scores = other, .count = 2}, NULL, &error),
            &error);
        besd_trial before = get_trial(s, 1);
        sql(path, damage[i]);
        besd_status status = besd_study_restore(s, 1, &error);
        if (status != BESD_IO || !strstr(error.message, path))
            fail_msg("%s: got %s, %s", damage[i], besd_status_name(status), error.message);
        besd_trial after = get_trial(s, 1); /* and nothing has changed */
        assert_memory_equal(&after, &before, sizeof after);
        recommend(s);
        besd_study_close(s);
    }
}

static void test_damaged_acts(void **state) {
    (void)state;
    const struct {
        const char *sql;
        besd_status restored;
    } cases[] = {
        /* undone by themselves, by each other, by nothing: no loop, no endless undoing */
        {"UPDATE event SET undoes = id", BESD_INVALID},
        {"UPDATE event SET undoes = 9223372036854775807 WHERE what = 'replaced'", BESD_OK},
        {"UPDATE event SET undoes = -1", BESD_OK},
        {"DELETE FROM event", BESD_INVALID},
        {"UPDATE legs SET value = zeroblob(16)", BESD_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[PATH_SIZE];
        const double other[] = {1, 2};
        besd_study *s = told_study(path, 2);
        assert_ok(
            besd_study_replace(s, 1, &(besd_outcome){.scores = other, .count = 2}, NULL, &error),
            &error);
        sql(path, cases[i].sql);
        assert_int_equal(besd_study_restore(s, 1, &error), cases[i].restored);
        besd_study_close(s);
    }
    char path[PATH_SIZE];
    besd_trial t;
    besd_study *s = told_study(path, 2);
    assert_ok(besd_study_void(s, 1, NULL, &error), &error);
    sql(path, "UPDATE trial SET mean = NULL WHERE id = 1"); /* voided ones are told ones */
    assert_fails(besd_study_restore(s, 1, &error), BESD_IO, &error, "trial 1 is damaged");
    sql(path, "UPDATE trial SET state = 2, reason = 13, reps = 7 WHERE id = 1");
    assert_fails(besd_study_ask(s, &(besd_ask){.again = &(int64_t){1}}, &t, &error), BESD_IO,
                 &error, "trial 1 is damaged");
    sql(path, "UPDATE trial SET state = 0 WHERE id = 1");
    const double seven[7] = {0};
    assert_fails(besd_study_tell(s, 1, &(besd_outcome){.scores = seven, .count = 7}, &error),
                 BESD_IO, &error, "trial 1 is damaged");
    besd_study_close(s);
}

static void test_budget(void **state) {
    (void)state;
    char path[PATH_SIZE];
    event_words w = {0};
    besd_trial t;
    besd_study *s = told_study(path, 3);
    const double wrong[] = {-1, NAN, -INFINITY, 1e301};
    for (size_t i = 0; i < 4; i++)
        assert_fails(besd_study_set_budget(s, wrong[i], &error), BESD_INVALID, &error,
                     "budget: expected a number from 0 to 1e300, or infinity, got");
    const int64_t before = newest_event(s);
    assert_ok(besd_study_set_budget(s, 1000, &error), &error);
    assert_true(besd_study_get_options(s)->budget == 1000);
    assert_ok(besd_study_set_budget(s, 10, &error), &error);
    besd_study *other = open_study(path, NULL);
    assert_true(besd_study_get_options(other)->budget == 10);
    assert_fails(besd_study_ask(other, NULL, &t, &error), BESD_DONE, &error,
                 "the budget of 10 is spent");
    assert_ok(besd_study_set_budget(s, INFINITY, &error), &error);
    assert_ok(besd_study_ask(other, NULL, &t, &error), &error);
    assert_string_equal(events_after(s, before, &w), "budget 0, budget 0, budget 0, asked 4");
    besd_study_close(other);
    besd_study_close(s);
}

static void test_tags(void **state) {
    (void)state;
    char path[PATH_SIZE], tags[BESD_MAX_TAGS], tag[BESD_MAX_NAME + 1];
    event_words w = {0};
    besd_study *s = told_study(path, 1);
    const int64_t before = newest_event(s);
    memset(tag, 'x', sizeof tag);
    tag[BESD_MAX_NAME] = 0;
    const char *const wrong[] = {"", "a,b", "\xff", tag};
    for (size_t i = 0; i < 4; i++)
        assert_fails(besd_study_tag(s, 1, wrong[i], true, &error), BESD_INVALID, &error,
                     "tag: expected a word of 1 to 63 bytes without commas, got");
    assert_fails(besd_study_tag(s, 2, "wet", true, &error), BESD_UNKNOWN, &error, "no trial 2");
    assert_fails(besd_study_tags(s, 2, tags, sizeof tags, &error), BESD_UNKNOWN, &error,
                 "no trial 2");
    assert_ok(besd_study_tags(s, 1, tags, sizeof tags, &error), &error);
    assert_string_equal(tags, "");
    assert_ok(besd_study_tag(s, 1, "wet", true, &error), &error);
    assert_ok(besd_study_tag(s, 1, "dry run", true, &error), &error);
    assert_ok(besd_study_tag(s, 1, "wet", true, &error), &error);
    assert_ok(besd_study_tags(s, 1, tags, sizeof tags, &error), &error);
    assert_string_equal(tags, "dry run,wet");
    assert_ok(besd_study_tag(s, 1, "wet", false, &error), &error);
    assert_ok(besd_study_tags(s, 1, tags, sizeof tags, &error), &error);
    assert_string_equal(tags, "dry run");
    assert_string_equal(events_after(s, before, &w), "tagged 1, tagged 1, tagged 1, untagged 1");
    besd_status status = BESD_OK; /* all of them can be read */
    for (int i = 0; status == BESD_OK; i++) {
        snprintf(tag, sizeof tag, "%060d", i);
        status = besd_study_tag(s, 1, tag, true, &error);
        assert_true(i < 20);
    }
    assert_int_equal(status, BESD_INVALID);
    assert_non_null(strstr(error.message, "take one off first"));
    assert_ok(besd_study_tags(s, 1, tags, sizeof tags, &error), &error);
    assert_true(strlen(tags) > 900);
    const char *const damage[] = {
        "UPDATE tag SET name = CAST(x'ff' AS TEXT) WHERE name = 'dry run'",
        "INSERT INTO tag VALUES(1, printf('%.2000c', 'y'))"};
    for (size_t i = 0; i < 2; i++) {
        sql(path, damage[i]);
        assert_fails(besd_study_tags(s, 1, tags, sizeof tags, &error), BESD_IO, &error,
                     "tags of trial 1 is damaged");
        sql(path, "DELETE FROM tag");
    }
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_void),
        cmocka_unit_test(test_void_is_as_if_never),
        cmocka_unit_test(test_replace),
        cmocka_unit_test(test_replaced_and_voided),
        cmocka_unit_test(test_restored_legs),
        cmocka_unit_test(test_restored_summary),
        cmocka_unit_test(test_leg_memory),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_all_voided),
        cmocka_unit_test(test_stale_fit),
        cmocka_unit_test(test_fit_memory),
        cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_damaged_details),
        cmocka_unit_test(test_damaged_acts),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_tags),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
