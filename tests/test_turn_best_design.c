/* The best design under the model, and what joins the discretisation: which of the tried designs,
 * the best one, and a cloud around it. */
#include "study_scene.h"

#include "study/turn.h"

#include <stdlib.h>

static double mean_at(const scene *c, const double *unit) {
    return mixture_predict(&c->model, unit, 1, NULL, NULL);
}

/* It is no worse than any target or tried design, and inside the cube. */
static void test_best(void **state) {
    (void)state;
    for (int discrete = 0; discrete < 2; discrete++) {
        besd_study_options o = small_options(1, 4);
        o.discrete = discrete;
        scene c;
        double unit, mean;
        scene_of(&c, &o, 6);
        assert_ok(best_design(&c.spec, &c.model, &c.evidence, &c.targets, &unit, &mean, &c.error),
                  &c.error);
        assert_true(unit >= 0 && unit <= 1);
        assert_close(mean, mean_at(&c, &unit), 0);
        bool is_target = false;
        for (size_t i = 0; i < c.targets.fixed; i++) {
            assert_true(mean_at(&c, c.targets.points + i) <= mean);
            is_target = is_target || c.targets.points[i] == unit;
        }
        assert_int_equal(is_target, discrete);
        for (size_t i = 0; !discrete && i < c.evidence.observed.count; i++)
            assert_true(mean_at(&c, c.evidence.observed.theta + i) <= mean);
        assert_int_equal(c.targets.count == c.targets.fixed, discrete);
        scene_end(&c);
    }
}

/* A top so narrow that no target sees it is found from the tried design that does. */
static void test_climbs_from_tried_designs(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 4);
    const double top = 4.2, elsewhere[] = {0.5, 2, 6, 7.5, 9};
    hyperparameters h = {.lengthscale = {0.01}, .sigma_root = {1, 0.1, 0.1}};
    o.targets = 3;
    scene c;
    double unit, mean;
    for (int i = 0; i < MODEL_MAX_LEVELS; i++)
        h.env_variance[i] = h.rep_variance[i] = 1e-4;
    scene_begin(&c, &o);
    for (int i = 0; i < 5; i++)
        scene_add(&c, BESD_TRIAL_TOLD, BESD_REASON_INITIAL, &elsewhere[i], 30, 2)->model_mean = -1;
    scene_add(&c, BESD_TRIAL_TOLD, BESD_REASON_INITIAL, &top, 30, 2)->model_mean = 3;
    scene_look(&c);
    scene_model(&c, &h);
    assert_ok(best_design(&c.spec, &c.model, &c.evidence, &c.targets, &unit, &mean, &c.error),
              &c.error);
    assert_close(unit, 0.42, 1e-3);
    assert_close(mean, 3, 0.01);
    scene_end(&c);
}

static int larger_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Of more than 500 tried designs the 500 with the largest posterior means become targets, in the
 * order of the trials; of fewer, all. The model is given, not fitted: it is about these means. */
static void test_most_promising_designs(void **state) {
    (void)state;
    static const size_t counts[] = {40, 500, 501, 640};
    hyperparameters h = {.lengthscale = {0.3, 0.3}, .sigma_root = {0.5, 0.2, 0.2}};
    for (int i = 0; i < MODEL_MAX_LEVELS; i++)
        h.env_variance[i] = h.rep_variance[i] = 0.01;
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        size_t count = counts[n], kept = count < 500 ? count : 500, at;
        besd_study_options o = small_options(2, 8);
        double means[640], sorted[640], unit[2], mean;
        scene c;
        scene_begin(&c, &o);
        scene_tell_some(&c, count, BESD_REASON_INITIAL);
        scene_look(&c);
        scene_model(&c, &h);
        assert_ok(best_design(&c.spec, &c.model, &c.evidence, &c.targets, unit, &mean, &c.error),
                  &c.error);
        for (size_t j = 0; j < count; j++)
            sorted[j] = means[j] = mean_at(&c, c.evidence.observed.theta + j * 2);
        qsort(sorted, count, sizeof *sorted, larger_first);
        at = c.targets.fixed;
        for (size_t j = 0; j < count; j++)
            if (means[j] >= sorted[kept - 1])
                assert_memory_equal(c.targets.points + 2 * at++, c.evidence.observed.theta + j * 2,
                                    2 * sizeof(double));
        assert_int_equal(at, c.targets.fixed + kept);
        assert_memory_equal(c.targets.points + 2 * at, unit, sizeof unit); /* then the best one */
        assert_true(c.targets.count > at + 100);                           /* then the cloud */
        scene_end(&c);
    }
}

/* The cloud: a quarter of a length scale wide, but no wider than a quarter of the box, every other
 * point four times as near, from the stream of the number of told trials. */
static void test_cloud(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 8);
    hyperparameters h = {.lengthscale = {0.2, 3}, .sigma_root = {0.5, 0.2, 0.2}};
    const double spread[] = {0.05, 0.25};
    double unit[2], mean;
    scene c;
    for (int i = 0; i < MODEL_MAX_LEVELS; i++)
        h.env_variance[i] = h.rep_variance[i] = 0.01;
    scene_begin(&c, &o);
    scene_tell_some(&c, 9, BESD_REASON_INITIAL);
    scene_add(&c, BESD_TRIAL_ASKED, BESD_REASON_KG, (const double[]){1, 1}, 30, 2);
    scene_look(&c);
    scene_model(&c, &h);
    assert_ok(best_design(&c.spec, &c.model, &c.evidence, &c.targets, unit, &mean, &c.error),
              &c.error);
    rng stream = rng_open(8, RNG_NEARBY, 9, 0, 0);
    size_t at = c.targets.fixed + 10 + 1; /* the pending design is one of the tried */
    for (int n = 0; n < TARGETS_NEARBY; n++, at++)
        for (int i = 0; i < 2; i++) {
            double moved = unit[i] + (n % 2 ? 1 : 0.25) * spread[i] * rng_normal(&stream);
            assert_close(c.targets.points[2 * at + (size_t)i], fmin(fmax(moved, 0), 1), 1e-12);
        }
    assert_int_equal(at, c.targets.count);
    scene_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best),
        cmocka_unit_test(test_climbs_from_tried_designs),
        cmocka_unit_test(test_most_promising_designs),
        cmocka_unit_test(test_cloud),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
