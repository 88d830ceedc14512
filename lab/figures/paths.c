/* Recommendation paths (the paper's figures of the same name): where besd would put the subgoals
 * as it learns, for the first four replications, from the end of the initial design on. Every
 * colour and dash type is one of them; it gets darker in steps as cost grows (dashes would begin
 * anew with every shade) and ends in a circle for the first, a triangle for the second, a cross for
 * the third subgoal. On the mountain positions have one dimension: each replication has its own
 * strip, in which cost runs upwards. */
#include "figures/figure.h"
#include "figures/map.h"

#include "core/error.h"

#include <math.h>
#include <string.h>

enum { SEEDS = 4, SHADES = 4 };

static const double mountain_top = 0.34, first_strip = 0.42, strip = 0.14;

static const char *const colours[SEEDS] = {PLOT_BLUE, PLOT_VERMILLION, PLOT_GREEN, PLOT_PURPLE};
static const char *const dashes[SEEDS] = {"solid", "(6,2)", "(1.5,1.5)", "(7,2,1.5,2)"};

typedef struct trail {
    const domain *domain;
    const job_result *job;
    int seed, subgoals, per_subgoal; /* numbers a position has */
    int first;                       /* point: none before has the whole initial design behind it */
} trail;

/* Where subgoal k of a point is in the panel. */
static void place(const trail *t, int point, int k, double *x, double *y) {
    const double *theta = t->job->points[point].theta + k * t->per_subgoal;
    *x = theta[0];
    *y = t->per_subgoal > 1 ? theta[1]
                            : first_strip + strip * (t->seed + 0.85 * point / (JOB_POINTS - 1));
}

static int shade_at(const trail *t, int point) {
    return SHADES * (point - t->first) / (JOB_POINTS - t->first);
}

/* The part of one shade, from the last point of the shade before. */
static void write_shade(plot *p, const trail *t, int shade) {
    plot_block(p);
    for (int k = 0; k < t->subgoals; k++) {
        for (int i = t->first; i < JOB_POINTS; i++) {
            bool last = i + 1 < JOB_POINTS && shade_at(t, i + 1) == shade;
            if (t->job->points[i].known && (shade_at(t, i) == shade || last)) {
                double x, y;
                place(t, i, k, &x, &y);
                plot_datum(p, "%.6g %.6g", x, y);
            }
        }
        plot_datum(p, "NaN NaN\n");
    }
}

static void write_ends(plot *p, const trail *t) {
    plot_block(p);
    for (int k = 0; k < t->subgoals; k++) {
        double x, y;
        place(t, JOB_POINTS - 1, k, &x, &y);
        plot_datum(p, "%.6g %.6g %d", x, y, map_subgoal_mark(k));
    }
}

static void draw_trails(plot *p, const trail *trails, int count, int first) {
    char source[160];
    bool mountain = count > 0 && trails[0].per_subgoal == 1;
    plot_say(p, "plot \\");
    if (mountain)
        plot_say(p, " mountain(x) with filledcurves y1=0 fs solid 1 fc rgb \"#d4d4d4\", \\\n"
                    " start(x) with lines lw 5 lc rgb \"#7fb8d8\", \\");
    for (int i = 0; i < count; i++)
        for (int shade = 0; shade < SHADES; shade++)
            plot_say(p, " %s using 1:2 with lines lw 1.6 dt %s lc rgb 0x%06x, \\",
                     plot_source(first + (SHADES + 1) * i + shade, source, sizeof source),
                     dashes[i], plot_tint(colours[i], 0.5 + 0.5 * shade / (SHADES - 1)));
    for (int i = 0; i < count; i++) {
        plot_source(first + (SHADES + 1) * i + SHADES, source, sizeof source);
        plot_put(p,
                 " %s using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb \"#ffffff\", \\\n"
                 " %s using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb \"%s\"",
                 source, source, colours[i]);
        plot_end_line(p, i + 1 < count);
    }
}

/* Beside every strip, from the beginning to the end of the budget. */
static void draw_cost_arrows(plot *p, int count) {
    for (int i = 0; i < count; i++) {
        double foot = first_strip + strip * i, middle = foot + 0.425 * strip;
        plot_say(p,
                 "set arrow from graph 0.01, first %g to graph 0.01, first %g head size graph "
                 "0.015, 25 lw 1 lc rgb \"#666666\"",
                 foot, foot + 0.85 * strip);
        plot_say(p,
                 "set label \"cost\" at graph -0.015, first %g center rotate font \",10\" tc rgb "
                 "\"#666666\"",
                 middle);
    }
}

static int first_after(const job_result *job, double cost) {
    int first = 0;
    while (first < JOB_POINTS - 1 && job->points[first].cost < cost)
        first++;
    return first;
}

/* besd was run there, and the map is known: built in, or kept with the comparison. */
static bool is_drawn(const summary_domain *s, domain *d) {
    if (s->besd < 0)
        return false;
    if (domain_from_identity(s->contest->identity, d))
        return true;
    if (!s->contest->map)
        return false;
    domain_init(d, s->contest->domain, "");
    domain_init_grid(d);
    d->map = *s->contest->map;
    return true;
}

static int numbers_per_subgoal(const domain *d) {
    return d->kind == DOMAIN_MOUNTAIN_CAR ? 1 : 2;
}

/* Those of the job itself: the domain as it was set may have other ones than the built-in. */
static int count_subgoals(const job_result *job, const domain *d) {
    return (int)job->dimension / numbers_per_subgoal(d);
}

/* How many runs of besd are shown at most in a domain; 0: it has none. */
static int count_runs(const summary *s) {
    int most = 0;
    domain d;
    for (int i = 0; i < s->domain_count; i++)
        if (is_drawn(&s->domains[i], &d)) {
            int own = s->domains[i].methods[s->domains[i].besd].entry->count;
            most = own > most ? own : most;
        }
    return most < SEEDS ? most : SEEDS;
}

static void draw_domain(plot *p, int panel, const summary_domain *s, const domain *d) {
    char title[70];
    trail trails[SEEDS] = {{0}};
    const results_entry *e = s->methods[s->besd].entry;
    bool mountain = d->kind == DOMAIN_MOUNTAIN_CAR;
    int count = e->count < SEEDS ? e->count : SEEDS, first = p->block;
    plot_panel(p, panel, figure_domain_title(d->name, title, sizeof title));
    if (mountain)
        map_draw_mountain(p, d, mountain_top);
    else
        map_draw(p, d);
    for (int i = 0; i < count; i++) {
        trails[i] = (trail){.domain = d,
                            .job = &e->result[i],
                            .seed = i,
                            .subgoals = count_subgoals(&e->result[i], d),
                            .per_subgoal = numbers_per_subgoal(d),
                            .first = first_after(&e->result[i], s->methods[s->besd].initial_end)};
        for (int shade = 0; shade < SHADES; shade++)
            write_shade(p, &trails[i], shade);
        write_ends(p, &trails[i]);
    }
    if (mountain)
        draw_cost_arrows(p, count);
    draw_trails(p, trails, count, first);
}

/* Adds to a text of at most `size` bytes. */
static void add(char *text, size_t size, const char *more) {
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

/* What is in the panels, and nothing else, in the footer. */
static void explain(plot *p, const summary *all) {
    static const char *const counts[] = {"No run", "One run", "Two runs", "Three runs",
                                         "Four runs"};
    static const char *const marks[] = {" ○ first", ", △ second", ", × third"};
    static const struct {
        char kind;
        const char *colour;
    } cells[] = {{GRID_KEY, ", K key (yellow)"},
                 {GRID_DOOR, ", D door (brown)"},
                 {GRID_TREASURE, ", T treasure (green)"}};
    bool shown[sizeof cells / sizeof *cells] = {false}, walls = false, mountain = false,
                                     one_way = false, ended = true;
    int runs = count_runs(all), most = 1;
    char text[500];
    for (int i = 0; i < all->domain_count; i++) {
        const summary_domain *s = &all->domains[i];
        domain d;
        if (!is_drawn(s, &d))
            continue;
        int goals = count_subgoals(&s->methods[s->besd].entry->result[0], &d);
        most = goals > most ? goals : most;
        walls |= map_has(&d, GRID_WALL);
        one_way |= map_has_one_way(&d);
        mountain |= d.kind == DOMAIN_MOUNTAIN_CAR;
        ended &= isfinite(s->methods[s->besd].initial_end);
        for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
            shown[c] |= map_has(&d, cells[c].kind);
    }
    snprintf(text, sizeof text, "%s%s%s, darker as cost grows;", counts[runs],
             ended ? " after the initial design" : "",
             runs > 1 ? ", a colour and dash type each" : "");
    for (int k = 0; k < most && k < 3; k++)
        add(text, sizeof text, marks[k]);
    add(text, sizeof text, " subgoal.");
    if (walls)
        add(text, sizeof text, " Walls: dark always, light in some instances.");
    add(text, sizeof text, " S start (blue), G goal (orange)");
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
        if (shown[c])
            add(text, sizeof text, cells[c].colour);
    add(text, sizeof text, one_way ? ", arrows: entered so only (violet)." : ".");
    if (mountain)
        add(text, sizeof text, " MC: a strip for each run, in which cost grows upwards.");
    plot_set_footer(p, text);
}

besd_status figure_paths(const figure_source *s, plot *p, const char *folder, const char *name,
                         besd_error *error) {
    const summary *all = &s->findings->summary;
    int panels = 0;
    domain d;
    for (int i = 0; i < all->domain_count; i++)
        panels += is_drawn(&all->domains[i], &d);
    if (!panels)
        return besd_fail(
            error, BESD_INVALID,
            "paths: besd was run in no domain whose map is known; those of plugins and "
            "processes have none");
    p->room.left = p->room.right = 18;
    p->room.above = 32;
    p->room.below = 22;
    figure_lattice(p, panels, 376, 394);
    explain(p, all);
    besd_status status = plot_open(p, folder, name, error);
    for (int i = 0, panel = 0; status == BESD_OK && i < all->domain_count; i++)
        if (is_drawn(&all->domains[i], &d))
            draw_domain(p, panel++, &all->domains[i], &d);
    return status;
}
