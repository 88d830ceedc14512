/* A study's file that is damaged, senseless or on a faulty disk: an answer every time, sound or a
 * sentence; faults of the disk leave everything as it was. */
#include "study_fixture.h"

#include "faulty_vfs.h"
#include "study_file.h"

static besd_error error;

/* A study with all kinds of trials and kept fits, closed: the raw material of damage. */
static void make_study(const char *path) {
    besd_study_options o = small_options(2, 3);
    o.initial_designs = 3;
    besd_study *s = open_study(path, &o);
    run_trials(s, 9, NULL);
    besd_trial failed = ask(s);
    assert_ok(besd_study_fail(s, failed.id, NULL, "note", &error), &error);
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
    VISIT(besd_study_ask(s, &(besd_ask){.explanation = &why}, &t, &error));
    if (status == BESD_OK) {
        assert_true(in_box(o, t.theta) && t.reps >= 1 && t.reps <= BESD_MAX_REPS);
        for (int r = 0; r < t.reps && r < BESD_MAX_REPS; r++)
            scores[r] = 0.5;
        VISIT(besd_study_tell(s, t.id, &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                              &error));
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

/* What no study holds. */
static const char *const senseless[] = {
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
    "UPDATE trial SET model_mean = 1e308 WHERE id = 3",
    "UPDATE trial SET model_mean = -1e150 WHERE id = 3",
    "UPDATE trial SET within = 1e300 WHERE id = 3",
    "UPDATE trial SET mean = NULL WHERE id = 3",
    "UPDATE trial SET mean = 9e999 WHERE id = 3",
    "UPDATE trial SET cost = 1e301 WHERE id = 3",
    "UPDATE trial SET cost = -1 WHERE id = 3",
    "UPDATE trial SET seed = -1 WHERE id = 3",
    "UPDATE trial SET reps = reps + 4294967296 WHERE id = 3",
    "UPDATE trial SET state = state + 4294967296 WHERE id = 3",
    "UPDATE trial SET reason = reason - 4294967296 WHERE id = 3",
    "UPDATE trial SET score_count = 1 << 40 WHERE id = 3",
    "UPDATE trial SET score_count = 1 WHERE id = 3",
    "UPDATE score SET value = -9e999 WHERE trial = 3",
    "UPDATE score SET replication = replication + 9 WHERE trial = 3",
    "DELETE FROM score WHERE trial = 3 AND replication = 0",
    "DELETE FROM score WHERE trial = 3 AND replication = 1",
    "UPDATE trial SET repeats = 3 WHERE id = 3",
    "UPDATE trial SET repeats = -1 WHERE id = 3",
    "UPDATE trial SET repeats = 4000000000 WHERE id = 9",
    "INSERT INTO text VALUES('budget', 'much')",
    "INSERT INTO text VALUES('budget', '')",
    "INSERT INTO text VALUES('budget', '100 or so')",
    "INSERT INTO text VALUES('budget', '-1')",
    "INSERT INTO text VALUES('budget', 'nan')",
    "INSERT INTO text VALUES('budget', char(27) || '[31m' || char(13))",
    "UPDATE text SET value = replace(value, '\"caution\"', '\"\\u001b[31m\"') WHERE key = 'spec'",
    "UPDATE text SET value = 'x' WHERE key = 'spec'",
    "UPDATE text SET value = '' WHERE key = 'spec'",
    "DELETE FROM text",
    "DROP TABLE text",
    "DROP TABLE trial",
    "DROP TABLE score",
    "DROP TABLE fit",
};

/* Whole database, senseless content: refused by the first call that would have to use it. */
static void test_senseless_content(void **state) {
    (void)state;
    char path[PATH_SIZE], damaged[PATH_SIZE];
    make_study(new_path(path));
    bytes whole = read_bytes(path);
    int missed = 0;
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
        write_bytes(new_path(damaged), whole.data, whole.size);
        sql(damaged, senseless[i]);
        besd_status status = visit(damaged);
        if (status == BESD_IO && !strpbrk(error.message, "\x1b\r\n"))
            continue;
        print_message("%s: expected BESD_IO, got %s\n", senseless[i], besd_status_name(status));
        missed++;
    }
    free(whole.data);
    assert_int_equal(missed, 0);
}

/* A hole among the trials is no fewer trials. */
static void test_missing_trial(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_recommendation best;
    besd_trial t;
    double cost, scores[4];
    size_t got;
    int64_t count;
    make_study(new_path(path));
    sql(path, "DELETE FROM score WHERE trial = 3; DELETE FROM trial WHERE id = 3");
    besd_study *s = open_study(path, NULL);
    const char *const sentence = "it is damaged: trial 3 is missing";
    assert_fails(besd_study_ask(s, NULL, &t, &error), BESD_IO, &error, sentence);
    assert_fails(besd_study_recommend(s, &best, &error), BESD_IO, &error, sentence);
    assert_fails(besd_study_spent(s, &cost, &error), BESD_IO, &error, sentence);
    assert_non_null(strstr(error.message, path));
    assert_fails(besd_study_trial(s, 3, &t, &error), BESD_IO, &error, sentence);
    assert_fails(besd_study_scores(s, 3, scores, 4, &got, &error), BESD_IO, &error, sentence);
    assert_fails(besd_study_trial_count(s, &count, &error), BESD_IO, &error,
                 "some of its trials are missing");
    assert_fails(besd_study_trial(s, 12, &t, &error), BESD_UNKNOWN, &error, "has no trial 12");
    besd_study_close(s);
}

/* A text that is gone: zeros in the header of the row that has the description. */
static void test_missing_text(void **state) {
    (void)state;
    char path[PATH_SIZE], damaged[PATH_SIZE];
    make_study(new_path(path));
    bytes whole = read_bytes(path);
    unsigned char *spec = memmem(whole.data, whole.size, "spec{", 5);
    assert_non_null(spec);
    new_path(damaged);
    for (int before = 1; before <= 6; before++) {
        unsigned char kept = spec[-before];
        spec[-before] = 0;
        write_bytes(damaged, whole.data, whole.size);
        assert_int_equal(visit(damaged), BESD_IO);
        assert_non_null(strstr(error.message, damaged));
        spec[-before] = kept;
    }
    free(whole.data);
}

/* The kept fits of the study above with one value in the place of every number. */
static void write_fits(const char *path, const char *value) {
    char statement[1024];
    const char *v = value;
    snprintf(statement, sizeof statement,
             "UPDATE fit SET numbers = '{\"format\":1,\"prior_mean\":%s,\"lengthscale\":[%s,%s],"
             "\"sigma_root\":[%s,%s,%s],\"env_variance\":[%s,%s],\"rep_variance\":[%s,%s]}'",
             v, v, v, v, v, v, v, v, v, v);
    sql(path, statement);
}

static besd_hyperparameters fitted(const char *path) {
    besd_study *s = open_study(path, NULL);
    besd_hyperparameters h;
    assert_ok(besd_study_hyperparameters(s, &h, &error), &error);
    besd_study_close(s);
    return h;
}

/* Kept hyperparameters that nobody can use, for the newest told trials or for the warm start of the
 * next fit. They can be fitted again from the scores; what comes out is sound in any case. */
static void test_senseless_fits(void **state) {
    (void)state;
    char path[PATH_SIZE], damaged[PATH_SIZE];
    make_study(new_path(path));
    bytes whole = read_bytes(path);
    new_path(damaged);
    write_bytes(damaged, whole.data, whole.size);
    write_fits(damaged, "0.5"); /* which is no damage: they are used */
    assert_close(fitted(damaged).lengthscales[0], 0.5 * 10, 1e-12);
    write_bytes(damaged, whole.data, whole.size);
    sql(damaged, "DELETE FROM fit");
    besd_hyperparameters anew = fitted(damaged);
    const char *const values[] = {"0",      "5e-4",  "-0.1", "1e999", "-1e300", "1e300",
                                  "1e-310", "\"1\"", "null", "[1]",   "",       "NaN"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int shift = 0; shift < 2; shift++) {
            write_bytes(damaged, whole.data, whole.size);
            write_fits(damaged, values[i]);
            if (shift)
                sql(damaged, "DELETE FROM fit WHERE told = (SELECT max(told) FROM fit)");
            besd_hyperparameters h = fitted(damaged);
            if (i != 1) /* small, but possible */
                assert_memory_equal(&h, &anew, sizeof h);
            assert_int_equal(visit(damaged), BESD_OK);
        }
    const char *const damage[] = {
        "UPDATE fit SET numbers = ''",
        "UPDATE fit SET numbers = '[]'",
        "UPDATE fit SET numbers = '{\"format\":1}'",
        "UPDATE fit SET numbers = substr(numbers, 1, length(numbers) - 1)",
        "UPDATE fit SET numbers = replace(numbers, '\"format\":1', '\"format\":2')",
        "UPDATE fit SET numbers = replace(numbers, '\"lengthscale\":[', '\"lengthscale\":[1.0,')",
        "UPDATE fit SET numbers = replace(numbers, 'rep_variance', 'variance')",
        "UPDATE fit SET told = told - 1",
        "INSERT INTO fit SELECT -9223372036854775807, is_full, numbers FROM fit LIMIT 1",
        "INSERT INTO fit SELECT 9223372036854775807, 1, numbers FROM fit LIMIT 1",
        "UPDATE fit SET told = told - 9223372036854775807",
        "DELETE FROM fit",
    };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        write_bytes(damaged, whole.data, whole.size);
        sql(damaged, damage[i]);
        if (!strstr(damage[i], "told") && !strstr(damage[i], "INSERT")) {
            besd_hyperparameters h = fitted(damaged);
            assert_memory_equal(&h, &anew, sizeof h);
        }
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
            ONCE_MORE(besd_study_ask(s, NULL, &t, &error), copy, failures);
            assert_same_trial(&t, &expected);
            train(&t, 2, scores);
            ONCE_MORE(besd_study_tell(s, t.id,
                                      &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                                      &error),
                      copy, failures);
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
        cmocka_unit_test(test_truncated),         cmocka_unit_test(test_corrupted),
        cmocka_unit_test(test_senseless_content), cmocka_unit_test(test_missing_trial),
        cmocka_unit_test(test_missing_text),      cmocka_unit_test(test_senseless_fits),
        cmocka_unit_test(test_faulty_disk),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
