/* An instance is compiled into a transition table once; a step is then two look-ups. */
#include "world/grid.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

struct besd_env {
    grid_config config;
    int cell_count, actions;
    int key_bit, treasure_bit; /* 0 when the map can hold no such thing */
    void *memory;              /* of the arrays */
    char *cells;
    int32_t *neighbours; /* [cell * actions + action], walls ignored */
    int32_t *next;
    double *reward;
    uint8_t *terminal;
    double *position;
    besd_env_table table;
    wind wind;
    int64_t state, steps;
};

wind wind_start(uint64_t seed, double probability) {
    wind w = {.probability = probability, .stream = rng_open(seed, RNG_DYNAMICS, 0, 0, 0)};
    w.calm = rng_geometric(&w.stream, probability);
    return w;
}

int wind_gust(wind *w, int actions) {
    w->calm = rng_geometric(&w->stream, w->probability);
    return (int)rng_below(&w->stream, (uint64_t)actions);
}

static bool map_can_hold(const grid_map *map, char kind) {
    if (memchr(map->cells, kind, (size_t)grid_map_cells(map)))
        return true;
    for (int k = 0; k < map->choice_count; k++)
        if (map->choices[k].becomes == kind)
            return true;
    return false;
}

const int grid_moves[GRID_MAX_ACTIONS][2] = {{0, 1}, {1, 0},  {0, -1},  {-1, 0},
                                             {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};

static int32_t neighbour(const grid_map *map, int cell, int action) {
    int x = cell % map->width + grid_moves[action][0];
    int y = cell / map->width + grid_moves[action][1];
    if (x < 0 || x >= map->width || y < 0 || y >= map->height)
        return cell;
    return x + y * map->width;
}

/* Is a cell of this kind closed to a move? */
static bool is_closed(const besd_env *env, char kind, int flags, int action) {
    return kind == GRID_WALL || (kind == GRID_DOOR && !(flags & env->key_bit)) ||
           (grid_is_one_way(kind) && (action >= GRID_ACTIONS || kind != GRID_ONE_WAY[action]));
}

/* Does a diagonal move pass a corner? */
static bool cuts_corner(const besd_env *env, int cell, int flags, int action) {
    if (action < GRID_ACTIONS)
        return false;
    const int upright = grid_moves[action][1] > 0 ? 0 : 2,
              level = grid_moves[action][0] > 0 ? 1 : 3;
    const int32_t *around = env->neighbours + cell * env->actions;
    return is_closed(env, env->cells[around[upright]], flags, upright) ||
           is_closed(env, env->cells[around[level]], flags, level);
}

static void compile_move(besd_env *env, int cell, int flags, int action) {
    int target = env->neighbours[cell * env->actions + action], new_flags = flags;
    char kind = env->cells[target];
    double reward = 0;
    if (is_closed(env, kind, flags, action) || cuts_corner(env, cell, flags, action)) {
        target = cell;
    } else if (target == cell) {
        /* the border: nothing is entered, so nothing is gained */
    } else if (kind == GRID_GOAL) {
        reward = env->config.goal_reward;
    } else if (kind == GRID_KEY) {
        new_flags |= env->key_bit;
    } else if (kind == GRID_TREASURE && !(flags & env->treasure_bit)) {
        reward = env->config.treasure_reward;
        new_flags |= env->treasure_bit;
    }
    int entry = (cell + env->cell_count * flags) * env->actions + action;
    env->next[entry] = target + env->cell_count * new_flags;
    env->reward[entry] = reward;
}

void grid_set_layout(besd_env *env, int64_t layout, double wind_probability) {
    grid_map_layout(env->config.map, layout, env->cells);
    for (int flags = 0; flags < env->table.states / env->cell_count; flags++)
        for (int cell = 0; cell < env->cell_count; cell++) {
            env->terminal[cell + flags * env->cell_count] = env->cells[cell] == GRID_GOAL;
            for (int action = 0; action < env->actions; action++)
                compile_move(env, cell, flags, action);
        }
    env->table.start = grid_map_start(env->config.map, layout);
    env->table.wind = wind_probability;
    env->wind = wind_start(0, wind_probability);
}

static void grid_destroy(besd_env *env) {
    if (!env)
        return;
    free(env->memory);
    free(env);
}

besd_status grid_create(const grid_config *config, besd_env **created, besd_error *error) {
    const grid_map *map = config->map;
    besd_env *env = calloc(1, sizeof *env);
    if (!env)
        return besd_fail_memory(error, "a grid world");
    env->config = *config;
    env->cell_count = map->width * map->height;
    env->actions = config->moves;
    int flag_sets = 1;
    if (map_can_hold(map, GRID_KEY)) {
        env->key_bit = flag_sets;
        flag_sets *= 2;
    }
    if (map_can_hold(map, GRID_TREASURE)) {
        env->treasure_bit = flag_sets;
        flag_sets *= 2;
    }
    size_t states = (size_t)(env->cell_count * flag_sets);
    size_t cells = (size_t)env->cell_count, actions = (size_t)env->actions;
    const memory_array arrays[] = {{&env->cells, cells},
                                   {&env->neighbours, cells * actions * sizeof(int32_t)},
                                   {&env->next, states * actions * sizeof(int32_t)},
                                   {&env->reward, states * actions * sizeof(double)},
                                   {&env->terminal, states},
                                   {&env->position, states * 2 * sizeof(double)}};
    env->memory = memory_allocate(arrays, sizeof arrays / sizeof *arrays);
    if (!env->memory) {
        free(env);
        return besd_fail_memory(error, "a grid world's table");
    }
    for (int cell = 0; cell < env->cell_count; cell++)
        for (int action = 0; action < env->actions; action++)
            env->neighbours[cell * env->actions + action] = neighbour(map, cell, action);
    for (size_t state = 0; state < states; state++) {
        int cell = (int)(state % (size_t)env->cell_count);
        env->position[2 * state] = grid_map_unit(map, 0, cell % map->width + 0.5);
        env->position[2 * state + 1] = grid_map_unit(map, 1, cell / map->width + 0.5);
    }
    env->table = (besd_env_table){.states = (int64_t)states,
                                  .actions = env->actions,
                                  .next = env->next,
                                  .reward = env->reward,
                                  .terminal = env->terminal,
                                  .position = env->position};
    grid_set_layout(env, 0, config->wind_low);
    *created = env;
    return BESD_OK;
}

static void grid_spec(const besd_env *env, besd_env_spec *spec) {
    const grid_map *map = env->config.map;
    *spec = (besd_env_spec){.actions = env->actions,
                            .states = env->table.states,
                            .observation = 2,
                            .position = 2,
                            .reach = BESD_REACH_CELL,
                            .cap = env->config.cap};
    for (int i = 0; i < 2; i++) {
        spec->low[i] = spec->subgoal_low[i] = grid_map_unit(map, i, 0);
        spec->high[i] = spec->subgoal_high[i] = grid_map_unit(map, i, i ? map->height : map->width);
    }
}

static rng features_of(uint64_t seed) {
    return rng_open(seed, RNG_FEATURES, 0, 0, 0);
}

int64_t grid_layout_of(const grid_map *map, uint64_t seed) {
    rng stream = features_of(seed);
    return grid_map_draw(map, &stream);
}

static besd_status grid_instance(besd_env *env, uint64_t seed, besd_error *error) {
    (void)error;
    rng stream = features_of(seed);
    int64_t layout = grid_map_draw(env->config.map, &stream);
    grid_set_layout(env, layout, rng_between(&stream, env->config.wind_low, env->config.wind_high));
    return BESD_OK;
}

static void grid_seed(besd_env *env, uint64_t seed) {
    env->wind = wind_start(seed, env->table.wind);
}

static inline void observe(const besd_env *env, besd_env_outcome *out) {
    out->state = env->state;
    out->observation[0] = env->position[2 * env->state];
    out->observation[1] = env->position[2 * env->state + 1];
}

static void grid_reset(besd_env *env, besd_env_outcome *out) {
    env->state = env->table.start;
    env->steps = 0;
    out->reward = 0;
    out->terminated = out->truncated = false;
    observe(env, out);
}

static void grid_step(besd_env *env, int action, besd_env_outcome *out) {
    int64_t entry = env->state * env->actions + wind_blow(&env->wind, action, env->actions);
    env->state = env->next[entry];
    env->steps++;
    out->reward = env->reward[entry];
    out->terminated = env->terminal[env->state];
    out->truncated = !out->terminated && env->steps >= env->config.cap;
    observe(env, out);
}

static uint64_t grid_fingerprint(const besd_env *env) {
    uint64_t hash = hash_bytes(HASH_START, env->cells, (size_t)env->cell_count);
    return hash_bytes(hash, &env->table.wind, sizeof env->table.wind);
}

static const besd_env_table *grid_table(const besd_env *env) {
    return &env->table;
}

const char *grid_cells(const besd_env *env) {
    return env->cells;
}

const besd_env_methods grid_methods = {
    .version = BESD_ENV_VERSION,
    .size = sizeof(besd_env_methods),
    .name = "grid",
    .destroy = grid_destroy,
    .spec = grid_spec,
    .instance = grid_instance,
    .seed = grid_seed,
    .reset = grid_reset,
    .step = grid_step,
    .fingerprint = grid_fingerprint,
    .table = grid_table,
};
