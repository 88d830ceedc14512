/* What was told of legs as rows of a model, against a second gathering from trials and times by
 * hand; and which rows are left when there are too many. */
#include "leg_lab.h"

#include "study/legs.h"

#include <stdlib.h>

static besd_error error = {BESD_OK, ""};

enum { MOST_OUTCOMES = 4096 };

/* One outcome of a leg; places are those of cells of a side of four, PATH_END or the start's. */
typedef struct outcome {
    double place[6];
    int64_t tau;
    double value;
} outcome;

typedef struct outcomes {
    size_t count;
    outcome of[MOST_OUTCOMES];
} outcomes;

/* The place of a point in the unit square, from the cell it lies in. */
static void cell_place(const double *theta, double *place) {
    for (int i = 0; i < 2; i++)
        place[i] = (floor(theta[i]) + 0.5) / 4;
}

/* All outcomes of the first `told` trials that are told and do not confirm. A cap of 100 makes a
 * scale of 10. */
static void list_outcomes(const lab *l, size_t told, outcomes *list) {
    const besd_path *p = &l->spec.path;
    size_t length = p->labels ? 3 : 2;
    list->count = 0;
    for (size_t i = 0, seen = 0; i < l->evidence.count && seen < told; i++) {
        const besd_trial *t = &l->evidence.trials[i].trial;
        if (t->state != BESD_TRIAL_TOLD || t->reason == BESD_REASON_CONFIRM)
            continue;
        seen++;
        double at[LAB_LEGS + 1][2] = {{0.125, 0.125}, {0}, {0}, {PATH_END, PATH_END}};
        for (size_t k = 0; k < LAB_POINTS; k++)
            cell_place(t->theta + 2 * k, at[k + 1]);
        const besd_leg *legs = l->evidence.legs + l->evidence.leg_first[i];
        size_t count = l->evidence.leg_first[i + 1] - l->evidence.leg_first[i];
        for (size_t j = 0; j < count; j++) {
            size_t k = j % LAB_LEGS;
            const besd_leg *own = legs + (j - k);
            bool none = p->fewest && k == 1 && !memcmp(at[1], at[2], sizeof at[1]);
            if (none || (k > 0 && isnan(own[k - 1].reached)))
                continue;
            double begun = k ? own[k - 1].reached : 0;
            double end = isnan(own[k].reached) ? 100 : own[k].reached;
            assert_true(list->count < MOST_OUTCOMES);
            outcome *one = &list->of[list->count++];
            *one = (outcome){.tau = t->tau, .value = -log(1 + (end - begun) / 10)};
            memcpy(one->place, at[k], sizeof at[k]);
            memcpy(one->place + length, at[k + 1], sizeof at[k]);
            if (p->labels)
                one->place[2] = one->place[5] = (double)own->label / (double)(p->labels - 1);
        }
    }
}

static observations gather(const lab *l, size_t told, size_t most) {
    observations rows;
    assert_ok(observations_init(&rows, 2 * legs_length(&l->spec), &error), &error);
    assert_ok(leg_rows_gather(&l->spec, &l->evidence, told, most, &rows, &error), &error);
    return rows;
}

static bool same_leg(const outcome *o, const double *place, size_t dimension, int64_t tau) {
    return o->tau == tau && !memcmp(o->place, place, dimension * sizeof *place);
}

/* Every leg at every tau is one row, with the number, the mean and the spread of its outcomes. */
static void assert_rows(const lab *l, size_t told) {
    static outcomes list;
    size_t d = 2 * legs_length(&l->spec), different = 0;
    list_outcomes(l, told, &list);
    for (size_t i = 0; i < list.count; i++) {
        size_t before = 0;
        while (!same_leg(&list.of[before], list.of[i].place, d, list.of[i].tau))
            before++;
        different += before == i;
    }
    observations rows = gather(l, told, MOST_OUTCOMES);
    assert_int_equal(rows.count, different);
    for (size_t j = 0; j < rows.count; j++) {
        const double *place = rows.theta + j * d;
        int64_t tau = l->spec.taus[rows.level[j]];
        double count = 0, sum = 0, squares = 0;
        for (size_t i = 0; i < list.count; i++)
            if (same_leg(&list.of[i], place, d, tau)) {
                count++;
                sum += list.of[i].value;
            }
        assert_true(count > 0);
        for (size_t i = 0; i < list.count; i++)
            if (same_leg(&list.of[i], place, d, tau))
                squares += pow(list.of[i].value - sum / count, 2);
        assert_true(rows.reps[j] == count);
        assert_close(rows.share[j], (double)tau / 30, 1e-15);
        assert_close(rows.mean[j], sum / count, 1e-12);
        assert_close(rows.within[j], squares, 1e-12);
    }
    observations_free(&rows);
}

/* The small world, with times up to a tenth longer by chance. */
static void walk(const besd_trial *t, double *scores, besd_leg *legs) {
    world_train(&small_world, t, scores, legs);
}

/* The same in instances of two kinds, the second of them in one of four replications. */
static void walk_labelled(const besd_trial *t, double *scores, besd_leg *legs) {
    walk(t, scores, legs);
    for (int j = 0; j < LAB_REPS * LAB_LEGS; j++)
        legs[j].label = j / LAB_LEGS == 3;
}

enum { WALKS = 60, ASKED = 3 };

/* Sixty trials of forty paths, at both taus, every tenth of them a confirming one, and some that
 * are asked for. */
static void open_walks(lab *l, size_t fewest, size_t labels) {
    int paths[WALKS + ASKED];
    besd_path path = world_path(&small_world);
    path.fewest = fewest;
    path.labels = labels;
    for (int i = 0; i < WALKS + ASKED; i++)
        paths[i] = i % 4 == 3 ? (i % 40 / 4 % 16) * 17 : i % 40 * 37 % LAB_PATHS;
    lab_fill(l, &path, labels ? walk_labelled : walk, paths, WALKS, ASKED);
    for (size_t i = 0; i < WALKS + ASKED; i++) {
        l->evidence.trials[i].trial.tau = i % 3 ? 30 : 10;
        if (i % 10 == 5)
            l->evidence.trials[i].trial.reason = BESD_REASON_CONFIRM;
    }
}

/* Paths are fixed in length or not, where a point in the cell of the one before it makes no leg;
 * instances are of one kind or of two. */
static void test_rows(void **state) {
    (void)state;
    for (size_t fewest = 0; fewest < 2; fewest++)
        for (size_t labels = 0; labels <= 2; labels += 2) {
            lab l;
            open_walks(&l, fewest, labels);
            const size_t told[] = {0, 1, 7, WALKS};
            for (size_t i = 0; i < sizeof told / sizeof *told; i++)
                assert_rows(&l, told[i]);
            evidence_free(&l.evidence);
        }
}

/* Trials that were voided, or failed, teach nothing. */
static void test_told_ones(void **state) {
    (void)state;
    lab l;
    open_walks(&l, 0, 0);
    l.evidence.trials[3].trial.state = BESD_TRIAL_VOIDED;
    l.evidence.trials[4].trial.state = BESD_TRIAL_FAILED;
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(evidence_teaches(&l.evidence, i), i < 3 || i == 6);
    assert_rows(&l, WALKS);
    evidence_free(&l.evidence);
}

/* What pending trials will see: each of their legs, each label as often as it was met so far. */
static void test_pending(void **state) {
    (void)state;
    for (size_t fewest = 0; fewest < 2; fewest++)
        for (size_t labels = 0; labels <= 2; labels += 2) {
            lab l;
            size_t kinds = labels ? 2 : 1, next = 0;
            open_walks(&l, fewest, labels);
            lab_theta(17, l.evidence.trials[WALKS + 1].trial.theta); /* one cell, twice */
            observations rows = gather(&l, 0, MOST_OUTCOMES);
            assert_int_equal(rows.count, 0);
            assert_ok(leg_rows_add_pending(&l.spec, &l.evidence, &rows, &error), &error);
            for (size_t i = WALKS; i < WALKS + ASKED; i++)
                for (size_t k = 0; k < LAB_LEGS; k++) {
                    const besd_trial *t = &l.evidence.trials[i].trial;
                    double place[LEG_COORDINATES];
                    if (fewest && k == 1 && i == WALKS + 1)
                        continue;
                    legs_place(&l.spec, t->theta, k, place);
                    for (size_t kind = 0; kind < kinds; kind++, next++) {
                        assert_true(next < rows.count);
                        legs_set_label(&l.spec, place, kind);
                        assert_memory_equal(rows.theta + next * rows.dimension, place,
                                            rows.dimension * sizeof *place);
                        assert_close(rows.reps[next],
                                     LAB_REPS * (kinds == 1 ? 1 : (kind ? 0.25 : 0.75)), 1e-12);
                        assert_close(rows.share[next], (double)t->tau / 30, 1e-15);
                    }
                }
            assert_int_equal(rows.count, next);
            observations_free(&rows);
            evidence_free(&l.evidence);
        }
}

/* Of a large study only the trials that the model sees have rows, and of pending ones the newest.
 */
static void test_large(void **state) {
    (void)state;
    enum { PENDING = 400, SEEN = 500 / LAB_LEGS };
    lab l;
    open_walks(&l, 0, 0);
    evidence *e = &l.evidence;
    e->trials = realloc(e->trials, (WALKS + PENDING) * sizeof *e->trials);
    assert_non_null(e->trials);
    for (size_t i = WALKS; i < WALKS + PENDING; i++) {
        e->trials[i] = e->trials[WALKS];
        e->trials[i].trial.id = (int64_t)i + 1;
        e->trials[i].trial.tau = i < WALKS + PENDING - SEEN ? 10 : 30;
    }
    e->count = WALKS + PENDING;
    observations rows = gather(&l, 0, MOST_OUTCOMES);
    assert_ok(leg_rows_add_pending(&l.spec, e, &rows, &error), &error);
    assert_int_equal(rows.count, PENDING * LAB_LEGS); /* a small study */
    observations_free(&rows);

    e->looked_at = calloc(e->count, sizeof *e->looked_at);
    assert_non_null(e->looked_at);
    e->looked_at[6] = true;
    rows = gather(&l, 0, MOST_OUTCOMES);
    assert_ok(leg_rows_add_pending(&l.spec, e, &rows, &error), &error);
    assert_int_equal(rows.count, SEEN * LAB_LEGS);
    for (size_t j = 0; j < rows.count; j++)
        assert_true(rows.share[j] == 1);
    observations_free(&rows);
    rows = gather(&l, WALKS, MOST_OUTCOMES);
    assert_in_range(rows.count, 1, LAB_LEGS); /* of one trial */
    observations_free(&rows);
    evidence_free(e);
}

static int failing; /* second legs in a hundred that do not work */

/* First legs take 10 each and last ones what is left; second ones fail alike, or take a time of
 * their own. */
static void fail_often(const besd_trial *t, double *scores, besd_leg *legs) {
    rng stream = rng_open(5, RNG_TEST, t->seed, 0, 0);
    bool fails = (int)rng_below(&stream, 100) < failing;
    double time = rng_between(&stream, 1, 50);
    for (int r = 0; r < LAB_REPS; r++) {
        besd_leg *own = legs + r * LAB_LEGS;
        own[0].reached = 10;
        own[1].reached = fails ? NAN : 10 + time;
        own[2].reached = fails ? NAN : 70;
        scores[r] = fails ? 100 : 70;
    }
}

static void open_failing(lab *l, int hundredths) {
    int paths[LAB_PATHS];
    besd_path path = world_path(&small_world);
    for (int i = 0; i < LAB_PATHS; i++)
        paths[i] = i;
    failing = hundredths;
    lab_fill(l, &path, fail_often, paths, LAB_PATHS, 0);
}

static int descending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a < b) - (a > b);
}

/* The mean that a row must exceed to be kept for certain: that of the first which is none of the
 * better half of `most`. */
static double limit_of(const observations *all, size_t most) {
    double *means = malloc((all->count + 1) * sizeof *means);
    assert_non_null(means);
    memcpy(means, all->mean, all->count * sizeof *means);
    qsort(means, all->count, sizeof *means, descending);
    double limit = means[most / 2];
    free(means);
    return limit;
}

static bool same_row(const observations *a, size_t i, const observations *b, size_t j) {
    return a->level[i] == b->level[j] && a->reps[i] == b->reps[j] && a->mean[i] == b->mean[j] &&
           a->within[i] == b->within[j] && a->share[i] == b->share[j] &&
           !memcmp(a->theta + i * a->dimension, b->theta + j * b->dimension,
                   a->dimension * sizeof *a->theta);
}

/* Exactly `most` rows are kept, in their order: all that are better than the limit, and of the rest
 * an even share in every stretch from the first on. */
static void assert_thinned(const lab *l, size_t most) {
    observations all = gather(l, LAB_PATHS, MOST_OUTCOMES), some = gather(l, LAB_PATHS, most);
    assert_true(all.count > most);
    assert_int_equal(some.count, most);
    double limit = limit_of(&all, most);
    size_t better = 0, next = 0, passed = 0, taken = 0;
    for (size_t j = 0; j < all.count; j++)
        better += all.mean[j] > limit;
    assert_true(better <= most / 2);
    double share = (double)(most - better) / (double)(all.count - better);
    for (size_t j = 0; j < all.count; j++) {
        bool kept = next < some.count && same_row(&all, j, &some, next);
        next += kept;
        if (all.mean[j] > limit) {
            assert_true(kept);
            continue;
        }
        passed++;
        taken += kept;
        assert_close((double)taken, share * (double)passed, 1);
    }
    assert_int_equal(next, some.count);
    observations_free(&all);
    observations_free(&some);
}

/* Where hardly any fail alike, where most do, and where all do. */
static void test_thinned(void **state) {
    (void)state;
    const int hundredths[] = {0, 50, 90, 100};
    for (size_t i = 0; i < sizeof hundredths / sizeof *hundredths; i++) {
        lab l;
        open_failing(&l, hundredths[i]);
        for (size_t most = 1; most < 260; most += most < 4 ? 1 : 37)
            assert_thinned(&l, most);
        evidence_free(&l.evidence);
    }
}

/* The better half of what is kept is the best of all when no two are alike. */
static void test_better_half(void **state) {
    (void)state;
    lab l;
    open_failing(&l, 0);
    observations all = gather(&l, LAB_PATHS, MOST_OUTCOMES), some = gather(&l, LAB_PATHS, 100);
    qsort(all.mean, all.count, sizeof *all.mean, descending);
    qsort(some.mean, some.count, sizeof *some.mean, descending);
    assert_memory_equal(all.mean, some.mean, 50 * sizeof *all.mean);
    assert_true(some.mean[99] < all.mean[all.count * 3 / 4]); /* bad ones are seen, too */
    observations_free(&all);
    observations_free(&some);
    evidence_free(&l.evidence);
}

/* As many as there may be are all there. */
static void test_enough_room(void **state) {
    (void)state;
    lab l;
    open_failing(&l, 90);
    observations all = gather(&l, LAB_PATHS, MOST_OUTCOMES);
    observations some = gather(&l, LAB_PATHS, all.count);
    assert_int_equal(all.count, some.count);
    for (size_t j = 0; j < all.count; j++)
        assert_true(same_row(&all, j, &some, j));
    observations_free(&all);
    observations_free(&some);
    evidence_free(&l.evidence);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),        cmocka_unit_test(test_told_ones),
        cmocka_unit_test(test_large),       cmocka_unit_test(test_pending),
        cmocka_unit_test(test_thinned),     cmocka_unit_test(test_better_half),
        cmocka_unit_test(test_enough_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
