#include "page/ground.h"

#include "core/error.h"
#include "core/json.h"
#include "page/outline.h"
#include "run/domain_notes.h"

#include <math.h>

static json_t *split_rows(const char *text, int width) {
    json_t *rows = json_array();
    for (; rows && *text; text += width + 1)
        json_add(&rows, json_stringn(text, (size_t)width));
    return rows;
}

/* How many points theta has: those of the path, or as many as its numbers make. */
static size_t count_points(const besd_study *s, const domain *d) {
    besd_path p;
    besd_study_get_path(s, &p);
    size_t per_point = d->kind == DOMAIN_MOUNTAIN_CAR ? 1 : 2;
    return p.points ? p.points : besd_study_get_options(s)->dimension / per_point;
}

static json_t *make_corner(const grid_map *grid, int x, int y) {
    if (grid_map_is_plain(grid))
        return json_pack("[i, i]", x, y);
    return json_numbers((double[]){grid_map_unit(grid, 0, x), grid_map_unit(grid, 1, y)}, 2);
}

static json_t *make_grid(const grid_map *grid, size_t points) {
    char text[GRID_MAP_PICTURE_SIZE];
    int width = grid->width, height = grid->height;
    grid_map_picture(grid, text);
    return json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:I}", "kind", "grid", "width", width,
                     "height", height, "low", make_corner(grid, 0, 0), "high",
                     make_corner(grid, width, height), "cells", split_rows(text, width),
                     "points_of_theta", (json_int_t)points);
}

static json_t *make_mountain(const domain *d, size_t points) {
    double start = (d->value[PARAMETER_START_LOW] + d->value[PARAMETER_START_HIGH]) / 2;
    return json_pack("{s:s, s:n, s:n, s:[o], s:[o], s:n, s:[o], s:[o], s:I}", "kind", "mountain",
                     "width", "height", "low", json_number(MOUNTAIN_CAR_LEFT), "high",
                     json_number(MOUNTAIN_CAR_RIGHT), "cells", "start", json_number(start), "goal",
                     json_number(d->value[PARAMETER_GOAL_POSITION]), "points_of_theta",
                     (json_int_t)points);
}

static json_t *make_place(const double *place, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isfinite(place[i]))
            return json_null();
    return json_numbers(place, length);
}

/* Plugins, processes and trainers have no map here; the box of their points is known, and what the
 * study was told to draw into it. */
static json_t *make_box(const besd_study *s, const besd_path *p) {
    const besd_study_options *o = besd_study_get_options(s);
    return json_pack("{s:s, s:n, s:n, s:o, s:o, s:n, s:o, s:o, s:I}", "kind", "box", "width",
                     "height", "low", json_numbers(o->low, p->coordinates), "high",
                     json_numbers(o->high, p->coordinates), "cells", "start",
                     make_place(p->from, p->coordinates), "goal", make_place(p->to, p->coordinates),
                     "points_of_theta", (json_int_t)p->points);
}

json_t *ground_of_domain(const domain *d, size_t points) {
    return d->kind == DOMAIN_MOUNTAIN_CAR ? make_mountain(d, points) : make_grid(&d->map, points);
}

/* Designs that are no path, but have an outline around them, are points of two coordinates. */
static besd_path box_path(const besd_study *study, besd_path p) {
    if (p.points)
        return p;
    besd_path_fill(&p);
    p.coordinates = 2;
    p.points = besd_study_get_options(study)->dimension / 2;
    return p;
}

json_t *ground_view(besd_study *study, besd_error *error) {
    domain d;
    bool known;
    besd_path p;
    if (domain_notes_find(study, &d, &known, error) != BESD_OK)
        return NULL;
    besd_study_get_path(study, &p);
    bool is_even = besd_study_get_options(study)->dimension % 2 == 0;
    bool is_map = known && (d.kind == DOMAIN_MOUNTAIN_CAR || is_even);
    if (!is_map && !p.points && !(is_even && outline_is_kept(study))) {
        besd_error_set(
            error, BESD_UNKNOWN,
            "map: the study is about no map that it knows; its designs are numbers only");
        return NULL;
    }
    p = box_path(study, p);
    json_t *map = is_map ? ground_of_domain(&d, count_points(study, &d)) : make_box(study, &p);
    if (!map) {
        besd_fail_memory(error, "the map");
    } else if (outline_add(map, study, error) != BESD_OK) {
        json_decref(map);
        map = NULL;
    }
    return map;
}
