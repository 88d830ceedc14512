/* Tasks of a study: what may be declared, how it is kept, and what a study does with them. */
#include "study_fixture.h"

#include "study/study_state.h"

#include <sqlite3.h>

static const char *const sides[] = {"left", "right", "middle"};

static void test_declaration(void **state) {
    (void)state;
    besd_error error;
    task_list list;
    const double weights[] = {1, 3, 4}, bad[] = {1, -1, 1}, none[] = {0, 0, 0};
    const char *const twice[] = {"left", "right", "left"}, *const empty[] = {"left", "", "x"};
    besd_tasks t = {.count = 3, .names = sides, .weights = weights};
    assert_ok(task_list_init(&list, &t, &error), &error);
    assert_true(list.weights[0] == 0.125 && list.weights[1] == 0.375 && list.weights[2] == 0.5);
    t.weights = NULL;
    assert_ok(task_list_init(&list, &t, &error), &error);
    assert_close(list.weights[2], 1.0 / 3, 1e-15);
    t.weights = bad;
    assert_fails(task_list_init(&list, &t, &error), BESD_INVALID, &error,
                 "tasks: weight of right: expected a number from 0, got -1");
    t.weights = none;
    assert_fails(task_list_init(&list, &t, &error), BESD_INVALID, &error, "are all 0");
    t.weights = NULL;
    t.names = twice;
    assert_fails(task_list_init(&list, &t, &error), BESD_INVALID, &error,
                 "task 1 and task 3 are both 'left'");
    t.names = empty;
    assert_fails(task_list_init(&list, &t, &error), BESD_INVALID, &error, "task 2");
    t.names = sides;
    t.count = 1;
    assert_fails(task_list_init(&list, &t, &error), BESD_INVALID, &error,
                 "expected 2 to 64, got 1");
    t.count = 65;
    assert_fails(task_list_init(&list, &t, &error), BESD_INVALID, &error, "got 65");
}

static const char *const rows[] = {"row", "load"}, *const units[] = {"m", NULL};

static void test_features(void **state) {
    (void)state;
    besd_error error;
    task_list list, again;
    task_set set = {0};
    double features[] = {0.5, 10, 2.5, 30, 1.5, 10};
    besd_tasks t = {.count = 3,
                    .names = sides,
                    .feature_count = 2,
                    .feature_names = rows,
                    .feature_units = units,
                    .features = features,
                    .given = true};
    assert_ok(task_list_init(&list, &t, &error), &error);
    task_list_describe(&list, &set);
    assert_int_equal(set.own, 3);
    assert_int_equal(set.features, 2);
    assert_true(set.feature[0][0] == 0 && set.feature[1][0] == 1 && set.feature[2][0] == 0.5);
    assert_true(set.feature[0][1] == 0 && set.feature[1][1] == 1 && set.feature[2][1] == 0);
    char *text;
    assert_ok(task_list_write(&list, &text, &error), &error);
    assert_ok(task_list_read(text, &again, &error), &error);
    assert_null(task_list_difference(&list, &again));
    again.features[3] = 7;
    assert_string_equal(task_list_difference(&list, &again), "features");
    again.tasks.given = false;
    assert_string_equal(task_list_difference(&list, &again), "given");
    again.weights[0] = 0.1;
    assert_string_equal(task_list_difference(&list, &again), "weights");
    again.name_text[0][0] = 'L';
    assert_string_equal(task_list_difference(&list, &again), "names");
    for (char *at = text; *at; at++) { /* whatever is cut off is noticed */
        char kept = *at;
        *at = 0;
        assert_fails(task_list_read(text, &again, &error), BESD_IO, &error, "damaged");
        *at = kept;
    }
    free(text);
    features[4] = NAN;
    assert_fails(task_list_init(&list, &t, &error), BESD_INVALID, &error, "middle has no row");
}

static void test_names(void **state) {
    (void)state;
    besd_error error;
    task_list list;
    int64_t task = -5;
    assert_ok(task_list_init(&list, &(besd_tasks){.count = 3, .names = sides}, &error), &error);
    assert_ok(task_list_find(&list, "right", &task, &error), &error);
    assert_int_equal(task, 1);
    assert_fails(task_list_find(&list, "rigth", &task, &error), BESD_UNKNOWN, &error,
                 "did you mean 'right'?");
    assert_fails(task_list_find(&list, "elsewhere", &task, &error), BESD_UNKNOWN, &error,
                 "the first is 'left'");
}

static besd_study_options hill_options(void) {
    static const double low[] = {0, 0}, high[] = {1, 1};
    static const int64_t taus[] = {10, 30};
    static const int counts[] = {1, 2};
    besd_study_options o = besd_study_options_default();
    o.dimension = 2, o.low = low, o.high = high, o.seed = 4, o.budget = 1200, o.targets = 60;
    o.taus = taus, o.tau_count = 2, o.reps = counts, o.reps_count = 2, o.draws = 2;
    o.instances = BESD_INSTANCES_FRESH;
    return o;
}

static void test_refusals(void **state) {
    (void)state;
    besd_error error;
    besd_trial trial;
    char path[PATH_SIZE];
    besd_study_options o = hill_options();
    besd_study *s = open_study(new_path(path), &o);
    besd_tasks t = {.count = 2, .names = sides}, has, other = {.count = 3, .names = sides};
    int64_t task = 0;
    assert_fails(besd_study_ask(s, &(besd_ask){.task = &task}, &trial, &error), BESD_INVALID,
                 &error, "the study has no tasks");
    besd_recommendation r;
    assert_fails(besd_study_recommend_task(s, 0, &r, &error), BESD_INVALID, &error,
                 "the study has no tasks");
    t.given = true;
    assert_ok(besd_study_set_tasks(s, &t, &error), &error);
    assert_ok(besd_study_set_tasks(s, &t, &error), &error); /* the same again */
    assert_fails(besd_study_set_tasks(s, &other, &error), BESD_INVALID, &error, "other names");
    besd_study_get_tasks(s, &has);
    assert_int_equal(has.count, 2);
    assert_string_equal(has.names[1], "right");
    assert_fails(besd_study_ask(s, NULL, &trial, &error), BESD_INVALID, &error,
                 "expected one of its 2, such as 'left'");
    task = 2;
    assert_fails(besd_study_ask(s, &(besd_ask){.task = &task}, &trial, &error), BESD_INVALID,
                 &error, "from 0 to 1, got 2");
    task = 1;
    assert_ok(besd_study_ask(s, &(besd_ask){.task = &task}, &trial, &error), &error);
    assert_int_equal(trial.task, 1);
    besd_study_close(s);
    s = open_study(path, NULL); /* they are in the file */
    besd_study_get_tasks(s, &has);
    assert_int_equal(has.count, 2);
    assert_true(has.given);
    besd_study_close(s);
    s = open_study(new_path(path), &o);
    assert_ok(besd_study_ask(s, NULL, &trial, &error), &error);
    assert_int_equal(trial.task, 0);
    assert_fails(besd_study_set_tasks(s, &t, &error), BESD_INVALID, &error, "has trials already");
    besd_study_close(s);
    o.model = BESD_MODEL_PAPER;
    s = open_study(new_path(path), &o);
    assert_fails(besd_study_set_tasks(s, &t, &error), BESD_INVALID, &error, "averaged model");
    besd_study_close(s);
}

/* Two hills at opposite corners; a short training sees a part of them. */
static double hill(const besd_trial *t) {
    double place = t->task == 0 ? 0.2 : 0.8, share = (double)t->tau / 30;
    double x = t->theta[0] - place, y = t->theta[1] - place;
    return share * exp(-8 * (x * x + y * y));
}

/* Runs at most `most` trials; returns the number. */
static int climb_hills(besd_study *s, int most, int64_t counts[2]) {
    besd_error error;
    besd_trial t;
    int done = 0;
    while (done < most && besd_study_ask(s, NULL, &t, &error) == BESD_OK) {
        double scores[2];
        rng stream = rng_open(t.seed, RNG_TEST, 0, 0, 0);
        assert_true(t.task == 0 || t.task == 1);
        for (int r = 0; r < t.reps; r++)
            scores[r] = hill(&t) + 0.02 * rng_normal(&stream);
        besd_outcome outcome = {.scores = scores, .count = (size_t)t.reps};
        assert_ok(besd_study_tell(s, t.id, &outcome, &error), &error);
        counts[t.task]++;
        done++;
    }
    return done;
}

static void test_two_hills(void **state) {
    (void)state;
    besd_error error;
    char path[PATH_SIZE];
    besd_study_options o = hill_options();
    besd_study *s = open_study(new_path(path), &o);
    besd_tasks t = {.count = 2, .names = sides};
    int64_t counts[2] = {0};
    besd_recommendation r[2], all;
    besd_task_worth worth;
    assert_ok(besd_study_set_tasks(s, &t, &error), &error);
    climb_hills(s, 1000, counts);
    assert_true(counts[0] >= 10 && counts[1] >= 10);
    for (int task = 0; task < 2; task++) {
        assert_ok(besd_study_recommend_task(s, task, &r[task], &error), &error);
        double corner = task ? 0.8 : 0.2;
        assert_close(r[task].theta[0], corner, 0.15);
        assert_close(r[task].theta[1], corner, 0.15);
        assert_true(r[task].tried >= 1 && r[task].value > 0.8);
        assert_true(r[task].low <= r[task].value && r[task].value <= r[task].high);
    }
    /* in the middle a design scores exp(-1.44) = .24, at a corner it serves one task of two */
    assert_ok(besd_study_recommend(s, &all, &error), &error);
    assert_true(all.value < 0.75 && all.tried == 0);
    assert_ok(besd_study_task_worth(s, &worth, &error), &error);
    assert_true(worth.low <= worth.value && worth.value <= worth.high);
    assert_true(worth.value > 0.25 && worth.value < 0.8);
    besd_study_close(s);
}

static void list_trials(const char *path, char *text, size_t size) {
    sqlite3 *db;
    sqlite3_stmt *row;
    text[0] = 0;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT group_concat(hex(theta) || tau || reps || task ||"
                                        " coalesce(mean, '')) FROM trial",
                                        -1, &row, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    snprintf(text, size, "%s", (const char *)sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    sqlite3_close(db);
}

/* A study that is opened again half-way has the trials of one that was not. */
static void test_resumed(void **state) {
    (void)state;
    static char texts[2][1 << 16];
    besd_study_options o = hill_options();
    besd_tasks t = {.count = 2, .names = sides};
    for (int cut = 0; cut < 2; cut++) {
        char path[PATH_SIZE];
        besd_error error;
        int64_t counts[2] = {0};
        besd_study *s = open_study(new_path(path), &o);
        assert_ok(besd_study_set_tasks(s, &t, &error), &error);
        if (cut) {
            climb_hills(s, 17, counts);
            besd_study_close(s);
            s = open_study(path, NULL);
        }
        climb_hills(s, 34 - (int)(counts[0] + counts[1]), counts);
        besd_study_close(s);
        list_trials(path, texts[cut], sizeof texts[cut]);
    }
    assert_true(strlen(texts[0]) > 1000);
    assert_string_equal(texts[0], texts[1]);
}

/* Earlier results may be of a task, or of all of them. */
static void test_added(void **state) {
    (void)state;
    besd_error error;
    besd_trial trial;
    char path[PATH_SIZE];
    besd_study_options o = hill_options();
    besd_study *s = open_study(new_path(path), &o);
    besd_tasks t = {.count = 2, .names = sides};
    assert_ok(besd_study_set_tasks(s, &t, &error), &error);
    double theta[] = {0.5, 0.5}, score = 0.2;
    int64_t task = 1, first, wrong = 2;
    besd_result of_task = {.theta = theta, .tau = 30, .scores = &score, .count = 1, .task = &task};
    besd_result of_all = {.theta = theta, .tau = 30, .scores = &score, .count = 1};
    assert_ok(besd_study_add(s, &of_task, 1, &first, &error), &error);
    assert_ok(besd_study_trial(s, first, &trial, &error), &error);
    assert_int_equal(trial.task, 1);
    assert_ok(besd_study_add(s, &of_all, 1, &first, &error), &error);
    assert_ok(besd_study_trial(s, first, &trial, &error), &error);
    assert_int_equal(trial.task, BESD_ALL_TASKS);
    of_task.task = &wrong;
    assert_fails(besd_study_add(s, &of_task, 1, &first, &error), BESD_INVALID, &error,
                 "task: expected a number from 0 to 1, got 2");
    int64_t counts[2] = {0};
    assert_int_equal(climb_hills(s, 12, counts), 12); /* and the study goes on */
    besd_study_close(s);
}

/* Weights are kept as shares, and shares of shares may differ in the last digit. */
static void test_declared_again(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"};
    besd_study_options o = hill_options();
    for (size_t count = 2; count <= 11; count++) {
        char path[PATH_SIZE];
        besd_error error;
        besd_tasks t = {.count = count, .names = names};
        besd_study *s = open_study(new_path(path), &o), *other = open_study(path, &o);
        assert_ok(besd_study_set_tasks(s, &t, &error), &error);
        assert_ok(besd_study_set_tasks(s, &t, &error), &error);
        besd_trial trial; /* a handle that was opened before sees them as well */
        assert_ok(besd_study_ask(other, NULL, &trial, &error), &error);
        assert_ok(besd_study_ask(other, NULL, &trial, &error), &error);
        besd_tasks has;
        besd_study_get_tasks(other, &has);
        assert_int_equal(has.count, count);
        besd_study_close(s);
        besd_study_close(other);
        s = open_study(path, &o);
        assert_ok(besd_study_set_tasks(s, &t, &error), &error);
        besd_study_close(s);
    }
}

/* A task that no trial was told of: the others say a little about it, with finite numbers. */
static void test_untold_task(void **state) {
    (void)state;
    besd_error error;
    char path[PATH_SIZE];
    besd_study_options o = hill_options();
    besd_study *s = open_study(new_path(path), &o);
    besd_tasks t = {.count = 2, .names = sides};
    int64_t task = 0;
    assert_ok(besd_study_set_tasks(s, &t, &error), &error);
    for (int i = 0; i < 8; i++) {
        besd_trial trial;
        assert_ok(besd_study_ask(s, &(besd_ask){.task = &task}, &trial, &error), &error);
        double scores[] = {hill(&trial), hill(&trial) + 0.01};
        besd_outcome outcome = {.scores = scores, .count = (size_t)trial.reps};
        assert_ok(besd_study_tell(s, trial.id, &outcome, &error), &error);
    }
    besd_recommendation r;
    besd_task_worth worth;
    assert_ok(besd_study_recommend_task(s, 1, &r, &error), &error);
    assert_true(isfinite(r.value) && isfinite(r.sd) && r.tried == 0);
    assert_ok(besd_study_task_worth(s, &worth, &error), &error);
    assert_true(isfinite(worth.value) && isfinite(worth.low) && isfinite(worth.high));
    /* predictions are about all tasks, as the single recommendation is */
    double theta[] = {0.5, 0.5}, mean, sd;
    besd_forecast f;
    assert_ok(besd_study_predict(s, theta, 30, &mean, &sd, &error), &error);
    assert_ok(besd_study_forecast(s, theta, 30, &f, &error), &error);
    assert_close(f.mean, mean, 1e-12);
    assert_ok(besd_study_recommend(s, &r, &error), &error);
    assert_ok(besd_study_predict(s, r.theta, 30, &mean, &sd, &error), &error);
    assert_close(r.mean, mean, 1e-12);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declaration), cmocka_unit_test(test_features),
        cmocka_unit_test(test_names),       cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_two_hills),   cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_added),       cmocka_unit_test(test_declared_again),
        cmocka_unit_test(test_untold_task)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
