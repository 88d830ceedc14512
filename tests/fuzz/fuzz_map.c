/* Maps as text: refused with a sentence, or a map every drawn layout of which has a start on a free
 * cell and a goal. */
#include "fuzz.h"

#include "world/grid_map.h"

static void look_at_layout(const grid_map *map, int64_t index) {
    static char cells[GRID_MAX_SIDE * GRID_MAX_SIDE];
    int size = map->width * map->height, start = grid_map_start(map, index);
    grid_map_layout(map, index, cells);
    if (start < 0 || start >= size || !memchr(cells, GRID_GOAL, (size_t)size))
        abort();
    for (int i = 0; i < size; i++)
        if (!strchr(GRID_CELLS, cells[i]) || !cells[i])
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static grid_map map;
    besd_error error = {0};
    char *text = fuzz_text(data, size);
    besd_status status = grid_map_parse(text, &map, &error);
    if (status != BESD_OK && (status != BESD_INVALID || !error.message[0]))
        abort();
    if (status == BESD_OK) {
        rng stream = rng_open(1, RNG_TEST, 0, 0, 0);
        for (int i = 0; i < 4; i++)
            look_at_layout(&map, grid_map_draw(&map, &stream));
        look_at_layout(&map, grid_map_layouts(&map) - 1);
    }
    free(text);
    return 0;
}
