/* Plans from maps of characters: a cell is a pixel at first, and then many. */
#include "sketch/plan_sources.h"

#include "core/error.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The walls that stand with this alternative of a choice. */
static besd_status add_alternative(const grid_map *map, const char *cells, const char *letters,
                                   plan *p, plan_choice *c, besd_error *error) {
    uint8_t *walls = *letters ? plan_mask(p) : NULL;
    if (*letters && !walls)
        return besd_fail_memory(error, "the plan");
    for (int i = 0; walls && i < map->width * map->height; i++)
        walls[i] = strchr(letters, cells[i]) != NULL;
    c->walls[c->count++] = walls;
    return BESD_OK;
}

static besd_status add_choice(const grid_map *map, const char *cells, const grid_choice *choice,
                              plan *p, besd_error *error) {
    besd_status status = BESD_OK;
    if (choice->becomes != GRID_WALL)
        return besd_fail(error, BESD_INVALID,
                         "map: only walls that vary can be drawn with other cells; leave out cell "
                         "and radius to keep the cells as they are");
    if (choice->count > PLAN_MAX_ALTERNATIVES)
        return besd_fail(error, BESD_INVALID, "map: expected at most %d alternatives, got %d",
                         PLAN_MAX_ALTERNATIVES, choice->count);
    plan_choice *c = &p->choices[p->choice_count++];
    for (int a = 0; status == BESD_OK && a < choice->count; a++)
        status = add_alternative(map, cells, choice->alternatives[a], p, c, error);
    return status;
}

static besd_status take_cells(const grid_map *map, const char *cells, plan *p, besd_error *error) {
    for (int i = 0; i < map->width * map->height; i++) {
        const char c = cells[i];
        if (c == GRID_WALL)
            p->ground[i] = PLAN_WALL;
        else if (c == GRID_GOAL)
            p->goal[i] = 1;
        else if (c != GRID_FREE && c != GRID_START && !islower((unsigned char)c) &&
                 !isdigit((unsigned char)c))
            return besd_fail(error, BESD_INVALID,
                             "map: '%c' cannot be drawn with other cells; leave out cell and "
                             "radius to keep the cells as they are",
                             c);
    }
    return BESD_OK;
}

besd_status plan_of_map(const grid_map *map, int number, plan *p, besd_error *error) {
    const char *cells = map->cells + number * map->width * map->height;
    const int start = map->start[number];
    besd_status status =
        plan_create(p, map->width, map->height, map->cell_size, map->origin, PLAN_FREE, error);
    if (status != BESD_OK)
        return status;
    status = take_cells(map, cells, p, error);
    for (int c = 0; status == BESD_OK && c < map->choice_count; c++)
        status = add_choice(map, cells, &map->choices[c], p, error);
    if (status != BESD_OK)
        return status;
    p->natural = map->cell_size;
    p->has_start = p->has_goal = true;
    p->start[0] = grid_map_unit(map, 0, start % map->width + 0.5);
    p->start[1] = grid_map_unit(map, 1, start / map->width + 0.5);
    return plan_refine(p, error);
}
