
#include "fixture.h"

#include "learn/ground.h"
static const double gw10_theta[] = {7.5, 3.5, 1.5, 8.5};

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
    fixture_open(&f, "gw10", "", gw10_theta, 4, 1);
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
    fixture_open(&f, "gw10", "", gw10_theta, 4, 1);
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

/* Every entry, worked out from the table and the formulas. */
static void check_entries(const fixture *f, const ground *g, const double *theta) {
    const besd_env_table *t = f->d.methods->table(f->env);
    const double gamma = f->d.value[PARAMETER_GAMMA], height = f->d.value[PARAMETER_HEIGHT];
    const double width = f->d.value[PARAMETER_WIDTH];
    for (int stage = 0; stage <= f->goals.count; stage++)
        for (int i = 0; i < 4 * t->states; i++) {
            double phi[2] = {0, 0};
            const int places[2] = {i / 4, t->next[i]};
            const double *to = t->position + 2 * places[1], *subgoal = theta + 2 * stage;
            for (int k = 0; k < 2 && stage < f->goals.count; k++) {
                const double *at = t->position + 2 * places[k];
                phi[k] = height * exp(-(pow(at[0] - subgoal[0], 2) + pow(at[1] - subgoal[1], 2)) /
                                      (2 * width));
            }
            bool terminal = t->terminal[places[1]];
            bool reached = stage < f->goals.count && floor(to[0]) == floor(subgoal[0]) &&
                           floor(to[1]) == floor(subgoal[1]);
            const ground_entry *e = &g->entries[stage * 4 * t->states + i];
            assert_int_equal(e->next & ~GROUND_TERMINAL,
                             4 * ((stage + reached) * t->states + places[1]));
            assert_int_equal(e->next < 0, terminal);
            assert_close(e->reward, t->reward[i] + gamma * (terminal ? 0 : phi[1]) - phi[0],
                         1e-14); /* rewards of 10 */
            assert_true(g->raw_reward[i] == t->reward[i]);
        }
    assert_int_equal(g->start, 4 * t->start);
    assert_true(g->wind == t->wind);
}

static void test_every_entry(void **state) {
    (void)state;
    static const double theta[] = {8.5, 2.5, 8.5, 8.5};
    fixture f;
    guides book;
    ground g = {0};
    besd_error error = {BESD_OK, ""};
    fixture_open(&f, "tr", "gamma=0.9", theta, 4, 1);
    assert_ok(guides_init(&book, &f.goals, (int32_t)f.spec.states, &error), &error);
    for (uint64_t instance = 1; instance <= 5; instance++) { /* one after the other in one ground */
        assert_ok(f.d.methods->instance(f.env, instance, &error), &error);
        assert_ok(ground_compile(&g, &book, f.d.methods->table(f.env), 0.9, &error), &error);
        check_entries(&f, &g, theta);
    }
    ground_free(&g);
    ground_free(&g); /* nothing is left */
    guides_free(&book);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_at_once),
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_every_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
