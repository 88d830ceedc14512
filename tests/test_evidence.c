/* From trials to what choosers are given: order, places, the prior mean, sums and counts. */
#include "study_scene.h"

#include "study/subset.h"

static besd_error error;

/* A trial of two replications at theta = its number, which cost a hundred times that. */
static trial_record trial_of(int64_t id, besd_trial_state trial_state, besd_reason reason,
                             int64_t tau, double mean) {
    bool told = trial_state == BESD_TRIAL_TOLD;
    return (trial_record){.trial = {.id = id,
                                    .theta = {(double)id},
                                    .tau = tau,
                                    .reps = 2,
                                    .state = trial_state,
                                    .reason = reason,
                                    .cost = 100 * (double)id,
                                    .score_count = told ? 2 : 0},
                          .model_mean = told ? mean : NAN,
                          .within = told ? 0.5 : NAN};
}

static trial_record retry_of(int64_t id, int64_t failed, besd_trial_state trial_state,
                             double mean) {
    trial_record r = trial_of(id, trial_state, BESD_REASON_RETRY, 30, mean);
    r.trial.repeats = failed;
    return r;
}

static evidence look(const study_spec *spec, const trial_record *trials, size_t count) {
    evidence e;
    trial_record *copy = malloc((count + 1) * sizeof *copy);
    assert_non_null(copy);
    if (count)
        memcpy(copy, trials, count * sizeof *copy);
    assert_ok(evidence_init(&e, spec, copy, count, &error), &error);
    return e;
}

static void make_spec(study_spec *spec) {
    besd_study_options o = small_options(1, 0);
    assert_ok(spec_init(spec, &o, &error), &error);
}

static const trial_record mixed[] = {
    {.trial = {.id = 1,
               .theta = {1},
               .tau = 10,
               .reps = 2,
               .state = BESD_TRIAL_TOLD,
               .cost = 100,
               .score_count = 3}, /* only a summary of three scores was told */
     .model_mean = 3,
     .within = 0.25},
    {.trial = {.id = 2, .theta = {2}, .tau = 30, .reps = 4, .cost = 200},
     .model_mean = 1e6, /* of a pending trial nothing is read */
     .within = 1e6},
    {.trial = {.id = 3,
               .theta = {3},
               .tau = 30,
               .reps = 2,
               .state = BESD_TRIAL_TOLD,
               .cost = 300,
               .score_count = 2},
     .model_mean = 5,
     .within = 0.5},
    {.trial = {.id = 4,
               .theta = {4},
               .tau = 30,
               .reps = 2,
               .state = BESD_TRIAL_FAILED,
               .reason = BESD_REASON_KG,
               .cost = 400},
     .model_mean = NAN,
     .within = NAN},
    {.trial = {.id = 5,
               .theta = {5},
               .tau = 30,
               .reps = 2,
               .state = BESD_TRIAL_TOLD,
               .reason = BESD_REASON_EXPLOIT,
               .cost = 500,
               .score_count = 2},
     .model_mean = 100,
     .within = 0.75},
    {.trial =
         {.id = 6, .theta = {6}, .tau = 10, .reps = 2, .reason = BESD_REASON_SHARE, .cost = 600},
     .model_mean = NAN,
     .within = NAN},
};

enum { MIXED = sizeof mixed / sizeof *mixed };

/* As the model sees them: told ones first, then pending, each in the order of their ids. */
static void test_observations(void **state) {
    (void)state;
    study_spec spec;
    make_spec(&spec);
    evidence e = look(&spec, mixed, MIXED);
    const observations *o = &e.observed;
    const double theta[] = {0.1, 0.3, 0.5, 0.2, 0.6}, share[] = {1 / 3.0, 1, 1, 1, 1 / 3.0};
    const double reps[] = {3, 2, 2, 4, 2}, mean[] = {3, 5, 100, 0, 0};
    const double within[] = {0.25, 0.5, 0.75, 0, 0};
    const int level[] = {0, 1, 1, 1, 0};
    assert_int_equal(o->count, 5);
    assert_int_equal(e.told, 3);
    for (int i = 0; i < 5; i++) {
        assert_close(o->theta[i], theta[i], 1e-15);
        assert_close(o->share[i], share[i], 1e-15);
        assert_int_equal(o->level[i], level[i]);
        assert_true(o->reps[i] == reps[i] && o->mean[i] == mean[i] && o->within[i] == within[i]);
    }
    evidence_free(&e);
}

/* Everything costs, pending and failed trials too; all but the initial ones were chosen. */
static void test_sums(void **state) {
    (void)state;
    study_spec spec;
    make_spec(&spec);
    evidence e = look(&spec, mixed, MIXED);
    assert_true(e.spent == 2100);
    assert_int_equal(e.count, MIXED);
    assert_int_equal(e.place_count, MIXED);
    assert_int_equal(e.chosen, 3);
    assert_int_equal(e.chosen_at_tau_max, 2);
    evidence_free(&e);
    e = look(&spec, NULL, 0);
    assert_true(e.spent == 0 && e.prior_mean == 0 && !e.told && !e.count && !e.place_count);
    evidence_free(&e);
}

static void test_prior_mean(void **state) {
    (void)state;
    study_spec spec;
    make_spec(&spec);
    evidence e = look(&spec, mixed, MIXED);
    assert_true(e.prior_mean == 4); /* of the told initial ones alone */
    evidence_free(&e);
    spec.options.mean_of_all = true;
    e = look(&spec, mixed, MIXED);
    assert_close(e.prior_mean, (3 + 5 + 100) / 3.0, 1e-13);
    evidence_free(&e);
    spec.options.mean_of_all = false;
    trial_record none[] = {trial_of(1, BESD_TRIAL_FAILED, BESD_REASON_INITIAL, 30, 0),
                           trial_of(2, BESD_TRIAL_ASKED, BESD_REASON_INITIAL, 30, 0),
                           trial_of(3, BESD_TRIAL_TOLD, BESD_REASON_KG, 30, 70),
                           trial_of(4, BESD_TRIAL_TOLD, BESD_REASON_KG, 30, 90)};
    e = look(&spec, none, 4);
    assert_true(e.prior_mean == 80); /* no initial trial was told: of the others */
    evidence_free(&e);
    e = look(&spec, none, 2);
    assert_true(e.prior_mean == 0);
    evidence_free(&e);
}

/* The averaged model has a line: 3 and 5 at a third of tau_max and 10 at all of it, which the mean
 * of the line is, here at tau_max; the paper's a constant. A single tau has no line. */
static void test_prior_slope(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        static const besd_model models[] = {BESD_MODEL_AVERAGED, BESD_MODEL_PAPER,
                                            BESD_MODEL_AVERAGED};
        besd_study_options o = small_options(1, 3);
        o.model = models[kind];
        scene c;
        scene_begin(&c, &o);
        static const double outcomes[] = {3, 5, 10};
        for (int i = 0; i < 3; i++) {
            double theta[] = {2.0 + i};
            trial_record *r = scene_add(&c, BESD_TRIAL_TOLD, BESD_REASON_INITIAL, theta,
                                        i < 2 || kind == 2 ? 10 : 30, 2);
            r->model_mean = outcomes[i];
        }
        scene_look(&c);
        assert_close(c.evidence.prior_mean, kind ? 6 : 10, 1e-12);
        assert_close(c.evidence.prior_slope, kind ? 0 : (4 - 10) / (2 / 3.0), 1e-12);
        scene_end(&c);
    }
}

/* A retry that is told stands where the trial stood that failed: no place is added, the place keeps
 * its reason, and an initial place counts for the prior mean. */
static void test_retry(void **state) {
    (void)state;
    study_spec spec;
    make_spec(&spec);
    trial_record trials[] = {trial_of(1, BESD_TRIAL_TOLD, BESD_REASON_INITIAL, 10, 3),
                             trial_of(2, BESD_TRIAL_FAILED, BESD_REASON_INITIAL, 30, 0),
                             trial_of(3, BESD_TRIAL_TOLD, BESD_REASON_KG, 30, 50),
                             retry_of(4, 2, BESD_TRIAL_ASKED, 0)};
    evidence e = look(&spec, trials, 4);
    assert_int_equal(e.place_count, 3);
    assert_int_equal(e.places[1].record->trial.id, 2); /* still failed: nothing else is known */
    assert_int_equal(e.chosen, 1);
    assert_true(e.prior_mean == 3);
    evidence_free(&e);

    trials[3] = retry_of(4, 2, BESD_TRIAL_TOLD, 9);
    e = look(&spec, trials, 4);
    assert_int_equal(e.place_count, 3);
    const int64_t ids[] = {1, 4, 3};
    for (int i = 0; i < 3; i++)
        assert_int_equal(e.places[i].record->trial.id, ids[i]);
    assert_int_equal(e.places[1].reason, BESD_REASON_INITIAL);
    assert_true(e.places[1].record->model_mean == 9);
    assert_true(e.prior_mean == 6);
    assert_int_equal(e.told, 3);
    assert_int_equal(e.chosen, 1); /* nobody chose the retry */
    assert_true(e.spent == 1000);  /* but it is paid for */
    evidence_free(&e);
}

/* A retry of a retry stands for the first of them; of two told retries the earlier; a failed trial
 * that was told late stands for itself. */
static void test_chains_of_retries(void **state) {
    (void)state;
    study_spec spec;
    make_spec(&spec);
    trial_record trials[] = {trial_of(1, BESD_TRIAL_FAILED, BESD_REASON_KG, 30, 0),
                             trial_of(2, BESD_TRIAL_TOLD, BESD_REASON_KG, 30, 1),
                             retry_of(3, 1, BESD_TRIAL_FAILED, 0),
                             retry_of(4, 3, BESD_TRIAL_FAILED, 0),
                             retry_of(5, 4, BESD_TRIAL_TOLD, 7),
                             retry_of(6, 1, BESD_TRIAL_TOLD, 8)};
    evidence e = look(&spec, trials, 5);
    assert_int_equal(e.place_count, 2);
    assert_int_equal(e.places[0].record->trial.id, 5);
    assert_int_equal(e.places[1].record->trial.id, 2);
    evidence_free(&e);
    e = look(&spec, trials, 6);
    assert_int_equal(e.place_count, 2);
    assert_int_equal(e.places[0].record->trial.id, 5);
    evidence_free(&e);
    trials[0] = trial_of(1, BESD_TRIAL_TOLD, BESD_REASON_KG, 30, 6);
    e = look(&spec, trials, 6);
    assert_int_equal(e.places[0].record->trial.id, 1);
    assert_int_equal(e.told, 4); /* the model sees all of them */
    evidence_free(&e);
}

/* The name decides, not the design: two failed trials may have the same. */
static void test_retries_of_equal_designs(void **state) {
    (void)state;
    study_spec spec;
    make_spec(&spec);
    for (int64_t repeated = 1; repeated <= 2; repeated++) {
        trial_record trials[] = {trial_of(1, BESD_TRIAL_FAILED, BESD_REASON_INITIAL, 30, 0),
                                 trial_of(2, BESD_TRIAL_FAILED, BESD_REASON_EXPLOIT, 30, 0),
                                 retry_of(3, repeated, BESD_TRIAL_TOLD, 7)};
        trials[1].trial.theta[0] = trials[2].trial.theta[0] = trials[0].trial.theta[0];
        evidence e = look(&spec, trials, 3);
        assert_int_equal(e.place_count, 2);
        assert_int_equal(e.places[repeated - 1].record->trial.id, 3);
        assert_int_equal(e.places[2 - repeated].record->trial.id, 3 - repeated);
        assert_int_equal(e.places[1].reason, BESD_REASON_EXPLOIT);
        assert_true(e.prior_mean == 7);
        evidence_free(&e);
    }
}

/* Results from elsewhere and wishes: seen by the model, with no place among the study's own. */
static void test_added_and_enqueued(void **state) {
    (void)state;
    study_spec spec;
    make_spec(&spec);
    const trial_record trials[] = {
        trial_of(1, BESD_TRIAL_TOLD, BESD_REASON_INITIAL, 30, 3),
        trial_of(2, BESD_TRIAL_TOLD, BESD_REASON_ADDED, 30, 7),
        trial_of(3, BESD_TRIAL_TOLD, BESD_REASON_ENQUEUED, 10, 100),
        trial_of(4, BESD_TRIAL_WAITING, BESD_REASON_ENQUEUED, 30, 0),
        trial_of(5, BESD_TRIAL_VOIDED, BESD_REASON_ADDED, 30, 1e6),
        trial_of(6, BESD_TRIAL_FAILED, BESD_REASON_ENQUEUED, 30, 0),
        retry_of(7, 6, BESD_TRIAL_TOLD, 50),
    };
    evidence e = look(&spec, trials, 7);
    assert_int_equal(e.place_count, 1);
    assert_int_equal(e.places[0].record->trial.id, 1);
    assert_int_equal(e.told, 4);
    assert_int_equal(e.added, 1);
    assert_int_equal(e.chosen, 0);
    assert_int_equal(e.chosen_at_tau_max, 0);
    assert_true(e.chosen_cost == 0);
    assert_true(e.spent == 2800); /* all of them are paid for, voided ones as well */
    assert_int_equal(e.observed.count, 5);
    assert_true(e.observed.mean[1] == 7 && e.observed.mean[2] == 100 && e.observed.mean[3] == 50);
    assert_true(e.prior_mean == 5); /* of what stands for the initial design */
    evidence_free(&e);
}

/* A voided trial keeps its place and says nothing; what it was told is out of every sum. */
static void test_voided(void **state) {
    (void)state;
    study_spec spec;
    make_spec(&spec);
    trial_record trials[] = {
        trial_of(1, BESD_TRIAL_TOLD, BESD_REASON_INITIAL, 30, 3),
        trial_of(2, BESD_TRIAL_VOIDED, BESD_REASON_INITIAL, 30, 0),
        trial_of(3, BESD_TRIAL_FAILED, BESD_REASON_INITIAL, 30, 0),
        retry_of(4, 3, BESD_TRIAL_VOIDED, 0),
        trial_of(5, BESD_TRIAL_VOIDED, BESD_REASON_KG, 30, 0),
    };
    for (int i = 1; i < 5; i++) {
        trials[i].model_mean = 1e6; /* as a voided trial has it */
        trials[i].within = 1e6;
    }
    evidence e = look(&spec, trials, 5);
    assert_int_equal(e.place_count, 4);
    assert_int_equal(e.places[2].record->trial.id, 3); /* the voided retry stands in for nothing */
    assert_int_equal(e.told, 1);
    assert_int_equal(e.chosen, 1); /* the initial design does not begin again */
    assert_int_equal(e.observed.count, 1);
    assert_true(e.prior_mean == 3);
    assert_true(e.spent == 1500);
    evidence_free(&e);
}

/* A large study: the model sees so many rows and no more, the counts are those of all trials. Equal
 * designs become one row where replications are independent. Retries find their places. */
static void test_large(void **state) {
    (void)state;
    enum { ALL = SUBSET_ROWS + 600 };
    for (int fresh = 0; fresh < 2; fresh++) {
        study_spec spec;
        besd_study_options o = small_options(1, 0);
        o.model = BESD_MODEL_AVERAGED;
        o.instances = fresh ? BESD_INSTANCES_FRESH : BESD_INSTANCES_SHARED;
        assert_ok(spec_init(&spec, &o, &error), &error);
        trial_record *trials = malloc((ALL + 2) * sizeof *trials);
        assert_non_null(trials);
        for (int i = 0; i < ALL; i++) {
            trials[i] = trial_of(i + 1, BESD_TRIAL_TOLD, BESD_REASON_KG, 30, sin(i));
            trials[i].trial.theta[0] = fresh ? i % 100 : (double)i / ALL;
        }
        trials[1700].trial.state = BESD_TRIAL_FAILED;
        trials[ALL] = retry_of(ALL + 1, 1701, BESD_TRIAL_TOLD, 3);
        trials[ALL].trial.theta[0] = trials[1700].trial.theta[0];
        trials[ALL + 1] = trial_of(ALL + 2, BESD_TRIAL_ASKED, BESD_REASON_KG, 30, 0);
        trials[ALL + 1].trial.theta[0] = 0.5;
        evidence e = look(&spec, trials, ALL + 2);
        size_t shown = 0;
        for (size_t i = 0; i < e.count; i++)
            shown += evidence_shows(&e, i);
        assert_int_equal(e.told, ALL);
        assert_int_equal(e.place_count, ALL + 1);
        assert_int_equal(e.places[1700].record->trial.id, ALL + 1);
        assert_int_equal(e.rows, fresh ? 100 : SUBSET_ROWS);
        assert_int_equal(e.observed.count, e.rows + 1);
        assert_int_equal(shown, SUBSET_ROWS);
        assert_false(evidence_shows(&e, 1700) || evidence_shows(&e, ALL + 1));
        evidence_free(&e);
        free(trials);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_observations),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_prior_mean),
        cmocka_unit_test(test_prior_slope),
        cmocka_unit_test(test_retry),
        cmocka_unit_test(test_chains_of_retries),
        cmocka_unit_test(test_retries_of_equal_designs),
        cmocka_unit_test(test_added_and_enqueued),
        cmocka_unit_test(test_voided),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
