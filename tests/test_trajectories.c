/* What every method does, trial by trial, on the quadratic of study_fixture.h: frozen in
 * data/trajectories.txt. Levers and reasons of all trials must be those of the file; the first so
 * many designs too, to within a tolerance. Processors and versions of the linear algebra differ in
 * last bits: with OPENBLAS_CORETYPE=Nehalem, Haswell, SkylakeX and Zen designs of besd were seen to
 * differ by up to 1e-7, and those of the methods whose climbs end at 1e-5 of the box by up to 1e-4
 * in the first 25 trials; none of the others.
 *
 * A change of the file is a change of what studies do, and belongs under "Numerics" in the
 * CHANGELOG. To make it anew:
 *     BESD_WRITE_TRAJECTORIES=tests/data/trajectories.txt build/tests/test_trajectories
 */
#include "study_fixture.h"

#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 40, DIMENSION = 2 };

typedef struct variant {
    const char *name;
    besd_method method;
    besd_model model;
    bool discrete;
    double budget;
    int skipped;      /* trials before the first that is looked at */
    int firm;         /* trials of which designs are compared, */
    double tolerance; /* to this; the box is 10 wide */
} variant;

static const variant variants[] = {
    {"besd", BESD_METHOD_BESD, BESD_MODEL_PAPER, false, INFINITY, 0, 25, 1e-5},
    {"besd-budget", BESD_METHOD_BESD, BESD_MODEL_PAPER, false, 2400, 0, 25, 1e-5},
    {"random", BESD_METHOD_RANDOM, BESD_MODEL_PAPER, false, LENGTH * 120.0, 0, LENGTH, 1e-9},
    {"ei", BESD_METHOD_EI, BESD_MODEL_PAPER, false, INFINITY, 0, 25, 2e-3},
    {"ei-discrete", BESD_METHOD_EI, BESD_MODEL_PAPER, true, INFINITY, 0, 25, 1e-9},
    {"ei-paper", BESD_METHOD_EI_PAPER, BESD_MODEL_PAPER, false, INFINITY, 0, 25, 2e-3},
    {"ei-paper-discrete", BESD_METHOD_EI_PAPER, BESD_MODEL_PAPER, true, INFINITY, 0, 25, 1e-9},
    {"lcb", BESD_METHOD_LCB, BESD_MODEL_PAPER, false, INFINITY, 0, 25, 2e-3},
    {"lcb-discrete", BESD_METHOD_LCB, BESD_MODEL_PAPER, true, INFINITY, 0, 25, 1e-9},
    /* the end of the first rung and the beginning of the second */
    {"hyperband", BESD_METHOD_HYPERBAND, BESD_MODEL_PAPER, false, INFINITY, 70, LENGTH, 1e-9},
    {"hyperband-paper", BESD_METHOD_HYPERBAND_PAPER, BESD_MODEL_PAPER, false, INFINITY, 70, LENGTH,
     1e-9},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

static void run_variant(const variant *v, besd_trial trials[LENGTH]) {
    besd_study_options o = small_options(DIMENSION, 5);
    besd_study *s = NULL;
    besd_error error;
    o.method = v->method;
    o.model = v->model;
    o.budget = v->budget;
    o.discrete = v->discrete;
    assert_ok(besd_study_open(&s, NULL, &o, &error), &error);
    run_trials(s, v->skipped, NULL);
    run_trials(s, LENGTH, trials);
    besd_study_close(s);
}

/* One line of the file. */
static void describe(const variant *v, const besd_trial *t, char *line, size_t size) {
    snprintf(line, size, "%s %d %lld %d %s %.9f %.9f", v->name, (int)t->id, (long long)t->tau,
             t->reps, besd_reason_name((size_t)t->reason), t->theta[0], t->theta[1]);
}

static void write_all(const char *path) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "# method, trial, tau, reps, reason, theta: see tests/test_trajectories.c\n");
    for (int i = 0; i < VARIANTS; i++) {
        besd_trial trials[LENGTH];
        run_variant(&variants[i], trials);
        for (int k = 0; k < LENGTH; k++) {
            char line[200];
            describe(&variants[i], &trials[k], line, sizeof line);
            fprintf(file, "%s\n", line);
        }
    }
    assert_int_equal(fclose(file), 0);
}

/* The next line that is no comment, taken apart. */
typedef struct frozen {
    char name[32], reason[32];
    int id, reps;
    long long tau;
    double theta[DIMENSION];
} frozen;

static frozen read_next(FILE *file) {
    char line[200];
    frozen f;
    do
        assert_non_null(fgets(line, sizeof line, file));
    while (line[0] == '#');
    int found = sscanf(line, "%31s %d %lld %d %31s %lf %lf", f.name, &f.id, &f.tau, &f.reps,
                       f.reason, &f.theta[0], &f.theta[1]);
    assert_int_equal(found, 7);
    return f;
}

static void compare(const variant *v, int place, const besd_trial *t, const frozen *expected) {
    char line[200];
    describe(v, t, line, sizeof line);
    assert_string_equal(v->name, expected->name);
    bool same = t->id == expected->id && t->tau == expected->tau && t->reps == expected->reps &&
                !strcmp(besd_reason_name((size_t)t->reason), expected->reason);
    for (int i = 0; place < v->firm && i < DIMENSION; i++)
        same = same && fabs(t->theta[i] - expected->theta[i]) <= v->tolerance + 1e-9;
    if (!same)
        fail_msg("expected %s %d %lld %d %s %.9f %.9f, got %s", expected->name, expected->id,
                 expected->tau, expected->reps, expected->reason, expected->theta[0],
                 expected->theta[1], line);
}

static void test_trajectories(void **state) {
    (void)state;
    const char *path = getenv("BESD_WRITE_TRAJECTORIES");
    if (path) {
        write_all(path);
        skip();
    }
    FILE *file = fopen(TEST_DATA "/trajectories.txt", "r");
    assert_non_null(file);
    for (int i = 0; i < VARIANTS; i++) {
        besd_trial trials[LENGTH];
        run_variant(&variants[i], trials);
        for (int k = 0; k < LENGTH; k++) {
            frozen expected = read_next(file);
            compare(&variants[i], k, &trials[k], &expected);
        }
    }
    fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trajectories)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
