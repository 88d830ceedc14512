/* Sketches of polygons, and maps with question marks: refused with a sentence, or a plan, or a map.
 */
#include "fuzz.h"

#include "sketch/map_text.h"
#include "sketch/plan_sources.h"

static void look_at_plan(const plan *p) {
    for (int i = 0; i < p->width * p->height; i++)
        if (p->ground[i] != PLAN_WALL && p->ground[i] != PLAN_FREE)
            abort();
    for (int k = 0; k < p->choice_count; k++)
        if (p->choices[k].count < 2 || p->choices[k].count > PLAN_MAX_ALTERNATIVES)
            abort();
}

static void look_at_shapes(const char *path) {
    besd_error error = {0};
    plan p = {0};
    (void)plan_is_shapes(path);
    if (plan_of_shapes(path, &p, &error) == BESD_OK)
        look_at_plan(&p);
    else if (!error.message[0])
        abort();
    plan_free(&p);
}

static void look_at_map(char *text) {
    static grid_map map;
    besd_error error = {0};
    bool doubtful;
    if (map_text_parse("map", text, &map, &doubtful, &error) == BESD_OK) {
        plan p = {0};
        if (map_text_is_plain(&map) && plan_of_map(&map, 0, &p, &error) == BESD_OK)
            look_at_plan(&p);
        plan_free(&p);
    } else if (!error.message[0]) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    fuzz_file(data, size, look_at_shapes);
    look_at_map(text);
    free(text);
    return 0;
}
