#include "found_domain.h"

#include <stdio.h>

/* One override each, by name; the others stay. */
static void test_setting_one_parameter(void **state) {
    (void)state;
    static const struct {
        const char *domain, *assignment;
        domain_parameter parameter;
        double value;
    } settings[] = {{"gw10", "gamma=0.5", PARAMETER_GAMMA, 0.5},
                    {"gw10", "Cap=17", PARAMETER_CAP, 17},
                    {"gw10", "cap=1e9", PARAMETER_CAP, 1e9},
                    {"tr", "treasure_reward=-3.5", PARAMETER_TREASURE_REWARD, -3.5},
                    {"key2", "subgoals=8", PARAMETER_SUBGOALS, 8},
                    {"gw10", "wind_low=0.01", PARAMETER_WIND_LOW, 0.01},
                    {"gw10", "epsilon_end=0", PARAMETER_EPSILON_END, 0},
                    {"mc", "tilings=32", PARAMETER_TILINGS, 32},
                    {"mc", "goal_position=0.6", PARAMETER_GOAL_POSITION, 0.6}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        domain d = found(settings[i].domain), before = d;
        besd_error error = {BESD_OK, ""};
        assert_ok(domain_set(&d, settings[i].assignment, &error), &error);
        for (int p = 0; p < PARAMETER_COUNT; p++)
            check_value(&d, (domain_parameter)p,
                        p == (int)settings[i].parameter ? settings[i].value : before.value[p]);
    }
}

/* A range lets a study choose how many; a number does not. */
static void test_a_range_of_subgoals(void **state) {
    (void)state;
    domain d = found("key2");
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_set(&d, "subgoals=1..4", &error), &error);
    check_value(&d, PARAMETER_SUBGOALS, 4);
    check_value(&d, PARAMETER_FEWEST_SUBGOALS, 1);
    static const char *const bad[] = {"subgoals=4..4",   "subgoals=3..2", "subgoals=0..3",
                                      "subgoals=1..9",   "subgoals=1..",  "subgoals=..3",
                                      "subgoals=1.5..3", "subgoals=1...3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(domain_set(&d, bad[i], &error), BESD_INVALID, &error, "subgoals");
        check_value(&d, PARAMETER_SUBGOALS, 4);
        check_value(&d, PARAMETER_FEWEST_SUBGOALS, 1);
    }
    assert_ok(domain_set(&d, "subgoals=3", &error), &error);
    check_value(&d, PARAMETER_SUBGOALS, 3);
    check_value(&d, PARAMETER_FEWEST_SUBGOALS, 0);
}

static void test_aliases_set_two(void **state) {
    (void)state;
    domain d = found("gw10"), car = found("mc");
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_set(&d, "wind=0.05", &error), &error);
    assert_ok(domain_set(&d, "epsilon=0.3", &error), &error);
    assert_ok(domain_set(&car, "start=-0.5", &error), &error);
    check_value(&d, PARAMETER_WIND_LOW, 0.05);
    check_value(&d, PARAMETER_WIND_HIGH, 0.05);
    check_value(&d, PARAMETER_EPSILON, 0.3);
    check_value(&d, PARAMETER_EPSILON_END, 0.3);
    check_value(&car, PARAMETER_START_LOW, -0.5);
    check_value(&car, PARAMETER_START_HIGH, -0.5);
}

/* Refused with name, range and what was got; the domain is left as it was. */
static void test_bad_settings(void **state) {
    (void)state;
    static const struct {
        const char *domain, *assignment;
        besd_status status;
        const char *message;
    } bad[] = {
        {"gw10", "gamma=1.5", BESD_INVALID, "gamma: expected a number in [0, 1], got '1.5'"},
        {"gw10", "gamma=-0.1", BESD_INVALID, "gamma: expected a number in [0, 1], got '-0.1'"},
        {"gw10", "cap=0", BESD_INVALID, "cap: expected a number in [1, 1e+09], got '0'"},
        {"gw10", "cap=2.5", BESD_INVALID, "cap: expected a whole number in [1, 1e+09], got '2.5'"},
        {"gw10", "subgoals=9", BESD_INVALID, "subgoals: expected a number in [1, 8], got '9'"},
        {"gw10", "wind=1.01", BESD_INVALID, "wind: expected a number in [0, 1], got '1.01'"},
        {"gw10", "epsilon=-1", BESD_INVALID, "epsilon: expected a number in [0, 1], got '-1'"},
        {"mc", "start=0.7", BESD_INVALID, "start: expected a number in [-1.2, 0.6], got '0.7'"},
        {"gw10", "gamma=nan", BESD_INVALID, "got 'nan'"},
        {"gw10", "gamma=inf", BESD_INVALID, "got 'inf'"},
        {"gw10", "potential_height=inf", BESD_INVALID, "got 'inf'"},
        {"gw10", "potential_width=0", BESD_INVALID, "potential_width: expected a number in [1e-06"},
        {"gw10", "gamma=high", BESD_INVALID, "got 'high'"},
        {"gw10", "gamma=0.5x", BESD_INVALID, "got '0.5x'"},
        {"gw10", "gamma=0.5 0.6", BESD_INVALID, "got '0.5 0.6'"},
        {"gw10", "gamma=", BESD_INVALID, "got ''"},
        {"gw10", "gamma", BESD_INVALID, "set: expected name=value, got 'gamma'"},
        {"gw10", "=0.5", BESD_INVALID, "set: expected name=value, got '=0.5'"},
        {"gw10", "", BESD_INVALID, "set: expected name=value, got ''"},
        {"gw10", "gama=0.5", BESD_UNKNOWN, "no parameter 'gama', did you mean 'gamma'"},
        {"gw10", "wnd=0.5", BESD_UNKNOWN, "no parameter 'wnd', did you mean 'wind'"},
        {"gw10", "colour=0.5", BESD_UNKNOWN, "domain gw10 has no parameter 'colour';"},
        {"gw10", "tilings=8", BESD_UNKNOWN, "domain gw10 has no parameter 'tilings'"},
        {"gw10", "start=-0.5", BESD_UNKNOWN, "domain gw10 has no parameter 'start'"},
        {"mc", "wind=0.1", BESD_UNKNOWN, "domain mc has no parameter 'wind'"},
        {"mc", "treasure_reward=1", BESD_UNKNOWN, "domain mc has no parameter 'treasure_reward'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        domain d = found(bad[i].domain), before = d;
        besd_error error = {BESD_OK, ""};
        assert_fails(domain_set(&d, bad[i].assignment, &error), bad[i].status, &error,
                     bad[i].message);
        assert_memory_equal(&d, &before, sizeof d);
    }
}

/* A name too long for any buffer is simply not known. */
static void test_an_endless_name(void **state) {
    (void)state;
    domain d = found("gw10");
    besd_error error = {BESD_OK, ""};
    char assignment[3000];
    memset(assignment, 'g', sizeof assignment);
    memcpy(assignment + sizeof assignment - 5, "=0.5", 5);
    assert_fails(domain_set(&d, assignment, &error), BESD_UNKNOWN, &error, "has no parameter 'ggg");
}

static void test_levers(void **state) {
    (void)state;
    domain d = found("gw10");
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_set(&d, "tau=1,20,1e12", &error), &error);
    assert_true(d.tau[0] == 1 && d.tau[1] == 20 && d.tau[2] == 1000000000000 && d.tau[3] == 0);
    assert_int_equal(domain_tau_max(&d), 1000000000000);
    assert_ok(domain_set(&d, "Reps=4096", &error), &error);
    assert_true(d.reps[0] == 4096 && d.reps[1] == 0);
    assert_ok(domain_set(&d, "initial_designs=3", &error), &error);
    assert_int_equal(d.initial_designs, 3);
    assert_ok(domain_set(&d, "objective=return", &error), &error);
    assert_int_equal(d.objective, OBJECTIVE_RETURN);
    static const char *const wrong[] = {"tau=",
                                        "tau=0",
                                        "tau=2,1",
                                        "tau=1,1",
                                        "tau=1.5",
                                        "tau=1,",
                                        "tau=,1",
                                        "tau=1;2",
                                        "tau=nan",
                                        "tau=1,2,3,4,5,6,7,8,9",
                                        "tau=-1",
                                        "tau=inf",
                                        "tau=2e12",
                                        "reps=0",
                                        "reps=4097",
                                        "reps=5,x",
                                        "reps=many",
                                        "objective=",
                                        "objective=steps,return",
                                        "initial_designs=0",
                                        "initial_designs=1,2"};
    domain before = d;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char field[32];
        snprintf(field, sizeof field, "%.*s: expected", (int)strcspn(wrong[i], "="), wrong[i]);
        assert_fails(domain_set(&d, wrong[i], &error), BESD_INVALID, &error, field);
        assert_memory_equal(&d, &before, sizeof d);
    }
    assert_fails(domain_set(&d, "objectif=steps", &error), BESD_UNKNOWN, &error,
                 "did you mean 'objective'");
}

static void identify(const char *name, const char *setting, char *text) {
    domain d = found(name);
    besd_error error = {BESD_OK, ""};
    if (setting)
        assert_ok(domain_set(&d, setting, &error), &error);
    domain_identity(&d, text, 256);
}

static void test_identities(void **state) {
    (void)state;
    char text[256], other[256];
    identify("gw10", NULL, text);
    assert_string_equal(text, "gw10");
    identify("gw10", "cap=500", text); /* what it is anyway */
    assert_string_equal(text, "gw10");
    identify("gw10", "wind_high=0.5", text);
    assert_string_equal(text, "gw10 wind_high=0.5");
    identify("gw10", "tau=5,6", text);
    assert_string_equal(text, "gw10 tau=5,6");
    identify("gw10", "reps=7", text);
    assert_string_equal(text, "gw10 reps=7");
    identify("gw10", "reach=cell", text);
    assert_string_equal(text, "gw10");
    identify("gw10", "cell_size=2", text);
    assert_string_equal(text, "gw10 reach=cell cell_size=2");
    identify("mc", "radius=0.1", text);
    assert_string_equal(text, "mc reach=radius radius=0.10000000000000001");
    identify("tr", "objective=steps", text);
    assert_string_equal(text, "tr objective=steps");
    domain d = found("gw10");
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_set_map(&d, "SG", &error), &error);
    domain_identity(&d, text, sizeof text);
    assert_true(!strncmp(text, "gw10 map=", 9));
    d = found("gw10");
    d.built_in = false; /* somebody else's domain of this name */
    domain_identity(&d, text, sizeof text);
    assert_true(!strncmp(text, "gw10 constants=", 15));
    assert_ok(domain_set(&d, "gamma=0.5", &error), &error);
    domain_identity(&d, other, sizeof other);
    assert_string_not_equal(text, other);
    assert_ok(domain_set(&d, "initial_designs=11", &error), &error); /* a study knows that itself */
    domain_identity(&d, text, sizeof text);
    assert_string_equal(text, other);
    assert_ok(domain_set(&d, "radius=2", &error), &error);
    domain_identity(&d, other, sizeof other);
    assert_string_not_equal(text, other);
    assert_ok(domain_set(&d, "reach=radius", &error), &error);
    assert_ok(domain_set(&d, "radius=3", &error), &error);
    domain_identity(&d, text, sizeof text);
    assert_string_not_equal(text, other);
    domain_identity(&d, text, 8); /* cut, and no further */
    assert_string_equal(text, "gw10 co");
}

/* Somebody else's domain with these own parameters, set in this order. */
static void identify_own(const char *const *settings, domain_source *source, char *text) {
    domain d = found("gw10");
    besd_error error = {BESD_OK, ""};
    d.built_in = false;
    d.source = source;
    *source = (domain_source){.own_count = 0};
    for (int i = 0; settings[i]; i++)
        assert_ok(domain_set(&d, settings[i], &error), &error);
    domain_identity(&d, text, 256);
}

static void test_own_parameters_in_any_order(void **state) {
    (void)state;
    static const char *const one_way[] = {"slip=1", "speed=3", "mass=2", "slip=4", NULL};
    static const char *const other_way[] = {"speed=3", "slip=4", "mass=2", NULL};
    domain_source one, other;
    char text[256], again[256];
    identify_own(one_way, &one, text);
    identify_own(other_way, &other, again);
    assert_string_equal(text, again);
    assert_int_equal(one.own_count, 3);
    static const char *const names[] = {"mass", "slip", "speed"};
    static const double values[] = {2, 4, 3};
    for (int i = 0; i < 3; i++) {
        assert_ptr_equal(one.own[i].name, one.own_names[i]);
        assert_string_equal(one.own[i].name, names[i]);
        assert_true(one.own[i].value == values[i]);
    }
}

/* A name that goes on where another one's value begins. */
static void test_own_parameters_are_told_apart(void **state) {
    (void)state;
    char first[64], second[64], text[256], again[256];
    double value;
    memcpy(&value, "abcdefgh", sizeof value);
    snprintf(first, sizeof first, "s=%.17g", value);
    memcpy(&value, "bcdefght", sizeof value);
    snprintf(second, sizeof second, "sa=%.17g", value);
    domain_source source;
    identify_own((const char *const[]){first, "tz=1", NULL}, &source, text);
    identify_own((const char *const[]){second, "z=1", NULL}, &source, again);
    assert_string_not_equal(text, again);
}

static void test_too_many_own_parameters(void **state) {
    (void)state;
    domain d = found("gw10");
    domain_source source = {.own_count = 0};
    besd_error error = {BESD_OK, ""};
    char setting[32];
    d.source = &source;
    for (int i = 0; i < DOMAIN_MAX_OWN; i++) {
        snprintf(setting, sizeof setting, "own%d=%d", DOMAIN_MAX_OWN - i, i);
        assert_ok(domain_set(&d, setting, &error), &error);
    }
    assert_fails(domain_set(&d, "another=1", &error), BESD_INVALID, &error,
                 "more than 16 parameters of the environment's own");
    assert_ok(domain_set(&d, "own1=7", &error), &error); /* one that is there already */
    assert_true(source.own_count == DOMAIN_MAX_OWN && source.own[0].value == 7);
}

/* A built-in domain comes back from its identity with everything that was set; one with another map
 * or from elsewhere does not. */
static void test_from_identities(void **state) {
    (void)state;
    static const char *const settings[] = {"cap=77",    "wind_low=0.75",     "tau=5,6",
                                           "reps=7",    "initial_designs=3", "objective=return",
                                           "gamma=0.1", "cell_size=2",       "origin=0.5,1"};
    char text[256], again[256];
    besd_error error = {BESD_OK, ""};
    domain d = found("gw10"), back;
    assert_true(domain_from_identity("gw10", &back));
    assert_memory_equal(&back, &d, sizeof d);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        assert_ok(domain_set(&d, settings[i], &error), &error);
        domain_identity(&d, text, sizeof text);
        assert_true(domain_from_identity(text, &back));
        domain_identity(&back, again, sizeof again);
        assert_string_equal(again, text);
    }
    assert_memory_equal(back.value, d.value, sizeof d.value);
    assert_memory_equal(back.tau, d.tau, sizeof d.tau);
    assert_memory_equal(back.reps, d.reps, sizeof d.reps);
    assert_int_equal(back.objective, OBJECTIVE_RETURN);
    assert_true(domain_from_identity("gw10 tau=5,6 initial_designs=3", &back));
    assert_int_equal(back.initial_designs, 3);
    assert_ok(domain_set_map(&d, "SG", &error), &error);
    domain_identity(&d, text, sizeof text);
    assert_false(domain_from_identity(text, &back));
    assert_false(domain_from_identity("gw10 constants=0123456789abcdef", &back));
    assert_false(domain_from_identity("mine", &back));
    assert_false(domain_from_identity("", &back));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_setting_one_parameter),
        cmocka_unit_test(test_a_range_of_subgoals),
        cmocka_unit_test(test_aliases_set_two),
        cmocka_unit_test(test_bad_settings),
        cmocka_unit_test(test_an_endless_name),
        cmocka_unit_test(test_levers),
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_own_parameters_in_any_order),
        cmocka_unit_test(test_own_parameters_are_told_apart),
        cmocka_unit_test(test_too_many_own_parameters),
        cmocka_unit_test(test_from_identities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
