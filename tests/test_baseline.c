/* What is known of a domain before any design is tried: plain learning, measured as by hand with
 * trial_run, and the optimum, which is on the better side of that of many other instances. */
#include "study_fixture.h"

#include "run/domain_study.h"
#include "world/solve.h"

static besd_error error;

static void open_bridge(domain_study *b, domain *d, const char *name, const char *set,
                        uint64_t seed) {
    assert_ok(domain_find(name, d, &error), &error);
    if (set)
        assert_ok(domain_set(d, set, &error), &error);
    assert_ok(domain_study_init(b, d, &error), &error);
    b->threads = 1;
    b->options.seed = seed;
    b->options.budget = 1e9;
}

static void measure(domain_study *b) {
    assert_ok(baseline_measure(b, &error), &error);
}

/* The mean score without subgoals on so many instances, one replication each, at tau_max. */
static double plain_mean(const domain *d, int instances, int64_t tau, uint64_t seed) {
    trial_request r = {
        .domain = d, .tau = tau, .reps = 1, .instances = instances, .seed = seed, .threads = 1};
    trial_result result;
    double sum = 0;
    assert_ok(trial_run(&r, &result, &error), &error);
    assert_int_equal(result.agents, instances);
    for (int i = 0; i < instances; i++)
        sum += result.final[i];
    trial_result_free(&result);
    return sum / instances;
}

/* From the baseline to the farther end of what is possible. */
static double gap_of(const domain_study *b, double worst) {
    return fmax(fabs(worst - b->options.baseline),
                fabs(b->options.best_possible - b->options.baseline));
}

/* As many instances as the fewest replications, whatever their order, of a seed that is neither
 * that of trials nor that of the final test. */
static void test_baseline(void **state) {
    (void)state;
    static const int orders[][3] = {{7, 4, 12}, {4, 7, 12}, {12, 7, 4}};
    static const char *const names[] = {"gw10", "tr", "key3"};
    for (int i = 0; i < 3; i++)
        for (uint64_t seed = 3; seed < 5; seed++) {
            domain d;
            domain_study b;
            open_bridge(&b, &d, names[i], NULL, seed);
            b.options.reps = orders[i];
            b.options.reps_count = 3;
            assert_true(isinf(b.options.baseline) && b.options.baseline_cost == 0);
            measure(&b);
            int64_t tau = i == 1 ? 2000 : 1000;
            uint64_t named = rng_seed(seed, RNG_TEST, 1, 0, 0) >> 1;
            assert_true(named != rng_seed(seed, RNG_TEST, 0, 0, 0) >> 1);
            assert_close(b.options.baseline, plain_mean(&d, 4, tau, named), 1e-12);
            assert_true(b.options.baseline != plain_mean(&d, 4, tau, seed) || i == 1);
            assert_true(b.options.baseline_cost == 4.0 * (double)tau);
            assert_true(b.options.baseline_error >= gap_of(&b, i == 1 ? 0 : 500) / 6);
        }
}

/* The cost is that of a trial, part of what a new study has spent. */
static void test_cost(void **state) {
    (void)state;
    domain d;
    domain_study b;
    open_bridge(&b, &d, "gw10", NULL, 5);
    b.options.setup_cost = 130;
    b.options.interaction_price = 0.5;
    measure(&b);
    assert_true(b.options.baseline_cost == 130 + 0.5 * 5 * 1000);
    besd_study *s = new_study(&b.options);
    assert_true(spent(s) == 2630);
    besd_trial t = ask(s);
    assert_true(spent(s) == 2630 + t.cost);
    besd_study_close(s);
}

/* Not when it would take more than a tenth of the budget. The optimum takes none. */
static void test_skipped(void **state) {
    (void)state;
    static const double budgets[] = {50000, 49999, 1e9, INFINITY, 0};
    static const bool measured[] = {true, false, true, true, false};
    for (int i = 0; i < 5; i++) {
        domain d;
        domain_study b;
        open_bridge(&b, &d, "gw10", NULL, 5);
        b.options.budget = budgets[i];
        measure(&b);
        assert_int_equal(isfinite(b.options.baseline), measured[i]);
        assert_true(b.options.baseline_cost == (measured[i] ? 5000 : 0));
        assert_true(isfinite(b.options.best_possible));
    }
}

/* Better than the optimum of other instances, and no more than sampling explains: both means have
 * errors, of 200 and of 2000 instances, and three of the first are allowed for. */
static void test_optimum(void **state) {
    (void)state;
    static const char *const names[] = {"gw10", "tr", "key2"};
    for (int i = 0; i < 3; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            domain d;
            domain_study b;
            solution_summary other;
            open_bridge(&b, &d, names[i], NULL, seed);
            b.options.budget = 0; /* not the baseline */
            measure(&b);
            assert_ok(solve_domain(&d, seed + 100, TEST_SIZE(2000, 400), &other, &error), &error);
            bool steps = b.options.direction == BESD_MINIMIZE;
            double beyond = (b.options.best_possible - other.mean) * (steps ? -1 : 1);
            double se = other.se * sqrt((double)other.instances / 200) * (1 + 1e-9);
            assert_true(beyond >= -1e-9 && beyond <= (3.5 + 4) * se + 1e-6);
            assert_true(steps ? b.options.best_possible > 0 : b.options.best_possible < 20);
        }
}

/* No table, no optimum; nor where some instance has none. */
static void test_without_optimum(void **state) {
    (void)state;
    domain d;
    domain_study b;
    open_bridge(&b, &d, "mc", NULL, 1);
    b.options.budget = 0;
    measure(&b);
    assert_true(isinf(b.options.best_possible));
    open_bridge(&b, &d, "gw10", NULL, 1);
    assert_ok(domain_set_map(&d, "S.aG\n..#b\nchoose wall: a | b\n", &error), &error);
    b.options.budget = 0;
    measure(&b); /* half of the instances have a way, which is enough to learn something */
    assert_true(isinf(b.options.best_possible));
    int64_t unreachable;
    assert_ok(solve_count_unreachable(&d, 1, 200, &unreachable, &error), &error);
    assert_true(unreachable > 60 && unreachable < 140); /* six standard deviations of a coin */
    assert_ok(domain_set_map(&d, "S.#G\n..##\n", &error), &error);
    assert_ok(solve_count_unreachable(&d, 1, 20, &unreachable, &error), &error);
    assert_int_equal(unreachable, 20);
    assert_fails(
        baseline_measure(&b, &error), BESD_UNREACHABLE, &error,
        "in none of 200 instances does any sequence of moves lead from the start to a goal");
}

/* Scores end at the cap: where the optimum comes near it, it bounds nothing. Without the goal a
 * return is 0, which no penalty for reaching it changes. */
static void test_cut_short(void **state) {
    (void)state;
    domain d;
    domain_study b;
    solution_summary best;
    open_bridge(&b, &d, "gw10", "cap=30", 1);
    assert_ok(solve_domain(&d, 1, 50, &best, &error), &error);
    assert_true(best.largest > 15);
    b.options.budget = 0;
    measure(&b);
    assert_true(isinf(b.options.best_possible));
    open_bridge(&b, &d, "tr", "goal_reward=-1", 1);
    assert_ok(domain_set(&d, "wind=0.5", &error), &error);
    assert_ok(domain_set_map(&d, "SG\n", &error), &error); /* where one is blown to the goal */
    assert_ok(solve_domain(&d, 1, 50, &best, &error), &error);
    assert_true(best.largest < -0.5);
    b.options.budget = 0;
    measure(&b);
    assert_true(b.options.best_possible == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_baseline),        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_skipped),         cmocka_unit_test(test_optimum),
        cmocka_unit_test(test_without_optimum), cmocka_unit_test(test_cut_short),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
