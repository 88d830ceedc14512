#include "decide/improvement.h"

#include "core/normal.h"
#include "decide/best_few.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

enum { STARTS = 3, EVALUATIONS = 200 };

double improvement_at(const gp *model, const improvement *a, const double *theta) {
    double variance, mean = gp_predict(model, theta, 1, &variance, NULL);
    double sd = sqrt(variance + a->noise), gain = mean - a->incumbent - a->jitter;
    if (a->kind == IMPROVEMENT_BOUND)
        return mean + a->width * sd;
    if (sd > 0)
        return log(sd) + normal_log_improvement(gain / sd);
    return gain > 0 ? log(gain) : -INFINITY;
}

typedef struct climb {
    const gp *model;
    const improvement *acquisition;
} climb;

static double objective(unsigned count, const double *theta, double *gradient, void *context) {
    (void)count;
    (void)gradient;
    const climb *c = context;
    return fmax(improvement_at(c->model, c->acquisition, theta), -1e300);
}

/* A bound below the mean is cheap to rule out: a mean takes n operations, a variance n^2. What the
 * points with the largest means reach, the points that are chosen must reach as well. */
static double least_mean(const gp *model, const improvement *a, const double *points,
                         size_t count) {
    size_t dimension = gp_dimension(model);
    best_few means = {.wanted = STARTS};
    double least = INFINITY;
    if (a->kind != IMPROVEMENT_BOUND || a->width > 0)
        return -INFINITY;
    for (size_t c = 0; c < count; c++)
        best_few_offer(&means, c, gp_predict(model, points + c * dimension, 1, NULL, NULL));
    for (size_t i = 0; i < means.found; i++)
        least = fmin(least, improvement_at(model, a, points + means.place[i] * dimension));
    return least;
}

best_few improvement_starts(const gp *model, const improvement *a, const double *points,
                            size_t count) {
    size_t dimension = gp_dimension(model);
    best_few starts = {.wanted = STARTS};
    double least = least_mean(model, a, points, count);
    for (size_t c = 0; c < count; c++) {
        const double *point = points + c * dimension;
        if (least == -INFINITY || gp_predict(model, point, 1, NULL, NULL) >= least)
            best_few_offer(&starts, c, improvement_at(model, a, point));
    }
    return starts;
}

double improvement_maximise(const gp *model, const improvement *a, const double *points,
                            size_t count, bool discrete, double *theta) {
    size_t dimension = gp_dimension(model);
    best_few starts = improvement_starts(model, a, points, count);
    double best = starts.value[0];
    memcpy(theta, points + starts.place[0] * dimension, dimension * sizeof *theta);
    nlopt_opt search = discrete ? NULL : nlopt_create(NLOPT_LN_SBPLX, (unsigned)dimension);
    if (!search)
        return best;
    climb context = {model, a};
    nlopt_set_max_objective(search, objective, &context);
    nlopt_set_lower_bounds1(search, 0);
    nlopt_set_upper_bounds1(search, 1);
    nlopt_set_initial_step1(search, 0.02);
    nlopt_set_xtol_abs1(search, 1e-5);
    nlopt_set_maxeval(search, EVALUATIONS);
    for (size_t i = 0; i < starts.found; i++) {
        double moved[MODEL_MAX_DIMENSION], value;
        memcpy(moved, points + starts.place[i] * dimension, dimension * sizeof *moved);
        if (nlopt_optimize(search, moved, &value) > 0 && value > best) {
            best = value;
            memcpy(theta, moved, dimension * sizeof *theta);
        }
    }
    nlopt_destroy(search);
    return best;
}
