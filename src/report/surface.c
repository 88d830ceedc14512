/* An instance, and what its goal and subgoals pay (the paper's example of an environment): left
 * the map, right the reward of the goal and the potentials of all subgoals over it. Only one
 * potential is in force at a time, that of the next subgoal. */
#include "report/figure.h"
#include "report/map.h"

#include "core/error.h"
#include "learn/subgoals.h"
#include "world/grid.h"

#include <math.h>
#include <string.h>

enum { FINENESS = 3 }; /* points of the surface per cell and direction */

typedef struct ground {
    const domain *domain;
    besd_env *env;
    subgoals goals;
} ground;

static besd_status open_ground(const figure_source *s, ground *g, besd_error *error) {
    besd_env_spec spec;
    double example[BESD_MAX_DIMENSION];
    const domain *d = s->domain;
    const double *theta = s->theta ? s->theta : example;
    size_t length = s->theta ? s->theta_length : figure_example_design(d->name, example);
    g->domain = d;
    besd_status status = domain_open(d, &g->env, error);
    if (status == BESD_OK)
        status = d->methods->instance(g->env, s->instance, error);
    if (status != BESD_OK)
        return status;
    d->methods->spec(g->env, &spec);
    return subgoals_init(&g->goals, &spec, (int)d->value[PARAMETER_SUBGOALS], theta, length,
                         d->value[PARAMETER_HEIGHT], d->value[PARAMETER_WIDTH], error);
}

static int write_marks(plot *p, const ground *g, double mountain_top) {
    int block = plot_block(p);
    for (int k = 0; k < g->goals.count; k++) {
        double x = g->goals.target[k][0];
        double y =
            g->goals.dimension > 1 ? g->goals.target[k][1] : map_mountain_height(x, mountain_top);
        /* its number stands above it, and below where the panel ends */
        double top = g->goals.dimension > 1 ? g->domain->map.height : 1;
        double number_at = y + (y > 0.93 * top ? -0.04 : 0.04) * top;
        plot_datum(p, "%.6g %.6g %d %d %.6g", x, y, map_subgoal_mark(k), k + 1, number_at);
    }
    return block;
}

static double highest_potential(const ground *g, double x, double y) {
    double position[BESD_ENV_MAX_OBSERVATION] = {x, y}, highest = 0;
    for (int k = 0; k < g->goals.count; k++)
        highest = fmax(highest, subgoals_potential(&g->goals, k, position));
    return highest;
}

static int write_surface(plot *p, const ground *g) {
    const grid_map *map = &g->domain->map;
    int block = plot_block(p);
    for (int i = 0; i <= map->width * FINENESS; i++) {
        for (int j = 0; j <= map->height * FINENESS; j++) {
            double x = i / (double)FINENESS, y = j / (double)FINENESS;
            plot_datum(p, "%.6g %.6g %.6g", x, y, highest_potential(g, x, y));
        }
        fputc('\n', p->data);
    }
    return block;
}

/* The goal's reward can be fifty times a potential; it is cut then, and labelled. */
static int write_goal(plot *p, const ground *g, double height, double *x, double *y) {
    const grid_map *map = &g->domain->map;
    const char *cells = grid_cells(g->env);
    int block = plot_block(p);
    for (int i = 0; i < map->width * map->height; i++)
        if (cells[i] == GRID_GOAL) {
            *x = i % map->width + 0.5;
            *y = i / map->width + 0.5;
            plot_datum(p, "%g %g %g", *x, *y, height);
        }
    return block;
}

static void draw_marks(plot *p, int block, const char *before) {
    char source[160];
    plot_source(p, block, source, sizeof source);
    plot_say(p,
             "plot %s%s using 1:2:3 with points pt variable ps 2.2 lw 7 lc rgb \"#ffffff\", \\\n"
             " %s using 1:2:3 with points pt variable ps 2.1 lw 3 lc rgb \"#000000\", \\\n"
             " %s using 1:5:4 with labels offset 2, 0 font \",13\"",
             before, source, source, source);
}

static void draw_grid(plot *p, const ground *g) {
    const domain *d = g->domain;
    const grid_map *map = &d->map;
    char source[160], goal[160], called[70], title[120];
    double reward = d->value[PARAMETER_GOAL_REWARD], w = d->value[PARAMETER_HEIGHT];
    double shown = fmin(reward, 3 * w);
    snprintf(title, sizeof title, "%s, one instance",
             figure_domain_title(d->name, called, sizeof called));
    plot_panel(p, 0, title);
    map_draw_instance(p, d, grid_cells(g->env));
    draw_marks(p, write_marks(p, g, 0), "");
    plot_panel(p, 1, "Rewards of goal and subgoals");
    plot_say(p, "set origin 0.47, 0.01\nset size 0.53, 0.92\nset lmargin -1\nset rmargin -1\n"
                "set tmargin -1\nset bmargin -1\nunset label\n"
                "set label \"{/:Bold=13 Rewards of goal and subgoals}\" at screen 0.53, screen "
                "0.976 left");
    plot_say(p, "set view 58, 22, 1.1, 1.25\nset xyplane at 0\nset border 31 lw 0.6 lc rgb "
                "\"#999999\"\nunset grid\nunset colorbox\nunset key");
    plot_say(p, "set xrange [0:%d]\nset yrange [0:%d]\nset zrange [0:%g]", map->width, map->height,
             1.15 * shown);
    plot_say(p, "set xtics %d offset 0, -0.3\nset ytics %d offset 0.4, 0\nset ztics %g",
             map->width / 2, map->height / 2, w);
    plot_say(
        p,
        "set palette defined (0 \"#f4f8fb\", 0.3 \"#a9d3ec\", 0.7 \"#3a92c6\", 1 "
        "\"#00507d\")\nset cbrange [0:%g]\nset pm3d depthorder\nset style fill solid 1 noborder",
        w);
    write_surface(p, g);
    int block = p->block - 1;
    double goal_x = 0, goal_y = 0;
    int goal_block = write_goal(p, g, shown, &goal_x, &goal_y);
    plot_say(p,
             "set label \"goal: %g%s\" at %g, %g, %g %s offset 0, 1 tc rgb \"" PLOT_VERMILLION
             "\" front",
             reward, shown < reward ? " (cut)" : "", goal_x, goal_y, shown,
             goal_x > map->width / 2.0 ? "right" : "left");
    plot_say(p,
             "splot %s using 1:2:3 with pm3d, \\\n %s using 1:2:3 with impulses lw 5 lc rgb "
             "\"" PLOT_VERMILLION "\"",
             plot_source(p, block, source, sizeof source),
             plot_source(p, goal_block, goal, sizeof goal));
}

static void draw_mountain(plot *p, const ground *g) {
    const domain *d = g->domain;
    const double top = 0.8;
    char source[160];
    plot_panel(p, 0, "MC, one instance");
    map_draw_mountain(p, d, top);
    draw_marks(p, write_marks(p, g, top),
               "mountain(x) with filledcurves y1=0 fs solid 1 fc rgb \"#d4d4d4\", start(x) with "
               "lines lw 5 lc rgb \"#7fb8d8\", ");
    plot_panel(p, 1, "Potentials of the subgoals");
    int block = plot_block(p);
    for (int i = 0; i <= 180; i++) {
        double x = MOUNTAIN_CAR_LEFT + i / 100.0;
        fprintf(p->data, "%.4g", x);
        for (int k = 0; k < g->goals.count; k++)
            fprintf(p->data, " %.6g", subgoals_potential(&g->goals, k, &x));
        fputc('\n', p->data);
    }
    plot_say(p, "set xrange [%g:%g]\nset xtics -1.2, 0.3\nset yrange [0:*]", MOUNTAIN_CAR_LEFT,
             MOUNTAIN_CAR_RIGHT);
    plot_axes(p, "position", "potential");
    plot_source(p, block, source, sizeof source);
    plot_say(p, "set key bottom center reverse Left samplen 2");
    plot_say(p,
             "plot for [k = 1:%d] %s using 1:(column(k + 1)) with lines lw 2.5 lc rgb "
             "word(\"" PLOT_BLUE " " PLOT_VERMILLION " " PLOT_GREEN " " PLOT_PURPLE "\", 1 + "
             "(k - 1) %% 4) title sprintf(\"subgoal %%d\", k)",
             g->goals.count, source);
}

besd_status figure_surface(const figure_source *s, plot *p, const char *folder, const char *name,
                           besd_error *error) {
    ground g = {0};
    bool grid = s->domain->kind == DOMAIN_GRID;
    if (s->domain->kind == DOMAIN_FOREIGN)
        return besd_fail(error, BESD_UNSUPPORTED,
                         "surface: %s is neither a grid nor the mountain car", s->domain->name);
    besd_status status = open_ground(s, &g, error);
    figure_lattice(p, 2, 440, 430);
    p->room.left = grid ? 24 : 52;
    p->room.right = 24;
    p->room.above = 32;
    p->room.below = grid ? 6 : 44;
    if (status == BESD_OK)
        status = plot_open(p, folder, name, error);
    if (status == BESD_OK && grid)
        draw_grid(p, &g);
    else if (status == BESD_OK)
        draw_mountain(p, &g);
    if (g.env)
        s->domain->methods->destroy(g.env);
    return status;
}
