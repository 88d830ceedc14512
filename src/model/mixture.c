#include "model/mixture.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

besd_status mixture_init(mixture *m, const observations *o, size_t told, const draws *drawn,
                         besd_error *error) {
    *m = (mixture){.tasks = o->tasks};
    besd_status status = BESD_OK;
    for (size_t i = 0; status == BESD_OK && i < drawn->count; i++) {
        status = gp_create(o, told, &drawn->of[i], &m->models[i], error);
        m->count += status == BESD_OK;
    }
    if (status != BESD_OK)
        mixture_free(m);
    return status;
}

void mixture_free(mixture *m) {
    for (size_t i = 0; i < m->count; i++)
        gp_destroy(m->models[i]);
    *m = (mixture){0};
}

void mixture_set_task(mixture *m, int task) {
    for (size_t i = 0; i < m->count; i++)
        gp_set_task(m->models[i], task);
}

size_t mixture_dimension(const mixture *m) {
    return gp_dimension(m->models[0]);
}

double mixture_predict(const mixture *m, const double *theta, double share, double *variance,
                       double *gradient) {
    if (m->count == 1)
        return gp_predict(m->models[0], theta, share, variance, gradient);
    size_t d = mixture_dimension(m);
    double count = (double)m->count, mean = 0, means[DRAWS_MOST];
    double within = 0, between = 0, v, own[MODEL_MAX_DIMENSION] = {0};
    if (gradient)
        memset(gradient, 0, d * sizeof *gradient);
    for (size_t i = 0; i < m->count; i++) {
        means[i] =
            gp_predict(m->models[i], theta, share, variance ? &v : NULL, gradient ? own : NULL);
        mean += means[i] / count;
        if (variance)
            within += v / count;
        for (size_t k = 0; gradient && k < d; k++)
            gradient[k] += own[k] / count;
    }
    for (size_t i = 0; i < m->count; i++)
        between += (means[i] - mean) * (means[i] - mean) / count;
    if (variance)
        *variance = within + between;
    return mean;
}

besd_status mixture_predict_many(const mixture *m, const double *thetas, const double *shares,
                                 size_t count, double *means, double *variances,
                                 besd_error *error) {
    if (m->count == 1)
        return gp_predict_many(m->models[0], thetas, shares, count, means, variances, error);
    double number = (double)m->count;
    double *each = malloc((2 * m->count * count + 1) * sizeof *each);
    besd_status status = each ? BESD_OK : besd_fail_memory(error, "the model's predictions");
    for (size_t i = 0; status == BESD_OK && i < m->count; i++)
        status = gp_predict_many(m->models[i], thetas, shares, count, each + 2 * i * count,
                                 each + (2 * i + 1) * count, error);
    for (size_t c = 0; status == BESD_OK && c < count; c++) {
        double mean = 0, within = 0, between = 0;
        for (size_t i = 0; i < m->count; i++) {
            mean += each[2 * i * count + c] / number;
            within += each[(2 * i + 1) * count + c] / number;
        }
        for (size_t i = 0; i < m->count; i++) {
            double away = each[2 * i * count + c] - mean;
            between += away * away / number;
        }
        means[c] = mean;
        variances[c] = within + between;
    }
    free(each);
    return status;
}

besd_status mixture_predict_pairs(const mixture *m, const double *firsts, size_t rows,
                                  const double *seconds, size_t columns, double share,
                                  double *means, besd_error *error) {
    size_t count = rows * columns;
    double number = (double)m->count, *one = malloc((count + 1) * sizeof *one);
    besd_status status = one ? BESD_OK : besd_fail_memory(error, "the model's predictions");
    for (size_t c = 0; c < count; c++)
        means[c] = 0;
    for (size_t i = 0; status == BESD_OK && i < m->count; i++) {
        status = gp_predict_pairs(m->models[i], firsts, rows, seconds, columns, share, one, error);
        for (size_t c = 0; status == BESD_OK && c < count; c++)
            means[c] += one[c] / number;
    }
    free(one);
    return status;
}

double mixture_covariance(const mixture *m, const double *theta, double share,
                          const double *other_theta, double other_share) {
    if (m->count == 1)
        return gp_covariance(m->models[0], theta, share, other_theta, other_share);
    double count = (double)m->count, within = 0, between = 0, first = 0, second = 0;
    double a[DRAWS_MOST], b[DRAWS_MOST];
    for (size_t i = 0; i < m->count; i++) {
        const gp *g = m->models[i];
        a[i] = gp_predict(g, theta, share, NULL, NULL);
        b[i] = gp_predict(g, other_theta, other_share, NULL, NULL);
        within += gp_covariance(g, theta, share, other_theta, other_share) / count;
        first += a[i] / count;
        second += b[i] / count;
    }
    for (size_t i = 0; i < m->count; i++)
        between += (a[i] - first) * (b[i] - second) / count;
    return within + between;
}

double mixture_prior_variance(const mixture *m) {
    double sum = 0;
    for (size_t i = 0; i < m->count; i++)
        sum += kernel_variance(gp_hyperparameters(m->models[i]), 1);
    return sum / (double)m->count;
}

double mixture_noise(const mixture *m, int level, double reps) {
    double sum = 0;
    for (size_t i = 0; i < m->count; i++)
        sum += noise_variance(gp_hyperparameters(m->models[i]), level, reps);
    return sum / (double)m->count;
}

double mixture_lengthscale(const mixture *m, size_t coordinate) {
    if (m->count == 1)
        return gp_hyperparameters(m->models[0])->lengthscale[coordinate];
    double sum = 0;
    for (size_t i = 0; i < m->count; i++)
        sum += log(gp_hyperparameters(m->models[i])->lengthscale[coordinate]);
    return exp(sum / (double)m->count);
}
