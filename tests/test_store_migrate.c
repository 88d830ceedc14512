/* Studies that earlier versions have made can be read and go on: data/study-N.sql holds one of
 * schema N, ten trials of which one failed, one under way, and a kept fit. A new schema gets a new
 * file; these stay as they are. Variants of them are made by changing the text. */
#include "acts_fixture.h"

#include "faulty_vfs.h"

#include <sys/stat.h>
#include <sys/wait.h>

static besd_error error;

/* The SQL that makes a study of this schema; valid until the next call. */
static char *study_of(int schema) {
    static char text[100000];
    char source[512];
    snprintf(source, sizeof source, "%s/study-%d.sql", TEST_DATA, schema);
    FILE *file = fopen(source, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* Puts something else in the place of what stands there once. */
static char *but(char *text, const char *old, const char *new) {
    char *at = strstr(text, old);
    if (at && !strstr(at + 1, old)) {
        char *rest = strdup(at + strlen(old));
        assert_non_null(rest);
        sprintf(at, "%s%s", new, rest);
        free(rest);
    } else {
        fail_msg("expected '%s' once", old);
    }
    return text;
}

/* The studies of the second and third schema have a model that is gone. As ones of the paper's,
 * with fits that have no discrepancy. */
static char *of_paper(char *text) {
    char *at = but(text, "\"model\":\"extended\"", "\"model\":\"paper\"");
    while ((at = strstr(at, "\"discrepancy_variance\":")) != NULL) {
        const char *end = strstr(at, ",\"lengthscale\"");
        assert_non_null(end);
        char *rest = strdup(end);
        assert_non_null(rest);
        at += sprintf(at, "\"discrepancy_variance\":0.0,\"discrepancy_lengthscale\":0.0");
        strcpy(at, rest);
        free(rest);
    }
    return text;
}

/* As studies are: with a log, which is written back. */
static const char *restore(char path[PATH_SIZE], const char *text) {
    sql(new_path(path), text);
    sql(path, "PRAGMA journal_mode=WAL");
    return path;
}

/* How a study of the first schema is seen by whoever may read it. */
static besd_status look_at_first(besd_study *s, besd_recommendation *r, besd_hyperparameters *h,
                                 besd_error *e) {
    besd_status status = besd_study_recommend(s, r, e);
    return status == BESD_OK ? besd_study_hyperparameters(s, h, e) : status;
}

/* Which the version that has made it gave, to all digits that a fit of another compiler would
 * change: its own was kept. */
static void check_first(const besd_recommendation *r, const besd_hyperparameters *h) {
    assert_int_equal(r->trials, 9);
    assert_true(r->cost == 443);
    assert_close(r->theta[0], 6.47008, 1e-4);
    assert_close(exp(-r->mean), 28.705008584673152, 1e-6);
    assert_close(r->mean, -3.3570716226849848, 1e-8);
    assert_close(r->sd, 0.038788146971868449, 1e-8);
    assert_true(h->prior_mean == -3.7773433897167163);
    assert_true(h->lengthscales[0] == 10 * 0.5508593468423844);
    assert_true(h->lengthscales[1] == 2 * 1.151483328045546);
    assert_true(h->sigma_phi[0][0] == 0.27547431967589536 * 0.27547431967589536);
    for (int level = 0; level < 2; level++) {
        assert_close(h->env_sd[level] * h->env_sd[level], 0.0012117869662266161, 1e-17);
        assert_close(h->rep_sd[level] * h->rep_sd[level], 0.0002968453777816897, 1e-17);
    }
}

/* Looking at an old study leaves its bytes alone; telling brings it up to date. */
static void test_first_looked_at(void **state) {
    (void)state;
    char path[PATH_SIZE], note[16];
    besd_recommendation r;
    besd_hyperparameters h = {0};
    double told[] = {40, 41};
    bytes before = read_bytes(restore(path, study_of(1)));
    for (int writing = 0; writing < 2; writing++) {
        besd_study *s = open_study(path, NULL);
        assert_ok(look_at_first(s, &r, &h, &error), &error);
        check_first(&r, &h);
        if (writing)
            assert_ok(besd_study_tell(s, 11, &(besd_outcome){.scores = told, .count = 2}, &error),
                      &error);
        if (writing)
            assert_ok(besd_study_set_trial_note(s, 11, "at last", &error), &error);
        besd_study_close(s);
        bytes after = read_bytes(path);
        assert_int_equal(after.size == before.size && !memcmp(after.data, before.data, before.size),
                         !writing);
        free(after.data);
    }
    besd_study *s = open_study(path, NULL);
    assert_int_equal(get_trial(s, 11).state, BESD_TRIAL_TOLD);
    assert_ok(besd_study_get_trial_note(s, 11, note, sizeof note, &error), &error);
    assert_string_equal(note, "at last");
    besd_study_close(s);
    free(before.data);
}

/* Whoever opens an old study with options, and is refused or has nothing new to say, has not
 * changed a byte. */
static void test_first_refused(void **state) {
    (void)state;
    char path[PATH_SIZE];
    bytes before = read_bytes(restore(path, study_of(1)));
    besd_study *s = open_study(path, NULL);
    besd_study_options o = *besd_study_get_options(s), other = o;
    besd_study *second;
    other.seed++;
    assert_int_equal(besd_study_open(&second, path, &other, &error), BESD_INVALID);
    assert_ok(besd_study_open(&second, path, &o, &error), &error);
    besd_study_close(second);
    besd_study_close(s);
    bytes after = read_bytes(path);
    assert_true(after.size == before.size && !memcmp(after.data, before.data, before.size));
    free(after.data);
    s = open_study(path, NULL);
    o = *besd_study_get_options(s);
    o.budget += 1;
    assert_ok(besd_study_open(&second, path, &o, &error), &error); /* a new budget is written */
    besd_study_close(second);
    besd_study_close(s);
    after = read_bytes(path);
    assert_false(after.size == before.size && !memcmp(after.data, before.data, before.size));
    free(after.data);
    free(before.data);
}

static void test_first_schema(void **state) {
    (void)state;
    char path[PATH_SIZE], note[32];
    double scores[4];
    size_t count;
    besd_recommendation r;
    besd_hyperparameters h = {0};
    restore(path, study_of(1));
    for (int again = 0; again < 2; again++) { /* brought up to date, and then as it is */
        besd_study *s = open_study(path, NULL);
        const besd_study_options *o = besd_study_get_options(s);
        assert_int_equal(o->dimension, 2);
        assert_string_equal(o->names[0], "x");
        assert_string_equal(o->units[0], "m");
        assert_true(o->high[0] == 10 && o->low[1] == -1 && o->budget == 2000 && o->seed == 7);
        assert_int_equal(o->direction, BESD_MINIMIZE);
        assert_int_equal(o->transform, BESD_TRANSFORM_LOG);
        assert_int_equal(o->targets, 100);
        assert_true(o->caution == 1 && o->explore == 0.25);
        assert_true(o->search_until == 2.0 / 3); /* it was none of its options */
        assert_int_equal(trial_count(s), 11);
        assert_int_equal(get_trial(s, 4).state, BESD_TRIAL_FAILED);
        assert_true(get_trial(s, 4).cost == 3);
        for (int id = 1; id <= 11; id++)
            assert_int_equal(get_trial(s, id).repeats, 0);
        assert_ok(besd_study_get_trial_note(s, 4, note, sizeof note, &error), &error);
        assert_string_equal(note, "flat tyre");
        assert_ok(besd_study_scores(s, 6, scores, 4, &count, &error), &error);
        assert_int_equal(count, 2);
        assert_close(scores[0], 28.675, 1e-3);
        assert_ok(look_at_first(s, &r, &h, &error), &error);
        check_first(&r, &h);
        besd_study_close(s);
    }
    besd_study *s = open_study(path, NULL);
    besd_trial pending = get_trial(s, 11);
    assert_int_equal(pending.state, BESD_TRIAL_ASKED);
    assert_int_equal(pending.reason, BESD_REASON_KG);
    double told[] = {40, 41};
    assert_ok(besd_study_tell(s, 11, &(besd_outcome){.scores = told, .count = 2}, &error), &error);
    besd_trial t;
    assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
    assert_int_equal(t.id, 12);
    besd_study_close(s);
}

/* What the file of the first schema says in other words. */
static void test_first_words(void **state) {
    (void)state;
    const struct {
        const char *old, *new;
        double budget, caution, explore;
        int targets;
    } cases[] = {
        {"\"caution\":1.0", "\"caution\":-1.0", 2000, 0, 0.25, 100}, /* -1 was none */
        {"\"explore\":0.25", "\"explore\":-1.0", 2000, 1, 0, 100},
        {"\"budget\":2000.0", "\"budget\":0.0", INFINITY, 1, 0.25, 100}, /* 0 was none */
        {"\"budget\":2000.0", "\"budget\":0.30000000000000004", 0.1 + 0.2, 1, 0.25, 100},
        {"\"target_count\":100", "\"target_count\":61", 2000, 1, 0.25, 61},
        {"\"mean_of_all\":false,", "", 2000, 1, 0.25, 100}, /* younger than the oldest of them */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[PATH_SIZE];
        restore(path, but(study_of(1), cases[i].old, cases[i].new));
        besd_study_close(open_study(path, NULL));
        besd_study *s = open_study(path, NULL);
        besd_study_options o = *besd_study_get_options(s);
        assert_true(o.budget == cases[i].budget);
        assert_true(o.caution == cases[i].caution && o.explore == cases[i].explore);
        assert_int_equal(o.targets, cases[i].targets);
        assert_false(o.mean_of_all);
        besd_study *same = open_study(path, &o); /* who says the same means this one */
        besd_study_close(same);
        o.targets++;
        assert_fails(besd_study_open(&same, path, &o, &error), BESD_INVALID, &error, "targets:");
        besd_study_close(s);
    }
}

/* A kept fit is used, whatever a new one would be, and dropped when it is none. */
static void test_first_fit(void **state) {
    (void)state;
    char path[PATH_SIZE];
    besd_hyperparameters h = {0};
    /* the first length scale of the unit cube, 0.55, becomes 0.25 */
    restore(path, but(study_of(1), "c06a49ecc7a3a0e13f", "c0000000000000d03f"));
    besd_study *s = open_study(path, NULL);
    assert_ok(besd_study_hyperparameters(s, &h, &error), &error);
    assert_true(h.lengthscales[0] == 2.5);
    besd_study_close(s);

    char *text = study_of(1), *fit = strstr(text, "INSERT INTO fit VALUES");
    assert_non_null(fit);
    char *end = strchr(fit, '\n');
    memmove(fit, end, strlen(end) + 1);
    s = open_study(restore(path, text), NULL);
    besd_recommendation anew = recommend(s);
    assert_close(exp(-anew.mean), 28.705, 0.01); /* the old one was a good one */
    besd_study_close(s);
    const struct {
        const char *old, *new;
    } damage[] = {{"533f0000", "533f00"},                       /* not as long as it was */
                  {"c06a49ecc7a3a0e13f", "c06a49ecc7a3a0e1bf"}, /* a negative length scale */
                  {"c06a49ecc7a3a0e13f", "c0000000000000f87f"}, /* no number */
                  /* the discrepancy of a model that is gone, 0.25 */
                  {"fc24786eb157d13f0000000000000000", "fc24786eb157d13f000000000000d03f"},
                  {"VALUES(9,1,X'b9", "VALUES(9,1,X'b9b9"}};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        text = study_of(1);
        if (i == 0) { /* which stands there twice */
            char *at = strstr(text, damage[0].old);
            memmove(at + 6, at + 8, strlen(at + 8) + 1);
        } else {
            but(text, damage[i].old, damage[i].new);
        }
        s = open_study(restore(path, text), NULL);
        besd_recommendation r = recommend(s);
        assert_memory_equal(&r, &anew, sizeof r);
        besd_study_close(s);
    }
}

/* Retries were known by their reason alone: the trial that they repeat is found, and once told they
 * stand in its place. */
static void test_first_retries(void **state) {
    (void)state;
    char path[PATH_SIZE];
    /* 12 repeats 4 and fails, 13 is asked for the same and told, 14 repeats nothing that failed */
    char *text = but(study_of(1), "CREATE TABLE score",
                     "INSERT INTO trial SELECT 12, theta, tau, reps, 5, 2, 5, 80.0, 0, NULL, NULL,"
                     " NULL, NULL, asked_at, ended_at FROM trial WHERE id = 4;"
                     "INSERT INTO trial SELECT 13, theta, tau, reps, 6, 1, 5, 80.0, 2, 40.5, -3.7,"
                     " 0.0003, NULL, asked_at, ended_at FROM trial WHERE id = 4;"
                     "INSERT INTO trial SELECT 14, theta, tau, reps, 7, 0, 5, 80.0, 0, NULL, NULL,"
                     " NULL, NULL, asked_at, NULL FROM trial WHERE id = 6;"
                     "CREATE TABLE score");
    besd_study *s = open_study(restore(path, text), NULL);
    const int64_t repeats[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 0};
    for (int id = 1; id <= 14; id++)
        assert_int_equal(get_trial(s, id).repeats, repeats[id]);
    besd_hyperparameters h = {0};
    assert_ok(besd_study_hyperparameters(s, &h, &error), &error);
    /* the mean of the initial trials, 13 being the fourth of them */
    double sum = -3.7;
    const double means[] = {-4.0869489694354808, -3.4324363815224759, -3.7525363639970606,
                            -4.0006877379344274, -3.3731653017555834, -3.9970569991893559,
                            -3.5268111696575737, -4.0256867890378096, -3.800760794920679};
    for (int i = 0; i < 9; i++)
        sum += means[i];
    assert_close(h.prior_mean, sum / 10, 1e-12);
    besd_study_close(s);
}

/* Who may not write an old study can read it all the same, in a folder that may be written and in
 * one that may not. The superuser may write everything, so the test becomes nobody for a while. */
static void test_first_read_only(void **state) {
    (void)state;
    for (int archive = 0; archive < 2; archive++) {
        char path[PATH_SIZE + 16], made[PATH_SIZE], place[PATH_SIZE];
        besd_recommendation r;
        besd_hyperparameters h = {0};
        besd_trial t;
        besd_error refused_tell = {BESD_OK, ""}, refused_ask = {BESD_OK, ""};
        double told[] = {40, 41};
        restore(made, study_of(1));
        assert_int_equal(chmod(folder, 0777), 0);
        assert_int_equal(mkdir(new_path(place), 0777), 0);
        snprintf(path, sizeof path, "%s/old.besd", place);
        assert_int_equal(rename(made, path), 0);
        bytes before = read_bytes(path);
        assert_int_equal(chmod(path, 0444), 0);
        assert_int_equal(chmod(place, archive ? 0555 : 0777), 0);
        if (geteuid() == 0 && seteuid(65534) != 0)
            skip();
        besd_study *s = NULL;
        besd_status status = besd_study_open(&s, path, NULL, &error), tell = BESD_OK,
                    asked = BESD_OK;
        double budget = 0;
        if (status == BESD_OK) {
            status = look_at_first(s, &r, &h, &error);
            budget = besd_study_get_options(s)->budget;
            tell =
                besd_study_tell(s, 11, &(besd_outcome){.scores = told, .count = 2}, &refused_tell);
            asked = besd_study_ask(s, NULL, &t, &refused_ask);
            if (status == BESD_OK)
                status = look_at_first(s, &r, &h, &error);
            besd_study_close(s);
        }
        if (getuid() == 0)
            assert_int_equal(seteuid(0), 0);
        assert_int_equal(chmod(place, 0777), 0);
        assert_ok(status, &error);
        check_first(&r, &h);
        assert_true(budget == 2000);
        assert_fails(tell, BESD_IO, &refused_tell, "cannot be written");
        assert_non_null(strstr(refused_tell.message, path));
        assert_fails(asked, BESD_IO, &refused_ask, "cannot be written");
        assert_non_null(strstr(refused_ask.message, path));
        assert_unchanged(path, before);
        assert_int_equal(chmod(path, 0666), 0);
    }
}

/* A description that is damaged is refused, with the file's name, and the file stays as it was. */
static void test_first_damaged(void **state) {
    (void)state;
    const struct {
        const char *old, *new;
    } damage[] = {{"\"theta\":[", "\"thta\":["},
                  {"'{\"budget\"", "'{{\"budget\""},
                  {"\"tau\":[10,40]", "\"tau\":[40,40]"},
                  {"\"method\":\"besd\"", "\"method\":\"best\""},
                  {"\"target_count\":100", "\"target_count\":-1"},
                  {"CREATE TABLE fit(", "CREATE TABLE fits("},
                  {"CREATE TABLE trial(", "CREATE TABLE trials("}};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        char path[PATH_SIZE];
        char *text = study_of(1);
        but(text, damage[i].old, damage[i].new);
        if (strstr(damage[i].old, "fit(")) {
            but(text, "INSERT INTO fit ", "INSERT INTO fits ");
        } else if (strstr(damage[i].old, "trial(")) {
            char *first = strstr(text, "INSERT INTO trial "),
                 *last = strstr(text, "CREATE TABLE score");
            memmove(first, last, strlen(last) + 1);
        }
        restore(path, text);
        bytes before = read_bytes(path);
        for (int once_more = 0; once_more < 2; once_more++) {
            besd_study *s = NULL;
            assert_fails(besd_study_open(&s, path, NULL, &error), BESD_IO, &error, path);
            assert_null(s);
        }
        assert_unchanged(path, before);
    }
}

/* A study that was made and never described. */
static void test_first_empty(void **state) {
    (void)state;
    char path[PATH_SIZE];
    restore(path, study_of(1));
    sql(path, "DELETE FROM text; DELETE FROM score; DELETE FROM trial; DELETE FROM fit");
    besd_study *s = NULL;
    assert_fails(besd_study_open(&s, path, NULL, &error), BESD_IO, &error, "an empty study");
    besd_study_options o = short_options(2, 3);
    s = open_study(path, &o);
    run_trials(s, 5, NULL);
    besd_study_close(s);
}

/* Several processes find it at once: one brings it up to date, the others wait for that. */
static void test_first_opened_by_many(void **state) {
    (void)state;
    enum { PROCESSES = 6 };
    for (int round = 0; round < 5; round++) {
        char path[PATH_SIZE];
        pid_t children[PROCESSES];
        int gate[2];
        restore(path, study_of(1));
        assert_int_equal(pipe(gate), 0);
        for (int i = 0; i < PROCESSES; i++) {
            children[i] = fork();
            assert_true(children[i] >= 0);
            if (children[i])
                continue;
            char open_sesame;
            besd_study *s = NULL;
            int64_t count = 0;
            close(gate[1]);
            bool good = read(gate[0], &open_sesame, 1) == 0 &&
                        besd_study_open(&s, path, NULL, &error) == BESD_OK &&
                        besd_study_trial_count(s, &count, &error) == BESD_OK && count == 11 &&
                        (i % 2 || besd_study_set_note(s, "robot", "red", &error) == BESD_OK);
            besd_study_close(s);
            _exit(good ? 0 : 1);
        }
        close(gate[0]);
        close(gate[1]);
        for (int i = 0; i < PROCESSES; i++) {
            int ended = -1;
            assert_int_equal(waitpid(children[i], &ended, 0), children[i]);
            assert_int_equal(ended, 0);
        }
        besd_recommendation r;
        besd_hyperparameters h = {0};
        besd_study *s = open_study(path, NULL);
        assert_ok(look_at_first(s, &r, &h, &error), &error);
        check_first(&r, &h);
        besd_study_close(s);
    }
}

/* At every change that bringing it up to date and one note make: the disk is full or faulty, or the
 * process dies. The study is the old one or the new one, and as good as before. */
static void test_first_on_a_faulty_disk(void **state) {
    (void)state;
    char path[PATH_SIZE];
    const fault kinds[] = {FAULT_FULL, FAULT_IO, FAULT_KILL, FAULT_KILL_HALF};
    restore(path, study_of(1));
    bytes whole = read_bytes(path);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int failures = 0;
        bool reached = true;
        for (int at = 1; reached; at++) {
            besd_study *s = NULL;
            write_bytes(path, whole.data, whole.size);
            pid_t child = fork();
            assert_true(child >= 0);
            if (!child) {
                use_faulty_disk(kinds[k], at);
                besd_status status = besd_study_open(&s, path, NULL, &error);
                if (status == BESD_OK)
                    status = besd_study_set_note(s, "robot", "red", &error);
                besd_study_close(s);
                bool said = status == BESD_OK || (status == BESD_IO && strstr(error.message, path));
                _exit(!said ? 9 : status != BESD_OK ? 2 : disk.changes >= at ? 1 : 0);
            }
            int ended = -1;
            assert_int_equal(waitpid(child, &ended, 0), child);
            assert_true(WIFSIGNALED(ended) || WEXITSTATUS(ended) <= 2);
            reached = WIFSIGNALED(ended) || WEXITSTATUS(ended) != 0;
            failures += WIFSIGNALED(ended) || WEXITSTATUS(ended) == 2;
            besd_recommendation r;
            besd_hyperparameters h = {0};
            s = open_study(path, NULL);
            assert_ok(look_at_first(s, &r, &h, &error), &error);
            check_first(&r, &h);
            assert_int_equal(get_trial(s, 4).state, BESD_TRIAL_FAILED);
            besd_study_close(s);
        }
        assert_true(failures >= 3); /* the pages of the log at the very least */
    }
    free(whole.data);
}

/* Models that are gone: whoever opens such a study is told what to do, and it stays as it is. */
static void test_gone_models(void **state) {
    (void)state;
    const char *const gone[] = {"\"model\":\"extended\"", "\"model\":\"noise\""};
    for (int schema = 1; schema <= 3; schema++)
        for (int k = 0; k < 2; k++) {
            char path[PATH_SIZE], sentence[80];
            besd_study *s = NULL;
            const char *model = schema == 1 ? "\"model\":\"paper\"" : gone[0];
            bytes before = read_bytes(restore(path, but(study_of(schema), model, gone[k])));
            assert_fails(besd_study_open(&s, path, NULL, &error), BESD_IO, &error, path);
            snprintf(sentence, sizeof sentence, ": its model '%s' is gone; with besd 0.2.0",
                     k ? "noise" : "extended");
            assert_non_null(strstr(error.message, sentence));
            assert_non_null(strstr(error.message, "besd trials FILE --csv"));
            assert_non_null(strstr(error.message, "besd add NEW --from CSV"));
            assert_null(s);
            assert_unchanged(path, before);
        }
}

/* A failed trial that was asked again, and options that are none of the initial ones. */
static void test_second_schema(void **state) {
    (void)state;
    char path[PATH_SIZE], note[32];
    double scores[4];
    size_t count;
    besd_hyperparameters h = {0};
    besd_study *s = open_study(restore(path, of_paper(study_of(2))), NULL);
    const besd_study_options *o = besd_study_get_options(s);
    assert_int_equal(o->dimension, 2);
    assert_string_equal(o->names[0], "x");
    assert_string_equal(o->units[0], "m");
    assert_true(o->high[0] == 10 && o->low[1] == -1 && o->budget == 2000 && o->seed == 8);
    assert_int_equal(o->direction, BESD_MINIMIZE);
    assert_int_equal(o->transform, BESD_TRANSFORM_LOG);
    assert_int_equal(o->model, BESD_MODEL_PAPER);
    assert_int_equal(o->targets, 100);
    assert_int_equal(o->initial_designs, 5);
    assert_true(o->setup_cost == 5 && o->caution == 0 && o->explore == 0.5);
    assert_true(o->search_until == 0.75);
    assert_ok(besd_study_get_note(s, "robot", note, sizeof note, &error), &error);
    assert_string_equal(note, "the red one");
    assert_int_equal(trial_count(s), 13);
    besd_trial failed = get_trial(s, 4), again = get_trial(s, 5);
    assert_int_equal(failed.state, BESD_TRIAL_FAILED);
    assert_true(failed.cost == 3 && failed.repeats == 0);
    assert_ok(besd_study_get_trial_note(s, 4, note, sizeof note, &error), &error);
    assert_string_equal(note, "flat tyre");
    assert_int_equal(again.reason, BESD_REASON_RETRY);
    assert_int_equal(again.repeats, 4);
    assert_memory_equal(again.theta, failed.theta, sizeof again.theta);
    assert_ok(besd_study_scores(s, 5, scores, 4, &count, &error), &error);
    assert_int_equal(count, 2);
    assert_true(scores[0] == 26.2 && scores[1] == 27.2);
    assert_ok(besd_study_hyperparameters(s, &h, &error), &error);
    assert_true(h.prior_mean == -3.7477253406092865); /* the kept fit */
    assert_true(h.lengthscales[0] == 10 * 0.42836254311714173);
    besd_recommendation r = recommend(s);
    assert_int_equal(r.trials, 11);
    assert_true(r.cost == 603);
    assert_close(r.value, 27.42257144109923, 1e-6); /* as 0.2.0 has it */
    assert_close(r.theta[0], 6.08105572055512, 1e-4);
    assert_close(r.theta[1], -0.1633379687551102, 1e-4);
    besd_trial pending = get_trial(s, 13), t;
    assert_int_equal(pending.state, BESD_TRIAL_ASKED);
    assert_int_equal(pending.reason, BESD_REASON_EXPLORE);
    double told[] = {40, 41};
    assert_ok(besd_study_tell(s, 13, &(besd_outcome){.scores = told, .count = 2}, &error), &error);
    assert_ok(besd_study_ask(s, NULL, &t, &error), &error);
    assert_int_equal(t.id, 14);
    besd_study_close(s);
}

/* The third has legs, and knows nothing of acts: they begin with it. */
static void test_third_schema(void **state) {
    (void)state;
    char path[PATH_SIZE];
    event_words w = {0};
    const double theta[] = {1, 2}, scores[] = {30, 31, 32}, other[] = {25, 26};
    besd_hyperparameters h = {0};
    bytes before = read_bytes(restore(path, of_paper(study_of(3))));
    besd_study *s = open_study(path, NULL);
    assert_int_equal(trial_count(s), 11);
    besd_recommendation r = recommend(s);
    assert_int_equal(r.trials, 9);
    assert_close(r.value, 27.42477134702194, 1e-6);
    assert_close(r.theta[1], 4.120465977230733, 1e-4);
    assert_ok(besd_study_hyperparameters(s, &h, &error), &error);
    assert_string_equal(events_after(s, 0, &w), "");
    assert_string_equal(work_of(s, 11).worker, "");
    besd_study_close(s);
    assert_unchanged(path, before); /* it was looked at */

    for (int again = 0; again < 2; again++) {
        s = open_study(path, NULL);
        besd_result result = {.theta = theta, .tau = 40, .scores = scores, .count = 3};
        if (!again)
            assert_ok(besd_study_add(s, &result, 1, NULL, &error), &error);
        assert_string_equal(events_after(s, 0, &w), "added 12");
        besd_study_close(s);
    }
    s = open_study(path, NULL);
    assert_true(besd_study_get_options(s)->budget == 2000);
    besd_leg legs[8];
    size_t count;
    assert_ok(besd_study_legs(s, 1, legs, 8, &count, &error), &error);
    assert_int_equal(count, 4);
    besd_trial old = get_trial(s, 1);
    assert_true(old.seed >> 53); /* seeds were longer; they stay */
    assert_ok(
        besd_study_replace(s, 1, &(besd_outcome){.scores = other, .count = 2}, "typo", &error),
        &error);
    assert_ok(besd_study_restore(s, 1, &error), &error);
    besd_trial restored = get_trial(s, 1);
    assert_memory_equal(&restored, &old, sizeof old);
    besd_leg same[8];
    assert_ok(besd_study_legs(s, 1, same, 8, &count, &error), &error);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_true(same[i].reached == legs[i].reached);
    assert_ok(besd_study_void(s, 2, NULL, &error), &error);
    assert_ok(besd_study_tell(s, 11, &(besd_outcome){.scores = other, .count = 2}, &error), &error);
    assert_int_equal(ask_for(s, "robot", 60).id, 13);
    besd_study_close(s);
}

/* The fourth has acts, and no views for people: they come with the first thing that is written. */
static void test_fourth_schema(void **state) {
    (void)state;
    char path[PATH_SIZE];
    event_words w = {0};
    bytes before = read_bytes(restore(path, study_of(4)));
    besd_study *s = open_study(path, NULL);
    assert_int_equal(trial_count(s), 11);
    assert_int_equal(recommend(s).trials, 9);
    assert_string_equal(events_after(s, 0, &w), "tagged 3 by ada, tagged 3 by ada");
    besd_study_close(s);
    assert_unchanged(path, before); /* it was looked at */
    s = open_study(path, NULL);
    assert_ok(besd_study_tag(s, 3, "hall", false, &error), &error);
    besd_study_close(s);
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT y1, tags FROM trials WHERE trial = 3", -1, &row, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    s = open_study(path, NULL);
    assert_true(sqlite3_column_double(row, 0) == get_trial(s, 3).theta[1]);
    assert_string_equal((const char *)sqlite3_column_text(row, 1), "dry");
    sqlite3_finalize(row);
    sqlite3_close(db);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_looked_at),
        cmocka_unit_test(test_first_refused),
        cmocka_unit_test(test_first_schema),
        cmocka_unit_test(test_first_words),
        cmocka_unit_test(test_first_fit),
        cmocka_unit_test(test_first_retries),
        cmocka_unit_test(test_first_read_only),
        cmocka_unit_test(test_first_damaged),
        cmocka_unit_test(test_first_empty),
        cmocka_unit_test(test_first_opened_by_many),
        cmocka_unit_test(test_first_on_a_faulty_disk),
        cmocka_unit_test(test_gone_models),
        cmocka_unit_test(test_second_schema),
        cmocka_unit_test(test_third_schema),
        cmocka_unit_test(test_fourth_schema),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
