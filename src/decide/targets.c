#include "decide/targets.h"

#include "core/error.h"
#include "model/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A random place in slice k of n. Rounding must not carry it into the next slice, nor to 1. */
static double place_in_slice(rng *stream, double k, double n) {
    double place = (k + rng_uniform(stream)) / n, end = (k + 1) / n;
    return place < end ? place : nextafter(end, 0);
}

/* The axis itself holds the permutation, so nothing is allocated. */
static void fill_axis(rng stream, size_t n, size_t stride, double *axis) {
    for (size_t i = 0; i < n; i++)
        axis[i * stride] = (double)i;
    for (size_t i = n; i > 1; i--) {
        double *last = &axis[(i - 1) * stride], *other = &axis[rng_below(&stream, i) * stride];
        double swapped = *last;
        *last = *other;
        *other = swapped;
    }
    for (size_t i = 0; i < n; i++)
        axis[i * stride] = place_in_slice(&stream, axis[i * stride], (double)n);
}

void latin_hypercube(uint64_t seed, rng_purpose purpose, size_t n, size_t dimension,
                     double *points) {
    for (size_t i = 0; i < dimension; i++)
        fill_axis(rng_open(seed, purpose, i, 0, 0), n, dimension, points + i);
}

void latin_point(uint64_t seed, rng_purpose purpose, size_t n, size_t dimension, size_t index,
                 double *axis, double *point) {
    for (size_t i = 0; i < dimension; i++) {
        fill_axis(rng_open(seed, purpose, i, 0, 0), n, 1, axis);
        point[i] = axis[index];
    }
}

/* Half of the points of the cloud are four times as near, for a finer discretisation close to the
 * maximum. */
static const double WIDE = 1, NARROW = 0.25;

besd_status targets_init(targets *t, uint64_t seed, size_t fixed, size_t dimension,
                         besd_error *error) {
    *t = (targets){.count = fixed, .fixed = fixed, .dimension = dimension};
    t->points = malloc(fixed * dimension * sizeof *t->points);
    if (!t->points)
        return besd_fail_memory(error, "the targets");
    latin_hypercube(seed, RNG_TARGETS, fixed, dimension, t->points);
    return BESD_OK;
}

void targets_free(targets *t) {
    free(t->points);
    memset(t, 0, sizeof *t);
}

/* Adds a point unless it is among the added ones already. */
static void append(targets *t, const double *point) {
    size_t bytes = t->dimension * sizeof *point;
    for (size_t i = t->fixed; i < t->count; i++)
        if (!memcmp(t->points + i * t->dimension, point, bytes))
            return;
    memcpy(t->points + t->count++ * t->dimension, point, bytes);
}

besd_status targets_adapt(targets *t, const observations *tried, const double *maximiser,
                          const double *spread, uint64_t seed, size_t told, besd_error *error) {
    size_t most = t->fixed + tried->count + 1 + TARGETS_NEARBY;
    double *points = realloc(t->points, most * t->dimension * sizeof *points);
    if (!points)
        return besd_fail_memory(error, "the targets");
    t->points = points;
    t->count = t->fixed;
    for (size_t j = 0; j < tried->count; j++)
        append(t, tried->theta + j * t->dimension);
    append(t, maximiser);
    rng stream = rng_open(seed, RNG_NEARBY, told, 0, 0);
    for (int n = 0; n < TARGETS_NEARBY; n++) {
        double point[MODEL_MAX_DIMENSION], scale = n % 2 ? WIDE : NARROW;
        for (size_t i = 0; i < t->dimension; i++) {
            double moved = maximiser[i] + scale * spread[i] * rng_normal(&stream);
            point[i] = fmin(fmax(moved, 0), 1);
        }
        append(t, point);
    }
    return BESD_OK;
}
