/* besd sketch: a grid domain from a drawing of an arena; with --run its subgoals as well. */
#include "sketch/sketch.h"
#include "cli/common.h"
#include "core/error.h"
#include "core/print.h"
#include "core/text.h"
#include "world/domain_yaml.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the command line says; what is not given keeps the defaults. */
typedef struct request {
    const char *files[SKETCH_MOST_FILES];
    const char *out, *name, *unknown, *subgoals;
    number_list start, goal, origin, wind;
    given_number goal_radius, scale, cell, radius, budget;
    given_integer moves, seed;
    bool as_json, with_run, replace;
} request;

/* "3", or "1..3". */
static bool read_subgoals(const char *text, sketch_options *o) {
    char *end;
    long low = strtol(text, &end, 10), high = low;
    if (end == text)
        return false;
    if (!strncmp(end, "..", 2)) {
        const char *second = end + 2;
        high = strtol(second, &end, 10);
        if (end == second || low < 1 || low >= high)
            return false;
        o->fewest = (int)low;
    }
    o->subgoals = (int)high;
    return !*end && high >= 1 && high <= 8;
}

static besd_status take_list(const char *name, const number_list *given, size_t least, size_t most,
                             double *numbers, size_t *count, besd_error *error) {
    if (!given->given)
        return BESD_OK;
    if (given->count != least && given->count != most)
        return besd_fail(error, BESD_INVALID, "%s: expected %zu%s numbers, got %zu", name, least,
                         most > least ? (most == 4 ? " or 4" : " or 2") : "", given->count);
    memcpy(numbers, given->items, given->count * sizeof *numbers);
    for (size_t i = 0; i < given->count; i++)
        if (!isfinite(numbers[i]))
            return besd_fail(error, BESD_INVALID, "%s: expected finite numbers", name);
    *count = given->count;
    return BESD_OK;
}

static const char *const unknowns[] = {"wall", "free", "maybe"};

static besd_status take_words(const request *r, sketch_options *o, besd_error *error) {
    int unknown = 0;
    while (r->unknown && unknown < 3 && !names_equal(r->unknown, unknowns[unknown]))
        unknown++;
    if (unknown == 3)
        return besd_fail(error, BESD_INVALID, "unknown: expected wall, free or maybe, got '%s'",
                         r->unknown);
    o->unknown = (plan_unknown)unknown;
    if (r->moves.given && r->moves.value != 4 && r->moves.value != 8)
        return besd_fail(error, BESD_INVALID, "moves: expected 4 or 8, got %lld",
                         (long long)r->moves.value);
    o->moves = (int)given_integer_or(r->moves, o->moves);
    if (r->subgoals && !read_subgoals(r->subgoals, o))
        return besd_fail(error, BESD_INVALID,
                         "subgoals: expected a number, 1 to 8, or a range such as 1..3, got '%s'",
                         r->subgoals);
    return BESD_OK;
}

/* Given as 0 is as wrong as below 0; not given is 0. */
static besd_status take_length(const char *name, given_number given, double *length,
                               besd_error *error) {
    if (given.given && !(given.value > 0 && given.value <= 1e6))
        return besd_fail(error, BESD_INVALID,
                         "%s: expected a number above 0, at most 1e+06, got %g", name, given.value);
    *length = given.given ? given.value : 0;
    return BESD_OK;
}

static besd_status read_options(const request *r, sketch_options *o, besd_error *error) {
    size_t winds = 0;
    *o = sketch_options_default();
    o->files = r->files;
    while (o->file_count < SKETCH_MOST_FILES && r->files[o->file_count])
        o->file_count++;
    o->name = r->name;
    besd_status status = take_words(r, o, error);
    if (status == BESD_OK)
        status = take_list("start", &r->start, 2, 2, o->start, &o->start_count, error);
    if (status == BESD_OK)
        status = take_list("goal", &r->goal, 2, 4, o->goal, &o->goal_count, error);
    if (status == BESD_OK)
        status = take_list("origin", &r->origin, 2, 2, o->origin, &o->origin_count, error);
    if (status == BESD_OK)
        status = take_list("wind", &r->wind, 1, 2, o->wind, &winds, error);
    if (winds == 1)
        o->wind[1] = o->wind[0];
    if (status == BESD_OK)
        status = take_length("scale", r->scale, &o->scale, error);
    if (status == BESD_OK)
        status = take_length("cell", r->cell, &o->cell, error);
    if (status == BESD_OK)
        status = take_length("radius", r->radius, &o->radius, error);
    if (status == BESD_OK)
        status = take_length("goal-radius", r->goal_radius, &o->goal_radius, error);
    return status;
}

/* What was found out, on `out`. */
static void print_findings(FILE *out, const domain *d, const sketch_report *r) {
    const grid_map *map = &d->map;
    const schooling *s = &r->schooling;
    print_clean(out, "%s: %d x %d cells of %g, from (%g, %g) to (%g, %g)\n", d->name, map->width,
                map->height, map->cell_size, map->origin[0], map->origin[1],
                grid_map_unit(map, 0, map->width), grid_map_unit(map, 1, map->height));
    print_clean(out, "  %lld instance%s; the shortest way has %.3g moves%s\n",
                (long long)grid_map_layouts(map), grid_map_layouts(map) == 1 ? "" : "s", s->way,
                map->count > 1 || map->choice_count ? " on average" : "");
    if (r->findings.hopeless)
        print_clean(out,
                    "  %lld of %lld instances have no way from the start to the goal; they are "
                    "left out\n",
                    (long long)r->findings.hopeless, (long long)r->findings.looked_at);
    if (r->findings.start_moved)
        print_clean(out, "  the cell of the start is a wall; a cell beside it is the start\n");
    print_clean(out,
                "  after %lld moves %.0f %% of the agents of the best design tried find the goal, "
                "without subgoals %.0f %%\n",
                (long long)s->longest, 100 * s->best, 100 * s->plain);
    if (!s->learnt)
        print_clean(out,
                    "  warning: nothing is learnt in this sketch, so its subgoals are hardly more "
                    "than a guess; larger cells (--cell), less wind or 8 moves might help\n");
    else if (s->plain >= 0.9)
        print_clean(out, "  note: in the sketch the goal is found without subgoals as well\n");
    for (int k = 0; k <= SCHOOLING_MOST_SUBGOALS; k++)
        if (s->steps[k] > 0 && isfinite(s->steps[k]))
            print_clean(out, "  %d subgoal%s: %.4g moves to the goal%s\n", k, k == 1 ? "" : "s",
                        s->steps[k], k && k == s->suggested ? " (as many as pay)" : "");
}

static json_t *describe(const domain *d, const sketch_report *r, const char *yaml,
                        const char *out) {
    const grid_map *map = &d->map;
    const schooling *s = &r->schooling;
    json_t *steps = json_array(), *tau = json_array();
    for (int k = 0; k <= SCHOOLING_MOST_SUBGOALS; k++)
        json_array_append_new(steps, s->steps[k] > 0 ? json_number(s->steps[k]) : json_null());
    for (int i = 0; i < DOMAIN_MAX_LEVELS && d->tau[i]; i++)
        json_array_append_new(tau, json_integer(d->tau[i]));
    json_t *object =
        json_pack("{s:s, s:o, s:s, s:i, s:i, s:o, s:o, s:I, s:I}", "name", d->name, "out",
                  out ? json_string(out) : json_null(), "yaml", yaml, "width", map->width, "height",
                  map->height, "cell_size", json_number(map->cell_size), "origin",
                  json_numbers(map->origin, 2), "instances", (json_int_t)grid_map_layouts(map),
                  "hopeless", (json_int_t)r->findings.hopeless);
    return json_joined(object,
                       json_pack("{s:b, s:o, s:o, s:o, s:o, s:i, s:i, s:o}", "learnt", s->learnt,
                                 "tau", tau, "way", json_number(s->way), "reached",
                                 json_number(s->best), "reached_without", json_number(s->plain),
                                 "subgoals", (int)d->value[PARAMETER_SUBGOALS], "fewest_subgoals",
                                 (int)d->value[PARAMETER_FEWEST_SUBGOALS], "steps", steps));
}

/* The YAML as a text, to be freed. */
static char *write_text(const domain *d, const sketch_report *r) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    sketch_write(file, d, r);
    if (fclose(file)) {
        free(text);
        return NULL;
    }
    return text;
}

static besd_status write_file(const request *r, const char *text, besd_error *error) {
    FILE *file = fopen(r->out, r->replace ? "w" : "wx");
    if (!file)
        return besd_fail(error, BESD_IO, "%s: %s%s", r->out, strerror(errno),
                         errno == EEXIST ? "; --replace writes over it" : "");
    bool failed = fwrite(text, strlen(text), 1, file) != 1;
    failed = fclose(file) || failed;
    return failed ? besd_fail(error, BESD_IO, "%s: %s", r->out, strerror(errno)) : BESD_OK;
}

/* besd run OUT, as if it had been typed. */
static int run_it(const request *r) {
    static const verb run = {"run", "DOMAIN", "", "", run_run};
    char budget[40], seed[40];
    char *words[4];
    int count = 0;
    snprintf(budget, sizeof budget, "--budget=%.17g", r->budget.value);
    snprintf(seed, sizeof seed, "--seed=%lld", (long long)r->seed.value);
    char *file = strdup(r->out), *json = strdup("--json");
    if (!file || !json) {
        free(file);
        free(json);
        return refuse_memory(&run);
    }
    words[count++] = file;
    if (r->budget.given)
        words[count++] = budget;
    if (r->seed.given)
        words[count++] = seed;
    if (r->as_json)
        words[count++] = json;
    int code = run.run(&run, count, words);
    free(file);
    free(json);
    return code;
}

static int finish(const verb *v, const request *r, const domain *d, const sketch_report *report,
                  const char *yaml) {
    FILE *said = r->out && !r->as_json ? stdout : stderr;
    if (!r->as_json || r->with_run)
        print_findings(said, d, report);
    if (!r->out && !r->as_json)
        fwrite(yaml, strlen(yaml), 1, stdout); /* its texts are ours, or names that were cleaned */
    if (r->with_run)
        return run_it(r);
    if (r->as_json)
        return print_json(v, describe(d, report, yaml, r->out));
    if (r->out) {
        print_clean(stdout,
                    "the sketch is in %s; besd show draws it, and besd run recommends "
                    "subgoals:\n",
                    r->out);
        print_program(stdout);
        fputs(" run", stdout);
        print_shell_word(stdout, r->out);
        putchar('\n');
    }
    return finish_output(v);
}

static int make(const verb *v, const request *r) {
    sketch_options o;
    sketch_report report;
    besd_error error;
    domain *d = calloc(1, sizeof *d);
    char *yaml = NULL;
    besd_status status = d ? read_options(r, &o, &error) : besd_fail_memory(&error, "the sketch");
    if (status == BESD_OK)
        status = sketch_make(&o, d, &report, &error);
    if (status == BESD_OK) {
        yaml = write_text(d, &report);
        status = yaml ? BESD_OK : besd_fail_memory(&error, "the sketch");
    }
    if (status == BESD_OK && r->out)
        status = write_file(r, yaml, &error);
    int code = status == BESD_OK ? finish(v, r, d, &report, yaml) : refuse(v, &error);
    free(yaml);
    free(d);
    return code;
}

int run_sketch(const verb *v, int argc, char **argv) {
    request *r = calloc(1, sizeof *r);
    if (!r)
        return refuse_memory(v);
    option options[] = {
        {"out", OPTION_TEXT, &r->out, "FILE.yaml", "where to write the grid (default: stdout)"},
        {"replace", OPTION_FLAG, &r->replace, NULL, "write over a file that is there"},
        {"start", OPTION_NUMBERS, &r->start, "X,Y",
         "where the robot starts, in the sketch's units"},
        {"goal", OPTION_NUMBERS, &r->goal, "X,Y", "the goal; X,Y,X,Y: a box from corner to corner"},
        {"goal-radius", OPTION_GIVEN_NUMBER, &r->goal_radius, "R", "the goal is a disc"},
        {"scale", OPTION_GIVEN_NUMBER, &r->scale, "S",
         "side of a pixel of a picture, or of a character of a map"},
        {"origin", OPTION_NUMBERS, &r->origin, "X,Y", "its lower left corner (default 0,0)"},
        {"radius", OPTION_GIVEN_NUMBER, &r->radius, "R", "of the robot: walls grow by it"},
        {"unknown", OPTION_TEXT, &r->unknown, "WHAT",
         "unknown cells of a ROS map: wall (default), free or maybe"},
        {"cell", OPTION_GIVEN_NUMBER, &r->cell, "S",
         "side of the grid's cells (default: 10 to 40 along the longer side)"},
        {"moves", OPTION_GIVEN_INTEGER, &r->moves, "N", "directions of a move, 4 (default) or 8"},
        {"wind", OPTION_NUMBERS, &r->wind, "LOW,HIGH",
         "chance of a random move, drawn for every instance (default 0,0.1)"},
        {"subgoals", OPTION_TEXT, &r->subgoals, "K|A..B",
         "how many (default: as many as pay, found by training)"},
        {"name", OPTION_TEXT, &r->name, "NAME", "of the domain (default: after the file)"},
        {"run", OPTION_FLAG, &r->with_run, NULL, "then recommend subgoals: besd run FILE.yaml"},
        {"budget", OPTION_GIVEN_NUMBER, &r->budget, "B", "moves in the sketch, for --run"},
        {"seed", OPTION_GIVEN_INTEGER, &r->seed, "S", "names the randomness of --run"},
        {"json", OPTION_FLAG, &r->as_json, NULL, "print one JSON object"},
        {0}};
    int code;
    if (options_parse(v, options, argc, argv, r->files, 1, SKETCH_MOST_FILES, &code))
        code = r->with_run && !r->out ? usage_error(v, "--run wants --out FILE.yaml") : make(v, r);
    free(r);
    return code;
}
