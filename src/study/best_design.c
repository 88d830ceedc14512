#include "study/best_design.h"

#include "core/error.h"
#include "decide/maximise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a long study, so many tried designs are targets: the ones with the largest posterior means,
 * because a target that cannot become the recommendation changes no knowledge gradient. */
enum { MOST_TRIED = 500 };

/* The cloud around the best design: a quarter of a length scale is how far the mean hardly moves,
 * and where the next improvement is looked for. */
static const double SPREAD = 0.25;

static int descending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

/* The tried designs with the largest posterior means, in the order of the trials. */
static besd_status choose_promising(const observations *o, const double *means,
                                    observations *promising, besd_error *error) {
    double least = -INFINITY;
    if (o->count > MOST_TRIED) {
        double *sorted = malloc(o->count * sizeof *sorted);
        if (!sorted)
            return besd_fail_memory(error, "the tried designs");
        memcpy(sorted, means, o->count * sizeof *sorted);
        qsort(sorted, o->count, sizeof *sorted, descending);
        least = sorted[MOST_TRIED - 1];
        free(sorted);
    }
    besd_status status = BESD_OK;
    for (size_t j = 0; status == BESD_OK && j < o->count; j++)
        if (means[j] >= least)
            status = observations_add(promising, o->theta + j * o->dimension, 1, 0, 1, 0, 0, error);
    return status;
}

/* Climbs from the best of the discretisation and of the tried designs, whose means are noted. */
static besd_status find_best(const mixture *model, const observations *tried, const targets *t,
                             double *means, double *unit, double *mean, besd_error *error) {
    double first[BESD_MAX_DIMENSION], best;
    besd_status status = maximise_mean(model, t->points, t->fixed, false, first, &best, error);
    if (status != BESD_OK)
        return status;
    for (size_t j = 0; j < tried->count; j++) {
        const double *theta = tried->theta + j * t->dimension;
        means[j] = mixture_predict(model, theta, 1, NULL, NULL);
        if (means[j] > best) {
            best = means[j];
            memcpy(first, theta, t->dimension * sizeof *first);
        }
    }
    return maximise_mean(model, first, 1, false, unit, mean, error);
}

static besd_status follow(const study_spec *spec, const mixture *model, const evidence *e,
                          const double *means, const double *unit, targets *t, besd_error *error) {
    double spread[BESD_MAX_DIMENSION];
    for (size_t i = 0; i < t->dimension; i++)
        spread[i] = SPREAD * fmin(mixture_lengthscale(model, i), 1);
    observations promising;
    besd_status status = observations_init(&promising, t->dimension, error);
    if (status == BESD_OK)
        status = choose_promising(&e->observed, means, &promising, error);
    if (status == BESD_OK)
        status = targets_adapt(t, &promising, unit, spread, spec->options.seed, e->told, error);
    observations_free(&promising);
    return status;
}

besd_status best_design(const study_spec *spec, const mixture *model, const evidence *e, targets *t,
                        double *unit, double *mean, besd_error *error) {
    t->count = t->fixed;
    if (spec->options.discrete)
        return maximise_mean(model, t->points, t->fixed, true, unit, mean, error);
    double *means = malloc((e->observed.count + 1) * sizeof *means);
    if (!means)
        return besd_fail_memory(error, "the tried designs");
    besd_status status = find_best(model, &e->observed, t, means, unit, mean, error);
    if (status == BESD_OK)
        status = follow(spec, model, e, means, unit, t, error);
    free(means);
    return status;
}
