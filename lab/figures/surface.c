/* An instance, and what its goal and subgoals pay (the paper's example of an environment): left
 * the map, right the reward of the goal and the potentials of all subgoals over it. Only one
 * potential is in force at a time, that of the next subgoal. */
#include "figures/figure.h"
#include "figures/map.h"

#include "core/error.h"
#include "learn/subgoals.h"
#include "world/grid.h"

#include <math.h>

enum { FINENESS = 3 }; /* points of the surface per cell and direction */

typedef struct surface_ground {
    const domain *domain;
    besd_env *env;
    subgoals goals;
} surface_ground;

static besd_status open_ground(const figure_source *s, surface_ground *g, besd_error *error) {
    besd_env_spec spec;
    const domain *d = s->domain;
    const double *theta = s->theta ? s->theta : d->example;
    size_t length = s->theta ? s->theta_length : d->example_length;
    g->domain = d;
    besd_status status = domain_open(d, &g->env, error);
    if (status == BESD_OK)
        status = d->methods->instance(g->env, s->instance, error);
    if (status != BESD_OK)
        return status;
    domain_spec(d, g->env, &spec);
    return subgoals_of(&g->goals, d, &spec, theta, length, error);
}

/* A subgoal's number stands beside its mark, nearer to the middle of the map, where there is room;
 * on the mountain above it. */
static int write_marks(plot *p, const surface_ground *g, double mountain_top) {
    bool grid = g->goals.dimension > 1;
    const grid_map *map = &g->domain->map;
    double low = grid ? map->origin[0] : MOUNTAIN_CAR_LEFT;
    double width = grid ? map->cell_size * map->width : MOUNTAIN_CAR_RIGHT - MOUNTAIN_CAR_LEFT;
    double foot = grid ? map->origin[1] : 0, height = grid ? map->cell_size * map->height : 1;
    double across = grid ? fmax(width, height) : width, along = grid ? across : height;
    int block = plot_block(p);
    for (int k = 0; k < g->goals.count; k++) {
        double x = g->goals.target[k][0];
        double y = grid ? g->goals.target[k][1] : map_mountain_height(x, mountain_top);
        double right = x > low + width / 2 ? -0.055 : 0.055;
        double up = grid && y > foot + height / 2 ? -0.045 : 0.045;
        plot_datum(p, "%.6g %.6g %d %d %.6g %.6g", x, y, map_subgoal_mark(k), k + 1,
                   x + right * across, y + up * along);
    }
    return block;
}

static double highest_potential(const surface_ground *g, double x, double y) {
    double position[BESD_ENV_MAX_OBSERVATION] = {x, y}, highest = 0;
    for (int k = 0; k < g->goals.count; k++)
        highest = fmax(highest, subgoals_potential(&g->goals, k, position));
    return highest;
}

static int write_surface(plot *p, const surface_ground *g) {
    const grid_map *map = &g->domain->map;
    int block = plot_block(p);
    for (int i = 0; i <= map->width * FINENESS; i++) {
        for (int j = 0; j <= map->height * FINENESS; j++) {
            double x = grid_map_unit(map, 0, i / (double)FINENESS);
            double y = grid_map_unit(map, 1, j / (double)FINENESS);
            plot_datum(p, "%.6g %.6g %.6g", x, y, highest_potential(g, x, y));
        }
        fputc('\n', p->script);
    }
    return block;
}

/* A bar on every cell that pays once: the goal, the treasure. Rewards can be fifty times a
 * potential; such bars are cut. One label serves all cells of a kind. */
typedef struct bars {
    char cell;
    const char *name, *colour;
    double reward, shown, x, y; /* at the last cell */
    int block, count;
} bars;

static void write_bars(plot *p, const surface_ground *g, bars *b) {
    const grid_map *map = &g->domain->map;
    const char *cells = grid_cells(g->env);
    b->block = plot_block(p);
    for (int i = 0; i < map->width * map->height; i++)
        if (cells[i] == b->cell) {
            b->x = grid_map_unit(map, 0, i % map->width + 0.5);
            b->y = grid_map_unit(map, 1, i / map->width + 0.5);
            b->count++;
            plot_datum(p, "%g %g %g", b->x, b->y, b->shown);
        }
    if (!b->count)
        plot_datum(p, "NaN NaN NaN");
}

static void label_bars(plot *p, const surface_ground *g, const bars *b) {
    if (b->count)
        plot_say(p, "set label '%s: %g%s' at %g, %g, %g %s offset 0, 1 tc rgb \"%s\" front",
                 b->name, b->reward, b->shown < b->reward ? " (cut)" : "", b->x, b->y, b->shown,
                 b->x > grid_map_unit(&g->domain->map, 0, g->domain->map.width / 2.0) ? "right"
                                                                                      : "left",
                 b->colour);
}

static void draw_marks(plot *p, int block, const char *before) {
    char source[160];
    plot_source(block, source, sizeof source);
    plot_say(p,
             "plot %s%s using 1:2:3 with points pt variable ps 2.2 lw 7 lc rgb \"#ffffff\", \\\n"
             " %s using 1:2:3 with points pt variable ps 2.1 lw 3 lc rgb \"#000000\", \\\n"
             " %s using 5:6:4 with labels font \"Helvetica:Bold,13\"",
             before, source, source, source);
}

/* The distance of labels along a side. */
static double half(const grid_map *map, int side) {
    return map->cell_size * (side > 1 ? side / 2 : 1);
}

static void draw_instance(plot *p, const surface_ground *g) {
    const domain *d = g->domain;
    char called[FIGURE_TITLE_SIZE], title[FIGURE_TITLE_SIZE + 20];
    snprintf(title, sizeof title, "%s, one instance", figure_title(d, 36, called, sizeof called));
    plot_panel(p, 0, title);
    map_draw_instance(p, d, grid_cells(g->env), &g->goals, 0, g->goals.count);
    plot_say(p,
             "set xtics %.10g, %.10g scale 0 textcolor rgb \"" PLOT_INK
             "\"\nset ytics %.10g, %.10g scale 0 textcolor rgb \"" PLOT_INK "\"",
             d->map.origin[0], half(&d->map, d->map.width), d->map.origin[1],
             half(&d->map, d->map.height));
    plot_axes(p, "x", "y");
    draw_marks(p, write_marks(p, g, 0), "");
}

static void begin_rewards(plot *p, const surface_ground *g, double highest) {
    const grid_map *map = &g->domain->map;
    double w = g->domain->value[PARAMETER_HEIGHT];
    plot_panel(p, 1, "");
    plot_say(p, "set origin 0.49, 0.01\nset size 0.51, 0.92\nset lmargin -1\nset rmargin -1\n"
                "set tmargin -1\nset bmargin -1\nunset label");
    plot_say(
        p,
        "set label \"{/:Bold=13 Rewards of goal%s and subgoals}\" at screen 0.53, screen 0.976 "
        "left",
        map_has(g->domain, GRID_TREASURE) ? ", treasure" : "");
    plot_say(p, "set view 58, 22, 1.1, 1.25\nset xyplane at 0\nset border 31 lw "
                "0.6 lc rgb "
                "\"#999999\"\nunset grid\nunset colorbox\nunset key");
    if (map->width != map->height)
        plot_say(p, "set view equal xy");
    plot_say(p, "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\nset zrange [0:%g]",
             map->origin[0], grid_map_unit(map, 0, map->width), map->origin[1],
             grid_map_unit(map, 1, map->height), 1.15 * highest);
    plot_say(p, "set xtics %.10g offset 0, -0.3\nset ytics %.10g offset 0.4, 0\nset ztics %g",
             half(map, map->width), half(map, map->height), w);
    plot_say(p, "set xlabel \"x\"\nset ylabel \"y\" offset -3, 0\nset zlabel \"reward\" rotate");
    plot_say(
        p,
        "set palette defined (0 \"#f4f8fb\", 0.3 \"#a9d3ec\", 0.7 \"#3a92c6\", 1 "
        "\"#00507d\")\nset cbrange [0:%g]\nset pm3d depthorder\nset style fill solid 1 noborder",
        w);
}

static void draw_rewards(plot *p, const surface_ground *g) {
    const double *value = g->domain->value;
    bars paying[] = {{.cell = GRID_GOAL,
                      .name = "goal",
                      .colour = PLOT_VERMILLION,
                      .reward = value[PARAMETER_GOAL_REWARD]},
                     {.cell = GRID_TREASURE,
                      .name = "treasure",
                      .colour = PLOT_GREEN,
                      .reward = value[PARAMETER_TREASURE_REWARD]}};
    char source[160];
    double highest = value[PARAMETER_HEIGHT];
    int block = write_surface(p, g);
    for (int i = 0; i < 2; i++) {
        paying[i].shown = fmin(paying[i].reward, 3 * value[PARAMETER_HEIGHT]);
        write_bars(p, g, &paying[i]);
        if (paying[i].count)
            highest = fmax(highest, paying[i].shown);
    }
    begin_rewards(p, g, highest);
    for (int i = 0; i < 2; i++)
        label_bars(p, g, &paying[i]);
    plot_say(p, "splot %s using 1:2:3 with pm3d, \\", plot_source(block, source, sizeof source));
    for (int i = 0; i < 2; i++) {
        plot_put(p, " %s using 1:2:3 with impulses lw 5 lc rgb \"%s\"",
                 plot_source(paying[i].block, source, sizeof source), paying[i].colour);
        plot_end_line(p, i == 0);
    }
}

static void draw_mountain(plot *p, const surface_ground *g) {
    const domain *d = g->domain;
    const double top = 0.8;
    char source[160];
    plot_panel(p, 0, "MC, one instance");
    map_draw_mountain(p, d, top);
    plot_say(p, "set xlabel \"position\" offset 0, 0.8 tc rgb \"" PLOT_INK "\"");
    draw_marks(p, write_marks(p, g, top),
               "mountain(x) with filledcurves y1=0 fs solid 1 fc rgb \"#d4d4d4\", start(x) with "
               "lines lw 5 lc rgb \"#7fb8d8\", ");
    plot_panel(p, 1, "Potentials of the subgoals");
    int block = plot_block(p);
    for (int i = 0; i <= 180; i++) {
        double x = MOUNTAIN_CAR_LEFT + i / 100.0;
        fprintf(p->script, "%.4g", x);
        for (int k = 0; k < g->goals.count; k++)
            fprintf(p->script, " %.6g", subgoals_potential(&g->goals, k, &x));
        fputc('\n', p->script);
    }
    plot_say(p, "set xrange [%g:%g]\nset xtics -1.2, 0.3\nset yrange [0:*]", MOUNTAIN_CAR_LEFT,
             MOUNTAIN_CAR_RIGHT);
    plot_axes(p, "position", "potential");
    plot_source(block, source, sizeof source);
    plot_say(p, "set key bottom center reverse Left samplen 2");
    plot_say(p,
             "plot for [k = 1:%d] %s using 1:(column(k + 1)) with lines lw 2.5 dt k lc rgb "
             "word(\"" PLOT_BLUE " " PLOT_VERMILLION " " PLOT_GREEN " " PLOT_PURPLE "\", 1 + "
             "(k - 1) %% 4) title sprintf(\"subgoal %%d\", k)",
             g->goals.count, source);
}

besd_status figure_surface(const figure_source *s, plot *p, const char *folder, const char *name,
                           besd_error *error) {
    surface_ground g = {0};
    bool grid = s->domain->kind == DOMAIN_GRID;
    if (s->domain->kind == DOMAIN_FOREIGN)
        return besd_fail(error, BESD_UNSUPPORTED,
                         "surface: %s is neither a grid nor the mountain car", s->domain->name);
    besd_status status = open_ground(s, &g, error);
    double width = 356, height = 344;
    if (grid)
        map_fit(s->domain, 344, &width, &height);
    figure_lattice(p, 2, 440, 430);
    p->room.left = 60;
    p->room.right = 440 - p->room.left - width;
    p->room.above = 32;
    p->room.below = p->height - p->room.above - height;
    if (status == BESD_OK)
        status = plot_open(p, folder, name, error);
    if (status == BESD_OK && grid) {
        draw_instance(p, &g);
        draw_rewards(p, &g);
    } else if (status == BESD_OK) {
        draw_mountain(p, &g);
    }
    if (g.env)
        s->domain->methods->destroy(g.env);
    return status;
}
