/* The baseline of a domain, and a bound of its scores. */
#include "run/domain_study.h"

#include "core/error.h"
#include "core/rng.h"
#include "core/stats.h"
#include "world/solve.h"

#include <math.h>

/* Of the budget for the baseline: it decides nothing but whether to use a design at all. */
static const double MOST_SHARE = 0.1;

/* Instances that are solved, and by how many standard errors of their mean the optimum of all may
 * be better. */
enum { SOLVED = 200 };
static const double SURE = 3;

/* An episode that is cut short counts as its cap, so that steps can be fewer than those of the best
 * policy to the goal. Optima below this part of the cap are hardly ever cut. */
static const double MOST_OF_CAP = 0.25;

static int fewest_reps(const besd_study_options *o) {
    int fewest = o->reps[0];
    for (size_t i = 1; i < o->reps_count; i++)
        fewest = o->reps[i] < fewest ? o->reps[i] : fewest;
    return fewest;
}

static besd_status find_cap(const domain *d, double *cap, besd_error *error) {
    besd_env *env = NULL;
    besd_env_spec spec;
    besd_status status = domain_open(d, &env, error);
    if (status != BESD_OK)
        return status;
    domain_spec(d, env, &spec);
    d->methods->destroy(env);
    *cap = (double)spec.cap;
    return BESD_OK;
}

/* The standard error of the mean of a few agents, and a doubt for what none of them has shown.
 * Laplace's rule of succession: of n agents that all did alike, the next one differs with a chance
 * of 1 in n + 2. It may fail, or do as well as possible. */
static double error_of(const domain_study *b, const sample_summary *plain, double cap) {
    double best = b->options.best_possible, count = (double)plain->count;
    double worst = b->domain->objective == OBJECTIVE_STEPS ? cap : 0;
    double gap = fmax(fabs(worst - plain->mean), isinf(best) ? 0 : fabs(best - plain->mean));
    return hypot(plain->count > 1 ? plain->se : 0, gap / (count + 2));
}

static besd_status measure_baseline(domain_study *b, besd_error *error) {
    besd_study_options *o = &b->options;
    int reps = fewest_reps(o);
    double cost = o->setup_cost + (double)domain_tau_max(b->domain) * reps * o->interaction_price;
    trial_result result;
    double cap = 0;
    if (cost > MOST_SHARE * o->budget)
        return BESD_OK;
    uint64_t seed = rng_seed(o->seed, RNG_TEST, 1, 0, 0) >> 1;
    besd_status status = find_cap(b->domain, &cap, error);
    if (status == BESD_OK)
        status = domain_study_test(b, NULL, reps, seed, &result, error);
    if (status != BESD_OK)
        return status;
    const sample_summary plain = stats_summarise(result.final, result.agents);
    o->baseline = plain.mean;
    o->baseline_error = error_of(b, &plain, cap);
    o->baseline_cost = cost;
    trial_result_free(&result);
    return BESD_OK;
}

/* A return is 0 where the goal is not reached, which may be better than what reaching it pays. */
static void bound_scores(domain_study *b, const solution_summary *best, double cap) {
    double margin = SURE * best->se + best->error;
    if (b->domain->objective == OBJECTIVE_RETURN)
        b->options.best_possible = fmax(best->mean + margin, 0);
    else if (best->largest <= MOST_OF_CAP * cap)
        b->options.best_possible = best->mean - margin;
}

/* On some instance the goal cannot be reached; the rest may be well. */
static besd_status refuse_hopeless(const domain_study *b, besd_error *error) {
    int64_t unreachable;
    besd_status status =
        solve_count_unreachable(b->domain, b->options.seed, SOLVED, &unreachable, error);
    if (status != BESD_OK || unreachable < SOLVED)
        return status;
    return besd_fail(error, BESD_UNREACHABLE,
                     "%s: in none of %d instances does any sequence of moves lead from the start "
                     "to a goal, so no subgoals can help; open a way, 'besd show' draws an "
                     "instance and 'besd check' says what is wrong",
                     b->domain->name, (int)SOLVED);
}

static besd_status find_optimum(domain_study *b, besd_error *error) {
    solution_summary best;
    double cap;
    if (!b->domain->methods->table)
        return BESD_OK;
    besd_status status = solve_domain(b->domain, b->options.seed, SOLVED, &best, error);
    if (status == BESD_UNREACHABLE)
        return refuse_hopeless(b, error);
    if (status == BESD_OK)
        status = find_cap(b->domain, &cap, error);
    if (status == BESD_OK && isfinite(best.mean))
        bound_scores(b, &best, cap);
    return status;
}

besd_status baseline_measure(domain_study *b, besd_error *error) {
    besd_status status = find_optimum(b, error);
    return status == BESD_OK ? measure_baseline(b, error) : status;
}
