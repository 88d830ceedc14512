/* The description of a study as JSON and back, and how two of them differ. */
#include "study_fixture.h"

#include "study/spec.h"

#include <float.h>
#include <jansson.h>

static besd_error error;

/* Every field with a value that only an exact round trip keeps. */
static besd_study_options awkward_options(void) {
    static const double low[] = {-0.1, -1e-300, 1}, high[] = {1.0 / 3, 5e-324, 1 + DBL_EPSILON};
    static const char *const names[] = {"speed \"v\"", "\xce\xb8\\n", "\t"};
    static const char *const units[] = {"m/s", NULL, "\xc2\xb5m"};
    static const int64_t taus[] = {1, INT64_MAX, (1LL << 53) + 1};
    static const int reps[] = {BESD_MAX_REPS, 1};
    besd_study_options o = {.size = sizeof o,
                            .dimension = 3,
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
                            .model = BESD_MODEL_AVERAGED,
                            .seed = INT64_MAX,
                            .budget = 0.1 + 0.2,
                            .setup_cost = 1.0 / 3,
                            .interaction_price = 1e-17,
                            .initial_designs = 17,
                            .initial_reps = BESD_MAX_REPS,
                            .targets = 1,
                            .discrete = true,
                            .initial_crossed = true,
                            .mean_of_all = true,
                            .explore = 1.0 / 7,
                            .caution = 1.0 / 9,
                            .stop_below = 1e-200,
                            .tau_max_share = 2.0 / 3,
                            .search_until = 1.0 / 11,
                            .instances = BESD_INSTANCES_FRESH,
                            .draws = 16,
                            .confirm = 1.0 / 13,
                            .best_possible = 1.0 / 17,
                            .baseline = 1.0 / 19,
                            .baseline_cost = 1.0 / 23,
                            .baseline_error = 1.0 / 31,
                            .worst_possible = INFINITY, /* which depends on the direction */
                            .initial_share = 1.0 / 29};
    return o;
}

/* All but the budget, which is kept elsewhere. */
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
    assert_true(x->setup_cost == y->setup_cost);
    assert_true(x->interaction_price == y->interaction_price);
    assert_int_equal(x->initial_designs, y->initial_designs);
    assert_int_equal(x->initial_reps, y->initial_reps);
    assert_int_equal(x->targets, y->targets);
    assert_int_equal(x->discrete, y->discrete);
    assert_int_equal(x->initial_crossed, y->initial_crossed);
    assert_int_equal(x->mean_of_all, y->mean_of_all);
    assert_true(x->explore == y->explore && x->caution == y->caution);
    assert_true(x->stop_below == y->stop_below && x->tau_max_share == y->tau_max_share);
    assert_true(x->search_until == y->search_until && x->confirm == y->confirm);
    assert_true(x->best_possible == y->best_possible && x->baseline == y->baseline);
    assert_true(x->baseline_cost == y->baseline_cost && x->initial_share == y->initial_share);
    assert_true(x->baseline_error == y->baseline_error && x->legs == y->legs);
    assert_true(x->worst_possible == y->worst_possible);
    assert_int_equal(x->instances, y->instances);
    assert_int_equal(x->draws, y->draws);
}

static void test_round_trip(void **state) {
    (void)state;
    besd_study_options given[] = {small_options(1, 0), small_options(BESD_MAX_DIMENSION, 3),
                                  awkward_options()};
    given[0].worst_possible = -1.0 / 37;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        study_spec written, read;
        char *text = NULL, *again = NULL;
        assert_ok(spec_init(&written, &given[i], &error), &error);
        assert_ok(spec_write(&written, &text, &error), &error);
        assert_ok(spec_read(&read, text, &error), &error);
        assert_same_spec(&written, &read);
        assert_int_equal(read.options.mean_of_all, given[i].mean_of_all);
        assert_null(strstr(text, "budget"));
        assert_true(read.options.budget == INFINITY);
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
    study_spec s;
    char *whole = NULL, *text = NULL;
    (void)state;
    assert_ok(spec_init(&s, &o, &error), &error);
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

static besd_status read_into(study_spec *s, const json_t *json) {
    char *text = json_dumps(json, 0);
    assert_non_null(text);
    error.message[0] = '\0';
    besd_status status = spec_read(s, text, &error);
    free(text);
    return status;
}

static besd_status read_back(const json_t *json) {
    study_spec s;
    return read_into(&s, json);
}

/* The space and the levers are needed; an option that is not there, because it is younger than the
 * file, is as it is initially. All have the right type. */
static void test_missing_and_mistyped_keys(void **state) {
    (void)state;
    const besd_study_options o = awkward_options(), initially = besd_study_options_default();
    json_t *json = written(&o), *value;
    const char *key;
    size_t keys = json_object_size(json), needed = 0;
    assert_int_equal(keys, 3 + STUDY_OPTIONS - 1);
    assert_int_equal(keys, 31);
    assert_int_equal(read_back(json), BESD_OK);
    json_t *original = json_deep_copy(json);
    json_object_foreach(original, key, value) {
        const study_option *option = study_option_find(key);
        json_object_del(json, key);
        if (option) {
            besd_study_options without = o;
            study_spec expected, read;
            study_option_copy(option, &initially, &without);
            assert_ok(spec_init(&expected, &without, &error), &error);
            assert_ok(read_into(&read, json), &error);
            assert_same_spec(&expected, &read);
        } else {
            assert_fails(read_back(json), BESD_IO, &error, "damaged");
            needed++;
        }
        json_object_set_new(json, key, json_null());
        bool nullable = option && isinf(option->high); /* null is how JSON says infinity */
        assert_int_equal(read_back(json) < 0, !nullable);
        assert_true(nullable || strlen(error.message) > 0);
        json_object_set_new(json, key, json_object());
        assert_fails(read_back(json), BESD_IO, &error, "damaged");
        json_object_set(json, key, value);
    }
    assert_int_equal(needed, 3);
    assert_int_equal(read_back(json), BESD_OK);
    json_decref(original);
    json_decref(json);
}

/* A file of an older besd has the old name of an option; it is written with the new one. */
static void test_renamed_option(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 5);
    o.search_until = 0.375;
    json_t *json = written(&o);
    json_object_set(json, "explore_until", json_object_get(json, "search_until"));
    json_object_del(json, "search_until");
    char *text = json_dumps(json, 0), *again;
    study_spec back;
    assert_ok(spec_read(&back, text, &error), &error);
    assert_true(back.options.search_until == 0.375);
    assert_ok(spec_write(&back, &again, &error), &error);
    assert_non_null(strstr(again, "\"search_until\":0.375"));
    assert_null(strstr(again, "explore_until"));
    json_object_set_new(json, "explore_until", json_real(2));
    assert_fails(read_back(json), BESD_IO, &error, "damaged: search_until: expected a number in");
    free(text);
    free(again);
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
        {"initial_reps", "0"},
        {"initial_designs", "-2"},
        {"initial_designs", "1e2"},
        {"targets", "-1"},
        {"targets", "0"},
        {"targets", "4294967298"},
        {"explore", "-1"},
        {"caution", "-1"},
        {"search_until", "2"},
        {"confirm", "-0.5"},
        {"draws", "0"},
        {"draws", "17"},
        {"instances", "\"new\""},
        {"discrete", "1"},
        {"mean_of_all", "\"true\""},
        {"seed", "-1"},
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

static void assert_difference(const besd_study_options *base, const besd_study_options *changed,
                              const char *field, const char *was, const char *is) {
    study_spec stored, given;
    assert_ok(spec_init(&stored, base, &error), &error);
    assert_ok(spec_init(&given, changed, &error), &error);
    assert_fails(spec_compare(&stored, &given, &error), BESD_INVALID, &error, field);
    assert_int_equal(strncmp(error.message, field, strlen(field)), 0);
    char *middle = strstr(error.message, ", got ");
    assert_non_null(middle);
    assert_non_null(strstr(middle, is));
    *middle = '\0';
    assert_non_null(strstr(error.message, was));
}

/* A change of one field is named, with both values; the order of levels does not matter. */
static void test_compare_names_the_difference(void **state) {
    (void)state;
    const besd_study_options base = small_options(2, 5);
    static const double low[] = {0, 1}, high[] = {10, 11};
    static const char *const names[] = {"theta0", "y"}, *const units[] = {"m", ""};
    static const int64_t taus[] = {10, 31};
    besd_study_options changed[32];
    const char *field[32], *was[32], *is[32];
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
    CHANGE("model", model, BESD_MODEL_AVERAGED, "paper", "averaged");
    CHANGE("instances", instances, BESD_INSTANCES_FRESH, "shared", "fresh");
    CHANGE("draws", draws, 5, "6", "5");
    CHANGE("confirm", confirm, 0.5, "0.12", "0.5");
    CHANGE("initial_share", initial_share, 0.5, "0.25", "0.5");
    CHANGE("baseline", baseline, 40, "null", "40");
    CHANGE("seed", seed, 6, "5", "6");
    CHANGE("setup_cost", setup_cost, 2, "0.0", "2.0");
    CHANGE("interaction_price", interaction_price, 2, "1.0", "2.0");
    CHANGE("initial_designs", initial_designs, 6, "5", "6");
    CHANGE("targets", targets, 61, "60", "61");
    CHANGE("discrete", discrete, true, "false", "true");
    CHANGE("stop_below", stop_below, 0.5, "0.0", "0.5");
    CHANGE("tau_max_share", tau_max_share, 0.5, "0.0", "0.5");
    CHANGE("caution", caution, 2, "1.0", "2.0");
    CHANGE("explore", explore, 0.5, "0.25", "0.5");
    CHANGE("initial_crossed", initial_crossed, true, "false", "true");
    CHANGE("mean_of_all", mean_of_all, true, "false", "true");
    CHANGE("search_until", search_until, 0.5, "0.6666666666666666", "0.5");
#undef CHANGE
    for (size_t i = 0; i < n; i++)
        assert_difference(&base, &changed[i], field[i], was[i], is[i]);
}

/* The order of levels is no difference, a budget is none, and neither is what is said again. */
static void test_compare_sees_no_difference(void **state) {
    (void)state;
    const besd_study_options base = small_options(2, 5);
    static const int64_t swapped_taus[] = {30, 10};
    static const int reps[] = {1, 4}, swapped_reps[] = {4, 2};
    study_spec stored, given;
    assert_ok(spec_init(&stored, &base, &error), &error);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_no_memory_no_half_description),
        cmocka_unit_test(test_odd_names_lose_nothing),
        cmocka_unit_test(test_missing_and_mistyped_keys),
        cmocka_unit_test(test_renamed_option),
        cmocka_unit_test(test_damaged_values),
        cmocka_unit_test(test_cut_text),
        cmocka_unit_test(test_compare_names_the_difference),
        cmocka_unit_test(test_compare_sees_no_difference),
        cmocka_unit_test(test_compare_names_the_first),
        cmocka_unit_test(test_compare_long_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
