/* Maps of characters as people draw them for a sketch: a text file, or the map of a YAML file. A
 * question mark is a place that may be a wall or not; those that touch are one wall. */
#ifndef BESD_SKETCH_MAP_TEXT_H
#define BESD_SKETCH_MAP_TEXT_H

#include "world/grid_map.h"

/* Reads the maps of a file. *doubtful: there were question marks, which have become letters with
 * choices. */
besd_status map_text_read(const char *path, grid_map *map, bool *doubtful, besd_error *error);

/* The same for a text, which is changed; `path` is for sentences. */
besd_status map_text_parse(const char *path, char *text, grid_map *map, bool *doubtful,
                           besd_error *error);

/* May its cells be replaced by others? Doors, keys, treasures, one-way cells and goals that vary
 * stay where they are. */
bool map_text_is_plain(const grid_map *map);

#endif
