/* Plans from polygons and segments:
 *
 *     bounds: [0, 0, 4, 3]                # from the lower left to the upper right corner
 *     start: [0.4, 1.5]
 *     goal: [3.6, 1.5]                    # or a box, [3.2, 0, 4, 3]
 *     goal_radius: 0.2
 *     polygons:
 *       - [[1, 0], [2, 0], [2, 1]]
 *     segments:                           # walls as thin as can be; more points make a chain
 *       - [[1.3, 0], [1.3, 1.2]]
 *     maybe:                              # each of these walls is there or not
 *       - [[2, 2], [2, 3]]
 *     choose:                             # one alternative of each choice stands
 *       - - segments: [[[1.5, 0], [1.5, 2]]]
 *         - segments: [[[1.5, 1], [1.5, 3]]]
 *           polygons: []
 *
 * Lists of points may be flat as well: [1.3, 0, 1.3, 1.2]. libyaml reads, because libcyaml knows no
 * lists of lists of any length. */
#include "sketch/plan_sources.h"

#include "core/error.h"
#include "core/text.h"
#include "core/yaml.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

/* Of one shape; the depth of the lists that hold its numbers. An alias can be its own member. */
enum { MOST_NUMBERS = 8192, DEEPEST = 3, SHAPES_FINEST = PLAN_FINEST / 2 };

typedef struct reader {
    const char *path;
    yaml_document_t document;
    plan *plan;
    besd_error *error;
    size_t count;
    double numbers[MOST_NUMBERS]; /* of the last list */
} reader;

static besd_status fail_at(const reader *r, const yaml_node_t *node, const char *what) {
    return besd_fail(r->error, BESD_INVALID, "%s: %s (line %d)", r->path, what,
                     node ? (int)node->start_mark.line + 1 : 0);
}

static yaml_node_t *node_of(reader *r, int id) {
    return yaml_document_get_node(&r->document, id);
}

static const char *text_of(const yaml_node_t *node) {
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

/* Collects the numbers of a list, and of the lists in it. */
static bool collect(reader *r, const yaml_node_t *node, int depth) {
    const char *text = text_of(node);
    if (text) {
        char *end;
        double number = strtod(text, &end);
        if (end == text || *end || !isfinite(number) || r->count == MOST_NUMBERS)
            return false;
        r->numbers[r->count++] = number;
        return true;
    }
    if (!node || node->type != YAML_SEQUENCE_NODE || depth == DEEPEST)
        return false;
    for (const yaml_node_item_t *i = node->data.sequence.items.start;
         i < node->data.sequence.items.top; i++)
        if (!collect(r, node_of(r, *i), depth + 1))
            return false;
    return true;
}

static besd_status read_numbers(reader *r, const yaml_node_t *node, size_t least, size_t most,
                                const char *what) {
    r->count = 0;
    if (!collect(r, node, 0) || r->count < least || r->count > most || r->count % 2)
        return fail_at(r, node, what);
    return BESD_OK;
}

/* What a mapping has for a key; NULL: nothing. */
static yaml_node_t *member(reader *r, const yaml_node_t *mapping, const char *key) {
    for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.start;
         p < mapping->data.mapping.pairs.top; p++) {
        const char *name = text_of(node_of(r, p->key));
        if (name && !strcmp(name, key))
            return node_of(r, p->value);
    }
    return NULL;
}

static const char *const names[] = {"bounds",   "start",  "goal",  "goal_radius", "polygons",
                                    "segments", "choose", "maybe", "name",        "title"};

enum { NAMES = sizeof names / sizeof *names };

static const char *known_name(size_t index, const void *context) {
    (void)context;
    return index < NAMES ? names[index] : NULL;
}

static besd_status check_names(reader *r, const yaml_node_t *top) {
    for (const yaml_node_pair_t *p = top->data.mapping.pairs.start; p < top->data.mapping.pairs.top;
         p++) {
        const yaml_node_t *key = node_of(r, p->key);
        const char *name = text_of(key);
        bool known = false;
        for (size_t i = 0; name && i < NAMES; i++)
            known = known || !strcmp(name, names[i]);
        if (known)
            continue;
        const char *nearest = name ? names_nearest(name, known_name, NULL) : NULL;
        char what[200];
        snprintf(what, sizeof what, "a sketch has no field '%.60s'%s%s%s", name ? name : "",
                 nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
        return fail_at(r, key, what);
    }
    return BESD_OK;
}

/* The numbers that were read last, as a chain of lines or a polygon. */
static void draw(const reader *r, uint8_t *pixels, uint8_t value, bool filled) {
    if (filled) {
        plan_draw_polygon(r->plan, pixels, value, r->numbers, r->count / 2);
        return;
    }
    for (size_t i = 0; i + 3 < r->count; i += 2)
        plan_draw_segment(r->plan, pixels, value, r->numbers + i);
}

static besd_status draw_list(reader *r, const yaml_node_t *list, uint8_t *pixels, uint8_t value,
                             bool filled) {
    besd_status status = BESD_OK;
    if (!list)
        return BESD_OK;
    if (list->type != YAML_SEQUENCE_NODE)
        return fail_at(r, list, filled ? "polygons: expected a list" : "segments: expected a list");
    for (const yaml_node_item_t *i = list->data.sequence.items.start;
         status == BESD_OK && i < list->data.sequence.items.top; i++) {
        status = read_numbers(r, node_of(r, *i), filled ? 6 : 4, MOST_NUMBERS,
                              filled ? "polygons: expected three points or more, such as [[1, 0], "
                                       "[2, 0], [2, 1]]"
                                     : "segments: expected two points or more, such as [[1, 0], "
                                       "[1, 2]]");
        if (status == BESD_OK)
            draw(r, pixels, value, filled);
    }
    return status;
}

static besd_status draw_walls(reader *r, const yaml_node_t *mapping, uint8_t *pixels,
                              uint8_t value) {
    besd_status status = draw_list(r, member(r, mapping, "polygons"), pixels, value, true);
    if (status == BESD_OK)
        status = draw_list(r, member(r, mapping, "segments"), pixels, value, false);
    return status;
}

static plan_choice *add_choice(reader *r) {
    return r->plan->choice_count < PLAN_MAX_CHOICES ? &r->plan->choices[r->plan->choice_count++]
                                                    : NULL;
}

/* Another alternative with a mask of its own. */
static besd_status add_alternative(reader *r, plan_choice *c, uint8_t **mask) {
    *mask = plan_mask(r->plan);
    if (!*mask)
        return besd_fail_memory(r->error, "the plan");
    c->walls[c->count++] = *mask;
    return BESD_OK;
}

static besd_status read_alternatives(reader *r, const yaml_node_t *list) {
    static const char what[] = "choose: expected 2 to 16 alternatives for each choice, each with "
                               "segments or polygons, or [] for nothing";
    plan_choice *c = add_choice(r);
    besd_status status = BESD_OK;
    if (!c)
        return fail_at(r, list, "choose: expected at most 24 choices");
    if (!list || list->type != YAML_SEQUENCE_NODE)
        return fail_at(r, list, what);
    const yaml_node_item_t *first = list->data.sequence.items.start,
                           *end = list->data.sequence.items.top;
    if (end - first < 2 || end - first > PLAN_MAX_ALTERNATIVES)
        return fail_at(r, list, what);
    for (; status == BESD_OK && first < end; first++) {
        const yaml_node_t *one = node_of(r, *first);
        uint8_t *mask;
        if (one && one->type == YAML_SEQUENCE_NODE &&
            one->data.sequence.items.start == one->data.sequence.items.top) {
            c->walls[c->count++] = NULL;
            continue;
        }
        if (!one || one->type != YAML_MAPPING_NODE)
            return fail_at(r, one ? one : list, what);
        status = add_alternative(r, c, &mask);
        if (status == BESD_OK)
            status = draw_walls(r, one, mask, 1);
    }
    return status;
}

static besd_status read_maybe(reader *r, const yaml_node_t *wall) {
    plan_choice *c = add_choice(r);
    uint8_t *mask;
    if (!c)
        return fail_at(r, wall, "maybe: expected at most 24 choices and walls");
    besd_status status = read_numbers(r, wall, 4, MOST_NUMBERS,
                                      "maybe: expected the points of a wall, such as [[1, 0], [1, "
                                      "2]]");
    if (status == BESD_OK)
        status = add_alternative(r, c, &mask);
    if (status == BESD_OK) {
        draw(r, mask, 1, false);
        c->walls[c->count++] = NULL;
    }
    return status;
}

static besd_status read_each(reader *r, const yaml_node_t *top, const char *key,
                             besd_status (*read)(reader *, const yaml_node_t *)) {
    const yaml_node_t *list = member(r, top, key);
    besd_status status = BESD_OK;
    if (!list)
        return BESD_OK;
    if (list->type != YAML_SEQUENCE_NODE)
        return fail_at(r, list, "choose and maybe: expected a list");
    for (const yaml_node_item_t *i = list->data.sequence.items.start;
         status == BESD_OK && i < list->data.sequence.items.top; i++)
        status = read(r, node_of(r, *i));
    return status;
}

static besd_status read_bounds(reader *r, const yaml_node_t *top) {
    const yaml_node_t *bounds = member(r, top, "bounds");
    static const char what[] = "bounds: expected [left, lower, right, upper], such as [0, 0, 4, 3]";
    besd_status status = read_numbers(r, bounds, 4, 4, what);
    if (status != BESD_OK)
        return status;
    const double wide = r->numbers[2] - r->numbers[0], high = r->numbers[3] - r->numbers[1];
    const double longest = fmax(wide, high), shortest = fmin(wide, high);
    if (!(shortest > 0 && shortest >= longest / 100 && longest >= 1e-5 && longest <= 1e7) ||
        fabs(r->numbers[0]) > 1e9 || fabs(r->numbers[1]) > 1e9)
        return fail_at(r, bounds, what);
    const double pixel = longest / SHAPES_FINEST;
    return plan_create(r->plan, (int)ceil(wide / pixel - 1e-6), (int)ceil(high / pixel - 1e-6),
                       pixel, r->numbers, PLAN_FREE, r->error);
}

static besd_status read_ends(reader *r, const yaml_node_t *top) {
    const yaml_node_t *start = member(r, top, "start"), *goal = member(r, top, "goal");
    const yaml_node_t *radius = member(r, top, "goal_radius");
    besd_status status = BESD_OK;
    double length = 0;
    if (start)
        status = read_numbers(r, start, 2, 2, "start: expected a place, such as [0.4, 1.5]");
    if (start && status == BESD_OK)
        status = plan_set_start(r->plan, r->numbers, r->error);
    if (radius && status == BESD_OK) {
        char *end = NULL;
        const char *text = text_of(radius);
        length = text ? strtod(text, &end) : -1;
        if (!(length >= 0 && length <= 1e6) || *end)
            return fail_at(r, radius, "goal_radius: expected a number, 0 or more");
    }
    if (goal && status == BESD_OK)
        status = read_numbers(r, goal, 2, 4,
                              "goal: expected a place, such as [3.6, 1.5], or a box, such as "
                              "[3.2, 0, 4, 3]");
    if (goal && status == BESD_OK)
        status = r->count == 4 ? plan_set_goal_box(r->plan, r->numbers, r->error)
                               : plan_set_goal(r->plan, r->numbers, length, r->error);
    return status;
}

static besd_status read_top(reader *r) {
    const yaml_node_t *top = yaml_document_get_root_node(&r->document);
    if (!top || top->type != YAML_MAPPING_NODE)
        return fail_at(r, top, "expected a sketch with bounds, start and goal");
    besd_status status = check_names(r, top);
    if (status == BESD_OK)
        status = read_bounds(r, top);
    if (status == BESD_OK)
        status = read_ends(r, top);
    if (status == BESD_OK)
        status = draw_walls(r, top, r->plan->ground, PLAN_WALL);
    if (status == BESD_OK)
        status = read_each(r, top, "choose", read_alternatives);
    if (status == BESD_OK)
        status = read_each(r, top, "maybe", read_maybe);
    return status;
}

bool plan_is_shapes(const char *path) {
    return yaml_line_of_key(path, "bounds") > 0;
}

static besd_status parse(reader *r, FILE *file) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return besd_fail_memory(r->error, "the sketch");
    yaml_parser_set_input_file(&parser, file);
    besd_status status = BESD_OK;
    if (!yaml_parser_load(&parser, &r->document))
        status = besd_fail(r->error, BESD_INVALID, "%s: it is no YAML: %s (line %d)", r->path,
                           parser.problem ? parser.problem : "out of memory",
                           (int)parser.problem_mark.line + 1);
    yaml_parser_delete(&parser);
    if (status != BESD_OK)
        return status;
    status = read_top(r);
    yaml_document_delete(&r->document);
    return status;
}

besd_status plan_of_shapes(const char *path, plan *p, besd_error *error) {
    struct stat about;
    FILE *file = !stat(path, &about) && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    if (!file)
        return besd_fail(error, BESD_IO, "%s: it is no file, or cannot be read", path);
    reader *r = calloc(1, sizeof *r);
    besd_status status = r ? BESD_OK : besd_fail_memory(error, "the sketch");
    if (r) {
        *r = (reader){.path = path, .plan = p, .error = error};
        status = parse(r, file);
    }
    free(r);
    fclose(file);
    return status;
}
