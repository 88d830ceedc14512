/* kill -9, at any moment: what was told stays told, and the study continues as if nothing had been.
 * And several processes on one study at once. Children do the work and report every tell that has
 * returned through a pipe; they share no connection with the parent, and leave by _exit. */
#include "study_fixture.h"

#include "faulty_vfs.h"

#include <errno.h>
#include <sys/wait.h>

static besd_error error;

static besd_study_options crash_options(uint64_t seed) {
    besd_study_options o = small_options(2, seed);
    o.initial_designs = 2;
    return o;
}

/* In a child: without cmocka, whose asserts would run the rest of the tests there. */
#define CHILD_OK(call)                                                                             \
    do {                                                                                           \
        besd_error child_error_ = {BESD_OK, ""};                                                   \
        besd_error *e = &child_error_;                                                             \
        besd_status child_status_ = (call);                                                        \
        if (child_status_ != BESD_OK) {                                                            \
            fprintf(stderr, "child: %s: %s: %s\n", #call, besd_status_name(child_status_),         \
                    e->message);                                                                   \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

/* The id of a trial whose tell has returned. */
static void report(int pipe_end, int64_t id) {
    if (write(pipe_end, &id, sizeof id) != (ssize_t)sizeof id)
        _exit(2);
}

static void child_tell(besd_study *s, const besd_trial *t, int pipe_end) {
    double scores[BESD_MAX_REPS];
    train(t, besd_study_get_options(s)->dimension, scores);
    CHILD_OK(
        besd_study_tell(s, t->id, &(besd_outcome){.scores = scores, .count = (size_t)t->reps}, e));
    report(pipe_end, t->id);
}

/* Finishes what is pending, in the order of ids, and goes on to `last`. */
static void child_work(const char *path, const besd_study_options *o, int64_t last, int pipe_end) {
    besd_study *s = NULL;
    besd_trial t;
    int64_t count = 0;
    CHILD_OK(besd_study_open(&s, path, o, e));
    CHILD_OK(besd_study_trial_count(s, &count, e));
    for (int64_t id = 1; id <= count; id++) {
        CHILD_OK(besd_study_trial(s, id, &t, e));
        if (t.state == BESD_TRIAL_ASKED)
            child_tell(s, &t, pipe_end);
    }
    for (; count < last; count++) {
        CHILD_OK(besd_study_ask(s, NULL, &t, e));
        child_tell(s, &t, pipe_end);
    }
    besd_study_close(s);
}

typedef struct child {
    pid_t pid;
    int reports; /* the end of the pipe to read from */
} child;

/* In the parent pid > 0; in the child 0, and `reports` is the end to write to. */
static child start_child(void) {
    int ends[2];
    child c;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    c.pid = fork();
    assert_true(c.pid >= 0);
    if (c.pid == 0)
        alarm(TEST_SIZE(100, 250)); /* whatever happens, no child outlives the test */
    c.reports = ends[c.pid == 0];
    close(ends[c.pid != 0]);
    return c;
}

/* The reported ids until the child has closed the pipe, one way or another. */
static size_t read_reports(child c, int64_t *ids, size_t capacity) {
    size_t count = 0;
    ssize_t got;
    do {
        assert_true(count < capacity);
        got = read(c.reports, &ids[count], sizeof *ids);
        assert_true(got == 0 || got == (ssize_t)sizeof *ids || (got < 0 && errno == EINTR));
        count += got == (ssize_t)sizeof *ids;
    } while (got != 0);
    close(c.reports);
    return count;
}

/* Waits for the end of a child: waitpid's status. */
static int end_of(child c) {
    int result;
    assert_int_equal(waitpid(c.pid, &result, 0), c.pid);
    return result;
}

/* Whether it was killed; any other failure of a child is a failure of the test. */
static bool wait_for(child c) {
    int result = end_of(c);
    if (WIFSIGNALED(result) && WTERMSIG(result) == SIGKILL)
        return true;
    if (!WIFEXITED(result) || WEXITSTATUS(result))
        fail_msg("a child ended with status %#x", (unsigned)result);
    return false;
}

/* These trials are told, with the scores that the trainer gave. */
static void assert_told(besd_study *s, const int64_t *ids, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double expected[BESD_MAX_REPS], got[BESD_MAX_REPS];
        size_t scores;
        besd_trial t = get_trial(s, ids[i]);
        assert_int_equal(t.state, BESD_TRIAL_TOLD);
        train(&t, besd_study_get_options(s)->dimension, expected);
        assert_ok(besd_study_scores(s, ids[i], got, BESD_MAX_REPS, &scores, &error), &error);
        assert_int_equal(scores, t.reps);
        assert_memory_equal(got, expected, scores * sizeof *got);
    }
}

/* Finishes a study and compares it with one that was never interrupted. */
static void finish_and_compare(besd_study *s, const besd_trial *whole, int last) {
    for (int64_t id = 1; id <= trial_count(s); id++) {
        besd_trial t = get_trial(s, id);
        assert_same_trial(&t, &whole[id - 1]);
        if (t.state == BESD_TRIAL_ASKED)
            answer(s, &t);
    }
    for (int64_t id = trial_count(s) + 1; id <= last; id++) {
        besd_trial t = ask(s);
        assert_same_trial(&t, &whole[id - 1]);
        answer(s, &t);
    }
    assert_int_equal(trial_count(s), last);
}

/* Killed by the clock, again and again, until it is done; three studies, 60 kills. */
static void test_killed_by_the_clock(void **state) {
    (void)state;
    enum { STUDIES = 3, KILLS = 20, LAST = 24 };
    int killed = 0;
    for (uint64_t seed = 1; seed <= STUDIES; seed++) {
        char path[PATH_SIZE];
        int64_t told[2 * LAST];
        size_t known = 0;
        besd_trial whole[LAST];
        besd_study_options o = crash_options(seed);
        o.discrete = seed == 2; /* short asks: the kills hit more tells */
        besd_study *s = new_study(&o);
        run_trials(s, LAST, whole);
        besd_study_close(s);
        new_path(path);
        for (int i = 0; i < KILLS; i++) {
            child c = start_child();
            if (c.pid == 0) {
                child_work(path, &o, LAST, c.reports);
                _exit(0);
            }
            usleep((useconds_t)(300 + 1700 * ((7 * i) % KILLS) + 37 * i));
            kill(c.pid, SIGKILL);
            known += read_reports(c, told + known, 2 * LAST - known);
            killed += wait_for(c);
            s = open_study(path, &o);
            assert_told(s, told, known);
            besd_study_close(s);
        }
        s = open_study(path, NULL);
        finish_and_compare(s, whole, LAST);
        besd_study_close(s);
    }
    assert_true(killed > STUDIES * KILLS / 3); /* most came before the end */
}

/* At every change of the disk from opening to closing, before it and in the middle of it. */
static void kill_at_every_change(const char *path, bytes start, const besd_study_options *o,
                                 const besd_trial *whole, int until, int last) {
    const fault kinds[] = {FAULT_KILL, FAULT_KILL_HALF};
    for (size_t k = 0; k < 2; k++) {
        int at = 1;
        for (bool killed = true; killed; at++) {
            int64_t told[16];
            if (start.data)
                write_bytes(path, start.data, start.size);
            else
                remove_study(path);
            child c = start_child();
            if (c.pid == 0) {
                use_faulty_disk(kinds[k], at);
                child_work(path, o, until, c.reports);
                _exit(0);
            }
            size_t count = read_reports(c, told, 16);
            killed = wait_for(c);
            besd_study *s = open_study(path, o);
            assert_told(s, told, count);
            if (!killed)
                assert_true(count > 0); /* a whole run */
            finish_and_compare(s, whole, last);
            besd_study_close(s);
        }
        assert_true(at > 15); /* an ask, a tell and a close change the disk as often as that */
    }
}

/* A study of method besd in the middle of its life: the ask keeps a fit as well. */
static void test_killed_at_every_change(void **state) {
    (void)state;
    enum { BEFORE = 5, LAST = 7 };
    char path[PATH_SIZE];
    besd_study_options o = crash_options(4);
    besd_trial whole[LAST];
    besd_study *s = new_study(&o);
    run_trials(s, LAST, whole);
    besd_study_close(s);
    s = open_study(new_path(path), &o);
    run_trials(s, BEFORE, NULL);
    besd_study_close(s);
    bytes start = read_bytes(path);
    kill_at_every_change(path, start, &o, whole, BEFORE + 1, LAST);
    free(start.data);
}

/* From nothing: making the file, its tables, its description, and the first trial. */
static void test_killed_while_creating(void **state) {
    (void)state;
    enum { LAST = 3 };
    char path[PATH_SIZE];
    besd_study_options o = crash_options(5);
    besd_trial whole[LAST];
    besd_study *s = new_study(&o);
    run_trials(s, LAST, whole);
    besd_study_close(s);
    kill_at_every_change(new_path(path), (bytes){NULL, 0}, &o, whole, 1, LAST);
}

/* kill -9 leaves the system's cache alone, a power cut does not: when an ask or a tell returns,
 * everything it wrote has been synced. */
static void test_synced_when_it_returns(void **state) {
    (void)state;
    besd_study_options o = crash_options(6);
    use_faulty_disk(FAULT_NONE, 0);
    besd_study *s = new_study(&o);
    assert_int_equal(disk.unsynced, 0);
    for (int i = 0; i < 6; i++) {
        int before = disk.changes;
        besd_trial t = ask(s);
        assert_true(disk.changes > before);
        assert_int_equal(disk.unsynced, 0);
        before = disk.changes;
        answer(s, &t);
        assert_true(disk.changes > before);
        assert_int_equal(disk.unsynced, 0);
    }
    besd_trial t = ask(s);
    assert_ok(besd_study_fail(s, t.id, NULL, NULL, &error), &error);
    assert_int_equal(disk.unsynced, 0);
    besd_study_close(s);
    use_real_disk();
}

/* A process that only reads, all the while: every answer is whole. */
static void child_read(const char *path, int64_t last) {
    besd_study *s = NULL;
    besd_recommendation best = {.trials = 0};
    CHILD_OK(besd_study_open(&s, path, NULL, e));
    int64_t told_before = 0;
    while (best.trials < last) {
        int64_t count;
        double cost = 0;
        CHILD_OK(besd_study_trial_count(s, &count, e));
        for (int64_t id = 1; id <= count; id++) {
            besd_trial t;
            double expected[BESD_MAX_REPS], got[BESD_MAX_REPS];
            size_t scores;
            CHILD_OK(besd_study_trial(s, id, &t, e));
            CHILD_OK(besd_study_scores(s, id, got, BESD_MAX_REPS, &scores, e));
            train(&t, 2, expected);
            if (t.id != id || (t.state == BESD_TRIAL_TOLD && scores != (size_t)t.reps) ||
                !same_numbers(got, expected, scores))
                _exit(3);
        }
        CHILD_OK(besd_study_spent(s, &cost, e));
        CHILD_OK(besd_study_recommend(s, &best, e));
        if (best.trials < told_before || !isfinite(best.mean) || !(cost > 0))
            _exit(4);
        told_before = best.trials;
        usleep(3000);
    }
    besd_study_close(s);
}

/* Two workers and a reader on one study. */
static void work_together(const besd_study_options *o, int each) {
    char path[PATH_SIZE];
    besd_study *s = open_study(new_path(path), o);
    run_trials(s, 1, NULL); /* so that there is something to recommend */
    besd_study_close(s);
    child workers[2], reader = start_child();
    if (reader.pid == 0) {
        child_read(path, 1 + 2 * each);
        _exit(0);
    }
    for (int w = 0; w < 2; w++) {
        workers[w] = start_child();
        if (workers[w].pid > 0)
            continue;
        besd_study *own = NULL;
        CHILD_OK(besd_study_open(&own, path, NULL, e));
        for (int i = 0; i < each; i++) {
            besd_trial t;
            CHILD_OK(besd_study_ask(own, NULL, &t, e));
            child_tell(own, &t, workers[w].reports);
        }
        besd_study_close(own);
        _exit(0);
    }
    int64_t told[2][256], none;
    size_t counts[2];
    int times[512] = {0}, results[2];
    for (int w = 0; w < 2; w++) {
        counts[w] = read_reports(workers[w], told[w], 256);
        results[w] = end_of(workers[w]);
    }
    if (results[0] || results[1])
        kill(reader.pid, SIGKILL); /* it would wait for the missing trials */
    assert_int_equal(read_reports(reader, &none, 1), 0);
    assert_false(wait_for(reader));
    for (int w = 0; w < 2; w++) {
        assert_int_equal(results[w], 0);
        assert_int_equal(counts[w], each);
        for (size_t i = 0; i < counts[w]; i++) {
            assert_in_range(told[w][i], 2, 1 + 2 * each);
            times[told[w][i]]++;
        }
    }
    s = open_study(path, NULL);
    assert_int_equal(trial_count(s), 1 + 2 * each);
    for (int id = 2; id <= 1 + 2 * each; id++)
        assert_int_equal(times[id], 1); /* claimed once, told once */
    for (int w = 0; w < 2; w++)
        assert_told(s, told[w], (size_t)each);
    besd_study_close(s);
}

static void test_two_processes_random(void **state) {
    (void)state;
    besd_study_options o = crash_options(7);
    o.method = BESD_METHOD_RANDOM;
    work_together(&o, 200);
}

static void test_two_processes_besd(void **state) {
    (void)state;
    besd_study_options o = crash_options(8);
    work_together(&o, 10);
}

/* Several processes make one study at the same moment: one makes it, all have it. */
static void test_created_by_many(void **state) {
    (void)state;
    enum { PROCESSES = 4 };
    besd_study_options o = crash_options(9);
    for (int round = 0; round < 15; round++) {
        char path[PATH_SIZE];
        int64_t told[PROCESSES + 1] = {0};
        int start[2], results[PROCESSES];
        child c[PROCESSES];
        new_path(path);
        assert_int_equal(pipe(start), 0);
        for (int i = 0; i < PROCESSES; i++) {
            c[i] = start_child();
            if (c[i].pid > 0)
                continue;
            char signal_byte;
            close(start[1]);
            if (read(start[0], &signal_byte, 1) != 0) /* until the parent lets all go */
                _exit(2);
            besd_study *own = NULL;
            besd_trial t;
            CHILD_OK(besd_study_open(&own, path, &o, e));
            CHILD_OK(besd_study_ask(own, NULL, &t, e));
            child_tell(own, &t, c[i].reports);
            besd_study_close(own);
            _exit(0);
        }
        close(start[0]);
        close(start[1]);
        int times[PROCESSES + 1] = {0};
        for (int i = 0; i < PROCESSES; i++) { /* all have ended before anything is judged */
            assert_true(read_reports(c[i], &told[i], 2) <= 1);
            results[i] = end_of(c[i]);
        }
        for (int i = 0; i < PROCESSES; i++) {
            assert_int_equal(results[i], 0);
            assert_in_range(told[i], 1, PROCESSES);
            times[told[i]]++;
        }
        for (int id = 1; id <= PROCESSES; id++)
            assert_int_equal(times[id], 1);
    }
}

/* Processes come and go: the last one to close puts the log away while the next one opens. */
static void test_opened_and_closed_by_many(void **state) {
    (void)state;
    enum { PROCESSES = 4, VISITS = 40, EVERY = 8 };
    char path[PATH_SIZE];
    besd_study_options o = crash_options(10);
    o.method = BESD_METHOD_RANDOM;
    besd_study_close(open_study(new_path(path), &o));
    child c[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        c[i] = start_child();
        if (c[i].pid > 0)
            continue;
        for (int visit = 0; visit < VISITS; visit++) {
            besd_study *own = NULL;
            besd_trial t;
            int64_t count;
            CHILD_OK(besd_study_open(&own, path, visit % 2 ? NULL : &o, e));
            CHILD_OK(besd_study_trial_count(own, &count, e));
            if (visit % EVERY == 0) {
                CHILD_OK(besd_study_ask(own, NULL, &t, e));
                child_tell(own, &t, c[i].reports);
            }
            besd_study_close(own);
        }
        _exit(0);
    }
    int64_t told[PROCESSES * VISITS];
    size_t known = 0;
    int results[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        known += read_reports(c[i], told + known, PROCESSES * VISITS - known);
        results[i] = end_of(c[i]);
    }
    for (int i = 0; i < PROCESSES; i++)
        assert_int_equal(results[i], 0);
    besd_study *s = open_study(path, NULL);
    assert_int_equal(known, PROCESSES * VISITS / EVERY);
    assert_int_equal(trial_count(s), known);
    assert_told(s, told, known);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed_by_the_clock),
        cmocka_unit_test(test_killed_at_every_change),
        cmocka_unit_test(test_killed_while_creating),
        cmocka_unit_test(test_synced_when_it_returns),
        cmocka_unit_test(test_two_processes_random),
        cmocka_unit_test(test_two_processes_besd),
        cmocka_unit_test(test_created_by_many),
        cmocka_unit_test(test_opened_and_closed_by_many),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
