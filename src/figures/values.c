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
#include <stdlib.h>

typedef struct pupil {
    const domain *domain;
    besd_env *env, *evaluation_env;
    agent *agent;
    besd_env_spec spec;
    subgoals goals;
    learning how;
    agent_episode episode;
    int64_t flags[SUBGOALS_MAX + 1]; /* key and treasure on entering a stage; -1: never entered */
} pupil;

static void note_stage(void *context, const agent_transition *t) {
    pupil *u = context;
    int64_t cells = (int64_t)u->domain->map.width * u->domain->map.height;
    if (u->flags[t->stage] < 0)
        u->flags[t->stage] = t->state / cells;
}

static besd_status enter_instance(pupil *u, const figure_source *s, besd_error *error) {
    const domain *d = s->domain;
    besd_status status = domain_open(d, &u->env, error);
    if (status == BESD_OK)
        status = domain_open(d, &u->evaluation_env, error);
    if (status == BESD_OK)
        status = d->methods->instance(u->env, s->instance, error);
    if (status == BESD_OK)
        status = d->methods->instance(u->evaluation_env, s->instance, error);
    return status;
}

static besd_status train(pupil *u, const figure_source *s, besd_error *error) {
    const domain *d = s->domain;
    double example[BESD_MAX_DIMENSION];
    const double *theta = s->theta ? s->theta : example;
    size_t length = s->theta ? s->theta_length : figure_example_design(d->name, example);
    int64_t tau = domain_tau_max(d);
    agent_seeds training = trial_training_seeds(s->seed, 0, 0);
    agent_seeds evaluation = trial_evaluation_seeds(s->seed, 0, 0, tau);
    u->domain = d;
    u->how = learning_of(d, LEARNING_Q);
    for (int i = 0; i <= SUBGOALS_MAX; i++)
        u->flags[i] = -1;
    besd_status status = enter_instance(u, s, error);
    if (status != BESD_OK)
        return status;
    d->methods->spec(u->env, &u->spec);
    status = subgoals_init(&u->goals, &u->spec, (int)d->value[PARAMETER_SUBGOALS], theta, length,
                           d->value[PARAMETER_HEIGHT], d->value[PARAMETER_WIDTH], error);
    if (status == BESD_OK)
        status = agent_create(&u->spec, &u->goals, &u->how, &u->agent, error);
    if (status != BESD_OK)
        return status;
    agent_place(u->agent, d->methods, u->env, &training);
    status = agent_train(u->agent, 0, tau, tau, NULL, NULL, error);
    return status == BESD_OK ? agent_evaluate(u->agent, u->evaluation_env, &evaluation, note_stage,
                                              u, &u->episode, error)
                             : status;
}

static void dismiss(pupil *u) {
    agent_destroy(u->agent);
    if (u->env)
        u->domain->methods->destroy(u->env);
    if (u->evaluation_env)
        u->domain->methods->destroy(u->evaluation_env);
}

/* The best action of a cell and its value; -1 where nothing was learnt yet. */
static int best_action(const pupil *u, int stage, int cell, double *value) {
    int64_t cells = (int64_t)u->domain->map.width * u->domain->map.height;
    int64_t flags = u->flags[stage] < 0 ? 0 : u->flags[stage];
    const double *values = agent_values(u->agent, stage, cell + cells * flags);
    int best = 0;
    bool learnt = false;
    for (int a = 0; a < GRID_ACTIONS; a++) {
        learnt |= values[a] != u->how.initial_value;
        best = values[a] > values[best] ? a : best;
    }
    *value = values[best];
    return learnt ? best : -1;
}

/* Which of the cells of a stage are shown: ", with key" or ", without key"; "" in a domain that has
 * neither key nor treasure. */
static void name_flags(const pupil *u, int stage, char *text, size_t size) {
    const char *const things[] = {map_has(u->domain, GRID_KEY) ? "key" : NULL,
                                  map_has(u->domain, GRID_TREASURE) ? "treasure" : NULL};
    int64_t flags = u->flags[stage] < 0 ? 0 : u->flags[stage];
    size_t length = 0;
    text[0] = 0;
    for (int i = 0; i < 2; i++)
        if (things[i]) {
            length += (size_t)snprintf(text + length, size - length, ", with%s %s",
                                       flags & 1 ? "" : "out", things[i]);
            flags >>= 1; /* a domain without keys has no bit for them */
        }
}

static void draw_stage(plot *p, const pupil *u, int stage) {
    static const double dx[GRID_ACTIONS] = {0, 1, 0, -1}, dy[GRID_ACTIONS] = {1, 0, -1, 0};
    const grid_map *map = &u->domain->map;
    char title[160], carried[60], values[160], arrows[160];
    double low = INFINITY, high = -INFINITY;
    int value_block = plot_block(p);
    for (int cell = 0; cell < map->width * map->height; cell++) {
        double value;
        if (best_action(u, stage, cell, &value) < 0)
            continue;
        low = fmin(low, value);
        high = fmax(high, value);
        plot_datum(p, "%g %g %.6g", cell % map->width + 0.5, cell / map->width + 0.5, value);
    }
    bool empty = !isfinite(low);
    if (empty)
        plot_datum(p, "-9 -9 0");
    int arrow_block = plot_block(p);
    for (int cell = 0; cell < map->width * map->height; cell++) {
        double value;
        int action = best_action(u, stage, cell, &value);
        if (action >= 0)
            plot_datum(p, "%g %g %g %g", cell % map->width + 0.5 - 0.3 * dx[action],
                       cell / map->width + 0.5 - 0.3 * dy[action], 0.6 * dx[action],
                       0.6 * dy[action]);
    }
    if (empty)
        plot_datum(p, "-9 -9 0 0");
    name_flags(u, stage, carried, sizeof carried);
    if (stage < u->goals.count)
        snprintf(title, sizeof title, "Stage %d: towards subgoal %d%s", stage, stage + 1, carried);
    else
        snprintf(title, sizeof title, "Stage %d: towards the goal%s", stage, carried);
    plot_panel(p, stage, title);
    map_draw_instance(p, u->domain, grid_cells(u->env), &u->goals, stage,
                      stage < u->goals.count ? stage + 1 : stage);
    plot_say(p, "unset colorbox\nset cbrange [%g:%g]", empty ? 0 : low,
             high > low ? high : (empty ? 1 : low + 1));
    plot_say(p, "set palette defined (0 \"#f3f7fa\", 0.5 \"#9fcbe6\", 1 \"#2b83b8\")");
    plot_say(p,
             "set label \"%s\" at graph 0, graph 0 left offset 0, -0.9 font \",11\" tc rgb "
             "\"#666666\"",
             empty ? "never reached in training" : "");
    if (!empty)
        plot_say(p,
                 "set label \"values from %.2g (light) to %.2g (dark)\" at graph 0, graph 0 left "
                 "offset 0, -0.9 font \",11\" tc rgb \"#666666\"",
                 low, high);
    if (stage < u->goals.count) {
        const double *target = u->goals.target[stage];
        plot_say(p,
                 "set label \"\" at %g,%g point pt %d ps 2 lw 6 lc rgb \"#ffffff\" front\n"
                 "set label \"\" at %g,%g point pt %d ps 1.9 lw 3 lc rgb \"" PLOT_VERMILLION
                 "\" front",
                 target[0], target[1], map_subgoal_mark(stage), target[0], target[1],
                 map_subgoal_mark(stage));
    }
    plot_say(p,
             "set boxwidth 1\nplot %s using 1:2:(0.5):(0.5):3 with boxxyerror fs transparent solid "
             "0.85 noborder fc palette, \\\n %s using 1:2:3:4 with vectors filled head size "
             "0.18,25,60 lw 1 lc rgb \"#222222\"",
             plot_source(p, value_block, values, sizeof values),
             plot_source(p, arrow_block, arrows, sizeof arrows));
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
    pupil u = {0};
    if (s->domain->kind != DOMAIN_GRID)
        return besd_fail(error, BESD_INVALID,
                         "values: %s has no cells to show values in; take a grid domain",
                         s->domain->name);
    besd_status status = train(&u, s, error);
    if (status == BESD_OK) {
        double width, height;
        map_fit(s->domain, 328, &width, &height);
        p->room.left = 16;
        p->room.right = 344 - width; /* titles are as wide as ever */
        p->room.above = 32;
        p->room.below = 28;
        figure_lattice(p, u.goals.count + 1, 360, height + 60);
        explain(p, s->domain);
        status = plot_open(p, folder, name, error);
    }
    for (int stage = 0; status == BESD_OK && stage <= u.goals.count; stage++)
        draw_stage(p, &u, stage);
    dismiss(&u);
    return status;
}
