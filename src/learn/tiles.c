#include "learn/tiles.h"

#include "core/error.h"

#include <math.h>
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
