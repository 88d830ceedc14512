#include "fixture.h"

#include "learn/ground.h"

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
        cmocka_unit_test(test_every_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
