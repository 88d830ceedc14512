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
    domain_study b;
    contender c = parsed("besd:model=paper,tau=max,reps=min,discrete=true,targets=77,caution=0,"
                         "initial_crossed=true,instances=fresh,explore=0,tau_max_share=0.25");
    assert_ok(domain_find("gw10", &d, &error), &error);
    assert_ok(domain_study_init(&b, &d, &error), &error);
    contender_apply(&c, &b);
    assert_int_equal(b.options.model, BESD_MODEL_PAPER);
    assert_int_equal(b.options.tau_count, 1);
    assert_int_equal(b.options.taus[0], 1000);
    assert_int_equal(b.options.reps_count, 1);
    assert_int_equal(b.options.reps[0], 5);
    assert_true(b.options.discrete && b.options.initial_crossed);
    assert_int_equal(b.options.instances, BESD_INSTANCES_FRESH);
    assert_int_equal(b.options.targets, 77);
    assert_true(b.options.caution == 0 && b.options.explore == 0);
    assert_true(b.options.tau_max_share == 0.25);
    assert_false(b.options.mean_of_all);
    c = parsed("besd:model=paper,mean_of_all=true,initial_reps=max");
    assert_ok(domain_study_init(&b, &d, &error), &error);
    contender_apply(&c, &b);
    assert_int_equal(b.options.model, BESD_MODEL_PAPER);
    assert_true(b.options.mean_of_all);
    assert_int_equal(b.options.initial_reps, b.options.reps[b.options.reps_count - 1]);
    assert_int_equal(b.options.initial_designs, d.initial_designs); /* the domain's */
    /* the authors' Hyperband: tau_max / 2 and its multiples */
    c = parsed("hyperband-paper");
    assert_ok(domain_study_init(&b, &d, &error), &error);
    contender_apply(&c, &b);
    const int64_t taus[] = {500, 1500, 4500, 13500, 40500};
    assert_int_equal(b.options.tau_count, 5);
    assert_memory_equal(b.options.taus, taus, sizeof taus);
}

/* The letter of the paper fills in what the name leaves open, and nothing else. */
static void test_as_paper(void **state) {
    (void)state;
    static const struct {
        const char *name;
        besd_model model;
        besd_instances instances;
    } cases[] = {
        {"besd", BESD_MODEL_PAPER, BESD_INSTANCES_SHARED},
        {"besd:model=averaged", BESD_MODEL_AVERAGED, BESD_INSTANCES_SHARED},
        {"besd:instances=fresh", BESD_MODEL_PAPER, BESD_INSTANCES_FRESH},
        {"besd:model=averaged,instances=fresh", BESD_MODEL_AVERAGED, BESD_INSTANCES_FRESH},
        {"ei:targets=77", BESD_MODEL_PAPER, BESD_INSTANCES_SHARED},
    };
    domain d;
    assert_ok(domain_find("gw10", &d, &error), &error);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        domain_study plain, paper;
        contender c = parsed(cases[i].name);
        assert_ok(domain_study_init(&plain, &d, &error), &error);
        assert_ok(domain_study_init(&paper, &d, &error), &error);
        contender_apply(&c, &plain);
        contender_as_paper(&c);
        contender_apply(&c, &paper);
        assert_int_equal(paper.options.model, cases[i].model);
        assert_int_equal(paper.options.instances, cases[i].instances);
        assert_string_equal(c.name, cases[i].name);
        for (size_t k = 0; k < STUDY_OPTIONS; k++)
            if (k != STUDY_OPTION_model && k != STUDY_OPTION_instances) {
                char as_plain[64], as_paper[64];
                study_option_print(&study_options[k], &plain.options, as_plain, sizeof as_plain);
                study_option_print(&study_options[k], &paper.options, as_paper, sizeof as_paper);
                assert_string_equal(as_paper, as_plain);
            }
    }
    /* without it the defaults of a study and of a domain hold */
    domain_study b;
    contender c = parsed("besd");
    assert_ok(domain_study_init(&b, &d, &error), &error);
    contender_apply(&c, &b);
    assert_int_equal(b.options.model, BESD_MODEL_AVERAGED);
    assert_int_equal(b.options.instances, BESD_INSTANCES_FRESH);
    assert_true(b.options.confirm == 0.12 && b.options.initial_share == 0.1);
}

static void test_mistakes(void **state) {
    (void)state;
    contender c;
    assert_fails(contender_parse(&c, "bsd", &error), BESD_UNKNOWN, &error, "did you mean 'besd'?");
    assert_fails(contender_parse(&c, "besd:modle=paper", &error), BESD_UNKNOWN, &error,
                 "did you mean 'model'?");
    assert_fails(contender_parse(&c, "besd:model=big", &error), BESD_INVALID, &error,
                 "expected one of paper, averaged, got 'big'");
    assert_fails(contender_parse(&c, "besd:mean_of_all=some", &error), BESD_INVALID, &error,
                 "mean_of_all: expected true or false, got 'some'");
    assert_fails(contender_parse(&c, "besd:tau=most", &error), BESD_INVALID, &error,
                 "expected free, min or max, got 'most'");
    assert_fails(contender_parse(&c, "besd:targets=x", &error), BESD_INVALID, &error, "got 'x'");
    assert_fails(contender_parse(&c, "besd:targets=0", &error), BESD_INVALID, &error,
                 "targets: expected a number in [1, 20000], got 0");
    assert_fails(contender_parse(&c, "besd:caution=-1", &error), BESD_INVALID, &error,
                 "caution: expected a number in [0, 100], got -1");
    assert_fails(contender_parse(&c, "besd:budget=5", &error), BESD_UNKNOWN, &error,
                 "'budget' is no option of a method"); /* it is one of the comparison */
    assert_fails(contender_parse(&c, "besd:targets", &error), BESD_INVALID, &error,
                 "NAME:OPTION=VALUE");
    assert_fails(contender_parse(&c, "ql:tau=max", &error), BESD_INVALID, &error,
                 "NAME:OPTION=VALUE");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_as_paper),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
