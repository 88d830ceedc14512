#include "model/observations.h"

#include "core/error.h"
#include "model/kernel.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

besd_status observations_init(observations *o, size_t dimension, besd_error *error) {
    memset(o, 0, sizeof *o);
    if (dimension < 1 || dimension > MODEL_MAX_DIMENSION)
        return besd_fail(error, BESD_INVALID, "dimension: expected 1 to %d, got %zu",
                         MODEL_MAX_DIMENSION, dimension);
    o->dimension = dimension;
    return BESD_OK;
}

void observations_free(observations *o) {
    free(o->theta);
    free(o->share);
    free(o->level);
    free(o->reps);
    free(o->mean);
    free(o->within);
    memset(o, 0, sizeof *o);
}

static bool grow(void **array, size_t count, size_t size) {
    void *grown = realloc(*array, count * size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

static besd_status reserve(observations *o, size_t capacity, besd_error *error) {
    if (!grow((void **)&o->theta, capacity * o->dimension, sizeof *o->theta) ||
        !grow((void **)&o->share, capacity, sizeof *o->share) ||
        !grow((void **)&o->level, capacity, sizeof *o->level) ||
        !grow((void **)&o->reps, capacity, sizeof *o->reps) ||
        !grow((void **)&o->mean, capacity, sizeof *o->mean) ||
        !grow((void **)&o->within, capacity, sizeof *o->within))
        return besd_fail_memory(error, "observations");
    o->capacity = capacity;
    return BESD_OK;
}

besd_status observations_add(observations *o, const double *theta, double share, int level,
                             double reps, double mean, double within, besd_error *error) {
    if (o->count == o->capacity) {
        besd_status status = reserve(o, 2 * o->capacity + 16, error);
        if (status != BESD_OK)
            return status;
    }
    memcpy(o->theta + o->count * o->dimension, theta, o->dimension * sizeof *theta);
    o->share[o->count] = share;
    o->level[o->count] = level;
    o->reps[o->count] = reps;
    o->mean[o->count] = mean;
    o->within[o->count] = within;
    o->count++;
    return BESD_OK;
}
