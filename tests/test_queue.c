/* Leases and waiting trials: who gets which trial, when it goes to the next, and who is heard. */
#include "acts_fixture.h"

#include "core/clock.h"
#include "study/queue.h"

#include <signal.h>

#include <sys/wait.h>

static besd_error error;

static besd_study *open_new(char path[PATH_SIZE], uint64_t seed) {
    besd_study_options o = short_options(2, seed);
    return open_study(new_path(path), &o);
}

static void assert_same_work(const besd_trial *a, const besd_trial *b) {
    assert_same_trial(a, b);
    assert_true(a->seed == b->seed && a->tau == b->tau && a->reps == b->reps);
}

/* It goes to the next asker, whoever tells first is heard, and only once. */
static void test_expired(void **state) {
    (void)state;
    char path[PATH_SIZE];
    event_words w = {0};
    besd_study *s = open_new(path, 1);
    besd_trial first = ask_for(s, "robot1", 60), other = ask_for(s, "robot2", 60);
    assert_int_equal(first.id, 1);
    assert_int_equal(other.id, 2); /* theirs while the lease lasts */
    assert_string_equal(work_of(s, 1).worker, "robot1");
    assert_close(work_of(s, 1).until, clock_date() + 60, 5);
    age_leases(path, 61);
    besd_trial again = ask_for(s, "robot3", 60);
    assert_same_work(&again, &first);
    assert_string_equal(work_of(s, 1).worker, "robot3");
    assert_int_equal(get_trial(s, 1).state, BESD_TRIAL_ASKED);
    besd_trial second = ask_for(s, "robot3", 60), third = ask_for(s, "robot3", 60);
    assert_same_work(&second, &other);
    assert_int_equal(third.id, 3); /* both are given away again */
    const double late[] = {0.5, 0.25}, others[] = {0.5, 0.75};
    assert_ok(besd_study_tell(s, 1, &(besd_outcome){.scores = late, .count = 2}, &error),
              &error); /* robot1, late */
    assert_fails(besd_study_tell(s, 1, &(besd_outcome){.scores = others, .count = 2}, &error),
                 BESD_INVALID, &error, "has been told");
    assert_repeated(besd_study_tell(s, 1, &(besd_outcome){.scores = late, .count = 2}, &error),
                    &error);
    assert_true(get_trial(s, 1).mean == 0.375);
    assert_string_equal(
        events_after(s, 0, &w),
        "asked 1 by robot1, asked 2 by robot2, expired 1 by robot1, expired 2 by robot2, "
        "asked 1 by robot3, asked 2 by robot3, asked 3 by robot3, told 1");
    besd_study_close(s);
}

/* Somebody in no particular name takes an expired trial: it is theirs, for good. */
static void test_expired_to_nobody(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study *s = open_new(path, 1);
    besd_trial first = ask_for(s, "robot1", 60);
    age_leases(path, 61);
    besd_trial again = ask(s), next = ask(s);
    assert_same_work(&again, &first);
    assert_int_equal(next.id, 2);
    assert_string_equal(work_of(s, 1).worker, "");
    assert_true(isinf(work_of(s, 1).until));
    besd_study_close(s);
}

/* A lease without a name, and a name without a lease. */
static void test_halves(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study *s = open_new(path, 2);
    besd_trial nameless = ask_for(s, NULL, 10), endless = ask_for(s, "robot", INFINITY);
    age_leases(path, 1000000);
    besd_trial again = ask_for(s, "robot", 10), next = ask_for(s, "robot", 10);
    assert_same_work(&again, &nameless);
    assert_int_equal(next.id, 3);
    assert_true(isinf(work_of(s, endless.id).until));
    besd_study_close(s);
}

static void test_wrong_leases(void **state) {
    (void)state;
    char path[PATH_SIZE], longest[BESD_MAX_NAME + 1];
    const double wrong[] = {0, -0.0, -1, -INFINITY, NAN, 1.1e9, 1e300};
    besd_trial t;
    besd_study *s = open_new(path, 3);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(besd_study_ask(s, &(besd_ask){.worker = "robot", .lease = &(double){wrong[i]}},
                                    &t, &error),
                     BESD_INVALID, &error, "lease: expected seconds above 0, at most 1e+09, got");
        assert_fails(besd_study_renew(s, 1, "robot", &(double){wrong[i]}, &error), BESD_INVALID,
                     &error, "lease: expected");
    }
    memset(longest, 'x', sizeof longest);
    longest[BESD_MAX_NAME] = 0;
    const char *const names[] = {"", "\xff", longest};
    for (size_t i = 0; i < 3; i++)
        assert_fails(
            besd_study_ask(s, &(besd_ask){.worker = names[i], .lease = &(double){10}}, &t, &error),
            BESD_INVALID, &error, "worker: expected a name of UTF-8 from 1 to 63 bytes");
    assert_int_equal(trial_count(s), 0); /* and nothing was asked */
    assert_int_equal(newest_event(s), 0);
    longest[BESD_MAX_NAME - 1] = 0;
    ask_for(s, longest, 1e9);
    assert_string_equal(work_of(s, 1).worker, longest);
    besd_study_close(s);
}

static void test_renewing(void **state) {
    (void)state;
    char path[PATH_SIZE];
    event_words w = {0};
    besd_study *s = open_new(path, 4);
    ask_for(s, "robot", 60);
    age_leases(path, 50);
    assert_ok(besd_study_renew(s, 1, "robot", &(double){60}, &error), &error);
    assert_close(work_of(s, 1).until, clock_date() + 60, 5);
    age_leases(path, 50);
    assert_int_equal(ask_for(s, "other", 60).id, 2); /* it is still the robot's */
    const int64_t before = newest_event(s);
    assert_fails(besd_study_renew(s, 1, "other", &(double){60}, &error), BESD_INVALID, &error,
                 "trial 1: it is robot's, not other's");
    assert_fails(besd_study_renew(s, 1, NULL, &(double){60}, &error), BESD_INVALID, &error,
                 "not nobody's");
    assert_fails(besd_study_renew(s, 7, "robot", &(double){60}, &error), BESD_UNKNOWN, &error,
                 "no trial 7");
    age_leases(path, 20);
    assert_fails(besd_study_renew(s, 1, "robot", &(double){60}, &error), BESD_INVALID, &error,
                 "trial 1: the lease of 'robot' ended");
    assert_int_equal(newest_event(s), before);
    ask_for(s, "other", 60);
    assert_fails(besd_study_renew(s, 1, "robot", &(double){60}, &error), BESD_INVALID, &error,
                 "it is other's, not robot's");
    assert_ok(besd_study_renew(s, 1, "other", NULL, &error), &error);
    besd_trial t = get_trial(s, 1);
    answer(s, &t);
    assert_fails(besd_study_renew(s, 1, "other", &(double){60}, &error), BESD_INVALID, &error,
                 "trial 1 is told; there is no lease to renew");
    const double theta[] = {1, 2};
    int64_t wish;
    assert_ok(besd_study_enqueue(s, theta, 0, 0, NULL, &wish, &error), &error);
    assert_fails(besd_study_renew(s, wish, NULL, &(double){60}, &error), BESD_INVALID, &error,
                 "waits and was not given to anybody; ask for it first");
    assert_string_equal(events_after(s, before, &w),
                        "expired 1 by robot, asked 1 by other, renewed 1, told 1, enqueued 3");
    besd_study_close(s);
}

/* The clock was set back by an hour: a lease counts from now on, and ends. */
static void test_clock_set_back(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study *s = open_new(path, 5);
    besd_trial first = ask_for(s, "robot", 60);
    age_leases(path, -3600);
    assert_int_equal(ask_for(s, "other", 60).id, 2);
    assert_close(work_of(s, 1).until, clock_date() + 60, 5);
    age_leases(path, 61);
    besd_trial again = ask_for(s, "other", 60);
    assert_same_work(&again, &first);
    age_leases(path, -3600);
    assert_ok(besd_study_renew(s, 1, "other", &(double){60}, &error), &error);
    assert_close(work_of(s, 1).until, clock_date() + 60, 5);
    besd_study_close(s);
}

/* The date jumped while a lease ran, by so many seconds: the file remembers another date. */
static void jump(const char *path, int seconds) {
    char statement[200];
    snprintf(statement, sizeof statement,
             "UPDATE text SET value = substr(value, 1, 37) || (CAST(substr(value, 38) AS INTEGER) -"
             " %lld) WHERE key = 'clock'",
             1000LL * seconds);
    sql(path, statement);
    age_leases(path, seconds);
}

/* However the date jumps while the machine runs, a lease has the seconds that it was given. */
static void test_clock_jumps(void **state) {
    (void)state;
    static const int jumps[] = {7200, -7200, 100000000, 30, -30};
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        char path[PATH_SIZE];
        besd_study *s = open_new(path, 5);
        besd_trial first = ask_for(s, "robot", 60);
        jump(path, jumps[i]);
        assert_int_equal(ask_for(s, "other", 600).id, 2); /* the first one's lease runs */
        assert_close(work_of(s, 1).until, clock_date() + 60, 5);
        jump(path, jumps[i]);
        assert_ok(besd_study_renew(s, 1, "robot", &(double){50}, &error), &error);
        assert_close(work_of(s, 1).until, clock_date() + 50, 5);
        age_leases(path, 51); /* time that has passed */
        jump(path, jumps[i]);
        besd_trial again = ask_for(s, "other", 60);
        assert_same_work(&again, &first);
        sql(path, "UPDATE text SET value = 'damaged' WHERE key = 'clock'"); /* is forgotten */
        assert_ok(besd_study_renew(s, 1, "other", &(double){60}, &error), &error);
        besd_study_close(s);
    }
}

/* What waits comes first, in the order of its numbers. */
static void test_waiting_first(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_explanation why;
    besd_trial t;
    besd_study *s = open_new(path, 6);
    besd_trial leased = ask_for(s, "robot", 60);
    const double theta[] = {1, 2}, theta2[] = {3, 4};
    int64_t a, b;
    assert_ok(besd_study_enqueue(s, theta, 10, 4, "mine", &a, &error), &error);
    assert_ok(besd_study_enqueue(s, theta2, 0, 0, NULL, &b, &error), &error);
    assert_int_equal(get_trial(s, a).state, BESD_TRIAL_WAITING);
    age_leases(path, 61);
    besd_trial first = ask(s), second = ask(s);
    assert_same_work(&first, &leased);
    assert_int_equal(second.id, a);
    assert_true(same_numbers(second.theta, theta, 2));
    assert_int_equal(second.tau, 10);
    assert_int_equal(second.reps, 4);
    assert_int_equal(second.reason, BESD_REASON_ENQUEUED);
    assert_int_equal(second.state, BESD_TRIAL_ASKED);
    assert_ok(besd_study_ask(s, &(besd_ask){.explanation = &why}, &t, &error), &error);
    assert_int_equal(t.id, b);
    assert_int_equal(t.tau, 30); /* the largest */
    assert_int_equal(t.reps, 2); /* the fewest */
    assert_int_equal(why.lever_count, 0);
    assert_int_equal(ask(s).id, b + 1);
    besd_study_close(s);
}

/* Nobody has to wait for an asker that thinks: the lock of its turn is taken by somebody. */
static void test_not_in_turn(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study *s = open_new(path, 7);
    run_trials(s, 1, NULL);
    const double theta[] = {1, 2};
    assert_ok(besd_study_enqueue(s, theta, 0, 0, NULL, NULL, &error), &error);
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t holder = fork();
    if (holder == 0) { /* takes the turn and keeps it */
        turn_lock lock;
        turn_lock_take(&lock, path);
        if (write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    alarm(15); /* less than anybody waits for a turn */
    assert_int_equal(ask(s).id, 2);
    alarm(0);
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    besd_study_close(s);
}

/* A waiting trial was paid for when it was enqueued; an expired one when it was first asked. */
static void test_budget(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_trial t;
    besd_study_options o = short_options(2, 8);
    o.budget = 200;
    besd_study *s = open_study(new_path(path), &o);
    const double theta[] = {1, 2};
    int64_t id = -5;
    assert_ok(besd_study_enqueue(s, theta, 30, 4, NULL, NULL, &error), &error);
    assert_true(spent(s) == 120);
    const int64_t before = newest_event(s);
    assert_fails(besd_study_enqueue(s, theta, 30, 4, NULL, &id, &error), BESD_INVALID, &error,
                 "budget: the trial costs 120, and 80 are left; raise the budget first");
    assert_int_equal(id, -5);
    assert_int_equal(newest_event(s), before);
    assert_int_equal(trial_count(s), 1);
    ask_for(s, "robot", 60);
    assert_ok(besd_study_set_budget(s, 100, &error), &error);
    assert_fails(besd_study_ask(s, NULL, &t, &error), BESD_DONE, &error,
                 "the budget of 100 is spent");
    assert_int_equal(besd_study_stopped(s), BESD_STOP_BUDGET);
    age_leases(path, 61);
    assert_int_equal(ask(s).id, 1);
    assert_int_equal(besd_study_stopped(s), BESD_STOP_NONE);
    assert_true(spent(s) == 120);
    besd_study_close(s);
}

/* Eight processes ask at once for waiting, expired and new trials: each gets another. */
static void test_askers_at_once(void **state) {
    (void)state;
    enum { ASKERS = 8, EACH = 4 };
    char path[PATH_SIZE];
    besd_study_options o = small_options(2, 9);
    o.initial_designs = 100;
    besd_study *s = open_study(new_path(path), &o);
    const double theta[] = {1, 2};
    for (int i = 0; i < 5; i++)
        ask_for(s, "dead", 10);
    for (int i = 0; i < 5; i++)
        assert_ok(besd_study_enqueue(s, theta, 0, 0, NULL, NULL, &error), &error);
    age_leases(path, 11);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t askers[ASKERS];
    for (int i = 0; i < ASKERS; i++)
        if (!(askers[i] = fork())) {
            besd_study *own = NULL;
            char name[16];
            snprintf(name, sizeof name, "asker%d", i);
            besd_status status = besd_study_open(&own, path, NULL, NULL);
            for (int k = 0; status == BESD_OK && k < EACH; k++) {
                besd_trial t;
                status = besd_study_ask(own, &(besd_ask){.worker = name, .lease = &(double){1000}},
                                        &t, NULL);
                if (status == BESD_OK && write(ends[1], &t.id, sizeof t.id) != sizeof t.id)
                    status = BESD_IO;
            }
            _exit(status == BESD_OK ? 0 : 1);
        }
    int seen[ASKERS * EACH + 1] = {0};
    for (int i = 0; i < ASKERS; i++) {
        int status;
        assert_int_equal(waitpid(askers[i], &status, 0), askers[i]);
        assert_int_equal(status, 0);
    }
    for (int i = 0; i < ASKERS * EACH; i++) {
        int64_t id;
        assert_int_equal(read(ends[0], &id, sizeof id), sizeof id);
        assert_in_range(id, 1, ASKERS * EACH);
        assert_int_equal(seen[id]++, 0);
    }
    close(ends[0]);
    close(ends[1]);
    besd_study_close(s);
}

/* Files of others say anything of work; nothing of it is believed. */
static void test_damaged(void **state) {
    (void)state;
    const char *const damage[] = {"UPDATE work SET lease = -1",
                                  "UPDATE work SET lease = 0",
                                  "UPDATE work SET lease = -9e999",
                                  "UPDATE work SET since = 9e999",
                                  "UPDATE work SET since = -9e999",
                                  "UPDATE work SET worker = CAST(x'ff41' AS TEXT)",
                                  "UPDATE work SET worker = CAST(x'410042' AS TEXT)",
                                  "UPDATE work SET worker = printf('%.70c', 'x')",
                                  "UPDATE work SET worker = printf('%.5000000c', 'x')",
                                  "UPDATE work SET why = CAST(x'c328' AS TEXT)",
                                  "UPDATE work SET why = printf('%.300c', 'x')"};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        char path[PATH_SIZE];
        besd_work w;
        besd_study *s = open_new(path, 10);
        ask_for(s, "robot", 60);
        sql(path, damage[i]);
        assert_fails(besd_study_work(s, 1, &w, &error), BESD_IO, &error,
                     "the lease of trial 1 is damaged");
        assert_non_null(strstr(error.message, path));
        if (!strstr(damage[i], "= 9e999")) /* which is a clock that was set back */
            assert_true(besd_study_renew(s, 1, "robot", &(double){60}, &error) < 0);
        besd_trial t = ask_for(s, "other", 60); /* the trial itself is sound */
        assert_true(t.id == 1 || t.id == 2);
        besd_study_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expired),        cmocka_unit_test(test_expired_to_nobody),
        cmocka_unit_test(test_halves),         cmocka_unit_test(test_wrong_leases),
        cmocka_unit_test(test_renewing),       cmocka_unit_test(test_clock_set_back),
        cmocka_unit_test(test_clock_jumps),    cmocka_unit_test(test_waiting_first),
        cmocka_unit_test(test_not_in_turn),    cmocka_unit_test(test_budget),
        cmocka_unit_test(test_askers_at_once), cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
