/* What one agent has learnt with a design: for every stage (subgoals completed so far) the largest
 * action value of every cell and the greedy move, where the agent has been. Cells of equal stage
 * can be met with or without the key or treasure; shown is how the agent's greedy episode met the
 * stage. */
#include "figures/figure.h"
#include "figures/map.h"

#include "core/error.h"
#include "learn/trial.h"
#include "world/grid.h"

#include <math.h>
#include <stdio.h>

typedef struct lesson {
    pupil pupil;
    int64_t flags[SUBGOALS_MAX + 1]; /* key and treasure on entering a stage; -1: never entered */
} lesson;

static int64_t cell_count(const lesson *l) {
    return (int64_t)l->pupil.domain->map.width * l->pupil.domain->map.height;
}

static void note_stage(void *context, const agent_transition *t) {
    lesson *l = context;
    if (l->flags[t->stage] < 0)
        l->flags[t->stage] = t->state / cell_count(l);
}

static besd_status train(lesson *l, const figure_source *s, besd_error *error) {
    const double *theta = s->theta ? s->theta : s->domain->example;
    size_t length = s->theta ? s->theta_length : s->domain->example_length;
    int64_t tau = domain_tau_max(s->domain);
    agent_episode episode;
    for (int i = 0; i <= SUBGOALS_MAX; i++)
        l->flags[i] = -1;
    besd_status status = pupil_open(&l->pupil, s->domain, theta, length, error);
    if (status == BESD_OK)
        status = pupil_enter(&l->pupil, s->instance, error);
    if (status == BESD_OK)
        status = pupil_train(&l->pupil, s->seed, 0, tau, error);
    if (status == BESD_OK)
        status = pupil_test(&l->pupil, s->seed, 0, tau, note_stage, l, &episode, error);
    return status;
}

/* The best action of a cell and its value; -1 where nothing was learnt yet. */
static int best_action(const lesson *l, int stage, int cell, double *value) {
    int64_t flags = l->flags[stage] < 0 ? 0 : l->flags[stage];
    const double *values = agent_values(l->pupil.agent, stage, cell + cell_count(l) * flags);
    int best = 0;
    bool learnt = false;
    for (int a = 0; a < l->pupil.spec.actions; a++) {
        learnt |= values[a] != l->pupil.learning.initial_value;
        best = values[a] > values[best] ? a : best;
    }
    *value = values[best];
    return learnt ? best : -1;
}

/* Which of the cells of a stage are shown: ", with key" or ", without key"; "" in a domain that has
 * neither key nor treasure. */
static void name_flags(const lesson *l, int stage, char *text, size_t size) {
    const domain *d = l->pupil.domain;
    const char *const things[] = {map_has(d, GRID_KEY) ? "key" : NULL,
                                  map_has(d, GRID_TREASURE) ? "treasure" : NULL};
    int64_t flags = l->flags[stage] < 0 ? 0 : l->flags[stage];
    size_t length = 0;
    text[0] = 0;
    for (int i = 0; i < 2; i++)
        if (things[i]) {
            length += (size_t)snprintf(text + length, size - length, ", with%s %s",
                                       flags & 1 ? "" : "out", things[i]);
            flags >>= 1; /* a domain without keys has no bit for them */
        }
}

/* What is to be drawn of a stage: two blocks of data and the range of the values. */
typedef struct stage_data {
    int values, arrows;
    double low, high; /* infinite when nothing was learnt */
} stage_data;

static stage_data write_stage(plot *p, const lesson *l, int stage) {
    const grid_map *map = &l->pupil.domain->map;
    const int width = map->width, cells = (int)cell_count(l);
    const double side = map->cell_size;
    const double outside[2] = {grid_map_unit(map, 0, -9), grid_map_unit(map, 1, -9)};
    stage_data data = {.low = INFINITY, .high = -INFINITY};
    double value;
    data.values = plot_block(p);
    for (int cell = 0; cell < cells; cell++) {
        if (best_action(l, stage, cell, &value) < 0)
            continue;
        data.low = fmin(data.low, value);
        data.high = fmax(data.high, value);
        plot_datum(p, "%.10g %.10g %.6g", grid_map_unit(map, 0, cell % width + 0.5),
                   grid_map_unit(map, 1, cell / width + 0.5), value);
    }
    const bool empty = !isfinite(data.low);
    if (empty)
        plot_datum(p, "%.10g %.10g 0", outside[0], outside[1]);
    data.arrows = plot_block(p);
    for (int cell = 0; cell < cells; cell++) {
        int action = best_action(l, stage, cell, &value);
        if (action < 0)
            continue;
        const double dx = grid_moves[action][0], dy = grid_moves[action][1];
        plot_datum(p, "%.10g %.10g %g %g", grid_map_unit(map, 0, cell % width + 0.5 - 0.3 * dx),
                   grid_map_unit(map, 1, cell / width + 0.5 - 0.3 * dy), 0.6 * side * dx,
                   0.6 * side * dy);
    }
    if (empty)
        plot_datum(p, "%.10g %.10g 0 0", outside[0], outside[1]);
    return data;
}

static void begin_panel(plot *p, const lesson *l, int stage) {
    const subgoals *goals = &l->pupil.goals;
    char title[160], carried[60];
    name_flags(l, stage, carried, sizeof carried);
    if (stage < goals->count)
        snprintf(title, sizeof title, "Stage %d: towards subgoal %d%s", stage, stage + 1, carried);
    else
        snprintf(title, sizeof title, "Stage %d: towards the goal%s", stage, carried);
    plot_panel(p, stage, title);
    map_draw_instance(p, l->pupil.domain, grid_cells(l->pupil.env), goals, stage,
                      stage < goals->count ? stage + 1 : stage);
}

/* The colours of the values, and a line below the map that says what they are. */
static void set_scale(plot *p, const stage_data *data) {
    const double low = data->low, high = data->high;
    const bool empty = !isfinite(low);
    plot_say(p, "unset colorbox\nset cbrange [%g:%g]", empty ? 0 : low,
             high > low ? high : (empty ? 1 : low + 1));
    plot_say(p, "set palette defined (0 \"#f3f7fa\", 0.5 \"#9fcbe6\", 1 \"#2b83b8\")");
    plot_say(p,
             "set label '%s' at graph 0, graph 0 left offset 0, -0.9 font \",11\" tc rgb "
             "\"#666666\"",
             empty ? "never reached in training" : "");
    if (!empty)
        plot_say(p,
                 "set label \"values from %.2g (light) to %.2g (dark)\" at graph 0, graph 0 left "
                 "offset 0, -0.9 font \",11\" tc rgb \"#666666\"",
                 low, high);
}

static void mark_subgoal(plot *p, const double *target, int mark) {
    plot_say(p,
             "set label \"\" at %g,%g point pt %d ps 2 lw 6 lc rgb \"#ffffff\" front\n"
             "set label \"\" at %g,%g point pt %d ps 1.9 lw 3 lc rgb \"" PLOT_VERMILLION "\" front",
             target[0], target[1], mark, target[0], target[1], mark);
}

static void draw_stage(plot *p, const lesson *l, int stage) {
    const subgoals *goals = &l->pupil.goals;
    char values[160], arrows[160];
    stage_data data = write_stage(p, l, stage);
    begin_panel(p, l, stage);
    set_scale(p, &data);
    if (stage < goals->count)
        mark_subgoal(p, goals->target[stage], map_subgoal_mark(stage));
    plot_say(p,
             "set boxwidth 1\nplot %s using 1:2:(0.5):(0.5):3 with boxxyerror fs transparent solid "
             "0.85 noborder fc palette, \\\n %s using 1:2:3:4 with vectors filled head size "
             "0.18,25,60 lw 1 lc rgb \"#222222\"",
             plot_source(data.values, values, sizeof values),
             plot_source(data.arrows, arrows, sizeof arrows));
}

static void explain(plot *p, const domain *d) {
    bool carries = map_has(d, GRID_KEY) || map_has(d, GRID_TREASURE);
    char title[FIGURE_TITLE_SIZE], text[500];
    snprintf(
        text, sizeof text,
        "%s. Blue: largest action value; arrow: greedy move. White, no arrow: never visited, or "
        "nothing learnt there yet.%s",
        figure_title(d, sizeof d->title, title, sizeof title),
        carries ? " Each stage is shown with what the agent carried when its greedy episode "
                  "entered it; without anything where it never did."
                : "");
    plot_set_footer(p, text);
}

besd_status figure_values(const figure_source *s, plot *p, const char *folder, const char *name,
                          besd_error *error) {
    lesson l = {.pupil = {0}};
    if (s->domain->kind != DOMAIN_GRID)
        return besd_fail(error, BESD_INVALID,
                         "values: %s has no cells to show values in; take a grid domain",
                         s->domain->name);
    besd_status status = train(&l, s, error);
    if (status == BESD_OK) {
        double width, height;
        map_fit(s->domain, 328, &width, &height);
        p->room.left = 16;
        p->room.right = 344 - width; /* titles are as wide as ever */
        p->room.above = 32;
        p->room.below = 28;
        figure_lattice(p, l.pupil.goals.count + 1, 360, height + 60);
        explain(p, s->domain);
        status = plot_open(p, folder, name, error);
    }
    for (int stage = 0; status == BESD_OK && stage <= l.pupil.goals.count; stage++)
        draw_stage(p, &l, stage);
    pupil_close(&l.pupil);
    return status;
}
