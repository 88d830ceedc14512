/* The model of legs: its rows conditioned a second time in long double, and what a handle may
 * remember of its hyperparameters. */
#include "leg_lab.h"

#include "model_facts.h"
#include "study/legs.h"

static besd_error error = {BESD_OK, ""};

enum { FEW = 12, ASKED = 2 };

static const int few_paths[FEW + ASKED] = {0,   17,  34,  51, 68, 85, 102,
                                           119, 136, 153, 33, 80, 27, 201};

static void walk(const besd_trial *t, double *scores, besd_leg *legs) {
    world_train(&small_world, t, scores, legs);
}

/* Instances of two kinds: the second is met in one of four replications, later on always, and takes
 * twice the time. */
static void walk_labelled(const besd_trial *t, double *scores, besd_leg *legs) {
    walk(t, scores, legs);
    for (int j = 0; j < LAB_REPS * LAB_LEGS; j++) {
        bool second = j / LAB_LEGS == 3 || t->id > 10;
        double twice = 2 * legs[j].reached;
        legs[j].label = second;
        if (second)
            legs[j].reached = twice < 100 ? twice : NAN;
    }
}

static void open_lab(lab *l, size_t labels, size_t told, size_t asked) {
    besd_path path = world_path(&small_world);
    path.labels = labels;
    lab_fill(l, &path, labels ? walk_labelled : walk, few_paths, told, asked);
}

static leg_model model_of(lab *l, leg_sight sight) {
    leg_model model;
    assert_ok(leg_model_init(&l->spec, &l->evidence, sight, &l->memory, &model, &error), &error);
    assert_true(model.known);
    return model;
}

/* All rows, as what is beyond what is expected, then those on their way. */
static observations rows_of(const lab *l, const leg_model *model, size_t *told) {
    observations rows;
    size_t length = legs_length(&l->spec);
    assert_ok(observations_init(&rows, 2 * length, &error), &error);
    assert_ok(leg_rows_gather(&l->spec, &l->evidence, l->evidence.told, 128, &rows, &error),
              &error);
    *told = rows.count;
    assert_true(*told < 128);          /* few enough for the doubts, */
    for (size_t j = 0; j < *told; j++) /* and all at the largest tau */
        rows.mean[j] -= leg_model_expect(model, &l->spec, rows.theta + j * 2 * length);
    assert_ok(leg_rows_add_pending(&l->spec, &l->evidence, &rows, &error), &error);
    return rows;
}

/* The posteriors of all draws by hand. */
typedef struct oracle {
    observations rows;
    size_t count;
    facts_posterior of[DRAWS_MOST];
    size_t labels;
    double weights[2];
} oracle;

static void open_oracle(oracle *o, const lab *l, const leg_model *model) {
    const draws *drawn = &l->memory.of[LEG_SIGHT_LEARNT].drawn;
    size_t told;
    assert_true(drawn->count > 0);
    o->rows = rows_of(l, model, &told);
    o->count = drawn->count;
    for (size_t i = 0; i < o->count; i++)
        o->of[i] = facts_condition(&o->rows, told, &drawn->of[i]);
    o->labels = legs_labels(&l->spec);
    o->weights[0] = o->labels > 1 ? (10 * 3) / (4.0 * FEW) : 1;
    o->weights[1] = 1 - o->weights[0];
}

static void close_oracle(oracle *o) {
    for (size_t i = 0; i < o->count; i++)
        facts_forget(&o->of[i]);
    observations_free(&o->rows);
}

typedef struct foreseen {
    double mean, variance; /* over all labels and draws */
    double doubt;          /* the variance by the first draw alone */
    double uneven;         /* how much labels differ in it */
} foreseen;

/* What a leg is worth beyond what is expected of it. */
static foreseen foresee(const oracle *o, const lab *l, double *place) {
    foreseen all = {0};
    double first = 0, count = (double)o->count;
    for (size_t label = 0; label < o->labels; label++) {
        double means[DRAWS_MOST] = {0}, mean = 0, variance = 0;
        legs_set_label(&l->spec, place, label);
        for (size_t i = 0; i < o->count; i++) {
            means[i] = facts_mean(&o->of[i], place, 1);
            mean += means[i] / count;
            variance += facts_covariance(&o->of[i], place, 1, place, 1) / count;
        }
        for (size_t i = 0; i < o->count; i++)
            variance += pow(means[i] - mean, 2) / count;
        double doubt = facts_covariance(&o->of[0], place, 1, place, 1);
        all.mean += o->weights[label] * mean;
        all.variance += o->weights[label] * variance;
        all.doubt += o->weights[label] * doubt;
        all.uneven = label ? fabs(doubt - first) / doubt : 0;
        first = doubt;
    }
    return all;
}

/* Means are those of all draws, and of all labels as often as they are met; so are variances: those
 * of many places by the first draw alone, that of one leg with what the draws disagree about. Rows
 * on their way count in all of them. */
static void test_predictions(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        double uneven = 0;
        lab l;
        oracle o;
        open_lab(&l, kind % 2 ? 2 : 0, FEW, kind / 2 ? ASKED : 0);
        leg_model model = model_of(&l, LEG_SIGHT_LEARNT);
        open_oracle(&o, &l, &model);
        for (int number = 0; number < LAB_PATHS * LAB_LEGS; number += 19) {
            double theta[4], place[LEG_COORDINATES], variance, hope;
            lab_theta(number / LAB_LEGS, theta);
            legs_place(&l.spec, theta, (size_t)number % LAB_LEGS, place);
            double expected = leg_model_expect(&model, &l.spec, place);
            foreseen f = foresee(&o, &l, place);
            uneven = fmax(uneven, f.uneven);
            assert_close(leg_model_predict(&model, &l.spec, place, &variance), f.mean + expected,
                         1e-8);
            assert_close(variance, f.variance, 1e-8);
            for (int width = -1; width <= 2; width++) {
                const double *to = place + legs_length(&l.spec);
                assert_ok(
                    leg_model_hope_pairs(&model, &l.spec, place, 1, to, 1, width, &hope, &error),
                    &error);
                assert_close(hope, f.mean + expected + width * sqrt(f.doubt), 1e-7);
            }
        }
        assert_true(kind % 2 == 0 || uneven > 0.1); /* otherwise weights would not show */
        close_oracle(&o);
        leg_model_free(&model);
        evidence_free(&l.evidence);
    }
}

/* What is not certain is not decided: hyperparameters are drawn more than once, and differ. */
static void test_draws(void **state) {
    (void)state;
    lab l;
    open_lab(&l, 0, FEW, 0);
    leg_model model = model_of(&l, LEG_SIGHT_LEARNT);
    assert_true(model.beyond.count > 1);
    assert_memory_not_equal(gp_hyperparameters(model.beyond.models[0]),
                            gp_hyperparameters(model.beyond.models[1]), sizeof(hyperparameters));
    leg_model_free(&model);
    evidence_free(&l.evidence);
}

/* A handle that remembers a fit has the same model as one that does not, whatever was changed since
 * then: scores replaced, trials voided, another one voided instead. */
static void test_changes(void **state) {
    (void)state;
    for (int sight = 0; sight < LEG_SIGHTS; sight++) {
        lab l;
        open_lab(&l, 0, FEW, 0);
        leg_model model = model_of(&l, (leg_sight)sight);
        leg_model_free(&model);
        const leg_fit before = l.memory.of[sight];
        besd_leg *legs = l.evidence.legs; /* what the first trials took is told anew */
        for (size_t j = 0; j < 3 * LAB_REPS * LAB_LEGS; j++)
            legs[j].reached *= 0.3;
        l.evidence.changes++;
        model = model_of(&l, (leg_sight)sight);
        leg_model_free(&model);
        lab fresh = {.spec = l.spec, .evidence = l.evidence};
        model = model_of(&fresh, (leg_sight)sight);
        leg_model_free(&model);
        assert_memory_equal(&l.memory.of[sight], &fresh.memory.of[sight], sizeof before);
        assert_memory_not_equal(&before.drawn, &l.memory.of[sight].drawn, sizeof before.drawn);
        for (size_t voided = 2; voided < 4; voided++) { /* as many are told, but others */
            for (size_t i = 0; i < FEW; i++)
                l.evidence.trials[i].trial.state =
                    i == voided ? BESD_TRIAL_VOIDED : BESD_TRIAL_TOLD;
            l.evidence.told = FEW - 1;
            l.evidence.changes++;
            model = model_of(&l, (leg_sight)sight);
            leg_model_free(&model);
            fresh = (lab){.spec = l.spec, .evidence = l.evidence};
            model = model_of(&fresh, (leg_sight)sight);
            leg_model_free(&model);
            assert_memory_equal(&l.memory.of[sight], &fresh.memory.of[sight], sizeof before);
        }
        evidence_free(&l.evidence);
    }
}

/* At most an eighth of the trials, and one, is newer than the fit; and it is not made again for
 * every trial. */
static void test_growth(void **state) {
    (void)state;
    enum { FIRST = 27, LAST = 33 };
    int paths[LAST], fits = 0;
    besd_path path = world_path(&small_world);
    lab l;
    leg_memory memory = {0};
    for (int i = 0; i < LAST; i++)
        paths[i] = i * 5 % 16; /* few legs, so that a fit is quick */
    for (size_t told = FIRST; told <= LAST; told++) {
        lab_fill(&l, &path, walk, paths, told, 0);
        l.memory = memory;
        leg_model model = model_of(&l, LEG_SIGHT_LEARNT);
        leg_model_free(&model);
        int64_t fitted = l.memory.of[LEG_SIGHT_LEARNT].fitted, newer = (int64_t)told - fitted;
        assert_true(newer >= 0 && 8 * (newer - 1) <= fitted);
        fits += fitted != memory.of[LEG_SIGHT_LEARNT].fitted;
        memory = l.memory;
        evidence_free(&l.evidence);
    }
    assert_true(fits >= 1 && fits <= (LAST - FIRST) / 2);
}

/* Legs that take the longer the farther they lie along a gentle slope, to the bit. */
static void slope(const besd_trial *t, double *scores, besd_leg *legs) {
    for (int r = 0; r < LAB_REPS; r++) {
        double time = 0, from[2] = {0.5, 0.5};
        for (int k = 0; k < LAB_LEGS; k++) {
            const double *to = k < LAB_POINTS ? t->theta + 2 * k : (double[]){3.5, 3.5};
            time +=
                10 * expm1(0.05 + 0.1 * sin(from[0]) + 0.1 * cos(to[1] - from[1]) + 0.1 * to[0]);
            legs[r * LAB_LEGS + k] = (besd_leg){.reached = time};
            memcpy(from, to, sizeof from);
        }
        scores[r] = time;
    }
}

/* However smooth the legs are, near-sighted models have length scales of about 0.12; learnt ones
 * have others. Four of the prior's standard deviations of 0.2 are a factor of 2.2. */
static void test_near_sight(void **state) {
    (void)state;
    enum { SMOOTH = 48 };
    int paths[SMOOTH];
    besd_path path = world_path(&small_world);
    lab l;
    for (int i = 0; i < SMOOTH; i++)
        paths[i] = i * 53 % LAB_PATHS;
    lab_fill(&l, &path, slope, paths, SMOOTH, 0);
    leg_model near = model_of(&l, LEG_SIGHT_NEAR), learnt = model_of(&l, LEG_SIGHT_LEARNT);
    for (size_t i = 0; i < 4; i++) {
        assert_true(mixture_lengthscale(&near.beyond, i) < 0.12 * 2.2);
        assert_true(mixture_lengthscale(&near.beyond, i) > 0.12 / 2.2);
        assert_true(mixture_lengthscale(&learnt.beyond, i) > 0.12 * 2.2);
    }
    leg_model_free(&near);
    leg_model_free(&learnt);
    evidence_free(&l.evidence);
}

/* What is known of a leg before it is tried, by hand: a place is within the unit square, the start
 * or the end may be nowhere. */
static void describe(const lab *l, const double *place, double share, long double *x) {
    bool first = place[0] == PATH_UNKNOWN_START, last = place[2] == PATH_END;
    bool end_known = !isnan(l->spec.path.to[0]);
    double to[] = {last ? 0.875 : place[2], last ? 0.875 : place[3]};
    double length = hypot(to[0] - place[0], to[1] - place[1]);
    if (first || (last && !end_known))
        length = 0;
    last = last && end_known && !first;
    const long double features[] = {
        1,     1 - share, last ? 0 : length, last ? 0 : (1 - share) * length,
        first, last,      last ? length : 0};
    memcpy(x, features, sizeof features);
}

/* Least squares with a ridge of one row's weight; of five for the last leg, which at first is
 * thought to lose all that rows differ by over the length of a side. */
static void regress(const lab *l, const observations *rows, long double *b) {
    enum { N = LEG_FEATURES };
    const long double ridge[N] = {1e-6L, 1, 1, 1, 1, 5, 5};
    long double a[N * N] = {0}, right[N] = {0}, x[N], least = INFINITY, most = -INFINITY;
    for (size_t j = 0; j < rows->count; j++) {
        least = fminl(least, rows->mean[j]);
        most = fmaxl(most, rows->mean[j]);
        describe(l, rows->theta + 4 * j, rows->share[j], x);
        for (int i = 0; i < N; i++) {
            right[i] += x[i] * rows->mean[j];
            for (int k = 0; k < N; k++)
                a[i * N + k] += x[i] * x[k];
        }
    }
    right[N - 1] += ridge[N - 1] * (least - most);
    for (int i = 0; i < N; i++)
        a[i * N + i] += ridge[i];
    facts_invert(a, N);
    for (int i = 0; i < N; i++) {
        b[i] = 0;
        for (int k = 0; k < N; k++)
            b[i] += a[i * N + k] * right[k];
    }
}

/* With start and end, without either, and at both taus. */
static void test_expected(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        besd_path path = world_path(&small_world);
        lab l;
        observations rows;
        long double b[LEG_FEATURES], x[LEG_FEATURES];
        if (kind % 2)
            path.from[0] = path.from[1] = NAN;
        if (kind / 2)
            path.to[0] = path.to[1] = NAN;
        lab_fill(&l, &path, walk, few_paths, FEW, 0);
        for (size_t i = 0; i < FEW; i += 3)
            l.evidence.trials[i].trial.tau = 10;
        leg_model model = model_of(&l, LEG_SIGHT_LEARNT);
        assert_ok(observations_init(&rows, 4, &error), &error);
        assert_ok(leg_rows_gather(&l.spec, &l.evidence, FEW, 500, &rows, &error), &error);
        regress(&l, &rows, b);
        for (int i = 0; i < LEG_FEATURES; i++)
            assert_close(model.expected[i], (double)b[i], 1e-9);
        for (size_t j = 0; j < rows.count; j++) {
            double sum = 0;
            describe(&l, rows.theta + 4 * j, 1, x);
            for (int i = 0; i < LEG_FEATURES; i++)
                sum += (double)(b[i] * x[i]);
            assert_close(leg_model_expect(&model, &l.spec, rows.theta + 4 * j), sum, 1e-9);
        }
        observations_free(&rows);
        leg_model_free(&model);
        evidence_free(&l.evidence);
    }
}

/* Points are reached, the end never is. */
static void never_end(const besd_trial *t, double *scores, besd_leg *legs) {
    for (int r = 0; r < LAB_REPS; r++) {
        for (int k = 0; k < LAB_LEGS; k++)
            legs[r * LAB_LEGS + k].reached =
                k < LAB_POINTS ? (k + 1) * (double)(5 + t->id % 7) : NAN;
        scores[r] = 100;
    }
}

/* As long as nobody has come to the end, more is expected from nearby. */
static void test_last_leg(void **state) {
    (void)state;
    besd_path path = world_path(&small_world);
    lab l;
    lab_fill(&l, &path, never_end, few_paths, FEW, 0);
    leg_model model = model_of(&l, LEG_SIGHT_LEARNT);
    double before = INFINITY;
    for (int cell = 3; cell >= 0; cell--) { /* from the corner of the end to that of the start */
        double at = (cell + 0.5) / 4, place[] = {at, at, PATH_END, PATH_END};
        double expected = leg_model_expect(&model, &l.spec, place);
        assert_true(expected < before);
        before = expected;
    }
    leg_model_free(&model);
    evidence_free(&l.evidence);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predictions), cmocka_unit_test(test_draws),
        cmocka_unit_test(test_expected),    cmocka_unit_test(test_last_leg),
        cmocka_unit_test(test_changes),     cmocka_unit_test(test_growth),
        cmocka_unit_test(test_near_sight),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
