/* Where the subgoals of a study were tried: a mark for every subgoal of every told trial, by their
 * number, the darker the later; and the recommended ones as numbered discs. */
#include "figures/figure.h"

#include "core/error.h"
#include "figures/map.h"
#include "figures/path_ground.h"
#include "figures/study_trials.h"

#include <math.h>
#include <stdlib.h>

enum { SHADES = 4, PANEL = 470, COLOURS = 6 };

static const char *const colours[COLOURS] = {PLOT_BLUE,   PLOT_VERMILLION, PLOT_GREEN,
                                             PLOT_PURPLE, "#7a4b12",       "#555555"};

typedef struct map_view {
    path_ground ground;
    besd_study *study;
    besd_recommendation best;
    study_trials trials;
} map_view;

/* How far through the study, in shades. */
static int shade_of(const map_view *v, size_t trial) {
    size_t last = v->trials.count - 1;
    return last ? (int)(trial * (SHADES - 1) / last) : SHADES - 1;
}

/* Of trials in one place marks would hide each other: they are moved aside a little, always in the
 * same way. */
static double aside(const path_ground *g, const besd_trial *t, size_t number, size_t coordinate) {
    unsigned mixed = (unsigned)t->id * 2654435761u + (unsigned)coordinate * 2246822519u;
    double moved = t->theta[number] + g->cell * 0.3 * ((double)(mixed >> 8 & 0xffff) / 65535 - 0.5);
    return fmin(fmax(moved, g->low[coordinate]), g->high[coordinate]);
}

/* A block for every number and shade; told trials alone. */
static void write_marks(const map_view *v, plot *p, size_t point, int shade) {
    size_t visited[BESD_MAX_DIMENSION];
    plot_block(p);
    for (size_t i = 0; i < v->trials.count; i++) {
        const besd_trial *t = &v->trials.of[i];
        if (t->state != BESD_TRIAL_TOLD || shade_of(v, i) != shade)
            continue;
        if (point < besd_study_visited(v->study, t->theta, visited))
            plot_datum(p, "%.6g %.6g", aside(&v->ground, t, 2 * visited[point], 0),
                       aside(&v->ground, t, 2 * visited[point] + 1, 1));
    }
    plot_datum(p, "NaN NaN");
}

static void draw_way(plot *p, const double *from, const double *to) {
    if (isfinite(from[0]) && isfinite(from[1]) && isfinite(to[0]) && isfinite(to[1]))
        plot_say(p,
                 "set arrow from %.6g,%.6g to %.6g,%.6g nohead lw 1.6 dt (3,3) lc rgb "
                 "\"#444444\"",
                 from[0], from[1], to[0], to[1]);
}

/* The way from the start over the recommended subgoals to the goal, as far as both are known. */
static void mark_best(const map_view *v, plot *p) {
    size_t visited[BESD_MAX_DIMENSION];
    size_t count = besd_study_visited(v->study, v->best.theta, visited);
    const double *from = v->ground.path.from;
    for (size_t k = 0; k < count; k++) {
        const double *to = v->best.theta + 2 * visited[k];
        draw_way(p, from, to);
        from = to;
    }
    if (count)
        draw_way(p, from, v->ground.path.to);
    for (size_t k = count; k-- > 0;) /* the first on top */
        path_ground_mark(&v->ground, p, v->best.theta + 2 * visited[k], k + 1,
                         colours[k < COLOURS ? k : COLOURS - 1]);
}

static void draw_marks(plot *p, size_t points) {
    char source[160];
    plot_say(p, "plot \\");
    for (size_t k = 0; k < points; k++)
        for (int shade = 0; shade < SHADES; shade++) {
            plot_put(p, " %s using 1:2 with points pt %d ps 0.8 lw 1.5 lc rgb 0x%06x",
                     plot_source((int)k * SHADES + shade, source, sizeof source),
                     map_subgoal_mark((int)k),
                     plot_tint(colours[k < COLOURS ? k : COLOURS - 1],
                               0.3 + 0.7 * shade / (SHADES - 1)));
            plot_end_line(p, k + 1 < points || shade + 1 < SHADES);
        }
}

static void explain(const map_view *v, plot *p) {
    static const char *const marks[] = {"○\u00a0first", ", △\u00a0second", ", ×\u00a0third",
                                        ", □\u00a0later"};
    char ground[200], text[590];
    size_t length = (size_t)snprintf(text, sizeof text,
                                     "Subgoals of all told trials, the darker the later, a little "
                                     "aside of each other: ");
    for (size_t k = 0; k < v->ground.path.points && k < 4; k++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", marks[k]);
    snprintf(text + length, sizeof text - length, ". Discs with numbers: recommended now.%s",
             path_ground_explain(&v->ground, ground, sizeof ground));
    plot_set_footer(p, text);
}

static void set_size(const map_view *v, plot *p) {
    double width, height;
    path_ground_fit(&v->ground, PANEL, &width, &height);
    p->room.left = v->ground.has_map ? 14 : 58;
    p->room.right = 18;
    p->room.above = 34;
    p->room.below = v->ground.has_map ? 12 : 46;
    figure_lattice(p, 1, fmax(width, 300) + p->room.left + p->room.right,
                   height + p->room.above + p->room.below);
}

static void draw(const map_view *v, plot *p) {
    char title[FIGURE_TITLE_SIZE + 30] = "Where subgoals were tried", name[FIGURE_TITLE_SIZE];
    size_t points = v->ground.path.points;
    if (v->ground.has_map)
        snprintf(title, sizeof title, "Where subgoals were tried in %s",
                 figure_title(&v->ground.domain, 40, name, sizeof name));
    plot_panel(p, 0, title);
    path_ground_draw(&v->ground, p);
    for (size_t k = 0; k < points; k++)
        for (int shade = 0; shade < SHADES; shade++)
            write_marks(v, p, k, shade);
    mark_best(v, p);
    draw_marks(p, points);
}

besd_status figure_map(const figure_source *s, plot *p, const char *folder, const char *name,
                       besd_error *error) {
    map_view v = {.study = s->study};
    besd_status status = path_ground_init(&v.ground, s->study, "map", error);
    if (status == BESD_OK)
        status = besd_study_recommend(s->study, &v.best, error);
    if (status == BESD_OK)
        status = study_trials_read(&v.trials, s->study, error);
    if (status != BESD_OK)
        return status;
    set_size(&v, p);
    explain(&v, p);
    status = plot_open(p, folder, name, error);
    if (status == BESD_OK)
        draw(&v, p);
    study_trials_free(&v.trials);
    return status;
}
