/* What kg.c and kg_search.c share; no other file includes this. */
#ifndef BESD_DECIDE_KG_STATE_H
#define BESD_DECIDE_KG_STATE_H

#include "decide/envelope.h"
#include "decide/kg.h"

/* The candidates of a block have their covariances with the targets by one matrix product. */
enum { KG_BLOCK = 32 };

/* The upper bound is kept for this number of values of rho; between two of them the larger holds.
 */
enum { KG_BOUND_STEPS = 512 };

/* Targets whose lines are computed together. */
typedef struct line_set {
    size_t count;
    size_t *target; /* their numbers */
    double *mean;   /* a_i */
    double *scaled; /* theta / lengthscale, [count * dimension] */
    double *root;   /* [n][count]: roots at tau_max */
    size_t best;    /* the place of the target with the largest mean */
} line_set;

struct kg {
    gp *model;
    int task;       /* of the targets */
    const kg *from; /* of the task of the candidates, whose roots and variances it has; or k */
    double bond;    /* B between the two tasks */
    const hyperparameters *h;
    kg_levers levers;
    double log_cost[KG_MAX_LEVELS][KG_MAX_LEVELS]; /* of the levers */
    const double *targets;
    size_t target_count, dimension, n;
    void *memory;         /* of all arrays, those of the line sets included */
    double *roots;        /* gp_project of all targets, [MODEL_BASIS][n][target_count] */
    double *mean, *delta; /* of the targets: posterior mean, sd of the difference to the best */
    double *like_best;    /* of the targets: prior correlation with the best */
    double *variance;     /* [tau][target]: posterior variance of the candidate */
    double *own;          /* [tau][target]: its covariance with the target of the same theta */
    size_t best;
    double bound[KG_BOUND_STEPS + 1]; /* log U(rho) for rho = i / KG_BOUND_STEPS */

    line_set kept;  /* every target that can matter */
    line_set front; /* the most promising of them, for screening */

    envelope *envelope;
    double *products;   /* work: [MODEL_BASIS * KG_BLOCK][lines] */
    double *lines;      /* work: covariances of one candidate with a line set */
    double *row;        /* work: a kernel row */
    double *block_root; /* work: [n][MODEL_BASIS * KG_BLOCK] */
    double *root;       /* work: [n], of the current theta at one tau */
    size_t *sub_index;  /* work: the lines that can reach the envelope: place in the set, */
    double *sub_mean, *sub_line; /* a_i and covariance */
    size_t evaluated;
};

double kg_noise(const kg *k, int tau, int reps);

/* Root of target c at tau_max for observation j. */
double kg_final_root(const kg *k, size_t j, size_t c);

/* Makes theta the current one: its roots L^-1 B_p, [p][n], in k->block_root, their products with
 * those of the kept targets in k->products, its correlations with them in k->row. */
void kg_take(kg *k, const double *theta);

/* For the current theta at one tau: its root in k->root, its covariances with the kept targets in
 * k->lines; returns its posterior variance. */
double kg_take_lines(kg *k, double share);

/* Correlations of theta with the set's targets, into k->row. */
void kg_kernel_row(kg *k, const line_set *set, const double *theta);

/* Posterior covariances of (theta, tau) with the set's targets, into k->lines: the prior part from
 * k->row, the rest from products of roots, one row for each part of them (gp_project), `stride`
 * apart. */
void kg_fill_lines(kg *k, const line_set *set, const double *products, size_t stride, double share);

/* The same from correlations and products of the caller. */
void kg_combine_lines(kg *k, const double *correlations, const double *products, size_t stride,
                      size_t count, double share);

/* The envelope of k->lines for slopes up to `scale` times as steep. The candidate's own line is
 * added when it is not in the set; own_mean is NaN for none. */
void kg_build_envelope(kg *k, const line_set *set, double scale, double own_mean, double own_line);

/* log nu for every q from the envelope of k->lines. */
void kg_evaluate_levels(kg *k, const line_set *set, int tau, double variance, double own_mean,
                        double own_line, double *log_kg);

#endif
