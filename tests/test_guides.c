#include "fixture.h"

#include "learn/guides.h"

static const double theta[] = {7.5, 3.5, 1.5, 8.5};

/* Whatever the way they were learnt, guides say what the subgoals say. */
static void assert_guide(const fixture *f, const guides *g, int stage, int32_t state,
                         const double *at) {
    const guide *known = guides_at(g, 4 * (stage * g->states + state));
    bool reached = subgoals_reached(&f->goals, stage, at, at);
    assert_true(known->potential == subgoals_potential(&f->goals, stage, at));
    assert_int_equal(known->advance, reached ? g->rows_per_stage : 0);
}

static void test_all_at_once(void **state) {
    (void)state;
    fixture f;
    guides g;
    besd_error error = {BESD_OK, ""};
    double moved[200];
    int advances = 0;
    fixture_open(&f, "gw10", "", theta, 4, 1);
    const double *position = f.d.methods->table(f.env)->position;
    assert_ok(guides_init(&g, &f.goals, 100, &error), &error);
    assert_int_equal(g.rows, 3 * 400);
    for (int i = 0; i < 200; i++) /* other positions for the same states: all is learnt anew */
        moved[i] = position[i] + 0.25;
    for (int round = 0; round < 3; round++) {
        const double *now = round == 1 ? moved : position;
        guides_learn_all(&g, now);
        for (int stage = 0; stage <= 2; stage++)
            for (int s = 0; s < 100; s++) {
                assert_guide(&f, &g, stage, s, now + 2 * s);
                advances += guides_at(&g, 4 * (100 * stage + s))->advance > 0;
            }
    }
    assert_int_equal(advances, 3 * 2); /* one cell for each of the two subgoals */
    guides_free(&g);
    fixture_close(&f);
}

static void test_one_at_a_time(void **state) {
    (void)state;
    fixture f;
    guides g;
    besd_error error = {BESD_OK, ""};
    const double at[] = {7.5, 3.5}, elsewhere[] = {0.5, 0.5}, nowhere[] = {NAN, 0.5};
    fixture_open(&f, "gw10", "", theta, 4, 1);
    assert_ok(guides_init(&g, &f.goals, 100, &error), &error);
    assert_true(isnan(guides_at(&g, 4 * 37)->potential));
    assert_ptr_equal(guides_know(&g, 4 * 37, at), guides_at(&g, 4 * 37));
    guides_know(&g, 4 * 37, elsewhere); /* known already: not looked at */
    assert_guide(&f, &g, 0, 37, at);
    assert_true(isnan(guides_at(&g, 4 * 137)->potential)); /* another stage is another row */
    assert_true(isnan(guides_know(&g, 4 * 38, nowhere)->potential));
    guides_free(&g);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_at_once),
        cmocka_unit_test(test_one_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
