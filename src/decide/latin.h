/* Latin hypercubes: points in the unit cube that are evenly spread along every axis. */
#ifndef BESD_DECIDE_LATIN_H
#define BESD_DECIDE_LATIN_H

#include "core/rng.h"

#include <stddef.h>
#include <stdint.h>

/* Each of the n equal slices of each axis holds exactly one point, at a random place within it.
 * Which points share which slices is random and independent between the axes (McKay, Beckman and
 * Conover 1979; Stein 1987). Every point alone is uniform in the unit cube. Cost: O(n dimension).
 *
 * Fills points[n * dimension], one point a row, in [0, 1). Axis i draws from the stream
 * (seed, purpose, i), so a hypercube with more axes begins with the axes of one with fewer. */
void latin_hypercube(uint64_t seed, rng_purpose purpose, size_t n, size_t dimension,
                     double *points);

/* Row `index` of that hypercube. `axis` [n] is work space for one axis. */
void latin_point(uint64_t seed, rng_purpose purpose, size_t n, size_t dimension, size_t index,
                 double *axis, double *point);

#endif
