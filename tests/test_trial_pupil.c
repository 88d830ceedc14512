
#include "fixture.h"

#include "learn/trial.h"
static const double theta[] = {7.5, 3.5, 1.5, 8.5};

static void count_transitions(void *context, const agent_transition *t) {
    (void)t;
    ++*(int64_t *)context;
}

/* Replication 0 of every instance of a trial, one by one. */
static void check_against_trial(const char *name, const double *design, size_t length) {
    domain d;
    pupil p;
    besd_error error = {BESD_OK, ""};
    fixture_domain(&d, name, "wind=0.1");
    trial_request request = {.domain = &d,
                             .theta = design,
                             .theta_length = length,
                             .tau = 2000,
                             .reps = 1,
                             .instances = 6,
                             .seed = 11,
                             .threads = 1};
    trial_result result;
    assert_ok(trial_run(&request, &result, &error), &error);
    assert_ok(pupil_open(&p, &d, design, length, &error), &error);
    for (uint64_t i = 0; i < 6; i++) {
        agent_episode episode;
        int64_t seen = 0;
        assert_ok(pupil_enter(&p, rng_seed(11, RNG_INSTANCE, i, 0, 0), &error), &error);
        assert_ok(pupil_train(&p, 11, i, 2000, &error), &error);
        assert_ok(pupil_test(&p, 11, i, 2000, count_transitions, &seen, &episode, &error), &error);
        assert_true(trial_score(&d, p.spec.cap, &episode) == result.final[i]);
        assert_int_equal(seen, episode.steps);
    }
    pupil_close(&p);
    trial_result_free(&result);
}

static void test_it_does_what_a_trial_does(void **state) {
    (void)state;
    check_against_trial("gw10", theta, 4);
    check_against_trial("gw10", NULL, 0);
    check_against_trial("tr", theta, 4);
}

/* On from what it knows: hardly anything is learnt in one interaction, and nothing is forgotten. */
static void test_training_on(void **state) {
    (void)state;
    domain d;
    pupil p;
    besd_error error = {BESD_OK, ""};
    double before[400];
    int changed = 0;
    fixture_domain(&d, "gw10", "");
    assert_ok(pupil_open(&p, &d, NULL, 0, &error), &error);
    assert_ok(pupil_enter(&p, 1, &error), &error);
    assert_ok(pupil_train(&p, 1, 0, 5000, &error), &error);
    memcpy(before, agent_values(p.agent, 0, 0), sizeof before);
    assert_ok(pupil_enter(&p, 2, &error), &error);
    assert_ok(pupil_train_on(&p, 2, 0, 1, &error), &error);
    for (int i = 0; i < 400; i++)
        changed += agent_values(p.agent, 0, 0)[i] != before[i];
    assert_true(changed <= 1);
    assert_ok(pupil_train(&p, 2, 0, 1, &error), &error); /* from nothing */
    for (int i = 0; i < 400; i++)
        changed += agent_values(p.agent, 0, 0)[i] != 0;
    assert_true(changed <= 2);
    pupil_close(&p);
}

static void test_what_is_refused(void **state) {
    (void)state;
    domain d;
    pupil p;
    besd_error error = {BESD_OK, ""};
    fixture_domain(&d, "gw10", "");
    assert_fails(pupil_open(&p, &d, theta, 3, &error), BESD_INVALID, &error,
                 "theta: expected 4 numbers");
    pupil_close(&p);
    pupil_close(&p); /* closed is closed */
    d.value[PARAMETER_WIND_LOW] = 1;
    assert_fails(pupil_open(&p, &d, theta, 4, &error), BESD_INVALID, &error, "wind_low");
    pupil_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_does_what_a_trial_does),
        cmocka_unit_test(test_training_on),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
