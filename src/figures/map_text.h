/* A grid as rows of letters, top row first, in which what varies between instances is resolved: '.'
 * free, '#' wall, S start, G goal, D door, K key, T treasure, and the same in lower case (w: wall)
 * where it is there in some instances only; ^ > V < are one-way. Of several maps the first. */
#ifndef BESD_FIGURES_MAP_TEXT_H
#define BESD_FIGURES_MAP_TEXT_H

#include "world/grid_map.h"

#include <stdbool.h>
#include <stddef.h>

enum { MAP_TEXT_SIZE = GRID_MAX_SIDE * (GRID_MAX_SIDE + 1) + 1 };

/* What a cell is in a picture; 0: free. */
char map_text_kind(const grid_map *map, char cell);

/* Rows with a line feed after each, in MAP_TEXT_SIZE bytes. */
void map_text_write(const grid_map *map, char *text);

#endif
