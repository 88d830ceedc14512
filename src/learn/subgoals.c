/* Placing subgoals, their potentials, the rule of when one is reached, and the public handle. */
#include "learn/subgoals.h"

#include "besd/subgoals.h"
#include "core/cells.h"
#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)BESD_SUBGOALS_CELL == (int)BESD_REACH_CELL &&
                   (int)BESD_SUBGOALS_CROSS == (int)BESD_REACH_CROSS &&
                   (int)BESD_SUBGOALS_RADIUS == (int)BESD_REACH_RADIUS,
               "an environment's ways to reach a subgoal are those of agents of one's own");
_Static_assert(BESD_SUBGOALS_MAX_DIMENSION >= BESD_ENV_MAX_OBSERVATION, "positions fit");

/* The cell of one coordinate of a target. A target on the upper border of the box is in the last
 * cell, which ends behind the border: an agent that is stopped at the border is in that cell. */
static void find_cell(subgoals *s, int k, int i, double high) {
    const double size = s->cell_size, origin = s->origin[i], target = s->target[k][i];
    double number = cells_number(target, high, origin, size);
    double beyond = number == cells_last(high, origin, size) ? high : target;
    s->cell[k][i] = number;
    s->cell_low[k][i] = fmin(origin + number * size, target);
    s->cell_high[k][i] = fmax(origin + (number + 1) * size, nextafter(beyond, INFINITY));
}

besd_status subgoals_place(subgoals *s, int count, const double *theta, size_t length,
                           const double *low, const double *high, besd_error *error) {
    const int dimension = s->dimension;
    const size_t expected = (size_t)count * (size_t)dimension;
    char given[24] = "none";
    if (length)
        snprintf(given, sizeof given, "%zu", length);
    if (count && length != expected)
        return besd_fail(error, BESD_INVALID,
                         "theta: expected %zu numbers (%d subgoals of %d coordinates), got %s",
                         expected, count, dimension, given);
    for (int i = 0; i < count * dimension; i++) {
        if (!(theta[i] >= low[i] && theta[i] <= high[i]))
            return besd_fail(error, BESD_INVALID,
                             "theta[%d]: expected a number in [%g, %g], got %g", i, low[i], high[i],
                             theta[i]);
        s->target[i / dimension][i % dimension] = theta[i];
        if (s->cell_size > 0)
            find_cell(s, i / dimension, i % dimension, high[i]);
    }
    s->count = s->points = count;
    for (int k = 0; k < count; k++)
        s->stage[k] = k;
    return BESD_OK;
}

static bool same_place(const subgoals *s, int a, int b) {
    const double *x = s->cell_size > 0 ? s->cell[a] : s->target[a];
    const double *y = s->cell_size > 0 ? s->cell[b] : s->target[b];
    for (int i = 0; i < s->dimension; i++)
        if (x[i] != y[i])
            return false;
    return true;
}

void subgoals_merge(subgoals *s) {
    int kept = 0;
    for (int k = 0; k < s->points; k++) {
        if (k == 0 || !same_place(s, kept - 1, k)) {
            memmove(s->target[kept], s->target[k], sizeof s->target[k]);
            memmove(s->cell[kept], s->cell[k], sizeof s->cell[k]);
            memmove(s->cell_low[kept], s->cell_low[k], sizeof s->cell_low[k]);
            memmove(s->cell_high[kept], s->cell_high[k], sizeof s->cell_high[k]);
            kept++;
        }
        s->stage[k] = kept - 1;
    }
    s->count = kept;
}

besd_status subgoals_init(subgoals *s, const besd_env_spec *spec, const besd_env_reaching *how,
                          int count, const double *theta, size_t length, double height,
                          double width, besd_error *error) {
    double low[SUBGOALS_MAX * BESD_SUBGOALS_MAX_DIMENSION] = {0};
    double high[SUBGOALS_MAX * BESD_SUBGOALS_MAX_DIMENSION] = {0};
    *s = (subgoals){.dimension = spec->position,
                    .reach = (besd_subgoals_reach)how->reach,
                    .radius = how->radius,
                    .cell_size = reach_options_cell(how, spec->position),
                    .height = height,
                    .width = width};
    memcpy(s->origin, how->origin, sizeof how->origin);
    if (count < 0 || count > SUBGOALS_MAX)
        return besd_fail(error, BESD_INVALID, "subgoals: expected 0 to %d, got %d", SUBGOALS_MAX,
                         count);
    for (int i = 0; i < count * spec->position; i++) {
        low[i] = spec->subgoal_low[i % spec->position];
        high[i] = spec->subgoal_high[i % spec->position];
    }
    return subgoals_place(s, count, theta, length, low, high, error);
}

besd_status subgoals_of(subgoals *s, const domain *d, const besd_env_spec *spec,
                        const double *theta, size_t length, besd_error *error) {
    const int count = theta ? (int)d->value[PARAMETER_SUBGOALS] : 0;
    besd_status status = reach_options_check(&d->reach, spec, error);
    if (status == BESD_OK)
        status = subgoals_init(s, spec, &d->reach.how, count, theta, length,
                               d->value[PARAMETER_HEIGHT], d->value[PARAMETER_WIDTH], error);
    if (status == BESD_OK && d->value[PARAMETER_FEWEST_SUBGOALS] > 0)
        subgoals_merge(s);
    return status;
}

static inline double squared_distance(const subgoals *s, const double *target,
                                      const double *position) {
    double squared = 0;
    for (int i = 0; i < s->dimension; i++) {
        double difference = position[i] - target[i];
        squared += difference * difference;
    }
    return squared;
}

double subgoals_potential(const subgoals *s, int stage, const double *position) {
    if (stage >= s->count)
        return 0;
    return s->height * exp(-0.5 * squared_distance(s, s->target[stage], position) / s->width);
}

bool subgoals_reached(const subgoals *s, int stage, const double *from, const double *to) {
    if (stage >= s->count)
        return false;
    const double *target = s->target[stage];
    if (s->reach == BESD_SUBGOALS_CROSS)
        return from[0] < to[0] ? from[0] <= target[0] && target[0] <= to[0]
                               : to[0] <= target[0] && target[0] <= from[0];
    if (s->reach == BESD_SUBGOALS_RADIUS)
        return squared_distance(s, target, to) <= s->radius * s->radius;
    for (int i = 0; i < s->dimension; i++)
        if (!(to[i] >= s->cell_low[stage][i] && to[i] < s->cell_high[stage][i]))
            return false;
    return true;
}

/* The public handle of besd/subgoals.h. It checks what callers pass, and then does the same. */
struct besd_subgoals {
    subgoals design;
    double gamma;
};

static besd_status check_reach(const besd_subgoals_options *o, besd_error *error) {
    switch (o->reach) {
    case BESD_SUBGOALS_CROSS:
        if (o->dimension != 1)
            return besd_fail(error, BESD_INVALID,
                             "reach: subgoals are crossed on positions of one number, expected "
                             "dimension = 1, got %d",
                             o->dimension);
        break;
    case BESD_SUBGOALS_CELL:
        break;
    case BESD_SUBGOALS_RADIUS:
        if (o->radius > 0 && isfinite(o->radius))
            return BESD_OK;
        return besd_fail(error, BESD_INVALID, "radius: expected a number above 0, got %g",
                         o->radius);
    default:
        return besd_fail(error, BESD_INVALID, "reach: expected 0 to %d, got %d",
                         BESD_SUBGOALS_RADIUS, (int)o->reach);
    }
    if (o->radius != 0)
        return besd_fail(error, BESD_INVALID,
                         "radius: expected 0 unless reach = BESD_SUBGOALS_RADIUS, got %g",
                         o->radius);
    return BESD_OK;
}

static besd_status check_box(const besd_subgoals_options *o, besd_error *error) {
    if (!o->low || !o->high)
        return besd_fail(error, BESD_INVALID, "%s: expected %d numbers, got none",
                         o->low ? "high" : "low", o->count * o->dimension);
    for (int i = 0; i < o->count * o->dimension; i++)
        if (!(o->low[i] < o->high[i] && isfinite(o->low[i]) && isfinite(o->high[i])))
            return besd_fail(error, BESD_INVALID,
                             "low[%d] < high[%d]: expected a box, got %g and %g", i, i, o->low[i],
                             o->high[i]);
    return BESD_OK;
}

static besd_status check_options(const besd_subgoals_options *o, besd_error *error) {
    if (!o)
        return besd_fail(error, BESD_INVALID, "options: expected some, got none");
    if (o->count < 0 || o->count > BESD_SUBGOALS_MAX)
        return besd_fail(error, BESD_INVALID, "count: expected 0 to %d subgoals, got %d",
                         BESD_SUBGOALS_MAX, o->count);
    if (o->dimension < 1 || o->dimension > BESD_SUBGOALS_MAX_DIMENSION)
        return besd_fail(error, BESD_INVALID, "dimension: expected 1 to %d numbers, got %d",
                         BESD_SUBGOALS_MAX_DIMENSION, o->dimension);
    if (!(o->gamma > 0 && o->gamma <= 1))
        return besd_fail(error, BESD_INVALID, "gamma: expected a number in (0, 1], got %g",
                         o->gamma);
    if (!(o->height >= 0 && isfinite(o->height)))
        return besd_fail(error, BESD_INVALID, "height: expected a number above 0, got %g",
                         o->height);
    if (!(o->width >= 0 && isfinite(o->width)))
        return besd_fail(error, BESD_INVALID, "width: expected a number above 0, got %g", o->width);
    besd_status status = check_reach(o, error);
    return status == BESD_OK && o->count > 0 ? check_box(o, error) : status;
}

/* As wide, against the box, as the paper's is on a grid of 10 x 10. */
static double default_width(const besd_subgoals_options *o) {
    const int numbers = o->count * o->dimension;
    double squares = 0;
    for (int i = 0; i < numbers; i++)
        squares += (o->high[i] - o->low[i]) * (o->high[i] - o->low[i]);
    return numbers ? 0.1 * squares / numbers : 1;
}

/* cell_size 0: there are no cells. */
static besd_status create(besd_subgoals **created, const double *theta, size_t length,
                          const besd_subgoals_options *options, double cell_size,
                          const double *origin, besd_error *error) {
    *created = NULL;
    besd_status status = check_options(options, error);
    if (status != BESD_OK)
        return status;
    if (!theta)
        length = 0;
    besd_subgoals *g = calloc(1, sizeof *g);
    if (!g)
        return besd_fail_memory(error, "subgoals");
    g->gamma = options->gamma;
    g->design.dimension = options->dimension;
    g->design.reach = options->reach;
    g->design.radius = options->radius;
    g->design.cell_size = cell_size;
    for (int i = 0; origin && i < options->dimension; i++)
        g->design.origin[i] = origin[i];
    g->design.height = options->height > 0 ? options->height : 0.2;
    g->design.width = options->width > 0 ? options->width : default_width(options);
    status = subgoals_place(&g->design, options->count, theta, length, options->low, options->high,
                            error);
    if (status != BESD_OK) {
        free(g);
        return status;
    }
    *created = g;
    return BESD_OK;
}

static besd_status check_cells(const besd_subgoals_options *o, double size, const double *origin,
                               besd_error *error) {
    if (o->reach != BESD_SUBGOALS_CELL)
        return besd_fail(error, BESD_INVALID,
                         "cell_size: cells go with reach = BESD_SUBGOALS_CELL, got %d",
                         (int)o->reach);
    if (!(size > 0) || isinf(size))
        return besd_fail(error, BESD_INVALID, "cell_size: expected a number above 0, got %g", size);
    for (int i = 0; origin && i < o->dimension; i++)
        if (!isfinite(origin[i]))
            return besd_fail(error, BESD_INVALID, "origin[%d]: expected a finite number, got %g", i,
                             origin[i]);
    return BESD_OK;
}

besd_status besd_subgoals_create(besd_subgoals **created, const double *theta, size_t length,
                                 const besd_subgoals_options *options, besd_error *error) {
    bool cells = options && options->reach == BESD_SUBGOALS_CELL;
    return create(created, theta, length, options, cells, NULL, error);
}

besd_status besd_subgoals_create_in_cells(besd_subgoals **created, const double *theta,
                                          size_t length, const besd_subgoals_options *options,
                                          double cell_size, const double *origin,
                                          besd_error *error) {
    *created = NULL;
    besd_status status = check_options(options, error);
    if (status == BESD_OK)
        status = check_cells(options, cell_size, origin, error);
    return status == BESD_OK ? create(created, theta, length, options, cell_size, origin, error)
                             : status;
}

void besd_subgoals_destroy(besd_subgoals *g) {
    free(g);
}

int besd_subgoals_count(const besd_subgoals *g) {
    return g->design.count;
}

static bool has_stage(const besd_subgoals *g, int stage) {
    return stage >= 0 && stage <= g->design.count;
}

double besd_subgoals_potential(const besd_subgoals *g, int stage, const double *position) {
    return has_stage(g, stage) ? subgoals_potential(&g->design, stage, position) : (double)NAN;
}

bool besd_subgoals_reached(const besd_subgoals *g, int stage, const double *from,
                           const double *to) {
    return has_stage(g, stage) && subgoals_reached(&g->design, stage, from, to);
}

static besd_status check_position(const besd_subgoals *g, const char *name, const double *position,
                                  besd_error *error) {
    for (int i = 0; i < g->design.dimension; i++)
        if (!isfinite(position[i]))
            return besd_fail(error, BESD_INVALID, "%s[%d]: expected a finite number, got %g", name,
                             i, position[i]);
    return BESD_OK;
}

besd_status besd_subgoals_shape(const besd_subgoals *g, int *stage, const double *from,
                                const double *to, bool terminated, double *reward,
                                besd_error *error) {
    if (!has_stage(g, *stage))
        return besd_fail(error, BESD_INVALID, "stage: expected 0 to %d, got %d", g->design.count,
                         *stage);
    if (!isfinite(*reward))
        return besd_fail(error, BESD_INVALID, "reward: expected a finite number, got %g", *reward);
    besd_status status = check_position(g, "from", from, error);
    if (status == BESD_OK)
        status = check_position(g, "to", to, error);
    if (status != BESD_OK)
        return status;
    subgoals_progress p = subgoals_progress_at(&g->design, *stage, from);
    *reward += shaping_move(&g->design, &p, g->gamma, from, to, terminated);
    *stage = p.stage;
    return BESD_OK;
}
