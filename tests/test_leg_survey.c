/* What is said of legs: against a recount of what was told, and against the model itself. */
#include "leg_world.h"

#include "study/leg_paths.h"
#include "study/leg_survey.h"
#include "study/legs.h"
#include "study/path.h"
#include "study/study_state.h"

static besd_error error;

enum { TRIALS = 14, ALL = 1000 };

static besd_study *survey_study(const leg_world *w, int trials) {
    besd_study_options o = world_options(w, 3);
    besd_study *s = world_study(w, NULL, &o);
    world_run(w, s, trials, NULL);
    return s;
}

/* The cell of a place in words that can be compared. */
static bool same_cell(const double *place, const int *cell) {
    return floor(place[0]) == cell[0] && floor(place[1]) == cell[1];
}

/* Replications of all trials that set out on the leg between two cells, that finished it, and those
 * of full trainings, with what they took on average, its square, and the scale of legs. */
typedef struct recounted {
    size_t tried, worked, full;
    double took, squares, scaled;
} recounted;

static recounted recount(const leg_world *w, besd_study *s, const leg_known *leg) {
    int64_t trials;
    recounted all = {0};
    assert_ok(besd_study_trial_count(s, &trials, &error), &error);
    for (int64_t id = 1; id <= trials; id++) {
        besd_trial t;
        besd_leg legs[8 * (WORLD_MOST_POINTS + 1)];
        int cells[WORLD_MOST_POINTS + 2][2];
        size_t count;
        assert_ok(besd_study_trial(s, id, &t, &error), &error);
        assert_ok(besd_study_legs(s, id, legs, 8 * (WORLD_MOST_POINTS + 1), &count, &error),
                  &error);
        world_cells(w, t.theta, cells);
        for (size_t k = 0; k <= w->points; k++)
            for (size_t r = 0; r * (w->points + 1) < count; r++) {
                const besd_leg *one = legs + r * (w->points + 1);
                if ((k == 0) != leg->is_first || (k == w->points) != leg->is_last ||
                    !same_cell(leg->from, cells[k]) || !same_cell(leg->to, cells[k + 1]) ||
                    (k && isnan(one[k - 1].reached)))
                    continue;
                double begun = k ? one[k - 1].reached : 0, end = one[w->points].reached;
                double until = !isnan(one[k].reached) ? one[k].reached : isnan(end) ? w->cap : end;
                all.tried++;
                all.worked += isnan(one[k].reached) ? 0 : 1;
                if (t.tau != 30)
                    continue;
                all.full++;
                all.took += until - begun;
                all.squares += (until - begun) * (until - begun);
                all.scaled -= log(1 + (until - begun) / (0.1 * w->cap));
            }
    }
    all.took /= (double)all.full;
    all.scaled /= (double)all.full;
    return all;
}

static void test_counts(void **state) {
    (void)state;
    besd_study *s = survey_study(&small_world, TRIALS);
    leg_survey all, some;
    size_t never = 0;
    assert_ok(leg_survey_init(&all, s, NULL, ALL, 0, &error), &error);
    assert_true(all.tried_count > 10);
    assert_int_equal(all.untold, 0);
    assert_int_equal(all.design_count, 0);
    for (size_t i = 0; i < all.tried_count; i++) {
        recounted own = recount(&small_world, s, &all.tried[i]);
        assert_int_equal(all.tried[i].tried, own.tried);
        assert_int_equal(all.tried[i].worked, own.worked);
        assert_true(i == 0 || all.tried[i].tried <= all.tried[i - 1].tried);
        never += !own.worked;
    }
    assert_true(never > 0 && never < all.tried_count); /* the world has both */
    assert_ok(leg_survey_init(&some, s, NULL, 5, 0, &error), &error);
    assert_int_equal(some.tried_count, 5);
    assert_int_equal(some.untold, all.tried_count - 5);
    assert_memory_equal(some.tried, all.tried, 5 * sizeof *some.tried);
    assert_close(some.spread, all.spread, 0);
    leg_survey_free(&some);
    leg_survey_free(&all);
    besd_study_close(s);
}

/* The model as leg_model.h has it, at the very place. */
static void test_expectations(void **state) {
    (void)state;
    besd_study *s = survey_study(&small_world, TRIALS);
    besd_trial often_tried = {.theta = {1.5, 0.5, 2.5, 2.5}, .tau = 30, .reps = 8, .seed = 5};
    double scores[8];
    besd_leg legs[8 * (WORLD_MOST_POINTS + 1)];
    world_train(&small_world, &often_tried, scores, legs);
    const besd_result added = {
        .theta = often_tried.theta, .tau = 30, .scores = scores, .count = 8, .legs = legs};
    assert_ok(besd_study_add(s, &added, 1, NULL, &error), &error);
    leg_memory memory = {0};
    leg_survey all;
    leg_model model;
    view v;
    size_t doubtful = 0, often = 0;
    assert_ok(study_glance(s, &v, &error), &error);
    assert_ok(leg_model_init(&s->spec, &v.evidence, LEG_SIGHT_LEARNT, &memory, &model, &error),
              &error);
    assert_ok(leg_survey_init(&all, s, NULL, ALL, 0, &error), &error);
    for (size_t i = 0; i < all.tried_count; i++) {
        const leg_known *leg = &all.tried[i];
        double place[4] = {leg->from[0] / 4, leg->from[1] / 4, leg->to[0] / 4, leg->to[1] / 4};
        double variance, cap = small_world.cap;
        if (leg->is_last)
            place[2] = place[3] = PATH_END;
        double mean = mixture_predict(&model.beyond, place, 1, &variance, NULL) +
                      leg_model_expect(&model, &s->spec, place);
        assert_close(leg->sd, sqrt(variance), 1e-12);
        recounted seen = recount(&small_world, s, leg);
        assert_int_equal(leg->seen, seen.full);
        often += seen.full >= 5;
        if (seen.full >= 5) { /* they speak for themselves */
            double se = sqrt((seen.squares / (double)seen.full - seen.took * seen.took) /
                             (double)(seen.full - 1));
            assert_close(leg->mean, seen.scaled, 1e-9);
            assert_close(leg->value, seen.took, 1e-9 * (1 + seen.took));
            assert_close(leg->high - leg->value, fmin(se, cap - seen.took), 1e-6);
            assert_close(leg->value - leg->low, fmin(se, seen.took), 1e-6);
        } else {
            assert_close(leg->mean, mean, 1e-12);
            assert_close(leg->value, fmin(fmax(legs_in_units(&s->spec, mean), 0), cap), 1e-9);
        }
        assert_true(leg->low >= 0 && leg->low <= leg->value && leg->value <= leg->high &&
                    leg->high <= cap);
        assert_int_equal(leg->is_doubtful, !leg->worked || leg->sd > 0.5 * all.spread);
        doubtful += leg->is_doubtful;
    }
    assert_true(doubtful > 0 && doubtful < all.tried_count);
    assert_true(often > 0 && often < all.tried_count); /* the world has both */
    leg_survey_free(&all);
    leg_model_free(&model);
    view_free(&v);
    besd_study_close(s);
}

/* The legs of a design lead from the start over its points to the end. */
static void test_design(void **state) {
    (void)state;
    besd_study *s = survey_study(&small_world, TRIALS);
    const double theta[] = {1.2, 0.7, 3.9, 2.1};
    const double places[4][2] = {{0.5, 0.5}, {1.5, 0.5}, {3.5, 2.5}, {3.5, 3.5}};
    leg_survey one;
    double sum = 0;
    assert_ok(leg_survey_init(&one, s, theta, ALL, 0, &error), &error);
    assert_int_equal(one.design_count, 3);
    for (size_t k = 0; k < 3; k++) {
        const leg_known *leg = &one.of_design[k];
        assert_close(leg->from[0], places[k][0], 1e-12);
        assert_close(leg->from[1], places[k][1], 1e-12);
        assert_close(leg->to[0], places[k + 1][0], 1e-12);
        assert_close(leg->to[1], places[k + 1][1], 1e-12);
        assert_int_equal(leg->number, k);
        assert_int_equal(leg->is_first, k == 0);
        assert_int_equal(leg->is_last, k == 2);
        recounted own = recount(&small_world, s, leg);
        assert_int_equal(leg->tried, own.tried);
        assert_int_equal(leg->worked, own.worked);
        sum += leg->value;
    }
    assert_close(one.promise, fmin(sum, small_world.cap), 1e-12);
    leg_survey_free(&one);
    s->spec.options.best_possible = 0.9 * small_world.cap; /* no path is better */
    assert_ok(leg_survey_init(&one, s, theta, ALL, 0, &error), &error);
    assert_close(one.promise, fmin(fmax(sum, 0.9 * small_world.cap), small_world.cap), 1e-12);
    leg_survey_free(&one);
    besd_study_close(s);
}

/* The composed design is that of leg_paths.h, and its promise that of its legs. */
static void test_composed(void **state) {
    (void)state;
    besd_study *s = survey_study(&small_world, TRIALS);
    leg_memory memory = {0};
    leg_model model;
    leg_path path;
    leg_survey all, its;
    bool found;
    view v;
    assert_ok(study_glance(s, &v, &error), &error);
    assert_ok(leg_model_init(&s->spec, &v.evidence, LEG_SIGHT_LEARNT, &memory, &model, &error),
              &error);
    assert_ok(leg_paths_compose(&s->spec, &v.evidence, &model, 2, -1, 0, &path, &found, &error),
              &error);
    assert_true(found);
    assert_ok(leg_survey_init(&all, s, NULL, 0, 0, &error), &error);
    assert_memory_equal(all.composed, path.theta, 4 * sizeof *path.theta);
    assert_ok(leg_survey_init(&its, s, all.composed, 0, 0, &error), &error);
    assert_close(its.promise, all.composed_promise, 1e-12);
    leg_survey_free(&its);
    leg_survey_free(&all);
    leg_model_free(&model);
    view_free(&v);
    besd_study_close(s);
}

/* What was known before a trial is what was said before it was asked. */
static void test_before_a_trial(void **state) {
    (void)state;
    besd_study *s = survey_study(&small_world, TRIALS);
    leg_survey then, later, now;
    assert_ok(leg_survey_init(&then, s, NULL, ALL, 0, &error), &error);
    besd_trial t = ask(s);
    world_answer(&small_world, s, &t, true);
    assert_ok(leg_survey_init(&later, s, NULL, ALL, t.id, &error), &error);
    assert_ok(leg_survey_init(&now, s, NULL, ALL, 0, &error), &error);
    assert_int_equal(later.tried_count, then.tried_count);
    for (size_t i = 0; i < then.tried_count; i++) {
        assert_int_equal(later.tried[i].tried, then.tried[i].tried);
        assert_close(later.tried[i].mean, then.tried[i].mean, 1e-12);
    }
    size_t before = 0, after = 0;
    for (size_t i = 0; i < then.tried_count; i++)
        before += then.tried[i].tried;
    for (size_t i = 0; i < now.tried_count; i++)
        after += now.tried[i].tried;
    assert_true(after > before);
    leg_survey_free(&then);
    leg_survey_free(&later);
    leg_survey_free(&now);
    assert_fails(leg_survey_init(&now, s, NULL, ALL, 1, &error), BESD_UNSUPPORTED, &error,
                 "legs: none were told");
    besd_study_close(s);
}

/* Without cells, a tenth of the box counts as one place. */
static void test_without_cells(void **state) {
    (void)state;
    besd_study_options o = world_options(&small_world, 5);
    besd_study *s = open_study(NULL, &o);
    besd_path p = world_path(&small_world);
    leg_survey all;
    p.cell = 0;
    assert_ok(besd_study_set_path(s, &p, &error), &error);
    world_run(&small_world, s, 6, NULL);
    const double theta[] = {0.41, 0.79, 3.9, 2.1};
    assert_ok(leg_survey_init(&all, s, theta, ALL, 0, &error), &error);
    for (size_t i = 0; i < all.tried_count; i++)
        for (int c = 0; c < 2 && !all.tried[i].is_last; c++) {
            double number = all.tried[i].to[c] / 0.4 - 0.5;
            assert_close(number, rint(number), 1e-9);
        }
    assert_close(all.of_design[0].to[0], 0.41, 1e-12); /* a design is where it is */
    leg_survey_free(&all);
    besd_study_close(s);
}

static void test_refusals(void **state) {
    (void)state;
    leg_survey survey;
    besd_study_options o = world_options(&small_world, 1);
    besd_study *s = open_study(NULL, &o);
    assert_fails(leg_survey_init(&survey, s, NULL, ALL, 0, &error), BESD_UNSUPPORTED, &error,
                 "theta of this study is no path");
    besd_study_close(s);
    s = world_study(&small_world, NULL, &o);
    besd_trial t = ask(s);
    world_answer(&small_world, s, &t, false);
    assert_fails(leg_survey_init(&survey, s, NULL, ALL, 0, &error), BESD_UNSUPPORTED, &error,
                 "legs: none were told");
    assert_null(survey.tried);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),         cmocka_unit_test(test_expectations),
        cmocka_unit_test(test_design),         cmocka_unit_test(test_composed),
        cmocka_unit_test(test_before_a_trial), cmocka_unit_test(test_without_cells),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
