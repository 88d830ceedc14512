/* The table of options against the struct it describes: layout, initial values, words, JSON, ranges
 * and whose they are; and programs that know fewer or more of them. */
#include "study_fixture.h"

#include "study/options.h"
#include "study/spec.h"

#include <limits.h>

static besd_error error;

static const study_option *option_of(const char *name) {
    const study_option *option = study_option_find(name);
    assert_non_null(option);
    return option;
}

static size_t size_of(const study_option *option) {
    static const size_t sizes[] = {[STUDY_OPTION_CHOICE] = sizeof(int),
                                   [STUDY_OPTION_NUMBER] = sizeof(double),
                                   [STUDY_OPTION_COUNT] = sizeof(int),
                                   [STUDY_OPTION_SEED] = sizeof(uint64_t),
                                   [STUDY_OPTION_SWITCH] = sizeof(bool)};
    return sizes[option->kind];
}

static bool same_member(const study_option *option, const besd_study_options *a,
                        const besd_study_options *b) {
    return !memcmp((const char *)a + option->offset, (const char *)b + option->offset,
                   size_of(option));
}

/* From the last lever to the end every byte is an option's or what alignment takes. Nothing is left
 * over at the end: what an old program has there would be a part of the first new member. */
static void test_table_is_the_struct(void **state) {
    (void)state;
    size_t end = offsetof(besd_study_options, reps_count) + sizeof(size_t);
    for (size_t i = 0; i < STUDY_OPTIONS; i++) {
        const study_option *option = &study_options[i];
        size_t size = size_of(option); /* which is its alignment, too */
        size_t expected = (end + size - 1) / size * size;
        if (option->offset != expected)
            fail_msg("%s: expected at byte %zu, is at %zu", option->name, expected, option->offset);
        end = option->offset + size;
        assert_ptr_equal(study_option_find(option->name), option);
        assert_true(option->help[0] && (option->kind == STUDY_OPTION_CHOICE) == !!option->names);
    }
    assert_int_equal(end, sizeof(besd_study_options));
    assert_null(study_option_find("dimension"));
    assert_null(study_option_find("Budget"));
}

/* A changed default changes every study that is made from then on: it is changed here as well. */
static void test_initial_values(void **state) {
    (void)state;
    static const char *const expected[][2] = {{"direction", "maximize"},
                                              {"transform", "none"},
                                              {"method", "besd"},
                                              {"model", "averaged"},
                                              {"seed", "0"},
                                              {"budget", "none"},
                                              {"setup_cost", "0"},
                                              {"interaction_price", "1"},
                                              {"initial_designs", "automatic"},
                                              {"initial_reps", "automatic"},
                                              {"targets", "1000"},
                                              {"discrete", "false"},
                                              {"initial_crossed", "false"},
                                              {"mean_of_all", "false"},
                                              {"stop_below", "0"},
                                              {"tau_max_share", "0"},
                                              {"explore", "0.25"},
                                              {"caution", "1"},
                                              {"search_until", "0.666666666667"},
                                              {"instances", "shared"},
                                              {"draws", "6"},
                                              {"confirm", "0.12"},
                                              {"best_possible", "none"},
                                              {"baseline", "none"},
                                              {"baseline_cost", "0"},
                                              {"initial_share", "0.25"},
                                              {"legs", "0.5"},
                                              {"baseline_error", "0"},
                                              {"worst_possible", "none"}};
    assert_int_equal(sizeof expected / sizeof *expected, STUDY_OPTIONS); /* none is left out */
    besd_study_options o = besd_study_options_default();
    assert_int_equal(o.size, sizeof o);
    assert_true(!o.dimension && !o.low && !o.high && !o.names && !o.units && !o.taus && !o.reps);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char text[64];
        study_option_print(option_of(expected[i][0]), &o, text, sizeof text);
        assert_string_equal(text, expected[i][1]);
    }
    for (size_t i = 0; i < STUDY_OPTIONS; i++)
        assert_ok(study_option_check(&study_options[i], &o, &error), &error);
}

/* Nothing is filled in for a zero; where it makes no sense it is refused. */
static void test_zero_is_zero(void **state) {
    (void)state;
    static const char *const allowed[] = {
        "seed",       "budget",        "setup_cost", "initial_designs", "discrete",
        "stop_below", "tau_max_share", "explore",    "caution",         "search_until"};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        const study_option *option = option_of(allowed[i]);
        besd_study_options o = small_options(2, 5), zero = {0};
        study_spec spec;
        study_option_copy(option, &zero, &o);
        assert_ok(spec_init(&spec, &o, &error), &error);
        assert_true(same_member(option, &spec.options, &zero));
    }
    static const char *const refused[] = {"targets", "initial_reps"};
    for (size_t i = 0; i < 2; i++) {
        besd_study_options o = small_options(2, 5), zero = {0};
        study_spec spec;
        study_option_copy(option_of(refused[i]), &zero, &o);
        assert_fails(spec_init(&spec, &o, &error), BESD_INVALID, &error, refused[i]);
    }
    besd_study_options o = small_options(2, 5);
    besd_trial t;
    o.budget = 0; /* pays for nothing */
    besd_study *s = new_study(&o);
    assert_fails(besd_study_ask(s, NULL, &t, &error), BESD_DONE, &error,
                 "the budget of 0 is spent");
    besd_study_close(s);
}

/* What is left automatic, written out: 2.5 designs per coordinate but at least 4; the fewest
 * replications, with other methods the most. */
static void test_automatic(void **state) {
    (void)state;
    const struct {
        size_t dimension;
        besd_method method;
        int designs, reps;
    } cases[] = {{1, BESD_METHOD_BESD, 4, 2},
                 {2, BESD_METHOD_EI, 5, 4},
                 {3, BESD_METHOD_LCB, 8, 4},
                 {4, BESD_METHOD_BESD, 10, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study_options o = small_options(cases[i].dimension, 5);
        study_spec spec;
        o.method = cases[i].method;
        assert_ok(spec_init(&spec, &o, &error), &error);
        assert_int_equal(spec.options.initial_designs, cases[i].designs);
        assert_int_equal(spec.options.initial_reps, cases[i].reps);
    }
}

/* word, how it is printed, how it looks as JSON; among them values that the default is not. */
static const char *const words[][4] = {
    {"direction", "minimize", "minimize", "\"minimize\""},
    {"direction", "maximize", "maximize", "\"maximize\""},
    {"transform", "log", "log", "\"log\""},
    {"method", "ei-paper", "ei-paper", "\"ei-paper\""},
    {"method", "hb", "hyperband", "\"hyperband\""},
    {"method", "hb-paper", "hyperband-paper", "\"hyperband-paper\""},
    {"method", "rnd", "random", "\"random\""},
    {"model", "paper", "paper", "\"paper\""},
    {"seed", "9223372036854775807", "9223372036854775807", "9223372036854775807"},
    {"seed", "17", "17", "17"},
    {"budget", "none", "none", "null"},
    {"budget", "None", "none", "null"},
    {"budget", "1.5e6", "1500000", "1500000.0"},
    {"budget", "0", "0", "0.0"},
    {"setup_cost", "0.1", "0.1", "0.1"},
    {"interaction_price", "2", "2", "2.0"},
    {"initial_designs", "automatic", "automatic", "-2147483648"},
    {"initial_designs", "AUTOMATIC", "automatic", "-2147483648"},
    {"initial_designs", "0", "0", "0"},
    {"initial_reps", "3", "3", "3"},
    {"targets", "20000", "20000", "20000"},
    {"discrete", "true", "true", "true"},
    {"discrete", "off", "false", "false"},
    {"initial_crossed", "Yes", "true", "true"},
    {"initial_crossed", "no", "false", "false"},
    {"mean_of_all", "ON", "true", "true"},
    {"mean_of_all", "false", "false", "false"},
    {"stop_below", "1e-7", "1e-07", "1e-7"},
    {"tau_max_share", "0.25", "0.25", "0.25"},
    {"explore", "1", "1", "1.0"},
    {"caution", "2.5", "2.5", "2.5"},
    {"search_until", "0.5", "0.5", "0.5"}};

/* A word becomes a value, the value a word and JSON, and both of them the value again. Members
 * begin as anything but that value, and no other member changes. */
static void test_round_trips(void **state) {
    (void)state;
    bool seen[STUDY_OPTIONS] = {false};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const study_option *option = option_of(words[i][0]);
        besd_study_options first, again, back, untouched;
        char text[64];
        memset(&first, 0x5a, sizeof first);
        again = back = untouched = first;
        seen[option - study_options] = true;
        assert_ok(study_option_parse(option, words[i][1], &first, &error), &error);
        assert_ok(study_option_check(option, &first, &error), &error);
        study_option_print(option, &first, text, sizeof text);
        assert_string_equal(text, words[i][2]);
        assert_ok(study_option_parse(option, text, &again, &error), &error);
        assert_true(same_member(option, &first, &again));
        json_t *json = study_option_to_json(option, &first);
        char *dump = json_dumps(json, JSON_ENCODE_ANY);
        json_t *expected = json_loads(words[i][3], JSON_DECODE_ANY, NULL);
        if (!json_equal(json, expected))
            fail_msg("%s: expected %s, got %s", words[i][0], words[i][3], dump);
        assert_true(study_option_from_json(option, json, &back));
        assert_true(same_member(option, &first, &back));
        study_option_copy(option, &untouched, &back);
        assert_memory_equal(&back, &untouched, sizeof back); /* nothing else was written */
        json_decref(expected);
        json_decref(json);
        free(dump);
    }
    for (size_t i = 0; i < STUDY_OPTIONS; i++)
        if (!seen[i] && i <= STUDY_OPTION_search_until)
            fail_msg("%s: has no round trip here", study_options[i].name);
}

/* What a study keeps of a number is the number, to the last bit. */
static void test_json_keeps_every_bit(void **state) {
    (void)state;
    const double numbers[] = {0.1 + 0.2, 1.0 / 3, 5e-324, 1e300, nextafter(1, 0)};
    const study_option *option = option_of("stop_below");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        besd_study_options o = small_options(1, 0);
        study_spec spec, back;
        char *text;
        o.stop_below = numbers[i];
        assert_ok(spec_init(&spec, &o, &error), &error);
        assert_ok(spec_write(&spec, &text, &error), &error);
        assert_ok(spec_read(&back, text, &error), &error);
        assert_true(same_member(option, &spec.options, &back.options));
        free(text);
    }
}

/* What is no value of its kind is refused where it is read, with the word and what was expected. */
static void test_wrong_words(void **state) {
    (void)state;
    static const char *const wrong[][3] = {
        {"direction", "maximise",
         "direction: expected one of maximize, minimize, got 'maximise', did you mean 'maximize'?"},
        {"direction", "up", "direction: expected one of maximize, minimize, got 'up'"},
        {"method", "beds", "got 'beds', did you mean 'besd'?"},
        {"method", "hyperbond", "did you mean 'hyperband'?"},
        {"model", "Averaged", "did you mean 'averaged'?"},
        {"model", "extended",
         "model: 'extended' is gone, because it was no better; expected one of "
         "paper, averaged"},
        {"model", "noise", "model: 'noise' is gone,"},
        {"transform", "noise", "transform: expected one of none, log, got 'noise'"},
        {"transform", "", "transform: expected one of none, log, got ''"},
        {"budget", "much", "budget: expected a number, got 'much'"},
        {"budget", "", "budget: expected a number, got ''"},
        {"budget", "3 apples", "budget: expected a number, got '3 apples'"},
        {"setup_cost", "none", "setup_cost: expected a number, got 'none'"},
        {"targets", "automatic", "targets: expected a whole number, got 'automatic'"},
        {"targets", "1e3", "targets: expected a whole number, got '1e3'"},
        {"targets", "", "targets: expected a whole number, got ''"},
        {"initial_designs", "2.5", "initial_designs: expected a whole number, got '2.5'"},
        {"seed", "-1", "seed: expected a whole number from 0 to 9223372036854775807, got '-1'"},
        {"seed", "9223372036854775808", "got '9223372036854775808'"},
        {"seed", "99999999999999999999", "got '99999999999999999999'"},
        {"seed", "1.0", "got '1.0'"},
        {"discrete", "1", "discrete: expected true or false, got '1'"},
        {"discrete", "", "discrete: expected true or false, got ''"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        besd_study_options o = besd_study_options_default();
        assert_fails(study_option_parse(option_of(wrong[i][0]), wrong[i][1], &o, &error),
                     BESD_INVALID, &error, wrong[i][2]);
    }
    besd_study_options o = besd_study_options_default();
    assert_int_equal(study_option_parse(option_of("direction"), "up", &o, &error), BESD_INVALID);
    assert_null(strstr(error.message, "did you mean")); /* nothing is near */
}

/* JSON of another type, or a whole number that does not fit. */
static void test_wrong_json(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"direction", "1"},          {"direction", "\"up\""},  {"method", "null"},
        {"budget", "\"1\""},         {"budget", "true"},       {"targets", "10.0"},
        {"targets", "2147483648"},   {"targets", "\"10\""},    {"targets", "-2147483649"},
        {"initial_designs", "null"}, {"seed", "1.5"},          {"seed", "\"7\""},
        {"discrete", "1"},           {"discrete", "\"true\""}, {"mean_of_all", "null"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        besd_study_options o = besd_study_options_default();
        json_t *json = json_loads(wrong[i][1], JSON_DECODE_ANY, NULL);
        assert_non_null(json);
        if (study_option_from_json(option_of(wrong[i][0]), json, &o))
            fail_msg("%s: %s was taken", wrong[i][0], wrong[i][1]);
        json_decref(json);
    }
}

/* What is written on the way to a check: the ends of ranges, and what lies beyond. A negative count
 * is out of range, not automatic; a number too long for an int is not another one. */
static void test_ranges(void **state) {
    (void)state;
    static const struct {
        const char *name, *word;
        bool allowed;
    } cases[] = {{"targets", "1", true},
                 {"targets", "0", false},
                 {"targets", "20000", true},
                 {"targets", "20001", false},
                 {"targets", "4294967297", false},
                 {"initial_designs", "10000", true},
                 {"initial_designs", "-1", false},
                 {"initial_designs", "-2147483648", false},
                 {"initial_designs", "10001", false},
                 {"initial_reps", "1", true},
                 {"initial_reps", "-1", false},
                 {"initial_reps", "4096", true},
                 {"initial_reps", "4097", false},
                 {"explore", "1", true},
                 {"explore", "1.0000001", false},
                 {"explore", "-0.1", false},
                 {"explore", "nan", false},
                 {"search_until", "1.1", false},
                 {"tau_max_share", "2", false},
                 {"caution", "100", true},
                 {"caution", "101", false},
                 {"budget", "inf", true},
                 {"budget", "-1", false},
                 {"budget", "nan", false},
                 {"setup_cost", "1e300", true},
                 {"setup_cost", "inf", false},
                 {"stop_below", "-1", false},
                 {"interaction_price", "-1", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        besd_study_options o = besd_study_options_default();
        const study_option *option = option_of(cases[i].name);
        besd_status status = study_option_parse(option, cases[i].word, &o, &error);
        if (status == BESD_OK)
            status = study_option_check(option, &o, &error);
        if ((status == BESD_OK) != cases[i].allowed)
            fail_msg("%s: %s is %s", cases[i].name, cases[i].word, status ? "refused" : "allowed");
        assert_true(cases[i].allowed || strstr(error.message, cases[i].name));
    }
    besd_study_options o = besd_study_options_default();
    o.seed = (uint64_t)INT64_MAX + 1;
    assert_fails(study_option_check(option_of("seed"), &o, &error), BESD_INVALID, &error,
                 "seed: expected 0 to 9223372036854775807, got 9223372036854775808");
    o.method = (besd_method)7;
    assert_fails(study_option_check(option_of("method"), &o, &error), BESD_INVALID, &error,
                 "method: expected a number in [0, 6], got 7");
}

/* A: all methods, S: those with an initial design, M: with a model, K: besd alone. */
static void test_whose_they_are(void **state) {
    (void)state;
    static const char *const users[][2] = {{"direction", "A"},
                                           {"transform", "A"},
                                           {"method", "A"},
                                           {"model", "M"},
                                           {"seed", "A"},
                                           {"budget", "A"},
                                           {"setup_cost", "A"},
                                           {"interaction_price", "A"},
                                           {"initial_designs", "S"},
                                           {"initial_reps", "S"},
                                           {"targets", "M"},
                                           {"discrete", "M"},
                                           {"initial_crossed", "K"},
                                           {"mean_of_all", "M"},
                                           {"stop_below", "K"},
                                           {"tau_max_share", "K"},
                                           {"explore", "K"},
                                           {"caution", "M"},
                                           {"search_until", "K"}};
    static const char *const groups[] = {
        [BESD_METHOD_BESD] = "ASMK",        [BESD_METHOD_RANDOM] = "A",
        [BESD_METHOD_EI] = "ASM",           [BESD_METHOD_EI_PAPER] = "ASM",
        [BESD_METHOD_LCB] = "ASM",          [BESD_METHOD_HYPERBAND] = "A",
        [BESD_METHOD_HYPERBAND_PAPER] = "A"};
    for (size_t i = 0; i < sizeof users / sizeof *users; i++)
        for (int m = BESD_METHOD_BESD; m <= BESD_METHOD_HYPERBAND_PAPER; m++) {
            bool expected = strchr(groups[m], users[i][1][0]) != NULL;
            if (study_option_matters(option_of(users[i][0]), (besd_method)m) != expected)
                fail_msg("%s of method %s: expected %d", users[i][0], besd_method_name((size_t)m),
                         expected);
        }
}

/* An option that was renamed is found by both names and has one. */
static void test_old_names(void **state) {
    (void)state;
    const study_option *option = option_of("explore_until");
    assert_string_equal(option->name, "search_until");
    assert_ptr_equal(option_of("search_until"), option);
    assert_string_equal(study_option_old_name(option), "explore_until");
    assert_null(study_option_old_name(option_of("explore")));
    assert_null(study_option_find("explore_unti"));
    for (size_t i = 0; i < STUDY_OPTIONS; i++) { /* no old name is the name of another option */
        const char *old_name = study_option_old_name(&study_options[i]);
        assert_true(!old_name || study_option_find(old_name) == &study_options[i]);
    }
}

/* Of a program that knows the options up to one of them, the others are initial ones, whatever is
 * in its memory behind its own struct. */
static void test_older_programs(void **state) {
    (void)state;
    besd_study_options initially = besd_study_options_default();
    for (size_t known = 0; known < STUDY_OPTIONS; known++) {
        size_t size = study_options[known].offset;
        besd_study_options full = small_options(1, 11), old;
        study_spec spec;
        full.caution = 7;
        full.explore = 0.75;
        full.size = size;
        memset(&old, 0x5a, sizeof old);
        memcpy(&old, &full, size);
        assert_ok(spec_init(&spec, &old, &error), &error);
        assert_int_equal(spec.options.size, sizeof spec.options);
        for (size_t i = 0; i < STUDY_OPTIONS; i++) {
            if (i == STUDY_OPTION_initial_designs || i == STUDY_OPTION_initial_reps)
                continue; /* what is automatic is settled */
            const study_option *option = &study_options[i];
            assert_true(same_member(option, &spec.options, i < known ? &full : &initially));
        }
        besd_study *s = NULL;
        assert_ok(besd_study_open(&s, NULL, &old, &error), &error);
        besd_study_close(s);
    }
}

/* An old program's struct is filled to its end and not beyond. */
static void test_filling_smaller_structs(void **state) {
    (void)state;
    for (size_t size = sizeof(size_t); size <= sizeof(besd_study_options); size += 4) {
        besd_study_options o, initially = besd_study_options_default();
        const unsigned char *raw = (const unsigned char *)&o;
        memset(&o, 0x5a, sizeof o);
        besd_study_options_fill(&o, size);
        assert_int_equal(o.size, size);
        initially.size = size;
        assert_memory_equal(&o, &initially, size);
        for (size_t i = size; i < sizeof o; i++)
            assert_int_equal(raw[i], 0x5a);
    }
}

/* A struct that nobody has filled in, and one of a newer program. */
/* The size of the struct tells a program's options from ours, so nothing may grow into its padding
 * unseen. */
static void test_the_last_option_ends_the_struct(void **state) {
    (void)state;
    const study_option *last = &study_options[STUDY_OPTIONS - 1];
    assert_true(last->kind == STUDY_OPTION_NUMBER || last->kind == STUDY_OPTION_SEED);
    assert_int_equal(last->offset + sizeof(double), sizeof(besd_study_options));
}

static void test_sizes_that_are_refused(void **state) {
    (void)state;
    besd_study *s;
    besd_study_options o = small_options(1, 11);
    const size_t small[] = {0, offsetof(besd_study_options, direction) - 1};
    for (size_t i = 0; i < 2; i++) {
        o.size = small[i];
        assert_fails(besd_study_open(&s, NULL, &o, &error), BESD_INVALID, &error,
                     "begin with besd_study_options_default()");
        assert_null(s);
    }
    o.size = sizeof o + 8;
    assert_fails(besd_study_open(&s, NULL, &o, &error), BESD_INVALID, &error,
                 "the program was built against a newer one");
    assert_null(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_is_the_struct),
        cmocka_unit_test(test_initial_values),
        cmocka_unit_test(test_zero_is_zero),
        cmocka_unit_test(test_automatic),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_json_keeps_every_bit),
        cmocka_unit_test(test_wrong_words),
        cmocka_unit_test(test_wrong_json),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_whose_they_are),
        cmocka_unit_test(test_old_names),
        cmocka_unit_test(test_older_programs),
        cmocka_unit_test(test_filling_smaller_structs),
        cmocka_unit_test(test_the_last_option_ends_the_struct),
        cmocka_unit_test(test_sizes_that_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
