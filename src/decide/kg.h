/* The acquisition (paper section 4.2): the exact knowledge gradient per unit cost, in logarithms.
 *
 * For targets theta'_1, ..., theta'_M, all at tau_max, and a candidate trial c = (theta, tau, q),
 *
 *     nu(c) = E[max_i (a_i + b_i Z)] - max_i a_i
 *
 * with a_i the posterior mean at target i and b_i its covariance with the trial divided by the
 * standard deviation of the trial's outcome. What makes it cheap:
 *
 *  1. q only rescales all b_i: one envelope serves every q (envelope.h).
 *  2. Covariances are affine in the basis of tau: one projection and one matrix product serve every
 *     tau (gp_project).
 *  3. Bound: let * be the target with the largest mean and delta_i the posterior sd of
 *     f(theta'_i) - f(theta'_*). Subtracting b_* from all slopes changes nothing, and
 *     |b_i - b_*| <= rho delta_i with rho^2 = v / (v + noise) < 1, v the variance at the candidate.
 *     So nu <= U(rho) = E[max_i (a_i + rho delta_i |Z|)] - a_*, one more envelope for all
 *     candidates. kg_search.c says how it is used.
 *  4. The same inequality drops targets: one with a_i + 9 delta_i < a_* cannot be best inside
 *     |Z| <= 9; what that neglects is below 1e-18 of the largest delta.
 *  5. The gradient in theta needs only the lines on the envelope.
 *  6. With several tasks (model/tasks.h) a study's value is the weighted sum over tasks of the best
 *     mean of each. One outcome has one Z, so nu of a trial is the weighted sum of one such nu for
 *     every task: each has targets of its task and candidates of the trial's (kg_face).
 */
#ifndef BESD_DECIDE_KG_H
#define BESD_DECIDE_KG_H

#include "model/gp.h"

#include <stdbool.h>

enum { KG_MAX_LEVELS = MODEL_MAX_LEVELS };

/* The finite choices of tau and q, and what a trial of each costs. */
typedef struct kg_levers {
    int tau_count, reps_count;
    double share[KG_MAX_LEVELS];               /* of tau_max, increasing, the last is 1 */
    double reps[KG_MAX_LEVELS];                /* increasing */
    double cost[KG_MAX_LEVELS][KG_MAX_LEVELS]; /* [tau][reps], positive */
} kg_levers;

typedef struct kg_choice {
    double theta[MODEL_MAX_DIMENSION];
    int task;         /* the own task that the trial is of; 0 without tasks */
    int tau, reps;    /* indices of levers */
    double log_kg;    /* -INFINITY: the trial cannot change the recommendation */
    double log_score; /* log kg - log cost */
} kg_choice;

typedef struct kg kg;

/* Prepares for the current state of the model, and for its current task (gp_set_task). targets
 * [count * dimension] lie in the unit cube. Targets and model are borrowed; the task of the model
 * changes. */
besd_status kg_create(gp *model, const kg_levers *levers, const double *targets, size_t count,
                      kg **created, besd_error *error);
void kg_destroy(kg *k);

/* Candidates are trials of the task of `from` from now on, which is made of the same model, levers
 * and targets. At first they are of the own task. */
void kg_face(kg *k, const kg *from);

/* log nu of every (tau, reps) at any theta: log_kg[tau * reps_count + reps]. */
void kg_evaluate(kg *k, const double *theta, double *log_kg);

/* log nu of one lever pair at theta with its gradient; -INFINITY and zeros where nu = 0. */
double kg_gradient(kg *k, const double *theta, int tau, int reps, double *gradient);

/* The best trials among the targets, best first, at most `wanted` with distinct theta; the number
 * found. With `prune` off every candidate is evaluated. */
besd_status kg_search(kg *k, bool prune, kg_choice *choices, size_t wanted, size_t *found,
                      besd_error *error);

/* Lower bounds of log nu of targets as candidates, for every lever: [candidate][tau * reps_count +
 * reps]. kg_glance, for all targets, compares only the best target and the candidate itself;
 * kg_screen adds the most promising targets, and is close to nu. */
void kg_glance(kg *k, double *log_kg);
void kg_screen(kg *k, const size_t *candidates, size_t count, double *log_kg);

/* Moves theta of a choice uphill inside the cube, levers fixed; never makes it worse. */
besd_status kg_refine(kg *k, kg_choice *choice, besd_error *error);

/* The upper bound on log nu at target c for a lever pair. */
double kg_bound(const kg *k, size_t candidate, int tau, int reps);

/* Numbers for reports: targets that were kept, candidates that were evaluated so far. */
size_t kg_kept(const kg *k);
size_t kg_evaluated(const kg *k);

#endif
