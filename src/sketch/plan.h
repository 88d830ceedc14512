/* A plan: an arena as it was drawn, in fine square pixels, whatever it was drawn with. A map, a
 * picture or a list of polygons becomes a plan; coarse.h makes the cells of a grid from it.
 *
 * What varies from instance to instance is a list of choices. Of each choice one alternative
 * stands: walls of its own besides those that always stand, or nothing.
 */
#ifndef BESD_SKETCH_PLAN_H
#define BESD_SKETCH_PLAN_H

#include "besd/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A plan has so many pixels along its longer side: more would only be slower, fewer would not show
 * the robot's radius. */
enum { PLAN_FINEST = 1024, PLAN_COARSEST = 256, PLAN_MAX_CHOICES = 24, PLAN_MAX_ALTERNATIVES = 16 };

/* What a pixel is; of several that become one the largest counts. */
enum plan_pixel { PLAN_UNKNOWN, PLAN_FREE, PLAN_WALL };

/* What pixels that nobody has seen are taken for. */
typedef enum plan_unknown { PLAN_UNKNOWN_WALL, PLAN_UNKNOWN_FREE, PLAN_UNKNOWN_MAYBE } plan_unknown;

typedef struct plan_choice {
    int count;
    uint8_t *walls[PLAN_MAX_ALTERNATIVES]; /* [pixel]; NULL: nothing stands */
} plan_choice;

typedef struct plan {
    int width, height;       /* pixels; row 0 is the lowest */
    double pixel, origin[2]; /* side of a pixel, and the lower left corner, in the user's units */
    double natural;          /* side of the cells that it was drawn with; 0: there were none */
    uint8_t *ground;         /* [x + width * y]: a plan_pixel */
    uint8_t *goal;           /* [the same]: 1 where the goal is */
    bool has_start, has_goal;
    double start[2];
    int choice_count;
    plan_choice choices[PLAN_MAX_CHOICES];
} plan;

/* An empty plan, all free or all unknown, that covers `sides` from `origin`. */
besd_status plan_create(plan *p, int width, int height, double pixel, const double *origin,
                        enum plan_pixel all, besd_error *error);
void plan_free(plan *p);

/* Divides pixels until there are at least PLAN_COARSEST along the longer side. */
besd_status plan_refine(plan *p, besd_error *error);

/* A mask of pixels, all 0, for an alternative. */
uint8_t *plan_mask(const plan *p);

/* Draws into `pixels`, ground or mask: all pixels that a line from (x, y) to (x, y) touches, and
 * those whose centre is in a polygon. A line on the border of two pixels is in the upper or right
 * one, so it is as thin as it can be. */
void plan_draw_segment(const plan *p, uint8_t *pixels, uint8_t value, const double *ends);
void plan_draw_polygon(const plan *p, uint8_t *pixels, uint8_t value, const double *corners,
                       size_t count);

/* The start and the goal: a disc, or a box from a corner to the opposite one. The pixel of the
 * centre is always part of the goal. BESD_INVALID outside of the plan. */
besd_status plan_set_start(plan *p, const double *place, besd_error *error);
besd_status plan_set_goal(plan *p, const double *centre, double radius, besd_error *error);
besd_status plan_set_goal_box(plan *p, const double *corners, besd_error *error);

/* Decides on unknown pixels; with MAYBE each of the largest unknown places that the robot may come
 * to becomes a choice. To be called once, before plan_inflate. */
besd_status plan_settle(plan *p, plan_unknown unknown, besd_error *error);

/* Walls grow by the robot's radius, and so do the borders of the plan. */
besd_status plan_inflate(plan *p, double radius, besd_error *error);

/* Which alternative of each choice stands. */
typedef struct plan_instance {
    uint8_t of[PLAN_MAX_CHOICES];
} plan_instance;

/* Is the pixel a wall in the instance? NULL: where nothing stands that varies. */
bool plan_is_wall(const plan *p, size_t pixel, const plan_instance *instance);

/* Steps from the start by pixels that are no walls, 0 at the start, -1 where no way leads; returns
 * those to the nearest pixel of the goal, -1: none is reached. `steps` has room for two numbers a
 * pixel; the second half is scratch. */
int plan_walk(const plan *p, const plan_instance *instance, int32_t *steps);

/* The pixel of a place; the nearest one for a place outside. */
size_t plan_pixel_of(const plan *p, const double *place);

#endif
