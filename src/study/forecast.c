#include "study/forecast.h"

#include "core/normal.h"

#include <math.h>
#include <string.h>

/* The interval leaves out so much on either side: it is one of 90 %. */
static const double TAIL = 0.05;

/* Trials are alike whose designs are within a tenth of the box along every coordinate, or so, and
 * whose outcomes are within a quarter of what outcomes differ by; those of another tau count less.
 */
static const double NEAR = 0.1, SIMILAR = 0.25, OTHER_TAU = 0.2;

/* So many replications of trials that are not alike speak for all. */
static const double ELSEWHERE = 2;

/* A mean score is not more than e^5 times what is expected of its logarithm, whatever happened. */
static const double LARGEST_SHORTFALL = 5;

/* A shortfall of no more than this part of what normal logarithms have is rounding. */
static const double ROUNDING = 1e-6;

/* In shares of the prior standard deviation, and more of it while trials are few; measured on the
 * develop half of the suite. Scores that are seen as logarithms can differ by factors, even if
 * those so far did not. */
static const double DOUBT = 0.3, FEW = 80, LEAST_LOG_VARIANCE = 0.25;

/* A mixture of normal distributions, equally likely. */
typedef struct outlook {
    size_t count;
    double mean[DRAWS_MOST], variance[DRAWS_MOST];
    double doubt; /* on top of every variance, but not of what is expected */
} outlook;

static double cdf(const outlook *o, double x) {
    double sum = 0;
    for (size_t i = 0; i < o->count; i++) {
        double sd = sqrt(o->variance[i]);
        sum += sd > 0 ? normal_cdf((x - o->mean[i]) / sd) : x >= o->mean[i];
    }
    return sum / (double)o->count;
}

static double quantile(const outlook *o, double p) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < o->count; i++) {
        low = fmin(low, o->mean[i] - 10 * sqrt(o->variance[i]));
        high = fmax(high, o->mean[i] + 10 * sqrt(o->variance[i]));
    }
    for (int halved = 0; halved < 60; halved++) {
        double middle = low + (high - low) / 2;
        if (cdf(o, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static bool is_same(const study_spec *spec, const double *theta, const besd_trial *t) {
    return !memcmp(theta, t->theta, spec->options.dimension * sizeof *theta);
}

/* What outcomes differ by: the standard deviation of the told trials. */
static double spread(const evidence *e) {
    double mean = 0, sum = 0, count = 0;
    for (size_t i = 0; i < e->count; i++)
        if (e->trials[i].trial.state == BESD_TRIAL_TOLD) {
            double away = e->trials[i].model_mean - mean;
            mean += away / ++count;
            sum += away * (e->trials[i].model_mean - mean);
        }
    return count > 1 ? sqrt(sum / (count - 1)) : 0;
}

/* The logarithm of a trial's mean score. A summary of logarithms was told without it, which shows
 * in a difference that is nothing but rounding; for normal ones half of their variance is missing.
 */
static double log_mean_score(const study_spec *spec, const trial_record *r) {
    double count = (double)r->trial.score_count;
    double sign = spec->options.direction == BESD_MINIMIZE ? -1 : 1;
    double shortfall = log(r->trial.mean) - sign * r->model_mean;
    double normal = count > 1 ? r->within / (count - 1) / 2 : 0;
    return shortfall > ROUNDING * normal ? log(r->trial.mean) : sign * r->model_mean + normal;
}

/* How much a trial of which this much was expected says of (theta, tau) with this mean. */
static double likeness(const study_spec *spec, const trial_record *r, double expected,
                       const double *theta, int64_t tau, double mean, double differ) {
    double squares = 0, away = differ > 0 ? (expected - mean) / (SIMILAR * differ) : 0;
    for (size_t i = 0; i < spec->options.dimension; i++) {
        double step = (r->trial.theta[i] - theta[i]) / (spec->high[i] - spec->low[i]) / NEAR;
        squares += step * step / (double)spec->options.dimension;
    }
    return (double)r->trial.score_count * (r->trial.tau == tau ? 1 : OTHER_TAU) *
           exp(-0.5 * away * away) * (0.1 + 0.9 * exp(-0.5 * squares));
}

/* What the model expects of a trial that it was told; without one, what the trial gave. A trial's
 * own outcome would be the better reference if it were not for luck: those of a good mean are the
 * ones in which nothing went wrong. */
static double expected_of(const study_spec *spec, const mixture *model, const trial_record *r) {
    double unit[BESD_MAX_DIMENSION];
    if (!model)
        return r->model_mean;
    spec_to_unit(spec, r->trial.theta, unit);
    return mixture_predict(model, unit, (double)r->trial.tau / (double)spec_tau_max(spec), NULL,
                           NULL);
}

/* log E[score] - E[log score] where the model has this mean: that of like trials. */
static double shortfall(const study_spec *spec, const evidence *e, const mixture *model,
                        const double *theta, int64_t tau, double mean) {
    double all = 0, weights = 0, like = 0, like_weights = 0, differ = spread(e);
    double sign = spec->options.direction == BESD_MINIMIZE ? -1 : 1;
    for (size_t i = 0; i < e->count; i++) {
        const trial_record *r = &e->trials[i];
        double count = (double)r->trial.score_count;
        if (r->trial.state != BESD_TRIAL_TOLD || (!model && count < 2))
            continue;
        double expected = expected_of(spec, model, r);
        double ratio = exp(fmin(log_mean_score(spec, r) - sign * expected, LARGEST_SHORTFALL));
        double weight = likeness(spec, r, expected, theta, tau, mean, differ);
        all += count * ratio;
        weights += count;
        like += weight * ratio;
        like_weights += weight;
    }
    if (!(weights > 0))
        return 0;
    return fmax(0, log((like + ELSEWHERE * all / weights) / (like_weights + ELSEWHERE)));
}

/* No better than what can be, where that is known (it is not: infinity); and of a path no time
 * below 0 or beyond the cap. */
static double possible(const study_spec *spec, double score) {
    const besd_study_options *o = &spec->options;
    bool less_is_better = o->direction == BESD_MINIMIZE;
    if (!isinf(o->best_possible))
        score = less_is_better ? fmax(score, o->best_possible) : fmin(score, o->best_possible);
    if (less_is_better && spec->path.points)
        score = fmax(score, 0);
    if (less_is_better && spec->path.points && !(spec->path.price > 0))
        score = fmin(score, spec->path.cap);
    return score;
}

/* Outcomes of fewer trials say nothing of how much outcomes differ. */
enum { FEWEST_TRIALS = 3 };

static void fill(const study_spec *spec, const evidence *e, const mixture *model,
                 const double *theta, int64_t tau, outlook *o, besd_forecast *f) {
    const besd_study_options *options = &spec->options;
    double sign = options->direction == BESD_MINIMIZE ? -1 : 1, value = 0, lift = 0;
    bool logarithm = options->transform == BESD_TRANSFORM_LOG;
    if (logarithm)
        lift = shortfall(spec, e, model, theta, tau, f->mean);
    for (size_t i = 0; logarithm && i < o->count; i++) {
        value += exp(sign * o->mean[i] + o->variance[i] / 2 + lift) / (double)o->count;
    }
    for (size_t i = 0; i < o->count; i++)
        o->variance[i] += o->doubt + lift * lift / 4; /* it is known to a half or so */
    double worst = spec_score(options, quantile(o, TAIL)) * exp(lift);
    double best = spec_score(options, quantile(o, 1 - TAIL)) * exp(lift);
    f->value = possible(spec, logarithm ? value : sign * f->mean);
    f->low = possible(spec, fmin(worst, best));
    f->high = possible(spec, fmax(worst, best));
    if (e->told + e->confirmed < FEWEST_TRIALS) {
        f->low = -INFINITY;
        f->high = INFINITY;
    }
    f->better = isinf(options->baseline)
                    ? NAN
                    : 1 - cdf(o, spec_to_model(spec, options->baseline * exp(-lift)));
    f->tried = 0;
    for (size_t i = 0; i < e->count; i++)
        f->tried += e->trials[i].trial.state == BESD_TRIAL_TOLD &&
                    e->trials[i].trial.tau == spec_tau_max(spec) &&
                    is_same(spec, theta, &e->trials[i].trial);
}

/* What none of the trials has shown, the next design may show all the same: by the rule of
 * succession one in so many does, and then anything up to what is possible is as likely. A model of
 * trials that all failed alike would otherwise be sure that everything fails. */
static double unseen(const study_spec *spec, const evidence *e, double mean) {
    double gap = isinf(spec->options.best_possible)
                     ? 0
                     : spec_to_model(spec, spec->options.best_possible) - mean;
    return isfinite(gap) && gap > 0 ? gap * gap / 3 / ((double)e->told + 2) : 0;
}

double forecast_doubt(const study_spec *spec, const evidence *e, const mixture *model,
                      double mean) {
    double variance = mixture_prior_variance(model);
    if (model->count == 1)
        return 0;
    if (spec->options.transform == BESD_TRANSFORM_LOG)
        variance = fmax(variance, LEAST_LOG_VARIANCE);
    return DOUBT * DOUBT * variance * (1 + FEW / (double)e->told) + unseen(spec, e, mean);
}

void forecast_model(const study_spec *spec, const evidence *e, const mixture *model,
                    const double *theta, int64_t tau, besd_forecast *f) {
    double unit[BESD_MAX_DIMENSION], variance;
    double share = (double)tau / (double)spec_tau_max(spec);
    outlook o = {.count = model->count};
    memset(f, 0, sizeof *f);
    spec_to_unit(spec, theta, unit);
    f->mean = mixture_predict(model, unit, share, &variance, NULL);
    o.doubt = forecast_doubt(spec, e, model, f->mean);
    f->sd = sqrt(variance + o.doubt);
    for (size_t i = 0; i < model->count; i++) {
        o.mean[i] = gp_predict(model->models[i], unit, share, &o.variance[i], NULL);
    }
    fill(spec, e, model, theta, tau, &o, f);
}

void forecast_alone(const study_spec *spec, const evidence *e, const mixture *model,
                    const double *theta, double mean, double sd, besd_forecast *f) {
    outlook o = {.count = 1, .mean = {mean}, .variance = {sd * sd}};
    *f = (besd_forecast){.mean = mean, .sd = sd};
    fill(spec, e, model, theta, spec_tau_max(spec), &o, f);
}
