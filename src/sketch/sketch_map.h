/* From plans to the map of a grid: how large the cells are, where the map begins, and how what
 * varies is written. */
#ifndef BESD_SKETCH_MAP_H
#define BESD_SKETCH_MAP_H

#include "sketch/plan.h"
#include "world/grid_map.h"

/* What was found out on the way. */
typedef struct sketch_findings {
    int64_t instances; /* that the plans have together; of very many a sample is looked at */
    int64_t looked_at;
    int64_t hopeless; /* of these: no way leads from the start to the goal, so they are left out */
    double way;       /* moves of the shortest way, the longest of all instances */
    bool start_moved; /* into the next free cell */
} sketch_findings;

/* The map of all plans, settled and inflated. Each plan is as likely as another. cell 0: the
 * largest cells, 10 to 40 along the longer side if possible, that keep the ways of the plans. */
besd_status sketch_map_make(const plan *plans, int count, double cell, grid_map *map,
                            sketch_findings *findings, besd_error *error);

#endif
