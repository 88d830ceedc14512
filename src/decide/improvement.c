#include "decide/improvement.h"

#include "core/normal.h"
#include "model/climb.h"

#include <math.h>
#include <string.h>

/* Climbs begin at the best few points and are without gradients, so there are fewer of them than in
 * maximise.c, with more steps. */
enum { STARTS = 3, MOST_EVALUATIONS = 200 };

/* Along every coordinate of the cube: the first step stays on the hill where it starts. */
static const double FIRST_STEP = 0.02, ENOUGH = 1e-5;

/* What the climb is told where there is no hope of an improvement. */
static const double HOPELESS = -1e300;

_Static_assert(STARTS <= (int)BEST_FEW_MOST, "there is no room for so many starts");

double improvement_at(const mixture *model, const improvement *a, const double *theta) {
    double variance, mean = mixture_predict(model, theta, 1, &variance, NULL);
    double sd = sqrt(variance + a->noise), gain = mean - a->incumbent - a->jitter;
    if (a->kind == IMPROVEMENT_BOUND)
        return mean + a->width * sd;
    if (sd > 0)
        return log(sd) + normal_log_improvement(gain / sd);
    return gain > 0 ? log(gain) : -INFINITY;
}

typedef struct hill {
    const mixture *model;
    const improvement *acquisition;
} hill;

static double objective(const double *theta, double *gradient, void *context) {
    (void)gradient;
    const hill *h = context;
    return fmax(improvement_at(h->model, h->acquisition, theta), HOPELESS);
}

/* A bound below the mean is cheap to rule out: a mean takes n operations, a variance n^2. What the
 * points with the largest means reach, the points that are chosen must reach as well. */
static double least_mean(const mixture *model, const improvement *a, const double *points,
                         size_t count) {
    size_t dimension = mixture_dimension(model);
    best_few means = {.wanted = STARTS};
    double least = INFINITY;
    if (a->kind != IMPROVEMENT_BOUND || a->width > 0)
        return -INFINITY;
    for (size_t c = 0; c < count; c++)
        best_few_offer(&means, c, mixture_predict(model, points + c * dimension, 1, NULL, NULL));
    for (size_t i = 0; i < means.found; i++)
        least = fmin(least, improvement_at(model, a, points + means.place[i] * dimension));
    return least;
}

best_few improvement_starts(const mixture *model, const improvement *a, const double *points,
                            size_t count) {
    size_t dimension = mixture_dimension(model);
    best_few starts = {.wanted = STARTS};
    double least = least_mean(model, a, points, count);
    for (size_t c = 0; c < count; c++) {
        const double *point = points + c * dimension;
        if (least == -INFINITY || mixture_predict(model, point, 1, NULL, NULL) >= least)
            best_few_offer(&starts, c, improvement_at(model, a, point));
    }
    return starts;
}

besd_status improvement_maximise(const mixture *model, const improvement *a, const double *points,
                                 size_t count, bool discrete, double *theta, besd_error *error) {
    size_t dimension = mixture_dimension(model);
    best_few starts = improvement_starts(model, a, points, count);
    double best = starts.value[0];
    hill context = {model, a};
    climb uphill = {.kind = CLIMB_BY_VALUE,
                    .objective = objective,
                    .context = &context,
                    .dimension = dimension,
                    .first_step = FIRST_STEP,
                    .least_move = ENOUGH,
                    .evaluations = MOST_EVALUATIONS};
    memcpy(theta, points + starts.place[0] * dimension, dimension * sizeof *theta);
    for (size_t i = 0; !discrete && i < starts.found; i++) {
        double moved[MODEL_MAX_DIMENSION], height;
        memcpy(moved, points + starts.place[i] * dimension, dimension * sizeof *moved);
        besd_status status = climb_run(&uphill, moved, &height, error);
        if (status != BESD_OK)
            return status;
        if (height > best) {
            best = height;
            memcpy(theta, moved, dimension * sizeof *theta);
        }
    }
    return BESD_OK;
}
