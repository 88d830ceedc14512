/* Tile-coded action values, laid out for speed: where the weights of the active tiles are, and the
 * sums over them that agent.c forms, in the same order.
 *
 * The weights of a stage lie by tile, then tiling, then action, so that tiles which are active
 * together are near each other (by tiling first, as features are numbered, a crew was 4 % slower).
 * Actions come in whole pairs for the sake of SSE2; the one too many has weights of -INFINITY and
 * is never the best. The active tiles are a sum of one row per coordinate of a table over notches
 * (tiles.h): for the mountain car two additions of four numbers instead of 16 comparisons.
 *
 * A tile_shape says what the loops run over; given as a constant it unrolls them.
 */
#ifndef BESD_LEARN_TILE_LAYOUT_H
#define BESD_LEARN_TILE_LAYOUT_H

#include "learn/tiles.h"

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

/* Where the weights of a feature, as numbered by tiles.h, start in their stage. */
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
