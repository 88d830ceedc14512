#include "decide/maximise.h"

#include "decide/best_few.h"
#include "model/climb.h"

#include <string.h>

/* Climbs begin at the best few points: the mean may have several hills of nearly the same height.
 */
enum { STARTS = 5 };

/* A climb ends when its steps are a millionth of the cube, or after so many gradients. */
static const double ENOUGH = 1e-6;
enum { MOST_EVALUATIONS = 60 };

_Static_assert(STARTS <= (int)BEST_FEW_MOST, "there is no room for so many starts");

static double objective(const double *theta, double *gradient, void *context) {
    return mixture_predict(context, theta, 1, NULL, gradient);
}

besd_status maximise_mean(const mixture *model, const double *points, size_t count, bool discrete,
                          double *theta, double *mean, besd_error *error) {
    size_t dimension = mixture_dimension(model);
    best_few starts = {.wanted = STARTS};
    climb uphill = {.kind = CLIMB_BY_GRADIENT,
                    .objective = objective,
                    .context = (void *)model,
                    .dimension = dimension,
                    .least_move = ENOUGH,
                    .evaluations = MOST_EVALUATIONS};
    for (size_t c = 0; c < count; c++)
        best_few_offer(&starts, c, mixture_predict(model, points + c * dimension, 1, NULL, NULL));
    *mean = starts.value[0];
    memcpy(theta, points + starts.place[0] * dimension, dimension * sizeof *theta);
    for (size_t i = 0; !discrete && i < starts.found; i++) {
        double moved[MODEL_MAX_DIMENSION], height;
        memcpy(moved, points + starts.place[i] * dimension, dimension * sizeof *moved);
        besd_status status = climb_run(&uphill, moved, &height, error);
        if (status != BESD_OK)
            return status;
        if (height > *mean) {
            *mean = height;
            memcpy(theta, moved, dimension * sizeof *theta);
        }
    }
    return BESD_OK;
}
