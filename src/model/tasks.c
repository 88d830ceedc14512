#include "model/tasks.h"

#include "model/kernel.h"

#include <math.h>

size_t tasks_count(const task_set *set) {
    return set ? set->own + 1 + set->sources : 1;
}

int tasks_mean(const task_set *set) {
    return set && set->own > 1 ? (int)set->own : 0;
}

int tasks_source(const task_set *set, size_t source) {
    return (int)(set->own + 1 + source);
}

int tasks_is_source(const task_set *set, int task) {
    return set && task > (int)set->own ? task - (int)set->own - 1 : -1;
}

/* B between own tasks. */
static double relate_own(const task_set *set, const task_parameters *p, size_t a, size_t b) {
    double squares = 0;
    if (a == b)
        return 1;
    if (!set->features)
        return p->rho;
    for (size_t i = 0; i < set->features; i++) {
        double apart = (set->feature[a][i] - set->feature[b][i]) / p->feature_scale[i];
        squares += apart * apart;
    }
    return matern_correlation(squares);
}

static void relate_tasks(const task_set *set, const task_parameters *p, size_t count, double *share,
                         double *level) {
    for (size_t a = 0; a < set->own; a++)
        for (size_t b = 0; b < set->own; b++) {
            share[a * count + b] = relate_own(set, p, a, b);
            level[a * count + b] = a == b ? p->level_variance : 0;
        }
}

/* The row and the column of g: what w^T makes of those of the own tasks. */
static void relate_mean(const task_set *set, size_t count, double *matrix) {
    size_t g = set->own;
    double own = 0;
    for (size_t a = 0; a < set->own; a++) {
        double sum = 0;
        for (size_t b = 0; b < set->own; b++)
            sum += set->weight[b] * matrix[a * count + b];
        matrix[a * count + g] = matrix[g * count + a] = sum;
        own += set->weight[a] * sum;
    }
    matrix[g * count + g] = own;
}

static void relate_sources(const task_set *set, const task_parameters *p, size_t count,
                           double *share, double *level) {
    size_t g = set->own;
    double sd = sqrt(share[g * count + g]);
    for (size_t s = 0; s < set->sources; s++) {
        size_t at = g + 1 + s;
        for (size_t a = 0; a <= g; a++) {
            double with = p->gamma[s] * p->kappa[s] * share[a * count + g] / sd;
            share[a * count + at] = share[at * count + a] = with;
            level[a * count + at] = level[at * count + a] = 0;
        }
        for (size_t other = 0; other < set->sources; other++) {
            double both = s == other ? 1 : p->kappa[s] * p->kappa[other];
            share[at * count + g + 1 + other] = p->gamma[s] * p->gamma[other] * both;
            level[at * count + g + 1 + other] = 0;
        }
    }
}

void tasks_relate(const task_set *set, const task_parameters *p, double *share, double *level) {
    size_t count = tasks_count(set);
    relate_tasks(set, p, count, share, level);
    relate_mean(set, count, share);
    relate_mean(set, count, level);
    relate_sources(set, p, count, share, level);
}
