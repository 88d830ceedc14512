/* Tile coding: binary features of a continuous observation (Sutton and Barto, section 9.5.4).
 *
 * Every tiling cuts the box of observations into tiles^d equal tiles; tiling k is shifted by
 * k * (1, 3, 5, ...) / tilings of a tile, modulo one tile, the displacement recommended there.
 * Exactly one tile of every tiling is active.
 */
#ifndef BESD_LEARN_TILES_H
#define BESD_LEARN_TILES_H

#include "besd/env.h"

enum { TILES_MAX_TILINGS = 32 };

typedef struct tile_coder {
    int dimension, tilings, tiles;
    int64_t per_tiling; /* (tiles + 1)^dimension: a shifted tiling sticks out at one side */
    int32_t stride[BESD_ENV_MAX_OBSERVATION];
    double low[BESD_ENV_MAX_OBSERVATION], scale[BESD_ENV_MAX_OBSERVATION];
    double offset[BESD_ENV_MAX_OBSERVATION][TILES_MAX_TILINGS];
} tile_coder;

besd_status tiles_init(tile_coder *c, const besd_env_spec *spec, int tilings, int tiles,
                       besd_error *error);

/* Number of features: tilings * per_tiling. */
int64_t tiles_count(const tile_coder *c);

/* The active features, one per tiling, each in 0, ..., count - 1. */
void tiles_active(const tile_coder *c, const double *observation, int32_t *active);

#endif
