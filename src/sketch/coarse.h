/* The cells of a grid, made from a plan.
 *
 * A cell is a wall when more than half of it is. Walls thinner than that stay walls: where the free
 * part of a cell does not touch that of its neighbour, no agent may step from one to the other, so
 * the one with more wall in it becomes a wall. (All cells that a wall touches would do as well, but
 * thick walls would grow by a cell on each side, and doors would be closed.)
 */
#ifndef BESD_SKETCH_COARSE_H
#define BESD_SKETCH_COARSE_H

#include "sketch/plan.h"

/* Where the cells are; they may be larger than what was drawn. */
typedef struct coarse_grid {
    double cell, origin[2];
    int width, height;
} coarse_grid;

/* A plan in these cells. */
typedef struct coarse {
    coarse_grid grid;
    uint8_t *walls;                                            /* [cell]: always */
    uint8_t *varying[PLAN_MAX_CHOICES][PLAN_MAX_ALTERNATIVES]; /* besides; NULL: nothing */
    int start;                                                 /* -1: none was found */
    uint8_t *goals;                                            /* [cell] */
} coarse;

/* Free it with coarse_free, also after a failure. */
besd_status coarse_make(coarse *c, const plan *p, const coarse_grid *g, besd_error *error);
void coarse_free(coarse *c, const plan *p);

/* Moves from the start to a goal by cells that are no walls in the instance; -1: there is no way.
 * `steps` has room for two numbers a cell, and holds the moves to each cell then, or -1. */
int coarse_walk(const coarse *c, const plan *p, const plan_instance *instance, int32_t *steps);

bool coarse_is_wall(const coarse *c, const plan *p, int cell, const plan_instance *instance);

#endif
