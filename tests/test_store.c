/* The study file: what goes in comes out, what is no study is refused, damage is survived, faults
 * of the disk leave everything as it was. */
#include "study_fixture.h"

#include "faulty_vfs.h"
#include "study/store.h"

#include <fcntl.h>
#include <sys/stat.h>

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

static void sql(const char *path, const char *statements) {
    sqlite3 *db = NULL;
    char *message = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, statements, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", statements, message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
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

static void test_newer_schema(void **state) {
    (void)state;
    char path[PATH_SIZE];
    store_close(open_store(new_path(path), true));
    sql(path, "PRAGMA user_version=2");
    refused(path, false, "newer besd (schema 2, this one knows 1)");
    refused(path, true, "newer besd (schema 2, this one knows 1)");
    sql(path, "PRAGMA user_version=1");
    store_close(open_store(path, false));
}

/* A study in a folder where nobody writes can be read. The superuser may write everywhere, so the
 * test becomes nobody for a while. */
static void test_archive(void **state) {
    (void)state;
    char place[PATH_SIZE], path[PATH_SIZE + 16];
    besd_study_options o = small_options(1, 0);
    besd_recommendation before, r;
    besd_trial t;
    assert_int_equal(mkdir(new_path(place), 0777), 0);
    snprintf(path, sizeof path, "%s/100%%?#a.besd", place);
    besd_study *s = open_study(path, &o);
    run_trials(s, 12, NULL);
    assert_ok(besd_study_recommend(s, &before, &error), &error);
    besd_study_close(s);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(chmod(place, 0555), 0);
    if (geteuid() == 0 && seteuid(65534) != 0)
        skip();
    besd_status status = besd_study_open(&s, path, NULL, &error);
    if (status == BESD_OK) {
        status = besd_study_recommend(s, &r, &error);
        if (status == BESD_OK)
            status = besd_study_ask(s, &t, &error);
        besd_study_close(s);
    }
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(place, 0777), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(place), 0);
    assert_fails(status, BESD_IO, &error, "cannot be written");
    assert_memory_equal(&r, &before, sizeof r);
}

/* A link in such a folder leads to a study that is no archive. */
static void test_link(void **state) {
    (void)state;
    char path[PATH_SIZE], place[PATH_SIZE], link[PATH_SIZE + 16];
    besd_study_options o = small_options(1, 0);
    besd_trial t;
    besd_study *s = open_study(new_path(path), &o);
    besd_study_close(s);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(mkdir(new_path(place), 0777), 0);
    snprintf(link, sizeof link, "%s/link.besd", place);
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(chmod(place, 0555), 0);
    if (geteuid() == 0 && seteuid(65534) != 0)
        skip();
    besd_status status = besd_study_open(&s, link, NULL, &error);
    if (status == BESD_OK) {
        status = besd_study_ask(s, &t, &error);
        besd_study_close(s);
    }
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(place, 0777), 0);
    assert_ok(status, &error);
}

/* The superuser may write everything, so the test becomes nobody for a while. */
static void test_read_only(void **state) {
    (void)state;
    char path[PATH_SIZE], place[PATH_SIZE], inside[PATH_SIZE + 16];
    besd_study_options o = small_options(1, 0);
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 2, NULL);
    ask(s);
    besd_study_close(s);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(mkdir(new_path(place), 0555), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    if (geteuid() == 0 && seteuid(65534) != 0)
        skip();
    besd_trial t;
    double scores[] = {1, 2};
    besd_status status = besd_study_open(&s, path, NULL, &error);
    if (status == BESD_OK) { /* readers are welcome, writers are told */
        status = besd_study_trial(s, 2, &t, &error);
        if (status == BESD_OK)
            status = besd_study_ask(s, &t, &error);
        if (status == BESD_IO)
            status = besd_study_tell(s, 3, scores, 2, &error);
        besd_study_close(s);
    }
    besd_error folder_error;
    snprintf(inside, sizeof inside, "%s/study.db", place);
    besd_status folder_status = besd_study_open(&s, inside, &o, &folder_error);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, BESD_IO);
    assert_non_null(strstr(error.message, path));
    assert_non_null(strstr(error.message, "cannot be written"));
    assert_int_equal(folder_status, BESD_IO);
    assert_non_null(strstr(folder_error.message, inside));
    if (!strstr(folder_error.message, "ermission denied"))
        fail_msg("expected that permission is denied, got '%s'", folder_error.message);
    s = open_study(path, NULL);
    assert_int_equal(trial_count(s), 3);
    assert_int_equal(get_trial(s, 3).state, BESD_TRIAL_ASKED);
    besd_study_close(s);
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
                    .cost = 1.0 / (double)(id + 2)};
    for (size_t i = 0; i < BESD_MAX_DIMENSION; i++)
        t.theta[i] = ldexp(1.0 / 3, (int)i * 16 - 500) * (i % 2 ? -1 : 1);
    return t;
}

static stored_trial stored(store *s, size_t dimension, int64_t id) {
    stored_trial t;
    assert_ok(store_get_trial(s, dimension, id, &t, &error), &error);
    return t;
}

static void test_trials(void **state) {
    (void)state;
    const size_t dimensions[] = {1, 3, BESD_MAX_DIMENSION};
    for (size_t d = 0; d < 3; d++) {
        char path[PATH_SIZE];
        size_t dimension = dimensions[d], count = 7;
        int64_t counted = -1;
        stored_trial *list = NULL, t;
        store *s = open_store(new_path(path), true);
        assert_ok(store_list_trials(s, dimension, &list, &count, &error), &error);
        assert_int_equal(count, 0);
        free(list);
        assert_ok(store_begin(s, &error), &error);
        for (int64_t id = 1; id <= 200; id++) {
            besd_trial given = some_trial(id);
            assert_ok(store_add_trial(s, dimension, &given, &error), &error);
        }
        assert_ok(store_commit(s, &error), &error);
        store_close(s);
        s = open_store(path, false);
        assert_ok(store_count_trials(s, &counted, &error), &error);
        assert_int_equal(counted, 200);
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
    stored_trial told = stored(s, 1, 2);
    told.trial.cost = 12.75;
    told.trial.score_count = 4;
    told.trial.mean = 1.0 / 7;
    told.model_mean = -1.0 / 9;
    told.within = 1e-20;
    assert_ok(store_tell(s, &told, scores, 4, &error), &error);
    assert_ok(store_fail(s, 3, 5.5, "the arm 'broke'", &error), &error);
    store_close(s);
    s = open_store(path, false);
    stored_trial t = stored(s, 1, 2);
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
    const double five[] = {5, 0.1}, nine[] = {9, 0.2}, nine_again[] = {9, 0.3}, wide[] = {1, 2, 3};
    double got[2] = {0};
    store *s = open_store(new_path(path), true);
    int64_t told = 100, last = -1;
    assert_ok(store_get_fit(s, &told, got, sizeof got, &error), &error);
    assert_int_equal(told, 0);
    assert_ok(store_last_full_fit(s, &last, &error), &error);
    assert_int_equal(last, 0);
    assert_ok(store_set_fit(s, 5, true, five, sizeof five, &error), &error);
    assert_ok(store_set_fit(s, 9, true, nine, sizeof nine, &error), &error);
    assert_ok(store_set_fit(s, 9, false, nine_again, sizeof nine_again, &error), &error);
    assert_ok(store_set_fit(s, 12, false, wide, sizeof wide, &error), &error); /* another version */
    store_close(s);
    s = open_store(path, false);
    const struct {
        int64_t most, found;
        const double *expected;
    } cases[] = {
        {4, 0, NULL}, {5, 5, five}, {8, 5, five}, {9, 9, nine_again}, {500, 9, nine_again}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        told = cases[i].most;
        assert_ok(store_get_fit(s, &told, got, sizeof got, &error), &error);
        assert_int_equal(told, cases[i].found);
        if (!cases[i].expected)
            continue;
        assert_memory_equal(got, cases[i].expected, sizeof got);
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
        stored_trial t = stored(s, 1, 1);
        t.trial.cost = 99;
        assert_ok(store_tell(s, &t, scores, 4, &error), &error);
        assert_ok(store_set_text(s, "spec", "x", &error), &error);
        assert_ok(store_set_fit(s, 1, true, scores, sizeof scores, &error), &error);
        assert_int_equal(stored(s, 1, 2).trial.id, 2); /* it was there */
        if (way == 0) {
            store_rollback(s);
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
        assert_ok(store_get_fit(s, &told, got, sizeof got, &error), &error);
        assert_int_equal(told, 0);
    }
    store_rollback(s); /* with nothing begun: nothing happens */
    assert_ok(store_begin(s, &error), &error);
    assert_int_equal(store_begin(s, &error), BESD_IO);
    assert_ok(store_add_trial(s, 1, &second, &error), &error);
    assert_ok(store_commit(s, &error), &error);
    assert_int_equal(store_commit(s, &error), BESD_IO);
    store_close(s);
    s = open_store(path, false);
    assert_int_equal(stored(s, 1, 2).trial.id, 2);
    store_close(s);
    store_close(NULL);
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
    assert_ok(store_commit(writer, &error), &error);
    assert_ok(store_count_trials(reader, &trials, &error), &error);
    assert_int_equal(trials, 1);
    store_close(writer);
    store_close(reader);
}

/* A study with all kinds of trials and kept fits, closed: the raw material of damage. */
static void make_study(const char *path) {
    besd_study_options o = small_options(2, 3);
    o.initial_designs = 3;
    besd_study *s = open_study(path, &o);
    run_trials(s, 9, NULL);
    besd_trial failed = ask(s);
    assert_ok(besd_study_fail(s, failed.id, -1, "note", &error), &error);
    ask(s);
    besd_study_close(s);
}

static bool in_box(const besd_study_options *o, const double *theta) {
    for (size_t i = 0; i < o->dimension; i++)
        if (!(theta[i] >= o->low[i] && theta[i] <= o->high[i]))
            return false;
    return true;
}

/* Every call on a file that may be damaged: it answers with success and sound numbers, or with a
 * failure and a sentence; the first failure is returned. */
static besd_status visit(const char *path) {
    besd_study *s = NULL;
    besd_status first = BESD_OK, status;
#define VISIT(call)                                                                                \
    do {                                                                                           \
        error.message[0] = '\0';                                                                   \
        status = (call);                                                                           \
        if (status != BESD_OK && !error.message[0])                                                \
            fail_msg("%s: %s without a message", #call, besd_status_name(status));                 \
        first = first ? first : status;                                                            \
    } while (0)
    VISIT(besd_study_open(&s, path, NULL, &error));
    if (first != BESD_OK)
        return first;
    const besd_study_options *o = besd_study_get_options(s);
    double scores[BESD_MAX_REPS], mean, sd, cost;
    besd_recommendation best;
    besd_hyperparameters h;
    besd_explanation why;
    besd_trial t = {.reps = 1};
    int64_t count = 0;
    size_t got;
    VISIT(besd_study_trial_count(s, &count, &error));
    for (int64_t id = 1; id <= 11; id++) {
        VISIT(besd_study_trial(s, id, &t, &error));
        VISIT(besd_study_scores(s, id, scores, BESD_MAX_REPS, &got, &error));
    }
    VISIT(besd_study_spent(s, &cost, &error));
    VISIT(besd_study_predict(s, o->low, o->taus[0], &mean, &sd, &error));
    assert_true(status != BESD_OK || (isfinite(mean) && sd >= 0));
    VISIT(besd_study_hyperparameters(s, &h, &error));
    VISIT(besd_study_recommend(s, &best, &error));
    assert_true(status != BESD_OK ||
                (in_box(o, best.theta) && isfinite(best.mean) && best.sd >= 0));
    VISIT(besd_study_ask_explained(s, &t, &why, &error));
    if (status == BESD_OK) {
        assert_true(in_box(o, t.theta) && t.reps >= 1 && t.reps <= BESD_MAX_REPS);
        for (int r = 0; r < t.reps && r < BESD_MAX_REPS; r++)
            scores[r] = 0.5;
        VISIT(besd_study_tell(s, t.id, scores, (size_t)t.reps, &error));
    }
#undef VISIT
    besd_study_close(s);
    return first;
}

static void test_truncated(void **state) {
    (void)state;
    char path[PATH_SIZE], cut[PATH_SIZE];
    make_study(new_path(path));
    bytes whole = read_bytes(path);
    new_path(cut);
    write_bytes(cut, whole.data, whole.size);
    assert_int_equal(visit(cut), BESD_OK);
    for (size_t size = 0; size < whole.size; size += size < 100 ? 20 : 1024 - size % 1024 + 76) {
        write_bytes(cut, whole.data, size);
        assert_true(visit(cut) <= 0);
        write_bytes(cut, whole.data, size - size % 4096); /* whole pages are missed */
        if (visit(cut) != BESD_IO)
            fail_msg("%zu of %zu bytes passed for a study", size - size % 4096, whole.size);
    }
    free(whole.data);
}

/* Random bytes in random places: an answer every time. */
static void test_corrupted(void **state) {
    (void)state;
    char path[PATH_SIZE], damaged[PATH_SIZE];
    make_study(new_path(path));
    bytes whole = read_bytes(path), copy = {malloc(whole.size), whole.size};
    assert_non_null(copy.data);
    new_path(damaged);
    int noticed = 0, runs = TEST_SIZE(120, 60);
    for (int i = 0; i < runs; i++) {
        rng stream = rng_open(1, RNG_TEST, (uint64_t)i, 0, 0);
        memcpy(copy.data, whole.data, whole.size);
        uint64_t changes = 1 + rng_below(&stream, 40);
        uint64_t page = 4096 * rng_below(&stream, whole.size / 4096);
        for (uint64_t c = 0; c < changes; c++) { /* in one page: its tables and cells meet */
            uint64_t place =
                i % 2 ? page + rng_below(&stream, 4096) : rng_below(&stream, whole.size);
            copy.data[place] = (unsigned char)rng_next(&stream);
        }
        write_bytes(damaged, copy.data, copy.size);
        noticed += visit(damaged) < 0;
    }
    assert_true(noticed > runs / 10); /* the damage was no cosmetics */
    free(whole.data);
    free(copy.data);
}

/* Whole database, senseless content: refused by the first call that would have to use it. */
static void test_senseless_content(void **state) {
    (void)state;
    char path[PATH_SIZE], damaged[PATH_SIZE];
    const char *const damage[] = {
        "UPDATE trial SET tau = 11 WHERE id = 3",
        "UPDATE trial SET tau = 0 WHERE id = 9",
        "UPDATE trial SET reps = 0 WHERE id = 3",
        "UPDATE trial SET reps = 1000000 WHERE id = 11",
        "UPDATE trial SET state = 7 WHERE id = 3",
        "UPDATE trial SET reason = -3 WHERE id = 9",
        "UPDATE trial SET theta = zeroblob(8) WHERE id = 3",
        "UPDATE trial SET theta = x'000000000000f87f000000000000f87f' WHERE id = 3",
        "UPDATE trial SET theta = x'000000000000f07f0000000000000000' WHERE id = 3",
        "UPDATE trial SET score_count = -1 WHERE id = 3",
        "UPDATE trial SET model_mean = 9e999 WHERE id = 3",
        "UPDATE trial SET model_mean = NULL WHERE id = 3",
        "UPDATE trial SET within = -1 WHERE id = 3",
        "UPDATE text SET value = 'x' WHERE key = 'spec'",
        "UPDATE text SET value = '' WHERE key = 'spec'",
        "DELETE FROM text",
        "DROP TABLE text",
        "DROP TABLE trial",
        "DROP TABLE score",
        "DROP TABLE fit",
    };
    make_study(new_path(path));
    bytes whole = read_bytes(path);
    int missed = 0;
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        write_bytes(new_path(damaged), whole.data, whole.size);
        sql(damaged, damage[i]);
        besd_status status = visit(damaged);
        if (status == BESD_IO)
            continue;
        print_message("%s: expected BESD_IO, got %s\n", damage[i], besd_status_name(status));
        missed++;
    }
    free(whole.data);
    assert_int_equal(missed, 0);
}

/* Kept hyperparameters that nobody can use, for the newest told trials or for the warm start of the
 * next fit. They can be fitted again from the scores; what comes out is sound in any case. */
static void test_senseless_fits(void **state) {
    (void)state;
    char path[PATH_SIZE], damaged[PATH_SIZE];
    make_study(new_path(path));
    bytes whole = read_bytes(path);
    const int fillings[] = {0x00, 0x3f, 0xbf, 0xff}; /* 0, 5e-4, -0.1, NaN */
    for (size_t i = 0; i < sizeof fillings / sizeof *fillings; i++)
        for (int shift = 0; shift < 2; shift++) {
            unsigned char filling[4096];
            sqlite3 *db = NULL;
            sqlite3_stmt *statement = NULL;
            memset(filling, fillings[i], sizeof filling);
            write_bytes(new_path(damaged), whole.data, whole.size);
            assert_int_equal(sqlite3_open(damaged, &db), SQLITE_OK);
            assert_int_equal(
                sqlite3_prepare_v2(db, "UPDATE fit SET bytes = substr(?, 1, length(bytes))", -1,
                                   &statement, NULL),
                SQLITE_OK);
            sqlite3_bind_blob(statement, 1, filling, sizeof filling, SQLITE_STATIC);
            assert_int_equal(sqlite3_step(statement), SQLITE_DONE);
            sqlite3_finalize(statement);
            sqlite3_close(db);
            if (shift)
                sql(damaged, "DELETE FROM fit WHERE told = (SELECT max(told) FROM fit)");
            visit(damaged);
        }
    const char *const damage[] = {"UPDATE fit SET bytes = x'00'", "UPDATE fit SET told = told - 1",
                                  "DELETE FROM fit"};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        write_bytes(new_path(damaged), whole.data, whole.size);
        sql(damaged, damage[i]);
        assert_int_equal(visit(damaged), BESD_OK);
    }
    free(whole.data);
}

/* A call that may fail once: then with BESD_IO and a reason that names the file, and on the
 * repaired disk not again. Adds the failures up. */
#define ONCE_MORE(call, path, failures)                                                            \
    do {                                                                                           \
        besd_status once_ = (call);                                                                \
        if (once_ != BESD_OK) {                                                                    \
            assert_int_equal(once_, BESD_IO);                                                      \
            assert_non_null(strstr(error.message, path));                                          \
            if (disk.fault == FAULT_FULL && !strstr(error.message, "the disk is full"))            \
                fail_msg("expected a full disk, got '%s'", error.message);                         \
            repair_disk();                                                                         \
            assert_ok(call, &error);                                                               \
            (failures)++;                                                                          \
        }                                                                                          \
    } while (0)

/* At every change that an open, an ask and a tell make, a disk without space, or one faulty sector:
 * the call fails with the reason, the same call succeeds on the repaired disk, and the study goes
 * on as if nothing had been. */
static void test_faulty_disk(void **state) {
    (void)state;
    char path[PATH_SIZE], copy[PATH_SIZE];
    besd_study_options o = small_options(2, 3);
    o.initial_designs = 2;
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, 5, NULL);
    besd_study_close(s);
    bytes whole = read_bytes(path);
    s = open_study(path, NULL);
    besd_trial expected, t;
    run_trials(s, 1, &expected);
    besd_study_close(s);

    const fault kinds[] = {FAULT_FULL, FAULT_IO};
    new_path(copy);
    for (size_t k = 0; k < 2; k++) {
        int failures = 0;
        bool reached = true;
        for (int at = 1; reached; at++) {
            double scores[BESD_MAX_REPS];
            write_bytes(copy, whole.data, whole.size);
            use_faulty_disk(kinds[k], at);
            ONCE_MORE(besd_study_open(&s, copy, NULL, &error), copy, failures);
            ONCE_MORE(besd_study_ask(s, &t, &error), copy, failures);
            assert_same_trial(&t, &expected);
            train(&t, 2, scores);
            ONCE_MORE(besd_study_tell(s, t.id, scores, (size_t)t.reps, &error), copy, failures);
            besd_study_close(s);
            reached = disk.changes >= at;
            use_real_disk();
            s = open_study(copy, NULL);
            assert_int_equal(trial_count(s), 6);
            assert_int_equal(get_trial(s, 6).state, BESD_TRIAL_TOLD);
            besd_study_close(s);
        }
        assert_true(failures >= 8); /* the pages of an ask and of a tell at the very least */
    }
    free(whole.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_a_folder),
        cmocka_unit_test(test_not_a_database),
        cmocka_unit_test(test_empty_file),
        cmocka_unit_test(test_foreign_database),
        cmocka_unit_test(test_newer_schema),
        cmocka_unit_test(test_archive),
        cmocka_unit_test(test_link),
        cmocka_unit_test(test_read_only),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_trials),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_fits),
        cmocka_unit_test(test_rollback),
        cmocka_unit_test(test_readers_see_whole_transactions),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_corrupted),
        cmocka_unit_test(test_senseless_content),
        cmocka_unit_test(test_senseless_fits),
        cmocka_unit_test(test_faulty_disk),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
