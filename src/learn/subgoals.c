#include "learn/subgoals.h"

#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A coordinate on the upper border belongs to the last cell. */
static double cell_of(double coordinate, double high) {
    double cell = floor(coordinate);
    return cell >= high ? high - 1 : cell;
}

besd_status subgoals_init(subgoals *s, const besd_env_spec *spec, int count, const double *theta,
                          size_t length, double height, double width, besd_error *error) {
    memset(s, 0, sizeof *s);
    s->dimension = spec->position;
    s->reach = spec->reach;
    s->height = height;
    s->width = width;
    if (count < 0 || count > SUBGOALS_MAX)
        return besd_fail(error, BESD_INVALID, "subgoals: expected 0 to %d, got %d", SUBGOALS_MAX,
                         count);
    size_t expected = (size_t)count * (size_t)spec->position;
    char given[24] = "none";
    if (length)
        snprintf(given, sizeof given, "%zu", length);
    if (count && length != expected)
        return besd_fail(error, BESD_INVALID,
                         "theta: expected %zu numbers (%d subgoals of %d coordinates), got %s",
                         expected, count, spec->position, given);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < spec->position; i++) {
            double value = theta[k * spec->position + i];
            if (!(value >= spec->subgoal_low[i] && value <= spec->subgoal_high[i]))
                return besd_fail(
                    error, BESD_INVALID, "theta[%d]: expected a number in [%g, %g], got %g",
                    k * spec->position + i, spec->subgoal_low[i], spec->subgoal_high[i], value);
            s->target[k][i] = value;
            s->cell[k][i] = cell_of(value, spec->subgoal_high[i]);
        }
    s->count = count;
    return BESD_OK;
}

double subgoals_potential(const subgoals *s, int stage, const double *position) {
    if (stage >= s->count)
        return 0;
    double squared = 0;
    for (int i = 0; i < s->dimension; i++) {
        double difference = position[i] - s->target[stage][i];
        squared += difference * difference;
    }
    return s->height * exp(-0.5 * squared / s->width);
}

bool subgoals_reached(const subgoals *s, int stage, const double *from, const double *to) {
    if (stage >= s->count)
        return false;
    if (s->reach == BESD_REACH_CROSS) {
        double target = s->target[stage][0];
        return from[0] < to[0] ? from[0] <= target && target <= to[0]
                               : to[0] <= target && target <= from[0];
    }
    for (int i = 0; i < s->dimension; i++)
        if (floor(to[i]) != s->cell[stage][i])
            return false;
    return true;
}
