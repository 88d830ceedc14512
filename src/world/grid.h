/* Grid worlds: four compass moves, walls, doors with keys, treasures, wind (paper section 5),
 * one-way cells, and four diagonal moves for those who want them.
 *
 * A move into the border, a wall or a closed door leaves the agent where it is. So does a move into
 * a one-way cell in another direction than its own; the agent leaves such a cell in any direction.
 * A diagonal move cuts no corner: both cells beside it must be open to their part of the move.
 * The discrete state is cell + cells * flags, flags bit 0 = has the key, bit 1 = has taken the
 * treasure; a bit exists only when the map can hold a key or a treasure. The position is the centre
 * of the cell, in the user's units (grid_map.h).
 */
#ifndef BESD_WORLD_GRID_H
#define BESD_WORLD_GRID_H

#include "besd/env.h"
#include "core/rng.h"
#include "world/grid_map.h"

/* 0 up, 1 right, 2 down, 3 left; then 4 up and right, 5 down and right, 6 down and left, 7 up and
 * left. */
enum { GRID_ACTIONS = 4, GRID_MAX_ACTIONS = 8 };

/* What they add to x and y. */
extern const int grid_moves[GRID_MAX_ACTIONS][2];

typedef struct grid_config {
    const grid_map *map; /* borrowed for the life of the environment */
    double wind_low, wind_high;
    double goal_reward, treasure_reward;
    int64_t cap;
    int moves; /* GRID_ACTIONS or GRID_MAX_ACTIONS */
} grid_config;

/* The method table; its `create` is NULL, because a grid needs a map: use grid_create. */
extern const besd_env_methods grid_methods;

besd_status grid_create(const grid_config *config, besd_env **env, besd_error *error);

/* The layout that an instance of this seed has. */
int64_t grid_layout_of(const grid_map *map, uint64_t seed);

/* Puts the environment into a given layout and wind instead of a drawn one. */
void grid_set_layout(besd_env *env, int64_t layout, double wind);

/* The resolved cells of the current instance, width * height, row y = 0 first. */
const char *grid_cells(const besd_env *env);

/* Wind: with probability p a uniformly random action replaces the chosen one. Gusts are rare, so
 * the number of calm steps before the next gust is drawn (geometric), instead of a coin at every
 * step. The distribution is the same, and the hot loop pays one decrement. */
typedef struct wind {
    uint64_t calm; /* steps before the next gust */
    double probability;
    rng stream;
} wind;

wind wind_start(uint64_t seed, double probability);

/* A gust: returns the action that it makes, and draws the calm after it. */
int wind_gust(wind *w, int actions);

/* The action that really happens. */
static inline int wind_blow(wind *w, int action, int actions) {
    return __builtin_expect(w->calm-- > 0, 1) ? action : wind_gust(w, actions);
}

#endif
