#include "learn/subgoals.h"

#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)BESD_SUBGOALS_CELL == (int)BESD_REACH_CELL &&
                   (int)BESD_SUBGOALS_CROSS == (int)BESD_REACH_CROSS,
               "an environment's ways to reach a subgoal are the first of all");
_Static_assert(BESD_SUBGOALS_MAX_DIMENSION >= BESD_ENV_MAX_OBSERVATION, "positions fit");

/* A coordinate on the upper border belongs to the last cell. */
static double cell_of(double coordinate, double high) {
    double cell = floor(coordinate);
    return cell >= high ? high - 1 : cell;
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
        s->cell[i / dimension][i % dimension] = cell_of(theta[i], high[i]);
    }
    s->count = s->points = count;
    for (int k = 0; k < count; k++)
        s->stage[k] = k;
    return BESD_OK;
}

static bool same_place(const subgoals *s, int a, int b) {
    const double *x = s->reach == BESD_SUBGOALS_CELL ? s->cell[a] : s->target[a];
    const double *y = s->reach == BESD_SUBGOALS_CELL ? s->cell[b] : s->target[b];
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
            kept++;
        }
        s->stage[k] = kept - 1;
    }
    s->count = kept;
}

besd_status subgoals_init(subgoals *s, const besd_env_spec *spec, int count, const double *theta,
                          size_t length, double height, double width, besd_error *error) {
    double low[SUBGOALS_MAX * BESD_SUBGOALS_MAX_DIMENSION] = {0};
    double high[SUBGOALS_MAX * BESD_SUBGOALS_MAX_DIMENSION] = {0};
    *s = (subgoals){.dimension = spec->position,
                    .reach = (besd_subgoals_reach)spec->reach,
                    .height = height,
                    .width = width};
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
    besd_status status =
        subgoals_init(s, spec, theta ? (int)d->value[PARAMETER_SUBGOALS] : 0, theta, length,
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
        if (floor(to[i]) != s->cell[stage][i])
            return false;
    return true;
}
