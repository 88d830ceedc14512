/* The six domains of the paper (section 5). Where the paper is silent the figures of the authors'
 * research code are used, with these differences, all measured: wind in GW20 as in the paper
 * (U[0, 0.02], the code has U[0.02, 0.04]); moves into walls are offered and bump; mountain car
 * keeps the paper's sparse reward (+1 at the goal, nothing elsewhere) instead of -1 a step, under
 * which subgoals do not help at all. Its discount of 0.98 learns faster than 0.99 (with subgoals at
 * (-0.95, 0.48) 306 +- 12 against 393 +- 14 steps after 10000 interactions), and a potential of
 * width 2 keeps the best pair on both sides of the start; with 10 a first subgoal just before the
 * goal is better than any pair.
 */
#include "world/domain.h"

#include "core/error.h"
#include "core/names.h"
#include "world/grid.h"
#include "world/mountain_car.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const domain_parameter_info domain_parameter_infos[PARAMETER_COUNT] = {
#define INFO(id, parameter_name, lowest, highest, is_integer, description)                         \
    {.name = parameter_name,                                                                       \
     .text = description,                                                                          \
     .low = lowest,                                                                                \
     .high = highest,                                                                              \
     .integer = is_integer},
    DOMAIN_PARAMETERS(INFO)
#undef INFO
};

static const char gw10_map[] = "GG........\n"
                               "G.........\n"
                               "..........\n"
                               "eeeeee....\n"
                               "dddddd....\n"
                               "cccccc....\n"
                               "bbbbbb....\n"
                               "aaaaaa....\n"
                               "..........\n"
                               "S.........\n"
                               "choose wall: a | b | c | d | e\n";

static const char gw20_map[] = "..................GG\n"
                               "...................G\n"
                               "....................\n"
                               "llllllll........llll\n"
                               "....................\n"
                               "kkkkkkkk........kkkk\n"
                               "....................\n"
                               "jjjjjjjj........jjjj\n"
                               "....................\n"
                               "....................\n"
                               "gggggggghhhh....iiii\n"
                               "....................\n"
                               "ddddddddeeee....ffff\n"
                               "....................\n"
                               "aaaaaaaabbbb....cccc\n"
                               "....................\n"
                               "....................\n"
                               "....................\n"
                               "....................\n"
                               "S...................\n"
                               "choose wall: ab | ac | de | df | gh | gi\n"
                               "choose wall: j | k | l\n";

static const char treasure_map[] = "........GG\n"
                                   ".........G\n"
                                   "#######...\n"
                                   "..........\n"
                                   "..........\n"
                                   "....####..\n"
                                   "....#.....\n"
                                   "....#..ghi\n"
                                   ".......def\n"
                                   "S......abc\n"
                                   "choose treasure: a | b | c | d | e | f | g | h | i\n";

static const char key_map[] = "GG........\n"
                              "G.........\n"
                              "..........\n"
                              "..........\n"
                              "..........\n"
                              "######DDDD\n"
                              "ll......rr\n"
                              "ll......rr\n"
                              "..........\n"
                              "S.........\n"
                              "choose key: l | r\n";

typedef struct parameter_value {
    domain_parameter parameter;
    double value;
} parameter_value;

enum { MAX_OWN_VALUES = 16 };

typedef struct builtin {
    const char *name, *title, *map; /* map NULL: mountain car */
    domain_objective objective;
    int64_t tau[DOMAIN_MAX_LEVELS];
    int reps[DOMAIN_MAX_LEVELS];
    int initial_designs, value_count;
    parameter_value values[MAX_OWN_VALUES]; /* what differs from the shared values */
} builtin;

static const parameter_value shared_values[] = {
    {PARAMETER_SUBGOALS, 2},      {PARAMETER_GAMMA, 1},           {PARAMETER_CAP, 500},
    {PARAMETER_HEIGHT, 0.2},      {PARAMETER_WIDTH, 10},          {PARAMETER_EPSILON, 0.2},
    {PARAMETER_EPSILON_END, 0.2}, {PARAMETER_ALPHA, 0.11},        {PARAMETER_ALPHA_DECAY, 100},
    {PARAMETER_ALPHA_POWER, 1.1}, {PARAMETER_INITIAL_VALUE, 0},   {PARAMETER_INITIAL_NOISE, 0},
    {PARAMETER_GOAL_REWARD, 1},   {PARAMETER_FEWEST_SUBGOALS, 0}, {PARAMETER_SUBGOAL_PRICE, 0},
};

static const parameter_value grid_values[] = {
    {PARAMETER_WIND_LOW, 0},
    {PARAMETER_WIND_HIGH, 0},
    {PARAMETER_LABELS, 0},
    {PARAMETER_TREASURE_REWARD, 0},
};

static const builtin builtins[] = {
    {.name = "gw10",
     .title = "10x10 rooms, a wall in one of five rows with its door on the right, wind",
     .map = gw10_map,
     .tau = {200, 600, 1000},
     .reps = {5, 20},
     .initial_designs = 10,
     .value_count = 1,
     .values = {{PARAMETER_WIND_HIGH, 0.02}}},
    {.name = "gw20",
     .title = "20x20, three rooms, two walls with varying rows and doors, wind",
     .map = gw20_map,
     .tau = {4000, 7000, 10000},
     .reps = {20},
     .initial_designs = 10,
     .value_count = 2,
     .values = {{PARAMETER_WIND_HIGH, 0.02}, {PARAMETER_CAP, 1000}}},
    {.name = "tr",
     .title = "10x10, a treasure hidden in a small room, then the goal; discounted return",
     .map = treasure_map,
     .objective = OBJECTIVE_RETURN,
     .tau = {400, 1200, 2000},
     .reps = {5, 20},
     .initial_designs = 10,
     .value_count = 3,
     .values = {{PARAMETER_GAMMA, 0.98},
                {PARAMETER_GOAL_REWARD, 10},
                {PARAMETER_TREASURE_REWARD, 10}}},
    {.name = "key2",
     .title = "10x10, a key far left or far right opens the door; two subgoals",
     .map = key_map,
     .tau = {400, 700, 1000},
     .reps = {5, 20},
     .initial_designs = 10,
     .value_count = 1,
     .values = {{PARAMETER_GAMMA, 0.999}}},
    {.name = "key3",
     .title = "the same with three subgoals",
     .map = key_map,
     .tau = {400, 700, 1000},
     .reps = {5, 20},
     .initial_designs = 15,
     .value_count = 2,
     .values = {{PARAMETER_GAMMA, 0.999}, {PARAMETER_SUBGOALS, 3}}},
    {.name = "mc",
     .title = "mountain car with a varying start, sparse reward, tile coding",
     .tau = {4000, 7000, 10000},
     .reps = {10, 50},
     .initial_designs = 10,
     .value_count = 13,
     .values = {{PARAMETER_GAMMA, 0.98},
                {PARAMETER_CAP, 1000},
                {PARAMETER_WIDTH, 2},
                {PARAMETER_ALPHA, 0.5 / 8},
                {PARAMETER_ALPHA_DECAY, 0},
                {PARAMETER_TILINGS, 8},
                {PARAMETER_TILES, 8},
                {PARAMETER_START_LOW, -0.6},
                {PARAMETER_START_HIGH, -0.4},
                {PARAMETER_GOAL_POSITION, 0.5},
                {PARAMETER_FORCE, 0.001},
                {PARAMETER_GRAVITY, 0.0025},
                {PARAMETER_MAX_SPEED, 0.07}}},
};

enum { BUILTIN_COUNT = sizeof builtins / sizeof *builtins };

const char *domain_name(size_t index) {
    return index < BUILTIN_COUNT ? builtins[index].name : NULL;
}

static const char *known_domain(size_t index, const void *context) {
    (void)context;
    return domain_name(index);
}

static void apply(domain *d, const parameter_value *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        d->value[values[i].parameter] = values[i].value;
}

void domain_init(domain *d, const char *name, const char *title) {
    memset(d, 0, sizeof *d);
    snprintf(d->name, sizeof d->name, "%s", name);
    snprintf(d->title, sizeof d->title, "%s", title);
    d->initial_designs = 10;
    for (int i = 0; i < PARAMETER_COUNT; i++)
        d->value[i] = NAN;
    reaching_init(&d->reach, BESD_REACH_CELL);
    apply(d, shared_values, sizeof shared_values / sizeof *shared_values);
}

void domain_init_grid(domain *d) {
    d->kind = DOMAIN_GRID;
    d->methods = &grid_methods;
    apply(d, grid_values, sizeof grid_values / sizeof *grid_values);
}

besd_status domain_find(const char *name, domain *d, besd_error *error) {
    const builtin *found = NULL;
    for (size_t i = 0; i < BUILTIN_COUNT && !found; i++)
        if (names_equal(name, builtins[i].name))
            found = &builtins[i];
    if (!found) {
        const char *nearest = names_nearest(name, known_domain, NULL);
        return besd_fail(error, BESD_UNKNOWN,
                         "domain: there is no '%s'%s%s%s; known are gw10, gw20, tr, key2, key3, mc",
                         name, nearest ? ", did you mean '" : "", nearest ? nearest : "",
                         nearest ? "'" : "");
    }
    domain_init(d, found->name, found->title);
    if (found->map) {
        domain_init_grid(d);
    } else {
        d->kind = DOMAIN_MOUNTAIN_CAR;
        d->methods = &mountain_car_methods;
        reaching_init(&d->reach, BESD_REACH_CROSS);
    }
    d->built_in = true;
    d->objective = found->objective;
    memcpy(d->tau, found->tau, sizeof d->tau);
    memcpy(d->reps, found->reps, sizeof d->reps);
    d->initial_designs = found->initial_designs;
    apply(d, found->values, (size_t)found->value_count);
    return found->map ? grid_map_parse(found->map, &d->map, error) : BESD_OK;
}

void domain_release(domain *d) {
    if (d->source)
        d->source->release(d->source);
    d->source = NULL;
}

int64_t domain_tau_max(const domain *d) {
    int64_t largest = d->tau[0];
    for (int i = 1; i < DOMAIN_MAX_LEVELS && d->tau[i]; i++)
        largest = d->tau[i];
    return largest;
}

besd_status domain_set_map(domain *d, const char *text, besd_error *error) {
    if (d->kind != DOMAIN_GRID)
        return besd_fail(error, BESD_INVALID, "map: domain %s is not a grid world", d->name);
    grid_map *map = malloc(sizeof *map);
    if (!map)
        return besd_fail_memory(error, "a map");
    besd_status status = grid_map_parse(text, map, error);
    if (status == BESD_OK)
        d->map = *map;
    free(map);
    return status;
}

static besd_status check_order(const domain *d, domain_parameter low, domain_parameter high,
                               besd_error *error) {
    if (d->value[low] > d->value[high])
        return besd_fail(error, BESD_INVALID, "%s: expected at most %s = %g, got %g",
                         domain_parameter_infos[low].name, domain_parameter_infos[high].name,
                         d->value[high], d->value[low]);
    return BESD_OK;
}

static besd_status open_grid(const domain *d, besd_env **env, besd_error *error) {
    besd_status status = check_order(d, PARAMETER_WIND_LOW, PARAMETER_WIND_HIGH, error);
    if (status)
        return status;
    grid_config config = {.map = &d->map,
                          .wind_low = d->value[PARAMETER_WIND_LOW],
                          .wind_high = d->value[PARAMETER_WIND_HIGH],
                          .goal_reward = d->value[PARAMETER_GOAL_REWARD],
                          .treasure_reward = d->value[PARAMETER_TREASURE_REWARD],
                          .cap = (int64_t)d->value[PARAMETER_CAP]};
    return grid_create(&config, env, error);
}

mountain_car_config domain_mountain_car(const domain *d) {
    return (mountain_car_config){.start_low = d->value[PARAMETER_START_LOW],
                                 .start_high = d->value[PARAMETER_START_HIGH],
                                 .goal = d->value[PARAMETER_GOAL_POSITION],
                                 .force = d->value[PARAMETER_FORCE],
                                 .gravity = d->value[PARAMETER_GRAVITY],
                                 .max_speed = d->value[PARAMETER_MAX_SPEED],
                                 .goal_reward = d->value[PARAMETER_GOAL_REWARD],
                                 .cap = (int64_t)d->value[PARAMETER_CAP]};
}

static besd_status open_mountain_car(const domain *d, besd_env **env, besd_error *error) {
    besd_status status = check_order(d, PARAMETER_START_LOW, PARAMETER_START_HIGH, error);
    if (!status)
        status = check_order(d, PARAMETER_START_HIGH, PARAMETER_GOAL_POSITION, error);
    if (status)
        return status;
    mountain_car_config config = domain_mountain_car(d);
    return mountain_car_create(&config, env, error);
}

besd_status domain_open(const domain *d, besd_env **env, besd_error *error) {
    switch (d->kind) {
    case DOMAIN_GRID:
        return open_grid(d, env, error);
    case DOMAIN_MOUNTAIN_CAR:
        return open_mountain_car(d, env, error);
    case DOMAIN_FOREIGN:
        break;
    }
    return d->source->open(d->source, d, env, error);
}

void domain_spec(const domain *d, const besd_env *env, besd_env_spec *spec) {
    memset(spec, 0, sizeof *spec);
    d->methods->spec(env, spec);
    spec->reach = d->reach.how.reach;
}
