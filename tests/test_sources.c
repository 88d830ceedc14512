/* What is copied of an earlier study, what matches, and what is refused. */
#include "sources_fixture.h"

#include "leg_world.h"
#include "study/legs.h"

static besd_error error;

/* A study of these options that has added `from`. */
static besd_study *learner(const besd_study_options *o, besd_study *from) {
    besd_study *s = in_memory(o);
    add_source(s, from, "old");
    return s;
}

/* A result from elsewhere. */
static void add_result(besd_study *s, const double *theta, int64_t tau, double first,
                       double second) {
    double scores[] = {first, second};
    besd_result result = {.theta = theta, .tau = tau, .scores = scores, .count = 2};
    int64_t id;
    assert_ok(besd_study_add(s, &result, 1, &id, &error), &error);
}

/* Every row is one design and tau of the source, with its scores merged and standardised. */
static void test_rows(void **state) {
    (void)state;
    besd_study_options o = learner_options(2, 1);
    besd_study *from = earlier_study(2, 5, 14), *s = learner(&o, from);
    const source *copy = &s->sources.of[0];
    besd_source told = source_of(s, 0);
    assert_string_equal(told.name, "old");
    assert_string_equal(besd_study_source_name(s, 0), "old");
    assert_int_equal(besd_study_source_count(s), 1);
    assert_int_equal(told.trials, 14);
    assert_int_equal(told.rows, copy->rows.count);
    assert_true(copy->rows.count > 5 && copy->rows.count <= 14);
    assert_true(isnan(told.likeness) && isnan(told.related) && isnan(told.share));
    double replications = 0, all = 0;
    for (int64_t id = 1; id <= 14; id++) {
        besd_trial t = get_trial(from, id);
        bool found = false;
        all += t.reps;
        for (size_t j = 0; j < copy->rows.count; j++)
            found = found || (copy->rows.theta[2 * j] == t.theta[0] / 10 &&
                              copy->rows.theta[2 * j + 1] == t.theta[1] / 10 &&
                              copy->rows.share[j] == (double)t.tau / 30);
        assert_true(found);
    }
    for (size_t j = 0; j < copy->rows.count; j++) {
        replications += copy->rows.reps[j];
        assert_true(fabs(copy->rows.mean[j]) < 10 && copy->rows.within[j] >= 0);
        for (size_t i = 0; i < j; i++)
            assert_true(copy->rows.share[i] != copy->rows.share[j] ||
                        memcmp(copy->rows.theta + 2 * i, copy->rows.theta + 2 * j,
                               2 * sizeof(double)) != 0);
    }
    assert_true(replications == all);
    besd_study_close(from);
    besd_study_close(s);
}

/* Two trials of one design are one row: its mean and squares are those of all four scores. */
static void test_merging(void **state) {
    (void)state;
    besd_study_options o = learner_options(1, 1);
    besd_study *from = in_memory(&o);
    const double same = 4, others[] = {1, 2, 6, 8};
    add_result(from, &same, 30, 1, 3);
    for (size_t i = 0; i < 4; i++)
        add_result(from, &others[i], 30, (double)i, (double)i);
    add_result(from, &same, 30, 7, 9);
    add_result(from, &same, 10, 2, 2); /* another tau */
    besd_study *s = learner(&o, from);
    const observations *rows = &s->sources.of[0].rows;
    assert_int_equal(rows->count, 6);
    size_t at = 0;
    while (at < 6 && !(rows->theta[at] == 0.4 && rows->share[at] == 1))
        at++;
    assert_true(at < 6 && rows->reps[at] == 4);
    /* (1 + 3 + 7 + 9) / 4 = 5 and 16 + 4 + 4 + 16 = 40, in the unit of the standard deviation */
    size_t first = 0;
    while (rows->theta[first] != 0.1)
        first++;
    double unit = (rows->mean[at] - rows->mean[first]) / 5;
    assert_true(unit > 0);
    assert_close(rows->within[at], 40 * unit * unit, 1e-12 * 40 * unit * unit);
    besd_study_close(from);
    besd_study_close(s);
}

/* Trials that are not told yet, failed or voided say nothing, also not of the scale. */
static void test_what_does_not_count(void **state) {
    (void)state;
    besd_study_options o = learner_options(2, 1);
    besd_study *from = earlier_study(2, 5, 10);
    besd_study *before = learner(&o, from);
    for (int i = 0; i < 4; i++)
        ask(from);
    besd_study *after = learner(&o, from);
    const observations *a = &before->sources.of[0].rows, *b = &after->sources.of[0].rows;
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->mean, b->mean, a->count * sizeof *a->mean);
    assert_ok(besd_study_fail(from, 11, NULL, NULL, &error), &error);
    assert_ok(besd_study_void(from, 3, "it fell over", &error), &error);
    besd_study *fewer = learner(&o, from);
    assert_int_equal(source_of(fewer, 0).trials, 9);
    besd_study_close(from);
    besd_study_close(before);
    besd_study_close(after);
    besd_study_close(fewer);
}

/* A long study lends its better half and an even selection of the rest. */
static void test_thinning(void **state) {
    (void)state;
    enum { ALL = 250 };
    besd_study_options o = learner_options(2, 1);
    o.draws = 1;
    besd_study *from = in_memory(&o);
    for (int i = 0; i < ALL; i++) {
        double theta[2] = {10 * (i + 0.5) / ALL, 5};
        add_result(from, theta, 30, i, i + 0.1);
    }
    besd_study *s = learner(&o, from);
    const source *copy = &s->sources.of[0];
    assert_int_equal(copy->rows.count, SOURCE_ROWS_MOST);
    assert_int_equal(source_of(s, 0).trials, ALL);
    assert_non_null(strstr(copy->matched, "96 of its 250 different trials"));
    int good = 0, lower = 0;
    for (size_t j = 0; j < copy->rows.count; j++) {
        double place = copy->rows.theta[2 * j] * ALL;
        good += place > ALL - SOURCE_ROWS_MOST / 2;
        lower += place < (ALL - SOURCE_ROWS_MOST / 2) / 2.0;
    }
    assert_int_equal(good, SOURCE_ROWS_MOST / 2);
    assert_in_range(lower, SOURCE_ROWS_MOST / 4 - 2, SOURCE_ROWS_MOST / 4 + 2);
    assert_int_equal(copy->design_count, SOURCE_DESIGNS_MOST);
    besd_study_close(from);
    besd_study_close(s);
}

/* The best of all designs comes first, and no two are the same. */
static void test_designs(void **state) {
    (void)state;
    besd_study_options o = learner_options(2, 1);
    besd_study *from = earlier_study(2, 5, 24), *s = learner(&o, from);
    const source *copy = &s->sources.of[0];
    besd_recommendation best = recommend(from);
    assert_true(copy->design_count >= 3);
    for (size_t i = 0; i < 2; i++)
        assert_true(copy->designs[i] == best.theta[i] / 10);
    for (size_t a = 0; a < copy->design_count; a++)
        for (size_t b = 0; b < a; b++)
            assert_true(memcmp(copy->designs + 2 * a, copy->designs + 2 * b, 2 * sizeof(double)) !=
                        0);
    double unit[2];
    for (size_t n = 0; n < copy->design_count; n++) {
        assert_true(sources_design(&s->sources, n, unit));
        assert_memory_equal(unit, copy->designs + 2 * n, sizeof unit);
    }
    assert_false(sources_design(&s->sources, copy->design_count, unit));
    besd_study_close(from);
    besd_study_close(s);
}

/* By their names, in another order, among others, in another box. */
static void test_coordinates_match_by_name(void **state) {
    (void)state;
    static const char *const here[] = {"y", "x"}, *const more[] = {"x", "extra", "y"};
    static const double low[] = {-10, 0}, high[] = {10, 20};
    besd_study_options theirs = learner_options(3, 5), ours = learner_options(2, 1);
    theirs.names = more;
    ours.names = here;
    ours.low = low;
    ours.high = high;
    besd_study *from = in_memory(&theirs);
    run_trials(from, 8, NULL);
    besd_study *s = learner(&ours, from);
    const observations *rows = &s->sources.of[0].rows;
    besd_trial t = get_trial(from, 1);
    assert_close(rows->theta[0], (t.theta[2] + 10) / 20, 1e-15);
    assert_close(rows->theta[1], t.theta[0] / 20, 1e-15);
    besd_study_close(from);
    besd_study_close(s);
}

static void refuse(const besd_study_options *o, besd_study *from, const char *name,
                   const char *text) {
    besd_study *s = in_memory(o);
    assert_fails(besd_study_add_source(s, from, name, &error), BESD_INVALID, &error, text);
    assert_int_equal(besd_study_source_count(s), 0);
    assert_null(besd_study_source_name(s, 0));
    besd_source none;
    assert_fails(besd_study_source(s, 0, &none, &error), BESD_UNKNOWN, &error, "the study has 0");
    assert_true(ask(s).reason != BESD_REASON_SOURCE);
    besd_study_close(s);
}

static void test_refused(void **state) {
    (void)state;
    static const char *const other_names[] = {"x", "height"}, *const metres[] = {"m", NULL},
                             *const feet[] = {"ft", NULL};
    static const double far_low[] = {100, 100}, far_high[] = {110, 110};
    besd_study *from = earlier_study(2, 5, 10);
    besd_study_options o = learner_options(2, 1), other = o;
    other.names = other_names;
    refuse(&other, from, "old", "source old: expected the coordinate height");
    other = o;
    other.units = metres;
    refuse(&other, from, "old", "source old: expected the coordinate x in the unit 'm', got ''");
    other = o;
    other.low = far_low;
    other.high = far_high;
    refuse(&other, from, "old", "at least 3 told designs inside the box of this study, got 0");
    other = learner_options(3, 1);
    refuse(&other, from, "old", "expected the coordinate z");
    other = o;
    other.model = BESD_MODEL_PAPER;
    refuse(&other, from, "old", "this one has method besd and model paper");
    other = o;
    other.method = BESD_METHOD_RANDOM;
    refuse(&other, from, "old", "this one has method random");
    refuse(&o, from, "", "expected a name of UTF-8 of 1 to 63 bytes, got ''");
    refuse(&o, from, NULL, "expected a name of UTF-8");
    refuse(&o, from, "\xff", "expected a name of UTF-8");
    refuse(&o, from, "0123456789012345678901234567890123456789012345678901234567890123",
           "expected a name of UTF-8");
    besd_study_close(from);

    from = in_memory(&o);
    refuse(&o, from, "old", "source old: nothing was told in it yet");
    ask(from);
    refuse(&o, from, "old", "source old: nothing was told in it yet");
    besd_study_close(from);
    other = o;
    other.units = feet;
    from = in_memory(&other);
    run_trials(from, 6, NULL);
    other.units = metres;
    refuse(&other, from, "old", "in the unit 'm', got 'ft'");
    besd_study_close(from);
    other = o;
    other.method = BESD_METHOD_RANDOM;
    other.budget = 1e6;
    from = in_memory(&other);
    run_trials(from, 6, NULL);
    refuse(&o, from, "old", "expected a study of a method with a model, got random");
    besd_study_close(from);
    from = earlier_study(2, 5, 2);
    refuse(&o, from, "old", "at least 3 told designs");
    besd_study_close(from);
}

/* A study of a paper model lends, and so does one with the other direction: better is better. */
static void test_other_kinds_lend(void **state) {
    (void)state;
    besd_study_options o = learner_options(2, 1), other = learner_options(2, 5);
    other.model = BESD_MODEL_PAPER;
    besd_study *from = in_memory(&other);
    run_trials(from, 8, NULL);
    besd_study_close(learner(&o, from));
    besd_study_close(from);
    besd_study *up = in_memory(&o), *down;
    other = o;
    other.direction = BESD_MINIMIZE;
    down = in_memory(&other);
    for (int i = 0; i < 6; i++) {
        double theta[2] = {i + 1, 9 - i};
        add_result(up, theta, 30, i, i + 0.5);
        add_result(down, theta, 30, -i, -i - 0.5);
    }
    besd_study *a = learner(&o, up), *b = learner(&o, down);
    for (size_t j = 0; j < 6; j++)
        assert_close(a->sources.of[0].rows.mean[j], b->sources.of[0].rows.mean[j], 1e-12);
    besd_study_close(up);
    besd_study_close(down);
    besd_study_close(a);
    besd_study_close(b);
}

/* The study itself: its handle, another handle of its file, a link of either kind to it. */
static void test_itself(void **state) {
    (void)state;
    char path[PATH_SIZE], link_path[PATH_SIZE], hard_path[PATH_SIZE], dotted[2 * PATH_SIZE];
    besd_study_options o = learner_options(2, 1);
    besd_study_close(open_study(new_path(path), &o));
    besd_study *s = open_study(path, NULL);
    assert_int_equal(symlink(path, new_path(link_path)), 0);
    assert_int_equal(link(path, new_path(hard_path)), 0);
    snprintf(dotted, sizeof dotted, "%s/./%s", folder, strrchr(path, '/') + 1);
    assert_fails(besd_study_add_source(s, s, "me", &error), BESD_INVALID, &error,
                 "source me: it is the study itself");
    const char *const others[] = {path, link_path, hard_path, dotted};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        besd_study *from = open_study(others[i], NULL);
        assert_fails(besd_study_add_source(s, from, "me", &error), BESD_INVALID, &error,
                     "it is the study itself");
        besd_study_close(from);
    }
    besd_study_close(s);
}

static void test_how_many(void **state) {
    (void)state;
    besd_study_options o = learner_options(2, 1);
    besd_study *from = earlier_study(2, 5, 6), *s = in_memory(&o);
    add_source(s, from, "a");
    assert_fails(besd_study_add_source(s, from, "a", &error), BESD_INVALID, &error,
                 "has a source of that name");
    for (int i = 1; i < BESD_MAX_SOURCES; i++)
        add_source(s, from, (char[]){(char)('a' + i), 0});
    assert_fails(besd_study_add_source(s, from, "one more", &error), BESD_INVALID, &error,
                 "a study has at most 8");
    assert_int_equal(besd_study_source_count(s), BESD_MAX_SOURCES);
    for (size_t i = 0; i < BESD_MAX_SOURCES; i++)
        assert_string_equal(besd_study_source_name(s, i), ((char[]){(char)('a' + i), 0}));
    besd_study_close(s);
    s = in_memory(&o);
    ask(s);
    assert_fails(besd_study_add_source(s, from, "late", &error), BESD_INVALID, &error,
                 "has trials already; sources are added before the first");
    besd_study_close(s);
    besd_study_close(from);
}

/* A study of paths in a world of legs. */
static besd_study *path_study(const leg_world *w, uint64_t seed, int trials) {
    besd_study_options o = world_options(w, seed);
    o.draws = 2;
    besd_study *s = world_study(w, NULL, &o);
    world_run(w, s, trials, NULL);
    return s;
}

/* Paths of other lengths lend legs, and designs when they are not too long, but no rows. */
static void test_other_numbers_of_points(void **state) {
    (void)state;
    leg_world two = small_world, three = small_world;
    three.points = 3;
    for (int to_more = 0; to_more < 2; to_more++) {
        besd_study *from = path_study(to_more ? &two : &three, 5, 10);
        besd_study *s = path_study(to_more ? &three : &two, 1, 0);
        add_source(s, from, "old");
        const source *copy = &s->sources.of[0];
        assert_int_equal(copy->rows.count, 0);
        assert_true(copy->legs.count > 3);
        assert_non_null(strstr(copy->matched, "points of paths"));
        assert_true(to_more ? copy->design_count > 0 : copy->design_count == 0);
        for (size_t i = 0; i < copy->design_count; i++) /* the last point once more */
            assert_memory_equal(copy->designs + 6 * i + 2, copy->designs + 6 * i + 4,
                                2 * sizeof(double));
        assert_int_equal(ask(s).reason, to_more ? BESD_REASON_SOURCE : BESD_REASON_INITIAL);
        besd_study_close(from);
        besd_study_close(s);
    }
}

/* Equal paths lend rows and legs; legs far outside of the box are left out. */
static void test_legs(void **state) {
    (void)state;
    leg_world w = small_world;
    besd_study *from = path_study(&w, 5, 10), *s = path_study(&w, 1, 0);
    add_source(s, from, "old");
    const source *copy = &s->sources.of[0];
    assert_true(copy->rows.count > 3 && copy->legs.count > 3);
    size_t length = legs_length(&s->spec);
    assert_int_equal(copy->legs.dimension, 2 * length);
    besd_study_close(s);

    static const double low[] = {100, 100, 100, 100}, high[] = {104, 104, 104, 104};
    besd_study_options o = world_options(&w, 1);
    besd_path path = world_path(&w);
    o.low = low;
    o.high = high;
    for (size_t i = 0; i < 2; i++) {
        path.from[i] += 100;
        path.to[i] += 100;
    }
    s = in_memory(&o);
    assert_ok(besd_study_set_path(s, &path, &error), &error);
    assert_fails(besd_study_add_source(s, from, "old", &error), BESD_INVALID, &error,
                 "inside the box of this study, got 0");
    besd_study_close(s);
    besd_study_close(from);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_merging),
        cmocka_unit_test(test_what_does_not_count),
        cmocka_unit_test(test_thinning),
        cmocka_unit_test(test_designs),
        cmocka_unit_test(test_coordinates_match_by_name),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_other_kinds_lend),
        cmocka_unit_test(test_itself),
        cmocka_unit_test(test_how_many),
        cmocka_unit_test(test_other_numbers_of_points),
        cmocka_unit_test(test_legs),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
