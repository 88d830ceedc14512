/* The life of a study that has sources: its initial design, its file, and what it says of them. */
#include "sources_fixture.h"

#include "study_file.h"

static besd_error error;

/* A file with an earlier study. */
static const char *earlier_file(char path[PATH_SIZE], uint64_t seed, int trials) {
    besd_study_options o = learner_options(2, seed);
    besd_study *s = open_study(new_path(path), &o);
    run_trials(s, trials, NULL);
    besd_study_close(s);
    return path;
}

/* A new study in a file that has added the study in another file. */
static const char *learner_file(char path[PATH_SIZE], const besd_study_options *o,
                                const char *from_path) {
    besd_study *s = open_study(new_path(path), o), *from = open_study(from_path, NULL);
    add_source(s, from, "old");
    besd_study_close(from);
    besd_study_close(s);
    return path;
}

/* Every second design of the initial design is the next of the sources, which take turns. */
static void test_initial_design_takes_turns(void **state) {
    (void)state;
    besd_study *a = earlier_study(2, 5, 12), *b = earlier_study(2, 6, 12);
    for (int crossed = 0; crossed < 2; crossed++) {
        besd_study_options o = learner_options(2, 1);
        o.initial_crossed = crossed;
        o.initial_designs = 8;
        besd_study *s = in_memory(&o), *alone = in_memory(&o);
        add_source(s, a, "a");
        add_source(s, b, "b");
        size_t sourced = 0;
        for (int i = 0; i < 16; i++) {
            besd_trial t = ask(s), other = ask(alone);
            double unit[2];
            answer(s, &t);
            answer(alone, &other);
            assert_int_equal(t.tau, i % 2 ? 30 : 10);
            assert_int_equal(t.reason, i / 2 % 2 ? BESD_REASON_INITIAL : BESD_REASON_SOURCE);
            assert_true(t.reason == BESD_REASON_SOURCE ||
                        same_numbers(t.theta, other.theta, 2)); /* of the same hypercube */
            if (t.reason != BESD_REASON_SOURCE)
                continue;
            size_t number = crossed ? sourced / 2 : sourced;
            assert_true(sources_design(&s->sources, number, unit));
            const source *whose = &s->sources.of[number % 2];
            assert_memory_equal(unit, whose->designs + number / 2 * 2, sizeof unit);
            assert_close(t.theta[0], 10 * unit[0], 1e-14);
            assert_close(t.theta[1], 10 * unit[1], 1e-14);
            sourced++;
        }
        assert_int_equal(sourced, 8);
        assert_true(ask(s).reason != BESD_REASON_SOURCE);
        besd_study_close(s);
        besd_study_close(alone);
    }
    besd_study_close(a);
    besd_study_close(b);
}

/* Fifty trials are fifty trials, whether or not the study was closed after 25 of them, and whatever
 * became of the file of the source: it was removed, or went on. */
static void test_resuming(void **state) {
    (void)state;
    enum { ALL = 50 };
    char old[PATH_SIZE], path[PATH_SIZE];
    besd_trial whole[ALL];
    besd_study_options o = learner_options(2, 21);
    o.instances = BESD_INSTANCES_FRESH;
    earlier_file(old, 5, 20);
    besd_study *s = open_study(learner_file(path, &o, old), NULL);
    run_trials(s, ALL, whole);
    besd_recommendation expected = recommend(s);
    besd_source said = source_of(s, 0);
    besd_study_close(s);
    for (int removed = 0; removed < 2; removed++) {
        s = open_study(learner_file(path, &o, old), NULL);
        if (removed) {
            remove_study(old);
        } else {
            besd_study *from = open_study(old, NULL);
            besd_trial t = ask(from);
            besd_study_close(s);
            s = open_study(path, &o);
            assert_ok(besd_study_fail(from, t.id, NULL, NULL, &error), &error);
            besd_study_close(from);
        }
        for (int i = 0; i < ALL; i++) {
            if (i == ALL / 2) {
                besd_study_close(s);
                s = open_study(path, NULL);
            }
            besd_trial t = ask(s);
            assert_same_trial(&t, &whole[i]);
            answer(s, &t);
        }
        besd_recommendation best = recommend(s);
        besd_source now = source_of(s, 0);
        assert_true(same_numbers(best.theta, expected.theta, 2) && best.mean == expected.mean);
        assert_true(now.likeness == said.likeness && now.related == said.related &&
                    now.share == said.share);
        besd_study_close(s);
    }
}

/* What it says of a source that has the same landscape, and of one that was told rubbish. */
static void test_what_is_said(void **state) {
    (void)state;
    besd_study_options o = learner_options(2, 1);
    o.draws = 8;
    besd_study *same = earlier_study(2, 5, 24), *rubbish = in_memory(&o), *s = in_memory(&o);
    rng stream = rng_open(3, RNG_TEST, 0, 0, 0);
    for (int i = 0; i < 24; i++) {
        besd_trial t = ask(rubbish);
        double scores[BESD_MAX_REPS], level = rng_normal(&stream);
        for (int r = 0; r < t.reps; r++)
            scores[r] = level + 0.05 * rng_normal(&stream);
        assert_ok(besd_study_tell(rubbish, t.id,
                                  &(besd_outcome){.scores = scores, .count = (size_t)t.reps},
                                  &error),
                  &error);
    }
    add_source(s, same, "same");
    add_source(s, rubbish, "rubbish");
    run_trials(s, 24, NULL);
    besd_source first = source_of(s, 0), second = source_of(s, 1);
    assert_true(first.likeness > 0.7 && first.related > 0.9);
    assert_true(second.likeness < 0.5 && second.related < first.related);
    const besd_source *const both[] = {&first, &second};
    for (size_t i = 0; i < 2; i++)
        assert_true(both[i]->likeness <= both[i]->related && both[i]->related <= 1 &&
                    both[i]->share >= 0 && both[i]->share <= 1);
    assert_true(first.share > second.share);
    besd_study_close(same);
    besd_study_close(rubbish);
    besd_study_close(s);
}

/* Only what a study has trained itself is copied, so sources do not go round. */
static void test_circle(void **state) {
    (void)state;
    besd_study_options o = learner_options(2, 2);
    besd_study *a = earlier_study(2, 1, 20), *b = in_memory(&o), *again;
    add_source(b, a, "a");
    run_trials(b, 6, NULL);
    assert_fails(besd_study_add_source(a, b, "b", &error), BESD_INVALID, &error,
                 "has trials already");
    o.seed = 1;
    again = in_memory(&o);
    add_source(again, b, "b");
    assert_int_equal(source_of(again, 0).trials, 6);
    assert_true(source_of(again, 0).rows <= 6);
    run_trials(again, 6, NULL);
    besd_study_close(a);
    besd_study_close(b);
    besd_study_close(again);
}

/* A handle that was open before sees the sources, as does one that wants to add them as well. */
static void test_other_handles(void **state) {
    (void)state;
    char old[PATH_SIZE], path[PATH_SIZE];
    besd_study_options o = learner_options(2, 3);
    besd_study *from = open_study(earlier_file(old, 5, 12), NULL);
    besd_study *s = open_study(new_path(path), &o), *early = open_study(path, NULL);
    assert_ok(besd_study_ask(early, NULL, &(besd_trial){0}, &error), &error);
    besd_study_close(early);
    besd_study_close(s);
    s = open_study(new_path(path), &o);
    early = open_study(path, NULL);
    add_source(s, from, "old");
    assert_int_equal(besd_study_source_count(early), 0); /* it has not looked yet */
    assert_fails(besd_study_add_source(early, from, "old", &error), BESD_INVALID, &error,
                 "has a source of that name");
    assert_int_equal(besd_study_source_count(early), 1);
    besd_study_close(early);
    early = open_study(path, NULL);
    add_source(s, from, "second");
    besd_trial t = ask(early);
    assert_int_equal(t.reason, BESD_REASON_SOURCE);
    assert_int_equal(besd_study_source_count(early), 2);
    besd_study_close(early);
    besd_study_close(s);
    besd_study_close(from);
}

static bool note_source(void *context, const besd_event *e) {
    *(int *)context += !strcmp(e->what, "source");
    return true;
}

/* Adding is an event; looking at the earlier study leaves its file as it was. */
static void test_traces(void **state) {
    (void)state;
    char old[PATH_SIZE], path[PATH_SIZE];
    besd_study_options o = learner_options(2, 3);
    int added = 0;
    bytes before = read_bytes(earlier_file(old, 5, 12));
    besd_study *s = open_study(learner_file(path, &o, old), NULL);
    assert_unchanged(old, before);
    assert_ok(besd_study_events(s, 0, note_source, &added, &error), &error);
    assert_int_equal(added, 1);
    besd_study_close(s);
}

/* The copy in the file with something replaced, as SQL. */
static bool opens_with(const char *path, const char *whole, const char *what, const char *by) {
    char text[400];
    besd_study *s = NULL;
    bytes sound = read_bytes(whole);
    write_bytes(path, sound.data, sound.size);
    free(sound.data);
    snprintf(text, sizeof text,
             "UPDATE text SET value = replace(value, '%s', '%s') WHERE key = 'source:0'", what, by);
    sql(path, text);
    bool opened = besd_study_open(&s, path, NULL, &error) == BESD_OK;
    besd_study_close(s);
    return opened;
}

/* A damaged copy is refused with a sentence that names the file. */
static void test_damaged_copies(void **state) {
    (void)state;
    static const char *const damages[][2] = {{"\"format\":1", "\"format\":2"},
                                             {"\"format\":1", "\"format\":null"},
                                             {"\"name\":\"old\"", "\"name\":7"},
                                             {"\"name\":\"old\",", ""},
                                             {"\"matched\":", "\"match\":"},
                                             {"\"trials\":12", "\"trials\":-12"},
                                             {"\"trials\":12", "\"trials\":\"12\""},
                                             {"\"rows\":[[", "\"rows\":[[1,"},
                                             {"\"rows\":[[", "\"rows\":[[],["},
                                             {"\"rows\":[[", "\"rows\":[7,["},
                                             {"\"rows\":[[", "\"rows\":[[\"x\","},
                                             {"\"rows\":[", "\"lines\":["},
                                             {"\"rows\":[[0.", "\"rows\":[[7."},
                                             {"\"rows\":[[0.", "\"rows\":[[-7."},
                                             {"\"rows\":[[0.", "\"rows\":[[1e300,0."},
                                             {"\"legs\":[", "\"legs\":[[1],"},
                                             {"\"legs\":[", "\"arms\":["},
                                             {"\"designs\":[[", "\"designs\":[[-"},
                                             {"\"designs\":[[0.", "\"designs\":[[2."},
                                             {"\"designs\":[", "\"designs\":[[],"},
                                             {"\"designs\":[", "\"design\":["},
                                             {"]]}", "]]"},
                                             {"{", "["},
                                             {"{", "\\x80{"}};
    char old[PATH_SIZE], whole[PATH_SIZE], path[PATH_SIZE], expected[2 * PATH_SIZE];
    besd_study_options o = learner_options(2, 3);
    learner_file(whole, &o, earlier_file(old, 5, 12));
    new_path(path);
    snprintf(expected, sizeof expected, "%s: a source of the study is damaged", path);
    assert_true(opens_with(path, whole, "no such text", ""));
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        if (opens_with(path, whole, damages[i][0], damages[i][1]))
            fail_msg("%s for %s was taken for a source", damages[i][1], damages[i][0]);
        assert_string_equal(error.message, expected);
    }
}

/* Single bytes of the copy are replaced at random: it is refused, or what is read can be used. */
static void test_fuzzed_copies(void **state) {
    (void)state;
    rng stream = rng_open(4, RNG_TEST, 0, 0, 0);
    besd_study *from = earlier_study(2, 5, 12), *s;
    besd_study_options o = learner_options(2, 3);
    char *text;
    s = in_memory(&o);
    add_source(s, from, "old");
    assert_ok(source_write(&s->sources.of[0], &text, &error), &error);
    size_t length = strlen(text);
    int refused = 0;
    for (int round = 0; round < TEST_SIZE(4000, 400); round++) {
        static const char letters[] = "0123456789.,-+eE[]{}\":nulltrue \\\x01\x80\xff";
        size_t at = (size_t)rng_below(&stream, length);
        char before = text[at];
        source read;
        text[at] = letters[rng_below(&stream, sizeof letters - 1)];
        besd_status status = source_read(&s->spec, text, &read, &error);
        text[at] = before;
        if (status != BESD_OK) {
            assert_string_equal(error.message, "a source of the study is damaged");
            refused++;
            continue;
        }
        for (size_t j = 0; j < read.rows.count; j++)
            assert_true(read.rows.share[j] > 0 && read.rows.share[j] <= 1 &&
                        read.rows.reps[j] >= 1 && read.rows.within[j] >= 0 &&
                        fabs(read.rows.mean[j]) <= 1e9 && fabs(read.rows.theta[2 * j]) < 2);
        source_free(&read);
    }
    assert_true(refused > TEST_SIZE(400, 40) && refused < TEST_SIZE(4000, 400));
    free(text);
    besd_study_close(from);
    besd_study_close(s);
}

/* To text and back: every bit. */
static void test_every_bit_comes_back(void **state) {
    (void)state;
    besd_study *from = earlier_study(2, 5, 20), *s;
    besd_study_options o = learner_options(2, 3);
    s = in_memory(&o);
    source given, back;
    char *text;
    assert_ok(source_gather(&s->spec, from, "old", &given, &error), &error);
    assert_ok(source_write(&given, &text, &error), &error);
    assert_ok(source_read(&s->spec, text, &back, &error), &error);
    size_t n = given.rows.count;
    assert_true(n > 3 && back.rows.count == n && back.design_count == given.design_count);
    assert_memory_equal(given.rows.theta, back.rows.theta, 2 * n * sizeof(double));
    assert_memory_equal(given.rows.share, back.rows.share, n * sizeof(double));
    assert_memory_equal(given.rows.reps, back.rows.reps, n * sizeof(double));
    assert_memory_equal(given.rows.mean, back.rows.mean, n * sizeof(double));
    assert_memory_equal(given.rows.within, back.rows.within, n * sizeof(double));
    assert_memory_equal(given.designs, back.designs, given.design_count * 2 * sizeof(double));
    assert_true(!strcmp(given.name, back.name) && !strcmp(given.matched, back.matched) &&
                given.trials == back.trials);
    free(text);
    source_free(&given);
    source_free(&back);
    besd_study_close(from);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_initial_design_takes_turns),
        cmocka_unit_test(test_resuming),
        cmocka_unit_test(test_what_is_said),
        cmocka_unit_test(test_circle),
        cmocka_unit_test(test_other_handles),
        cmocka_unit_test(test_traces),
        cmocka_unit_test(test_damaged_copies),
        cmocka_unit_test(test_fuzzed_copies),
        cmocka_unit_test(test_every_bit_comes_back),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
