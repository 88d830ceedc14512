#include "report/map.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Around a map, as a share of it: room for the marks of subgoals on its edge. */
static const double margin = 0.035;

/* What a cell is in the picture; 0: free. Lower-case kinds are there in some instances only. */
static char kind_of(const grid_map *map, char cell) {
    if (strchr("#SGDKT", cell))
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
    default:
        return NULL;
    }
}

/* In the upper left corner, because marks and arrows stand in the middle of cells. */
static void write_letter(plot *p, int x, int y, char kind) {
    if (kind != GRID_WALL && kind != 'w')
        plot_say(p,
                 "set label \"%c\" at %d,%d left offset character 0.3, -0.55 font \",10\" tc rgb "
                 "\"#000000\" front",
                 toupper((unsigned char)kind), x, y + 1);
}

/* Equal neighbours of a row make one rectangle. */
static void draw_cells(plot *p, const grid_map *map, const char *cells) {
    for (int y = 0; y < map->height; y++)
        for (int x = 0, end; x < map->width; x = end) {
            char kind = kind_of(map, cells[x + map->width * y]);
            for (end = x + 1; end < map->width && kind_of(map, cells[end + map->width * y]) == kind;
                 end++)
                continue;
            if (!fill_of(kind))
                continue;
            plot_say(p,
                     "set object rectangle from %d,%d to %d,%d fs solid 1 noborder fc rgb "
                     "\"%s\" behind",
                     x, y, end, y + 1, fill_of(kind));
            write_letter(p, x, y, kind);
        }
}

void map_draw_instance(plot *p, const domain *d, const char *cells) {
    const grid_map *map = &d->map;
    double margin_x = margin * map->width, margin_y = margin * map->height;
    plot_say(p, "set xrange [%g:%g]\nset yrange [%g:%g]\nunset tics\nunset grid\nunset border",
             -margin_x, map->width + margin_x, -margin_y, map->height + margin_y);
    plot_say(p, "set object rectangle from 0,0 to %d,%d fs empty border rgb \"#4d4d4d\" lw 1 front",
             map->width, map->height);
    draw_cells(p, map, cells);
    for (int i = 1; i < map->width; i++)
        plot_say(p, "set arrow from %d,0 to %d,%d nohead lw 0.4 lc rgb \"#e4e4e4\" back", i, i,
                 map->height);
    for (int i = 1; i < map->height; i++)
        plot_say(p, "set arrow from 0,%d to %d,%d nohead lw 0.4 lc rgb \"#e4e4e4\" back", i,
                 map->width, i);
}

void map_draw(plot *p, const domain *d) {
    map_draw_instance(p, d, d->map.cells);
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
        char here = kind_of(map, map->cells[i]);
        if (here == kind || (here == 'w' && kind == GRID_WALL) || here == (kind | 32))
            return true;
    }
    return false;
}

int map_subgoal_mark(int subgoal) {
    static const int marks[] = {6, 8, 2, 4};
    return marks[subgoal < 3 ? subgoal : 3];
}
