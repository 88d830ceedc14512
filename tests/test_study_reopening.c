/* A study's life: a file that is opened again knows everything and goes on as if it had never been
 * closed, also under several handles. */
#include "study_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

static besd_error error;

/* The file knows everything; options that say something else are refused and change nothing. */
static void test_reopening(void **state) {
    (void)state;
    char path[PATH_SIZE], missing[PATH_SIZE];
    besd_study_options o = short_options(2, 8);
    const char *names[] = {"x", "y"}, *units[] = {"m", "s"};
    o.names = names;
    o.units = units;
    o.budget = 500;
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 5, NULL);
    besd_study_close(s);

    s = open_study(path, NULL);
    const besd_study_options *kept = besd_study_get_options(s);
    assert_int_equal(kept->dimension, 2);
    assert_string_equal(kept->names[1], "y");
    assert_string_equal(kept->units[0], "m");
    assert_true(kept->seed == 8 && kept->budget == 500 && kept->targets == 60);
    assert_int_equal(kept->initial_reps, 2);
    assert_int_equal(trial_count(s), 5);
    besd_study_close(s);
    besd_study_options nothing = besd_study_options_default();
    besd_study_close(open_study(path, &nothing));
    besd_study_close(open_study(path, &(besd_study_options){0}));
    besd_study_close(open_study(path, &o));

    besd_study_options other = o;
    s = NULL;
    other.seed = 9;
    assert_fails(besd_study_open(&s, path, &other, &error), BESD_INVALID, &error,
                 "seed: the study has 8, got 9");
    other = o;
    other.names = NULL;
    assert_fails(besd_study_open(&s, path, &other, &error), BESD_INVALID, &error, "theta");
    other = o;
    other.direction = BESD_MINIMIZE;
    assert_fails(besd_study_open(&s, path, &other, &error), BESD_INVALID, &error, "direction");
    other = o;
    other.budget = NAN;
    assert_fails(besd_study_open(&s, path, &other, &error), BESD_INVALID, &error, "budget");
    other = o;
    other.seed = 9;
    other.budget = 1000; /* refused as a whole */
    assert_int_equal(besd_study_open(&s, path, &other, &error), BESD_INVALID);
    assert_int_equal(besd_study_open(&s, path, &other, NULL), BESD_INVALID);
    assert_null(s);
    s = open_study(path, NULL);
    assert_true(besd_study_get_options(s)->budget == 500);
    assert_int_equal(trial_count(s), 5);
    besd_study_close(s);

    new_path(missing);
    assert_fails(besd_study_open(&s, missing, NULL, &error), BESD_IO, &error, missing);
    assert_int_equal(besd_study_open(&s, missing, NULL, NULL), BESD_IO);
    other = o;
    other.tau_count = 0;
    assert_fails(besd_study_open(&s, missing, &other, &error), BESD_INVALID, &error, "tau");
    assert_int_equal(access(missing, F_OK), -1); /* bad options make no file */
    besd_study_close(NULL);
}

/* A study in memory needs no file and gives the same trials. */
static void test_in_memory(void **state) {
    (void)state;
    besd_study_options o = short_options(2, 8);
    besd_study *kept = new_study(&o), *memory = NULL;
    assert_ok(besd_study_open(&memory, NULL, &o, &error), &error);
    for (int i = 0; i < 8; i++) {
        besd_trial t, u;
        assert_ok(besd_study_ask(kept, NULL, &t, &error), &error);
        assert_ok(besd_study_ask(memory, NULL, &u, &error), &error);
        assert_memory_equal(t.theta, u.theta, sizeof t.theta);
        assert_int_equal(t.tau, u.tau);
        answer(kept, &t);
        answer(memory, &u);
    }
    besd_study_close(kept);
    besd_study_close(memory);
    assert_fails(besd_study_open(&memory, NULL, NULL, &error), BESD_INVALID, &error, "memory");
}

/* Twelve trials are twelve trials, however often the study is closed and whatever is read. */
static void test_resuming(void **state) {
    (void)state;
    besd_study_options variants[4];
    variants[0] = short_options(2, 21);
    variants[1] = short_options(1, 22);
    variants[1].model = BESD_MODEL_PAPER;
    variants[2] = short_options(2, 23);
    variants[2].tau_max_share = 0.5;
    variants[2].discrete = true;
    variants[3] = short_options(2, 24);
    variants[3].method = BESD_METHOD_RANDOM;
    for (size_t v = 0; v < 4; v++) {
        besd_trial whole[12];
        besd_study *s = new_study(&variants[v]);
        run_trials(s, 12, whole);
        besd_recommendation expected = recommend(s);
        besd_study_close(s);
        const int every[] = {6, 6, 1}; /* trials in one handle */
        for (int k = 0; k < 3; k++) {
            char path[PATH_SIZE];
            s = open_study(new_path(path), &variants[v]);
            for (int i = 0; i < 12; i++) {
                if (i && i % every[k] == 0) {
                    besd_study_close(s);
                    s = open_study(path, i % 2 ? NULL : &variants[v]);
                }
                besd_trial t = ask(s);
                assert_same_trial(&t, &whole[i]);
                if (k && i)
                    predict_at(s, 1, 1, 10, NULL); /* with one pending */
                answer(s, &t);
                if (k)
                    recommend(s);
            }
            besd_recommendation best = recommend(s);
            assert_memory_equal(best.theta, expected.theta, sizeof best.theta);
            assert_true(best.mean == expected.mean && best.sd == expected.sd);
            besd_study_close(s);
        }
    }
}

/* The same with draws of hyperparameters, whose chains go on from the file, and to the end of a
 * budget, where designs are confirmed: closed after 25 trials, or again and again. */
static void test_resuming_with_draws(void **state) {
    (void)state;
    enum { MOST = 200 };
    besd_study_options o = short_options(2, 25);
    o.model = BESD_MODEL_AVERAGED;
    o.instances = BESD_INSTANCES_FRESH;
    o.draws = 4;
    o.confirm = 0.15;
    o.budget = 1800;
    besd_trial whole[MOST], t;
    besd_study *s = new_study(&o);
    int trials = 0, confirming = 0;
    while (trials < MOST && besd_study_ask(s, NULL, &t, &error) == BESD_OK) {
        answer(s, &t);
        confirming += t.reason == BESD_REASON_CONFIRM;
        whole[trials++] = t;
    }
    besd_recommendation expected = recommend(s);
    besd_study_close(s);
    assert_true(trials >= 40 && confirming > 0 && confirming < trials / 2);
    const int every[] = {25, 7};
    for (int k = 0; k < 2; k++) {
        char path[PATH_SIZE];
        s = open_study(new_path(path), &o);
        for (int i = 0; i < trials; i++) {
            if (i && i % every[k] == 0) {
                besd_study_close(s);
                s = open_study(path, i % 2 ? NULL : &o);
                recommend(s);
            }
            t = ask(s);
            assert_same_trial(&t, &whole[i]);
            answer(s, &t);
        }
        assert_int_equal(besd_study_ask(s, NULL, &t, &error), BESD_DONE);
        besd_recommendation best = recommend(s);
        assert_memory_equal(best.theta, expected.theta, sizeof best.theta);
        assert_true(best.mean == expected.mean && best.sd == expected.sd);
        besd_study_close(s);
    }
}

/* Two handles on one file see each other's trials. */
static void test_two_handles(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = short_options(2, 21);
    besd_trial whole[8];
    besd_study *s = new_study(&o);
    run_trials(s, 8, whole);
    besd_study_close(s);
    besd_study *a = open_study(new_path(path), &o), *b = open_study(path, NULL);
    for (int i = 0; i < 8; i++) {
        besd_trial t = ask(i % 3 ? a : b);
        assert_same_trial(&t, &whole[i]);
        answer(i % 2 ? a : b, &t);
    }
    besd_study_close(a);
    besd_study_close(b);
}

/* A fork has a copy of the handle, and not its locks. It may neither use it nor close it in a way
 * that the other process notices; a handle of its own is fine. */
static void in_the_fork(besd_study *s, const char *path, int answer) {
    besd_trial t;
    besd_error own;
    int64_t count = 0;
    bool right = besd_study_ask(s, NULL, &t, &own) == BESD_INVALID &&
                 strstr(own.message, "forked since; open it once more") != NULL &&
                 besd_study_trial_count(s, &count, &own) == BESD_INVALID;
    besd_study_close(s);
    right = right && besd_study_open(&s, path, NULL, &own) == BESD_OK &&
            besd_study_ask(s, NULL, &t, &own) == BESD_OK && t.id == 4;
    besd_study_close(s);
    _exit(write(answer, &right, sizeof right) != sizeof right);
}

static void test_forked(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_study_options o = small_options(2, 8);
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 3, NULL);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        in_the_fork(s, path, ends[1]);
    bool right = false;
    assert_int_equal(read(ends[0], &right, sizeof right), sizeof right);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(ends[0]);
    close(ends[1]);
    assert_true(right);
    besd_trial t;
    assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
    assert_int_equal(t.id, 5);
    assert_int_equal(trial_count(s), 5);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reopening),   cmocka_unit_test(test_in_memory),
        cmocka_unit_test(test_resuming),    cmocka_unit_test(test_resuming_with_draws),
        cmocka_unit_test(test_two_handles), cmocka_unit_test(test_forked),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
