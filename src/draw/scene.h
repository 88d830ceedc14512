/* Pictures of an instance: a grid or the mountain, with the subgoals of a design and the way that
 * an episode took. The same scene goes to a terminal (characters) or to a file (SVG).
 *
 * Coordinates are those of the environment, in its units: x to the right, y upwards. Nothing
 * is allocated and the scene is only borrowed, so drawing cannot fail but for the writing itself.
 */
#ifndef BESD_DRAW_SCENE_H
#define BESD_DRAW_SCENE_H

#include "world/domain.h"
#include "world/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct scene {
    const domain *domain;
    const besd_env *env; /* of this domain, in the instance to draw */
    const double *theta; /* subgoal after subgoal: 2 numbers each on grids, 1 on the mountain */
    int subgoals;        /* 0, or theta = NULL: none */
    const double *path;  /* positions of an episode, start first, laid out like theta */
    size_t path_length;  /* positions, one more than steps; 0, or path = NULL: none */
} scene;

/* Draws with the letters of UTF-8, or without them in ASCII alone; `colour` adds ANSI colours, for
 * terminals. */
void scene_print(FILE *out, const scene *s, bool colour, bool utf8);

/* Writes a standalone SVG document. BESD_IO when it could not be written to the end. */
besd_status scene_svg(FILE *out, const scene *s, const char *title, besd_error *error);

/* What both ways of drawing ask of a scene. */

static inline int scene_subgoals(const scene *s) {
    return s->theta ? s->subgoals : 0;
}

static inline size_t scene_steps(const scene *s) {
    return s->path && s->path_length ? s->path_length - 1 : 0;
}

/* The index into grid_cells of the cell that holds a point. */
static inline int scene_cell(const scene *s, const double *point) {
    return grid_map_cell(&s->domain->map, point);
}

/* The move, one of grid_moves, that leads from a cell to its neighbour. */
static inline int scene_direction(int from, int to, int width) {
    int dx = to % width - from % width, dy = to / width - from / width, move = 0;
    while (move < GRID_MAX_ACTIONS - 1 && (grid_moves[move][0] != dx || grid_moves[move][1] != dy))
        move++;
    return move;
}

static inline bool scene_has(const scene *s, char kind) {
    const grid_map *map = &s->domain->map;
    return memchr(grid_cells(s->env), kind, (size_t)map->width * (size_t)map->height) != NULL;
}

static inline double scene_wind(const scene *s) {
    return s->domain->methods->table(s->env)->wind;
}

/* The mountain's height at x, between -1 and 1. */
static inline double scene_height(double x) {
    return sin(3 * x);
}

#endif
