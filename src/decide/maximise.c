#include "decide/maximise.h"

#include "decide/best_few.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

enum { STARTS = 5 };

static double objective(unsigned count, const double *theta, double *gradient, void *context) {
    (void)count;
    return gp_predict(context, theta, 1, NULL, gradient);
}

double maximise_mean(const gp *model, const double *points, size_t count, bool discrete,
                     double *theta) {
    size_t dimension = gp_dimension(model);
    best_few starts = {.wanted = STARTS};
    for (size_t c = 0; c < count; c++)
        best_few_offer(&starts, c, gp_predict(model, points + c * dimension, 1, NULL, NULL));
    double best = starts.value[0];
    memcpy(theta, points + starts.place[0] * dimension, dimension * sizeof *theta);
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
    for (size_t i = 0; i < starts.found; i++) {
        double moved[MODEL_MAX_DIMENSION], mean;
        memcpy(moved, points + starts.place[i] * dimension, dimension * sizeof *moved);
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
