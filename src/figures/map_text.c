#include "figures/map_text.h"

#include <string.h>

char map_text_kind(const grid_map *map, char cell) {
    if (cell && cell != GRID_FREE && strchr(GRID_CELLS, cell))
        return cell;
    for (int c = 0; c < map->choice_count; c++) {
        int hits = 0;
        for (int a = 0; a < map->choices[c].count; a++)
            hits += strchr(map->choices[c].alternatives[a], cell) != NULL;
        if (hits == map->choices[c].count)
            return map->choices[c].becomes;
        if (hits)
            return map->choices[c].becomes == GRID_WALL ? 'w'
                                                        : (char)(map->choices[c].becomes | 32);
    }
    return 0;
}

void map_text_write(const grid_map *map, char *text) {
    for (int y = map->height - 1; y >= 0; y--) {
        for (int x = 0; x < map->width; x++) {
            char kind = map_text_kind(map, map->cells[x + map->width * y]);
            *text++ = kind ? kind : GRID_FREE;
        }
        *text++ = '\n';
    }
    *text = 0;
}
