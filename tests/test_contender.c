/* What a comparison understands by "besd:model=paper,tau=max". */
#include "testing.h"

#include "contest/contender.h"

static besd_error error;

static contender parsed(const char *text) {
    contender c;
    assert_ok(contender_parse(&c, text, &error), &error);
    return c;
}

static void test_names(void **state) {
    (void)state;
    assert_int_equal(parsed("besd").options.method, BESD_METHOD_BESD);
    assert_int_equal(parsed("ei-paper").options.method, BESD_METHOD_EI_PAPER);
    assert_int_equal(parsed("ql").kind, CONTENDER_PLAIN);
    assert_int_equal(parsed("tql").kind, CONTENDER_TRANSFER);
    contender random = parsed("rnd:selection=latest");
    assert_string_equal(random.name, "random:selection=latest"); /* one name for one thing */
    assert_true(random.latest);
    for (size_t i = 0; contender_name(i); i++)
        parsed(contender_name(i));
}

static void test_options(void **state) {
    (void)state;
    domain d;
    bridge b;
    contender c = parsed("besd:model=paper,tau=max,reps=min,search=discrete,targets=77,caution=-1,"
                         "initial=crossed,instances=fresh");
    assert_ok(domain_find("gw10", &d, &error), &error);
    assert_ok(bridge_init(&b, &d, &error), &error);
    contender_apply(&c, &b);
    assert_int_equal(b.options.model, BESD_MODEL_PAPER);
    assert_int_equal(b.options.tau_count, 1);
    assert_int_equal(b.options.taus[0], 1000);
    assert_int_equal(b.options.reps_count, 1);
    assert_int_equal(b.options.reps[0], 5);
    assert_true(b.options.discrete && b.options.initial_crossed && b.fresh_instances);
    assert_int_equal(b.options.target_count, 77);
    assert_true(b.options.caution == -1);
    assert_false(b.options.mean_of_all);
    c = parsed("besd:model=noise,mean=all");
    assert_ok(bridge_init(&b, &d, &error), &error);
    contender_apply(&c, &b);
    assert_int_equal(b.options.model, BESD_MODEL_NOISE);
    assert_true(b.options.mean_of_all);
    /* the authors' Hyperband: tau_max / 2 and its multiples */
    c = parsed("hyperband-paper");
    assert_ok(bridge_init(&b, &d, &error), &error);
    contender_apply(&c, &b);
    const int64_t taus[] = {500, 1500, 4500, 13500, 40500};
    assert_int_equal(b.options.tau_count, 5);
    assert_memory_equal(b.options.taus, taus, sizeof taus);
}

static void test_mistakes(void **state) {
    (void)state;
    contender c;
    assert_fails(contender_parse(&c, "bsd", &error), BESD_UNKNOWN, &error, "did you mean 'besd'?");
    assert_fails(contender_parse(&c, "besd:modle=paper", &error), BESD_UNKNOWN, &error,
                 "did you mean 'model'?");
    assert_fails(contender_parse(&c, "besd:model=big", &error), BESD_INVALID, &error,
                 "expected one of paper, extended, noise, got 'big'");
    assert_fails(contender_parse(&c, "besd:mean=some", &error), BESD_INVALID, &error,
                 "expected initial or all, got 'some'");
    assert_fails(contender_parse(&c, "besd:tau=most", &error), BESD_INVALID, &error,
                 "expected free, min or max, got 'most'");
    assert_fails(contender_parse(&c, "besd:targets=x", &error), BESD_INVALID, &error, "got 'x'");
    assert_fails(contender_parse(&c, "besd:targets", &error), BESD_INVALID, &error,
                 "NAME:OPTION=VALUE");
    assert_fails(contender_parse(&c, "ql:tau=max", &error), BESD_INVALID, &error,
                 "NAME:OPTION=VALUE");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
