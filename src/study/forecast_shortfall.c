/* From logarithms to mean scores. Where the model sees logarithms of scores, exp of the mean
 * logarithm is less than the mean score: single large scores weigh more in a mean of scores. How
 * far it falls short depends on the design. The scores of like trials say it: of each trial, the
 * ratio of its mean score to what was expected of its logarithm. */
#include "study/forecast_state.h"

#include "study/path.h"

#include <float.h>
#include <math.h>

/* How much alike two trials are falls with the distance of their designs like a normal density.
 * This is its standard deviation, as a share of the box along every coordinate. */
static const double NEAR = 0.1;

/* A trial at a far away design counts with this weight, if its outcome is alike: designs that do
 * equally well tend to have scores that vary alike. */
static const double FAR_AWAY = 0.1;

/* Likeness falls in the same way with the distance of the outcomes. This is the standard deviation,
 * as a share of what outcomes differ by. */
static const double SIMILAR = 0.25;

/* A trial of another tau counts with this weight: its scores may vary by another amount. */
static const double OTHER_TAU = 0.2;

/* All trials together, alike or not, count as this many replications of a like trial. So a design
 * without like trials gets the average shortfall. */
static const double ELSEWHERE = 2;

/* A trial's mean score counts as at most e^5 times what was expected of its logarithm. One bad
 * replication must not decide everything. */
static const double LARGEST_SHORTFALL = 5;

/* A shortfall below this share of the shortfall of normal logarithms is a rounding error. */
static const double ROUNDING = 1e-6;

double forecast_spread(const evidence *e) {
    double mean = 0, sum = 0, count = 0, largest = 0, reps = 0;
    for (size_t i = 0; i < e->count; i++)
        if (record_is_told(&e->trials[i])) {
            double away = e->trials[i].model_mean - mean;
            mean += away / ++count;
            sum += away * (e->trials[i].model_mean - mean);
            largest = fmax(largest, fabs(e->trials[i].model_mean));
            reps = fmax(reps, (double)e->trials[i].trial.score_count);
        }
    double sd = count > 1 ? sqrt(sum / (count - 1)) : 0;
    return sd > 2 * reps * DBL_EPSILON * largest ? sd : 0;
}

double forecast_expected(const study_spec *spec, const mixture *model, const trial_record *r) {
    double unit[BESD_MAX_DIMENSION];
    if (!model)
        return r->model_mean;
    spec_to_unit(spec, r->trial.theta, unit);
    return mixture_predict(model, unit, spec_share(spec, r->trial.tau), NULL, NULL);
}

/* The logarithm of a trial's mean score, the price of its points included. A trial that was told as
 * a summary of logarithms has no mean score: what it has is exp of the mean logarithm, and the
 * difference to model_mean is a rounding error. Normal logarithms fall short by half of their
 * variance, which is added then. */
static double log_mean_score(const study_spec *spec, const trial_record *r) {
    double count = (double)r->trial.score_count;
    double sign = spec->options.direction == BESD_MINIMIZE ? -1 : 1;
    double told = log(r->trial.mean - sign * path_price(spec, r->trial.theta));
    double normal = count > 1 ? r->within / (count - 1) / 2 : 0;
    return told - sign * r->model_mean > ROUNDING * normal ? told : sign * r->model_mean + normal;
}

/* The weight of a trial that was expected to score `expected`, for (theta, tau) with this mean. */
static double likeness(const study_spec *spec, const trial_record *r, double expected,
                       const double *theta, int64_t tau, double mean, double differ) {
    double squares = 0, away = differ > 0 ? (expected - mean) / (SIMILAR * differ) : 0;
    for (size_t i = 0; i < spec->options.dimension; i++) {
        double step = (r->trial.theta[i] - theta[i]) / (spec->high[i] - spec->low[i]) / NEAR;
        squares += step * step / (double)spec->options.dimension;
    }
    return (double)r->trial.score_count * (r->trial.tau == tau ? 1 : OTHER_TAU) *
           exp(-0.5 * away * away) * (FAR_AWAY + (1 - FAR_AWAY) * exp(-0.5 * squares));
}

/* The reference is what the model expects of a trial, and not the trial's own outcome: outcomes are
 * good by luck as well, and trials in which nothing went wrong show no shortfall. */
double forecast_shortfall(const forecast_basis *b, const double *theta, int64_t tau, double mean) {
    const study_spec *spec = b->spec;
    double all = 0, weights = 0, like = 0, like_weights = 0;
    double sign = spec->options.direction == BESD_MINIMIZE ? -1 : 1;
    for (size_t i = 0; i < b->e->count; i++) {
        const trial_record *r = &b->e->trials[i];
        double count = (double)r->trial.score_count;
        if (!evidence_shows(b->e, i) || (!b->model && count < 2))
            continue;
        double expected = b->expected ? b->expected[i] : forecast_expected(spec, b->model, r);
        double ratio = exp(fmin(log_mean_score(spec, r) - sign * expected, LARGEST_SHORTFALL));
        double weight = likeness(spec, r, expected, theta, tau, mean, b->differ);
        all += count * ratio;
        weights += count;
        like += weight * ratio;
        like_weights += weight;
    }
    if (!(weights > 0))
        return 0;
    return fmax(0, log((like + ELSEWHERE * all / weights) / (like_weights + ELSEWHERE)));
}

double forecast_like(const forecast_basis *b, const double *theta, int64_t tau, double mean) {
    double sum = 0;
    for (size_t i = 0; i < b->e->count; i++) {
        const trial_record *r = &b->e->trials[i];
        if (!evidence_shows(b->e, i))
            continue;
        double expected = b->expected ? b->expected[i] : forecast_expected(b->spec, b->model, r);
        sum += likeness(b->spec, r, expected, theta, tau, mean, b->differ);
    }
    return sum;
}
