/* The loop of all runs: what is trained, in which order, what becomes of failures, and what runs of
 * one study do for each other. The oracle is asking and telling by hand. */
#include "study_fixture.h"

#include "besd/run.h"

#include <math.h>
#include <string.h>

static besd_error error;

enum { BUDGET = 1200 };

/* A trainer whose every move the test decides. */
typedef struct player {
    besd_study *study;
    double scores[BESD_MAX_REPS];
    int64_t trained[400]; /* trials, one after the other */
    size_t count;
    int fails_of[400];       /* so many trainings of the n-th trial fail */
    bool fails_always, free; /* every training fails; costs nothing */
    int64_t events[8];       /* by kind */
    int64_t interrupt_after; /* trainings; 0: never */
    char why[BESD_ERROR_MESSAGE_SIZE];
} player;

static besd_status play(void *context, const besd_trial *t, besd_training *training,
                        besd_error *out) {
    player *p = context;
    (void)out;
    assert_true(p->count < 400);
    p->trained[p->count++] = t->id;
    static const double nothing = 0;
    if (p->free)
        training->outcome.cost = &nothing;
    if (p->fails_always || p->fails_of[t->id] > 0) {
        p->fails_of[t->id]--;
        training->end = BESD_TRAINING_FAILED;
        training->note = "the battery was low";
        return BESD_OK;
    }
    train(t, 2, p->scores);
    training->outcome.scores = p->scores;
    training->outcome.count = (size_t)t->reps;
    training->note = "fine";
    return BESD_OK;
}

static besd_status hear(void *context, const besd_run_event *e, besd_error *out) {
    player *p = context;
    (void)out;
    p->events[e->kind]++;
    if (e->kind == BESD_RUN_FAILS)
        snprintf(p->why, sizeof p->why, "%s", e->why);
    return BESD_OK;
}

static bool interrupted(void *context) {
    const player *p = context;
    return p->interrupt_after && (int64_t)p->count >= p->interrupt_after;
}

static besd_run_options listening(player *p) {
    besd_run_options o = besd_run_options_default();
    o.hear = hear;
    o.interrupted = interrupted;
    o.context = p;
    return o;
}

static besd_run_result run_it(besd_study *s, player *p, const besd_run_options *o) {
    besd_callback callback = {.train = play, .context = p};
    besd_trainer trainer = besd_callback_trainer(&callback);
    besd_run_result result;
    p->study = s;
    assert_ok(besd_study_run(s, &trainer, o, &result, &error), &error);
    return result;
}

static besd_study_options with_budget(double budget) {
    besd_study_options o = small_options(2, 5);
    o.budget = budget;
    return o;
}

static besd_trial get(besd_study *s, int64_t id) {
    besd_trial t;
    assert_ok(besd_study_trial(s, id, &t, &error), &error);
    return t;
}

static int64_t count_trials(besd_study *s) {
    int64_t count;
    assert_ok(besd_study_trial_count(s, &count, &error), &error);
    return count;
}

/* The same trials, scores and end as asking and telling by hand. */
static void test_same_as_by_hand(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    besd_study *by_hand = new_study(&o), *by_run = new_study(&o);
    besd_trial t;
    player p = {0};
    while (besd_study_ask(by_hand, NULL, &t, &error) == BESD_OK)
        answer(by_hand, &t);
    char why[BESD_ERROR_MESSAGE_SIZE];
    snprintf(why, sizeof why, "%s", error.message);
    besd_run_options options = listening(&p);
    besd_run_result r = run_it(by_run, &p, &options);
    assert_int_equal(r.end, BESD_RUN_DONE);
    assert_string_equal(r.why, why);
    int64_t count = count_trials(by_hand);
    assert_true(count > 5);
    assert_int_equal(count_trials(by_run), count);
    assert_true(r.told == count && r.failed == 0);
    assert_true(p.events[BESD_RUN_BEGINS] == count && p.events[BESD_RUN_TELLS] == count);
    for (int64_t id = 1; id <= count; id++) {
        besd_trial a = get(by_hand, id), b = get(by_run, id);
        char note[32];
        assert_same_trial(&a, &b);
        assert_true(a.mean == b.mean && b.state == BESD_TRIAL_TOLD);
        assert_ok(besd_study_get_trial_note(by_run, id, note, sizeof note, &error), &error);
        assert_string_equal(note, "fine");
    }
    besd_study_close(by_hand);
    besd_study_close(by_run);
}

/* A trial is trained `retries` times more, and then is on record as failed with its reason. */
static void test_retries(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    besd_study *s = new_study(&o);
    player p = {.fails_of = {[2] = 2, [4] = 3}};
    besd_run_options options = listening(&p);
    options.retries = 2;
    besd_run_result r = run_it(s, &p, &options);
    assert_int_equal(r.end, BESD_RUN_DONE);
    assert_int_equal(get(s, 2).state, BESD_TRIAL_TOLD);
    assert_int_equal(get(s, 4).state, BESD_TRIAL_FAILED);
    int64_t second = 0, fourth = 0;
    for (size_t i = 0; i < p.count; i++) {
        second += p.trained[i] == 2;
        fourth += p.trained[i] == 4;
    }
    assert_true(second == 3 && fourth == 3);
    assert_true(r.failed == 1 && p.events[BESD_RUN_FAILS] == 5);
    char note[64];
    assert_ok(besd_study_get_trial_note(s, 4, note, sizeof note, &error), &error);
    assert_string_equal(note, "the battery was low");
    besd_study_close(s);
}

/* Three failures in a row besides one per place end a run; a success between them does not let it
 * come to that. */
static void test_hopeless(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    besd_study *s = new_study(&o);
    player p = {.fails_of = {[1] = 1, [2] = 1, [3] = 1, [5] = 1, [6] = 1, [7] = 1}};
    besd_run_options options = listening(&p);
    besd_run_result r = run_it(s, &p, &options);
    assert_int_equal(r.end, BESD_RUN_DONE);
    assert_int_equal(r.failed, 6);
    besd_study_close(s);

    s = new_study(&o);
    p = (player){.fails_always = true};
    r = run_it(s, &p, &options);
    assert_int_equal(r.end, BESD_RUN_HOPELESS);
    assert_true(r.failed == 4 && r.failed_in_a_row == 4 && r.told == 0);
    assert_string_equal(r.why, "the battery was low");
    besd_study_close(s);

    s = new_study(&o);
    p = (player){.fails_always = true};
    options.most_failures = 2;
    r = run_it(s, &p, &options);
    assert_true(r.end == BESD_RUN_HOPELESS && r.failed == 2);
    besd_study_close(s);
}

/* The same reason again and again, before anything was told, is a mistake in the trainer. The
 * number of the trial makes no other reason of it. */
static void test_mistakes(void **state) {
    (void)state;
    static const struct {
        const char *reasons[4];
        bool told_first;
        int64_t hopeless_after; /* 0: not */
    } cases[] = {{{"trial 1 is bad", "trial 12 is bad", "x", "x"}, false, 2},
                 {{"a", "b", "a", "b"}, false, 0},
                 {{"a", "b", "b", "a"}, false, 3},
                 {{"trial 1 is bad", "trial 2 is worse", "a", "trial"}, false, 0},
                 {{"a", "a", "a", "a"}, true, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study_options o = with_budget(BUDGET);
        besd_study *s = open_study(NULL, &o);
        besd_run_options options = besd_run_options_default();
        besd_run *run;
        besd_trial t;
        besd_run_verdict verdict;
        besd_run_result now;
        double scores[BESD_MAX_REPS];
        int64_t hopeless = 0;
        options.most_alike = 2;
        options.most_failures = 10;
        assert_ok(besd_run_open(&run, s, &options, &error), &error);
        if (cases[i].told_first) {
            assert_ok(besd_run_next(run, &t, NULL, &error), &error);
            train(&t, 2, scores);
            besd_training done = {.trial = t.id,
                                  .outcome = {.scores = scores, .count = (size_t)t.reps}};
            assert_ok(besd_run_settle(run, &done, &verdict, &error), &error);
        }
        for (int k = 0; k < 4 && !hopeless; k++) {
            assert_ok(besd_run_next(run, &t, NULL, &error), &error);
            besd_training done = {
                .trial = t.id, .end = BESD_TRAINING_FAILED, .note = cases[i].reasons[k]};
            assert_ok(besd_run_settle(run, &done, &verdict, &error), &error);
            besd_run_look(run, 1, &now);
            assert_string_equal(now.why, cases[i].reasons[k]);
            hopeless = now.end == BESD_RUN_HOPELESS ? k + 1 : 0;
        }
        assert_int_equal(hopeless, cases[i].hopeless_after);
        besd_run_close(run);
        besd_study_close(s);
    }
}

/* Trials that cost nothing would never end the budget; planned costs are not nothing. */
static void test_endless(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    o.method = BESD_METHOD_RANDOM;
    besd_study *s = new_study(&o);
    player p = {.free = true};
    besd_run_options options = listening(&p);
    besd_run_result r = run_it(s, &p, &options);
    assert_int_equal(r.end, BESD_RUN_ENDLESS);
    assert_int_equal(r.told, BESD_RUN_MOST_FREE);
    besd_study_close(s);
    o.budget = 120.0 * (BESD_RUN_MOST_FREE + 20);
    s = new_study(&o);
    p = (player){0};
    r = run_it(s, &p, &options);
    assert_int_equal(r.end, BESD_RUN_DONE);
    assert_true(r.told > BESD_RUN_MOST_FREE);
    besd_study_close(s);
}

static void test_enough_and_interrupted(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    besd_study *s = new_study(&o);
    player p = {0};
    besd_run_options options = listening(&p);
    options.most_trials = 3;
    besd_run_result r = run_it(s, &p, &options);
    assert_true(r.end == BESD_RUN_ENOUGH && r.told == 3 && count_trials(s) == 3);
    options.most_trials = 0;
    p = (player){.interrupt_after = 2};
    r = run_it(s, &p, &options);
    assert_true(r.end == BESD_RUN_INTERRUPTED && r.told == 2 && count_trials(s) == 5);
    assert_int_equal(get(s, 5).state, BESD_TRIAL_TOLD); /* what is trained is told */
    besd_study_close(s);
}

/* What was asked and never told is trained first, but for what others have asked for: by name, or
 * with a lease that has not ended. */
static void test_left_overs(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    besd_study *s = new_study(&o);
    besd_trial t;
    player p = {0};
    besd_run_options options = listening(&p);
    ask(s);
    assert_ok(besd_study_ask(s, &(besd_ask){.worker = "robot 3"}, &t, &error), &error);
    assert_ok(besd_study_ask(s, &(besd_ask){.lease = &(double){3600}}, &t, &error), &error);
    assert_ok(besd_study_ask(s, &(besd_ask){.worker = "me"}, &t, &error), &error);
    options.worker = "me";
    run_it(s, &p, &options);
    assert_true(p.trained[0] == 1 && p.trained[1] == 4 && p.trained[2] == 5);
    assert_int_equal(get(s, 2).state, BESD_TRIAL_ASKED);
    assert_int_equal(get(s, 3).state, BESD_TRIAL_ASKED);
    besd_study_close(s);

    s = new_study(&o);
    p = (player){0};
    ask(s);
    options.leave_old = true;
    run_it(s, &p, &options);
    assert_int_equal(p.trained[0], 2);
    besd_study_close(s);
}

/* Somebody tells or voids the trial while it is trained: that stays. */
static besd_status tell_twice(void *context, const besd_trial *t, besd_training *training,
                              besd_error *out) {
    player *p = context;
    if (t->id == 2) {
        besd_trial other = *t;
        other.seed++;
        answer(p->study, &other);
    }
    if (t->id == 3)
        assert_ok(besd_study_fail(p->study, 3, &(double){0}, "too early", &error), &error);
    return play(context, t, training, out);
}

static void test_somebody_else_tells(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    besd_study *s = new_study(&o);
    player p = {.study = s};
    besd_run_options options = listening(&p);
    besd_callback callback = {.train = tell_twice, .context = &p};
    besd_trainer trainer = besd_callback_trainer(&callback);
    besd_run_result result;
    besd_trial t, other;
    double scores[BESD_MAX_REPS], kept[BESD_MAX_REPS];
    size_t count;
    assert_ok(besd_study_run(s, &trainer, &options, &result, &error), &error);
    assert_int_equal(p.events[BESD_RUN_KEEPS], 1);
    other = t = get(s, 2);
    other.seed++;
    train(&other, 2, scores);
    assert_ok(besd_study_scores(s, 2, kept, BESD_MAX_REPS, &count, &error), &error);
    assert_memory_equal(kept, scores, count * sizeof *kept);
    assert_int_equal(get(s, 3).state, BESD_TRIAL_TOLD); /* scores are more than a failure */
    assert_int_equal(result.told, count_trials(s) - 1);
    besd_study_close(s);
}

/* Claims: one run at a time has a trial, in a file as in memory; the last one removes the file. */
static void check_claims(besd_study *s, besd_study *again) {
    besd_claims *a, *b;
    assert_ok(besd_claims_open(&a, s, &error), &error);
    assert_ok(besd_claims_open(&b, again, &error), &error);
    assert_true(besd_claims_take(a, 7));
    assert_true(besd_claims_take(a, 7));
    assert_false(besd_claims_take(b, 7));
    assert_true(besd_claims_take(b, 8));
    besd_claims_leave(a, 7);
    assert_true(besd_claims_take(b, 7));
    besd_claims_close(b);
    assert_true(besd_claims_take(a, 7) && besd_claims_take(a, 8));
    besd_claims_close(a);
}

static void test_claims(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    besd_study *s = open_study(NULL, &o);
    check_claims(s, s);
    besd_study_close(s);
    char path[PATH_SIZE], claims[PATH_SIZE + 8];
    s = open_study(new_path(path), &o);
    besd_study *again = open_study(path, NULL);
    check_claims(s, again);
    snprintf(claims, sizeof claims, "%s-run", path);
    assert_int_equal(access(claims, F_OK), -1);
    besd_study_close(s);
    besd_study_close(again);
}

/* Another run has the last trial. This one waits; when the other one leaves without a word, the
 * trial is trained here. */
typedef struct other_run {
    besd_run *run;
    int64_t trial, waited;
    player *player;
} other_run;

static besd_status hear_other(void *context, const besd_run_event *e, besd_error *out) {
    other_run *o = context;
    if (e->kind == BESD_RUN_WAITS) {
        o->waited++;
        assert_int_equal(e->others, 1);
        besd_run_give_back(o->run, o->trial);
    }
    return hear(o->player, e, out);
}

static void test_waits_for_others(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    char path[PATH_SIZE];
    besd_study *s = open_study(new_path(path), &o), *elsewhere = open_study(path, NULL);
    besd_trial t;
    player p = {0};
    other_run other = {.player = &p};
    int64_t others;
    assert_ok(besd_run_open(&other.run, elsewhere, NULL, &error), &error);
    assert_ok(besd_run_next(other.run, &t, &others, &error), &error);
    assert_int_equal(others, 0);
    other.trial = t.id;
    besd_callback callback = {.train = play, .context = &p};
    besd_trainer trainer = besd_callback_trainer(&callback);
    besd_run_options options = besd_run_options_default();
    besd_run_result result;
    options.hear = hear_other;
    options.context = &other;
    assert_ok(besd_study_run(s, &trainer, &options, &result, &error), &error);
    assert_true(other.waited == 1 && result.end == BESD_RUN_DONE);
    assert_int_equal(p.trained[p.count - 1], t.id);
    assert_true(p.count > 3 && p.trained[0] != t.id);
    besd_run_close(other.run);
    besd_study_close(s);
    besd_study_close(elsewhere);
}

/* The steps of a loop of one's own: what is given is settled once. */
static void test_steps(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    besd_study *s = open_study(NULL, &o);
    besd_run *a, *b;
    besd_trial first, second;
    besd_run_verdict verdict;
    besd_run_result now;
    double scores[BESD_MAX_REPS];
    besd_run_options options = besd_run_options_default();
    options.retries = 1;
    assert_ok(besd_run_open(&a, s, &options, &error), &error);
    assert_ok(besd_run_open(&b, s, NULL, &error), &error);
    assert_ok(besd_run_next(a, &first, NULL, &error), &error);
    assert_ok(besd_run_next(b, &second, NULL, &error), &error);
    assert_int_not_equal(first.id, second.id);
    besd_training done = {.trial = first.id, .end = BESD_TRAINING_FAILED};
    assert_fails(besd_run_settle(b, &done, &verdict, &error), BESD_INVALID, &error, "under way");
    assert_ok(besd_run_settle(a, &done, &verdict, &error), &error);
    assert_int_equal(verdict, BESD_RUN_AGAIN);
    done.end = BESD_TRAINING_LOST;
    assert_ok(besd_run_settle(a, &done, &verdict, &error), &error);
    assert_int_equal(verdict, BESD_RUN_LOST);
    assert_ok(besd_run_next(b, &second, NULL, &error), &error); /* which is anybody's */
    assert_int_equal(second.id, first.id);
    train(&first, 2, scores);
    done = (besd_training){.trial = first.id,
                           .outcome = {.scores = scores, .count = (size_t)first.reps}};
    assert_ok(besd_run_settle(b, &done, &verdict, &error), &error);
    assert_int_equal(verdict, BESD_RUN_TOLD);
    done.trial = 2;
    scores[0] = NAN; /* not fit to be told: a failure of the trainer */
    assert_ok(besd_run_settle(b, &done, &verdict, &error), &error);
    assert_int_equal(verdict, BESD_RUN_FAILED);
    besd_run_look(b, 1, &now);
    assert_true(now.told == 1 && now.failed == 1 && now.end == BESD_RUN_DONE);
    besd_run_close(a);
    besd_run_close(b);
    besd_study_close(s);
}

/* Options of a program that was built against a larger struct are refused. */
static void test_newer_options(void **state) {
    (void)state;
    besd_study_options o = with_budget(BUDGET);
    besd_study *s = open_study(NULL, &o);
    besd_run_options options = besd_run_options_default();
    besd_run *run;
    options.size = sizeof options + 8;
    assert_fails(besd_run_open(&run, s, &options, &error), BESD_INVALID, &error, "newer");
    assert_null(run);
    besd_study_close(s);
}

/* A command as a trainer: two side by side, one that fails now and then. */
static void test_command(void **state) {
    (void)state;
    besd_study_options o = with_budget(600);
    besd_study *s = new_study(&o);
    besd_command command = {
        .text = "python3 -c 'import json, sys; t = json.load(sys.stdin); "
                "sys.exit(3) if t[\"trial\"] == 2 else "
                "print(json.dumps({\"scores\": [t[\"theta_array\"][0]] * t[\"reps\"], "
                "\"cost\": 50, \"note\": \"seed %d\" % t[\"seed32\"]}))'",
        .places = 2};
    besd_trainer trainer;
    besd_run_result result;
    char note[64];
    assert_ok(besd_command_trainer_open(&trainer, &command, &error), &error);
    assert_int_equal(trainer.room(trainer.context), 2);
    assert_ok(besd_study_run(s, &trainer, NULL, &result, &error), &error);
    besd_command_trainer_close(&trainer);
    besd_command_trainer_close(&trainer);
    assert_int_equal(result.end, BESD_RUN_DONE);
    assert_true(result.failed == 1 && get(s, 2).state == BESD_TRIAL_FAILED);
    besd_trial t = get(s, 1);
    assert_true(t.cost == 50 && fabs(t.mean - t.theta[0]) < 1e-9);
    assert_ok(besd_study_get_trial_note(s, 1, note, sizeof note, &error), &error);
    assert_non_null(strstr(note, "seed "));
    command.places = 1000;
    assert_fails(besd_command_trainer_open(&trainer, &command, &error), BESD_INVALID, &error,
                 "places");
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_by_hand), cmocka_unit_test(test_retries),
        cmocka_unit_test(test_hopeless),        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_endless),         cmocka_unit_test(test_enough_and_interrupted),
        cmocka_unit_test(test_left_overs),      cmocka_unit_test(test_somebody_else_tells),
        cmocka_unit_test(test_claims),          cmocka_unit_test(test_waits_for_others),
        cmocka_unit_test(test_steps),           cmocka_unit_test(test_newer_options),
        cmocka_unit_test(test_command),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
