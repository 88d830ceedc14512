#include "learn/tiles.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

besd_status tiles_init(tile_coder *c, const besd_env_spec *spec, int tilings, int tiles,
                       besd_error *error) {
    memset(c, 0, sizeof *c);
    c->dimension = spec->observation;
    c->tilings = tilings;
    c->tiles = tiles;
    c->per_tiling = 1;
    for (int i = 0; i < c->dimension; i++) {
        if (!(spec->low[i] < spec->high[i] && isfinite(spec->high[i] - spec->low[i])))
            return besd_fail(error, BESD_ENVIRONMENT,
                             "tiles: expected finite bounds of observation[%d], got [%g, %g]", i,
                             spec->low[i], spec->high[i]);
        c->low[i] = spec->low[i];
        c->high[i] = spec->high[i];
        c->scale[i] = tiles * tilings / (spec->high[i] - spec->low[i]);
        c->per_tiling *= tiles + 1;
        if (c->per_tiling * tilings > TILES_MAX_FEATURES)
            return besd_fail(error, BESD_INVALID,
                             "tiles: %d tilings of %d^%d tiles are more than %d features", tilings,
                             tiles, c->dimension, TILES_MAX_FEATURES);
    }
    int32_t stride = 1;
    for (int i = c->dimension - 1; i >= 0; i--, stride *= tiles + 1)
        c->stride[i] = stride;
    for (int k = 0; k < tilings; k++)
        for (int i = 0; i < c->dimension; i++)
            c->shift[i][k] = k * (2 * i + 1) % tilings;
    return BESD_OK;
}

int64_t tiles_count(const tile_coder *c) {
    return c->per_tiling * c->tilings;
}

void tiles_add_share(const tile_coder *c, int i, int64_t notch, int32_t *active) {
    int32_t tile = (int32_t)notch / c->tilings, rest = (int32_t)notch % c->tilings;
    int32_t stride = c->stride[i], inside = tile * stride, to_border = c->tilings - rest;
    for (int k = 0; k < c->tilings; k++) /* a branch would be a coin toss */
        active[k] += inside + (stride & -(int32_t)(c->shift[i][k] >= to_border));
}

void tiles_active(const tile_coder *c, const double *observation, int32_t *active) {
    for (int k = 0; k < c->tilings; k++)
        active[k] = k * (int32_t)c->per_tiling;
    for (int i = 0; i < c->dimension; i++)
        tiles_add_share(c, i, tiles_notch(c, i, observation[i]), active);
}

_Static_assert(TILES_MAX_FEATURES <= INT32_MAX / BESD_ENV_MAX_ACTIONS,
               "places within a stage fit 32 bits");

static int stride_of(int actions) {
    return (actions + 1) / 2 * 2;
}

double tile_layout_size(const besd_env_spec *spec, int tilings, int tiles) {
    return stride_of(spec->actions) * tilings * pow(tiles + 1, spec->observation);
}

void tile_layout_free(tile_layout *l) {
    for (int i = 0; i < BESD_ENV_MAX_OBSERVATION; i++)
        free(l->share[i]);
    memset(l, 0, sizeof *l);
}

/* Tiling k adds k places; that is put into the share of the first coordinate. */
static bool fill_share(tile_layout *l, int i) {
    const int tilings = l->coder.tilings, width = 4 * tile_fours(l->shape);
    const int notches = l->coder.tiles * tilings + 1;
    uint32_t *share = aligned_alloc(16, (size_t)(notches * width) * sizeof *share);
    l->share[i] = share;
    for (int n = 0; share && n < notches; n++) {
        int32_t tile[TILES_MAX_TILINGS] = {0};
        tiles_add_share(&l->coder, i, n, tile);
        for (int k = 0; k < width; k++) {
            int place = tile[k] * tilings + (i == 0 ? k : 0);
            share[n * width + k] = (uint32_t)place * (uint32_t)l->stride;
        }
    }
    return share != NULL;
}

besd_status tile_layout_init(tile_layout *l, const besd_env_spec *spec, int tilings, int tiles,
                             besd_error *error) {
    memset(l, 0, sizeof *l);
    besd_status status = tiles_init(&l->coder, spec, tilings, tiles, error);
    if (status != BESD_OK)
        return status;
    l->shape = (tile_shape){tilings, spec->actions, spec->observation};
    l->stride = (size_t)stride_of(spec->actions);
    l->per_stage = (size_t)tiles_count(&l->coder) * l->stride;
    for (int i = 0; i < spec->observation; i++)
        if (!fill_share(l, i)) {
            tile_layout_free(l);
            return besd_fail_memory(error, "the tables of a tile coder");
        }
    return BESD_OK;
}

size_t tile_layout_index(const tile_layout *l, int64_t feature) {
    int64_t tiling = feature / l->coder.per_tiling, tile = feature % l->coder.per_tiling;
    return (size_t)(tile * l->coder.tilings + tiling) * l->stride;
}
