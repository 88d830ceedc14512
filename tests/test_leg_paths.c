/* Models of legs, and the paths that are composed of them in a world that is known. */
#include "leg_lab.h"

#include "study/leg_paths.h"
#include "study/legs.h"
#include "study/path.h"

static besd_error error;

enum { POINTS = LAB_POINTS, LEGS = LAB_LEGS };

/* Their legs are the world's without noise. */
static void walk(const besd_trial *t, double *scores, besd_leg *legs) {
    world_train(&small_world, t, scores, legs);
}

static void lab_open(lab *l, const int *paths, size_t told, size_t asked) {
    besd_path path = world_path(&small_world);
    lab_fill(l, &path, walk, paths, told, asked);
}

static bool lab_compose(lab *l, double width, size_t most, leg_path *best) {
    leg_model model;
    bool found;
    assert_ok(leg_model_init(&l->spec, &l->evidence, LEG_SIGHT_LEARNT, &l->memory, &model, &error),
              &error);
    assert_true(model.known);
    assert_ok(leg_paths_compose(&l->spec, &l->evidence, &model, l->spec.path.points, width, most,
                                best, &found, &error),
              &error);
    leg_model_free(&model);
    return found;
}

static int number_of(const double *theta) {
    int number = 0;
    for (int i = 4; i-- > 0;)
        number = 4 * number + (int)floor(theta[i]);
    return number;
}

/* Half of all 256 paths are tried, but none of the best: what is composed is nearly as short as
 * those, where three of four fail. */
static void test_composed_paths_work(void **state) {
    (void)state;
    int paths[256], best, failing, all;
    size_t count = 0;
    leg_world w = small_world;
    double theta[4];
    for (int i = 0; i < 256; i += 2) {
        lab_theta(i, theta);
        if (world_time(&w, theta) >= 1.3 * world_shortest(&w, &best, &failing, &all))
            paths[count++] = i;
    }
    lab l;
    leg_path path;
    lab_open(&l, paths, count, 0);
    assert_true(lab_compose(&l, 0, 0, &path));
    assert_true(path.sd > 0);
    double time = world_time(&w, path.theta);
    double shortest = world_shortest(&w, &best, &failing, &all);
    if (!(time < 1.5 * shortest))
        fail_msg("composed path takes %g, the shortest %g; %d of %d fail", time, shortest, failing,
                 all);
    evidence_free(&l.evidence);
}

/* Legs are hoped to take no time and hardly less, but to earn anything. */
static void test_hope_is_limited(void **state) {
    (void)state;
    lab l;
    int paths[1] = {0};
    lab_open(&l, paths, 1, 0);
    assert_true(legs_limited(&l.spec, -0.25) == -0.25 && legs_limited(&l.spec, 0) == 0);
    assert_true(legs_limited(&l.spec, 1) > legs_limited(&l.spec, 0.5));
    assert_true(legs_limited(&l.spec, 1) < 0.05);
    l.spec.options.direction = BESD_MAXIMIZE;
    assert_true(legs_limited(&l.spec, 1) == 1);
    evidence_free(&l.evidence);
}

/* A leg that took no time adds nothing, one that fails a lot, and places that nobody comes to add
 * less than they did; legs that earn are as they were. */
static void test_chances(void **state) {
    (void)state;
    lab l;
    int paths[1] = {0};
    lab_open(&l, paths, 1, 0);
    double least = legs_least(&l.spec);
    assert_true(legs_chance(&l.spec, 0, 0) == 0);
    assert_close(legs_chance(&l.spec, 0.5 * least, 0), log(0.5), 1e-12);
    assert_close(legs_chance(&l.spec, 0.5 * least, 3), log(0.5) - log(4), 1e-12);
    assert_close(legs_chance(&l.spec, least, 0), log(0.02), 1e-12);
    assert_true(legs_chance(&l.spec, 2 * least, 0) == legs_chance(&l.spec, least, 0));
    l.spec.options.direction = BESD_MAXIMIZE;
    assert_true(legs_chance(&l.spec, -3.5, 2) == -3.5);
    evidence_free(&l.evidence);
}

/* What a path may be hoped to be worth, leg by leg. */
static double hope_of(const lab *l, const leg_model *model, const double *theta, double width) {
    double values[LEGS];
    size_t length = l->spec.path.coordinates;
    for (size_t k = 0; k < LEGS; k++) {
        double place[LEG_COORDINATES], mean, variance;
        legs_place(&l->spec, theta, k, place);
        const double *to = place + length;
        assert_ok(mixture_predict_pairs(&model->beyond, place, 1, to, 1, 1, &mean, &error), &error);
        assert_ok(gp_pair_variances(model->doubt, place, 1, to, 1, 1, &variance, &error), &error);
        values[k] = mean + leg_model_expect(model, &l->spec, place) + width * sqrt(variance);
    }
    return lab_worth(l, theta, values, width > 0);
}

/* What is composed is the most hopeful of all 256 paths, none of whose legs takes less than no
 * time; places that were missed count for less. */
static void test_most_hopeful(void **state) {
    (void)state;
    lab l;
    leg_path path;
    leg_model model;
    int paths[16];
    for (int i = 0; i < 16; i++)
        paths[i] = (i * 53) % 256;
    lab_open(&l, paths, 16, 0);
    for (int step = 0; step < 7; step++) {
        double width = step / 2.0 - 1; /* to be relied on, and to be tried */
        double best = -INFINITY, theta[4], corner[] = {0.875, 0.875};
        assert_true(lab_misses(&l, corner) > 0);
        assert_true(lab_compose(&l, width, 0, &path));
        assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &model, &error),
                  &error);
        for (int i = 0; i < 256; i++) {
            lab_theta(i, theta);
            best = fmax(best, hope_of(&l, &model, theta, width));
        }
        assert_float_equal(hope_of(&l, &model, path.theta, width), best, 1e-9);
        leg_model_free(&model);
    }
    evidence_free(&l.evidence);
}

/* Where trials set out again and again to a place that they never come to, paths that would be the
 * most hopeful otherwise are left for others. */
static void test_missed_places(void **state) {
    (void)state;
    lab l;
    leg_path path;
    leg_model model;
    int paths[16], matters = 0;
    for (int i = 0; i < 16; i++) /* first to the last corner, or to one that is as far from there */
        paths[i] = (i % 2 ? 15 : 12) + 16 * (i * 5 % 16);
    for (size_t told = 4; told <= 16; told += 4) {
        double best = -INFINITY, regardless = -INFINITY, of_path = 0, theta[4];
        lab_open(&l, paths, told, 0);
        assert_true(lab_compose(&l, 2, 0, &path));
        assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &model, &error),
                  &error);
        for (int i = 0; i < 256; i++) {
            lab_theta(i, theta);
            double hope = hope_of(&l, &model, theta, 2), without = hope;
            for (size_t k = 1; k <= POINTS; k++) {
                double place[2];
                path_point(&l.spec, theta, k, place);
                without += log(1 + lab_misses(&l, place));
            }
            best = fmax(best, hope);
            regardless = fmax(regardless, without);
            of_path = i == number_of(path.theta) ? without : of_path;
        }
        assert_float_equal(hope_of(&l, &model, path.theta, 2), best, 1e-9);
        matters += of_path < regardless - 1e-6;
        leg_model_free(&model);
        evidence_free(&l.evidence);
    }
    assert_true(matters > 0);
}

/* To the letter: a path that was tried twice is one of those tried less than three times.
 * Confirming trials are tries that teach no model anything, so that it stays the best. */
static void test_how_often(void **state) {
    (void)state;
    lab l;
    leg_path best, next;
    int paths[12] = {0, 17, 34, 51, 68, 85, 102, 119, 136, 153};
    lab_open(&l, paths, 10, 0);
    assert_true(lab_compose(&l, 1, 1, &best));
    evidence_free(&l.evidence);
    paths[10] = paths[11] = number_of(best.theta);
    lab_open(&l, paths, 12, 0);
    l.evidence.trials[10].trial.reason = l.evidence.trials[11].trial.reason = BESD_REASON_CONFIRM;
    l.evidence.told = 10;
    assert_true(lab_compose(&l, 1, 3, &next));
    assert_int_equal(number_of(next.theta), number_of(best.theta));
    assert_true(lab_compose(&l, 1, 2, &next));
    assert_int_not_equal(number_of(next.theta), number_of(best.theta));
    evidence_free(&l.evidence);
}

/* Those that were tried often are left out, pending trials are counted, failed ones are not. */
static void test_tried_often(void **state) {
    (void)state;
    lab l;
    leg_path first, next;
    int paths[16] = {0, 17, 34, 51, 68, 85, 102, 119, 136, 153};
    lab_open(&l, paths, 10, 0);
    assert_true(lab_compose(&l, 1, 4, &first));
    evidence_free(&l.evidence);
    for (int i = 0; i < 4; i++)
        paths[10 + i] = number_of(first.theta);
    lab_open(&l, paths, 12, 2); /* twice told, twice asked */
    assert_true(lab_compose(&l, 1, 4, &next));
    assert_int_not_equal(number_of(next.theta), number_of(first.theta));
    next = first;
    assert_true(lab_compose(&l, 1, 1, &next));
    for (int i = 0; i < 14; i++)
        assert_int_not_equal(number_of(next.theta), paths[i]);
    evidence_free(&l.evidence);
}

/* Trials on their way change no mean but the doubt. */
static void test_pending(void **state) {
    (void)state;
    const int paths[] = {0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 33, 36};
    const double place[] = {0.125, 0.125, 0.375, 0.125}; /* from the start to where 33 goes first */
    leg_model without, with;
    double before, after;
    lab l;
    lab_open(&l, paths, 10, 0);
    assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &without, &error),
              &error);
    evidence_free(&l.evidence);
    leg_memory kept = l.memory;
    lab_open(&l, paths, 10, 2);
    assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &with, &error),
              &error);
    assert_memory_equal(&l.memory.of[LEG_SIGHT_LEARNT].drawn, &kept.of[LEG_SIGHT_LEARNT].drawn,
                        sizeof kept.of[LEG_SIGHT_LEARNT].drawn);
    double mean = mixture_predict(&without.beyond, place, 1, &before, NULL);
    assert_close(mixture_predict(&with.beyond, place, 1, &after, NULL), mean, 1e-10);
    assert_true(after < 0.9 * before);
    assert_memory_equal(with.expected, without.expected, sizeof with.expected);
    leg_model_free(&without);
    leg_model_free(&with);
    evidence_free(&l.evidence);
}

static void test_nothing_told(void **state) {
    (void)state;
    const int paths[] = {0, 17, 34};
    leg_model model;
    lab l;
    lab_open(&l, paths, 0, 3);
    assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &model, &error),
              &error);
    assert_false(model.known);
    evidence_free(&l.evidence);
    lab_open(&l, paths, 3, 0);
    for (size_t i = 0; i <= 3; i++)
        l.evidence.leg_first[i] = 0; /* scores alone */
    assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &model, &error),
              &error);
    assert_false(model.known);
    assert_int_equal(l.memory.of[LEG_SIGHT_LEARNT].fitted, 0);
    evidence_free(&l.evidence);
}

/* Near-sighted legs have short length scales whatever the trials say, and a memory of their own. */
static void test_sights(void **state) {
    (void)state;
    int paths[16];
    leg_model learnt, near;
    lab l;
    for (int i = 0; i < 16; i++)
        paths[i] = (i * 53) % 256;
    lab_open(&l, paths, 16, 0);
    assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &learnt, &error),
              &error);
    leg_memory kept = l.memory;
    assert_int_equal(kept.of[LEG_SIGHT_NEAR].fitted, 0);
    assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_NEAR, &l.memory, &near, &error),
              &error);
    assert_memory_equal(&l.memory.of[LEG_SIGHT_LEARNT], &kept.of[LEG_SIGHT_LEARNT],
                        sizeof kept.of[LEG_SIGHT_LEARNT]);
    assert_true(l.memory.of[LEG_SIGHT_NEAR].fitted > 0);
    double longest = 0;
    for (size_t i = 0; i < 4; i++) { /* within four of the prior's standard deviations */
        longest = fmax(longest, mixture_lengthscale(&learnt.beyond, i));
        assert_true(mixture_lengthscale(&near.beyond, i) < 0.12 * exp(4 * 0.2));
        assert_true(mixture_lengthscale(&near.beyond, i) > 0.12 * exp(-4 * 0.2));
    }
    assert_true(longest > 0.12 * exp(4 * 0.2));
    leg_model_free(&learnt);
    leg_model_free(&near);
    evidence_free(&l.evidence);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_composed_paths_work),
        cmocka_unit_test(test_hope_is_limited),
        cmocka_unit_test(test_chances),
        cmocka_unit_test(test_most_hopeful),
        cmocka_unit_test(test_missed_places),
        cmocka_unit_test(test_how_often),
        cmocka_unit_test(test_tried_often),
        cmocka_unit_test(test_pending),
        cmocka_unit_test(test_nothing_told),
        cmocka_unit_test(test_sights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
