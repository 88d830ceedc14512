/* Hyperband on a study's tau levels: new designs, who is promoted, and at which tau. The first
 * bracket has 81 designs, of which 27, 9, 3 and 1 go on. */
#include "study_scene.h"

#include "decide/latin.h"
#include "study/choose.h"

static besd_study_options bracket_options(void) {
    static const int64_t taus[] = {10, 30, 60, 200, 800};
    besd_study_options o = small_options(2, 6);
    o.method = BESD_METHOD_HYPERBAND;
    o.taus = taus;
    o.tau_count = 5;
    return o;
}

/* The largest tau that is not above 1, 3, 9, 27, 81 times the smallest, which is 10. */
static const int64_t tau_of_rung[] = {10, 30, 60, 200, 800};

static besd_trial choose(scene *c) {
    assert_ok(choose_bracket(&c->turn, &c->error), &c->error);
    return c->trial;
}

/* Designs of the first rung as records, with scores that are all different: a permutation. */
static double score_of(size_t i) {
    return (double)(i * 37 % 81);
}

static trial_record *add(scene *c, besd_trial_state state, const besd_trial *t, double score) {
    trial_record *r = scene_add(c, state, t->reason, t->theta, t->tau, t->reps);
    if (state == BESD_TRIAL_TOLD)
        r->model_mean = score;
    return r;
}

/* The first 81 trials: points of one Latin hypercube, at the shortest training with the most
 * replications. */
static void first_rung(besd_trial designs[81]) {
    besd_study_options o = bracket_options();
    double points[162];
    uint64_t seed = rng_seed(6, RNG_CHOICE, 0, 4, 2);
    latin_hypercube(seed, RNG_CHOICE, 81, 2, points);
    for (size_t i = 0; i < 81; i++) {
        scene c;
        scene_begin(&c, &o);
        scene_look(&c);
        c.evidence.place_count = i;
        designs[i] = choose(&c);
        for (int k = 0; k < 2; k++)
            assert_true(designs[i].theta[k] == 10 * points[i * 2 + (size_t)k]);
        assert_true(designs[i].tau == 10 && designs[i].reps == 4);
        assert_int_equal(designs[i].reason, BESD_REASON_BRACKET);
        scene_end(&c);
    }
}

static void test_new_designs(void **state) {
    (void)state;
    besd_trial designs[81];
    first_rung(designs);
}

/* Where in the first rung the design of a trial stands. */
static int find_design(const besd_trial designs[81], const besd_trial *t) {
    for (int i = 0; i < 81; i++)
        if (same_numbers(designs[i].theta, t->theta, 2))
            return i;
    return -1;
}

/* A copy of what has been tried, which the choice is made from; freed by the choice. */
static besd_trial choose_after(const trial_record *records, size_t count) {
    besd_study_options o = bracket_options();
    scene c;
    scene_begin(&c, &o);
    c.records = malloc((count + 1) * sizeof *c.records);
    assert_non_null(c.records);
    memcpy(c.records, records, count * sizeof *records);
    c.count = count;
    scene_look(&c);
    besd_trial t = choose(&c);
    scene_end(&c);
    return t;
}

/* The whole first bracket, every score in time: rung after rung the best third, best first. */
static void test_promotions(void **state) {
    (void)state;
    static const size_t lengths[] = {27, 9, 3, 1};
    besd_study_options o = bracket_options();
    besd_trial designs[81];
    scene c;
    first_rung(designs);
    scene_begin(&c, &o);
    for (size_t i = 0; i < 81; i++)
        add(&c, BESD_TRIAL_TOLD, &designs[i], score_of(i));
    for (int rung = 1; rung <= 4; rung++)
        for (size_t k = 0; k < lengths[rung - 1]; k++) {
            besd_trial t = choose_after(c.records, c.count);
            int from = find_design(designs, &t);
            assert_true(from >= 0);
            assert_true(score_of((size_t)from) == 80 - (double)k); /* the k-th best of all */
            assert_int_equal(t.tau, tau_of_rung[rung]);
            assert_int_equal(t.reps, 4);
            assert_int_equal(t.reason, BESD_REASON_PROMOTED);
            add(&c, BESD_TRIAL_TOLD, &t, score_of((size_t)from));
        }
    besd_trial next = choose_after(c.records, c.count); /* the second bracket begins */
    assert_int_equal(next.reason, BESD_REASON_BRACKET);
    assert_int_equal(next.tau, 30);
    assert_int_equal(find_design(designs, &next), -1);
    scene_end(&c);
}

/* What is not told counts as worst; a score that comes late counts from then on; a retry that is
 * told stands for the trial that failed. */
static void test_missing_scores(void **state) {
    (void)state;
    besd_study_options o = bracket_options();
    besd_trial designs[81], t;
    size_t by_rank[81];
    scene c;
    first_rung(designs);
    scene_begin(&c, &o);
    for (size_t i = 0; i < 81; i++)
        by_rank[80 - (size_t)score_of(i)] = i;
    for (size_t i = 0; i < 81; i++)
        add(&c,
            i == by_rank[0]   ? BESD_TRIAL_FAILED
            : i == by_rank[1] ? BESD_TRIAL_ASKED
                              : BESD_TRIAL_TOLD,
            &designs[i], score_of(i));
    t = choose_after(c.records, c.count);
    assert_int_equal(find_design(designs, &t), by_rank[2]);
    add(&c, BESD_TRIAL_ASKED, &t, 0);
    c.records[by_rank[1]].trial.state = BESD_TRIAL_TOLD; /* late */
    c.records[by_rank[1]].trial.score_count = 4;
    c.records[by_rank[1]].model_mean = score_of(by_rank[1]);
    c.records[by_rank[1]].within = 0;
    t = choose_after(c.records, c.count);
    assert_int_equal(find_design(designs, &t), by_rank[1]);
    add(&c, BESD_TRIAL_ASKED, &t, 0);
    t = designs[by_rank[0]];
    t.reason = BESD_REASON_RETRY;
    add(&c, BESD_TRIAL_TOLD, &t, score_of(by_rank[0]))->trial.repeats = (int64_t)by_rank[0] + 1;
    t = choose_after(c.records, c.count);
    assert_int_equal(find_design(designs, &t), by_rank[0]);
    assert_int_equal(t.tau, 30);
    scene_end(&c);
}

/* Two levels: three times the smallest is the largest, and there is no more. */
static void test_few_levels(void **state) {
    (void)state;
    besd_study_options o = small_options(2, 6);
    o.method = BESD_METHOD_HYPERBAND_PAPER;
    besd_study *s = new_study(&o);
    int long_ones = 0;
    for (int i = 0; i < 130; i++) { /* the first bracket and nine of the second */
        besd_trial t = ask(s);
        assert_int_equal(t.tau, i < 81 ? 10 : 30);
        assert_int_equal(t.reason, i < 81 || i >= 121 ? BESD_REASON_BRACKET : BESD_REASON_PROMOTED);
        long_ones += t.tau == 30;
        answer(s, &t);
    }
    assert_int_equal(long_ones, 49);
    besd_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_designs),
        cmocka_unit_test(test_promotions),
        cmocka_unit_test(test_missing_scores),
        cmocka_unit_test(test_few_levels),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
