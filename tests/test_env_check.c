/* The findings of sound domains, and of grids with one fault. What each check says of a faulty
 * plugin is in test_cli_plugin.sh. */
#include "testing.h"

#include "check/check.h"
#include "world/domain.h"
#include "world/grid.h"

static const char *const names[] = {"determinism", "handles",   "ranges",   "positions",
                                    "ending",      "instances", "solvable", "reward",
                                    "shaping",     "reach",     "probe",    "speed"};

enum { CHECKS = sizeof names / sizeof *names };

static domain found(const char *name) {
    domain d;
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_find(name, &d, &error), &error);
    return d;
}

static size_t check(const domain *d, uint64_t seed, check_finding *findings) {
    size_t count = 0;
    besd_error error = {BESD_OK, ""};
    assert_ok(env_check(d, seed, 20, findings, &count, &error), &error);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(findings[i].name, names[i]);
        assert_true(findings[i].got[0]);
        assert_int_equal(findings[i].fix[0] != 0, findings[i].verdict == CHECK_FAILED ||
                                                      findings[i].verdict == CHECK_WARNED);
    }
    return count;
}

static void test_sound_domains(void **state) {
    (void)state;
    for (size_t i = 0; domain_name(i); i++) {
        domain d = found(domain_name(i));
        check_finding findings[ENV_CHECK_MAX];
        for (uint64_t seed = 1; seed <= 2; seed++) {
            assert_int_equal(check(&d, seed, findings), CHECKS);
            for (int k = 0; k < CHECKS; k++)
                if (findings[k].verdict == CHECK_FAILED)
                    fail_msg("%s, %s: %s", d.name, findings[k].name, findings[k].got);
            assert_int_equal(findings[CHECKS - 1].verdict, CHECK_TOLD);
        }
    }
}

/* Which check of a gw10 with these methods fails, and what it got; the others pass. */
static void assert_only(besd_env_methods *methods, const char *name, const char *got) {
    domain d = found("gw10");
    check_finding findings[ENV_CHECK_MAX];
    d.methods = methods;
    size_t count = check(&d, 1, findings);
    for (size_t i = 0; i < count; i++) {
        bool meant = !strcmp(findings[i].name, name);
        if ((findings[i].verdict == CHECK_FAILED) != meant)
            fail_msg("%s: got '%s'", findings[i].name, findings[i].got);
        if (meant && !strstr(findings[i].got, got))
            fail_msg("%s: expected '%s', got '%s'", name, got, findings[i].got);
    }
}

static void step_with_both_ends(besd_env *env, int action, besd_env_outcome *out) {
    grid_methods.step(env, action, out);
    out->truncated = out->terminated || out->truncated;
}

static void step_outside(besd_env *env, int action, besd_env_outcome *out) {
    grid_methods.step(env, action, out);
    if (out->terminated)
        out->observation[1] = 10.5;
}

static besd_status the_only_instance(besd_env *env, uint64_t seed, besd_error *error) {
    (void)seed;
    return grid_methods.instance(env, 1, error);
}

static void step_for_nothing(besd_env *env, int action, besd_env_outcome *out) {
    grid_methods.step(env, action, out);
    out->reward = 0;
}

static void test_one_fault_at_a_time(void **state) {
    (void)state;
    besd_env_methods m = grid_methods;
    m.step = step_with_both_ends;
    assert_only(&m, "ranges", "both terminated and truncated");
    m = grid_methods;
    m.step = step_for_nothing;
    assert_only(&m, "reward", "0 rewards and");
}

/* The verdict and words of one check of a gw10 with these methods. */
static void assert_says(const besd_env_methods *methods, const char *setting, const char *name,
                        check_verdict verdict, const char *got) {
    domain d = found("gw10");
    check_finding findings[ENV_CHECK_MAX];
    besd_error error = {BESD_OK, ""};
    d.methods = methods;
    if (setting)
        assert_ok(domain_set(&d, setting, &error), &error);
    size_t count = check(&d, 1, findings), met = 0;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(findings[i].name, name)) {
            met++;
            if (findings[i].verdict != verdict || !strstr(findings[i].got, got))
                fail_msg("%s: expected '%s', got '%s'", name, got, findings[i].got);
        }
    assert_int_equal(met, 1);
}

static void test_fixed_worlds_are_fine(void **state) {
    (void)state;
    besd_env_methods m = grid_methods;
    m.instance = the_only_instance;
    assert_says(&m, NULL, "instances", CHECK_PASSED, "a fixed world: the same for all of 20 seeds");
    m.fingerprint = NULL; /* then by what is seen on the way */
    assert_says(&m, NULL, "instances", CHECK_PASSED, "a fixed world: the same for all of 20 seeds");
    assert_says(&grid_methods, NULL, "instances", CHECK_PASSED, "kinds among 20 seeds");
}

static void stay(besd_env *env, int action, besd_env_outcome *out) {
    (void)action;
    grid_methods.reset(env, out);
}

static void test_a_world_that_never_moved_is_not_called_fixed(void **state) {
    (void)state;
    besd_env_methods m = grid_methods;
    m.step = stay;
    m.step_many = NULL;
    m.fingerprint = NULL;
    assert_says(&m, NULL, "instances", CHECK_PASSED, "not known: nothing moved in 2000 random");
}

static void step_at_a_cost(besd_env *env, int action, besd_env_outcome *out) {
    grid_methods.step(env, action, out);
    out->reward = -1;
}

static void step_that_never_ends(besd_env *env, int action, besd_env_outcome *out) {
    step_at_a_cost(env, action, out);
    if (out->terminated) /* back to the start */
        grid_methods.reset(env, out);
    out->reward = -1;
}

static void step_at_a_small_cost(besd_env *env, int action, besd_env_outcome *out) {
    grid_methods.step(env, action, out);
    out->reward -= 0.001;
}

static void test_penalties_are_no_reward(void **state) {
    (void)state;
    besd_env_methods m = grid_methods;
    m.table = NULL;
    m.step = step_at_a_cost;
    assert_says(&m, NULL, "reward", CHECK_PASSED, "-1 of every step is a penalty and no reward");
    assert_says(&m, NULL, "shaping", CHECK_WARNED, "and steps pay 1 on average by themselves");
    assert_says(&m, "potential_height=50", "shaping", CHECK_PASSED, "its height is 50");
    m.step = step_that_never_ends;
    assert_says(&m, NULL, "reward", CHECK_FAILED, "0 rewards and 0 terminated episodes");
    m.step = step_at_a_small_cost;
    assert_says(&m, NULL, "reward", CHECK_PASSED, "the -0.001 of every step is a penalty");
    assert_says(&m, NULL, "shaping", CHECK_PASSED, "its height is 0.2");
}

static void test_the_share_of_a_subgoal(void **state) {
    (void)state;
    const besd_env_methods *m = &grid_methods;
    assert_says(m, NULL, "reach", CHECK_PASSED, "in its cell of side 1, which is 0.01 of the box");
    assert_says(m, "cell_size=2", "reach", CHECK_PASSED, "which is 0.04 of the box");
    assert_says(m, "cell_size=2.5", "reach", CHECK_WARNED, "which is 0.0625 of the box");
    assert_says(m, "radius=1", "reach", CHECK_PASSED, "within 1 of it, which is 0.0314 of the box");
    assert_says(m, "radius=2", "reach", CHECK_WARNED, "which is 0.126 of the box");
}

static void test_random_designs(void **state) {
    (void)state;
    assert_says(&grid_methods, NULL, "probe", CHECK_TOLD, "of 20 random designs reach the goal");
    assert_says(&grid_methods, "cap=5", "probe", CHECK_WARNED, "0 of 20 random designs reach");
    domain d = found("gw10");
    check_finding findings[ENV_CHECK_MAX];
    besd_error error = {BESD_OK, ""};
    size_t count;
    assert_ok(env_check(&d, 1, 0, findings, &count, &error), &error);
    assert_string_equal(findings[count - 2].got, "no random designs were tried");
}

static void test_a_position_outside(void **state) {
    (void)state;
    domain d = found("gw10");
    check_finding findings[ENV_CHECK_MAX];
    besd_env_methods m = grid_methods;
    m.step = step_outside;
    d.methods = &m;
    assert_int_equal(check(&d, 1, findings), CHECKS);
    assert_int_equal(findings[2].verdict, CHECK_FAILED);
    assert_non_null(strstr(findings[2].got, "observation[1] = 10.5 outside [0, 10]"));
}

static besd_status no_instance(besd_env *env, uint64_t seed, besd_error *error) {
    (void)env, (void)seed;
    error->status = BESD_ENVIRONMENT;
    strcpy(error->message, "the arena is closed");
    return BESD_ENVIRONMENT;
}

static const char *always_failed(const besd_env *env) {
    (void)env;
    return "the motor is hot";
}

static void test_environments_that_fail_altogether(void **state) {
    (void)state;
    domain d = found("gw10");
    check_finding findings[ENV_CHECK_MAX];
    besd_env_methods m = grid_methods;
    m.instance = no_instance;
    d.methods = &m;
    assert_int_equal(check(&d, 1, findings), CHECKS); /* each of them says so */
    for (int i = 0; i < CHECKS; i++)
        assert_non_null(strstr(findings[i].got, "the arena is closed"));
    m = grid_methods;
    m.failure = always_failed;
    assert_int_equal(check(&d, 1, findings), 1); /* the first, and there is no point in the rest */
    assert_non_null(strstr(findings[0].got, "the motor is hot"));
}

static void test_a_domain_that_does_not_open(void **state) {
    (void)state;
    domain d = found("gw10");
    check_finding findings[ENV_CHECK_MAX];
    size_t count = 7;
    besd_error error = {BESD_OK, ""};
    assert_ok(domain_set(&d, "wind_low=0.5", &error), &error);
    assert_fails(env_check(&d, 1, 20, findings, &count, &error), BESD_INVALID, &error, "wind_low");
    assert_int_equal(count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_domains),
        cmocka_unit_test(test_one_fault_at_a_time),
        cmocka_unit_test(test_fixed_worlds_are_fine),
        cmocka_unit_test(test_a_world_that_never_moved_is_not_called_fixed),
        cmocka_unit_test(test_penalties_are_no_reward),
        cmocka_unit_test(test_the_share_of_a_subgoal),
        cmocka_unit_test(test_random_designs),
        cmocka_unit_test(test_a_position_outside),
        cmocka_unit_test(test_environments_that_fail_altogether),
        cmocka_unit_test(test_a_domain_that_does_not_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
