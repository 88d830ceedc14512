/* Labels: instances of several kinds, told apart by the model of legs and averaged over by the
 * paths that are composed of them. */
#include "leg_lab.h"

#include "domain_training.h"

#include "core/rng.h"
#include "run/domain_study.h"
#include "study/leg_paths.h"
#include "study/legs.h"
#include "study/path.h"
#include "study_file.h"
#include "world/grid.h"
#include "json/trainer_answer.h"

#include <jansson.h>

static besd_error error;

enum { POINTS = LAB_POINTS, LEGS = LAB_LEGS, REPS = LAB_REPS };

static besd_path labelled_path(void) {
    besd_path p = world_path(&small_world);
    p.labels = 2;
    return p;
}

/* The last of four replications meets label 1, where the world is seen in a mirror: what was easy
 * is hard. */
static void meet(const besd_trial *t, double *scores, besd_leg *legs) {
    besd_trial mirrored = *t;
    besd_leg other[REPS * LEGS];
    double their[REPS];
    for (int i = 0; i < POINTS; i++) {
        mirrored.theta[2 * i] = t->theta[2 * i + 1];
        mirrored.theta[2 * i + 1] = t->theta[2 * i];
    }
    world_train(&small_world, t, scores, legs);
    world_train(&small_world, &mirrored, their, other);
    for (size_t k = 0; k < REPS * LEGS; k++)
        legs[k].label = 0;
    for (size_t k = (REPS - 1) * LEGS; k < REPS * LEGS; k++) {
        legs[k] = other[k];
        legs[k].label = 1;
    }
    scores[REPS - 1] = their[REPS - 1];
}

/* Told paths all over the world, then some that are only asked. */
static void lab_open(lab *l, size_t told, size_t asked) {
    besd_path path = labelled_path();
    int paths[64];
    assert_true(told + asked <= 64);
    for (size_t i = 0; i < told + asked; i++)
        paths[i] = (int)(i * 53) % LAB_PATHS;
    lab_fill(l, &path, meet, paths, told, asked);
}

/* What a leg is hoped to be worth: three parts of label 0 and one of label 1. */
static double hope_of_leg(const lab *l, const leg_model *model, const double *theta, size_t k,
                          double width) {
    double place[LEG_COORDINATES], mean = 0, variance = 0;
    size_t length = legs_length(&l->spec);
    legs_place(&l->spec, theta, k, place);
    for (int label = 0; label < 2; label++) {
        double m, v, weight = label ? 0.25 : 0.75;
        place[length - 1] = place[2 * length - 1] = label;
        assert_ok(mixture_predict_pairs(&model->beyond, place, 1, place + length, 1, 1, &m, &error),
                  &error);
        assert_ok(gp_pair_variances(model->doubt, place, 1, place + length, 1, 1, &v, &error),
                  &error);
        mean += weight * m;
        variance += weight * v;
    }
    return mean + leg_model_expect(model, &l->spec, place) + width * sqrt(variance);
}

static double hope_of(const lab *l, const leg_model *model, const double *theta, double width) {
    double values[LEGS];
    for (size_t k = 0; k < LEGS; k++)
        values[k] = hope_of_leg(l, model, theta, k, width);
    return lab_worth(l, theta, values, width > 0);
}

/* What is composed is the best of all 256 paths over both labels, and not over one of them. */
static void test_composed_over_all_labels(void **state) {
    (void)state;
    lab l;
    leg_model model;
    leg_path path;
    bool found;
    lab_open(&l, 24, 0);
    for (int step = 0; step < 4; step++) {
        double width = step - 1;
        double best = -INFINITY, theta[2 * POINTS];
        assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &model, &error),
                  &error);
        assert_ok(leg_paths_compose(&l.spec, &l.evidence, &model, POINTS, width, 0, &path, &found,
                                    &error),
                  &error);
        assert_true(found);
        for (int i = 0; i < LAB_PATHS; i++) {
            lab_theta(i, theta);
            best = fmax(best, hope_of(&l, &model, theta, width));
        }
        assert_close(hope_of(&l, &model, path.theta, width), best, 1e-9);
        leg_model_free(&model);
    }
    evidence_free(&l.evidence);
}

/* The model knows that what is brief for one label is long for the other. */
static void test_labels_are_told_apart(void **state) {
    (void)state;
    lab l;
    leg_model model;
    double place[LEG_COORDINATES], theta[2 * POINTS] = {0.5, 3.5, 0.5, 3.5}, value[2], variance;
    lab_open(&l, 60, 0);
    assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &model, &error),
              &error);
    assert_close(model.weights[0], 0.75, 1e-12);
    assert_close(model.weights[1], 0.25, 1e-12);
    legs_place(&l.spec, theta, 0, place); /* up along the left border: brief, or hard */
    for (size_t label = 0; label < 2; label++) {
        legs_set_label(&l.spec, place, label);
        value[label] = mixture_predict(&model.beyond, place, 1, NULL, NULL) +
                       leg_model_expect(&model, &l.spec, place);
    }
    double mean = leg_model_predict(&model, &l.spec, place, &variance);
    assert_close(mean, 0.75 * value[0] + 0.25 * value[1], 1e-12);
    double easy = legs_in_units(&l.spec, value[0]), hard = legs_in_units(&l.spec, value[1]);
    if (!(hard > easy + 3)) /* 10 and 19 steps */
        fail_msg("%g and %g steps", easy, hard);
    leg_model_free(&model);
    evidence_free(&l.evidence);
}

/* A pending trial will meet labels as often as those before it. */
static void test_pending(void **state) {
    (void)state;
    lab l;
    observations rows;
    lab_open(&l, 3, 1);
    assert_ok(observations_init(&rows, 2 * legs_length(&l.spec), &error), &error);
    assert_ok(leg_rows_add_pending(&l.spec, &l.evidence, &rows, &error), &error);
    assert_int_equal(rows.count, 2 * LEGS);
    for (size_t i = 0; i < rows.count; i++) {
        double label = rows.theta[i * rows.dimension + 2];
        assert_true(label == rows.theta[i * rows.dimension + 5]);
        assert_true(label == (double)(i % 2));
        assert_close(rows.reps[i], label > 0 ? 1 : 3, 1e-12);
    }
    observations_free(&rows);
    evidence_free(&l.evidence);
}

static besd_study *labelled_study(const char *file) {
    besd_study_options o = world_options(&small_world, 1);
    besd_path p = labelled_path();
    besd_study *s = open_study(file, &o);
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    return s;
}

static void tell_some(besd_study *s, int count) {
    for (int i = 0; i < count; i++) {
        besd_trial t = ask(s);
        double scores[8];
        besd_leg legs[8 * LEGS];
        world_train(&small_world, &t, scores, legs);
        for (size_t k = 0; k < (size_t)t.reps * LEGS; k++)
            legs[k].label = (int64_t)(k / LEGS) % 2;
        assert_ok(besd_study_tell(
                      s, t.id,
                      &(besd_outcome){.scores = scores, .count = (size_t)t.reps, .legs = legs},
                      &error),
                  &error);
    }
}

static size_t legs_of(besd_study *s, int64_t id, besd_leg *legs) {
    size_t count;
    assert_ok(besd_study_legs(s, id, legs, 8 * LEGS, &count, &error), &error);
    return count;
}

static void assert_labels(besd_study *s, int64_t id, int64_t even, int64_t odd) {
    besd_leg legs[8 * LEGS];
    size_t count = legs_of(s, id, legs);
    assert_true(count >= LEGS);
    for (size_t k = 0; k < count; k++)
        assert_int_equal(legs[k].label, k / LEGS % 2 ? odd : even);
}

/* A file keeps them; another one of the same answers goes on with the same trials. */
static void test_kept(void **state) {
    (void)state;
    char file[PATH_SIZE], other[PATH_SIZE];
    besd_path p;
    besd_study *s = labelled_study(new_path(file));
    tell_some(s, 4);
    besd_study_close(s);
    s = open_study(file, NULL);
    besd_study_get_path(s, &p);
    assert_int_equal(p.labels, 2);
    for (int64_t id = 1; id <= 4; id++)
        assert_labels(s, id, 0, 1);
    besd_study *whole = labelled_study(new_path(other));
    tell_some(whole, 8);
    for (int i = 5; i <= 8; i++) {
        besd_trial t = ask(s), expected;
        assert_ok(besd_study_trial(whole, i, &expected, &error), &error);
        assert_memory_equal(t.theta, expected.theta, sizeof(double) * 2 * POINTS);
        assert_int_equal(t.tau, expected.tau);
        double scores[8];
        besd_leg legs[8 * LEGS];
        world_train(&small_world, &t, scores, legs);
        for (size_t k = 0; k < (size_t)t.reps * LEGS; k++)
            legs[k].label = (int64_t)(k / LEGS) % 2;
        assert_ok(besd_study_tell(
                      s, t.id,
                      &(besd_outcome){.scores = scores, .count = (size_t)t.reps, .legs = legs},
                      &error),
                  &error);
    }
    besd_study_close(whole);
    besd_study_close(s);
}

static void test_replaced_and_restored(void **state) {
    (void)state;
    char file[PATH_SIZE];
    besd_study *s = labelled_study(new_path(file));
    tell_some(s, 1);
    besd_leg legs[8 * LEGS];
    double scores[] = {10, 20};
    size_t count = legs_of(s, 1, legs) / LEGS;
    assert_int_equal(count, 2);
    for (size_t k = 0; k < count * LEGS; k++)
        legs[k].label = 1;
    assert_ok(besd_study_replace(s, 1,
                                 &(besd_outcome){.scores = scores, .count = count, .legs = legs},
                                 NULL, &error),
              &error);
    assert_labels(s, 1, 1, 1);
    assert_ok(besd_study_restore(s, 1, &error), &error);
    assert_labels(s, 1, 0, 1);
    besd_study_close(s);
}

static void test_refused(void **state) {
    (void)state;
    char file[PATH_SIZE];
    besd_study *s = labelled_study(new_path(file));
    besd_trial t = ask(s);
    double scores[8] = {10, 20, 30, 40};
    besd_leg legs[8 * LEGS] = {{0}};
    for (size_t k = 0; k < (size_t)t.reps * LEGS; k++)
        legs[k] = (besd_leg){.reached = NAN, .earned = NAN};
    size_t reps = (size_t)t.reps;
    for (int64_t label = -1; label <= 2; label += 3) {
        for (size_t k = 0; k < LEGS; k++)
            legs[LEGS + k].label = label;
        assert_fails(besd_study_tell(s, 1,
                                     &(besd_outcome){.scores = scores, .count = reps, .legs = legs},
                                     &error),
                     BESD_INVALID, &error, "labels[1]: expected one from 0 to 1");
    }
    for (size_t k = 0; k < LEGS; k++)
        legs[LEGS + k].label = k == 2; /* it changes on the way */
    assert_fails(besd_study_tell(
                     s, 1, &(besd_outcome){.scores = scores, .count = reps, .legs = legs}, &error),
                 BESD_INVALID, &error,
                 "labels[1]: expected one from 0 to 1 for all legs of a replication, got 1");
    legs[LEGS + 2].label = 0;
    assert_ok(besd_study_tell(s, 1, &(besd_outcome){.scores = scores, .count = reps, .legs = legs},
                              &error),
              &error);
    for (size_t k = 0; k < LEGS; k++)
        legs[k].label = 1;
    assert_fails(besd_study_tell(
                     s, 1, &(besd_outcome){.scores = scores, .count = reps, .legs = legs}, &error),
                 BESD_INVALID, &error, "with other legs");
    besd_study_close(s);
    besd_study_options o = world_options(&small_world, 1);
    s = open_study(new_path(file), &o);
    besd_path p = labelled_path();
    p.labels = 1;
    assert_fails(besd_study_set_path(s, &p, &error), BESD_INVALID, &error,
                 "path: labels: expected 2 to 8, got 1");
    p.labels = BESD_MAX_LABELS + 1;
    assert_fails(besd_study_set_path(s, &p, &error), BESD_INVALID, &error,
                 "path: labels: expected 2 to 8, got 9");
    p.labels = 0;
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    t = ask(s);
    for (size_t k = 0; k < (size_t)t.reps * LEGS; k++)
        legs[k].label = INT64_MAX - (int64_t)k; /* nobody looks at it */
    const besd_outcome told = {.scores = scores, .count = (size_t)t.reps, .legs = legs};
    assert_ok(besd_study_tell(s, 1, &told, &error), &error);
    assert_repeated(besd_study_tell(s, 1, &told, &error), &error);
    assert_labels(s, 1, 0, 0);
    besd_study_close(s);
}

/* A label that there is not, and a blob of legs without labels. */
static void test_damaged_files(void **state) {
    (void)state;
    static const char *const damage[] = {
        "UPDATE legs SET value = CAST(substr(value, 1, 16) || X'0000000000000840' ||"
        " substr(value, 25) AS BLOB) WHERE trial = 2", /* 3.0 */
        "UPDATE legs SET value = CAST(substr(value, 1, 16) || X'000000000000F87F' ||"
        " substr(value, 25) AS BLOB) WHERE trial = 2", /* NaN */
        "UPDATE legs SET value = CAST(substr(value, 1, 16) || X'000000000000E03F' ||"
        " substr(value, 25) AS BLOB) WHERE trial = 2", /* 0.5 */
        "UPDATE legs SET value = zeroblob(96) WHERE trial = 2"};
    char file[PATH_SIZE];
    besd_study *s = labelled_study(new_path(file));
    tell_some(s, 3);
    besd_study_close(s);
    bytes whole = read_bytes(file);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        besd_trial t;
        write_bytes(file, whole.data, whole.size);
        sql(file, damage[i]);
        s = open_study(file, NULL);
        assert_fails(besd_study_ask(s, NULL, &t, &error), BESD_IO, &error,
                     "the legs of trial 2 are damaged");
        besd_study_close(s);
    }
    free(whole.data);
}

static const answer_route through = {
    .path = {.points = 2, .coordinates = 2, .cap = 100, .labels = 3},
    .visits = 2,
    .visited = {0, 1}};

static besd_status parse(const char *legs, const char *labels, const answer_route *route,
                         besd_leg **read) {
    return answer_parse_legs(&(answer_texts){.legs = legs, .labels = labels}, route, BESD_MINIMIZE,
                             2, read, &error);
}

static void test_texts(void **state) {
    (void)state;
    static const char times[] = "[[4, 17, 31], null]";
    answer_route plain = through;
    besd_leg *legs;
    plain.path.labels = 0;
    assert_ok(parse(times, "[2, 0]", &through, &legs), &error);
    for (size_t k = 0; k < 2 * LEGS; k++)
        assert_int_equal(legs[k].label, k < LEGS ? 2 : 0);
    json_t *shown = answer_show_labels(legs, 2 * LEGS, POINTS);
    char *text = json_dumps(shown, JSON_COMPACT);
    assert_string_equal(text, "[2,0]");
    free(text);
    json_decref(shown);
    free(legs);
    static const struct {
        const char *legs, *labels, *sentence;
    } wrong[] = {
        {times, NULL, "labels: expected the kind of instance of every replication beside legs"},
        {NULL, "[0, 1]", "labels: it belongs to legs, which are missing"},
        {times, "[0, 3]", "labels[1]: expected a whole number from 0 to 2, got 3"},
        {times, "[-1, 0]", "labels[0]: expected a whole number from 0 to 2, got -1"},
        {times, "[0.5, 0]", "labels[0]: expected a whole number from 0 to 2, got 0.5"},
        {times, "[null, 0]", "labels[0]: expected a whole number from 0 to 2, got null"},
        {times, "[0]", "labels: expected a list of 2, one for every replication, got 1"},
        {times, "7", "labels: expected a list of 2, one for every replication, got 7"},
        {times, "[0", "labels: expected JSON such as [0, 1, 0], got '[0'"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(parse(wrong[i].legs, wrong[i].labels, &through, &legs), BESD_INVALID, &error,
                     wrong[i].sentence);
    assert_fails(parse(times, "[0, 1]", &plain, &legs), BESD_INVALID, &error,
                 "labels: the path of this study has none");
    assert_fails(parse(times, "[0, 1]", NULL, &legs), BESD_INVALID, &error,
                 "legs: theta of this study is no path");
}

/* The label of a map's instance is its layout: the cells that the environment has. */
static void test_maps(void **state) {
    (void)state;
    domain d;
    domain_study b;
    char file[PATH_SIZE];
    besd_study *s;
    int64_t met[2] = {0};
    assert_ok(domain_find("key2", &d, &error), &error);
    assert_ok(domain_set(&d, "labels=1", &error), &error);
    assert_ok(domain_study_init(&b, &d, &error), &error);
    assert_int_equal(b.path.labels, 2);
    b.options.seed = 3;
    assert_ok(domain_study_open(&b, new_path(file), &s, &error), &error);
    besd_trial t = ask(s);
    double *scores = malloc((size_t)t.reps * sizeof *scores);
    besd_leg *legs = malloc((size_t)t.reps * LEGS * sizeof *legs);
    besd_env *env;
    size_t count;
    assert_true(scores && legs);
    assert_ok(train_and_tell(&b, s, &t, scores, &error), &error);
    assert_ok(besd_study_legs(s, t.id, legs, (size_t)t.reps * LEGS, &count, &error), &error);
    assert_int_equal(count, (size_t)t.reps * LEGS);
    assert_ok(domain_open(&d, &env, &error), &error);
    for (int i = 0; i < t.reps; i++) {
        char cells[GRID_MAX_SIDE * GRID_MAX_SIDE];
        int64_t label = legs[(size_t)i * LEGS].label;
        uint64_t seed = rng_seed(t.seed, RNG_INSTANCE, (uint64_t)i, 0, 0);
        assert_ok(d.methods->instance(env, seed, &error), &error);
        grid_map_layout(&d.map, label, cells);
        assert_memory_equal(cells, grid_cells(env), (size_t)(d.map.width * d.map.height));
        met[label]++;
    }
    assert_true(met[0] && met[1]);
    d.methods->destroy(env);
    free(scores);
    free(legs);
    besd_study_close(s);
}

static void test_maps_without(void **state) {
    (void)state;
    domain d;
    domain_study b;
    assert_ok(domain_find("gw20", &d, &error), &error);
    assert_ok(domain_set(&d, "labels=1", &error), &error);
    assert_fails(domain_study_init(&b, &d, &error), BESD_INVALID, &error,
                 "labels: expected a map with 2 to 8 layouts, this one has 18");
    assert_ok(domain_find("mc", &d, &error), &error);
    assert_true(domain_set(&d, "labels=1", &error) != BESD_OK);
    assert_ok(domain_find("key2", &d, &error), &error);
    assert_ok(domain_study_init(&b, &d, &error), &error);
    assert_int_equal(b.path.labels, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_composed_over_all_labels),
        cmocka_unit_test(test_labels_are_told_apart),
        cmocka_unit_test(test_pending),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_replaced_and_restored),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_maps_without),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
