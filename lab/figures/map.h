/* A grid domain's map as the ground of a panel: walls dark where they always stand and light where
 * they stand in some instances; S start blue, G goal orange, D door brown, K key yellow, T treasure
 * green, cells that are entered in one direction only violet with an arrow. Or the mountain. */
#ifndef BESD_FIGURES_MAP_H
#define BESD_FIGURES_MAP_H

#include "figures/plot.h"
#include "learn/subgoals.h"
#include "world/domain.h"

/* Ranges, frame and cells, of what all instances have and of what some have. */
void map_draw(plot *p, const domain *d);

/* The same for one instance: cells [width * height] as grid_cells tells them. Letters make room for
 * the marks of subgoals `from` to, but not including, `to`. */
void map_draw_instance(plot *p, const domain *d, const char *cells, const subgoals *goals, int from,
                       int to);

/* The inside of a panel in which cells are square and the longer side has `side` pixels. */
void map_fit(const domain *d, double side, double *width, double *height);

/* The mountain between the heights y = 0 and y = top, with start, goal and x axis; the panel is 1
 * high. */
void map_draw_mountain(plot *p, const domain *d, double top);

/* Height of the mountain at x, as drawn. */
double map_mountain_height(double x, double top);

/* Is there a cell of this kind (grid_map.h) in every instance, or in some? */
bool map_has(const domain *d, char kind);
bool map_has_one_way(const domain *d);

/* The point type of gnuplot for subgoal 0, 1, 2, ...: circle, triangle, cross, squares. */
int map_subgoal_mark(int subgoal);

#endif
