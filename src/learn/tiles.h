/* Tile coding: binary features of a continuous observation (Sutton and Barto, section 9.5.4).
 *
 * Every tiling cuts the box of observations into tiles^d equal tiles; tiling k is shifted by
 * k * (1, 3, 5, ...) / tilings of a tile, modulo one tile, the displacement recommended there.
 * Exactly one tile of every tiling is active.
 *
 * All borders are multiples of 1 / tilings of a tile. So only the notch of a coordinate matters,
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

/* The notch of coordinate i: 0, ..., tiles * tilings. A place outside the box counts as its border.
 * (Compared this way round, gcc 12 makes two instructions of it with any flags.) */
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

/* Tile-coded action values, laid out for speed: where the weights of the active tiles are, and the
 * sums over them that agent.c forms, in the same order.
 *
 * The weights of a stage lie by tile, then tiling, then action, so that tiles which are active
 * together are near each other (by tiling first, as features are numbered, a crew was 4 % slower).
 * Actions come in whole pairs for SSE2; an action that only fills a pair has weights of -INFINITY
 * and is never the best. The active tiles are a sum of one row per coordinate of a table over
 * notches: for the mountain car two additions of four numbers instead of 16 comparisons.
 *
 * A tile_shape says what the loops run over; a constant tile_shape unrolls them. */
#define TILE_INLINE static inline __attribute__((always_inline))

typedef struct tile_shape {
    int tilings, actions, dimension;
} tile_shape;

typedef struct tile_layout {
    tile_coder coder;
    tile_shape shape;
    size_t stride, per_stage;                  /* weights of one tile, of one stage */
    uint32_t *share[BESD_ENV_MAX_OBSERVATION]; /* [notch][tiling, in whole fours] */
} tile_layout;

typedef double tile_pair __attribute__((vector_size(16), may_alias));
typedef uint32_t tile_four __attribute__((vector_size(16), may_alias));

/* How many weights a stage would have. */
double tile_layout_size(const besd_env_spec *spec, int tilings, int tiles);

/* On failure there is nothing to free. */
besd_status tile_layout_init(tile_layout *l, const besd_env_spec *spec, int tilings, int tiles,
                             besd_error *error);
void tile_layout_free(tile_layout *l);

/* Where the weights of a feature start in their stage; features as tiles_active numbers them. */
size_t tile_layout_index(const tile_layout *l, int64_t feature);

TILE_INLINE int tile_fours(tile_shape s) {
    return (s.tilings + 3) / 4;
}

TILE_INLINE int tile_pairs(tile_shape s) {
    return (s.actions + 1) / 2;
}

/* Where the weights of the active tiles start; `tile` has room for TILES_MAX_TILINGS at a multiple
 * of 16 bytes. */
TILE_INLINE void tile_find(const tile_layout *l, tile_shape s, const double *observation,
                           uint32_t *tile) {
    const tile_four *share[BESD_ENV_MAX_OBSERVATION];
    for (int i = 0; i < s.dimension; i++)
        share[i] = (const tile_four *)l->share[i] +
                   tiles_notch(&l->coder, i, observation[i]) * tile_fours(s);
    for (int k = 0; k < tile_fours(s); k++) {
        tile_four sum = {0};
        for (int i = 0; i < s.dimension; i++)
            sum += share[i][k];
        ((tile_four *)tile)[k] = sum;
    }
}

/* The values of all actions, to a multiple of 16 bytes. */
TILE_INLINE void tile_read_all(const double *weights, const uint32_t *tile, tile_shape s,
                               double *values) {
    tile_pair sum[BESD_ENV_MAX_ACTIONS / 2];
    for (int i = 0; i < tile_pairs(s); i++)
        sum[i] = (tile_pair){0, 0};
    for (int k = 0; k < s.tilings; k++)
        for (int i = 0; i < tile_pairs(s); i++)
            sum[i] += *(const tile_pair *)&weights[tile[k] + 2 * (size_t)i];
    for (int i = 0; i < tile_pairs(s); i++)
        *(tile_pair *)&values[2 * i] = sum[i];
}

/* The value of one action; `weights` of the stage, from that action on. */
TILE_INLINE double tile_read(const double *weights, const uint32_t *tile, tile_shape s) {
    double sum = 0;
    for (int k = 0; k < s.tilings; k++)
        sum += weights[tile[k]];
    return sum;
}

TILE_INLINE void tile_add(double *weights, const uint32_t *tile, tile_shape s, double amount) {
    for (int k = 0; k < s.tilings; k++)
        weights[tile[k]] += amount;
}

#endif
