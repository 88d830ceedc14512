/* What a sketch can be drawn with. Each function reads one file and makes a plan of it, to be freed
 * by plan_free also after a failure. */
#ifndef BESD_SKETCH_PLAN_SOURCES_H
#define BESD_SKETCH_PLAN_SOURCES_H

#include "sketch/plan.h"
#include "world/grid_map.h"

/* A floor plan: what is darker than a middle grey is a wall, what is transparent is free. `scale`
 * is the side of a pixel. */
besd_status plan_of_picture(const char *path, double scale, const double *origin, plan *p,
                            besd_error *error);

/* An occupancy map of ROS: the .yaml of map_server, or map_saver, beside its picture. */
bool plan_is_ros_map(const char *path);
besd_status plan_of_ros_map(const char *path, plan *p, besd_error *error);

/* Polygons and segments in YAML (plan_shapes.c). */
bool plan_is_shapes(const char *path);
besd_status plan_of_shapes(const char *path, plan *p, besd_error *error);

/* One of the maps of a map of characters. Only free cells, walls, start, goals and walls that vary
 * can be drawn anew with other cells. */
besd_status plan_of_map(const grid_map *map, int number, plan *p, besd_error *error);

#endif
