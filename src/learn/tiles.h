/* Tile coding: binary features of a continuous observation (Sutton and Barto, section 9.5.4).
 *
 * Every tiling cuts the box of observations into tiles^d equal tiles; tiling k is shifted by
 * k * (1, 3, 5, ...) / tilings of a tile, modulo one tile, the displacement recommended there.
 * Exactly one tile of every tiling is active.
 *
 * All borders are multiples of 1 / tilings of a tile. So a coordinate counts only by its notch,
 * one of tiles * tilings + 1, and the active features are a sum of one share per coordinate.
 */
#ifndef BESD_LEARN_TILES_H
#define BESD_LEARN_TILES_H

#include "besd/env.h"

enum { TILES_MAX_TILINGS = 32, TILES_MAX_FEATURES = 1 << 24 };

typedef struct tile_coder {
    int dimension, tilings, tiles;
    int64_t per_tiling; /* (tiles + 1)^dimension: a shifted tiling sticks out at one side */
    int32_t stride[BESD_ENV_MAX_OBSERVATION];
    int32_t shift[BESD_ENV_MAX_OBSERVATION][TILES_MAX_TILINGS]; /* in notches */
    double low[BESD_ENV_MAX_OBSERVATION], high[BESD_ENV_MAX_OBSERVATION];
    double scale[BESD_ENV_MAX_OBSERVATION]; /* notches per unit */
} tile_coder;

besd_status tiles_init(tile_coder *c, const besd_env_spec *spec, int tilings, int tiles,
                       besd_error *error);

/* Number of features: tilings * per_tiling. */
int64_t tiles_count(const tile_coder *c);

/* The notch of coordinate i, a number: 0, ..., tiles * tilings. Outside the box counts as its
 * border. (Compared this way round, gcc 12 makes two instructions of it whatever its flags.) */
static inline int64_t tiles_notch(const tile_coder *c, int i, double coordinate) {
    const double low = c->low[i], high = c->high[i];
    double inside = low < coordinate ? coordinate : low;
    inside = high < inside ? high : inside;
    return (int64_t)((inside - low) * c->scale[i]);
}

/* Adds to each tiling's active feature what coordinate i contributes at this notch. */
void tiles_add_share(const tile_coder *c, int i, int64_t notch, int32_t *active);

/* The active features, one per tiling, each in 0, ..., count - 1. */
void tiles_active(const tile_coder *c, const double *observation, int32_t *active);

#endif
