#include "learn/subgoals.h"

#include "core/cells.h"
#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)BESD_SUBGOALS_CELL == (int)BESD_REACH_CELL &&
                   (int)BESD_SUBGOALS_CROSS == (int)BESD_REACH_CROSS &&
                   (int)BESD_SUBGOALS_RADIUS == (int)BESD_REACH_RADIUS,
               "an environment's ways to reach a subgoal are those of agents of one's own");
_Static_assert(BESD_SUBGOALS_MAX_DIMENSION >= BESD_ENV_MAX_OBSERVATION, "positions fit");

/* The cell of one coordinate of a target. On the upper border of the box that is the last cell,
 * which ends behind the border: an agent that is stopped there is in it. */
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

besd_status subgoals_init(subgoals *s, const besd_env_spec *spec, int count, const double *theta,
                          size_t length, double height, double width, besd_error *error) {
    reaching plain;
    reaching_init(&plain, spec->reach);
    return subgoals_init_reaching(s, spec, &plain.how, count, theta, length, height, width, error);
}

besd_status subgoals_init_reaching(subgoals *s, const besd_env_spec *spec,
                                   const besd_env_reaching *how, int count, const double *theta,
                                   size_t length, double height, double width, besd_error *error) {
    double low[SUBGOALS_MAX * BESD_SUBGOALS_MAX_DIMENSION] = {0};
    double high[SUBGOALS_MAX * BESD_SUBGOALS_MAX_DIMENSION] = {0};
    *s = (subgoals){.dimension = spec->position,
                    .reach = (besd_subgoals_reach)how->reach,
                    .radius = how->radius,
                    .cell_size = reaching_cell(how, spec->position),
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
    besd_status status = reaching_check(&d->reach, spec, error);
    if (status == BESD_OK)
        status =
            subgoals_init_reaching(s, spec, &d->reach.how, count, theta, length,
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
