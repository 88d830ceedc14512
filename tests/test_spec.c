/* The description of a study: what is refused and how, and what is left automatic. */
#include "study_fixture.h"

#include "study/spec.h"

#include <float.h>

static besd_error error;

/* Options are refused with a sentence that has the field, the value and what was expected. */
static void refused(const besd_study_options *o, const char *field, const char *value,
                    const char *expected) {
    study_spec s;
    error.message[0] = '\0';
    assert_fails(spec_init(&s, o, &error), BESD_INVALID, &error, field);
    assert_int_equal(strncmp(error.message, field, strlen(field)), 0);
    assert_non_null(strstr(error.message, value));
    assert_non_null(strstr(error.message, expected));
}

static study_spec accepted(const besd_study_options *o) {
    static study_spec s; /* pointers in it must stay where they point to */
    assert_ok(spec_init(&s, o, &error), &error);
    return s;
}

static void test_defaults(void **state) {
    (void)state;
    const int designs[] = {0, 4, 5, 8, 10, 13};
    for (size_t d = 1; d <= 5; d++) {
        besd_study_options o = small_options(d, 0);
        o.targets = besd_study_options_default().targets;
        study_spec s = accepted(&o);
        assert_int_equal(s.options.initial_designs, designs[d]);
        assert_int_equal(s.options.initial_reps, 2);
        assert_int_equal(s.options.targets, 1000);
        assert_int_equal(besd_study_options_default().model, BESD_MODEL_AVERAGED);
        assert_true(s.options.interaction_price == 1);
        assert_true(s.options.setup_cost == 0 && s.options.budget == INFINITY);
        assert_true(s.options.explore == 0.25 && s.options.caution == 1);
        assert_true(s.options.search_until == 2.0 / 3 && s.options.confirm == 0.12);
        assert_int_equal(s.options.instances, BESD_INSTANCES_SHARED);
        assert_int_equal(s.options.draws, 6);
        assert_true(s.options.initial_share == 0.25);
        assert_true(isinf(s.options.baseline) && isinf(s.options.best_possible));
        assert_int_equal(s.options.direction, BESD_MAXIMIZE);
        assert_int_equal(s.options.transform, BESD_TRANSFORM_NONE);
        assert_int_equal(s.options.method, BESD_METHOD_BESD);
        for (size_t i = 0; i < d; i++) {
            char name[BESD_MAX_NAME];
            snprintf(name, sizeof name, "theta%zu", i);
            assert_string_equal(s.name_text[i], name);
            assert_string_equal(s.unit_text[i], "");
        }
        o.method = BESD_METHOD_EI; /* which is given the best it can get */
        assert_int_equal(accepted(&o).options.initial_reps, 4);
    }
}

/* What is given stays as it is. */
static void test_given_values_stay(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 12);
    o.model = BESD_MODEL_PAPER;
    o.initial_designs = 3;
    o.initial_reps = 4;
    o.targets = 61;
    o.interaction_price = 0.25;
    study_spec s = accepted(&o);
    assert_int_equal(s.options.model, BESD_MODEL_PAPER);
    assert_int_equal(s.options.initial_designs, 3);
    assert_int_equal(s.options.initial_reps, 4);
    assert_int_equal(s.options.targets, 61);
    assert_true(s.options.interaction_price == 0.25);
}

/* Zero is a value like any other, and refused where it has no sense. */
static void test_zero_is_zero(void **state) {
    (void)state;
    besd_study_options base = small_options(1, 12), o = base;
    o.initial_designs = 0;
    o.explore = o.search_until = o.caution = o.budget = o.interaction_price = 0;
    o.setup_cost = 3;
    study_spec s = accepted(&o);
    assert_int_equal(s.options.initial_designs, 0);
    assert_true(s.options.explore == 0 && s.options.search_until == 0 && s.options.caution == 0);
    assert_true(s.options.budget == 0 && s.options.interaction_price == 0);
    assert_true(spec_cost(&s, 1, 1) == 3);
    o = base;
    o.targets = 0;
    refused(&o, "targets", "got 0", "[1, 20000]");
    o = base;
    o.initial_reps = 0;
    refused(&o, "initial_reps", "got 0", "[1, 4096]");
    o = base;
    o.interaction_price = 0; /* nothing would cost anything */
    refused(&o, "interaction_price", "costs 0", "above 0");
}

/* A program of an older besd knows fewer options: the others have their defaults, whatever lies
 * behind its own. What a newer one says is not understood. */
static void test_size_tells_what_is_known(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 12);
    o.search_until = 0.125;
    o.size = offsetof(besd_study_options, search_until);
    study_spec s = accepted(&o);
    assert_true(s.options.search_until == 2.0 / 3 && s.options.targets == 60);
    assert_int_equal(s.options.size, sizeof o);
    o.size = offsetof(besd_study_options, direction); /* the space and the levers alone */
    s = accepted(&o);
    assert_true(s.options.seed == 0 && s.options.targets == 1000);
    o.size--;
    refused(&o, "options", "their size is", "besd_study_options_default()");
    o.size = 0;
    refused(&o, "options", "their size is 0", "besd_study_options_default()");
    o.size = sizeof o + 1;
    refused(&o, "options", "built against a newer one", BESD_VERSION);
}

/* Levels come in any order and are kept in increasing order; the caller's arrays are left alone. */
static void test_levels_are_sorted_copies(void **state) {
    (void)state;
    int64_t taus[] = {30, 10, 20};
    int reps[] = {9, 1};
    double low[] = {-1}, high[] = {1};
    char text[] = "gain";
    const char *names[] = {text};
    besd_study_options o = besd_study_options_default();
    o.dimension = 1;
    o.low = low;
    o.high = high;
    o.names = names;
    o.taus = taus;
    o.tau_count = 3;
    o.reps = reps;
    o.reps_count = 2;
    study_spec s;
    assert_ok(spec_init(&s, &o, &error), &error);
    assert_int_equal(taus[0], 30);
    assert_int_equal(reps[0], 9);
    taus[0] = reps[0] = 77;
    low[0] = high[0] = 5;
    text[0] = 'p';
    const int64_t sorted[] = {10, 20, 30};
    assert_memory_equal(s.options.taus, sorted, sizeof sorted);
    assert_int_equal(s.options.reps[0], 1);
    assert_int_equal(s.options.reps[1], 9);
    assert_true(s.options.low[0] == -1 && s.options.high[0] == 1);
    assert_string_equal(s.options.names[0], "gain");
    assert_int_equal(s.options.initial_reps, 1);
}

static void test_bad_boxes(void **state) {
    (void)state;
    double low[BESD_MAX_DIMENSION + 1] = {0}, high[BESD_MAX_DIMENSION + 1];
    for (size_t i = 0; i <= BESD_MAX_DIMENSION; i++)
        high[i] = 1;
    besd_study_options o = small_options(2, 0);
    o.low = low;
    o.high = high;
    o.dimension = BESD_MAX_DIMENSION;
    accepted(&o);
    o.dimension = BESD_MAX_DIMENSION + 1;
    refused(&o, "dimension", "got 65", "1 to 64");
    o.dimension = 0;
    refused(&o, "dimension", "got 0", "1 to 64");
    o.dimension = SIZE_MAX;
    refused(&o, "dimension", "got 18446744073709551615", "1 to 64");
    o.dimension = 2;
    o.low = NULL;
    refused(&o, "theta", "missing", "box");
    o.low = low;
    o.high = NULL;
    refused(&o, "theta", "missing", "box");
    o.high = high;
    const double bad[][2] = {{1, 1},         {2, 1},        {NAN, 1},  {0, NAN},
                             {-INFINITY, 1}, {0, INFINITY}, {NAN, NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char got[64];
        low[1] = bad[i][0];
        high[1] = bad[i][1];
        snprintf(got, sizeof got, "got low %g and high %g", low[1], high[1]);
        refused(&o, "theta1", got, "low < high");
    }
}

/* A box whose width is no finite number would make every theta infinite. */
static void test_box_too_wide(void **state) {
    (void)state;
    double low[] = {-DBL_MAX}, high[] = {DBL_MAX};
    besd_study_options o = small_options(1, 0);
    o.low = low;
    o.high = high;
    refused(&o, "theta0", "1.79769e+308", "low");
}

static void test_names_stand_once(void **state) {
    (void)state;
    const char *twice[] = {"x", "y", "x"}, *default_of_other[] = {"theta1", NULL};
    besd_study_options o = small_options(3, 0);
    o.names = twice;
    refused(&o, "theta", "'x'", "twice");
    o.dimension = 2;
    accepted(&o);
    o.names = default_of_other;
    refused(&o, "theta", "'theta1'", "twice");
}

static void test_bad_levels(void **state) {
    (void)state;
    besd_study_options base = small_options(1, 0), o = base;
    int64_t taus[BESD_MAX_LEVELS + 1];
    int reps[BESD_MAX_LEVELS + 1];
    for (int i = 0; i <= BESD_MAX_LEVELS; i++)
        taus[i] = reps[i] = i + 1;
    o.tau_count = 0;
    refused(&o, "tau", "got 0", "1 to 16");
    o.tau_count = 2;
    o.taus = NULL;
    refused(&o, "tau", "got 0", "1 to 16");
    o.taus = taus;
    o.tau_count = BESD_MAX_LEVELS;
    accepted(&o);
    o.tau_count = BESD_MAX_LEVELS + 1;
    refused(&o, "tau", "got 17", "1 to 16");
    o.tau_count = 3;
    taus[1] = 3;
    refused(&o, "tau", "got 3", "distinct");
    taus[1] = 0;
    refused(&o, "tau", "got 0", "from 1");
    taus[1] = -5;
    refused(&o, "tau", "got -5", "from 1");

    o = base;
    o.reps_count = 0;
    refused(&o, "reps", "got 0", "1 to 16");
    o.reps_count = 2;
    o.reps = NULL;
    refused(&o, "reps", "got 0", "1 to 16");
    o.reps_count = 0; /* nothing is said: one agent of each design */
    accepted(&o);
    o.reps = reps;
    o.reps_count = BESD_MAX_LEVELS;
    accepted(&o);
    o.reps_count = BESD_MAX_LEVELS + 1;
    refused(&o, "reps", "got 17", "1 to 16");
    o.reps_count = 3;
    reps[1] = 3;
    refused(&o, "reps", "got 3", "distinct");
    reps[1] = 0;
    refused(&o, "reps", "got 0", "from 1");
    reps[1] = BESD_MAX_REPS;
    accepted(&o);
    reps[1] = BESD_MAX_REPS + 1;
    refused(&o, "reps", "got 4097", "4096");
}

/* One number outside its range, the neighbours inside it accepted. */
static void test_bad_numbers(void **state) {
    (void)state;
    besd_study_options base = small_options(1, 0);
    base.setup_cost = 1; /* something must cost something */
    const struct {
        const char *field;
        size_t offset;
        double low, high;
    } doubles[] = {
        {"budget", offsetof(besd_study_options, budget), 0, INFINITY}, /* none */
        {"setup_cost", offsetof(besd_study_options, setup_cost), 0, 1e300},
        {"interaction_price", offsetof(besd_study_options, interaction_price), 0, 1e300},
        {"stop_below", offsetof(besd_study_options, stop_below), 0, 1e300},
        {"tau_max_share", offsetof(besd_study_options, tau_max_share), 0, 1},
        {"explore", offsetof(besd_study_options, explore), 0, 1},
        {"caution", offsetof(besd_study_options, caution), 0, 100},
        {"search_until", offsetof(besd_study_options, search_until), 0, 1},
        {"confirm", offsetof(besd_study_options, confirm), 0, 1},
        {"baseline_cost", offsetof(besd_study_options, baseline_cost), 0, 1e300},
        {"baseline_error", offsetof(besd_study_options, baseline_error), 0, 1e300},
        {"initial_share", offsetof(besd_study_options, initial_share), 0, 1},
    };
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        besd_study_options o = base;
        double *value = (double *)((char *)&o + doubles[i].offset);
        const double bad[] = {-1, -1e-300, -INFINITY, NAN, INFINITY, 2 * doubles[i].high};
        for (size_t j = 0; j < sizeof bad / sizeof *bad; j++) {
            char got[48], range[48];
            if (bad[j] == doubles[i].high)
                continue;
            *value = bad[j];
            snprintf(got, sizeof got, "got %g", bad[j]);
            snprintf(range, sizeof range, "[%g, %g]", doubles[i].low, doubles[i].high);
            refused(&o, doubles[i].field, got, range);
        }
        *value = doubles[i].low;
        accepted(&o);
        *value = doubles[i].high;
        accepted(&o);
    }
}

/* The two ends of what is possible must not be the wrong way round. */
static void test_ends_of_what_is_possible(void **state) {
    (void)state;
    for (int direction = 0; direction < 2; direction++) {
        besd_study_options o = small_options(1, 0);
        double sign = direction ? -1 : 1;
        o.direction = direction ? BESD_MINIMIZE : BESD_MAXIMIZE;
        o.worst_possible = sign * -5;
        accepted(&o);
        o.best_possible = sign * 5;
        accepted(&o);
        for (int i = 0; i < 2; i++) {
            o.best_possible = sign * (i ? -5 : -6);
            refused(&o, "worst_possible", direction ? "got 5" : "got -5",
                    direction ? "above the best possible one" : "below the best possible one");
        }
    }
}

/* A baseline that has no logarithm is refused where one is taken; the best possible score needs
 * none. */
static void test_references_of_logarithms(void **state) {
    (void)state;
    const double bad[] = {0, -0.0, -1e-300, -40}, good[] = {1e-300, 40, INFINITY};
    for (int direction = 0; direction < 2; direction++) {
        besd_study_options o = small_options(1, 0);
        o.direction = direction ? BESD_MINIMIZE : BESD_MAXIMIZE;
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            char got[48];
            o.baseline = bad[i];
            o.best_possible = bad[i];
            o.transform = BESD_TRANSFORM_NONE;
            accepted(&o);
            o.transform = BESD_TRANSFORM_LOG;
            snprintf(got, sizeof got, "got %g", bad[i]);
            refused(&o, "baseline", got,
                    "expected a number above 0, because the study takes logarithms, ");
            o.baseline = 40; /* that no score is below this is true of less, too */
            if (direction)
                accepted(&o);
            else
                refused(&o, "best_possible", got,
                        "expected a number above 0, because the study takes logarithms, ");
        }
        o.best_possible = INFINITY;
        for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
            o.baseline = good[i];
            accepted(&o);
        }
    }
}

static void test_bad_whole_numbers(void **state) {
    (void)state;
    const besd_study_options base = small_options(1, 0);
    const struct {
        const char *field;
        size_t offset;
        int below, high; /* -1 stands for automatic where it is one */
        const char *range;
    } integers[] = {
        {"direction", offsetof(besd_study_options, direction), -1, 1, "[0, 1]"},
        {"transform", offsetof(besd_study_options, transform), -1, 1, "[0, 1]"},
        {"method", offsetof(besd_study_options, method), -1, 6, "[0, 6]"},
        {"model", offsetof(besd_study_options, model), -1, 1, "[0, 1]"},
        {"instances", offsetof(besd_study_options, instances), -1, 1, "[0, 1]"},
        {"draws", offsetof(besd_study_options, draws), 0, 16, "[1, 16]"},
        {"initial_designs", offsetof(besd_study_options, initial_designs), -2, 10000, "[0, 10000]"},
        {"targets", offsetof(besd_study_options, targets), 0, 20000, "[1, 20000]"},
        {"targets", offsetof(besd_study_options, targets), -1, 20000, "[1, 20000]"},
    };
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        besd_study_options o = base;
        int value = integers[i].high + 1;
        char *place = (char *)&o + integers[i].offset, got[32];
        memcpy(place, &value, sizeof value);
        snprintf(got, sizeof got, "got %d", value);
        refused(&o, integers[i].field, got, integers[i].range);
        value = integers[i].below;
        memcpy(place, &value, sizeof value);
        snprintf(got, sizeof got, "got %d", value);
        refused(&o, integers[i].field, got, integers[i].range);
        value = integers[i].high;
        memcpy(place, &value, sizeof value);
        accepted(&o);
    }
    besd_study_options o = base;
    o.seed = INT64_MAX;
    accepted(&o);
    o.seed++;
    refused(&o, "seed", "got 9223372036854775808", "0 to 9223372036854775807");
}

/* Each factor in its range, the product beyond all numbers: no trial could be paid. */
static void test_infinite_costs(void **state) {
    (void)state;
    const int64_t taus[] = {10, 1000000000000};
    besd_study_options o = small_options(1, 0);
    o.taus = taus;
    o.interaction_price = 1e300;
    refused(&o, "", "", "cost");
}

static void test_initial_reps_is_a_level(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 0);
    const int bad[] = {1, 3, 5, -2, BESD_MAX_REPS + 1};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char got[16];
        o.initial_reps = bad[i];
        snprintf(got, sizeof got, "got %d", bad[i]);
        refused(&o, "initial_reps", got, i < 3 ? "one of the reps" : "[1, 4096]");
    }
}

static void test_costs_and_levels(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 0);
    o.setup_cost = 7;
    o.interaction_price = 0.5;
    study_spec s = accepted(&o);
    assert_true(spec_cost(&s, 0, 0) == 17 && spec_cost(&s, 0, 1) == 27);
    assert_true(spec_cost(&s, 1, 0) == 37 && spec_cost(&s, 1, 1) == 67);
    assert_int_equal(spec_tau_max(&s), 30);
    assert_int_equal(spec_tau_level(&s, 10), 0);
    assert_int_equal(spec_tau_level(&s, 30), 1);
    assert_int_equal(spec_tau_level(&s, 20), -1);
    assert_int_equal(spec_reps_level(&s, 4), 1);
    assert_int_equal(spec_reps_level(&s, 3), -1);
}

static void test_enumerations_have_names(void **state) {
    (void)state;
    assert_string_equal(besd_direction_name(BESD_MINIMIZE), "minimize");
    assert_string_equal(besd_transform_name(BESD_TRANSFORM_LOG), "log");
    assert_string_equal(besd_method_name(BESD_METHOD_RANDOM), "random");
    assert_string_equal(besd_model_name(BESD_MODEL_PAPER), "paper");
    assert_string_equal(besd_trial_state_name(BESD_TRIAL_FAILED), "failed");
    assert_string_equal(besd_reason_name(BESD_REASON_RANDOM), "random");
    assert_null(besd_direction_name(2));
    assert_null(besd_transform_name(2));
    assert_null(besd_method_name(7));
    assert_string_equal(besd_model_name(BESD_MODEL_AVERAGED), "averaged");
    assert_null(besd_model_name(2));
    assert_string_equal(besd_instances_name(BESD_INSTANCES_FRESH), "fresh");
    assert_null(besd_instances_name(2));
    assert_null(besd_trial_state_name(5));
    assert_string_equal(besd_reason_name(BESD_REASON_CONFIRM), "confirm");
    assert_string_equal(besd_reason_name(BESD_REASON_LEGS), "legs");
    assert_string_equal(besd_reason_name(BESD_REASON_ADDED), "added");
    assert_string_equal(besd_reason_name(BESD_REASON_ENQUEUED), "enqueued");
    assert_string_equal(besd_reason_name(BESD_REASON_SOURCE), "source");
    assert_null(besd_reason_name(16));
    assert_string_equal(besd_stop_name(BESD_STOP_VALUE), "value");
    assert_null(besd_stop_name(4));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_given_values_stay),
        cmocka_unit_test(test_zero_is_zero),
        cmocka_unit_test(test_size_tells_what_is_known),
        cmocka_unit_test(test_levels_are_sorted_copies),
        cmocka_unit_test(test_bad_boxes),
        cmocka_unit_test(test_box_too_wide),
        cmocka_unit_test(test_names_stand_once),
        cmocka_unit_test(test_bad_levels),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_references_of_logarithms),
        cmocka_unit_test(test_ends_of_what_is_possible),
        cmocka_unit_test(test_bad_whole_numbers),
        cmocka_unit_test(test_infinite_costs),
        cmocka_unit_test(test_initial_reps_is_a_level),
        cmocka_unit_test(test_costs_and_levels),
        cmocka_unit_test(test_enumerations_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
