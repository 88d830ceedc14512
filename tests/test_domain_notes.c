/* The domain of a study, found again from its notes. */
#include "study_fixture.h"

#include "run/domain_notes.h"

static besd_error error;

static besd_study *study_about(const domain *d, const char *more) {
    char identity[1024];
    besd_study_options o = small_options(2, 1);
    besd_study *s = open_study(NULL, &o);
    domain_identity(d, identity, sizeof identity);
    snprintf(identity + strlen(identity), sizeof identity - strlen(identity), "%s", more);
    assert_ok(besd_study_set_note(s, "domain", identity, &error), &error);
    assert_ok(domain_notes_keep_map(s, d, &error), &error);
    return s;
}

static void test_built_in(void **state) {
    (void)state;
    static const char *const names[] = {"key3", "mc"};
    for (size_t i = 0; i < 2; i++) {
        domain d, found;
        char map[100];
        bool known;
        assert_ok(domain_find(names[i], &d, &error), &error);
        assert_ok(domain_set(&d, "subgoals=1", &error), &error);
        besd_study *s = study_about(&d, " fresh instances");
        assert_ok(domain_notes_find(s, &found, &known, &error), &error);
        assert_true(known);
        assert_string_equal(found.name, names[i]);
        assert_memory_equal(&found.map, &d.map, sizeof d.map);
        assert_ok(besd_study_get_note(s, "map", map, sizeof map, &error), &error);
        assert_string_equal(map, ""); /* it is known by its name */
        besd_study_close(s);
    }
}

/* Another map, under a name of one's own or that of a built-in domain. */
static void test_own_maps(void **state) {
    (void)state;
    for (int own = 0; own < 2; own++) {
        domain d, found;
        bool known;
        assert_ok(domain_find("gw10", &d, &error), &error);
        assert_ok(domain_set_map(&d, "G.a\n..b\nS..\nchoose wall: a | b\n", &error), &error);
        if (own) {
            d.built_in = false;
            snprintf(d.name, sizeof d.name, "rooms");
        }
        besd_study *s = study_about(&d, "");
        assert_ok(domain_notes_find(s, &found, &known, &error), &error);
        assert_true(known);
        assert_false(found.built_in);
        assert_string_equal(found.name, d.name);
        assert_memory_equal(&found.map, &d.map, sizeof d.map);
        assert_ok(besd_study_set_note(s, "map", "no map", &error), &error);
        assert_ok(domain_notes_find(s, &found, &known, &error), &error);
        assert_false(known); /* somebody has meddled with it */
        besd_study_close(s);
    }
}

static void test_none(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 1);
    besd_study *s = open_study(NULL, &o);
    domain found;
    bool known = true;
    assert_ok(domain_notes_find(s, &found, &known, &error), &error);
    assert_false(known);
    assert_ok(besd_study_set_note(s, "domain", "arm constants=00", &error), &error);
    assert_ok(domain_notes_find(s, &found, &known, &error), &error);
    assert_false(known);
    besd_study_close(s);
}

static void test_fresh(void **state) {
    (void)state;
    char with[] = "gw10 cap=3" " fresh instances", without[] = "gw10 cap=3";
    assert_true(domain_notes_cut_fresh(with));
    assert_string_equal(with, "gw10 cap=3");
    assert_false(domain_notes_cut_fresh(without));
    assert_string_equal(without, "gw10 cap=3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in),
        cmocka_unit_test(test_own_maps),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_fresh),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
