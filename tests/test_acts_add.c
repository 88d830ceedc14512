/* Results from elsewhere: checked one by one, all or none, seen by model and recommendation of
 * every method, and in the place of the initial design. */
#include "acts_fixture.h"

static besd_error error;

/* So many results at random designs, by the trainer. */
typedef struct results {
    besd_result items[40];
    double theta[40][2], scores[40][4];
} results;

static void make_results(results *r, size_t count) {
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (size_t i = 0; i < count; i++) {
        besd_trial t = {.tau = i % 2 ? 10 : 30, .reps = 1 + (int)i % 3, .seed = i + 1};
        for (size_t k = 0; k < 2; k++)
            t.theta[k] = r->theta[i][k] = rng_between(&stream, 0, 10);
        train(&t, 2, r->scores[i]);
        r->items[i] = (besd_result){
            .theta = r->theta[i], .tau = t.tau, .scores = r->scores[i], .count = (size_t)t.reps};
    }
}

static void test_added(void **state) {
    (void)state;
    char path[PATH_SIZE], note[32];
    results r;
    event_words w = {0};
    besd_study_options o = short_options(2, 1);
    o.budget = 300;
    besd_study *s = open_study(new_path(path), &o);
    make_results(&r, 10);
    r.items[4].note = "from the old arena";
    r.items[5].cost = 17;
    run_trials(s, 1, NULL);
    const double before = spent(s);
    int64_t first = 0;
    assert_ok(besd_study_set_who(s, "ada", &error), &error);
    assert_ok(besd_study_add(s, r.items, 10, &first, &error), &error);
    assert_int_equal(first, 2);
    assert_int_equal(trial_count(s), 11);
    for (int i = 0; i < 10; i++) {
        besd_trial t = get_trial(s, 2 + i);
        double scores[4];
        size_t count;
        assert_int_equal(t.state, BESD_TRIAL_TOLD);
        assert_int_equal(t.reason, BESD_REASON_ADDED);
        assert_int_equal(t.reps, 1 + i % 3); /* any number of them */
        assert_true(same_numbers(t.theta, r.theta[i], 2));
        assert_ok(besd_study_scores(s, t.id, scores, 4, &count, &error), &error);
        assert_int_equal(count, t.reps);
        assert_true(same_numbers(scores, r.scores[i], count));
        assert_true(work_of(s, t.id).ended > 0); /* it is not under way */
        assert_true(t.seed > 0 && t.seed < (1ull << 53));
    }
    assert_true(spent(s) == before + 17);
    assert_ok(besd_study_get_trial_note(s, 6, note, sizeof note, &error), &error);
    assert_string_equal(note, "from the old arena");
    assert_int_equal(recommend(s).trials, 11);
    assert_string_equal(events_after(s, 9, &w), "added 9 by ada, added 10 by ada, added 11 by ada");
    besd_study_close(s);
}

/* Earlier results are the initial design, or a part of it; voided they are not. */
static void test_instead_of_initial(void **state) {
    (void)state;
    for (size_t count = 0; count <= 5; count++) {
        results r;
        besd_study_options o = short_options(2, 2); /* four trials */
        besd_study *s = new_study(&o);
        make_results(&r, 5);
        if (count)
            assert_ok(besd_study_add(s, r.items, count, NULL, &error), &error);
        size_t initial = 0;
        for (besd_trial t = ask(s); t.reason == BESD_REASON_INITIAL; t = ask(s)) {
            answer(s, &t);
            initial++;
        }
        assert_int_equal(initial, count < 4 ? 4 - count : 0);
        besd_study_close(s);
    }
    results r;
    besd_study_options o = short_options(2, 2);
    besd_study *s = new_study(&o);
    make_results(&r, 4);
    assert_ok(besd_study_add(s, r.items, 4, NULL, &error), &error);
    assert_ok(besd_study_void(s, 1, NULL, &error), &error);
    assert_int_equal(ask(s).reason, BESD_REASON_INITIAL);
    assert_true(ask(s).reason != BESD_REASON_INITIAL);
    besd_study_close(s);
}

/* The best of all is recommended, by methods with a model and without, and wishes are among it. */
static void test_every_method(void **state) {
    (void)state;
    for (size_t m = 0; besd_method_name((besd_method)m); m++) {
        besd_study_options o = short_options(2, 3);
        o.method = (besd_method)m;
        besd_study *s = new_study(&o);
        results r;
        make_results(&r, 8);
        const double best[] = {1000, 1001}, poor[] = {-1000, -1001};
        r.items[6] =
            (besd_result){.theta = (double[]){3, 7}, .tau = 30, .scores = best, .count = 2};
        assert_ok(besd_study_add(s, r.items, 8, NULL, &error), &error);
        besd_recommendation b = recommend(s);
        assert_int_equal(b.trials, 8);
        assert_close(b.theta[0], 3, 1.5);
        assert_close(b.theta[1], 7, 1.5);
        int64_t wish;
        const double theta[] = {9, 9};
        assert_ok(besd_study_enqueue(s, theta, 0, 0, NULL, &wish, &error), &error);
        assert_ok(besd_study_void(s, 7, NULL, &error), &error);
        assert_true(recommend(s).value < 900); /* it is out of the recommendation */
        besd_trial t = ask(s);
        assert_int_equal(t.id, wish);
        assert_ok(besd_study_tell(s, wish,
                                  &(besd_outcome){.scores = (double[]){2000, 2001}, .count = 2},
                                  &error),
                  &error);
        b = recommend(s);
        assert_close(b.theta[0], 9, 1.5);
        assert_ok(
            besd_study_replace(s, wish, &(besd_outcome){.scores = poor, .count = 2}, NULL, &error),
            &error);
        assert_true(recommend(s).value < 900);
        run_trials(s, 6, NULL); /* brackets and designs go on */
        besd_study_close(s);
    }
}

/* Hyperband's order of designs does not see them. */
static void test_brackets(void **state) {
    (void)state;
    besd_trial plain[12], mixed;
    besd_study_options o = short_options(2, 4);
    o.method = BESD_METHOD_HYPERBAND;
    besd_study *s = new_study(&o);
    run_trials(s, 12, plain);
    besd_study_close(s);
    s = new_study(&o);
    results r;
    make_results(&r, 3);
    for (int i = 0; i < 12; i++) {
        if (i % 4 == 1)
            assert_ok(besd_study_add(s, &r.items[i / 4], 1, NULL, &error), &error);
        if (i == 6) {
            assert_ok(besd_study_enqueue(s, r.theta[0], 0, 0, NULL, NULL, &error), &error);
            run_trials(s, 1, NULL);
        }
        mixed = ask(s);
        assert_true(same_numbers(mixed.theta, plain[i].theta, 2));
        assert_int_equal(mixed.tau, plain[i].tau);
        double scores[4];
        mixed.seed = plain[i].seed; /* the same luck */
        train(&mixed, 2, scores);
        assert_ok(besd_study_tell(s, mixed.id,
                                  &(besd_outcome){.scores = scores, .count = (size_t)mixed.reps},
                                  &error),
                  &error);
    }
    besd_study_close(s);
}

static void test_refused(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(2, 5);
    o.transform = BESD_TRANSFORM_LOG;
    const double two[] = {1, 2}, bad[] = {1, NAN}, zero[] = {1, 0}, huge[] = {1e308, 1e308};
    const double out[] = {5, 10.5}, nowhere[] = {NAN, 5}, in[] = {0, 10};
    static const double many[BESD_MAX_REPS + 1];
    const besd_leg legs[2] = {{0}};
    const besd_result good = {.theta = in, .tau = 10, .scores = two, .count = 2};
    const struct {
        besd_result r;
        const char *sentence;
    } cases[] = {
        {{.theta = out, .tau = 10, .scores = two, .count = 2},
         "results[1]: theta[1]: expected theta1 between 0 and 10, got 10.5"},
        {{.theta = nowhere, .tau = 10, .scores = two, .count = 2},
         "results[1]: theta[0]: expected"},
        {{.theta = in, .tau = 11, .scores = two, .count = 2},
         "results[1]: tau: expected 10 or 30, got 11"},
        {{.theta = in, .tau = 10, .scores = two, .count = 0},
         "results[1]: scores: expected 1 to 4096 of them, got 0"},
        {{.theta = in, .tau = 10, .scores = many, .count = BESD_MAX_REPS + 1},
         "results[1]: scores: expected 1 to 4096 of them, got 4097"},
        {{.theta = in, .tau = 10, .scores = bad, .count = 2},
         "results[1]: scores[1]: expected a finite number"},
        {{.theta = in, .tau = 10, .scores = zero, .count = 2},
         "results[1]: scores[1]: expected a positive number"},
        {{.theta = in, .tau = 10, .scores = huge, .count = 2}, "results[1]: scores: their mean"},
        {{.theta = in, .tau = 10, .scores = two, .count = 2, .cost = -1},
         "results[1]: cost: expected a number from 0 to 1e300, got -1"},
        {{.theta = in, .tau = 10, .scores = two, .count = 2, .cost = NAN}, "results[1]: cost:"},
        {{.theta = in, .tau = 10, .scores = two, .count = 2, .legs = legs},
         "results[1]: legs: theta of this study is no path"},
    };
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 1, NULL);
    const int64_t before = newest_event(s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const besd_result both[] = {good, cases[i].r, good};
        int64_t first = -7;
        assert_fails(besd_study_add(s, both, 3, &first, &error), BESD_INVALID, &error,
                     cases[i].sentence);
        assert_int_equal(first, -7);
        assert_int_equal(trial_count(s), 1); /* none of them */
    }
    assert_fails(besd_study_add(s, NULL, 0, NULL, &error), BESD_INVALID, &error,
                 "results: expected at least one, got none");
    assert_int_equal(newest_event(s), before);
    besd_study_close(s);
}

static void test_refused_in_the_queue(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(2, 5);
    const double out[] = {5, 10.5}, in[] = {0, 10};
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 1, NULL);
    const int64_t before = newest_event(s);
    int64_t id = -7;
    assert_fails(besd_study_enqueue(s, out, 0, 0, NULL, &id, &error), BESD_INVALID, &error,
                 "theta[1]: expected theta1 between 0 and 10, got 10.5");
    assert_fails(besd_study_enqueue(s, in, 20, 0, NULL, &id, &error), BESD_INVALID, &error,
                 "tau: expected 10 or 30, got 20");
    assert_fails(besd_study_enqueue(s, in, -10, 0, NULL, &id, &error), BESD_INVALID, &error,
                 "tau: expected 10 or 30, got -10");
    assert_fails(besd_study_enqueue(s, in, 0, 3, NULL, &id, &error), BESD_INVALID, &error,
                 "reps: expected 2 or 4, got 3");
    assert_int_equal(id, -7);
    assert_int_equal(trial_count(s), 1);
    assert_int_equal(newest_event(s), before);
    besd_study_close(s);
}

/* The same results give the same model, whether asked for or added. */
static void test_seen_alike(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 6);
    o.mean_of_all = true;
    besd_study *asked = new_study(&o), *added = new_study(&o);
    besd_trial trials[8];
    run_trials(asked, 8, trials);
    for (int i = 0; i < 8; i++) {
        double scores[4];
        train(&trials[i], 2, scores);
        besd_result r = {.theta = trials[i].theta,
                         .tau = trials[i].tau,
                         .scores = scores,
                         .count = (size_t)trials[i].reps};
        assert_ok(besd_study_add(added, &r, 1, NULL, &error), &error);
    }
    double sd, other;
    assert_close(predict_at(asked, 2, 6, 30, &sd), predict_at(added, 2, 6, 30, &other), 0.05);
    assert_close(sd, other, 0.05);
    assert_true(spent(added) == 0);
    besd_study_close(asked);
    besd_study_close(added);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added),        cmocka_unit_test(test_instead_of_initial),
        cmocka_unit_test(test_every_method), cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_refused_in_the_queue),
        cmocka_unit_test(test_seen_alike),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
