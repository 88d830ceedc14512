#include "decide/maximise.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

enum { STARTS = 5 };

static double objective(unsigned count, const double *theta, double *gradient, void *context) {
    (void)count;
    return gp_predict(context, theta, 1, NULL, gradient);
}

/* The places of the STARTS largest means, best first; returns how many there are. */
static size_t best_points(const gp *model, const double *points, size_t count, size_t *places,
                          double *means) {
    size_t found = 0, dimension = gp_dimension(model);
    for (size_t c = 0; c < count; c++) {
        double mean = gp_predict(model, points + c * dimension, 1, NULL, NULL);
        if (found == STARTS && mean <= means[found - 1])
            continue;
        size_t place = found < STARTS ? found++ : STARTS - 1;
        for (; place > 0 && means[place - 1] < mean; place--) {
            means[place] = means[place - 1];
            places[place] = places[place - 1];
        }
        means[place] = mean;
        places[place] = c;
    }
    return found;
}

double maximise_mean(const gp *model, const double *points, size_t count, bool discrete,
                     double *theta) {
    size_t places[STARTS] = {0}, dimension = gp_dimension(model);
    double means[STARTS] = {0};
    size_t found = best_points(model, points, count, places, means);
    double best = means[0];
    memcpy(theta, points + places[0] * dimension, dimension * sizeof *theta);
    if (discrete)
        return best;
    nlopt_opt search = nlopt_create(NLOPT_LD_LBFGS, (unsigned)dimension);
    if (!search)
        return best;
    nlopt_set_max_objective(search, objective, (void *)model);
    nlopt_set_lower_bounds1(search, 0);
    nlopt_set_upper_bounds1(search, 1);
    nlopt_set_xtol_abs1(search, 1e-6);
    nlopt_set_maxeval(search, 60);
    for (size_t i = 0; i < found; i++) {
        double moved[MODEL_MAX_DIMENSION], mean;
        memcpy(moved, points + places[i] * dimension, dimension * sizeof *moved);
        nlopt_optimize(search, moved, &mean);
        mean = gp_predict(model, moved, 1, NULL, NULL);
        if (mean > best) {
            best = mean;
            memcpy(theta, moved, dimension * sizeof *theta);
        }
    }
    nlopt_destroy(search);
    return best;
}
