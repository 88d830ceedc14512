/* Places that trials set out to and nobody came to, against a count by hand; and where a lattice
 * finds a place. */
#include "leg_lab.h"

#include "study/legs.h"

enum { SIDE = 4 };

static besd_error error = {BESD_OK, ""};

/* How each replication of a trial fared: the points it came to, and whether it came to the end. */
typedef struct fate {
    int points;
    bool end, known;
} fate;

static const fate *fates; /* [trial * LAB_REPS + replication] */

static void tell_fate(const besd_trial *t, double *scores, besd_leg *legs) {
    for (int r = 0; r < LAB_REPS; r++) {
        const fate *f = &fates[(size_t)(t->id - 1) * LAB_REPS + (size_t)r];
        besd_leg *own = legs + r * LAB_LEGS;
        for (int k = 0; k < LAB_LEGS; k++) {
            bool reached = k < f->points || (k == LAB_POINTS && f->end);
            own[k] = (besd_leg){.reached = !f->known ? -HUGE_VAL : reached ? 10.0 * (k + 1) : NAN};
        }
        scores[r] = f->end ? 50 : 100;
    }
}

static double misses_at(const lab *l, int x, int y) {
    double misses[SIDE * SIDE];
    path_lattice lattice;
    assert_ok(path_lattice_init(&lattice, &l->spec, &error), &error);
    assert_int_equal(lattice.cells, SIDE * SIDE);
    leg_misses_count(&l->spec, &l->evidence, &lattice, misses);
    path_lattice_free(&lattice);
    return misses[y * SIDE + x];
}

/* The number of the path from one cell to another. */
static int path_number(int x1, int y1, int x2, int y2) {
    return x1 + 4 * y1 + 16 * x2 + 64 * y2;
}

#define FAILS                                                                                      \
    { .points = 0, .known = true }
#define ONE                                                                                        \
    { .points = 1, .known = true }
#define BOTH                                                                                       \
    { .points = 2, .known = true }
#define ENDS                                                                                       \
    { .points = 0, .end = true, .known = true }
#define UNKNOWN                                                                                    \
    { .known = false }

static void test_counts(void **state) {
    (void)state;
    static const fate told[][LAB_REPS] = {
        {ONE, ONE, FAILS, ONE},               /* (1, 0), and (3, 3) in vain */
        {FAILS, FAILS, FAILS, FAILS},         /* (2, 2) in vain; nobody set out to (3, 3) */
        {ONE, FAILS, FAILS, FAILS},           /* (0, 1), and (3, 3) in vain again */
        {FAILS, BOTH, FAILS, FAILS},          /* (2, 0), (1, 3): once is enough */
        {FAILS, FAILS, FAILS, FAILS},         /* (1, 3) in vain: it was come to before */
        {ENDS, ENDS, ENDS, ENDS},             /* the end came first: nothing is known of (3, 0) */
        {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}, /* nor of (0, 3) */
        {FAILS, FAILS, FAILS, FAILS},         /* (0, 2) in vain, but the trial confirms */
    };
    const int paths[] = {path_number(1, 0, 3, 3), path_number(2, 2, 3, 3), path_number(0, 1, 3, 3),
                         path_number(2, 0, 1, 3), path_number(1, 3, 2, 1), path_number(3, 0, 2, 1),
                         path_number(0, 3, 2, 1), path_number(0, 2, 2, 1), path_number(1, 1, 1, 1)};
    besd_path path = world_path(&small_world);
    lab l;
    fates = told[0];
    lab_fill(&l, &path, tell_fate, paths, 8, 1);
    l.evidence.trials[7].trial.reason = BESD_REASON_CONFIRM;
    assert_true(misses_at(&l, 3, 3) == 2);
    assert_true(misses_at(&l, 2, 2) == 1);
    assert_true(misses_at(&l, 1, 3) == 0);
    const int none[][2] = {{1, 0}, {0, 1}, {2, 0}, {3, 0}, {0, 3}, {2, 1}, {0, 2}, {1, 1}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_true(misses_at(&l, none[i][0], none[i][1]) == 0);
    evidence_free(&l.evidence);
}

/* A later visit forgives what was missed before. */
static void test_visits_forgive(void **state) {
    (void)state;
    static const fate told[][LAB_REPS] = {
        {FAILS, FAILS, FAILS, FAILS}, {FAILS, FAILS, FAILS, FAILS}, {FAILS, FAILS, FAILS, ONE}};
    const int paths[] = {path_number(2, 2, 3, 3), path_number(2, 2, 3, 3), path_number(2, 2, 3, 3)};
    besd_path path = world_path(&small_world);
    lab l;
    fates = told[0];
    lab_fill(&l, &path, tell_fate, paths, 2, 0);
    assert_true(misses_at(&l, 2, 2) == 2);
    evidence_free(&l.evidence);
    lab_fill(&l, &path, tell_fate, paths, 3, 0);
    assert_true(misses_at(&l, 2, 2) == 0);
    assert_true(misses_at(&l, 3, 3) == 1);
    evidence_free(&l.evidence);
}

/* Every place of a lattice is found by itself, by what is a little beside it, and beyond the
 * border. */
static void test_found(void **state) {
    (void)state;
    const int paths[] = {0};
    static const fate told[LAB_REPS] = {FAILS, FAILS, FAILS, FAILS};
    besd_path path = world_path(&small_world);
    lab l;
    path_lattice lattice;
    fates = told;
    lab_fill(&l, &path, tell_fate, paths, 1, 0);
    assert_ok(path_lattice_init(&lattice, &l.spec, &error), &error);
    for (size_t cell = 0; cell < lattice.cells; cell++) {
        const double *at = lattice.places + cell * 2;
        assert_int_equal(path_lattice_find(&lattice, &l.spec, at), cell);
        assert_int_equal(
            path_lattice_find(&lattice, &l.spec, (double[]){at[0] + 0.12, at[1] - 0.12}), cell);
    }
    assert_int_equal(path_lattice_find(&lattice, &l.spec, (double[]){1, 1}), lattice.cells - 1);
    assert_int_equal(path_lattice_find(&lattice, &l.spec, (double[]){-0.1, 0}), 0);
    path_lattice_free(&lattice);
    evidence_free(&l.evidence);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts),
                                       cmocka_unit_test(test_visits_forgive),
                                       cmocka_unit_test(test_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
