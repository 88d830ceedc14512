/* The exact solver: what the best policy of an instance achieves, knowing everything.
 *
 * Tables are solved by value iteration over the full state (cell, key, treasure) under the
 * instance's wind, to a change below 1e-12 a sweep. The objective is the domain's: expected steps
 * to the goal (undiscounted, the cap ignored) or discounted return. It is the reference of regret
 * and an oracle of the tests.
 */
#ifndef BESD_WORLD_SOLVE_H
#define BESD_WORLD_SOLVE_H

#include "world/domain.h"

typedef struct solution {
    double optimal; /* expected steps or discounted return from the start */
    double error;   /* bound on |optimal - truth|: rounding for tables, see below for MC */
} solution;

/* solve_table and solve_mountain_car are the two ways of solve_instance. Tests use them as oracles:
 * tests look at the values of all states and solve with finer bins.
 *
 * Solves a table that is sound (env_table_check). `values`, when not NULL, receives the optimal
 * value of every state as a reward (minus the steps, or the return); -INFINITY where the goal
 * cannot be reached and steps count. */
besd_status solve_table(const besd_env_table *table, domain_objective objective, double gamma,
                        double *values, solution *result, besd_error *error);

/* Fewest steps from (start, 0) to the goal, by breadth-first search over all action sequences in
 * which states that share a bin of a `cells` x `cells` grid over (x, v) are taken for equal. The
 * path found is a real trajectory, so the result is never too small. */
besd_status solve_mountain_car(const mountain_car_config *config, double start, int cells,
                               int64_t *steps, besd_error *error);

/* Solves the environment's current instance; a table that is not sound is refused. */
besd_status solve_instance(const domain *d, const besd_env *env, solution *result,
                           besd_error *error);

typedef struct solution_summary {
    int64_t instances;
    bool enumerated; /* every layout once, instead of drawn ones */
    double mean, se, smallest, largest, error;
} solution_summary;

/* Solves many: all layouts when the domain has finitely many instances and `drawn` is 0, else
 * `drawn` instances (1000 when 0) with the seeds that a trial of this seed would use. */
besd_status solve_domain(const domain *d, uint64_t seed, int64_t drawn, solution_summary *summary,
                         besd_error *error);

/* Counts the drawn instances in which no sequence of moves leads from the start to a goal. */
besd_status solve_count_unreachable(const domain *d, uint64_t seed, int64_t drawn, int64_t *count,
                                    besd_error *error);

#endif
