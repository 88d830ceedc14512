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

/* Paths whose points have a price and may be fewer, or have boxes of their own, against all 256 of
 * the small world: a point in the cell of the one before it makes no leg and costs nothing. */
typedef struct ground {
    size_t fewest;
    double price;
    double high[2]; /* of the box of either point */
    int paths[16];
} ground;

static void open_ground(lab *l, const ground *g) {
    besd_path path = world_path(&small_world);
    path.fewest = g->fewest;
    path.price = g->price;
    lab_fill(l, &path, walk, g->paths, 16, 0);
    for (size_t i = 0; i < 4; i++)
        l->spec.high[i] = g->high[i / 2];
}

static bool same_cell(const double *theta) {
    return floor(theta[0]) == floor(theta[2]) && floor(theta[1]) == floor(theta[3]);
}

static bool fits(const ground *g, const double *theta) {
    bool inside = true;
    for (int i = 0; i < 4; i++)
        inside = inside && theta[i] < g->high[i / 2];
    return inside;
}

/* What visiting a point costs, as a time added to none: the cap is ten of the scale's. */
static double price_of(const ground *g) {
    return log(1 + g->price / 10);
}

/* What a path is worth, the price of its points taken off each; of a path that is to be relied on,
 * to go on from its first point is never worth less than to fail. */
static double worth_of(const lab *l, const ground *g, const leg_model *model, const double *theta,
                       double width) {
    double values[LEGS] = {0}, chances = 0, least = -log(11);
    size_t length = l->spec.path.coordinates;
    for (size_t k = 0; k < LEGS; k++) {
        double place[LEG_COORDINATES], value;
        if (g->fewest && k == 1 && same_cell(theta))
            continue;
        legs_place(&l->spec, theta, k, place);
        assert_ok(leg_model_hope_pairs(model, &l->spec, place, 1, place + length, 1, width, &value,
                                       &error),
                  &error);
        value = fmin(value, 0) + fmax(value, 0) / 50 - (k < POINTS ? price_of(g) : 0);
        values[k] = value;
        chances += log(fmax(0.02, 1 - value / least));
        if (k < POINTS)
            chances -= log(1 + lab_misses(l, place + length));
    }
    return width > 0 ? chances : values[0] + fmax(values[1] + values[2], least);
}

/* Mean, doubt and the leg to learn of, by what is known of each leg that there is. */
static void assert_judged(const lab *l, const ground *g, const leg_model *model,
                          const leg_path *path) {
    double mean = 0, promise = 0, variance = 0, doubt = 0;
    for (size_t k = 0; k < LEGS; k++) {
        double place[LEG_COORDINATES], own;
        if (g->fewest && k == 1 && same_cell(path->theta))
            continue;
        legs_place(&l->spec, path->theta, k, place);
        double value = leg_model_predict(model, &l->spec, place, &own);
        double priced = value - (k < POINTS ? price_of(g) : 0);
        mean += priced;
        promise += 10 * (exp(-priced) - 1);
        variance += own;
        if (k == path->doubtful) {
            assert_close(path->doubt, sqrt(own), 1e-12);
            assert_close(path->doubtful_mean, value, 1e-12);
        }
        doubt = fmax(doubt, sqrt(own));
    }
    assert_close(path->mean, mean, 1e-9);
    assert_close(path->promise, promise, 1e-9 * fabs(promise));
    assert_close(path->sd, sqrt(variance), 1e-9);
    assert_close(path->doubt, doubt, 1e-12);
}

/* What is composed on this ground is worth as much as the best of all that fit into their boxes. */
static leg_path assert_best(const ground *g, double width) {
    lab l;
    leg_model model;
    leg_path path;
    double best = -INFINITY, theta[4];
    bool found;
    open_ground(&l, g);
    assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &model, &error),
              &error);
    assert_ok(
        leg_paths_compose(&l.spec, &l.evidence, &model, POINTS, width, 0, &path, &found, &error),
        &error);
    assert_true(found && fits(g, path.theta));
    for (int i = 0; i < LAB_PATHS; i++) {
        lab_theta(i, theta);
        if (fits(g, theta))
            best = fmax(best, worth_of(&l, g, &model, theta, width));
    }
    double worth = worth_of(&l, g, &model, path.theta, width);
    if (!(worth >= best - 1e-9))
        fail_msg("price %g, width %g: composed a path worth %g, there is one worth %g", g->price,
                 width, worth, best);
    assert_judged(&l, g, &model, &path);
    leg_model_free(&model);
    evidence_free(&l.evidence);
    return path;
}

/* Sixteen paths of so many that are different for every number. */
static ground ground_of(int number, size_t fewest, double price) {
    ground g = {.fewest = fewest, .price = price, .high = {4, 4}};
    for (int i = 0; i < 16; i++)
        g.paths[i] = (i * 53 + number * 29) % LAB_PATHS;
    return g;
}

static void test_varying(void **state) {
    (void)state;
    const double prices[] = {0, 3, 30}, widths[] = {-1, 0, 2};
    int one_point = 0, two_points = 0;
    for (int number = 0; number < 6; number++)
        for (size_t p = 0; p < sizeof prices / sizeof *prices; p++)
            for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
                ground g = ground_of(number, 1, prices[p]);
                leg_path path = assert_best(&g, widths[w]);
                one_point += same_cell(path.theta);
                two_points += !same_cell(path.theta);
            }
    assert_true(one_point > 5 && two_points > 5);
}

static void test_boxes(void **state) {
    (void)state;
    for (int number = 0; number < 6; number++)
        for (int width = 0; width <= 2; width += 2) {
            ground g = ground_of(number, 0, 0);
            g.high[number % 2] = 2;
            assert_best(&g, width);
        }
}

/* The best path through each place at each point, [2 * 16]; how many different ones there are that
 * were not tried. */
static int find_best_through(const ground *g, const double *worth, int *best) {
    int different = 0;
    for (int k = 0; k < 2 * 16; k++) {
        bool is_new = true;
        best[k] = -1;
        for (int i = 0; i < LAB_PATHS; i++)
            if ((k < 16 ? i % 16 : 16 + i / 16) == k && (best[k] < 0 || worth[i] > worth[best[k]]))
                best[k] = i;
        for (int j = 0; j < 16; j++)
            is_new = is_new && g->paths[j] != best[k];
        for (int j = 0; j < k; j++)
            is_new = is_new && best[j] != best[k];
        different += is_new;
    }
    return different;
}

static bool is_one_of(int number, const int *numbers, int count) {
    bool found = false;
    for (int i = 0; i < count; i++)
        found = found || numbers[i] == number;
    return found;
}

/* A path that was tried is left for the best one through another place, until all of those were
 * tried. */
static void test_other_paths(void **state) {
    (void)state;
    enum { TAUGHT = 16, MOST = TAUGHT + 2 * 16 };
    ground g = ground_of(0, 0, 0);
    int paths[MOST], best_through[2 * 16], tried = 0;
    besd_path path = world_path(&small_world);
    leg_model model;
    leg_path next;
    lab l;
    open_ground(&l, &g);
    assert_ok(leg_model_init(&l.spec, &l.evidence, LEG_SIGHT_LEARNT, &l.memory, &model, &error),
              &error);
    double worth[LAB_PATHS], theta[4];
    for (int i = 0; i < LAB_PATHS; i++) {
        lab_theta(i, theta);
        worth[i] = worth_of(&l, &g, &model, theta, 2);
    }
    int untried = find_best_through(&g, worth, best_through);
    assert_true(untried > 20);
    evidence_free(&l.evidence);
    memcpy(paths, g.paths, sizeof g.paths);
    for (bool found = true; found; tried += found) {
        assert_true(tried <= untried);
        lab_fill(&l, &path, walk, paths, TAUGHT + (size_t)tried, 0);
        for (int i = TAUGHT; i < TAUGHT + tried; i++) /* tries that teach nothing */
            l.evidence.trials[i].trial.reason = BESD_REASON_CONFIRM;
        assert_ok(
            leg_paths_compose(&l.spec, &l.evidence, &model, POINTS, 2, 1, &next, &found, &error),
            &error);
        if (found) {
            paths[TAUGHT + tried] = number_of(next.theta);
            assert_true(is_one_of(paths[TAUGHT + tried], best_through, 2 * 16));
            assert_false(is_one_of(paths[TAUGHT + tried], paths, TAUGHT + tried));
        }
        evidence_free(&l.evidence);
    }
    assert_int_equal(tried, untried);
    leg_model_free(&model);
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
        cmocka_unit_test(test_varying),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_other_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
