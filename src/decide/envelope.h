/* The upper envelope of lines, and the knowledge gradient of a trial from it.
 *
 * If a trial's outcome moves the mean of design i from a_i to a_i + b_i Z, Z standard normal, the
 * trial is worth
 *
 *     nu = E[max_i (a_i + b_i Z)] - max_i a_i = sum_j (b_{j+1} - b_j) h(-|c_j|),
 *
 * the sum over the lines of the upper envelope in order of slope, c_j the place where line j + 1
 * takes over from line j, and h the function of core/stats.h (Frazier, Powell and Dayanik 2009;
 * section 4.2 of the paper). Multiplying all slopes by r > 0 divides every c_j by r and leaves the
 * order of the lines alone, so one envelope serves every number of replications.
 *
 *     envelope_build(e, a, b, n);
 *     for each reps: log_kg = envelope_log_kg(e, scale_of(reps));
 *
 * An envelope is scratch space of one thread, used again for every candidate.
 */
#ifndef BESD_DECIDE_ENVELOPE_H
#define BESD_DECIDE_ENVELOPE_H

#include "besd/status.h"

#include <stddef.h>

typedef struct envelope_line {
    double intercept, slope;
    size_t index;
} envelope_line;

typedef struct envelope {
    size_t capacity;
    void *memory;         /* of the arrays */
    size_t count;         /* lines on the envelope, at least 1 after a build */
    size_t *line;         /* [count]: their indices, by increasing slope */
    double *cut;          /* [count - 1]: the z where line[j + 1] takes over, increasing */
    double *log_rise;     /* [count - 1]: log(b_{j+1} - b_j) */
    envelope_line *stack; /* [capacity]: the lines themselves */
    envelope_line *kept;  /* [more than capacity]: lines that passed the filter */
} envelope;

/* Room for `capacity` lines, at least 1. */
besd_status envelope_create(size_t capacity, envelope **created, besd_error *error);
void envelope_destroy(envelope *e);

/* The envelope of the lines a[i] + b[i] z over all z, for 1 <= n <= capacity and finite numbers
 * whose differences are finite. Of lines with equal slope the one with the larger intercept
 * counts, of equal lines the first. The arrays are not used after the call. */
void envelope_build(envelope *e, const double *a, const double *b, size_t n);

/* log nu when every slope is multiplied by scale > 0; -INFINITY when one line is best for all z. */
double envelope_log_kg(const envelope *e, double scale);

/* log nu, and in `weight` its derivatives by the slopes b_i for the lines on the envelope, in the
 * order of e->line; those of all others are zero. Right also where nu itself underflows; all
 * weights are zero when log nu is -INFINITY. The derivative by the scale itself is sum_i weight[i]
 * b_i / scale. */
double envelope_log_gradient(const envelope *e, double scale, double *weight);

#endif
