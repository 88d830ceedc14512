#include "study/forecast.h"

#include "core/error.h"
#include "core/normal.h"
#include "study/path.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
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

/* What outcomes differ by: the standard deviation of the told trials; 0 if it is no more than what
 * rounding makes of means of the same score. */
static double spread(const evidence *e) {
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

/* The logarithm of a trial's mean score, the price of its points included. A summary of logarithms
 * was told without it, which shows in a difference that is nothing but rounding; for normal ones
 * half of their variance is missing.
 */
static double log_mean_score(const study_spec *spec, const trial_record *r) {
    double count = (double)r->trial.score_count;
    double sign = spec->options.direction == BESD_MINIMIZE ? -1 : 1;
    double told = log(r->trial.mean - sign * path_price(spec, r->trial.theta));
    double normal = count > 1 ? r->within / (count - 1) / 2 : 0;
    return told - sign * r->model_mean > ROUNDING * normal ? told : sign * r->model_mean + normal;
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

/* What a forecast starts from. */
typedef struct ground {
    const study_spec *spec;
    const evidence *e;
    const mixture *model;   /* NULL: there is none */
    const double *expected; /* of every trial, for many forecasts; NULL: not known yet */
    double differ;          /* what outcomes differ by */
} ground;

/* log E[score] - E[log score] where the model has this mean: that of like trials. */
static double shortfall(const ground *g, const double *theta, int64_t tau, double mean) {
    const study_spec *spec = g->spec;
    double all = 0, weights = 0, like = 0, like_weights = 0;
    double sign = spec->options.direction == BESD_MINIMIZE ? -1 : 1;
    for (size_t i = 0; i < g->e->count; i++) {
        const trial_record *r = &g->e->trials[i];
        double count = (double)r->trial.score_count;
        if (!record_is_told(r) || (!g->model && count < 2))
            continue;
        double expected = g->expected ? g->expected[i] : expected_of(spec, g->model, r);
        double ratio = exp(fmin(log_mean_score(spec, r) - sign * expected, LARGEST_SHORTFALL));
        double weight = likeness(spec, r, expected, theta, tau, mean, g->differ);
        all += count * ratio;
        weights += count;
        like += weight * ratio;
        like_weights += weight;
    }
    if (!(weights > 0))
        return 0;
    return fmax(0, log((like + ELSEWHERE * all / weights) / (like_weights + ELSEWHERE)));
}

/* The mean scores that theta can have, the price of its points included: none is better than the
 * best possible, where that is known, and those of a path are times from 0 to the cap, unless a
 * score that was told is not. */
typedef struct range {
    double least, most;
} range;

/* Are the scores of a path times? Those of a trainer may be something else. */
static bool are_times(const ground *g) {
    for (size_t i = 0; i < g->e->count; i++) {
        double score = g->e->trials[i].trial.mean;
        if (record_is_told(&g->e->trials[i]) && !(score >= 0 && score <= g->spec->path.cap))
            return false;
    }
    return g->spec->path.points > 0;
}

static range find_range(const ground *g, const double *theta) {
    const study_spec *spec = g->spec;
    double best = path_best_possible(spec, theta), price = path_price(spec, theta);
    range r = {-INFINITY, INFINITY};
    if (spec->options.direction == BESD_MAXIMIZE) {
        r.most = isinf(best) ? INFINITY : best;
        return r;
    }
    r.least = isinf(best) ? -INFINITY : best;
    if (are_times(g)) {
        r.least = fmax(r.least, price);
        r.most = spec->path.cap + price;
    }
    return r;
}

static double clip(const range *r, double score) {
    return fmin(fmax(score, r->least), r->most);
}

/* The end of the range that nothing is better than, and no other. */
static range better_end(const study_spec *spec, const range *r) {
    bool less_is_better = spec->options.direction == BESD_MINIMIZE;
    return (range){less_is_better ? r->least : -INFINITY, less_is_better ? INFINITY : r->most};
}

/* E[clip(X)] of a normal X; where X is a logarithm, of exp(X). */
static double clipped_mean(double mean, double variance, bool logarithm, const range *r) {
    double sd = sqrt(variance), whole = logarithm ? exp(mean + variance / 2) : mean;
    double least = logarithm ? log(fmax(r->least, 0)) : r->least;
    double most = logarithm ? log(fmax(r->most, 0)) : r->most;
    if (!(sd > 0) || isinf(whole))
        return clip(r, whole);
    double low = (least - mean) / sd, high = (most - mean) / sd, sum = 0;
    if (least > -INFINITY)
        sum += r->least * normal_cdf(low);
    if (most < INFINITY)
        sum += r->most * normal_cdf(-high);
    if (logarithm)
        sum += whole * (normal_cdf(high - sd) - normal_cdf(low - sd));
    else
        sum +=
            mean * (normal_cdf(high) - normal_cdf(low)) + sd * (normal_pdf(low) - normal_pdf(high));
    return clip(r, sum);
}

/* Outcomes of fewer trials say nothing of how much outcomes differ, and those that are all the
 * same say nothing either, unless it is known what is possible and a model doubts itself up to
 * there. */
enum { FEWEST_TRIALS = 3 };

static bool says_how_sure(const ground *g) {
    bool doubts = g->model && g->model->count > 1 && !isinf(g->spec->options.best_possible);
    return g->e->told + g->e->confirmed >= FEWEST_TRIALS && (g->differ > 0 || doubts);
}

static int64_t count_tried(const ground *g, const double *theta) {
    int64_t tried = 0;
    for (size_t i = 0; i < g->e->count; i++)
        tried += record_is_told(&g->e->trials[i]) &&
                 g->e->trials[i].trial.tau == spec_tau_max(g->spec) &&
                 is_same(g->spec, theta, &g->e->trials[i].trial);
    return tried;
}

/* The probability to beat the baseline, which is known up to its own error. */
static double beats(const outlook *o, const besd_study_options *options, double lift) {
    bool logarithm = options->transform == BESD_TRANSFORM_LOG;
    double sign = options->direction == BESD_MINIMIZE ? -1 : 1, sum = 0;
    double bar = sign * (logarithm ? log(options->baseline) - lift : options->baseline);
    double error = options->baseline_error / (logarithm ? options->baseline : 1);
    for (size_t i = 0; i < o->count; i++) {
        double ahead = o->mean[i] - bar, sd = sqrt(o->variance[i] + error * error);
        sum += sd > 0 ? normal_cdf(ahead / sd) : ahead > 0;
    }
    return sum / (double)o->count;
}

/* All but mean and sd. Doubt makes the interval wider, and the score that is expected no other, but
 * for what is better than possible and cannot be. At the worse end there is no such correction: of
 * trials that all reach the cap, no better score is to be expected because they might be worse. */
static void fill(const ground *g, const double *theta, int64_t tau, outlook *o, besd_forecast *f) {
    const study_spec *spec = g->spec;
    const besd_study_options *options = &spec->options;
    const range r = find_range(g, theta), better = better_end(spec, &r);
    bool logarithm = options->transform == BESD_TRANSFORM_LOG;
    double sign = options->direction == BESD_MINIMIZE ? -1 : 1;
    double lift = logarithm ? shortfall(g, theta, tau, f->mean) : 0;
    double doubt = o->doubt + lift * lift / 4; /* it is known to a half or so */
    f->value = 0;
    for (size_t i = 0; i < o->count; i++) {
        double centre = sign * o->mean[i] + (logarithm ? lift - doubt / 2 : 0);
        o->variance[i] += doubt;
        f->value += clipped_mean(centre, o->variance[i], logarithm, &better) / (double)o->count;
    }
    f->value = clip(&r, f->value);
    double worst = spec_score(options, quantile(o, TAIL)) * exp(lift);
    double best = spec_score(options, quantile(o, 1 - TAIL)) * exp(lift);
    bool sure = says_how_sure(g);
    f->low = sure ? clip(&r, fmin(worst, best)) : -INFINITY;
    f->high = sure ? clip(&r, fmax(worst, best)) : INFINITY;
    f->better = isinf(options->baseline) || !sure ? NAN : beats(o, options, lift);
    f->tried = count_tried(g, theta);
}

/* What none of the trials has shown, the next design may show all the same: by the rule of
 * succession one in so many does, and then anything up to what is possible is as likely. A model of
 * trials that all failed alike would otherwise be sure that everything fails. */
static double unseen(const study_spec *spec, const evidence *e, const double *theta, double mean) {
    double best = path_best_possible(spec, theta);
    double gap = isinf(best) ? 0 : spec_to_model(spec, best) - mean;
    return isfinite(gap) && gap > 0 ? gap * gap / 3 / ((double)e->told + 2) : 0;
}

double forecast_doubt(const study_spec *spec, const evidence *e, const mixture *model,
                      const double *theta, double mean) {
    double variance = mixture_prior_variance(model);
    if (model->count == 1)
        return 0;
    if (spec->options.transform == BESD_TRANSFORM_LOG)
        variance = fmax(variance, LEAST_LOG_VARIANCE);
    return DOUBT * DOUBT * variance * (1 + FEW / (double)e->told) + unseen(spec, e, theta, mean);
}

/* By what the draws say. */
static void judge(const ground *g, const double *theta, int64_t tau, outlook *o, besd_forecast *f) {
    double within = 0, between = 0, count = (double)o->count;
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < o->count; i++) {
        f->mean += o->mean[i] / count;
        within += o->variance[i] / count;
    }
    for (size_t i = 0; i < o->count; i++)
        between += (o->mean[i] - f->mean) * (o->mean[i] - f->mean) / count;
    o->doubt = forecast_doubt(g->spec, g->e, g->model, theta, f->mean);
    f->sd = sqrt(within + between + o->doubt);
    fill(g, theta, tau, o, f);
}

void forecast_model(const study_spec *spec, const evidence *e, const mixture *model,
                    const double *theta, int64_t tau, besd_forecast *f) {
    const ground g = {spec, e, model, NULL, spread(e)};
    double unit[BESD_MAX_DIMENSION], share = (double)tau / (double)spec_tau_max(spec);
    outlook o = {.count = model->count};
    spec_to_unit(spec, theta, unit);
    for (size_t i = 0; i < o.count; i++)
        o.mean[i] = gp_predict(model->models[i], unit, share, &o.variance[i], NULL);
    judge(&g, theta, tau, &o, f);
}

/* Places in the unit cube, what each draw says there, and what is expected of the trials. */
typedef struct places {
    double *units, *shares, *means, *variances, *expected;
} places;

static besd_status predict_places(const ground *g, const double *thetas, const int64_t *taus,
                                  size_t count, places *p, besd_error *error) {
    size_t d = g->spec->options.dimension;
    besd_status status = BESD_OK;
    for (size_t i = 0; i < count; i++) {
        spec_to_unit(g->spec, thetas + i * d, p->units + i * d);
        p->shares[i] = (double)taus[i] / (double)spec_tau_max(g->spec);
    }
    for (size_t i = 0; status == BESD_OK && i < g->model->count; i++)
        status = gp_predict_many(g->model->models[i], p->units, p->shares, count,
                                 p->means + i * count, p->variances + i * count, error);
    for (size_t i = 0; i < g->e->count; i++)
        p->expected[i] = expected_of(g->spec, g->model, &g->e->trials[i]);
    return status;
}

static void forecast_place(const ground *g, const places *p, size_t place, size_t count,
                           const double *theta, int64_t tau, besd_forecast *f) {
    outlook o = {.count = g->model->count};
    for (size_t i = 0; i < o.count; i++) {
        o.mean[i] = p->means[i * count + place];
        o.variance[i] = p->variances[i * count + place];
    }
    judge(g, theta, tau, &o, f);
}

besd_status forecast_many(const study_spec *spec, const evidence *e, const mixture *model,
                          const double *thetas, const int64_t *taus, size_t count, besd_forecast *f,
                          besd_error *error) {
    size_t d = spec->options.dimension;
    places p = {.units = malloc((count * d + 1) * sizeof *p.units),
                .shares = malloc((count + 1) * sizeof *p.shares),
                .means = malloc((model->count * count + 1) * sizeof *p.means),
                .variances = malloc((model->count * count + 1) * sizeof *p.variances),
                .expected = malloc((e->count + 1) * sizeof *p.expected)};
    const ground g = {spec, e, model, p.expected, spread(e)};
    besd_status status = p.units && p.shares && p.means && p.variances && p.expected
                             ? predict_places(&g, thetas, taus, count, &p, error)
                             : besd_fail_memory(error, "the forecasts");
    for (size_t i = 0; status == BESD_OK && i < count; i++)
        forecast_place(&g, &p, i, count, thetas + i * d, taus[i], &f[i]);
    free(p.units);
    free(p.shares);
    free(p.means);
    free(p.variances);
    free(p.expected);
    return status;
}

void forecast_alone(const study_spec *spec, const evidence *e, const mixture *model,
                    const double *theta, double mean, double variance, double doubt,
                    besd_forecast *f) {
    const ground g = {spec, e, model, NULL, spread(e)};
    outlook o = {.count = 1, .mean = {mean}, .variance = {variance - doubt}, .doubt = doubt};
    *f = (besd_forecast){.mean = mean, .sd = sqrt(variance)};
    fill(&g, theta, spec_tau_max(spec), &o, f);
}
