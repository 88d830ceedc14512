/* What a study says of its choices. */
#include "study_fixture.h"

static besd_error error;

static void check_levers(besd_study *s, const besd_trial *t, const besd_explanation *why) {
    const int64_t taus[] = {10, 10, 30, 30};
    const int reps[] = {2, 4, 2, 4};
    const besd_lever_value *chosen = NULL;
    assert_int_equal(why->lever_count, 4);
    for (int i = 0; i < 4; i++) {
        const besd_lever_value *v = &why->levers[i];
        assert_int_equal(v->tau, taus[i]);
        assert_int_equal(v->reps, reps[i]);
        assert_true(v->cost == (double)v->tau * v->reps);
        assert_true(v->kg == exp(v->log_kg) && v->kg >= 0);
        assert_true(v->sd >= 0 && fabs(v->correlation) <= 1);
        if (v->tau == 30)
            assert_close(v->correlation, 1, 1e-9);
        double sd, mean = predict_at(s, t->theta[0], t->theta[1], v->tau, &sd);
        assert_close(v->mean, mean, 1e-9);
        assert_close(v->sd, sd, 1e-9);
        if (i % 2) /* more replications never tell less */
            assert_true(v->log_kg >= why->levers[i - 1].log_kg - 1e-12);
        if (v->tau == t->tau && v->reps == t->reps)
            chosen = v;
    }
    assert_non_null(chosen);
    for (int i = 0; i < 4 && t->reason == BESD_REASON_KG; i++) {
        const besd_lever_value *v = &why->levers[i];
        if (!(chosen->kg / chosen->cost >= v->kg / v->cost))
            fail_msg("trial %lld: tau %lld, reps %d has %g per cost, the chosen tau %lld, reps %d "
                     "%g",
                     (long long)t->id, (long long)v->tau, v->reps, v->kg / v->cost,
                     (long long)t->tau, t->reps, chosen->kg / chosen->cost);
    }
}

static void check_candidates(const besd_trial *t, const besd_explanation *why) {
    if (t->reason == BESD_REASON_EXPLORE) { /* it competes with nobody */
        assert_int_equal(why->candidate_count, 0);
        return;
    }
    assert_true(why->candidate_count >= 1 && why->candidate_count <= BESD_MAX_CANDIDATES);
    double last = INFINITY, chosen = -1;
    for (size_t i = 0; i < 4; i++)
        if (why->levers[i].tau == t->tau && why->levers[i].reps == t->reps)
            chosen = why->levers[i].kg / why->levers[i].cost;
    for (size_t i = 0; i < why->candidate_count; i++) {
        const besd_candidate *c = &why->candidates[i];
        assert_true(c->kg == exp(c->log_kg) && c->cost == (double)c->tau * c->reps);
        assert_true(c->kg / c->cost <= last * (1 + 1e-12)); /* best first */
        last = c->kg / c->cost;
        assert_true(chosen >= last * (1 - 1e-9)); /* refinement only improves */
        for (size_t j = 0; j < i; j++)
            assert_memory_not_equal(c->theta, why->candidates[j].theta, sizeof c->theta);
    }
    assert_true(why->targets > 60 && why->kept >= 1 && why->kept <= why->targets);
    assert_true(why->evaluated >= 1 && why->evaluated <= why->targets);
}

static void test_explanations(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        besd_study_options o = short_options(2, seed);
        besd_study *s = new_study(&o), *silent = new_study(&o);
        besd_explanation why;
        for (int i = 0; i < 14; i++) {
            besd_trial t, same = ask(silent);
            memset(&why, 1, sizeof why);
            assert_ok(besd_study_ask(s, &(besd_ask){.explanation = &why}, &t, &error), &error);
            assert_same_trial(&t, &same); /* reasons cost nothing */
            if (i < 4) {
                assert_int_equal(why.lever_count, 0);
                assert_string_equal(why.why, "");
            } else {
                assert_true(strlen(why.why) > 10);
                check_levers(s, &t, &why);
                check_candidates(&t, &why);
            }
            answer(s, &t);
            answer(silent, &t);
        }
        besd_study_close(s);
        besd_study_close(silent);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explanations),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
