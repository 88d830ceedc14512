/* The description of a study: what is refused and how, what zero stands for, JSON and back. */
#include "study_fixture.h"

#include "study/spec.h"

#include <float.h>
#include <jansson.h>

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
        o.target_count = 0;
        study_spec s = accepted(&o);
        assert_int_equal(s.options.initial_designs, designs[d]);
        assert_int_equal(s.options.initial_reps, 2);
        assert_int_equal(s.options.target_count, 1000);
        assert_int_equal(s.options.model, BESD_MODEL_PAPER);
        assert_true(s.options.interaction_price == 1);
        assert_true(s.options.setup_cost == 0 && s.options.budget == 0);
        assert_int_equal(s.options.direction, BESD_MAXIMIZE);
        assert_int_equal(s.options.transform, BESD_TRANSFORM_NONE);
        assert_int_equal(s.options.method, BESD_METHOD_BESD);
        for (size_t i = 0; i < d; i++) {
            char name[BESD_MAX_NAME];
            snprintf(name, sizeof name, "theta%zu", i);
            assert_string_equal(s.name_text[i], name);
            assert_string_equal(s.unit_text[i], "");
        }
    }
}

/* What is not zero stays as it is. */
static void test_given_values_stay(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 12);
    o.model = BESD_MODEL_PAPER;
    o.initial_designs = 3;
    o.initial_reps = 4;
    o.target_count = 61;
    o.interaction_price = 0.25;
    study_spec s = accepted(&o);
    assert_int_equal(s.options.model, BESD_MODEL_PAPER);
    assert_int_equal(s.options.initial_designs, 3);
    assert_int_equal(s.options.initial_reps, 4);
    assert_int_equal(s.options.target_count, 61);
    assert_true(s.options.interaction_price == 0.25);
}

/* Levels come in any order and are kept in increasing order; the caller's arrays are left alone. */
static void test_levels_are_sorted_copies(void **state) {
    (void)state;
    int64_t taus[] = {30, 10, 20};
    int reps[] = {9, 1};
    double low[] = {-1}, high[] = {1};
    char text[] = "gain";
    const char *names[] = {text};
    besd_study_options o = {.dimension = 1,
                            .low = low,
                            .high = high,
                            .names = names,
                            .taus = taus,
                            .tau_count = 3,
                            .reps = reps,
                            .reps_count = 2};
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
    const besd_study_options base = small_options(1, 0);
    const struct {
        const char *field;
        size_t offset;
        double low, high;
    } doubles[] = {
        {"budget", offsetof(besd_study_options, budget), 0, 1e300},
        {"setup_cost", offsetof(besd_study_options, setup_cost), 0, 1e300},
        {"interaction_price", offsetof(besd_study_options, interaction_price), 0, 1e300},
        {"stop_below", offsetof(besd_study_options, stop_below), 0, 1e300},
        {"tau_max_share", offsetof(besd_study_options, tau_max_share), 0, 1},
    };
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        besd_study_options o = base;
        double *value = (double *)((char *)&o + doubles[i].offset);
        const double bad[] = {-1, -1e-300, -INFINITY, NAN, INFINITY, 2 * doubles[i].high};
        for (size_t j = 0; j < sizeof bad / sizeof *bad; j++) {
            char got[48], range[48];
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
    const struct {
        const char *field;
        size_t offset;
        int low, high;
        const char *range;
    } integers[] = {
        {"direction", offsetof(besd_study_options, direction), 0, 1, "[0, 1]"},
        {"transform", offsetof(besd_study_options, transform), 0, 1, "[0, 1]"},
        {"method", offsetof(besd_study_options, method), 0, 6, "[0, 6]"},
        {"model", offsetof(besd_study_options, model), 0, 3, "[0, 3]"},
        {"initial_designs", offsetof(besd_study_options, initial_designs), 0, 10000, "[0, 10000]"},
        {"target_count", offsetof(besd_study_options, target_count), 0, 20000, "[0, 20000]"},
    };
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        besd_study_options o = base;
        int value = integers[i].high + 1;
        char *place = (char *)&o + integers[i].offset, got[32];
        memcpy(place, &value, sizeof value);
        snprintf(got, sizeof got, "got %d", value);
        refused(&o, integers[i].field, got, integers[i].range);
        value = integers[i].low - 1;
        memcpy(place, &value, sizeof value);
        refused(&o, integers[i].field, "got", integers[i].range);
        value = integers[i].high;
        memcpy(place, &value, sizeof value);
        accepted(&o);
    }
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
    const int bad[] = {1, 3, 5, -2};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char got[16];
        o.initial_reps = bad[i];
        snprintf(got, sizeof got, "got %d", bad[i]);
        refused(&o, "initial_reps", got, "reps");
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

/* Every field with a value that only an exact round trip keeps. */
static besd_study_options awkward_options(void) {
    static const double low[] = {-0.1, -1e-300, 1}, high[] = {1.0 / 3, 5e-324, 1 + DBL_EPSILON};
    static const char *const names[] = {"speed \"v\"", "\xce\xb8\\n", "\t"};
    static const char *const units[] = {"m/s", NULL, "\xc2\xb5m"};
    static const int64_t taus[] = {1, INT64_MAX, (1LL << 53) + 1};
    static const int reps[] = {BESD_MAX_REPS, 1};
    return (besd_study_options){.dimension = 3,
                                .low = low,
                                .high = high,
                                .names = names,
                                .units = units,
                                .taus = taus,
                                .tau_count = 3,
                                .reps = reps,
                                .reps_count = 2,
                                .direction = BESD_MINIMIZE,
                                .transform = BESD_TRANSFORM_LOG,
                                .method = BESD_METHOD_RANDOM,
                                .model = BESD_MODEL_PAPER,
                                .seed = INT64_MAX,
                                .budget = 0.1 + 0.2,
                                .setup_cost = 1.0 / 3,
                                .interaction_price = 1e-17,
                                .initial_designs = 17,
                                .initial_reps = BESD_MAX_REPS,
                                .target_count = 1,
                                .discrete = true,
                                .initial_crossed = true,
                                .mean_of_all = true,
                                .explore = 1.0 / 7,
                                .caution = 1.0 / 9,
                                .stop_below = 1e-200,
                                .tau_max_share = 2.0 / 3};
}

static void assert_same_spec(const study_spec *a, const study_spec *b) {
    const besd_study_options *x = &a->options, *y = &b->options;
    assert_int_equal(x->dimension, y->dimension);
    assert_memory_equal(a->low, b->low, sizeof a->low);
    assert_memory_equal(a->high, b->high, sizeof a->high);
    assert_memory_equal(a->name_text, b->name_text, sizeof a->name_text);
    assert_memory_equal(a->unit_text, b->unit_text, sizeof a->unit_text);
    assert_int_equal(x->tau_count, y->tau_count);
    assert_memory_equal(a->taus, b->taus, sizeof a->taus);
    assert_int_equal(x->reps_count, y->reps_count);
    assert_memory_equal(a->reps, b->reps, sizeof a->reps);
    assert_int_equal(x->direction, y->direction);
    assert_int_equal(x->transform, y->transform);
    assert_int_equal(x->method, y->method);
    assert_int_equal(x->model, y->model);
    assert_true(x->seed == y->seed);
    assert_true(x->budget == y->budget && x->setup_cost == y->setup_cost);
    assert_true(x->interaction_price == y->interaction_price);
    assert_int_equal(x->initial_designs, y->initial_designs);
    assert_int_equal(x->initial_reps, y->initial_reps);
    assert_int_equal(x->target_count, y->target_count);
    assert_int_equal(x->discrete, y->discrete);
    assert_int_equal(x->initial_crossed, y->initial_crossed);
    assert_int_equal(x->mean_of_all, y->mean_of_all);
    assert_true(x->explore == y->explore && x->caution == y->caution);
    assert_true(x->stop_below == y->stop_below && x->tau_max_share == y->tau_max_share);
}

static void test_round_trip(void **state) {
    (void)state;
    const besd_study_options given[] = {small_options(1, 0), small_options(BESD_MAX_DIMENSION, 3),
                                        awkward_options()};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        study_spec written, read;
        char *text = NULL, *again = NULL;
        assert_ok(spec_init(&written, &given[i], &error), &error);
        assert_ok(spec_write(&written, &text, &error), &error);
        assert_ok(spec_read(&read, text, &error), &error);
        assert_same_spec(&written, &read);
        assert_int_equal(read.options.mean_of_all, given[i].mean_of_all);
        assert_ptr_equal(read.options.low, read.low);
        assert_ptr_equal(read.options.names[0], read.name_text[0]);
        assert_ok(spec_write(&read, &again, &error), &error);
        assert_string_equal(text, again);
        free(text);
        free(again);
    }
}

static int allocations_left;

static void *allocate(size_t size) {
    return allocations_left-- > 0 ? malloc(size) : NULL;
}

/* Out of memory, however early or late, there is no description rather than part of one. */
static void test_no_memory_no_half_description(void **state) {
    besd_study_options o = awkward_options();
    study_spec s = accepted(&o);
    char *whole = NULL, *text = NULL;
    (void)state;
    assert_ok(spec_write(&s, &whole, &error), &error);
    int enough = 0;
    for (besd_status status = BESD_MEMORY; status != BESD_OK; enough++) {
        assert_true(enough < 10000);
        allocations_left = enough;
        json_set_alloc_funcs(allocate, free);
        status = spec_write(&s, &text, &error);
        json_set_alloc_funcs(malloc, free);
        assert_true(status == BESD_OK || status == BESD_MEMORY);
    }
    assert_true(enough > 50);
    assert_string_equal(text, whole);
    free(text);
    free(whole);
}

/* Names that JSON cannot hold, or that the 63 bytes of a name cut in the middle of a letter:
 * refused at the door, or kept; a coordinate must never get lost on the way to the file. */
static void test_odd_names_lose_nothing(void **state) {
    (void)state;
    char cut[BESD_MAX_NAME + 1];
    memset(cut, 'a', BESD_MAX_NAME - 2);
    memcpy(cut + BESD_MAX_NAME - 2, "\xc3\xa9", 3);
    const char *const odd[] = {"\xff", "caf\xe9", "\xed\xa0\x80", cut};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        const char *names[] = {"first", odd[i]}, *units[] = {odd[i], "m"};
        for (int as_unit = 0; as_unit < 2; as_unit++) {
            besd_study_options o = small_options(2, 0);
            study_spec written, read;
            char *text = NULL;
            o.names = as_unit ? NULL : names;
            o.units = as_unit ? units : NULL;
            if (spec_init(&written, &o, &error) != BESD_OK)
                continue;
            assert_ok(spec_write(&written, &text, &error), &error);
            assert_ok(spec_read(&read, text, &error), &error);
            free(text);
            assert_same_spec(&written, &read);
        }
    }
}

static json_t *written(const besd_study_options *o) {
    study_spec s;
    char *text = NULL;
    assert_ok(spec_init(&s, o, &error), &error);
    assert_ok(spec_write(&s, &text, &error), &error);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    free(text);
    return json;
}

static besd_status read_back(json_t *json) {
    study_spec s;
    char *text = json_dumps(json, 0);
    assert_non_null(text);
    error.message[0] = '\0';
    besd_status status = spec_read(&s, text, &error);
    free(text);
    return status;
}

/* Every key is needed but one, with the right type. */
static void test_missing_and_mistyped_keys(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 0);
    json_t *json = written(&o), *value;
    const char *key;
    size_t keys = json_object_size(json);
    assert_int_equal(keys, 21);
    assert_int_equal(read_back(json), BESD_OK);
    json_t *original = json_deep_copy(json);
    json_object_foreach(original, key, value) {
        json_object_del(json, key);
        if (!strcmp(key, "mean_of_all")) /* younger than the first files */
            assert_int_equal(read_back(json), BESD_OK);
        else
            assert_fails(read_back(json), BESD_IO, &error, "damaged");
        json_object_set_new(json, key, json_null());
        assert_true(read_back(json) < 0);
        assert_true(strlen(error.message) > 0);
        json_object_set(json, key, value);
    }
    assert_int_equal(read_back(json), BESD_OK);
    json_decref(original);
    json_decref(json);
}

/* Numbers in a damaged description go through the same door as the caller's. */
static void test_damaged_values(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 0);
    const struct {
        const char *key, *value;
    } damage[] = {
        {"theta", "[]"},
        {"theta", "{}"},
        {"theta", "[1]"},
        {"theta", "[{\"name\":\"x\",\"unit\":\"\",\"low\":1,\"high\":0}]"},
        {"theta", "[{\"name\":\"x\",\"unit\":\"\",\"low\":-5}]"},
        {"theta", "[{\"name\":\"x\",\"unit\":\"\",\"low\":\"-5\",\"high\":3}]"},
        {"tau", "[]"},
        {"tau", "[10, 10]"},
        {"tau", "[10, \"30\"]"},
        {"tau", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]"},
        {"reps", "[0]"},
        {"reps", "[4294967298]"},
        {"reps", "7"},
        {"direction", "\"up\""},
        {"transform", "\"LOG\""},
        {"method", "\"\""},
        {"model", "\"besd\""},
        {"budget", "-1"},
        {"initial_reps", "3"},
        {"initial_designs", "100000000"},
        {"target_count", "-1"},
        {"tau_max_share", "1.5"},
        {"seed", "0.5"},
    };
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        json_t *json = written(&o), *value = json_loads(damage[i].value, JSON_DECODE_ANY, NULL);
        assert_non_null(value);
        json_object_set_new(json, damage[i].key, value);
        besd_status status = read_back(json);
        if (status >= 0 || !error.message[0])
            fail_msg("%s: %s was read as if it were right", damage[i].key, damage[i].value);
        json_decref(json);
    }
}

/* No prefix of a description passes for one. */
static void test_cut_text(void **state) {
    (void)state;
    besd_study_options o = awkward_options();
    study_spec s, read;
    char *text = NULL;
    assert_ok(spec_init(&s, &o, &error), &error);
    assert_ok(spec_write(&s, &text, &error), &error);
    for (size_t length = strlen(text); length-- > 0;) {
        text[length] = '\0';
        assert_fails(spec_read(&read, text, &error), BESD_IO, &error, "damaged");
    }
    free(text);
}

/* A change of one field is named, with both values; the order of levels does not matter. */
static void test_compare_names_the_difference(void **state) {
    (void)state;
    const besd_study_options base = small_options(2, 5);
    static const double low[] = {0, 1}, high[] = {10, 11};
    static const char *const names[] = {"theta0", "y"}, *const units[] = {"m", ""};
    static const int64_t taus[] = {10, 31}, swapped_taus[] = {30, 10};
    static const int reps[] = {1, 4}, swapped_reps[] = {4, 2};
    besd_study_options changed[25];
    const char *field[25], *was[25], *is[25];
    size_t n = 0;
#define CHANGE(name, member, value, from, to)                                                      \
    do {                                                                                           \
        changed[n] = base;                                                                         \
        changed[n].member = (value);                                                               \
        field[n] = name ":";                                                                       \
        was[n] = from;                                                                             \
        is[n++] = to;                                                                              \
    } while (0)
    CHANGE("theta", dimension, 1, "2 coordinates", "1");
    CHANGE("theta", low, low, "[0, 10]", "[1, 10]");
    CHANGE("theta", high, high, "[0, 10]", "[0, 11]");
    CHANGE("theta", names, names, "'theta1'", "'y'");
    CHANGE("theta", units, units, "unit ''", "'m'");
    CHANGE("tau", taus, taus, "[10,30]", "[10,31]");
    CHANGE("tau", tau_count, 1, "[10,30]", "[10]");
    CHANGE("initial_reps", initial_reps, 4, "2", "4");
    CHANGE("direction", direction, BESD_MINIMIZE, "maximize", "minimize");
    CHANGE("transform", transform, BESD_TRANSFORM_LOG, "none", "log");
    CHANGE("method", method, BESD_METHOD_RANDOM, "besd", "random");
    CHANGE("model", model, BESD_MODEL_EXTENDED, "paper", "extended");
    CHANGE("model", model, BESD_MODEL_NOISE, "paper", "noise");
    CHANGE("seed", seed, 6, "5", "6");
    CHANGE("setup_cost", setup_cost, 2, "0.0", "2.0");
    CHANGE("interaction_price", interaction_price, 2, "1.0", "2.0");
    CHANGE("initial_designs", initial_designs, 6, "5", "6");
    CHANGE("target_count", target_count, 61, "60", "61");
    CHANGE("discrete", discrete, true, "false", "true");
    CHANGE("stop_below", stop_below, 0.5, "0.0", "0.5");
    CHANGE("tau_max_share", tau_max_share, 0.5, "0.0", "0.5");
    CHANGE("caution", caution, 2, "1.0", "2.0");
    CHANGE("explore", explore, 0.5, "0.25", "0.5");
    CHANGE("initial_crossed", initial_crossed, true, "false", "true");
    CHANGE("mean_of_all", mean_of_all, true, "false", "true");
#undef CHANGE
    study_spec stored, given;
    assert_ok(spec_init(&stored, &base, &error), &error);
    for (size_t i = 0; i < n; i++) {
        assert_ok(spec_init(&given, &changed[i], &error), &error);
        assert_fails(spec_compare(&stored, &given, &error), BESD_INVALID, &error, field[i]);
        assert_int_equal(strncmp(error.message, field[i], strlen(field[i])), 0);
        char *middle = strstr(error.message, ", got ");
        assert_non_null(middle);
        assert_non_null(strstr(middle, is[i]));
        *middle = '\0';
        assert_non_null(strstr(error.message, was[i]));
    }
    besd_study_options o = base;
    o.reps = reps;
    assert_ok(spec_init(&given, &o, &error), &error);
    assert_fails(spec_compare(&stored, &given, &error), BESD_INVALID, &error, "reps:");

    o = base;
    o.taus = swapped_taus;
    o.reps = swapped_reps;
    o.budget = 123;
    o.model = BESD_MODEL_PAPER;
    o.initial_designs = 5;
    o.interaction_price = 1;
    assert_ok(spec_init(&given, &o, &error), &error);
    assert_ok(spec_compare(&stored, &given, &error), &error);
}

/* Of several differences the first in the order of the description, space before numbers. */
static void test_compare_names_the_first(void **state) {
    (void)state;
    besd_study_options o = small_options(1, 1), other = small_options(2, 2);
    study_spec stored, given;
    assert_ok(spec_init(&stored, &o, &error), &error);
    assert_ok(spec_init(&given, &other, &error), &error);
    assert_fails(spec_compare(&stored, &given, &error), BESD_INVALID, &error, "theta:");
    other.dimension = 1;
    other.stop_below = 1;
    assert_ok(spec_init(&given, &other, &error), &error);
    assert_fails(spec_compare(&stored, &given, &error), BESD_INVALID, &error, "seed:");
}

/* A difference too long for a message is cut, not overrun. */
static void test_compare_long_spaces(void **state) {
    (void)state;
    besd_study_options o = small_options(BESD_MAX_DIMENSION, 1), other = small_options(63, 1);
    study_spec stored, given;
    assert_ok(spec_init(&stored, &o, &error), &error);
    assert_ok(spec_init(&given, &other, &error), &error);
    assert_fails(spec_compare(&stored, &given, &error), BESD_INVALID, &error, "theta:");
    assert_true(strlen(error.message) < BESD_ERROR_MESSAGE_SIZE);
    assert_int_equal(spec_compare(&stored, &given, NULL), BESD_INVALID);
}

static void test_enumerations_have_names(void **state) {
    (void)state;
    assert_string_equal(besd_direction_name(BESD_MINIMIZE), "minimize");
    assert_string_equal(besd_transform_name(BESD_TRANSFORM_LOG), "log");
    assert_string_equal(besd_method_name(BESD_METHOD_RANDOM), "random");
    assert_string_equal(besd_model_name(BESD_MODEL_EXTENDED), "extended");
    assert_string_equal(besd_trial_state_name(BESD_TRIAL_FAILED), "failed");
    assert_string_equal(besd_reason_name(BESD_REASON_RANDOM), "random");
    assert_null(besd_direction_name(2));
    assert_null(besd_transform_name(2));
    assert_null(besd_method_name(7));
    assert_string_equal(besd_model_name(BESD_MODEL_NOISE), "noise");
    assert_null(besd_model_name(4));
    assert_null(besd_trial_state_name(3));
    assert_null(besd_reason_name(11));
    assert_string_equal(besd_stop_name(BESD_STOP_VALUE), "value");
    assert_null(besd_stop_name(4));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_given_values_stay),
        cmocka_unit_test(test_levels_are_sorted_copies),
        cmocka_unit_test(test_bad_boxes),
        cmocka_unit_test(test_box_too_wide),
        cmocka_unit_test(test_names_stand_once),
        cmocka_unit_test(test_bad_levels),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_infinite_costs),
        cmocka_unit_test(test_initial_reps_is_a_level),
        cmocka_unit_test(test_costs_and_levels),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_no_memory_no_half_description),
        cmocka_unit_test(test_odd_names_lose_nothing),
        cmocka_unit_test(test_missing_and_mistyped_keys),
        cmocka_unit_test(test_damaged_values),
        cmocka_unit_test(test_cut_text),
        cmocka_unit_test(test_compare_names_the_difference),
        cmocka_unit_test(test_compare_names_the_first),
        cmocka_unit_test(test_compare_long_spaces),
        cmocka_unit_test(test_enumerations_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
