#include "testing.h"

#include "fake_env.h"
#include "world/domain_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const besd_env_spec sound = {.actions = 4,
                                    .states = 10,
                                    .observation = 2,
                                    .position = 2,
                                    .high = {10, 6},
                                    .subgoal_high = {10, 6},
                                    .cap = 100};

static void refuse_spec(const besd_env_spec *spec, const char *sentence) {
    besd_error error = {BESD_OK, ""};
    assert_fails(env_spec_check("mine", spec, &error), BESD_ENVIRONMENT, &error, sentence);
}

static void test_specs(void **state) {
    (void)state;
    besd_error error = {BESD_OK, ""};
    assert_ok(env_spec_check("mine", &sound, &error), &error);
#define REFUSE(change, sentence)                                                                   \
    do {                                                                                           \
        besd_env_spec s = sound;                                                                   \
        s.change;                                                                                  \
        refuse_spec(&s, sentence);                                                                 \
    } while (0)
    REFUSE(actions = 1, "actions = 1, expected 2 to 64");
    REFUSE(actions = 65, "actions = 65");
    REFUSE(states = -1, "states = -1, expected 0 to");
    REFUSE(states = INT64_MAX, "states = 9223372036854775807");
    REFUSE(observation = 0, "observation = 0, expected 1 to 8");
    REFUSE(observation = 9, "observation = 9");
    REFUSE(position = 0, "position = 0, expected 1 to 2");
    REFUSE(position = 3, "position = 3");
    REFUSE(cap = 0, "cap = 0, expected 1 to");
    REFUSE(reach = (besd_env_reach)3, "reach = 3");
    REFUSE(reach = BESD_REACH_CROSS, "subgoals are crossed on positions of one number");
    REFUSE(high[1] = 0, "expected low[1] < high[1], got 0 and 0");
    REFUSE(low[0] = NAN, "expected low[0] < high[0]");
    REFUSE(high[0] = INFINITY, "expected low[0] < high[0]");
    REFUSE(subgoal_low[1] = 6, "expected subgoal_low[1] < subgoal_high[1]");
#undef REFUSE
}

/* A source of environments that are made to order. */
static struct {
    domain_source source;
    besd_env env;
    int opened, closed, released;
    besd_env_spec spec;
} foreign;

static besd_status open_foreign(domain_source *source, const domain *d, besd_env **env,
                                besd_error *error) {
    (void)source, (void)d, (void)error;
    foreign.opened++;
    *env = &foreign.env;
    return BESD_OK;
}

static void release_foreign(domain_source *source) {
    (void)source;
    foreign.released++;
}

static void destroy_foreign(besd_env *env) {
    foreign.closed += env != NULL;
}

static void spec_foreign(const besd_env *env, besd_env_spec *spec) {
    (void)env;
    *spec = foreign.spec;
}

static besd_status adopt(domain *d, const besd_env_spec *spec, bool timed,
                         const char *const *settings, besd_error *error) {
    static besd_env_methods methods;
    methods = fake_methods;
    methods.spec = spec_foreign;
    methods.destroy = destroy_foreign;
    memset(&foreign, 0, sizeof foreign);
    foreign.spec = *spec;
    foreign.source =
        (domain_source){.open = open_foreign, .release = release_foreign, .timed = timed};
    return domain_adopt(d, "mine", "my own", &foreign.source, &methods, settings, error);
}

static void test_defaults(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_ok(adopt(&d, &sound, false, NULL, &error), &error);
    assert_int_equal(d.kind, DOMAIN_FOREIGN);
    assert_false(d.built_in);
    assert_true(d.tau[0] == 100 && d.tau[1] == 200 && d.tau[2] == 400 && d.tau[3] == 0);
    assert_true(d.reps[0] == 5 && d.reps[1] == 20 && d.reps[2] == 0);
    assert_close(d.value[PARAMETER_WIDTH], 0.1 * (100 + 36) / 2, 1e-12);
    assert_true(d.value[PARAMETER_SUBGOALS] == 2 && d.value[PARAMETER_GAMMA] == 0.99);
    assert_true(isnan(d.value[PARAMETER_CAP]) && isnan(d.value[PARAMETER_WIND_LOW]));
    assert_true(isnan(d.value[PARAMETER_TILINGS]) && isnan(d.value[PARAMETER_STEP_TIMEOUT]));
    assert_true(foreign.opened == 1 && foreign.closed == 1 && foreign.released == 0);
    domain_release(&d);
    domain_release(&d); /* once is enough */
    assert_int_equal(foreign.released, 1);

    besd_env_spec smooth = sound;
    smooth.states = 0;
    assert_ok(adopt(&d, &smooth, true, NULL, &error), &error);
    assert_true(d.value[PARAMETER_TILINGS] == 8 && d.value[PARAMETER_TILES] == 8);
    assert_true(d.value[PARAMETER_ALPHA] == 0.5 / 8 && d.value[PARAMETER_ALPHA_DECAY] == 0);
    assert_true(d.value[PARAMETER_RESET_TIMEOUT] == 30 && d.value[PARAMETER_STEP_TIMEOUT] == 10);
    domain_release(&d);
}

static void test_settings_and_parameters_of_its_own(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    static const char *const good[] = {"tau=5,6", "gamma=0.5", "ice=3", NULL};
    static const char *const bad[] = {"gamma=0.5", "tau=6,5", NULL};
    assert_ok(adopt(&d, &sound, false, good, &error), &error);
    assert_true(d.tau[0] == 5 && d.tau[1] == 6 && d.tau[2] == 0);
    assert_true(d.value[PARAMETER_GAMMA] == 0.5);
    assert_int_equal(foreign.source.own_count, 1);
    assert_string_equal(foreign.source.own[0].name, "ice");
    assert_ok(domain_set(&d, "ice=4", &error), &error); /* the last word counts */
    assert_ok(domain_set(&d, "cap=50", &error), &error);
    assert_int_equal(foreign.source.own_count, 2);
    assert_true(foreign.source.own[0].value == 50 && foreign.source.own[1].value == 4);
    assert_string_equal(foreign.source.own[0].name, "cap"); /* by name */
    for (int i = 2; i < DOMAIN_MAX_OWN; i++) {
        char assignment[32];
        snprintf(assignment, sizeof assignment, "own%d=1", i);
        assert_ok(domain_set(&d, assignment, &error), &error);
    }
    assert_fails(domain_set(&d, "onemore=1", &error), BESD_INVALID, &error, "more than 16");
    domain_release(&d);
    assert_fails(adopt(&d, &sound, false, bad, &error), BESD_INVALID, &error, "tau: expected");
    assert_int_equal(foreign.released, 1);
}

static void test_a_spec_that_makes_no_sense(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    besd_env_spec odd = sound;
    odd.actions = 1;
    assert_fails(adopt(&d, &odd, false, NULL, &error), BESD_ENVIRONMENT, &error, "actions = 1");
    assert_true(foreign.opened == 1 && foreign.closed == 1 && foreign.released == 1);
}

static void test_which_door(void **state) {
    (void)state;
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_load("gw10", NAN, &d, &error), &error);
    assert_true(d.built_in);
    domain_release(&d);
    assert_fails(domain_load("gw11", NAN, &d, &error), BESD_UNKNOWN, &error, "did you mean 'gw10'");
    assert_fails(domain_load("gw11.so", NAN, &d, &error), BESD_IO, &error, "plugin: ./gw11.so");
    assert_fails(domain_load("/nowhere/x", NAN, &d, &error), BESD_IO, &error, "plugin: /nowhere/x");
    assert_fails(domain_load("gw11.yaml", NAN, &d, &error), BESD_IO, &error,
                 "gw11.yaml: No such file");
    assert_fails(domain_load("gw11.yml", NAN, &d, &error), BESD_IO, &error,
                 "gw11.yml: No such file");
    assert_fails(domain_load(".so", NAN, &d, &error), BESD_UNKNOWN, &error, "no '.so'");
    assert_fails(domain_load("", NAN, &d, &error), BESD_UNKNOWN, &error, "no ''");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_specs),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_settings_and_parameters_of_its_own),
        cmocka_unit_test(test_a_spec_that_makes_no_sense),
        cmocka_unit_test(test_which_door),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
