/* besd show */
#include "cli/common.h"
#include "cli/terminal.h"

#include "core/error.h"
#include "core/print.h"
#include "draw/scene.h"
#include "learn/trial.h"
#include "world/grid.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A greedy episode after training, as an observer collects it. */
typedef struct path {
    int dimension;
    size_t length; /* positions, start first */
    double *positions;
    json_t *steps; /* NULL when not wanted */
    agent_episode episode;
} path;

static void collect(void *context, const agent_transition *t) {
    path *p = context;
    size_t dimension = (size_t)p->dimension, bytes = dimension * sizeof *p->positions;
    if (p->length == 0) {
        memcpy(p->positions, t->observation, bytes);
        p->length = 1;
    }
    memcpy(p->positions + p->length++ * dimension, t->next_observation, bytes);
    if (p->steps)
        json_array_append_new(p->steps, json_pack("{s:o, s:i, s:i, s:o, s:o, s:o}", "from",
                                                  json_numbers(t->observation, dimension), "stage",
                                                  t->stage, "action", t->action, "raw_reward",
                                                  json_number(t->raw_reward), "shaping",
                                                  json_number(t->shaping), "to",
                                                  json_numbers(t->next_observation, dimension)));
}

typedef struct lesson {
    const domain *domain;
    const number_list *theta;
    int64_t tau;
    uint64_t instance, seed;
} lesson;

/* Trains one agent in the instance and walks its greedy path. */
static besd_status learn_path(const lesson *l, path *p, besd_error *error) {
    pupil u;
    besd_status status =
        pupil_open(&u, l->domain, l->theta->given ? l->theta->items : NULL, l->theta->count, error);
    if (status == BESD_OK) {
        size_t positions = (size_t)u.spec.cap + 1;
        p->dimension = u.spec.position;
        p->positions = malloc(positions * (size_t)p->dimension * sizeof *p->positions);
        if (!p->positions)
            status = besd_fail_memory(error, "the path");
    }
    if (status == BESD_OK)
        status = pupil_enter(&u, l->instance, error);
    if (status == BESD_OK)
        status = pupil_train(&u, l->seed, 0, l->tau, error);
    if (status == BESD_OK)
        status = pupil_test(&u, l->seed, 0, l->tau, collect, p, &p->episode, error);
    pupil_close(&u);
    return status;
}

static json_t *describe_cells(const domain *d, const besd_env *env) {
    json_t *rows = json_array();
    const char *cells = grid_cells(env);
    for (int y = d->map.height - 1; y >= 0; y--)
        json_array_append_new(rows, json_stringn(cells + y * d->map.width, (size_t)d->map.width));
    return rows;
}

static json_t *describe(const scene *s, const lesson *l, const path *p) {
    const domain *d = s->domain;
    json_t *object = json_pack("{s:s, s:I, s:o}", "domain", d->name, "instance",
                               (json_int_t)l->instance, "fingerprint", json_fingerprint(d, s->env));
    object = json_joined(object, json_domain_theta(d, s->theta, l->theta->count));
    if (d->kind == DOMAIN_GRID) {
        json_object_set_new(object, "wind", json_number(d->methods->table(s->env)->wind));
        json_object_set_new(object, "cells", describe_cells(d, s->env));
        json_object_set_new(object, "cell_size", json_number(d->map.cell_size));
        json_object_set_new(object, "origin", json_numbers(d->map.origin, 2));
    } else if (d->kind == DOMAIN_MOUNTAIN_CAR) {
        json_object_set_new(object, "start", json_number(mountain_car_start(s->env)));
    }
    if (p->steps) {
        json_object_set(object, "path", p->steps);
        json_object_set_new(object, "steps", json_integer(p->episode.steps));
        json_object_set_new(object, "reached_goal", json_boolean(p->episode.reached_goal));
        json_object_set_new(object, "return", json_number(p->episode.discounted_return));
    }
    return object;
}

static besd_status write_svg(const scene *s, const char *file_name, besd_error *error) {
    FILE *file = fopen(file_name, "w");
    if (!file)
        return besd_fail(error, BESD_IO, "%s: %s", file_name, strerror(errno));
    besd_status status = scene_svg(file, s, s->domain->name, error);
    if (fclose(file) && status == BESD_OK)
        status = besd_fail(error, BESD_IO, "%s: %s", file_name, strerror(errno));
    return status;
}

static void print_caption(const scene *s, const lesson *l) {
    print_clean(stdout, "%s, instance %llu", s->domain->name, (unsigned long long)l->instance);
    if (s->domain->kind == DOMAIN_GRID)
        print_clean(stdout, ", wind %.4f", s->domain->methods->table(s->env)->wind);
    putchar('\n');
}

static besd_status check_theta(const domain *d, const besd_env *env, const number_list *theta,
                               besd_error *error) {
    besd_env_spec spec;
    subgoals goals;
    domain_spec(d, env, &spec);
    return subgoals_of(&goals, d, &spec, theta->given ? theta->items : NULL, theta->count, error);
}

/* What the command line asked for. */
typedef struct request {
    const char *svg;
    bool as_json, with_path;
    lesson lesson;
} request;

/* Of an environment without a map, the places where the agent went are shown. Of a long way that is
 * MOST_PLACES of them at equal distances, with the last one. */
enum { MOST_PLACES = 40, PLACES_IN_A_LINE = 8 };

static void print_positions(const path *p) {
    size_t shown = p->length < MOST_PLACES ? p->length : MOST_PLACES;
    for (size_t i = 0; i < shown; i++) {
        size_t at = shown > 1 ? i * (p->length - 1) / (shown - 1) : 0;
        print_clean(stdout, "%s(", i % PLACES_IN_A_LINE ? " " : "  ");
        for (int k = 0; k < p->dimension; k++)
            print_clean(stdout, "%s%.4g", k ? ", " : "",
                        p->positions[at * (size_t)p->dimension + (size_t)k]);
        bool ends = i % PLACES_IN_A_LINE == PLACES_IN_A_LINE - 1 || i + 1 == shown;
        putchar(')');
        if (ends)
            putchar('\n');
    }
    if (shown < p->length)
        print_clean(stdout, "  %zu of the %zu places on its way\n", shown, p->length);
}

static int print_scene(const verb *v, const request *r, const scene *s, const path *p) {
    if (r->as_json)
        return print_json(v, describe(s, &r->lesson, p));
    print_caption(s, &r->lesson);
    if (s->domain->kind == DOMAIN_FOREIGN)
        print_positions(p);
    else
        scene_print(stdout, s, terminal_has_colour(stdout), terminal_speaks_utf8());
    if (r->with_path)
        print_clean(stdout, "greedy episode after %lld interaction%s: %lld step%s, %s\n",
                    (long long)r->lesson.tau, r->lesson.tau == 1 ? "" : "s",
                    (long long)p->episode.steps, p->episode.steps == 1 ? "" : "s",
                    p->episode.reached_goal ? "goal reached" : "goal not reached");
    return finish_output(v);
}

static int show(const verb *v, const request *r) {
    const domain *d = r->lesson.domain;
    const number_list *theta = r->lesson.theta;
    besd_env *env = NULL;
    besd_error error;
    path p = {.steps = r->with_path && r->as_json ? json_array() : NULL};
    besd_status status = domain_open(d, &env, &error);
    if (status == BESD_OK)
        status = d->methods->instance(env, r->lesson.instance, &error);
    if (status == BESD_OK)
        status = check_theta(d, env, theta, &error);
    if (status == BESD_OK && r->with_path)
        status = learn_path(&r->lesson, &p, &error);
    scene s = {.domain = d,
               .env = env,
               .theta = theta->given ? theta->items : NULL,
               .subgoals = theta->given ? (int)d->value[PARAMETER_SUBGOALS] : 0,
               .path = p.positions,
               .path_length = p.length};
    if (status == BESD_OK && r->svg && d->kind == DOMAIN_FOREIGN)
        status =
            besd_fail(&error, BESD_UNSUPPORTED,
                      "svg: only grids and the mountain can be drawn, not environment %s", d->name);
    else if (status == BESD_OK && r->svg)
        status = write_svg(&s, r->svg, &error);
    int code = status == BESD_OK ? print_scene(v, r, &s, &p) : refuse(v, &error);
    json_decref(p.steps);
    free(p.positions);
    d->methods->destroy(env);
    return code;
}

int show_design(const verb *v, const domain *d, const double *theta, size_t length,
                uint64_t instance) {
    number_list list = {.count = length, .given = true};
    memcpy(list.items, theta, length * sizeof *theta);
    request r = {.with_path = true,
                 .lesson = {.domain = d,
                            .theta = &list,
                            .tau = domain_tau_max(d),
                            .instance = instance,
                            .seed = 1}};
    return show(v, &r);
}

int run_show(const verb *v, int argc, char **argv) {
    const char *name = NULL;
    number_list theta = {0};
    domain_options chosen = {0};
    given_integer tau = {0};
    request r = {.lesson = {.theta = &theta, .instance = 1, .seed = 1}};
    option options[] = {
        {"theta", OPTION_NUMBERS, &theta, "X,Y,...", "coordinates of the subgoals, in order"},
        {"instance", OPTION_SEED, &r.lesson.instance, "S", "which instance (default 1)"},
        {"path", OPTION_FLAG, &r.with_path, NULL, "train, then overlay a greedy episode"},
        {"tau", OPTION_GIVEN_INTEGER, &tau, "T", "training interactions for --path"},
        {"seed", OPTION_SEED, &r.lesson.seed, "S", "names the randomness of --path (default 1)"},
        {"svg", OPTION_TEXT, &r.svg, "FILE", "also write a figure"},
        {"json", OPTION_FLAG, &r.as_json, NULL, "print one JSON object"},
        DOMAIN_OPTIONS(chosen),
        {0}};
    int code;
    if (!options_parse(v, options, argc, argv, &name, 1, 1, &code))
        return code;
    domain d;
    besd_error error;
    besd_status status = choose_domain(name, &chosen, &d, &error);
    bool loaded = status == BESD_OK;
    if (status == BESD_OK)
        r.lesson.tau = given_integer_or(tau, domain_tau_max(&d));
    if (status == BESD_OK && r.lesson.tau < 1)
        status = besd_fail(&error, BESD_INVALID, "tau: expected at least 1 interaction, got %lld",
                           (long long)r.lesson.tau);
    r.lesson.domain = &d;
    code = status == BESD_OK ? show(v, &r) : refuse(v, &error);
    if (loaded)
        domain_release(&d);
    return code;
}
