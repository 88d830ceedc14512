#include "sketch/sketch.h"

#include "core/error.h"
#include "core/text.h"
#include "sketch/map_text.h"
#include "sketch/picture.h"
#include "sketch/plan_sources.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A map of so many cells along its longer side is as good as it is. */
enum { FEWEST_AS_DRAWN = 10 };

/* Sloppiness of a robot that is not known: up to every tenth move goes a random way. */
static const double WIND = 0.1;

sketch_options sketch_options_default(void) {
    return (sketch_options){.moves = 4, .wind = {0, WIND}};
}

/* The plans of all files; a file with several maps has several plans. */
typedef struct plans {
    const sketch_options *options;
    plan all[GRID_MAX_MAPS];
    int count;
    grid_map *map;  /* of the last map of characters */
    bool from_maps; /* all of them are such maps, */
    bool doubtful;  /* with question marks */
    besd_error *error;
} plans;

static plan *add_plan(plans *s) {
    return s->count < GRID_MAX_MAPS ? &s->all[s->count++] : NULL;
}

static besd_status fail_count(const plans *s) {
    return besd_fail(s->error, BESD_INVALID, "sketch: more than %d maps", GRID_MAX_MAPS);
}

/* What the command line says about the scale. */
static besd_status rescale(const plans *s) {
    const sketch_options *o = s->options;
    const double side = o->scale > 0 ? o->scale : s->map->cell_size;
    return grid_map_scale(s->map, side, o->origin_count ? o->origin : s->map->origin, s->error);
}

static besd_status add_maps(plans *s, const char *path) {
    bool doubtful;
    besd_status status = map_text_read(path, s->map, &doubtful, s->error);
    if (status == BESD_OK)
        status = rescale(s);
    s->doubtful = s->doubtful || (status == BESD_OK && doubtful);
    if (status != BESD_OK || !map_text_is_plain(s->map))
        return status; /* to be kept as it is, or refused, by the caller */
    for (int i = 0; status == BESD_OK && i < s->map->count; i++) {
        plan *p = add_plan(s);
        status = p ? plan_of_map(s->map, i, p, s->error) : fail_count(s);
    }
    return status;
}

static besd_status add_file(plans *s, const char *path) {
    const sketch_options *o = s->options;
    const bool picture = picture_is(path), ros = !picture && plan_is_ros_map(path);
    if (!picture && !ros && !plan_is_shapes(path))
        return add_maps(s, path);
    s->from_maps = false;
    plan *p = add_plan(s);
    if (!p)
        return fail_count(s);
    if (picture && !(o->scale > 0))
        return besd_fail(s->error, BESD_INVALID,
                         "%s: how large is a pixel of the picture? Say it with --scale, such as "
                         "--scale 0.05 for 5 cm",
                         path);
    if (!picture && (o->scale > 0 || o->origin_count))
        return besd_fail(s->error, BESD_INVALID,
                         "%s: the file itself has its scale and origin; leave out --scale and "
                         "--origin",
                         path);
    return picture ? plan_of_picture(path, o->scale, o->origin, p, s->error)
           : ros   ? plan_of_ros_map(path, p, s->error)
                   : plan_of_shapes(path, p, s->error);
}

static besd_status set_ends(plans *s, plan *p) {
    const sketch_options *o = s->options;
    besd_status status = BESD_OK;
    if (o->start_count)
        status = plan_set_start(p, o->start, s->error);
    if (status == BESD_OK && o->goal_count == 2)
        status = plan_set_goal(p, o->goal, o->goal_radius, s->error);
    if (status == BESD_OK && o->goal_count == 4)
        status = plan_set_goal_box(p, o->goal, s->error);
    if (status == BESD_OK && (!p->has_start || !p->has_goal))
        status = besd_fail(s->error, BESD_INVALID,
                           "sketch: it has no %s; say where it is, in the units of the sketch, "
                           "with --%s X,Y",
                           p->has_start ? "goal" : "start", p->has_start ? "goal" : "start");
    return status;
}

static besd_status make_map(plans *s, grid_map *map, sketch_report *report) {
    const sketch_options *o = s->options;
    besd_status status = BESD_OK;
    for (int k = 0; status == BESD_OK && k < s->count; k++) {
        status = set_ends(s, &s->all[k]);
        if (status == BESD_OK)
            status = plan_settle(&s->all[k], o->unknown, s->error);
        if (status == BESD_OK)
            status = plan_inflate(&s->all[k], o->radius, s->error);
    }
    return status == BESD_OK
               ? sketch_map_make(s->all, s->count, o->cell, map, &report->findings, s->error)
               : status;
}

/* Is the only map of characters as good as it is, or can it not be drawn with other cells? */
static bool keep_as_drawn(const plans *s) {
    const sketch_options *o = s->options;
    const int longest = s->map->width > s->map->height ? s->map->width : s->map->height;
    if (o->file_count != 1 || !s->from_maps || o->start_count || o->goal_count)
        return false;
    const bool untouched = !(o->cell > 0) && !(o->radius > 0);
    return !map_text_is_plain(s->map) || (untouched && !s->doubtful && longest >= FEWEST_AS_DRAWN);
}

static besd_status refuse_redrawing(const plans *s) {
    return besd_fail(
        s->error, BESD_INVALID,
        "%s: a map with doors, keys, treasures, one-way cells or goals that vary keeps "
        "the cells that it was drawn with; leave out --cell, --radius, --start, --goal "
        "and other files",
        s->options->files[0]);
}

static besd_status read_plans(plans *s, grid_map *map, sketch_report *report) {
    const sketch_options *o = s->options;
    besd_status status = BESD_OK;
    bool plain = true;
    for (size_t i = 0; status == BESD_OK && i < o->file_count; i++) {
        const int before = s->count;
        status = add_file(s, o->files[i]);
        plain = plain && s->count > before;
    }
    if (status != BESD_OK)
        return status;
    report->as_drawn = keep_as_drawn(s);
    if (!plain && (!report->as_drawn || o->cell > 0 || o->radius > 0))
        return refuse_redrawing(s);
    if (!report->as_drawn)
        return make_map(s, map, report);
    *map = *s->map;
    report->findings.instances = report->findings.looked_at = grid_map_layouts(map);
    return BESD_OK;
}

/* A word for the domain: the name of the file without its folder and ending. */
static void name_domain(const sketch_options *o, char *name, size_t size) {
    const char *given = o->name, *file = strrchr(o->files[0], '/');
    file = file ? file + 1 : o->files[0];
    snprintf(name, size, "%s", given ? given : file);
    char *dot = given ? NULL : strrchr(name, '.');
    if (dot && dot > name)
        *dot = 0;
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
            *c = '_';
}

static besd_status check_numbers(const sketch_options *o, besd_error *error) {
    const struct {
        const char *name;
        double value, low, high;
    } numbers[] = {{"scale", o->scale, 0, 1e6},    {"cell", o->cell, 0, 1e6},
                   {"radius", o->radius, 0, 1e6},  {"goal-radius", o->goal_radius, 0, 1e6},
                   {"wind", o->wind[0], 0, 1},     {"wind", o->wind[1], o->wind[0], 1},
                   {"subgoals", o->subgoals, 0, 8}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i].value >= numbers[i].low && numbers[i].value <= numbers[i].high))
            return besd_fail(error, BESD_INVALID, "%s: expected a number in [%g, %g], got %g",
                             numbers[i].name, numbers[i].low, numbers[i].high, numbers[i].value);
    if (o->moves != 4 && o->moves != 8)
        return besd_fail(error, BESD_INVALID, "moves: expected 4 or 8, got %d", o->moves);
    if (o->file_count < 1 || o->file_count > SKETCH_MOST_FILES)
        return besd_fail(error, BESD_INVALID, "sketch: expected 1 to %d files, got %zu",
                         SKETCH_MOST_FILES, o->file_count);
    return BESD_OK;
}

/* The potential is as wide against the box as the paper's is on a 10 x 10 grid. */
static void take_options(domain *d, const sketch_options *o) {
    const double wide = d->map.cell_size * d->map.width, high = d->map.cell_size * d->map.height;
    d->value[PARAMETER_WIDTH] = 0.1 * (wide * wide + high * high) / 2;
    d->value[PARAMETER_MOVES] = o->moves;
    d->value[PARAMETER_WIND_LOW] = o->wind[0];
    d->value[PARAMETER_WIND_HIGH] = o->wind[1];
    d->value[PARAMETER_SUBGOALS] = o->subgoals;
    d->value[PARAMETER_FEWEST_SUBGOALS] = o->fewest;
    d->reps[0] = 5;
    d->reps[1] = 20;
}

/* Where the number of subgoals was not given, a study chooses it. */
static void choose_subgoals(domain *d, const sketch_options *o, const schooling *s) {
    if (o->subgoals)
        return;
    d->value[PARAMETER_SUBGOALS] = s->suggested < 2 ? 2 : s->suggested;
    d->value[PARAMETER_FEWEST_SUBGOALS] = 1;
}

besd_status sketch_make(const sketch_options *o, domain *d, sketch_report *report,
                        besd_error *error) {
    char name[DOMAIN_NAME_SIZE];
    *report = (sketch_report){0};
    besd_status status = check_numbers(o, error);
    if (status != BESD_OK)
        return status;
    plans *s = calloc(1, sizeof *s);
    grid_map *maps = calloc(2, sizeof *maps);
    if (s && maps) {
        *s = (plans){.options = o, .map = maps, .from_maps = true, .error = error};
        status = read_plans(s, maps + 1, report);
        for (int k = 0; k < s->count; k++)
            plan_free(&s->all[k]);
    } else {
        status = besd_fail_memory(error, "the sketch");
    }
    if (status == BESD_OK) {
        name_domain(o, name, sizeof name);
        domain_init(d, name, "a sketch");
        domain_init_grid(d);
        domain_take_map(d, maps + 1);
        take_options(d, o);
        status = schooling_find(d, &report->schooling, error);
        choose_subgoals(d, o, &report->schooling);
    }
    free(maps);
    free(s);
    return status;
}

static void write_rows(FILE *out, const grid_map *map, int number) {
    const char *cells = map->cells + number * map->width * map->height;
    for (int y = map->height - 1; y >= 0; y--)
        fprintf(out, "  %s%.*s\n", map->count > 1 ? "  " : "", map->width, cells + y * map->width);
}

static void write_choices(FILE *out, const grid_map *map) {
    static const struct {
        char cell;
        const char *word;
    } kinds[] = {{GRID_WALL, "wall"},
                 {GRID_DOOR, "door"},
                 {GRID_KEY, "key"},
                 {GRID_TREASURE, "treasure"},
                 {GRID_GOAL, "goal"}};
    if (map->choice_count)
        fputs("choose:\n", out);
    for (int k = 0; k < map->choice_count; k++) {
        const grid_choice *c = &map->choices[k];
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (kinds[i].cell == c->becomes)
                fprintf(out, "  - %s: [", kinds[i].word);
        for (int a = 0; a < c->count; a++)
            fprintf(out, "%s\"%s\"", a ? ", " : "", *c->alternatives[a] ? c->alternatives[a] : "-");
        fputs("]\n", out);
    }
}

static void write_subgoals(FILE *out, const domain *d) {
    const int most = (int)d->value[PARAMETER_SUBGOALS];
    const int fewest = (int)d->value[PARAMETER_FEWEST_SUBGOALS];
    if (fewest)
        fprintf(out, "subgoals: %d..%d\n", fewest, most);
    else
        fprintf(out, "subgoals: %d\n", most);
}

void sketch_write(FILE *out, const domain *d, const sketch_report *report) {
    const grid_map *map = &d->map;
    const schooling *s = &report->schooling;
    fprintf(out, "name: \"%s\"\ntitle: a sketch\n", d->name);
    fputs(map->count > 1 ? "maps:\n" : "map: |\n", out);
    for (int i = 0; i < map->count; i++) {
        if (map->count > 1)
            fputs("  - |\n", out);
        write_rows(out, map, i);
    }
    write_choices(out, map);
    fprintf(out, "cell_size: %.12g\norigin: [%.12g, %.12g]\n", map->cell_size, map->origin[0],
            map->origin[1]);
    fprintf(out, "moves: %d\nwind: [%.12g, %.12g]\n", (int)d->value[PARAMETER_MOVES],
            d->value[PARAMETER_WIND_LOW], d->value[PARAMETER_WIND_HIGH]);
    fprintf(out, "cap: %.12g\npotential: {height: %.12g, width: %.12g}\n", d->value[PARAMETER_CAP],
            d->value[PARAMETER_HEIGHT], d->value[PARAMETER_WIDTH]);
    write_subgoals(out, d);
    if (!s->learnt)
        fprintf(out, "# nothing is learnt in this sketch, even in %lld moves\n", (long long)s->tau);
    fprintf(out, "tau: [%lld, %lld, %lld]\nreps: [%d, %d]\n", (long long)d->tau[0],
            (long long)d->tau[1], (long long)d->tau[2], d->reps[0], d->reps[1]);
}
