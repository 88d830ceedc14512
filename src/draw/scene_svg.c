/* Scenes as SVG. The way of an episode through a grid is a smooth line that drives on the right,
 * and takes a lane further out where it passes a place again; so each passage can be seen. On the
 * mountain it is a strip chart below, with the same x axis and time running downwards, so that it
 * can be followed from slope to slope and past the subgoals.
 */
#include "core/print.h"
#include "draw/scene.h"
#include "draw/svg_page.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEGREES (180 / 3.14159265358979)

typedef struct picture {
    FILE *out;
    svg_page page;
    const scene *scene;
} picture;

static void draw_design_legend(picture *p) {
    const scene *s = p->scene;
    svg_page *page = &p->page;
    bool plane = s->domain->kind == DOMAIN_GRID;
    for (int k = 0; k < scene_subgoals(s); k++) {
        const double *theta = s->theta + (plane ? 2 * k : k);
        svg_point at = svg_legend_symbol(page);
        svg_marker(page, k, at, false);
        if (plane)
            svg_legend_text(page, at, "subgoal %d (%.4g, %.4g)", k + 1, theta[0], theta[1]);
        else
            svg_legend_text(page, at, "subgoal %d (%.3g)", k + 1, theta[0]);
    }
    if (scene_steps(s)) {
        svg_point at = svg_legend_symbol(page);
        print_markup(page->out, "<path d=\"M%g %gh20\" " SVG_WAY "/>\n", at.x - 10, at.y);
        svg_legend_text(page, at, "path, %zu steps", scene_steps(s));
    }
}

typedef struct look {
    char kind; /* a grid_cell */
    const char *name, *fill, *letter, *ink;
} look;

static const look looks[] = {
    {GRID_START, "start", SVG_BLUE, "S", "#fff"},
    {GRID_GOAL, "goal", SVG_VERMILLION, "G", "#fff"},
    {GRID_WALL, "wall", "#444", "", ""},
    {GRID_DOOR, "door, needs the key", "#e3cdb5", "", "#8b5a2b"},
    {GRID_KEY, "key", SVG_YELLOW, "K", "#000"},
    {GRID_TREASURE, "treasure", SVG_GREEN, "T", "#fff"},
    {GRID_UP, "entered upwards only", "#c9c3e6", "", "#3d3575"},
    {GRID_RIGHT, "entered to the right only", "#c9c3e6", "", "#3d3575"},
    {GRID_DOWN, "entered downwards only", "#c9c3e6", "", "#3d3575"},
    {GRID_LEFT, "entered to the left only", "#c9c3e6", "", "#3d3575"},
};

enum { LOOK_COUNT = sizeof looks / sizeof *looks };

static int cell_size(const scene *s) {
    return s->domain->map.width <= 12 && s->domain->map.height <= 12 ? 32 : 24;
}

/* Where a point of the environment is on the page. */
static svg_point place(const picture *p, const double *position) {
    const grid_map *map = &p->scene->domain->map;
    double size = cell_size(p->scene);
    return (svg_point){SVG_MARGIN + grid_map_in_cells(map, 0, position[0]) * size,
                       SVG_MARGIN + p->page.height - grid_map_in_cells(map, 1, position[1]) * size};
}

static svg_point cell_centre(const picture *p, int cell) {
    const grid_map *map = &p->scene->domain->map;
    return place(p, (double[]){grid_map_unit(map, 0, cell % map->width + 0.5),
                               grid_map_unit(map, 1, cell / map->width + 0.5)});
}

static void draw_tile(const picture *p, const look *l, svg_point centre, double size) {
    double x = centre.x - size / 2, y = centre.y - size / 2, third = size / 3;
    print_markup(p->out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\"/>", x, y,
                 size, size, l->fill);
    if (l->kind == GRID_DOOR)
        for (int i = 1; i <= 5; i++) { /* hatching: parallels from side to side, cut to the tile */
            double from = i <= 3 ? 0 : (i - 3) * third, to = i <= 3 ? i * third : size;
            print_markup(p->out, "<path d=\"M%g %gL%g %g\" stroke=\"%s\" stroke-width=\"2\"/>",
                         x + from, y + to, x + to, y + from, l->ink);
        }
    fputc('\n', p->out);
}

/* A triangle that points upwards, turned to the right by quarters. */
static void draw_arrow(const picture *p, const look *l, svg_point centre, double size) {
    int quarters = (int)(strchr(GRID_ONE_WAY, l->kind) - GRID_ONE_WAY);
    print_markup(p->out,
                 "<path transform=\"translate(%g %g) rotate(%d)\" d=\"M0 %.1fL%.1f %.1fH%.1fZ\" "
                 "fill=\"%s\"/>\n",
                 centre.x, centre.y, 90 * quarters, -0.3 * size, 0.25 * size, 0.2 * size,
                 -0.25 * size, l->ink);
}

static void draw_letter(const picture *p, const look *l, svg_point centre, double size) {
    if (grid_is_one_way(l->kind))
        draw_arrow(p, l, centre, size);
    if (*l->letter)
        print_markup(
            p->out,
            "<text x=\"%g\" y=\"%.1f\" font-size=\"%.1f\" font-weight=\"bold\" fill=\"%s\" "
            "text-anchor=\"middle\">%s</text>\n",
            centre.x, centre.y + 0.21 * size, 0.58 * size, l->ink, l->letter);
}

static void draw_cells(const picture *p,
                       void (*draw)(const picture *, const look *, svg_point, double)) {
    const grid_map *map = &p->scene->domain->map;
    for (int cell = 0; cell < map->width * map->height; cell++)
        for (int i = 0; i < LOOK_COUNT; i++)
            if (grid_cells(p->scene->env)[cell] == looks[i].kind)
                draw(p, &looks[i], cell_centre(p, cell), cell_size(p->scene));
}

/* Cells from number to number along a side. */
static int number_every(const grid_map *map) {
    int longest = map->width > map->height ? map->width : map->height;
    if (grid_map_is_plain(map))
        return longest <= 12 ? 1 : longest <= 40 ? 2 : 8;
    return longest <= 24 ? 2 : longest <= 64 ? 4 : 8;
}

/* The lines between cells, numbered at the left and below in the units of the map. */
static void draw_lattice(const picture *p) {
    const grid_map *map = &p->scene->domain->map;
    int size = cell_size(p->scene), bottom = SVG_MARGIN + map->height * size;
    int every = number_every(map);
    print_markup(p->out, "<path d=\"");
    for (int x = 0; x <= map->width; x++)
        print_markup(p->out, "M%d %dv%d", SVG_MARGIN + x * size, SVG_MARGIN, map->height * size);
    for (int y = 0; y <= map->height; y++)
        print_markup(p->out, "M%d %dh%d", SVG_MARGIN, SVG_MARGIN + y * size, map->width * size);
    print_markup(p->out, "\" stroke=\"#000\" stroke-opacity=\"0.15\"/>\n<g " SVG_SMALL ">\n");
    for (int x = 0; x <= map->width; x += every)
        print_markup(p->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n",
                     SVG_MARGIN + x * size, bottom + 17, grid_map_unit(map, 0, x));
    for (int y = 0; y <= map->height; y += every)
        print_markup(p->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.6g</text>\n",
                     SVG_MARGIN - 7, bottom - y * size + 4, grid_map_unit(map, 1, y));
    fputs("</g>\n", p->out);
}

/* As many as fit between the middle of a cell and its side. */
enum { LANES = 3 };

/* A point that the way passes, and the direction in which it does, of length 1. */
typedef struct waypoint {
    svg_point at, heading;
} waypoint;

/* A curve that is level with both headings; turning back goes to the middle of the cell. */
static void put_curve(const picture *p, waypoint from, waypoint to) {
    bool back = from.heading.x * to.heading.x + from.heading.y * to.heading.y < 0;
    double reach = (back ? 0.66 : 0.28) * cell_size(p->scene);
    print_markup(p->out, "C%.1f %.1f %.1f %.1f %.1f %.1f", from.at.x + reach * from.heading.x,
                 from.at.y + reach * from.heading.y, to.at.x - reach * to.heading.x,
                 to.at.y - reach * to.heading.y, to.at.x, to.at.y);
}

/* Where a move crosses from cell to cell, in the lane of its `earlier` passages. */
static waypoint crossing(const picture *p, int from, int to, int earlier) {
    svg_point a = cell_centre(p, from), b = cell_centre(p, to);
    double length = hypot(b.x - a.x, b.y - a.y), lane = 2 + 3.5 * earlier;
    svg_point heading = {(b.x - a.x) / length, (b.y - a.y) / length};
    return (waypoint){{(a.x + b.x) / 2 - lane * heading.y, (a.y + b.y) / 2 + lane * heading.x},
                      heading};
}

/* Curves from crossing to crossing; 128 KiB of stack count the passages of each. */
static void draw_way(const picture *p) {
    const scene *s = p->scene;
    uint8_t passed[GRID_MAX_SIDE * GRID_MAX_SIDE][GRID_MAX_ACTIONS] = {{0}};
    waypoint here = {cell_centre(p, scene_cell(s, s->path)), {0, 0}};
    print_markup(p->out, "<path d=\"M%.1f %.1f", here.at.x, here.at.y);
    for (size_t i = 0; i < scene_steps(s); i++) {
        int from = scene_cell(s, s->path + 2 * i), to = scene_cell(s, s->path + 2 * i + 2);
        if (from == to)
            continue; /* a bump */
        int direction = scene_direction(from, to, s->domain->map.width);
        waypoint next = crossing(p, from, to, passed[from][direction]);
        if (passed[from][direction] < LANES - 1)
            passed[from][direction]++;
        put_curve(p, here, next);
        here = next;
    }
    print_markup(p->out,
                 "\" " SVG_WAY " stroke-linecap=\"round\"/>\n"
                 "<path transform=\"translate(%.1f %.1f) rotate(%.0f)\" d=\"M6 0L-6-6V6Z\" "
                 "fill=\"" SVG_BLUE "\" stroke=\"#fff\"/>\n",
                 here.at.x, here.at.y, atan2(here.heading.y, here.heading.x) * DEGREES);
}

static void draw_subgoals(const picture *p) {
    const scene *s = p->scene;
    double size = cell_size(s);
    for (int k = 0; k < scene_subgoals(s); k++) {
        svg_point centre = cell_centre(p, scene_cell(s, s->theta + 2 * k));
        print_markup(
            p->out,
            "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"" SVG_ORANGE
            "\" stroke-width=\"3\"/>\n",
            centre.x - size / 2 + 1.5, centre.y - size / 2 + 1.5, size - 3, size - 3);
    }
    for (int k = 0; k < scene_subgoals(s); k++)
        svg_marker(&p->page, k, place(p, s->theta + 2 * k), true);
}

static void draw_grid(picture *p) {
    draw_cells(p, draw_tile);
    draw_lattice(p);
    if (scene_steps(p->scene))
        draw_way(p);
    draw_cells(p, draw_letter);
    draw_subgoals(p);
    for (int i = 0; i < LOOK_COUNT; i++)
        if (scene_has(p->scene, looks[i].kind)) {
            svg_point at = svg_legend_symbol(&p->page);
            draw_tile(p, &looks[i], at, 18);
            draw_letter(p, &looks[i], at, 18);
            svg_legend_text(&p->page, at, "%s", looks[i].name);
        }
    draw_design_legend(p);
    if (scene_wind(p->scene) > 0)
        svg_legend_text(&p->page, svg_legend_symbol(&p->page), "wind %.2g", scene_wind(p->scene));
}

/* The mountain: heights of its parts in pixels, from above. */
enum { PLOT_WIDTH = 540, AIR = 40, RELIEF = 150, GROUND = 26, GAP = 26, STRIP = 200 };
enum { BOTTOM = SVG_MARGIN + AIR + RELIEF + GROUND };

static svg_point on_mountain(double x) {
    double across = (x - MOUNTAIN_CAR_LEFT) / (MOUNTAIN_CAR_RIGHT - MOUNTAIN_CAR_LEFT);
    return (svg_point){SVG_MARGIN + PLOT_WIDTH * across,
                       SVG_MARGIN + AIR + RELIEF * (1 - scene_height(x)) / 2};
}

static void draw_relief(const picture *p) {
    print_markup(p->out, "<path d=\"M%d %d", SVG_MARGIN, BOTTOM);
    for (int i = 0; i <= 180; i++) {
        svg_point at = on_mountain(MOUNTAIN_CAR_LEFT + i / 100.0);
        print_markup(p->out, "L%.1f %.1f", at.x, at.y);
    }
    print_markup(p->out, "V%dZ\" fill=\"#ccc\" stroke=\"#444\" stroke-width=\"2\"/>\n", BOTTOM);
    for (int tenths = -12; tenths <= 6; tenths += 3)
        print_markup(p->out,
                     "<text x=\"%.1f\" y=\"%d\" " SVG_SMALL " text-anchor=\"middle\">%.1f</text>\n",
                     on_mountain(tenths / 10.0).x, BOTTOM + 17, tenths / 10.0);
}

static void draw_strip(const picture *p) {
    const scene *s = p->scene;
    size_t steps = scene_steps(s), tick = 1;
    double top = BOTTOM + GAP, per_step = STRIP / (double)steps;
    for (int i = 0; steps / tick > 5; i++) /* 1, 2, 5, 10, ... */
        tick = i % 3 == 1 ? tick * 5 / 2 : tick * 2;
    print_markup(p->out, "<rect x=\"%d\" y=\"%g\" width=\"%d\" height=\"%d\" fill=\"#f5f5f5\"/>\n",
                 SVG_MARGIN, top, PLOT_WIDTH, STRIP);
    for (size_t step = 0; step <= steps; step += tick)
        print_markup(p->out,
                     "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" " SVG_SMALL
                     " text-anchor=\"end\">%s%zu</text>\n",
                     SVG_MARGIN, top + per_step * (double)step, PLOT_WIDTH, SVG_MARGIN - 7,
                     top + per_step * (double)step + 4, step ? "" : "step ", step);
    fputs("<polyline points=\"", p->out);
    for (size_t i = 0; i <= steps; i++)
        print_markup(p->out, "%.1f,%.1f ", on_mountain(s->path[i]).x, top + per_step * (double)i);
    fputs("\" " SVG_WAY "/>\n", p->out);
}

/* A dashed line from the mountain down through the strip, but for the numbers between them. */
static void draw_plumb(const picture *p, double x) {
    svg_point at = on_mountain(x);
    print_markup(p->out,
                 "<path d=\"M%.2f %.2fV%dm0 %dv%d\" stroke=\"#000\" stroke-dasharray=\"3 4\"/>\n",
                 at.x, at.y, BOTTOM, GAP, scene_steps(p->scene) ? STRIP : 0);
}

static void draw_mountain(picture *p) {
    const scene *s = p->scene;
    double start = mountain_car_start(s->env), goal = s->domain->value[PARAMETER_GOAL_POSITION];
    svg_point before = on_mountain(start - 0.01), after = on_mountain(start + 0.01);
    draw_relief(p);
    if (scene_steps(s))
        draw_strip(p);
    for (int k = 0; k < scene_subgoals(s); k++)
        draw_plumb(p, s->theta[k]);
    draw_plumb(p, goal);
    svg_flag(&p->page, on_mountain(goal), 1);
    svg_car(&p->page, on_mountain(start), atan2(after.y - before.y, after.x - before.x) * DEGREES,
            1);
    for (int k = 0; k < scene_subgoals(s); k++)
        svg_marker(&p->page, k, on_mountain(s->theta[k]), true);
    svg_point at = svg_legend_symbol(&p->page);
    svg_car(&p->page, (svg_point){at.x, at.y + 8}, 0, 0.8);
    svg_legend_text(&p->page, at, "start (%.3g)", start);
    at = svg_legend_symbol(&p->page);
    svg_flag(&p->page, (svg_point){at.x - 6, at.y + 9}, 0.6);
    svg_legend_text(&p->page, at, "goal (%.3g)", goal);
    draw_design_legend(p);
}

besd_status scene_svg(FILE *out, const scene *s, const char *title, besd_error *error) {
    bool grid = s->domain->kind == DOMAIN_GRID;
    picture p = {.out = out, .page.out = out, .scene = s};
    if (grid) {
        p.page.width = cell_size(s) * s->domain->map.width;
        p.page.height = cell_size(s) * s->domain->map.height;
    } else {
        p.page.width = PLOT_WIDTH;
        p.page.height = AIR + RELIEF + GROUND + (scene_steps(s) ? GAP + STRIP : 0);
    }
    int legend_lines = LOOK_COUNT + 2 + scene_subgoals(s); /* at most */
    besd_status status = svg_open(&p.page, title, legend_lines, error);
    if (status != BESD_OK)
        return status;
    if (grid)
        draw_grid(&p);
    else
        draw_mountain(&p);
    return svg_close(&p.page, s->domain->name, error);
}
