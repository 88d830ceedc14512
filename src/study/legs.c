#include "study/legs.h"

#include "core/error.h"
#include "study/path.h"

#include <math.h>

/* Times are seen on a logarithmic scale from here on. */
static const double SCALE = 0.1; /* of the cap */

/* What is left of a hope that a leg takes less than no time. */
static const double TRACE = 0.02;

/* No leg is quite without hope. */
static const double LEAST_CHANCE = 0.02;

/* Squares of what was earned are computed with. */
static const double MOST_EARNED = 1e150;

/* The legs of one replication: their ends come one after the other, none after the cap, and a
 * subgoal that was not reached has no successor. The last end is that of the replication, which may
 * come on any leg. */
static besd_status check_replication(const besd_path *p, size_t replication, const besd_leg *legs,
                                     besd_error *error) {
    double before = 0, end = legs[p->points].reached;
    int64_t labels = (int64_t)p->labels;
    for (size_t k = 0; labels && k <= p->points; k++)
        if (legs[k].label < 0 || legs[k].label >= labels || legs[k].label != legs[0].label)
            return besd_fail(error, BESD_INVALID,
                             "labels[%zu]: expected one from 0 to %lld for all legs of a "
                             "replication, got %lld",
                             replication, (long long)labels - 1, (long long)legs[k].label);
    for (size_t k = 0; legs[0].reached != -INFINITY && k <= p->points; k++) {
        double reached = legs[k].reached;
        if (fabs(legs[k].earned) >= MOST_EARNED)
            return besd_fail(error, BESD_INVALID,
                             "legs[%zu][%zu]: expected to have earned less than %g either way, got "
                             "%g",
                             replication, k, MOST_EARNED, legs[k].earned);
        if (isnan(reached))
            continue;
        if (!(reached >= 0 && reached <= p->cap))
            return besd_fail(error, BESD_INVALID,
                             "legs[%zu][%zu]: expected a time from 0 to the cap of %g, got %g",
                             replication, k, p->cap, reached);
        if (k < p->points && k > 0 && isnan(legs[k - 1].reached))
            return besd_fail(error, BESD_INVALID,
                             "legs[%zu][%zu]: point %zu was reached, but not the one before it",
                             replication, k, k + 1);
        if (reached < before || reached > end)
            return besd_fail(error, BESD_INVALID,
                             "legs[%zu][%zu]: expected a time %s %g, when %s was reached, got %g",
                             replication, k, reached < before ? "from" : "up to",
                             reached < before ? before : end,
                             reached < before ? "the point before it" : "the end", reached);
        before = reached;
    }
    return BESD_OK;
}

besd_status legs_check(const besd_path *path, const besd_leg *legs, size_t replications,
                       besd_error *error) {
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < replications; i++)
        status = check_replication(path, i, legs + i * (path->points + 1), error);
    return status;
}

/* What leg k earned; failing, it loses what was earned before. */
static double value_earned(const besd_path *p, const besd_leg *legs, size_t k) {
    double before = 0;
    if (!isnan(legs[k].reached) || !isnan(legs[p->points].reached))
        return legs[k].earned;
    for (size_t i = 0; i < k; i++)
        before += legs[i].earned;
    return -before;
}

bool legs_value(const study_spec *spec, const besd_leg *legs, size_t k, double *value) {
    const besd_path *p = &spec->path;
    double begun = k ? legs[k - 1].reached : 0, end = legs[p->points].reached;
    if (isnan(begun) || legs[0].reached == -INFINITY)
        return false;
    double until = !isnan(legs[k].reached) ? legs[k].reached : !isnan(end) ? end : p->cap;
    if (spec->options.direction == BESD_MAXIMIZE)
        *value = value_earned(p, legs, k);
    else
        *value = -log1p((until - begun) / (SCALE * p->cap));
    return !isnan(*value);
}

double legs_in_units(const study_spec *spec, double value) {
    if (spec->options.direction == BESD_MAXIMIZE)
        return value;
    return SCALE * spec->path.cap * expm1(-value);
}

double legs_least(const study_spec *spec) {
    return spec->options.direction == BESD_MAXIMIZE ? -INFINITY : -log1p(1 / SCALE);
}

double legs_limited(const study_spec *spec, double hoped) {
    return spec->options.direction == BESD_MAXIMIZE || hoped < 0 ? hoped : TRACE * hoped;
}

double legs_chance(const study_spec *spec, double hoped, double misses) {
    if (spec->options.direction == BESD_MAXIMIZE)
        return hoped;
    return log(fmax(LEAST_CHANCE, 1 - hoped / legs_least(spec))) - log1p(misses);
}

double legs_price(const study_spec *spec) {
    const besd_path *p = &spec->path;
    return spec->options.direction == BESD_MAXIMIZE ? p->price : log1p(p->price / (SCALE * p->cap));
}

size_t legs_labels(const study_spec *spec) {
    return spec->path.labels > 1 ? spec->path.labels : 1;
}

size_t legs_length(const study_spec *spec) {
    return spec->path.coordinates + (legs_labels(spec) > 1);
}

void legs_set_label(const study_spec *spec, double *place, size_t label) {
    size_t length = legs_length(spec);
    if (legs_labels(spec) > 1)
        place[length - 1] = place[2 * length - 1] = (double)label / (double)(legs_labels(spec) - 1);
}

void legs_place(const study_spec *spec, const double *theta, size_t k, double *place) {
    path_point(spec, theta, k, place);
    path_point(spec, theta, k + 1, place + legs_length(spec));
    legs_set_label(spec, place, 0);
}

bool legs_is_last(const study_spec *spec, const double *place) {
    return place[legs_length(spec)] == PATH_END;
}
