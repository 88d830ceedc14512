/* Tasks and sources written down a second time: every task is a sum of processes, so relations are
 * those of the sums. And the posterior of such a model by a dense inverse, in long double. */
#ifndef BESD_TESTS_TASKS_FACTS_H
#define BESD_TESTS_TASKS_FACTS_H

#include "model_facts.h"

#include "model/tasks.h"

enum { FACTS_TASKS = TASKS_ALL_MOST, FACTS_PARTS = TASKS_MOST + TASK_SOURCES_MOST };

/* B between own tasks, as tasks.h has it. */
static inline long double facts_own(const task_set *set, const task_parameters *p, size_t a,
                                    size_t b) {
    long double squares = 0;
    for (size_t i = 0; i < set->features; i++) {
        long double apart = (long double)set->feature[a][i] / p->feature_scale[i] -
                            (long double)set->feature[b][i] / p->feature_scale[i];
        squares += apart * apart;
    }
    return set->features ? facts_matern(sqrtl(squares)) : a == b ? 1 : (long double)p->rho;
}

/* What task c is made of: own tasks, then the processes that sources do not share with them. */
static inline void facts_make_up(const task_set *set, const task_parameters *p, size_t c,
                                 bool level, long double parts[FACTS_PARTS]) {
    long double variance = 0;
    memset(parts, 0, FACTS_PARTS * sizeof *parts);
    if (c < set->own) {
        parts[c] = 1;
        return;
    }
    for (size_t a = 0; a < set->own; a++)
        for (size_t b = 0; b < set->own; b++)
            variance += set->weight[a] * (long double)set->weight[b] * facts_own(set, p, a, b);
    if (c > set->own && level)
        return;
    size_t s = c - set->own - 1;
    for (size_t a = 0; a < set->own; a++)
        parts[a] = c == set->own
                       ? (long double)set->weight[a]
                       : set->weight[a] * (long double)p->gamma[s] * p->kappa[s] / sqrtl(variance);
    if (c > set->own)
        parts[set->own + s] = p->gamma[s] * sqrtl(1 - (long double)p->kappa[s] * p->kappa[s]);
}

/* B and S of two tasks. */
static inline void facts_relate(const task_set *set, const task_parameters *p, size_t c, size_t e,
                                long double *share, long double *level) {
    long double one[FACTS_PARTS], other[FACTS_PARTS];
    *share = *level = 0;
    facts_make_up(set, p, c, false, one);
    facts_make_up(set, p, e, false, other);
    for (size_t a = 0; a < set->own; a++)
        for (size_t b = 0; b < set->own; b++)
            *share += one[a] * other[b] * facts_own(set, p, a, b);
    for (size_t s = set->own; s < set->own + set->sources; s++)
        *share += one[s] * other[s];
    facts_make_up(set, p, c, true, one);
    facts_make_up(set, p, e, true, other);
    for (size_t a = 0; a < set->own; a++)
        *level += one[a] * other[a] * p->level_variance;
}

static inline task_set facts_draw_tasks(rng *stream, size_t own, size_t features, size_t sources) {
    task_set set = {.own = own, .features = features, .sources = sources};
    double sum = 0;
    for (size_t a = 0; a < own; a++) {
        set.weight[a] = rng_between(stream, 0.1, 1);
        sum += set.weight[a];
        for (size_t i = 0; i < features; i++)
            set.feature[a][i] = rng_uniform(stream);
    }
    for (size_t a = 0; a < own; a++)
        set.weight[a] /= sum;
    return set;
}

static inline task_parameters facts_draw_task_parameters(rng *stream, const task_set *set) {
    task_parameters p = {.level_variance = rng_between(stream, 0.01, 0.5)};
    p.rho = set->own > 1 ? rng_uniform(stream) : 0;
    for (size_t i = 0; i < set->features; i++)
        p.feature_scale[i] = rng_between(stream, 0.2, 2);
    for (size_t s = 0; s < set->sources; s++) {
        p.kappa[s] = rng_below(stream, 3) ? rng_uniform(stream) : 0;
        p.gamma[s] = rng_between(stream, 0.5, 2);
        p.noise[s] = pow(10, rng_between(stream, -2, 0));
    }
    return p;
}

static inline bool facts_is_source(const task_set *set, int task) {
    return task > (int)set->own;
}

/* k of rows (x, t, c) and (y, u, e). */
static inline long double facts_task_kernel(const hyperparameters *h, const task_set *set, size_t d,
                                            const double *x, double t, int c, const double *y,
                                            double u, int e) {
    long double share, level;
    facts_relate(set, &h->tasks, (size_t)c, (size_t)e, &share, &level);
    return facts_kernel(h, d, x, t, y, u) * share + level;
}

/* The inverse of the covariance of the first n rows, noise and all. */
static inline long double *facts_task_inverse(const observations *o, const hyperparameters *h,
                                              size_t n) {
    long double *k = malloc((n * n + 1) * sizeof *k);
    size_t d = o->dimension;
    assert_non_null(k);
    for (size_t j = 0; j < n; j++) {
        for (size_t l = 0; l < n; l++)
            k[j * n + l] = facts_task_kernel(h, o->tasks, d, o->theta + j * d, o->share[j],
                                             o->task[j], o->theta + l * d, o->share[l], o->task[l]);
        k[j * n + j] +=
            facts_is_source(o->tasks, o->task[j])
                ? (long double)h->tasks.noise[o->task[j] - (int)o->tasks->own - 1] / o->reps[j]
                : facts_noise(h, o->level[j], o->reps[j]);
    }
    facts_invert(k, n);
    return k;
}

/* The posterior mean at (x, t) of task c, given the inverse for the told rows. */
static inline double facts_task_mean(const observations *o, const hyperparameters *h, size_t told,
                                     const long double *inverse, const double *x, double t, int c) {
    long double sum = facts_prior_mean(h, t);
    for (size_t j = 0; j < told; j++) {
        long double weight = 0;
        for (size_t l = 0; l < told; l++)
            weight +=
                inverse[j * told + l] *
                (o->mean[l] -
                 (facts_is_source(o->tasks, o->task[l]) ? 0 : facts_prior_mean(h, o->share[l])));
        sum += weight * facts_task_kernel(h, o->tasks, o->dimension, x, t, c,
                                          o->theta + j * o->dimension, o->share[j], o->task[j]);
    }
    return (double)sum;
}

/* The posterior covariance of (x, t) and (y, u) of task c, given the inverse for all rows. */
static inline double facts_task_covariance(const observations *o, const hyperparameters *h,
                                           const long double *inverse, const double *x, double t,
                                           const double *y, double u, int c) {
    size_t n = o->count, d = o->dimension;
    long double sum = facts_task_kernel(h, o->tasks, d, x, t, c, y, u, c);
    for (size_t j = 0; j < n; j++) {
        long double weight = 0;
        for (size_t l = 0; l < n; l++)
            weight +=
                inverse[j * n + l] * facts_task_kernel(h, o->tasks, d, y, u, c, o->theta + l * d,
                                                       o->share[l], o->task[l]);
        sum -= weight * facts_task_kernel(h, o->tasks, d, x, t, c, o->theta + j * d, o->share[j],
                                          o->task[j]);
    }
    return (double)sum;
}

#endif
