/* The n-th allocation fails, for every n until none does: whatever decides must say so, or decide
 * as if nothing had happened. What it must not do is decide otherwise. */
#include "failing_memory.h"
#include "kg_facts.h"

#include "decide/maximise.h"
#include "model/fit.h"

#include <jansson.h>

enum { NUMBERS = 4096 };

/* What an attempt came to: as many numbers as it likes. */
typedef struct outcome {
    size_t count;
    double number[NUMBERS];
} outcome;

static void note(outcome *o, const double *numbers, size_t count) {
    assert_true(o->count + count <= NUMBERS);
    memcpy(o->number + o->count, numbers, count * sizeof *numbers);
    o->count += count;
}

/* Everything that an attempt uses is in the study, which is not touched. */
typedef besd_status attempt(study *s, outcome *o, besd_error *error);

static besd_status condition(study *s, outcome *o, besd_error *error) {
    gp *g = NULL;
    besd_status status = gp_create(&s->o, s->o.count - 3, &s->h, &g, error);
    for (size_t c = 0; status == BESD_OK && c < s->target_count; c++) {
        double variance, mean = gp_predict(g, s->targets + c * s->dimension, 0.3, &variance, NULL);
        note(o, (double[]){mean, variance}, 2);
    }
    gp_destroy(g);
    return status;
}

static besd_status predict_many(study *s, outcome *o, besd_error *error) {
    double means[300], variances[300], shares[300];
    for (size_t i = 0; i < 300; i++)
        shares[i] = facts_shares[i % FACTS_LEVELS];
    besd_status status =
        gp_predict_many(s->model, s->targets, shares, 300, means, variances, error);
    if (status == BESD_OK) {
        note(o, means, 300);
        note(o, variances, 300);
    }
    return status;
}

static besd_status fit_once(study *s, outcome *o, besd_error *error) {
    fit_options options = {.levels = FACTS_LEVELS, .starts = FIT_MAX_STARTS};
    fit_problem *p = NULL;
    hyperparameters h;
    double value;
    besd_status status = fit_create(&s->o, &options, &p, error);
    if (status == BESD_OK)
        status = fit_run(p, &h, &value, error);
    if (status == BESD_OK) {
        note(o, (const double *)&h, sizeof h / sizeof(double));
        note(o, &value, 1);
    }
    fit_destroy(p);
    return status;
}

static void note_choices(outcome *o, const study *s, const kg_choice *choices, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const kg_choice *c = &choices[i];
        note(o, c->theta, s->dimension);
        note(o, (double[]){c->tau, c->reps, c->log_kg, c->log_score}, 4);
    }
}

static besd_status acquire(study *s, outcome *o, besd_error *error) {
    kg *k = NULL;
    double theta[4] = {0.2, 0.4, 0.6, 0.8}, log_kg[LEVERS], gradient[4];
    besd_status status = kg_create(s->model, &s->levers, s->targets, s->target_count, &k, error);
    if (status == BESD_OK) {
        kg_evaluate(k, theta, log_kg);
        note(o, log_kg, LEVERS);
        note(o, (double[]){kg_gradient(k, theta, 1, 1, gradient)}, 1);
        note(o, gradient, s->dimension);
    }
    kg_destroy(k);
    return status;
}

static besd_status search_targets(study *s, outcome *o, besd_error *error) {
    kg_choice choices[8];
    size_t found = 0;
    besd_status status = kg_search(s->k, true, choices, 8, &found, error);
    if (status == BESD_OK)
        note_choices(o, s, choices, found);
    return status;
}

static besd_status refine(study *s, outcome *o, besd_error *error) {
    kg_choice choice = {.theta = {0.2, 0.4, 0.6, 0.8}, .tau = 2, .reps = 1};
    double log_kg[LEVERS];
    kg_evaluate(s->k, choice.theta, log_kg);
    choice.log_kg = choice.log_score = log_kg[2 * REPS + 1];
    besd_status status = kg_refine(s->k, &choice, error);
    if (status == BESD_OK)
        note_choices(o, s, &choice, 1);
    return status;
}

static besd_status maximise(study *s, outcome *o, besd_error *error) {
    double theta[4], mean;
    const mixture one = {.count = 1, .models = {s->model}};
    besd_status status =
        maximise_mean(&one, s->targets, s->target_count, false, theta, &mean, error);
    if (status == BESD_OK) {
        note(o, theta, s->dimension);
        note(o, &mean, 1);
    }
    return status;
}

static besd_status improve(study *s, outcome *o, besd_error *error) {
    improvement kinds[] = {{.kind = IMPROVEMENT_EXPECTED, .incumbent = 0.5},
                           {.kind = IMPROVEMENT_BOUND, .width = -1}};
    const mixture one = {.count = 1, .models = {s->model}};
    for (int i = 0; i < 2; i++) {
        double theta[4];
        besd_status status =
            improvement_maximise(&one, &kinds[i], s->targets, s->target_count, false, theta, error);
        if (status != BESD_OK)
            return status;
        note(o, theta, s->dimension);
    }
    return BESD_OK;
}

/* Fails the first allocation, then the second, ... until the attempt does with fewer. */
static void assert_never_otherwise(study *s, attempt *work, bool once) {
    static outcome expected, got;
    besd_error error = {BESD_OK, ""};
    int refused = 0;
    expected.count = 0;
    assert_ok(work(s, &expected, &error), &error);
    assert_true(expected.count > 0);
    for (long n = 1, last = 0; !last; n++) {
        got.count = 0;
        error = (besd_error){BESD_OK, ""};
        memory_fail(n, once);
        besd_status status = work(s, &got, &error);
        last = !memory_recover();
        refused += status == BESD_MEMORY;
        if (status == BESD_MEMORY) {
            assert_int_equal(error.status, BESD_MEMORY);
            assert_true(strstr(error.message, "out of memory") != NULL);
        } else {
            assert_ok(status, &error);
            assert_int_equal(got.count, expected.count);
            assert_memory_equal(got.number, expected.number,
                                expected.count * sizeof *expected.number);
        }
    }
    assert_true(refused > 0); /* there was memory to run out of */
}

static void check(attempt *work, bool once) {
    rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
    for (int round = 0; round < 2; round++) {
        study s;
        open_study(&s, &stream, 300, 20, 3, 3);
        assert_never_otherwise(&s, work, once);
        close_study(&s);
    }
}

/* L-BFGS tries again with less when its work space cannot be had, which is another climb: once is a
 * case of its own. */
#define NEVER_OTHERWISE(name, work)                                                                \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        check(work, true);                                                                         \
        check(work, false);                                                                        \
    }

NEVER_OTHERWISE(test_model, condition)
NEVER_OTHERWISE(test_predictions, predict_many)
NEVER_OTHERWISE(test_fit, fit_once)
NEVER_OTHERWISE(test_acquisition, acquire)
NEVER_OTHERWISE(test_search, search_targets)
NEVER_OTHERWISE(test_refinement, refine)
NEVER_OTHERWISE(test_maximum_of_the_mean, maximise)
NEVER_OTHERWISE(test_improvement, improve)

/* The tool itself: it fails what it should, in libraries too, and nothing after. */
static void test_memory_fails_and_recovers(void **state) {
    (void)state;
    void *volatile block;
    memory_fail(2, true);
    block = malloc(8);
    assert_non_null(block);
    free(block);
    block = calloc(1, 8);
    assert_null(block);
    block = realloc(NULL, 8);
    assert_non_null(block);
    free(block);
    assert_true(memory_recover());
    memory_fail(1, false);
    json_t *volatile object = json_object();
    block = malloc(8);
    assert_true(memory_recover());
    assert_null(object);
    assert_null(block);
    memory_fail(1, false);
    assert_false(memory_recover());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_fails_and_recovers),
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_predictions),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_acquisition),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_refinement),
        cmocka_unit_test(test_maximum_of_the_mean),
        cmocka_unit_test(test_improvement),
    };
    return cmocka_run_group_tests(tests, facts_one_thread, NULL);
}
