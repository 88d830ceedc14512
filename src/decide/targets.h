/* The targets: the discretisation of theta, in the unit cube, over which the knowledge gradient is
 * exact. */
#ifndef BESD_DECIDE_TARGETS_H
#define BESD_DECIDE_TARGETS_H

#include "model/observations.h"

#include <stddef.h>
#include <stdint.h>

/* The targets: a Latin hypercube fixed for the study, every theta that was tried, the current
 * maximiser of the posterior mean and a cloud of points around it. In discrete mode the hypercube
 * alone (theorem 1). */
typedef struct targets {
    size_t count, fixed, dimension;
    double *points; /* [count * dimension], unit cube; the fixed ones first */
} targets;

/* Points of the cloud: few in comparison with the hypercube. */
enum { TARGETS_NEARBY = 128 };

/* Makes the fixed part. */
besd_status targets_init(targets *t, uint64_t seed, size_t fixed, size_t dimension,
                         besd_error *error);
void targets_free(targets *t);

/* Replaces all but the fixed part: the tried thetas, the maximiser and the cloud around it. `told`
 * names the stream of the cloud, `spread` [dimension] holds the standard deviations of its wider
 * half. */
besd_status targets_adapt(targets *t, const observations *tried, const double *maximiser,
                          const double *spread, uint64_t seed, size_t told, besd_error *error);

/* Adds another maximiser with `points` points around it; `number` names their stream. */
besd_status targets_add_cloud(targets *t, const double *maximiser, const double *spread,
                              uint64_t seed, size_t told, size_t number, size_t points,
                              besd_error *error);

#endif
