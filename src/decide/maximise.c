/* The mean has a gradient, so its climbs are by L-BFGS. The others are climbed without gradients,
 * by subplex, with fewer starts and more steps. */
#include "decide/maximise.h"

#include "core/stats.h"
#include "model/climb.h"

#include <math.h>
#include <string.h>

/* Climbs begin at the best few points: there may be several hills of nearly the same height. */
enum { MEAN_STARTS = 5, IMPROVEMENT_STARTS = 3 };

/* A climb of the mean ends when its steps are a millionth of the cube, or after this number of
 * gradients. */
static const double MEAN_ENOUGH = 1e-6;
enum { MEAN_EVALUATIONS = 60 };

/* A climb of an improvement: the first step along every coordinate of the cube, which stays on the
 * hill where it starts, the size of the last step, and the number of values. */
static const double IMPROVEMENT_FIRST_STEP = 0.02, IMPROVEMENT_ENOUGH = 1e-5;
enum { IMPROVEMENT_EVALUATIONS = 200 };

_Static_assert(MEAN_STARTS <= (int)BEST_FEW_MOST && IMPROVEMENT_STARTS <= (int)BEST_FEW_MOST,
               "there is no room for this many starts");

void best_few_offer(best_few *b, size_t place, double value) {
    if (b->found == b->wanted && !(value > b->value[b->found - 1]))
        return;
    size_t at = b->found < b->wanted ? b->found++ : b->wanted - 1;
    for (; at > 0 && b->value[at - 1] < value; at--) {
        b->value[at] = b->value[at - 1];
        b->place[at] = b->place[at - 1];
    }
    b->value[at] = value;
    b->place[at] = place;
}

/* The best start and, unless `discrete`, the highest end of the climbs from all starts. */
static besd_status climb_from(const best_few *starts, const double *points, const climb *uphill,
                              bool discrete, double *theta, double *best, besd_error *error) {
    size_t dimension = uphill->dimension;
    *best = starts->value[0];
    memcpy(theta, points + starts->place[0] * dimension, dimension * sizeof *theta);
    for (size_t i = 0; !discrete && i < starts->found; i++) {
        double moved[MODEL_MAX_DIMENSION], height;
        memcpy(moved, points + starts->place[i] * dimension, dimension * sizeof *moved);
        besd_status status = climb_run(uphill, moved, &height, error);
        if (status != BESD_OK)
            return status;
        if (height > *best) {
            *best = height;
            memcpy(theta, moved, dimension * sizeof *theta);
        }
    }
    return BESD_OK;
}

static best_few best_means(const mixture *model, const double *points, size_t count,
                           size_t wanted) {
    size_t dimension = mixture_dimension(model);
    best_few best = {.wanted = wanted};
    for (size_t c = 0; c < count; c++)
        best_few_offer(&best, c, mixture_predict(model, points + c * dimension, 1, NULL, NULL));
    return best;
}

static double mean_height(const double *theta, double *gradient, void *context) {
    return mixture_predict(context, theta, 1, NULL, gradient);
}

besd_status maximise_mean(const mixture *model, const double *points, size_t count, bool discrete,
                          double *theta, double *mean, besd_error *error) {
    best_few starts = best_means(model, points, count, MEAN_STARTS);
    climb uphill = {.kind = CLIMB_BY_GRADIENT,
                    .objective = mean_height,
                    .context = (void *)model,
                    .dimension = mixture_dimension(model),
                    .least_move = MEAN_ENOUGH,
                    .evaluations = MEAN_EVALUATIONS};
    return climb_from(&starts, points, &uphill, discrete, theta, mean, error);
}

double improvement_at(const mixture *model, const improvement *a, const double *theta) {
    double variance, mean = mixture_predict(model, theta, 1, &variance, NULL);
    double sd = sqrt(variance + a->noise), gain = mean - a->incumbent - a->jitter;
    if (a->kind == IMPROVEMENT_BOUND)
        return mean + a->width * sd;
    if (sd > 0)
        return log(sd) + normal_log_improvement(gain / sd);
    return gain > 0 ? log(gain) : -INFINITY;
}

/* A mean takes n operations, a variance n^2. A bound below the mean is at most the mean, so a point
 * whose mean is below the bounds of the points with the largest means cannot be among the best. */
static double least_mean(const mixture *model, const improvement *a, const double *points,
                         size_t count) {
    size_t dimension = mixture_dimension(model);
    double least = INFINITY;
    if (a->kind != IMPROVEMENT_BOUND || a->width > 0)
        return -INFINITY;
    best_few means = best_means(model, points, count, IMPROVEMENT_STARTS);
    for (size_t i = 0; i < means.found; i++)
        least = fmin(least, improvement_at(model, a, points + means.place[i] * dimension));
    return least;
}

best_few improvement_starts(const mixture *model, const improvement *a, const double *points,
                            size_t count) {
    size_t dimension = mixture_dimension(model);
    best_few starts = {.wanted = IMPROVEMENT_STARTS};
    double least = least_mean(model, a, points, count);
    for (size_t c = 0; c < count; c++) {
        const double *point = points + c * dimension;
        if (least == -INFINITY || mixture_predict(model, point, 1, NULL, NULL) >= least)
            best_few_offer(&starts, c, improvement_at(model, a, point));
    }
    return starts;
}

typedef struct hill {
    const mixture *model;
    const improvement *acquisition;
} hill;

static double improvement_height(const double *theta, double *gradient, void *context) {
    (void)gradient;
    const hill *h = context;
    return fmax(improvement_at(h->model, h->acquisition, theta), CLIMB_HOPELESS);
}

besd_status improvement_maximise(const mixture *model, const improvement *a, const double *points,
                                 size_t count, bool discrete, double *theta, besd_error *error) {
    best_few starts = improvement_starts(model, a, points, count);
    double best;
    hill context = {model, a};
    climb uphill = {.kind = CLIMB_BY_VALUE,
                    .objective = improvement_height,
                    .context = &context,
                    .dimension = mixture_dimension(model),
                    .first_step = IMPROVEMENT_FIRST_STEP,
                    .least_move = IMPROVEMENT_ENOUGH,
                    .evaluations = IMPROVEMENT_EVALUATIONS};
    return climb_from(&starts, points, &uphill, discrete, theta, &best, error);
}
