/* From the best targets to the best theta: the gradient of log nu, and the climb along it. */
#include "decide/kg_state.h"
#include "model/climb.h"
#include "model/matern.h"

#include <math.h>
#include <string.h>

/* A climb ends when a step gains less than a tenth of a per cent of nu, which is enough, or after
 * so many gradients, each of which costs as much as an exact value. */
static const double ENOUGH = 1e-3;
enum { MOST_EVALUATIONS = 20 };

/* What the climb is told where nu is 0. */
static const double WORTHLESS = -1e6;

/* d log nu / d theta for one lever pair, from the envelope of k->lines: through the covariances of
 * the lines on it, and through the standard deviation of the outcome. */
static double pull_gradient(kg *k, const double *theta, double share, double sd, double *gradient) {
    envelope *e = k->envelope;
    size_t d = k->dimension;
    double *weight = k->row, *sum = k->block_root; /* free by now */
    double log_kg = envelope_log_gradient(e, 1 / sd, weight);
    double with_lines = 0, prior = kernel_tau(k->h, share, 1), scaled[MODEL_MAX_DIMENSION];
    kernel_scale(k->h, d, theta, scaled, NULL);
    memset(sum, 0, (k->n + 1) * sizeof *sum);
    for (size_t l = 0; l < e->count; l++) {
        size_t at = k->sub_index[e->line[l]];
        const double *other = k->kept.scaled + at * d;
        double slope = prior * weight[l] * matern_slope(matern_squared_distance(scaled, other, d));
        with_lines += weight[l] * k->lines[at];
        for (size_t i = 0; i < d; i++)
            gradient[i] -= slope * (scaled[i] - other[i]) / k->h->lengthscale[i];
        for (size_t j = 0; j < k->n; j++)
            sum[j] -= weight[l] * k->kept.root[j * k->kept.count + at];
    }
    for (size_t j = 0; j < k->n; j++)
        sum[j] += with_lines / (sd * sd) * k->root[j];
    gp_pull_back(k->model, theta, share, sum, gradient);
    return log_kg;
}

double kg_gradient(kg *k, const double *theta, int tau, int reps, double *gradient) {
    double share = k->levers.share[tau];
    memset(gradient, 0, k->dimension * sizeof *gradient);
    kg_take(k, theta);
    double sd = sqrt(kg_take_lines(k, share) + kg_noise(k, tau, reps));
    kg_build_envelope(k, &k->kept, 1 / sd, NAN, NAN);
    return pull_gradient(k, theta, share, sd, gradient);
}

/* The levers that stay as they are while theta climbs. */
typedef struct slope {
    kg *kg;
    int tau, reps;
} slope;

static double objective(const double *theta, double *gradient, void *context) {
    slope *s = context;
    return fmax(kg_gradient(s->kg, theta, s->tau, s->reps, gradient), WORTHLESS);
}

besd_status kg_refine(kg *k, kg_choice *choice, besd_error *error) {
    slope s = {k, choice->tau, choice->reps};
    climb uphill = {.kind = CLIMB_BY_GRADIENT,
                    .objective = objective,
                    .context = &s,
                    .dimension = k->dimension,
                    .least_gain = ENOUGH,
                    .evaluations = MOST_EVALUATIONS};
    double theta[MODEL_MAX_DIMENSION], value, log_kg[KG_MAX_LEVELS * KG_MAX_LEVELS];
    memcpy(theta, choice->theta, sizeof theta);
    besd_status status = climb_run(&uphill, theta, &value, error);
    if (status != BESD_OK)
        return status;
    kg_evaluate(k, theta, log_kg);
    double refined = log_kg[choice->tau * k->levers.reps_count + choice->reps];
    if (refined > choice->log_kg) {
        choice->log_score += refined - choice->log_kg;
        choice->log_kg = refined;
        memcpy(choice->theta, theta, sizeof theta);
    }
    return BESD_OK;
}
