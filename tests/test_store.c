/* The study file: what goes in comes out, and what is no study is refused. */
#include "study_fixture.h"

#include "study/store.h"
#include "study_file.h"

static besd_error error;

static store *open_store(const char *path, bool create) {
    store *s = NULL;
    assert_ok(store_open(path, create, &s, &error), &error);
    return s;
}

/* Refused, with a message that names the file and the reason. */
static void refused(const char *path, bool create, const char *reason) {
    store *s = NULL;
    error.message[0] = '\0';
    assert_fails(store_open(path, create, &s, &error), BESD_IO, &error, reason);
    if (!strstr(error.message, path))
        fail_msg("expected a message with '%s', got '%s'", path, error.message);
    assert_null(s);
}

static void test_missing(void **state) {
    (void)state;
    char path[PATH_SIZE], inside[PATH_SIZE + 16];
    refused(new_path(path), false, "No such file");
    assert_int_equal(access(path, F_OK), -1); /* and it was not made */
    snprintf(inside, sizeof inside, "%s/study.db", path);
    refused(inside, false, "No such file");
    refused(inside, true, "No such file");
    assert_int_equal(access(path, F_OK), -1);
}

static void test_a_folder(void **state) {
    (void)state;
    refused(folder, false, "directory");
    refused(folder, true, "directory");
}

static void test_not_a_database(void **state) {
    (void)state;
    char path[PATH_SIZE], text[5000];
    const size_t sizes[] = {2, 15, 16, 99, 100, 512, 5000}; /* SQLite takes 1 byte for none */
    memset(text, 'x', sizeof text);
    for (int magic = 0; magic < 2; magic++) {
        if (magic)
            memcpy(text, "SQLite format 3", 16);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int create = 0; create < 2; create++) {
                write_bytes(new_path(path), text, sizes[i]);
                refused(path, create, "not a besd study");
                bytes left = read_bytes(path);
                assert_int_equal(left.size, sizes[i]);
                assert_memory_equal(left.data, text, sizes[i]);
                free(left.data);
            }
    }
}

/* An empty file is what a killed creation leaves, and what mktemp makes: it may become a study, it
 * is none. */
static void test_empty_file(void **state) {
    (void)state;
    char path[PATH_SIZE];
    write_bytes(new_path(path), "", 0);
    refused(path, false, "not a besd study");
    bytes left = read_bytes(path);
    assert_int_equal(left.size, 0);
    free(left.data);
    store *s = NULL;
    assert_ok(store_open(path, true, &s, &error), &error);
    store_close(s);
    assert_ok(store_open(path, false, &s, &error), &error);
    store_close(s);
}

/* Somebody else's database is refused and not touched. */
static void test_foreign_database(void **state) {
    (void)state;
    char path[PATH_SIZE];
    const char *const foreign[] = {
        "CREATE TABLE t(x); INSERT INTO t VALUES(1);",
        "PRAGMA user_version=1; CREATE TABLE trial(id);",
        "PRAGMA application_id=77;",
        "PRAGMA application_id=77; PRAGMA user_version=1; CREATE TABLE trial(id);",
    };
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        for (int create = 0; create < 2; create++) {
            sql(new_path(path), foreign[i]);
            bytes before = read_bytes(path);
            refused(path, create, "not a besd study");
            bytes after = read_bytes(path);
            assert_int_equal(after.size, before.size);
            assert_memory_equal(after.data, before.data, before.size);
            free(before.data);
            free(after.data);
        }
}

static void test_unknown_schemas(void **state) {
    (void)state;
    char path[PATH_SIZE];
    store_close(open_store(new_path(path), true));
    sql(path, "PRAGMA user_version=6");
    refused(path, false, "newer besd (schema 6, this one knows 5)");
    refused(path, true, "newer besd (schema 6, this one knows 5)");
    sql(path, "PRAGMA user_version=0"); /* older than the first */
    refused(path, false, "older besd (schema 0, this one knows 5)");
    refused(path, true, "older besd (schema 0, this one knows 5)");
    sql(path, "PRAGMA user_version=5");
    store_close(open_store(path, false));
}

/* Schema 2 had no legs. */
static void test_the_second_schema(void **state) {
    (void)state;
    char path[PATH_SIZE];
    const besd_leg legs[] = {{.reached = 2, .earned = -1}, {.reached = NAN, .earned = 0.5}};
    store_close(open_store(new_path(path), true));
    sql(path, "DROP TABLE legs; DROP TABLE event; DROP TABLE work; DROP TABLE tag;"
              "ALTER TABLE trial DROP COLUMN task; PRAGMA user_version=2");
    store *s = open_store(path, true);
    besd_trial t = {.id = 1, .tau = 10, .reps = 1};
    assert_ok(store_begin(s, &error), &error); /* which brings the file up to date */
    assert_ok(store_add_trial(s, 2, &t, &error), &error);
    assert_ok(store_add_legs(s, 1, legs, 2, false, &error), &error);
    assert_ok(store_end(s, BESD_OK, &error), &error);
    store_close(s);
    store_close(open_store(path, false));
}

/* Schema 3 had no events, leases and tags. */
static void test_the_third_schema(void **state) {
    (void)state;
    char path[PATH_SIZE];
    store_close(open_store(new_path(path), true));
    sql(path, "DROP TABLE event; DROP TABLE work; DROP TABLE tag;"
              "ALTER TABLE trial DROP COLUMN task; PRAGMA user_version=3");
    store *s = open_store(path, true);
    store_event event = {.who = "ada", .what = "told", .trial = 1};
    assert_ok(store_begin(s, &error), &error);
    assert_ok(store_add_event(s, &event, &error), &error);
    assert_ok(store_set_work(s, 1, "robot", 5, INFINITY, &error), &error);
    assert_ok(store_end(s, BESD_OK, &error), &error);
    store_close(s);
    store_close(open_store(path, false));
}

static void test_texts(void **state) {
    (void)state;
    char path[PATH_SIZE], *text = (char *)path, long_text[20001];
    store *s = open_store(new_path(path), true);
    assert_ok(store_get_text(s, "spec", &text, &error), &error);
    assert_null(text);
    memset(long_text, 'y', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    const char *const texts[] = {"", "one", "it's \"quoted\" \xce\xb8\n", long_text};
    for (size_t i = 0; i < 4; i++) {
        assert_ok(store_set_text(s, "spec", texts[i], &error), &error);
        assert_ok(store_set_text(s, "other", "stays", &error), &error);
        store_close(s);
        s = open_store(path, false);
        assert_ok(store_get_text(s, "spec", &text, &error), &error);
        assert_string_equal(text, texts[i]);
        free(text);
    }
    assert_ok(store_get_text(s, "other", &text, &error), &error);
    assert_string_equal(text, "stays");
    free(text);
    store_close(s);
}

static besd_trial some_trial(int64_t id) {
    besd_trial t = {.id = id,
                    .tau = INT64_MAX - id,
                    .reps = 4,
                    .seed = UINT64_MAX - (uint64_t)id,
                    .state = BESD_TRIAL_ASKED,
                    .reason = BESD_REASON_SHARE,
                    .cost = 1.0 / (double)(id + 2),
                    .repeats = id / 2};
    for (size_t i = 0; i < BESD_MAX_DIMENSION; i++)
        t.theta[i] = ldexp(1.0 / 3, (int)i * 16 - 500) * (i % 2 ? -1 : 1);
    return t;
}

static trial_record stored(store *s, size_t dimension, int64_t id) {
    trial_record t;
    assert_ok(store_get_trial(s, dimension, id, &t, &error), &error);
    return t;
}

static void test_trials(void **state) {
    (void)state;
    const size_t dimensions[] = {1, 3, BESD_MAX_DIMENSION};
    for (size_t d = 0; d < 3; d++) {
        char path[PATH_SIZE];
        size_t dimension = dimensions[d], count = 7;
        int64_t counted = -1, newest = -1;
        trial_record *list = NULL, t;
        store *s = open_store(new_path(path), true);
        assert_ok(store_list_trials(s, dimension, &list, &count, &error), &error);
        assert_int_equal(count, 0);
        free(list);
        assert_ok(store_newest_trial(s, &newest, &error), &error);
        assert_int_equal(newest, 0);
        assert_ok(store_begin(s, &error), &error);
        for (int64_t id = 1; id <= 200; id++) {
            besd_trial given = some_trial(id);
            assert_ok(store_add_trial(s, dimension, &given, &error), &error);
        }
        assert_ok(store_end(s, BESD_OK, &error), &error);
        store_close(s);
        s = open_store(path, false);
        assert_ok(store_count_trials(s, &counted, &error), &error);
        assert_int_equal(counted, 200);
        assert_ok(store_newest_trial(s, &newest, &error), &error);
        assert_int_equal(newest, 200);
        assert_ok(store_list_trials(s, dimension, &list, &count, &error), &error);
        assert_int_equal(count, 200);
        for (int64_t id = 1; id <= 200; id++) {
            besd_trial given = some_trial(id);
            memset(given.theta + dimension, 0, (BESD_MAX_DIMENSION - dimension) * sizeof(double));
            t = stored(s, dimension, id);
            assert_same_trial(&t.trial, &given);
            assert_int_equal(t.trial.state, BESD_TRIAL_ASKED);
            assert_int_equal(t.trial.score_count, 0);
            assert_same_trial(&list[id - 1].trial, &given);
        }
        free(list);
        assert_fails(store_get_trial(s, dimension, 201, &t, &error), BESD_UNKNOWN, &error, "201");
        assert_fails(store_get_trial(s, dimension, 0, &t, &error), BESD_UNKNOWN, &error, "trial 0");
        assert_fails(store_get_trial(s, dimension, -1, &t, &error), BESD_UNKNOWN, &error, "-1");
        besd_trial again = some_trial(5);
        assert_int_equal(store_add_trial(s, dimension, &again, &error), BESD_IO);
        assert_fails(store_get_trial(s, dimension + 1, 5, &t, &error), BESD_IO, &error,
                     "trial 5 is damaged");
        assert_fails(store_list_trials(s, dimension + 1, &list, &count, &error), BESD_IO, &error,
                     "trial 1 is damaged");
        assert_null(list);
        store_close(s);
    }
}

static void test_scores(void **state) {
    (void)state;
    char path[PATH_SIZE];
    store *s = open_store(new_path(path), true);
    for (int64_t id = 1; id <= 3; id++) {
        besd_trial given = some_trial(id);
        assert_ok(store_add_trial(s, 1, &given, &error), &error);
    }
    const double scores[] = {0.1 + 0.2, -1e-310, 1.7e308, 42};
    double got[8];
    size_t count = 9;
    assert_ok(store_get_scores(s, 2, got, 8, &count, &error), &error);
    assert_int_equal(count, 0);
    trial_record told = stored(s, 1, 2);
    told.trial.cost = 12.75;
    told.trial.score_count = 4;
    told.trial.mean = 1.0 / 7;
    told.model_mean = -1.0 / 9;
    told.within = 1e-20;
    assert_ok(store_tell(s, &told, scores, 4, &error), &error);
    assert_ok(store_fail(s, 3, 5.5, "the arm 'broke'", &error), &error);
    store_close(s);
    s = open_store(path, false);
    trial_record t = stored(s, 1, 2);
    assert_int_equal(t.trial.state, BESD_TRIAL_TOLD);
    assert_int_equal(t.trial.score_count, 4);
    assert_true(t.trial.cost == 12.75 && t.trial.mean == 1.0 / 7 && t.model_mean == -1.0 / 9);
    assert_true(t.within == 1e-20);
    assert_ok(store_get_scores(s, 2, got, 8, &count, &error), &error);
    assert_int_equal(count, 4);
    assert_memory_equal(got, scores, sizeof scores);
    got[2] = 0;
    assert_ok(store_get_scores(s, 2, got, 2, &count, &error), &error);
    assert_int_equal(count, 2);
    assert_true(got[2] == 0); /* the capacity was respected */
    t = stored(s, 1, 3);
    assert_int_equal(t.trial.state, BESD_TRIAL_FAILED);
    assert_true(t.trial.cost == 5.5);
    assert_int_equal(stored(s, 1, 1).trial.state, BESD_TRIAL_ASKED);
    store_close(s);
}

static void test_fits(void **state) {
    (void)state;
    char path[PATH_SIZE];
    const char *const five = "{\"five\": 0.1}", *const nine = "nine", *const nine_again = "";
    char *got = path;
    store *s = open_store(new_path(path), true);
    int64_t told = 100, last = -1;
    assert_ok(store_get_fit(s, &told, &got, &error), &error);
    assert_int_equal(told, 0);
    assert_null(got);
    assert_ok(store_last_full_fit(s, &last, &error), &error);
    assert_int_equal(last, 0);
    assert_ok(store_set_fit(s, 5, true, five, &error), &error);
    assert_ok(store_set_fit(s, 9, true, nine, &error), &error);
    assert_ok(store_set_fit(s, 9, false, nine_again, &error), &error);
    assert_ok(store_set_fit(s, 12, false, nine, &error), &error);
    store_close(s);
    s = open_store(path, false);
    const struct {
        int64_t most, found;
        const char *expected;
    } cases[] = {{4, 0, NULL},        {5, 5, five},   {8, 5, five},   {9, 9, nine_again},
                 {11, 9, nine_again}, {12, 12, nine}, {500, 12, nine}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        told = cases[i].most;
        assert_ok(store_get_fit(s, &told, &got, &error), &error);
        assert_int_equal(told, cases[i].found);
        if (cases[i].expected)
            assert_string_equal(got, cases[i].expected);
        else
            assert_null(got);
        free(got);
    }
    assert_ok(store_last_full_fit(s, &last, &error), &error);
    assert_int_equal(last, 5);
    store_close(s);
}

/* After a rollback, or a close in the middle, nothing of a transaction is left. */
static void test_rollback(void **state) {
    (void)state;
    char path[PATH_SIZE], *text = NULL;
    const double scores[] = {1, 2, 3, 4};
    double got[4];
    size_t count;
    int64_t told = 50;
    store *s = open_store(new_path(path), true);
    besd_trial first = some_trial(1), second = some_trial(2);
    assert_ok(store_add_trial(s, 1, &first, &error), &error);
    for (int way = 0; way < 2; way++) {
        assert_ok(store_begin(s, &error), &error);
        assert_ok(store_add_trial(s, 1, &second, &error), &error);
        trial_record t = stored(s, 1, 1);
        t.trial.cost = 99;
        assert_ok(store_tell(s, &t, scores, 4, &error), &error);
        assert_ok(store_set_text(s, "spec", "x", &error), &error);
        assert_ok(store_set_fit(s, 1, true, "x", &error), &error);
        assert_int_equal(stored(s, 1, 2).trial.id, 2); /* it was there */
        if (way == 0) {
            assert_int_equal(store_end(s, BESD_INVALID, &error), BESD_INVALID);
        } else {
            store_close(s);
            s = open_store(path, false);
        }
        int64_t trials = 0;
        assert_ok(store_count_trials(s, &trials, &error), &error);
        assert_int_equal(trials, 1);
        t = stored(s, 1, 1);
        assert_int_equal(t.trial.state, BESD_TRIAL_ASKED);
        assert_true(t.trial.cost == first.cost);
        assert_ok(store_get_scores(s, 1, got, 4, &count, &error), &error);
        assert_int_equal(count, 0);
        assert_ok(store_get_text(s, "spec", &text, &error), &error);
        assert_null(text);
        told = 50;
        assert_ok(store_get_fit(s, &told, &text, &error), &error);
        assert_int_equal(told, 0);
        assert_null(text);
    }
    assert_int_equal(store_end(s, BESD_INVALID, &error),
                     BESD_INVALID); /* with nothing begun: nothing happens */
    assert_ok(store_begin(s, &error), &error);
    assert_int_equal(store_begin(s, &error), BESD_IO);
    assert_ok(store_add_trial(s, 1, &second, &error), &error);
    assert_ok(store_end(s, BESD_OK, &error), &error);
    assert_int_equal(store_end(s, BESD_OK, &error), BESD_IO);
    store_close(s);
    s = open_store(path, false);
    assert_int_equal(stored(s, 1, 2).trial.id, 2);
    store_close(s);
    store_close(NULL);
}

/* The legs that a store has, in the order in which it lists them. */
typedef struct listed {
    int64_t id[4];
    size_t count[4], trials, stop_after;
    besd_leg first[4];
} listed;

static besd_status list_legs(void *context, int64_t id, const besd_leg *legs, size_t count,
                             besd_error *reason) {
    listed *l = context;
    (void)reason;
    l->id[l->trials] = id;
    l->count[l->trials] = count;
    l->first[l->trials++] = legs[0];
    return l->trials == l->stop_after ? BESD_NUMERIC : BESD_OK;
}

/* Those of one trial or of all, by trial, to the bit; once, and until somebody has enough. */
static void test_legs(void **state) {
    (void)state;
    char path[PATH_SIZE];
    store *s = open_store(new_path(path), true);
    for (int64_t id = 1; id <= 4; id++) {
        besd_trial given = some_trial(id);
        assert_ok(store_add_trial(s, 1, &given, &error), &error);
    }
    const besd_leg three[] = {{NAN, -0.0}, {1, 2}, {3, 4}}, one[] = {{0.1 + 0.2, -1e-310}};
    assert_ok(store_add_legs(s, 3, three, 3, false, &error), &error);
    assert_ok(store_add_legs(s, 1, one, 1, false, &error), &error);
    assert_int_equal(store_add_legs(s, 3, one, 1, false, &error), BESD_IO);
    store_close(s);
    s = open_store(path, false);
    listed all = {0}, third = {0}, none = {0}, some = {.stop_after = 1};
    assert_ok(store_list_legs(s, 0, false, list_legs, &all, &error), &error);
    assert_int_equal(all.trials, 2);
    assert_true(all.id[0] == 1 && all.id[1] == 3 && all.count[0] == 1 && all.count[1] == 3);
    assert_memory_equal(&all.first[0], one, sizeof *one);
    assert_memory_equal(&all.first[1], three, sizeof *three);
    assert_ok(store_list_legs(s, 3, false, list_legs, &third, &error), &error);
    assert_true(third.trials == 1 && third.id[0] == 3);
    assert_ok(store_list_legs(s, 2, false, list_legs, &none, &error), &error);
    assert_int_equal(none.trials, 0);
    assert_int_equal(store_list_legs(s, 0, false, list_legs, &some, &error), BESD_NUMERIC);
    assert_int_equal(some.trials, 1);
    store_close(s);
}

/* What another connection has begun is not seen, what it has committed is. */
static void test_readers_see_whole_transactions(void **state) {
    (void)state;
    char path[PATH_SIZE];
    int64_t trials = -1;
    store *writer = open_store(new_path(path), true), *reader = open_store(path, false);
    besd_trial t = some_trial(1);
    assert_ok(store_begin(writer, &error), &error);
    assert_ok(store_add_trial(writer, 1, &t, &error), &error);
    assert_ok(store_count_trials(reader, &trials, &error), &error);
    assert_int_equal(trials, 0);
    assert_ok(store_end(writer, BESD_OK, &error), &error);
    assert_ok(store_count_trials(reader, &trials, &error), &error);
    assert_int_equal(trials, 1);
    assert_ok(store_begin_reading(reader, &error), &error); /* and then it is of one moment */
    assert_ok(store_count_trials(reader, &trials, &error), &error);
    t = some_trial(2);
    assert_ok(store_add_trial(writer, 1, &t, &error), &error);
    assert_ok(store_newest_trial(reader, &trials, &error), &error);
    assert_int_equal(trials, 1);
    store_end_reading(reader);
    assert_ok(store_newest_trial(reader, &trials, &error), &error);
    assert_int_equal(trials, 2);
    store_close(writer);
    store_close(reader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_a_folder),
        cmocka_unit_test(test_not_a_database),
        cmocka_unit_test(test_empty_file),
        cmocka_unit_test(test_foreign_database),
        cmocka_unit_test(test_unknown_schemas),
        cmocka_unit_test(test_the_second_schema),
        cmocka_unit_test(test_the_third_schema),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_trials),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_legs),
        cmocka_unit_test(test_fits),
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_readers_see_whole_transactions),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
