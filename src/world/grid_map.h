/* A grid map as text: what a grid world looks like, how large it is, and what varies between its
 * instances.
 *
 *     GG....        .  free          S  start (one)      D  door, closed without the key
 *     aaaa..        #  wall          G  goal (terminal)  K  key    T  treasure
 *     bbbb..        lower-case letters and digits: cells that a `choose` line names
 *     S.....                       ^ > V <  one-way: entered only by a move in its direction
 *     choose wall: a | b
 *     cell_size 0.25         the side of a cell in the user's units (1)
 *     origin -1.5 2          the lower left corner of the map (0 0)
 *
 * A line that begins with # and a blank is a comment. The first line is the top row. A `choose
 * KIND: X | Y | ...` line draws one alternative, each equally likely; its letters become KIND
 * (wall, door, key, treasure or goal), the letters of the others stay free. An alternative may name
 * several letters: `ab | ac`, or none: `a | -` is a wall that is there or not. Choices are
 * independent.
 *
 * A line of dashes (---) parts several maps of one size; every instance draws one of them, each
 * equally likely, and then its choices. Each has a start and, whatever is drawn, a goal.
 */
#ifndef BESD_WORLD_GRID_MAP_H
#define BESD_WORLD_GRID_MAP_H

#include "besd/status.h"
#include "core/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRID_MAX_SIDE = 128, GRID_MAX_CHOICES = 8, GRID_MAX_ALTERNATIVES = 64, GRID_MAX_MAPS = 64 };

enum grid_cell {
    GRID_FREE = '.',
    GRID_WALL = '#',
    GRID_START = 'S',
    GRID_GOAL = 'G',
    GRID_DOOR = 'D',
    GRID_KEY = 'K',
    GRID_TREASURE = 'T',
    GRID_UP = '^',
    GRID_RIGHT = '>',
    GRID_DOWN = 'V', /* small letters are for choices */
    GRID_LEFT = '<'
};

/* All kinds of cells. */
#define GRID_CELLS ".#SGDKT^>V<"

/* The one-way cells in the order of the moves that enter them: up, right, down, left. */
#define GRID_ONE_WAY "^>V<"

static inline bool grid_is_one_way(char cell) {
    return cell == GRID_UP || cell == GRID_RIGHT || cell == GRID_DOWN || cell == GRID_LEFT;
}

typedef struct grid_choice {
    char becomes; /* a grid_cell */
    int count;
    char alternatives[GRID_MAX_ALTERNATIVES][16]; /* the letters of each */
} grid_choice;

typedef struct grid_map {
    int width, height;
    int count;                /* of maps */
    int start[GRID_MAX_MAPS]; /* of each, a cell index: x + width * y, y upwards */
    int choice_count;
    grid_choice choices[GRID_MAX_CHOICES];
    char cells[GRID_MAX_SIDE * GRID_MAX_SIDE]; /* as written, letters included, map after map */
    double cell_size, origin[2]; /* in the user's units; 1 and 0, 0 unless said otherwise */
} grid_map;

/* Reads a map from text. A mistake is BESD_INVALID with line and column in the message. */
besd_status grid_map_parse(const char *text, grid_map *map, besd_error *error);

/* Writes the map as such a text, cut off after `size` bytes; returns the bytes that the whole text
 * needs, with its end. */
size_t grid_map_print(const grid_map *map, char *text, size_t size);

/* Sets how large the map is. What is absurd is BESD_INVALID. */
besd_status grid_map_scale(grid_map *map, double cell_size, const double *origin,
                           besd_error *error);

/* Are the units of the map cells, counted from its corner? */
bool grid_map_is_plain(const grid_map *map);

/* Do both maps have cells of one size, counted from one place? */
bool grid_map_same_scale(const grid_map *a, const grid_map *b);

/* Adds the map to a fingerprint (core/memory.h). */
uint64_t grid_map_hash(uint64_t hash, const grid_map *map);

/* From cells to the user's units, and back; coordinate 0 is x, 1 is y. */
static inline double grid_map_unit(const grid_map *map, int coordinate, double cells) {
    return map->origin[coordinate] + map->cell_size * cells;
}

static inline double grid_map_in_cells(const grid_map *map, int coordinate, double units) {
    return (units - map->origin[coordinate]) / map->cell_size;
}

/* The cell that holds a place in the user's units; the nearest one for a place outside. */
static inline int grid_map_cell(const grid_map *map, const double *place) {
    const int sides[2] = {map->width, map->height};
    int cell[2];
    for (int i = 0; i < 2; i++) {
        double at = floor(grid_map_in_cells(map, i, place[i]) + 1e-9);
        cell[i] = at >= sides[i] ? sides[i] - 1 : at >= 0 ? (int)at : 0;
    }
    return cell[0] + map->width * cell[1];
}

/* Cells of all maps together. */
static inline int grid_map_cells(const grid_map *map) {
    return map->count * map->width * map->height;
}

/* Number of distinct layouts: maps times the product of the alternatives of all choices. */
int64_t grid_map_layouts(const grid_map *map);

/* Layout number index in 0, ..., layouts - 1 with every letter resolved; `cells` holds
 * width * height entries. */
void grid_map_layout(const grid_map *map, int64_t index, char *cells);

/* Where the agent starts in a layout: a cell index. */
int grid_map_start(const grid_map *map, int64_t index);

/* What a layout is drawn of, in words: "map 2, key a, wall bc"; "map" when nothing varies. */
void grid_map_layout_name(const grid_map *map, int64_t index, char *text, size_t size);

/* Draws a layout number, the map and each choice by itself. */
int64_t grid_map_draw(const grid_map *map, rng *stream);

/* What a cell of the map, a letter perhaps, is in a picture of all instances; 0: free. Letters are
 * those of grid_cell, and the same in lower case (w: wall) for what is there in some instances
 * only.
 */
char grid_map_kind(const grid_map *map, char cell);

/* That picture as rows of letters, top row first, with a line feed after each; of several maps the
 * first. `text` has GRID_MAP_PICTURE_SIZE bytes. */
enum { GRID_MAP_PICTURE_SIZE = GRID_MAX_SIDE * (GRID_MAX_SIDE + 1) + 1 };
void grid_map_picture(const grid_map *map, char *text);

#endif
