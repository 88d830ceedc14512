/* Tasks: processes that have much in common and are learnt together. A study's own tasks are what
 * it recommends designs for. Its sources are earlier studies, of which only rows are known; they
 * teach about the tasks and nothing is recommended for them. Mathematics calls this a model of
 * coregionalisation: with k the covariance of one process (kernel.h), rows of tasks c and c' have
 *
 *     k(theta, t, theta', t') B(c, c') + S(c, c')
 *
 * B says how much of the landscape two tasks share, S how much their levels differ for no reason of
 * theta's. Between own tasks B = (1 - rho) I + rho 1 1^T, or, where every task has features x,
 * B = m(|x - x'|), a Matérn-5/2 correlation with a length scale for every feature; S = s^2 I. One
 * task with sources has a level as well: what is expected of it is learnt from few trials.
 *
 * The mean over own tasks, each with its weight w, is a process of its own, g = w^T f. A trial
 * whose instances were not told apart is a row of g, which is exact: g is linear in f. With one own
 * task g is that task.
 *
 * Source number s has the rows of gamma_s (kappa_s g / sd(g) + sqrt(1 - kappa_s^2) e_s), where e_s
 * is a process like f of its own and gamma_s the scale of its scores. kappa_s = 0 is a source that
 * has nothing to say; the prior puts half of its weight there (draws.h). */
#ifndef BESD_MODEL_TASKS_H
#define BESD_MODEL_TASKS_H

#include <stdbool.h>
#include <stddef.h>

enum { TASKS_MOST = 64, TASK_FEATURES_MOST = 8, TASK_SOURCES_MOST = 8 };

/* A task by its number: the own tasks from 0 on, then their mean g, then the sources. */
enum { TASKS_ALL_MOST = TASKS_MOST + 1 + TASK_SOURCES_MOST };

typedef struct task_set {
    size_t own;                                     /* at least 1 */
    size_t sources, features;                       /* features 0: tasks have none */
    double weight[TASKS_MOST];                      /* of the own tasks; their sum is 1 */
    double feature[TASKS_MOST][TASK_FEATURES_MOST]; /* in units in which 1 is much */
} task_set;

/* What is learnt about tasks, part of the hyperparameters. */
typedef struct task_parameters {
    double rho;                               /* without features */
    double feature_scale[TASK_FEATURES_MOST]; /* length scales */
    double level_variance;                    /* s^2 */
    double kappa[TASK_SOURCES_MOST], gamma[TASK_SOURCES_MOST];
    double noise[TASK_SOURCES_MOST]; /* of one replication of a source, in the units of its rows */
} task_parameters;

/* NULL stands for one task without sources. */
size_t tasks_count(const task_set *set); /* own tasks, their mean, and sources */
int tasks_mean(const task_set *set);     /* the number of g; with one own task that of the task */
int tasks_source(const task_set *set, size_t source);

/* The number of the source whose rows these are; -1: they are the study's own. */
int tasks_is_source(const task_set *set, int task);

/* Fills B and S, [tasks_count * tasks_count] each. */
void tasks_relate(const task_set *set, const task_parameters *p, double *share, double *level);

#endif
