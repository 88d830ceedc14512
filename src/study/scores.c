#include "study/scores.h"

#include "core/error.h"
#include "study/legs.h"
#include "study/path.h"

#include <math.h>

besd_status scores_check(const study_spec *spec, const double *scores, size_t count,
                         besd_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(scores[i]))
            return besd_fail(error, BESD_INVALID, "scores[%zu]: expected a finite number, got %g",
                             i, scores[i]);
        if (spec->options.transform == BESD_TRANSFORM_LOG && scores[i] <= 0)
            return besd_fail(error, BESD_INVALID,
                             "scores[%zu]: expected a positive number, because the study takes "
                             "logarithms, got %g",
                             i, scores[i]);
    }
    return BESD_OK;
}

besd_status scores_check_cost(double cost, besd_error *error) {
    if (cost >= 0 && cost <= 1e300)
        return BESD_OK;
    return besd_fail(error, BESD_INVALID, "cost: expected a number from 0 to 1e300, got %g", cost);
}

besd_status scores_check_legs(const study_spec *spec, const besd_leg *legs, size_t count,
                              besd_error *error) {
    if (!spec->path.points)
        return besd_fail(error, BESD_INVALID, "legs: theta of this study is no path");
    return legs_check(&spec->path, legs, count, error);
}

/* A score as the model sees it, what the visited points cost included. */
static double seen(const study_spec *spec, double price, double score) {
    bool less_is_better = spec->options.direction == BESD_MINIMIZE;
    return spec_to_model(spec, less_is_better ? score + price : score - price);
}

besd_status scores_summarise(const study_spec *spec, const double *scores, size_t count,
                             trial_record *t, besd_error *error) {
    double sum = 0, model_sum = 0, price = path_price(spec, t->trial.theta);
    for (size_t i = 0; i < count; i++) {
        sum += scores[i];
        model_sum += seen(spec, price, scores[i]);
    }
    t->trial.mean = sum / (double)count;
    t->trial.score_count = count;
    t->model_mean = model_sum / (double)count;
    t->within = 0;
    for (size_t i = 0; i < count; i++) {
        double deviation = seen(spec, price, scores[i]) - t->model_mean;
        t->within += deviation * deviation;
    }
    return scores_check_summary(t, error);
}

besd_status scores_check_summary(const trial_record *t, besd_error *error) {
    if (fabs(t->model_mean) < 1e150 && t->within < 1e300 && isfinite(t->trial.mean))
        return BESD_OK;
    return besd_fail(
        error, BESD_INVALID,
        "scores: their mean %g and spread %g are too large to compute with; scale them",
        isfinite(t->trial.mean) ? t->model_mean : t->trial.mean, sqrt(t->within));
}
