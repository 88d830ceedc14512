/* The map of a study without opening anything that it names. */
#include "bridge/study_domain.h"
#include "core/error.h"
#include "core/json.h"
#include "figures/map_text.h"
#include "serve/views.h"
#include "world/domain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *split_rows(const char *text, int width) {
    json_t *rows = json_array();
    for (; rows && *text; text += width + 1)
        json_array_append_new(rows, json_stringn(text, (size_t)width));
    return rows;
}

/* How many points the numbers of theta are; numbers that are no path are one. */
static json_int_t count_points(const besd_study *s, size_t per_point) {
    besd_path p;
    besd_study_get_path(s, &p);
    size_t dimension = besd_study_get_options(s)->dimension;
    return (json_int_t)(p.points ? p.points : dimension / per_point);
}

static json_t *make_grid(besd_study *s, const grid_map *grid) {
    char text[MAP_TEXT_SIZE];
    int width = grid->width, height = grid->height;
    if (besd_study_get_options(s)->dimension % 2)
        return NULL;
    map_text_write(grid, text);
    return json_pack("{s:s, s:i, s:i, s:[i, i], s:[i, i], s:o, s:I}", "kind", "grid", "width",
                     width, "height", height, "low", 0, 0, "high", width, height, "cells",
                     split_rows(text, width), "points_of_theta", count_points(s, 2));
}

static json_t *make_mountain(const besd_study *s, const domain *d) {
    double start = (d->value[PARAMETER_START_LOW] + d->value[PARAMETER_START_HIGH]) / 2;
    return json_pack("{s:s, s:n, s:n, s:[f], s:[f], s:n, s:[f], s:[f], s:I}", "kind", "mountain",
                     "width", "height", "low", MOUNTAIN_CAR_LEFT, "high", MOUNTAIN_CAR_RIGHT,
                     "cells", "start", start, "goal", d->value[PARAMETER_GOAL_POSITION],
                     "points_of_theta", count_points(s, 1));
}

static json_t *make_place(const double *place, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isfinite(place[i]))
            return json_null();
    return json_numbers(place, length);
}

/* Of all that plugins, processes and trainers have only the box is known here. */
static json_t *make_box(const besd_study *s, const besd_path *p) {
    const besd_study_options *o = besd_study_get_options(s);
    return json_pack("{s:s, s:n, s:n, s:o, s:o, s:n, s:o, s:o, s:I}", "kind", "box", "width",
                     "height", "low", json_numbers(o->low, p->coordinates), "high",
                     json_numbers(o->high, p->coordinates), "cells", "start",
                     make_place(p->from, p->coordinates), "goal", make_place(p->to, p->coordinates),
                     "points_of_theta", (json_int_t)p->points);
}

json_t *view_map(besd_study *study, besd_error *error) {
    domain d;
    bool known;
    besd_path p;
    json_t *map = NULL;
    if (study_domain_find(study, &d, &known, error) != BESD_OK)
        return NULL;
    if (known && d.kind == DOMAIN_MOUNTAIN_CAR)
        return make_mountain(study, &d);
    if (known)
        map = make_grid(study, &d.map);
    besd_study_get_path(study, &p);
    if (!map && p.points)
        map = make_box(study, &p);
    if (!map)
        besd_error_set(
            error, BESD_UNKNOWN,
            "map: the study is about no map that it knows; its designs are numbers only");
    return map;
}
