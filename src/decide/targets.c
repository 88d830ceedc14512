#include "decide/targets.h"

#include "core/error.h"
#include "core/rng.h"
#include "decide/latin.h"
#include "model/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The maximiser and points around it, which have room. */
static void add_cloud(targets *t, const double *maximiser, const double *spread, rng stream,
                      size_t points) {
    append(t, maximiser);
    for (size_t n = 0; n < points; n++) {
        double point[MODEL_MAX_DIMENSION], scale = n % 2 ? WIDE : NARROW;
        for (size_t i = 0; i < t->dimension; i++) {
            double moved = maximiser[i] + scale * spread[i] * rng_normal(&stream);
            point[i] = fmin(fmax(moved, 0), 1);
        }
        append(t, point);
    }
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
    add_cloud(t, maximiser, spread, rng_open(seed, RNG_NEARBY, told, 0, 0), TARGETS_NEARBY);
    return BESD_OK;
}

besd_status targets_add_cloud(targets *t, const double *maximiser, const double *spread,
                              uint64_t seed, size_t told, size_t number, size_t points,
                              besd_error *error) {
    double *grown = realloc(t->points, (t->count + 1 + points) * t->dimension * sizeof *grown);
    if (!grown)
        return besd_fail_memory(error, "the targets");
    t->points = grown;
    add_cloud(t, maximiser, spread, rng_open(seed, RNG_NEARBY, told, number, 0), points);
    return BESD_OK;
}
