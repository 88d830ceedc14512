/* How a domain becomes an environment, and the list of its parameters. The six built-in domains are
 * in builtin_domains.c. */
#include "world/domain.h"

#include "core/error.h"
#include "core/text.h"
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

void domain_take_map(domain *d, const grid_map *map) {
    const double before = d->map.cell_size > 0 ? d->map.cell_size : 1;
    const bool same = grid_map_same_scale(&d->map, map) ||
                      (d->map.cell_size == 0 && grid_map_is_plain(map)); /* the first map */
    d->map = *map;
    if (same)
        return;
    const double ratio = map->cell_size / before;
    d->value[PARAMETER_WIDTH] *= ratio * ratio;
    reach_options_init(&d->reach, BESD_REACH_CELL);
    d->reach.how.cell_size = map->cell_size;
    memcpy(d->reach.how.origin, map->origin, sizeof map->origin);
    d->reach.origin_count = 2;
}

besd_status domain_set_map(domain *d, const char *text, besd_error *error) {
    if (d->kind != DOMAIN_GRID)
        return besd_fail(error, BESD_INVALID, "map: domain %s is not a grid world", d->name);
    grid_map *map = malloc(sizeof *map);
    if (!map)
        return besd_fail_memory(error, "a map");
    besd_status status = grid_map_parse(text, map, error);
    if (status == BESD_OK)
        domain_take_map(d, map);
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
    const int moves = (int)d->value[PARAMETER_MOVES];
    if (status == BESD_OK && moves != GRID_ACTIONS && moves != GRID_MAX_ACTIONS)
        status = besd_fail(error, BESD_INVALID, "moves: expected %d or %d, got %d", GRID_ACTIONS,
                           GRID_MAX_ACTIONS, moves);
    if (status)
        return status;
    grid_config config = {.map = &d->map,
                          .wind_low = d->value[PARAMETER_WIND_LOW],
                          .wind_high = d->value[PARAMETER_WIND_HIGH],
                          .goal_reward = d->value[PARAMETER_GOAL_REWARD],
                          .treasure_reward = d->value[PARAMETER_TREASURE_REWARD],
                          .cap = (int64_t)d->value[PARAMETER_CAP],
                          .moves = moves};
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
