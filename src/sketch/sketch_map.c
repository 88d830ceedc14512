/* Cells are tried from the largest to the smallest, until the cells have a way wherever the plan
 * has one, none where it has none, and no detour. Walls that vary become letters and choices when
 * that says the same; otherwise every instance becomes a map of its own.
 */
#include "sketch/sketch_map.h"

#include "core/error.h"
#include "core/rng.h"
#include "sketch/coarse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Instances that are looked at; those of which the fine ways are measured; the longest way by cells
 * that is no detour, as a multiple of the fine one and cells besides. */
enum { MOST_LOOKED_AT = 1024, WALKED = 6 };
static const double NO_DETOUR = 1.3, NO_DETOUR_CELLS = 6;

/* Along the longer side: the fewest cells, and the most that are tried at first. */
enum { FEWEST = 16, ENOUGH = 40, FEWEST_DRAWN = 12, FEWEST_ACROSS = 10, MOST_SIZES = 64 };

typedef struct builder {
    const plan *plans;
    int count;
    double low[2], high[2]; /* what the robot can come to, in any plan */
    int32_t *steps;         /* scratch of the ways */
    coarse *coarse;         /* [plan], of the cells that are tried */
    int made;               /* of them */
    sketch_findings *findings;
    besd_error *error;
} builder;

static int64_t instances_of(const plan *p) {
    int64_t count = 1;
    for (int c = 0; c < p->choice_count && count < INT64_C(1) << 40; c++)
        count *= p->choices[c].count;
    return count;
}

static int64_t looked_at(const plan *p) {
    const int64_t all = instances_of(p);
    return all < MOST_LOOKED_AT ? all : MOST_LOOKED_AT;
}

/* Instance number i of those that are looked at: all of them, or a sample. */
static plan_instance instance_at(const plan *p, int64_t i) {
    plan_instance chosen = {{0}};
    const bool all = instances_of(p) <= MOST_LOOKED_AT;
    rng stream = rng_open(1, RNG_INSTANCE, (uint64_t)i, 0, 0);
    for (int c = 0; c < p->choice_count; c++) {
        const int64_t count = p->choices[c].count;
        chosen.of[c] = (uint8_t)(all ? i % count : (int64_t)rng_below(&stream, (uint64_t)count));
        i = all ? i / count : i;
    }
    return chosen;
}

static bool has_free_goal(const plan *p) {
    for (size_t i = 0; i < (size_t)p->width * (size_t)p->height; i++)
        if (p->goal[i] && !plan_is_wall(p, i, NULL))
            return true;
    return false;
}

/* What can be reached where nothing stands that varies; there must be something. */
static besd_status find_extent(builder *b) {
    for (int i = 0; i < 2; i++) {
        b->low[i] = INFINITY;
        b->high[i] = -INFINITY;
    }
    for (int k = 0; k < b->count; k++) {
        const plan *p = &b->plans[k];
        const int way = plan_walk(p, NULL, b->steps);
        if (plan_is_wall(p, plan_pixel_of(p, p->start), NULL))
            return besd_fail(b->error, BESD_INVALID,
                             "sketch: the start (%g, %g) is in a wall, or nearer to one than the "
                             "robot's radius",
                             p->start[0], p->start[1]);
        if (way < 0 && !has_free_goal(p))
            return besd_fail(b->error, BESD_INVALID,
                             "sketch: the goal is in a wall, or nearer to one than the robot's "
                             "radius; --goal-radius makes it larger");
        if (way < 0)
            return besd_fail(
                b->error, BESD_UNREACHABLE,
                "sketch: no way leads from the start (%g, %g) to the goal; look for a "
                "closed door, a radius that is too large, or unknown places (--unknown "
                "free)",
                p->start[0], p->start[1]);
        for (int y = 0; y < p->height; y++)
            for (int x = 0; x < p->width; x++)
                if (b->steps[x + p->width * y] >= 0) {
                    const double at[2] = {p->origin[0] + p->pixel * x, p->origin[1] + p->pixel * y};
                    for (int i = 0; i < 2; i++) {
                        b->low[i] = fmin(b->low[i], at[i]);
                        b->high[i] = fmax(b->high[i], at[i] + p->pixel);
                    }
                }
    }
    return BESD_OK;
}

/* Cells are counted from the corner of the first plan, so that what was drawn in cells keeps them.
 */
static coarse_grid grid_of(const builder *b, double cell) {
    coarse_grid g = {.cell = cell};
    for (int i = 0; i < 2; i++) {
        const double corner = b->plans[0].origin[i];
        double first = floor((b->low[i] - corner) / cell + 1e-6);
        double last = ceil((b->high[i] - corner) / cell - 1e-6);
        g.origin[i] = corner + cell * first;
        const int count = (int)fmin(last - first, 1e6);
        *(i ? &g.height : &g.width) = count < 1 ? 1 : count;
    }
    return g;
}

static void forget_cells(builder *b) {
    for (int k = 0; k < b->made; k++)
        coarse_free(&b->coarse[k], &b->plans[k]);
    b->made = 0;
}

static besd_status make_cells(builder *b, const coarse_grid *g) {
    besd_status status = BESD_OK;
    forget_cells(b);
    while (status == BESD_OK && b->made < b->count) {
        const int k = b->made++;
        status = coarse_make(&b->coarse[k], &b->plans[k], g, b->error);
    }
    return status;
}

/* Is the way by cells that of the plan? */
static bool keeps_way(builder *b, int k, const plan_instance *instance) {
    const plan *p = &b->plans[k];
    const int fine = plan_walk(p, instance, b->steps);
    const int cells = coarse_walk(&b->coarse[k], p, instance, b->steps);
    const double cell = b->coarse[k].grid.cell;
    if (fine < 0 || cells < 0)
        return (fine < 0) == (cells < 0);
    return cells * cell <= NO_DETOUR * fine * p->pixel + NO_DETOUR_CELLS * cell;
}

static bool keeps_ways(builder *b) {
    bool kept = true;
    for (int k = 0; kept && k < b->count; k++) {
        const int64_t all = looked_at(&b->plans[k]), some = all < WALKED ? all : WALKED;
        kept = b->coarse[k].start >= 0;
        for (int64_t i = 0; kept && i < some; i++) {
            const plan_instance instance = instance_at(&b->plans[k], i * all / some);
            kept = keeps_way(b, k, &instance);
        }
    }
    return kept;
}

/* The largest of 1, 2, 2.5, 5, 10, ... that is no larger. */
static double nice(double length) {
    static const double steps[] = {5, 2.5, 2, 1};
    const double unit = pow(10, floor(log10(length) + 1e-9));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * unit <= length * (1 + 1e-9))
            return steps[i] * unit;
    return unit;
}

/* The sizes to try, from large to small; returns how many there are. */
static int list_sizes(const builder *b, double *sizes) {
    const double x = b->high[0] - b->low[0], y = b->high[1] - b->low[1];
    const double longest = fmax(x, y), natural = b->plans[0].natural;
    const double across = FEWEST_ACROSS * longest / fmin(x, y);
    const double fewest = fmin(fmax(FEWEST, across), ENOUGH);
    int count = 0;
    for (int k = 1; natural > 0 && k <= GRID_MAX_SIDE && count < MOST_SIZES; k++)
        if (longest / natural * k >= FEWEST_DRAWN - 1e-6)
            sizes[count++] = natural / k;
    for (double size = nice(longest / fewest);
         !(natural > 0) && size >= longest / (2 * GRID_MAX_SIDE) && count < MOST_SIZES;
         size = nice(0.99 * size))
        sizes[count++] = size;
    return count;
}

static bool fits(const coarse_grid *g) {
    return g->width <= GRID_MAX_SIDE && g->height <= GRID_MAX_SIDE;
}

/* The cells of a given size need no short ways, but there must be one. */
static besd_status take_size(builder *b, double cell) {
    const coarse_grid g = grid_of(b, cell);
    if (!fits(&g))
        return besd_fail(b->error, BESD_INVALID,
                         "cell: %g makes %d x %d cells, expected at most %d x %d; larger cells, or "
                         "none given, would do",
                         cell, g.width, g.height, GRID_MAX_SIDE, GRID_MAX_SIDE);
    besd_status status = make_cells(b, &g);
    for (int k = 0; status == BESD_OK && k < b->count; k++)
        if (coarse_walk(&b->coarse[k], &b->plans[k], NULL, b->steps) < 0)
            status = besd_fail(b->error, BESD_UNREACHABLE,
                               "cell: with cells of %g no way leads from the start to the goal; "
                               "smaller cells, or none given, would do",
                               cell);
    return status;
}

static besd_status choose_size(builder *b) {
    double sizes[MOST_SIZES];
    const int count = list_sizes(b, sizes);
    besd_status status = BESD_OK;
    for (int i = 0; status == BESD_OK && i < count; i++) {
        const coarse_grid g = grid_of(b, sizes[i]);
        if (!fits(&g))
            break;
        status = make_cells(b, &g);
        if (status == BESD_OK && keeps_ways(b))
            return BESD_OK;
    }
    return status != BESD_OK
               ? status
               : besd_fail(
                     b->error, BESD_UNREACHABLE,
                     "sketch: the ways of the plan are too narrow for %d x %d cells; sketch a "
                     "part of the arena, or give a smaller radius",
                     GRID_MAX_SIDE, GRID_MAX_SIDE);
}

/* Which instances have a way, as a list of their numbers; 0 is a good one. */
static int64_t list_viable(builder *b, int k, int64_t *numbers) {
    const plan *p = &b->plans[k];
    int64_t count = 0;
    for (int64_t i = 0; i < looked_at(p); i++) {
        const plan_instance instance = instance_at(p, i);
        const int way = coarse_walk(&b->coarse[k], p, &instance, b->steps);
        if (way < 0) {
            b->findings->hopeless++;
            continue;
        }
        b->findings->way = fmax(b->findings->way, way);
        numbers[count++] = i;
    }
    b->findings->looked_at += looked_at(p);
    b->findings->instances += instances_of(p);
    return count;
}

/* A text that grows. */
typedef struct text {
    char *at;
    size_t used, size;
} text;

static void put(text *t, char c) {
    if (t->used + 1 < t->size) {
        t->at[t->used++] = c;
        t->at[t->used] = 0;
    }
}

static void put_text(text *t, const char *more) {
    for (; *more; more++)
        put(t, *more);
}

/* The rows of one instance; `letters` has what to write for cells that vary, or 0. */
static void put_rows(const builder *b, int k, const plan_instance *instance, const char *letters,
                     text *t) {
    const coarse *c = &b->coarse[k];
    for (int y = c->grid.height - 1; y >= 0; y--) {
        for (int x = 0; x < c->grid.width; x++) {
            const int cell = x + c->grid.width * y;
            put(t, cell == c->start                                  ? GRID_START
                   : c->goals[cell]                                  ? GRID_GOAL
                   : coarse_is_wall(c, &b->plans[k], cell, instance) ? GRID_WALL
                   : letters && letters[cell]                        ? letters[cell]
                                                                     : GRID_FREE);
        }
        put(t, '\n');
    }
}

/* Letters for cells that vary in the same way. */
enum { MOST_LETTERS = 36, MOST_PER_ALTERNATIVE = 15 };

typedef struct alphabet {
    int count;
    struct {
        int choice;
        unsigned with; /* bits: the alternatives with which the cell is a wall */
    } of[MOST_LETTERS];
    char cells[GRID_MAX_SIDE * GRID_MAX_SIDE]; /* [cell]: its letter, or 0 */
} alphabet;

static char letter(int number) {
    return (char)(number < 26 ? 'a' + number : '0' + number - 26);
}

/* How a cell varies: with the alternatives of which choice; false when with those of several. */
static bool find_pattern(const plan *p, const coarse *c, int cell, int *choice, unsigned *with) {
    *choice = -1;
    *with = 0;
    for (int k = 0; k < p->choice_count; k++)
        for (int a = 0; a < p->choices[k].count; a++)
            if (c->varying[k][a] && c->varying[k][a][cell]) {
                if (*choice >= 0 && *choice != k)
                    return false;
                *choice = k;
                *with |= 1u << a;
            }
    return true;
}

/* False when letters cannot say what varies. */
static bool spell(const plan *p, const coarse *c, alphabet *l) {
    *l = (alphabet){0};
    for (int cell = 0; cell < c->grid.width * c->grid.height; cell++) {
        int choice, i = 0;
        unsigned with;
        if (!find_pattern(p, c, cell, &choice, &with))
            return false;
        if (choice < 0)
            continue;
        while (i < l->count && (l->of[i].choice != choice || l->of[i].with != with))
            i++;
        if (i == MOST_LETTERS)
            return false;
        l->of[i].choice = choice;
        l->of[i].with = with;
        l->count += i == l->count;
        l->cells[cell] = letter(i);
    }
    return true;
}

/* The lines of the choices that change anything; false when a map cannot have them. */
static bool put_choices(const plan *p, const alphabet *l, text *t) {
    int lines = 0;
    for (int k = 0; k < p->choice_count; k++) {
        bool changes = false;
        for (int i = 0; i < l->count; i++)
            changes = changes || l->of[i].choice == k;
        if (!changes)
            continue;
        if (++lines > GRID_MAX_CHOICES)
            return false;
        put_text(t, "choose wall:");
        for (int a = 0; a < p->choices[k].count; a++) {
            int used = 0;
            put_text(t, a ? " | " : " ");
            for (int i = 0; i < l->count; i++)
                if (l->of[i].choice == k && (l->of[i].with >> a & 1)) {
                    put(t, letter(i));
                    used++;
                }
            if (!used)
                put(t, '-');
            if (used > MOST_PER_ALTERNATIVE)
                return false;
        }
        put(t, '\n');
    }
    return true;
}

/* One plan with letters; false when that cannot be said, or would let hopeless instances in. */
static bool put_with_letters(const builder *b, text *t) {
    alphabet l;
    if (b->count > 1 || b->findings->hopeless || !spell(b->plans, b->coarse, &l))
        return false;
    put_rows(b, 0, NULL, l.cells, t);
    return put_choices(b->plans, &l, t);
}

/* Every plan takes up equally many maps, its instances as far apart as can be. */
static void put_maps(const builder *b, int64_t *const *viable, const int64_t *counts, text *t) {
    const int cells = b->coarse[0].grid.width * b->coarse[0].grid.height;
    int64_t room = GRID_MAX_SIDE * GRID_MAX_SIDE / cells, each = 1;
    room = (room < GRID_MAX_MAPS ? room : GRID_MAX_MAPS) / b->count;
    for (int k = 0; k < b->count; k++)
        each = counts[k] > each ? counts[k] : each;
    each = each < room ? each : room;
    bool first = true;
    for (int k = 0; k < b->count; k++)
        for (int64_t i = 0; i < each; i++) {
            const int64_t at = counts[k] > each ? i * counts[k] / each : i % counts[k];
            const plan_instance instance = instance_at(&b->plans[k], viable[k][at]);
            if (!first)
                put_text(t, "---\n");
            first = false;
            put_rows(b, k, &instance, NULL, t);
        }
}

static besd_status write_map(builder *b, int64_t *const *viable, const int64_t *counts,
                             grid_map *map) {
    const coarse_grid *g = &b->coarse[0].grid;
    const int cells = g->width * g->height;
    text t = {.size = 1 << 17};
    char scale[120];
    if (cells * b->count > GRID_MAX_SIDE * GRID_MAX_SIDE || b->count > GRID_MAX_MAPS)
        return besd_fail(b->error, BESD_INVALID,
                         "sketch: %d sketches of %d x %d cells are over %d cells; larger cells "
                         "(--cell) would do",
                         b->count, g->width, g->height, GRID_MAX_SIDE * GRID_MAX_SIDE);
    t.at = calloc(1, t.size);
    if (!t.at)
        return besd_fail_memory(b->error, "the map");
    if (!put_with_letters(b, &t)) {
        t.used = 0;
        put_maps(b, viable, counts, &t);
    }
    snprintf(scale, sizeof scale, "cell_size %.12g\norigin %.12g %.12g\n", g->cell, g->origin[0],
             g->origin[1]);
    put_text(&t, scale);
    besd_status status = grid_map_parse(t.at, map, b->error);
    free(t.at);
    return status;
}

/* Is the cell of the start another one than that which holds the place? */
static bool start_moved(const builder *b, int k) {
    const coarse_grid *g = &b->coarse[k].grid;
    bool moved = false;
    for (int i = 0; i < 2; i++) {
        const int number = i ? b->coarse[k].start / g->width : b->coarse[k].start % g->width;
        const double from = g->origin[i] + g->cell * number, at = b->plans[k].start[i];
        moved = moved || at < from - 1e-6 * g->cell || at > from + (1 + 1e-6) * g->cell;
    }
    return moved;
}

static besd_status finish(builder *b, grid_map *map) {
    besd_status status = BESD_OK;
    int64_t *numbers = malloc((size_t)b->count * MOST_LOOKED_AT * sizeof *numbers);
    int64_t **viable = calloc((size_t)b->count, sizeof *viable);
    int64_t *counts = calloc((size_t)b->count, sizeof *counts);
    if (!numbers || !viable || !counts)
        status = besd_fail_memory(b->error, "the instances");
    for (int k = 0; status == BESD_OK && k < b->count; k++) {
        viable[k] = numbers + k * MOST_LOOKED_AT;
        counts[k] = list_viable(b, k, viable[k]);
        if (!counts[k])
            status = besd_fail(b->error, BESD_UNREACHABLE,
                               "sketch: whatever varies, no way leads from the start to the goal");
        b->findings->start_moved = b->findings->start_moved || start_moved(b, k);
    }
    if (status == BESD_OK)
        status = write_map(b, viable, counts, map);
    free(numbers);
    free(viable);
    free(counts);
    return status;
}

besd_status sketch_map_make(const plan *plans, int count, double cell, grid_map *map,
                            sketch_findings *findings, besd_error *error) {
    builder b = {.plans = plans, .count = count, .findings = findings, .error = error};
    size_t most = 2 * GRID_MAX_SIDE * GRID_MAX_SIDE;
    *findings = (sketch_findings){0};
    if (count < 1)
        return besd_fail(error, BESD_INVALID, "sketch: it has no map");
    for (int k = 0; k < count; k++) {
        const size_t pixels = 2 * (size_t)plans[k].width * (size_t)plans[k].height;
        most = pixels > most ? pixels : most;
        if (!plans[k].has_start || !plans[k].has_goal)
            return besd_fail(error, BESD_INVALID,
                             "sketch: it has no %s; say where it is, in the units of the sketch: "
                             "--%s X,Y",
                             plans[k].has_start ? "goal" : "start",
                             plans[k].has_start ? "goal" : "start");
    }
    b.steps = malloc(most * sizeof *b.steps);
    b.coarse = calloc((size_t)count, sizeof *b.coarse);
    besd_status status =
        b.steps && b.coarse ? find_extent(&b) : besd_fail_memory(error, "the sketch");
    if (status == BESD_OK)
        status = cell > 0 ? take_size(&b, cell) : choose_size(&b);
    if (status == BESD_OK)
        status = finish(&b, map);
    if (b.coarse)
        forget_cells(&b);
    free(b.coarse);
    free(b.steps);
    return status;
}
