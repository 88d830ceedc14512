/* Points in the unit cube: Latin hypercubes, and the targets, the discretisation of theta over
 * which the knowledge gradient is exact. */
#ifndef BESD_DECIDE_TARGETS_H
#define BESD_DECIDE_TARGETS_H

#include "core/rng.h"
#include "model/observations.h"

#include <stddef.h>
#include <stdint.h>

/* A Latin hypercube is evenly spread along every axis. Each of the n equal slices of each axis
 * holds exactly one point, at a random place within it; which points share which slices is random
 * and independent between the axes (McKay, Beckman and Conover 1979; Stein 1987). Every point alone
 * is uniform in the unit cube. Cost: O(n dimension).
 *
 * Fills points[n * dimension], one point a row, in [0, 1). Axis i draws from the stream
 * (seed, purpose, i), so a hypercube with more axes begins with the axes of one with fewer. */
void latin_hypercube(uint64_t seed, rng_purpose purpose, size_t n, size_t dimension,
                     double *points);

/* Row `index` of that hypercube. `axis` [n] is work space for one axis. */
void latin_point(uint64_t seed, rng_purpose purpose, size_t n, size_t dimension, size_t index,
                 double *axis, double *point);

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

#endif
