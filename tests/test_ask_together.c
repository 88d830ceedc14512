/* Several processes ask and tell at once. What comes of it is compared with one process that does
 * the same things in the order in which they were written: nobody waits for an ask that computes,
 * nobody plans without knowing of the others' trials, and nothing is overspent or lost. */
#include "study_fixture.h" /* first: it asks for GNU names */

#include "study/store.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

static besd_error error;

/* So many told trials that an ask, which fits a model to them, takes a second or more. */
enum { MANY = TEST_SIZE(600, 400), OPEN = MANY + 1 };

/* A study of MANY told trials and an open one, written in one go. */
static void write_study(const char *path) {
    besd_study_options o = small_options(2, 31);
    store *file;
    o.initial_designs = MANY / 2;
    o.targets = 300;
    besd_study_close(open_study(path, &o));
    assert_ok(store_open(path, false, &file, &error), &error);
    assert_ok(store_begin(file, &error), &error);
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    for (int64_t id = 1; id <= OPEN; id++) {
        double scores[2], sum = 0, within;
        besd_trial t = {.id = id,
                        .theta = {rng_between(&stream, 0, 10), rng_between(&stream, 0, 10)},
                        .tau = id % 2 ? 10 : 30,
                        .reps = 2,
                        .seed = (uint64_t)id,
                        .reason = id == OPEN ? BESD_REASON_KG : BESD_REASON_INITIAL};
        t.cost = (double)t.tau * t.reps;
        assert_ok(store_add_trial(file, 2, &t, &error), &error);
        if (id == OPEN)
            break;
        train(&t, 2, scores);
        sum = scores[0] + scores[1];
        within = (scores[0] - scores[1]) * (scores[0] - scores[1]) / 2;
        t.score_count = 2;
        t.mean = sum / 2;
        const trial_record record = {t, sum / 2, within};
        assert_ok(store_tell(file, &record, scores, 2, &error), &error);
    }
    assert_ok(store_end(file, BESD_OK, &error), &error);
    store_close(file);
}

/* What an asking process gives back. */
typedef struct report {
    besd_status status;
    besd_trial trial;
    besd_explanation why;
} report;

typedef struct asker {
    pid_t process;
    int pipe;
} asker;

/* A process that asks once. */
static asker begin_asking(const char *path) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    asker a = {fork(), ends[0]};
    assert_true(a.process >= 0);
    if (a.process == 0) {
        report r = {0};
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when it stands still */
        besd_study *s = NULL;
        r.status = besd_study_open(&s, path, NULL, NULL);
        if (r.status == BESD_OK)
            r.status = besd_study_ask(s, &(besd_ask){.explanation = &r.why}, &r.trial, NULL);
        besd_study_close(s);
        _exit(write(ends[1], &r, sizeof r) == sizeof r ? 0 : 1);
    }
    close(ends[1]);
    return a;
}

/* Stops it in the middle of its computation: after a tenth of a second, when it has read the file
 * and is far from writing to it. */
static void stop_asking(const asker *a) {
    clockid_t clock;
    struct timespec used = {0}, pause = {0, 2000000};
    int status;
    assert_int_equal(clock_getcpuclockid(a->process, &clock), 0);
    while (used.tv_sec == 0 && used.tv_nsec < 100000000) {
        nanosleep(&pause, NULL);
        assert_int_equal(clock_gettime(clock, &used), 0);
    }
    assert_int_equal(kill(a->process, SIGSTOP), 0);
    assert_int_equal(waitpid(a->process, &status, WUNTRACED), a->process);
    assert_true(WIFSTOPPED(status)); /* else it has ended: MANY is too few */
}

static report end_asking(const asker *a) {
    report r;
    int status;
    size_t got = 0;
    kill(a->process, SIGCONT);
    while (got < sizeof r) {
        ssize_t more = read(a->pipe, (char *)&r + got, sizeof r - got);
        assert_true(more > 0 || (more < 0 && errno == EINTR));
        got += more > 0 ? (size_t)more : 0;
    }
    assert_int_equal(waitpid(a->process, &status, 0), a->process);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(r.status, BESD_OK);
    close(a->pipe);
    return r;
}

static report ask_here(besd_study *s) {
    report r = {0};
    assert_ok(besd_study_ask(s, &(besd_ask){.explanation = &r.why}, &r.trial, &error), &error);
    return r;
}

static void tell_open_trial(besd_study *s) {
    besd_trial t = get_trial(s, OPEN);
    answer(s, &t);
}

static void assert_same_report(const report *a, const report *b) {
    assert_same_trial(&a->trial, &b->trial);
    assert_memory_equal(&a->why, &b->why, sizeof a->why);
}

/* While one process is in the middle of an ask, and stands still there, another tells: it is told
 * and seen by a third, and the ask's trial is not there. The plan is then written as it was made:
 * what was told meanwhile does not spoil it. */
static void test_tell_during_an_ask(void **state) {
    (void)state;
    char path[PATH_SIZE], copy[PATH_SIZE];
    write_study(new_path(path));
    write_study(new_path(copy));
    asker a = begin_asking(path);
    stop_asking(&a);
    besd_study *s = open_study(path, NULL);
    assert_int_equal(trial_count(s), OPEN);
    alarm(TEST_SIZE(30, 55)); /* a tell that waits would do so for a minute */
    tell_open_trial(s);
    alarm(0);
    besd_study *reader = open_study(path, NULL);
    assert_int_equal(get_trial(reader, OPEN).state, BESD_TRIAL_TOLD);
    assert_int_equal(trial_count(reader), OPEN);
    besd_study_close(reader);
    report r = end_asking(&a);
    assert_int_equal(r.trial.id, OPEN + 1);
    assert_int_equal(get_trial(s, OPEN).state, BESD_TRIAL_TOLD);
    assert_int_equal(trial_count(s), OPEN + 1);
    besd_study_close(s);

    s = open_study(copy, NULL); /* alone: asked while the other was open */
    report alone = ask_here(s);
    assert_same_report(&r, &alone);
    besd_study_close(s);
}

/* Askers take turns, by a lock beside the file. One that cannot have it, here because it was tidied
 * away while its owner stands still, asks all the same and gets the number that the first had in
 * mind. The first plans again, with that trial pending and what was told meanwhile. */
static void test_ask_during_an_ask(void **state) {
    (void)state;
    char path[PATH_SIZE], copy[PATH_SIZE], lock[PATH_SIZE + 8];
    write_study(new_path(path));
    write_study(new_path(copy));
    asker a = begin_asking(path);
    stop_asking(&a);
    snprintf(lock, sizeof lock, "%s-ask", path);
    assert_int_equal(unlink(lock), 0);
    besd_study *s = open_study(path, NULL);
    tell_open_trial(s);
    alarm(TEST_SIZE(60, 600)); /* one that waits for the other would do so for ever */
    report second = ask_here(s);
    alarm(0);
    assert_int_equal(trial_count(s), OPEN + 1);
    report first = end_asking(&a);
    assert_int_equal(second.trial.id, OPEN + 1);
    assert_int_equal(first.trial.id, OPEN + 2);
    assert_int_equal(access(lock, F_OK), -1); /* nothing is left lying about */
    besd_study_close(s);

    s = open_study(copy, NULL); /* one after the other */
    tell_open_trial(s);
    report alone[] = {ask_here(s), ask_here(s)};
    assert_same_report(&second, &alone[0]);
    assert_same_report(&first, &alone[1]);
    assert_false(same_numbers(alone[0].trial.theta, alone[1].trial.theta, 2) &&
                 alone[0].trial.tau == alone[1].trial.tau);
    besd_study_close(s);
}

/* Scores are corrected while an ask thinks: its fit to those of before is not kept. A wish that was
 * made meanwhile comes before what it had in mind. */
static void test_acts_during_an_ask(void **state) {
    (void)state;
    char path[PATH_SIZE];
    const double theta[] = {1, 2}, scores[] = {-40, -41};
    for (int wishing = 0; wishing < 2; wishing++) {
        write_study(new_path(path));
        asker a = begin_asking(path);
        stop_asking(&a);
        besd_study *s = open_study(path, NULL);
        assert_ok(
            besd_study_replace(s, 7, &(besd_outcome){.scores = scores, .count = 2}, NULL, &error),
            &error);
        if (wishing)
            assert_ok(besd_study_enqueue(s, theta, 0, 0, NULL, NULL, &error), &error);
        report r = end_asking(&a);
        assert_int_equal(r.trial.id, OPEN + 1);
        assert_int_equal(r.trial.reason == BESD_REASON_ENQUEUED, wishing);
        besd_study_close(s);
        store *file;
        char *text = NULL;
        int64_t told = 1000000;
        assert_ok(store_open(path, false, &file, &error), &error);
        assert_ok(store_get_fit(file, &told, &text, &error), &error);
        assert_null(text);
        store_close(file);
    }
}

/* Runs `work` in so many processes that begin together; all must succeed. */
static void run_together(int processes, const char *path, int (*work)(besd_study *s)) {
    int start[2], status;
    pid_t process[8];
    assert_int_equal(pipe(start), 0);
    for (int i = 0; i < processes; i++) {
        process[i] = fork();
        assert_true(process[i] >= 0);
        if (process[i] == 0) {
            char byte;
            besd_study *s = NULL;
            close(start[1]);
            if (read(start[0], &byte, 1) != 0 || besd_study_open(&s, path, NULL, NULL))
                _exit(2);
            int failed = work(s);
            besd_study_close(s);
            _exit(failed);
        }
    }
    close(start[0]);
    close(start[1]); /* off they go */
    for (int i = 0; i < processes; i++) {
        assert_int_equal(waitpid(process[i], &status, 0), process[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

enum { ASKERS = 4, ASKS = 4, TOLD = 10 };

static int ask_some(besd_study *s) {
    besd_trial t;
    for (int i = 0; i < ASKS; i++)
        if (besd_study_ask(s, NULL, &t, NULL) != BESD_OK)
            return 1;
    return 0;
}

/* Sixteen trials asked by four processes at once are, number by number and bit by bit, those that
 * one process gets: each was planned with all before it pending. */
static void test_many_askers(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(2, 13);
    besd_study *s = open_study(new_path(path), &o), *alone = new_study(&o);
    run_trials(s, TOLD, NULL);
    run_trials(alone, TOLD, NULL);
    run_together(ASKERS, path, ask_some);
    assert_int_equal(trial_count(s), TOLD + ASKERS * ASKS);
    for (int64_t id = TOLD + 1; id <= TOLD + ASKERS * ASKS; id++) {
        besd_trial t = get_trial(s, id), expected = ask(alone);
        assert_same_trial(&t, &expected);
        for (int64_t other = TOLD + 1; other < id; other++) {
            besd_trial before = get_trial(s, other);
            assert_false(same_numbers(t.theta, before.theta, 2) && t.tau == before.tau &&
                         t.reps == before.reps);
        }
    }
    besd_study_close(s);
    besd_study_close(alone);
}

/* Asks and tells until there is no money left; BESD_DONE is how it ends. */
static int spend(besd_study *s) {
    besd_trial t;
    besd_status status;
    while ((status = besd_study_ask(s, NULL, &t, NULL)) == BESD_OK) {
        if (t.id > 100) /* there is no end to it */
            return 3;
        double scores[BESD_MAX_REPS];
        train(&t, 2, scores);
        if (besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                            NULL) != BESD_OK)
            return 1;
    }
    return status == BESD_DONE ? 0 : 2;
}

/* Four processes with one purse: not one interaction more than it holds, nothing left that would
 * pay for a trial, every score where it belongs. */
static void test_one_budget(void **state) {
    (void)state;
    static const double budgets[] = {1000, 1315};
    static const besd_method methods[] = {BESD_METHOD_BESD, BESD_METHOD_RANDOM};
    for (int i = 0; i < 2; i++) {
        char path[PATH_SIZE];
        besd_study_options o = short_options(2, 19);
        double total = 0, cheapest = i ? 120 : 20;
        o.method = methods[i];
        o.budget = budgets[i];
        besd_study *s = open_study(new_path(path), &o);
        run_together(ASKERS, path, spend);
        int64_t count = trial_count(s);
        for (int64_t id = 1; id <= count; id++) {
            besd_trial t = get_trial(s, id);
            double expected[BESD_MAX_REPS], scores[BESD_MAX_REPS];
            size_t found;
            train(&t, 2, expected);
            assert_int_equal(t.state, BESD_TRIAL_TOLD);
            assert_ok(besd_study_scores(s, id, scores, BESD_MAX_REPS, &found, &error), &error);
            assert_int_equal(found, t.reps);
            assert_true(same_numbers(scores, expected, found));
            total += (double)t.tau * t.reps;
        }
        assert_true(total <= budgets[i] && total + cheapest > budgets[i]);
        assert_true(spent(s) == total);
        besd_study_close(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tell_during_an_ask), cmocka_unit_test(test_ask_during_an_ask),
        cmocka_unit_test(test_acts_during_an_ask), cmocka_unit_test(test_many_askers),
        cmocka_unit_test(test_one_budget),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
