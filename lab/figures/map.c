#include "figures/map.h"

#include "world/grid_map.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Around a map, as a share of its longer side: room for the marks of subgoals on its edge. */
static const double margin = 0.035;

static double longer_side(const domain *d) {
    return d->map.width > d->map.height ? d->map.width : d->map.height;
}

void map_fit(const domain *d, double side, double *width, double *height) {
    double around = 2 * margin * longer_side(d), cell = side / (longer_side(d) + around);
    *width = cell * (d->map.width + around);
    *height = cell * (d->map.height + around);
}

static const char *fill_of(char kind) {
    switch (kind) {
    case '#':
        return "#4d4d4d";
    case 'w':
        return "#d4d4d4";
    case 'S':
        return "#7fb8d8";
    case 'G':
        return "#ea9a66";
    case 'D':
        return "#e3cdb5";
    case 'd':
        return "#efe3d5";
    case 'K':
        return "#f0e442";
    case 'k':
        return "#f7f1a0";
    case 'T':
        return "#4cbb9d";
    case 't':
        return "#b5e0d3";
    case GRID_UP:
    case GRID_RIGHT:
    case GRID_DOWN:
    case GRID_LEFT:
        return "#e3e0f0";
    default:
        return NULL;
    }
}

/* The marks of subgoals on a map. */
typedef struct marked {
    const grid_map *map;
    const subgoals *goals;
    int from, to;
} marked;

static const double *find_mark(const marked *m, int x, int y) {
    for (int k = m->from; k < m->to; k++) {
        const double *target = m->goals->target[k];
        if (fabs(grid_map_in_cells(m->map, 0, target[0]) - x - 0.5) < 1 &&
            fabs(grid_map_in_cells(m->map, 1, target[1]) - y - 0.5) < 1)
            return target;
    }
    return NULL;
}

/* What is written into a cell. */
static const char *sign_of(char kind, char letter[2]) {
    switch (kind) {
    case GRID_UP:
        return "↑";
    case GRID_RIGHT:
        return "→";
    case GRID_DOWN:
        return "↓";
    case GRID_LEFT:
        return "←";
    default:
        letter[0] = (char)toupper((unsigned char)kind);
        letter[1] = 0;
        return letter;
    }
}

/* In the upper left corner, because marks and arrows stand in the middle of cells; beside a mark
 * that would hide it, where no number and no arrow stands and, above or below, nearer to the
 * middle of the map. */
static void write_letter(plot *p, const domain *d, int x, int y, char kind, const marked *m) {
    const double *mark = find_mark(m, x, y);
    char letter[2];
    const char *sign = sign_of(kind, letter);
    if (kind == GRID_WALL || kind == 'w')
        return;
    if (mark) {
        bool right = mark[0] > grid_map_unit(&d->map, 0, d->map.width / 2.0),
             down = mark[1] > grid_map_unit(&d->map, 1, d->map.height / 2.0);
        plot_say(
            p,
            "set label '%s' at %.10g,%.10g %s offset graph %.4f, graph %.4f boxed font \",10\" tc "
            "rgb \"#000000\" front",
            sign, mark[0], mark[1], right ? "left" : "right",
            (right ? 13 : -13) / plot_panel_width(p), (down ? -13 : 13) / plot_panel_height(p));
    } else {
        plot_say(
            p,
            "set label '%s' at %.10g,%.10g left offset character 0.3, -0.55 font \",10\" tc rgb "
            "\"#000000\" front",
            sign, grid_map_unit(&d->map, 0, x), grid_map_unit(&d->map, 1, y + 1));
    }
}

/* Equal neighbours of a row make one rectangle. */
static void draw_cells(plot *p, const domain *d, const char *cells, const marked *m) {
    const grid_map *map = &d->map;
    for (int y = 0; y < map->height; y++)
        for (int x = 0, end; x < map->width; x = end) {
            char kind = grid_map_kind(map, cells[x + map->width * y]);
            for (end = x + 1;
                 end < map->width && grid_map_kind(map, cells[end + map->width * y]) == kind; end++)
                continue;
            if (!fill_of(kind))
                continue;
            plot_say(p,
                     "set object rectangle from %.10g,%.10g to %.10g,%.10g fs solid 1 noborder fc "
                     "rgb \"%s\" behind",
                     grid_map_unit(map, 0, x), grid_map_unit(map, 1, y), grid_map_unit(map, 0, end),
                     grid_map_unit(map, 1, y + 1), fill_of(kind));
            write_letter(p, d, x, y, kind, m);
        }
}

static void draw_line(plot *p, double x, double y, double to_x, double to_y) {
    plot_say(p, "set arrow from %.10g,%.10g to %.10g,%.10g nohead lw 0.4 lc rgb \"#e4e4e4\" back",
             x, y, to_x, to_y);
}

void map_draw_instance(plot *p, const domain *d, const char *cells, const subgoals *goals, int from,
                       int to) {
    const grid_map *map = &d->map;
    const marked on_it = {map, goals, from, to};
    const double around = margin * longer_side(d);
    const double left = grid_map_unit(map, 0, 0), right = grid_map_unit(map, 0, map->width);
    const double low = grid_map_unit(map, 1, 0), high = grid_map_unit(map, 1, map->height);
    plot_say(p,
             "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\nunset tics\nunset grid\nunset "
             "border",
             grid_map_unit(map, 0, -around), grid_map_unit(map, 0, map->width + around),
             grid_map_unit(map, 1, -around), grid_map_unit(map, 1, map->height + around));
    plot_say(p, "set style textbox opaque fc rgb \"#ffffff\" noborder margins 0.4, 0.4");
    plot_say(p,
             "set object rectangle from %.10g,%.10g to %.10g,%.10g fs empty border rgb \"#4d4d4d\" "
             "lw 1 front",
             left, low, right, high);
    draw_cells(p, d, cells, &on_it);
    for (int i = 1; i < map->width; i++)
        draw_line(p, grid_map_unit(map, 0, i), low, grid_map_unit(map, 0, i), high);
    for (int i = 1; i < map->height; i++)
        draw_line(p, left, grid_map_unit(map, 1, i), right, grid_map_unit(map, 1, i));
}

void map_draw(plot *p, const domain *d) {
    map_draw_instance(p, d, d->map.cells, NULL, 0, 0);
}

double map_mountain_height(double x, double top) {
    return top * (0.12 + 0.8 * (sin(3 * x) + 1) / 2);
}

void map_draw_mountain(plot *p, const domain *d, double top) {
    double low = d->value[PARAMETER_START_LOW], high = d->value[PARAMETER_START_HIGH];
    double goal = d->value[PARAMETER_GOAL_POSITION], foot = map_mountain_height(goal, top);
    plot_say(p, "set xrange [%g:%g]\nset yrange [0:1]", MOUNTAIN_CAR_LEFT, MOUNTAIN_CAR_RIGHT);
    plot_say(p, "set border 1 lw 1 lc rgb \"#4d4d4d\"\nunset ytics\nunset grid");
    plot_say(p, "set xtics -1.2, 0.3 offset 0, 0.4");
    plot_say(p, "mountain(x) = %g * (0.12 + 0.4 * (sin(3 * x) + 1))", top);
    plot_say(p, "start(x) = x >= %g && x <= %g ? mountain(x) : NaN\nset samples 361", low, high);
    plot_say(p, "set arrow from %g,%g to %g,%g nohead lw 1.5 lc rgb \"#000000\"", goal, foot, goal,
             foot + 0.09);
    plot_say(p,
             "set object polygon from %g,%g to %g,%g to %g,%g to %g,%g fs solid 1 noborder fc rgb "
             "\"" PLOT_VERMILLION "\"",
             goal, foot + 0.09, goal + 0.06, foot + 0.07, goal, foot + 0.05, goal, foot + 0.09);
    plot_say(p, "set label \"G\" at %g,%g center offset 0, -0.7 font \",10\" front", goal, foot);
    plot_say(p, "set label \"S\" at %g,%g center offset 0, 0.9 font \",10\" front",
             (low + high) / 2, map_mountain_height((low + high) / 2, top));
}

bool map_has(const domain *d, char kind) {
    const grid_map *map = &d->map;
    for (int i = 0; d->kind == DOMAIN_GRID && i < grid_map_cells(map); i++) {
        char here = grid_map_kind(map, map->cells[i]);
        if (here == kind || (here == 'w' && kind == GRID_WALL) || here == (kind | 32))
            return true;
    }
    return false;
}

bool map_has_one_way(const domain *d) {
    return map_has(d, GRID_UP) || map_has(d, GRID_RIGHT) || map_has(d, GRID_DOWN) ||
           map_has(d, GRID_LEFT);
}

int map_subgoal_mark(int subgoal) {
    static const int marks[] = {6, 8, 2, 4};
    return marks[subgoal < 3 ? subgoal : 3];
}
